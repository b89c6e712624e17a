"""The nodes of a numbered text before they have ids, and the rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_uppercase

from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Mark
from antinomy.parse.named_labels import PARAGRAPHS, PROVISIONS
from antinomy.parse.numbered.beside import BESIDE
from antinomy.parse.numbered.costs import TEXT
from antinomy.parse.ordinals import breaks

#: The heads of a table of terms.
_TERM_HEAD = re.compile(r"(?:\(\d\) )?(?:defined )?(?:term|expression|word|definition)s?(?: used)?", re.IGNORECASE)
_MEANING_HEAD = re.compile(r"(?:\(\d\) )?(?:meaning|definition|interpretation|explanation)s?", re.IGNORECASE)
#: Where an item of a list begins that runs on in one paragraph.
_ITEM = re.compile(r"(?:(?<=[:;])|(?<=[;,] or)|(?<=[;,] and))\s(?=\(\w{1,4}\)\s)")
_MEANS = re.compile(r"(?:means?|denotes?|refers? to|has the (?:same )?meaning)\b")
_RULE = re.compile(r"^\|[\s|:-]+\|$")
#: So many rows with a number each are no chance.
_ROWS = 3
#: What a cell of a table cites with its number, and is no row's.
_CITED = PROVISIONS | PARAGRAPHS - {"§"} | {"sec", "chapter"}
#: A term has no more.
_MOST_WORDS = 8


@dataclass(slots=True, eq=False)
class Node:
    """A node before it has its id.

    Attributes:
        kind: ``root``, ``heading``, ``numbered``, ``block`` (a paragraph without a number), ``table``, ``row``,
            ``conclusions`` or ``note``.
        mark: its printed label, if it has one.
        rank: of text set as a heading; else ``TEXT``.
        level: of its label or heading; what an open node holds has greater ones.
        printed: the numbers of open provisions that are printed in front of it once more.
        x: left edge.
        hang: left edge of the lines below its number, if they are set further right.
        type: its section type, once known.
        term: for a definition, the defined term.
        counts: of the root, whether the text cites the paragraphs of its articles by their order.
        lead: of an entry of a glossary, the length of the words at its beginning that are set apart by their type.
    """

    kind: str = "root"
    mark: Mark | None = None
    heading: str = ""
    texts: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    rank: float = TEXT
    level: int = 0
    page: int = 0
    page_end: int = 0
    x: float = 0.0
    hang: float = 0.0
    printed: str = ""
    type: str = ""
    term: str = ""
    counts: bool = False
    lead: int = 0

    def add(self, child: Node) -> None:
        """Append a child."""
        child.parent = self
        self.children.append(child)

    def lift(self) -> Node:
        """Put the children of the first child in its place, and return it."""
        first = self.children[0]
        self.children[0:1] = first.children
        for child in first.children:
            child.parent = self
        return first

    def append(self, text: str, page_end: int) -> None:
        """Append a block to its own text; a lower-case beginning continues the sentence before."""
        if self.texts and text[:1].islower() and self.texts[-1][-1:] not in ".;:":
            self.texts[-1] += f" {text}"
        else:
            self.texts.append(text)
        self.page_end = max(self.page_end, page_end)

    def settle(self) -> None:
        """Merge the only unnumbered paragraph below a heading, but for notes, into the heading's node, everywhere."""
        for node in [self, *self.walk()]:
            blocks = [child for child in node.children if child.kind == "block"]
            blocks = [block for block in blocks if not BESIDE.match(block.texts[0])] or blocks
            if len(blocks) == 1 and node.children[0] is blocks[0] and not node.texts:
                block = blocks[0]
                node.texts, node.page_end = block.texts, max(node.page_end, block.page_end)
                node.children[:1] = block.children
                for child in block.children:
                    child.parent = node

    def walk(self) -> Iterator[Node]:
        """Yield all nodes below, in reading order."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def caption_apart(lines: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Part the caption of a table, a first row of one cell above the heads of several columns, from its lines."""
    rows = [line for line in lines if not _RULE.match(line)]
    captioned = len(rows) > 2 and rows[0].count("|") == 2 < rows[1].count("|")
    return (rows[0].strip("| \t"), rows[1:]) if captioned else ("", lines)


def table_rows(lines: Sequence[str], read_list: Callable[[Sequence[str]], Node]) -> list[Node]:
    """Make a node of each row of a table; its text names each cell's column.

    Args:
        lines: of the table; the items of a list in a cell are on lines of their own.
        read_list: reads these lines into a tree.

    Returns:
        The rows; below a row of one cell, which is their heading, those that follow.
    """
    rows = [
        [cell.strip(" \t") for cell in line.removeprefix("|").removesuffix("|").split("|")]
        for at, line in enumerate(lines)
        if not (at and _RULE.match(line))
    ]
    if not rows:
        return []
    heads = rows[0]
    found: list[Node] = []
    if all(len(row) == 2 for row in rows):
        headed = bool(_TERM_HEAD.fullmatch(heads[0]) and _MEANING_HEAD.fullmatch(heads[1]))
        if headed or _are_terms(rows):
            return [_row([(term, _items_apart(meaning))], read_list, lead=len(term)) for term, meaning in rows[headed:]]
        if len(rows) > 1 and not any(heads) and all(_MEANS.match(meaning) for _, meaning in rows[1:]):
            return [Node(kind="row", texts=[f"{term} {meaning}"], lead=len(term)) for term, meaning in rows[1:]]
        if all(name.endswith(":") for name, _ in rows):
            # "Issued: | 4 May 2031": each row is about another matter, and the first names no columns.
            return [_row([("", name), ("", words)], read_list) for name, words in rows]
    if len(rows) > _ROWS and "".join(row[0] for row in rows[1:]) == ascii_uppercase[: len(rows) - 1]:
        # "A", "B", "C": single letters count where they stand in their order.
        rows = [heads, *([f"{letter}.", *rest] for letter, *rest in rows[1:])]
    column = _number_column([row for row in rows[1:] if len(row) > 1])
    # Of letters alone, "MD", one row or another may look like a number.
    numbered = [row for row in rows[1:] if column is not None and len(row) > column and leading_labels(row[column])]
    counted = len(rows) > 1 and 2 * len(numbered) >= len(rows) - 1
    if column is not None and counted and _is_before(heads, numbered[0], column):
        # The first row is counted with the others: the table has no heads.
        heads = [""] * len(heads)
        rows.insert(0, heads)
    group: Node | None = None
    for cells in rows[1:] or rows:
        if len(cells) == 1 < len(heads):
            group = Node(kind="heading", heading=cells[0])
            found.append(group)
            continue
        mark, printed = None, ""
        if column is not None and counted and (mark := _number_of_row(cells, column)):
            cells[column] = cells[column][mark.end :].strip()
            printed = "" if found or cells[column] else heads[column]
        names = [*heads, *[""] * len(cells)] if len(rows) > 1 else [""] * len(cells)
        node = _row([(name, cell) for name, cell in zip(names, cells, strict=False) if cell], read_list)
        node.mark, node.printed = mark, printed
        if group is None:
            found.append(node)
        else:
            group.add(node)
    return found


def _is_before(row: Sequence[str], other: Sequence[str], column: int) -> bool:
    """Tell whether a row has the number before that of another."""
    cells = [one[column] if len(one) > column else "" for one in (row, other)]
    numbers = [found[0].number for cell in cells if len(found := leading_labels(cell)) == 1]
    return len(numbers) == len(cells) and all(number[:1].isdigit() for number in numbers) and not breaks(numbers)


def _number_of_row(cells: Sequence[str], column: int) -> Mark | None:
    """Return the label of a row in a column of numbers; "Regulation 7", "Chapter 3", "§§ 5-7" in a cell cite."""
    cell = cells[column] if len(cells) > max(1, column) else ""
    # By itself "I" is a word; above II it is a number.
    marks = leading_labels("I." if cell == "I" else cell)
    if len(marks) != 1 or marks[0].keyword in _CITED or marks[0].printed.startswith("§"):
        return None
    if marks[0].is_rule and marks[0].style[0].isupper():
        # "LAMP 2.3.4R" cites the rule.
        return None
    return marks[0] if column or marks[0].end >= len(cell) else None


def _are_terms(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a table without heads sets terms beside their meanings, which go on in lower case."""
    small = sum(meaning[:1].islower() for _, meaning in rows)
    terms = all(0 < len(term.split()) <= _MOST_WORDS and not leading_labels(term) for term, _ in rows)
    return len(rows) >= _ROWS and terms and rows[0][1][:1].islower() and 4 * small >= 3 * len(rows)


def _items_apart(meaning: str) -> str:
    """Put the items of a list in the meaning of a term ("any of: (a) …; or (b) …") on lines of their own."""
    first, *items = _ITEM.split(meaning)
    marks = [mark for item in items for mark in leading_labels(item)[:1]]
    counted = first.endswith(":") and len(marks) == len(items) and not breaks([mark.number for mark in marks])
    return "\n".join([first, *items]) if counted else meaning


def _row(cells: Sequence[tuple[str, str]], read_list: Callable[[Sequence[str]], Node], lead: int = 0) -> Node:
    """Make a row of the names of its columns and their words; the first with a list comes last, above its items."""
    listed = next((named for named in cells if "\n" in named[1]), None)
    items: list[str] = []
    parts: list[str] = []
    for named in sorted(cells, key=lambda named: named is listed):
        words, *items = named[1].split("\n") if named is listed else [" ".join(named[1].split("\n"))]
        parts.append(f"{named[0].rstrip(':')}: {words.strip()}".rstrip() if named[0] else words)
    below = read_list(items)
    node = Node(kind="row", texts=["; ".join(filter(None, parts)), *below.texts], lead=lead)
    for child in below.children:
        node.add(child)
    return node


def _number_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column whose cells begin with the numbers of the rows: the first, or one with a number for each.

    One that holds nothing but numbers in no order, or the same again and again ("3.1 | the standard that it meets"),
    names provisions that stand elsewhere. Bare numbers most of which do
    not follow the one before are codes, of accounts or errors: None.
    """
    for column in range(1, min(map(len, rows), default=0)):
        marks = [
            found[0] for row in rows if len(found := leading_labels(row[column])) == 1 and found[0].style != "bullet"
        ]
        numbers = {mark.number for mark in marks if mark.firm >= 1}
        alone = all(mark.end >= len(row[column]) for mark, row in zip(marks, rows, strict=False))
        if len(rows) >= _ROWS and len(numbers) == len(rows) and (not alone or _in_order(marks)):
            return column
    first = [found[0] for row in rows if len(found := leading_labels(row[0])) == 1]
    bare = [mark.number for mark in first if mark.style == "#"]
    again = len(first) - len({mark.number for mark in first})
    return None if 2 * len(breaks(bare)) >= len(bare) > 1 or (again > 1 and 4 * again >= len(first)) else 0


def _in_order(marks: Sequence[Mark]) -> bool:
    """Tell whether numbers of one length follow one another, and those of chapters before their last stop rise."""
    for one, other in pairwise(mark.path for mark in marks):
        before, after = next(((a, b) for a, b in zip(one, other, strict=False) if a != b), ("", ""))
        falls = before.isdecimal() and after.isdecimal() and int(after) < int(before)
        if len(one) != len(other) or falls or (one[:-1] == other[:-1] and breaks([before, after])):
            return False
    return True
