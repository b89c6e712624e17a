"""US supervisory handbooks: their outline grammar.

Roman sections to any depth, unnumbered headings by their type, boxed summaries, bullets, procedures under the
objectives of an appendix, glossaries, footnotes. ``us_layout`` cuts the pages into blocks and ``us_headings`` tells
which are headings; here the blocks become the tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from antinomy import eid
from antinomy.parse.content import Content, grammar
from antinomy.parse.model import ParsedDocument, Section, Source
from antinomy.parse.outline import Outline, without_marks
from antinomy.parse.us_headings import Heading, Headings
from antinomy.parse.us_layout import Block, Layout, read_layout

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_DATE = re.compile(rf"\b({'|'.join(_MONTHS)})\s+(\d{{4}})\b", re.IGNORECASE)
#: What a list marker can be; bullets of another shape are other lists.
_NUMBER_KINDS = ("1.", "a.", "(1)", "(a)")
_MARKS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_INTRODUCES_OBJECTIVES = re.compile(r"examination objectives?", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary", re.IGNORECASE)
_ABBREVIATIONS = re.compile(r"abbreviations|acronyms", re.IGNORECASE)
_REFERENCES = re.compile(r"references|laws, regulations", re.IGNORECASE)
_ENDNOTES = re.compile(r"endnotes|footnotes", re.IGNORECASE)
_ENDNOTE = re.compile(r"\[(\d{1,3})\]\s*(.*)")
_TERM = (re.compile(r"([^:.]{2,90}?)\s*:\s+(.+)", re.DOTALL), re.compile(r"(.{2,90}?)\s+[-–—]\s+(.+)", re.DOTALL))
_CAPTION = re.compile(r"Table (\d+)[.:]\s*(.*)")


@dataclass(slots=True)
class Node:
    """A node before it has its id: what the tree is built of while it is still open.

    Attributes:
        texts: its own text, block by block.
        level: of a heading: its depth if numbered; else 0 and ``weight`` places it.
        tail: what its label adds to its parent's.
    """

    type: str
    number: str = ""
    name: str = ""
    heading: str = ""
    texts: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    page: int = 0
    page_end: int = 0
    term: str = ""
    tail: str = ""
    printed: str = ""
    level: int = 0
    weight: float = 0.0
    running: bool = False

    def add(self, child: Node) -> Node:
        """Append a child and return it."""
        self.children.append(child)
        return child


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
    document = ParsedDocument(sections=[], pages=content.pages, warnings=[*content.warnings, *layout.warnings])
    document.title = booklet.title
    document.in_force_from = _issued(content, layout)
    outline = Outline()
    _Writer(outline, source.title or booklet.title).write(booklet)
    return outline.close(layout.body, document)


class _Booklet:
    """The tree under construction.

    ``_stack`` holds the open headings; ``_lists`` the open lists, outermost first; ``_text`` the block of running
    text that the next list belongs to.
    """

    def __init__(self, content: Content, layout: Layout) -> None:
        self.top = Node("title")
        self.notes: list[Node] = []
        self.title = _title(content, layout)
        self._layout = layout
        self._stack: list[Node] = []
        self._lists: list[_Open] = []
        self._text: Node | None = None
        self._box: Block | None = None
        self._caption: Node | None = None
        self._defined: Node | None = None
        headings = Headings(content, layout)
        blocks = self._take_front(content, layout, headings)
        for at, block in enumerate(blocks):
            following = blocks[at + 1] if at + 1 < len(blocks) else None
            self._leave_box(block)
            heading = headings.read(block, following, self._listed)
            if heading is not None:
                self._open(heading, block)
            else:
                self._take(block)
        for note in layout.notes:
            pages = [line.page for line in note.lines] or [0]
            self._note(note.number.translate(_PLAIN), layout.text(note.lines), pages)

    @property
    def _host(self) -> Node:
        """The part that is open."""
        return self._stack[-1] if self._stack else self.top

    @property
    def _listed(self) -> bool:
        """A box or a list of references is open: short lines are no headings there."""
        return self._box is not None or any(_REFERENCES.search(part.heading) for part in self._stack)

    def _take_front(self, content: Content, layout: Layout, headings: Headings) -> list[Block]:
        """Make the title of the cover; return what comes after it."""
        front = [line.text for line in layout.front]
        blocks = layout.blocks
        if not front and not layout.listed:
            # No contents list: the short lines before the first heading that text follows.
            length = headings.front_length(blocks)
            front, blocks = [block.raw for block in blocks[:length]], blocks[length:]
        if front:
            page = 1 if content.pages else 0
            title = self.top.add(Node("title", heading=self.title, page=page, page_end=page))
            title.texts = without_title(front, self.title)
        return blocks

    # Headings

    def _open(self, heading: Heading, block: Block) -> None:
        """Open the part that a heading heads."""
        self._close_lists()
        self._box = self._caption = self._defined = None
        while self._stack and self._stack[-1].type == "box":
            self._stack.pop()
        node = Node("heading", heading=heading.title, page=block.page, page_end=block.page_end)
        node.printed, node.weight = heading.printed, heading.weight
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
        node.level = len(heading.path)
        while self._stack and not self._encloses(self._stack[-1], heading.path):
            self._stack.pop()
        numbers = [number for _, number in heading.path]
        if heading.kind == "appendix":
            node.tail = f"Appendix {numbers[0]}"
        else:
            within = f"Appendix {numbers[0]}." if heading.kind == "within" else "Section "
            printed = numbers[1:] if heading.kind == "within" else numbers
            last = f"({printed.pop()})" if len(printed) == 4 or (heading.kind == "within" and len(printed) == 3) else ""
            node.tail = f"{within}{'.'.join(printed)}{last}"

    def _encloses(self, open_part: Node, path: Sequence[tuple[str, str]]) -> bool:
        """Tell whether an open part is one of those that a number names: II and II.C enclose II.C.5."""
        depth = open_part.level
        if not depth or depth >= len(path):
            return False
        chain = [(part.type, part.number) for part in self._stack if part.level]
        return chain == list(path[:depth])

    def _open_plain(self, heading: Heading, node: Node) -> None:
        node.number = heading.path[0][1] if heading.path else ""
        node.name = eid.slug(heading.title)
        node.tail = node.number or f"“{heading.title}”"
        while self._stack and not self._outranks(self._stack[-1], node.weight):
            self._stack.pop()

    def _outranks(self, open_part: Node, weight: float) -> bool:
        """Tell whether a part stays open under a plain heading of this weight."""
        if open_part.type == "objective":
            return weight % 10 == 9
        if open_part.level:
            # A numbered part ends only at a heading that is set as large as those of the outermost parts.
            return open_part.level > 1 or not weight or open_part.weight > weight
        return open_part.weight > weight

    def _open_objective(self, heading: Heading, node: Node) -> None:
        while self._stack and (
            self._stack[-1].type == "objective" or _INTRODUCES_OBJECTIVES.fullmatch(self._stack[-1].heading)
        ):
            self._stack.pop()
        number = heading.path[0][1]
        node.type, node.number, node.tail = "objective", number, f"Objective {number}"
        node.heading, node.texts = "", [heading.title]

    def _split_objective(self, node: Node, block: Block) -> None:
        """Part an objective from its first procedure where both are printed as one paragraph."""
        if match := re.match(r"(.*?\w)\s+1\.\s+(?=[A-Z])(.*)", node.texts[0], re.DOTALL):
            node.texts = [match[1]]
            self._item(block, "1.", match[2])

    # Text

    def _take(self, block: Block) -> None:
        """Put a block that is no heading where it belongs."""
        appendix = next((part for part in self._stack if part.type in ("appendix", "heading")), None)
        title = appendix.heading if appendix is not None else ""
        text = self._layout.text(block.lines)
        if rows := block.rows or _markdown_rows(block):
            self._table(block, rows, glossary=bool(_GLOSSARY.search(title)))
        elif match := _CAPTION.fullmatch(text):
            self._close_lists()
            self._caption = self._host.add(Node("table", f"{match[1]}", heading=match[2], running=True))
            self._caption.page, self._caption.page_end = block.page, block.page_end
            self._caption.tail, self._caption.printed = f"Table {match[1]}", f"Table {match[1]}"
        elif _ENDNOTES.fullmatch(self._host.heading) and self._endnote(block, text):
            pass
        elif _ABBREVIATIONS.search(title) and self._abbreviations(block):
            pass
        elif _GLOSSARY.search(title) and not block.marker and self._definition(text, block):
            pass
        elif _REFERENCES.search(title) and not block.marker and text[-1] not in ".:":
            for lines in _entries(block):
                self._item(Block(lines, x=block.x), "•", self._layout.text(lines))
        elif block.marker:
            self._item(block, block.marker, text)
        else:
            self._paragraph(block, text)

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
            _append(deeper[-1].node, text, block)
            return
        self._close_lists()
        if self._defined is not None:
            _append(self._defined, text, block)
            return
        self._text = self._host.add(Node("subparagraph", texts=[text], page=block.page, page_end=block.page_end))

    def _item(self, block: Block, marker: str, text: str) -> None:
        """Put a list item below the block, or the item, that announces it."""
        kind = _kind(marker)
        at = next((k for k in range(len(self._lists) - 1, -1, -1) if self._continues(self._lists[k], kind, block)), None)
        if at is None:
            # A marker further left than the lists that are open ends them, unless it is of a lesser kind.
            at = len(self._lists)
            while at and block.page and self._lists[at - 1].x > block.x + 3 and kind in ("•", "1."):
                at -= 1
        del self._lists[at:]
        parent = self._lists[-1].node if self._lists else self._introduction(kind)
        node = Node("item" if kind not in _NUMBER_KINDS else "point", texts=[text] if text else [])
        node.page, node.page_end = block.page, block.page_end
        if node.type == "point":
            node.number, node.tail = marker, marker
        node.printed = marker
        parent.add(node)
        self._lists.append(_Open(kind, block.x, node))

    def _continues(self, entry: _Open, kind: str, block: Block) -> bool:
        return entry.kind == kind and (not block.page or not entry.x or abs(entry.x - block.x) <= 10)

    def _introduction(self, kind: str) -> Node:
        """Return the node that a list begins under: the text before it, or the part itself."""
        if self._defined is not None:
            return self._defined
        text = self._text
        if text is None or (kind == "1." and (self._host.type == "objective" or not text.texts[-1].endswith(":"))):
            return self._host
        return text

    def _close_lists(self) -> None:
        self._lists = []
        self._text = None

    # Tables, glossaries, references, notes

    def _table(self, block: Block, rows: Sequence[Sequence[Sequence[str]]], glossary: bool) -> None:
        cells = [[self._layout.join(cell) for cell in row] for row in rows]
        if glossary:
            self._define_rows(block, cells)
            return
        table = self._caption
        if table is None or table.texts:
            table = self._host.add(Node("table", tail="table", page=block.page))
        table.texts = ["\n".join(" | ".join(row) for row in cells)]
        table.page_end = block.page_end
        self._caption = None

    def _define_rows(self, block: Block, rows: Sequence[Sequence[str]]) -> None:
        """Make definitions of a glossary's rows: term, definition, and the source where there is a third column."""
        pages = iter(range(block.page, block.page_end + 1))
        del pages
        term = ""
        for row in rows:
            if row[0].lower() in ("term", "terms") and len(row[0]) + len(row[1]) < 30:
                continue
            term = row[0] or term
            source = f"\nSource: {row[2]}" if len(row) > 2 and row[2] else ""
            self._define(term, f"{row[1]}{source}", block)

    def _define(self, term: str, text: str, block: Block) -> None:
        bare = without_marks(term).strip()
        node = Node("definition", name=eid.slug(bare), term=bare, texts=[text], tail=f"“{bare}”", printed=bare)
        node.page, node.page_end = block.page, block.page_end
        self._defined = self._host.add(node)
        self._lists = []

    def _definition(self, text: str, block: Block) -> bool:
        """Make a definition of a glossary's paragraph; False if it is none."""
        found = [match for pattern in _TERM if (match := pattern.fullmatch(text))]
        if not found:
            return False
        first = min(found, key=lambda match: match.end(1))
        self._define(first[1], first[2], block)
        return True

    def _abbreviations(self, block: Block) -> bool:
        """Make definitions of a list of abbreviations in two columns; False if it is none."""
        edges = [x for line in block.lines for _, x in line.stops]
        if 2 * len(edges) < len(block.lines):
            return False
        for line in block.lines:
            if line.stops:
                offset = line.stops[0][0]
                self._define(line.text[:offset].strip(), line.text[offset:].strip(), block)
            elif self._defined is not None and line.x > edges[0] - 9:
                self._defined.texts[-1] += f" {line.text}"
            else:
                self._paragraph(block, line.text)
        return True

    def _endnote(self, block: Block, text: str) -> bool:
        if match := _ENDNOTE.fullmatch(text):
            self._note(match[1], match[2], [block.page, block.page_end])
            return True
        if self.notes:
            self.notes[-1].texts.append(text)
            self.notes[-1].page_end = block.page_end
        return bool(self.notes)

    def _note(self, number: str, text: str, pages: Sequence[int]) -> None:
        note = Node("footnote", number, texts=[text], page=min(pages), page_end=max(pages), running=True)
        self.notes.append(note)


class _Writer:
    """Writes the finished tree: ids, labels, texts without footnote marks."""

    def __init__(self, outline: Outline, booklet: str) -> None:
        self._outline = outline
        self._booklet = booklet
        self._marked: dict[str, str] = {}

    def write(self, booklet: _Booklet) -> None:
        """Write the parts in reading order, then the footnotes."""
        for part in booklet.top.children:
            self._part(part, None, self._booklet)
        for note in booklet.notes:
            where = self._marked.get(note.number, "")
            label = f"{self._booklet}, footnote {note.number}"
            if where:
                label += f" to {where.removeprefix(self._booklet + ', ')}"
            self._node(note, None, label)

    def _part(self, node: Node, parent: Section | None, above: str) -> None:
        if node.type not in ("subparagraph", "item", "point", "table", "definition") or node.level:
            _settle(node)
        label = _label(node, parent, above, self._booklet)
        section = self._node(node, parent, label)
        counts: dict[str, int] = {}
        for child in node.children:
            if child.type in ("subparagraph", "item", "table") and not (child.number or child.name):
                counts[child.type] = counts.get(child.type, 0) + 1
                alone = child.type == "table" and sum(c.type == "table" for c in node.children) == 1
                child.name = "" if alone else str(counts[child.type])
            self._part(child, section, label)

    def _node(self, node: Node, parent: Section | None, label: str) -> Section:
        section = self._outline.add(
            node.type, parent, number=node.number, heading=self._clean(node.heading, label), label=label,
            text=self._clean("\n".join(text for text in node.texts if text), label), term=node.term, name=node.name,
            running=node.running, page=node.page, page_end=node.page_end, printed=node.printed or node.number,
        )  # fmt: skip
        return section

    def _clean(self, text: str, label: str) -> str:
        """Take footnote marks out of a text and note whose they were."""
        for mark in _MARKS.findall(text):
            self._marked.setdefault(mark.translate(_PLAIN), label)
        return without_marks(text)


def _settle(part: Node) -> None:
    """Give a part the words of its only block of running text as its own."""
    blocks = [child for child in part.children if child.type == "subparagraph"]
    if len(blocks) != 1 or part.texts:
        return
    at = part.children.index(blocks[0])
    if any(child.type in ("item", "point") for child in part.children[:at]):
        return
    part.texts = blocks[0].texts
    part.page_end = max(part.page_end, blocks[0].page_end)
    part.children[at : at + 1] = blocks[0].children


def _label(node: Node, parent: Section | None, above: str, booklet: str) -> str:
    """Write how an examiner cites a node."""
    match node.type:
        case "title":
            return booklet
        case "subparagraph":
            return f"{above}, paragraph {node.name}"
        case "item":
            nested = parent is not None and parent.type == "item"
            return f"{above}.{node.name}" if nested else f"{above}, item {node.name}"
        case "point" if not node.level:
            bare = node.number.strip("().")
            if parent is not None and parent.type == "point":
                return f"{above}({bare})" if node.number.startswith("(") else f"{above}.{bare}"
            procedure = parent is not None and parent.type in ("objective", "appendix")
            return f"{above}, {'Procedure' if procedure else 'point'} {bare}"
    if node.level or (node.running and node.number):
        return f"{booklet}, {node.tail}"
    return f"{above}, {node.tail}"


def _append(node: Node, text: str, block: Block) -> None:
    if node.texts and text[:1].islower():
        node.texts[-1] += f" {text}"
    else:
        node.texts.append(text)
    node.page_end = max(node.page_end, block.page_end)


def _kind(marker: str) -> str:
    """Name the kind of a list marker: its shape if it is a bullet."""
    bare = marker.strip("().")
    if not bare.isalnum() or marker in ("o", "O"):
        return marker
    style = "(1)" if marker.startswith("(") else "1."
    return style if bare.isdecimal() else style.replace("1", "a")


def _entries(block: Block) -> list[list]:
    """Cut a list of references, set with hanging indents or a line each, into its entries."""
    found: list[list] = []
    hanging = any(line.x > block.x + 3 for line in block.lines)
    for line in block.lines:
        ended = hanging or bool(re.search(r"[”\").’]\W*$", found[-1][-1].text if found else ""))
        if not found or (line.x <= block.x + 3 and ended):
            found.append([line])
        else:
            found[-1].append(line)
    return found


def _markdown_rows(block: Block) -> list[list[list[str]]]:
    """Read a Markdown table."""
    if not all(line.text.startswith("|") for line in block.lines):
        return []
    rows = [line.text.strip("| ").split("|") for line in block.lines]
    return [[[cell.strip()] for cell in row] for row in rows if re.search(r"\w", "".join(row))]


def without_title(front: Sequence[str], title: str) -> list[str]:
    """Return the cover's lines without those that print the title."""
    rest = list(front)
    for start in range(len(rest)):
        for end in range(len(rest), start, -1):
            if " ".join(rest[start:end]).lower() == title.lower():
                return rest[:start] + rest[end:]
    return rest


def _title(content: Content, layout: Layout) -> str:
    """Find the booklet's name: in its running heads, else on its cover."""
    heads: dict[str, int] = {}
    for line in content.furniture:
        name = re.sub(r"^.*\bHandbook\b\W*|\s*\bBooklet$", "", line.text)
        if name and not re.search(r"\d", name) and len(_letters(name)) > 3:
            heads[name] = heads.get(name, 0) + 1
    if heads:
        name, count = max(heads.items(), key=lambda head: head[1])
        if 3 * count >= content.pages:
            return name
    front = [line for line in layout.front if not _DATE.search(line.text)] or layout.blocks[:1] and layout.blocks[0].lines
    if front:
        size = max(line.size for line in front)
        printed = " ".join(line.text for line in front if line.size == size) if size else front[0].text
        if len(printed) > 5:
            return printed
    return content.title


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalpha())


def _issued(content: Content, layout: Layout) -> str:
    """Read the month that the booklet bears on its cover or at the foot of its pages."""
    printed = [line.text for line in layout.front] or [block.raw for block in layout.blocks[:6] if len(block.raw) < 60]
    feet = [line.text for line in content.furniture]
    for text in (*printed, *(feet if content.pages else ())):
        if match := _DATE.search(text):
            return f"{match[2]}-{_MONTHS.index(match[1].lower()) + 1:02}-01"
    return ""
