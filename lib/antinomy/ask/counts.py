"""Counts over whole tables: how many, how many per group, which group has most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from antinomy.ask.corpus import Corpus, Section
from antinomy.ask.model import MOST_SHOWN, Count, Found


class Counts:
    """Counts what a query form asks for.

    Args:
        corpus: to count in.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def compute(self, query: Count) -> Found:
        """Return a number, a number per group, or the counted items."""
        rows = self._rows(query)
        labels = _GROUPS[query.by] if query.by else None
        if labels:
            return self._grouped(query, rows, labels)
        what = _counted_noun(query)
        found = Found(text=f"{what}: {len(rows):,}", value=len(rows))
        if query.of == "definitions" or query.listed:
            found.sections = [name for row in rows for name in self._of_row(row)]
            found.sections = list(dict.fromkeys(found.sections))
            found.passages = dict.fromkeys(found.sections[:MOST_SHOWN])
        if query.listed:
            found.value = None
            found.rows = [_display_row(row, self._corpus) for row in rows]
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
                    rows = [row for row in rows if row["resolution"] not in ("external", "exact", "parent")]
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
        named = self._corpus.display_name
        names = [self._group(query, row, name) for row in rows]
        if query.by in ("cited", "citing"):
            # "Points (a) to (t) of Article 2(1)" cites Article 2 once, though it has twenty targets.
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
            shown = [named(one) if sections else one for one in first]
            found.text = f"{', '.join(shown)}: {wanted:,}"
            found.value = None if sections else ", ".join(first)
            if sections:
                found.sections = first
                sources = {one: row["src_section_id"] for one, row in zip(names, rows, strict=True) if one in first}
                found.passages = dict.fromkeys(sources.values())
        else:
            found.value = {named(one) if sections else one: n for one, n in ordered.items()}
            found.text = f"{_counted_noun(query)}: " + ", ".join(
                f"{one} {n:,}" for one, n in list(found.value.items())[:12]
            )
        found.rows = [{query.by: named(one) if sections else one, "number": n} for one, n in list(ordered.items())[:50]]
        if not ordered:
            found.absent = f"{_counted_noun(query)}: none in this run."
        return found

    def _group(self, query: Count, row: dict[str, Any], name: Callable[..., str]) -> str:
        if query.by in ("cited", "citing"):
            end = row["target_section_id"] if query.by == "cited" else row["src_section_id"]
            if not end or end not in self._corpus.sections:
                return ""
            return self._corpus.ancestor_of_type(end, query.level) if query.level else str(end)
        if query.by == "regime" and "left_id" in row:
            if query.relation == "stricter":
                return self._governing(row) or "neither"
            ends = (row["left_id"], row["right_id"])
            return " and ".join(dict.fromkeys(self._corpus.sections[end].regime for end in ends))
        return name(row)


def _field(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: str(row.get(name) or "not said")


_GROUPS: dict[str, Callable[..., str]] = {
    "relation": _field("relation"), "kind": _field("kind"), "regime": _field("regime"), "type": _field("type"),
    "resolution": _field("resolution"), "decision": _field("decision"), "topic": _field("topic"),
    "party": _field("party"), "state": _field("state"), "cited": _field("target_section_id"),
    "citing": _field("src_section_id"),
}  # fmt: skip


#: States of the crosswalk in words.
_STATES = {
    "gap": "without counterpart", "partly": "partly covered", "stricter_here": "stricter than their counterpart",
    "stricter_there": "less strict than their counterpart", "conflict": "in conflict", "not_decidable": "open",
    "left_out": "left out",
}  # fmt: skip


def _counted_noun(query: Count) -> str:
    words = [query.relation or "", f"of kind {query.kind}" if query.kind else "",
             f"where {query.stricter} is stricter" if query.stricter else "", query.type, query.resolution,
             _STATES.get(query.state, query.state),
             f"of {query.regime}" if query.regime else "", f"binding {query.party}" if query.party else ""]  # fmt: skip
    description = ", ".join(word for word in words if word)
    return {"coverage": "provisions"}.get(query.of, query.of) + (f" ({description})" if description else "")


def _display_row(row: dict[str, Any], corpus: Corpus) -> dict[str, Any]:
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
