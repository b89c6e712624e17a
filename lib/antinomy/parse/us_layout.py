"""Pages of a supervisory handbook → blocks in reading order: paragraphs, list items, tables, footnotes.

Nothing here knows the outline; it goes by left edges, gaps between lines and sizes of type. Cover, contents list
and footnotes are told apart first, so that no later step can take them for provisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from antinomy.parse.content import Content
from antinomy.parse.model import Line
from antinomy.parse.outline import join_lines, vocabulary, words
from antinomy.parse.torn import mend
from antinomy.parse.us_tables import table_rows

_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}")
_CONTENTS = re.compile(r"(?:table of )?contents", re.IGNORECASE)
_PAGE_LABEL = re.compile(r"(?:.*\s)?(?:[A-Z]-)?\d+|(?:.*\s)?[ivxl]+")
#: A footnote begins with its raised number, an endnote with a bracketed one.
_NOTE = re.compile(r"[\[(]?([⁰¹²³⁴⁵⁶⁷⁸⁹]+)[\])]?\s*(.*)")
_CAPTION = re.compile(r"(?:Table|Figure|Exhibit) \d+[.:]")
_STRAY_MARK = re.compile(r"\[(\d{1,3})\]")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Bullets, private-use glyphs included; a letter o or a dash is one only where it stands alone before a text.
_BULLET = re.compile(r"([•●▪■□◦❍❏○➢➤►✓\uE000-\uF8FF])\s*(?=\S)|([oO–—-])\s+(?=[\w“\"‘'(])")
_NUMBERED = re.compile(r"(\d{1,2}\.|[a-z]\.|\((?:[a-z]|[ivx]+|\d{1,2})\))\s+(?=[A-Z“\"‘'(\d])")
_UNFINISHED = re.compile(r"[^.!?:]$")
_ITEM_END = re.compile(r"(?:[.:;,!?)]|\b(?:and|or))$")
_AFTER_LAST = re.compile(r"[\"”’')\]\s⁰¹²³⁴⁵⁶⁷⁸⁹\[(]+$")


@dataclass(slots=True)
class Block:
    """A paragraph, a heading or a list item as it stands on the page.

    Attributes:
        lines: its printed lines; the first one without the marker.
        marker: bullet or list number as printed, "" if none.
        x: left edge of its marker, or of its text where there is none.
        rows: cells of a table, row by row; empty if it is none.
    """

    lines: list[Line]
    marker: str = ""
    x: float = 0.0
    rows: list[list[list[str]]] = field(default_factory=list)

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
    def bullet(self) -> bool:
        """It is marked by a bullet, not by a number."""
        return bool(self.marker) and not self.marker[:-1].strip("(")

    @property
    def raw(self) -> str:
        """Its lines, folded naively: good for patterns, not for the tree."""
        return " ".join(line.text for line in self.lines)


@dataclass(slots=True)
class Note:
    """A footnote: its number and its lines."""

    number: str
    lines: list[Line]


@dataclass(slots=True)
class Layout:
    """A booklet cut up.

    Attributes:
        front: lines of the cover.
        blocks: the body in reading order.
        notes: footnotes in the order of their pages.
        known: the document's vocabulary, for mending words broken at line ends.
        size: size of type of the body, 0.0 where unknown.
        fonts: family of the body's font on each page.
        listed: there is a contents list.
        body: texts that the tree has to hold, page by page.
        warnings: what was left out, and why.
    """

    front: list[Line]
    blocks: list[Block]
    notes: list[Note]
    known: set[str]
    size: float
    fonts: dict[int, str]
    listed: bool
    body: list[str]
    warnings: list[str]

    def text(self, lines: Iterable[Line]) -> str:
        """Fold lines into running text."""
        return self.join(line.text for line in lines)

    def join(self, texts: Iterable[str]) -> str:
        """Fold printed texts into running text."""
        return join_lines(texts, self.known)


def family(font: str) -> str:
    """Name a font's family: ``TimesNewRomanPS-BoldMT`` and ``TimesNewRomanPSMT`` are one."""
    return re.split(r"[-,]", font)[0].removesuffix("MT").removesuffix("PS")


def read_layout(content: Content) -> Layout:
    """Cut a booklet's lines up."""
    weights: Counter[float] = Counter()
    families: dict[int, Counter[str]] = {}
    for line in content.lines:
        weights[line.size] += len(line.text)
    size = weights.most_common(1)[0][0] if weights else 0.0
    for line in content.lines:
        if abs(line.size - size) < 0.6:
            families.setdefault(line.page, Counter())[family(line.font)] += len(line.text)
    fonts = {page: counted.most_common(1)[0][0] for page, counted in families.items()}
    front, contents, lines = _without_contents(mend(content.lines))
    warnings: list[str] = []
    if unreadable := _unreadable(front, lines):
        warnings.append(f"the cover on page {front[0].page} is set in a font whose letters cannot be told: left out")
        front = [line for line in front if line not in unreadable]
    lines = _with_marks(_without_table_heads(lines, size), size)
    body, notes = _footnotes(lines, size)
    known = vocabulary(line.text for line in lines)
    layout = Layout(front, [], notes, known, size, fonts, bool(contents), [], warnings)
    layout.blocks = _whole_headings(_joined(_blocks(body, size), size), contents, size)
    pages: dict[int, list[str]] = {}
    for line in [*front, *lines]:
        pages.setdefault(line.page, []).append(line.text)
    layout.body = [join_lines(texts, known) for texts in pages.values()]
    return layout


def _without_contents(lines: Sequence[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """Part the cover, the contents list and the body."""
    listed: set[int] = set()
    first = None
    inside = False
    for at, line in enumerate(lines):
        if _CONTENTS.fullmatch(line.text):
            inside, first = True, at if first is None else first
        elif _LEADER.search(line.text):
            inside, first = True, at if first is None else first
        elif inside and not _listed(lines, at):
            inside = False
        if inside:
            listed.add(at)
    if first is None:
        return [], [], list(lines)
    body = [line for at, line in enumerate(lines[first:], first) if at not in listed]
    return list(lines[:first]), [lines[at] for at in sorted(listed)], body


def _listed(lines: Sequence[Line], at: int) -> bool:
    """Tell whether a line in a contents list, without dots, still belongs to it."""
    line, rest = lines[at], lines[at + 1 : at + 3]
    if _PAGE_LABEL.fullmatch(line.text) and not re.match(r"[IVX]+[.\s]|\d+\.\s", line.text[:0] or line.text):
        return True
    # An entry whose number stands on a line of its own, or whose end with its dots is on the next line.
    return any(
        later.page == line.page and (_LEADER.search(later.text) or _PAGE_LABEL.fullmatch(later.text))
        and abs(later.size - line.size) < 0.5
        for later in rest
    )  # fmt: skip


def _unreadable(front: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """Return the cover's lines if most of their words are found nowhere in the booklet."""
    inside = {word.lower() for line in lines for word in words(line.text)}
    printed = [word.lower() for line in front for word in words(line.text) if word.isalpha()]
    strange = [word for word in printed if word not in inside]
    return list(front) if len(strange) > 3 and 2 * len(strange) > len(printed) else []


def _without_table_heads(lines: Sequence[Line], size: float) -> list[Line]:
    """Take out the head of a table where a new page repeats it, and letters that part a glossary's entries."""
    heads: set[str] = set()
    found: list[Line] = []
    for line in lines:
        head = line.bold and line.size <= size - 1.6
        if head and (re.fullmatch("[A-Z]", line.text) or (line.text in heads and found[-1].page < line.page)):
            continue
        if head:
            heads.add(line.text)
        found.append(line)
    return found


def _with_marks(lines: Sequence[Line], size: float) -> list[Line]:
    """Give a footnote mark that was printed as a line of its own back to the line before it."""
    found: list[Line] = []
    for line in lines:
        stray = _STRAY_MARK.fullmatch(line.text) if line.size <= 0.8 * size else None
        if stray and found and found[-1].page == line.page:
            found[-1] = replace(found[-1], text=f"{found[-1].text} [{stray[1].translate(_RAISED)}]")
        else:
            found.append(line)
    return found


def _footnotes(lines: Sequence[Line], size: float) -> tuple[list[Line], list[Note]]:
    """Take out what stands in small type at the foot of each page from a raised number on.

    Small lines right above, in the type of footnotes, go on with the last footnote of the page before.
    """
    notes: list[Note] = []
    body: list[Line] = []
    type_of_notes = Counter(
        (line.size, family(line.font)) for line in lines if _NOTE.match(line.text) and line.size < size - 0.8
    ).most_common(1)
    by_page: dict[int, list[Line]] = {}
    for line in lines:
        by_page.setdefault(line.page, []).append(line)
    for page, printed in by_page.items():
        starts = [at for at, line in enumerate(printed) if _begins_note(line, size, page)]
        if not starts:
            body.extend(printed)
            continue
        start = starts[0]
        if page and type_of_notes:
            while start and notes and _same_type(printed[start - 1], type_of_notes[0][0]):
                start -= 1
        body.extend(printed[:start])
        for line in printed[start:]:
            if page and line.size >= size - 0.8:
                body.append(line)
            elif _begins_note(line, size, page) and (match := _NOTE.match(line.text)):
                notes.append(Note(match[1], [replace(line, text=match[2])] if match[2] else []))
            elif notes:
                notes[-1].lines.append(line)
    return body, notes


def _begins_note(line: Line, size: float, page: int) -> bool:
    return bool(_NOTE.match(line.text)) and (not page or line.size < size - 0.8)


def _same_type(line: Line, type_of_notes: tuple[float, str]) -> bool:
    return abs(line.size - type_of_notes[0]) < 0.4 and family(line.font) == type_of_notes[1]


def _blocks(lines: Sequence[Line], size: float) -> list[Block]:
    """Cut the body into blocks."""
    blocks: list[Block] = []
    small: list[Line] = []
    for line in lines:
        if re.fullmatch(r"[•●▪■❍]", line.text):
            continue
        if size and line.size <= size - 1.6:
            small.append(line)
            continue
        blocks.extend(_small(small))
        small = []
        found = _marked(line, blocks[-1] if blocks else None)
        if found:
            blocks.append(found)
        elif blocks and not blocks[-1].rows and (_goes_on(blocks[-1], line) or _hangs(blocks[-1], line)):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line], x=line.x))
    blocks.extend(_small(small))
    return blocks


def _hangs(block: Block, line: Line) -> bool:
    """Tell whether a line that a gap sets apart goes on with the block: some lists are printed line by line."""
    last = block.lines[-1]
    if last.page != line.page or not line.page or abs(line.x - block.x) > 3 or abs(last.size - line.size) > 0.6:
        return False
    if not 0 < last.y - line.y <= 2 * line.size or last.bold or line.bold or block.raw.isupper():
        return False
    if line.text.startswith("["):
        return False
    small = line.text[0].islower()
    ended = _ITEM_END.search(_ending(last.text)) and not (small and re.search(r"(?:,|\b(?:and|or))$", last.text))
    listed = bool(block.marker) and not block.marker.startswith("•")
    return not ended and (listed or (len(last.text) >= 40 and (small or not _CAPTION.match(block.raw))))


def _marked(line: Line, before: Block | None) -> Block | None:
    """Return a new list item if the line begins with a bullet or a list number."""
    match = _BULLET.match(line.text) or _NUMBERED.match(line.text)
    if not match:
        return None
    # A dash, an o or a number may stand in running text at the head of a line; then the line before goes on.
    if match.re is _NUMBERED or match[2]:
        tight = before is not None and not before.rows and _goes_on(before, line)
        if tight and before is not None and not _ITEM_END.search(_ending(before.lines[-1].text)):
            return None
    return Block([replace(line, text=line.text[match.end() :], stops=())], match[0].strip(), line.x)


def _goes_on(block: Block, line: Line) -> bool:
    """Tell whether a line without a marker goes on with the block above it."""
    last = block.lines[-1]
    if last.page != line.page or abs(last.size - line.size) > 1.6:
        return False
    down = last.y - line.y
    if not line.page:
        return abs(down) < 1.5
    if abs(down) < 2:
        return line.x > last.x
    if not 0 < down <= 1.5 * max(last.size, line.size):
        return False
    if block.marker and len(block.lines) > 1:
        return line.x >= block.lines[1].x - 4
    return line.x >= block.x - 3


def _ending(text: str) -> str:
    return _AFTER_LAST.sub("", text)


def _joined(blocks: Sequence[Block], size: float) -> list[Block]:
    """Join what a page break has parted."""
    found: list[Block] = []
    last: Block | None = None
    for block in blocks:
        if last is not None and block.page > last.page_end and _parted(last, block, size):
            last.lines.extend(block.lines)
            continue
        found.append(block)
        if not block.rows and abs(block.size - size) < 1.2:
            last = block
        elif block.size > size:
            last = None
    return found


def _parted(last: Block, block: Block, size: float) -> bool:
    if block.marker or block.rows or block.page != last.page_end + 1 or abs(block.size - last.size) > 0.6:
        return False
    first, before = block.lines[0], last.lines[-1]
    # A heading at the foot of a page does not go on with the text below it, nor text with a heading.
    if all(line.bold for line in last.lines) != first.bold and (first.bold or not last.marker):
        return False
    if last.raw.isupper() and not first.text.isupper():
        return False
    if last.marker and block.x > last.x + 3 and (len(last.lines) == 1 or abs(block.x - last.lines[1].x) < 4):
        return True
    edge = last.lines[1].x if len(last.lines) > 1 else last.x
    unfinished = bool(_UNFINISHED.search(_ending(before.text))) or first.text[:1].islower()
    return unfinished and abs(block.x - edge) < 4


def _whole_headings(blocks: Sequence[Block], contents: Sequence[Line], size: float) -> list[Block]:
    """Join two large lines that the contents list has as one heading."""
    entries = {_folded(re.sub(r"[\s.…]*(?:[A-Z]-)?\d*$", "", line.text)) for line in contents}
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if (
            before is not None and before.size == block.size > size + 0.8 and before.page == block.page
            and _folded(before.raw + block.raw) in entries
        ):  # fmt: skip
            before.lines.extend(block.lines)
        else:
            found.append(block)
    return found


def _folded(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _small(lines: Sequence[Line]) -> list[Block]:
    """Cut lines in small type into captions, notes and tables."""
    if not lines:
        return []
    blocks: list[Block] = []
    rest = list(lines)
    while rest:
        caption = _caption_length(rest)
        if caption:
            blocks.append(Block(rest[:caption], x=rest[0].x))
            rest = rest[caption:]
            continue
        length = next((at for at in range(1, len(rest)) if _caption_length(rest[at:])), len(rest))
        piece, rest = rest[:length], rest[length:]
        if rows := table_rows(piece):
            blocks.append(Block(piece, x=piece[0].x, rows=rows))
        else:
            start = len(blocks)
            for line in piece:
                if len(blocks) > start and _goes_on(blocks[-1], line):
                    blocks[-1].lines.append(line)
                else:
                    blocks.append(_marked(line, None) or Block([line], x=line.x))
    return blocks


def _caption_length(lines: Sequence[Line]) -> int:
    """Return how many lines the caption takes that begins here, 0 if none does."""
    if not _CAPTION.match(lines[0].text):
        return 0
    length = 1
    while length < len(lines) and _goes_on(Block(list(lines[:length]), x=lines[0].x), lines[length]):
        length += 1
    return length
