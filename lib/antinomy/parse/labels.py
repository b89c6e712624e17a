"""Labels at the beginning of a line: ``Section 900.3 (a)(1)``, ``2.3.4 R``, ``IV.``, ``12``, ``•``.

What a label means is decided elsewhere; here are its printed form and its possible readings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from antinomy.parse.codes import AGENCY, BEHIND_PART, CODE, rule_number
from antinomy.parse.in_force import DATE, LONE_DATE
from antinomy.parse.ordinals import INSERTED, places
from antinomy.text.numerals import ORDINALS, RULE_LETTERS
from antinomy.text.typography import LOWER, RAISED_DIGITS

#: Words that name a part of a text, and the section type that they name.
KEYWORDS = {
    "part": "part", "subpart": "subpart", "title": "title", "subtitle": "title", "chapter": "chapter",
    "subchapter": "chapter", "division": "part", "book": "part", "section": "section", "sec": "section",
    "subsection": "subsection", "§": "section", "article": "article", "art": "article", "rule": "rule",
    "regulation": "rule", "annex": "annex", "schedule": "schedule", "appendix": "appendix", "attachment": "appendix",
    "exhibit": "appendix", "principle": "rule", "requirement": "section", "standard": "section",
    "guideline": "section", "sch": "schedule", "objective": "section", "module": "chapter", "paragraph": "paragraph",
    "clause": "paragraph", "sub-part": "subpart", "sub-chapter": "chapter", "sub-section": "subsection",
    "addendum": "appendix", "addenda": "appendix", "app": "appendix", "tp": "section", "stk": "subsection",
    "subp": "subsection", "appended table": "annex", "appended form": "annex",
}  # fmt: skip
ANNEX_TYPES = frozenset({"annex", "appendix", "schedule"})
#: These close all open levels and begin a numbering of their own.
ANNEXES = frozenset({word for word, kind in KEYWORDS.items() if kind in ANNEX_TYPES} | {"tp"})
#: The provisions that a schedule hangs on.
PROVISIONS = frozenset({"section", "article", "rule", "regulation"})
#: These may be parts of an article.
PARAGRAPHS = frozenset({"§", "subsection", "paragraph", "clause", "stk"})
ARTICLES = frozenset({"article", "art"})
#: These are parts of a provision, never of a larger part.
SUBSECTIONS = frozenset({"subsection", "sub-section", "stk"})
#: The larger parts of a text.
DIVISIONS = frozenset({
    "part", "subpart", "title", "subtitle", "chapter", "subchapter", "division", "book", "module", "sub-part",
    "sub-chapter",
})  # fmt: skip

_LATIN = rf"(?:{'|'.join(INSERTED)})"
#: What was inserted behind (2), (c) or (iii): (2.1), (c.1), (iii.1).
_DECIMAL = r"(?:\d{1,3}|[a-z]{1,4})\.\d{1,3}"
_NUMBER = (
    rf"\d{{1,3}}[ -]?{_LATIN}\b|\d{{1,3}} [a-z](?=\.\s)|\d{{1,3}}/\d{{1,2}}(?!\d)|"
    r"\d{1,4}(?:(?:[.:\-–]|-\.)\d{1,4})*(?:(?:-?[A-Z]{1,2}|[a-z]\d{0,2})(?:[-–]\d{1,3}){0,2})?"
    r"|[IVXLCDM]{1,7}(?!-?\d)|[A-Z]{1,2}(?:[.-]?\d{1,3})*"
)
#: Words in capitals that look like letters that count.
_NO_NUMBERS = frozenset({"OF", "IN", "TO", "BY", "ON", "OR", "AS", "AT", "IS"})
_WORDS = "ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten"
_FORMS = "|".join(
    form
    for word in sorted(KEYWORDS, key=len, reverse=True)
    if word != "§"
    for form in (word.upper(), word.capitalize(), *([] if word.isalpha() else [word.title()]))
)
_KEYWORD = re.compile(
    rf"(?:(?P<book>[A-Z]{{3,8}}\s)?(?:(?P<chapter>\d{{1,3}}[A-Z]?)\s)?(?=[A-Z][a-z]|TP\s))?(?:(?P<word>{_FORMS})s?\.?\s+(?:[–—-]\s+)?|(?P<sign>§{{1,2}})\s*)"
    rf"(?:(?P<agency>{AGENCY})\s(?=\d))?(?:\((?P<inner>\d{{1,3}}[a-z]?)\)|(?P<number>{_NUMBER}|{_WORDS}))(?P<end>[.:]?(?=\s|$)|(?=[(\s–—-]|,\s[^a-z]+$|$))"
)
#: The number of a subpart that is a part of a section: so does Minnesota call them.
_OF_SECTION = re.compile(r"\d{1,2}[a-z]?")
#: Several sections of one part at once: 900.4-900.6, but not 12.1-41.2, which stands behind 41 in title 12.1.
_SEVERAL = re.compile(r"((\d+(?:\.\d+)*)\.\d+)[-–](\2\.\d+)$")
_INSERTED = re.compile(r"(.+)-(\d+)\.(\d{1,2})")
_SOLE = re.compile(r"(?P<word>ANNEX|Annex|SCHEDULE|Schedule|APPENDIX|Appendix|ADDEND(?:A|UM))\s*$")
#: An annex without a number, and its title: "ANNEX RETURNS", "Schedule – Fees".
_TITLED = re.compile(
    r"(?P<word>(?:ANNEX|SCHEDULE|APPENDIX)(?=\s+(?!OF\b)[A-Z](?:[A-Z]{2}|[a-z]{2}))|(?:ANNEX|Annex|SCHEDULE|Schedule|APPENDIX|Appendix)"
    r"(?=\s*[–—:]\s*[A-Z]))\s*[–—:]?\s*"
)
#: "FIRST SCHEDULE": statutes of the Commonwealth count their schedules in words.
_IN_WORDS = "|".join(form for word in ORDINALS for form in (word.upper(), word.capitalize()))
_COUNTED = re.compile(
    rf"(?:THE\s+|The\s+)?(?P<ordinal>{_IN_WORDS})"
    r"\s+(?P<word>SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix)(?P<end>[.:]?(?=\s|$)|(?=[\s–—-]))"
)
_HOLDER = re.compile(
    r"\s+to\s+(?:(?:sub)?part\s+[\w.]*\w\s+of\s+)?(?:this\s+)?(?:sub)?part(?:\s+[\w.]*\w)?"
    r"|\s+\((?:sub)?part\s+[\w.]*\w\)",
    re.IGNORECASE,
)
#: What is left of a provision that is empty by design.
EMPTY_BY_DESIGN = re.compile(r"\b(?:reserved|deleted|repealed|omitted|revoked|not used|blank)\b", re.IGNORECASE)
#: A sourcebook's rules, guidance, evidential provisions and directions have letters.
_STATUS = re.compile(rf"\s?(?P<suffix>[{RULE_LETTERS}])(?=\s|$)")
#: A title in capitals may stand behind a comma: "CHAPTER 12, LAMPS".
_SEPARATOR = re.compile(r"\s*(?:[–—:|]|--)\s*|\s*-\s+|\s+|,\s+(?=[^a-z]{4,}$)")
_DOTTED = re.compile(
    r"(?:(?P<book>[A-Z]{2,8}|[A-Z][a-z]{2,8}[A-Z]\w{0,6}|App[A-Z]|[A-Z ]*Sch)(?:\s|(?=\d))|(?P<kind>[A-Z])\s(?=\d))?"
    r"(?P<number>(?:\d{1,4}[A-Z]?|[IVX]{1,5}|[A-Z])(?:\.(?:\d{1,3}[A-Za-z]?|[A-Z](?![a-z])|(?<=\d\.)[a-z](?![A-Za-z])))+)"
    rf"(?:\s?(?P<suffix>[{RULE_LETTERS}])(?=\s+(?:[A-Z“‘\"'(\[■]|\d+\.\d|\d{{1,2}}/\d{{1,2}}/\d{{4}}$)|\(|$))?(?P<end>[.)]?)(?=[\s(]|$)"
)
_BOOK = re.compile(r"(?P<book>[A-Z]{2,8}\s|[A-Z]{3}|App)(?P<number>\d{1,2}[A-Z]?):?(?=\s+[A-Z][a-z]|(?<=p\d)\s[A-Z]|$)")
_SIMPLE = re.compile(
    rf"(?P<open>[(\[]?)\s?(?P<number>(?:\d{{1,3}}|[a-z])-?{_LATIN}|(?<=\(){_DECIMAL}(?=\))|"
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
_RAISED = re.compile(rf"(?P<number>[{RAISED_DIGITS}]{{1,2}}(?:{_LATIN}\b)?)\s*(?=\S)")
#: Swedish and Finnish acts print the sign behind the number: 2 a §.
_SIGNED = re.compile(r"(?P<printed>(?P<number>\d{1,3}(?: ?[a-z])?) §)\s+(?=[A-Z(“\"])")
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
#: "Guideline 4 (Lamps), issued", "Clause 2 Article 4 does not apply": what is spoken of.
_ENTITLED = re.compile(r"(?:\([A-Z][^()]{3,100}\)|Article \d+(?=\s))(?:,|\s+[a-z])")
_OF_YEAR = re.compile(r"(?:regulation|rule|standard|requirement|guideline|principle)s (?:19|20)\d\d\b", re.IGNORECASE)
#: "Section 4(2) does not apply": a provision that is spoken of.
_CITED = re.compile(r"\s*,|\s+(?:do(?:es)?|shall|must|may|is|are|was|has|have|appl(?:y|ies)|and|or|of)\b")
#: "3 February 2031", on a cover.
_DATE = re.compile(DATE)
#: A rulebook prints it below the number of a rule.
_PRINTED_DATE = re.compile(r"\d{2}/\d{2}/\d{4}")
_YEAR = range(1900, 2100)


@dataclass(frozen=True, slots=True)
class Mark:
    """A printed label.

    Attributes:
        printed: as printed, "(a)", "Section 900.3".
        number: without punctuation: "a", "900.3", "2.3.4R".
        style: how it is printed, with # for the number: "(#)", "#.", "section #", "bullet".
        path: the number's components: ("2", "3", "4").
        keyword: the word that names the part, in lower case, "" if none.
        upto: the last number if one label stands for several, else "".
        end: where it ends in the line.
        firm: how certain a label is by its form alone: 0 a bare number, 1 a number with punctuation, 2 a keyword.
        heading: the run-in heading between the label before it and this one.
    """

    printed: str
    number: str
    style: str
    path: tuple[str, ...]
    keyword: str = ""
    upto: str = ""
    end: int = 0
    firm: float = 1.0
    heading: str = ""

    @property
    def is_code(self) -> bool:
        """Tell whether the number names the book that it stands in, and no rule of it: LAMP 2."""
        return self.style[:1].isupper() and not self.is_rule

    @property
    def is_rule(self) -> bool:
        """Tell whether a letter behind the number says how binding it is: 2.3.4R."""
        letter = self.number[-1:]
        return letter in tuple(RULE_LETTERS) and self.number == f"{'.'.join(self.path)}{letter}"


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
    readers = (_bullet, _raised, _circled, _signed, _keyword, _coded, _dotted, _book, _lettered, _dashed, _simple)
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
    if (found[-1].is_rule and LONE_DATE.fullmatch(rest)) or (len(found[-1].path) > 1 and _PRINTED_DATE.fullmatch(rest)):
        # Of its last change.
        found[-1] = replace(found[-1], printed=text, end=len(text))
    return tuple(found)


def _is_alike(above: Mark, mark: Mark) -> bool:
    return above.style == mark.style and above.number.isdecimal() and mark.number.isdecimal()


def _inside(text: str, at: int) -> Mark | None:
    """Read the label right behind another."""
    match = _INNER.match(text, at)
    if match is None or not places(_own(match["number"])):
        return _circled(text, at)
    number = match["number"]
    return Mark(f"({number})", number, "(#)", (_own(number),), end=match.end())


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


def _signed(text: str) -> Mark | None:
    match = _SIGNED.match(text)
    if match is None:
        return None
    number = _whole(match["number"])
    return Mark(match["printed"], number, "§ #", (number,), keyword="§", end=match.end(), firm=2.0)


def _keyword(text: str) -> Mark | None:
    if behind := BEHIND_PART.match(text):
        word = "appendix" if behind["word"] in ("APPENDIX", "EXHIBIT") else "schedule"
        number = behind["number"]
        return Mark(behind[0], number, f"{word} #", (number,), keyword=word, end=behind.end(), firm=2.0)
    counted = _COUNTED.match(text)
    match = counted or _KEYWORD.match(text)
    if match is None:
        sole = _SOLE.match(text) or _TITLED.match(text)
        word = sole["word"].lower() if sole else ""
        return Mark(sole["word"], "", f"{word} #", (), keyword=word, end=sole.end(), firm=2.0) if sole else None
    word = (match["word"] or "§").lower()
    end = match.end()
    if counted:
        chapter, number = "", str(1 + ORDINALS.index(counted["ordinal"].lower()))
    else:
        chapter, number = match["chapter"], match["inner"] or match["number"]
    if not counted and ((match["book"] and word not in ANNEXES) or (word in ("sch", "app", "tp") and "." in number)):
        # "DPA Art. 9" is of another act, and "Sch 2.1" the rule 2.1 in a schedule.
        return None
    if chapter and (word not in ANNEXES or not number.rstrip(RULE_LETTERS).isdecimal()):
        return None
    if not counted and match["agency"] and word not in DIVISIONS and (word in ANNEXES or "." not in number):
        # "Regulation EU 2"
        return None
    if chapter and not (match["book"] or number[-1] in RULE_LETTERS or _STATUS.match(text, end)):
        # "3 Annex 1 lists the fees": a paragraph, and no annex of chapter 3, whose letter would say that it is a rule.
        return None
    if word in ANNEXES and (holder := (_STATUS if chapter else _HOLDER).match(text, end)):
        end = holder.end()
    rest = text[end:]
    separator = _SEPARATOR.match(rest)
    title = rest[separator.end() :] if separator else rest
    if (
        title[:1].islower()
        or title.startswith((",", ";", ")", "(commencing with "))
        or _ENTITLED.match(title)
        or _OF_YEAR.match(text)
    ):
        # "Section 3 of this Part", the end of a title "Regulations 2031": words, no label.
        return None
    upto = ""
    if several := _SEVERAL.match(number):
        number, upto = several[1], several[3]
    if number in _NO_NUMBERS:
        # "DIVISION OF CONSUMER LENDING"
        return None
    number = _whole(number)
    if word in ("subpart", "subp") and _OF_SECTION.fullmatch(number):
        word = "subsection"
    # Article 8-2 was inserted after article 8; section 8-2 is the second of part 8.
    # Section 3:17 is in chapter 3 whatever its number: its numbers leave gaps and begin anew in each chapter.
    path = (number,) if word in ARTICLES else _path(number)
    if chapter:
        # A sourcebook counts the annexes of each chapter: LAMP 2 Annex 1R, the first of chapter 2, is a rule.
        number = number.rstrip(RULE_LETTERS)
        path = (chapter, number)
    if word == "tp":
        # The transitional provisions TP 1 of a sourcebook are no chapter 1.
        number = f"TP{number}"
    printed = text[:end].rstrip(" .:")
    own_line = not title
    firm = 2.0 if own_line or match["end"] or separator else 1.5
    return Mark(printed, number, f"{word} #", path, keyword=word, end=end + (separator.end() if separator else 0),
                upto=upto, firm=firm)  # fmt: skip


def _coded(text: str) -> Mark | None:
    match = rule_number(text)
    if match is None:
        return None
    number = match["number"].replace("-.", "-").removeprefix(".")
    return Mark(match[0].rstrip(".:"), number, "§ #", _path(number), keyword="§", end=match.end(), firm=2.0)


def _path(number: str) -> tuple[str, ...]:
    """Return the components of a number: sections 8-2 and 3:17 are in parts 8 and 3.

    Section 12.1-41.2 was inserted after section 12.1-41.
    """
    inserted = _INSERTED.fullmatch(number)
    path = tuple(re.split(r"[.:\-–]", inserted[1] if inserted else number))
    return (*path, f"{inserted[2]}-{inserted[3]}") if inserted else path


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
    status = None if suffix else _STATUS.match(text, match.end())
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
    firm = 1.0 if end else _bare(text[match.end() :].lstrip())
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


def _bare(rest: str) -> float:
    """Return how certain a number without punctuation is, by the text after it: "12 Governance", "12 months"."""
    return 0.5 if not rest or rest[:1].isupper() or rest[0] in "“‘\"'(|" else 0.0


def _whole(number: str) -> str:
    """Return an inserted number without the space or dash inside: 2bis for 2-bis, 4a for 4 a."""
    return re.sub(rf"(?<=[\da-z])[ -](?={_LATIN}$)|(?<=\d) (?=[a-z]$)", "", number)


def _simple(text: str) -> Mark | None:
    match = _SIMPLE.match(text)
    if match is None:
        return None
    number, opened, end = _whole(match["number"]), match["open"], match["end"].rstrip(".") or match["end"]
    if ((opened == "(") != (end == ")") and opened) or ((opened == "[") != (end == "]")):
        return None
    rest = text[match.end() :].lstrip()
    if not places(_own(number)):
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
        firm = _bare(rest)
        status = _STATUS.match(text, match.end()) if number.isdecimal() and firm and not end else None
        if status and status[0][0] == " " and _bare(text[status.end() :].lstrip()):
            # "1 R A firm must": a rule of an annex.
            return Mark(text[: status.end()].strip(), number, style, (number,), end=status.end(), firm=firm)
    elif end == "." and number.isalpha() and len(number) > 1:
        kind, value = places(number)[0]
        if kind.lower() != "roman" and value == int(value):
            return None
    printed = text[: match.end()].strip()
    return Mark(printed, number, style, (_own(number),), end=match.end(), firm=firm)


def _own(number: str) -> str:
    """Return a number as that of its own list: (2.1), inserted behind (2), is 2-1, and not the first in a list 2."""
    return re.sub(r"(?<=\d)\.", "-", number)


def _ranged(mark: Mark, text: str) -> Mark:
    """Return the label with the last number of a range: "(b)-(d) [Reserved]", "003. -- 009. (RESERVED)"."""
    between = _UPTO.match(text, mark.end)
    if between is None or mark.style == "bullet":
        return mark
    shape = rf"(?:§\s*)?({_NUMBER})" if mark.keyword else re.escape(mark.style).replace(r"\#", r"([\w.]{1,9}?)")
    again = re.match(rf"{shape}(?=[\s.\[]|$)", text[between.end() :])
    if again is None or (reserved := _RESERVED.match(text, between.end() + again.end())) is None:
        return mark
    return replace(mark, printed=text[: reserved.start()], upto=again[1], end=reserved.end("stop"))
