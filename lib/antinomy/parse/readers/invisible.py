"""Invisible characters: they are removed from a document's content, and counted.

A bidirectional override shows a text in another order than it is compared in; a zero-width character parts a word for
every program and for no person.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from antinomy.parse.content import Content
from antinomy.parse.model import Line, Table

#: Soft hyphens are not among them: at a line's end they say that a word goes on (``line_ends.join_lines``).
_KINDS = {
    "bidirectional controls": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "zero-width characters": "\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f",
    "control characters": "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff",
}
_ANY = re.compile(f"[{''.join(_KINDS.values())}]")
_OF_KIND = {kind: re.compile(f"[{characters}]") for kind, characters in _KINDS.items()}
_EXCERPT = 40


def remove(content: Content) -> None:
    """Take invisible characters out of a reader's content; a warning counts them and shows where the first was."""
    counts: Counter[str] = Counter()
    first = ""

    def clean(text: str) -> str:
        nonlocal first
        found = _ANY.findall(text)
        if not found:
            return text
        cleaned = _ANY.sub("", text)
        first = first or cleaned[max(0, _ANY.search(text).start() - _EXCERPT // 2) :][:_EXCERPT]  # type: ignore[union-attr]
        for char in found:
            counts[next(kind for kind, pattern in _OF_KIND.items() if pattern.match(char))] += 1
        return cleaned

    def line(old: Line) -> Line:
        text = clean(old.text)
        if text == old.text:
            return old
        stops = tuple((at - len(_ANY.findall(old.text[:at])), x) for at, x in old.stops)
        return replace(old, text=text, stops=stops, lead=old.lead - len(_ANY.findall(old.text[: old.lead])))

    def cleaned_tables() -> list[Table]:
        # Their words are among the lines, and counted there.
        return [replace(table, rows=[[_without(cell) for cell in row] for row in table.rows]) for table in tables()]

    tables, content.tables = content.tables, cleaned_tables
    # Where there are atoms, the lines are the same text once more: counted once.
    content.atoms = [
        replace(
            atom,
            number=clean(atom.number),
            text=clean(atom.text),
            printed=clean(atom.printed),
            heading=clean(atom.heading),
        )
        for atom in content.atoms
    ]
    counted = counts.copy() if content.atoms else None
    content.lines = [line(old) for old in content.lines]
    content.furniture = [line(old) for old in content.furniture]
    content.outline = [replace(entry, title=_ANY.sub("", entry.title)) for entry in content.outline]
    content.title = _ANY.sub("", content.title)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in (counts if counted is None else counted).items())
    if listed:
        content.warnings.append(f"invisible characters were removed: {listed}; the first stood near “{first}”")


def _without(texts: list[str]) -> list[str]:
    return [_ANY.sub("", text) for text in texts]
