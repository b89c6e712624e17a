"""The names of instruments behind "of": "of the Harbours Act 1901", "of MAS Notice 655", "to 12 CFR part 30"."""

from __future__ import annotations

import re
from dataclasses import replace

from antinomy.cite import codes, eu_acts, rule_sets, series, titles
from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act
from antinomy.cite.places import may_end

_SHORTENED = re.compile(r"(?=.{2,9}$)[A-Z](?:[A-Za-z]*[A-Z]|[A-Z]{2,}s|[a-z]{1,3}[A-Z][a-z]{2,})$")
#: So end the names of the laws of American states: "Florida Statutes", "Tennessee Code Annotated".
_LAWS_OF_STATES = frozenset({"code", "statutes", "annotated"})
#: Whose version of a law it is: "UK GDPR".
_VERSIONS = frozenset({"UK", "EU", "US"})


def is_abbreviation(text: str) -> bool:
    """Tell whether a word can be an instrument's name in short: "FSMA", "MLRs", "MiFID", "MaRisk"."""
    return bool(_SHORTENED.match(text))


def read(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read the instruments that are named from a token on, with or without "the"; and the next index."""
    after = at + (tokens.low(at) == "the")
    titled = titles.read(tokens, after)
    known = eu_acts.read_named_behind_of(tokens, at)
    if known and titled and titled[1] > known[1] and tokens.kind(known[1]) in ("mark", "paren"):
        # "Harbours Act 2040 (Commencement) Order 2041" is no Harbours Act 2040.
        return titled
    return (
        _title_of_code(tokens, after)
        or known
        or series.read_named(tokens, after)
        or titled
        or _code(tokens, after)
        or _abbreviation(tokens, after)
        or ((_rule_set(tokens, after) or titles.read_small(tokens, after)) if after > at else None)
    )


def read_shortened(tokens: Cursor, end: int) -> tuple[list[Act], int]:
    """Read the law printed behind its article: "Art. 5 BankO", "s. 30.01 (2), Stats.", "section 5-2, Iowa Code"."""
    if tokens.low(end) == "," and tokens.text(end + 1) == "Stats" and tokens.low(end + 2) == ".":
        return [Act("named", "instrument", "Stats.")], end + 2
    titled = titles.read(tokens, end + 1) if tokens.low(end) == "," else None
    if titled and tokens.low(titled[1] - 1) in _LAWS_OF_STATES:
        return titled
    text = tokens.text(end)
    if tokens.kind(end) == "word" and is_abbreviation(text) and not tokens.touches(end):
        behind = tokens.text(end + 2)
        if tokens.low(end + 1) == "-" and tokens.touches(end + 2) and behind.isupper():
            # "FMIA-FINMA"
            return [Act("named", "instrument", f"{text}-{behind}")], end + 3
        return [Act("named", "instrument", text)], end + 1
    return [], end


def _title_of_code(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read "title 12, United States Code", "title 12 of the Code of Federal Regulations", "Title 23 NYCRR"."""
    if tokens.low(at) != "title" or tokens.kind(at + 1) != "num":
        return None
    end = at + 2
    following = end + 1 if tokens.low(end) in (",", "of") else end
    if tokens.low(following) == "the":
        following += 1
    code, behind = codes.named(tokens, following, instruments().codes)
    if code:
        return [Act("named", code.lower(), f"{tokens.text(at + 1)} {code}")], behind
    return [Act("named", "title", f"title {tokens.text(at + 1)}")], end


def _code(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read "12 CFR part 30"."""
    found = codes.read(tokens, at) if tokens.kind(at) == "num" else None
    return (found[0][0].acts, found[1]) if found and found[0][0].paths == [()] else None


def _abbreviation(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read "CPG 234", "OR-2", "FSMA"; behind "the" it may be any noun: the sentence has to go on after it."""
    text = tokens.text(at)
    if text in _VERSIONS and (behind := _abbreviation(tokens, at + 1)):
        return [replace(act, ref=f"{text} {act.ref}") for act in behind[0]], behind[1]
    if tokens.kind(at) != "word" or not is_abbreviation(text):
        return None
    if joined := series.read_number(tokens, at, "code"):
        return [Act("named", "instrument", joined[0])], joined[1]
    if numbered := series.read_number(tokens, at + 1, "code"):
        return [Act("named", "instrument", f"{text} {numbered[0]}")], numbered[1]
    ended = may_end(tokens, at + 1) or (tokens.low(at - 1) == "of" and tokens.text(at + 1).islower())
    return ([Act("named", "instrument", text)], at + 1) if ended else None


def _rule_set(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read the name of a rulebook's Part, "Outsourcing Part" after "rule 2.1 of the"."""
    named = rule_sets.read_name(tokens, at)
    if named is None or not named[2] or tokens.kind(named[1]) in ("num", "paren"):
        return None
    return [Act("named", "rule set", named[0])], named[1]
