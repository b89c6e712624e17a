"""The norms that a provision states: in words of duty or permission, or in the present tense of such a document."""

from __future__ import annotations

from dataclasses import replace

from antinomy.norms import Norm, extract
from antinomy.norms.sentences import sentences
from antinomy.norms.words import fold

#: Norms from this strength on have words of duty, permission or definition; below, only the tense implies a duty.
_EXPLICIT = 0.8


def stated_norms(text: str, binds: str = "", demands: str = "", in_present: bool = False) -> list[Norm]:
    """Return the norms that a unit states, in reading order; offsets are into its text.

    Args:
        text: of the unit.
        binds, demands: as in the table ``units``.
        in_present: whether the unit's document states its duties in the present tense, see
            ``embed.addressee.states_duties_in_present``. There a sentence without a modal verb is a duty if its unit
            demands something; it binds whom the unit binds, if it names nobody itself.
    """
    norms = extract(text)
    explicit = [norm for norm in norms if norm.strength >= _EXPLICIT]
    if not in_present or demands != "duty" or len(explicit) == len(norms):
        return explicit
    with_modal = [
        (start, end) for start, end in sentences(fold(text)) if any(start <= norm.start < end for norm in explicit)
    ]
    found = []
    for norm in norms:
        if norm.strength >= _EXPLICIT:
            found.append(norm)
        elif not any(start <= norm.start < end for start, end in with_modal) and (duty := _as_duty(norm, binds)):
            found.append(duty)
    return found


def is_statement(norm: Norm) -> bool:
    """Tell whether only the present tense states a norm."""
    return norm.strength < _EXPLICIT


def _as_duty(norm: Norm, binds: str) -> Norm | None:
    """Return what a statement demands; None if it only says what may or will be."""
    named = norm.cue[0] < norm.cue[1]
    if named and norm.modality == "must_not" and not norm.embedded:
        # "The bank does not disclose": its subject is read already.
        return replace(norm, addressee=norm.addressee or binds)
    if named and norm.modality != "must_not":
        return None
    # Without a word of duty, where the verb stands is not known: all of the clause is what is to be done. A "does not"
    # in a subordinate clause forbids nothing.
    modality = "must" if named else norm.modality
    agent = norm.agent if norm.addressee and not named else ()
    addressee = norm.addressee if agent else binds
    cue = (norm.start, norm.start)
    return replace(norm, modality=modality, agent=agent, addressee=addressee, action=None, cue=cue)


def printed_term(norm: Norm, text: str) -> str:
    """Return a defined term as the text writes it; its stems where its words do not stand together."""
    stems = norm.term.split()
    for number, first in enumerate(norm.words):
        found: list[str] = []
        for word in norm.words[number:]:
            found += word.stem.replace("-", " ").split()
            if found == stems:
                return " ".join(text[first.start : word.end].split()).strip("'’‘")
            if found != stems[: len(found)]:
                break
    return norm.term
