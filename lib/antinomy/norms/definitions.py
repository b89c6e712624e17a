"""Definitions: which term a sentence defines, and whether two provisions define the same one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from antinomy.norms.words import fold, read_words

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
    r"|stands? for|consists? of|(?:shall|must|is to|are to) be read as|has the meaning)"
)
#: The number or mark of a list item; what separates a term in a glossary or a table's first column from its meaning.
_MARK = re.compile(r"(?:\(?[a-z0-9]{1,4}[.)]\s*|[-*•▪●◦\uf0b7]\s*)+")
_PARTED = r"(?:\s*\([^)]{1,60}\))?(?:\s*[:|\t]|\s-)\s*"
#: How a meaning begins that only a colon or a dash introduces.
_NOUN_PHRASE = (
    r"(?=(?:an?|the|any|every|each|all|those|that|these|one|such|whatever|whoever|what|when|where|in|with|persons?"
    r"|[a-z-]+ing)\b)"
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
        # A closed definition: it covers nothing that it does not name.
        rf"^{_IN_THIS}?(?:an? |the )?{_BARE}\s+(?:shall|must|may|can|should) only (?:mean|include|cover|comprise)\b",
        rf"^by (?:an? |the )?(?:['\"])?{_BARE}(?:['\"])? (?:is|are) meant\b",
        rf"\b(?:is|are) (?:an? )?{_QUOTED}\s+(?:when|if|where|once)\b",
    )
)
#: The forms of a glossary, which a sentence with a duty does not have.
_LISTED = (re.compile(rf"^{_QUOTED}{_PARTED}"), re.compile(rf"^(?:an? |the )?{_BARE}{_PARTED}{_NOUN_PHRASE}"))
#: Further forms that define a term under a heading that names a list of definitions.
_UNDER_HEADING = re.compile(
    rf"^(?:an? |the )?(?:{_QUOTED}|{_BARE.replace('term', 'bare')})(?:\s*\([^)]{{1,60}}\))?"
    rf"(?:\s+(?:is|are)\s|{_PARTED})"
)
_GLOSSARY = re.compile(r"\b(?:glossary|definitions?|defined terms|terms and abbreviations|interpretation)\b")
#: Words before a term: the scope of its definition.
_SCOPE = re.compile(
    r"^(?:in|for|within|under|throughout|as|when|by)\b[^;:]{0,90}?(?:,|\"|'|\bwe)?\s*(?:an?|the)?\s*['\"]?$"
)
#: Verbs of naming, directly before the term.
_NAMED = re.compile(
    r"\b(?:called|termed|named|known as"
    r"|(?:counts?|regarded|deemed|considered|treated|understood|qualif(?:y|ies))(?: as)?|is|are)"
    r"(?: to be)? (?:an? |the )?['\"]?$"
)
#: Words after a term that say what it is; "are not limited to" says only what it is not.
_SAYS_WHAT = re.compile(
    r"['\"]?\s*(?:\([^)]*\)\s*)?(?:,[^,]{1,80},)?(?:\s*[:|]|\s-\s"
    rf"|\s*(?:{_VERB}|is|are|includes?|covers?|counts?|if|where|when)\b(?! not\b))"
)
_PREDICATE = re.compile(
    r"['\"]?\s+(?:is|are|counts? as|shall be|(?:is|are) (?:deemed|considered|regarded as))\s+['\"]?"
)


_DEMAND = re.compile(r"\b(?:shall|must|should)\b(?! (?:only )?(?:mean|be (?:read|understood)))")


def defined_term(folded: str, start: int, end: int) -> str:
    """Return the stems of the term that the sentence ``folded[start:end]`` defines, "" if it defines none."""
    sentence = folded[start : min(end, start + 600)]
    mark = _MARK.match(sentence)
    sentence = sentence[mark.end() :] if mark else sentence
    listed = () if _DEMAND.search(folded, start) else _LISTED
    for pattern in (*_PATTERNS, *listed):
        m = pattern.search(sentence)
        if m and (stems := _stems(sentence, m.start("term"), m.end("term"))):
            return stems
    return ""


def _stems(folded: str, start: int, end: int) -> str:
    return " ".join(s for w in read_words(folded, start, end) for s in re.split(r"[ -]", w.stem))


_CLOSES = re.compile(r"\bonly (?:mean|include|cover|comprise)s?\b|\b(?:means|includes|covers|comprises) only\b")


def closes_term(folded: str, start: int, end: int) -> bool:
    """Whether a definition is closed: its term means nothing else."""
    return bool(_CLOSES.search(folded, start, min(end, start + 160)))


#: A duty or permission outside a definition ("shall only include" may be part of one).
_DUTY = re.compile(
    r"\b(?:shall|must|should|may)\b(?! (?:only )?(?:mean|include|comprise|cover|be (?:regarded|deemed"
    r"|treated|considered|understood)))"
    r"|\bmay\b"
)


@lru_cache(maxsize=4096)
def terms(text: str, headings: str = "") -> tuple[str, ...]:
    """Return the stems of the terms that a provision's sentences define, in reading order.

    Args:
        text: of the provision.
        headings: above it; under one that names a glossary, "X is …" defines X.
    """
    folded = fold(text)
    found = [defined_term(folded, start, end) for start, end in _sentences(folded)]
    if not found[:1] or (not found[0] and _GLOSSARY.search(fold(headings))):
        m = next((_UNDER_HEADING.match(folded[start:end]) for start, end in _sentences(folded)), None)
        if m:
            name = "term" if m["term"] else "bare"
            found = [_stems(m.string, m.start(name), m.end(name))]
    return tuple(dict.fromkeys(term for term in found if term))


#: Definitions are looked for in so many sentences of a provision.
_MOST = 12


def _sentences(folded: str) -> Sequence[tuple[int, int]]:
    from antinomy.norms.read import sentences

    return sentences(folded)[:_MOST]


def common_term(left: str, right: str, headings: tuple[str, str] = ("", "")) -> str:
    """Return the stems of a term that both provisions define, "" if there is none.

    One of them has to define it outright; the other may just say what the term is. Terms are equal whatever their case,
    number, inflection or hyphens; a longer term is another one.
    """
    mine, yours = terms(left, headings[0]), terms(right, headings[1])
    for term in mine:
        if any(_key(term) == _key(other) for other in yours):
            return term
    if bool(mine) == bool(yours):
        return ""
    own, folded = (mine, fold(right)) if mine else (yours, fold(left))
    for term in own:
        if any(speaks_of(folded[start:end], term) for start, end in _sentences(folded)):
            return term
    return ""


def _key(term: str) -> str:
    return term.replace(" ", "")


def speaks_of(sentence: str, term: str) -> bool:
    """Whether a folded sentence without a plain duty says what ``term`` (stems joined by blanks) means.

    It begins with the term, has it after a verb of naming ("counts as"), or makes its adjective a predicate ("an
    enterprise is small if …").
    """
    if _DUTY.search(sentence):
        return False
    parts = [(s, w.start, w.end) for w in read_words(sentence, 0, len(sentence)) for s in re.split(r"[ -]", w.stem)]
    wanted = term.split(" ")
    for i in range(len(parts) - len(wanted) + 1):
        window = parts[i : i + len(wanted)]
        stems = [stem for stem, _, _ in window]
        first, last = window[0][1], window[-1][2]
        opens = i == 0 or bool(_SCOPE.match(sentence[:first]))
        if stems == wanted and ((opens and _SAYS_WHAT.match(sentence, last)) or _NAMED.search(sentence[:first])):
            return True
        turned = len(wanted) > 1 and stems == [wanted[-1], *wanted[:-1]]
        if turned and opens and _PREDICATE.fullmatch(sentence[window[0][2] : window[1][1]]):
            return True
    return False
