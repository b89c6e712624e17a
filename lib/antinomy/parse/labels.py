"""Labels at the beginning of a line: ``Section 900.3 (a)(1)``, ``2.3.4 R``, ``IV.``, ``12``, ``•``.

Here are their printed forms; those of labels that say what they begin are in ``named_labels``. What a label means is
decided elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from antinomy.parse.codes import CODE
from antinomy.parse.in_force import CHANGE_DATE, DATE, LONE_DATE
from antinomy.parse.model import Mark
from antinomy.parse.named_labels import KEYWORDS, NUMBER, RULE_LETTER, named_label, without_space
from antinomy.parse.ordinals import LATIN, places
from antinomy.text.numerals import RULE_LETTERS
from antinomy.text.typography import LOWER, RAISED_DIGITS

#: What was inserted behind (2), (c) or (iii): (2.1), (c.1), (iii.1).
_DECIMAL = r"(?:\d{1,3}|[a-z]{1,4})\.\d{1,3}"
#: What is left of a provision that is empty by design.
EMPTY_BY_DESIGN = re.compile(r"\b(?:reserved|deleted|repealed|omitted|revoked|not used|blank)\b", re.IGNORECASE)
#: A number of several parts: 2.3.4, 2.3.4 R, LAMP 2.3.4, IV.A.
_DOTTED = re.compile(
    r"(?:(?P<book>[A-Z]{2,8}|[A-Z][a-z]{2,8}[A-Z]\w{0,6}|App[A-Z]|[A-Z ]*Sch)(?:\s|(?=\d))|(?P<kind>[A-Z])\s(?=\d))?"
    r"(?P<number>(?:\d{1,4}[A-Z]?|[IVX]{1,5}|[A-Z])(?:\.(?:\d{1,3}[A-Za-z]?|[A-Z](?![a-z])|(?<=\d\.)[a-z](?![A-Za-z])))+)"
    rf"(?:\s?(?P<suffix>[{RULE_LETTERS}])(?=\s+(?:[A-Z“‘\"'(\[■]|\d+\.\d|\d{{1,2}}/\d{{1,2}}/\d{{4}}$)|\(|$))?(?P<end>[.)]?)(?=[\s(]|$)"
)
_BOOK = re.compile(r"(?P<book>[A-Z]{2,8}\s|[A-Z]{3}|App)(?P<number>\d{1,2}[A-Z]?):?(?=\s+[A-Z][a-z]|(?<=p\d)\s[A-Z]|$)")
#: A number of one part: 12, 12., (a), iv), [3], 2-bis.
_SIMPLE = re.compile(
    rf"(?P<open>[(\[]?)\s?(?P<number>(?:\d{{1,3}}|[a-z])-?{LATIN}|(?<=\(){_DECIMAL}(?=\))|"
    r"\d{1,4}(?:[a-z]|[A-Z]{0,2})|[a-z]{1,7}|đ|[A-Z]{1,7})\s?(?P<end>[)\]]\.?(?=[\s(\w“‘\"–—-]|$)|(?:[.:]|\*|°\.?|)(?=\s|—?\(|$))"
)
#: The items of Brazilian acts, and paragraphs of French and Arab ones: IV - the lamps, II. – The keeper, 2- Oil.
_DASHED = re.compile(r"(?P<number>[IVXLC]{1,7}|\d{1,2}(?=[-–]))\.?\s?[–—-]\s(?=\S)")
#: An annex's letters and a number, or a part's Roman number and others: B1, B-1, (B1), B1.2, AG4, II-1-2; a control's
#: code: AC-2, ID.AM-01, FRR-AC-01; or in a module: LA-1.2.3, LA-B.1.
_LETTERED = re.compile(
    r"(?P<open>\(?)(?P<letter>[A-Z]{1,2}|[IVX]{3,5}(?=-)|[A-Z]{2,4}(?:[.-][A-Z]{2,4})*(?=-(?:\d|[A-C][. ])))"
    r"(?P<dash>-?)(?P<number>(?:(?<=-)\d{4}$|\d{1,3}|(?<=-)[A-C])(?:[.-]\d{1,3}){0,3}[A-Z]?)"
    r"(?P<end>[.):]?)(?=[\s(]|$)"
)
#: Statutory instruments print a dash between a number and its first paragraph: 4.—(1).
_INNER = re.compile(rf"(?:\s|—)?\(\s?(?P<number>{_DECIMAL}|\d{{1,3}}[a-z]?|[a-z]{{1,7}}|[A-Z]{{1,5}})\s?\)")
#: A list that begins right behind a number or letter with a stop: F. 1. The keeper shall.
_FIRST = re.compile(r"\s(?P<number>[1ai])\.\s(?=[A-Z“\"])")
_UPTO = re.compile(r"\s?(?:--?|[–—]|to|through)\s?(?=[(\d§])")
_RESERVED = re.compile(r"(?P<stop>\.?)(?:.{0,3}\[|\s+\((?:RESERVED|Reserved)\))")
#: The paragraphs of Swiss acts have raised numbers.
_RAISED = re.compile(rf"(?P<number>[{RAISED_DIGITS}]{{1,2}}(?:{LATIN}\b)?)\s*(?=\S)")
#: Japanese and Korean texts circle the numbers of items.
_CIRCLED = re.compile(r"\s?(?P<number>[①-⑳])\s*(?=\S)")
_BULLET = re.compile(r"(?P<sign>[•–—▪●◦‣·■□►○*-])(?<!■(?=\s[A-Z]{3,8}\s\d))(?:\s+(?=\S)|$)")
#: Statutes print a section's number in brackets where they are not codified yet: "[§ 12-3]".
_BRACKETED = re.compile(r"\[(§\s?[\w.-]{1,20})\](?=\s)")
#: What a code or a place in a sourcebook is, printed before it: "Control: AC-2", "Section : LAMP 2.1".
_KIND = re.compile(
    r"(?P<kind>(?:Control|Requirement|Section|Chapter|Rule|Safeguard|Criterion)(?: ID)?)\s?:\s+(?=[A-Z]{2})"
)
_RUN_IN = re.compile(
    r"(?P<heading>[A-Z“‘\"][^.;:()]{2,80}(?:\.\s?[—–]?|[:—–])|\([A-Z][^()]{2,80}\))\s*(?=(?:\((?:1|a|i|A)\)|①)\s*\S)"
)
#: "Section 4(2) does not apply": a provision that is spoken of.
_CITED = re.compile(r"\s*,|\s+(?:do(?:es)?|shall|must|may|is|are|was|has|have|appl(?:y|ies)|and|or|of)\b")
#: "3 February 2031", on a cover.
_DATE = re.compile(DATE)
_YEAR = range(1900, 2100)


@lru_cache(maxsize=8192)
def leading_labels(text: str) -> tuple[Mark, ...]:
    """Return the labels at the beginning of a line, outermost first; () if there are none.

    Args:
        text: the line, or its first words.

    >>> [mark.printed for mark in leading_labels("Section 900.3 (a)(1) The covered entity shall")]
    ['Section 900.3', '(a)', '(1)']
    """
    if bracketed := _BRACKETED.match(text):
        marks = leading_labels(f"{bracketed[1]}{text[bracketed.end() :]}")
        return tuple(replace(mark, end=mark.end + len("[]")) for mark in marks)
    if kind := _KIND.match(text):
        return tuple(
            replace(
                mark,
                printed=f"{kind['kind']} {mark.printed}",
                # Codes of controls have no order.
                style="code" if "".join(mark.path[:1]).isalpha() else mark.style,
                end=kind.end() + mark.end,
                firm=2.0,
            )
            for mark in leading_labels(text[kind.end() :].partition(";")[0])[:1]
        )
    readers = (_bullet, _raised, _circled, named_label, _dotted, _book, _lettered, _dashed, _simple)
    first = next((mark for reader in readers if (mark := reader(text))), None)
    if first is None:
        return ()
    found = [_ranged(first, text)]
    while found[-1].style != "bullet" and not found[-1].upto:
        mark, heading = _inside(text, found[-1].end) or _first(found[-1], text), ""
        if mark is None:
            start = found[-1].end + len(text[found[-1].end :]) - len(text[found[-1].end :].lstrip())
            run_in = _RUN_IN.match(text, start)
            if run_in is None or len(run_in["heading"].split()) > 10:
                break
            heading, mark = run_in["heading"], _inside(text, run_in.end())
        if mark is None or (not heading and _is_alike(found[-1], mark)):
            # "(2) (1)(b) does not apply": a paragraph has none of its own kind right inside.
            break
        found.append(_ranged(replace(mark, heading=heading), text))
    if len(found) > 1 and not first.style.startswith("(") and _CITED.match(text, found[-1].end):
        return ()
    rest = text[found[-1].end :].strip()
    if (found[-1].is_rule and LONE_DATE.fullmatch(rest)) or (len(found[-1].path) > 1 and CHANGE_DATE.fullmatch(rest)):
        # Of its last change.
        found[-1] = replace(found[-1], printed=text, end=len(text))
    return tuple(found)


def _is_alike(above: Mark, mark: Mark) -> bool:
    return above.style == mark.style and above.number.isdecimal() and mark.number.isdecimal()


def _inside(text: str, at: int) -> Mark | None:
    """Read the label right behind another."""
    match = _INNER.match(text, at)
    if match is None or not places(_as_inserted(match["number"])):
        return _circled(text, at)
    number = match["number"]
    return Mark(f"({number})", number, "(#)", (_as_inserted(number),), end=match.end())


def _first(above: Mark, text: str) -> Mark | None:
    """Read the first label of a list right behind the label above it, both with stops."""
    match = _FIRST.match(text, above.end) if above.style in ("#.", "§ #") else None
    # Below a section's number another of its kind may stand: "41.1405. 1."
    kinds = {kind for kind, _ in places(above.path[-1])} if match and above.style == "#." else set()
    if match is None or kinds & {kind for kind, _ in places(match["number"])}:
        return None
    return Mark(f"{match['number']}.", match["number"], "#.", (match["number"],), end=match.end())


def _bullet(text: str) -> Mark | None:
    match = _BULLET.match(text)
    return Mark(match["sign"], "", "bullet", (match["sign"],), end=match.end()) if match else None


def _raised(text: str) -> Mark | None:
    match = _RAISED.match(text)
    if match is None:
        return None
    number = match["number"].translate(LOWER)
    return Mark(match["number"], number, "¹#", (number,), end=match.end())


def _circled(text: str, at: int = 0) -> Mark | None:
    match = _CIRCLED.match(text, at)
    if match is None:
        return None
    number = str(ord(match["number"]) - ord("①") + 1)
    return Mark(match["number"], number, "○#", (number,), end=match.end())


def _dotted(text: str) -> Mark | None:
    match = _DOTTED.match(text)
    if match is None:
        return None
    number, suffix = match["number"], match["suffix"] or ""
    if not match["book"] and not any(c.isdecimal() for c in number) and number[0] not in "IVX":
        # "S.C. 2021": initials.
        return None
    if not suffix and number[-1] in RULE_LETTERS and number[-2].isdecimal() and match["end"] == "":
        # 2.3.4R is the rule 2.3.4, as 2.3.4 R is.
        number, suffix = number[:-1], number[-1]
    path = tuple(number.split("."))
    if path[-1].isdecimal() and int(path[-1]) in _YEAR:
        return None
    if path[1:] == ("0",):
        # The chapters of some texts are 1.0, 2.0, and their sections 1.1, 2.1.
        path = path[:1]
    status = None if suffix else RULE_LETTER.match(text, match.end())
    rest = text[(status or match).end() :].lstrip()
    # "2.5 million", "1.5 % of", "LAMP 2.3.4 R does not": a quantity, or a reference in running text.
    quantity = rest[:1].islower() or rest.startswith(("%", ",", ";"))
    book = match["book"] or ""
    style = f"{book} #" if book else f"#{match['end']}"
    firm = 0.3 if quantity and not match["end"] and (book or not suffix) else 1.2
    return Mark(text[: match.end()].rstrip(), f"{number}{suffix}", style.strip(), path, end=match.end(), firm=firm)


def _book(text: str) -> Mark | None:
    """Read the number of a sourcebook's chapter, which includes the sourcebook's name: LAMP 2 Application; or APP1."""
    match = _BOOK.match(text)
    if match is None:
        return None
    number, book = match["number"], match["book"].strip()
    if book.upper() == "APP":
        return Mark(match[0], number, "appendix #", (number,), keyword="appendix", end=match.end(), firm=2.0)
    if {word := book.lower(), word.removesuffix("s")} & KEYWORDS.keys():
        return None
    # Questions are counted beside the points of a paragraph: FAQ1 is not its point 1.
    own = f"{book}{number}" if book == "FAQ" else number
    return Mark(match[0].strip(), own, f"{book} #", (number,), end=match.end(), firm=0.5)


def _lettered(text: str) -> Mark | None:
    match = _LETTERED.match(text)
    if match is None:
        return None
    opened, letter, number, end = match["open"], match["letter"], match["number"], match["end"]
    if (opened == "(") != (end == ")") and opened:
        return None
    firm = 1.0 if end else _firm_before(text[match.end() :].lstrip())
    if not firm and number[-1].isalpha():
        # "P2P lending": a word.
        return None
    style = f"{opened}#{'' if end == ':' else end}"
    path = (letter, *re.split("[.-]", number))
    return Mark(match[0], f"{letter}{match['dash']}{number}", style, path, end=match.end(), firm=firm)


def _dashed(text: str) -> Mark | None:
    match = _DASHED.match(text)
    if match is None or not places(match["number"]):
        return None
    number = match["number"]
    return Mark(match[0].strip(), number, "# -", (number,), end=match.end())


def _firm_before(rest: str) -> float:
    """Return how certain a number without punctuation is, by the text after it: "12 Governance", "12 months"."""
    return 0.5 if not rest or rest[:1].isupper() or rest[0] in "“‘\"'(|" else 0.0


def _simple(text: str) -> Mark | None:
    match = _SIMPLE.match(text)
    if match is None:
        return None
    number, opened, end = without_space(match["number"]), match["open"], match["end"].rstrip(".") or match["end"]
    if ((opened == "(") != (end == ")") and opened) or ((opened == "[") != (end == "]")):
        return None
    rest = text[match.end() :].lstrip()
    if not places(_as_inserted(number)):
        return None
    style = f"{opened}#{'' if end in ('*', ':') else end}"
    firm = 1.0
    if not end or end in ":*":
        # A bare number: digits first, or Roman numbers of at least two letters, before a word with a capital.
        counted = number[0].isdecimal() and not number[-1].islower()
        if not counted and (number[0].isdecimal() or len(number) == 1 or places(number)[0][0] != "ROMAN"):
            return None
        if number.isdecimal() and (int(number) in _YEAR or number.startswith("0") or CODE.match(text, match.end())):
            return None
        if _DATE.match(text):
            return None
        firm = _firm_before(rest)
        status = RULE_LETTER.match(text, match.end()) if number.isdecimal() and firm and not end else None
        if status and status[0][0] == " " and _firm_before(text[status.end() :].lstrip()):
            # "1 R A firm must": a rule of an annex.
            return Mark(text[: status.end()].strip(), number, style, (number,), end=status.end(), firm=firm)
    elif end == "." and number.isalpha() and len(number) > 1:
        kind, value = places(number)[0]
        if kind.lower() != "roman" and value == int(value):
            return None
    printed = text[: match.end()].strip()
    return Mark(printed, number, style, (_as_inserted(number),), end=match.end(), firm=firm)


def _as_inserted(number: str) -> str:
    """Return a number as that of its own list: (2.1), inserted behind (2), is 2-1, and not the first in a list 2."""
    return re.sub(r"(?<=\d)\.", "-", number)


def _ranged(mark: Mark, text: str) -> Mark:
    """Return the label with the last number of a range: "(b)-(d) [Reserved]", "003. -- 009. (RESERVED)"."""
    between = _UPTO.match(text, mark.end)
    if between is None or mark.style == "bullet":
        return mark
    shape = rf"(?:§\s*)?({NUMBER})" if mark.keyword else re.escape(mark.style).replace(r"\#", r"([\w.]{1,9}?)")
    again = re.match(rf"{shape}(?=[\s.\[]|$)", text[between.end() :])
    if again is None or (reserved := _RESERVED.match(text, between.end() + again.end())) is None:
        return mark
    return replace(mark, printed=text[: reserved.start()], upto=again[1], end=reserved.end("stop"))
