"""Compares a tree with the key of a generated text."""

from __future__ import annotations

import random
import re

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.settings.source import Source
from parse.formats import FORMATS
from parse.styles import key, numbered

#: What a provision without a number of its own stands for in a path.
_UNNUMBERED = {"subparagraph": "", "item": "•"}


def parse(style: str, form: str, seed: int) -> tuple[ParsedDocument, list[tuple[tuple[str, ...], str]]]:
    """Set a text in a style and a format, and parse it as a user would: nothing is said of its grammar.

    Returns:
        The tree, and the key's entries that it does not have: (numbers from the outermost, words).
    """
    blocks = numbered(style, seed)
    data = FORMATS[form](blocks, random.Random(seed * 7 + 1), style)
    document = parse_document(Source("text", f"text.{form}", "any"), data)
    return document, missed(document, key(blocks))


def missed(document: ParsedDocument, wanted: list[tuple[tuple[str, ...], str]]) -> list[tuple[tuple[str, ...], str]]:
    """Return the entries of a key whose number, parents and words are not in the tree as one node."""
    by_eid = {section.eid: section for section in document.sections}
    found: set[tuple[tuple[str, ...], str]] = set()
    for section in document.sections:
        path = tuple(_step(above) for above in _lineage(section, by_eid) if _step(above) is not None)
        found.add((path, _plain(section.text or section.heading)))
        if section.type == "definition" and not section.number:
            # A bulleted term is found by the term.
            found.add(((*path, "•"), _plain(section.text)))
        if section.heading and section.text:
            # A part with one paragraph: its heading, and that paragraph.
            found |= {(path, _plain(section.heading)), ((*path, ""), _plain(section.text))}
    return [entry for entry in wanted if (entry[0], _plain(entry[1])) not in found]


def _lineage(section: Section, by_eid: dict[str, Section]) -> list[Section]:
    line = [section]
    while line[-1].parent_eid:
        line.append(by_eid[line[-1].parent_eid])
    return line[::-1]


def _step(section: Section) -> str | None:
    return re.sub(r"\s", "", section.number) or _UNNUMBERED.get(section.type)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
