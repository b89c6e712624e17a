"""Headings of a handbook: which blocks are headings, their printed numbers and their depth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from antinomy.parse.content import Content
from antinomy.parse.model import Line, OutlineEntry
from antinomy.parse.outline import folded
from antinomy.parse.us.blocks import BOX, Block, title_case
from antinomy.parse.us.layout import Layout, family
from antinomy.text.numerals import roman

_SECTION = re.compile(r"([IVXL]+)(?:\.([A-Z])(?:\.(\d{1,2})(?:\(([a-z])\))?)?)?\.?(?:\s+|$)(.*)")
_APPENDIX = re.compile(r"(?:APPENDIX|Appendix)\s+([A-Z])(?:\s*([:.–—-])\s*|\s+|$)(.*)")
#: "AppE.3.b(iv)": numbered sections within an appendix.
_WITHIN = re.compile(r"App([A-Z])\.(\d{1,2})(?:\.([a-z])(?:\(([ivx]+)\))?)?(?:\s+|$)(.*)")
_OBJECTIVE = re.compile(r"Objective\s+(\d{1,2})\s*[:.–-]\s*(.*)", re.IGNORECASE)
_LETTERED = re.compile(r"([A-Z])\.\s+(.+)")
_NOT_A_HEADING = re.compile(r"(?:Figure|Table|Exhibit|Note)\b|[a-z(]|[^\w“\"‘'*]")
_TYPES = ("section", "subsection", "paragraph", "point")
#: (type, number) from the outermost part down.
Path = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A block that opens a part of the booklet.

    Attributes:
        kind: ``numbered``, ``appendix`` (one, or a section of one), ``objective``, ``box`` or ``plain``.
        path: (type, number) from the outermost part down, for the numbered kinds.
        title: its words without the number.
        cited: how its number is cited, for the numbered kinds: "Section II.C.13(e)".
        weight: of its type: the heavier of two plain headings is the outer one.
        plain_type: whether it is set neither in bold, nor in capitals, nor in another font than the text.
        printed: the words that print its number.
    """

    kind: str
    title: str
    path: Path = ()
    weight: float = 0.0
    printed: str = ""
    cited: str = ""
    plain_type: bool = False


class Headings:
    """Tells headings from text, block after block."""

    def __init__(self, content: Content, layout: Layout) -> None:
        """Collect what the whole booklet tells about its headings.

        Args:
            content: its bookmarks are used where they are plausible: a Word export may list every word.
            layout: the blocks, for the type of the body.
        """
        self._layout = layout
        plausible = len(content.outline) <= 4 * max(content.pages, 25)
        self._marked: dict[tuple[str, int], OutlineEntry] = {}
        for entry in content.outline if plausible else ():
            numbered = _SECTION.match(entry.title)
            self._marked[folded(numbered[5] if numbered else entry.title), entry.page] = entry
        self._levels = {entry.y: entry.level for entry in content.outline} if not content.pages else {}
        self._last: list[int] = []

    def front_length(self, blocks: Sequence[Block]) -> int:
        """Count the blocks of a title before the first heading, where there is no contents list."""
        length = 0
        for block, following in pairwise(blocks):
            if block.marker or _reads_on(block) or len(block.lines) > 3 or _SECTION.match(block.raw):
                break
            if _reads_on(following) or (length and block.size and block.size < blocks[0].size):
                break
            length += 1
        return length

    def read(self, block: Block, following: Block | None, listed: bool = False) -> Heading | None:
        """Return what heading the block is, None if it is text.

        Args:
            block: the next block.
            following: the one after it: an unstyled heading stands before text.
            listed: it stands in a box or a list of references, where short lines are no headings.
        """
        text = self._layout.text(block.lines)
        if block.rows or (block.marker and not self._set_as_heading(block)):
            return None
        styled = self._styled(block)
        if BOX.fullmatch(text):
            return Heading("box", text)
        if match := _OBJECTIVE.fullmatch(text):
            return Heading("objective", match[2], (("objective", match[1]),), printed=f"Objective {match[1]}")
        if len(text) > 200:
            return None
        after = None if listed else following
        return self._numbered(block, text, styled) or self._plain(block, text, styled, after)

    def _numbered(self, block: Block, text: str, styled: bool) -> Heading | None:
        entry = self._marked.get((folded(text), block.page))
        if entry is not None and styled and not _SECTION.match(text) and (match := _SECTION.match(entry.title)):
            # The number is a picture; the bookmark has it.
            return self._section(match, text, "", block)
        if not styled and block.size:
            return None
        if (match := _APPENDIX.fullmatch(text)) and (block.size or match[2] or match[3] == ""):
            self._last = []
            path: Path = (("appendix", match[1]),)
            return self._part("appendix", path, match[3], text[: match.start(3)], block)
        if match := _WITHIN.fullmatch(text):
            steps = zip(_TYPES, (n for n in match.groups()[1:4] if n), strict=False)
            path = (("appendix", match[1]), *steps)
            return self._part("appendix", path, match[5], text[: match.start(5)], block)
        if (match := _SECTION.fullmatch(text)) and (block.size or self._follows(match, text)):
            return self._section(match, match[5], text[: match.start(5)], block)
        return None

    def _section(self, match: re.Match[str], title: str, printed: str, block: Block) -> Heading:
        numbers = [n for n in match.groups()[:4] if n]
        self._last = _values(numbers)
        return self._part("numbered", tuple(zip(_TYPES, numbers, strict=False)), title, printed, block)

    def _part(self, kind: str, path: Path, title: str, printed: str, block: Block) -> Heading:
        numbers = [number for _, number in path]
        last = f"({numbers.pop()})" if len(numbers) == 4 else ""
        cited = f"{'Section' if kind == 'numbered' else 'Appendix'} {'.'.join(numbers)}{last}"
        # Where type says nothing, a number outranks mere words.
        weight = self._weight(block) or 20.0
        return Heading(kind, title, path, weight, printed, cited, self._in_plain_type(block))

    def _follows(self, match: re.Match[str], text: str) -> bool:
        """Tell whether an unstyled number is the next one of its level: "I" may just begin a sentence."""
        values = _values([n for n in match.groups()[:4] if n])
        depth = len(values)
        before = self._last[: depth - 1]
        if values[:-1] != before or text[-1] in ".;,:":
            return False
        return values[-1] == (self._last[depth - 1] + 1 if len(self._last) >= depth else 1)

    def _plain(self, block: Block, text: str, styled: bool, following: Block | None) -> Heading | None:
        if len(block.lines) > 3 or len(text.split()) > 20 or _NOT_A_HEADING.match(text):
            return None
        if not _letters(text):
            return None
        if re.search(r"[.;,]$", text) or (text.endswith(":") and not styled):
            return None
        shouted = text.isupper() and len(_letters(text)) > 3
        announces = _reads_on(following) or (following is not None and block.size and len(following.raw) > 40)
        if not styled and not shouted and not (announces and self._titled(block, text)):
            return None
        if match := _LETTERED.fullmatch(text):
            path = (("heading", match[1]),)
            return Heading("plain", match[2], path, self._weight(block) - 0.5, f"{match[1]}.")
        numbered: Path = (("heading", block.marker.strip("().")),) if block.marker else ()
        plain_type = self._in_plain_type(block)
        return Heading("plain", text.rstrip(":"), numbered, self._weight(block), block.marker, plain_type=plain_type)

    def _titled(self, block: Block, text: str) -> bool:
        """Tell whether a block in the type of the body is a heading: one short line in title case."""
        if re.search(r"[.:;,?!]$", text) or len(block.lines) > 1 or len(text.split()) > 9:
            return False
        return title_case(text) or not block.size

    def _set_as_heading(self, block: Block) -> bool:
        """Tell whether a format without pages says that a block is a heading."""
        return not block.size and block.lines[0].y in self._levels

    def _styled(self, block: Block) -> bool:
        """Tell whether the block's type is not that of the text around it."""
        if not block.size:
            return block.lines[0].bold
        size = self._layout.size
        heavy = all(line.bold or self._foreign(line) for line in block.lines)
        return block.size >= size + 0.8 or (block.size >= size - 0.6 and heavy)

    def _foreign(self, line: Line) -> bool:
        """Tell whether a line is set in another font than the text of its page."""
        return family(line.font) != self._layout.fonts.get(line.page, family(line.font))

    def _weight(self, block: Block) -> float:
        line = block.lines[0]
        if not block.size:
            return 100.0 - 10 * self._levels.get(line.y, 10)
        if self._shouted(block):
            return 10 * round(block.size) + 3
        return 10 * round(block.size) + (2 if line.bold else 1 if self._foreign(line) else -1)

    def _in_plain_type(self, block: Block) -> bool:
        line = block.lines[0]
        return bool(block.size) and not (line.bold or self._foreign(line) or self._shouted(block))

    def _shouted(self, block: Block) -> bool:
        """Tell whether a block of the size of the text is set in capitals; one bold word may be an abbreviation."""
        shouted = block.raw.isupper() and (not block.lines[0].bold or " " in block.raw)
        return shouted and abs(block.size - self._layout.size) < 0.6


def _reads_on(block: Block | None) -> bool:
    return block is not None and (bool(block.marker) or bool(re.search(r"[.:;?!”\"]\W*$", block.raw)))


def _letters(text: str) -> str:
    """Return a text's letters."""
    return "".join(c for c in text if c.isalpha())


def _values(numbers: Sequence[str]) -> list[int]:
    """Turn II, C, 5, a into 2, 3, 5, 1."""
    values: list[int] = []
    for depth, number in enumerate(numbers):
        if depth == 0:
            values.append(roman(number.lower()))
        else:
            values.append(int(number) if number.isdigit() else ord(number.lower()) - 96)
    return values
