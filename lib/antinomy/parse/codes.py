"""Numbers of rules in the codes of American states, and places in codes: ``WAC 284-30-310``, ``12 CFR 30.4``."""

from __future__ import annotations

import re

#: Sections of American codes whose numbers need no word, "6-1-1301. Short title": title, article, section; 41.1405.
_CODED = re.compile(
    r"(?P<number>\d{1,3}[A-Z]?(?:-\d{1,4}[A-Z]?)?-\d{3,4}(?:\.\d{1,2})?|\d{2,3}\.\d{4})\.(?=\s+(?:[A-Z(“\"]|1\.\s))"
)
#: A rule of a state's administrative code, most often behind the volume and the name of the code: 4 CSR 240-12.010,
#: WAC 284-30-310, Ins 6.01, He-P 802.01, 14VAC5-270-10, R590-100-1, 69B-220.201, 20:06:01:01, 0780-01-05-.01,
#: 191—15.1(507B).
_PART = r"\d{1,4}[A-Z]{0,2}"
#: What the agencies of some states print before a number, that of a division, too: "CHAPTER He-P 800", "PART Ins 301".
_SHORT_NAME = r"[A-Z][A-Za-z]{0,4}-[A-Z][A-Za-z]{0,3}|(?!Sch)[A-Z][a-z]{1,3}"
AGENCY = (
    r"(?!(?:[IVXLC]+|ONE|TWO|SIX|TEN|One|Two|Six|Four|Five|Nine|Ten|NOS?|Nos?|Nr|Jan|Feb|Mar|Apr|May|June?|July?|Aug"
    rf"|Sept?|Oct|Nov|Dec)\b)(?:{_SHORT_NAME}|Trans|[A-Z]{{2,5}})"
)
_RULE = re.compile(
    rf"(?P<book>\d{{1,3}} [A-Z]{{2,5}} (?:§ ?)?|[A-Z]{{2,5}} |(?:{_SHORT_NAME}|Trans) (?=\d+\.\d\d))?"
    rf"(?P<chapter>(?<=[A-Z] )\d{{1,3}} (?=\.\d)|\d{{2,3}}—(?=[\d.]+\())?"
    rf"(?P<number>(?:[A-Z]|\d{{1,2}}[A-Z]{{2,4}})?{_PART}(?:(?:[:.-]|-\.){_PART})+|\.\d{{2,4}}|0\d\d)"
    r"(?:\(\d{1,4}[A-Z]?\))?(?P<end>[.:]?)(?=\s+(?:[A-Z(\[“\"]|(?:--?|–) \d{3}\.\s)|$)"
)
#: A number with a dash that alone is no rule's: 69-1, A-1.2, a date.
_PLAIN = re.compile(r"\d{1,4}-\d{1,3}|[A-Z]-?[\d.]+(?:-\d+)?|(?:19|20)\d\d-\d\d-\d\d|\d\d-\d\d-\d{4}")
#: A rule by the length of its number and by what follows: 2605.0100, 142.01: A, 69-1. A, .01, 001, 13.1.1.1 SCOPE:.
_PUNCTUATED = re.compile(
    r"(?:\d{4}\.\d{4}|\d{1,4}\.\d{2}:|\d{1,4}-\d{1,3}\.|\.\d{2}|0\d\d"
    r"|\d{1,2}(?:\.\d{1,3}){3} [A-Z][A-Z ,;’'&-]+:(?=\s|$))"
)
#: What stands behind a part of Illinois' code: "Section 930.APPENDIX A Forms", "Section 930.TABLE B".
BEHIND_PART = re.compile(
    r"Section \d{1,4}\.(?P<word>APPENDIX|EXHIBIT|ILLUSTRATION|TABLE) (?P<number>[A-Z]{1,2}|\d{1,2})(?=\s|$)"
)
#: "12 CFR 30.4", "3 XYZ ADC Pt. 12": a place in a code, behind its volume.
CODE = re.compile(r"(?:\s[A-Z]{2,7}(?:-[A-Z]{2,4})?){1,2}\s(?:(?:§|Pt\.|Part|PART)\s?\d|\d+[.-]\d)[\w.-]*(?:[,;]|$)")
#: No more than that place, or that of its appendix: "12 CFR Pt. 30, App. B".
_PLACE = re.compile(rf"\d{{1,3}}{CODE.pattern}(?:\sApp\. \w{{1,3}})?$")


def is_place_in_code(text: str) -> bool:
    """Tell whether a text is no more than a place in a code: "12 CFR 30.4".

    >>> is_place_in_code("3 XYZ ADC Pt. 12, App. B"), is_place_in_code("12 CFR 30.4, and what it requires")
    (True, False)
    """
    return bool(_PLACE.match(text))


def rule_number(text: str) -> re.Match[str] | None:
    """Match the number of a section or rule of a code, which needs no word before it, at the beginning of a line."""
    if numbered := _CODED.match(text):
        return numbered
    match = _RULE.match(text)
    if match is None or is_place_in_code(text):
        return None
    number, book = match["number"], match["book"] or ""
    if book:
        # "LAMP 2.3.4" is a rule of a sourcebook, which has levels.
        named = book[0].isdigit() or not book[:-1].isupper() or "-" in book
        # None of these is 2.01.
        coded = named or bool(re.search(r"[-:]|\.\d{3}$|^\d{1,3}\.0\d", number))
    else:
        separated = bool(re.search(r"[-:]", number)) and not _PLAIN.fullmatch(number)
        coded = bool(match["chapter"]) or separated or bool(_PUNCTUATED.match(text))
    return match if coded else None
