// ---- tabs ---------------------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];
const panelOf = (tab) => $(tab.getAttribute("aria-controls"));
const openTab = () => tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
const openListing = () => listings.get(openTab().getAttribute("aria-controls"));

function startIn(panel) {
  for (const listing of listings.values()) if (listing.panel === panel) listing.start();
}

function show(id, focus) {
  const chosen = tabs.find((tab) => tab.getAttribute("aria-controls") === id);
  if (!chosen) return;
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    panelOf(tab).hidden = tab !== chosen;
  }
  chosen.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "auto" });
  if (focus) chosen.focus({ preventScroll: true });
  startIn(panelOf(chosen));
}

$("views").addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (!tab) return;
  show(tab.getAttribute("aria-controls"));
  history.replaceState(null, "", "#" + tab.getAttribute("aria-controls"));
});
$("views").addEventListener("keydown", (event) => {
  const at = tabs.indexOf(event.target.closest("[role=tab]"));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  show(tabs[(to + tabs.length) % tabs.length].getAttribute("aria-controls"), true);
});

// ---- the heat map, the topics, the bars and the matrix lead to their rows -------------------------------------------

const placeOf = {
  left_chapter: (f) => provisions[f.l].chapter, left_doc: (f) => provisions[f.l].doc,
  right_chapter: (f) => provisions[f.r].chapter, right_doc: (f) => provisions[f.r].doc,
};

function goTo(id) {
  show(id);
  const panel = $(id);
  (panel.querySelector("form.filters") || panel).scrollIntoView();
  panel.focus({ preventScroll: true });
}

const PARTS = ["conflicts", "stricter", "definitions"];

// Chooses a cell or a topic ({button, label, test}), or none, in all three lists of findings, and goes to the first
// that has any of it.
function choosePart(part) {
  for (const other of document.querySelectorAll(".heat button, [data-topic]")) {
    other.setAttribute("aria-pressed", String(Boolean(part && other === part.button)));
  }
  for (const name of PARTS) {
    const listing = listings.get(name);
    listing.extra = part;
    if (listing.started) listing.apply();
  }
  if (part) goTo(PARTS.find((name) => listings.get(name).items.some(part.test)) || PARTS[0]);
}

const pressed = (button) => button.getAttribute("aria-pressed") === "true";

function choosePlace(button) {
  const { row: r, column, rowFilter, columnFilter } = button.dataset;
  const test = (f) => f.state !== "resolved" && placeOf[rowFilter](f) === r && placeOf[columnFilter](f) === column;
  choosePart(pressed(button) ? null : { button, label: button.title, test });
}

function chooseTopic(panel) {
  const test = (f) => f.topic === panel.dataset.topic;
  choosePart(pressed(panel) ? null : { button: panel, label: panel.querySelector("title").textContent, test });
}

function chooseIn(id, chosen) {
  show(id);
  const listing = listings.get(id);
  for (const [name, value] of Object.entries(chosen)) {
    const select = listing.form.elements[name];
    select.value = [...select.options].some((option) => option.value === value) ? value : "";
  }
  listing.apply();
  goTo(id);
}

document.addEventListener("click", (event) => {
  const place = event.target.closest(".heat button");
  const panel = event.target.closest("[data-topic]");
  const view = event.target.closest("[data-view]");
  if (place) choosePlace(place);
  else if (panel) chooseTopic(panel);
  else if (view && view.dataset.doc) {
    const chosen = { view: "v" + view.dataset.view, doc: "", chapter: view.dataset.doc + "\n" + view.dataset.chapter };
    const hasGap = listings.get("gaps").items.some((c) => c.state === "gap" && standingFacets.view(c) === chosen.view && chapterOf(c) === chosen.chapter);
    if (hasGap) chooseIn("gaps", { ...chosen, standing: "gap" });
    else chooseIn("crosswalk", { ...chosen, standing: "all" });
  } else if (view) chooseIn("crosswalk", { view: "v" + view.dataset.view, doc: "", chapter: "", standing: "all" });
});

// ---- keys -----------------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const listing = openListing();
  const topic = event.target.closest("[data-topic]");
  if ((event.key === "Enter" || event.key === " ") && topic) {
    event.preventDefault();
    chooseTopic(topic);
    return;
  }
  if (!listing) return;
  const search = listing.form.elements.q;
  const inField = event.target.matches("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") {
    if (event.target === search) {
      search.value = "";
      search.blur();
      listing.apply();
      return;
    }
    const line = listing.current();
    if (line && line.classList.contains("open")) {
      listing.toggle(line, false);
      line.querySelector("button").focus();
    }
  } else if (event.key === "Enter" && event.target === search) {
    event.preventDefault();
    listing.apply();
    listing.step(1);
  } else if (!inField && $("keys").checked && ["j", "k", "/"].includes(event.key)) {
    event.preventDefault();
    if (event.key === "/") search.focus();
    else listing.step(event.key === "j" ? 1 : -1);
  }
});

// ---- theme, print, links to one row -----------------------------------------------------------------------------------

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const sayTheme = () => $("theme").setAttribute("aria-pressed", String(isDark()));
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  sayTheme();
});
dark.addEventListener("change", sayTheme);
$("print").addEventListener("click", () => print());

// Paper shows every tab with all that passes its filters: the findings opened, with their contexts, the crosswalk and
// the gaps as rows. Afterwards the page is as it was.
const OPENED = ["conflicts", "definitions", "stricter"];
let before = null;
addEventListener("beforeprint", () => {
  before = openTab().getAttribute("aria-controls");
  for (const tab of tabs) panelOf(tab).hidden = false;
  for (const details of document.querySelectorAll(".of-doc")) details.open = true;
  for (const [id, listing] of listings) {
    listing.start();
    listing.draw(listing.shown.length);
    listing.wereOpen = listing.lines().filter((line) => line.classList.contains("open"));
    if (!OPENED.includes(id)) continue;
    for (const line of listing.lines()) listing.toggle(line, true);
    for (const details of listing.list.querySelectorAll("details")) details.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const listing of listings.values()) {
    for (const line of listing.lines()) listing.toggle(line, listing.wereOpen.includes(line));
  }
  show(before);
});

function openLinked() {
  const [, what, id] = /^#([fc])-([0-9a-f]+)$/.exec(location.hash) || [];
  if (what === "c" && listings.has("crosswalk")) {
    show("crosswalk");
    listings.get("crosswalk").reveal(id);
    return;
  }
  const linked = what === "f" && findings.find((f) => f.id === id);
  if (linked) {
    show(tabOf(linked));
    listings.get(tabOf(linked)).reveal(id);
  } else if (location.hash.length > 1) show(location.hash.slice(1));
}

sayTheme();
show("conflicts");
openLinked();
addEventListener("hashchange", openLinked);
document.documentElement.dataset.ready = "true";
