"""The tables ``coverage`` and ``counterparts``."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from antinomy.coverage import states
from antinomy.coverage.demands import Demands
from antinomy.coverage.pairs import Match, matches
from antinomy.coverage.provisions import Provision, gather, meetings
from antinomy.coverage.relationship import relationship
from antinomy.findings.document_names import names
from antinomy.findings.values import values
from antinomy.settings.link import LinkSettings
from antinomy.settings.parties import FIRM_PARTIES
from antinomy.store.rows import CounterpartRow, CoverageRow
from antinomy.vocabulary import CoverageState, Relation

#: So many counterparts of a provision are listed.
MOST = 5
#: Below this probability of the same duty a pair is rather not on one.
_SAME = 0.5
_DIGITS = 4


def build(
    verdicts: pa.Table,
    units: pa.Table,
    sections: pa.Table,
    similar: pa.Table,
    documents: pa.Table,
    embeddings: pa.Table,
    settings: LinkSettings,
    order: Sequence[str] = (),
    rejected: Collection[frozenset[str]] = (),
) -> tuple[list[CoverageRow], list[CounterpartRow]]:
    """Make both tables.

    Args:
        verdicts, units, sections, similar, documents, embeddings: tables of the run.
        settings: of the link stage: which sides met, and how.
        order: doc_ids in the order of the settings.
        rejected: section_ids of the pairs on which a reviewer rejected a finding.

    Returns:
        Rows of ``coverage``, without a decision, sides and documents in the order of the settings and provisions in
        that of the text; and rows of ``counterparts`` in the same order, what a state rests on first, then the best.
    """
    sides, others = meetings(settings, documents.to_pylist(), order)
    provisions = gather(units, sections, documents, sides, others)
    called = names(documents.select(["doc_id", "title"]).to_pylist())
    compared = matches(verdicts, similar, provisions, called, rejected)
    demands = Demands(units, embeddings)
    place = {doc: n for n, doc in enumerate(sides)}
    available = Counter(provision.side for provision in provisions.values() if not provision.left_out)
    coverage: list[CoverageRow] = []
    counterparts: list[CounterpartRow] = []
    for provision in sorted(provisions.values(), key=lambda p: place[p.doc_id]):
        for other in others[provision.side]:
            found = [
                match
                for match in compared.get((provision.section_id, other), [])
                if provision.left_out or _answers(match, provisions[match.counterpart])
            ]
            related = [match for match in found if match.related]
            answers = [] if provision.left_out else demands.answered(provision.section_id, related)
            said = states.decide(provision, found, answers, available[other], provisions)
            listed = sorted(found, key=lambda match: match is not said.rests_on)[:MOST]
            for number, match in enumerate(listed, start=1):
                aligned = (
                    demands.aligned(provision.section_id, match.counterpart)
                    if match.relation == Relation.OVERLAP
                    else ()
                )
                there = provisions[match.counterpart]
                counterparts.append(_counterpart(provision, other, number, match, there, aligned))
            # What is related and still leaves a gap is no counterpart.
            counted = 0 if said.state == CoverageState.GAP else sum(match.related for match in listed)
            coverage.append(_coverage(provision, other, said, counted))
    return coverage, counterparts


def _answers(match: Match, there: Provision) -> bool:
    """Tell whether a provision may answer a duty: it demands or allows something, or the two clash."""
    allows = there.binds in FIRM_PARTIES and there.demands == "permission"
    return not there.left_out or allows or match.relation == Relation.CONFLICT


def coverage_id(section_id: str, other: str) -> str:
    """Return the id of a provision towards an other side: 16 hex digits."""
    return hashlib.sha256(f"{section_id}\n{other}".encode()).hexdigest()[:16]


def _coverage(provision: Provision, other: str, said: states.State, related: int) -> CoverageRow:
    return {
        "coverage_id": coverage_id(provision.section_id, other),
        "section_id": provision.section_id, "doc_id": provision.doc_id, "side": provision.side, "other": other,
        "label": provision.label, "chapter": provision.chapter, "path": provision.path, "text": provision.text,
        "text_sha256": provision.text_sha256, "page": provision.page, "binds": provision.binds,
        "demands": provision.demands, "state": said.state, "reason": said.reason, "p_state": _rounded(said.p_state),
        "p_covered": _rounded(said.p_covered), "counterparts": related,
        "decision": None, "decided_by": None, "decided_at": None, "decided_note": None,
    }  # fmt: skip


def _counterpart(
    provision: Provision, other: str, number: int, match: Match, there: Provision, aligned: Sequence[tuple[str, str]]
) -> CounterpartRow:
    judged: Mapping[str, Any] = match.judged or {}
    mine, theirs = match.own_side, match.other_side
    quoted = judged.get(f"evidence_{mine}") or "", judged.get(f"evidence_{theirs}") or ""
    own_value, other_value = values(provision.text, there.text, quoted, match.relation, aligned) or (None, None)
    return {
        "section_id": provision.section_id, "other": other, "place": number, "counterpart_id": there.section_id,
        "counterpart_doc": there.doc_id, "counterpart_label": there.label, "counterpart_text": there.text,
        "counterpart_text_sha256": there.text_sha256, "counterpart_page": there.page,
        "relation": match.relation,
        "relationship": relationship(match.relation, match.governs == "here", provision.text, there.text),
        "governs": match.governs, "kind": judged.get("kind"), "p_related": _rounded(match.p_same),
        "p_relation": judged.get("p_relation"), "p_conflict": judged.get("p_conflict"),
        "score": match.scores.get("score"), "evidence": quoted[0],
        "counterpart_evidence": quoted[1], "value": own_value,
        "counterpart_value": other_value,
        "pair_key": judged.get("pair_key"),
        "rationale": (judged.get("rationale") or "") if _reason_applies(match, judged) else "",
    }  # fmt: skip


def _reason_applies(match: Match, judged: Mapping[str, Any]) -> bool:
    """Tell whether a verdict's reason is for this relation, and claims no duty in common that is unlikely."""
    unlikely = match.relation == Relation.OVERLAP and (match.p_same or 0.0) < _SAME
    return match.relation == judged.get("relation") and not unlikely


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
