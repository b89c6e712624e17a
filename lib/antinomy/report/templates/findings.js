// Conflicts, definitions and stricter rules.
const tabOf = (f) => (f.relation === "definition" || f.relation === "stricter" ? { definition: "definitions", stricter: "stricter" }[f.relation] : "conflicts");

function claim(f) {
  if (f.relation !== "conflict") return words.relation[f.relation];
  return (f.p ?? 0) >= data.likely ? "Likely conflict" : "Possible conflict";
}

const governing = (f) => (f.governs ? provisions[f.governs === "left" ? f.l : f.r] : null);

function findingDetail(f) {
  const left = provisions[f.l], right = provisions[f.r];
  const order = f.order === null ? "asked in one order" : f.order ? "same verdict in both orders" : "verdict depends on the order";
  const remarks = [
    f.changed ? el("p", {}, el("b", {}, f.state === "resolved" ? "Resolved: " : "Since the previous run: "), f.changed) : null,
    decided(f),
    f.verified === false ? el("p", { class: "warning" }, "Evidence not verified: a quote was not found in its provision.") : null,
    f.order === false ? el("p", { class: "warning" }, "The verdict depends on which provision is read first.") : null,
  ].filter(Boolean);
  const corrected = f.judged !== null && f.p !== null && Math.abs(f.judged - f.p) > 0.005;
  const remark = (side) => [f.governs === side ? "the stricter side" : "", f[side[0] + "v"] || ""].filter(Boolean).join(": ");
  return [
    remarks.length ? el("div", { class: "remarks" }, ...remarks) : null,
    el(
      "div",
      { class: "sides" },
      provision(left, f.lm, remark("left"), f.governs === "left"),
      provision(right, f.rm, remark("right"), f.governs === "right")
    ),
    el(
      "div",
      { class: "foot" },
      f.topicName ? el("p", {}, el("span", {}, "Topic "), f.topicName) : null,
      f.rank === undefined || f.state === null ? null : el("p", {}, el("a", { href: "#f-" + f.id }, "Link to this finding")),
      el(
        "details",
        {},
        el("summary", {}, "Record"),
        el(
          "dl",
          { class: "facts" },
          fact("Probability of this relation", f.pr === null || f.pr === undefined ? "" : decimals(f.pr)),
          fact("Probability of a conflict", decimals(f.p)),
          corrected ? fact("As the judge said", decimals(f.judged)) : null,
          f.score === null ? null : fact("Score", decimals(f.score)),
          f.weight === null ? null : fact("Weight of the provisions", decimals(f.weight)),
          fact("Similarity", f.cosine === null ? "" : decimals(f.cosine)),
          fact("Reading order", order),
          fact("Judge", f.judge + ", " + f.model),
          fact("Prompt", f.prompt.slice(0, 12), f.prompt),
          fact("Text of " + left.label, left.sha256.slice(0, 12), left.sha256),
          fact("Text of " + right.label, right.sha256.slice(0, 12), right.sha256),
          fact("Finding", f.id)
        )
      )
    ),
  ].filter(Boolean);
}

function findingRow(f) {
  return [
    el("span", { class: "rank" }, f.rank === null ? "–" : String(f.rank)),
    el("span", { class: "tag" }, claim(f), f.kind && f.kind !== f.relation ? el("small", {}, words.kind[f.kind]) : null),
    el("span", { class: "what" }, ...named(provisions[f.l]), " × ", ...named(provisions[f.r]), el("span", { class: "why" }, f.why)),
    flags(f, f.state && !first ? words.state[f.state] : ""),
    el("span", { class: "prob" }, el("span", { class: "visually-hidden" }, "probability "), percent(f.pr)),
  ];
}

const flags = (row, more) => el("span", { class: "flags" }, row.decision ? el("b", {}, words.decision[row.decision]) : null, more);

// What a side demands: its value where it was read, else the words that the verdict rests on.
function demand(f, side) {
  const value = f[side[0] + "v"];
  if (value) return el("b", { class: "value" }, value);
  return el("q", { class: "value" }, quoteOf(provisions[f[side[0]]], f[side[0] + "m"]));
}

function stricterRow(f) {
  const half = (side) => {
    const p = provisions[f[side[0]]];
    return el(
      "span",
      { class: "half" + (f.governs === side ? " governs" : "") },
      el("span", { class: "whose" }, ...named(p), f.governs === side ? el("em", {}, " governs") : null),
      demand(f, side)
    );
  };
  return [
    el("span", { class: "rank" }, f.rank === null ? "–" : String(f.rank)),
    half("left"),
    half("right"),
    el("span", { class: "why" }, f.why),
    flags(f, f.state && !first ? words.state[f.state] : ""),
    el("span", { class: "prob" }, el("span", { class: "visually-hidden" }, "probability "), percent(f.pr)),
  ];
}

const byDecision = (row) => (row.decision ? "=" + row.decision : "none");
const decisionName = (value) => (value === "none" ? "Not reviewed" : words.decision[value.slice(1)]);
const topicNames = new Map(findings.map((f) => [f.topic, f.topicName]));
const findingFacets = {
  relation: (f) => f.relation,
  kind: (f) => f.kind,
  topic: (f) => f.topic,
  doc: (f) => [...new Set([provisions[f.l].doc, provisions[f.r].doc])],
  state: (f) => f.state,
  decision: byDecision,
};
const findingNames = {
  relation: (v) => words.relation[v],
  kind: (v) => words.kind[v],
  topic: (v) => topicNames.get(v),
  doc: (v) => documents[v] || v,
  state: (v) => words.state[v],
  decision: decisionName,
};

function counted(one, many) {
  return (shown, all) => {
    const isOpen = (f) => f.state !== "resolved";
    const [open, total] = [shown.filter(isOpen).length, all.filter(isOpen).length];
    const resolved = shown.length - open;
    return (open === total ? plural(total, one, many) : `${open} of ${plural(total, one, many)}`) + (resolved ? `, and ${resolved} resolved` : "");
  };
}

function findingListing(id, name, more) {
  const items = findings.filter((f) => tabOf(f) === id);
  return new Listing($(id), {
    items, row: findingRow, detail: findingDetail, facets: findingFacets, names: findingNames, p: (f) => f.pr,
    tone: (f) => "r-" + f.relation, texts: (f) => [f.l, f.r, f.why, f.id, f.note, f.lv, f.rv],
    count: counted(...name), nothing: `No ${name[0]} was found.`, drop: () => choosePart(null), ...more,
  });
}

const topicOrder = Object.keys(words.topic);
// Other relations are listed among the conflicts where a conflict is probable all the same.
const others = findings.some((f) => tabOf(f) === "conflicts" && f.relation !== "conflict");
findingListing("conflicts", others ? ["finding", "findings"] : ["conflict", "conflicts"], { nothing: nearest.length ? "" : "No conflict was found." });
findingListing("definitions", ["definition", "definitions"]);
const stricter = findingListing("stricter", ["stricter rule", "stricter rules"], {
  row: stricterRow,
  group: (f) => f.about,
  heading: (about, shown) => [
    el("h3", {}, words.topic[about], " ", el("small", {}, String(shown.filter((f) => f.about === about).length))),
  ],
});
stricter.items.sort((a, b) => topicOrder.indexOf(a.about) - topicOrder.indexOf(b.about) || (a.rank ?? 1e9) - (b.rank ?? 1e9));
if ($("nearest")) {
  new Listing($("nearest"), {
    items: nearest.map((f, k) => ({ ...f, rank: k + 1, pr: f.p, state: null, claimed: f.pr })),
    row: findingRow, detail: findingDetail, facets: {}, names: {}, tone: () => "r-none", texts: () => [], nothing: "",
  });
}
