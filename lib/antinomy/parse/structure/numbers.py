"""Numbers of a tree that do not follow the one before, and siblings of different types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from antinomy.parse.ordinals import breaks, places
from antinomy.parse.structure.fault import BREAK_COST, NO_CHANCE, Fault, Node
from antinomy.text.numerals import RULE_LETTERS

#: No break costs more than this many provisions: what is missing may never have been there.
_MOST_MISSING = 10.0
#: Nodes outside of the numbering: a list's dashes, blocks counted by position, notes.
_OUTSIDE_NUMBERING = frozenset({"subparagraph", "item", "citation", "footnote", "table", "heading", "box", "title"})
#: Types that may stand beside one another: a definition is a point.
_ALIKE = {"definition": "point"}
_PROVISIONS = frozenset({"article", "section", "subsection", "paragraph", "point"})
_MODULE_NAME = re.compile(r"[A-Z]{2,8} (?=\d)")
#: B-1 is no range, A-C and 3-5 are.
_RANGE_SIGN = re.compile(r"\s*(?:(?<![A-Z])[-–—]|[-–—](?!\d)|to|through)\s*")
#: What stands before the last part of a number: 2.3. of 2.3.4, B of B1, II-1- of II-1-2.
_ABOVE = re.compile(r".*\.|[A-Z]{1,5}-(?:\d{1,3}-)*(?=\d)|[A-Z]{1,2}(?=\d)")
#: The number of what was inserted behind 12.
_INSERTED = re.compile(r"\d+\.\d")
#: The section of a code: § 12.1, and what needs no sign, 6-1-1301 and 41.1405.
_OF_CODE = re.compile(r"§|\d-\d{3,4}$|\d\.\d{4}$")
_LETTER_INSERTED = re.compile(r"[a-z]+\.\d")
#: A number in a register: it says nothing of a place in this text.
_REGISTERED = re.compile(r"[A-Z]{2,4}(?:\.[A-Z]{2,4})*-\d{4}")
_DASHED = re.compile(r"[A-Z]{1,5}(?:-\d{1,3})+|[A-Z]{2,4}-[A-C](?:\.\d{1,3})*")
#: The first chapters of a module have letters, LA-A and LA-B, and those behind them numbers from 1 on.
_LETTERED_CHAPTER = re.compile(r"([A-Z]{2,4}-)([A-C])")
#: Section 40 of title 12.1, of chapter 12-1 or 12A, or of rules 40.12a, section 41.2 inserted behind section 41; not
#: sections 900.4-900.6.
_CODE = re.compile(r"((\d+)\.\d+(?:[a-z]\d*)?|\d+[A-Z]?(?:-\d+[A-Z]?)+|\d+[A-Z])-(?!\2\b)(\d+)(?:\.(\d{1,2}))?")

#: A rule of a state's code, 240-12.010 or 20:06:01:02: what it is counted within, and its place there.
_RULE = re.compile(r"((?=\S*[-:])[0-9A-Za-z]+(?:[-:.]\d+[A-Z]?)+)[-:.](\d+[A-Z]?)")
#: 900.4-900.6 is a range.
_DOTTED_RANGE = re.compile(r"\d+(?:\.\d+)+-\d+(?:\.\d+)+")


def out_of_sequence(nodes: Sequence[Node], by_eid: dict[str, Node]) -> Iterator[Fault]:
    """Find numbers that do not follow the one before.

    Numbers belong to one sequence if their ids have the same steps before the last: so those of articles run through
    an act, those of paragraphs begin anew in each article. 2.3.4 is the fourth of the sequence 2.3.
    """
    sequences: dict[tuple[str, ...], list[Node]] = {}
    last_of: dict[str, tuple[str, str]] = {}
    runs_on: set[str] = set()
    depth: dict[str, int] = {}
    before_at: dict[int, str] = {}
    before_of: dict[str, list[str]] = {}
    with_paragraphs = {node.parent_eid for node in nodes if node.type == "paragraph"}
    for node in nodes:
        depth[node.eid] = depth.get(node.parent_eid, -1) + 1
        if node.number and node.type not in _OUTSIDE_NUMBERING and not _REGISTERED.fullmatch(node.number):
            # Numbers may run on where the ids say that they begin anew: objectives through the parts of an appendix.
            above, place = _parted(_ends(node.number)[0])
            of, last = last_of.get(node.type, ("", ""))
            if last and of == above and places(place) and not breaks([last, place]):
                runs_on.add(node.eid)
            last_of[node.type] = above, place
            before_of[node.eid] = [number for at, number in before_at.items() if at <= depth[node.eid]]
            before_at[depth[node.eid]] = node.number
            before, _, _ = node.eid.rpartition("__")
            kind = _ALIKE.get(node.type, node.type)
            if node.type == "definition" and node.parent_eid in with_paragraphs:
                kind = "paragraph"
            if (holder := by_eid.get(node.parent_eid)) is not None and holder.type == node.type:
                # Subchapter A is not the chapter behind chapter 7.
                kind = f"{kind} in {kind}"
            # The modules of a circular are AT 1, AT 2, BT 1.
            module = _MODULE_NAME.match(node.label)
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
            if missing > 0 and (_spaced(firsts, node.label) or any(places(number) for number in others)):
                # Left free, or the numbers of another type: paragraph 9 after section 8.
                continue
            moved = index and members[index - 1].parent_eid != node.parent_eid
            if moved and missing > 0 and firsts[index][-1:] in ("0", "1", "5"):
                # The sections of one subpart are 1 to 7, those of the next 11 to 17, or 15 to 18.
                continue
            message = f"{node.label} follows {members[index - 1].label}" if index else f"{node.label} is the first"
            if index and node.number == members[index - 1].number:
                message = f"{node.label} stands twice"
            yield Fault("sequence", node.eid, message, BREAK_COST + min(abs(missing), _MOST_MISSING))
        if (first := _late(members[0], firsts[0], by_eid)) and members[0].eid not in runs_on:
            late.append((members[0], first))
    yield from _without_habit(late, nodes, by_eid)


def _without_habit(
    late: Sequence[tuple[Node, Fault]], nodes: Sequence[Node], by_eid: dict[str, Node]
) -> Iterator[Fault]:
    """Leave out the lists that begin with 2 where all of a type do: the first paragraph bears its parent's number."""
    firsts = {node.type for node in nodes if node.number == "1" and "__" in node.eid}
    second = [n for n, _ in late if n.number == "2" and n.parent_eid and by_eid[n.parent_eid].text]
    habits = {kind for kind, count in Counter(node.type for node in second).items() if count >= NO_CHANCE} - firsts
    yield from (fault for node, fault in late if node not in second or node.type not in habits)


def _late(node: Node, number: str, by_eid: dict[str, Node]) -> Fault | None:
    """Tell whether a sequence inside of a provision begins after its first number."""
    values = [value for _, value in places(number)]
    inside = "__" in node.eid or "." in node.number or node.type == "article"
    if not inside or not values or min(values) < 2 or _CODE.fullmatch(node.number):
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
    return Fault("sequence", node.eid, f"{node.label} is the first", BREAK_COST + min(missing, _MOST_MISSING))


def _spaced(numbers: Sequence[str], label: str) -> bool:
    """Tell whether numbers leave room for later ones: 10, 20, 30, 99, or in codes § 840.1, § 840.3, § 840.5, § 840.20.

    Args:
        numbers: of a sequence, in order.
        label: of one of its sections. Of other numbers than a code's, those between may as well have been lost.
    """
    if len(numbers) <= NO_CHANCE:
        return len(numbers) > 2 and all(len(number) > 1 and number[-1] == "0" for number in numbers)
    if _OF_CODE.search(label):
        steps = [_missing(before, after) for before, after in pairwise(numbers)]
        return min(steps) >= 0 and sum(step > 0 for step in steps) >= 0.4 * len(steps)
    return sum(number[-1:] in ("0", "5") for number in numbers) >= 0.75 * len(numbers)


def _ends(number: str) -> list[str]:
    """Return the first and the last number of a range; II-1-2 and 8-2, inserted after 8, are none."""
    if _DASHED.fullmatch(number) or _CODE.fullmatch(number) or _rule(number):
        return [number]
    parts = _RANGE_SIGN.split(_plain(number))
    inserted = len(parts) == 2 and all(part.isdecimal() for part in parts) and int(parts[1]) <= int(parts[0])
    return [_plain(number)] if inserted else parts


def _parted(number: str) -> tuple[str, str]:
    """Part a number into what it is counted within and its place there: 2.3.4 is the fourth in 2.3; c.1 is after c."""
    if code := _CODE.fullmatch(number):
        return code[1], f"{code[3]}-{code[4]}" if code[4] else code[3]
    if rule := _rule(number):
        return rule[1], rule[2]
    if chapter := _LETTERED_CHAPTER.fullmatch(number):
        return chapter[1], chapter[2]
    above = None if _LETTER_INSERTED.match(number) else _ABOVE.match(number)
    return (above[0].rstrip(".-"), number[above.end() :]) if above else ("", number)


def _rule(number: str) -> re.Match[str] | None:
    return None if _DOTTED_RANGE.fullmatch(number) else _RULE.fullmatch(number)


def _missing(before: str, after: str) -> float:
    """Return how many numbers lie between two, in the kind of numbering that has the fewest."""
    gaps = [
        second - int(first) - 1 for kind, first in places(before) for other, second in places(after) if kind == other
    ]
    return min(gaps, key=abs, default=1.0)


def unlike_siblings(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find provisions among siblings most of which are of another type."""
    families: dict[str, list[Node]] = {}
    inserted = _inserted(nodes)
    for node in nodes:
        if node.number and node.type in _PROVISIONS and node.parent_eid:
            families.setdefault(node.parent_eid, []).append(node)
    for members in families.values():
        if any(node.type == "subsection" for node in members):
            # Points beside subsections are those of the first, which may have no label.
            members = [node for node in members if _ALIKE.get(node.type, node.type) != "point"]
        members = [node for node in members if node.eid not in inserted]
        kinds = [(node.type, _shape(node)) for node in members]
        usual, most = Counter(kinds).most_common(1)[0]
        if most == len(members):
            continue
        odd = [node for node, kind in zip(members, kinds, strict=True) if kind != usual]
        example = members[kinds.index(usual)].number
        message = f"{odd[0].label} ({odd[0].type}) stands among {usual[0]}s like {example}"
        yield Fault("siblings", odd[0].eid, message, float(len(odd)))


def _inserted(nodes: Sequence[Node]) -> set[str]:
    """Return the provisions that were inserted among those that are counted through: 12.1 behind 12. They are few."""
    found: set[str] = set()
    for kind, most in (("paragraph", 0.1), ("section", 0.34)):
        counted = [node for node in nodes if node.type == kind and node.number]
        before: dict[str, str] = {}
        inserted: set[str] = set()
        for node in counted:
            last = before.get(node.parent_eid, "")
            if _INSERTED.fullmatch(node.number) and last.partition(".")[0] == node.number.partition(".")[0]:
                inserted.add(node.eid)
            before[node.parent_eid] = node.number
        found |= inserted if len(inserted) <= most * len(counted) else set()
    return found


def _shape(node: Node) -> str:
    """Tell how a number is made, as far as numbers side by side should agree: 2.1 beside 3 do not."""
    within = _CODE.fullmatch(node.number) or _rule(node.number)
    number = within[1] if within else _ends(node.number)[0]
    parts = [number] if _LETTER_INSERTED.match(number) else number.split(".")
    return f"{len(parts)}{'d' if parts[-1][:1].isdigit() else 'l'}"


def _plain(number: str) -> str:
    """Return a number without the letters of its kind: 2.3.4R and 2.3.4G are both 2.3.4."""
    return re.sub(rf"(?<=\.\d)\s?[{RULE_LETTERS}PC]$|(?<=\.\d\d)\s?[{RULE_LETTERS}PC]$", "", number.strip("()[]. §"))
