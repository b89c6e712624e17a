"use strict";
// Everything that comes from a document reaches the page as text nodes and attributes, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { findings, provisions, documents, short, words, first } = data;
  const $ = (id) => document.getElementById(id);
  const CHUNK = 60;
  const list = $("list");
  let shown = findings; // those that pass the filters
  let drawn = 0; // how many of them are in the page
  let cell = null; // the heat map's cell that is chosen

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  const decimals = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

  // ---- one finding ------------------------------------------------------------------------------------------

  function marked(text, runs) {
    const out = [];
    let at = 0;
    for (const [start, end, kind] of runs) {
      out.push(text.slice(at, start), el("mark", { class: kind }, text.slice(start, end)));
      at = end;
    }
    out.push(text.slice(at));
    return out;
  }

  function side(index, runs, finding, name) {
    const p = provisions[index];
    const title = p.href
      ? el("a", { href: p.href, target: "_blank", rel: "noopener noreferrer" }, p.label + (p.page ? ", page " + p.page : ""))
      : p.label + (p.page ? ", page " + p.page : "");
    const governs = finding.governs === name;
    const context = p.context.length
      ? el("details", {}, el("summary", {}, "Definitions and cited texts"), ...p.context.map((line) => el("p", {}, line)))
      : null;
    return el(
      "article",
      { class: "side" + (governs ? " governs" : ""), "aria-label": capital(name) + " provision" },
      el(
        "header",
        {},
        el("p", { class: "docname" }, documents[p.doc] || p.doc, governs ? " · the stricter side" : ""),
        el("h4", {}, title),
        el("p", { class: "path" }, p.path)
      ),
      el("div", { class: "text" }, ...marked(p.text, runs)),
      context
    );
  }

  function fact(name, value, full) {
    return value === "" ? null : el("div", {}, el("dt", {}, name), " ", el("dd", full ? { title: full } : {}, value));
  }

  function detail(f) {
    const left = provisions[f.l], right = provisions[f.r];
    const order = f.order === null ? "asked in one order" : f.order ? "same verdict in both orders" : "verdict depends on the order";
    const remarks = [
      f.changed ? el("p", {}, el("b", {}, f.state === "resolved" ? "Resolved: " : "Since the previous run: "), f.changed) : "",
      f.decision ? el("p", {}, el("b", {}, words.decision[f.decision]), " by " + f.by + (f.at ? " on " + day.format(new Date(f.at)) : "") + (f.note ? ": " + f.note : "")) : "",
      f.verified ? "" : el("p", { class: "warning" }, "Evidence not verified: a quote was not found in its provision."),
      f.order === false ? el("p", { class: "warning" }, "The verdict depends on which provision is read first.") : "",
    ].filter(Boolean);
    const corrected = f.judged !== null && f.p !== null && Math.abs(f.judged - f.p) > 0.005;
    return el(
      "div",
      { class: "detail", id: "d-" + f.id, role: "region", "aria-labelledby": "h-" + f.id },
      remarks.length ? el("div", { class: "remarks" }, ...remarks) : null,
      el("div", { class: "sides" }, side(f.l, f.lm, f, "left"), side(f.r, f.rm, f, "right")),
      el(
        "div",
        { class: "foot" },
        f.topicName ? el("p", {}, el("span", {}, "Topic "), f.topicName) : null,
        el("p", {}, el("a", { href: "#f-" + f.id }, "Link to this finding")),
        el(
          "details",
          {},
          el("summary", {}, "Record"),
          el(
            "dl",
            { class: "facts" },
            fact("Probability of a conflict", decimals(f.p)),
            corrected ? fact("As the judge said", decimals(f.judged)) : null,
            fact("Score", decimals(f.score)),
            fact("Weight of the provisions", decimals(f.weight)),
            fact("Similarity", f.cosine === null ? "" : decimals(f.cosine)),
            fact("Reading order", order),
            fact("Judge", f.judge + ", " + f.model),
            fact("Prompt", f.prompt.slice(0, 12), f.prompt),
            fact("Left text", left.sha256.slice(0, 12), left.sha256),
            fact("Right text", right.sha256.slice(0, 12), right.sha256),
            fact("Finding", f.id)
          )
        )
      )
    );
  }

  const named = (p) => [el("b", {}, p.label), " ", el("span", { class: "of" }, short[p.doc] || p.doc)];

  function row(f) {
    const left = provisions[f.l], right = provisions[f.r];
    const button = el(
      "button",
      { type: "button", id: "h-" + f.id, "aria-expanded": "false", "aria-controls": "d-" + f.id },
      el("span", { class: "rank" }, f.rank === null ? "–" : String(f.rank)),
      el("span", { class: "tag" }, words.relation[f.relation], f.kind && f.kind !== f.relation ? el("small", {}, words.kind[f.kind]) : null),
      el("span", { class: "what" }, ...named(left), " × ", ...named(right), el("span", { class: "why" }, f.why)),
      el("span", { class: "flags" }, f.decision ? el("b", {}, words.decision[f.decision]) : null, first ? "" : words.state[f.state]),
      el("span", { class: "prob" }, el("span", { class: "visually-hidden" }, "probability "), decimals(f.p))
    );
    const item = el("li", { class: "finding r-" + f.relation, "data-id": f.id }, el("h3", {}, button));
    button.addEventListener("click", () => toggle(item, f));
    item.finding = f;
    return item;
  }

  function toggle(item, f, open) {
    const button = item.querySelector("button");
    const is = button.getAttribute("aria-expanded") === "true";
    const want = open === undefined ? !is : open;
    if (want === is) return;
    button.setAttribute("aria-expanded", String(want));
    item.classList.toggle("open", want);
    if (want) item.append(detail(f));
    else item.querySelector(".detail").remove();
  }

  // ---- the list: drawn a screen or two ahead of the reader ----------------------------------------------------

  function draw(upTo) {
    const batch = document.createDocumentFragment();
    for (; drawn < Math.min(upTo, shown.length); drawn++) batch.append(row(shown[drawn]));
    list.append(batch);
  }

  function restart() {
    list.replaceChildren();
    drawn = 0;
    if (shown.length) draw(CHUNK);
    else list.append(el("li", { class: "empty" }, "No finding passes the filters."));
    const isOpen = (f) => f.state !== "resolved";
    const [open, all] = [shown.filter(isOpen), findings.filter(isOpen)];
    const conflicts = open.filter((f) => f.relation === "conflict").length;
    const resolved = shown.length - open.length;
    $("count").textContent =
      (open.length === all.length ? `${all.length} findings` : `${open.length} of ${all.length} findings`) +
      `, ${conflicts} ${conflicts === 1 ? "conflict" : "conflicts"}` +
      (resolved ? `, and ${resolved} resolved` : "");
  }

  // The sentinel is as far away as before once a batch is in, so look again until the screen is full.
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting) && drawn < shown.length) {
        draw(drawn + CHUNK);
        watcher.unobserve($("more"));
        watcher.observe($("more"));
      }
    },
    { rootMargin: "1200px" }
  );

  // ---- filters ----------------------------------------------------------------------------------------------

  const haystacks = new Array(provisions.length);
  const haystack = (index) => {
    const p = provisions[index];
    return (haystacks[index] ??= [p.label, p.path, p.text, p.id, documents[p.doc], ...p.context].join("\n").toLowerCase());
  };

  function matches(f, terms) {
    return terms.every(
      (term) =>
        haystack(f.l).includes(term) || haystack(f.r).includes(term) ||
        f.why.toLowerCase().includes(term) || f.id.includes(term) || f.note.toLowerCase().includes(term)
    );
  }

  const placeOf = {
    left_chapter: (f) => provisions[f.l].chapter, left_doc: (f) => provisions[f.l].doc,
    right_chapter: (f) => provisions[f.r].chapter, right_doc: (f) => provisions[f.r].doc,
  };

  function apply() {
    const value = (id) => $(id).value;
    const terms = value("q").toLowerCase().split(/\s+/).filter(Boolean);
    const least = Number(value("p"));
    $("p-out").textContent = least.toFixed(2);
    shown = findings.filter(
      (f) =>
        (!value("relation") || f.relation === value("relation")) &&
        (!value("kind") || f.kind === value("kind")) &&
        (!value("state") || f.state === value("state")) &&
        (!value("topic") || f.topic === value("topic")) &&
        (!value("decision") || (value("decision") === "none" ? !f.decision : "=" + f.decision === value("decision"))) &&
        (!value("doc") || provisions[f.l].doc === value("doc") || provisions[f.r].doc === value("doc")) &&
        (least === 0 || (f.p ?? 0) >= least - 1e-9) &&
        (!cell || (f.state !== "resolved" && placeOf[cell.rowFilter](f) === cell.row && placeOf[cell.columnFilter](f) === cell.column)) &&
        matches(f, terms)
    );
    for (const panel of document.querySelectorAll("[data-topic]")) {
      panel.setAttribute("aria-pressed", String(panel.dataset.topic === value("topic")));
    }
    for (const button of document.querySelectorAll(".heat button")) {
      const chosen = cell && button.dataset.row === cell.row && button.dataset.column === cell.column;
      button.setAttribute("aria-pressed", String(Boolean(chosen)));
    }
    $("cell").hidden = !cell;
    if (cell) {
      const clear = el("button", { type: "button" }, "Show all places");
      clear.addEventListener("click", () => { cell = null; apply(); });
      $("cell").replaceChildren(el("span", {}, "Only ", el("b", {}, cell.label)), clear);
    }
    restart();
  }

  function options(id, counted, name) {
    for (const [value, n] of counted) $(id).append(el("option", { value }, `${name(value)} (${n})`));
  }

  function tally(keys) {
    const counts = new Map();
    for (const f of findings) for (const key of keys(f)) if (key) counts.set(key, (counts.get(key) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  function fillFilters() {
    options("relation", tally((f) => [f.relation]), (v) => words.relation[v]);
    options("kind", tally((f) => [f.kind]), (v) => words.kind[v]);
    options("state", tally((f) => [f.state]), (v) => words.state[v]);
    options("doc", tally((f) => new Set([provisions[f.l].doc, provisions[f.r].doc])), (v) => documents[v] || v);
    const names = new Map(findings.map((f) => [f.topic, f.topicName]));
    options("topic", tally((f) => [f.topic]), (v) => names.get(v));
    options("decision", tally((f) => [f.decision ? "=" + f.decision : "none"]), (v) => (v === "none" ? "Not reviewed" : words.decision[v.slice(1)]));
  }

  let pending = 0;
  $("q").addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(apply, 120);
  });
  $("filters").addEventListener("change", (event) => { if (event.target.id !== "q") apply(); });
  $("p").addEventListener("input", () => { $("p-out").textContent = Number($("p").value).toFixed(2); });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("filters").addEventListener("reset", () => { cell = null; setTimeout(apply); });

  function toFindings() {
    $("findings").scrollIntoView();
    $("findings").focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const place = event.target.closest(".heat button");
    const panel = event.target.closest("[data-topic]");
    if (place) {
      const { row: r, column, rowFilter, columnFilter } = place.dataset;
      const again = cell && cell.row === r && cell.column === column;
      cell = again ? null : { row: r, column, rowFilter, columnFilter, label: place.title };
      apply();
      if (!again) toFindings();
    } else if (panel) {
      choose(panel);
    }
  });

  function choose(panel) {
    $("topic").value = $("topic").value === panel.dataset.topic ? "" : panel.dataset.topic;
    apply();
    if ($("topic").value) toFindings();
  }

  // ---- keys -------------------------------------------------------------------------------------------------

  function current() {
    return document.activeElement.closest(".finding") || list.querySelector(".finding.open");
  }

  function step(by) {
    const from = current();
    const items = [...list.querySelectorAll(".finding")];
    const index = from ? items.indexOf(from) + by : 0;
    if (index < 0) return;
    if (index >= drawn) draw(drawn + CHUNK);
    const item = list.children[index];
    if (!item || !item.finding) return;
    const wasOpen = from && from.classList.contains("open");
    if (wasOpen) {
      toggle(from, from.finding, false);
      toggle(item, item.finding, true);
    }
    item.querySelector("button").focus({ preventScroll: true });
    item.scrollIntoView({ block: wasOpen ? "start" : "nearest", behavior: "auto" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (event.key === "Escape") {
      if (event.target.id === "q") {
        $("q").value = "";
        $("q").blur();
        apply();
        return;
      }
      const item = current();
      if (item && item.classList.contains("open")) {
        toggle(item, item.finding, false);
        item.querySelector("button").focus();
      }
    } else if (event.key === "Enter" && event.target.id === "q") {
      clearTimeout(pending);
      apply();
      step(1);
    } else if ((event.key === "Enter" || event.key === " ") && event.target.closest("[data-topic]")) {
      event.preventDefault();
      choose(event.target.closest("[data-topic]"));
    } else if (!inField && $("keys").checked && ["j", "k", "/"].includes(event.key)) {
      event.preventDefault();
      if (event.key === "/") $("q").focus();
      else step(event.key === "j" ? 1 : -1);
    }
  });

  // ---- theme, print, links to one finding ---------------------------------------------------------------------

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const sayTheme = () => $("theme").setAttribute("aria-pressed", String(isDark()));
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    sayTheme();
  });
  dark.addEventListener("change", sayTheme);
  $("print").addEventListener("click", () => print());

  // Paper shows all that pass the filters, each opened with its context; afterwards the list is as it was.
  let before = null;
  addEventListener("beforeprint", () => {
    before = [...list.querySelectorAll(".finding.open")].map((item) => item.dataset.id);
    draw(shown.length);
    for (const item of list.querySelectorAll(".finding")) toggle(item, item.finding, true);
    for (const details of list.querySelectorAll("details")) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const item of list.querySelectorAll(".finding")) toggle(item, item.finding, before.includes(item.dataset.id));
  });

  function openLinked() {
    const id = /^#f-([0-9a-f]+)$/.exec(location.hash)?.[1];
    const index = shown.findIndex((f) => f.id === id);
    if (index < 0) return;
    draw(index + CHUNK);
    const item = list.children[index];
    toggle(item, item.finding, true);
    item.scrollIntoView();
    item.querySelector("button").focus({ preventScroll: true });
  }

  fillFilters();
  sayTheme();
  apply();
  watcher.observe($("more"));
  openLinked();
  addEventListener("hashchange", openLinked);
  document.documentElement.dataset.ready = "true";
})();
