"""The names that a document has for its authority: abbreviations, offices that it defines, and whoever licenses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: "an ABCD-regulated entity"
_REGULATED = re.compile(r"\b([A-Z]{3,8})-(?:regulated|supervised|licensed|authori[sz]ed)\b")
#: "the Office of Lamps (OFL)"
_ABBREVIATED = re.compile(
    r"(?P<name>(?:\b[A-Z][\w'’]*\s+(?:(?:of|and|for|the|on)\s+){0,3}){2,8})"
    r"\((?:the )?[“\"‘']?(?P<short>[A-Z]{3,8})[”\"’']?\)"
)
#: Words in the long name of an authority.
_AUTHORITY = re.compile(r"\b(?:Supervis|Superintend|Regulator|Authority|Central Bank|Reserve Bank|Monetary)")
#: "“Director” means the director of the department of lamps"; for the verb some codes have a comma.
_OFFICE = re.compile(
    r"(?:[“\"‘']|(?m:^))(?P<office>Director|Secretary|Administrator|Registrar|Department|Division|Office|Board|Bank)[”\"’']?"
    r"(?:,| means)"
    r"\s+the (?![^.;:]{0,80}\b(?:directors|trustees|institutions?|company|firms?|licensees?)\b)[^.;:]{0,80}?"
    r"\b(?i:department of|division of|agency|bureau|ministry|federal|government|central bank"
    r"|reserve bank|authority|(?:this|the) state)\b"
)
_NAME = r"(?P<name>(?:[A-Z][\w’'-]+ ){0,3}[A-Z][\w’'-]+|[a-z]{4,})"
_LICENCE = r"(?:licen[cs]es?|permits?|registrations?|certificates?|accreditations?|authori[sz]ations?)"
#: What authorities alone do, and what is done before them alone: somebody is licensed, rules are made, fines imposed.
_GOVERNS = re.compile(
    rf"\b[Tt]he {_NAME} (?:shall|must|may|will)(?: (?:not|also|by (?:regulations?|order)))*,? (?:"
    rf"(?:grant|refuse|issue|renew|revoke|suspend|cancel|withdraw|deny|vary)\b[^.;:]{{0,60}}\b{_LICENCE}\b"
    rf"|(?:prescribe|exempt|make (?:regulations|rules)|adopt (?:regulations|rules))\b"
    rf"|impose (?:an?|any) (?:\w+ ){{0,2}}(?:fine|penalty|sanction)"
    rf"|(?:accept|approve|reject|refuse|deny|consider|determine) (?:an?|the|any|each|every) (?:\w+ ){{0,2}}application)"
)
_BEFORE = re.compile(
    rf"\b(?:(?:appl(?:y|ies)|application)\b[^.;:]{{0,40}}? to|appeal\b[^.;:]{{0,40}}? to"
    rf"|(?:prescribed|licen[cs]ed|registered|accredited|exempted) by) the {_NAME}\b"
)
_ACTS = re.compile(rf"\b[Tt]he {_NAME} (?:shall|must|may)\b")
#: How often a name in small letters must do so, and be a subject at all.
_FEWEST_SMALL = 2
#: A document has no more authorities: what a hostile one names besides must not cost more than its length.
_MOST = 20


def find_authorities(texts: Sequence[str], others: frozenset[str]) -> set[str]:
    """Find the names that a document has for its authority, as patterns of regular expressions.

    Args:
        texts: the document's provisions.
        others: words, in small letters, that name somebody else wherever they end a name.
    """
    found: set[str] = set()
    offices: set[str] = set()
    governs: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    for text in texts:
        found.update(match[1] for match in _REGULATED.finditer(text))
        for match in _ABBREVIATED.finditer(text):
            words = [word for word in match["name"].split() if word[0].isupper()][-len(match["short"]) :]
            if "".join(word[0] for word in words) == match["short"] and _AUTHORITY.search(" ".join(words)):
                found.add(match["short"])
        offices.update(match["office"] for match in _OFFICE.finditer(text))
        for pattern in (_GOVERNS, _BEFORE):
            governs.update(match["name"] for match in pattern.finditer(text))
        acts.update(match["name"] for match in _ACTS.finditer(text))
    names = [
        name
        for name, times in governs.most_common()
        if (name[0].isupper() or min(times, acts[name]) >= _FEWEST_SMALL) and name.split()[-1].lower() not in others
    ]
    found.update(f"[Tt]he {re.escape(name)}" for name in names[:_MOST])
    for office in offices:
        # Some statutes write it in small letters, but for its definition.
        capital = any(re.search(rf"[Tt]he {office}\b", text) for text in texts)
        found.add(f"[Tt]he {office if capital else office.lower()}")
    return found
