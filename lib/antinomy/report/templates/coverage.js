// The crosswalk and the gaps.
const NEAR = ["gap", "not_decidable"];
const viewOf = new Map(views.map((view, n) => [view.side + "\n" + view.other, n]));
const severalSides = views.length > 2;
const sideName = (name) => sides[name] || name;

// A pair as its row sees it: what it compares with, and the marks of both.
function seen([at, flipped, relationship]) {
  const pair = pairs[at];
  const governs = pair.governs && (pair.governs === "left") !== Boolean(flipped) ? "here" : pair.governs ? "there" : "";
  return flipped
    ? { ...pair, l: pair.r, r: pair.l, lm: pair.rm, rm: pair.lm, lv: pair.rv, rv: pair.lv, relationship, governs }
    : { ...pair, relationship, governs };
}

function relationWords(pair) {
  if (pair.relation === "stricter") return pair.governs === "here" ? "Less strict" : "Stricter";
  if (pair.relation === "conflict") return (pair.p ?? 0) >= data.likely ? "Likely conflict" : "Possible conflict";
  return words.relation[pair.relation];
}

function counterpart(pair, n) {
  const p = provisions[pair.r];
  const value = pair.lv || pair.rv ? el("p", { class: "values" }, el("b", {}, pair.lv || "not said"), " here, ", el("b", {}, pair.rv || "not said"), " there") : null;
  return el(
    "details",
    { class: "counterpart r-" + pair.relation, open: n === 0 },
    el("summary", {}, el("span", {}, el("span", { class: "tag" }, relationWords(pair)), " ", ...place(p)), el("span", { class: "prob" }, percent(pair.related))),
    pair.why ? el("p", { class: "why" }, pair.why) : null,
    value,
    el("p", { class: "path" }, titled(p), p.path ? " · " + p.path : ""),
    el("div", { class: "text" }, ...marked(p.text, pair.rm)),
    el(
      "dl",
      { class: "facts" },
      fact("On the same duty", pair.related === null ? "" : percent(pair.related)),
      fact("This relation", pair.pr === null ? "" : percent(pair.pr)),
      fact("In conflict", pair.p === null ? "" : percent(pair.p)),
      fact("NIST IR 8477", pair.relationship)
    )
  );
}

function standingWords(c) {
  if (c.state !== "conflict") return words.coverage[c.state];
  return (c.p ?? 0) >= data.likely ? "Likely conflict" : "Possible conflict";
}

// Of an open row, all that can be said is how probable a counterpart is.
const chance = (c) => (c.state === "not_decidable" ? c.covered : c.p);
const chanceOf = { gap: "gap", conflict: "conflict", stricter_here: "stricter", stricter_there: "stricter" };

// The reason of a gap names its nearest miss first, which stands beside it.
const reasonAlone = (reason) => capital(reason.replace(/^nearest is .*? \(\d+\s?%[^)]*\): /, ""));

const isRelated = (pair) => pair.relation !== "none" && pair.relation !== "unanswered";
// Best first as the table has them; of a provision with counterparts, these before what only came near.
const listed = (c) => (NEAR.includes(c.state) ? c.c.map(seen) : c.c.map(seen).sort((a, b) => isRelated(b) - isRelated(a)));

function standingDetail(c) {
  const p = provisions[c.here];
  const none = NEAR.includes(c.state);
  const found = listed(c);
  const related = none ? found.length : found.filter(isRelated).length;
  const remarks = [decided(c), c.reason ? el("p", {}, el("b", {}, words.coverage[c.state] + ": "), c.reason + (/[.!?”]$/.test(c.reason) ? "" : ".")) : null].filter(Boolean);
  return [
    remarks.length ? el("div", { class: "remarks" }, ...remarks) : null,
    el(
      "div",
      { class: "sides" },
      provision(p, found.length ? found[0].lm : [], c.state === "stricter_here" ? "the stricter side" : "", c.state === "stricter_here"),
      el(
        "div",
        { class: "counterparts" },
        el("p", { class: "docname" }, found.length ? (none ? "What comes nearest in " : "Counterparts in ") + sideName(c.other) : "Nothing of " + sideName(c.other) + " was compared with it."),
        ...found.slice(0, related).map(counterpart),
        related && related < found.length ? el("p", { class: "docname" }, "Also near, and judged to be on another matter") : null,
        ...found.slice(related).map((pair, n) => counterpart(pair, related ? 1 : n))
      )
    ),
    el(
      "div",
      { class: "foot" },
      el("p", {}, el("a", { href: "#c-" + c.id }, "Link to this provision")),
      c.covered === null ? null : el("p", {}, el("span", {}, "Probability of a counterpart, all candidates taken together "), percent(c.covered))
    ),
  ].filter(Boolean);
}

// Of two documents, the one that is looked at says which the other is.
const place = (p) => (Object.keys(documents).length > 2 ? named(p) : [el("b", {}, p.label)]);

function standingRow(c) {
  const p = provisions[c.here];
  const none = NEAR.includes(c.state);
  const all = listed(c);
  const related = all.filter(isRelated).length;
  const found = all.slice(0, none ? 1 : Math.min(3, related || 1));
  const best = none
    ? [
        found.length ? el("span", {}, ...place(provisions[found[0].r]), " ", el("span", { class: "of near" }, found[0].related === null ? "" : percent(found[0].related) + " on the same duty")) : null,
        found.length && found[0].rm.length ? el("q", {}, quoteOf(provisions[found[0].r], found[0].rm)) : null,
        el("span", { class: "why" }, reasonAlone(c.reason)),
      ]
    : found.map((pair, n) =>
        el(
          "span", { class: "one" },
          ...place(provisions[pair.r]), pair.rv ? `: ${pair.rv}` + (pair.lv && pair.lv !== pair.rv ? `, here ${pair.lv}` : "") : "",
          n ? null : el("q", {}, quoteOf(provisions[pair.r], pair.rm))
        )
      );
  if (!none && related > found.length) best.push(el("small", {}, `and ${related - found.length} more`));
  if (c.state === "left_out") best.push(el("span", { class: "why" }, c.reason));
  return [
    el("span", { class: "tag" }, standingWords(c)),
    el("span", { class: "what" }, ...named(p), severalSides ? el("small", {}, " against ", sideName(c.other)) : null, el("span", { class: "why" }, p.text)),
    el("span", { class: "best" }, ...best.filter(Boolean)),
    flags(c, ""),
    el("span", { class: "prob" }, el("span", { class: "visually-hidden" }, "probability "), percent(chance(c)), chance(c) === null ? null : el("small", {}, chanceOf[c.state] || "counterpart")),
  ];
}

const chapterOf = (c) => provisions[c.here].doc + "\n" + provisions[c.here].chapter;
const standingFacets = {
  view: (c) => "v" + viewOf.get(c.side + "\n" + c.other),
  doc: (c) => (manyDocuments ? provisions[c.here].doc : ""),
  chapter: chapterOf,
  standing: (c) => (c.state === "left_out" ? c.state : [c.state, "all"]),
  decision: byDecision,
};
const standingNames = {
  view: (v) => {
    const { side, other } = views[Number(v.slice(1))];
    return severalSides ? `${capital(sideName(side))} against ${sideName(other)}` : capital(sideName(side));
  },
  doc: (v) => documents[v] || v,
  chapter: (v) => {
    const [doc, chapter] = v.split("\n");
    return (severalDocuments && chapter !== documents[doc] ? (short[doc] || doc) + ": " : "") + (chapter || documents[doc] || doc);
  },
  standing: (v) => (v === "all" ? "All duties" : words.coverage[v]),
  decision: decisionName,
};
const covering = new Set(coverage.map((c) => provisions[c.here].doc)).size;
const severalDocuments = covering > 1;
// Where each side is one document, to choose the side is to choose the document.
const manyDocuments = covering > new Set(coverage.map((c) => c.side)).size;

function standingListing(id, make) {
  return new Listing($(id), {
    row: standingRow, detail: standingDetail, facets: standingFacets, names: standingNames, p: chance,
    tone: (c) => "c-" + c.state,
    texts: (c) => [
      c.here, c.reason, c.note,
      ...c.c.flatMap(([at, flipped]) => [flipped ? pairs[at].l : pairs[at].r, pairs[at].why, flipped ? pairs[at].lv : pairs[at].rv]),
    ],
    orders: { sure: (a, b) => (chance(b) ?? -1) - (chance(a) ?? -1), unsure: (a, b) => (chance(a) ?? 2) - (chance(b) ?? 2) },
    group: (c) => c.side + "\n" + c.other + "\n" + chapterOf(c),
    heading: (group) => {
      const [side, other, doc, chapter] = group.split("\n");
      return [el("h3", {}, chapter || documents[doc] || doc, " ", el("small", {}, chapter === documents[doc] ? "" : documents[doc] || doc, severalSides ? ` against ${sideName(other)}` : ""))];
    },
    ...make,
  });
}

if (coverage.length) {
  standingListing("crosswalk", {
    items: coverage, defaults: { standing: "all" }, nothing: "No provision demands anything of a firm.",
    count: (shown) => {
      const duties = shown.filter((c) => c.state !== "left_out").length;
      const all = coverage.filter((c) => c.state !== "left_out").length;
      const more = shown.length - duties;
      return (duties === all ? "" : `${duties} of `) + plural(all, "duty", "duties") + (more ? `, and ${plural(more, "provision", "provisions")} left out` : "");
    },
  });
  standingListing("gaps", {
    items: coverage.filter((c) => NEAR.includes(c.state)).map((c) => ({ ...c, id: "g" + c.id })),
    defaults: { standing: "gap" }, facets: { ...standingFacets, standing: (c) => c.state }, nothing: "No gap was found.",
    count: (shown) => {
      const gaps = shown.filter((c) => c.state === "gap").length;
      const all = coverage.filter((c) => c.state === "gap").length;
      const more = shown.length - gaps;
      return (gaps === all ? "" : `${gaps} of `) + plural(all, "gap", "gaps") + (more ? `, and ${more} open` : "");
    },
  });
}
