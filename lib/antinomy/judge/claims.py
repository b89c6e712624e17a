"""Claims of a stricter rule that do not stand, since the two provisions merely correspond.

A judge may take a difference of drafting style for one of demand. Of a long provision it reads a piece, and knows
nothing of what the others say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antinomy.embed.units import joined
from antinomy.judge.rivals import as_overlap
from antinomy.judge.rules.values import measured, telling
from antinomy.norms import extract
from antinomy.vocabulary import Kind, Relation

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

#: Probability from which on "shall" against "may" is a stricter rule. On nineteen invented pairs of regulations all
#: eight from it on are right, one of three below it.
_SURE = 0.8
_RECOMMENDS = re.compile(r"\b(?:should|ought to|(?:is|are) (?:expected|encouraged|advised) to)\b", re.IGNORECASE)
#: What has a time limit is one step if it is this alike. "Report a fire within 15 days" and "the final report of a fire
#: must be sent within one month" are .64, two limits to acknowledge receipt .8 to 1.
_SAME_STEP = 0.75
_LATER_STEP = re.compile(r"\b(?:final|interim|intermediate|follow-up|further|subsequent)\b", re.IGNORECASE)
#: Columns of a verdict that are read.
_CLAIM = ("relation", "kind", "governs", "p_relation", "evidence_left", "evidence_right")


def settle_claims(verdicts: DataFrame, units: DataFrame) -> DataFrame:
    """Turn each stricter rule that does not stand into an overlap.

    Args:
        verdicts: rows of the table.
        units: the table.

    Returns:
        The rows. Those that were changed have no ``kind``, ``governs`` and ``p_relation``, and another ``rationale``.
    """
    from pyspark.sql import functions as F

    stricter = F.col("relation") == Relation.STRICTER.value
    claims = verdicts.where(stricter & F.col("kind").isin(Kind.MODALITY.value, Kind.DEADLINE.value))
    claims = claims.select("left_id", "right_id", "left_unit_id", "right_unit_id", *_CLAIM)
    piece = F.struct("piece", "unit_id", "unit_text")
    pieces = units.groupBy("section_id").agg(F.sort_array(F.collect_list(piece)).alias("pieces"))
    for side in ("left", "right"):
        own = pieces.select(F.col("section_id").alias(f"{side}_id"), F.col("pieces").alias(f"{side}_pieces"))
        claims = claims.join(own, f"{side}_id")
    reason = F.udf(_reason, "string")(F.struct(*claims.columns))
    objected = claims.select("left_id", "right_id", reason.alias("objection")).where("objection != ''")
    marked = verdicts.join(F.broadcast(objected), ["left_id", "right_id"], "left")
    return as_overlap(marked, F.col("objection").isNotNull(), F.col("objection")).drop("objection")


def _reason(row: Row) -> str:
    """Return ``objection`` to a claim; the row has the verdict, and of both sides the unit judged and all pieces."""
    judged, whole = [], []
    for side in ("left", "right"):
        pieces = row[f"{side}_pieces"]
        judged.append(next(piece["unit_text"] for piece in pieces if piece["unit_id"] == row[f"{side}_unit_id"]))
        whole.append(joined([piece["unit_text"] for piece in pieces]))
    return objection(row.asDict(), judged, whole)


def objection(verdict: Mapping[str, Any], judged: Sequence[str], whole: Sequence[str]) -> str:
    """Say why a verdict's claim does not stand, "" if it does.

    Args:
        verdict: relation, kind, governs, p_relation and both quotes.
        judged: the texts that were judged, left and right.
        whole: the provisions that they are pieces of.
    """
    if rests_on_force_alone(verdict, *judged):
        return f"Only the force of the words differs: the {verdict['governs']} has the stronger."
    if answers_only_a_later_step(verdict, *whole):
        return "Both set time limits, one of them for several steps."
    return ""


def rests_on_force_alone(verdict: Mapping[str, Any], left: str, right: str) -> bool:
    """Tell whether a stricter rule rests on nothing but the force of words, so that both merely correspond.

    "Shall" against "should" is as often a difference of drafting style as of demand. "Shall" against "may" is taken for
    a stricter rule only where the judge is sure.

    Args:
        verdict: relation, kind, p_relation and both quotes.
        left, right: the texts that were judged.
    """
    if verdict["relation"] != Relation.STRICTER or verdict["kind"] != Kind.MODALITY:
        return False
    sure = (verdict["p_relation"] or 0) >= _SURE and _demands_differ(verdict)
    return not sure and not telling(measured(left, right), Relation.STRICTER)


def _demands_differ(verdict: Mapping[str, Any]) -> bool:
    """Tell whether both quotes demand, forbid or allow, and differ in more than that one of them recommends."""
    quotes = [verdict[f"evidence_{side}"] or "" for side in ("left", "right")]
    ours, theirs = ({norm.modality for norm in extract(quote) if norm.cue[0] < norm.cue[1]} for quote in quotes)
    recommends = {bool(_RECOMMENDS.search(quote)) for quote in quotes}
    return bool(ours and theirs) and (ours != theirs or len(recommends) == 1)


def answers_only_a_later_step(verdict: Mapping[str, Any], left: str, right: str) -> bool:
    """Tell whether a stricter time limit was compared with one of several that the other side sets, and not its first.

    A judge reads a long provision in pieces: "a final report within a month" may be all that it saw of one that demands
    a first report within 24 hours.

    Args:
        verdict: relation, kind and governs.
        left, right: the whole provisions.
    """
    if verdict["relation"] != Relation.STRICTER or verdict["kind"] != Kind.DEADLINE or _is_same_step(verdict):
        return False
    strict, other = map(_limits, (left, right) if verdict["governs"] == "left" else (right, left))
    return bool(strict) and len(other) > 1 and min(other) <= min(strict)


def _is_same_step(verdict: Mapping[str, Any]) -> bool:
    """Tell whether the quotes set their limits for one and the same step: to acknowledge a complaint."""
    quotes = [verdict[f"evidence_{side}"] or "" for side in ("left", "right")]
    alike = any(pair.similarity >= _SAME_STEP for pair in measured(*quotes) if pair.left.role == "deadline")
    return alike and not any(map(_LATER_STEP.search, quotes))


def _limits(text: str) -> set[float]:
    """Return the time limits of a provision, in seconds."""
    measures = (measure for norm in extract(text) for measure in norm.measures)
    return {measure.high for measure in measures if measure.role == "deadline" and measure.bound != "min"}
