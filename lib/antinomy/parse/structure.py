"""How sound a finished tree is: the places where its structure looks wrong, and a score.

Coverage counts words; a tree can hold every word and still have lost its structure. This module looks at what a
reader of the tree would notice: 3 after 1, a point among paragraphs, a page of text in one unit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from antinomy.parse.numbered_labels import lex
from antinomy.parse.ordinals import breaks, places

#: A unit of more words holds more than one provision, as a rule.
MOST_WORDS = 400
#: A provision has at least so many words where it is one of a text that runs on.
_USUAL = 100
#: No break costs more than this many provisions: what is missing may never have been there.
_MOST_MISSING = 10.0
_BREAK = 5.0
_UNRESOLVED = 0.25
#: A tree is flat if more than this share of its nodes' worth of text is not parted.
_FLAT = 0.2
#: Nodes outside of the numbering: a list's dashes, blocks counted by position, notes.
_COUNTED = frozenset({"subparagraph", "item", "citation", "footnote", "table", "heading", "box", "title"})
#: Types that may stand beside one another: a definition is a point.
_ALIKE = {"definition": "point", "appendix": "annex"}
_PROVISIONS = frozenset({"article", "section", "subsection", "paragraph", "point"})
_LABEL = re.compile(r"(?:^|\n)\(?(\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]{1,4}|[A-Z])[.)]\)?\s+(?=\S)")
#: Larger parts, which may follow an empty heading; the words of a heading that is empty by design.
_LARGE = frozenset({"part", "subpart", "title", "chapter", "annex", "schedule", "appendix", "footnote"})
_VOID = re.compile(r"\b(?:reserved|deleted|repealed|omitted|revoked|not used|blank)\b", re.IGNORECASE)
#: A number and what looks like a heading: a short line without a final stop.
_TITLED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,2})[.)]?\s+[A-Z][^.;:]{2,100}")
_MODULE = re.compile(r"[A-Z]{2,8} (?=\d)")
#: A heading that is counted: a word and a number, or a number of several parts. So many are no chance.
_NUMBERED = re.compile(
    r"([A-Za-z][A-Za-z-]{2,})\W{1,5}(\d{1,3}(?:\.\d{1,3})*[a-z]?|[IVXLC]{1,7}|[A-Z])(?![\w’'])"
    r"|(?:[A-Z]{1,5}|\d{1,3})(?:[.-]\d{1,3})+[.)]?\s"
)
_ENOUGH = 3
#: A handbook may count a few of its headings ("Composite - 1") that are no parts of it.
_MUCH = 0.1
#: Letters, digits and signs before a capital: LS/07, a number in a style that no grammar knows.
_CODE = re.compile(r"^\(?[A-Z]+[A-Za-z]?[./:_-]?\d[\w./:-]*(?=\s+[A-Z])")
#: The meaning of a term; two of them without a stop between are two definitions.
_MEANING = re.compile(r"\bmeans (?:an?|any|the|all|each|every|one|such)\b")
_STOP = re.compile(r"[.;:]")
#: What stands before a number that is cited; 1.1.1 or 1.1.1.a after other words begins the next column of a table.
_CITES = re.compile(
    r"\b(?:in|of|to|by|or|and|see|with|from|under|rules?|para|items?|clauses?|sections?|paragraphs?|principles?"
    r"|objectives?|guidelines?|requirements?|standards?)\W*$",
    re.IGNORECASE,
)
_QUOTES = '‘“„‚»«"'
#: B-1 is no range, A-C and 3-5 are.
_RANGE = re.compile(r"\s*(?:(?<![A-Z])[-–—]|[-–—](?!\d)|to|through)\s*")
#: What stands before the last part of a number: 2.3. of 2.3.4, B of B1, II-1- of II-1-2.
_ABOVE = re.compile(r".*\.|[A-Z]{1,5}-(?:\d{1,3}-)*(?=\d)|[A-Z]{1,2}(?=\d)")
_DASHED = re.compile(r"[A-Z]{1,5}(?:-\d{1,3})+")


class Node(Protocol):
    """What a tree's node must have: a ``model.Section`` or a row of the table ``sections``."""

    eid: str
    type: str
    number: str
    heading: str
    label: str
    text: str
    parent_eid: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where a tree looks wrong.

    Attributes:
        kind: ``sequence``, ``siblings``, ``long``, ``root``, ``labels``, ``headings`` or ``notes``.
        eid: the node.
        said: what is wrong where, a sentence without a full stop.
        cost: how many provisions it puts in doubt.
    """

    kind: str
    eid: str
    said: str
    cost: float


@dataclass(frozen=True, slots=True)
class Structure:
    """A tree's score.

    Attributes:
        score: share of its nodes that no fault puts in doubt, in [0, 1].
        faults: the places, the worst first; those alike in reading order.
        nodes: how many it has.
    """

    score: float
    faults: tuple[Fault, ...]
    nodes: int

    @property
    def flat(self) -> bool:
        """Whether much of the text hangs together that should be apart, or there is no tree at all."""
        lost = sum(fault.cost for fault in self.faults if fault.kind in ("long", "root", "labels"))
        return self.score <= 0 or lost > _FLAT * self.nodes


def assess(nodes: Sequence[Node]) -> Structure:
    """Score a tree by what can be told from it alone.

    Args:
        nodes: in reading order, parents before children.
    """
    by_eid = {node.eid: node for node in nodes}
    position = {node.eid: at for at, node in enumerate(nodes)}
    faults = [
        *_sequences(nodes, by_eid), *_siblings(nodes), *_texts(nodes), *_headings(nodes), *_lost(nodes), *_empty(nodes),
        *_columns(nodes), *_unread(nodes),
    ]  # fmt: skip
    faults.sort(key=lambda fault: (-fault.cost, position[fault.eid]))
    doubt = sum(fault.cost for fault in faults)
    return Structure(max(0.0, 1 - doubt / len(nodes)) if nodes else 0.0, tuple(faults), len(nodes))


def with_citations(score: float, nodes: int, unresolved: int) -> float:
    """Lower a tree's score by the citations of its own provisions that lead to none: these may be what it lacks.

    Args:
        score: of ``assess``.
        nodes: how many the tree has.
        unresolved: how many such citations there are.
    """
    return max(0.0, score - _UNRESOLVED * unresolved / nodes) if nodes else 0.0


def _sequences(nodes: Sequence[Node], by_eid: dict[str, Node]) -> Iterator[Fault]:
    """Find numbers that do not follow the one before.

    Numbers belong to one sequence if their ids have the same steps before the last: so those of articles run through
    an act, those of paragraphs begin anew in each article. 2.3.4 is the fourth of the sequence 2.3.
    """
    sequences: dict[tuple[str, ...], list[Node]] = {}
    last_of: dict[str, str] = {}
    runs_on: set[str] = set()
    depth: dict[str, int] = {}
    before_at: dict[int, str] = {}
    before_of: dict[str, list[str]] = {}
    for node in nodes:
        depth[node.eid] = depth.get(node.parent_eid, -1) + 1
        if node.number and node.type not in _COUNTED:
            # Numbers may run on where the ids say that they begin anew: objectives through the parts of an appendix.
            if node.type in last_of and places(node.number) and not breaks([last_of[node.type], node.number]):
                runs_on.add(node.eid)
            last_of[node.type] = node.number
            before_of[node.eid] = [number for at, number in before_at.items() if at <= depth[node.eid]]
            before_at[depth[node.eid]] = node.number
            before, _, _ = node.eid.rpartition("__")
            above, _ = _parted(_ends(node.number)[0])
            kind = _ALIKE.get(node.type, node.type)
            if (holder := by_eid.get(node.parent_eid)) is not None and holder.type == node.type:
                # Subchapter A is not the chapter behind chapter 7.
                kind = f"{kind} in {kind}"
            # The modules of a circular are AT 1, AT 2, BT 1.
            module = _MODULE.match(node.label)
            sequences.setdefault((before, kind, above, module[0] if module else ""), []).append(node)
    late: list[tuple[Node, Fault]] = []
    for members in sequences.values():
        ranges = [_ends(node.number) for node in members]
        numbers = [_parted(parts[-1])[1] for parts in ranges]
        firsts = [_parted(parts[0])[1] for parts in ranges]
        for index, last in breaks(firsts):
            before = numbers[index - 1] if index else ""
            node = members[index]
            missing = _missing(before or last, firsts[index])
            if missing <= 0 and before != last:
                continue
            others = (number for number in before_of[node.eid] if not breaks([number, node.number]))
            if missing > 0 and (_spaced(firsts) or any(places(number) for number in others)):
                # The numbers between are those of another type: paragraph 9 after section 8.
                continue
            moved = index and members[index - 1].parent_eid != node.parent_eid
            if moved and missing > 0 and firsts[index][-1:] in ("0", "1", "5"):
                # The sections of one subpart are 1 to 7, those of the next 11 to 17, or 15 to 18.
                continue
            said = f"{node.label} follows {members[index - 1].label}" if index else f"{node.label} is the first"
            if index and node.number == members[index - 1].number:
                said = f"{node.label} stands twice"
            yield Fault("sequence", node.eid, said, _BREAK + min(abs(missing), _MOST_MISSING))
        if (first := _late(members[0], firsts[0], by_eid)) and members[0].eid not in runs_on:
            late.append((members[0], first))
    yield from _without_habit(late, nodes, by_eid)


def _without_habit(
    late: Sequence[tuple[Node, Fault]], nodes: Sequence[Node], by_eid: dict[str, Node]
) -> Iterator[Fault]:
    """Leave out the lists that begin with 2 where all of a type do: the first paragraph bears its parent's number."""
    firsts = {node.type for node in nodes if node.number == "1" and "__" in node.eid}
    second = [node for node, _ in late if node.number == "2" and by_eid[node.parent_eid].text]
    habits = {kind for kind, count in Counter(node.type for node in second).items() if count >= _ENOUGH} - firsts
    yield from (fault for node, fault in late if node not in second or node.type not in habits)


def _late(node: Node, number: str, by_eid: dict[str, Node]) -> Fault | None:
    """Tell whether a sequence inside of a provision begins after its first number."""
    values = [value for _, value in places(number)]
    inside = "__" in node.eid or "." in node.number or node.type == "article"
    if not inside or not values or min(values) < 2:
        return None
    missing = min(values) - 1
    parent = by_eid.get(node.parent_eid)
    if (
        "__" not in node.eid
        and node.type != "article"
        and not (parent is not None and node.number.startswith(parent.number))
    ):
        # A document may be part of a larger one.
        return None
    return Fault("sequence", node.eid, f"{node.label} is the first", _BREAK + min(missing, _MOST_MISSING))


def _spaced(numbers: Sequence[str]) -> bool:
    """Tell whether numbers leave room for later ones: 10, 20, 30, 99."""
    return len(numbers) > _ENOUGH and sum(number[-1:] in ("0", "5") for number in numbers) >= 0.75 * len(numbers)


def _ends(number: str) -> list[str]:
    """Return the first and the last number of a range; II-1-2 and 8-2, inserted after 8, are none."""
    if _DASHED.fullmatch(number):
        return [number]
    parts = _RANGE.split(_plain(number))
    inserted = len(parts) == 2 and all(part.isdecimal() for part in parts) and int(parts[1]) <= int(parts[0])
    return [_plain(number)] if inserted else parts


def _parted(number: str) -> tuple[str, str]:
    """Part a number into what it is counted within and its place there: 2.3.4 is the fourth in 2.3."""
    above = _ABOVE.match(number)
    return (above[0].rstrip(".-"), number[above.end() :]) if above else ("", number)


def _missing(before: str, after: str) -> float:
    """Return how many numbers lie between two, in the kind of numbering that has the fewest."""
    gaps = [
        second - int(first) - 1 for kind, first in places(before) for other, second in places(after) if kind == other
    ]
    return min(gaps, key=abs, default=1.0)


def _siblings(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find provisions among siblings most of which are of another type."""
    families: dict[str, list[Node]] = {}
    for node in nodes:
        if node.number and node.type in _PROVISIONS and node.parent_eid:
            families.setdefault(node.parent_eid, []).append(node)
    for members in families.values():
        kinds = Counter((node.type, _shape(node)) for node in members)
        usual, most = kinds.most_common(1)[0]
        if most == len(members):
            continue
        odd = [node for node in members if (node.type, _shape(node)) != usual]
        said = f"{odd[0].label} ({odd[0].type}) stands among {usual[0]}s like {_example(members, usual)}"
        yield Fault("siblings", odd[0].eid, said, float(len(odd)))


def _shape(node: Node) -> str:
    """Tell how a number is made, as far as numbers side by side should agree: 2.1 beside 3 do not."""
    parts = _ends(node.number)[0].split(".")
    return f"{len(parts)}{'d' if parts[-1][:1].isdigit() else 'l'}"


def _example(members: Sequence[Node], usual: tuple[str, str]) -> str:
    return next(node.number for node in members if (node.type, _shape(node)) == usual)


def _plain(number: str) -> str:
    """Return a number without the letters of its kind: 2.3.4R and 2.3.4G are both 2.3.4."""
    return re.sub(r"(?<=\.\d)\s?[RGEDPC]$|(?<=\.\d\d)\s?[RGEDPC]$", "", number.strip("()[]. §"))


def _texts(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find text that holds several provisions, numbers that were left in it, and text that hangs on the root."""
    usual = _usual_length(nodes)
    for node in nodes:
        count = len(node.text.split())
        if node.type in ("title", "preamble", "footnote", "conclusions") and not node.parent_eid:
            if node.type in ("title", "preamble") and count > MOST_WORDS:
                yield Fault(
                    "root", node.eid, f"{node.label}: {count:,} words hang on the root", count / max(usual, _USUAL)
                )
            continue
        if not node.parent_eid and not node.number and not node.heading and count > usual:
            yield Fault("root", node.eid, f"{node.label}: {count:,} words hang on the root", count / max(usual, _USUAL))
        elif count > MOST_WORDS and node.type not in ("table", "box"):
            yield Fault("long", node.eid, f"{node.label}: {count:,} words in one unit", count / max(usual, _USUAL))
        if terms := sum(count for part in _STOP.split(node.text) if (count := len(_MEANING.findall(part))) > 1):
            yield Fault("labels", node.eid, f"{node.label}: {terms} definitions run into one another", float(terms))
        if left := _left(node.text):
            said = f"{node.label}: {len(left)} numbers stand in its text, from {left[0]} on"
            yield Fault("labels", node.eid, said, float(len(left)))


def _columns(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find texts that repeat their own number before a capital: the columns of a table run into one another."""
    found = [node for node in nodes if "." in node.number and _repeats(node)]
    if len(found) >= _ENOUGH:
        for node in found:
            yield Fault("labels", node.eid, f"{node.label}: its number stands in its text, as in the next column", 1.0)


def _unread(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find provisions without a number whose words begin with one: the grammar does not know how it is printed."""
    found: list[tuple[Node, str]] = []
    for node in nodes:
        if not node.number and node.type in ("subparagraph", "paragraph", "heading"):
            text = (node.heading or node.text)[:120]
            marks = [mark.printed for mark in lex(text) if mark.firm >= 1 and mark.style != "bullet"]
            if codes := marks or _CODE.findall(text):
                found.append((node, codes[0]))
    if len(found) >= _ENOUGH and len(found) > _MUCH * len(nodes):
        node, printed = found[0]
        said = (
            f"{node.label}: {len(found)} provisions begin with numbers that the tree does not tell, as {printed} here"
        )
        yield Fault("labels", node.eid, said, float(len(found)))


def _repeats(node: Node) -> bool:
    again = re.finditer(rf"(?<![\w.]){re.escape(node.number)}(?:\.?[a-z])?\s+[A-Z]", node.text)
    return any(not _CITES.search(node.text[max(0, match.start() - 20) : match.start()]) for match in again)


def _lost(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbered headings that were left in texts one by one: what they should hold hangs elsewhere."""
    found: list[tuple[int, str]] = []
    for at, node in enumerate(nodes):
        matches = (_TITLED.fullmatch(block) for block in node.text.split("\n")[1:])
        found += [(at, match[1]) for match in matches if match]
    if len(found) < 2 or len(breaks([number for _, number in found])) > len(found) // 3:
        return
    (first, number), (last, _) = found[0], found[-1]
    said = f"{nodes[first].label}: {len(found)} numbered headings stand in texts, from {number} on"
    yield Fault("labels", nodes[first].eid, said, float(max(last - first, len(found))))


def _empty(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbered headings without anything below them, beside which another list holds what should be there."""
    holders = {node.parent_eid for node in nodes}
    for at, (node, after) in enumerate(pairwise(nodes)):
        if not node.number or not node.heading or node.text or node.eid in holders or after.eid not in holders:
            continue
        if after.type in _LARGE or _VOID.search(node.heading):
            continue
        if after.type == "heading" or any(value == 1 for _, value in places(after.number)):
            ends = (k for k in range(at + 2, len(nodes)) if nodes[k].type == node.type)
            said = f"{node.label} holds nothing; {after.label} stands beside it"
            yield Fault("headings", node.eid, said, float(next(ends, len(nodes)) - at - 1))


def _headings(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbers that were left in headings, and notes to nothing.

    "Article (1): Scope", "Article (2): Terms" are parts that the tree knows by their words alone.
    """
    holds = Counter(node.parent_eid for node in nodes)
    words: dict[str, list[tuple[Node, str]]] = {}
    for node in nodes:
        if node.type == "heading" and not node.number and (match := _NUMBERED.match(node.heading)):
            words.setdefault((match[1] or "").lower(), []).append((node, match[2] or ""))
    for word, found in words.items():
        if len(found) < _ENOUGH or len(breaks([number for _, number in found])) > len(found) // 5:
            continue
        node = found[0][0]
        number = node.heading.split(" ", 1)[0]
        said = f"{node.label}: {len(found)} headings are counted ({word or number}), which the tree does not tell"
        # What a heading of nothing should hold hangs elsewhere.
        cost = sum(1 + holds[each.eid] if each.text or holds[each.eid] else _BREAK for each, _ in found)
        if cost > _MUCH * len(nodes):
            yield Fault("headings", node.eid, said, cost)
    notes = [node for node in nodes if node.type == "footnote" and node.number and " to " not in node.label]
    if len(notes) - len({node.number for node in notes}) >= _ENOUGH:
        said = f"{notes[0].label}: {len(notes)} notes, counted anew, to which nothing in the text leads"
        yield Fault("notes", notes[0].eid, said, float(len(notes)))


def _usual_length(nodes: Sequence[Node]) -> int:
    lengths = sorted(len(node.text.split()) for node in nodes if node.text)
    return max(20, lengths[len(lengths) // 2]) if lengths else 20


def _left(text: str) -> list[str]:
    """Return the numbers at the beginnings of a text's blocks that make a sequence: they should be nodes."""
    if "\n" not in text or any(block[:1] in _QUOTES for block in text.split("\n")):
        return []
    numbers = [match[1] for match in _LABEL.finditer(text)]
    if len(numbers) < 2 or len(breaks(numbers)) > len(numbers) // 3:
        return []
    return numbers
