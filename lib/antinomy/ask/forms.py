"""The query forms, computed on whole tables."""

from __future__ import annotations

from typing import Any

from antinomy.ask.corpus import Corpus, term_keys
from antinomy.ask.counts import Counts
from antinomy.ask.model import MOST_SHOWN, Citations, Count, Definition, Found, Provision, Query
from antinomy.ask.places import Places
from antinomy.norms.words import phrase_key


class Forms:
    """Computes query forms other than those over quantities.

    Args:
        corpus: to compute on.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)
        self._counts = Counts(corpus)

    def compute(self, query: Query) -> Found:
        """Answer a form."""
        match query:
            case Provision():
                return self._provision(query)
            case Citations():
                return self._citations(query)
            case Definition():
                return self._definition(query)
            case Count():
                return self._counts.compute(query)
        raise TypeError(f"no form for {query!r}")

    def sections_at(self, place: str, regime: str) -> list[str]:
        """Return the sections that a place may mean, of one regime if it is given."""
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
            parts = [name for name in self._corpus.subtree(place) if self._corpus.sections[name].text]
            if len(there) > 1:
                parts = parts[:1]
            found.sections += parts
            found.passages |= dict.fromkeys(parts[:MOST_SHOWN])
        labels = ", ".join(self._corpus.display_name(name) for name in there[:4])
        found.text = labels + (f", and {len(there) - 4} more" if len(there) > 4 else "")
        return found

    # Citations -------------------------------------------------------------------------------------------------

    def _citations(self, query: Citations) -> Found:
        there = self.sections_at(query.place, query.regime)
        if there:
            inside = {name for place in there for name in self._corpus.subtree(place)}
            rows = [row for row in self._corpus.citations if self._matches_direction(row, inside, query.direction)]
        elif self._places.find(query.place) and not _names_other_document(query.place):
            return Found(absent=f"There is no {query.place} in these documents.")
        else:
            wanted = _letters_and_digits(query.place)
            rows = [
                row
                for row in self._corpus.citations
                if wanted in _letters_and_digits(row["raw_text"])
                or (row["doc_ref"] and wanted in _letters_and_digits(row["doc_ref"]))
            ]
            if query.direction == "from":
                rows = []
        if query.regime and not there:
            rows = [row for row in rows if self._corpus.sections[row["src_section_id"]].regime == query.regime]
        if not rows:
            if there and query.count:
                return Found(f"{self._corpus.display_name(there[0])}: 0", 0)
            word = "cites nothing" if query.direction == "from" else "is cited by nothing"
            subject = self._corpus.display_name(there[0]) if there else query.place
            return Found(absent=f"{subject} {word} in these documents.")
        return self._cited(query, rows, there)

    def _matches_direction(self, row: dict[str, Any], inside: set[str], direction: str) -> bool:
        source, target = row["src_section_id"], row["target_section_id"]
        if direction == "from":
            return source in inside and bool(target or row["resolution"] == "external")
        return target in inside

    def _cited(self, query: Citations, rows: list[dict[str, Any]], there: list[str]) -> Found:
        named = self._corpus.display_name
        other = "target_section_id" if query.direction == "from" else "src_section_id"
        ends = list(dict.fromkeys(row[other] for row in rows if row[other]))
        outside = list(dict.fromkeys(row["doc_ref"] or row["raw_text"] for row in rows if not row[other]))
        if query.level:
            ends = list(dict.fromkeys(up for name in ends if (up := self._corpus.ancestor_of_type(name, query.level))))
        found = Found(sections=ends)
        for row in rows:
            # The words of the citation stand in the citing section.
            found.passages.setdefault(row["src_section_id"], None)
        found.rows = [
            {
                "from": named(row["src_section_id"]),
                "cites": row["raw_text"],
                "which is": named(row["target_section_id"]) if row["target_section_id"] else row["doc_ref"] or "",
            }
            for row in rows
        ]
        subject = named(there[0]) if there else query.place
        if query.count:
            found.value = len(ends) + (len(outside) if query.direction == "from" else 0)
            found.text = f"{subject}: {found.value}"
        else:
            names = [named(name) for name in ends] + [f"{name} (outside)" for name in outside]
            word = "cites" if query.direction == "from" else "is cited by"
            found.text = f"{subject} {word}: " + "; ".join(names)
        return found

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


def _letters_and_digits(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _names_other_document(place: str) -> bool:
    return any(word in place for word in ("CFR", "U.S.C", "Regulation", "Directive", "booklet", "NIST"))
