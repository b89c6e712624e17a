"""Whom a provision binds, and whether it demands anything of him: by grammar and words, without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

#: Who may be bound. ``firm`` is every private party: the supervised firm, its board and staff, its providers and
#: customers. ``examiner`` is for the steps of an examination: they are an authority's, but what they check are the
#: firm's duties, so whoever compares firms' duties may want them too.
BINDS = ("firm", "authority", "member_state", "commission", "examiner", "nobody")
#: ``duty`` covers bans and recommendations ("should"); ``nothing`` is a mere statement.
DEMANDS = ("duty", "permission", "nothing")


@dataclass(frozen=True, slots=True)
class Bound:
    """Whom a provision binds (one of BINDS) and what it demands of him (one of DEMANDS)."""

    binds: str
    demands: str


NOBODY = Bound("nobody", "nothing")


@dataclass(frozen=True, slots=True)
class _Demand:
    party: str
    force: str
    explicit: bool


#: Types of sections that bind nobody by what they are.
_TYPES_NOBODY = frozenset({"definition", "title", "preamble", "citation", "recital", "footnote", "conclusions"})

_CUE = re.compile(
    r"(?<!-)\b(?:"
    r"(?P<permission>(?:shall|must|should) (?:also |further )?(?:have (?:all of )?(?:at least )?(?:the|a) (?:following )?"
    r"(?:[a-z-]+ )?(?:right|power)s?|be (?:entitled|allowed|permitted|empowered|free|authori[sz]ed) to)"
    r"|(?:has|have) the (?:right|power) to|(?:is|are) (?:hereby )?(?:entitled|permitted|allowed|empowered|authori[sz]ed) to"
    r"|(?:is|shall be) (?:conferred|delegated) (?:on|to)|(?<!\d )may)"
    r"|(?P<duty>shall|must|should|ought to|cannot|may not|may only|(?:is|are) (?:also )?(?:required|obliged|expected|bound) to"
    r"|(?:is|are) (?:prohibited|forbidden)(?: from)?|(?:has|have) to|needs? to|(?:is|are) (?:also )?responsible for"
    r"|(?:is|are) accountable for|responsib\w+ (?:falls?|rests?|lies?) (?:to|with|on))"
    r"|(?P<will>will)"
    r")\b",
    re.IGNORECASE,
)
#: After "may": what may happen, not what one may do.
_EPISTEMIC = re.compile(
    r"\s+(?:(?:also|not|still|well|then|even|often|sometimes) )*(?:be (?!used|made|given|kept|granted|taken|released|sub-?outsourced"
    r"|postponed|submitted|published|held|carried|adopted|shown|waived|extended|omitted|combined|delegated|exercised|required)"
    r"|have|face|need|find|choose|result|cause|include|lead|occur|arise|vary|differ|want|become|expose|contain|help|suffer"
    r"|wish|consist|experience|pose|introduce|create|provide|increase|reduce|affect|allow|require|indicate|know|rely)\b"
)
#: What turns a permission into a ban or a restriction.
_RESTRICTS = re.compile(r"\s+(?:[a-z]+ly )?(?:not|only)\b")
_RESTRICTED = re.compile(r"^[^.;]{0,160}?\bonly (?:where|if|when|in|after|with|for|to)\b")
_NO_SUBJECT = re.compile(r"^(?:no|neither|none of|only)\b", re.IGNORECASE)
#: A condition or a relative clause has opened and not closed before the cue.
_SUBORDINATE = re.compile(
    r"(?:^|[\s(])(?:(?:where|when|whenever|if|whether|unless|until|because|since|although|while|as)\s"
    # With a verb of its own behind it a relative clause is closed: "a board that meets rarely may …".
    r"|(?:which|that|who|whom|whose)\s(?![^,;]*\b(?:is|are|was|were|has|have|had|do|does|[a-z]{3,}s)\b))[^,;]*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:^|[\s,(])(?:which|that|who|whom|as)\s*$", re.IGNORECASE)
#: Sentences about the act itself.
_FORMAL = re.compile(
    r"^(?:\W*(?:\(?[a-z0-9]{1,3}[.)]\s*)?)(?:for the purposes? of (?:this|that|these)\b[^.;]*\b(?:means?|definitions?|referred to as"
    r"|be (?:considered|deemed|understood|treated|construed|regarded))\b"
    r"|(?:this|these|the present) (?:regulation|directive|decision|part|chapter|section|subpart|article|paragraph|rule|notice"
    r"|guidelines?|guidance|standard|circular|act|title|annex|directions?|booklet|handbook|instrument)s?\b"
    r"[^.;:]{0,60}?\b(?:appl(?:y|ies)|enters?|takes? effect|lays? down|establish(?:es)?|sets? out|is|are|shall be binding"
    r"|covers?|concerns?|repeals?|amends?|provides?|describes?|contains?|explains?|discusses)\b"
    r"|(?:articles?|paragraphs?|chapters?|sections?|the (?:requirements|provisions|designation|obligations|rules)) [^.;:]{0,120}?"
    r"\b(?:shall|do|does|must) (?:also )?(?:not )?apply\b"
    r"|references? to\b[^.;]*\bshall be construed|it shall apply from\b"
    r"|the (?:following )?definitions\b|if any provision of)",
    re.IGNORECASE,
)
_AMENDS = re.compile(
    r"\b(?:is|are) (?:hereby )?(?:replaced by|inserted|deleted|added|repealed|amended as follows|superseded)\b"
    r"|\bstands? repealed\b|^in article \d+[^.]{0,120}\bthe following\b",
    re.IGNORECASE,
)
#: How guidance recommends without a modal verb.
_COMMENDS = re.compile(
    r"\b(?:it is (?:also )?(?:important|critical|essential|necessary|imperative|prudent|advisable) (?:to|that|for)"
    r"|(?:effective|sound|prudent|good|best) (?:[a-z-]+ ){0,4}?(?:includes?|have|has|requires?|addresses|secures?|ensures?|involves?"
    r"|keeps?|speaks?)"
    r"|(?:sound|prudent|good|best|leading) practices? (?:includes?|is|are)"
    r"|require(?:s)? (?:additional|appropriate|adequate|strong))\b",
    re.IGNORECASE,
)
#: Verbs that open a direction to the reader ("Keep the minutes …").
_IMPERATIVE = re.compile(
    r"^(?:\W*(?:action summary\.?\s*)?)(?:keep|put|map|walk|make|ensure|establish|maintain|implement|develop|identify|test|document"
    r"|assign|define|report|notify|record|train|retain|store|encrypt|give|take|do not|never|always|use|verify|obtain|conduct)\s"
    r"(?!(?:is|are|was|may|can|of|and)\b)[a-z]",
    re.IGNORECASE,
)
#: A row of a table that sets a limit without a verb.
_LIMIT = re.compile(r"\b(?:within|no later than|not later than|at least|at most|no more than)\s+(?:\w+\s)?(?:\d|[a-z]+ (?:hour|day|month))")
_AGENT = re.compile(r"\bby (?:the following |the |an? |each |its )?(?=\S)", re.IGNORECASE)
#: Heads that firms and authorities alike have.
_ANYBODYS = re.compile(r"\b(?:boards?|directors?|staff|persons?|chair|members?)$")
_ITEM = re.compile(r"^\s*(?:[•▪●◦\uf0b7*-]\s|\(?[a-z0-9]{1,4}[.)]\s)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[a-z0-9)\]”’\"][.;:?!])\s+(?=[A-Z“\"‘(•])|\n+")
_LEADING = (
    r"(?:(?P<opens>^|[,;:]\s*)|\band (?:that )?|\bthat )(?:(?:then|also|otherwise|however|therefore|in addition|or|and|but)\b,?\s*)*"
    r"(?:(?:the|an?|each|every|any|all|no|such|that|this|those|these|its|their|both|either|neither|other|relevant|critical|host|home"
    r"|essential|important|insured|lead|foreign|internal|external|senior|supervised|regulated|affected|designated|members? of)\s+)*"
)


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    raw = resources.files("antinomy.embed").joinpath("bound.yaml").read_text("utf-8")
    words: dict[str, Any] = yaml.safe_load(raw)
    return words


@lru_cache(maxsize=1)
def _party_of() -> dict[str, str]:
    found = {phrase: party for party, phrases in _words()["parties"].items() for phrase in phrases}
    return found | {name.lower(): "authority" for name in _words()["named"]}


@lru_cache(maxsize=64)
def _subject(authorities: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds a party's name where a subject begins; up to four words may stand before its head."""
    phrases = sorted(_party_of().keys() - {name.lower() for name in _words()["named"]}, key=len, reverse=True)
    plain = "|".join(rf"{re.escape(p)}(?:s|es)?" for p in phrases)
    defined = "|".join(re.escape(name) for name in sorted(authorities, key=len, reverse=True))
    named = "|".join(_words()["named"])
    return re.compile(
        rf"(?i:{_LEADING})(?:(?P<named>{named})\b|(?P<defined>{defined or '(?!)'})\b"
        rf"|(?i:(?P<plain>(?:[\w-]+\s+){{0,4}}?(?:{plain})\b(?:\s+(?:{plain})\b)*)))"
    )


def named_authorities(definitions: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the terms that an act defines as authorities.

    Args:
        definitions: term and text of each definition of the act.
    """
    found = set()
    for term, text in definitions:
        opening = re.split(r"\bmeans?\b", text, maxsplit=1)[-1][:80].lower()
        if re.match(r"[\s:]*(?:the|an?|any)?\s*(?:[\w-]+\s+){0,4}?(?:authority|authorities|supervisor|regulator|agency|bureau|esa)\b", opening):
            found.add(term)
    return tuple(sorted(found))


def bound(text: str, heading_path: str = "", section_type: str = "", authorities: tuple[str, ...] = ()) -> Bound:
    """Tell whom a provision binds.

    A duty binds the subject of its verb; in the passive its agent; where neither is named, whoever's chapter it is,
    and else the firm, to which such acts are addressed. Of several parties the one with most demands counts, of
    equals the first.

    Args:
        text: the provision with its list items, one a line.
        heading_path: headings from the outermost down, joined by `` › ``.
        section_type: one of ``parse.model.SECTION_TYPES``, "" if unknown.
        authorities: names that the act gives to authorities, from ``named_authorities``.
    """
    headings = [part.strip() for part in heading_path.lower().split("›") if part.strip()]
    if section_type in _TYPES_NOBODY or _under(headings, "headings_nobody") or _AMENDS.search(text[:400]):
        return NOBODY
    if section_type == "objective" or _under(headings, "headings_examiner"):
        return Bound("examiner", "duty")
    owner = _owner(headings)
    demands = list(_demands(text, owner, _subject(authorities)))
    if headings and _matches(headings[-1], "headings_background"):
        demands = [demand for demand in demands if demand.explicit and demand.force == "duty"]
    if not demands:
        return NOBODY
    strong = [demand for demand in demands if demand.force != "nothing"] or demands
    votes = Counter(demand.party for demand in strong)
    party = max(votes, key=lambda name: votes[name])
    forces = {demand.force for demand in strong if demand.party == party}
    return Bound(party, next(force for force in DEMANDS if force in forces))


def _matches(heading: str, group: str) -> bool:
    return any(_heading(pattern).fullmatch(heading) for pattern in _words()[group])


def _under(headings: list[str], group: str) -> bool:
    return any(_matches(heading, group) for heading in headings)


@lru_cache(maxsize=256)
def _heading(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:[\divxlc]+[.)]\s+|§+ ?[\d.]+\s+|(?:appendix|annex|subpart|part|chapter) \w+\s*[:—–-]\s*)?(?:{pattern})")


def _owner(headings: list[str]) -> str:
    """Return whose chapter it is, by the innermost heading that says so; the firm's if none does."""
    for heading in reversed(headings):
        for party, patterns in _words()["headings_of"].items():
            if any(_heading(pattern).fullmatch(heading) for pattern in patterns):
                return str(party)
    return "firm"


def _demands(text: str, owner: str, subject: re.Pattern[str]) -> Iterator[_Demand]:
    led = False
    for sentence in _SENTENCE.split(text):
        if _ITEM.match(sentence) and led:
            continue
        led = False
        stripped = sentence.strip()
        if not stripped or _FORMAL.match(stripped):
            continue
        found = list(_of_sentence(stripped, owner, subject))
        yield from found
        led = bool(found) and stripped.endswith(":")


def _of_sentence(sentence: str, owner: str, subject: re.Pattern[str]) -> Iterator[_Demand]:
    last = 0
    party = ""
    found = False
    for cue in _CUE.finditer(sentence):
        before = sentence[last : cue.start()]
        if cue.start() == 0 or _RELATIVE.search(before) or _SUBORDINATE.search(before):
            continue
        force = _force(cue, sentence, before)
        named = _named(before, subject, owner)
        party = named or party if last else named
        explicit = bool(party)
        if not party:
            agent = _AGENT.search(sentence, cue.end(), cue.end() + 160)
            party = _named(sentence[agent.end() : agent.end() + 80], subject, owner) if agent else ""
            explicit = bool(party)
        if cue["will"] and party not in ("authority", "examiner"):
            continue
        if force == "permission" and cue[0].lower() == "may" and _EPISTEMIC.match(sentence, cue.end()) and party in ("", "firm"):
            continue
        found = True
        yield _Demand(party or owner, force, explicit)
        last = cue.end()
    if not found:
        if _COMMENDS.search(sentence) or _IMPERATIVE.match(sentence) or sentence.lower().startswith(("• whether ", "whether ")):
            yield _Demand("firm", "duty", False)
        elif _ITEM.match(sentence) is None and len(sentence) < 120 and _LIMIT.search(sentence) and not sentence.endswith("."):
            yield _Demand(owner, "duty", False)


def _force(cue: re.Match[str], sentence: str, before: str) -> str:
    if cue["will"]:
        return "nothing"
    if cue["duty"]:
        return "duty"
    after = sentence[cue.end() :]
    if _RESTRICTS.match(after) or _RESTRICTED.match(after) or _NO_SUBJECT.match(before.strip()):
        return "duty"
    return "permission"


def _named(before: str, subject: re.Pattern[str], owner: str) -> str:
    """Return the party that the words before a verb name as its subject: the last that begins a clause, "" if none."""
    matches = list(subject.finditer(before))
    if not matches:
        return ""
    # "officials and other persons shall": what follows a comma begins a clause sooner than what follows "and".
    match = next((m for m in reversed(matches) if m["opens"] is not None), matches[-1])
    if match["named"] or match["defined"]:
        return "authority"
    phrase = match["plain"].lower()
    return owner if _ANYBODYS.search(phrase) else _class(phrase)


def _class(phrase: str) -> str:
    """Return the class of the longest party's name that a phrase ends with."""
    words = phrase.split()
    for start in range(len(words)):
        name = " ".join(words[start:])
        for form in (name, name.removesuffix("s"), name.removesuffix("es")):
            if form in _party_of():
                return _party_of()[form]
    return ""
