"""What every reader gives and every grammar makes: lines, their labels, outline entries, sections."""

from __future__ import annotations

from dataclasses import dataclass, field

from antinomy.text.numerals import RULE_LETTERS

#: Width of a column of a text's indentation, in points.
COLUMN = 6.0


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line, as far as the format knows it.

    Attributes:
        text: the line's text, white space folded, no line break.
        page: 1-based page; 0 where the format has no pages.
        x: left edge in points from the page's left; 0.0 where unknown.
        y: baseline in points from the page's bottom; 0.0 where unknown.
        size: font size in points of most of its characters; 0.0 where unknown.
        bold: most of its characters are bold.
        font: name of the font of most of its characters, "" where unknown.
        stops: where a tab or the next column of a table begins within the line: (offset in text, left edge).
        lead: so many characters at its beginning are set in bold or italics, and what follows is not; 0 if none are.
        beside: it stands in a column beside the provisions, which explains them.
        heads: its place tells, whatever its type, that it heads what follows: a note in the margin.
    """

    text: str
    page: int = 0
    x: float = 0.0
    y: float = 0.0
    size: float = 0.0
    bold: bool = False
    font: str = ""
    stops: tuple[tuple[int, float], ...] = ()
    lead: int = 0
    beside: bool = False
    heads: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A label as it is printed at the beginning of a line.

    Attributes:
        printed: as printed, "(a)", "Section 900.3".
        number: without punctuation: "a", "900.3", "2.3.4R".
        style: how it is printed, with # for the number: "(#)", "#.", "section #", "bullet".
        path: the number's components: ("2", "3", "4").
        keyword: the word that names the part, in lower case, "" if none.
        upto: the last number if one label stands for several, else "".
        end: where it ends in the line.
        firm: how certain a label is by its form alone: 0 a bare number, 1 a number with punctuation, 2 a keyword.
        heading: the run-in heading between the label before it and this one.
    """

    printed: str
    number: str
    style: str
    path: tuple[str, ...]
    keyword: str = ""
    upto: str = ""
    end: int = 0
    firm: float = 1.0
    heading: str = ""

    @property
    def is_code(self) -> bool:
        """Tell whether the number names the book that it stands in, and no rule of it: LAMP 2."""
        return self.style[:1].isupper() and not self.is_rule

    @property
    def is_rule(self) -> bool:
        """Tell whether a letter behind the number says how binding it is: 2.3.4R."""
        letter = self.number[-1:]
        return letter in tuple(RULE_LETTERS) and self.number == f"{'.'.join(self.path)}{letter}"


@dataclass(frozen=True, slots=True)
class Table:
    """A ruled table on a page.

    Attributes:
        page: 1-based.
        columns: the borders between its columns, outer ones included, from left to right.
        top: its upper edge.
        bottom: its lower edge.
        rows: the cells of each row, with the printed lines of each cell.
        heads: whether the first row names the columns.
    """

    page: int
    columns: tuple[float, ...]
    top: float
    bottom: float
    rows: list[list[list[str]]]
    heads: bool

    def holds(self, line: Line) -> bool:
        """Tell whether a line begins in it."""
        inside = self.columns[0] - 2 <= line.x < self.columns[-1] and self.bottom - 1 <= line.y <= self.top
        return inside and line.page == self.page


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the document: level 0 is the outermost, page is 1-based (0 unknown)."""

    title: str
    level: int
    page: int = 0
    y: float = 0.0


@dataclass(slots=True)
class Section:
    """A node of the tree.

    Attributes:
        eid: id within the document, see ``antinomy.section_ids``.
        type: one of ``section_ids.ABBREVIATIONS``.
        number: the number as printed, outer punctuation stripped ("3", "a", "II"); "" if none.
        heading: the heading, "" if none.
        label: how a lawyer cites it ("Article 6(3), point (a)").
        text: its own text: neither its heading nor what its children hold.
        parent_eid: eid of the parent; "" for a root.
        depth: 0 for a root.
        position: 0-based order in the document.
        page_start: first page, 1-based; 0 where the format has no pages.
        page_end: last page of its own text and heading.
        term: for a definition, the defined term; else "".
    """

    eid: str
    type: str
    number: str = ""
    heading: str = ""
    label: str = ""
    text: str = ""
    parent_eid: str = ""
    depth: int = 0
    position: int = 0
    page_start: int = 0
    page_end: int = 0
    term: str = ""


@dataclass(slots=True)
class ParsedDocument:
    """A document as a tree, with the share of its words that the tree holds.

    Attributes:
        sections: nodes in reading order; every parent comes before its children.
        title: as the document gives it.
        media_type: of the bytes, as detected.
        pages: number of pages, 0 where the format has none.
        body_words: words of the body, without running heads, page numbers and contents lists.
        tree_words: how many of those are in exactly one node (heading, number or text).
        in_force_from: ISO date, "" where the document does not say.
        in_force_to: ISO date, "" where the document does not say.
        warnings: what a reader of the run should know, one sentence each.
        breaks: where its numbers do not follow each other, in reading order.
        structure: how sound the tree is, in [0, 1], see ``structure.assess``.
        faults: the places where it looks wrong, the worst first.
        grammar: the outline grammar that read it.
        chosen_because: a clause that says why that grammar.
    """

    sections: list[Section]
    title: str = ""
    media_type: str = ""
    pages: int = 0
    body_words: int = 0
    tree_words: int = 0
    in_force_from: str = ""
    in_force_to: str = ""
    warnings: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    structure: float = 0.0
    faults: list[str] = field(default_factory=list)
    grammar: str = ""
    chosen_because: str = ""

    @property
    def coverage(self) -> float:
        """Share of the body's words that are in the tree, 1.0 for an empty body."""
        return self.tree_words / self.body_words if self.body_words else 1.0
