"""Times, amounts and shares that provisions set: by topic, role and order."""

from __future__ import annotations

import re
from typing import Any

from antinomy.ask.corpus import Corpus, MeasureInContext
from antinomy.ask.model import Found, Quantities
from antinomy.ask.retrieve import Search
from antinomy.ask.subject import TopicIndex, content_words
from antinomy.embed.units import nearest_heading
from antinomy.norms.words import phrase_key

#: Share of a topic's words, by weight, that a provision has to cover for a superlative …
TOPICAL = 0.6
#: … and for a look-up, which shows the best of each regime.
LOOKED_UP = 0.45
#: A look-up also shows provisions that fit nearly as well as the best of their regime.
_NEAR = 0.9
#: Groups of the lexicon that make a period one of retention: keeping or deleting, and records.
_KEPT = frozenset({"keep", "delete"})
_RECORD = frozenset({"record", "data", "personal_data", "evidence", "backup", "report_doc"})


class QuantityForms:
    """Computes the forms over quantities.

    Args:
        corpus: whose measures.
        search: over its units.
    """

    def __init__(self, corpus: Corpus, search: Search) -> None:
        self._corpus = corpus
        self._search = search

    def compute(self, query: Quantities) -> Found:
        """Return the quantities that a form asks for, and say which could not be read as facts."""
        candidates = self._fitting(self._corpus.measures, query)
        unread = self._fitting(self._corpus.unread_measures, query)
        if not candidates and not query.count:
            about = f" on “{query.topic}”" if query.topic else ""
            if not unread:
                return Found(absent=f"No {query.role}{about} is set in these documents.")
            # What a statement says may be what is asked for; it is shown, not computed with.
            found = self._found(unread)
            found.text = f"No {query.role}{about} is read as a duty. Statements that hold one: {found.text}"
            found.rows = [row | {"force": "not read"} for row in found.rows]
            return found
        found = self._computed(candidates, query)
        # In a document with modal verbs a mere statement is none of a duty; in one without, it may be a duty not read.
        unread = [one for one in unread if self._corpus.states_in_present(one.unit)]
        if query.topic and query.pick == "list" and not query.count:
            unread = [one for one in unread if self._rivals(one, candidates, query.topic)]
        if unread:
            found.text += (
                f". Not among them: {len(unread)} in statements not read as duties ({self._described(unread)})"
            )
        return found

    def _rivals(self, one: MeasureInContext, candidates: list[MeasureInContext], topic: str) -> bool:
        """Return whether a measure fits a topic nearly as well as the best of its regime."""
        coverage = self._search.topic_index.coverage
        own = [coverage(topic, _context_of(other)) for other in candidates if other.unit.regime == one.unit.regime]
        return coverage(topic, _context_of(one)) >= _NEAR * max(own, default=0.0)

    def _computed(self, candidates: list[MeasureInContext], query: Quantities) -> Found:
        if query.count:
            sections = list(dict.fromkeys(one.unit.section_id for one in candidates))
            return Found(f"{query.role}: {len(candidates)}", len(candidates), sections, dict.fromkeys(sections),
                         [_row(one, self._corpus) for one in candidates])  # fmt: skip
        if query.pick == "list":
            return self._listed(candidates, query)
        sign = 1 if query.pick == "least" else -1
        candidates.sort(key=lambda one: (sign * _magnitude(one), one.unit.section_id))
        first = [
            one
            for one in candidates
            if abs(_magnitude(one) - _magnitude(candidates[0])) <= 1e-6 * max(1.0, abs(_magnitude(candidates[0])))
        ]
        found = self._found(first)
        found.value = _as_written(first[0])
        found.rows = [_row(one, self._corpus) for one in candidates[:20]]
        units = {one.measure.unit for one in candidates if one.measure.dimension == "money"}
        if len(units) > 1:
            found.text += f" (amounts in {', '.join(sorted(units))} are ordered by their numbers, not converted)"
        return found

    def _fitting(self, measures: list[MeasureInContext], query: Quantities) -> list[MeasureInContext]:
        fitting = [one for one in measures if _has_role(one, query)]
        if query.regime:
            fitting = [one for one in fitting if one.unit.regime == query.regime]
        return self._on_topic(fitting, query) if query.topic else fitting

    def _on_topic(self, candidates: list[MeasureInContext], query: Quantities) -> list[MeasureInContext]:
        topics: TopicIndex = self._search.topic_index
        if query.pick == "list" and not query.count:
            return [one for one in candidates if topics.coverage(query.topic, _context_of(one)) >= LOOKED_UP]
        return [one for one in candidates if topics.coverage(query.topic, _clause(one)) >= TOPICAL]

    def _listed(self, candidates: list[MeasureInContext], query: Quantities) -> Found:
        if not query.topic:
            candidates.sort(key=_magnitude)
            found = self._found(candidates)
            found.rows = [_row(one, self._corpus) for one in candidates]
            found.text = f"{len(candidates)} found, from the least to the greatest"
            return found
        topics: TopicIndex = self._search.topic_index
        scores = {id(one): topics.coverage(query.topic, _context_of(one)) for one in candidates}
        chosen: list[MeasureInContext] = []
        for regime in self._corpus.regimes:
            own = [one for one in candidates if one.unit.regime == regime]
            if not own:
                continue
            best = max(scores[id(one)] for one in own)
            near = [one for one in own if scores[id(one)] >= _NEAR * best]
            names = list(dict.fromkeys(one.unit.section_id for one in near))
            first = names[0] if len(names) == 1 else self._nearest(query.topic, names)
            chosen += [one for one in near if one.unit.section_id == first]
        return self._found(chosen)

    def _nearest(self, topic: str, names: list[str]) -> str:
        """Return the section nearest to a topic, where words alone do not decide."""
        ranked = {hit.section_id: hit.score for hit in self._search.rank(topic, conditioned=0.0)}
        return max(names, key=lambda name: ranked.get(name, -9.0))

    def _found(self, candidates: list[MeasureInContext]) -> Found:
        found = Found()
        for one in candidates:
            name = one.unit.section_id
            if name not in found.passages:
                found.sections.append(name)
                found.passages[name] = None
        found.rows = [_row(one, self._corpus) for one in candidates]
        found.text = self._described(candidates)
        return found

    def _described(self, candidates: list[MeasureInContext]) -> str:
        return "; ".join(
            f"{_with_bound(one)}: {self._corpus.sections[one.unit.section_id].label} ({one.unit.regime})"
            for one in candidates[:6]
        )


def _context_of(one: MeasureInContext) -> str:
    return f"{nearest_heading(one.unit.heading_path)} {one.unit.unit_text}"


def _clause(one: MeasureInContext) -> str:
    """Return the clause that sets a measure, with its heading, so that a superlative excludes its neighbours."""
    return f"{nearest_heading(one.unit.heading_path)} {one.unit.unit_text[one.norm.start : one.norm.end]}"


def _as_written(one: MeasureInContext) -> str:
    """Return a measure as it is written, in its own letter case."""
    return " ".join(one.unit.unit_text[one.measure.start : one.measure.end].split()) or one.measure.text


def _with_bound(one: MeasureInContext) -> str:
    """Return a measure as it is written; of a retention period, say whether it is the shortest or the longest."""
    bounds = {"min": "at least ", "max": "at most "} if one.measure.role == "retention" else {}
    return bounds.get(one.measure.bound, "") + _as_written(one)


def _magnitude(one: MeasureInContext) -> float:
    return one.measure.low if one.measure.bound == "min" else one.measure.high


def _row(one: MeasureInContext, corpus: Corpus) -> dict[str, Any]:
    section = corpus.sections[one.unit.section_id]
    return {
        "section": f"{section.label} ({section.regime})", "what": one.measure.role, "bound": one.measure.bound,
        "value": _as_written(one), "force": one.norm.modality, "who": one.norm.addressee,
        "dimension": one.measure.dimension, "low": one.measure.low, "high": one.measure.high,
    }  # fmt: skip


def _has_role(one: MeasureInContext, query: Quantities) -> bool:
    measure, role = one.measure, query.role
    match role:
        case "percentage":
            return measure.dimension == "percent"
        case "money":
            return measure.dimension == "money"
        case "distance":
            return measure.dimension == "length"
        case "count":
            return measure.dimension == "count" and _counts_that(one, query)
        case "retention":
            groups = {
                group for _, own in content_words(one.unit.unit_text[one.norm.start : one.norm.end]) for group in own
            }
            period = measure.role == "retention" or (measure.role == "duration" and measure.bound == "min")
            return measure.dimension == "time" and period and bool(groups & _KEPT) and bool(groups & _RECORD)
        case "deadline":
            return measure.dimension == "time" and measure.role in ("deadline", "duration", "notice") and (
                measure.role == "deadline" or bool(query.topic))  # fmt: skip
        case "duration":
            return measure.dimension == "time" and measure.role in ("duration", "deadline", "retention")
        case "amount":
            return measure.role in ("amount", "threshold")
    return measure.role == role


def _counts_that(one: MeasureInContext, query: Quantities) -> bool:
    """Return whether a number counts what the question does: "how many attempts" wants attempts."""
    return one.measure.unit in re.findall(r"[\w-]+", phrase_key(query.topic))
