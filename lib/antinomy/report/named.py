"""Reasons and remarks with the documents' names where a judge or a comparison of runs says left and right."""

from __future__ import annotations

import re

#: Text that a judge quotes is left as it is.
_QUOTED = re.compile(r"(“[^”]*”|\"[^\"]*\")")
#: Not "the right to" or "the right of", which a regulation speaks of.
_SIDE = re.compile(
    r"\b(?:[Tt]he )?(left|right)(?:-hand)? (provision|text|context)\b"
    r"|\b[Tt]he (left|right)(?: (?:one|side))?\b(?! (?:to|of)\b)"
)
#: The judge's own figure: the page shows it in a place of its own.
_SURE = re.compile(r" \(\d+\s?%(?: sure)?\)")


def named(said: str, left: str, right: str) -> str:
    """Put names in the place of "the left", "the right provision", "left text" and the like, outside of quotes."""
    names = {"left": left, "right": right}

    def name(match: re.Match[str]) -> str:
        what = match.group(2)
        return f"the {what} of {names[match.group(1)]}" if what else names[match.group(3)]

    parts = _QUOTED.split(said)
    return "".join(part if n % 2 else _SIDE.sub(name, part) for n, part in enumerate(parts))


def without_figure(said: str) -> str:
    """Take the judge's own probability out of its reason; a reason may quote figures of its provisions."""
    parts = _QUOTED.split(said)
    return "".join(part if n % 2 else _SURE.sub("", part) for n, part in enumerate(parts))
