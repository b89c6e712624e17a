"""The query forms, computed on whole tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from antinomy.ask.corpus import Corpus, Section, term_keys
from antinomy.ask.model import Citations, Count, Definition, Provision, Query
from antinomy.ask.places import Places
from antinomy.norms.words import phrase_key

#: A provision of so many sections is shown whole; of a longer one the table of contents.
_MOST_SHOWN = 12


@dataclass
class Found:
    """What a form gives.

    Attributes:
        text: the answer; "" where nothing is found.
        value: what was computed, None where the sections are the answer.
        sections: that answer, in the order of their worth.
        passages: section → the span of its text that shows it; None for the whole.
        rows: a table.
        absent: why there is nothing, "" if there is something.
    """

    text: str = ""
    value: Any = None
    sections: list[str] = field(default_factory=list)
    passages: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    absent: str = ""


class Forms:
    """Computes query forms other than those over quantities.

    Args:
        corpus: to compute on.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)

    def compute(self, query: Query) -> Found:
        """Return what a form gives."""
        match query:
            case Provision():
                return self._provision(query)
            case Citations():
                return self._citations(query)
            case Definition():
                return self._definition(query)
            case Count():
                return self._count(query)
        raise TypeError(f"no form for {query!r}")

    def sections_at(self, place: str, regime: str) -> list[str]:
        """Return the sections that a place may be, of one regime if it is given."""
        named = self._places.find(place)
        return [
            name
            for one in named[:1]
            for name in one.sections
            if not regime or self._corpus.sections[name].regime == regime
        ]

    def _provision(self, query: Provision) -> Found:
        there = self.sections_at(query.place, query.regime)
        if not there:
            return Found(absent=f"There is no {query.place} in these documents.")
        found = Found()
        for place in there:
            parts = [name for name in self._corpus.whole(place) if self._corpus.sections[name].text]
            if len(there) > 1:
                parts = parts[:1]
            found.sections += parts
            found.passages |= dict.fromkeys(parts[:_MOST_SHOWN])
        labels = ", ".join(self._named(name) for name in there[:4])
        found.text = labels + (f", and {len(there) - 4} more" if len(there) > 4 else "")
        return found

    def _named(self, name: str) -> str:
        section = self._corpus.sections[name]
        return f"{section.label} ({section.regime})" + (f" “{section.heading}”" if section.heading else "")

    # Citations -------------------------------------------------------------------------------------------------

    def _citations(self, query: Citations) -> Found:
        there = self.sections_at(query.place, query.regime)
        if there:
            inside = {name for place in there for name in self._corpus.whole(place)}
            rows = [row for row in self._corpus.citations if self._meets(row, inside, query.direction)]
        elif self._places.find(query.place) and not _outside(query.place):
            return Found(absent=f"There is no {query.place} in these documents.")
        else:
            wanted = _plain(query.place)
            rows = [
                row
                for row in self._corpus.citations
                if wanted in _plain(row["raw_text"]) or (row["doc_ref"] and wanted in _plain(row["doc_ref"]))
            ]
            if query.direction == "from":
                rows = []
        if query.regime and not there:
            rows = [row for row in rows if self._corpus.sections[row["src_section_id"]].regime == query.regime]
        if not rows:
            if there and query.count:
                return Found(f"{self._named(there[0])}: 0", 0)
            word = "cites nothing" if query.direction == "from" else "is cited by nothing"
            subject = self._named(there[0]) if there else query.place
            return Found(absent=f"{subject} {word} in these documents.")
        return self._cited(query, rows, there)

    def _meets(self, row: dict[str, Any], inside: set[str], direction: str) -> bool:
        source, target = row["src_section_id"], row["target_section_id"]
        if direction == "from":
            return source in inside and bool(target or row["resolution"] == "external")
        return target in inside

    def _cited(self, query: Citations, rows: list[dict[str, Any]], there: list[str]) -> Found:
        other = "target_section_id" if query.direction == "from" else "src_section_id"
        ends = list(dict.fromkeys(row[other] for row in rows if row[other]))
        outside = list(dict.fromkeys(row["doc_ref"] or row["raw_text"] for row in rows if not row[other]))
        if query.level:
            ends = list(dict.fromkeys(up for name in ends if (up := self._up(name, query.level))))
        found = Found(sections=ends)
        for row in rows:
            # The words of the citation stand in the citing section.
            found.passages.setdefault(row["src_section_id"], None)
        found.rows = [
            {
                "from": self._named(row["src_section_id"]),
                "cites": row["raw_text"],
                "which is": self._named(row["target_section_id"]) if row["target_section_id"] else row["doc_ref"] or "",
            }
            for row in rows
        ]
        subject = self._named(there[0]) if there else query.place
        if query.count:
            found.value = len(ends) + (len(outside) if query.direction == "from" else 0)
            found.text = f"{subject}: {found.value}"
        else:
            names = [self._named(name) for name in ends] + [f"{name} (outside)" for name in outside]
            word = "cites" if query.direction == "from" else "is cited by"
            found.text = f"{subject} {word}: " + "; ".join(names)
        return found

    def _up(self, name: str, level: str) -> str:
        return next((up for up in self._corpus.above(name) if self._corpus.sections[up].type == level), "")

    # Definitions -----------------------------------------------------------------------------------------------

    def _definition(self, query: Definition) -> Found:
        wanted = phrase_key(query.term)
        fitting = [section for section in self._corpus.definitions if wanted in term_keys(section.term)]
        if not fitting and wanted:
            fitting = [s for s in self._corpus.definitions if f" {wanted} " in f" {phrase_key(s.term)} "]
        if query.regime:
            fitting = [section for section in fitting if section.regime == query.regime]
        if not fitting:
            whose = f" of {query.regime}" if query.regime else ""
            return Found(absent=f"“{query.term}” is not defined in these documents{whose}.")
        names = [section.section_id for section in fitting]
        silent = [regime for regime in self._corpus.regimes if regime not in {s.regime for s in fitting}]
        text = "; ".join(f"{s.regime}: {s.label}" for s in fitting)
        if silent and not query.regime:
            text += f"; not defined by {', '.join(silent)}"
        return Found(text=text, sections=names, passages=dict.fromkeys(names))

    # Counts ----------------------------------------------------------------------------------------------------

    def _count(self, query: Count) -> Found:
        rows = self._rows(query)
        labels = _GROUPS[query.by] if query.by else None
        if labels:
            return self._grouped(query, rows, labels)
        what = _what(query)
        found = Found(text=f"{what}: {len(rows):,}", value=len(rows))
        if query.of == "definitions" or query.listed:
            found.sections = [name for row in rows for name in self._of_row(row)]
            found.sections = list(dict.fromkeys(found.sections))
            found.passages = dict.fromkeys(found.sections[:_MOST_SHOWN])
        if query.listed:
            found.value = None
            found.rows = [_shown(row, self._corpus) for row in rows]
            if not rows:
                found.absent = f"{what}: none in this run."
        return found

    def _of_row(self, row: dict[str, Any]) -> list[str]:
        if "left_id" in row:
            return [row["left_id"], row["right_id"]]
        name = row.get("section_id") or row.get("src_section_id")
        return [name] if name in self._corpus.sections else []

    def _rows(self, query: Count) -> list[dict[str, Any]]:
        corpus = self._corpus
        rows: Iterable[dict[str, Any]]
        match query.of:
            case "findings" | "verdicts":
                rows = corpus.findings if query.of == "findings" else corpus.verdicts
                rows = [row for row in rows if not query.relation or row["relation"] == query.relation]
                rows = [row for row in rows if not query.kind or row["kind"] == query.kind]
                if query.stricter:
                    rows = [row for row in rows if self._governing(row) == query.stricter]
                if query.decision:
                    rows = [row for row in rows if row.get("decision") == query.decision]
                return list(rows)
            case "citations":
                rows = [self._citation(row) for row in corpus.citations]
                if query.resolution == "internal":
                    rows = [row for row in rows if row["target_section_id"]]
                elif query.resolution == "external":
                    rows = [row for row in rows if row["resolution"] == "external"]
                elif query.resolution == "unresolved":
                    rows = [row for row in rows if row["resolution"] not in ("external", "exact", "partial")]
            case "coverage":
                rows = [
                    {**row, "regime": corpus.sections[row["section_id"]].regime}
                    for row in corpus.coverage
                    if not query.state or row["state"] == query.state
                ]
            case "documents":
                rows = [{"doc_id": doc_id, "regime": row["regime"]} for doc_id, row in corpus.documents.items()]
            case "provisions":
                first = {unit.section_id: unit for unit in reversed(corpus.units)}
                rows = [
                    {"section_id": name, "regime": unit.regime, "party": unit.binds, "demands": unit.demands,
                     "type": corpus.sections[name].type}
                    for name, unit in sorted(first.items())
                    if (not query.party or unit.binds == query.party) and (not query.type or unit.demands == query.type)
                ]  # fmt: skip
            case _:
                rows = [
                    {"section_id": s.section_id, "regime": s.regime, "type": s.type, "term": s.term}
                    for s in corpus.sections.values()
                    if (s.type == "definition" if query.of == "definitions" else s.type == query.type or not query.type)
                ]
        return [row for row in rows if not query.regime or row["regime"] == query.regime]

    def _citation(self, row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "regime": self._corpus.sections[row["src_section_id"]].regime}

    def _governing(self, row: dict[str, Any]) -> str:
        side = row["governs"]
        return self._corpus.sections[row[f"{side}_id"]].regime if side in ("left", "right") else ""

    def _grouped(self, query: Count, rows: list[dict[str, Any]], name: Callable[..., str]) -> Found:
        names = [self._group(query, row, name) for row in rows]
        if query.by in ("cited", "citing"):
            # "Points (a) to (t) of Article 2(1)" cites Article 2 once, though it leads to twenty points.
            once = {(one, row["src_section_id"], row["start"]) for one, row in zip(names, rows, strict=True) if one}
            counts = Counter(one for one, _, _ in once)
        else:
            counts = Counter(one for one in names if one)
        ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
        sections = query.by in ("cited", "citing")
        found = Found()
        if query.pick != "all" and ordered:
            wanted = max(counts.values()) if query.pick == "most" else min(counts.values())
            first = [one for one, n in ordered.items() if n == wanted]
            shown = [self._named(one) if sections else one for one in first]
            found.text = f"{', '.join(shown)}: {wanted:,}"
            found.value = None if sections else ", ".join(first)
            if sections:
                found.sections = first
                sources = {one: row["src_section_id"] for one, row in zip(names, rows, strict=True) if one in first}
                found.passages = dict.fromkeys(sources.values())
        else:
            found.value = {self._named(one) if sections else one: n for one, n in ordered.items()}
            found.text = f"{_what(query)}: " + ", ".join(f"{one} {n:,}" for one, n in list(found.value.items())[:12])
        found.rows = [
            {query.by: self._named(one) if sections else one, "number": n} for one, n in list(ordered.items())[:50]
        ]
        if not ordered:
            found.absent = f"{_what(query)}: none in this run."
        return found

    def _group(self, query: Count, row: dict[str, Any], name: Callable[..., str]) -> str:
        if query.by in ("cited", "citing"):
            end = row["target_section_id"] if query.by == "cited" else row["src_section_id"]
            if not end or end not in self._corpus.sections:
                return ""
            return self._up(end, query.level) if query.level else str(end)
        if query.by == "regime" and "left_id" in row:
            return self._governing(row) or "neither"
        return name(row)


def _field(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: str(row.get(name) or "not said")


_GROUPS: dict[str, Callable[..., str]] = {
    "relation": _field("relation"), "kind": _field("kind"), "regime": _field("regime"), "type": _field("type"),
    "resolution": _field("resolution"), "decision": _field("decision"), "topic": _field("topic"),
    "party": _field("party"), "state": _field("state"), "cited": _field("target_section_id"),
    "citing": _field("src_section_id"),
}  # fmt: skip


#: How the states of the crosswalk are said.
_STATES = {
    "gap": "without counterpart", "partly": "partly covered", "stricter_here": "stricter than their counterpart",
    "stricter_there": "less strict than their counterpart", "conflict": "in conflict", "not_decidable": "not decidable",
    "left_out": "left out",
}  # fmt: skip


def _what(query: Count) -> str:
    words = [query.relation or "", f"of kind {query.kind}" if query.kind else "",
             f"where {query.stricter} is stricter" if query.stricter else "", query.type, query.resolution,
             _STATES.get(query.state, query.state),
             f"of {query.regime}" if query.regime else "", f"binding {query.party}" if query.party else ""]  # fmt: skip
    said = ", ".join(word for word in words if word)
    return {"coverage": "provisions"}.get(query.of, query.of) + (f" ({said})" if said else "")


def _shown(row: dict[str, Any], corpus: Corpus) -> dict[str, Any]:
    if "left_id" in row:
        left, right = (corpus.sections[row[f"{side}_id"]] for side in ("left", "right"))
        return {
            "left": f"{left.label} ({left.regime})", "right": f"{right.label} ({right.regime})",
            "relation": row["relation"], "kind": row["kind"] or "",
        }  # fmt: skip
    if "src_section_id" in row:
        return {"from": _label(corpus.sections[row["src_section_id"]]), "cites": row["raw_text"]}
    if "section_id" in row:
        section = corpus.sections[row["section_id"]]
        says = row.get("reason") or section.term or section.heading
        return {"section": _label(section), "says": says}
    return dict(row)


def _label(section: Section) -> str:
    return f"{section.label} ({section.regime})"


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _outside(place: str) -> bool:
    return any(word in place for word in ("CFR", "U.S.C", "Regulation", "Directive", "booklet", "NIST"))
