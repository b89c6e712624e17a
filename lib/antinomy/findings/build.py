"""Findings: the verdicts that an analyst should read, with their texts, ranked.

    score = p × evidence × order × (1 + weight) / 2

- *p*: the judge's probability of a conflict.
- *evidence*: 1 where both quotes were found in their texts, else 0.5.
- *order*: 1 where both orders of the pair gave the same relation, 0.9 where one order was asked, 0.6 where
  they disagreed.
- *weight*: mean of both provisions' weights, each its PageRank over citations as a share of its document's
  highest: so a handbook that seldom cites itself counts as much as an act that does so all the time.

Conflicts come first whatever their score; the rest follows by score.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from antinomy import section_ids as ids
from antinomy.errors import AntinomyError
from antinomy.findings import delta, graph, topics
from antinomy.findings.chapters import Chapters
from antinomy.store import schemas
from antinomy.store.rows import DecisionRow, FindingRow
from antinomy.store.tables import rows_where
from antinomy.vocabulary import FindingState, Relation

if TYPE_CHECKING:
    from antinomy.findings.calibration import Calibration

#: Relations that are always reported, whatever the probability of a conflict.
REPORTED = (Relation.CONFLICT, Relation.STRICTER, Relation.DEFINITION)
_UNVERIFIED = 0.5
_ONE_ORDER, _ORDERS_DISAGREE = 0.9, 0.6
#: Steps of a score that differ by less come from the order of floating-point sums, not from the texts.
_DIGITS = 6
#: Number of missing rows that an error names.
_NAMED = 3

_SIDES = ("left", "right")

#: A finding in the making.
Row = dict[str, Any]


def build_findings(
    verdicts: pa.Table,
    units: pa.Table,
    sections: pa.Table,
    similar: pa.Table,
    citations: pa.Table,
    documents: pa.Table,
    previous: Sequence[FindingRow] | None = None,
    decisions: Sequence[DecisionRow] = (),
    threshold: float = 0.5,
    calibration: Calibration | None = None,
) -> list[FindingRow]:
    """Make the ``findings`` table.

    Whole tables stay in Arrow's memory; only reported rows become Python objects.

    Args:
        verdicts, units, sections, similar, citations, documents: tables of this run.
        previous: ``findings`` of the run to compare with; without it everything is new.
        decisions: rows of ``decisions``; the latest on each finding holds while both texts are unchanged.
        threshold: decided pairs of any relation are reported from this probability of a conflict on.
        calibration: applied to the judge's probabilities first.

    Returns:
        Rows of the ``findings`` table: open findings ranked from 1, then those that only the previous run
        had, with state ``resolved`` and no rank.

    Raises:
        AntinomyError: if a verdict is about a unit or section that is not there.
        SettingsError: if the calibration is for another judge.
    """
    chosen = _reportable(calibrated(verdicts, calibration), threshold)
    found = with_texts(chosen, units, sections, documents)
    weights = _weights(sections, citations)
    cosines = _cosines(chosen, similar)
    for row in found:
        row["cosine"] = cosines.get((row["left_id"], row["right_id"]))
        row["weight"] = round((weights[row["left_id"]] + weights[row["right_id"]]) / 2, _DIGITS)
        _score(row, threshold)
    of_topic = topics.group_by_topic(found)
    for row in found:
        row["cluster_id"], row["topic"] = of_topic.get(row["finding_id"], (None, None))
    names = schemas.columns("findings")
    # Only the table's columns; decision and rank follow.
    rows = [
        cast("FindingRow", {name: row.get(name) for name in names})
        for row in delta.compare_with_previous(found, previous, units, verdicts)
    ]
    delta.apply_decisions(rows, decisions)
    _rank(rows)
    return rows


def finding_id(left: str, right: str) -> str:
    """Return the id of a pair of sections, whichever is on the left: 16 hex digits."""
    return hashlib.sha256("\n".join(sorted((left, right))).encode()).hexdigest()[:16]


def calibrated(verdicts: pa.Table, calibration: Calibration | None) -> pa.Table:
    """Replace ``p_conflict`` by the calibrated probability; ``p_judge`` keeps the judge's own."""
    raw_scores = verdicts["p_conflict"]
    with_raw_scores = verdicts.append_column("p_judge", raw_scores)
    if calibration is None:
        return with_raw_scores
    judges = verdicts.group_by(["judge", "model", "prompt_sha256"]).aggregate([]).to_pylist()
    calibration.require_judge({(row["judge"], row["model"], row["prompt_sha256"]) for row in judges})
    # Pairs that a cheaper judge settled first keep its probability.
    by_this_judge = pa.array([True] * len(verdicts), pa.bool_())
    for name, value in zip(("judge", "model", "prompt_sha256"), calibration.judge_identity, strict=True):
        by_this_judge = pc.and_(by_this_judge, pc.fill_null(pc.equal(verdicts[name], value), False))
    corrected_values = calibration(raw_scores.to_numpy(zero_copy_only=False))
    corrected = pa.array(corrected_values, pa.float64(), from_pandas=True)
    at = with_raw_scores.schema.get_field_index("p_conflict")
    return with_raw_scores.set_column(at, "p_conflict", pc.if_else(by_this_judge, corrected, raw_scores))


def _reportable(verdicts: pa.Table, threshold: float) -> list[Row]:
    """Keep the verdicts to report."""
    # A pair on which the judge failed has none.
    decided = pc.is_valid(verdicts["relation"])
    grave = pc.is_in(verdicts["relation"], value_set=pa.array(REPORTED))
    likely = pc.greater_equal(pc.fill_null(verdicts["p_conflict"], 0.0), threshold)
    rows = verdicts.filter(pc.and_(decided, pc.or_(grave, likely))).to_pylist()
    return [row | {"finding_id": finding_id(row["left_id"], row["right_id"])} for row in rows]


def _weights(sections: pa.Table, citations: pa.Table) -> dict[str, float]:
    """Weigh sections between 0 and 1; a paragraph has the weight of its article where that is cited more."""
    names, docs, eids = (sections[name].to_pylist() for name in ("section_id", "doc_id", "eid"))
    ends = zip(citations["src_section_id"].to_pylist(), citations["target_section_id"].to_pylist(), strict=True)
    ranks = dict(zip(names, graph.page_rank(names, ends).tolist(), strict=True))
    best: dict[str, float] = {}
    highest: dict[str, float] = {}
    for name, doc, eid in zip(names, docs, eids, strict=True):
        best[name] = max(ranks[holder] for holder in _enclosing_ids(doc, eid) if holder in ranks)
        highest[doc] = max(best[name], highest.get(doc, 0.0))
    return {name: round(best[name] / highest[doc], _DIGITS) for name, doc in zip(names, docs, strict=True)}


def _enclosing_ids(doc: str, eid: str) -> Iterator[str]:
    """Yield the section ids of a provision and its ancestors, outermost first; some may not exist."""
    enclosing = ""
    for step in eid.split("__"):
        enclosing = ids.join(enclosing, step)
        yield ids.section_id(doc, enclosing)


def with_texts(chosen: Sequence[Row], units: pa.Table, sections: pa.Table, documents: pa.Table) -> list[Row]:
    """Add to each verdict the shown columns of its two sides, named ``left_…`` and ``right_…``."""
    of_unit = _look_up(units, "unit_id", {row[f"{side}_unit_id"] for row in chosen for side in _SIDES}, "units")
    of_section = _look_up(sections, "section_id", {row[f"{side}_id"] for row in chosen for side in _SIDES}, "sections")
    chapters = Chapters(sections, documents)
    placed = []
    for row in chosen:
        full = dict(row)
        for side in _SIDES:
            unit, section = of_unit[row[f"{side}_unit_id"]], of_section[row[f"{side}_id"]]
            doc, path = unit["doc_id"], unit["heading_path"] or ""
            full |= {
                f"{side}_doc": doc, f"{side}_label": unit["label"], f"{side}_path": path,
                f"{side}_text": unit["unit_text"], f"{side}_context": unit["context"],
                f"{side}_page": section["page_start"],
                f"{side}_chapter": chapters.name(doc, path),
            }  # fmt: skip
        placed.append(full)
    return placed


def _look_up(table: pa.Table, key: str, wanted: Collection[str], name: str) -> dict[str, Row]:
    """Return the rows with these keys, or raise; an inner join would silently drop findings."""
    found = {row[key]: row for row in rows_where(table, key, wanted).to_pylist()}
    lost = sorted(set(wanted) - found.keys())[:_NAMED]
    if lost:
        raise AntinomyError(
            f"table {name} lacks what verdicts are about: {', '.join(lost)}; run embed and what follows again"
        )
    return found


def _cosines(chosen: list[Row], similar: pa.Table) -> dict[tuple[str, str], float]:
    """Return the cosine of each candidate pair whose left section has a finding."""
    pairs = rows_where(similar.select(["left_id", "right_id", "own"]), "left_id", {row["left_id"] for row in chosen})
    return {(row["left_id"], row["right_id"]): row["own"] for row in pairs.to_pylist()}


def _score(row: Row, threshold: float) -> None:
    # A judge that names a conflict without a probability has said no more than that it is over the threshold.
    probability = threshold if row["p_conflict"] is None else row["p_conflict"]
    evidence = 1.0 if row["evidence_verified"] else _UNVERIFIED
    order = {None: _ONE_ORDER, True: 1.0, False: _ORDERS_DISAGREE}[row["order_consistent"]]
    row["score"] = round(probability * evidence * order * (1 + row["weight"]) / 2, _DIGITS)


def _rank(found: list[FindingRow]) -> None:
    """Sort in place: conflicts, then the rest by score, then resolved findings; number all but the last."""
    found.sort(key=lambda row: (
        row["state"] == FindingState.RESOLVED, row["relation"] != Relation.CONFLICT, -row["score"], row["finding_id"],
    ))  # fmt: skip
    for rank, row in enumerate(found, start=1):
        row["rank"] = None if row["state"] == FindingState.RESOLVED else rank
