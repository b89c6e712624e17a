"""Cuts any document's printed lines into pieces: paragraphs that may begin with labels, headings, tables, notes.

Where a piece begins and what it is follows from how the document is set, ``setting``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from antinomy.parse.between_sections import between_sections, lone_dates, without_history
from antinomy.parse.content import Content
from antinomy.parse.footnotes import NOTE, body_size, split_notes, with_numbers
from antinomy.parse.labels import leading_labels
from antinomy.parse.line_ends import vocabulary
from antinomy.parse.model import Line, Mark
from antinomy.parse.named_labels import PROVISIONS
from antinomy.parse.numbered.contents import HEADED, without_contents
from antinomy.parse.numbered.costs import ONE_SIZE
from antinomy.parse.numbered.margins import read_by_others, with_kinds, with_margins
from antinomy.parse.numbered.pieces import Piece, Pieces
from antinomy.parse.numbered.setting import ROW, Setting
from antinomy.parse.numbered.tables import with_tables
from antinomy.text.typography import RAISED_DIGITS

#: A single sign may be that of an item whose words stand beside it.
_RULE = re.compile(r"^(?:[_\s*=-]{2,})?$")
#: What stands above the rest of a provision on the next page.
_CONTINUED = re.compile(r"\((?:[^()]{1,60}, )?continued\)", re.IGNORECASE)


def cut(content: Content) -> Pieces:
    """Cut a document's lines into pieces."""
    lines, tables = with_tables(replace(content, lines=with_kinds(content.lines)))
    printed = [line for line in lines if not (_RULE.match(line.text) or _CONTINUED.fullmatch(line.text))]
    lines = with_numbers(printed, body_size(lines))
    lines, numbered = with_margins(lines)
    rows = _rows(lines)
    kept = {id(line) for line in without_contents([line for line, _ in rows])}
    lines = [line for whole, row in rows if id(whole) in kept for line in row]
    texts = [line.text for line in lines]
    between = between_sections(texts, [_section(text) for text in texts]) | lone_dates(texts)
    lines = list(without_history(line for at, line in enumerate(lines) if at not in between))
    levels = {entry.level for entry in content.outline}
    setting = Setting(
        [line for line in lines if not (line.beside or (tables and ROW.match(line.text)))],
        {
            entry.y: float(entry.level) if len(levels) > 1 else ONE_SIZE
            for entry in content.outline
            if entry.y and not content.pages
        },
        {id(line) for line in tables},
    )
    explaining = Setting([line for line in lines if line.beside], {}, set())
    body, notes = _split_notes(lines, setting.size)
    pieces: list[Piece] = []
    for line, after in zip(body, [*body[1:], None], strict=False):
        set_as, own = (explaining, pieces[-1].beside) if line.beside and pieces else (setting, pieces)
        before = own[-1] if own else None
        if (piece := set_as.begins(before, line, after, numbered)) is not None:
            own.append(piece)
        elif before is not None:
            before.lines.append(line)
    known = vocabulary(line.text for line in lines)
    found = Pieces([*pieces, *notes], [line.text for line in lines], known)
    for piece in found.pieces:
        for part in (piece, *piece.beside):
            part.text = found.join(part.lines)
        explaining.tell_headings(piece.beside)
    read_by_others(pieces)
    setting.tell_headings(pieces)
    return found


def _section(text: str) -> str:
    """Return the number of the section of a code that a line begins, "" if none."""
    marks = leading_labels(text[:300])
    if not marks:
        return ""
    mark, title = marks[0], text[marks[0].end :].lstrip(" .:–—-")
    # "900.4 [Reserved]" stands between sections that are named so.
    reserved = len(mark.path) > 1 and text[mark.end :].lstrip().startswith("[")
    named = mark.keyword in PROVISIONS or mark.keyword in ("§", "sec") or reserved
    return mark.number if named and not title[:1].islower() else ""


def _rows(lines: Sequence[Line]) -> list[tuple[Line, list[Line]]]:
    """Group what a page prints at one height, from left to right: (its line as a whole, its lines)."""
    rows: list[list[Line]] = []
    for line in lines:
        last = rows[-1][-1] if rows else None
        beside = last and last.page == line.page > 0 and abs(last.y - line.y) < 1 and last.x < line.x
        if beside and not HEADED.fullmatch(rows[-1][0].text.strip(" :")):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [(row[0] if not row[1:] else replace(row[0], text=" ".join(line.text for line in row)), row) for row in rows]


def _split_notes(lines: Sequence[Line], usual: float) -> tuple[list[Line], list[Piece]]:
    """Tell footnotes from the body."""

    def bracket(text: str) -> str | None:
        return text[0].strip(RAISED_DIGITS) if NOTE.match(text) else None

    # Notes behind a text are counted once: raised numbers that begin anew, in brackets or without, are paragraphs'.
    firsts = Counter(bracket(line.text) for line in lines if (found := NOTE.match(line.text)) and found[1] == "¹")
    again = {sign for sign, times in firsts.items() if times > 1 and not usual}
    body, notes = split_notes(lines, usual, leading_labels, lambda text: bracket(text) in again)
    return body, [
        Piece("note", note, (Mark(match[0].strip(), match[1], "note", (), end=match.end()),)) for match, note in notes
    ]
