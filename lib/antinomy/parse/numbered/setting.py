"""How a document is set, and what that tells of its lines: where paragraphs begin, and which of these are headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from antinomy.parse.footnotes import body_size
from antinomy.parse.labels import EMPTY_BY_DESIGN, leading_labels
from antinomy.parse.model import COLUMN, Line, Mark
from antinomy.parse.named_labels import ANNEXES, DIVISIONS
from antinomy.parse.numbered.beside import BESIDE, is_item, items_hang, labels_of
from antinomy.parse.numbered.costs import INSERTED, TEXT
from antinomy.parse.numbered.heading_words import (
    CLAUSE,
    DEFINES,
    INTRODUCES,
    LONGEST_HEADING,
    MOST_WORDS,
    OPEN,
    VERSION,
    has_sentence,
    is_prose,
    looks_like_heading,
)
from antinomy.parse.numbered.pieces import Piece
from antinomy.parse.quotes import plain_term
from antinomy.text.typography import RAISED_DIGITS

#: A row of a table: | cell | cell |.
ROW = re.compile(r"^\|.*\|$", re.DOTALL)
_ENDED = re.compile(rf"[].;:!?](?:[\"”’){RAISED_DIGITS}]|\s*(?:and|or))*$")
#: A term and a colon before its meaning: "client: a person to whom".
_ENTRY = re.compile(r"[a-z][\w’'()/ -]{1,60}:\s+\S")
#: The next item follows, and not a paragraph of its own.
_JOINS = re.compile(r"(?:and|or)\b")
#: A number behind such words is cited, and begins nothing: "under paragraph".
_BEFORE_CITED = re.compile(
    r"(?:[\d)](?:,|,?\s(?:and|or|to))?|[–—-]|\b(?:no|nos|art|para)\.|\b(?:of|to|in|under|by|with|see|[a-z]*(?:paragraph|section|point|clause|item|rule|article|part)s?))$",
    re.IGNORECASE,
)
#: So is one before such words: "(a) shall".
_BEHIND_CITED = re.compile(r"\s*[,;.)–—-]|\s+(?:and|or|to|of|above|below|shall|must|may|is|are|applies|apply)\b")
#: A line that ends so goes on.
_GOES_ON = re.compile(
    r"(?:[,–—-]|\b(?:an?|the|this|these|that|which|whose|who|of|to|or|and|in|for|by|with|as|on|at|from|is|are|if|any|each))$"
)
#: The heading of what stands behind the last provision or schedule and is no part of either.
_AFTER = re.compile(r"EXPLANATORY (?:NOTE|MEMORANDUM)|Explanatory [Nn]ote|End of [Dd]ocument")
#: Levels of a module above its paragraphs: the module, the chapter, the section.
_ABOVE_PARAGRAPH = 3
#: So many paragraphs, and such a share of them, show how all are set.
_ENOUGH, _NEARLY_ALL = 20, 0.95
#: A number that is less certain to be a label may be a citation.
_SURE = 0.5
#: The style of numbers in the margin, and the rank of notes there.
_MARGINAL, _NOTED = "margin #", 55.0


class Setting:
    """How a document is set: type, line spacing, line width."""

    def __init__(self, lines: Sequence[Line], outline: dict[float, float], tables: set[int]) -> None:
        """Measure a document.

        Args:
            lines: those of its provisions, or those beside them, without tables.
            outline: height of a heading that the format states → its level.
            tables: the ids of the lines that begin a table.
        """
        self._outline = outline
        self._tables = tables
        self.size = body_size(lines)
        #: Where the titles of explanations are set in type of their own, the type of what follows them.
        self._plain = Counter(line.font for line in lines if line.beside).most_common(1)
        same_page = [(a, b) for a, b in pairwise(lines) if a.page == b.page and a.y > b.y]
        gaps = Counter(round((a.y - b.y) * 2) / 2 for a, b in same_page)
        # The distance between lines of one paragraph: the smallest frequent one.
        often = 0.06 * gaps.total()
        common = [gap for gap, times in gaps.items() if times >= often and gap >= 0.9 * self.size]
        leading = min(common, default=1.2 * self.size) if self.size else 1.0
        self._leading = 1.3 * leading
        self._left = min((line.x for line in lines), default=0.0)
        lengths = sorted(self._reach(line) for line in lines)
        self._width = lengths[int(0.9 * len(lengths))] if lengths else 0.0
        # One line for each paragraph, as in HTML, DOCX and text that is not wrapped.
        self._whole = not self.size and (
            all(a.y - b.y >= 2 for a, b in same_page) or any(len(line.text) > 200 for line in lines)
        )
        # What begins block after block, word for word, is a name: "Historical Note".
        begun = Counter(b.text for a, b in pairwise(lines) if not self._whole and self._gap(a, b))
        self._names = {text for text, times in begun.items() if times >= 4 and looks_like_heading(text, 1)}
        # Where nearly all numbered paragraphs are set apart, the line below an indented one begins no other.
        apart = [
            self._gap(a, b) for a, b in same_page if (found := leading_labels(b.text[:300])) and found[0].firm >= 1
        ]
        self._spaced = not self._whole and len(apart) >= _ENOUGH and sum(apart) > _NEARLY_ALL * len(apart)
        self._hung = items_hang(pair for pair in same_page if not self._gap(*pair))
        self._after = next((line for line in lines[len(lines) // 2 :] if _AFTER.fullmatch(line.text)), None)
        bold = sum(line.bold for line in lines)
        self._styled = bool(outline) or 0 < bold < 0.5 * len(lines)

    def _reach(self, line: Line) -> float:
        """Estimate how many characters from the left edge of the page a line ends."""
        return len(line.text) + (line.x - self._left) / (0.5 * line.size if line.size else COLUMN)

    def _short(self, line: Line, following: str) -> bool:
        """Tell whether a line ends before the right edge although the next word would have fitted on it."""
        return self._reach(line) + len(following.split(" ", 1)[0]) + 1 < 0.88 * self._width

    def begins(self, before: Piece | None, line: Line, after: Line | None, numbered: dict[int, str]) -> Piece | None:
        """Return the piece that a line begins; None if it continues the one before."""
        marks = labels_of(line)
        rank = self._rank(line)
        if ROW.match(line.text):
            begins = id(line) in self._tables or (before is not None and self._gap(before.last, line, 2.5))
            if before is not None and before.kind == "table" and not begins:
                return None
            return Piece("table", [line])
        # "3.6" beside "3.5 does not apply"
        cites = bool(marks) and marks[0].firm < _SURE
        if before is not None and (not marks or cites) and _is_beside(before, line):
            if before.first.size <= self.size + 0.8 and before.rank < TEXT == rank:
                # A number in bold type, its words in plain type.
                before.rank = TEXT
            if (before.rank < TEXT) == (rank < TEXT):
                return None
        starts = self._starts(before, line, marks)
        if id(line) in numbered and marks:
            # 12.1 stands between 12 and 13, as 12-1 does.
            path = (marks[0].number.replace(".", "-"),)
            upto = numbered[id(line)]
            marks = (replace(marks[0], firm=2.0, style=_MARGINAL, path=path, upto=upto), *marks[1:])
            return Piece("text", [line], marks, 1.0, rank)
        if before is not None and rank < TEXT and before.rank == rank and starts < 1 and not marks:
            # A heading of two lines.
            return None
        if marks:
            return Piece("text", [line], marks, starts, rank)
        # Headings differ by more than one line's being bold.
        if starts >= 0.95 or before is None or before.kind == "table" or abs(before.rank - rank) > 0.5:
            return Piece("text", [line], (), starts, rank)
        if self._heads(before, line):
            return Piece("text", [line], (), starts, rank)
        if after is not None and self._stands_alone(before, line, after):
            return Piece("text", [line], (), 1.0, rank)
        return None

    def _heads(self, before: Piece, line: Line) -> bool:
        """Tell whether a short line above stands alone, as a heading does in plain text."""
        named = bool(before.marks) or (before.starts == 1 and before.first.text in self._names)
        open_ = _ENDED.search(before.last.text) or OPEN.search(before.last.text)
        alone = len(before.lines) == 1 and named and not open_
        return alone and self._short(before.last, line.text) and line.text.lstrip("“‘\"'")[:1].isupper()

    def _stands_alone(self, before: Piece, line: Line, after: Line) -> bool:
        """Tell whether a line is a heading between a sentence, or a title in capitals, and a number without a blank."""
        last = before.last.text
        ended = bool(_ENDED.search(last) or (last.isupper() and looks_like_heading(last, 1)))
        above = self._short(line, after.text) and bool(leading_labels(after.text[:300]))
        return ended and not _ENDED.search(line.text) and above and looks_like_heading(line.text, 1)

    def _gap(self, before: Line, line: Line, times: float = 1.0) -> bool:
        if self.size and before.size == line.size > self.size:
            # Lines of larger type stand further apart.
            times *= line.size / self.size
        return before.page == line.page and (before.y - line.y > times * self._leading or line.y > before.y + 1)

    def _starts(self, before: Piece | None, line: Line, marks: Sequence[Mark]) -> float:
        """Tell how certain it is that a block of print begins with a line, 0 to 1."""
        if before is None or self._whole or self._gap(before.last, line):
            return 1.0
        last = before.last
        cites = bool(_BEFORE_CITED.search(last.text))
        ended = bool(_ENDED.search(last.text) and not cites) or last.text.endswith(("—", "–"))
        short = self._short(last, line.text)
        if last.page != line.page and not marks:
            return 1.0 if ended and short else 0.2
        if (ended and (DEFINES.match(line.text) or BESIDE.match(line.text))) or _next_term(before, line):
            return 1.0
        if _JOINS.match(line.text):
            return 0.0
        if ended:
            indented = abs(last.x - line.x) > 3 and not (self._spaced and not marks)
            # Below the first line of an item that would hang, as far left as that, is none of its lines.
            indented |= self._hung and last is before.first and line.x < last.x + 4 and is_item(last)
            return 0.95 if short or line.lead or last.font != line.font or indented else 0.7
        if abs(last.size - line.size) > 0.6 or last.bold != line.bold:
            return 0.9
        if short:
            return 0.9
        if marks and _begins_item(marks[0], line.text) and not cites:
            return 0.5
        return 0.15 if abs(last.x - line.x) > 3 else 0.0

    def _rank(self, line: Line) -> float:
        """Return a line's rank by its type."""
        if line is self._after:
            return min([10.0, *self._outline.values()])
        if self._outline:
            return self._outline.get(line.y, _NOTED if line.heads else TEXT)
        if self.size and line.size > self.size + 0.8:
            return 50 - line.size - 0.5 * line.bold
        if self._styled and line.bold and len(line.text) <= 2 * LONGEST_HEADING:
            return 50 - line.size - 0.5
        if self._plain and self._plain[0][0] != line.font and looks_like_heading(line.text, 1):
            return 50 - line.size
        return TEXT

    def tell_headings(self, pieces: Sequence[Piece]) -> None:
        """Mark the pieces that are headings: by their type or, if it is unknown, by their words."""
        for at, (before, piece, after) in enumerate(zip([None, *pieces], pieces, [*pieces[1:], None], strict=False)):
            if piece.kind != "text" or (piece.rank >= TEXT and EMPTY_BY_DESIGN.fullmatch(piece.text)):
                # "Repealed" below the number of a paragraph that is no more heads nothing.
                continue
            if piece.first.bold and piece.marks and piece.marks[0].printed == "*":
                # It marks a note that is a heading: "* Notes on amendments".
                piece.text, piece.marks = piece.text[piece.marks[0].end :].strip(), ()
            title = piece.text[piece.marks[-1].end if piece.marks else 0 :].strip()
            if _is_lone_rule(piece) or (_is_lone_rule(before) and after is not None and after.kind == "table"):
                # A rule's number on a line of its own, with its date, heads nothing, nor do words above its table.
                piece.rank = TEXT
                continue
            if piece.rank < TEXT and (piece.marks or len(piece.text) <= 3 * LONGEST_HEADING):
                self._tell_by_type(piece, title, after)
                continue
            own, following = _style(piece), _style(after)
            if after is not None and after.text.endswith(":"):
                # The words that introduce numbers may have none.
                following = following or _style(pieces[at + 2] if at + 2 < len(pieces) else None)
            listed = before is not None and _style(before) == own and abs(before.first.x - piece.first.x) <= 3
            if own not in ("", following) and following == _MARGINAL and not listed and looks_like_heading(title, 1):
                # Above a paragraph that is numbered in the margin "a) Records" is a heading, if no list's last item.
                piece.rank = 54.0
                continue
            keyword = piece.marks[0].keyword if len(piece.marks) == 1 else ""
            if piece.marks and not keyword:
                # The title of a sourcebook's chapter may be longer.
                lines = len(piece.lines) - piece.marks[0].is_code
                single = not self._styled and len(piece.marks) == 1 and looks_like_heading(title, lines)
                # "2.1 Governance" is a heading; "(a) access logs" and "• firewalls" are not.
                if single and not piece.marks[0].style.startswith(("(", "bullet", "margin")) and after is not None:
                    piece.rank = 40.0 + len(piece.marks[0].path)
            elif keyword:
                heads = keyword in DIVISIONS | ANNEXES or len(title) <= LONGEST_HEADING
                sentence = has_sentence(title) or " shall " in title
                if heads and not (CLAUSE.search(title) and sentence) and not INTRODUCES.fullmatch(title):
                    piece.rank = 10.0 if keyword in DIVISIONS | ANNEXES else 30.0
            elif looks_like_heading(title, len(piece.lines)) and after is not None and after.kind != "note":
                # A plain paragraph above a heading that the format states ("Issued by the Board") heads nothing.
                alone = (self._whole or piece.starts >= 0.9) and not (self._outline and after.rank < _NOTED)
                if alone and (after.marks or after.starts >= 0.9 or after.kind == "table" or piece.text in self._names):
                    upper = title.upper() == title
                    piece.kind, piece.rank = "heading", 45.0 - upper if not self._styled else 55.0

    def _tell_by_type(self, piece: Piece, title: str, after: Piece | None) -> None:
        """Tell whether a piece that is set as a heading is one, by the words behind its labels."""
        ended = title.endswith((".", ";", ":", "–", "—")) and not (piece.marks and piece.marks[0].keyword)
        many = len(title.split()) > MOST_WORDS
        sentence = ended and (CLAUSE.search(title) or many)
        too_long = sentence or (many and title[:1].islower()) or len(title) > 2 * LONGEST_HEADING
        begins_term = title[-1:] in ":—–" and DEFINES.match(title)
        if begins_term or (piece.marks and too_long) or VERSION.fullmatch(piece.text):
            # Files number paragraphs, too, by the style of a heading, or set all of "“lamp” means —" bold.
            piece.rank = TEXT
        elif not piece.marks and self._outline and is_prose(title):
            # Converters set what is printed in another type, too, by the style of a heading.
            piece.rank = TEXT
        elif not piece.marks:
            piece.kind = "heading"
            if after is not None and max(piece.first.size, after.first.size) < self.size - 0.8:
                # A box within the text is set smaller, its title, too.
                piece.rank = INSERTED


def _is_lone_rule(piece: Piece | None) -> bool:
    mark = piece.marks[-1] if piece and piece.marks else None
    if piece is None or mark is None or piece.text[mark.end :].strip():
        return False
    # LA-1.2.3 is a paragraph of the module LA.
    return mark.is_rule or (len(mark.path) > _ABOVE_PARAGRAPH and mark.path[0].isupper())


def _is_beside(number: Piece, line: Line) -> bool:
    """Tell whether a line of a page is printed at the height of a number that stands alone."""
    mark, first = number.marks[-1:], number.first
    alone = bool(mark) and len(number.lines) == 1 and mark[0].end >= len(first.text)
    at_its_height = first.page == line.page and abs(first.y - line.y) < 0.3 * line.size and first.x < line.x
    return alone and at_its_height


def _style(piece: Piece | None) -> str:
    return piece.marks[0].style if piece is not None and piece.marks else ""


def _next_term(before: Piece, line: Line) -> bool:
    """Tell whether a line defines the next term of a list of terms that nothing sets apart.

    Where a definition ends without a stop, the next term follows in the alphabet.
    """
    first, last = before.first.text, before.last.text
    term, known = plain_term(line.text), plain_term(first)
    if last.endswith((":", "—")):
        return bool(term or _ENTRY.match(line.text))
    if _ENDED.search(last):
        return bool((term and known) or (_ENTRY.match(line.text) and _ENTRY.match(first)))
    return bool(term and known) and known.lower() < term.lower() and not _GOES_ON.search(last)


def _begins_item(mark: Mark, text: str) -> bool:
    """Tell whether a label is one that stands in running text only where a provision is cited: in paragraph (a)."""
    return mark.style in ("(#)", "#)") and not _BEHIND_CITED.match(text, mark.end)
