"""Inspects one document without Spark and without settings: its kind, and the tree that it would give."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.errors import DocumentError
from antinomy.parse import isolate, parse_document
from antinomy.settings.source import MOST_BYTES, Source


@dataclass(frozen=True)
class Look:
    """What was seen of a document.

    Attributes:
        grammar: the outline grammar that fits.
        chosen_because: a clause that says why.
        media_type: of the bytes.
        title: as the document gives it.
        pages: 0 where the format has none.
        sections: nodes of its tree.
        coverage: share of the body's words that stand in the tree.
        faults: the places where the tree looks wrong, the worst first.
        in_force_from: ISO date, "" where the document does not say.
        in_force_to: likewise.
        warnings: what a reader should know, one sentence each.
    """

    grammar: str
    chosen_because: str
    media_type: str
    title: str
    pages: int
    sections: int
    coverage: float
    faults: list[str]
    in_force_from: str
    in_force_to: str
    warnings: list[str]


def look(name: str, data: bytes, timeout_s: float, memory_mb: int) -> Look:
    """Read a document in a process of its own, as the parse stage does.

    Args:
        name: of the file, for messages.
        data: its bytes.
        timeout_s: wall time allowed.
        memory_mb: memory allowed.

    Raises:
        DocumentError: if it cannot be read or holds no provision; the message says why.
    """
    if len(data) > MOST_BYTES:
        raise DocumentError(f"it has {len(data):,} bytes, more than any regulation ({MOST_BYTES:,}): leave it out")
    return isolate.call(_look, name, data, returns=Look, timeout_s=timeout_s, memory_mb=memory_mb)


def _look(name: str, data: bytes) -> Look:
    tree = parse_document(Source(name, name, regime=""), data)
    return Look(
        grammar=tree.grammar,
        chosen_because=tree.chosen_because,
        media_type=tree.media_type,
        title=tree.title,
        pages=tree.pages,
        sections=len(tree.sections),
        coverage=tree.coverage,
        faults=tree.faults,
        in_force_from=tree.in_force_from,
        in_force_to=tree.in_force_to,
        warnings=tree.warnings,
    )
