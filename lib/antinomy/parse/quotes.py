"""Quotation marks of the EU's languages: provisions that an act inserts elsewhere, and terms that it
defines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antinomy.text.typography import RAISED_DIGITS

#: Opening mark → what may close it.
_PAIRS = {"‘": "’", "“": "”", "„": "“”", "‚": "‘’", "»": "«", "«": "»", '"': '"'}
_OPEN = "".join(_PAIRS)
#: A straight mark within a word is an apostrophe.
_TERM = re.compile(
    rf"(?:[{_OPEN}](?![\d(])([^{_OPEN}’”]{{1,150}})[’”“«»\"]|'(?=[^\W\d])((?:[^']|(?<=\w)'(?=\w)){{1,150}})')(?=[\s,:(]|$)"
)
#: What gives a term its meaning.
MEANS = r"(?:means|denotes|has the (?:same )?meaning|shall (?:mean|have the (?:same )?meaning))"
#: A term that nothing sets apart in plain text: "controlling owner, in relation to a lamp, has the meaning".
_PLAIN = re.compile(
    r"(?!(?:An?|The|It|This|That|These|In|For)\s)([a-z][\w’'/-]*(?:\s(?!(?:shall|must|may|should|is|are|was|that|which)\s)"
    rf"[\w’'()/-]+){{0,7}}?)(?:,\s[^.;:]{{3,100}},)?\s(?:{MEANS}|includes|refers to)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^.(?:\(\w{1,5}\)|\d{1,3}[a-z]?[.)])\s")
_CLOSED = re.compile(r"([’”“‘«»\"])(?:\s*[;.,:]*)(?:\s+(?:and|or))?\s*\"?$")


def defined_term(text: str) -> str:
    """Return the term that stands in quotation marks at the text's start, "" if none does.

    >>> defined_term("‘ICT risk’ means any reasonably identifiable circumstance")
    'ICT risk'
    """
    match = _TERM.match(text)
    return " ".join((match[1] or match[2]).split()) if match and len(text) > match.end() + 2 else ""


def plain_term(text: str) -> str:
    """Return the term that a paragraph without quotation marks defines, "" if none."""
    match = _PLAIN.match(text)
    return match[1] if match else ""


#: Headings of a list of terms; what ratings stand for are no terms.
_GLOSSARY = re.compile(
    r"(?<!ratings )\b(?:glossary|definitions?|(?:defined|following|key) (?:terms|words|expressions)(?! of)|terms used"
    r"|terminology|interpretation)"
    rf"(?![^\W{RAISED_DIGITS}])|^terms$",
    re.IGNORECASE,
)
#: The scope of a definition: "In this Notice, “claimant” means …", "In COBS “client” means …".
SCOPE = re.compile(
    r"(?:in|for (?:the )?purposes? of|under|as used in) (?:(?:this|these|the) [^,.;:“\"‘']{2,60}|(?-i:[A-Z]{2,8}))"
    r"(?:,\s+|\s+(?=[“\"‘']))",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:an?|the)\s+(?:(?:term|expression|word|phrase)s?\s+)?", re.IGNORECASE)
_MEANS = re.compile(
    r"[^.;]{0,160}?\b(?:means?|denotes?|includes?|refers? to|has the (?:same )?meaning)\b|\s*:", re.IGNORECASE
)
#: Only the verb "means" tells that a term is defined which nothing sets apart: "training includes" does not, nor does
#: "a card as a means to pay".
_PLAIN_MEANS = re.compile(
    r"(?!(?:when|where|if|it|this|that|these|those|in|for|by|as|no|any)\b)[\w’'/()-]+"
    r"(?:\s(?!(?:shall|must|may|should|is|are|was|that|which|by|as|an?|the|no|any|provides?)\b)[\w’'/()-]+){0,5}"
    rf"\s{MEANS}\s(?!(?:of|to|for|by|that)\b)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?!Notes?\b)[^.;:]{2,60}(?:(?::|\s[–—-])\s+|[—―])\w")
#: "Illiquid assets are assets which cannot be sold", "A trading day is any day on which …".
_CLASSES = re.compile(
    r"(?!(?:it|this|that|these|those|there|he|they)\b)[\w’'/-]+(?:\s(?!(?:shall|must|may|should)\b)[\w’'/-]+){0,5}?"
    r"\s(?:is|are)\s"
    r"(?:(?:an?|the(?! same)|any|every|all|those)\s|[a-z]+\s(?:that|which|who|whose|of|in|with|without)\b)",
    re.IGNORECASE,
)
#: A meaning that stands below its term, which has no more words.
_MEANING, _LONGEST_TERM = re.compile(rf"{MEANS}[\s,]"), 10


def defines(text: str, in_glossary: bool = False) -> bool:
    """Tell whether a provision begins with a definition, in a list of definitions or not.

    Args:
        text: of the provision, without its number.
        in_glossary: whether it stands below a heading that announces definitions; there a colon is enough, or that it
            says what something is.

    >>> defines("“Critical function” means a function"), defines("Training includes drills")
    (True, False)
    """
    rest = text
    for before in (SCOPE, _ARTICLE):
        rest = rest[match.end() :] if (match := before.match(rest)) else rest
    if _TERM.match(rest):
        return bool(quoted_term(rest))
    return bool(_PLAIN_MEANS.match(rest)) or (in_glossary and bool(_LISTED.match(text) or _CLASSES.match(rest)))


def gives_meaning(term: str, text: str) -> bool:
    """Tell whether a text goes on with "means …" behind a term that stands on a line of its own before it."""
    return bool(_MEANING.match(text)) and term[-1] not in ".,;:" and len(term.split()) <= _LONGEST_TERM


def quoted_term(text: str) -> str:
    """Return the term in quotation marks that a text begins with and gives a meaning to, "" if none."""
    match = _TERM.match(text)
    return defined_term(text) if match and _MEANS.match(text, match.end()) else ""


def announces_terms(heading: str) -> bool:
    """Tell whether a heading announces a list of terms."""
    return bool(_GLOSSARY.search(heading))


def insertions(texts: Sequence[str], stops: Sequence[bool]) -> list[bool]:
    """Tell which blocks quote provisions that an amending act puts into another act.

    Such a quotation opens a block, after a block that ends in a colon, and closes at the end of the same or
    of a later block. What stands in it, however numbered, is no provision of this act.

    Args:
        texts: blocks in reading order, numbers included.
        stops: blocks that no quotation runs past (this act's own next article).

    Returns:
        For each block, whether it is part of a quotation.
    """
    inside = [False] * len(texts)
    next_stop = _next(stops)
    next_end = {
        mark: _next([_closes(text, closers) for text in texts])
        for mark, closers in _PAIRS.items()
        if any(text.startswith(mark) for text in texts)
    }
    start = 1
    while start < len(texts):
        text = texts[start]
        if text[:1] in _PAIRS and texts[start - 1].endswith(":") and not is_definition(text):
            end = next_end[text[:1]][start]
            if end < next_stop[start]:
                inside[start : end + 1] = [True] * (end + 1 - start)
                start = end
            else:
                # Nobody closes it. An open mark before a number still tells that this block is quoted.
                inside[start] = bool(_NUMBERED.match(text))
        start += 1
    return inside


def _next(marked: Sequence[bool]) -> list[int]:
    """Return for each place the first marked place at or after it; the length where there is none."""
    places = [len(marked)] * len(marked)
    last = len(marked)
    for place in range(len(marked) - 1, -1, -1):
        last = place if marked[place] else last
        places[place] = last
    return places


def _closes(text: str, closers: str) -> bool:
    match = _CLOSED.search(text[-40:])
    return match is not None and match[1] in closers


def is_definition(text: str) -> bool:
    """Tell whether a block opens with a quoted term and its meaning: ‘bank’ means …; ‘bank’ – An undertaking"""
    match = _TERM.match(text)
    rest = text[match.end() :].lstrip(" ,") if match else ""
    return rest[:1].islower() or rest.startswith(("(", ":", "–", "—", "- "))
