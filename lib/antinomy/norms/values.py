"""Parses numbers in digits and words, and converts units to base units.

A period is an interval in seconds, since months and business days have no fixed length. Two periods certainly differ
only where their intervals do not overlap.
"""

from __future__ import annotations

import re
from functools import lru_cache

import pint
from text_to_num import text2num

_NUMBER_WORDS = [
    "seventeen", "thirteen", "fourteen", "fifteen", "sixteen", "eighteen", "nineteen", "seventy", "hundred",
    "thousand", "million", "billion", "eleven", "twelve", "twenty", "thirty", "forty", "fifty", "sixty",
    "eighty", "ninety", "three", "seven", "eight", "four", "five", "nine", "one", "two", "six", "ten",
]  # fmt: skip
_SCALES = {
    "": 1.0,
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "million": 1e6,
    "bn": 1e9,
    "billion": 1e9,
    "hundred": 1e2,
}
_WORD = "(?:" + "|".join(_NUMBER_WORDS) + ")"
DIGITS = r"(?:\d{1,3}(?:[ ,'\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
#: Regular expression for a number in folded text.
NUMBER = (
    rf"(?:{DIGITS}(?:\s*(?:thousand|million|billion|bn|m|k)(?![a-z]))?(?:\s+and\s+a\s+half)?"
    r"|(?:a\s+(?=hundred|thousand|million"
    rf"|billion))?{_WORD}(?:(?:\s+and)?[\s-]+{_WORD})*(?![a-z])(?:\s+and\s+a\s+half)?"
    r"|half\s+a\s+dozen|a\s+dozen|a\s+couple\s+of|a\s+pair\s+of)"
)
_NUMBER_PHRASES = {
    "half a dozen": 6.0, "a dozen": 12.0, "a couple of": 2.0, "a pair of": 2.0, "second": 2.0, "other": 2.0,
    "once": 1.0, "twice": 2.0, "thrice": 3.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0, "seventh": 7.0,
    "eighth": 8.0, "ninth": 9.0, "tenth": 10.0, "twelfth": 12.0, "first": 1.0, "fifteenth": 15.0, "twentieth": 20.0,
    "thirtieth": 30.0,
}  # fmt: skip


@lru_cache(maxsize=4096)
def parse_number(text: str) -> float | None:
    """Return the value of a number ("1 000 000", "forty-two", "2.5 million", "two and a half"), None for other text."""
    text = " ".join(text.split())
    if text in _NUMBER_PHRASES:
        return _NUMBER_PHRASES[text]
    half = 0.5 if text.endswith(" and a half") else 0.0
    text = text.removesuffix(" and a half")
    digits = re.fullmatch(rf"({DIGITS})\s*([a-z]*)", text)
    if digits:
        scale = _SCALES.get(digits.group(2))
        return None if scale is None else float(re.sub(r"[ ,']", "", digits.group(1))) * scale + half
    text = text.removeprefix("a ")
    try:
        return float(text2num("one " + text if text in _SCALES else text, "en")) + half
    except ValueError:
        return None


DAY = 86400.0
#: Length of fixed units in seconds, and of calendar units in months.
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": DAY, "week": 7 * DAY, "fortnight": 14 * DAY}
_MONTHS = {"month": 1, "quarter": 3, "semester": 6, "year": 12, "decade": 120, "century": 1200}
_SINGULAR = {
    "centuries": "century", "h": "hour", "hr": "hour", "hrs": "hour", "min": "minute", "half-year": "semester",
    "half-years": "semester", "weekday": "day", "weekdays": "day", "anniversary": "year", "yr": "year", "yrs": "year",
    "mth": "month", "mths": "month", "mins": "minute",
}  # fmt: skip
#: Regular expression for a unit of time.
TIME_UNIT = (
    r"(?:seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?|decades?|century|centuries"
    r"|weekdays?|semesters?|half-years?|yrs?|mths?|hrs?|h|mins?)(?![a-z-]*[a-z])"
)


def time_interval(value: float, unit: str, business: bool = False) -> tuple[float, float, str]:
    """Return the least and greatest length of a period in seconds, and its canonical unit."""
    singular = _SINGULAR.get(unit, unit.removesuffix("s"))
    if singular == "day" and (business or unit.startswith("weekday")):
        # n business days are at least n calendar days, and at most n with the weekends and one holiday.
        weekends = 2 * ((value + 4) // 5)
        return value * DAY, (value + weekends + 1) * DAY, "business day"
    if singular in _SECONDS:
        return value * _SECONDS[singular], value * _SECONDS[singular], singular
    days = value * _MONTHS[singular] * 30.4375
    # One month is 28 to 31 days, three are 89 to 92, a year is 365 or 366.
    return (days - 2.5) * DAY, (days + 0.8) * DAY, singular


#: Regular expression for a physical unit.
PHYSICAL_UNIT = (
    r"(?:kilomet(?:re|er)s?|km|nautical miles?|miles?|centimet(?:re|er)s?|millimet(?:re|er)s?|met(?:re"
    r"|er)s?|cm|mm|feet|foot|yards?"
    r"|inch(?:es)?|kilogram(?:me)?s?|kg|milligram(?:me)?s?|mg|gram(?:me)?s?|tonnes?|ounces?|lit(?:re|er)s?"
    r"|millilit(?:re|er)s?"
    r"|megawatts?|mw|kilowatts?|kw|kilobytes?|megabytes?|gigabytes?|bits?|bytes?"
    r"|degrees? (?:celsius|fahrenheit)|degrees?|°\s?c|°\s?f)(?![a-z])"
)
_PINT = {"degree": "degC", "degree celsius": "degC", "degree fahrenheit": "degF", "°c": "degC", "°f": "degF",
         "feet": "foot", "inches": "inch", "nautical mile": "nautical_mile", "mw": "megawatt", "kw": "kilowatt",
         "tonne": "metric_ton"}  # fmt: skip
_BASES = {"[length]": "metre", "[mass]": "kilogram", "[temperature]": "kelvin", "[length] ** 3": "litre",
          "[mass] * [length] ** 2 / [time] ** 3": "watt"}  # fmt: skip


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


@lru_cache(maxsize=1024)
def to_base_unit(value: float, unit: str) -> tuple[float, str]:
    """Return a physical quantity in its base unit, and the name of that unit in pint."""
    written = re.sub(r"^degrees", "degree", " ".join(unit.replace("° ", "°").split())).replace("gramme", "gram")
    name = _PINT.get(written) or _PINT.get(written.removesuffix("s")) or written.removesuffix("s")
    quantity = _registry().Quantity(value, name)
    base = _BASES.get(str(quantity.dimensionality), "bit")
    return round(float(quantity.to(base).magnitude), 6), base


#: Currencies as written → ISO code.
CURRENCIES = {
    "eur": "EUR", "euro": "EUR", "euros": "EUR", "€": "EUR", "$": "USD", "usd": "USD", "us$": "USD", "dollar": "USD",
    "dollars": "USD", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "chf": "CHF", "sgd": "SGD",
    "s$": "SGD", "jpy": "JPY", "yen": "JPY", "sek": "SEK", "cents": "cent",
}  # fmt: skip
