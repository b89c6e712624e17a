"""Two definitions of one term in other words: does what they say of it differ?

Whether the words of two definitions are near says next to nothing of that. What tells a little is that one leaves
something out, names a number, or says what makes no difference.
"""

from __future__ import annotations

import re

from antinomy.norms import extract
from antinomy.norms.words import fold

_LEFT_OUT = re.compile(r"\b(?:not|no|never|neither|nor|without|exclud\w+|except\w*|outside|other than)\b")
_SETTLED = re.compile(
    r"\b(?:whatever|irrespective|regardless|whether or not|whoever|however|even (?:if|where|when)|includ\w+|only)\b"
)
#: More of them tells nothing more.
_MOST = 2


def compare(left: str, right: str) -> dict[str, float]:
    """Return the numbers that describe two definitions of a term; the same whichever side comes first."""
    sides = fold(left), fold(right)
    out = [len(_LEFT_OUT.findall(side)) for side in sides]
    numbers = [{m.text for norm in extract(side) for m in norm.measures} for side in (left, right)]
    return {
        "out": float(min(_MOST, abs(out[0] - out[1]))),
        "settled": float(min(_MOST, sum(len(_SETTLED.findall(side)) for side in sides))),
        "numbers": float(numbers[0] != numbers[1]),
    }
