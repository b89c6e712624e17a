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
from typing import NamedTuple

from antinomy.parse.model import Mark
from antinomy.parse.named_labels import DIVISIONS
from antinomy.parse.numbered.costs import (
    BACK,
    BEGIN,
    ELSEWHERE,
    EMPTY,
    NAMED,
    ONE_SIZE,
    OTHERWISE,
    STYLED,
    TEXT,
    UNCOUNTED,
    UNUSUAL,
    Last,
    Level,
    OutlineLine,
    Running,
    again,
    begins,
    ends,
    goes_on,
    in_annex,
    in_section,
    last_place,
    leaves_empty,
    on_text,
    only_set_otherwise,
    places_of,
    prefix,
    repeated,
    runs_on,
    set_apart,
    starts,
)

#: Width of the beam: readings that are kept.
_BEAM = 12
_DEEPEST = 12
#: So many readings of several labels on one line are followed.
_STACKED = 4
#: A reading is dropped if it costs so much more than the best.
_HOPELESS = 12.0
#: To read a label as running text, times its firmness; to read a label within a paragraph.
_IGNORED, _WITHIN = 6.0, 5.0
#: To read a number below a heading with that number as its repetition although no label follows: article 1 has 1, too.
_REPEATED_ALONE = 2.0

#: For each label of a line its level, 0 outermost; ``~level`` if it only repeats the number of an open level; None for
#: running text. A heading has one entry.
Reading = list[int | None]


class _State(NamedTuple):
    cost: float
    open: tuple[Level, ...]
    running: Running
    taken: tuple[int | None, ...] = ()
    before: _State | None = None


def read(events: Sequence[OutlineLine]) -> list[Reading]:
    """Find the cheapest reading of a document's labels.

    Args:
        events: in reading order.

    Returns:
        For each event the level of each of its labels.
    """
    first = _search(events, {})
    return _search(events, _habits(events, first))


def _habits(events: Sequence[OutlineLine], readings: Sequence[Reading]) -> dict[tuple[str, str], float]:
    """Return the cost of opening one kind of list below another, by how often this document does."""
    pairs: Counter[tuple[str, str]] = Counter()
    stack: list[str] = []
    for event, reading in zip(events, readings, strict=True):
        for mark, level in zip(event.marks, reading, strict=False):
            if level is None or level < 0:
                continue
            shape = (
                next((shape for shape, _, _ in places_of(mark) if level < len(stack) and stack[level] == shape), None)
                or places_of(mark)[0][0]
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
    return {pair: UNUSUAL * (1 - count / totals[pair[1]]) for pair, count in pairs.items()}


def _search(events: Sequence[OutlineLine], habits: dict[tuple[str, str], float]) -> list[Reading]:
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


def _remembering(state: _State, event: OutlineLine) -> _State:
    """Record the new numbers that a later part may continue: not those of a list below a number that counts alike."""
    found: Running = {}
    for at, mark in zip(state.taken, event.marks, strict=False):
        if at is None or not 0 <= at < len(state.open):
            continue
        level = state.open[at]
        inner = any(above.sequence == level.sequence for above in state.open[:at])
        if "digit" in level.shape and not (inner or mark.style.startswith("(")):
            above = state.open[at - 1] if at else None
            found[level.sequence] = Last(level.value, on_text(state.open, at), above)
    return state._replace(running={**state.running, **found}) if found else state


_Way = tuple[float, tuple[Level, ...], tuple[int | None, ...]]


def _ways(
    stack: tuple[Level, ...], running: Running, event: OutlineLine, habits: dict[tuple[str, str], float]
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
            # What stands behind a number, a repeated one or a new one, is below it.
            above = -1 if not taken or taken[-1] is None else max(taken[-1], ~taken[-1])
            alone = not event.marks[number + 1 :]
            held = repeated(stack, mark) if open_ is stack and (event.adjoins or not alone) else None
            # 1. below the headings 1 and 1.1 is the first of the paragraphs.
            within = held is not None and any(level.shape != "heading" for level in stack[held + 1 :])
            if held is not None and held > above and not (alone and within):
                longer.append((cost + _REPEATED_ALONE * alone, stack, (*taken, ~held)))
            for more, reached, level in _steps(open_, running, mark, event, number, habits):
                if level > above:
                    longer.append((cost + more, reached, (*taken, level)))
        # Further labels on the line belong to it; only a reference would stop here.
        stop = 0.8 if mark.heading and mark.heading[-1] not in "—–" else 3.0
        longer += [(cost + stop, open_, (*taken, None)) for cost, open_, taken in ways if open_ is not stack]
        ways = sorted(longer, key=lambda way: way[0])[:_STACKED]
    yield from ways


def _heading_ways(stack: tuple[Level, ...], event: OutlineLine) -> Iterator[_Way]:
    """Yield the levels that an unnumbered heading may open: below larger ones, in place of equal ones."""
    entry = Level("heading", event.rank, (), "", 0.0, event.rank)
    for level in range(len(stack), -1, -1):
        # One that takes the place of one of its kind is where that was.
        kept = 0.0 if entry in stack[level : level + 1] else _kept(stack[:level], event.rank)
        closed = sum(1.5 for below in stack[level:] if below.rank < event.rank)
        if level < len(stack) and event.adjoins and stack[-1].rank == event.rank and stack[-1].shape != "heading":
            # A numbered heading that holds nothing yet holds this one, even if both are set alike.
            closed += EMPTY
        yield kept + closed, (*stack[:level], entry), (level,)


def _kept(above: Sequence[Level], rank: float) -> float:
    """Return the cost of an unnumbered heading below running text and headings that are no larger.

    Below a numbered one of its size it costs more where the format states several sizes.
    """
    alike = any(level.rank == rank and level.shape != "heading" for level in above)
    larger = [level for level in above if level.rank > rank or (level.rank == rank and level.shape == "heading")]
    texts = sum(level.rank == TEXT for level in larger)
    cost = 1.5 * (len(larger) - texts) + (0.7 + 0.1 * texts) * bool(texts)
    return (1.5 if rank < ONE_SIZE else 0.5) * alike + cost


def _steps(
    stack: tuple[Level, ...],
    running: Running,
    mark: Mark,
    event: OutlineLine,
    number: int,
    habits: dict[tuple[str, str], float],
) -> Iterator[tuple[float, tuple[Level, ...], int]]:
    """Yield the readings of a label: (cost, levels then open, its level)."""
    x = event.x if number == 0 else 0.0
    own_rank = event.rank if number == 0 else TEXT
    if mark.keyword:
        own_rank = min(own_rank, NAMED)
    for rank, (shape, value, path) in enumerate(places_of(mark)):
        last = last_place(mark, shape, value)
        ready = 0.15 * rank
        entry = Level(shape, last, path, mark.path[-1] if mark.path else "", x, own_rank)
        for level in range(len(stack) - 1, -1, -1):
            alike = stack[level].shape == shape
            if alike or only_set_otherwise(stack[level].shape, shape):
                following = goes_on(stack, level, value, path)
                # A heading right between two numbers of a list closes nothing.
                counts = not following and not shape.startswith(UNCOUNTED)
                between = counts and event.adjoins and number == 0 and stack[-1].shape == "heading"
                cost = following + ready + set_apart(stack[level], entry)
                cost += 0.0 if alike else OTHERWISE
                cost += ends(stack[level + 1 : -1 if between else None], entry) + 0.01 * (len(stack) - 1 - level)
                yield cost, (*stack[:level], entry), level
        if len(stack) == _DEEPEST:
            continue
        start = starts(value, path, mark, stack)
        going_on = runs_on(running, stack, entry, value)
        for level in range(len(stack), -1, -1):
            begun = begins(stack, level, shape, mark, event, number, habits)
            if begun is None:
                continue
            cost = begun
            if going_on is not None:
                ended, otherwise = going_on
                if level and ended.above == stack[level - 1]:
                    # It takes turns with another list below what holds both.
                    cost = 0.01 * (len(stack) - level)
                else:
                    elsewhere = ended.hangs != on_text(stack, level)
                    cost = min(cost, BEGIN) + 0.1 * (len(stack) - level) + ELSEWHERE * elsewhere
                cost += otherwise + in_annex(stack[:level], entry) + leaves_empty(stack, level, mark, event.adjoins)
                expected = prefix(stack[:level], path, 1.0) if path else 0.0
            elif start is not None:
                expected = start
            else:
                expected = prefix(stack[:level], path, value) + again(running, stack[:level], entry)
            above = stack[level - 1] if level else None
            named = path or mark.keyword or above is None or above.word in DIVISIONS
            if above is not None and not named and own_rank == above.rank < STYLED:
                # Two headings of one style are usually siblings; but a part of the text holds what is not named so.
                expected += BACK
            cost += expected + ready + ends(stack[level:], entry) + in_section(stack[:level], mark)
            yield cost, (*stack[:level], entry), level
