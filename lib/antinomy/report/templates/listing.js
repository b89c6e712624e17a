// A list with its filters: drawn a screen or two ahead of the reader, so that thousands of rows open as fast as ten.
const CHUNK = 60;
const listings = new Map();

class Listing {
  // make: items in order; row(item), detail(item), texts(item) for the search, facets (name of a select → value,
  // values or "" of an item), names (name of a select → value → words), count(shown, all); optional: group(item),
  // heading(group, items), orders (value of the select "order" → compare), p(item), drop() of what was chosen outside.
  constructor(root, make) {
    Object.assign(this, make);
    this.root = root;
    this.panel = root.closest("[role=tabpanel]");
    this.list = root.querySelector(".list");
    this.form = root.querySelector("form.filters");
    this.more = root.querySelector(".more");
    this.shown = this.items;
    this.drawn = 0;
    this.extra = null; // {label, test}: chosen outside of the form
    this.started = false;
    listings.set(root.id, this);
  }

  start() {
    if (this.started) return;
    this.started = true;
    // What lists nothing needs no filters.
    for (const part of [this.form, this.root.querySelector(".head"), this.root.querySelector(".count")]) if (part) part.hidden = !this.items.length;
    if (this.form) this.listen();
    this.apply();
    if (this.more) this.watch();
  }

  listen() {
    let pending = 0;
    for (const select of this.form.querySelectorAll("select")) {
      if (select.name === "order") continue;
      const counts = this.tally(select.name);
      for (const [value, n] of counts) {
        select.append(el("option", { value }, `${this.names[select.name](value)} (${n})`));
      }
      // A choice of one, and no default, is none.
      select.closest("label").hidden = counts.length < 2 && !(select.name in (this.defaults || {}));
      this.preset(select);
    }
    this.form.addEventListener("input", (event) => {
      if (event.target.name === "q") {
        clearTimeout(pending);
        pending = setTimeout(() => this.apply(), 120);
      } else if (event.target.name === "p") this.sayLeast();
    });
    this.form.addEventListener("change", (event) => { if (event.target.name !== "q") this.apply(); });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pending);
      this.apply();
    });
    this.form.addEventListener("reset", () => {
      setTimeout(() => {
        for (const select of this.form.querySelectorAll("select")) this.preset(select);
        if (this.extra) this.drop();
        else this.apply();
      });
    });
  }

  preset(select) {
    const value = this.defaults?.[select.name];
    if (value && [...select.options].some((option) => option.value === value)) select.value = value;
  }

  tally(name) {
    const counts = new Map();
    for (const item of this.items) {
      for (const value of [this.facets[name](item)].flat()) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    }
    const sorted = [...counts];
    // Chapters stay in the order of the text.
    return name === "chapter" || name === "view" ? sorted : sorted.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  value(name) { return this.form?.elements[name]?.value || ""; }

  set(name, value) { this.form.elements[name].value = value; }

  sayLeast() {
    const field = this.form?.elements.p;
    if (field) field.previousElementSibling.querySelector("output").textContent = percent(Number(field.value));
  }

  apply() {
    const terms = this.value("q").toLowerCase().split(/\s+/).filter(Boolean);
    const least = Number(this.value("p") || 0);
    this.sayLeast();
    const chosen = Object.keys(this.facets || {}).map((name) => [this.facets[name], this.value(name)]).filter((c) => c[1]);
    this.shown = this.items.filter(
      (item) =>
        chosen.every(([facet, value]) => [facet(item)].flat().includes(value)) &&
        (least === 0 || (this.p(item) ?? 0) >= least - 1e-9) &&
        (!this.extra || this.extra.test(item)) &&
        (!terms.length || this.matches(item, terms))
    );
    const order = this.orders?.[this.value("order")];
    if (order) this.shown = [...this.shown].sort(order);
    this.grouped = this.group && !order;
    this.chip();
    this.list.replaceChildren();
    this.drawn = 0;
    if (this.shown.length) this.draw(CHUNK);
    else if (this.items.length || this.nothing) this.list.append(el("li", { class: "empty" }, this.items.length ? "Nothing passes the filters." : this.nothing));
    const count = this.root.querySelector(".count");
    if (count) count.textContent = this.count(this.shown, this.items);
  }

  matches(item, terms) {
    const texts = this.texts(item);
    return terms.every((term) => texts.some((text) => (typeof text === "number" ? haystack(text) : text.toLowerCase()).includes(term)));
  }

  chip() {
    const chip = this.root.querySelector(".chip");
    if (!chip) return;
    chip.hidden = !this.extra;
    if (!this.extra) return;
    const clear = el("button", { type: "button" }, "Show all places");
    clear.addEventListener("click", () => this.drop());
    chip.replaceChildren(el("span", {}, "Only ", el("b", {}, this.extra.label)), clear);
  }

  draw(upTo) {
    const batch = document.createDocumentFragment();
    for (; this.drawn < Math.min(upTo, this.shown.length); this.drawn++) {
      const item = this.shown[this.drawn];
      if (this.grouped) {
        const group = this.group(item);
        const before = this.drawn ? this.group(this.shown[this.drawn - 1]) : undefined;
        if (group !== before) batch.append(el("li", { class: "group" }, ...this.heading(group, this.shown)));
      }
      batch.append(this.line(item));
    }
    this.list.append(batch);
  }

  line(item) {
    const button = el("button", { type: "button", id: "h-" + item.id, "aria-expanded": "false", "aria-controls": "d-" + item.id }, ...this.row(item));
    const line = el("li", { class: "finding " + this.tone(item), "data-id": item.id }, el("h3", {}, button));
    line.item = item;
    button.addEventListener("click", () => this.toggle(line));
    return line;
  }

  toggle(line, open) {
    const button = line.querySelector("button");
    const is = button.getAttribute("aria-expanded") === "true";
    const want = open === undefined ? !is : open;
    if (want === is) return;
    button.setAttribute("aria-expanded", String(want));
    line.classList.toggle("open", want);
    if (want) line.append(el("div", { class: "detail", id: "d-" + line.item.id, role: "region", "aria-labelledby": "h-" + line.item.id }, ...this.detail(line.item)));
    else line.querySelector(".detail").remove();
  }

  // The sentinel is as far away as before once a batch is in, so look again until the screen is full.
  watch() {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting) && this.drawn < this.shown.length) {
          this.draw(this.drawn + CHUNK);
          watcher.unobserve(this.more);
          watcher.observe(this.more);
        }
      },
      { rootMargin: "1200px" }
    );
    watcher.observe(this.more);
  }

  lines() { return [...this.list.querySelectorAll(".finding")]; }

  current() {
    const line = document.activeElement.closest(".finding");
    return line && this.list.contains(line) ? line : this.list.querySelector(".finding.open");
  }

  step(by) {
    const from = this.current();
    const index = from ? this.lines().indexOf(from) + by : 0;
    if (index < 0) return;
    if (index >= this.drawn) this.draw(this.drawn + CHUNK);
    const line = this.lines()[index];
    if (!line) return;
    const wasOpen = from && from.classList.contains("open");
    if (wasOpen) {
      this.toggle(from, false);
      this.toggle(line, true);
    }
    line.querySelector("button").focus({ preventScroll: true });
    line.scrollIntoView({ block: wasOpen ? "start" : "nearest", behavior: "auto" });
  }

  reveal(id) {
    const index = this.shown.findIndex((item) => item.id === id);
    if (index < 0) return false;
    this.draw(index + CHUNK);
    const line = this.lines()[index];
    this.toggle(line, true);
    line.scrollIntoView();
    line.querySelector("button").focus({ preventScroll: true });
    return true;
  }
}
