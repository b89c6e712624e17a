"""Quotation marks, dashes and raised numbers: the forms that print gives them, and their plain ones."""

from __future__ import annotations

#: Quotation marks, primes and dashes by their plain form, for ``str.translate``; lengths stay.
PLAIN_MARKS = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)

#: Letters that are printed as one.
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}

#: Raised digits, as a note's mark is printed; in a character class of a pattern.
RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
#: For ``str.translate``: digits raised, and back.
RAISE = str.maketrans("0123456789", RAISED_DIGITS)
LOWER = str.maketrans(RAISED_DIGITS, "0123456789")
