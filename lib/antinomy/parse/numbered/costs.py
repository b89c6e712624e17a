"""What a reading of a label costs: to go on with a list, to begin one, to close others; by number, indent and type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from antinomy.parse.model import Mark
from antinomy.parse.named_labels import ANNEXES, ARTICLES, DIVISIONS, PARAGRAPHS, PROVISIONS, SUBSECTIONS
from antinomy.parse.ordinals import follows, places

#: Left edges that differ by no more than this, in points, are one indent.
_SAME = 4.0
#: Costs: to begin a list.
BEGIN = 0.6
#: To begin it without its first number.
_NOT_FIRST = 4.0
#: To begin it after a colon.
_OPENED = 0.1
#: To skip numbers.
_GAP = 2.5
#: To go back.
BACK = 6.0
#: To nest a list in one of its kind.
_NESTED = 2.0
#: To change the indent within a list.
_MOVED = 0.7
#: To change the type within a list.
_RESET = 2.0
#: To begin a list elsewhere than below the words that introduce one.
_UNOPENED = 1.6
#: To go on below running text with a list that was below headings.
ELSEWHERE = 1.2
#: To hang a numbered heading on one that is set smaller: a subtitle holds no chapters.
_SMALLER = 0.8
#: The ranks of unnumbered headings in a text whose type is unknown.
_BY_WORDS = (44.0, 45.0)
#: To skip a level of a number with components: 2.1.1 below 2.
_SKIPPED = 0.7
#: To nest lists as this document never does; to continue a list with other punctuation.
UNUSUAL, OTHERWISE = 1.6, 2.2
#: To close a part of the law, or a numbered heading, that holds nothing yet.
EMPTY = 2.5

#: Styles of labels that do not count: signs, and the codes of controls.
UNCOUNTED = ("bullet", "code")

#: Ranks: of text that is no heading, of the title of a box, and of a part that is named by a word and has no heading.
#: Heading levels that a format states are lower than ``STYLED``; where it states one only, a converter may have told no
#: sizes apart.
TEXT, INSERTED, NAMED, STYLED, ONE_SIZE = 99.0, 70.0, 60.0, 10.0, 9.0


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line that may begin with labels, or an unnumbered heading.

    Attributes:
        marks: the labels, outermost first; empty for a heading.
        starts: 1.0 if it certainly begins a block of print (after a gap, at another indent, after a full stop); 0.0
            within a paragraph.
        opened: the text before it introduces a list.
        anew: and that text has no number itself.
        adjoins: the line above is itself set as a heading.
        x: left edge, 0.0 where unknown.
        rank: of text set as a heading: the smaller, the larger the part that it heads; of other text ``TEXT``.
    """

    marks: tuple[Mark, ...]
    starts: float = 1.0
    opened: bool = False
    anew: bool = False
    adjoins: bool = False
    x: float = 0.0
    rank: float = TEXT


class Level(NamedTuple):
    """An open list or heading: its kind, its last number and place, left edge and rank."""

    shape: str
    value: float
    path: tuple[str, ...]
    name: str
    x: float
    rank: float

    @property
    def word(self) -> str:
        """What its kind is called by: "section" where its labels name it, else how its numbers are printed."""
        return self.shape.partition(" ")[0]

    @property
    def full(self) -> tuple[str, ...]:
        """The number with its components: ("2", "3") for 2.3."""
        return (*self.path, self.name)

    @property
    def sequence(self) -> tuple[str, tuple[str, ...], bool]:
        """What has a count of its own: headings 1., 2. and the paragraphs 1., 2. below them are two sequences."""
        return self.shape, self.path, self.rank < TEXT


class Last(NamedTuple):
    """The last number of a sequence: its place, whether it hangs on running text, and what holds it."""

    value: float = -9.0
    hangs: bool = False
    above: Level | None = None


#: The sequences that may run on through the parts of a document.
Running = dict[tuple[str, tuple[str, ...], bool], Last]


def on_text(stack: tuple[Level, ...], level: int) -> bool:
    """Tell whether what stands at a level is below a provision and not below a heading."""
    return level > 0 and stack[level - 1].rank == TEXT


def are_modules(shape: str, other: str) -> bool:
    """Tell whether two kinds of list differ in their names alone: AT 1 and BT 1."""
    (name, _, form), (second, _, alike) = shape.partition(" "), other.partition(" ")
    return form == alike and name.isupper() and second.isupper()


def in_annex(above: Sequence[Level], entry: Level) -> float:
    """Return the cost of taking a heading that goes on with the numbers before an annex for a part of the annex."""
    return ELSEWHERE * (entry.rank < TEXT and any(level.word in ANNEXES for level in above))


def in_section(above: Sequence[Level], mark: Mark) -> float:
    """Return the cost of taking a larger part of the text for one of a section: no "§ 103" holds a chapter."""
    return BACK * (mark.keyword in DIVISIONS and any(level.word == "§" for level in above))


def again(running: Running, above: tuple[Level, ...], entry: Level) -> float:
    """Return the cost of a number with components that repeats or comes late: only an annex numbers anew."""
    last = running.get(entry.sequence)
    if last is None or any(level.word in ANNEXES for level in above):
        return 0.0
    return BACK if entry.value <= last.value else 0.0


def runs_on(running: Running, stack: tuple[Level, ...], entry: Level, value: float) -> tuple[Last, float] | None:
    """Tell which sequence, open no more, a number continues, and at which cost; None if it continues none.

    Headings may skip numbers. A provision may go on with the numbers of headings, or a heading with those of
    provisions.
    """
    shape, path, heads = entry.sequence
    own = running.get(entry.sequence)
    if own and value > own.value and all(level.sequence != entry.sequence for level in stack):
        if follows(own.value, value):
            return own, 0.0
        if heads:
            # A heading without a number stands for 4 between 3 and 5.
            return own, _skip(value - int(own.value) - 1)
    other = running.get((shape, path, not heads))
    if other and follows(other.value, value) and all(level.shape != shape for level in stack):
        return other, ELSEWHERE
    return None


def only_set_otherwise(shape: str, other: str) -> bool:
    """Tell whether two kinds of list differ in their punctuation alone: (1) and 2."""
    return shape[:3].strip("().# ") == other[:3].strip("().# ") == "" and shape.split(" ")[-1] == other.split(" ")[-1]


def ends(closed: Sequence[Level], entry: Level) -> float:
    """Return the cost of closing headings by a numbered text; it may go on behind a box."""
    return _RESET * sum(level.rank < INSERTED for level in closed) if entry.rank == TEXT else 0.0


@lru_cache(maxsize=4096)
def places_of(mark: Mark) -> list[tuple[str, float, tuple[str, ...]]]:
    """Return the possible readings of a label: (kind of list, place in it, components before the last)."""
    if mark.style in UNCOUNTED:
        return [(f"{mark.style} {mark.path[0]}", 1.0, ())]
    if not mark.path:
        return [(mark.style, 1.0, ())]
    return [
        (f"{mark.style} {kind}{len(mark.path) if len(mark.path) > 1 else ''}", value, mark.path[:-1])
        for kind, value in places(mark.path[-1])
    ]  # fmt: skip


def last_place(mark: Mark, shape: str, value: float) -> float:
    """Return the place of the last number of a range, or of the number itself."""
    if not mark.upto:
        return value
    kind = shape.rpartition(" ")[2].rstrip("0123456789")
    tail = mark.upto.replace("-", ".").rpartition(".")[2]
    return max((place for name, place in places(tail) if name == kind), default=value)


def goes_on(stack: tuple[Level, ...], level: int, value: float, path: tuple[str, ...]) -> float:
    """Return the cost of continuing an open list with a number."""
    before = stack[level]
    if before.shape.startswith(UNCOUNTED):
        return 0.0
    if path != before.path:
        return _turn(stack, level, value, path)
    if follows(before.value, value):
        return 0.0 if value == int(value) else 0.3
    missing = value - int(before.value) - 1
    return _skip(missing) if missing > 0 else BACK


def _skip(missing: float) -> float:
    """Return the cost of numbers that are left out."""
    return _GAP + 0.15 * min(missing, 20.0)


def _turn(stack: tuple[Level, ...], level: int, value: float, path: tuple[str, ...]) -> float:
    """Return the cost of 3.1 after 2.7."""
    if level and stack[level - 1].full == stack[level].path:
        # 2 is open above 2.7: then 3 would have to be printed.
        return _GAP + _NOT_FIRST / 2
    old, new = stack[level].path, path
    at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    if at is None:
        return BACK
    pairs = [(a, b) for kind, a in places(old[at]) for other, b in places(new[at]) if kind == other]
    if not pairs:
        return _GAP * 2
    before, after = min(pairs, key=lambda pair: abs(pair[1] - int(pair[0]) - 1))
    missing = after - int(before) - 1
    # Behind 17a may stand 17d: others were never made, or are no more.
    next_one = missing == 0 or (missing < 0 and before < after)
    cost = 0.2 if next_one else (_GAP if missing > 0 else BACK)
    return cost + (0.0 if value <= 1 else _GAP / 2 + 0.15 * min(value, 10.0))


def set_apart(before: Level, after: Level) -> float:
    """Return the cost of a number at another indent, or in other type, than the one before it."""
    cost = 0.0
    if before.x and after.x and abs(before.x - after.x) > _SAME:
        cost += _MOVED
    if (before.rank == TEXT) != (after.rank == TEXT):
        cost += _RESET
    return cost


def repeated(stack: Sequence[Level], mark: Mark) -> int | None:
    """Return the innermost open level that has a label's number: 5 (1) is followed by 5 (2), "Article 5" by 5. (1).

    A bare number repeats that of a heading or of a provision that is named by a word, not that of a part.
    """
    kinds = {shape.rpartition(" ")[2] for shape, _, _ in places_of(mark)}
    for at in range(len(stack) - 1, -1, -1):
        style, _, kind = stack[at].shape.rpartition(" ")
        named = stack[at].rank < TEXT and style.partition(" ")[0] not in DIVISIONS | ANNEXES
        bare = not (mark.keyword or mark.style.startswith("("))
        if stack[at].full == mark.path and kind in kinds and (style == mark.style or (named and bare)):
            return at
    return None


def starts(value: float, path: tuple[str, ...], mark: Mark, stack: tuple[Level, ...]) -> float | None:
    """Return the cost of a list that begins with this number; None if the number says what it is below."""
    if path:
        return None
    if mark.style == "bullet" or value in (1, 1.01):
        return 0.0
    if mark.keyword:
        # A document may be one part of a larger one.
        return 1.0 if all(level.shape == "heading" for level in stack) else _NOT_FIRST / 2
    return _NOT_FIRST + 0.1 * min(value, 20.0)


def prefix(stack: tuple[Level, ...], path: tuple[str, ...], value: float) -> float:
    """Return the cost of a number with components that begins a list below an open one: 2.1 below 2."""
    late = 0.0 if value <= 1 else 1.0 + 0.15 * min(value, 20.0)
    above = next((level for level in reversed(stack) if level.shape != "heading"), None)
    if above is not None and above.full in (path, path[-1:]):
        return late
    if above is not None and above.full == path[: len(above.full)]:
        # 2.1.1 below 2: the line that says 2.1 is lost, or was never printed.
        return late + _SKIPPED
    if any(level.full == path and stack[-1].rank < TEXT for level in stack):
        # 2.1 below the heading 2 and a heading of another kind.
        return late + 0.3
    if above is not None and above.full[0][:1].isdecimal() != path[0][:1].isdecimal():
        # AC-1 below 3.1: a count of its own.
        return late + 0.8
    outermost = all(level.word in DIVISIONS | ANNEXES or level.shape == "heading" for level in stack)
    return late + (0.8 if outermost else BACK)


def leaves_empty(stack: tuple[Level, ...], level: int, mark: Mark, adjoins: bool) -> float:
    """Return the cost of closing a part of the law that has just been opened and holds nothing yet.

    It holds a part of another name right below it, too: title, chapter, subchapter. A section may hold articles.
    """
    closes = level < len(stack) and mark.keyword not in ANNEXES and (adjoins or mark.keyword not in DIVISIONS)
    parts = DIVISIONS | {"section"} if mark.keyword in ARTICLES else DIVISIONS
    # An appendix holds the parts right below its title.
    parts = parts | ANNEXES if mark.keyword in DIVISIONS else parts
    return EMPTY * (closes and stack[-1].word in parts)


def begins(
    stack: tuple[Level, ...], level: int, shape: str, mark: Mark, event: OutlineLine, number: int,
    habits: dict[tuple[str, str], float],
) -> float | None:  # fmt: skip
    """Return the cost of a list that begins at a level, closing all levels from there on; None if it may not."""
    # The terms of a list, or two paragraphs below one number, have lists of their own: (a), (b), and (a), (b) again.
    restarts = level < len(stack) and stack[level].shape == shape
    if restarts and not event.anew:
        return None
    above = stack[level - 1] if level else None
    opened = event.opened and (level == len(stack) or restarts)
    cost = _OPENED if opened or number else BEGIN
    # The words that introduce a list hold it: a list at another level leaves them without one.
    cost += _UNOPENED if event.opened and not (opened or number) else 0.0
    cost += 0.25 * (len(stack) - level)
    cost += habits.get((above.shape if above else "", shape), UNUSUAL) if habits else 0.0
    below_heading = event.adjoins and number == 0 and bool(stack) and stack[-1].rank < TEXT
    if not (below_heading and level == len(stack)):
        alike = (open_ for open_ in stack[:level] if (open_.rank < TEXT) == (event.rank < TEXT and number == 0))
        cost += _NESTED * any(open_.shape == shape or are_modules(open_.shape, shape) for open_ in alike)
    cost += leaves_empty(stack, level, mark, event.adjoins)
    if level < len(stack) and mark.keyword not in ANNEXES | DIVISIONS and below_heading:
        # A numbered heading that has just been opened holds the next node, too.
        cost += EMPTY * (stack[-1].word not in {*DIVISIONS, "heading"})
    if mark.keyword in ANNEXES:
        # A sourcebook's chapters have annexes of their own.
        is_chapter = above is not None and (above.shape[:1].isupper() or above.shape.startswith("chapter "))
        own = is_chapter and above is not None and above.full == mark.path[:-1]
        cost += 3.0 * (level > 0 and not own) - 0.25 * (len(stack) - level) - 0.1 * own
    elif mark.keyword and above is not None:
        holder = above.word
        may = ARTICLES if mark.keyword in PARAGRAPHS else {"section"} if mark.keyword in ARTICLES else frozenset()
        may = PROVISIONS | {"§", "art", "sec"} if mark.keyword in SUBSECTIONS else DIVISIONS | ANNEXES | may
        # Rule 1.2.3 is one of section 1.2.
        cost += 2.5 * (holder not in may and above.full != mark.path[:-1])
    if mark.keyword in DIVISIONS and any(open_.word in ANNEXES for open_ in stack[level:]):
        # The parts of a form count anew; those of the text stand before its annexes.
        cost += 0.6
    if above is not None and above.shape.startswith("bullet") and mark.style != "bullet":
        cost += 1.5
    if number == 0 and above is not None and event.x and above.x:
        # A list below a number is at its indent or further right.
        cost += _MOVED if event.x < above.x - _SAME else 0.0
    if number == 0 and level < len(stack) and event.x and stack[level].x and event.x > stack[level].x + _SAME:
        # It is further right than the list that it would close.
        cost += _MOVED
    if event.rank < TEXT and number == 0 and above is not None:
        # A heading below running text, or below a heading that the format states to be smaller.
        cost += _RESET * (above.rank == TEXT or event.rank < above.rank < STYLED)
        # One that is set as large holds it only where nothing stands between the two.
        no_larger = event.rank < above.rank or (event.rank == above.rank and not event.adjoins)
        cost += _SMALLER * (above.shape == "heading" and no_larger and above.rank not in _BY_WORDS)
    return cost
