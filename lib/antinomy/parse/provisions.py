"""Atoms of a law → its tree, with the ids and labels of every law that is no EU act and no handbook.

Parts nest as their atoms say. A provision (section, article, rule) is numbered through the law and holds paragraphs,
these hold points; what a law calls them ("subsection (a)", "clause (i)") is the citing grammar's concern.
"""

from __future__ import annotations

import re

from antinomy import eid
from antinomy.parse.content import Atom, Content
from antinomy.parse.model import ParsedDocument, Section, Source
from antinomy.parse.outline import Outline, without_marks
from antinomy.parse.stated import DIVISIONS

#: Provisions, numbered through the law.
_RUNNING = frozenset({"section", "article", "rule"})
#: What stands behind the law's body, with a numbering of its own.
_ROOTS = frozenset({"annex", "schedule", "appendix"})
_WORDS = {"subpart": "Subpart", "section": "Section", "group": ""}
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_OF_PART = re.compile(r"\bto\s+(?:sub)?part\s+([\w.]+)", re.IGNORECASE)


def outline_stated(content: Content, source: Source) -> ParsedDocument:
    """Build the tree of a law whose format states the roles of its pieces.

    Args:
        content: with atoms.
        source: its title, where given, is the document's.
    """
    tree = _Law()
    for atom in content.atoms:
        tree.take(atom)
    document = ParsedDocument(sections=[], pages=content.pages, warnings=list(content.warnings))
    tree.outline.close((line.text for line in content.lines), document)
    document.title = source.title or tree.title or content.title
    return document


class _Law:
    """The tree of a law under construction.

    ``_parts`` are the open parts, outermost first, with their depths; ``_open[k]`` is the node under which labels of
    level k go: the provision, its paragraph, a point.
    """

    def __init__(self) -> None:
        self.outline = Outline()
        self.title = ""
        self._preamble: Section | None = None
        self._parts: list[tuple[int, Section]] = []
        self._open: list[Section] = []
        self._last: Section | None = None
        self._blocks: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def take(self, atom: Atom) -> None:
        """Put the next piece where it belongs."""
        if atom.type in DIVISIONS and (atom.type, atom.number) != ("title", ""):
            self._part(atom)
            return
        match atom.type:
            case "title":
                self.title = atom.text
                self._last = self.outline.add("title", heading=atom.text, label="Title")
            case "preamble" | "citation" | "recital":
                self._preface(atom)
            case "heading":
                self._heading(atom)
            case "point" | "paragraph":
                self._label(atom)
            case "table":
                self._table(atom)
            case "footnote":
                number = atom.number.translate(_PLAIN)
                text = without_marks(atom.text)
                self.outline.add("footnote", number=number, label=f"Footnote {number}", text=text, running=True)
            case "conclusions":
                self._last = self.outline.add("conclusions", label="Conclusions", text=atom.text)
                self._parts, self._open = [], [self._last]
            case _:
                self._text(atom)

    def _part(self, atom: Atom) -> None:
        while self._parts and self._parts[-1][0] >= atom.level:
            self._parts.pop()
        parent = self._parts[-1][1] if self._parts else None
        if atom.type in _ROOTS:
            parent = self._part_named(atom.printed)
        if atom.type == "group":
            section = self._add("heading", parent, Atom("heading"), heading=atom.text, name=eid.slug(atom.text))
            section.label = f"{parent.label}, {atom.text}" if parent else atom.text
        else:
            inside = parent is not None and self._is_behind(parent)
            running = atom.type in _ROOTS or (atom.type in _RUNNING and not inside)
            section = self._add(atom.type, parent, atom, running=running)
            own = self._printed(atom)
            prefixed = parent is not None and (inside or atom.type not in _RUNNING | _ROOTS)
            section.label = f"{parent.label}, {own}" if prefixed and parent else own
        self._parts.append((atom.level, section))
        self._open = [section]

    def _part_named(self, printed: str) -> Section | None:
        """Find the open part that an appendix says it belongs to; None for one of the whole law."""
        named = _OF_PART.search(printed)
        found = (part for _, part in self._parts if named and part.number == named[1].rstrip("."))
        return next(found, None)

    def _is_behind(self, section: Section) -> bool:
        """Tell whether a part is an annex, schedule or appendix, or within one."""
        by_eid = {part.eid: part for _, part in self._parts}
        while section.type not in _ROOTS and section.parent_eid in by_eid:
            section = by_eid[section.parent_eid]
        return section.type in _ROOTS

    def _printed(self, atom: Atom) -> str:
        """Write a part's number the way it is cited: "§ 30.1", "Section 900.3", "Subpart A"."""
        head = re.match(r"(?:§+|[^\W\d_]+\.?)", atom.printed)
        word = head[0] if head and not head[0].isupper() else atom.type.capitalize()
        word = "§" if word.startswith("§") else word.capitalize()
        return f"{word} {atom.number}".strip()

    def _heading(self, atom: Atom) -> None:
        target = self._open[-1] if self._open else None
        if target is not None and target is self._last and not target.text and not self._blocks.get(target.eid):
            target.heading = f"{target.heading} {without_marks(atom.text)}".strip()
            return
        parent = self._parts[-1][1] if self._parts else None
        section = self._add("heading", parent, Atom("heading"), heading=atom.text, name=eid.slug(atom.text))
        section.label = f"{parent.label}, {atom.text}" if parent else atom.text
        self._open = [section]

    def _label(self, atom: Atom) -> None:
        if not self._open:
            self._text(atom)
            return
        level = min(atom.level, len(self._open) - 1)
        parent = self._open[level]
        inside = any(part.type in ("paragraph", "point") for part in self._open[: level + 1])
        section = self._add("point" if inside else "paragraph", parent, atom)
        bare = section.number
        number = f"({bare})" if "(" in atom.number or ")" in atom.number or parent.type in _RUNNING else bare
        between = ", paragraph " if parent.type in _ROOTS | {"heading", "part", "chapter"} else ""
        section.label = f"{parent.label}{between}{number if between or number.startswith('(') else '.' + number}"
        self._open = [*self._open[: level + 1], section]

    def _text(self, atom: Atom) -> None:
        if not self._open:
            self._before(atom)
            return
        level = min(atom.level, len(self._open) - 1)
        owner = self._open[level]
        self._open = self._open[: level + 1]
        if owner is self._last or not self._blocks.get(owner.eid):
            self._extend(owner, atom)
            return
        count = self._blocks[owner.eid] = self._blocks[owner.eid] + 1
        section = self._add("subparagraph", owner, atom, name=str(count), number="")
        section.label = f"{owner.label}, subparagraph {count}"

    def _table(self, atom: Atom) -> None:
        owner = self._open[min(atom.level, len(self._open) - 1)] if self._open else None
        table = self._add("table", owner, Atom("table", text=atom.text), heading=atom.printed)
        table.label = f"{owner.label}, table" if owner else "Table"

    def _preface(self, atom: Atom) -> None:
        if self._preamble is None:
            self._preamble = self._add("preamble", None, Atom("preamble"))
            self._preamble.label = "Preamble"
        if atom.type == "preamble":
            self._extend(self._preamble, atom)
            return
        count = self._counts[atom.type] = self._counts.get(atom.type, 0) + 1
        number = atom.number or str(count)
        section = self._add(atom.type, self._preamble, atom, name=number, running=True)
        section.label = f"{atom.type.capitalize()} {number}"

    def _before(self, atom: Atom) -> None:
        """Take text that stands before all parts: into the preamble."""
        self._preface(Atom("preamble", text=f"{atom.number} {atom.text}".strip()))

    def _add(
        self, type: str, parent: Section | None, atom: Atom, *, heading: str = "", name: str = "",
        number: str | None = None, running: bool = False,
    ) -> Section:  # fmt: skip
        section = self.outline.add(
            type, parent, number=atom.number if number is None else number, heading=without_marks(heading),
            text=without_marks(atom.text), name=name, running=running, page=atom.page, page_end=atom.page_end,
            printed=atom.printed,
        )  # fmt: skip
        self._blocks[section.eid] = 1 if section.text or type in ("paragraph", "point") else 0
        if parent is not None and not self._blocks.get(parent.eid):
            self._blocks[parent.eid] = 1
        self._last = section
        return section

    def _extend(self, section: Section, atom: Atom) -> None:
        self.outline.extend(section, without_marks(f"{atom.number} {atom.text}".strip()), atom.page_end)
        self._blocks[section.eid] = max(1, self._blocks.get(section.eid, 0))
        self._last = section
