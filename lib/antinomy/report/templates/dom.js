// Everything that comes from a document reaches the page as text nodes and attributes, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const { findings, nearest, coverage, pairs, views, provisions, documents, short, sides, words, first } = data;
const $ = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const decimals = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
// Between "surely" and "surely not" nothing is certain, so neither is rounded to it.
function percent(value) {
  if (value === null || value === undefined) return "–";
  if (value > 0 && value < 0.01) return "< 1 %";
  if (value < 1 && value > 0.99) return "> 99 %";
  return Math.round(100 * value) + " %";
}
const plural = (n, one, many) => (n === 1 ? `1 ${one}` : `${n} ${many}`);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const documentOf = (p) => documents[p.doc] || p.doc;
const named = (p) => [el("b", {}, p.label), " ", el("span", { class: "of" }, short[p.doc] || p.doc)];

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

// The beginning of the evidence, of the provision where none is marked; verbatim, cut between words.
function quoteOf(p, runs) {
  const evidence = runs.filter((run) => run[2].includes("e"));
  const quote = evidence.length ? p.text.slice(evidence[0][0], evidence[evidence.length - 1][1]) : p.text;
  return quote.length > 150 ? quote.slice(0, quote.lastIndexOf(" ", 150)) + " …" : quote;
}

function titled(p) {
  const name = p.label + (p.page ? ", page " + p.page : "");
  return p.href ? el("a", { href: p.href, target: "_blank", rel: "noopener noreferrer" }, name) : name;
}

// A provision as a reader wants it: whose it is, where it stands, its words.
function provision(p, runs, remark, governs, ...more) {
  const context = p.context.length
    ? el("details", {}, el("summary", {}, "Definitions and cited texts"), ...p.context.map((line) => el("p", {}, line)))
    : null;
  return el(
    "article",
    { class: "side" + (governs ? " governs" : ""), "aria-label": documentOf(p) },
    el(
      "header",
      {},
      el("p", { class: "docname" }, documentOf(p), remark ? " · " + remark : ""),
      el("h4", {}, titled(p)),
      el("p", { class: "path" }, p.path)
    ),
    el("div", { class: "text" }, ...marked(p.text, runs)),
    context,
    ...more
  );
}

function decided(row) {
  if (!row.decision) return null;
  return el("p", {}, el("b", {}, words.decision[row.decision]), " by " + row.by + (row.at ? " on " + day.format(new Date(row.at)) : "") + (row.note ? ": " + row.note : ""));
}

function fact(name, value, full) {
  return value === "" ? null : el("div", {}, el("dt", {}, name), " ", el("dd", full ? { title: full } : {}, value));
}

const haystacks = new Array(provisions.length);
function haystack(index) {
  const p = provisions[index];
  return (haystacks[index] ??= [p.label, p.path, p.text, p.id, documents[p.doc], ...p.context].join("\n").toLowerCase());
}
