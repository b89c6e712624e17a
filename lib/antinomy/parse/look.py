"""A look at one document without Spark and without settings: what it is, and what its tree would hold."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.errors import DocumentError
from antinomy.parse import detect, isolate, read
from antinomy.parse.content import GRAMMARS
from antinomy.parse.model import MOST_BYTES, ParsedDocument, Source


@dataclass(frozen=True)
class Look:
    """What was seen of a document.

    Attributes:
        grammar: the outline grammar that fits.
        media_type: what the bytes are.
        title: as the document gives it.
        pages: 0 where the format has none.
        sections: nodes of its tree.
        coverage: share of the body's words that stand in the tree.
        in_force_from: ISO date, "" where the document does not say.
        in_force_to: likewise.
        warnings: what a reader should know, one sentence each.
    """

    grammar: str
    media_type: str
    title: str
    pages: int
    sections: int
    coverage: float
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
        DocumentError: if it cannot be read or no grammar finds a provision in it; the message says why.
    """
    if len(data) > MOST_BYTES:
        raise DocumentError(f"it has {len(data):,} bytes, more than any regulation ({MOST_BYTES:,}): leave it out")
    return isolate.call(_look, name, data, returns=Look, timeout_s=timeout_s, memory_mb=memory_mb)


def _look(name: str, data: bytes) -> Look:
    media_type = detect(data)
    content = read(media_type, data)
    trees = {grammar: outline(content, Source(name, name, grammar)) for grammar, outline in GRAMMARS.items()}
    grammar = _fitting(trees)
    tree = trees[grammar]
    if not tree.sections:
        raise DocumentError(
            f"no grammar ({', '.join(trees)}) finds a provision in this {media_type}: is it a regulation?"
        )
    return Look(
        grammar=grammar,
        media_type=media_type,
        title=tree.title,
        pages=tree.pages,
        sections=len(tree.sections),
        coverage=tree.coverage,
        in_force_from=tree.in_force_from,
        in_force_to=tree.in_force_to,
        warnings=tree.warnings,
    )


def _fitting(trees: dict[str, ParsedDocument]) -> str:
    # An act of the EU has articles; in any other text its grammar finds at most recitals and notes.
    if any(section.type == "article" for section in trees["eu"].sections):
        return "eu"
    others = [grammar for grammar in trees if grammar != "eu"]
    return max(others, key=lambda grammar: sum(bool(section.number) for section in trees[grammar].sections))
