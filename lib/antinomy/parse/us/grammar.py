"""US supervisory handbooks: their outline grammar.

Roman sections to any depth, unnumbered headings by their type, boxed summaries, bullets, procedures under the
objectives of an appendix, glossaries, footnotes. ``layout`` cuts the pages into blocks and ``headings`` tells which are
headings; here the blocks become the tree, and ``tree`` writes it down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from antinomy import section_ids
from antinomy.parse.content import Content, grammar
from antinomy.parse.in_force import in_force
from antinomy.parse.model import ParsedDocument
from antinomy.parse.outline import Outline, without_marks
from antinomy.parse.us import lists
from antinomy.parse.us.blocks import Block
from antinomy.parse.us.cover import issued, title, without_title
from antinomy.parse.us.headings import Heading, Headings
from antinomy.parse.us.layout import Layout, read_layout
from antinomy.parse.us.lists import rank
from antinomy.parse.us.tables import Row
from antinomy.parse.us.tree import Node, Writer
from antinomy.settings.source import Source
from antinomy.text.typography import LOWER

_INTRODUCES_OBJECTIVES = re.compile(r"examination objectives?", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary", re.IGNORECASE)
_ABBREVIATIONS = re.compile(r"abbreviations|acronyms", re.IGNORECASE)
_REFERENCES = re.compile(r"references|laws(?:, regulations| and guidance)", re.IGNORECASE)
_ENDNOTES = re.compile(r"endnotes|footnotes", re.IGNORECASE)
_ENDNOTE = re.compile(r"\[(\d{1,3})\]\s*(.*)")
_CAPTION = re.compile(r"Table ((?:[A-Z]-)?\d+)[.:]\s*(.*)")


@dataclass(slots=True)
class _Open:
    """An open list: its kind of marker, its left edge, the item opened last."""

    kind: str
    x: float
    node: Node


@grammar("us")
def outline_us(content: Content, source: Source) -> ParsedDocument:
    """Build the tree of a supervisory handbook.

    Args:
        content: lines of a PDF or of a text.
        source: its title, where given, names the booklet in the labels.
    """
    layout = read_layout(content)
    booklet = _Booklet(content, layout)
    document = ParsedDocument(sections=[], title=booklet.title, pages=content.pages)
    document.warnings = [*content.warnings, *layout.warnings]
    outline = Outline()
    Writer(outline, source.title or booklet.title).write(booklet.top.children, booklet.notes)
    outline.close(layout.body, document)
    stated, document.in_force_to = in_force(document.sections)
    document.in_force_from = stated or issued(content, layout)
    return document


class _Booklet:
    """The tree under construction.

    ``_stack`` holds the open headings; ``_lists`` the open lists, outermost first; ``_text`` the block of
    running text that the next list belongs to.
    """

    def __init__(self, content: Content, layout: Layout) -> None:
        self.top = Node("title")
        self.notes: list[Node] = []
        self.title = title(content, layout)
        self._layout = layout
        self._stack: list[Node] = []
        self._lists: list[_Open] = []
        self._text: Node | None = None
        self._box: Block | None = None
        self._caption: Node | None = None
        self._defined: Node | None = None
        headings = Headings(content, layout)
        blocks = self._take_front(content, headings)
        for block, following in zip(blocks, [*blocks[1:], None], strict=False):
            self._leave_box(block)
            heading = headings.read(block, following, self._listed)
            if heading is not None:
                self._open(heading, block)
            else:
                self._take(block)
        for number, lines in layout.notes:
            self._note(number.translate(LOWER), layout.text(lines), [line.page for line in lines])

    @property
    def _host(self) -> Node:
        """The part that is open."""
        return self._stack[-1] if self._stack else self.top

    @property
    def _listed(self) -> bool:
        """A box or a list of references is open: short lines are no headings there."""
        return self._box is not None or any(_REFERENCES.search(part.heading) for part in self._stack)

    def _take_front(self, content: Content, headings: Headings) -> list[Block]:
        """Make the title of the cover; return what comes after it."""
        front = [line.text for line in self._layout.front]
        blocks = self._layout.blocks
        if not front and not self._layout.listed:
            # No contents list: the short lines before the first heading that text follows.
            length = headings.front_length(blocks)
            front, blocks = [block.raw for block in blocks[:length]], blocks[length:]
        if front:
            page = 1 if content.pages else 0
            texts = without_title(front, self.title)
            cover = Node("title", heading=self.title, texts=["\n".join(texts)], page=page, page_end=page)
            self.top.add(cover)
        return blocks

    # Headings

    def _open(self, heading: Heading, block: Block) -> None:
        """Open the part that a heading heads."""
        self._close_lists()
        self._box = self._caption = self._defined = None
        while self._stack and self._stack[-1].type == "box":
            self._stack.pop()
        node = Node("heading", heading=heading.title, page=block.page, page_end=block.page_end, x=block.x)
        node.printed, node.weight, node.plain_type = heading.printed, heading.weight, heading.plain_type
        match heading.kind:
            case "box":
                node.type, node.tail = "box", heading.title
                self._box = block
            case "objective":
                self._open_objective(heading, node)
            case "plain":
                self._open_plain(heading, node)
            case _:
                self._open_numbered(heading, node)
        self._host.add(node)
        self._stack.append(node)
        if heading.kind == "objective":
            self._split_objective(node, block)

    def _open_numbered(self, heading: Heading, node: Node) -> None:
        node.type, node.number = heading.path[-1]
        node.level, node.tail = len(heading.path), heading.cited
        while self._stack and not self._encloses(self._stack[-1], heading.path):
            self._stack.pop()

    def _encloses(self, part: Node, path: Sequence[tuple[str, str]]) -> bool:
        """Tell whether an open part is one of those that a number names: II and II.C enclose II.C.5."""
        if not part.level or part.level >= len(path):
            return False
        return [(p.type, p.number) for p in self._stack if p.level] == list(path[: part.level])

    def _open_plain(self, heading: Heading, node: Node) -> None:
        node.number = heading.path[0][1] if heading.path else ""
        node.name = section_ids.slug(heading.title)
        node.tail = f"“{node.number}. {heading.title}”" if node.number else f"“{heading.title}”"
        while self._stack and not self._outranks(self._stack[-1], node):
            self._stack.pop()

    def _outranks(self, part: Node, node: Node) -> bool:
        """Tell whether an open part stays open under a plain heading."""
        if part.type == "objective":
            return node.plain_type
        if part.level:
            # A numbered part ends only at a heading that is set as large as those of the outermost parts.
            return part.level > 1 or not node.weight or part.weight > node.weight
        if node.page and abs(part.weight - node.weight) < 9 and abs(part.x - node.x) > 6:
            return part.x < node.x
        return part.weight > node.weight

    def _open_objective(self, heading: Heading, node: Node) -> None:
        while self._stack and (
            self._stack[-1].type == "objective" or _INTRODUCES_OBJECTIVES.fullmatch(self._stack[-1].heading)
        ):
            self._stack.pop()
        node.type, node.number = heading.path[0]
        node.tail = f"Objective {node.number}"
        node.heading, node.texts = "", [heading.title]

    def _split_objective(self, node: Node, block: Block) -> None:
        """Part an objective from its first procedure where both are printed as one paragraph."""
        if match := re.match(r"(.*?\w)\s+1\.\s+(?=[A-Z])(.*)", node.texts[0], re.DOTALL):
            node.texts = [match[1]]
            self._item(block, "1.", match[2])

    # Text

    def _take(self, block: Block) -> None:
        """Put a block that is no heading where it belongs."""
        text = self._layout.text(block.lines)
        if rows := block.rows or lists.markdown_rows(block):
            self._table(block, rows)
        elif caption := _CAPTION.fullmatch(text):
            self._close_lists()
            table = Node("table", caption[1], heading=caption[2], page=block.page, running=True)
            table.page_end = block.page_end
            table.tail = table.printed = f"Table {caption[1]}"
            self._caption = self._host.add(table)
        elif block.marker:
            self._item(block, block.marker, text)
        elif not self._list_entry(block, text):
            self._paragraph(block, text)

    def _list_entry(self, block: Block, text: str) -> bool:
        """Take a block of endnotes, abbreviations, glossary or references; False if it is none of these."""
        if _ENDNOTES.fullmatch(self._host.heading):
            return self._endnote(block, text)
        part = next((part.heading for part in self._stack if part.type in ("appendix", "heading")), "")
        if _ABBREVIATIONS.search(part):
            found = lists.abbreviations(block)
            for short, long, line in found:
                self._define(short, self._layout.join(long), line.page, line.page)
            return bool(found)
        if self._in_glossary() and (defined := lists.definition(text)):
            self._define(*defined, block.page, block.page_end)
            return True
        if _REFERENCES.search(part) and text and text[-1] not in ".:":
            for lines in lists.entries(block):
                self._item(Block(lines, x=block.x), "•", self._layout.text(lines))
            return True
        return False

    def _leave_box(self, block: Block) -> None:
        """Close the box where a block stands outside of it."""
        if self._box is None:
            return
        if block.page:
            left = block.x < self._box.x - 3
        else:
            # Without positions: a box is a first paragraph, others that announce a list, and one list.
            ended = bool(self._lists) and not block.marker
            left = ended or (self._text is not None and not block.marker and not block.raw.endswith(":"))
        if left:
            self._close_lists()
            self._stack.pop()
            self._box = None

    def _paragraph(self, block: Block, text: str) -> None:
        deeper = [entry for entry in self._lists if block.page and entry.x + 3 < block.x]
        if deeper:
            self._lists = deeper
            deeper[-1].node.append(text, block.page_end)
            return
        self._close_lists()
        if self._defined is not None:
            self._defined.append(text, block.page_end)
            return
        node = Node("subparagraph", texts=[text], page=block.page, page_end=block.page_end)
        self._text = self._host.add(node)

    def _item(self, block: Block, marker: str, text: str) -> None:
        """Put a list item below the block, or the item, that announces it."""
        kind = lists.kind(marker)
        levels = range(len(self._lists) - 1, -1, -1)
        at = next((n for n in levels if _continues(self._lists[n], kind, block, outermost=n == 0)), None)
        if at is None:
            # A new list stands below the open ones, unless a greater marker is as far left as theirs.
            at = len(self._lists)
            while at and self._lists[at - 1].x > block.x - 3 and rank(kind) < rank(self._lists[at - 1].kind):
                at -= 1
        del self._lists[at:]
        parent = self._lists[-1].node if self._lists else self._introduction(kind)
        node = Node("point" if kind in lists.NUMBERS else "item", texts=[text], printed=marker)
        node.page, node.page_end = block.page, block.page_end
        if node.type == "point":
            node.number = marker
        parent.add(node)
        self._lists.append(_Open(kind, block.x, node))

    def _introduction(self, kind: str) -> Node:
        """Return the node that a list begins under: the text before it, or the part itself."""
        if self._defined is not None:
            return self._defined
        while kind == "1." and self._host.plain_type and any(part.type == "objective" for part in self._stack):
            # A short heading among the procedures of an objective heads bullets, not procedures.
            self._stack.pop()
            self._text = None
        text = self._text
        if text is None or (kind == "1." and self._host.type == "objective"):
            return self._host
        return text if kind != "1." or text.texts[-1].endswith(":") else self._host

    def _close_lists(self) -> None:
        self._lists = []
        self._text = None

    # Tables, glossaries, notes

    def _table(self, block: Block, rows: list[Row]) -> None:
        if self._in_glossary():
            for term, text, row in lists.row_definitions(rows, self._layout.join):
                self._define(term, text, row.page, row.page_end)
            return
        table = self._caption
        if table is None or table.texts:
            table = self._host.add(Node("table", tail="table", page=block.page))
        table.texts = ["\n".join(" | ".join(map(self._layout.join, row.cells)) for row in rows)]
        table.page_end = block.page_end
        self._caption = None

    def _in_glossary(self) -> bool:
        return any(_GLOSSARY.search(part.heading) for part in self._stack)

    def _define(self, term: str, text: str, page: int, page_end: int) -> None:
        # A reader of web pages quotes the terms of a list of terms.
        bare = without_marks(term).strip(" “”")
        node = Node("definition", name=section_ids.slug(bare), texts=[text], page=page, page_end=page_end, term=bare)
        node.tail, node.printed = f"“{bare}”", bare
        self._defined = self._host.add(node)
        self._lists = []

    def _endnote(self, block: Block, text: str) -> bool:
        if found := _ENDNOTE.fullmatch(text):
            self._note(found[1], found[2], [block.page, block.page_end])
        elif self.notes:
            self.notes[-1].append(text, block.page_end)
        return bool(self.notes)

    def _note(self, number: str, text: str, pages: Sequence[int]) -> None:
        self.notes.append(Node("footnote", number, texts=[text], page=min(pages), page_end=max(pages)))


def _continues(entry: _Open, kind: str, block: Block, *, outermost: bool) -> bool:
    # In a text, items may stand anywhere left of the first one.
    left = not block.page and outermost and block.x < entry.x
    return entry.kind == kind and (left or abs(entry.x - block.x) <= 10)
