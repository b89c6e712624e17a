"""Bulletins of the agencies: "OCC Bulletin 2013-29", "(OCC) Bulletin 2023-17", "Bulletin 2003-14 (OCC)"."""

from __future__ import annotations

from functools import partial

from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.series import read_number


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the bulletins that are named from a token on."""
    known = instruments()
    word = tokens.low(at)
    issuer = known.issuers.get(word, "")
    # "Thrift" is of the bulletin's name.
    following = at + 1 if issuer and word not in known.bulletin_prefixes else at
    prefix = ""
    if tokens.low(following) in known.bulletin_prefixes:
        prefix = tokens.text(following) + " "
        following += 1
    kind = known.bulletins.get(tokens.low(following).removesuffix("s"))
    if kind is None:
        return None
    following = tokens.words(following + 1, "and policy guidance") or following + 1
    if tokens.low(following) in (",", ";"):
        following += 1
    if tokens.low(following) == "no":
        following += 2 if tokens.low(following + 1) == "." else 1
    numbers, end = tokens.several(following, partial(read_number, shape="year-number"))
    if not numbers and prefix and (found := read_number(tokens, following, "serial")):
        numbers, end = [found[0]], found[1]
    if not numbers:
        return None
    if not issuer and tokens.kind(end) == "paren":
        issuer = known.issuers.get(tokens.low(end), "")
    if not issuer:
        return None
    return tokens.instrument(at, end, "letter", [f"{issuer} {prefix}{kind} {number}" for number in numbers])
