"""The names of instruments behind "of": "of the Harbours Act 1901", "of MAS Notice 655", "to 12 CFR part 30"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.cite.act_names import ActNames
from antinomy.cite.codes import Codes
from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.marks import members
from antinomy.cite.model import Act, Path
from antinomy.cite.outline_numbers import GOES_ON
from antinomy.cite.rule_sets import RuleSets
from antinomy.cite.series import Series, code
from antinomy.cite.titles import Titles

#: Whose version of a law it is: "UK GDPR".
_VERSIONS = frozenset({"UK", "EU", "US"})
_PROVISIONS = frozenset({"section", "article", "rule", "paragraph"})
_SHORTENED = re.compile(r"(?=.{2,9}$)[A-Z](?:[A-Za-z]*[A-Z]|[A-Z]{2,}s)$")


def in_statute(paths: Sequence[Path]) -> list[Path]:
    """Join each section of a statute and its marks, as the other grammars do."""
    found: list[Path] = []
    for path in paths:
        first, last = path[0], path[-1]
        if first.level not in _PROVISIONS or any(step.upto for step in path[:-1]) or (first.upto and len(path) == 1):
            found.append(path)
            continue
        level = "section" if first.level == "paragraph" and first.value[:1].isdigit() else first.level
        number = first.value + "".join(f"({step.value})" for step in path[1:-1])
        for mark in members(last.value, last.upto) if last.upto else [last.value]:
            found.append((replace(first, level=level, value=number + (f"({mark})" if len(path) > 1 else "")),))
    return found


def is_abbreviation(text: str) -> bool:
    """Tell whether a word can be an instrument's name in short: "FSMA", "MLRs", "MiFID", "BankO"."""
    return bool(_SHORTENED.match(text))


class InstrumentNames:
    """Reads an instrument by any kind of name."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._acts = ActNames(tokens)
        self._series = Series(tokens)
        self._titles = Titles(tokens)
        self._codes = Codes(tokens)
        self._rule_sets = RuleSets(tokens)

    def read(self, at: int) -> tuple[list[Act], int] | None:
        """Read the instruments that are named from a token on, with or without "the"; and the next index."""
        after = at + (self._tokens.low(at) == "the")
        titled = self._titles.read(after)
        known = self._acts.named_behind_of(at)
        if known and titled and titled[1] > known[1] and self._tokens.kind(known[1]) in ("mark", "paren"):
            # "Harbours Act 2040 (Commencement) Order 2041" is no Harbours Act 2040.
            return titled
        return (
            self._title_of_code(after)
            or known
            or self._series.acts(after)
            or titled
            or self._code(after)
            or self._abbreviation(after)
            or (self._rule_set(after) if after > at else None)
        )

    def _title_of_code(self, at: int) -> tuple[list[Act], int] | None:
        """Read "title 12, United States Code" and "title 12 of the Code of Federal Regulations"."""
        if self._tokens.low(at) != "title" or self._tokens.kind(at + 1) != "num":
            return None
        end = at + 2
        following = end + 1 if self._tokens.low(end) in (",", "of") else end
        if self._tokens.low(following) == "the":
            following += 1
        for words, name in instruments().code_names.items():
            if behind := self._tokens.words(following, words):
                return [Act("named", "title", f"{self._tokens.text(at + 1)} {name}")], behind
        return [Act("named", "title", f"title {self._tokens.text(at + 1)}")], end

    def _code(self, at: int) -> tuple[list[Act], int] | None:
        """Read "12 CFR part 30"."""
        found = self._codes.read(at) if self._tokens.kind(at) == "num" else None
        return (found[0][0].acts, found[1]) if found and found[0][0].paths == [()] else None

    def _abbreviation(self, at: int) -> tuple[list[Act], int] | None:
        """Read "CPG 234", "OR-2", "FSMA"; without a number it may be any noun: the sentence has to go on after it."""
        text = self._tokens.text(at)
        if text in _VERSIONS and (behind := self._abbreviation(at + 1)):
            return [replace(act, ref=f"{text} {act.ref}") for act in behind[0]], behind[1]
        if self._tokens.kind(at) != "word" or not is_abbreviation(text):
            return None
        if joined := code(self._tokens, at):
            return [Act("named", "instrument", joined[0])], joined[1]
        if numbered := code(self._tokens, at + 1):
            return [Act("named", "instrument", f"{text} {numbered[0]}")], numbered[1]
        if len(text) < 3:
            return None
        ended = self._tokens.kind(at + 1) in ("", "mark") or self._tokens.low(at + 1) in GOES_ON
        return ([Act("named", "instrument", text)], at + 1) if ended else None

    def _rule_set(self, at: int) -> tuple[list[Act], int] | None:
        """Read the name of a rulebook's Part, "Outsourcing Part" after "rule 2.1 of the"."""
        named = self._rule_sets.named(at)
        if named is None or not named[2] or self._tokens.kind(named[1]) in ("num", "paren"):
            return None
        return [Act("named", "rule set", named[0])], named[1]
