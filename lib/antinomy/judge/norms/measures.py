"""Quantities in a clause: numbers in digits and words, units, bounds; time and its clocks.

A value is an interval in a base unit, since a month is no fixed number of days and a business day none of hours:
two values differ for certain only where their intervals are apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import pint
from text_to_num import text2num

_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()
_SCALES = "hundred thousand million billion".split()
_NUMBER_WORD = "(?:" + "|".join(sorted(_ONES + _SCALES, key=len, reverse=True)) + ")"
_ORDINALS = {
    w: n
    for n, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth".split(),
        1,
    )
}
_ORDINALS |= {"twentieth": 20, "thirtieth": 30}
_FRACTIONS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10, "hundredth": 100}
_DIGITS = r"\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = r"(?:\s*(?:thousand|million|billion|bn|m(?![a-z])|k(?![a-z])))?"
_WORDS = rf"(?:a\s+)?{_NUMBER_WORD}(?:(?:[\s-]+(?:and\s+)?){_NUMBER_WORD})*(?:\s+and\s+a\s+half)?"
_NUMBER = rf"(?:(?:{_DIGITS}){_SCALE}|{_WORDS}|a dozen|half a dozen|dozen|a couple of|a pair of)"

_TIME = (
    r"seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|decades?|centur(?:y|ies)|weekdays?"
    r"|semesters?|half-years?|h(?=\b)|min(?=\b)|hrs?"
)
_CALENDAR = r"(?:consecutive|full|calendar|clear|successive|further|additional|more|whole|complete|other)"
_BUSINESS = r"(?:business|working|banking|trading|bank|office|court)"
_DAY = 86400.0
#: Units of fixed length in seconds, and calendar units in months.
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": _DAY, "week": 7 * _DAY, "fortnight": 14 * _DAY}
_MONTHS = {"month": 1, "quarter": 3, "semester": 6, "year": 12, "decade": 120, "century": 1200}
_CURRENCY = {
    "eur": "EUR", "euro": "EUR", "euros": "EUR", "€": "EUR", "$": "USD", "usd": "USD", "us$": "USD", "dollar": "USD",
    "dollars": "USD", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "pounds sterling": "GBP",
    "chf": "CHF", "sgd": "SGD", "s$": "SGD", "jpy": "JPY", "yen": "JPY", "sek": "SEK",
}  # fmt: skip
_PHYSICAL = (
    r"kilometres?|kilometers?|km|miles?|metres?|meters?|centimetres?|centimeters?|millimetres?|cm|mm|feet|foot|yards?"
    r"|inches|kilograms?|kilogrammes?|kilos?|kg|grams?|grammes?|milligrams?|mg|tonnes?|tons?|pounds of|ounces?"
    r"|litres?|liters?|millilitres?|megawatts?|mw|kilowatts?|kw|kilobytes?|megabytes?|gigabytes?|bits?|bytes?"
    r"|degrees celsius|degrees fahrenheit|degrees|°c|°f|nautical miles"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as written, before it is known what part it plays.

    Attributes:
        start, end: offsets.
        dimension, low, high, unit: as in ``Measure``.
        bound: ``max``, ``min`` or ``exact`` from the words around it.
        stated: the bound was said in words.
        comparative: the bound is a comparison.
        every: a frequency; low and high are then the interval between two times.
        outer_start, outer_end: offsets with the words of the bound.
    """

    start: int
    end: int
    dimension: str
    low: float
    high: float
    unit: str
    bound: str = "exact"
    stated: bool = False
    comparative: bool = False
    every: bool = False
    outer_start: int = 0
    outer_end: int = 0


@lru_cache(maxsize=1)
def _units() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


_PINT_NAMES = {"°c": "degC", "°f": "degF", "degrees celsius": "degC", "degrees": "degC", "degrees fahrenheit": "degF"}
_BASES = {
    "[length]": ("length", "metre"), "[mass]": ("mass", "kilogram"), "[temperature]": ("temperature", "kelvin"),
    "[length] ** 3": ("volume", "litre"), "[mass] * [length] ** 2 / [time] ** 3": ("power", "watt"),
}  # fmt: skip


@lru_cache(maxsize=256)
def physical(value: float, unit: str) -> tuple[str, float, str]:
    """Return dimension, value in the base unit and that unit's name, by pint."""
    name = _PINT_NAMES.get(unit, unit.removesuffix(" of").replace("nautical miles", "nautical_mile"))
    quantity = _units().Quantity(value, name)
    if quantity.dimensionless:
        return "size", float(quantity.to("bit").magnitude), "bit"
    dimension, base = _BASES[str(quantity.dimensionality)]
    return dimension, float(quantity.to(base).magnitude), base


@lru_cache(maxsize=4096)
def number(text: str) -> float | None:
    """Return the value of a number in digits or words ("1 000 000", "forty-two", "two and a half"), else None."""
    text = " ".join(text.replace("\u00a0", " ").replace("\u202f", " ").split())
    fixed = {"a": 1.0, "an": 1.0, "half": 0.5, "half a": 0.5, "half an": 0.5, "a dozen": 12.0, "dozen": 12.0,
             "half a dozen": 6.0, "a couple of": 2.0, "a pair of": 2.0, "other": 2.0, "second": 2.0}  # fmt: skip
    if text in fixed:
        return fixed[text]
    digits = re.match(rf"({_DIGITS})\s*([a-z]*)$", text)
    if digits:
        scale = {"": 1, "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
        plain = digits.group(1)
        if re.fullmatch(r"\d{1,3}(?:[ ,.']\d{3})+(?:\.\d+)?", plain) and not re.fullmatch(r"\d{1,3}\.\d{3}", plain):
            plain = re.sub(r"[ ,'](?=\d{3})|\.(?=\d{3}[.,])", "", plain)
        if plain.count(".") > 1:
            plain = plain.replace(".", "")
        try:
            return float(plain) * scale[digits.group(2)]
        except (ValueError, KeyError):
            return None
    half = text.endswith(" and a half")
    words = text.removesuffix(" and a half").removeprefix("a ")
    if words in _SCALES:
        words = "one " + words
    try:
        return float(text2num(words, "en")) + (0.5 if half else 0.0)
    except ValueError:
        return None


_SINGULAR = {
    "centuries": "century", "h": "hour", "hr": "hour", "hrs": "hour", "min": "minute", "half-year": "semester",
    "half-years": "semester", "weekday": "day", "weekdays": "day",
}  # fmt: skip


def time_interval(value: float, unit: str, business: bool = False) -> tuple[float, float, str]:
    """Return the least and most seconds in so many units of time, and the canonical unit."""
    singular = _SINGULAR.get(unit, unit.removesuffix("s"))
    if business or unit.startswith("weekday"):
        # n business days last n calendar days at the least; with weekends and a holiday at the most.
        weekends = 2 * ((value + 4) // 5)
        return value * _DAY, (value + weekends + 1) * _DAY, "business day"
    if singular in _SECONDS:
        return value * _SECONDS[singular], value * _SECONDS[singular], singular
    days = value * _MONTHS[singular] * 30.4375
    # Three months are 89 to 92 days, a year 365 or 366.
    return (days - 2.5) * _DAY, (days + 0.6) * _DAY, singular


_NUM = rf"(?P<num>{_NUMBER})"
_UNIT = rf"(?:(?P<mod>{_CALENDAR})\s+)?(?:(?P<bus>{_BUSINESS})[\s-]+)?(?P<unit>{_TIME})\b"
_PLAIN_TIME = re.compile(
    rf"(?<![\w.])(?:(?P<frac>(?:a|one|three)?[\s-]*(?:half|quarters?)[\s-]+(?:of\s+)?(?:an?|the)?)\s*|{_NUM}[\s-]*(?:\(\d+\)\s*)?"
    rf"|(?P<one>an?|the (?:first|next|last|following|preceding|same)|(?:the )?(?:previous|coming))\s+){_UNIT}(?P<tail>\s+and\s+a\s+half)?"
)
_EVERY = re.compile(
    rf"(?:(?P<times>once|twice|thrice|{_NUMBER}\s+times|{_NUMBER}(?:\s+[a-z]+){{1,2}})\s+"
    rf"(?:or more often\s+)?)?(?P<each>each|every|per|(?<=times )an?|(?<=once )an?|(?<=twice )an?|(?<=thrice )an?"
    rf"|(?<=[a-z] )an?|(?:with)?in\s+(?:each|every|any|a)|in|at intervals? of|at|over)\s+"
    rf"(?:(?:no (?:more|longer) than|not (?:more|longer) than|not exceeding|at most|up to|any|period of|calendar)\s+)?"
    rf"(?:{_NUM}[\s-]*|(?P<ord>second|other|third|fourth|half)[\s-]+)?{_UNIT}(?P<intervals>\s+intervals?)?"
)
_ADVERB = {
    "hourly": 1 / 24, "daily": 1.0, "weekly": 7.0, "fortnightly": 14.0, "biweekly": 14.0, "nightly": 1.0,
    "monthly": 30.4375, "bimonthly": 60.875, "quarterly": 91.3125, "yearly": 365.25, "annually": 365.25,
    "annual": 365.25, "biannually": 182.625, "biannual": 182.625, "biennial": 730.5, "biennially": 730.5,
    "triennial": 1095.75, "triennially": 1095.75, "half-yearly": 182.625, "semi-annual": 182.625,
    "semi-annually": 182.625, "semiannual": 182.625, "semiannually": 182.625, "half-annually": 182.625,
    "per annum": 365.25, "six-monthly": 182.625, "three-monthly": 91.3125, "two-yearly": 730.5, "continually": 0.001,
    "continuously": 0.001, "in real time": 0.001, "around the clock": 0.001, "constantly": 0.001,
}  # fmt: skip
_ADVERBS = re.compile(r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, _ADVERB), key=len, reverse=True)) + r")(?![\w-])")
