"""Finds the printed labels that are numbers of the outline, and their levels.

A line that begins with a label may continue an open list, begin a list below one, or be running text that looks like a
label. Each reading has a cost: zero if the number follows the one before it, higher the more numbers would be missing.
A beam search finds the cheapest reading of the document. It runs twice: the first result shows how this document nests
its lists (``(i)`` below ``(a)``), which the second prefers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from antinomy.parse.numbered_labels import ANNEXES, ARTICLES, DIVISIONS, PARAGRAPHS, Mark
from antinomy.parse.ordinals import follows, places

#: Width of the beam: readings that are kept.
_BEAM = 12
_DEEPEST = 12
#: So many readings of several labels on one line are followed.
_STACKED = 4
#: A reading is dropped if it costs so much more than the best.
_HOPELESS = 12.0
#: Left edges that differ by no more than this, in points, are one indent.
_SAME = 4.0
#: Costs: to begin a list, to begin it without its first number, to begin it after a colon, to skip numbers, to go back,
#: to nest a list in one of its kind, to change the indent or the type within a list.
_BEGIN, _NOT_FIRST, _OPENED, _GAP, _BACK, _NESTED, _MOVED, _RESET = 0.6, 4.0, 0.1, 2.5, 6.0, 2.0, 0.7, 2.0
#: To begin a list elsewhere than below the words that introduce one.
_UNOPENED = 1.6
#: To go on below running text with a list that was below headings.
_ELSEWHERE = 1.2
#: To skip a level of a number with components: 2.1.1 below 2.
_SKIPPED = 0.7
#: To read a label as running text, times its firmness; to read a label within a paragraph.
_IGNORED, _WITHIN = 6.0, 5.0
#: To nest lists as this document never does; to continue a list with other punctuation.
_UNUSUAL, _OTHERWISE = 1.6, 2.2
#: To close a part of the law that holds nothing yet.
_EMPTY = 2.5

#: Ranks: of text that is no heading, and of a part that is named by a word and has no heading. Heading levels that a
#: format states are lower than the last.
TEXT, _NAMED, _STYLED = 99.0, 60.0, 10.0


@dataclass(frozen=True, slots=True)
class Event:
    """A line that may begin with labels, or an unnumbered heading.

    Attributes:
        marks: the labels, outermost first; empty for a heading.
        starts: 1.0 if it certainly begins a block of print (after a gap, at another indent, after a full stop); 0.0
            within a paragraph.
        opened: the text before it introduces a list.
        x: left edge, 0.0 where unknown.
        rank: of text set as a heading: the smaller, the larger the part that it heads; of other text ``TEXT``.
    """

    marks: tuple[Mark, ...]
    starts: float = 1.0
    opened: bool = False
    x: float = 0.0
    rank: float = TEXT


#: For each label of a line its level, 0 outermost, None for running text. A heading has one entry.
Reading = list[int | None]


class _Level(NamedTuple):
    shape: str
    value: float
    path: tuple[str, ...]
    name: str
    x: float
    rank: float

    @property
    def full(self) -> tuple[str, ...]:
        """The number with its components: ("2", "3") for 2.3."""
        return (*self.path, self.name)


#: Last numbers of the kinds of lists that may run on through the parts of a document: shape and components → place,
#: and whether they hang on running text.
_Running = dict[tuple[str, tuple[str, ...]], tuple[float, bool]]


class _State(NamedTuple):
    cost: float
    open: tuple[_Level, ...]
    running: _Running
    taken: tuple[int | None, ...] = ()
    before: _State | None = None


def read(events: Sequence[Event]) -> list[Reading]:
    """Find the cheapest reading of a document's labels.

    Args:
        events: in reading order.

    Returns:
        For each event the level of each of its labels.
    """
    first = _search(events, {})
    return _search(events, _habits(events, first))


def _habits(events: Sequence[Event], readings: Sequence[Reading]) -> dict[tuple[str, str], float]:
    """Return the cost of opening one kind of list below another, by how often this document does."""
    pairs: Counter[tuple[str, str]] = Counter()
    stack: list[str] = []
    for event, reading in zip(events, readings, strict=True):
        for mark, level in zip(event.marks, reading, strict=False):
            if level is None:
                continue
            shape = (
                next((shape for shape, _, _ in _places(mark) if level < len(stack) and stack[level] == shape), None)
                or _places(mark)[0][0]
            )
            del stack[level:]
            pairs[stack[-1] if stack else "", shape] += 1
            stack.append(shape)
        if not event.marks and reading[0] is not None:
            del stack[reading[0] :]
            stack.append("heading")
    totals: Counter[str] = Counter()
    for (_, child), count in pairs.items():
        totals[child] += count
    return {pair: _UNUSUAL * (1 - count / totals[pair[1]]) for pair, count in pairs.items()}


def _search(events: Sequence[Event], habits: dict[tuple[str, str], float]) -> list[Reading]:
    beam = [_State(0.0, (), {})]
    for event in events:
        following: dict[tuple[object, ...], _State] = {}
        most = math.inf
        for state in beam:
            for cost, stack, taken in _ways(state.open, state.running, event, habits):
                total = state.cost + cost
                if total > most:
                    continue
                most = min(most, total + _HOPELESS)
                key = tuple((level.shape, level.value, level.path) for level in stack)
                known = following.get(key)
                if known is None or total < known.cost:
                    following[key] = _State(total, stack, state.running, taken, state)
        beam = sorted(following.values(), key=lambda state: state.cost)[:_BEAM]
        beam = [_remembering(state, event) for state in beam]
    found: list[Reading] = []
    last: _State | None = beam[0]
    while last is not None and last.before is not None:
        found.append(list(last.taken))
        last = last.before
    return found[::-1]


def _remembering(state: _State, event: Event) -> _State:
    """Record the new numbers that a later part may continue."""
    found = {
        (level.shape, level.path): (level.value, on_text)
        for level, on_text, mark in (
            (state.open[at], _on_text(state.open, at), mark)
            for at, mark in zip(state.taken, event.marks, strict=False)
            if at is not None and at < len(state.open)
        )
        if "digit" in level.shape and not mark.style.startswith("(")
    }
    return state._replace(running={**state.running, **found}) if found else state


def _on_text(stack: tuple[_Level, ...], level: int) -> bool:
    """Tell whether what stands at a level is below a provision and not below a heading."""
    return level > 0 and stack[level - 1].rank == TEXT


_Way = tuple[float, tuple[_Level, ...], tuple[int | None, ...]]


def _ways(
    stack: tuple[_Level, ...], running: _Running, event: Event, habits: dict[tuple[str, str], float]
) -> Iterator[_Way]:
    if not event.marks:
        yield from _heading_ways(stack, event)
        return
    firm = max(event.marks[0].firm, float(event.rank < TEXT))
    ignored = _IGNORED * firm * event.starts + 0.3 * (1 - event.starts)
    nothing = tuple(None for _ in event.marks)
    yield ignored, stack, nothing
    ways: list[_Way] = [(_WITHIN * (1 - event.starts), stack, ())]
    for number, mark in enumerate(event.marks):
        longer: list[_Way] = []
        for cost, open_, taken in ways:
            for more, reached, level in _steps(open_, running, mark, event, number, habits):
                longer.append((cost + more, reached, (*taken, level)))
        if number and not mark.heading:
            # Further labels on the line belong to it; only a reference would stop here.
            longer += [(cost + 3.0, open_, (*taken, None)) for cost, open_, taken in ways]
        elif number:
            longer += [(cost + 0.8, open_, (*taken, None)) for cost, open_, taken in ways]
        ways = sorted(longer, key=lambda way: way[0])[:_STACKED]
    yield from ways


def _heading_ways(stack: tuple[_Level, ...], event: Event) -> Iterator[_Way]:
    """Yield the levels that an unnumbered heading may open: below larger ones, in place of equal ones."""
    entry = _Level("heading", event.rank, (), "", 0.0, event.rank)
    for level in range(len(stack), -1, -1):
        kept = sum(0.8 if above.rank == TEXT else 1.5 for above in stack[:level] if above.rank >= event.rank)
        closed = sum(1.5 for below in stack[level:] if below.rank < event.rank)
        yield kept + closed, (*stack[:level], entry), (level,)


def _steps(
    stack: tuple[_Level, ...],
    running: _Running,
    mark: Mark,
    event: Event,
    number: int,
    habits: dict[tuple[str, str], float],
) -> Iterator[tuple[float, tuple[_Level, ...], int]]:
    """Yield the readings of a label: (cost, levels then open, its level)."""
    x = event.x if number == 0 else 0.0
    own_rank = event.rank if number == 0 else TEXT
    if mark.keyword:
        own_rank = min(own_rank, _NAMED)
    for rank, (shape, value, path) in enumerate(_places(mark)):
        last = _last(mark, shape, value)
        ready = 0.15 * rank
        entry = _Level(shape, last, path, mark.path[-1] if mark.path else "", x, own_rank)
        for level in range(len(stack) - 1, -1, -1):
            alike = stack[level].shape == shape
            if alike or _only_set_otherwise(stack[level].shape, shape):
                cost = _goes_on(stack, level, value, path) + ready + _setting(stack[level], entry)
                cost += 0.0 if alike else _OTHERWISE
                cost += _ends(stack[level + 1 :], entry) + 0.01 * (len(stack) - 1 - level)
                yield cost, (*stack[:level], entry), level
        if len(stack) == _DEEPEST:
            continue
        start = _starts(value, path, mark, stack)
        before, on_text = running.get((shape, path), (-9.0, False))
        runs_on = all(level.shape != shape for level in stack) and follows(before, value)
        for level in range(len(stack), -1, -1):
            begun = _begins(stack, level, shape, mark, event, number, habits)
            if begun is None:
                continue
            cost = begun
            if runs_on:
                elsewhere = on_text != _on_text(stack, level)
                cost = min(cost, _BEGIN) + 0.1 * (len(stack) - level) + _ELSEWHERE * elsewhere
                expected = _prefix(stack[:level], path, 1.0) if path else 0.0
            elif start is not None:
                expected = start
            else:
                expected = _prefix(stack[:level], path, value) + _again(running, stack[:level], entry)
            if not (path or mark.keyword) and level and own_rank == stack[level - 1].rank < _STYLED:
                # Two headings of one style are usually siblings.
                expected += _BACK
            cost += expected + ready + _ends(stack[level:], entry)
            yield cost, (*stack[:level], entry), level


def _again(running: _Running, above: tuple[_Level, ...], entry: _Level) -> float:
    """Return the cost of a number with components that repeats or comes late: only an annex numbers anew."""
    last, _ = running.get((entry.shape, entry.path), (None, False))
    if last is None or any(level.shape.partition(" ")[0] in ANNEXES for level in above):
        return 0.0
    return _BACK if entry.value <= last else 0.0


def _only_set_otherwise(shape: str, other: str) -> bool:
    """Tell whether two kinds of list differ in their punctuation alone: (1) and 2."""
    return shape[:3].strip("().# ") == other[:3].strip("().# ") == "" and shape.split(" ")[-1] == other.split(" ")[-1]


def _ends(closed: Sequence[_Level], entry: _Level) -> float:
    """Return the cost of closing headings by a numbered text."""
    return _RESET * sum(level.rank < TEXT for level in closed) if entry.rank == TEXT else 0.0


@lru_cache(maxsize=4096)
def _places(mark: Mark) -> list[tuple[str, float, tuple[str, ...]]]:
    """Return the possible readings of a label: (kind of list, place in it, components before the last)."""
    if mark.style == "bullet":
        return [(f"bullet {mark.path[0]}", 1.0, ())]
    if not mark.path:
        return [(mark.style, 1.0, ())]
    return [
        (f"{mark.style} {kind}{len(mark.path) if len(mark.path) > 1 else ''}", value, mark.path[:-1])
        for kind, value in places(mark.path[-1])
    ]  # fmt: skip


def _last(mark: Mark, shape: str, value: float) -> float:
    """Return the place of the last number of a range, or of the number itself."""
    if not mark.upto:
        return value
    kind = shape.rpartition(" ")[2].rstrip("0123456789")
    tail = mark.upto.replace("-", ".").rpartition(".")[2]
    return max((place for name, place in places(tail) if name == kind), default=value)


def _goes_on(stack: tuple[_Level, ...], level: int, value: float, path: tuple[str, ...]) -> float:
    """Return the cost of continuing an open list with a number."""
    before = stack[level]
    if before.shape.startswith("bullet"):
        return 0.0
    if path != before.path:
        return _turn(stack, level, value, path)
    if follows(before.value, value):
        return 0.0 if value == int(value) else 0.3
    missing = value - int(before.value) - 1
    return _GAP + 0.15 * min(missing, 20.0) if missing > 0 else _BACK


def _turn(stack: tuple[_Level, ...], level: int, value: float, path: tuple[str, ...]) -> float:
    """Return the cost of 3.1 after 2.7."""
    if level and stack[level - 1].full == stack[level].path:
        # 2 is open above 2.7: then 3 would have to be printed.
        return _GAP + _NOT_FIRST / 2
    old, new = stack[level].path, path
    at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    if at is None:
        return _BACK
    pairs = [(a, b) for kind, a in places(old[at]) for other, b in places(new[at]) if kind == other]
    if not pairs:
        return _GAP * 2
    missing = min((b - int(a) - 1 for a, b in pairs), key=abs)
    cost = 0.2 if missing in (0, -1 + 0.01) else (_GAP if missing > 0 else _BACK)
    return cost + (0.0 if value <= 1 else _GAP / 2 + 0.15 * min(value, 10.0))


def _setting(before: _Level, after: _Level) -> float:
    """Return the cost of a number at another indent, or in other type, than the one before it."""
    cost = 0.0
    if before.x and after.x and abs(before.x - after.x) > _SAME:
        cost += _MOVED
    if (before.rank == TEXT) != (after.rank == TEXT):
        cost += _RESET
    return cost


def _starts(value: float, path: tuple[str, ...], mark: Mark, stack: tuple[_Level, ...]) -> float | None:
    """Return the cost of a list that begins with this number; None if the number says what it is below."""
    if path:
        return None
    if mark.style == "bullet" or value in (1, 1.01):
        return 0.0
    if value == 0:
        return 0.5
    if mark.keyword:
        # A document may be one part of a larger one.
        return 1.0 if all(level.shape == "heading" for level in stack) else _NOT_FIRST / 2
    return _NOT_FIRST + 0.1 * min(value, 20.0)


def _prefix(stack: tuple[_Level, ...], path: tuple[str, ...], value: float) -> float:
    """Return the cost of a number with components that begins a list below an open one: 2.1 below 2."""
    late = 0.0 if value <= 1 else 1.0 + 0.15 * min(value, 20.0)
    above = next((level for level in reversed(stack) if level.shape != "heading"), None)
    if above is not None and above.full in (path, path[-1:]):
        return late
    if above is not None and above.full == path[: len(above.full)]:
        # 2.1.1 below 2: the line that says 2.1 is lost, or was never printed.
        return late + _SKIPPED
    outermost = all(level.shape.partition(" ")[0] in DIVISIONS | ANNEXES or level.shape == "heading" for level in stack)
    return late + (0.8 if outermost else _BACK)


def _begins(
    stack: tuple[_Level, ...], level: int, shape: str, mark: Mark, event: Event, number: int,
    habits: dict[tuple[str, str], float],
) -> float | None:  # fmt: skip
    """Return the cost of a list that begins at a level, closing all levels from there on; None if it may not."""
    if level < len(stack) and stack[level].shape == shape:
        return None
    above = stack[level - 1] if level else None
    opened = event.opened and level == len(stack)
    cost = _OPENED if opened or number else _BEGIN
    # The words that introduce a list hold it: a list at another level leaves them without one.
    cost += _UNOPENED if event.opened and not (opened or number) else 0.0
    cost += 0.25 * (len(stack) - level)
    cost += habits.get((above.shape if above else "", shape), _UNUSUAL) if habits else 0.0
    alike = (open_ for open_ in stack[:level] if (open_.rank < TEXT) == (event.rank < TEXT and number == 0))
    cost += _NESTED * any(open_.shape == shape for open_ in alike)
    if level < len(stack) and mark.keyword not in ANNEXES | DIVISIONS:
        # A part that has just been opened holds the next node.
        cost += _EMPTY * (stack[-1].shape.partition(" ")[0] in DIVISIONS)
    if mark.keyword in ANNEXES:
        cost += 3.0 * (level > 0) - 0.25 * (len(stack) - level)
    elif mark.keyword and above is not None:
        holder = above.shape.partition(" ")[0]
        cost += 2.5 * (holder not in (DIVISIONS | ANNEXES | (ARTICLES if mark.keyword in PARAGRAPHS else frozenset())))
    if above is not None and above.shape.startswith("bullet") and mark.style != "bullet":
        cost += 1.5
    if number == 0 and above is not None and event.x and above.x:
        # A list below a number is at its indent or further right.
        cost += _MOVED if event.x < above.x - _SAME else 0.0
    if number == 0 and level < len(stack) and event.x and stack[level].x and event.x > stack[level].x + _SAME:
        # It is further right than the list that it would close.
        cost += _MOVED
    if event.rank < TEXT and number == 0 and above is not None and above.rank == TEXT:
        cost += _RESET
    return cost
