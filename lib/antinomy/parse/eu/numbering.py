"""Printed list numbers: which open list does ``(i)`` belong to?"""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.parse.ordinals import Place, places

#: Two left edges are one indent if they differ by no more than this, in points.
_SAME = 4.0
#: No act nests lists deeper than this.
_DEEPEST = 12
_DASHES = frozenset("—–-•")


def readings(printed: str) -> list[Place]:
    """Return what a printed number may be, likeliest first.

    >>> readings("(i)"), readings("(2a)"), readings("–")
    ([('roman', 1), ('letter', 9)], [('digit', 2.01)], [('dash', 1)])
    """
    bare = printed.strip("()[]. ")
    if bare in _DASHES:
        return [("dash", 1)]
    # 1.1, 1.2: a list of its own below 1.
    *above, last = bare.split(".")
    style = str(len(above)) if above else "." if printed.rstrip().endswith(".") else ""
    return [(f"{kind}{style}", value) for kind, value in places(last)]


@dataclass(slots=True)
class _List:
    kind: str
    last: float
    x: float

    def next(self, reading: Place, slack: float) -> bool:
        """Tell whether the reading follows the list's last number, leaving out up to ``slack`` numbers."""
        kind, value = reading
        return kind == self.kind and (kind == "dash" or self.last < value <= int(self.last) + 1 + slack)


class Lists:
    """The lists that are open at a place in a text, outermost first."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: list[_List] = []

    def close(self, level: int = 0) -> None:
        """Close the lists of this level and below."""
        del self._open[level:]

    def text_level(self, x: float) -> int:
        """Tell at what level unnumbered text with this left edge stands: inside the points further left."""
        return next((k for k, item in reversed([*enumerate(self._open, 1)]) if item.x + _SAME < x), 0)

    def place(self, printed: str, x: float, opens: bool, following: str) -> int | None:
        """Take the next printed number in, at the level where it belongs.

        Args:
            printed: the number as printed, "(i)".
            x: its left edge in points, 0.0 where unknown.
            opens: the text before it announces a list (ends in a colon).
            following: the next printed number, "" if none is near.

        Returns:
            Its level, 0 for the outermost list; None if no list is open that it continues and it is no first
            number either: then it is no list number but words in parentheses.
        """
        level = self._continued(printed, x, opens, following, slack=0)
        if level is None:
            level = self._begun(printed, x)
        if level is None:
            level = self._continued(printed, x, opens, following, slack=4)
        return level

    def _continued(self, printed: str, x: float, opens: bool, following: str, slack: float) -> int | None:
        fits = [
            (level, reading)
            for level in range(len(self._open) - 1, -1, -1)
            for reading in readings(printed)
            if self._open[level].next(reading, slack)
        ]
        if not fits:
            return None
        begins = next((r for r in readings(printed) if r[1] == 1 and r[0] != "dash"), None)
        here = [fit for fit in fits if not x or abs(self._open[fit[0]].x - x) <= _SAME]
        level, reading = (here or fits)[0]
        if begins and self._begins_instead(begins, reading, bool(here), x, opens, following):
            return None
        self._open[level].last = reading[1]
        self.close(level + 1)
        return level

    def _begins_instead(
        self, begins: Place, continues: Place, here: bool, x: float, opens: bool, following: str
    ) -> bool:
        """Decide whether (i) begins a list or follows (h): by what comes next, by indent, or by a colon."""
        for kind, value in readings(following) if following else ():
            if (kind, value) == (begins[0], 2):
                return True
            if (kind, value) == (continues[0], continues[1] + 1):
                return False
        if x and self._open[-1].x:
            return not here
        return opens

    def _begun(self, printed: str, x: float) -> int | None:
        reading = next((r for r in readings(printed) if r[1] in (1, 1.01)), None)
        if reading is None or len(self._open) == _DEEPEST:
            return None
        ended = (
            k
            for k, item in enumerate(self._open)
            # Lists further right have ended; one of this kind at this indent begins anew.
            if (x and item.x - x > _SAME) or (item.kind == reading[0] and (not x or abs(item.x - x) <= _SAME))
        )
        level = next(ended, len(self._open))
        self.close(level)
        self._open.append(_List(reading[0], reading[1], x))
        return level
