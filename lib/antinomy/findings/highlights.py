"""Which words of a provision to mark: the quoted evidence, and in it the quantities that clash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from antinomy.judge.evidence import locate
from antinomy.norms.bounds import Quantity
from antinomy.norms.quantities import find_quantities
from antinomy.norms.words import fold

#: A run of marked characters: start, end, and ``e`` (evidence), ``c`` (clashing quantity) or ``ec`` (both).
#: Offsets count UTF-16 code units, as JavaScript does.
Mark = tuple[int, int, str]


def marks(left: str, right: str, evidence_left: str, evidence_right: str) -> tuple[list[Mark], list[Mark]]:
    """Find the marks in the two texts of a finding.

    Quantities clash where they measure the same thing and no value of the one is a value of the other ("72
    hours" and "three days" do not clash). They are looked for in the evidence, in the whole text where a
    judge quotes none.

    Returns:
        The marks of the left and of the right text, in order, none overlapping another.
    """
    spans = (quote_span(evidence_left, left), quote_span(evidence_right, right))
    within = [_quantities(text, *(span or (0, len(text)))) for text, span in zip((left, right), spans, strict=True)]
    clashing = [
        [(q.start, q.end) for q in own if _clashes(q, others)]
        for own, others in ((within[0], within[1]), (within[1], within[0]))
    ]
    return _segments(left, spans[0], clashing[0]), _segments(right, spans[1], clashing[1])


def quote_mark(evidence: str, text: str) -> list[Mark]:
    """Return the mark of a quote in its text, [] if it is not there."""
    return _segments(text, quote_span(evidence, text), [])


def quote_span(evidence: str, text: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text, None if it is not there."""
    if not evidence:
        return None
    # Evidence is verbatim as a rule, and finding it so is a thousand times faster.
    at = text.find(evidence)
    return (at, at + len(evidence)) if at >= 0 else locate(evidence, text)


@lru_cache(maxsize=20_000)
def _quantities(text: str, start: int, end: int) -> tuple[Quantity, ...]:
    # A provision stands in many pairs, often with the same evidence.
    found = find_quantities(fold(text[start:end]), 0, end - start)
    return tuple(replace(q, start=q.start + start, end=q.end + start) for q in found)


def _clashes(quantity: Quantity, others: Sequence[Quantity]) -> bool:
    comparable = [
        other
        for other in others
        if other.dimension == quantity.dimension
        and other.recurring == quantity.recurring
        and (quantity.dimension != "count" or other.unit == quantity.unit)
    ]
    return bool(comparable) and all(q.high < quantity.low or quantity.high < q.low for q in comparable)


def _segments(text: str, evidence: tuple[int, int] | None, clashing: list[tuple[int, int]]) -> list[Mark]:
    edges = sorted({edge for span in (evidence, *clashing) if span for edge in span})
    units = dict(zip(edges, edges, strict=True))
    if not text.isascii():
        units = {edge: len(text[:edge].encode("utf-16-le", "surrogatepass")) // 2 for edge in edges}
    runs: list[Mark] = []
    for start, end in pairwise(edges):
        kinds = "e" if evidence and evidence[0] <= start < evidence[1] else ""
        kinds += "c" if any(a <= start < b for a, b in clashing) else ""
        if kinds:
            runs.append((units[start], units[end], kinds))
    return runs
