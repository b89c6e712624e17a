"""Addressee of a provision (whom it binds) and how (a duty, a permission), by patterns, without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import compress
from typing import Any

import yaml

from antinomy.embed import addressee_patterns as patterns
from antinomy.embed.units import Provision, nearest_heading

#: ``duty`` covers bans and recommendations ("should"); ``nothing`` is a mere statement.
DEMANDS = ("duty", "permission", "nothing")


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom a provision binds (a ``Party``), and how (one of DEMANDS)."""

    binds: str
    demands: str


NOBODY = Addressee("nobody", "nothing")


@dataclass(frozen=True, slots=True)
class _Demand:
    """What a verb demands of a party; ``kind`` is one of DEMANDS, ``explicit``: the sentence names the party."""

    party: str
    kind: str
    explicit: bool


#: More statements in the present tense than this make it the tense in which a document states its duties, if there are
#: so many for each sentence with a modal verb; in a catalogue, all of whose controls are stated alike, so many.
_FEWEST_IN_PRESENT, _LEAST_IN_PRESENT, _MOST_CONTROLS = 4, 0.5, 3.0
#: An abbreviation is used so often of those whom a document binds, and "you" too.
_FEWEST_OF_MANY = 3
#: Words that head what stands behind them on their line have no more: "Content of notices. A firm shall …".
_LONGEST_RUN_IN = 12
#: Of the statements of a rule no greater share hedges: of the regulations that we read 12 % at most, of handbooks that
#: describe 19 to 42 %.
_MOST_HEDGED = 0.18
#: Shorter lines are headings and cells of tables.
_SHORTEST_SENTENCE = 15
#: Number of characters before a verb that are searched for its subject: a hostile text costs no more than a long one.
_LONGEST_SUBJECT = 1000
#: Types of sections that by their nature bind nobody.
_TYPES_NOBODY = frozenset({"definition", "title", "preamble", "citation", "recital", "footnote", "conclusions"})


@lru_cache(maxsize=1)
def _load_words() -> dict[str, Any]:
    raw = resources.files("antinomy.embed").joinpath("addressee.yaml").read_text("utf-8")
    words: dict[str, Any] = yaml.safe_load(raw)
    return words


@lru_cache(maxsize=1)
def _parties_by_name() -> dict[str, str]:
    return {name: party for party, names in _load_words()["parties"].items() for name in names}


@lru_cache(maxsize=1)
def _subject_pattern() -> re.Pattern[str]:
    """Return the pattern of a party's name at the beginning of a subject; up to four words may precede its head."""
    plain = "|".join(
        rf"{re.escape(name)}(?:s|es)?"
        for phrases in _load_words()["parties"].values()
        for name in sorted(phrases, key=len, reverse=True)
    )
    named = "|".join(_load_words()["named"])
    return re.compile(
        rf"(?i:{patterns.LEADING})(?:(?P<named>{named})\b"
        rf"|(?i:(?P<plain>(?:(?!(?:of|in|by|for|to|with|under|including)\s)[\w-]+\s+){{0,4}}?(?:{plain})\b(?:\s+(?:{plain})\b)*)))"
    )


def find_addressees(provisions: Sequence[Provision], types: Mapping[str, str]) -> list[Addressee]:
    """Tell whom each provision of a document binds.

    What a provision says of the report, list or process that a paragraph before it introduced binds whom that one
    binds, unless it names somebody itself. So does a row of a table that a provision introduces; it needs no verb.
    In a document that states its duties in the present tense ("The bank keeps a register"), as policies and some
    translated acts do, such sentences are duties, also if it has others with "must". A catalogue of controls states
    them so in its numbered paragraphs alone, and explains them in others.

    Args:
        provisions: in reading order.
        types: eid → one of ``parse.model.SECTION_TYPES``.
    """
    found: dict[str, Addressee] = {}
    texts = ["\n".join(part.text for part in provision.parts) for provision in provisions]
    authorities = _find_authorities(texts)
    # An abbreviation says no more of who acts than the word for what it is.
    for party, own in ("The regulator", authorities), ("The firm", _find_firms(texts) - authorities):
        if own:
            name = re.compile(rf"\b(?:{'|'.join(sorted(own))})s?\b(?!-| of\b)")
            texts = [name.sub(party, text) for text in texts]
    if _speaks_to_firms(texts):
        texts = [patterns.WE.sub("The regulator", patterns.YOU.sub("The firm", text)) for text in texts]
    in_present = states_duties_in_present(texts)
    numbered = [types[one.eid] == "paragraph" and not patterns.ROW.match(one.eid) for one in provisions]
    controls = not in_present and states_duties_in_present(compress(texts, numbered), _MOST_CONTROLS)
    lead: Provision | None = None
    for provision, text, has_number in zip(provisions, texts, numbered, strict=True):
        before = NOBODY
        row = patterns.ROW.match(provision.eid)
        if row is None:
            lead = provision
            begins = patterns.CONTINUES.match(text)
            if begins and not _party_before_verb(begins["what"], ""):
                before = found.get(patterns.LAST_NUMBER.sub(begins["number"], provision.eid), NOBODY)
        elif lead is not None and _introduces(lead, row["holder"], provision):
            before = found[lead.eid]
        owner = "" if before is NOBODY else before.binds
        tense = in_present or (controls and has_number)
        bound = find_addressee(text, provision.heading_path, types[provision.eid], owner, tense)
        found[provision.eid] = before if row and bound is NOBODY else bound
    return list(found.values())


def _introduces(lead: Provision, holder: str, row: Provision) -> bool:
    """Tell whether a provision introduces the table of a row: it holds it, or a caption of its own does."""
    at_hand = holder == lead.eid or patterns.CAPTION.match(nearest_heading(row.heading_path))
    return bool(at_hand and patterns.INTRODUCES.search(lead.parts[-1].text))


def _find_authorities(texts: Sequence[str]) -> set[str]:
    """Find the names that a document has for its authority.

    They are abbreviations, by their long form or by "ABCD-regulated", and offices that it defines as a government's.
    """
    found: set[str] = set()
    offices: set[str] = set()
    for text in texts:
        found.update(match[1] for match in patterns.REGULATED.finditer(text))
        for match in patterns.ABBREVIATED.finditer(text):
            words = [word for word in match["name"].split() if word[0].isupper()][-len(match["short"]) :]
            if "".join(word[0] for word in words) == match["short"] and patterns.AUTHORITY.search(" ".join(words)):
                found.add(match["short"])
        offices.update(match["office"] for match in patterns.OFFICE.finditer(text))
    for office in offices:
        # Some statutes write it in small letters, but for its definition.
        capital = any(re.search(rf"[Tt]he {office}\b", text) for text in texts)
        found.add(f"[Tt]he {office if capital else office.lower()}")
    return found


def _find_firms(texts: Iterable[str]) -> set[str]:
    """Find the abbreviations that a document has for those whom it binds: "an ABC must"."""
    found = Counter(one or many for text in texts for one, many in patterns.ONE_OF_MANY.findall(text))
    return {name for name, times in found.items() if times >= _FEWEST_OF_MANY and name not in _load_words()["named"]}


def _speaks_to_firms(texts: Sequence[str]) -> bool:
    """Tell whether "you" in a document are those whom it binds, and "we" the authority that made it."""
    told = sum(len(patterns.YOU_MUST.findall(text)) for text in texts)
    return told >= _FEWEST_OF_MANY and not any(map(patterns.WE_MUST.search, texts))


def states_duties_in_present(texts: Iterable[str], least: float = _LEAST_IN_PRESENT) -> bool:
    """Tell whether a document states duties in the present tense, maybe beside others with "must".

    A rule has many sentences without a modal verb, and they do not hedge; a handbook that describes often does. A
    standard that writes SHALL in capitals says by them which of its sentences demand something.
    """
    plain = hedged = with_modal = in_capitals = 0
    for line in (line for text in texts for line in text.split("\n")):
        opening, *others = map(str.strip, patterns.SENTENCE.split(line))
        heads = others and len(opening.split()) <= _LONGEST_RUN_IN and not patterns.CUE.search(opening)
        for sentence in others if heads else [opening, *others]:
            if demands := [cue for cue in patterns.CUE.finditer(sentence) if cue["duty"]]:
                with_modal += 1
                # A cell "MUST" of a table is no verb.
                in_capitals += demands[0][0].isupper() and sentence[demands[0].end() :][1:2].islower()
            elif len(sentence) > _SHORTEST_SENTENCE and not patterns.CUE.search(sentence) and _is_statement(sentence):
                hedges = patterns.HEDGES.search(sentence)
                hedged += hedges is not None
                plain += hedges is None
    if in_capitals > max(with_modal / 2, _FEWEST_IN_PRESENT):
        return False
    return plain > max(least * with_modal, _FEWEST_IN_PRESENT) and hedged <= _MOST_HEDGED * (plain + hedged)


def _is_statement(sentence: str) -> bool:
    """Tell whether a sentence may be a duty though it has no word of one: it says what is done, not what a thing is."""
    return not any(
        pattern.match(sentence) for pattern in (patterns.ITEM, patterns.FORMAL, patterns.DESCRIBES, patterns.YOURS)
    )


def find_addressee(
    text: str, heading_path: str = "", section_type: str = "", owner: str = "", in_present: bool = False
) -> Addressee:
    """Tell whom a provision binds.

    A duty binds the subject of its verb; in the passive its agent; where neither is named, the owner. Of several
    parties the one with most demands counts, of equals the first.

    Args:
        text: the provision with its list items, one a line.
        heading_path: headings from the outermost down, joined by `` › ``.
        section_type: one of ``parse.model.SECTION_TYPES``, "" if unknown.
        owner: whom a duty without a subject binds; "" for whoever's chapter it is, and else the firm, to which such
            acts are addressed.
        in_present: whether a statement in the present tense is a duty, see ``states_duties_in_present``.
    """
    headings = [part.strip() for part in heading_path.lower().split("›") if part.strip()]
    if section_type in _TYPES_NOBODY or _is_under(headings, "headings_nobody") or patterns.AMENDS.search(text[:400]):
        return NOBODY
    if section_type == "objective" or _is_under(headings, "headings_examiner"):
        return Addressee("examiner", "duty")
    owner = owner or _party_of_headings(headings)
    demands = list(_find_demand(text, owner, in_present))
    if headings and _matches(headings[-1], "headings_background"):
        demands = [demand for demand in demands if demand.explicit and demand.kind == "duty"]
    if not demands:
        return NOBODY
    strong = [demand for demand in demands if demand.kind != "nothing"] or demands
    votes = Counter(demand.party for demand in strong)
    party = max(votes, key=lambda name: votes[name])
    kinds = {demand.kind for demand in strong if demand.party == party}
    return Addressee(party, next(kind for kind in DEMANDS if kind in kinds))


def _matches(heading: str, group: str) -> bool:
    return any(_heading_pattern(pattern).fullmatch(heading) for pattern in _load_words()[group])


def _is_under(headings: list[str], group: str) -> bool:
    return any(_matches(heading, group) for heading in headings)


@lru_cache(maxsize=256)
def _heading_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:[\divxlc]+[.)]\s+|§+ ?[\d.]+\s+|(?:appendix|annex|subpart|part|chapter) \w+\s*[:—–-]\s*)?(?:{pattern})"
    )


def _party_of_headings(headings: list[str]) -> str:
    """Return the party that the innermost telling heading concerns; the firm if there is none."""
    for heading in reversed(headings):
        for party, names in _load_words()["headings_of"].items():
            if any(_heading_pattern(name).fullmatch(heading) for name in names):
                return str(party)
    return "firm"


def _find_demand(text: str, owner: str, in_present: bool) -> Iterator[_Demand]:
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
        found = list(_demand_of_sentence(stripped, carried, in_present))
        if found:
            before = found[-1].party
        yield from found
        led = bool(found) and stripped.endswith(":")


def _demand_of_sentence(sentence: str, owner: str, in_present: bool) -> Iterator[_Demand]:
    last = 0
    party = ""
    found = False
    for cue in patterns.CUE.finditer(sentence):
        before = sentence[max(last, cue.start() - _LONGEST_SUBJECT) : cue.start()]
        if cue.start() == 0 or patterns.RELATIVE.search(before) or patterns.SUBORDINATE.search(before):
            continue
        if cue[0].lower().endswith(" to") and patterns.PURPOSE.search(before):
            continue
        if deems := patterns.DEEMS.match(sentence, cue.end()):
            # What "must be considered as a case" may be a duty in the present tense, a penalty never is one.
            found = found or bool(deems["penalty"])
            continue
        kind = _demand_of_cue(cue, sentence, before)
        agent = patterns.AGENT.match(sentence, cue.end())
        acts = _party_before_verb(sentence[agent.end() : agent.end() + 80], owner) if agent else ""
        named = _party_before_verb(before, owner)
        if named == "authority" and patterns.DONE_TO_IT.match(sentence, cue.end()):
            named = ""
        party = acts or named or party
        if cue["duty"] and party == "member_state" and (passed := patterns.PASSES_ON.match(sentence, cue.end())):
            party = _party_that_must(sentence[passed.end() : passed.end() + _LONGEST_SUBJECT]) or party
        explicit = bool(party)
        if cue["will"] and party not in ("authority", "examiner"):
            continue
        if cue[0].lower() == "may" and party in ("", "firm"):
            possible = kind == "permission" and patterns.EPISTEMIC.match(sentence, cue.end())
            if possible or patterns.FALLS_SHORT.match(sentence, cue.end()):
                continue
        found = True
        yield _Demand(party or owner, kind, explicit)
        last = cue.end()
    if not found:
        if (
            patterns.COMMENDS.search(sentence)
            or patterns.IMPERATIVE.match(sentence)
            or sentence.lower().startswith(("• whether ", "whether "))
        ):
            yield _Demand("firm", "duty", False)
        elif (time := patterns.INDICATIVE.search(sentence)) and patterns.ITEM.match(sentence) is None:
            # "By May of each year the supervisor publishes": the subject may follow the time.
            acts = _party_in_present(sentence) or _party_in_present(sentence[time.end() :].lstrip(" ,"))
            yield _Demand(acts or owner, "duty", False)
        elif in_present and _is_statement(sentence) and not patterns.HEDGES.search(sentence):
            acts = _party_in_present(sentence)
            yield _Demand(acts or owner, "duty", bool(acts))


def _party_that_must(sentence: str) -> str:
    """Return "firm" if the subject at the beginning of a sentence is one, or somebody to whom a firm owes something."""
    condition = patterns.IT_MUST.match(sentence)
    sentence = condition["who"] if condition else patterns.BETWEEN.sub("", sentence, count=1)
    if (verb := patterns.ENTITLES.search(sentence)) and patterns.ENTITLED.match(sentence[: verb.start()]):
        return "firm"
    subject = _subject_pattern().match(sentence)
    return "firm" if subject and subject["plain"] and _party_at_end(subject["plain"].lower()) == "firm" else ""


def _party_in_present(sentence: str) -> str:
    """Return the party that does something in a sentence of the present tense, "" if none is named."""
    for match in _subject_pattern().finditer(sentence[:_LONGEST_SUBJECT]):
        if match["opens"] is None or match["named"]:
            continue
        several = match["plain"].lower().endswith("s")
        if (patterns.THEY_ACT if several else patterns.ONE_ACTS).match(sentence, match.end()):
            return _party_at_end(match["plain"].lower())
    return ""


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


def _party_before_verb(before: str, owner: str) -> str:
    """Return the party that the words before a verb name as its subject: the last that begins a clause, "" if none."""
    matches = list(_subject_pattern().finditer(before))
    if not matches:
        return ""
    # "officials and other persons shall": what follows a comma begins a clause sooner than what follows "and".
    match = next((m for m in reversed(matches) if m["opens"] is not None), matches[-1])
    if match["named"]:
        return "authority"
    if patterns.PAY.search(before[: match.end()]):
        return ""
    phrase = match["plain"].lower()
    return owner if patterns.ANYBODYS.search(phrase) else _party_at_end(phrase)


def _party_at_end(phrase: str) -> str:
    """Return the class of the longest party's name that a phrase ends with."""
    words = phrase.split()
    for start in range(len(words)):
        name = " ".join(words[start:])
        for form in (name, name.removesuffix("s"), name.removesuffix("es")):
            if form in _parties_by_name():
                return _parties_by_name()[form]
    return ""
