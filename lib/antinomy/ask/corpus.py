"""The tables of a finished run in memory, read once, without Spark, and only as a question needs them."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from antinomy.ask.stated import stated_norms
from antinomy.embed.addressee import states_duties_in_present
from antinomy.embed.in_force import is_in_force
from antinomy.errors import AntinomyError
from antinomy.norms import Measure, Norm, extract
from antinomy.norms.quantities import find_quantities
from antinomy.norms.words import fold, phrase_key
from antinomy.section_ids import split_section_id
from antinomy.store import tables


class Section(NamedTuple):
    """A row of ``sections``, with its regime; columns as there."""

    section_id: str
    doc_id: str
    regime: str
    type: str
    number: str
    heading: str
    label: str
    text: str
    position: int
    parent_id: str
    term: str


class Unit(NamedTuple):
    """A row of ``units``; columns as there."""

    unit_id: str
    section_id: str
    regime: str
    heading_path: str
    unit_text: str
    context: str
    text_sha256: str
    binds: str
    demands: str


@dataclass(frozen=True)
class MeasureInContext:
    """A measure with its unit, its norm and the text."""

    unit: Unit
    norm: Norm
    measure: Measure


#: "The second subparagraph", "the busiest hour of the day" are read as times.
_NO_MEASURE = frozenset({"the second", "a second", "second", "each second", "every second", "the day", "the same day"})


class Corpus:
    """A run's tables.

    Args:
        warehouse: its URI.
        run_id: of a run with sections and units.
        as_of: only documents in force on that day; None for all that the run has.
        aliases: doc_id → further names of the document, as the settings give them.

    Raises:
        AntinomyError: if the run lacks its tables, or no document was in force.
    """

    def __init__(
        self, warehouse: str, run_id: str, as_of: date | None = None, aliases: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._aliases = {doc_id: [name.lower() for name in names] for doc_id, names in (aliases or {}).items()}
        self._warehouse, self._run_id = warehouse, run_id
        self._in_present: dict[str, bool] = {}
        rows = [row for row in self._read("documents") if row["status"] == "parsed"]
        if as_of:
            day = as_of.isoformat()
            rows = [row for row in rows if is_in_force(row["in_force_from"], row["in_force_to"], day)]
            if not rows:
                raise AntinomyError(f"no document of run {run_id} was in force on {as_of}: change --as-of")
        self.documents: dict[str, dict[str, Any]] = {row["doc_id"]: row for row in sorted(rows, key=_by_id)}
        self.regimes: tuple[str, ...] = tuple(sorted({row["regime"] for row in rows}))

    def _read(self, table: str, columns: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        return tables.read_rows(self._warehouse, table, self._run_id, columns)

    def arrow(self, table: str, columns: tuple[str, ...]) -> Any:
        """Return columns of one of the run's tables in Arrow's memory."""
        return tables.read_arrow(self._warehouse, table, self._run_id, columns)

    def regime(self, doc_id: str) -> str:
        """Return whose rule a document is."""
        return str(self.documents[doc_id]["regime"])

    def includes(self, section_id: str | None) -> bool:
        """Return whether a section's document is included."""
        return bool(section_id) and split_section_id(str(section_id))[0] in self.documents

    @cached_property
    def sections(self) -> dict[str, Section]:
        """All sections, by document and in reading order."""
        columns = tuple(name for name in Section._fields if name != "regime")
        rows = [row for row in self._read("sections", columns) if row["doc_id"] in self.documents]
        rows.sort(key=lambda row: (row["doc_id"], row["position"]))
        made = (
            Section._make(
                self.regime(row["doc_id"]) if name == "regime" else row[name] or "" for name in Section._fields
            )
            for row in rows
        )
        return {section.section_id: section for section in made}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The sections directly below each section, in reading order."""
        below: dict[str, list[str]] = defaultdict(list)
        for section in self.sections.values():
            if section.parent_id:
                below[section.parent_id].append(section.section_id)
        return dict(below)

    def subtree(self, section_id: str) -> list[str]:
        """Return a section and all below it, in reading order."""
        found = [section_id]
        for child in self.children.get(section_id, ()):
            found += self.subtree(child)
        return found

    def ancestors(self, section_id: str) -> list[str]:
        """Return a section and its ancestors, innermost first."""
        found = [section_id]
        while (parent := self.sections[found[-1]].parent_id) in self.sections:
            found.append(parent)
        return found

    def ancestor_of_type(self, section_id: str, level: str) -> str:
        """Return a section's innermost ancestor of a type, itself included; "" if there is none."""
        return next((up for up in self.ancestors(section_id) if self.sections[up].type == level), "")

    def display_name(self, section_id: str) -> str:
        """Return a section's label with its regime and heading."""
        section = self.sections[section_id]
        return f"{section.label} ({section.regime})" + (f" “{section.heading}”" if section.heading else "")

    @cached_property
    def citations(self) -> list[dict[str, Any]]:
        """Citations from included documents; one into a document that is left out has no target."""
        columns = ("src_section_id", "start", "end", "raw_text", "kind", "doc_ref", "target_section_id", "resolution")
        rows = [row for row in self._read("citations", columns) if self.includes(row["src_section_id"])]
        for row in rows:
            if not self.includes(row["target_section_id"]):
                row["target_section_id"] = None
        return sorted(rows, key=lambda row: (row["src_section_id"], row["start"]))

    @cached_property
    def units(self) -> list[Unit]:
        """All units, by section and piece."""
        rows = self._read("units", (*Unit._fields, "piece"))
        rows = [row for row in rows if self.includes(row["section_id"])]
        rows.sort(key=lambda row: (row["section_id"], row["piece"]))
        return [Unit(*(row[name] or "" for name in Unit._fields)) for row in rows]

    @cached_property
    def units_of(self) -> dict[str, list[Unit]]:
        """The units of each section that has some."""
        found: dict[str, list[Unit]] = defaultdict(list)
        for unit in self.units:
            found[unit.section_id].append(unit)
        return dict(found)

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        texts: dict[str, list[str]] = defaultdict(list)
        for unit in self.units:
            texts[split_section_id(unit.section_id)[0]].append(unit.unit_text)
        return texts

    def states_in_present(self, unit: Unit) -> bool:
        """Return whether a unit's document states its duties in the present tense."""
        doc_id = split_section_id(unit.section_id)[0]
        if doc_id not in self._in_present:
            self._in_present[doc_id] = states_duties_in_present(self._texts[doc_id])
        return self._in_present[doc_id]

    def norms(self, unit: Unit) -> list[Norm]:
        """Return the norms that a unit states; offsets are into its text."""
        return stated_norms(unit.unit_text, unit.binds, unit.demands, self.states_in_present(unit))

    @cached_property
    def measures(self) -> list[MeasureInContext]:
        """Every measure of every norm that a unit states, for aggregates over quantities."""
        return [
            MeasureInContext(unit, norm, measure)
            for unit in self._units_with_quantities
            for norm in self.norms(unit)
            for measure in norm.measures
            if measure.text not in _NO_MEASURE
        ]

    @cached_property
    def unread_measures(self) -> list[MeasureInContext]:
        """The measures that stand in no norm that a unit states, as in a mere statement."""
        read = {(one.unit.unit_id, one.measure.start) for one in self.measures}
        return [
            MeasureInContext(unit, norm, measure)
            for unit in self._units_with_quantities
            for norm in extract(unit.unit_text)
            for measure in norm.measures
            if (unit.unit_id, measure.start) not in read and measure.text not in _NO_MEASURE
        ]

    @cached_property
    def _units_with_quantities(self) -> list[Unit]:
        # Finding quantities alone takes a tenth of the time of reading norms.
        return [unit for unit in self.units if find_quantities(fold(unit.unit_text), 0, len(unit.unit_text))]

    @cached_property
    def findings(self) -> list[dict[str, Any]]:
        """Current findings of included documents.

        Raises:
            AntinomyError: if the run has no report yet.
        """
        if not tables.has(self._warehouse, "findings", self._run_id):
            raise AntinomyError(f"run {self._run_id} has no findings yet: `antinomy run` makes them")
        rows = [row for row in self._read("findings") if row["state"] != "resolved"]
        return [row for row in rows if self.includes(row["left_id"]) and self.includes(row["right_id"])]

    @cached_property
    def verdicts(self) -> list[dict[str, Any]]:
        """The verdict on each pair of included documents.

        Raises:
            AntinomyError: if no pair has been judged yet.
        """
        if not tables.has(self._warehouse, "verdicts", self._run_id):
            raise AntinomyError(f"run {self._run_id} has no verdicts yet: `antinomy judge` makes them")
        rows = self._read("verdicts", ("left_id", "right_id", "relation", "kind", "governs", "status", "p_conflict"))
        return [row for row in rows if self.includes(row["left_id"]) and self.includes(row["right_id"])]

    @cached_property
    def coverage(self) -> list[dict[str, Any]]:
        """The crosswalk: each provision's state towards the other sides.

        Raises:
            AntinomyError: if the run has no report yet.
        """
        if not tables.has(self._warehouse, "coverage", self._run_id):
            raise AntinomyError(f"run {self._run_id} has no crosswalk yet: `antinomy report` makes it")
        rows = self._read("coverage", ("section_id", "side", "other", "state", "reason"))
        return sorted((row for row in rows if self.includes(row["section_id"])), key=lambda row: row["section_id"])

    @cached_property
    def similar(self) -> dict[str, dict[str, float]]:
        """The edges SIMILAR_TO: section → its neighbours in other documents, with their scores."""
        near: dict[str, dict[str, float]] = defaultdict(dict)
        if tables.has(self._warehouse, "similar", self._run_id):
            for row in self._read("similar", ("left_id", "right_id", "own")):
                if self.includes(row["left_id"]) and self.includes(row["right_id"]):
                    score = float(row["own"] or 0.0)
                    near[row["left_id"]][row["right_id"]] = score
                    near[row["right_id"]][row["left_id"]] = score
        return dict(near)

    @cached_property
    def definitions(self) -> list[Section]:
        """The sections that define a term."""
        return [section for section in self.sections.values() if section.type == "definition" and section.term]

    @cached_property
    def names(self) -> dict[str, str]:
        """Words by which a question may name a regime, lower case → regime.

        A regime's own name, those of its documents and of the folder in which they lie, and the noun by which its
        documents call themselves ("this Regulation", "this booklet") where no other regime uses it.
        """
        named: dict[str, set[str]] = defaultdict(set)
        for row in self.documents.values():
            title = re.sub(r"\s+", " ", row["title"] or "").strip().lower()
            folder = posixpath.basename(posixpath.dirname(row["source_uri"] or "")).lower()
            prefix = row["doc_id"].lower().partition("-")[0]
            names = {row["regime"].lower(), row["doc_id"].lower(), folder, prefix}
            names |= {*self._aliases.get(row["doc_id"], ()), *_ALIASES.get(row["regime"].lower(), ())}
            for name in names:
                named[name].add(row["regime"])
            # A title of one word ("Audit") is a word like others.
            if " " in title:
                named[title].add(row["regime"])
        noun_counts: dict[str, Counter[str]] = defaultdict(Counter)
        for section in self.sections.values():
            for several, one in _SELF.findall(section.text.lower()):
                noun_counts[several or one][section.regime] += 1
            if section.type == "title":
                for noun in _NOUNS_OF_ACTS.findall(f"{section.heading} {section.text}".lower()):
                    noun_counts[noun][section.regime] += 3
        for noun, counts in noun_counts.items():
            (first, most), *others = counts.most_common()
            if not others or most >= 5 * others[0][1]:
                named[noun].add(first)
                named[f"{noun}s"].add(first)
        return {name: next(iter(regimes)) for name, regimes in named.items() if len(regimes) == 1 and len(name) > 1}


def term_keys(term: str) -> list[str]:
    """Return the keys of a defined term: the whole term, and for "vital system (VS)" each of the two names."""
    short = _SHORT.fullmatch(term.strip())
    names = [term, short["name"], short["short"]] if short else [term]
    return [key for key in dict.fromkeys(phrase_key(name) for name in names) if key]


_SHORT = re.compile(r"(?P<name>.*\S)\s*\((?:the )?[‘“'\"]?(?P<short>[^()]*?)[’”'\"]?\)")
#: Nouns that name a document only where a question writes them with a capital: "the Notice", but "a notice".
COMMON_NOUNS = frozenset({"notice", "rule", "instrument", "order", "law"})
_NOUN = (
    r"(regulation|directive|act|handbook|booklet|guideline|guidelines|standard|code|ordinance|statute|manual|circular"
    rf"|rulebook|{'|'.join(sorted(COMMON_NOUNS))})"
)
# "These rules": the plural is a regime's own name for itself too, and a question says "the rule" or "the rules".
_SELF = re.compile(rf"\bthese (?:\w+ )?{_NOUN}s\b|\bthis {_NOUN}\b")
_NOUNS_OF_ACTS = re.compile(rf"\b{_NOUN}\b")
#: Common names of regimes that are named by their initials.
_ALIASES = {
    "eu": {"european", "europe", "european union", "union law"},
    "us": {"u.s.", "american", "united states", "usa"},
    "uk": {"british", "united kingdom"},
}


def _by_id(row: dict[str, Any]) -> str:
    return str(row["doc_id"])
