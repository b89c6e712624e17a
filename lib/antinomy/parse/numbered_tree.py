"""The growing tree of a numbered text, and its nodes' types, ids, labels and defined terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from antinomy import section_ids
from antinomy.parse import footnotes
from antinomy.parse.model import Section
from antinomy.parse.numbered_costs import TEXT
from antinomy.parse.numbered_labels import ANNEXES, ARTICLES, KEYWORDS, PARAGRAPHS, Mark, leading_labels
from antinomy.parse.ordinals import breaks, places
from antinomy.parse.outline import Outline, without_marks
from antinomy.parse.quotes import defined_term, plain_term
from antinomy.parse.us_lists import definition
from antinomy.text.typography import LOWER

_ANNOUNCES = re.compile(r"(?::|[—–-])(?:\s*[\"”’)])?$")
#: Headings of a list of terms, in which a dash or a colon separates each term from its meaning.
_GLOSSARY = re.compile(r"\b(?:glossary|definitions|defined terms|terms used)\b", re.IGNORECASE)
_DEFINES = re.compile(r"([A-Z][\w’'-]*(?:\s[\w’'-]+){0,5}?)\s(?:means|has the meaning|refers to)\b")
#: The scope of a definition, before its term: "In this Notice, “claimant” means …".
_SCOPE = re.compile(
    r"(?:in|for (?:the )?purposes? of|under|as used in) (?:this|these|the) [^,.;:“\"‘']{2,60},\s+(?=[“\"‘'])", re.I
)
#: What parts a term from its meaning, and what says that its meaning follows.
_PARTS = " .:,–—-"
_SAYS = re.compile(r"\(|(?:means?|denotes?|includes?|is|are|has|have|refers?|shall|for)\b")
_MEANS = re.compile(r"\b(?:means?|denotes?)\b|\brefers? to\b|\bhas the (?:same )?meaning\b|\bincludes?\b|:")
_ISSUER = re.compile(
    r"\b(?:authority|bank|commission|ministry|department|agency|board|council|office|bureau|regulator|committee)\b",
    re.I,
)
#: What a regulation calls itself.
_INSTRUMENT = re.compile(
    r"\b(?:act|law|code|order|rules?|regulations?|directive|decree|ordinance|notice|circular|guidelines?|guidance"
    r"|standards?|directions?|handbook|sourcebook|rulebook|manual|policy|principles|statement|instrument|framework"
    r"|requirements)\b",
    re.IGNORECASE,
)
#: At least this share of the numbers that run through a document is unique; a misprint may repeat one.
_DISTINCT = 0.9
#: The heads of a table of terms.
_TERM_HEAD = re.compile(r"(?:defined )?(?:term|expression|word|definition)s?(?: used)?", re.IGNORECASE)
_MEANING_HEAD = re.compile(r"(?:meaning|definition|interpretation|explanation)s?", re.IGNORECASE)
_RULE = re.compile(r"^\|[\s|:-]+\|$")
#: So many rows with a number each are no chance.
_ROWS = 3
#: Provisions that contain lists of paragraphs.
_HOLDERS = frozenset({
    "section", "article", "rule", "part", "subpart", "title", "chapter", "annex", "schedule", "appendix", "heading",
    "root",
})  # fmt: skip
_INNER = frozenset({"point", "definition", "item"})


@dataclass(slots=True, eq=False)
class Node:
    """A node before it has its id.

    Attributes:
        kind: ``root``, ``heading``, ``numbered``, ``block`` (a paragraph without a number), ``table``, ``row`` or
            ``note``.
        mark: its printed label, if it has one.
        rank: of text set as a heading; else ``TEXT``.
        printed_heading: the words of a run-in heading as printed.
        x: left edge.
        type: its section type, once known.
        term: for a definition, the defined term.
        lead: of an entry of a glossary, the length of the words at its beginning that are set apart by their type.
    """

    kind: str = "root"
    mark: Mark | None = None
    heading: str = ""
    texts: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    rank: float = TEXT
    page: int = 0
    page_end: int = 0
    x: float = 0.0
    printed_heading: str = ""
    type: str = ""
    term: str = ""
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
        """Merge the only unnumbered paragraph below a heading into the heading's node, everywhere below."""
        for node in [self, *self.walk()]:
            blocks = [child for child in node.children if child.kind == "block"]
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


def table_rows(lines: Sequence[str]) -> list[Node]:
    """Make a node of each row of a table; its text names each cell's column."""
    rows = [
        [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
        for at, line in enumerate(lines)
        if not (at and _RULE.match(line))
    ]
    if not rows:
        return []
    heads, found = rows[0], []
    paired = all(len(row) == 2 for row in rows)
    if paired and _TERM_HEAD.fullmatch(heads[0]) and _MEANING_HEAD.fullmatch(heads[1]):
        return [Node(kind="row", texts=[f"{term}: {meaning}"], lead=len(term)) for term, meaning in rows[1:]]
    column = _number_column(rows[1:])
    for cells in rows[1:] or rows:
        node, names = Node(kind="row"), list(heads)
        marks = leading_labels(cells[column]) if len(cells) > max(1, column) and len(rows) > 1 else ()
        if len(marks) == 1 and (column or marks[0].end >= len(cells[column])):
            node.mark = marks[0]
            cells[column] = cells[column][marks[0].end :].strip()
        pairs = zip(cells, [*names, *[""] * len(cells)], strict=False)
        parts = [f"{name.rstrip(':')}: {cell}" if name and len(rows) > 1 else cell for cell, name in pairs if cell]
        node.texts = ["; ".join(parts)]
        found.append(node)
    return found


def _number_column(rows: Sequence[Sequence[str]]) -> int:
    """Return the column whose cells begin with the numbers of the rows: the first, or one with a number for each."""
    for column in range(1, min(map(len, rows), default=0)):
        marks = [
            found[0] for row in rows if len(found := leading_labels(row[column])) == 1 and found[0].style != "bullet"
        ]
        numbers = {mark.number for mark in marks if mark.firm >= 1}
        if len(rows) >= _ROWS and len(numbers) == len(rows):
            return column
    return 0


class Writer:
    """Writes a finished tree into an outline."""

    def __init__(self, outline: Outline) -> None:
        """Start with an empty outline."""
        self._outline = outline
        self._labels: Counter[str] = Counter()
        self._notes: dict[str, str] = {}
        self._running: set[str] = set()

    def write(self, top: Node, notes: Sequence[Node], title: str) -> str:
        """Write all nodes in reading order, then the footnotes.

        Args:
            top: the root; its own texts precede the first heading or number.
            notes: footnotes.
            title: the title if known; else the first heading, or the first words, are the title.

        Returns:
            The document's title.
        """
        self._settle(top)
        self._running = _running(top)
        title = self._front(top, title)
        for child in top.children:
            self._part(child, None, inside=False)
        for note in notes:
            number = note.mark.number.translate(LOWER) if note.mark else ""
            label = f"Footnote {number}" + (f" to {self._notes[number]}" if number in self._notes else "")
            self._outline.add(
                "footnote", None, number=number, label=label, text=" ".join(note.texts), page=note.page, running=True
            )
        return title

    def _front(self, top: Node, title: str) -> str:
        """Write the title, and the text before the first part."""
        texts, own, page, rank = top.texts, "", top.page, TEXT
        if not texts and top.children and top.children[0].kind == "heading":
            first = top.lift()
            own, texts, page, rank = first.heading, first.texts, first.page, first.rank
        elif texts and len(texts[0]) <= 250:
            own, texts = texts[0], texts[1:]
        while top.children and ((issued := _is_issued_by(own, top.children[0])) or _holds_all(top.children[0], top)):
            # Of two headings over everything, the clearly larger is the title.
            first = top.lift()
            if issued or first.rank < rank - 1:
                own, first.heading, page, rank = first.heading, own, first.page, first.rank
            texts = [*filter(None, [first.heading]), *texts, *first.texts]
        while top.children and top.children[0].kind == "block" and not top.children[0].children:
            texts = [*texts, *top.children.pop(0).texts]
        if own:
            self._outline.add("title", None, heading=without_marks(own), label="Title", page=page)
        if texts:
            self._outline.add(
                "preamble", None, label="Preamble", text=self._clean("\n".join(texts), "Preamble"), page=page
            )
        return title or own

    def _settle(self, top: Node) -> None:
        """Give every node its type."""
        for node in [top, *top.walk()]:
            for child in node.children:
                child.type = _type(child)
            _level_siblings(node)
        for node in [top, *top.walk()]:
            _mark_definitions(node)
            _introduce_definitions(node)
            points = [child for child in node.children if child.type == "point"]
            if points and node.texts and not _ANNOUNCES.search(node.texts[-1]) and (node.type or "root") in _HOLDERS:
                for point in points:
                    point.type = "paragraph"

    def _part(self, root: Node, parent: Section | None, inside: bool) -> None:
        stack: list[tuple[Node, Section | None, bool, int]] = [(root, parent, inside, self._count(root))]
        while stack:
            node, above, within, count = stack.pop()
            section = self._node(node, above, within, count)
            within = within or node.type in ("annex", "schedule", "appendix")
            below = []
            counts: Counter[str] = Counter()
            for child in node.children:
                counts[child.type] += 1
                below.append((child, section, within, counts[child.type]))
            stack.extend(reversed(below))

    def _count(self, node: Node) -> int:
        assert node.parent is not None
        return [child for child in node.parent.children if child.type == node.type].index(node) + 1

    def _node(self, node: Node, above: Section | None, inside: bool, count: int) -> Section:
        mark = node.mark
        number = mark.number if mark is not None else ""
        if mark is not None and mark.upto:
            number = f"{number}-{mark.upto}"
        name = section_ids.slug(node.heading) if node.kind == "heading" else "" if number else str(count)
        if node.type in ("annex", "schedule", "appendix") and not number:
            name = ""
        label = self._label(node, above, count)
        text = self._clean("\n".join(node.texts), label)
        if node.type == "definition" and not number:
            name = section_ids.slug(node.term)
        printed = f"{mark.printed if mark else ''} {node.printed_heading if not node.heading else ''}".strip()
        return self._outline.add(
            node.type, above, number=number, heading=self._clean(node.heading, label), label=label, text=text,
            term=node.term, name=name, running=self._runs(node, inside), page=node.page, page_end=node.page_end,
            printed=printed,
        )  # fmt: skip

    def _runs(self, node: Node, inside: bool) -> bool:
        if node.type in ("annex", "schedule", "appendix"):
            return not inside
        return not inside and node.mark is not None and _shape(node.mark) in self._running

    def _label(self, node: Node, above: Section | None, count: int) -> str:
        label = self._plain_label(node, above, count)
        self._labels[label] += 1
        return f"{label} ({self._labels[label]})" if self._labels[label] > 1 else label

    def _plain_label(self, node: Node, above: Section | None, count: int) -> str:
        """Write how a lawyer cites a node."""
        mark = node.mark
        outer = above.label if above is not None else ""
        inside = bool(above is not None and above.eid.split("_")[0] in ("anx", "sched", "app"))
        if mark is None or not (mark.number or mark.keyword):
            own = {
                "item": f"item {count}",
                "table": "table",
                "subparagraph": f"{'row' if node.kind == 'row' else 'paragraph'} {count}",
            }.get(node.type, f"“{node.heading or node.term}”")
            return f"{outer}, {own}" if outer else own[:1].upper() + own[1:]
        if mark.keyword:
            own = re.sub(r"\s+", " ", mark.printed)
            own = own.capitalize() if own.isupper() and not mark.number else own
            words = own.split(" ", 1)
            own = f"{words[0].capitalize()} {words[1]}" if len(words) == 2 and words[0].isupper() else own
            alone = inside is False and (_shape(mark) in self._running or above is None or mark.keyword in ANNEXES)
            return own if alone or not outer else f"{outer}, {own}"
        if node.type == "section" and len(mark.path) == 1 and above is not None and above.type == "section":
            return f"{outer}.{mark.number}"
        if " " in mark.style and mark.style != "# -" and not mark.style.startswith("margin"):
            return mark.printed
        if len(mark.path) > 1 or node.type == "section":
            kind = "section" if node.type == "section" else "paragraph"
            own = (
                mark.printed.rstrip(".)")
                if mark.number[-1:] in "RGED" and len(mark.path) > 1
                else f"{kind} {mark.number}"
            )
            own = own.replace(" ", "") if mark.number[-1:] in "RGED" and own[:1].isdigit() else own
        elif mark.style.startswith("(") or mark.style.endswith(")"):
            if node.type == "point" or (above is not None and above.type != "heading"):
                return f"{outer}({mark.number})" if outer else f"paragraph ({mark.number})"
            own = f"paragraph ({mark.number})"
        else:
            listed = node.type == "point" or (node.type == "definition" and _shape(mark) not in self._running)
            own = f"{'point' if listed else 'paragraph'} {mark.number}"
        alone = not outer or (not inside and _shape(mark) in self._running)
        return own[:1].upper() + own[1:] if alone else f"{outer}, {own}"

    def _clean(self, text: str, label: str) -> str:
        """Remove footnote marks from a text and record their places."""
        found = footnotes.marks(text)
        for number in found:
            self._notes.setdefault(number, label)
        return footnotes.clean(text) if found else text


def _is_issued_by(own: str, node: Node) -> bool:
    """Tell whether a document's first words only name who issued what a heading below them names."""
    return node.kind == "heading" and bool(
        _ISSUER.search(own) and not _INSTRUMENT.search(own) and _INSTRUMENT.search(node.heading)
    )


def _holds_all(node: Node, top: Node) -> bool:
    """Tell whether a heading without a number holds all other headings but those of annexes, as a title does."""
    beside = [child for child in top.children if child is not node and child.kind != "block"]
    return (
        node.kind == "heading"
        and sum(bool(child.heading) for child in node.children) > 1
        and all(child.mark is not None and child.mark.keyword in ANNEXES for child in beside)
    )


def _type(node: Node) -> str:
    """Return a node's section type, by its label and its place."""
    if node.kind in ("heading", "table"):
        return node.kind
    mark = node.mark
    if node.kind == "block":
        return "subparagraph"
    if node.kind == "row":
        # A row states a rule of its own; it is no list item, which makes sense only after its introduction.
        return "paragraph" if mark is not None else "subparagraph"
    if mark is None or mark.style == "bullet":
        return "item"
    above = node.parent
    assert above is not None
    if mark.keyword:
        inside = mark.keyword in PARAGRAPHS and above.mark is not None and above.mark.keyword in ARTICLES
        return "paragraph" if inside else KEYWORDS[mark.keyword]
    if node.heading and not node.texts and not mark.style.startswith("(") and (node.rank < TEXT or node.children):
        return "section" if (above.type or "root") in _HOLDERS else "point"
    if len(mark.path) > 1 or mark.style == "margin #":
        return "paragraph"
    if (above.type or "root") in _HOLDERS:
        announced = bool(above.texts) and bool(_ANNOUNCES.search(above.texts[-1]))
        return "point" if announced else "paragraph"
    return "point"


def _level_siblings(node: Node) -> None:
    """Make provisions sections if siblings numbered alike are: "1. Title" without and "2. Duty" with (1) below.

    One without a heading, "4 (1) A keeper shall", is a section if half of those beside it are.
    """
    members = [child for child in node.children if child.type in ("section", "paragraph")]
    if not any(child.type == "section" and child.heading for child in members):
        return
    alike: dict[str, list[Node]] = {}
    for child in members:
        if child.mark and not child.mark.keyword:
            alike.setdefault(_shape(child.mark), []).append(child)
    for beside in alike.values():
        most = 2 * sum(bool(child.heading) for child in beside) >= len(beside)
        for child in beside:
            if most or child.heading:
                child.type = "section"


def _mark_definitions(node: Node) -> None:
    """Turn a list's paragraphs that begin with a term into definitions, if most of them do.

    A paragraph that names the scope of its term first is a definition wherever it stands.
    """
    for child in node.children:
        text = child.texts[0] if child.texts else ""
        scope = _SCOPE.match(text) if child.type in ("point", "paragraph", "subparagraph") else None
        if scope and (term := _quoted(text[scope.end() :])):
            child.term, child.type = term, "definition"
    for kinds in (("point", "paragraph"), ("subparagraph",)):
        members = [
            child for child in node.children
            if child.type in kinds and (child.kind in ("numbered", "block") or child.lead)
            and (child.mark is None or child.mark.style.startswith("(") or child.mark.style.endswith(")"))
        ]  # fmt: skip
        terms = [_term(child, is_glossary(node)) for child in members]
        if 2 * sum(map(bool, terms)) > len(members):
            for child, term in zip(members, terms, strict=True):
                child.term = term
                child.type = "definition" if term else "point" if child.mark else child.type


def _introduce_definitions(node: Node) -> None:
    """Merge the words that introduce definitions into the node of the heading above both."""
    if not node.children or node.texts:
        return
    first, *rest = node.children
    if first.kind != "block" or first.children or not announces(first):
        return
    if rest and all(child.type == "definition" for child in rest):
        node.texts, node.page_end = first.texts, max(node.page_end, first.page_end)
        node.children = rest


def _shape(mark: Mark) -> str:
    kind = places(mark.path[-1])[0][0] if mark.path and places(mark.path[-1]) else ""
    return f"{mark.style} {kind} {len(mark.path)}"


def _running(top: Node) -> set[str]:
    """Return the label shapes that run through the document: hardly any number repeats outside annexes."""
    numbers: dict[str, list[str]] = {}
    holders: dict[str, set[Node | None]] = {}
    stack = top.children[::-1]
    while stack:
        node = stack.pop()
        if node.mark is not None and node.mark.keyword in ANNEXES:
            continue
        if node.mark is not None and node.mark.number and not node.mark.style.startswith("("):
            numbers.setdefault(_shape(node.mark), []).append(node.mark.number)
            holders.setdefault(_shape(node.mark), set()).add(node.parent)
        stack.extend(reversed(node.children))
    return {
        shape for shape, found in numbers.items()
        if len(set(found)) > _DISTINCT * len(found)
        # The only list of its kind below a point is a list of that point.
        and (len(holders[shape]) > 1 or {holder.type for holder in holders[shape] if holder} - _INNER)
        and (shape.split(" ")[0] in KEYWORDS or shape[-1] != "1" or (" digit " in shape and not breaks(found)))
    }  # fmt: skip


def _term(node: Node, in_glossary: bool) -> str:
    """Return the term that a node defines, "" if none; in a list it may lack quotation marks."""
    text = node.texts[0] if node.texts else ""
    if node.lead:
        printed, rest = text[: node.lead].rstrip(), text[node.lead :].lstrip()
        if printed[-1] not in _PARTS and rest[0] not in _PARTS and not _SAYS.match(rest):
            # Only the type set the term apart from its meaning.
            node.texts[0] = f"{printed}: {rest}"
        return printed.strip(_PARTS + "“”\"‘’'")
    if in_glossary and (entry := definition(text)):
        return entry[0]
    if defined_term(text):
        return _quoted(text)
    match = _DEFINES.match(text) if node.kind == "numbered" else None
    return match[1] if match else plain_term(text) if node.kind == "block" and announces(node.parent) else ""


def _quoted(text: str) -> str:
    """Return the term in quotation marks that a text begins with and gives a meaning to, "" if none."""
    term = defined_term(text)
    return term if _MEANS.search(text[len(term) : len(term) + 180]) else ""


def is_glossary(node: Node) -> bool:
    """Tell whether a node's heading announces a list of terms."""
    return bool(_GLOSSARY.search(node.heading))


def announces(node: Node | None) -> bool:
    """Tell whether a node's words introduce what is below it."""
    return node is not None and bool(node.texts) and bool(_ANNOUNCES.search(node.texts[-1]))
