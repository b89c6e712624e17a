"""Text to tokens: normalise what print and PDF did to it, keep the way back to the original offsets."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from antinomy.cite.model import Token
from antinomy.text.typography import LIGATURES, PLAIN_MARKS

# Another length: invisible characters go, ligatures are spelled out.
_OTHER = dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "") | LIGATURES
_RESIZED = re.compile("[" + "".join(_OTHER) + "]")

_TOKEN = re.compile(
    r"(?P<act>[0-9]{1,4}/\s?[0-9]{1,4}(?:/[A-Z]{2,7}\b)?(?![0-9/]))"
    r"|(?P<paren>\(\s?(?:[0-9]{1,4}(?:[a-z]{0,2}|[A-Z]{1,3}|\.[0-9]{1,2})|(?:[a-z]|[ivxl]{2,5})\.[0-9]{1,2}|[A-Za-z]{1,7})\s?\))"
    r"|(?P<num>[0-9]+(?:(?:bis|ter|quater|quinquies|[a-z]{1,2})(?![^\W\d_]))?)"
    r"|(?P<word>[^\W\d_]+)"
    # A sourcebook prints a square before each place that one can follow: "■ LAMP 2.3.4 R to ■ LAMP 2.3.6 R".
    r"|(?P<mark>[^\w\s■]|_)"
)


def normalise(text: str) -> tuple[str, list[int] | None]:
    """Undo what typesetting did: one form of quote and dash, no soft hyphens, ligatures spelled out.

    Returns:
        The normalised text and, for each of its characters, the offset of the character it came from;
        None instead of the offsets where nothing moved.
    """
    same = text.translate(PLAIN_MARKS)
    if not _RESIZED.search(same):
        return same, None
    pieces: list[str] = []
    origin: list[int] = []
    for offset, char in enumerate(same):
        written = _OTHER.get(char, char)
        pieces.append(written)
        origin.extend([offset] * len(written))
    return "".join(pieces), origin


def unbracketed(tokens: Sequence[Token], names: Collection[str]) -> list[Token]:
    """Take the brackets around a module's number, "[LEX20.4](2)", into the tokens that they enclose."""
    found: list[Token] = []
    opened = False
    for at, token in enumerate(tokens):
        if token.text == "[" and at + 1 < len(tokens) and tokens[at + 1].text in names:
            opened = True
        elif token.text == "]" and opened:
            found[-1], opened = replace(found[-1], end=token.end), False
        else:
            first = opened and tokens[at - 1].text == "["
            found.append(replace(token, start=tokens[at - 1].start) if first else token)
    return found


def scan(text: str) -> list[Token]:
    """Return the tokens of a text, with their places in it."""
    plain, origin = normalise(text)
    tokens = []
    for match in _TOKEN.finditer(plain):
        kind = match.lastgroup or ""
        written = match[0].strip("()").strip() if kind == "paren" else match[0]
        if kind == "act":
            written = "".join(written.split())
        start, end = match.span()
        if origin is not None:
            start, end = origin[start], origin[end - 1] + 1
        tokens.append(Token(kind, written, written.lower(), start, end))
    return tokens
