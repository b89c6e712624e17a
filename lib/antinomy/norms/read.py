"""Extracts the norms from a provision's text: sentences, their clauses, and what each clause demands of whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from antinomy.norms.definitions import defined_term, is_closed_definition
from antinomy.norms.modality import (
    INVERTED,
    Cue,
    apply_negative_subject,
    find_cues,
    is_reserved,
    marks_exclusive,
    promptness,
)
from antinomy.norms.model import Condition, Norm, Word
from antinomy.norms.roles import assign_roles
from antinomy.norms.sentences import sentences
from antinomy.norms.words import fold, lexicon, read_words

#: Longest text that is read, in characters; real provisions have up to 4,000.
MAX_CHARS = 12_000
#: Most norms that a provision yields.
MAX_NORMS = 60
#: Most words that name the agent of a clause.
_AGENT_WORDS = 6

_CONDITION = re.compile(
    r"\b(?:(?P<before>before|prior to|ahead of|until|in advance of)"
    r"|(?P<after>(?<!look )(?<!looks )(?<!looked )after|following|upon|once(?! (?:an?|per|each|every|in"
    r"|within|more|again|or|only)\b)|as soon as|since"
    r"|(?<!go )(?<!goes )on receiving|on receipt of|from the (?:moment|day|date) )"
    r"|(?P<exception>unless"
    r"|without(?! (?:undue|unreasonable|unjustified|culpable|any|further|delay|exception|charge)\b)"
    r"|except(?: (?:where|when|if|for|in|that))?|save(?: (?:where|when|if|for|in"
    r"|that))?|other than"
    r"|(?<!kept )(?<!held )(?<!set )apart from|with the exception of|subject to|notwithstanding)"
    r"|(?P<trigger>(?:where|if|when), (?:and|but) only (?:where|if|when)|where(?:ver|as)?|when(?:ever)?|if"
    r"|in (?:the )?(?:case|event)(?: of| that)?|provided(?: that)?|as long as"
    r"|so long as|on condition that|during|while|in so far as|insofar as|to the extent|even if|irrespective"
    rf"|regardless|pending|{INVERTED}))\b"
)
_CONDITION_END = re.compile(r"[,;:()]|\.(?=\s|$)")
_BOUNDARIES = (
    re.compile(r";|:|\s-\s"),
    re.compile(r",\s+(?:and|but|or|nor|while|whereas|yet|so that|except that|though|although)\b"),
    re.compile(r"\s(?:and|but|while|whereas|nor)\s"),
    re.compile(r",\s"),
    re.compile(r"\s(?:which|who|that|where|if|when|unless|or|as)\s"),
)
_MAIN_BOUNDARY = re.compile(r";|,\s+(?:and|but|which|who|while|whereas|whose)\b|:\s")
_PASSIVE = re.compile(
    r"\s*(?:(?:not|also|always|never|then|first|[a-z]+ly)\s+)*(?:be|been|being|get|have been|is|are)\s"
)
_BY_AGENT = re.compile(
    r"\b(?:by|rests? with|falls? to|lies? with|belongs? to|to be (?:made|taken|done) by)\s+(?=[a-z])"
)
_PHRASE_STOP = re.compile(
    r"[,;:.()]|\s(?:in|on|within|at|for|and|or|who|which|that|when|where|if|no|before|after|to|with)\s"
)
_IMPLIED = re.compile(r"\b(?:is|are)\s+(?:[a-z]+ly\s+)?[a-z]+(?:ed|en|t|d|wn|ung|un|ld|pt)\b")
_EMBEDDED = re.compile(
    r"\b(?:where|if|when|whenever|unless|whether|because|since|in (?:the )?(?:case|event)"
    r"|(?<!,\s)(?:that|which|who|whom|whose))\s[^,;:.]*$"
    rf"|\bas\s$|{INVERTED}[^,;:.]*$"
)
#: After "should the provider, its staff or …" an infinitive belongs to the condition.
_EMBEDDED_INFINITIVE = re.compile(rf"{INVERTED}[^;:.]*\bbe\b")


@lru_cache(maxsize=4096)
def extract(text: str) -> tuple[Norm, ...]:
    """Return the norms of a provision in reading order.

    Offsets are into ``text``. At most ``MAX_CHARS`` characters and ``MAX_NORMS`` norms are read, which bounds the cost
    of a hostile text. Results are cached by text.
    """
    folded = fold(text[:MAX_CHARS])
    norms: list[Norm] = []
    lead_in: Norm | None = None
    for start, end in sentences(folded):
        found = _carry_addressee(_sentence_norms(folded, start, end), folded, norms[-1] if norms else None)
        if not (text[start].islower() or _ITEM.match(folded, start)):
            lead_in = None
        found = [_inherit_from_lead_in(n, lead_in) for n in found]
        norms.extend(found)
        if len(norms) >= MAX_NORMS:
            break
        if folded[end - 1] == ":" and found[-1].modality != "defines":
            lead_in = found[-1]
    return tuple(norms[:MAX_NORMS])


#: The mark of a list item.
_ITEM = re.compile(r"(?:\(?[a-z0-9]{1,4}[.)]|[-*•▪●◦\uf0b7])\s")


def _inherit_from_lead_in(norm: Norm, lead_in: Norm | None) -> Norm:
    """Give a list item without a modality of its own the modality and addressee of the list's introduction."""
    # An imperative has no cue words, and takes the modality of the list.
    has_modality = norm.strength > 0.5 and norm.cue[0] < norm.cue[1]
    if lead_in is None or has_modality or norm.modality == "defines":
        return norm
    return replace(
        norm, modality=lead_in.modality, strength=lead_in.strength, addressee=norm.addressee or lead_in.addressee,
        charter=norm.charter or lead_in.charter,
    )  # fmt: skip


_SUBJECT_CARRIED_OVER = re.compile(
    r"(?:and|but|or|nor|it|they|he|she|who|which|this|the person|that person)\b|(?:shall|must|should|may|is|are)\b"
)


def _carry_addressee(norms: list[Norm], folded: str, last: Norm | None) -> list[Norm]:
    """Give a clause without a subject, or with a pronoun as subject, the addressee of the clause before it."""
    for i, norm in enumerate(norms):
        if not norm.addressee and last and last.addressee and _SUBJECT_CARRIED_OVER.match(folded, norm.start):
            norms[i] = replace(norm, addressee=last.addressee, charter=norm.charter or last.charter)
        last = norms[i]
    return norms


def _sentence_norms(folded: str, start: int, end: int) -> list[Norm]:
    term = defined_term(folded, start, end)
    if term:
        words = tuple(read_words(folded, start, end))
        return [
            Norm(
                start,
                end,
                "defines",
                1.0,
                exclusive=is_closed_definition(folded, start, end),
                words=words,
                measures=assign_roles(folded, start, end, words, (), "defines"),
                term=term,
                cue=(start, start),
            )
        ]
    cues = _add_implied_cues(find_cues(folded, start, end), folded, start, end)
    previous_cue_end = [start, *(cue.end for cue in cues[:-1])]
    clauses = _clauses(folded, start, end, cues)
    return [
        _read_clause(folded, a, b, cue, after)
        for (a, b), cue, after in zip(clauses, cues, previous_cue_end, strict=True)
    ]


#: A verb with its object that opens a sentence, a list item or the words after an introductory phrase: "Keep the log".
_IMPERATIVE = re.compile(
    r"(?:\(?[a-z0-9]{1,4}[.)]\s+|[-*•▪●◦\uf0b7]\s*)*"
    r"(?:(?:for|where|when|whenever|if|before|after|once|upon|until|in|at|on|as|to|during)\s[^,;:.]{2,120},\s+)?"
    r"(?:please\s+|always\s+|then\s+|also\s+|first\s+)?"
    r"(?P<verb>(?P<never>never\s+)?(?!(?:its?|thus|has|his|us|always|as|once|twice|half|wh[a-z]+|all|absent"
    r"|(?:in|out)side|throughout|be[a-z]+|alongside|thereafter|meanwhile|every|each|such|despite|like|although"
    r"|under|over|with[a-z]*)\b)[a-z]+(?<!ing)(?<!ed)(?<!ly)(?<!ion)"
    r"(?<!ment)(?<!ity)(?<![^s]s))"
    r"\s+(?:an?|the|your|its|their|each|every|any|all|no|both|it|them|(?<=ensure )that|(?<=sure )that"
    r"|(?<=determine )whether|(?<=verify )that|(?<=check )that)\b"
)


def _imperative(folded: str, start: int, end: int) -> Cue | None:
    """Return the cue of a sentence in the imperative, None for any other sentence."""
    m = _IMPERATIVE.match(folded, start, end)
    if not m or m["verb"].split()[-1] in lexicon().stop:
        return None
    at = m.start("verb")
    return Cue(at, at, "must_not" if m["never"] else "must", 0.7)


def _add_implied_cues(cues: list[Cue], folded: str, start: int, end: int) -> list[Cue]:
    """Add cues for duties that only the present tense or the imperative implies ("the log is kept; it may not …").

    A sentence without any cue, such as a heading, gets a single weak one, so that every sentence yields a norm.
    """
    all_cues = list(cues)
    at = start
    for boundary in [*_MAIN_BOUNDARY.finditer(folded, start, end), None]:
        stop = boundary.start() if boundary else end
        implied = _IMPLIED.search(folded, at, stop)
        if implied and not any(at <= c.start < stop for c in cues):
            implied_duty = Cue(implied.start(), implied.start(), "must", 0.5)
            all_cues.append(apply_negative_subject(implied_duty, cues, folded, start))
        at = boundary.end() if boundary else stop
    imperative = _imperative(folded, start, end)
    if imperative and not any(c.start <= imperative.start for c in all_cues):
        all_cues.append(imperative)
    if not all_cues:
        all_cues = [Cue(start, start, "must", 0.3)]
    return sorted(all_cues, key=lambda c: c.start)


def _clauses(folded: str, start: int, end: int, cues: Sequence[Cue]) -> list[tuple[int, int]]:
    """Cut a sentence between each two cues, at the strongest boundary there; return the offsets of the clauses."""
    cuts = [start]
    for first, second in pairwise(cues):
        cut = second.start
        for boundary in _BOUNDARIES:
            places = [m.start() for m in boundary.finditer(folded, first.end, second.start)]
            if places:
                cut = places[-1]
                break
        cuts.append(max(cut, first.end))
    cuts.append(end)
    return list(pairwise(cuts))


def _read_clause(folded: str, start: int, end: int, cue: Cue, previous_cue_end: int) -> Norm:
    """Return the norm of the clause ``folded[start:end]``.

    Args:
        folded: the whole text.
        start, end: offsets of the clause.
        cue: its deontic cue.
        previous_cue_end: where the cue before it ends; the conjunction that embeds this clause stands after that.
    """
    while start < cue.start and not folded[start].isalnum() and folded[start] not in "'\"($€£":
        start += 1
    words = tuple(read_words(folded, start, end))
    conditions = tuple(_conditions(folded, start, end, cue, words))
    main_words = [w for w in words if not any(c.start <= w.start < c.end for c in conditions)]
    subject = [w for w in main_words if w.end <= cue.start]
    complement = [w for w in main_words if w.start >= cue.end]
    action = _action(subject, complement, cue)
    by_phrase = _by_phrase(folded, start, end, words)
    subject_actor = next((w for w in subject if w.actor), None)
    if _PASSIVE.match(folded, cue.end) or not cue.precedes_action:
        # "The decision is reserved to the board": without "by …", whoever follows the cue acts.
        agent_words = by_phrase
        if not cue.precedes_action and not by_phrase:
            agent_words = [w for w in complement if w.start < _phrase_end(folded, cue.end, end)]
        bound = next((w for w in agent_words if w.actor), None)
        objects = subject if cue.precedes_action else main_words
    else:
        agent_words = subject or by_phrase
        bound = subject_actor or next((w for w in by_phrase if w.actor), None)
        objects = complement
    agent = tuple(agent_words[:_AGENT_WORDS])
    charters = lexicon().charters
    clause = folded[start:end]
    measures = assign_roles(folded, start, end, words, conditions, cue.modality, cue.start)
    content = tuple(w for w in words if not any(m.start <= w.start < m.end for m in measures))
    return Norm(
        start=start,
        end=end,
        modality=cue.modality,
        strength=cue.strength,
        addressee=bound.actor if bound else "",
        charter=next((charters[w.stem] for w in subject if w.stem in charters), ""),
        exclusive=marks_exclusive(clause),
        embedded=_is_embedded(folded, previous_cue_end, cue),
        agent=agent,
        reserved=bool(agent) and is_reserved(folded, agent[0].start, agent[-1].end),
        action=action,
        action_words=_action_words(action, [w for w in objects if w is not action]),
        antonym_sides=_antonym_sides(content, conditions, cue),
        words=content,
        conditions=conditions,
        measures=measures,
        promptness=promptness(clause),
        cue=(cue.start, cue.end),
    )


def _by_phrase(folded: str, start: int, end: int, words: Sequence[Word]) -> list[Word]:
    """Return the words that name an agent after "by", "rests with", "falls to"."""
    starts = [m.end() for m in _BY_AGENT.finditer(folded, start, end)]
    return [w for at in starts for w in words if at <= w.start < _phrase_end(folded, at, end)]


def _is_embedded(folded: str, previous_cue_end: int, cue: Cue) -> bool:
    """Tell whether a cue stands in a condition or a relative clause that begins after the cue before it."""
    before = max(previous_cue_end, cue.start - 200)
    opened = bool(_EMBEDDED.search(folded[before : cue.start]))
    return opened or bool(_EMBEDDED_INFINITIVE.fullmatch(folded[before : cue.start + 2]))


def _phrase_end(folded: str, at: int, end: int) -> int:
    """Return the latest offset at which the noun phrase that begins at ``at`` can end."""
    stop = _PHRASE_STOP.search(folded, at, min(end, at + 80))
    return stop.start() if stop else min(end, at + 80)


def _action(subject: list[Word], complement: list[Word], cue: Cue) -> Word | None:
    """Return what is done: the first content word after the cue, or the noun before it in "delegation is excluded"."""
    if not cue.precedes_action:
        return next((w for w in subject if not w.actor), None)
    for w in complement:
        if w.stem.endswith("ly") or (w.actor and not w.concepts - {"actor:" + w.actor}):
            continue
        return w
    return None


def _action_words(action: Word | None, complements: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words that name the action: the verb, or the heaviest complements of a light verb ("make")."""
    if action is not None and action.stem not in lexicon().light_verbs:
        return (action,)
    heavy = [w for w in complements if w.weight >= 0.4 and not w.actor]
    return tuple(heavy[:2]) or ((action,) if action else ())


def _antonym_sides(words: Sequence[Word], conditions: Sequence[Condition], cue: Cue) -> frozenset[tuple[int, int]]:
    """Return the lexicon's antonym sides of the words that are demanded.

    Words of a condition are not demanded, nor are those of the cue: "flights are not allowed" allows nothing.
    """
    table = lexicon().antonym_sides
    left_out = [(c.start, c.end) for c in conditions if c.kind in ("trigger", "exception")] + [(cue.start, cue.end)]
    demanded = (w for w in words if not any(start <= w.start < end for start, end in left_out))
    return frozenset(side for w in demanded for side in table.get(w.stem, ()))


def _conditions(folded: str, start: int, end: int, cue: Cue, words: Sequence[Word]) -> list[Condition]:
    """Return the conditions of a clause; each runs to the next punctuation, the next condition or the cue."""
    found: list[Condition] = []
    at = start
    while m := _CONDITION.search(folded, at, end):
        limit = end
        stop = _CONDITION_END.search(folded, m.end() + 1, end)
        if stop:
            limit = stop.start()
        if m.start() < cue.start < limit:
            limit = cue.start
        following = _CONDITION.search(folded, m.end(), limit)
        if following:
            limit = following.start()
        kind = str(m.lastgroup)
        found.append(Condition(kind, m.start(), limit, tuple(w for w in words if m.end() <= w.start < limit)))
        at = max(limit, m.end())
    return found
