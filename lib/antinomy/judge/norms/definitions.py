"""Definitions: which term a sentence defines."""

from __future__ import annotations

import re

from antinomy.judge.norms.words import read_words

_QUOTED = r"['\"](?P<term>[^'\"]{2,80})['\"]"
_BARE = r"(?P<term>(?:[a-z-]+\s+){0,4}?[a-z-]+?)"
_TAIL = r"(?:[,(][^.;]{0,80}?[,)]\s*|\s+(?:as used (?:here|in this [a-z]+))?\s*)*"
_PATTERNS = tuple(
    re.compile(p)
    for p in (
        rf"^.{{0,90}}?{_QUOTED}{_TAIL}\s*(?:shall\s+)?(?:means?|is defined as|denotes?|refers? to|is understood to|designates?|is|are|has the meaning|covers|stands for|shall be understood)\b",
        rf"\b(?:is|are|be|being) (?:called|termed|known as|referred to as|described as|treated as|regarded as|considered|deemed)(?: (?:to be|a|an|the))*\s+{_QUOTED}",
        rf"\b(?:counts?|qualif(?:y|ies)|is (?:regarded|treated|considered)|(?:is|are) to be (?:regarded|treated)) as (?:an? )?{_BARE}(?=\s+(?:if|where|when|once|only)\b|[,.]|$)",
        rf"\bspeaks? of (?:an? )?{_BARE}(?=\s+(?:if|where|when)\b|[,.]|$)",
        rf"^(?:(?:in|for(?: the)?|as used in|within|under)\b[^,]{{0,60}},\s*)?(?:the )?(?:term|expression|word|phrase)s? {_QUOTED}",
        rf"^(?:(?:in|for(?: the)?|as used in|within|under)\b[^,]{{0,60}},\s*)?(?:the )?(?:term|expression|word|phrase)s? {_BARE}(?:,[^,]{{0,80}},)?\s+(?:means?|refers? to|covers?|denotes?|includes?|is (?:defined|limited|understood|used|confined)|shall mean)\b",
        rf"^(?:(?:in|for(?: the)?|as used in|within|under)\b[^,]{{0,60}},\s*)?(?:an? |the )?{_BARE}(?:,[^,]{{0,80}},)?\s+(?:means|shall mean|is defined as|refers to|denotes)\b(?! that)",
        rf"\b(?:is|are) (?:an? )?{_QUOTED}\s+(?:when|if|where)\b",
        rf"^by {_QUOTED} (?:is|are) meant\b",
    )
)


def defined_term(folded: str, start: int, end: int) -> str:
    """Return the stems of the term that the sentence ``folded[start:end]`` defines, "" if it defines none."""
    sentence = folded[start : min(end, start + 600)]
    for pattern in _PATTERNS:
        m = pattern.search(sentence)
        if m:
            stems = [w.stem for w in read_words(sentence, m.start("term"), m.end("term"))]
            if stems:
                return " ".join(stems)
    return ""
