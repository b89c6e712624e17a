"""The growing tree of a numbered text, and its nodes' types, ids, labels and defined terms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile

from antinomy import section_ids
from antinomy.parse import footnotes
from antinomy.parse.in_force import LONE_DATE
from antinomy.parse.line_ends import STOPPED
from antinomy.parse.model import Mark, Section
from antinomy.parse.named_labels import ANNEX_TYPES, ANNEXES, ARTICLES, KEYWORDS, PARAGRAPHS
from antinomy.parse.numbered.costs import STYLED, TEXT
from antinomy.parse.numbered.headings import is_title
from antinomy.parse.numbered.nodes import Node
from antinomy.parse.numbered.terms import announces, introduce_definitions, mark_definitions
from antinomy.parse.ordinals import breaks, places
from antinomy.parse.outline import Outline, without_marks
from antinomy.text.numerals import RULE_LETTERS
from antinomy.text.typography import LOWER

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
_NUMBER_OR_MATTER = re.compile(r"\d|\b(?:on|for|to|concerning|regarding|about)\b", re.IGNORECASE)
_DEMANDS = re.compile(r"\b(?:shall|must|should|may)\b")
#: At least this share of the numbers that run through a document is unique; a misprint may repeat one.
_DISTINCT = 0.9
#: Provisions that contain lists of paragraphs.
_HOLDERS = ANNEX_TYPES | {"section", "article", "rule", "part", "subpart", "title", "chapter", "heading", "root"}
#: What comes before the shape of a row's label.
_ROW = "row "
_INNER = frozenset({"point", "definition", "item"})
#: A rule as a sourcebook cites it, and how many of its own a text cites at least.
_CITED_RULE = re.compile(rf"\b([A-Z]{{3,8}}) (\d+[A-Z]?(?:\.\d+[A-Z]?)+) ?([{RULE_LETTERS}])\b")
_LEAST_CITED = 3
#: A title with a colon has no more words.
_TITLE_WORDS = 3


class Writer:
    """Writes a finished tree into an outline."""

    def __init__(self, outline: Outline) -> None:
        """Start with an empty outline."""
        self._outline = outline
        self._labels: Counter[str] = Counter()
        self._notes: defaultdict[str, list[str]] = defaultdict(list)
        self._running: set[str] = set()
        self._book = ""
        self._counts = False

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
        _share_headings(top)
        self._running = _running(top)
        self._book, self._counts = _own_book(top), top.counts
        title = self._front(top, title)
        self._parts(top)
        counts: Counter[str] = Counter()
        for note in notes:
            number = note.mark.number.translate(LOWER) if note.mark else ""
            # Where notes are counted anew in each chapter, the second note 1 is that of the second mark.
            marked = self._notes[number][: counts[number] + 1]
            label = f"Footnote {number}" + (f" to {marked[-1]}" if marked else "")
            counts[number] += 1
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
        elif texts and len(texts[0]) <= 250 and not texts[0].endswith("."):
            own, texts = texts[0], texts[1:]
        lines = list(takewhile(lambda node: _heads_nothing(node) and not _is_issued_by(own, node, top), top.children))
        if lines and not any(map(_heads_nothing, top.children[len(lines) :])):
            # They are the title, or further lines of it.
            del top.children[: len(lines)]
            own = own or lines.pop(0).heading
            texts = [*texts, *(line.heading for line in lines)]
        while top.children and (
            (issued := _is_issued_by(own, top.children[0], top))
            or _holds_all(top.children[0], top)
            or _is_largest(top.children[0], top)
        ):
            # Of two headings over everything, the clearly larger is the title.
            first = top.lift()
            if issued or first.rank < rank - 1:
                own, first.heading, page, rank = first.heading, own, first.page, first.rank
            texts = [*filter(None, [first.heading]), *texts, *first.texts]
        while top.children and top.children[0].kind == "block" and not top.children[0].children:
            texts = [*texts, *top.children.pop(0).texts]
        own = without_marks(own).rstrip("*†‡ ")
        if own:
            self._outline.add("title", None, heading=own, label="Title", page=page)
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
        _level_parts(top)
        for node in [top, *top.walk()]:
            mark_definitions(node)
            introduce_definitions(node)

    def _parts(self, top: Node) -> None:
        """Write all nodes below the root."""
        stack: list[tuple[Node, Section | None, bool, int]] = []

        def hold(node: Node, section: Section | None, inside: bool) -> None:
            counts: Counter[str] = Counter()
            below = []
            for child in node.children:
                counts[child.type] += 1
                below.append((child, section, inside, counts[child.type]))
            stack.extend(reversed(below))

        hold(top, None, inside=False)
        while stack:
            node, above, inside, count = stack.pop()
            section = self._node(node, above, inside, count)
            hold(node, section, inside or node.type in ANNEX_TYPES)

    def _node(self, node: Node, above: Section | None, inside: bool, count: int) -> Section:
        mark = node.mark
        number = mark.number if mark is not None else ""
        if mark is not None and mark.upto:
            number = f"{number}-{mark.upto}"
        name = section_ids.slug(node.heading) if node.kind == "heading" else "" if number else str(count)
        if node.type in ANNEX_TYPES and not number:
            name = ""
        label = self._label(node, above, count)
        text = self._clean("\n".join(node.texts), label)
        if node.type == "definition" and not number:
            name = section_ids.slug(node.term)
        printed = f"{mark.printed if mark else ''} {node.printed}".strip()
        return self._outline.add(
            node.type, above, number=number, heading=self._clean(node.heading, label), label=label, text=text,
            term=node.term, name=name, running=self._runs(node, inside), page=node.page, page_end=node.page_end,
            printed=printed,
        )  # fmt: skip

    def _runs(self, node: Node, inside: bool) -> bool:
        if node.type in ANNEX_TYPES:
            chapter = node.mark.path[:-1] if node.mark is not None else ()
            above = node.parent.mark if node.parent is not None else None
            # Each chapter of a sourcebook counts its own annexes.
            of_chapter = bool(chapter) and above is not None and above.path == chapter
            return not inside and not of_chapter
        return not inside and node.mark is not None and _sequence(node) in self._running

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
                "conclusions": "conclusions",
                # The first is the text of the article itself.
                "subparagraph": f"{'row' if node.kind == 'row' else 'paragraph'} "
                f"{count + (self._counts and node.kind == 'block' and above is not None and bool(above.text))}",
            }.get(node.type, f"“{node.heading or node.term}”")
            return f"{outer}, {own}" if outer else own[:1].upper() + own[1:]
        if mark.keyword:
            own = re.sub(r"\s+", " ", mark.printed)
            own = own.capitalize() if own.isupper() and not mark.number else own
            words = own.split(" ", 1)
            shouted = len(words) == 2 and words[0].lower() in KEYWORDS and words[0].isupper()
            shouted = shouted and mark.keyword.capitalize() not in words[1] and words[0] != "TP"
            own = f"{words[0].capitalize()} {words[1]}" if shouted else own
            alone = not inside and (_sequence(node) in self._running or above is None or mark.keyword in ANNEXES)
            return own if alone or not outer else f"{outer}, {own}"
        if node.type == "section" and len(mark.path) == 1 and above is not None and above.type == "section":
            return f"{outer}.{mark.number}"
        if " " in mark.style and mark.style != "# -" and not mark.style.startswith("margin"):
            return mark.printed
        if len(mark.path) > 1 or node.type == "section":
            kind = "section" if node.type == "section" else "paragraph"
            own = (
                LONE_DATE.sub("", mark.printed).rstrip(" .)")
                if mark.number[-1:] in RULE_LETTERS and len(mark.path) > 1
                else f"{kind} {mark.number}"
            )
            if mark.number[-1:] in RULE_LETTERS and own[:1].isdigit():
                own = f"{self._book} {own.replace(' ', '')}".lstrip()
        elif mark.style.startswith("(") or mark.style.endswith(")"):
            if node.type == "point" or (above is not None and above.type != "heading"):
                return f"{outer}({mark.number})" if outer else f"paragraph ({mark.number})"
            own = f"paragraph ({mark.number})"
        else:
            listed = node.type == "point" or (node.type == "definition" and _sequence(node) not in self._running)
            own = f"{'point' if listed else 'paragraph'} {mark.number}"
        alone = not outer or (not inside and _sequence(node) in self._running)
        return own[:1].upper() + own[1:] if alone else f"{outer}, {own}"

    def _clean(self, text: str, label: str) -> str:
        """Remove footnote marks from a text and record their places."""
        found = footnotes.marks(text)
        for number in found:
            self._notes[number].append(label)
        return footnotes.clean(text) if found else text


def _own_book(top: Node) -> str:
    """Return the name before the numbers of rules in citations where the rules themselves go without it, else ""."""
    marks = [(node, node.mark) for node in top.walk()]
    rules = {mark.number for _, mark in marks if mark is not None and mark.is_rule and mark.printed[0].isdigit()}
    cited: defaultdict[str, set[str]] = defaultdict(set)
    for text in (text for node, _ in marks if rules for text in node.texts):
        for book, number, letter in _CITED_RULE.findall(text):
            cited[book].add(number + letter)
    book = max(cited, key=lambda name: len(cited[name] & rules), default="")
    return book if max(_LEAST_CITED, 0.8 * len(cited[book])) <= len(cited[book] & rules) else ""


def _is_issued_by(title: str, node: Node, top: Node) -> bool:
    """Tell whether a document's first words only name who issued what a heading below them names.

    That heading names an instrument and its number or matter, and holds all else or no provision: "General principles"
    is a chapter.
    """
    if node.kind != "heading" or not _ISSUER.search(title) or _INSTRUMENT.search(title):
        return False
    if not (_INSTRUMENT.search(node.heading) and _NUMBER_OR_MATTER.search(node.heading)):
        return False
    texts = [*node.texts, *(text for child in node.children for text in child.texts)]
    empty = all(child.kind == "block" for child in node.children) and not any(map(_DEMANDS.search, texts))
    return empty or not _beside(node, top)


def _heads_nothing(node: Node) -> bool:
    return node.kind == "heading" and not node.children and not node.texts


def _holds_all(node: Node, top: Node) -> bool:
    """Tell whether a heading without a number holds all other headings but those of annexes, as a title does."""
    headings = sum(bool(child.heading) for child in node.children)
    return node.kind == "heading" and headings > 1 and not _beside(node, top)


def _is_largest(node: Node, top: Node) -> bool:
    """Tell whether the format states a heading to be larger than all others, as a title is."""
    others = [other.rank for other in top.walk() if other is not node and other.rank < TEXT]
    # "04. Lamps" is the fourth file of a folder.
    of_file = node.mark is not None and node.mark.number.startswith("0") and len(node.mark.number) > 1
    return (node.kind == "heading" or of_file) and node.rank < min([STYLED, *others]) and bool(others)


def _beside(node: Node, top: Node) -> list[Node]:
    """Return the parts beside a part that are neither annexes nor unnumbered paragraphs."""
    return [
        child for child in top.children
        if child is not node and child.kind != "block" and not (child.mark and child.mark.keyword in ANNEXES)
    ]  # fmt: skip


def _type(node: Node) -> str:
    """Return a node's section type, by its label and its place."""
    if node.kind in ("heading", "table", "conclusions"):
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
    titled = bool(node.heading) and (not node.texts or mark.is_code) and not mark.style.startswith("(")
    if titled and (node.rank < TEXT or node.children):
        if above.mark is not None and above.mark.keyword == "§":
            # "B. Vendors:", a paragraph of the rule 13.1.1.2, whether or not the one beside it has a title.
            return "paragraph"
        return "section" if (above.type or "root") in _HOLDERS else "point"
    if len(mark.path) > 1 or mark.style == "margin #":
        return "paragraph"
    if (above.type or "root") in _HOLDERS:
        # What has a heading is no item of a list: "enacts as follows:" introduces provisions.
        listed = announces(above) and (mark.style.startswith("(") or not node.heading)
        return "point" if listed else "paragraph"
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
            if len(child.texts) == 1 and is_title(child.texts[0]) and any(part.heading for part in child.children):
                # The title of parts is one, too, if it is not set as the others are.
                child.heading = child.heading or child.texts.pop()


def _share_headings(top: Node) -> None:
    """Take a title above a list or sentences for the heading where nearly all of a provision's siblings have one."""
    for node in [top, *top.walk()]:
        alike: dict[str, list[Node]] = {}
        for child in node.children:
            if child.mark is not None and child.rank == TEXT:
                alike.setdefault(child.mark.style, []).append(child)
        for own in alike.values():
            titled = [child for child in own if not child.heading and _is_titled(child)]
            headed = sum(bool(child.heading) for child in own)
            if headed and 4 * (headed + len(titled)) >= 3 * len(own):
                for child in titled:
                    child.heading = child.texts.pop(0).rstrip(":")


def _is_titled(node: Node) -> bool:
    """Tell whether the first of a provision's words are a title: of its list, or of sentences on lines of their own."""
    followed = bool(STOPPED.search(node.texts[1])) if node.texts[1:] else bool(node.texts and node.children)
    first = node.texts[0] if node.texts else ""
    # "Title:", but not "A person commits an offence if:"
    introduces = first.endswith(":") and len(first.split()) > _TITLE_WORDS
    # "15 Day Period"
    return followed and not introduces and is_title(first.lstrip("0123456789 ").rstrip(":"))


def _level_parts(top: Node) -> None:
    """Make provisions with headings sections in every part if those of another part, whose numbers run on, are."""
    running = _running(top)
    marked = (node for node in _outside_annexes(top) if node.mark is not None and node.heading)
    headed = [node for node in marked if _sequence(node) in running]
    sections = {_sequence(node) for node in headed if node.type == "section"}
    for node in headed:
        if node.type == "paragraph" and _sequence(node) in sections:
            _make_section(node)


def _make_section(node: Node) -> None:
    node.type = "section"
    for child in node.children:
        child.type = _type(child)
    _level_siblings(node)


def _shape(mark: Mark) -> str:
    kind = places(mark.path[-1])[0][0] if mark.path and places(mark.path[-1]) else ""
    # AC-2 and 1.2 are of two kinds.
    coded = "code" if len(mark.path) > 1 and mark.path[0].isalpha() else ""
    return f"{mark.style} {coded}{kind} {len(mark.path)}"


def _sequence(node: Node) -> str:
    """Return what a node's number counts: what is labelled alike, rows of tables apart."""
    assert node.mark is not None
    return f"{_ROW if node.kind == 'row' else ''}{_shape(node.mark)}"


def _outside_annexes(top: Node) -> Iterator[Node]:
    """Yield all nodes below the root that are in no annex, in reading order."""
    stack = top.children[::-1]
    while stack:
        node = stack.pop()
        if node.mark is None or node.mark.keyword not in ANNEXES:
            yield node
            stack.extend(reversed(node.children))


def _running(top: Node) -> set[str]:
    """Return the label shapes that run through the document: hardly any number repeats outside annexes."""
    marks: dict[str, list[Mark]] = {}
    holders: dict[str, list[Node | None]] = {}
    for node in _outside_annexes(top):
        if node.mark is not None and node.mark.number and not node.mark.style.startswith("("):
            marks.setdefault(_sequence(node), []).append(node.mark)
            holders.setdefault(_sequence(node), []).append(node.parent)
    return {
        shape for shape, found in marks.items()
        if len({mark.number for mark in found}) > _DISTINCT * len(found)
        # A table counts its rows for itself, 1, 2, or as provisions elsewhere are numbered.
        and not (shape.startswith(_ROW) and (shape[-1] == "1" or shape.removeprefix(_ROW) in marks))
        # The only list of its kind below a point is a list of that point.
        and (len(set(holders[shape])) > 1 or {holder.type for holder in holders[shape] if holder} - _INNER)
        and (shape.split(" ")[0] in KEYWORDS or shape[-1] != "1"
             or (" digit " in shape and _rises(found, holders[shape])))
    }  # fmt: skip


def _rises(marks: Sequence[Mark], holders: Sequence[Node | None]) -> bool:
    """Tell whether numbers rise through a document, with gaps at most where the next part begins: 1 to 5, 10 to 14.

    The number behind 21–23, which were repealed, is 24.
    """
    numbers = [mark.path[-1] for mark in marks]
    return all(
        (holders[at] is not holders[at - 1] and places(numbers[at])[0][1] > places(before)[0][1])
        or (bool(marks[at - 1].upto) and not breaks([marks[at - 1].upto, numbers[at]]))
        for at, before in breaks(numbers)
    )
