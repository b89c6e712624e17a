"""Pages of a supervisory handbook → cover, body in blocks, footnotes.

Cover, contents list and footnotes are told apart before anything else, so that no later step can take them
for provisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from antinomy.parse.content import Content
from antinomy.parse.footnotes import NOTE, body_size, with_numbers
from antinomy.parse.line_ends import Vocabulary, join_lines, vocabulary
from antinomy.parse.model import Line, Table
from antinomy.parse.numbered.tables import has_words_of
from antinomy.parse.outline import folded, words
from antinomy.parse.readers.rejoin_words import mend
from antinomy.parse.us.blocks import SMALLER, Block, cut
from antinomy.text.typography import RAISE

_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}")
_CONTENTS = re.compile(r"(?:table of )?contents", re.IGNORECASE)
_PAGE_LABEL = re.compile(r"(?:.*\s)?(?:[A-Z]-)?\d+|(?:.*\s)?[ivxl]+")
_NUMBERED = re.compile(r"[IVX]+[.\s]|\d+\.\s")
#: A cover has fewer lines than this.
_COVER = 40
_STRAY_MARK = re.compile(r"(\[?)(\d{1,3})(\]?)")


#: A footnote: its number as printed, raised, and its lines.
_Note = tuple[str, list[Line]]


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
    notes: list[_Note]
    known: Vocabulary
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
    size = body_size(content.lines)
    front, contents, lines = _without_contents(mend(content.lines) if content.pages else content.lines)
    warnings = _empty_pages(content)
    if content.pages and front and _unreadable(front, lines):
        where = f"the cover on page {front[0].page}"
        warnings.append(f"{where} is set in a font whose letters cannot be told: left out")
        front = []
    lines = _with_marks(_without_table_heads(with_numbers(lines, size), size), size)
    body, notes = _footnotes(lines, size)
    known = vocabulary(line.text for line in lines)
    titles = _listed_titles(contents)
    ruled = [table for table in content.tables() if _is_of_text(table, body, size)]
    pages: dict[int, list[str]] = {}
    for line in [*front, *lines]:
        pages.setdefault(line.page, []).append(line.text)
    return Layout(
        front=front,
        blocks=_whole_headings(cut(body, size, titles, ruled), titles, size),
        notes=notes,
        known=known,
        size=size,
        fonts=_fonts(lines, size),
        listed=bool(contents),
        body=[join_lines(texts, known) for texts in pages.values()],
        warnings=warnings,
    )


def _is_of_text(table: Table, lines: Sequence[Line], size: float) -> bool:
    """Tell whether a ruled table has columns and is set in the type of the text; one in small type needs no rules."""
    inside = [line for line in lines if table.holds(line)]
    set_as_text = bool(inside) and min(line.size for line in inside) > size - SMALLER
    return set_as_text and len(table.columns) > 2 and has_words_of(table, inside)


def _fonts(lines: Sequence[Line], size: float) -> dict[int, str]:
    families: dict[int, Counter[str]] = {}
    for line in lines:
        if abs(line.size - size) < 0.6:
            families.setdefault(line.page, Counter())[family(line.font)] += len(line.text)
    return {page: counted.most_common(1)[0][0] for page, counted in families.items()}


def _empty_pages(content: Content) -> list[str]:
    """Say which pages hold running heads and nothing else."""
    printed = {line.page for line in content.lines}
    bare = sorted({line.page for line in content.furniture} - printed)
    return [f"nothing but running heads on page(s) {', '.join(map(str, bare))}"] if bare else []


def _without_contents(lines: Sequence[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """Part the cover, the contents list and the body.

    A contents list begins near the front; dots and the word elsewhere are something else.
    """
    listed: list[int] = []
    inside = False
    for at, line in enumerate(lines):
        near = at - listed[-1] <= 3 if listed else at < _COVER and line.page <= 4
        begins = near and (_CONTENTS.fullmatch(line.text) or _LEADER.search(line.text))
        inside = bool(begins) or (inside and _listed(lines, at))
        if inside:
            listed.append(at)
    if not listed:
        return [], [], list(lines)
    taken = set(listed)
    body = [line for at, line in enumerate(lines) if at > listed[0] and at not in taken]
    return list(lines[: listed[0]]), [lines[at] for at in listed], body


def _listed(lines: Sequence[Line], at: int) -> bool:
    """Tell whether a line in a contents list, without dots, still belongs to it."""
    line = lines[at]
    if _PAGE_LABEL.fullmatch(line.text) and not _NUMBERED.match(line.text):
        return True
    # An entry whose number stands on a line of its own, or whose end with its dots is on the next line.
    return any(
        later.page == line.page and abs(later.size - line.size) < 0.5
        and (_LEADER.search(later.text) or _PAGE_LABEL.fullmatch(later.text))
        for later in lines[at + 1 : at + 3]
    )  # fmt: skip


def _unreadable(front: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Tell whether most of the cover's words are found nowhere in the booklet."""
    inside = {word.lower() for line in lines for word in words(line.text)}
    printed = [word.lower() for line in front for word in words(line.text) if word.isalpha()]
    strange = [word for word in printed if word not in inside]
    return len(strange) > 3 and 2 * len(strange) > len(printed)


def _without_table_heads(lines: Sequence[Line], size: float) -> list[Line]:
    """Take out a table's head where a new page repeats it, and letters that part a glossary."""
    heads: set[str] = set()
    found: list[Line] = []
    for line in lines:
        if line.bold and line.size <= size - 1.6:
            repeated = line.text in heads and found[-1].page < line.page
            if repeated or re.fullmatch("[A-Z]", line.text):
                continue
            heads.add(line.text)
        found.append(line)
    return found


def _with_marks(lines: Sequence[Line], size: float) -> list[Line]:
    """Give a footnote mark that was printed as a line of its own back to the line before it."""
    found: list[Line] = []
    for line in lines:
        stray = _STRAY_MARK.fullmatch(line.text) if line.size <= 0.8 * size else None
        before = found[-1] if found and found[-1].page == line.page else None
        if stray and before and (stray[1] or 0 < line.y - before.y < size / 2):
            mark = f"{stray[1]}{stray[2].translate(RAISE)}{stray[3]}"
            found[-1] = replace(before, text=f"{before.text} {mark}" if stray[1] else before.text + mark)
        else:
            found.append(line)
    return found


def _footnotes(lines: Sequence[Line], size: float) -> tuple[list[Line], list[_Note]]:
    """Take out what stands in small type at the foot of each page from a raised number on.

    Small lines right above, in the type of footnotes, go on with the last footnote of the page before.
    """
    styles = Counter(_type(line) for line in lines if line.page and _begins_note(line, size))
    style = styles.most_common(1)[0][0] if styles else None
    notes: list[_Note] = []
    body: list[Line] = []
    by_page: dict[int, list[Line]] = {}
    for line in lines:
        by_page.setdefault(line.page, []).append(line)
    for printed in by_page.values():
        start = next((at for at, line in enumerate(printed) if _begins_note(line, size)), len(printed))
        while 0 < start < len(printed) and notes and _type(printed[start - 1]) == style:
            start -= 1
        body.extend(printed[:start])
        for line in printed[start:]:
            match = NOTE.match(line.text)
            if line.page and line.size >= size - 0.8:
                body.append(line)
            elif match and _begins_note(line, size):
                notes.append((match[1], [replace(line, text=line.text[match.end() :], stops=())]))
            elif notes and (line.page or line.text[:1].islower()):
                notes[-1][1].append(line)
            else:
                # Without pages a note may stand anywhere: what begins anew behind it is none of it.
                body.append(line)
    return body, notes


def _type(line: Line) -> tuple[float, str]:
    return line.size, family(line.font)


def _begins_note(line: Line, size: float) -> bool:
    return bool(NOTE.match(line.text)) and (not line.page or line.size < size - 0.8)


def _whole_headings(blocks: Sequence[Block], titles: frozenset[str], size: float) -> list[Block]:
    """Join two large lines that the contents list has as one heading."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        large = before is not None and before.page == block.page and before.size == block.size > size + 0.8
        if before is not None and large and folded(before.raw + block.raw) in titles:
            before.lines.extend(block.lines)
        else:
            found.append(block)
    return found


def _listed_titles(contents: Sequence[Line]) -> frozenset[str]:
    """Return the titles that a contents list has, folded."""
    return frozenset(folded(re.sub(r"[\s.…]*(?:[A-Z]-)?\d*$", "", line.text)) for line in contents)
