"""Deontic cues: the words by which a clause demands, forbids, permits or releases."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MODAL = r"(?:shall|must|should|may|can|could|will|would|might)"
_BE = r"(?:is|are|be|was|were|been|being|remains?|stays?|becomes?|shall be|must be|should be|will be|may be)"
_GAP = r"(?:\s+(?:[a-z]+ly|also|in (?:any|no) (?:case|event)|at all times|at (?:any|no) time|then|therefore|thus|however|in turn|further|each))*"
#: A negative subject: "no bank may", "none of the data shall", "neither the bank nor … may".
_NO_SUBJECT = r"(?:^|(?<=[.;:,(]\s)|(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=\bunder ))(?:no|none|nobody|no one|neither(?! of (?:whom|which))|nothing|not a single|not one|in no (?:case|event|circumstances?)|under no (?:circumstances?|conditions?)|at no (?:time|point|moment|stage)|on no account|by no means|never|nor)\b"


@dataclass(frozen=True, slots=True)
class Cue:
    """A deontic cue: offsets, force (one of MODALITIES) and strength as in ``Norm``."""

    start: int
    end: int
    modality: str
    strength: float
    #: The verb's complement begins after the cue ("is required to …"); False where the cue closes the
    #: clause and its subject is what it bears on ("shared accounts are prohibited").
    forward: bool = True


#: (force, strength, forward, expression); earlier rows win where two start at one place or overlap.
_ROWS: tuple[tuple[str, float, bool, str], ...] = (
    # releases
    ("need_not", 1.0, True, rf"\b(?:need|needs){_GAP}\s+not(?:\s+to)?\b|\bneedn't\b|\b(?:does|do|shall|will|should|would|did) not (?:have|need) to\b|\bno(?:body)? [a-z ]{{0,25}}?(?:needs? to|has to|have to)\b"),
    ("need_not", 0.9, True, rf"\b{_BE}\s+not{_GAP}\s+(?:required|obliged|bound|obligated|expected|compelled|under (?:an|any) (?:obligation|duty))(?:\s+to)?\b|\b(?:without (?:having|needing) to)\b"),
    ("need_not", 0.9, True, r"\b(?:no (?:obligation|duty|need|requirement) (?:to|for|exists|is)|(?:is|are) (?:under )?no (?:obligation|duty|requirement))\b|\bthere is no need\b|\bat liberty not to\b"),
    ("need_not", 0.9, False, rf"\b{_BE}\s+(?:not (?:required|mandatory|compulsory|necessary|obligatory|needed)|optional|voluntary|exempt(?:ed)?|unnecessary|dispensed with|waived|superfluous)\b|\b(?:may|can) be (?:omitted|waived|dispensed with|foregone|skipped|left out)\b|\bno [a-z -]{{1,30}}? (?:is|are) (?:required|needed|necessary)\b|\b(?:can|may) (?:dispense with|forgo|skip|do without|omit)\b"),
    # bans
    ("must_not", 1.0, True, rf"\b(?:shall|must|should|may|can|will|could|would|ought){_GAP}\s+(?:not|never|no longer|neither|in no (?:case|event)|under no circumstances)\b(?! only)(?:\s+to)?\b|\b(?:cannot|can't|mustn't|shan't|shouldn't|won't)\b"),
    ("must_not", 1.0, True, rf"\b(?:{_MODAL}|to|has to|have to|is to|are to|must)\s+(?:refrain|abstain|desist|keep|stay away|stop short|shy away|hold back)\s+from\b|\b(?:refrains?|abstains?|desists?)\s+from\b"),
    ("must_not", 1.0, True, rf"\b{_BE}\s+(?:strictly |expressly |hereby |absolutely |also )*(?:prohibited|forbidden|barred|banned|precluded|prevented|excluded|debarred|disqualified) from\b"),
    ("must_not", 1.0, True, rf"\b{_BE}\s+(?:not|never|no longer){_GAP}\s+(?:permitted|allowed|authori[sz]ed|entitled|free|at liberty|empowered|licensed) to\b|\b(?:is|are)\s+not\s+to\b|\b(?:has|have) no (?:right|power|authority|entitlement|permission) to\b|\b(?:has|have|had) not to\b"),
    ("must_not", 1.0, False, rf"\b{_BE}\s+(?:(?:strictly|expressly|hereby|also|always|absolutely|altogether|generally|therefore|in any case) )*(?:prohibited|forbidden|barred|banned|precluded|proscribed|outlawed|ruled out|off limits|out of the question|excluded|unlawful|inadmissible|impermissible|disallowed|unacceptable|void)\b"),
    ("must_not", 1.0, False, rf"\b{_BE}\s+(?:not|never|no longer){_GAP}\s+(?:permitted|allowed|authori[sz]ed|acceptable|admissible|permissible|tolerated|possible|accepted|available|lawful|an option)\b"),
    ("must_not", 0.9, True, r"(?<!so as )(?<!or )(?<!in order )(?<!is )(?<!are )\bnot to (?=[a-z])"),
    ("must_not", 0.9, True, r"\bprohibit(?:s|ed|ing)?\b|\bforbid(?:s|den|ding)?\b|\bbans?\b|\b(?:a|the) (?:prohibition|ban) (?:on|of|against)\b"),
    ("must_not", 0.9, True, rf"\b{_MODAL}(?=\s+(?!have\b|be\b)[a-z]+\s+(?:none|nothing|nobody|no one|no (?!later|more|less|fewer|longer|earlier|sooner|greater|higher|lower)[a-z]+))"),
    ("must_not", 1.0, True, rf"\b(?:{_MODAL}|is to|are to|has to|have to|needs? to|ought to)\s+(?:stay|keep|remain)\s+(?:out of|away from|clear of|off|outside)\b"),
    ("must_not", 0.8, False, r"\b(?:is|are|constitutes?|amounts? to|shall be|will be)\s+(?:an? |in )?(?:violation|breach|infringement|offence|unsafe|improper|unsound)\b"),
    ("must", 0.8, False, r"\b(?:is|are|be)\s+(?:reserved (?:to|for)|confined to|restricted to|limited to|left to)\b|\b(?:rests?|lies?) (?:solely |exclusively |only )?with\b|\b(?:is|are) (?:a matter for|the (?:sole )?(?:task|duty|responsibility|business|job) of)\b"),
    ("must_not", 0.7, True, r"\b(?:has|have|had) no (?:say|role|part|access|voice|vote|means|place|influence|business)\b"),
    # permissions
    ("may", 1.0, True, rf"\b{_BE}\s+(?:{_GAP}\s*)?(?:permitted|allowed|authori[sz]ed|entitled|free|at liberty|empowered|welcome) to\b|\b(?:has|have) (?:the|a) (?:right|power|option|freedom|choice|discretion) (?:to|of)\b|\b(?:at|in) (?:its|their|his|her|the) (?:own |sole |absolute )?(?:discretion|option|choice)\b|\breserves? the right\b"),
    ("may", 0.9, False, rf"\b{_BE}\s+(?:{_GAP}\s*)?(?:permitted|allowed|acceptable|permissible|admissible|tolerated|optional|lawful|up to|left to|enough)\b"),
    ("may", 0.7, True, rf"\b(?:{_BE}\s+)?(?:encouraged|invited|recommended|advisable|advised)(?:\s+to)?\b|\bcan (?:choose|decide|elect|opt)\b"),
    # what may happen rather than what one may do
    ("may", 0.4, True, r"\b(?:may|might|can|could)(?=\s+(?:also\s+|not\s+|then\s+|well\s+|still\s+)?(?:have|include|occur|change|vary|result|arise|cause|lead|affect|need|differ|become|contain|consist|exist|appear|indicate|happen|fail|require|range|impact|increase|pose|prevent|help|suffer|harm|disrupt|threaten)\b)"),
    # duties
    ("must", 1.0, True, rf"\b(?:shall|must)\b"),
    ("must", 0.9, True, rf"\bshould\b|\bought to\b"),
    ("may", 1.0, True, r"\bmay\b|\bmight\b"),
    ("must", 0.8, True, rf"\b{_BE}\s+(?:{_GAP}\s*)?(?:required|obliged|bound|obligated|expected|compelled|supposed|liable|responsible|under (?:a|an) (?:duty|obligation)|duty-bound|called upon)(?:\s+(?:to|for))?\b|\b(?:requires?|demands?|calls? for|obliges?|compels?)\b"),
    ("must", 0.8, True, r"\b(?:has|have|had|needs?)\s+to\b|\b(?:undertakes?|agrees?|commits?|covenants?|warrants?|promises?)\s+(?:to|that|not)\b|\bit is (?:the|its|their) (?:duty|responsibility|task|job)\b"),
    ("must", 0.8, False, rf"\b{_BE}\s+(?:{_GAP}\s*)?(?:mandatory|compulsory|obligatory|required|necessary|essential|indispensable|due)\b"),
    ("must", 0.8, True, r"\b(?:is|are)\s+to\b(?=\s+[a-z])"),
    ("must", 0.7, True, r"\bwill\b"),
    # the descriptive present, negated
    ("must_not", 0.6, True, r"\b(?:do|does|is|are)\s+(?:not|never|no longer)\b(?! (?:only|merely|later|more|less|fewer|longer|earlier|sooner|before|applicable|limited)\b)"),
    ("may", 0.8, True, r"\bcan\b|\bcould\b"),
)  # fmt: skip
_COMPILED = tuple((modality, strength, forward, re.compile(e)) for modality, strength, forward, e in _ROWS)
_NEGATIVE_SUBJECT = re.compile(_NO_SUBJECT)
_EXCLUSIVE = re.compile(
    r"\b(?:only|solely|exclusively|alone|sole|exclusive|nobody else|no one else|no other|none other|nothing but"
    r"|reserved (?:for|to)|not by any(?:one|body)? (?:else|other)|by no (?:one|body) else|confined to|limited to|restricted to)\b"
)
_NOT_EXCLUSIVE = re.compile(r"\b(?:not only|not merely|only (?:one|a few)|if only|stand-alone|stand alone)\b")
_IMMEDIATE = re.compile(
    r"\b(?:immediate(?:ly)?|at once|forthwith|instantly|right away|straight away|on the spot|without (?:any )?delay"
    r"|same[- ]day|(?:on|by (?:the )?(?:close|end) of(?: business(?: on)?)?) (?:the|that) (?:same )?(?:last )?day|in real time|there and then)\b"
)
_PROMPT = re.compile(
    r"\b(?:without (?:undue|unreasonable|unjustified|culpable) delay|prompt(?:ly)?|as soon as (?:possible|practicable|reasonably|it can)|speedily"
    r"|swiftly|expeditious(?:ly)?|in a timely (?:manner|fashion)|timely|quickly|at the earliest|soonest)\b"
)


def find_cues(folded: str, start: int, end: int) -> list[Cue]:
    """Return the deontic cues of ``folded[start:end]`` in reading order; no two overlap."""
    found: list[Cue] = []
    for modality, strength, forward, pattern in _COMPILED:
        for m in pattern.finditer(folded, start, end):
            if m.end() > m.start() and not any(m.start() < c.end and c.start < m.end() for c in found):
                found.append(Cue(m.start(), m.end(), modality, strength, forward))
    found.sort(key=lambda c: c.start)
    subjected = [_under_negative_subject(c, found, folded, start) for c in found]
    return _joined(subjected, folded)


#: Under a ban these demand: "shall not fail to report".
_FAIL = re.compile(r"\s*(?:fail|omit|neglect|forget|cease|refuse|refrain from|hesitate)\s+(?:to\s+)?|\s*(?:prevent|preclude|stop|hinder|prohibit|bar)\s+")


#: A modal followed at once by "be required", "be permitted", "be prohibited": the force of both together.
_TOGETHER = {
    ("must", "must_not"): "must_not", ("must", "need_not"): "need_not", ("must_not", "must"): "need_not",
    ("must_not", "may"): "must_not", ("must_not", "must_not"): "may", ("may", "must"): "must",
    ("may", "must_not"): "must_not", ("must", "must"): "must", ("may", "may"): "may", ("must_not", "need_not"): "must",
}  # fmt: skip
_BETWEEN = re.compile(r"\s*(?:[a-z]+ly\s+|also\s+|then\s+|itself\s+)*$")
#: Words of duty that under a negated modal stay what is forbidden ("shall not be responsible").
_PREDICATE = re.compile(r"\b(?:responsible|liable|bound)\b")


def _joined(cues: list[Cue], folded: str) -> list[Cue]:
    joined: list[Cue] = []
    for cue in cues:
        last = joined[-1] if joined else None
        words = folded[cue.start : cue.end]
        if last and last.forward and _BETWEEN.match(folded[last.end : cue.start]):
            if last.modality == "must_not" and _PREDICATE.search(words):
                continue
            force = _TOGETHER.get((last.modality, cue.modality))
            if force:
                joined[-1] = Cue(last.start, cue.end, force, min(last.strength, cue.strength), cue.forward)
                continue
            if last.modality == "must":  # "must be allowed to": the duty is to allow
                continue
        joined.append(cue)
    return [_double_negation(c, folded) for c in joined]


def _double_negation(cue: Cue, folded: str) -> Cue:
    if cue.modality != "must_not" or not cue.forward:
        return cue
    m = _FAIL.match(folded, cue.end)
    return Cue(cue.start, m.end(), "must", cue.strength) if m else cue


def _under_negative_subject(cue: Cue, cues: list[Cue], folded: str, start: int) -> Cue:
    """Turn a duty or a permission into a ban where its subject is negative ("no director may …")."""
    if cue.modality not in ("must", "may"):
        return cue
    left = max([c.end for c in cues if c.end <= cue.start] or [start])
    between = folded[left : cue.start]
    for m in _NEGATIVE_SUBJECT.finditer(between):
        rest = between[m.end() :]
        if not re.search(r"[;:]", rest) and not re.search(r"\bno (?:later|less|fewer|more|longer|earlier|sooner)\b", m.group() + rest[:10]):
            return Cue(cue.start, cue.end, "must_not", cue.strength, cue.forward)
    return cue


def is_exclusive(clause: str) -> bool:
    """Whether a folded clause reserves something ("only", "solely", "alone")."""
    return bool(_EXCLUSIVE.search(_NOT_EXCLUSIVE.sub(" ", clause)))


_ONLY_BEFORE = re.compile(r"\b(?:only|solely|exclusively|alone|reserved (?:for|to)|confined to|restricted to|left to)\s+(?:by\s+)?(?:an?\s+|the\s+|its\s+)?$")
_ONLY_AFTER = re.compile(r"[\s,]+(?:(?:and|but) )?(?:alone|only(?! (?:if|where|when|after|with|for|to)\b)|exclusively|solely|and (?:by )?(?:no|nobody|not by any))\b")


def is_reserved(folded: str, start: int, end: int) -> bool:
    """Whether what stands at ``folded[start:end]`` is marked as the only one ("by the board alone")."""
    return bool(_ONLY_BEFORE.search(folded[max(0, start - 30) : start]) or _ONLY_AFTER.match(folded, end))


def promptness(clause: str) -> str:
    """Return ``immediate``, ``prompt`` or "" for a folded clause."""
    if _PROMPT.search(clause):
        return "prompt"
    return "immediate" if _IMMEDIATE.search(clause) else ""
