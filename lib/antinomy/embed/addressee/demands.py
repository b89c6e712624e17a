"""What a provision demands of whom, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from antinomy.embed.addressee import patterns
from antinomy.embed.addressee.style import Style, is_statement, says_what_is_done
from antinomy.embed.addressee.subjects import LONGEST_SUBJECT, party_before_verb, party_in_present, party_that_must

#: ``duty`` covers bans and recommendations ("should"); ``nothing`` is a mere statement.
DEMANDS = ("duty", "permission", "nothing")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a verb demands of a party; ``kind`` is one of DEMANDS, ``explicit``: the sentence names the party."""

    party: str
    kind: str
    explicit: bool


def find_demands(text: str, owner: str, style: Style) -> Iterator[Demand]:
    """Yield what the sentences of a provision demand, in their order.

    Args:
        text: the provision with its list items, one a line.
        owner: whom a demand binds that names nobody.
        style: how the document states its duties.
    """
    led = formal = False
    before = owner
    for sentence in patterns.SENTENCE.split(text):
        if patterns.ITEM.match(sentence) and led:
            continue
        led = False
        stripped = sentence.strip()
        formal = bool(patterns.FORMAL.match(stripped) or (formal and patterns.PRONOUN.match(stripped)))
        if not stripped or formal:
            continue
        carried = before if patterns.PRONOUN.match(stripped) else owner
        found = list(_demand_of_sentence(stripped, carried, style))
        if found:
            before = found[-1].party
        yield from found
        led = bool(found) and stripped.endswith(":")


def _demand_of_sentence(sentence: str, owner: str, style: Style) -> Iterator[Demand]:
    last = 0
    party = ""
    found = False
    for cue in patterns.CUE.finditer(sentence):
        before = sentence[max(last, cue.start() - LONGEST_SUBJECT) : cue.start()]
        if cue.start() == 0 or patterns.RELATIVE.search(before) or patterns.SUBORDINATE.search(before):
            continue
        if cue[0].lower().endswith(" to") and patterns.PURPOSE.search(before):
            continue
        if deems := patterns.DEEMS.match(sentence, cue.end()):
            # What "must be considered as a case" may be a duty in the present tense, a penalty never is one.
            found = found or bool(deems["penalty"])
            continue
        kind = "duty" if cue["will"] and style.will else _demand_of_cue(cue, sentence, before)
        agent = patterns.AGENT.match(sentence, cue.end())
        acts = party_before_verb(sentence[agent.end() : agent.end() + 80], owner) if agent else ""
        named = party_before_verb(before, owner)
        if named == "authority" and patterns.DONE_TO_IT.match(sentence, cue.end()):
            named = ""
        party = acts or named or party
        if cue["duty"] and party == "member_state" and (passed := patterns.PASSES_ON.match(sentence, cue.end())):
            party = party_that_must(sentence[passed.end() : passed.end() + LONGEST_SUBJECT]) or party
        explicit = bool(party)
        if cue["will"] and not style.will and party not in ("authority", "examiner"):
            continue
        if cue[0].lower() == "may" and party in ("", "firm"):
            possible = kind == "permission" and patterns.EPISTEMIC.match(sentence, cue.end())
            if possible or patterns.FALLS_SHORT.match(sentence, cue.end()):
                continue
        found = True
        yield Demand(party or owner, kind, explicit)
        last = cue.end()
    if not found:
        obliges = None if patterns.HEDGES.search(sentence) else patterns.OBLIGES.search(sentence)
        named = party_before_verb(obliges["who"], owner) if obliges else ""
        if obliges and (named or obliges["anybody"]):
            yield Demand(named or owner, "duty", True)
        elif (
            patterns.COMMENDS.search(sentence)
            or patterns.IMPERATIVE.match(sentence)
            or sentence.lower().startswith(("• whether ", "whether "))
        ):
            yield Demand("firm", "duty", False)
        elif (time := patterns.INDICATIVE.search(sentence)) and patterns.ITEM.match(sentence) is None:
            # "By May of each year the supervisor publishes": the subject may follow the time.
            acts = party_in_present(sentence) or party_in_present(sentence[time.end() :].lstrip(" ,"))
            yield Demand(acts or owner, "duty", False)
        elif style.present != "none" and is_statement(sentence) and not patterns.HEDGES.search(sentence):
            acts = party_in_present(sentence)
            if style.present == "all" or acts or says_what_is_done(sentence):
                yield Demand(acts or owner, "duty", bool(acts))


def _demand_of_cue(cue: re.Match[str], sentence: str, before: str) -> str:
    if cue["will"]:
        return "nothing"
    if cue["duty"]:
        return "duty"
    after = sentence[cue.end() :]
    if patterns.RESTRICTS.match(after) or patterns.RESTRICTED.match(after) or patterns.NO_SUBJECT.match(before.strip()):
        return "duty"
    claims = re.search("right|required|obliged", cue[0], re.IGNORECASE) or patterns.CLAIMS.match(after)
    return "duty" if claims and patterns.ENTITLED.search(before) else "permission"
