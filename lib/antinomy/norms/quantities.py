"""Finds quantities in running text: value, unit and bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from antinomy.norms.bounds import Quantity, as_interval_bound, with_bound
from antinomy.norms.values import (
    CURRENCIES,
    DAY,
    NUMBER,
    PHYSICAL_UNIT,
    TIME_UNIT,
    parse_number,
    time_interval,
    to_base_unit,
)
from antinomy.norms.words import stem
from antinomy.text.months import MONTHS

#: "30 (thirty) days": the second number says the first again.
_SAID_TWICE = re.compile(rf"(?<![\w.,])(?P<number>{NUMBER})(?P<again>\s*\((?P<same>{NUMBER})\))(?=[\s%-])")
_DURATION = re.compile(
    rf"(?<![\w.,])(?:(?P<num>{NUMBER})[\s-]*(?:\(\d+\)\s*)?"
    r"|(?P<frac>(?:(?:a|one|three)[\s-]+)?(?:half|quarters?)[\s-]+(?:of\s+)?)(?:an?\s+|the\s+)?"
    r"|(?P<det>an?|the(?: (?:first|next|last|preceding|following|previous))?|each|every|per|any|one)\s+"
    r"(?:(?P<ord>second|other|third|fourth|fifth)\s+)?)?"
    r"(?:(?:consecutive|full|calendar|clear|successive|further|additional|more|whole|complete|long)\s+)?"
    rf"(?:(?P<bus>business|working|banking|trading)[\s-]+)?(?P<unit>{TIME_UNIT})(?P<half>\s+and\s+a\s+half)?"
)
_ORDINAL = re.compile(
    r"(?<![\w-])(?P<num>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|fifteenth|twentieth"
    r"|thirtieth|\d+(?:st|nd|rd|th))\s+(?:(?P<bus>business|working|banking|trading)\s+"
    r"|calendar\s+)?(?P<unit>day|month|year|anniversary|week)(?![a-z])"
)
_TO_UNIT = rf"(?:(?:calendar|full|clear)\s+)?(?:(?P<bus>business|working|banking|trading)\s+)?(?P<unit>{TIME_UNIT})\b"
_RANGE = re.compile(
    rf"\b(?:between|at the earliest|from)\s+(?P<num>{NUMBER})\s+(?:and|to)\s+(?:at the latest\s+)?(?P<upto>{NUMBER})"
    rf"[\s-]+{_TO_UNIT}"
)
_LEAST, _MOST = r"(?:less|fewer|earlier|sooner) than", r"(?:more|later|longer) than"
#: Both ends, each with its words: "not less than 30 nor more than 60 days".
_BOTH_ENDS = tuple(
    re.compile(
        rf"\b(?:no|not)\s+{first}\s+(?P<num>{NUMBER})(?:\s+(?P<own>{TIME_UNIT}))?,?\s+(?:nor|(?:and|but|or)\s+(?:no|not))"
        rf"\s+{second}\s+(?P<upto>{NUMBER})[\s-]+{_TO_UNIT}"
    )
    for first, second in ((_LEAST, _MOST), (_MOST, _LEAST))
)
#: The number of a provision, which counts nothing: "under section 5.1 within ten days".
_PROVISION_NUMBER = re.compile(
    r"(?P<kind>\b(?:section|article|rule|clause|paragraph|regulation|standard|chapter|part)\s+)"
    rf"\d+(?:\.\d+)*(?!\.?\d)(?!\s+(?:{TIME_UNIT}|percent|per cent)\b)"
)
_OCCASIONS = re.compile(
    rf"(?<![\w-])(?P<times>once|twice|thrice|{NUMBER}\s+times|{NUMBER}(?:\s+[a-z]+){{1,2}}?)\s+"
    r"(?:or more\s+)?(?:(?:in|within|over|during)\s+)?(?:the course of\s+)?$"
)
#: By which interest is reckoned, no time limit: a 360-day year.
_DAY_COUNT = re.compile(r"[ -](?:year|month)\b")
_EVERY_BEFORE = re.compile(
    r"(?:\b(?:every|each|per)\s+|\b(?:at (?:regular )?intervals?|(?:with |an |the )interval) of\s+(?:(?:no"
    r"|not) (?:more|longer|greater) than\s+|at most\s+|up to\s+|not exceeding\s+)?|\bonce\s+(?:in|within"
    r"|during|over)\s+(?:every\s+|any\s+|each\s+)?(?:period of\s+)?)$"
)
_ADVERBS = {
    "hourly": 1 / 24, "daily": 1.0, "nightly": 1.0, "weekly": 7.0, "fortnightly": 14.0, "biweekly": 14.0,
    "monthly": 30.4375, "six-monthly": 182.625, "quarterly": 91.3125, "yearly": 365.25, "annually": 365.25,
    "annual": 365.25, "per annum": 365.25, "biannually": 182.625, "biannual": 182.625, "biennially": 730.5,
    "biennial": 730.5, "triennially": 1095.75, "triennial": 1095.75, "half-yearly": 182.625, "semi-annually": 182.625,
    "semi-annual": 182.625, "semiannually": 182.625, "semiannual": 182.625, "half-annually": 182.625,
    "two-yearly": 730.5, "three-yearly": 1095.75,
}  # fmt: skip
_ADVERB = re.compile(
    rf"(?<![\w-])(?:(?P<times>once|twice|thrice|{NUMBER}(?=\s+times\b))\s+(?:times\s+)?)?"
    r"(?P<adverb>" + "|".join(sorted(map(re.escape, _ADVERBS), key=len, reverse=True)) + r")(?![\w-])"
)
#: Words after "annual" that make it part of an amount ("annual turnover"), not a frequency.
_OF_AMOUNT = re.compile(
    r"\s+(?:[a-z]+\s+)?(?:value|cost|costs|turnover|revenues?|fees?|volume|income|accounts|budget|salary"
    r"|average|capital|amount"
    r"|leave|spend|spending|premium|profit|report|general meeting|sales|limit|statements?|consumption|rent)\b"
)
_FRACTIONS = (
    r"half|thirds?|quarters?|fifths?|sixths?|eighths?|tenths?|twelfths?|twentieths?|fiftieths?|hundredths?|thousandths?"
)
_PERCENT = re.compile(
    rf"(?<![\w.,])(?P<num>{NUMBER})\s*(?P<unit>%|per\s?cent\b|percentage points?|basis points?)"
    rf"|(?<![\w-])(?P<top>an?|one|two|three|four|five|seven|nine)[\s-]+(?P<under>{_FRACTIONS})\b"
    r"(?=\s+(?:or (?:more|less|fewer)\s+)?of\s+(?!an?\b|time)|\s+or (?:more|less)\b)"
    rf"|(?<![\w.,/-])(?:one|1) (?:in|out of)(?: every)? (?P<among>{NUMBER})"
    r"(?=\s+(?:of\s+)?(?:the\s+|its\s+|all\s+)?[a-z]+s\b)"
    r"|(?<![\w-])(?P<half>half)(?=\s+(?:of\s+(?!an?\b)|the\b|its\b|their\b))"
)
_DENOMINATORS = {
    "half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10, "twelfth": 12,
    "twentieth": 20, "fiftieth": 50, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_CURRENCY = "|".join(sorted((re.escape(c) for c in CURRENCIES), key=len, reverse=True))
#: A number with points between thousands ("1.000.000 euros") is none that we read: no value is better than a false one.
_NO_POINTS = r"(?!\d{1,3}(?:\.\d{3})+(?!\d))"
_MONEY = re.compile(
    rf"(?<![\w])(?:(?P<pre>{_CURRENCY})\s?{_NO_POINTS}(?P<num>{NUMBER})"
    rf"|(?<![.,]){_NO_POINTS}(?P<num2>{NUMBER})[\s-]?(?P<post>{_CURRENCY})(?![a-z]))"
)
_PHYSICAL = re.compile(rf"(?<![\w.,])(?P<minus>(?:minus\s|-)?)(?P<num>{NUMBER})[\s-]?(?P<unit>{PHYSICAL_UNIT})")
_COUNT = re.compile(
    rf"(?<![\w.,/-]){_NO_POINTS}(?P<num>{NUMBER})\s+(?:or (?:more|fewer"
    rf"|less)\s+)?(?P<noun>(?:[a-z][a-z-]+\s+){{0,2}}?[a-z][a-z-]*s|people|staff|personnel|person|provider"
    r"|auditor|copy|tester|director|member|approver|reviewer|employee)(?![\w-])"
)
_LEVEL = re.compile(
    rf"\b(?P<noun>version|level|grade|tier|class|rating|score|release)\s+(?:of\s+)?(?P<num>{NUMBER})(?![\w%])"
)
_PERPETUAL = re.compile(
    r"\b(?:permanently|indefinitely|in perpetuity|perpetually|forever|for ever"
    r"|for as long as the (?:[a-z]+ ){1,3}exists?|without (?:any )?(?:limit|limitation) (?:of|in) time)\b"
)
_SAME_DAY = re.compile(
    r"\b(?:on|by|before|until)\s+(?:the\s+)?(?:end|close|evening"
    r"|midnight)?\s*(?:of\s+)?(?:business\s+)?(?:on\s+)?(?:the|that)\s+(?:very\s+)?(?:same\s+"
    r"|last\s+)?(?:business\s+|working\s+)?(?:day|evening)(?=\s+(?:of|on which|after|it|they|the|when|its"
    r"|their|work)|[,.;]|$)|\bsame[- ]day\b|\bthe same (?:day|evening)\b"
)
_MONTHS = "|".join(MONTHS)
_DATE = re.compile(
    rf"(?<![\w])(?:(?P<day>\d{{1,2}})\s+(?P<month>{_MONTHS})|(?P<month2>{_MONTHS})\s+(?P<day2>\d{{1,2}}))"
    r"(?:,?\s+(?P<year>\d{4}))?(?!\d)"
)


def tells_value(word: str) -> bool:
    """Tell whether a word in small letters is a number, a unit of time or a frequency: thirty, days, annually."""
    return parse_number(word) is not None or word in _ADVERBS or bool(re.fullmatch(TIME_UNIT, word))


def find_quantities(folded: str, start: int, end: int) -> list[Quantity]:
    """Return the quantities in ``folded[start:end]`` in reading order; they do not overlap."""
    # Only this part is read: a long text has many of them.
    if _SAID_TWICE.search(folded, start, end):
        folded = folded[:start] + _SAID_TWICE.sub(_without_second, folded[start:end]) + folded[end:]
    if _PROVISION_NUMBER.search(folded, start, end):
        blank = _PROVISION_NUMBER.sub(lambda m: m["kind"].ljust(len(m[0])), folded[start:end])
        folded = folded[:start] + blank + folded[end:]
    taken: list[Quantity] = []
    for finder in (
        _dates,
        _percents,
        _money,
        _durations,
        _adverbs,
        _physical,
        _levels,
        _same_day,
        _perpetual,
        _counts,
    ):
        for found in finder(folded, start, end):
            if not any(found.start < q.end and q.start < found.end for q in taken):
                whole = with_bound(found, folded, start, end)
                taken.append(as_interval_bound(whole, folded) if found.recurring else whole)
    return sorted(taken, key=lambda q: q.start)


def _without_second(m: re.Match[str]) -> str:
    """Blank out the second of two equal numbers, so that all positions stay."""
    same = parse_number(m["number"]) == parse_number(m["same"])
    return m["number"] + " " * len(m["again"]) if same else m[0]


def _quantity(
    m: re.Match[str], dimension: str, low: float, high: float, unit: str, recurring: bool = False
) -> Quantity:
    return Quantity(m.start(), m.end(), m.start(), m.end(), dimension, low, high, unit, recurring=recurring)


def _dates(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _DATE.finditer(folded, start, end):
        month = MONTHS.index(m.group("month") or m.group("month2"))
        days = month * 30.4375 + int(m.group("day") or m.group("day2"))
        if m.group("year"):
            yield _quantity(
                m, "date", int(m.group("year")) * 365.25 + days, int(m.group("year")) * 365.25 + days, "date"
            )
        else:
            yield _quantity(m, "date", days, days, "day of the year")


def _percents(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _PERCENT.finditer(folded, start, end):
        if m.group("num"):
            value = parse_number(m.group("num"))
            if value is None:
                continue
            unit = "basis point" if m.group("unit").startswith("basis") else "%"
            value = value / 100 if unit == "basis point" else value
        elif m.group("half"):
            value = 50.0
        elif m.group("among"):
            among = parse_number(m.group("among"))
            if not among or among < 2:
                continue
            value = 100 / among
        else:
            top = {"a": 1.0, "an": 1.0}.get(m.group("top")) or parse_number(m.group("top")) or 1.0
            value = 100 * top / _DENOMINATORS[m.group("under").removesuffix("s")]
        yield _quantity(m, "percent", round(value, 4), round(value, 4), "%")


def _money(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _MONEY.finditer(folded, start, end):
        value = parse_number(m.group("num") or m.group("num2"))
        if value is not None:
            yield _quantity(m, "money", value, value, CURRENCIES[m.group("pre") or m.group("post")])


def _durations(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _ORDINAL.finditer(folded, start, end):
        value = parse_number(m.group("num")) if m.group("num").isalpha() else float(m.group("num")[:-2])
        if value is not None and not re.search(r"every\s+$", folded[max(start, m.start() - 8) : m.start()]):
            yield _quantity(m, "time", *time_interval(value, m.group("unit"), bool(m.group("bus"))))
    for m in _RANGE.finditer(folded, start, end):
        yield from _range(m, parse_number(m["num"]), parse_number(m["upto"]))
    for pattern in _BOTH_ENDS:
        for m in pattern.finditer(folded, start, end):
            if m["own"] in (None, m["unit"]):
                ends = [end for end in (parse_number(m["num"]), parse_number(m["upto"])) if end is not None]
                yield from _range(m, min(ends), max(ends))
    for m in _DURATION.finditer(folded, start, end):
        found = _duration(m, folded, start)
        if found is not None:
            yield found


def _range(m: re.Match[str], least: float | None, most: float | None) -> Iterator[Quantity]:
    if least is not None and most is not None and least < most:
        low, _, unit = time_interval(least, m["unit"], bool(m["bus"]))
        high = time_interval(most, m["unit"], bool(m["bus"]))[1]
        yield replace(_quantity(m, "time", low, high, unit), bound_stated=True, exact_only=True, is_range=True)


def _duration(m: re.Match[str], folded: str, start: int) -> Quantity | None:
    det, unit = m.group("det") or "", m.group("unit")
    if _DAY_COUNT.match(folded, m.end()):
        return None
    before = folded[max(start, m.start() - 60) : m.start()]
    value: float | None = 1.0
    if m.group("num"):
        value = parse_number(m.group("num"))
    elif m.group("frac"):
        part = 0.5 if "half" in m.group("frac") else 0.25
        value = part * (3 if m.group("frac").startswith("three") else 1)
    elif m.group("ord"):
        value = parse_number(m.group("ord"))
    elif not det:
        return None
    if value is None:
        return None
    if m.group("half") and float(value).is_integer():
        value += 0.5
    low, high, canonical = time_interval(value, unit, bool(m.group("bus")))
    occasions = _OCCASIONS.search(before)
    recurring = det in ("each", "every", "per") or bool(_EVERY_BEFORE.search(before))
    if occasions and (
        det in ("a", "an", "each", "every", "per", "any", "one")
        or recurring
        or re.search(r"\b(?:in|within|over|during)\s+(?:any\s+)?$", before)
    ):
        words = occasions.group("times").split()
        if not any(w in CURRENCIES or re.fullmatch(TIME_UNIT, w) for w in words):
            count = parse_number(" ".join(words)) or parse_number(" ".join(words[:-1])) or parse_number(words[0]) or 1.0
            begin = m.start() - len(before) + occasions.start()
            return Quantity(
                begin, m.end(), begin, m.end(), "time", low / count, high / count, canonical, recurring=True
            )
    if recurring:
        begin = m.start()
        if shift := _EVERY_BEFORE.search(before):
            begin = m.start() - len(before) + shift.start()
        return Quantity(m.start(), m.end(), begin, m.end(), "time", low, high, canonical, recurring=True)
    if det == "the" and "calendar" in m.group():
        return None
    if det.startswith(("a", "the", "any")) and not m.group("frac"):
        # "a year", "the hour" are amounts only after a bound, "after" or "for".
        lead_in = r"(?:within|than|least|most|for|after|once|up to|every|exceed\w*|over|until|before|of)\s+$"
        led = re.search(lead_in, before) or (det == "the" and re.search(r"\bin\s+$", before))
        if det == "any" or unit.endswith("s") or not led:
            return None
    return _quantity(m, "time", low, high, canonical)


def _adverbs(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _ADVERB.finditer(folded, start, end):
        if _OF_AMOUNT.match(folded, m.end(), end):
            continue
        days = _ADVERBS[m.group("adverb")]
        slack = (2.5 * DAY, 0.8 * DAY) if days > 15 else (0.0, 0.0)
        occasions = parse_number(m.group("times")) if m.group("times") else None
        low, high = (days * DAY + shift for shift in (-slack[0], slack[1]))
        yield _quantity(
            m, "time", low / (occasions or 1.0), high / (occasions or 1.0), m.group("adverb"), recurring=True
        )


def _physical(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _PHYSICAL.finditer(folded, start, end):
        value = parse_number(m.group("num"))
        if value is not None:
            value, base = to_base_unit(-value if m.group("minus") else value, m.group("unit"))
            dimension = {"metre": "length", "kilogram": "mass", "kelvin": "temperature"}.get(base, base)
            yield _quantity(m, dimension, value, value, base)


def _counts(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _COUNT.finditer(folded, start, end):
        value = parse_number(m.group("num"))
        if value is not None:
            yield Quantity(
                m.start(),
                m.end("num"),
                m.start(),
                m.end(),
                "count",
                value,
                value,
                stem(m.group("noun").split()[-1]),
            )


def _levels(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _LEVEL.finditer(folded, start, end):
        value = parse_number(m.group("num"))
        if value is not None:
            yield Quantity(m.start("num"), m.end(), m.start(), m.end(), "count", value, value, m.group("noun"))


def _same_day(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _SAME_DAY.finditer(folded, start, end):
        if re.search(
            r"\b(?:starts?|begins?|runs?|counted|starting|beginning)\s+$",
            folded[max(start, m.start() - 12) : m.start()],
        ):
            continue
        yield Quantity(m.start(), m.end(), m.start(), m.end(), "time", 0.0, DAY, "same day", "max", bound_stated=True)


def _perpetual(folded: str, start: int, end: int) -> Iterator[Quantity]:
    for m in _PERPETUAL.finditer(folded, start, end):
        # A thousand years, in seconds: longer than any real period, and finite.
        yield Quantity(
            m.start(),
            m.end(),
            m.start(),
            m.end(),
            "time",
            365_250 * DAY,
            365_250 * DAY,
            "for ever",
            "min",
            bound_stated=True,
        )
