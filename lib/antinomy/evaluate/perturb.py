"""Changes to a provision after which the right verdict on old and new is certain.

Each takes a text and a source of chance and returns the changed text, "" where the change would leave the text
ungrammatical or its meaning in doubt: many provisions are passed over, none is guessed at.
"""

from __future__ import annotations

import random
import re

from antinomy.embed.addressee.patterns import SUBORDINATE

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
#: Numbers up to 99 in words.
_WORDS = [*_ONES, *(ten + ("-" + one if one != "zero" else "") for ten in _TENS for one in _ONES[:10])]
_VALUES = {word: value for value, word in enumerate(_WORDS)}
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(_WORDS[1:], key=len, reverse=True))})"
_KIND = r"(?P<kind>(?:business |working |calendar |trading )?)"
_UNIT = r"(?P<unit>hours?|days?|weeks?|months?|years?)\b(?!['’-])"

_MODAL = re.compile(r"\b(shall|should|must)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[a-z0-9)\]”’\"][.;:])\s+(?=[A-Z“\"‘(•])|\n+")
#: Whatever makes it unsure what a changed verb or number would mean.
_QUALIFIED = re.compile(
    r"\b(?:may|might|can|not|no|never|nor|neither|only|unless|until|except|least|most|than|without|where appropriate"
    r"|as appropriate|required|need|prohibit\w*|refrain)\b",
    re.IGNORECASE,
)
_FORMAL_VERB = re.compile(
    r"\s+(?:also|at|apply|mean|enter|cease|consider|be (?:deemed|considered|understood|able|aware))\b|\s*[,(]"
)


def _sentence_around(text: str, at: int) -> tuple[int, int]:
    start, end = 0, len(text)
    for cut in _SENTENCE.finditer(text):
        if cut.end() <= at:
            start = cut.end()
        elif cut.start() >= at:
            end = cut.start()
            break
    return start, end


def _only_duty(text: str) -> re.Match[str] | None:
    """Return the only verb of duty of a text, if nothing else in its sentence qualifies it."""
    found = list(_MODAL.finditer(text))
    if len(found) != 1 or not found[0].start() or re.search(r"\b(?:may|cannot|can)\b", text):
        return None
    start, end = _sentence_around(text, found[0].start())
    rest = text[start : found[0].start()] + text[found[0].end() : end]
    unsure = _QUALIFIED.search(rest) or _FORMAL_VERB.match(text, found[0].end())
    return None if unsure or SUBORDINATE.search(text[start : found[0].start()]) else found[0]


def negated(text: str, _: random.Random) -> str:
    """Put "not" behind the only shall, should or must."""
    duty = _only_duty(text)
    return f"{text[: duty.end()]} not{text[duty.end() :]}" if duty else ""


def permitted(text: str, _: random.Random) -> str:
    """Make the only duty a permission."""
    duty = _only_duty(text)
    return f"{text[: duty.start()]}may{text[duty.end() :]}" if duty else ""


_PRIVATE = re.compile(
    r"^(?P<subject>(?P<plural>Financial entities|Financial institutions|Institutions|Entities|Firms"
    r"|Banks|Covered entities"
    r"|Relevant entities|Licensees|Providers|Operators|Issuers)|(?:A|An|The|Each"
    r"|Every) (?:financial entity|financial institution"
    r"|institution|entity|firm|bank|covered entity|relevant entity|licensee|provider|operator|issuer"
    r"|board|adviser|carrier)"
    r"|Management|Senior management) (?=(?:shall|should|must)\b)"
)
_OFFICIAL = re.compile(
    r"\b(?:authorit\w+|supervis\w+|regulat\w+|agenc\w+|examiner\w*|overseer\w*|EBA|ESMA|EIOPA|ESAs?)\b", re.IGNORECASE
)


def for_authority(text: str, _: random.Random) -> str:
    """Make supervisors instead of the firm the subject of the only duty."""
    subject = _PRIVATE.match(text)
    if not subject or len(_MODAL.findall(text)) != 1 or _OFFICIAL.search(text):
        return ""
    noun = subject["subject"].split(" ")[-1].lower()
    if re.search(rf"\b{noun}\b", text[subject.end() :], re.IGNORECASE):
        return ""
    return ("Supervisory authorities " if subject["plural"] else "The supervisory authority ") + text[subject.end() :]


_ITEM_MARK = re.compile(
    r"^(?P<mark>\s*(?:[•▪●◦\uf0b7-]"
    r"|\(?[a-z0-9]{1,4}[.)])\s+)(?P<words>.*?)(?P<end>(?:[;,.](?:\s+(?:and|or|and/or))?)?\s*)$"
)
_ORDERED = re.compile(
    r"\b(?:following (?:steps|order|phases|stages)|in (?:that|this) order|then|above|below|first"
    r"|second|next|latter|former|preceding"
    r"|following|points? \([a-z]|(?:sub)?paragraph)\b",
    re.IGNORECASE,
)


def shuffled(text: str, rng: random.Random) -> str:
    """Bring the items of a list into another order; marks and punctuation stay where they are."""
    lead, *items = text.split("\n")
    parts = [_ITEM_MARK.match(item) for item in items]
    marked = [part for part in parts if part]
    letters = [part["mark"].strip()[:2] for part in marked]
    nested = (
        any(mark == "(i" for mark in letters) or len({part["mark"].strip("( ")[:1].isalpha() for part in marked}) > 1
    )
    if len(marked) != len(parts) or len(parts) < 3 or nested or not lead.rstrip().endswith(":"):
        return ""
    if _ORDERED.search("\n".join(items)) or re.search(r"\b(?:steps|phases|stages|order)\b", lead):
        return ""
    words = [part["words"] for part in marked]
    order = words[:]
    while order == words:
        rng.shuffle(order)
        if len(set(words)) < 2:
            return ""
    moved = [f"{part['mark']}{word}{part['end']}" for part, word in zip(marked, order, strict=True)]
    return "\n".join([lead, *moved])


_REFERENCE = re.compile(
    r"\b(?P<name>Articles?|Sections?|§) (?P<number>\d{1,3})(?=[(,. ;)]|$)(?!\s+of\s+(?:Regulation"
    r"|Directive|the Treaty))"
)


def renumbered(text: str, rng: random.Random) -> str:
    """Renumber the articles and sections that a text cites, as in another act."""
    if not _REFERENCE.search(text) or re.search(r"\b(?:to|and|or) \d", text):
        return ""
    by = rng.randint(2, 9)
    return _REFERENCE.sub(lambda m: f"{m['name']} {int(m['number']) + by}", text)


_QUANTITY = re.compile(
    rf"(?P<before>\b[A-Za-z]+ )(?P<amount>{_NUMBER} (?P<unit>hours|days|weeks|months|years"
    rf"|year)\b)(?!['’-]| old| of age)",
    re.IGNORECASE,
)
#: Behind these another unit reads as well.
_FREE = {"within", "after", "than", "least", "of", "for", "most", "exceed", "exceeding"}
#: unit → (how many make one of the next larger unit, that unit)
_LARGER = {"hours": (24, "day"), "days": (7, "week"), "months": (12, "year")}
_SMALLER = {"days": (24, "hours"), "weeks": (7, "days"), "years": (12, "months"), "year": (12, "months")}


def converted(text: str, rng: random.Random) -> str:
    """Express one quantity in another unit, or its number in words or digits."""
    found = list(_QUANTITY.finditer(text))
    if not found:
        return ""
    match = rng.choice(found)
    written, unit = match["number"].lower(), match["unit"].lower()
    value = _value(written)
    choices = []
    if value < len(_WORDS) and not match["before"].strip().isdigit():
        choices.append(f"{_WORDS[value] if written.isdigit() else value} {unit}")
    if match["before"].strip().lower() in _FREE:
        times, larger = _LARGER.get(unit, (0, ""))
        if times and value % times == 0:
            choices.append(_quantity_text(value // times, larger))
        times, smaller = _SMALLER.get(unit, (0, ""))
        if times and value <= 5:
            choices.append(f"{value * times} {smaller}")
    return _replace_amount(text, match, rng.choice(choices)) if choices else ""


def _value(number: str) -> int:
    return int(number) if number.isdigit() else _VALUES[number.lower()]


def _quantity_text(value: int, unit: str) -> str:
    return f"{_WORDS[value] if value < 10 else value} {unit}{'s' if value != 1 else ''}"


def _replace_amount(text: str, match: re.Match[str], words: str) -> str:
    return text[: match.start("amount")] + words + text[match.end("amount") :]


_LIMIT = re.compile(
    rf"\b(?:within|no later than|not later than) (?P<amount>{_NUMBER} {_KIND}{_UNIT})(?! (?:before"
    rf"|prior|ahead|preceding|in advance))",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"\b(?:kept|retain(?:ed)?|preserved?|stored?|held|keep|maintain(?:ed)?"
    r"|archived?)\b[^.;:]{0,60}?\bfor (?:a period of )?"
    rf"(?:at least|not less than|no less than|a minimum of) (?P<amount>{_NUMBER} {_KIND}{_UNIT})",
    re.IGNORECASE,
)
_CAP = re.compile(
    r"\b(?:not exceed|no more than|not more than|at most) (?P<amount>(?P<money>(?:EUR |USD |GBP |SGD "
    r"|[$€£])?)(?P<number>\d{1,6})"
    r"(?P<unit> ?(?:%|per cent\b|percent\b|million\b|hours?\b|minutes?\b|days?\b)))",
    re.IGNORECASE,
)
_FLOOR = re.compile(
    r"\b(?:at least|not less than|no less than|a minimum of) (?P<amount>(?P<money>(?:EUR |USD |GBP "
    r"|SGD |[$€£])?)(?P<number>\d{1,6})"
    r"(?P<unit> ?(?:%|per cent\b|percent\b|million\b|kilomet(?:re|er)s\b|miles\b)))",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\bat least (?P<amount>yearly|annually|once a year|once every year|every year|once per year"
    r"|once every (?:two|three|2|3) years"
    r"|every (?:two|three|2|3) years)\b",
    re.IGNORECASE,
)


def _demanded(text: str, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Return the only place where a measure stands in a sentence that demands, outside of any condition."""
    found = list(pattern.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    start, end = _sentence_around(text, match.start())
    before = text[start : match.start()]
    sentence = before + text[match.end() : end]
    banned = re.search(
        r"\b(?:may|might|can|cannot|never|only|unless|except|if|(?:shall|should|must) not(?! exceed))\b", sentence
    )
    return match if _MODAL.search(sentence) and not banned and not SUBORDINATE.search(before) else None


def _scaled(text: str, pattern: re.Pattern[str], times: float) -> str:
    match = _demanded(text, pattern)
    if not match:
        return ""
    value = _value(match["number"]) * times
    if value < 1 or value != int(value):
        return ""
    if "money" in match.re.groupindex:
        share = re.search(r"%|cent", match["unit"])
        return (
            ""
            if share and value > 100
            else _replace_amount(text, match, f"{match['money']}{int(value)}{match['unit']}")
        )
    unit = match["unit"].lower().removesuffix("s")
    return _replace_amount(text, match, f"{int(value)} {match['kind']}{unit}{'s' if value != 1 else ''}")


_NEXT_SMALLER = {"day": "6 hours", "week": "2 days", "month": "5 days", "year": "3 months"}


def later(text: str, _: random.Random) -> str:
    """Make a deadline four times as long."""
    return _scaled(text, _LIMIT, 4)


def sooner(text: str, _: random.Random) -> str:
    """Make a deadline a quarter or a third as long, or much shorter in a smaller unit."""
    shorter = _scaled(text, _LIMIT, 1 / 4) or _scaled(text, _LIMIT, 1 / 3)
    match = _demanded(text, _LIMIT)
    if shorter or not match or match["kind"].strip() not in ("", "calendar"):
        return shorter
    smaller = _NEXT_SMALLER.get(match["unit"].lower().removesuffix("s"), "")
    return _replace_amount(text, match, smaller) if smaller else ""


def kept_longer(text: str, _: random.Random) -> str:
    """Double the time for which something is kept at least."""
    return _scaled(text, _KEPT, 2)


def kept_shorter(text: str, _: random.Random) -> str:
    """Cut the time for which something is kept at least to a half or a third."""
    return _scaled(text, _KEPT, 1 / 2) or _scaled(text, _KEPT, 1 / 3)


def capped_lower(text: str, _: random.Random) -> str:
    """Halve what must not be exceeded."""
    return _scaled(text, _CAP, 1 / 2) or _scaled(text, _CAP, 1 / 5)


def capped_higher(text: str, _: random.Random) -> str:
    """Double what must not be exceeded."""
    return _scaled(text, _CAP, 2)


def higher_minimum(text: str, _: random.Random) -> str:
    """Raise the least amount that is demanded by a half, or double it."""
    return _scaled(text, _FLOOR, 3 / 2) or _scaled(text, _FLOOR, 2)


def more_often(text: str, _: random.Random) -> str:
    """Demand at least monthly what is demanded at least once in a year or in a few."""
    match = _demanded(text, _OFTEN)
    return _replace_amount(text, match, "monthly") if match else ""


def less_often(text: str, _: random.Random) -> str:
    """Demand at least once in five years what is demanded at least once in a year or in a few."""
    match = _demanded(text, _OFTEN)
    if not match or text[match.end() :].lstrip().startswith("basis"):
        return ""
    return _replace_amount(text, match, "once every five years")
