"""Printed lines of an EU act → atoms: what a reader of the page sees in spacing, indents and numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from antinomy.parse.content import Atom
from antinomy.parse.eu.numbering import Lists
from antinomy.parse.footnotes import body_size, split_notes
from antinomy.parse.line_ends import join_lines, vocabulary
from antinomy.parse.model import Line
from antinomy.parse.quotes import insertions

_ARTICLE = re.compile(r"^(?:Article\s+(\d+[a-z]{0,2})|(Sole) Article)\b\s*(?:[-–—:.]\s*(\S.*))?$")
#: "Article 1 Subject matter" on one line, with nothing between number and heading.
_ONE_LINE = re.compile(r"^(Article\s+(\d+[a-z]{0,2}))\s+([A-Z‘“][^.;:]{2,120})$")
#: "CHAPTER I GENERAL PROVISIONS", "Annex I Data fields".
_ONE_LINE_DIVISION = re.compile(
    r"^((?:PART|TITLE|CHAPTER|SECTION|ANNEX|Part|Title|Chapter|Section|Annex)\s+(?:[IVXLC]+|\d+|[A-Z]))\s+"
    r"([A-ZÀ-Þ‘“][^.;:]{2,120})$"
)
_CLAUSE = re.compile(r"\b(?:shall|is|are|applies|apply|does|do|may|must)\b")
_DIVISION = re.compile(
    r"^(PART|TITLE|CHAPTER|SECTION|SUBSECTION|Part|Title|Chapter|Section|Subsection)\s+"
    r"([IVXLC]+[a-z]?|\d+[a-z]?|[A-Z]|ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN)\s*(?:[-–—:.]\s*(\S.*))?$"
)
_ANNEX = re.compile(r"^(?:ANNEX|Annex)(?:\s+([IVXLC]+|\d+|[A-Z]))?\s*(?:[-–—:.]\s*(\S.*))?$")
_TABLE_NUMBER = r"^(?:TABLE|Table)\s+(\d+[a-z]?|[IVXLC]+|[A-Z])"
_TABLE = re.compile(rf"{_TABLE_NUMBER}\s*(?:[-–—:.]\s*(\S.*))?$")
#: Its title may follow a blank where the format, or rows below, tell it from a sentence.
TABLE = re.compile(rf"{_TABLE_NUMBER}\s*(?:(?:[-–—:.]\s*|(?<=\s)(?=[A-Z]))(\S.*))?$")
_STRUCTURE = (_ARTICLE, _DIVISION, _ANNEX, _TABLE)
_PARAGRAPH = re.compile(r"^(\d{1,3}[a-z]{0,2})\.\s+(?=\S)")
_POINT = re.compile(r"^(\((?:\d{1,3}[a-z]?|[a-z]{1,5})\)|[—–-]|•)\s+(?=\S)")
_ANNEX_POINT = re.compile(r"^((?:\d{1,3}\.)+(?:\d{1,3})?|[A-Z]\.)\s+(?=\S)")
_RECITAL = re.compile(r"^\((\d{1,4})\)\s+")
#: A rule, also below the heads of a table, and what the Official Journal prints behind an act.
RULE = re.compile(r"^(?:[_\s]*|\|[\s|:-]+\||ELI: http\S+|ISSN \d{4}-\d{3}[\dX](?: \([\w ]+\))?)$")
_ACT = re.compile(
    r"^(?:(?:COMMISSION|COUNCIL|JOINT|DELEGATED|IMPLEMENTING)\s+)*(?:REGULATION|DIRECTIVE|DECISION|RECOMMENDATION)\b"
)
#: The same in small letters, with the date of the act.
_SMALL_ACT = re.compile(
    r"^(?:(?:Commission|Council|Joint|Delegated|Implementing)\s+)*(?:Regulation|Directive|Decision|Recommendation)\b"
    r"[^.;]*?\bof \d{1,2} [A-Z][a-z]+ \d{4}\b"
)
_INSTITUTION = re.compile(r"^THE [A-ZÀ-Þ][A-ZÀ-Þ ,’'-]+,?$")
ADOPTED = re.compile(r"^HA(?:VE|S) (?:ADOPTED|DECIDED)\b")
CITES = re.compile(r"^(?:Having regard|Having consulted|After |Acting )")
CLOSING = re.compile(
    r"^(?:Th(?:is|e present) (?:Regulation|Directive|Decision) shall be binding in its entirety|"
    r"Done at \S.*\b\d{4}\.?$)"
)
_ENDS = tuple(".;:,?!’”»")
#: A line that is broken at a margin is so long, and may end in the middle of a sentence.
_WRAPPED = range(45, 131)
#: A line that is longer is a whole paragraph.
_WHOLE = 160
#: So many broken lines are no chance.
_FEW = 3
_UNENDED = re.compile(r"\b(?:of|the|in|to|and|or|by|with|an?|for|from|under|No|Article|Regulation|Directive)$")
#: What cites the number that begins the next line: "of point" above "(1) and any other".
_CITING = re.compile(r"\b(?:points?|paragraphs?|Articles?)$")
_NUMBERED = frozenset({"article", "annex", "part", "title", "chapter", "section", "subsection", "table"})


@dataclass(slots=True)
class _Block:
    """Lines that make one paragraph of print.

    Attributes:
        headed: it follows a line that opens an article or the like, so it may be a heading.
    """

    lines: list[Line] = field(default_factory=list)
    headed: bool = False

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def x(self) -> float:
        return self.first.x

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)


def atoms(lines: Sequence[Line]) -> tuple[list[Atom], list[str]]:
    """Find an act's pieces in its printed lines.

    Args:
        lines: the body's, running heads and page numbers already out.

    Returns:
        The pieces in reading order, footnotes last; and the body's texts for the account of words: the lines
        from the act's title on, without rules.
    """
    printed = _with_headings(_with_numbers([_as_point(line) for line in lines if not RULE.match(line.text)]))
    body, notes = split_notes(printed, body_size(printed))
    known = vocabulary(line.text for line in body)
    blocks = _blocks(body)
    texts = [join_lines((line.text for line in block.lines), known) for block in blocks]
    if not any(map(starts_enacting, texts)):
        return [], [line.text for line in printed]
    skipped = _before_title(texts)
    scan = _Scan(blocks[skipped:], texts[skipped:])
    found = scan.run()
    for match, note in notes:
        text = join_lines([note[0].text[match.end() :], *(line.text for line in note[1:])], known)
        found.append(Atom("footnote", match[1], text, page=note[0].page, page_end=note[0].page))
    front = {id(line) for block in blocks[:skipped] for line in block.lines}
    return found, [line.text for line in printed if id(line) not in front]


def _as_point(line: Line) -> Line:
    """Print a row of a table without its outer bars, its number as that of a point."""
    cells = [stripped for cell in line.text.split("|") if (stripped := cell.strip(" "))]
    if not (cells and line.text.startswith("|") and line.text.endswith("|")):
        return line
    number = cells[0].rstrip(".")
    text = f"{number}. {' | '.join(cells[1:])}" if cells[1:] and number.isdecimal() else " | ".join(cells)
    return replace(line, text=text)


def _with_numbers(lines: Sequence[Line]) -> list[Line]:
    """Put a number that stands on a line of its own in front of its text, as where a page was copied."""
    printed: list[Line] = []
    for line in lines:
        number = printed[-1] if printed and _is_number(printed[-1].text) else None
        before = [other.text for other in printed[-3:-1]]
        # A mark of a note stands within a sentence.
        apart = any(map(_is_structure, before)) or "".join(before[-1:]).endswith((*_ENDS, " and", " or", "—"))
        if number is None or not apart or _is_number(line.text) or _is_structure(line.text):
            printed.append(line)
        else:
            printed[-1] = replace(line, text=f"{number.text} {line.text}", x=number.x)
    return printed


def _is_number(text: str) -> bool:
    """Tell whether a line is the number of a paragraph, point or recital and nothing else."""
    found = (number.match(f"{text} -") for number in (_PARAGRAPH, _POINT, _RECITAL))
    return any(match is not None and match.end() > len(text) for match in found)


def _with_headings(lines: list[Line]) -> list[Line]:
    """Part number and heading where an act prints all its articles on one line each: "Article 1 Subject matter".

    Then it prints its chapters and annexes so, too.
    """
    if sum(bool(_ARTICLE.match(line.text)) for line in lines) > 1:
        return lines
    found = {k: match for k, line in enumerate(lines) if (match := _ONE_LINE.match(line.text))}
    own: set[int] = set()
    for k, match in found.items():
        if _number(match[2]) == len(own) + 1 and not _CLAUSE.search(match[3]):
            own.add(k)
    if len(own) < 2:
        return lines
    parted: list[Line] = []
    for k, line in enumerate(lines):
        division = _ONE_LINE_DIVISION.match(line.text)
        if k in own:
            parted.append(replace(line, text=f"{found[k][1]} – {found[k][3]}"))
        elif division and not _CLAUSE.search(division[2]):
            parted.append(replace(line, text=f"{division[1]} – {division[2]}"))
        else:
            parted.append(line)
    return parted


def is_adopted(lines: Sequence[Line]) -> bool:
    """Tell whether lines have the words that an act is adopted by."""
    return any(ADOPTED.match(line.text) for line in lines)


def has_articles(lines: Sequence[Line]) -> bool:
    """Tell whether lines have two articles at least, as other countries' laws may have too."""
    return sum(bool(_ARTICLE.match(line.text)) for line in lines) > 1


def _blocks(lines: Sequence[Line]) -> list[_Block]:
    """Cut lines into blocks at the gaps between them."""
    pairs = list(pairwise(lines))
    gaps = Counter(round((a.y - b.y) * 2) / 2 for a, b in pairs if a.page == b.page and a.y > b.y)
    # The distance of two lines of one paragraph: the smallest common one.
    most = max(gaps.values(), default=0)
    laid_out = any(line.size for line in lines)
    leading = min((gap for gap, times in gaps.items() if 3 * times >= most), default=1.0) if laid_out else 1.0
    long = [(a, b) for a, b in pairs if len(a.text) > _WHOLE]
    whole = not laid_out and bool(long)
    # Sentences go on below lines that are broken; the other paragraphs, but for points, have a blank line below them.
    broken = sum(len(a.text) in _WRAPPED and a.y - b.y == 1 and b.text[:1].islower() for a, b in pairs)
    parted = broken >= _FEW and all(a.y - b.y > 1 or _POINT.match(b.text) for a, b in long)
    numbered = [a.y - b.y for a, b in pairs if a.page == b.page and _POINT.match(b.text)]
    setting = _Print(
        leading=1.35 * leading,
        spaced=2 * sum(gap > 1.35 * leading for gap in numbered) >= len(numbered),
        width=sorted(len(line.text) for line in lines)[int(0.9 * len(lines))] if lines else 0,
    )
    blocks: list[_Block] = []
    for line in lines:
        if not blocks or (not _goes_on(blocks[-1], line, parted) if whole else setting.breaks(blocks[-1], line)):
            blocks.append(_Block(headed=bool(blocks) and _is_structure(blocks[-1].last.text)))
        blocks[-1].lines.append(line)
    return blocks


def _goes_on(block: _Block, line: Line, parted: bool) -> bool:
    """Tell whether a line goes on with one that was broken at a margin, in a text whose other paragraphs are whole.

    Where blank lines part these (``parted``), they part the broken ones, too.
    """
    last = block.last
    small = line.text[:1].islower() and not last.text.endswith(_ENDS[:3])
    broken = len(last.text) in _WRAPPED or (parted and small)
    if last.page != line.page or last.y - line.y > 1 or not broken or block.headed:
        return False
    numbered = any(number.match(line.text) for number in (_PARAGRAPH, _POINT, _RECITAL))
    if numbered and _CITING.search(last.text):
        return True
    within = parted and not starts_enacting(line.text)
    return (within or small or bool(_UNENDED.search(last.text))) and not numbered


@dataclass(frozen=True, slots=True)
class _Print:
    """How the document is set.

    Attributes:
        leading: more than this between two baselines is a gap.
        spaced: points stand apart by gaps.
        width: characters in a full line.
    """

    leading: float
    spaced: bool
    width: int

    def breaks(self, block: _Block, line: Line) -> bool:
        """Tell whether a line begins a new block."""
        last = block.last
        # All rows of a table stand where it begins.
        if is_row(last.text) or is_row(line.text) or (line.y, line.x) == (last.y, last.x):
            return True
        if line.page != last.page:
            return self._breaks_over_page(block, line)
        gap = last.y - line.y
        if gap > self.leading or gap < -1:
            return True
        if self.spaced:
            # A block of nothing but "Table 1" has its heading below it.
            return last is block.first and _is_structure(last.text)
        numbered = _PARAGRAPH.match(line.text) or _POINT.match(line.text)
        ended = block.headed or last.text.endswith((*_ENDS, " and", " or"))
        return bool(numbered and ended) or _is_structure(line.text) or _is_structure(last.text)

    def _breaks_over_page(self, block: _Block, line: Line) -> bool:
        """Decide where no gap shows: by numbers, indents, and whether sentence and line are full."""
        last, text = block.last, line.text
        if _is_structure(text) or _is_structure(last.text) or line.bold != last.bold:
            return True
        body_x = last.x if len(block.lines) > 1 else None
        if last.y == block.first.y and text[:1].isalpha() and abs(line.x - block.x) <= 4:
            # Only the first line was on that page, with its number apart: the next may begin below the number.
            body_x = body_x if last.text.endswith(_ENDS) else line.x
        if any(number.match(text) for number in (_PARAGRAPH, _POINT, _RECITAL, _ANNEX_POINT)):
            return body_x is None or abs(line.x - body_x) > 4 or last.text.endswith(_ENDS)
        if body_x is not None and abs(line.x - body_x) > 4:
            return True
        if not last.text.endswith(_ENDS[:4]):
            return False
        return text[:1].isupper() and len(last.text) < 0.8 * self.width


def _is_structure(text: str) -> bool:
    return any(pattern.match(text) for pattern in _STRUCTURE)


def _before_title(texts: Sequence[str]) -> int:
    """Count the blocks before the act's title (the Official Journal's own headings)."""
    front = next((i for i, text in enumerate(texts) if starts_enacting(text)), len(texts))
    dated = [f"{text} {after}" for text, after in pairwise([*texts[:front], ""])]
    # A page may print the title above its menus, too.
    small = next((i for i in reversed(range(front)) if _SMALL_ACT.match(dated[i])), 0)
    return next((i for i, text in enumerate(texts[:front]) if _ACT.match(text)), small)


def starts_enacting(text: str) -> bool:
    """Tell whether a line is the first behind the act's title: the institution, a legal basis, a recital, a part."""
    starts = any(pattern.match(text) for pattern in (_INSTITUTION, CITES, ADOPTED))
    return starts or text.startswith("Whereas") or _is_structure(text)


class _Scan:
    """One pass over an act's blocks."""

    def __init__(self, blocks: Sequence[_Block], texts: Sequence[str]) -> None:
        self._blocks = blocks
        self._texts = texts
        self._found: list[Atom] = []
        self._lists = Lists()
        self._stage = "front"
        self._recital = 0
        self._article = 0
        self._paragraph = 0
        self._edge = 0.0
        self._bare = self._signed = False
        self._quoted = insertions(texts, _stops(texts))

    def run(self) -> list[Atom]:
        """Return the atoms of all blocks."""
        for index, text in enumerate(self._texts):
            if self._quoted[index]:
                self._put("quote", index)
            elif self._structure(index, text):
                self._stage = "body"
            elif self._stage == "body":
                self._provision(index, text)
            else:
                self._front(index, text)
        return self._found

    def _put(self, type: str, index: int, number: str = "", text: str | None = None, level: int = 0) -> None:
        block, whole = self._blocks[index], self._texts[index]
        text = whole if text is None else text
        printed = whole[: len(whole) - len(text)].strip() if type in _NUMBERED else ""
        page, page_end = block.first.page, block.last.page
        self._found.append(Atom(type, number, text, level, page, page_end, printed))

    def _front(self, index: int, text: str) -> None:
        """Title, preamble and recitals."""
        recital = _RECITAL.match(text)
        # Recitals may stand under a heading of their own, without institution and "Whereas".
        opens = bool(recital and recital[1] == "1") or text in ("Recitals", "Preamble")
        if self._stage == "front" and not opens and not starts_enacting(text):
            self._put("title", index)
            return
        if ADOPTED.match(text):
            self._put("preamble", index)
            self._stage = "body"
        elif recital and int(recital[1]) == self._recital + 1:
            self._recital += 1
            self._stage = "recitals"
            self._put("recital", index, f"({recital[1]})", text[recital.end() :])
        elif self._stage == "recitals":
            self._put("text", index)
        elif _INSTITUTION.match(text) or text.startswith("Whereas") or opens:
            self._stage = "preamble"
            self._put("preamble", index)
        else:
            self._stage = "preamble"
            self._put("citation", index)

    def _structure(self, index: int, text: str) -> bool:
        """Take the line that opens an article, a division, an annex or the conclusions, with its heading."""
        heading, signed = "", False
        if (match := _ARTICLE.match(text)) and _number(match[1]) >= self._article:
            self._article = _number(match[1])
            number, heading = match[1] or "1", match[3]
            self._put("article", index, number, heading or "")
            self._paragraph = 0
        elif match := _DIVISION.match(text):
            heading = match[3]
            self._put(match[1].lower(), index, match[2], heading or "")
        elif match := _ANNEX.match(text):
            heading = match[2]
            self._article = 0
            self._put("annex", index, match[1] or "", heading or "")
            self._stage = "annex"
        elif not self._article and (match := TABLE.match(text)) and any(map(is_row, self._texts[index + 1 :][:2])):
            heading = match[2]
            self._put("table", index, match[1], heading or "")
        elif self._stage == "body" and self._article and CLOSING.match(text):
            signed = True
            if not self._found or self._found[-1].type != "conclusions":
                self._put("conclusions", index)
            self._article = 0
        else:
            return False
        if heading:
            # The heading stands on the same line: the number is the atom, the heading one of its own.
            opened = self._found[-1]
            self._found[-1] = replace(opened, text="")
            self._found.append(replace(opened, type="heading", number="", text=heading, printed=""))
        self._bare, self._signed = not (heading or signed), signed
        self._lists.close()
        return True

    def _provision(self, index: int, text: str) -> None:
        """Paragraphs, points, and the blocks that follow them."""
        block = self._blocks[index]
        # "A. Keeper" has signed.
        if self._signed and (note := _RECITAL.match(text)):
            # Notes whose marks are not raised.
            self._put("footnote", index, note[1], text[note.end() :])
            return
        point = _POINT.match(text) or (None if self._article or self._signed else _ANNEX_POINT.match(text))
        paragraph = _PARAGRAPH.match(text)
        if self._bare and not point and not paragraph and _may_be_heading(text):
            self._put("heading", index)
            # A heading may go on in a second block; a division's may not.
            self._bare = False
            return
        first = self._found[-1].type in ("article", "heading") if self._found else True
        self._bare = False
        if paragraph and self._article and self._is_next(paragraph[1], first, block.x):
            self._paragraph, self._edge = _number(paragraph[1]), block.x
            self._lists.close()
            self._put("paragraph", index, paragraph[1], text[paragraph.end() :])
            return
        if point:
            opens = index > 0 and self._texts[index - 1].endswith((":", "—", "–"))
            level = self._lists.place(point[1], block.x, opens, self._following(index))
            if level is not None:
                dash = point[1] in "—–-•"
                self._put("item" if dash else "point", index, "" if dash else point[1], text[point.end() :], level)
                return
        if not self._article and block.bold and _may_be_heading(text):
            self._lists.close()
            self._put("heading", index)
            return
        level = self._lists.text_level(block.x)
        self._lists.close(level)
        self._put("text", index, level=level)

    def _is_next(self, number: str, first: bool, x: float) -> bool:
        if not self._paragraph:
            return first and _number(number) == 1
        # Points may stand further left than paragraphs.
        inside = self._lists.text_level(x) > 0 and abs(x - self._edge) > 4
        return not inside and self._paragraph <= _number(number) <= self._paragraph + 5

    def _following(self, index: int) -> str:
        """Return the next printed list number, if one is near."""
        for text in self._texts[index + 1 : index + 4]:
            if match := _POINT.match(text):
                return match[1]
            if _is_structure(text) or _PARAGRAPH.match(text):
                break
        return ""


def _stops(texts: Sequence[str]) -> list[bool]:
    """Mark this act's own articles: they count up by one, and of two with one number the later is its own."""
    numbers = {i: _number(match[1]) for i, text in enumerate(texts) if (match := _ARTICLE.match(text))}
    stops, article = [bool(CLOSING.match(text)) for text in texts], 0
    repeated: set[int] = set()
    next_of: dict[int, int] = {}
    for place in sorted(numbers, reverse=True):
        again, after = (next_of.get(numbers[place] + more, len(texts)) for more in (0, 1))
        if again < after:
            repeated.add(place)
        next_of[numbers[place]] = place
    for place, number in numbers.items():
        if number == article + 1 and place not in repeated:
            stops[place], article = True, number
    return stops


def _number(printed: str | None) -> int:
    """Return the whole number in "27a"; a sole article is the first."""
    return int(re.sub(r"\D", "", printed)) if printed else 1


def is_row(text: str) -> bool:
    """Tell whether a text is a row of a table."""
    return " | " in text


def _may_be_heading(text: str) -> bool:
    return len(text) <= 250 and not is_row(text) and not text.endswith(_ENDS) and not text[:1].islower()
