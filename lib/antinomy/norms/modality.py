"""Finds deontic cues: the words by which a clause demands, forbids, permits or releases."""

from __future__ import annotations

import re
from dataclasses import dataclass

from antinomy.norms.cues import CUES

#: A negative subject: "no bank may", "none of the data shall", "neither the bank nor … may".
_NEGATIVE_SUBJECT_WORDS = (
    r"(?:^|(?<=[.;:,(]\s)|(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=\bunder ))(?:no|none|nobody|no one"
    r"|neither(?! of (?:whom|which))|nothing|not a single|not one|in no (?:case|event|circumstances?)"
    r"|under no (?:circumstances?|conditions?)|at no (?:time|point|moment|stage)|on no account|by no means"
    r"|never|nor)\b"
)
#: The same directly before the cue of a relative clause: "from which nothing may be taken".
_NEGATIVE_RELATIVE = r"(?:(?<=\bwhich )|(?<=\bwhom ))(?:nothing|nobody|none|no one)\s$"


@dataclass(frozen=True, slots=True)
class Cue:
    """A deontic cue.

    Attributes:
        start, end: offsets in the folded text; equal where no word states the modality.
        modality: one of ``model.MODALITIES``.
        strength: as in ``Norm``.
        precedes_action: the action follows the cue ("is required to …"); False where the cue ends the clause and what
            it applies to stands before it ("shared accounts are prohibited").
    """

    start: int
    end: int
    modality: str
    strength: float
    precedes_action: bool = True


_NEGATIVE_SUBJECT = re.compile(f"{_NEGATIVE_SUBJECT_WORDS}|{_NEGATIVE_RELATIVE}")
_EXCLUSIVE = re.compile(
    r"\b(?:only|solely|exclusively|alone|sole|exclusive|nobody else|no one else|no other|none other|nothing but"
    r"|reserved (?:for|to)|not by any(?:one|body)? (?:else|other)|by no (?:one|body) else|confined to"
    r"|limited to|restricted to)\b"
)
_NOT_EXCLUSIVE = re.compile(r"\b(?:not only|not merely|only (?:one|a few)|if only|stand-alone|stand alone)\b")
_IMMEDIATE = re.compile(
    r"\b(?:immediate(?:ly)?|at once|forthwith|instantly|right away|straight away|on the spot|without (?:any )?delay"
    r"|same[- ]day|(?:on|by (?:the )?(?:close|end) of(?: business(?: on)?)?) (?:the"
    r"|that) (?:same )?(?:last )?day|in real time|there and then)\b"
)
_PROMPT = re.compile(
    r"\b(?:without (?:undue|unreasonable|unjustified|culpable) delay|prompt(?:ly)?|as soon as (?:possible"
    r"|practicable|reasonably|it can)|speedily"
    r"|swiftly|expeditious(?:ly)?|in a timely (?:manner|fashion)|timely|quickly|at the earliest|soonest)\b"
)


def find_cues(folded: str, start: int, end: int) -> list[Cue]:
    """Return the deontic cues of ``folded[start:end]`` in reading order; no two overlap."""
    found: list[Cue] = []
    for modality, strength, precedes_action, pattern in CUES:
        for m in pattern.finditer(folded, start, end):
            if m.end() > m.start() and not any(m.start() < c.end and c.start < m.end() for c in found):
                found.append(Cue(m.start(), m.end(), modality, strength, precedes_action))
    found.sort(key=lambda c: c.start)
    found = [c for c in found if not _INVERTED.match(folded, c.start)]
    subjected = [apply_negative_subject(c, found, folded, start) for c in found]
    return _merge_adjacent(subjected, folded)


#: "Should the provider fail, …" is a condition, not a demand.
INVERTED = (
    r"(?:^|(?<=[.;:,]\s)|(?<=\band ))should (?=(?:the|an?|any|such|this|that|these|it|they|one|either|both|all|no)\b"
    r"|(?:[a-z-]+ ){1,2}(?:be|become|fail|occur|arise|exceed|differ|prove)\b)(?!be\b|not\b|also\b|have\b|in\b)"
)
_INVERTED = re.compile(INVERTED)


#: Verbs whose prohibition is a duty: "shall not fail to report".
_NEGATED_VERB = re.compile(
    r"\s*(?:fail|omit|neglect|forget|cease|refuse|refrain from|hesitate)\s+(?:to\s+)?|\s*(?:prevent"
    r"|preclude|stop|hinder|prohibit|bar)\s+|\s*(?:go|remain|stay|be(?: left)?)\s+(?=un[a-z]+ed\b)"
)


#: Modality of a modal verb followed at once by "be required", "be permitted" or "be prohibited".
_COMBINED_MODALITY = {
    ("must", "must_not"): "must_not", ("must", "need_not"): "need_not", ("must_not", "must"): "need_not",
    ("must_not", "may"): "must_not", ("must_not", "must_not"): "may", ("may", "must"): "must",
    ("may", "must_not"): "must_not", ("must", "must"): "must", ("may", "may"): "may", ("must_not", "need_not"): "must",
}  # fmt: skip
_BETWEEN = re.compile(r"\s*(?:[a-z]+ly\s+|also\s+|then\s+|itself\s+)*$")
#: Words of an undertaking; the cue of the clause that follows sets its modality ("agrees that it shall not").
_UNDERTAKING = re.compile(r"(?:agrees?|undertakes?|commits?|covenants?|warrants?|promises?)\s+that$")
_PRONOUN = re.compile(r"\s*(?:it|they|he|she|he or she|each of them)\s*$")
#: Predicates of duty that a negated modal verb forbids ("shall not be responsible").
_PREDICATE = re.compile(r"\b(?:responsible|liable|bound)\b")


def _merge_adjacent(cues: list[Cue], folded: str) -> list[Cue]:
    """Merge cues that make up one predicate ("shall be required to"), and resolve double negations."""
    joined: list[Cue] = []
    for cue in cues:
        last = joined[-1] if joined else None
        words = folded[cue.start : cue.end]
        between = folded[last.end : cue.start] if last else ""
        if last and _PRONOUN.match(between) and _UNDERTAKING.search(folded[last.start : last.end]):
            joined[-1] = Cue(last.start, cue.end, cue.modality, cue.strength, cue.precedes_action)
            continue
        if last and last.precedes_action and _BETWEEN.match(between):
            if last.modality == "must_not" and _PREDICATE.search(words):
                continue
            modality = _COMBINED_MODALITY.get((last.modality, cue.modality))
            if modality:
                joined[-1] = Cue(last.start, cue.end, modality, min(last.strength, cue.strength), cue.precedes_action)
                continue
            if last.modality == "must":  # "must be allowed to": the duty is to allow
                continue
        joined.append(cue)
    return [_resolve_double_negation(c, folded) for c in joined]


def _resolve_double_negation(cue: Cue, folded: str) -> Cue:
    if cue.modality != "must_not" or not cue.precedes_action:
        return cue
    m = _NEGATED_VERB.match(folded, cue.end)
    return Cue(cue.start, m.end(), "must", cue.strength) if m else cue


def apply_negative_subject(cue: Cue, cues: list[Cue], folded: str, start: int) -> Cue:
    """Return a duty or permission as a prohibition if its subject is negative ("no director may …")."""
    if cue.modality not in ("must", "may"):
        return cue
    left = max([c.end for c in cues if c.end <= cue.start] or [start])
    between = folded[left : cue.start]
    for m in _NEGATIVE_SUBJECT.finditer(between):
        rest = between[m.end() :]
        if not re.search(r"[;:]", rest) and not re.search(
            r"\bno (?:later|less|fewer|more|longer|earlier|sooner)\b", m.group() + rest[:10]
        ):
            return Cue(cue.start, cue.end, "must_not", cue.strength, cue.precedes_action)
    return cue


def marks_exclusive(clause: str) -> bool:
    """Tell whether a folded clause is exclusive ("only", "solely", "alone")."""
    return bool(_EXCLUSIVE.search(_NOT_EXCLUSIVE.sub(" ", clause)))


_ONLY_BEFORE = re.compile(
    r"\b(?:only|solely|exclusively|alone|reserved (?:for|to)|confined to|restricted to"
    r"|left to)\s+(?:by\s+)?(?:an?\s+|the\s+|its\s+)?$"
)
_ONLY_AFTER = re.compile(
    r"[\s,]+(?:(?:and|but) )?(?:alone|only(?! (?:if|where|when|after|with|for|to)\b)|exclusively|solely"
    r"|and (?:by )?(?:no|nobody|not by any))\b"
)


def is_reserved(folded: str, start: int, end: int) -> bool:
    """Tell whether ``folded[start:end]`` is marked as the only agent ("by the board alone")."""
    return bool(_ONLY_BEFORE.search(folded[max(0, start - 30) : start]) or _ONLY_AFTER.match(folded, end))


def promptness(clause: str) -> str:
    """Return ``immediate``, ``prompt`` or "" for a folded clause."""
    if _PROMPT.search(clause):
        return "prompt"
    return "immediate" if _IMMEDIATE.search(clause) else ""
