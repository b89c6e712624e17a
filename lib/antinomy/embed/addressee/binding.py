"""Whom each provision of a document binds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

from antinomy.embed.addressee import patterns
from antinomy.embed.addressee.authorities import find_authorities
from antinomy.embed.addressee.demands import DEMANDS, find_demands
from antinomy.embed.addressee.style import (
    MOST_CONTROLS,
    PLAIN,
    Style,
    duties_in_present,
    find_firms,
    speaks_to_firms,
    states_duties_by_will,
)
from antinomy.embed.addressee.subjects import heads_of_firms, load_words, party_before_verb
from antinomy.embed.units import PATH_SEPARATOR, Provision, nearest_heading


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom a provision binds (a ``Party``), and how (one of DEMANDS)."""

    binds: str
    demands: str


NOBODY = Addressee("nobody", "nothing")


#: Types of sections that by their nature bind nobody.
_TYPES_NOBODY = frozenset({"definition", "title", "preamble", "citation", "recital", "footnote", "conclusions"})


def find_addressees(provisions: Sequence[Provision], types: Mapping[str, str]) -> list[Addressee]:
    """Tell whom each provision of a document binds.

    What a provision says of the report, list or process that a paragraph before it introduced binds whom that one
    binds, unless it names somebody itself. So does a row of a table that a provision introduces; it needs no verb.
    In a document that states its duties in the present tense ("The bank keeps a register"), as policies and some
    translated acts do, such sentences are duties, also if it has others with "must". A catalogue of controls states
    them so in its numbered paragraphs alone, and explains them in others.

    Args:
        provisions: in reading order.
        types: eid → one of ``section_ids.ABBREVIATIONS``.
    """
    found: dict[str, Addressee] = {}
    texts = ["\n".join(part.text for part in provision.parts) for provision in provisions]
    authorities = find_authorities(texts, heads_of_firms())
    # An abbreviation says no more of who acts than the word for what it is.
    for party, own in ("The regulator", authorities), ("The firm", find_firms(texts) - authorities):
        if own:
            name = re.compile(rf"\b(?:{'|'.join(sorted(own))})s?\b(?!-| of\b)")
            texts = [name.sub(party, text) for text in texts]
    if speaks_to_firms(texts):
        texts = [patterns.WE.sub("The regulator", patterns.YOU.sub("The firm", text)) for text in texts]
    in_present = duties_in_present(texts)
    by_will = states_duties_by_will(texts)
    numbered = [types[one.eid] == "paragraph" and not patterns.ROW.match(one.eid) for one in provisions]
    controls = duties_in_present(compress(texts, numbered), MOST_CONTROLS) if in_present == "none" else "none"
    lead: Provision | None = None
    for provision, text, has_number in zip(provisions, texts, numbered, strict=True):
        before = NOBODY
        row = patterns.ROW.match(provision.eid)
        if row is None:
            lead = provision
            begins = patterns.CONTINUES.match(text)
            if begins and not party_before_verb(begins["what"], ""):
                before = found.get(patterns.LAST_NUMBER.sub(begins["number"], provision.eid), NOBODY)
        elif lead is not None and _introduces(lead, row["holder"], provision):
            before = found[lead.eid]
        owner = "" if before is NOBODY else before.binds
        tense = controls if in_present == "none" and has_number else in_present
        bound = find_addressee(text, provision.heading_path, types[provision.eid], owner, Style(tense, by_will))
        found[provision.eid] = before if row and bound is NOBODY else bound
    return list(found.values())


def _introduces(lead: Provision, holder: str, row: Provision) -> bool:
    """Tell whether a provision introduces the table of a row: it holds it, or a caption of its own does."""
    at_hand = holder == lead.eid or patterns.CAPTION.match(nearest_heading(row.heading_path))
    return bool(at_hand and patterns.INTRODUCES.search(lead.parts[-1].text))


def find_addressee(
    text: str, heading_path: str = "", section_type: str = "", owner: str = "", style: Style = PLAIN
) -> Addressee:
    """Tell whom a provision binds.

    A duty binds the subject of its verb; in the passive its agent; where neither is named, the owner. Of several
    parties the one with most demands counts, of equals the first.

    Args:
        text: the provision with its list items, one a line.
        heading_path: headings from the outermost down, joined by `` › ``.
        section_type: one of ``section_ids.ABBREVIATIONS``, "" if unknown.
        owner: whom a duty without a subject binds; "" for whoever's chapter it is, and else the firm, to which such
            acts are addressed.
        style: how the document states its duties.
    """
    headings = [part.strip() for part in heading_path.lower().split(PATH_SEPARATOR) if part.strip()]
    if section_type in _TYPES_NOBODY or _is_under(headings, "headings_nobody") or patterns.AMENDS.search(text[:400]):
        return NOBODY
    if section_type == "objective" or _is_under(headings, "headings_examiner"):
        return Addressee("examiner", "duty")
    owner = owner or _party_of_headings(headings)
    demands = list(find_demands(text, owner, style))
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
    return any(_heading_pattern(pattern).fullmatch(heading) for pattern in load_words()[group])


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
        for party, names in load_words()["headings_of"].items():
            # "Records, complaints and penalties" concerns others too.
            matters = [matter for matter in patterns.LIST.split(heading) if not patterns.CLOSING.fullmatch(matter)]
            parts = matters if "," in heading else [heading]
            if parts and all(any(_heading_pattern(name).fullmatch(part) for name in names) for part in parts):
                return str(party)
    return "firm"
