"""Reads the norms in a provision's text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pysbd

from antinomy.norms.definitions import closes_term, defined_term
from antinomy.norms.modality import (
    INVERTED,
    Cue,
    find_cues,
    is_exclusive,
    is_reserved,
    promptness,
    under_negative_subject,
)
from antinomy.norms.model import Norm, Segment, Word
from antinomy.norms.roles import assign_roles
from antinomy.norms.words import fold, lexicon, read_words

#: So many characters of a text are read; real provisions have up to 4,000.
MAX_CHARS = 12_000
#: So many clauses of a provision are kept.
MAX_NORMS = 60

_BLOCK = re.compile(r"\n+|(?:^|\s)[•▪●◦\uf0b7]\s*|;\s+(?:and\s+)?(?=\([a-z0-9]{1,4}\)\s)")
_TRIGGER = re.compile(
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
_SENTENCE_END = re.compile(r"[.!?]['\")\]]*\s+")
#: A full stop that may not end a sentence: only here the slower splitter is asked.
_AMBIGUOUS = re.compile(
    r"\b(?:[a-z]\.\s?){2,}|\b(?:[a-z]|no|nos|art|arts|sec|sect|para|paras|pt|mr|mrs|ms|dr|vs|etc|inc|ltd"
    r"|co|corp|cf|fig|vol"
    r"|approx|app|supp|ed|eds|pp|al|jr|st|dept|est|reg|regs|rev|ch|\d+)\.\s"
)
_STOP_SEGMENT = re.compile(r"[,;:()]|\.(?=\s|$)")
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


@lru_cache(maxsize=1)
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False, char_span=False)


@lru_cache(maxsize=4096)
def sentences(folded: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences and list items of a folded text."""
    spans: list[tuple[int, int]] = []
    at = 0
    for block in [*_BLOCK.finditer(folded), None]:
        stop = block.start() if block else len(folded)
        piece = folded[at:stop]
        if piece.strip():
            spans.extend(_split(piece, at))
        at = block.end() if block else stop
    return tuple(spans)


def _split(piece: str, offset: int) -> list[tuple[int, int]]:
    if not _AMBIGUOUS.search(piece):
        cuts = [0, *(m.end() for m in _SENTENCE_END.finditer(piece)), len(piece)]
        plain = [_trim(piece, a, b, offset) for a, b in pairwise(cuts)]
        return [(a, b) for a, b in plain if a < b]
    spans: list[tuple[int, int]] = []
    at = 0
    # The splitter needs capitals, which folding removed: it is given each sentence with its first letter as a capital.
    for sentence in _segmenter().segment(_capitalised(piece)):
        found = piece.find(sentence.strip().lower(), at)
        if found < 0:
            continue
        spans.append(_trim(piece, found, found + len(sentence.strip()), offset))
        at = found + len(sentence.strip())
    return spans or [_trim(piece, 0, len(piece), offset)]


def _capitalised(piece: str) -> str:
    return re.sub(r"(^\s*|[.!?]['\")]*\s+)([a-z])", lambda m: m.group(1) + m.group(2).upper(), piece)


def _trim(piece: str, start: int, end: int, offset: int) -> tuple[int, int]:
    while start < end and piece[start].isspace():
        start += 1
    while end > start and piece[end - 1].isspace():
        end -= 1
    return offset + start, offset + end


@lru_cache(maxsize=4096)
def extract(text: str) -> tuple[Norm, ...]:
    """Return the norms of a provision in reading order.

    Offsets are into ``text``. At most ``MAX_CHARS`` characters and ``MAX_NORMS`` clauses are read, so that a hostile
    text costs no more than a long one. Results are cached per text.
    """
    folded = fold(text[:MAX_CHARS])
    norms: list[Norm] = []
    lead: Norm | None = None
    for start, end in sentences(folded):
        found = _carry_addressee(_sentence_norms(folded, start, end), folded, norms[-1] if norms else None)
        if not (text[start].islower() or _ITEM.match(folded, start)):
            lead = None
        found = [_under_lead(n, lead) for n in found]
        norms.extend(found)
        if len(norms) >= MAX_NORMS:
            break
        if folded[end - 1] == ":" and found[-1].modality != "defines":
            lead = found[-1]
    return tuple(norms[:MAX_NORMS])


#: The mark of a list item.
_ITEM = re.compile(r"(?:\(?[a-z0-9]{1,4}[.)]|[-*•▪●◦\uf0b7])\s")


def _under_lead(norm: Norm, lead: Norm | None) -> Norm:
    """Give a list item without a force of its own the force and addressee of the words that introduce the list."""
    # Words set a force of the item's own; beginning with a verb does not.
    own = norm.strength > 0.5 and norm.cue[0] < norm.cue[1]
    if lead is None or own or norm.modality == "defines":
        return norm
    return replace(
        norm, modality=lead.modality, strength=lead.strength, addressee=norm.addressee or lead.addressee,
        charter=norm.charter or lead.charter,
    )  # fmt: skip


_CARRIED = re.compile(
    r"(?:and|but|or|nor|it|they|he|she|who|which|this|the person|that person)\b|(?:shall|must|should|may|is|are)\b"
)


def _carry_addressee(norms: list[Norm], folded: str, last: Norm | None) -> list[Norm]:
    """Give a clause without a subject, or with a pronoun for one, the addressee of the clause before it."""
    for i, norm in enumerate(norms):
        if not norm.addressee and last and last.addressee and _CARRIED.match(folded, norm.start):
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
                exclusive=closes_term(folded, start, end),
                words=words,
                measures=assign_roles(folded, start, end, words, (), "defines"),
                term=term,
                cue=(start, start),
            )
        ]
    cues = _with_implied(find_cues(folded, start, end), folded, start, end)
    spoken = [start, *(cue.end for cue in cues[:-1])]
    clauses = _clauses(folded, start, end, cues)
    return [_norm(folded, a, b, cue, after) for (a, b), cue, after in zip(clauses, cues, spoken, strict=True)]


#: A verb that opens a sentence, an item or the words after an introductory phrase, with its object: "Keep the log".
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
    """Return the duty that a sentence in the imperative states, None if it is in none."""
    m = _IMPERATIVE.match(folded, start, end)
    if not m or m["verb"].split()[-1] in lexicon().stop:
        return None
    at = m.start("verb")
    return Cue(at, at, "must_not" if m["never"] else "must", 0.7)


def _with_implied(cues: list[Cue], folded: str, start: int, end: int) -> list[Cue]:
    """Add the duties that the present tense implies in clauses of their own ("the log is kept; it may not …")."""
    all_cues = list(cues)
    at = start
    for boundary in [*_MAIN_BOUNDARY.finditer(folded, start, end), None]:
        stop = boundary.start() if boundary else end
        implied = _IMPLIED.search(folded, at, stop)
        if implied and not any(at <= c.start < stop for c in cues):
            told = Cue(implied.start(), implied.start(), "must", 0.5)
            all_cues.append(under_negative_subject(told, cues, folded, start))
        at = boundary.end() if boundary else stop
    imperative = _imperative(folded, start, end)
    if imperative and not any(c.start <= imperative.start for c in all_cues):
        all_cues.append(imperative)
    if not all_cues:
        # A heading or a fragment: it demands nothing.
        all_cues = [Cue(start, start, "must", 0.3)]
    return sorted(all_cues, key=lambda c: c.start)


def _clauses(folded: str, start: int, end: int, cues: Sequence[Cue]) -> list[tuple[int, int]]:
    """Cut a sentence between its cues, each time at the strongest boundary."""
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


def _norm(folded: str, start: int, end: int, cue: Cue, spoken: int) -> Norm:
    """Read one clause; ``spoken`` is where the cue before it ends, after which its conjunction stands."""
    while start < cue.start and not folded[start].isalnum() and folded[start] not in "'\"($€£":
        start += 1
    words = tuple(read_words(folded, start, end))
    segments = tuple(_segments(folded, start, end, cue, words))
    passive = bool(_PASSIVE.match(folded, cue.end)) or not cue.forward
    outside = [w for w in words if not any(s.start <= w.start < s.end for s in segments)]
    subject = [w for w in outside if w.end <= cue.start]
    after = [w for w in outside if w.start >= cue.end]
    action = _action(subject, after, cue, passive)
    agents = [m.end() for m in _BY_AGENT.finditer(folded, start, end)]
    agent = [w for at in agents for w in words if at <= w.start < _phrase_end(folded, at, end)]
    by = next((w for w in agent if w.actor), None)
    doers = [w for w in subject if w.actor]
    if passive:
        # "The decision is reserved to the board": whoever follows the cue acts.
        if not cue.forward and not agent:
            agent = [w for w in after if w.start < _phrase_end(folded, cue.end, end)]
        doer = by or next((w for w in agent if w.actor), None)
        doer_words = agent
        object_words = (
            [w for w in subject if w is not action] if cue.forward else [w for w in outside if w is not action]
        )
    else:
        doer = doers[0] if doers else by
        doer_words = subject or agent
        object_words = [w for w in after if w is not action]
    charters = lexicon().charters
    clause = folded[start:end]
    measures = assign_roles(folded, start, end, words, segments, cue.modality, cue.start)
    stated = tuple(w for w in words if not any(m.start <= w.start < m.end for m in measures))
    return Norm(
        start=start,
        end=end,
        modality=cue.modality,
        strength=cue.strength,
        addressee=doer.actor if doer else "",
        charter=next((charters[w.stem] for w in subject if w.stem in charters), ""),
        exclusive=is_exclusive(clause),
        embedded=_is_embedded(folded, spoken, cue),
        doer=tuple(doer_words[:6]),
        reserved=bool(doer_words) and is_reserved(folded, doer_words[0].start, doer_words[:6][-1].end),
        action=action,
        object=tuple(object_words),
        act=_act(action, object_words),
        poles=_poles(stated, segments, cue),
        words=stated,
        segments=segments,
        measures=measures,
        promptness=promptness(clause),
        cue=(cue.start, cue.end),
    )


def _is_embedded(folded: str, spoken: int, cue: Cue) -> bool:
    """Whether a cue stands in a condition or a relative clause; ``spoken`` is where the cue before it ends."""
    before = max(spoken, cue.start - 200)
    opened = bool(_EMBEDDED.search(folded[before : cue.start]))
    return opened or bool(_EMBEDDED_INFINITIVE.fullmatch(folded[before : cue.start + 2]))


def _phrase_end(folded: str, at: int, end: int) -> int:
    """Return where the noun phrase that begins at ``at`` ends at the latest."""
    stop = _PHRASE_STOP.search(folded, at, min(end, at + 80))
    return stop.start() if stop else min(end, at + 80)


def _action(subject: list[Word], after: list[Word], cue: Cue, passive: bool) -> Word | None:
    """Return the verb: the first content word after the cue, or in "delegation is excluded" the noun before it."""
    if not cue.forward:
        return next((w for w in subject if not w.actor), None)
    for w in after:
        if w.stem.endswith("ly") or (w.actor and not w.concepts - {"actor:" + w.actor}):
            continue
        return w
    return None


def _act(action: Word | None, complements: Sequence[Word]) -> tuple[Word, ...]:
    if action is not None and action.stem not in lexicon().light_verbs:
        return (action,)
    heavy = [w for w in complements if w.weight >= 0.4 and not w.actor]
    return tuple(heavy[:2]) or ((action,) if action else ())


def _poles(words: Sequence[Word], segments: Sequence[Segment], cue: Cue) -> frozenset[tuple[int, int]]:
    table = lexicon().poles
    found: set[tuple[int, int]] = set()
    conditions = [s for s in segments if s.kind in ("trigger", "exception")]
    for w in words:
        # Nor does what states the force demand: "flights are not allowed" allows nothing.
        stated = cue.start <= w.start < cue.end
        if not stated and not any(s.start <= w.start < s.end for s in conditions):
            found |= table.get(w.stem, frozenset())
    return frozenset(found)


def _segments(folded: str, start: int, end: int, cue: Cue, words: Sequence[Word]) -> list[Segment]:
    found: list[Segment] = []
    at = start
    while m := _TRIGGER.search(folded, at, end):
        limit = end
        stop = _STOP_SEGMENT.search(folded, m.end() + 1, end)
        if stop:
            limit = stop.start()
        if m.start() < cue.start < limit:
            # A condition inside the subject ends at the cue at the latest.
            limit = cue.start
        following = _TRIGGER.search(folded, m.end(), limit)
        if following:
            limit = following.start()
        kind = str(m.lastgroup)
        found.append(Segment(kind, m.start(), limit, tuple(w for w in words if m.end() <= w.start < limit)))
        at = max(limit, m.end())
    return found
