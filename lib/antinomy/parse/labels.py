"""The labels that are printed before paragraphs, ``(a)(1)``: taken off a text, and put at their levels.

A label may be read in more than one way: ``(i)`` is the ninth letter or the first Roman number. Of all readings of
a sequence of labels, the one is taken that leaves the fewest lists broken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LABEL = re.compile(r"\(\s?([0-9]{1,4}[a-z]?|[a-z]{1,7}|[A-Z]{1,7})\s?\)")
#: The last of several labels that one paragraph stands for: "(b)-(d) [Reserved]".
_UPTO = re.compile(r"\s?(?:[-–—]|through|to)\s?(?=\()")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN = re.compile(r"(?=.)m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})$")
#: So many readings of what went before are kept.
_BEAM = 24
_DEEPEST = 12
#: What it costs to begin a list, with a colon before it and without; to begin one not at its first number; to
#: leave numbers out; to go back; to stand in a list of the kind that encloses it.
_BEGIN, _BEGIN_OPENED, _NOT_FIRST, _GAP, _BACK, _SAME_KIND = 0.5, 0.1, 3.0, 2.0, 4.0, 1.5


@dataclass(frozen=True, slots=True)
class Label:
    """A printed label.

    Attributes:
        printed: as printed, "(a)".
        upto: the last label where one paragraph stands for several, else "".
        opened: the text before it announces a list (ends in a colon), or there is none.
        style: how it is set where that tells lists apart ("i" for italic), else "".
    """

    printed: str
    upto: str = ""
    opened: bool = False
    style: str = ""


def take_labels(text: str) -> tuple[list[tuple[str, str]], str]:
    """Take the labels off the beginning of a paragraph.

    Returns:
        The labels as (printed, last of a range or ""), outermost first, and the text behind them.

    >>> take_labels("(a)(1) Each keeper"), take_labels("(b)-(d) [Reserved]")
    (([('(a)', ''), ('(1)', '')], 'Each keeper'), ([('(b)', '(d)')], '[Reserved]'))
    """
    found: list[tuple[str, str]] = []
    rest = text.lstrip()
    while match := _LABEL.match(rest):
        between = _UPTO.match(rest, match.end())
        last = _LABEL.match(rest, between.end()) if between else None
        found.append((f"({match[1]})", f"({last[1]})" if last else ""))
        rest = rest[(last or match).end() :].lstrip()
        if last:
            break
    return found, rest


def levels(labels: Sequence[Label]) -> list[int]:
    """Return the level of each label of one provision, 0 for the outermost.

    >>> levels([Label(f"({c})") for c in ("h", "i", "ii", "i")])
    [0, 1, 1, 0]
    """
    beam = [_State(0.0, ())]
    for label in labels:
        following: dict[tuple[tuple[str, float], ...], _State] = {}
        for state in beam:
            for step in _steps(state, label):
                known = following.get(step.open)
                if known is None or step.cost < known.cost:
                    following[step.open] = step
        beam = sorted(following.values(), key=lambda state: state.cost)[:_BEAM]
    found: list[int] = []
    state: _State | None = beam[0]
    while state is not None and state.before is not None:
        found.append(state.level)
        state = state.before
    return found[::-1]


@dataclass(frozen=True, slots=True)
class _State:
    """A reading of the labels so far: what it costs, and the open lists with their last numbers."""

    cost: float
    open: tuple[tuple[str, float], ...]
    level: int = 0
    before: _State | None = None


def _steps(state: _State, label: Label) -> list[_State]:
    found = []
    for kind, value, ready in _readings(label):
        last = _value(kind, label.upto) or value
        for level in range(len(state.open) - 1, -1, -1):
            own, before = state.open[level]
            if own != kind:
                continue
            missed = value - int(before) - 1
            gap = 0.0 if missed <= 0 else _GAP + 0.05 * min(missed, 20)
            cost = _BACK if value <= before else gap
            # Of two lists of a kind, the inner one goes on.
            cost += ready + 0.01 * (len(state.open) - 1 - level)
            found.append(_State(state.cost + cost, (*state.open[:level], (kind, last)), level, state))
        if len(state.open) < _DEEPEST:
            cost = (_BEGIN_OPENED if label.opened else _BEGIN) if value == 1 else _NOT_FIRST + 0.05 * min(value, 20)
            cost += ready + _SAME_KIND * any(own == kind for own, _ in state.open)
            found.append(_State(state.cost + cost, (*state.open, (kind, last)), len(state.open), state))
    return found


def _readings(label: Label) -> list[tuple[str, float, float]]:
    """Return what a label may be: its kind of numbering, its place in it, and how far-fetched that is."""
    bare = label.printed.strip("()[]. ")
    found = []
    for kind in ("digit", "letter", "LETTER", "roman", "ROMAN"):
        if value := _value(kind, bare):
            doubled = kind.lower() == "letter" and len(bare) > 1
            found.append((kind + label.style, value, 0.2 * doubled))
    return found or [(f"other{label.style}", 1.0, 0.0)]


def _value(kind: str, printed: str) -> float:
    """Return the place of a label in a kind of numbering, 0.0 if it is none of that kind."""
    bare = printed.strip("()[]. ")
    kind = kind.rstrip("*")
    if kind == "digit":
        digits = bare.rstrip("abcdefghijklmnopqrstuvwxyz")
        inserted = len(bare) - len(digits) <= 1
        return int(digits) + _letter(bare[len(digits) :]) / 100 if digits.isdecimal() and inserted else 0.0
    if not bare.isascii() or not bare.isalpha() or bare != (bare.upper() if kind.isupper() else bare.lower()):
        return 0.0
    small = bare.lower()
    if kind.lower() == "roman":
        values = [_VALUES.get(sign, 0) for sign in small]
        return float(sum(-v if v < max(values[i:]) else v for i, v in enumerate(values)) if _ROMAN.match(small) else 0)
    # After (z) comes (aa), then (bb) or (ab).
    if len(small) == 2:
        return 26.0 + (_letter(small[0]) if small[0] == small[1] else _letter(small[1]))
    return float(_letter(small)) if len(small) == 1 else 0.0


def _letter(text: str) -> int:
    return ord(text) - 96 if text else 0
