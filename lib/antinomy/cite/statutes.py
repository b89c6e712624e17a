"""Sections of US statutes: "section 501(b) of the Gramm-Leach-Bliley Act", "GLBA section 501(b)", "UCC Article 4A"."""

from __future__ import annotations

from antinomy.cite import titles
from antinomy.cite.codes import code_item
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.us_numbers import subdivisions


def _numbered(tokens: Cursor, at: int) -> tuple[str, int]:
    """Read "4A", "501": a number and the one letter that touches it."""
    number, at = tokens.text(at), at + 1
    if tokens.kind(at) == "word" and tokens.touches(at) and len(tokens.text(at)) == 1:
        number, at = number + tokens.text(at), at + 1
    return number, at


def read_sections(tokens: Cursor, at: int) -> Found | None:
    """Read sections of a statute, from the word "section" on, with its name if it comes after."""
    paths: list[Path] = []
    end = following = at + 1
    while tokens.kind(following) == "num":
        number, after = _numbered(tokens, following)
        marks, end = subdivisions(tokens, after)
        paths.append((Step("section", number + marks),))
        following = tokens.separator(end)
        if following == end:
            break
    if not paths:
        return None
    named = titles.read(tokens, end + 1 + (tokens.low(end + 1) == "the")) if tokens.low(end) == "of" else None
    acts = [Act("that", "statute")]
    if named is not None and named[0][0].kind == "statute":
        acts, end = named
    return [tokens.reference(at, end, acts, paths, "statute", "statute")], end


def read_uniform_code(tokens: Cursor, at: int) -> Found | None:
    """Read an article, and its sections if they are named."""
    following = at + 2 if tokens.low(at + 1) == "article" else at + 1
    if tokens.kind(following) != "num":
        return None
    article, end = _numbered(tokens, following)
    paths: list[Path] = []
    if tokens.low(end) in ("section", "sections"):
        item = code_item(tokens, end, "")
        while item is not None:
            paths.append((Step("section", item[0]),))
            end = item[1]
            following = tokens.separator(end)
            item = code_item(tokens, following, item[0]) if following > end else None
    return tokens.instrument(at, end, "statute", [f"UCC art. {article}"], paths)
