"""Lines of a handbook's body → blocks: paragraphs, headings, list items, captions, tables.

Nothing here knows the outline; it goes by left edges, gaps between lines and sizes of type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from antinomy.parse.model import COLUMN, Line, Table
from antinomy.parse.outline import folded
from antinomy.parse.us.tables import Row, table_rows
from antinomy.text.typography import RAISED_DIGITS

#: Bullets, private-use glyphs included; a letter o or a dash is one only where it stands alone before a text.
_LONE_BULLET = re.compile(r"[•·●▪■□◦❍❏○➢➤►✓\uE000-\uF8FF]")
_BULLET = re.compile(rf"({_LONE_BULLET.pattern})\s*(?=\S)|([oO–—-])\s+(?=[\w“\"‘'(])")
_NUMBER = r"\d{1,2}\.|[a-z]\.|\((?:[a-z]|[ivx]+|\d{1,2})\)"
_LONE_MARKER = re.compile(rf"{_LONE_BULLET.pattern}|[oO–—-]|{_NUMBER}")
_NUMBERED = re.compile(rf"({_NUMBER})\s+(?=[\w“\"‘'(])")
#: What heads a box.
BOX = re.compile(r"action summary", re.IGNORECASE)
#: An entry of a glossary.
_ENTRY = re.compile(r"[A-Z][\w’'()/ -]{1,50}: [A-Z]")
_CAPTION = re.compile(r"(?:Table|Figure|Exhibit) (?:[A-Z]-)?\d+[.:]")
_FINISHED = re.compile(r"[.!?:]$")
_ITEM_END = re.compile(r"(?:[.:;,!?)]|\b(?:and|or))$")
_GOES_ON = re.compile(r"(?:,|\b(?:and|or))$")
_CLOSING = re.compile(rf"[\"”’')\]\s{RAISED_DIGITS}\[(]+$")
#: A line without punctuation at its end goes on if it is at least this long; a shorter one may be a heading.
_LONG = 40
#: A line of a text that ends before this share of the width may be the last of its paragraph.
_FULL = 0.9
#: Small type is so much smaller than that of the body.
SMALLER = 1.6


@dataclass(slots=True)
class Block:
    """A paragraph, a heading or a list item as it stands on the page.

    Attributes:
        lines: its printed lines; the first one without the marker.
        marker: bullet or list number as printed, "" if none.
        x: left edge of its marker, or of its text where there is none.
        rows: rows of a table; empty if it is none.
    """

    lines: list[Line]
    marker: str = ""
    x: float = 0.0
    rows: list[Row] = field(default_factory=list)

    @property
    def size(self) -> float:
        """Size of type of the first line."""
        return self.lines[0].size

    @property
    def page(self) -> int:
        """Page on which it begins."""
        return self.lines[0].page

    @property
    def page_end(self) -> int:
        """Page on which it ends."""
        return self.lines[-1].page

    @property
    def raw(self) -> str:
        """Its lines, folded naively: good for patterns, not for the tree."""
        return " ".join(line.text for line in self.lines)


def cut(
    lines: Sequence[Line], size: float, titles: frozenset[str] = frozenset(), ruled: Sequence[Table] = ()
) -> list[Block]:
    """Cut the body into blocks; text divided by a page break is one block.

    Args:
        lines: of the body, without footnotes.
        size: size of type of the body; 0.0 where unknown.
        titles: that the contents list has, folded.
        ruled: tables whose lines are set in the type of the text.
    """
    blocks: list[Block] = []
    small: list[Line] = []
    anew = _begin_anew(lines, titles)
    tables: dict[int, Block] = {}
    for line in _with_markers(lines):
        if size and line.size <= size - SMALLER:
            small.append(line)
            continue
        blocks.extend(_small(small))
        small = []
        if (table := next((table for table in ruled if table.holds(line)), None)) is not None:
            if id(table) not in tables:
                rows = [Row(row, table.page, table.page) for row in table.rows]
                tables[id(table)] = Block([], x=line.x, rows=rows)
                blocks.append(tables[id(table)])
            tables[id(table)].lines.append(line)
            continue
        last = blocks[-1] if blocks and not blocks[-1].rows else None
        if found := _marked(line, last):
            blocks.append(found)
        elif last is not None and id(line) not in anew and (_goes_on(last, line) or _hangs(last, line)):
            last.lines.append(line)
        else:
            blocks.append(Block([line], x=line.x))
    blocks.extend(_small(small))
    return _joined(blocks, size)


def _begin_anew(lines: Sequence[Line], titles: frozenset[str]) -> set[int]:
    """Find what begins anew in a text that was printed, where no line is blank: the ids of these lines.

    What has a list of contents was printed. These are listed titles, what stands behind them, entries of a glossary,
    and what a short line ends: the first word of the next one would have fitted on it.
    """
    if not titles:
        return set()
    widths = sorted(_width(line) for line in lines)
    width = _FULL * widths[len(widths) * 9 // 10] if lines else 0.0
    found: set[int] = set()
    for before, line in pairwise(lines):
        if line.page:
            continue
        listed = {folded(before.text), folded(line.text)} & titles or BOX.fullmatch(before.text)
        short = _width(before) + len(line.text.split(" ", 1)[0]) < width and line.text[0].isupper()
        if listed or (_FINISHED.search(_ending(before.text)) and (short or _ENTRY.match(line.text))):
            found.add(id(line))
    return found


def _width(line: Line) -> float:
    """Return how many characters from the left edge of the page a line of a text ends."""
    return line.x / COLUMN + len(line.text)


def _with_markers(lines: Iterable[Line]) -> Iterator[Line]:
    """Set a marker that is printed apart before the words beside it; a bullet beside none goes."""
    marker: Line | None = None
    for line in [*lines, None]:
        if marker is not None:
            if line is not None and line.page == marker.page and abs(marker.y - line.y) < 2 and marker.x < line.x:
                line = replace(line, text=f"{marker.text} {line.text}", x=marker.x, stops=())
            elif not _LONE_BULLET.fullmatch(marker.text):
                yield marker
            marker = None
        if line is not None and _LONE_MARKER.fullmatch(line.text):
            marker = line
        elif line is not None:
            yield line


def _marked(line: Line, before: Block | None) -> Block | None:
    """Return a new list item if the line begins with a bullet or a list number."""
    match = _BULLET.match(line.text) or _NUMBERED.match(line.text)
    if not match:
        return None
    # A dash, an o or a number may stand in running text at the head of a line; then the line before goes on.
    if before is not None and not _is_indented(before, line) and (match.re is _NUMBERED or match[2]):
        # Before a small letter even behind a stop: "(a) receipts; (b) transfers" may be one paragraph.
        small = match.re is _NUMBERED and line.text[match.end()].islower()
        if small and before.page_end != line.page:
            return None
        if _goes_on(before, line) and (small or not _ITEM_END.search(_ending(before.lines[-1].text))):
            return None
    return Block([replace(line, text=line.text[match.end() :], stops=())], match[0].strip(), line.x)


def _is_indented(before: Block, line: Line) -> bool:
    """Tell whether a line of a text is set further right than all before it, or below the sign of an item that ends."""
    if line.page:
        return False
    below = bool(before.marker) and line.x == before.x > 0 and bool(_ITEM_END.search(_ending(before.lines[-1].text)))
    return below or line.x > max(one.x for one in before.lines) + COLUMN


def _goes_on(block: Block, line: Line) -> bool:
    """Tell whether a line without a marker goes on with the block right above it."""
    last = block.lines[-1]
    if last.page != line.page or abs(last.size - line.size) > 1.6:
        return False
    if not line.page and line.text.startswith("|") and block.lines[0].text.startswith("|"):
        # Rows of a table.
        return True
    if last.bold and not line.bold and last.size > line.size + 0.4:
        # A heading and the text close below it.
        return False
    down = last.y - line.y
    if not line.page:
        # Words at the left edge do not go on with an item that is indented.
        left = bool(block.marker) and line.x < block.x and bool(_FINISHED.search(_ending(last.text)))
        return abs(down) < 1.5 and not left
    if abs(down) < 2:
        return line.x > last.x
    if not 0 < down <= 1.5 * max(last.size, line.size):
        return False
    if block.marker and len(block.lines) > 1:
        return line.x >= block.lines[1].x - 4
    return line.x >= block.x - 3


def _hangs(block: Block, line: Line) -> bool:
    """Tell whether a line that a gap sets apart goes on with the block.

    Some lists are printed line by line.
    """
    last = block.lines[-1]
    alike = abs(line.x - block.x) <= 3 and abs(last.size - line.size) <= 0.6 and not (last.bold or line.bold)
    below = last.page == line.page and 0 < last.y - line.y <= 2 * line.size
    if not (line.page and alike and below) or last.text.isupper() or line.text.startswith("["):
        return False
    small = line.text[0].islower()
    if _ITEM_END.search(_ending(last.text)) and not (small and _GOES_ON.search(last.text)):
        return False
    if block.marker and block.marker != "•":
        return True
    head = _CAPTION.match(block.lines[0].text) or title_case(last.text)
    return len(last.text) >= _LONG and (small or not head)


def title_case(text: str) -> bool:
    """Tell whether the words of a text begin large, as in a heading; short ones need not."""
    return all(word[0].isupper() or len(word) < 4 or not word[0].isalpha() for word in text.split())


def _ending(text: str) -> str:
    """Return a text without the quotes, brackets and footnote marks after its last word or stop."""
    return _CLOSING.sub("", text)


def _joined(blocks: Sequence[Block], size: float) -> list[Block]:
    """Join blocks that a page break divided; captions and tables may stand between the two."""
    found: list[Block] = []
    last: Block | None = None
    for block in blocks:
        if last is not None and block.page > last.page_end and _parted(last, block):
            last.lines.extend(block.lines)
            continue
        found.append(block)
        if not block.rows and abs(block.size - size) < 1.2:
            last = block
        elif block.size > size:
            last = None
    return found


def _parted(last: Block, block: Block) -> bool:
    if block.marker or block.rows or block.page != last.page_end + 1 or abs(block.size - last.size) > 0.6:
        return False
    first, before = block.lines[0], last.lines[-1]
    # A heading at the foot of a page does not go on with the text below it, nor text with a heading.
    if all(line.bold for line in last.lines) != first.bold and (first.bold or not last.marker):
        return False
    if before.text.isupper() and not first.text.isupper():
        return False
    hang = last.lines[1].x if len(last.lines) > 1 else None
    if last.marker and block.x > last.x + 3 and (hang is None or abs(block.x - hang) < 4):
        return True
    unfinished = not _FINISHED.search(_ending(before.text)) or first.text[:1].islower()
    return unfinished and abs(block.x - (last.x if hang is None else hang)) < 4


def _small(lines: Sequence[Line]) -> list[Block]:
    """Cut lines in small type into captions, notes and tables."""
    blocks: list[Block] = []
    rest = list(lines)
    while rest:
        if length := _caption_length(rest):
            blocks.append(Block(rest[:length], x=rest[0].x))
        else:
            length = next((at for at in range(1, len(rest)) if _CAPTION.match(rest[at].text)), len(rest))
            piece = rest[:length]
            rows = table_rows(piece)
            blocks.extend([Block(piece, x=piece[0].x, rows=rows)] if rows else _notes(piece))
        rest = rest[length:]
    return blocks


def _caption_length(lines: Sequence[Line]) -> int:
    """Return how many lines the caption takes that begins here, 0 if none does."""
    if not _CAPTION.match(lines[0].text):
        return 0
    caption = Block([lines[0]], x=lines[0].x)
    for line in lines[1:]:
        if not _goes_on(caption, line):
            break
        caption.lines.append(line)
    return len(caption.lines)


def _notes(lines: Sequence[Line]) -> list[Block]:
    """Cut small print that is no table."""
    blocks: list[Block] = []
    for line in lines:
        last = blocks[-1] if blocks else None
        if found := _marked(line, last):
            blocks.append(found)
        elif last is not None and _goes_on(last, line):
            last.lines.append(line)
        else:
            blocks.append(Block([line], x=line.x))
    return blocks
