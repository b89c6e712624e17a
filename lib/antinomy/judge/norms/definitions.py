"""Definitions: which term a sentence defines."""

from __future__ import annotations

import re

from antinomy.judge.norms.words import read_words

_QUOTED = r"['\"](?P<term>[^'\"]{2,80})['\"]"
_PLAIN = r"(?!(?:must|shall|should|may|have|has|no|not|any|it|this|that|which|by|what)\b)[a-z][a-z-]*"
_BARE = rf"(?P<term>(?:{_PLAIN}\s+){{0,4}}?{_PLAIN})"
_IN_THIS = (
    r"(?:(?:in|for(?: the purposes? of)?|as used in|within|under|throughout)\s+(?:this|these"
    r"|the present)\s+[a-z]+,?\s+|for(?: the)? purposes? of\s+[^,.;]{1,80},\s+)"
)
_TAIL = r"(?:[,(][^.;]{0,80}?[,)]\s*|\s+(?:as used (?:here|in this [a-z]+)\s*)?)*"
_VERB = (
    r"(?:means?|shall mean|is defined as|are defined as|denotes?|refers? to|describes?|designates?|comprises?"
    r"|stands? for)"
)
_REGARD = (
    r"(?<!not )(?:counts?|qualif(?:y|ies)|(?:is|are|be) (?:to be )?(?:regarded|treated|considered|deemed"
    r"|understood|presumed))"
)
_PATTERNS = tuple(
    re.compile(p)
    for p in (
        rf"^.{{0,90}}?{_QUOTED}{_TAIL}\s*(?:shall\s+|(?:shall|must|may|can|should)\s+only\s+)?(?:{_VERB}|is|are"
        r"|has the meaning|covers?|includes?|shall be understood)\b",
        r"\b(?:is|are|be|being) (?:called|termed|known as|referred to as|described as|named)(?: (?:to be"
        rf"|an?|the))*\s+{_QUOTED}",
        rf"\b{_REGARD} (?:as )?(?:an? )?{_QUOTED}",
        rf"\b{_REGARD} (?:as )?(?:an? ){_BARE}(?=\s+(?:if|where|when|once|only)\b|[,.]|$)",
        rf"\b(?:is|are|be) (?:to be )?(?:regarded|treated|deemed) as {_BARE}(?=\s+(?:if|where|when)\b)",
        rf"\b(?:speaks?|talks?) of (?:an? )?{_BARE}(?=\s+(?:if|where|when|they|it)\b|[,.]|$)",
        rf"^{_IN_THIS}?(?:the )?(?:term|expression|word|phrase)s? {_QUOTED}",
        rf"^{_IN_THIS}?(?:the )?(?:term|expression|word|phrase)s? {_BARE}(?:,[^,]{{0,80}},)?\s+(?:{_VERB}"
        r"|covers?|includes?|is (?:limited|understood|used|confined)|stands)\b",
        rf"^{_IN_THIS}?(?:an? |the )?{_BARE}(?:,[^,]{{0,80}},)?\s+{_VERB}\b(?! that\b)",
        rf"^{_IN_THIS}(?:an? |the )?{_BARE}\s+(?:is|are)\s+(?:an?|any|the|every)\b",
        # A closed definition: what is not named is not meant.
        rf"^{_IN_THIS}?(?:an? |the )?{_BARE}\s+(?:shall|must|may|can|should) only (?:mean|include|cover|comprise)\b",
        rf"^by (?:an? |the )?(?:['\"])?{_BARE}(?:['\"])? (?:is|are) meant\b",
        rf"\b(?:is|are) (?:an? )?{_QUOTED}\s+(?:when|if|where|once)\b",
    )
)
#: Stems of what the trade puts before half its nouns: "legacy ICT system" is "legacy system".
_MODIFIERS = frozenset(("ict", "inform", "technolog", "digit"))
#: Words that say what something is called, wherever they stand.
_NAMING = re.compile(
    r"\b(?:means?|meant|called|counts?|regarded|deemed|considered|treated|understood?|understand"
    r"|describes?|speaks?|talks?|term|presumed|presupposes)\b"
)
#: What follows a term of which a sentence says what it is; "are not limited to" says only what it is not.
_SAYS_WHAT = re.compile(r"\s*(?:\([^)]*\)\s*)?(?::|(?:is|are|includes?|covers?|if|where|when)\b(?! not\b))")


def defined_term(folded: str, start: int, end: int) -> str:
    """Return the stems of the term that the sentence ``folded[start:end]`` defines, "" if it defines none."""
    sentence = folded[start : min(end, start + 600)]
    for pattern in _PATTERNS:
        m = pattern.search(sentence)
        if m:
            stems = [s for w in read_words(sentence, m.start("term"), m.end("term")) for s in re.split(r"[ -]", w.stem)]
            # The last word is the noun itself, whatever it is: "confidential information" is not "confidential".
            kept = [s for s in stems[:-1] if s not in _MODIFIERS] + stems[-1:]
            if kept:
                return " ".join(kept)
    return ""


_CLOSES = re.compile(r"\bonly (?:mean|include|cover|comprise)s?\b|\b(?:means|includes|covers|comprises) only\b")


def closes_term(folded: str, start: int, end: int) -> bool:
    """Whether a definition says that its term means nothing else."""
    return bool(_CLOSES.search(folded, start, min(end, start + 160)))


#: A duty or permission that is no part of a definition ("shall only include" is one).
_DUTY = re.compile(
    r"\b(?:shall|must|should|may)\b(?! (?:only )?(?:mean|include|comprise|cover|be (?:regarded|deemed"
    r"|treated|considered|understood)))"
    r"|\bmay\b"
)


def speaks_of(sentence: str, term: str) -> bool:
    """Whether a folded sentence without a plain duty says what ``term`` (stems joined by blanks) is.

    It names the term with a word for naming, or the term is its subject: that a sentence uses a term and has an
    "is" somewhere tells nothing in real texts.
    """
    if _DUTY.search(sentence):
        return False
    parts = [(s, w.end) for w in read_words(sentence, 0, len(sentence)) for s in re.split(r"[ -]", w.stem)]
    wanted = term.split(" ")
    ends = [
        parts[i + len(wanted) - 1][1]
        for i in range(len(parts) - len(wanted) + 1)
        if [stem for stem, _ in parts[i : i + len(wanted)]] == wanted
    ]
    return bool(ends) and (bool(_NAMING.search(sentence)) or any(_SAYS_WHAT.match(sentence, end) for end in ends))
