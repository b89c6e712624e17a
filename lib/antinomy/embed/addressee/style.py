"""How a document states its duties, besides by "shall" and the like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from antinomy.embed.addressee import patterns
from antinomy.embed.addressee.subjects import load_words, party_before_verb, party_in_present

#: Which statements in the present tense are duties in a document.
Present = Literal["none", "acting", "all"]


@dataclass(frozen=True, slots=True)
class Style:
    """How a document states its duties, besides "shall" and the like: in the present tense, or by "will"."""

    present: Present = "none"
    will: bool = False


PLAIN = Style()
#: More statements in the present tense than this make it the tense in which a document states its duties, if there are
#: so many for each sentence with a modal verb; in a catalogue, all of whose controls are stated alike, so many.
_FEWEST_IN_PRESENT, _LEAST_IN_PRESENT, MOST_CONTROLS = 4, 0.5, 3.0
#: Share of a document's statements that say what somebody does or what is done, from which on all are its rules.
_LEAST_ACTING = 0.35
#: Least number of "will" in a document that states its duties so, and for each other word that demands.
_FEWEST_PROMISES, _LEAST_PROMISED = 10, 0.5
#: An abbreviation is used so often of those whom a document binds, and "you" too.
_FEWEST_OF_MANY = 3
#: Words that head what stands behind them on their line have no more: "Content of notices. A firm shall …".
_LONGEST_RUN_IN = 12
#: Of the statements of a rule no greater share hedges: of the regulations that we read 12 % at most, of handbooks that
#: describe 19 to 42 %.
_MOST_HEDGED = 0.18
#: Shorter lines are headings and cells of tables, as are those with fewer words in small letters.
_SHORTEST_SENTENCE = 15
_FEWEST_WORDS = 3


def find_firms(texts: Sequence[str]) -> set[str]:
    """Find the names that a document has for those whom it binds: "an ABC must", and persons that it defines."""
    found = Counter(one or many for text in texts for one, many in patterns.ONE_OF_MANY.findall(text))
    defined = {match["term"].lower() for text in texts for match in patterns.DEFINED_PERSON.finditer(text)}
    unknown = {term for term in defined if not party_before_verb(f"a {term}", "firm")}
    found.update(
        match["term"]
        for text in texts
        for match in patterns.A_PERSON_MUST.finditer(text)
        if match["term"].lower() in unknown
    )
    return {name for name, times in found.items() if times >= _FEWEST_OF_MANY and name not in load_words()["named"]}


def speaks_to_firms(texts: Sequence[str]) -> bool:
    """Tell whether "you" in a document are those whom it binds, and "we" the authority that made it."""
    told = sum(len(patterns.YOU_MUST.findall(text)) for text in texts)
    return told >= _FEWEST_OF_MANY and not any(map(patterns.WE_MUST.search, texts))


def states_duties_in_present(texts: Iterable[str]) -> bool:
    """Tell whether a document states duties in the present tense, maybe beside others with "must"."""
    return duties_in_present(texts) != "none"


def duties_in_present(texts: Iterable[str], least: float = _LEAST_IN_PRESENT) -> Present:
    """Tell which statements of a document in the present tense are duties.

    A rule has many sentences without a modal verb, and they do not hedge; a handbook that describes often does. A
    standard that writes SHALL in capitals says by them which of its sentences demand something. Where few of them say
    what somebody does or what is done, the others are notes and final provisions.
    """
    plain = acting = hedged = with_modal = in_capitals = 0
    for line in (line for text in texts for line in text.split("\n")):
        opening, *others = map(str.strip, patterns.SENTENCE.split(line))
        heads = others and len(opening.split()) <= _LONGEST_RUN_IN and not patterns.CUE.search(opening)
        for sentence in others if heads else [opening, *others]:
            if demands := [cue for cue in patterns.CUE.finditer(sentence) if cue["duty"]]:
                with_modal += 1
                # A cell "MUST" of a table is no verb.
                in_capitals += demands[0][0].isupper() and sentence[demands[0].end() :][1:2].islower()
            elif len(sentence) > _SHORTEST_SENTENCE and not patterns.CUE.search(sentence) and is_statement(sentence):
                hedges = patterns.HEDGES.search(sentence)
                hedged += hedges is not None
                plain += hedges is None
                acting += hedges is None and bool(party_in_present(sentence) or says_what_is_done(sentence))
    if in_capitals > max(with_modal / 2, _FEWEST_IN_PRESENT):
        return "none"
    if plain <= max(least * with_modal, _FEWEST_IN_PRESENT) or hedged > _MOST_HEDGED * (plain + hedged):
        return "none"
    return "all" if acting >= _LEAST_ACTING * plain else "acting"


def states_duties_by_will(texts: Iterable[str]) -> bool:
    """Tell whether a document states duties by "will", as the policies of a firm do."""
    cues = [cue for text in texts for cue in patterns.CUE.finditer(text)]
    promised = sum(bool(cue["will"]) for cue in cues)
    return promised >= max(_FEWEST_PROMISES, _LEAST_PROMISED * sum(bool(cue["duty"]) for cue in cues))


def is_statement(sentence: str) -> bool:
    """Tell whether a sentence may be a duty though it has no word of one: it says what is done, not what a thing is."""
    return sum(map(str.islower, sentence.split())) >= _FEWEST_WORDS and not any(
        pattern.match(sentence) for pattern in (patterns.ITEM, patterns.FORMAL, patterns.DESCRIBES, patterns.YOURS)
    )


def says_what_is_done(sentence: str) -> bool:
    """Tell whether a sentence in the present tense that names no party says what is done, or what it takes."""
    return bool(
        patterns.IT_ACTS.match(sentence) or patterns.PASSIVE.search(sentence) or patterns.CONDITION.search(sentence)
    )
