"""Controls of NIST SP 800-53 by their ids: "SA-2", "AC-17(1)"."""

from __future__ import annotations

from antinomy.cite import series
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.model import Act, Path, Step

#: The letters of the catalogue's families.
FAMILIES = (
    "ac", "at", "au", "ca", "cm", "cp", "ia", "ir", "ma", "mp", "pe", "pl", "pm", "ps", "pt", "ra", "sa", "sc", "si",
    "sr",
)  # fmt: skip
_CATALOGUE = "NIST SP 800-53"
#: Tokens between a control's id and the catalogue's name: elsewhere "PE-1" may be any code.
_NEAR = 40
_MAX_DIGITS = 2


def read(tokens: Cursor, at: int) -> Found | None:
    """Read one control's id, with the number of its enhancement."""
    number, end = tokens.text(at + 2), at + 3
    joined = tokens.low(at + 1) == "-" and tokens.touches(at + 1) and tokens.touches(at + 2)
    if not joined or not tokens.text(at).isupper() or not number.isdigit() or len(number) > _MAX_DIGITS:
        return None
    catalogue = _catalogue(tokens, at)
    if catalogue is None:
        return None
    path: Path = (Step("item", f"{tokens.text(at)}-{number}"),)
    if tokens.kind(end) == "paren" and tokens.text(end).isdigit():
        path, end = (*path, Step("point", tokens.text(end))), end + 1
    acts = [Act("named", "nist", catalogue)]
    return [tokens.reference(at, end, acts, [path], "nist", "item")], end


def _catalogue(tokens: Cursor, at: int) -> str | None:
    """Return how the catalogue is called near a token, with its revision if that is named."""
    for around in sorted(range(max(0, at - _NEAR), at + _NEAR), key=lambda n: abs(n - at)):
        if tokens.low(around) in ("nist", "sp"):
            acts = series.read_named(tokens, around)
            if acts and acts[0][0].ref.startswith(_CATALOGUE):
                return acts[0][0].ref
    return None
