"""Figures over all findings of a run, counted on the whole table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from antinomy.judge.evidence import locate
from antinomy.judge.norms.extract import extract

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

#: Words that every provision is made of say nothing about what conflicts are about.
_LEGAL_WORDS = (
    "shall", "should", "must", "later", "earlier", "least", "referred", "article", "paragraph", "point",
    "section",
    "chapter", "annex", "appendix", "accordance", "pursuant", "regulation", "directive", "institution",
    "institutions", "entity", "entities", "financial", "bank", "banks", "management", "ensure", "including",
    "following", "applicable", "relevant", "appropriate",
)  # fmt: skip
_TOP_TERMS = 24
_SHORTEST_TERM = 4


@dataclass(frozen=True)
class Axis:
    """One side of the heat map.

    Attributes:
        column: the findings' column that it counts by: ``left_chapter``, or ``left_doc`` where findings lie
            in several documents of that side; likewise ``right_…``.
        values: its values, in the order of the text for chapters, by name for documents.
    """

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Aggregates:
    """Counts of findings; all but ``by_state`` leave the resolved ones out.

    Attributes:
        by_state: ``new``, ``carried``, ``resolved`` → findings.
        by_relation: relation → findings.
        by_kind: kind → conflicts.
        by_addressee: whom the left provision of a conflict binds, as a class of ``judge.norms`` → conflicts;
            "" where it does not say.
        by_decision: what reviewers decided → findings; without decision under "".
        by_document: doc_id → relation → findings with a side in that document.
        rows, columns: left and right side of the heat map.
        cells: (row, column) → relation → findings.
        topics: ``cluster_id``, ``topic``, ``findings``, ``conflicts``, ``best_rank``; the best-ranked first.
        terms: word → conflicts whose evidence (texts, where a judge quotes none) holds it; most frequent
            first.
    """

    by_state: dict[str, int]
    by_relation: dict[str, int]
    by_kind: dict[str, int]
    by_addressee: dict[str, int]
    by_decision: dict[str, int]
    by_document: dict[str, dict[str, int]]
    rows: Axis
    columns: Axis
    cells: dict[tuple[str, str], dict[str, int]]
    topics: list[dict[str, Any]]
    terms: dict[str, int]


def aggregate(findings: DataFrame, sections: DataFrame) -> Aggregates:
    """Count findings by what an analyst asks for.

    Args:
        findings: table ``findings``.
        sections: table ``sections``; its positions put chapters into the order of the text.
    """
    states = findings.groupBy("state", "relation", "kind", "decision").count().collect()
    still_open = [row for row in states if row["state"] != "resolved"]
    current = findings.where("state <> 'resolved'")
    places = _places(current, sections)
    rows, columns = _axis("left", places), _axis("right", places)
    documents: dict[str, dict[str, int]] = {}
    cells: dict[tuple[str, str], dict[str, int]] = {}
    for place in places:
        relation = place["relation"]
        for doc in {place["left_doc"], place["right_doc"]}:
            _add(documents.setdefault(doc, {}), relation, place["n"])
        _add(cells.setdefault((place[rows.column], place[columns.column]), {}), relation, place["n"])
    return Aggregates(
        by_state=_sums(states, "state"),
        by_relation=_sums(still_open, "relation", blank="undecided"),
        by_kind=_sums([row for row in still_open if row["relation"] == "conflict"], "kind", blank="other"),
        by_addressee=_addressees(current),
        by_decision=_sums(still_open, "decision"),
        by_document=documents,
        rows=rows,
        columns=columns,
        cells=cells,
        topics=_topics(current),
        terms=_terms(current),
    )


def _sums(rows: list[Row], column: str, blank: str = "") -> dict[str, int]:
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row[column] or blank] += row["count"]
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _add(counts: dict[str, int], key: str, n: int) -> None:
    counts[key] = counts.get(key, 0) + n


def _addressees(current: DataFrame) -> dict[str, int]:
    bound = F.udf(_bound, "string")
    counted = (
        current.where("relation = 'conflict'")
        .groupBy(bound("left_text", "evidence_left").alias("addressee"))
        .count()
        .orderBy(F.col("count").desc(), "addressee")
    )
    return {row["addressee"]: row["count"] for row in counted.collect()}


def _bound(text: str, evidence: str | None) -> str:
    """Return whom the clause with the evidence binds, else the first clause that says it."""
    norms = [norm for norm in extract(text) if norm.addressee]
    span = locate(evidence, text) if evidence else None
    if span:
        quoted = [norm for norm in norms if norm.start < span[1] and span[0] < norm.end]
        norms = quoted or norms
    return norms[0].addressee if norms else ""


def _places(current: DataFrame, sections: DataFrame) -> list[Mapping[str, Any]]:
    """Count findings by documents, chapters and relation, with the first position of each chapter."""
    placed = current
    for side in ("left", "right"):
        position = sections.select(
            F.col("section_id").alias(f"{side}_id"), F.col("position").alias(f"{side}_at")
        )
        placed = placed.join(position, f"{side}_id", "left")
    counted = placed.groupBy(
        "left_doc",
        "left_chapter",
        "right_doc",
        "right_chapter",
        F.coalesce("relation", F.lit("undecided")).alias("relation"),
    ).agg(F.count("*").alias("n"), F.min("left_at").alias("left_at"), F.min("right_at").alias("right_at"))
    return [row.asDict() for row in counted.collect()]


def _axis(side: str, places: list[Mapping[str, Any]]) -> Axis:
    documents = sorted({place[f"{side}_doc"] for place in places})
    if len(documents) > 1:
        return Axis(f"{side}_doc", tuple(documents))
    first: dict[str, int] = {}
    for place in places:
        chapter, at = place[f"{side}_chapter"], place[f"{side}_at"]
        first[chapter] = min(at, first.get(chapter, at))
    return Axis(f"{side}_chapter", tuple(sorted(first, key=lambda chapter: (first[chapter], chapter))))


def _topics(current: DataFrame) -> list[dict[str, Any]]:
    counted = (
        current.where("cluster_id is not null")
        .groupBy("cluster_id", "topic")
        .agg(
            F.count("*").alias("findings"),
            F.count_if(F.col("relation") == "conflict").alias("conflicts"),
            F.min("rank").alias("best_rank"),
        )
        .orderBy("best_rank")
    )
    return [row.asDict() for row in counted.collect()]


def _terms(current: DataFrame) -> dict[str, int]:
    quoted = F.concat_ws(" ", "evidence_left", "evidence_right")
    text = F.when(F.trim(quoted) != "", quoted).otherwise(F.concat_ws(" ", "left_text", "right_text"))
    words = F.array_distinct(F.split(F.lower(text), r"[^\p{L}-]+"))
    counted = (
        current.where("relation = 'conflict'")
        .select(F.explode(words).alias("word"))
        .where((F.length("word") >= _SHORTEST_TERM) & ~F.col("word").isin(*ENGLISH_STOP_WORDS, *_LEGAL_WORDS))
        .groupBy("word")
        .count()
        .orderBy(F.col("count").desc(), "word")
        .limit(_TOP_TERMS)
    )
    return {row["word"]: row["count"] for row in counted.collect()}
