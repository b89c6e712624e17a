"""The titles of laws, guidelines and other instruments, as they are printed beside a provision's number.

    title = WORD { WORD } LAST [ year ] { "(" … ")" WORD { WORD } LAST [ year ] }    "Harbours (Fees) Regulations 2031"
          | [ WORD … ] LAST ("on" | "for" | "of") WORD { WORD }                      "Guidelines on Outsourcing"
          | [ WORD … ] KIND [ "No." ] serial                                         "CSSF Circular 12/552"
    year  = YEAR | "," YEAR | "of" YEAR

A WORD has a capital letter, or is a small one between two that have; LAST and KIND are listed in ``instruments.yaml``.
"""

from __future__ import annotations

import re

from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act
from antinomy.cite.outline_numbers import BEFORE, LEVEL_WORDS
from antinomy.cite.series import code, slashed, year_serial

#: Words that begin a sentence or point at something, and begin no name.
NO_NAME = LEVEL_WORDS | BEFORE | {
    "the", "this", "that", "these", "those", "a", "an", "each", "for", "of", "as", "any", "no", "all", "every", "such",
    "its", "their", "both", "either", "pursuant", "subject", "nothing", "notwithstanding", "except", "however", "when",
    "while", "after", "before", "on", "further", "also", "under", "within", "without",
}  # fmt: skip
_YEAR = re.compile(r"(?:17|18|19|20)[0-9]{2}$")
_SMALL = frozenset({"of", "and", "the", "for", "to", "in", "on", "with", "by"})
#: Last words of statutes' names: their sections and marks are written as one number.
_STATUTES = ("Act", "Law", "Code")
#: Words after a kind of instrument before what it is about.
_ABOUT = frozenset({"on", "for", "of"})
_MAX_WORDS = 26
#: Longest part of a name that a full stop shortens: "Cal. Civ. Code".
_MAX_SHORTENED = 4


class Titles:
    """Reads the titles of instruments."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens

    def read(self, at: int) -> tuple[list[Act], int] | None:
        """Read the title that starts at a token, behind an article: the instrument and the next index."""
        tokens = self._tokens
        if known := instruments().statutes.get(tokens.low(at)):
            return [Act("named", "statute", known)], at + 1
        last_words = instruments().named_by_last_word
        if _YEAR.match(tokens.text(at)) and tokens.text(at + 1).istitle() and tokens.low(at + 1) in last_words:
            # "the 2000 Act"
            return [Act("named", "statute", tokens.joined(at, at + 2))], at + 2
        if not self._capital(at) or (tokens.low(at) in NO_NAME and not self._about(at + 1)):
            return None
        # A comma belongs to a name only if there is no name before it.
        end = self._end(at, commas=False) or self._end(at, commas=True)
        if not end:
            return None
        name, last = self._written(at, end), tokens.low(end - 1)
        if last in instruments().numbered and (numbered := self._serial(end)):
            return [Act("named", last, f"{name} {numbered[0]}")], numbered[1]
        dated, year = self._year(end)
        kind = "statute" if name.endswith(_STATUTES) else "instrument"
        # One that is listed is known by its name without the year.
        known = instruments().statutes.get(name.lower()) or (name in instruments().statutes.values() and name)
        return [Act("named", kind, known or name + year)], dated

    def _end(self, at: int, commas: bool) -> int:
        """Return the index after a name's last word, 0 if there is no name."""
        tokens, known = self._tokens, instruments()
        end = found = at
        while end < at + _MAX_WORDS:
            if self._capital(end):
                if self._is_place(end):
                    break
                end += 1
                if tokens.low(end - 1) not in known.named_by_last_word:
                    continue
                about = self._about(end)
                if about:
                    return about
                if end - at == 1:
                    continue
                found = end
                if tokens.low(end - 1) in known.numbered and self._serial(end):
                    break
                dated = self._year(end)[0]
                joined = tokens.low(end) in ("and", "of") and tokens.low(end + 1) in known.named_by_last_word
                if self._bracketed(dated):
                    # "Financial Services and Markets Act 2000 (Regulated Activities) Order 2001"
                    end = dated
                elif not self._capital(end) and not (joined and self._capital(end + 1)):
                    break
            elif closed := self._bracketed(end) if end > at else 0:
                end = closed
            elif self._goes_on(end, commas):
                end += 1
            else:
                break
        return found if found > at else 0

    def _capital(self, at: int) -> bool:
        return self._tokens.kind(at) == "word" and self._tokens.text(at)[:1].isupper()

    def _is_place(self, at: int) -> bool:
        """Tell whether a place starts at a word, "Section 5", so that a name is at its end."""
        tokens = self._tokens
        numbered = tokens.kind(at + 1) in ("num", "paren") and not _YEAR.match(tokens.text(at + 1))
        return tokens.low(at) in LEVEL_WORDS and numbered

    def _goes_on(self, at: int, commas: bool) -> bool:
        """Tell whether a name goes on at a word or mark that is between two words with capital letters."""
        tokens = self._tokens
        word = tokens.low(at)
        if word in ("-", "'") and tokens.touches(at):
            return not (word == "'" and tokens.text(at - 1).isupper())
        if word == "s" and tokens.low(at - 1) == "'":
            return True
        if word == ".":
            shortened = tokens.touches(at) and len(tokens.text(at - 1)) <= _MAX_SHORTENED
            return shortened and self._capital(at + 1) and tokens.low(at + 1) not in NO_NAME
        if word in ("&", "-", ","):
            return self._capital(at + 1) and (word != "," or commas)
        following = at + 1 + (tokens.low(at + 1) in _SMALL)
        return word in _SMALL and self._capital(following)

    def _bracketed(self, at: int) -> int:
        """Read "(Fees)", "(Information on the Payer)" inside a name: the next index, 0 if there is none."""
        tokens = self._tokens
        if tokens.kind(at) == "paren" and tokens.text(at).isalpha() and tokens.text(at)[:1].isupper():
            return at + 1
        if tokens.low(at) != "(" or not self._capital(at + 1):
            return 0
        for closing in range(at + 1, at + _MAX_WORDS):
            if tokens.low(closing) == ")":
                following = tokens.text(closing + 1)
                return closing + 1 if following[:1].isupper() else 0
        return 0

    def _about(self, at: int) -> int:
        """Read what an instrument is about, "on Outsourcing", behind its kind: the next index, 0 if there is none."""
        tokens = self._tokens
        kind = tokens.low(at - 1)
        following = at + 1 + (tokens.low(at + 1) == "the")
        if kind not in instruments().named_by_last_word or tokens.low(at) not in _ABOUT or not self._capital(following):
            return 0
        end = following
        while end < at + _MAX_WORDS:
            if self._capital(end):
                if self._is_place(end):
                    break
                end += 1
            elif tokens.low(end) != "," and self._goes_on(end, commas=False):
                end += 1
            else:
                break
        while tokens.low(end - 1) in _SMALL:
            end -= 1
        return end

    def _year(self, at: int) -> tuple[int, str]:
        """Read "2010", ", 1949", "of 2010" behind a name: the next index, and the year as it stands in the name."""
        tokens = self._tokens
        if _YEAR.match(tokens.text(at)):
            return at + 1, f" {tokens.text(at)}"
        if tokens.low(at) in (",", "of") and _YEAR.match(tokens.text(at + 1)):
            # In India and Canada a comma stands before the year.
            return at + 2, f" of {tokens.text(at + 1)}" if tokens.low(at) == "of" else f" {tokens.text(at + 1)}"
        return at, ""

    def _serial(self, at: int) -> tuple[str, int] | None:
        """Read "655", "No. 12", "LPS 1", "2018/3", "05/2020" behind "Notice", "Circular", "Prudential Standard"."""
        tokens = self._tokens
        if tokens.low(at) == "no":
            at += 2 if tokens.low(at + 1) == "." else 1
        letters = tokens.text(at)
        if letters.isupper() and letters.isalpha() and tokens.kind(at + 1) == "num":
            return f"{letters} {tokens.text(at + 1)}", at + 2
        return code(tokens, at) or year_serial(tokens, at) or slashed(tokens, at)

    def _written(self, start: int, end: int) -> str:
        """Put a name together as it is printed, without an abbreviation in brackets."""
        tokens = self._tokens
        words: list[str] = []
        for at in range(start, end):
            text = tokens.text(at)
            if tokens.kind(at) == "paren":
                text = f"({text})" if not text.isupper() else ""
            words.append(text if tokens.touches(at) or not words or not text else f" {text}")
        return "".join(words).replace("- ", "-")
