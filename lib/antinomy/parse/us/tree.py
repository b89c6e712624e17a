"""A handbook's tree while it grows, and how it is written down: ids, labels, texts without footnote marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from antinomy.parse import footnotes
from antinomy.parse.model import Section
from antinomy.parse.outline import Outline

#: Nodes that never take over the words of a block below them.
_LEAVES = ("subparagraph", "item", "point", "table", "definition")


@dataclass(slots=True)
class Node:
    """A node before it has its id.

    Attributes:
        name: stands for the number in the id where there is none.
        texts: its own text, block by block.
        tail: what its label adds to its parent's; of a numbered part, all after the booklet's name.
        printed: the words that print its number.
        level: of a numbered part: its depth, 1 for the outermost; else 0.
        weight: of a heading: how much its type stands out.
        plain_type: of a heading: it is known by its words alone.
        x: of a heading: its left edge.
        running: its number runs through the booklet.
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
    plain_type: bool = False
    x: float = 0.0
    running: bool = False

    def add(self, child: Node) -> Node:
        """Append a child and return it."""
        self.children.append(child)
        return child

    def append(self, text: str, page_end: int) -> None:
        """Append a block to its own text; one that begins small goes on with the sentence before."""
        if self.texts and text[:1].islower():
            self.texts[-1] += f" {text}"
        else:
            self.texts.append(text)
        self.page_end = max(self.page_end, page_end)

    def settle(self) -> None:
        """Take over the words of the only block of running text below it, if nothing stands before that."""
        blocks = [child for child in self.children if child.type == "subparagraph"]
        if len(blocks) != 1 or self.texts or (self.type in _LEAVES and not self.level):
            return
        at = self.children.index(blocks[0])
        if any(child.type in ("item", "point") and not child.level for child in self.children[:at]):
            return
        self.texts = blocks[0].texts
        self.page_end = max(self.page_end, blocks[0].page_end)
        self.children[at : at + 1] = blocks[0].children


class Writer:
    """Writes a finished tree into an outline."""

    def __init__(self, outline: Outline, booklet: str) -> None:
        """Start with an empty outline.

        Args:
            outline: where the nodes go.
            booklet: the name that every label begins with.
        """
        self._outline = outline
        self._booklet = booklet
        self._labels: dict[str, int] = {}
        #: number of a footnote → (page, label) of each place that bears its mark.
        self._marks: dict[str, list[tuple[int, str]]] = {}

    def write(self, parts: Sequence[Node], notes: Sequence[Node]) -> None:
        """Write the parts in reading order, then the footnotes."""
        for part in parts:
            self._part(part, None)
        above: Section | None = None
        last = 0
        roots = [section for section in self._outline.sections if not section.parent_eid]
        for note in notes:
            if int(note.number) <= last:
                # The numbers begin anew: in a part of its own that has its own footnotes.
                above = next((root for root in reversed(roots) if root.page_start <= note.page), None)
            last = int(note.number)
            note.running = above is None
            self._node(note, above, self._note_label(note, above))

    def _part(self, node: Node, parent: Section | None) -> None:
        node.settle()
        section = self._node(node, parent, self._label(node, parent))
        counts: dict[str, int] = {}
        tables = sum(child.type == "table" for child in node.children)
        for child in node.children:
            if child.type in ("subparagraph", "item", "table") and not (child.number or child.name):
                counts[child.type] = counts.get(child.type, 0) + 1
                child.name = "" if child.type == "table" and tables == 1 else str(counts[child.type])
            self._part(child, section)

    def _node(self, node: Node, parent: Section | None, label: str) -> Section:
        self._labels[label] = self._labels.get(label, 0) + 1
        if self._labels[label] > 1:
            label = f"{label} ({self._labels[label]})"
        return self._outline.add(
            node.type,
            parent,
            number=node.number,
            heading=self._clean(node.heading, node, label),
            label=label,
            text=self._clean("\n".join(text for text in node.texts if text), node, label),
            term=node.term,
            name=node.name,
            running=node.running,
            page=node.page,
            page_end=node.page_end,
            printed=node.printed or node.number,
        )

    def _clean(self, text: str, node: Node, label: str) -> str:
        """Take footnote marks out of a text and note whose they were."""
        if node.type != "footnote":
            for mark in footnotes.marks(text):
                self._marks.setdefault(mark, []).append((node.page, label))
        return re.sub("  +", " ", footnotes.clean(text))

    def _label(self, node: Node, parent: Section | None) -> str:
        """Write how an examiner cites a node."""
        above = parent.label if parent is not None else self._booklet
        if node.level or (node.running and node.number):
            return f"{self._booklet}, {node.tail}"
        kind = parent.type if parent is not None else ""
        match node.type:
            case "title":
                return self._booklet
            case "subparagraph":
                return f"{above}, paragraph {node.name}"
            case "item":
                return f"{above}.{node.name}" if kind == "item" else f"{above}, item {node.name}"
            case "point":
                bare = node.number.strip("().")
                if kind == "point":
                    return f"{above}({bare})" if node.number.startswith("(") else f"{above}.{bare}"
                return f"{above}, {'Procedure' if kind in ('objective', 'appendix') else 'point'} {bare}"
        return f"{above}, {node.tail}"

    def _note_label(self, note: Node, above: Section | None) -> str:
        label = f"{above.label if above else self._booklet}, footnote {note.number}"
        marks = self._marks.get(note.number, [])
        # Where numbers begin anew, the mark next before the note is the one meant.
        near = [mark for mark in marks if mark[0] <= note.page][-1:] if above else marks[:1]
        return f"{label} to {near[0][1].removeprefix(f'{self._booklet}, ')}" if near else label
