"""Codes of requirements: the document's own, "BC-03", and the controls of NIST SP 800-53, "AC-17(1)"."""

from __future__ import annotations

import re

from antinomy import section_ids as ids
from antinomy.cite import places, series, values
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.levels import OUTLINE
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.numbers import read_marks

#: The letters of the catalogue's families.
FAMILIES = (
    "ac", "at", "au", "ca", "cm", "cp", "ia", "ir", "ma", "mp", "pe", "pl", "pm", "ps", "pt", "ra", "sa", "sc", "si",
    "sr",
)  # fmt: skip
_CATALOGUE = "NIST SP 800-53"
#: Tokens between a control's id and the catalogue's name: elsewhere "PE-1" may be any code.
_NEAR = 40
_MAX_DIGITS = 2
#: So near it, a code is the catalogue's even if the document has one like it.
_BESIDE = 6
_CODE = re.compile(r"(?P<family>[A-Z]{2,5}(?:[.-][A-Z]{2,5})*)(?:[.-](?:[0-9]+|(?<=-)[A-C]\b))(?:[.-][0-9]+)*")
_MAX_LIST = 40


def read_own(tokens: Cursor, at: int) -> Found | None:
    """Read requirements of the document itself: "BC-03", "BC-06 to BC-11", "BC-10 and IR-11(a)"."""
    first = _own(tokens, at) if tokens.codes else None
    if first is None or _catalogue(tokens, at, _BESIDE):
        return None
    paths, end = [first[0]], first[1]
    while len(paths) < _MAX_LIST:
        ranged = tokens.low(end) in values.RANGE
        following = end + 1 if ranged else tokens.separator(end)
        more = _own(tokens, following) if following > end else None
        if more is None:
            break
        paths, end = values.join(paths, [more[0]], ranged), more[1]
    # "BC-10, items 2.a and 2.b"
    paths, end = places.with_inner(tokens, paths, end, OUTLINE)
    return tokens.placed(at, end, paths, [])


def _own(tokens: Cursor, at: int) -> tuple[Path, int] | None:
    """Read a code that the document has, or one beside them, such as BC-99, which it lacks."""
    found = tokens.match(at, _CODE)
    if found is None:
        return None
    family = ids.clean_number(found[0]["family"]) + "-"
    if not any(code.startswith(family) for code in tokens.codes):
        return None
    marks, end = read_marks(tokens, found[1])
    return (Step("paragraph", found[0][0]), *(Step("point", mark) for mark in marks)), end


def read(tokens: Cursor, at: int) -> Found | None:
    """Read one control's id, with the number of its enhancement."""
    number, end = tokens.text(at + 2), at + 3
    lettered = tokens.text(at).isupper() and tokens.joins(at + 1, "-")
    if not lettered or not number.isdigit() or len(number) > _MAX_DIGITS:
        return None
    catalogue = _catalogue(tokens, at)
    if catalogue is None:
        return None
    path: Path = (Step("item", f"{tokens.text(at)}-{number}"),)
    if tokens.kind(end) == "paren" and tokens.text(end).isdigit():
        path, end = (*path, Step("point", tokens.text(end))), end + 1
    acts = [Act("named", "nist", catalogue)]
    return [tokens.reference(at, end, acts, [path], "nist", "item")], end


def _catalogue(tokens: Cursor, at: int, near: int = _NEAR) -> str | None:
    """Return how the catalogue is called near a token, with its revision if that is named."""
    for around in sorted(range(max(0, at - near), at + near), key=lambda n: abs(n - at)):
        if tokens.low(around) in ("nist", "sp"):
            acts = series.read_named(tokens, around)
            if acts and acts[0][0].ref.startswith(_CATALOGUE):
                return acts[0][0].ref
    return None
