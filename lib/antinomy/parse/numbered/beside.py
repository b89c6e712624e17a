"""How the lines begin that stand beside a provision and are no part of its words: its history, notes, penalties."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Line, Mark

#: What made a section of an American code, behind the section: "2031, c. 12; 2033, cc. 4, 5." or "[96 FR 702, …]";
#: "[13.1.1.2 NMAC - N, 3/1/2031]".
HISTORY = re.compile(
    r"\[\d+(?: |(?:\.\d+){3} [A-Z]+ - )[^\[\]]*\]$"
    # The rules of American exchanges: "Amended by SR-QUAY-2031-017 eff. May 4, 2031."
    r"|(?:Adopted|Amended|Deleted|Renumbered)(?: .{1,60})? by SR-[A-Z]{2,}-|Selected Notices?: \d"
    # The modules of a rulebook: "Amended: May 2031 Added: June 2030".
    r"|(?:Added|Amended|Deleted): [A-Z][a-z]+ \d{4}\b"
    # The rules of American agencies: "(Source: Added at 46 Reg. 2210, eff. March 1, 2031)", "HISTORY: Eff. 3-1-31."
    r"|\(?(?:Authority|AUTHORITY|History|HISTORY|Source|SOURCE): (?=(?:Added|Adopted|Amended|Eff|Filed|New|§|\d"
    r"|sections? \d|[A-Z][\w. ]{0,20}(?:Code|Laws|Stat|§)).*\d)|\*?Original authority: \d"
    # "History: Cr. Register, May 2031, No. 9; CR 32-057: am. (1)", "Source. #14877, eff 7-1-31", "Authority: RSA 9-J:4"
    r"|(?:(?:Statutory |Rulemaking )?Authority|History)[:.] (?=(?:[A-Z][A-Za-z]{1,5} ?\d|(?:Am|Cr|R|Renum)\.).*\d)"
    r"|(?:Source|New)\. (?:\(See [^()]*\) )?#\d|(?:AUTHORITY|HISTORICAL) NOTE: "
    r"|\(?(?:(?:As )?(?:[Aa]dded|[Aa]mended|Enacted) by (?:(?:Acts|Chapter|Laws|Stats\.) |P\.[AL]\. ?)\d"
    r"|(?:(?:Acts |Laws )?\d{4},|\d{1,3} [A-Z][a-z]{2,4}\. Laws,) (?:[A-Z][\w. ]{1,24}, )?(?:cc?|ch)\. \d)"
)
#: What a catalogue of controls prints below a control, and not below the last of its points.
EXPLAINS = re.compile(r"(?:Discussion|Rationale|Related [Cc]ontrols|Control [Ee]nhancements|References):")
#: What stands beside a provision: notes and penalties of Commonwealth statutes, provisos, explanations, sources, the
#: notes of Japanese texts, (Note 1), and in brackets its changes: [Amended] [VER02/05-31].
BESIDE = re.compile(
    rf"(?:\[[A-Z§][^\[\]]*\]\s*)+$|\((?:Notes?|NOTES?)(?: ?\d{{1,2}})?\)\s|{HISTORY.pattern}|{EXPLAINS.pattern}"
    r"|(?=[A-Z])(?i:(?:(?:(?:historical|history|authority|source|editorial|guidance|reviser['’]s) )?notes?|guidance"
    r"|examples?|(?:(?:civil|criminal|maximum|administrative) )?penalt(?:y|ies)|explanations?"
    r"|illustrations?|history|sources?|authority)(?: \d{1,2})?\s?(?:[:—–]|\.\s?[—–-]|\. (?=\S+ \S))"
    r"|provided,?(?: (?:further|also|however),?)? that\b)"
)
#: The bare number of an item, and how certain it is one where it hangs left of its words.
_SMALL, _HUNG = re.compile(r"[1-9]\d?"), 0.5
#: So many items that go on below their first line, and such a share of them, show how all are set.
_ENOUGH, _MOSTLY = 4, 0.8


def labels_of(line: Line) -> tuple[Mark, ...]:
    """Return the labels at the beginning of a line.

    A number that a gap parts from the words behind it is the number of an item, even if these begin in lower case; "12
    months" is none.
    """
    marks = leading_labels(line.text[:300])
    number = line.text.partition(" ")[0]
    hangs = [offset for offset, _ in line.stops] == [len(number) + 1] and bool(_SMALL.fullmatch(number))
    return (replace(marks[0], firm=_HUNG),) if hangs and len(marks) == 1 and not marks[0].firm else marks


def is_item(line: Line) -> bool:
    """Tell whether an item with brackets begins with a line: "(a) the lamps"."""
    return line.text[:1] == "(" and bool(leading_labels(line.text[:300]))


def items_hang(pairs: Iterable[tuple[Line, Line]]) -> bool:
    """Tell whether the further lines of items stand below their words, right of their labels.

    Args:
        pairs: lines, each with the one right below it.
    """
    hung = [below.x > line.x + 4 for line, below in pairs if is_item(line) and not is_item(below)]
    return len(hung) >= _ENOUGH and sum(hung) >= _MOSTLY * len(hung)
