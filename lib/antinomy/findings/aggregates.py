"""Figures over all findings of a run, counted on the whole table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bm25s.stopwords import STOPWORDS_EN_PLUS

from antinomy.findings.highlights import quote_span
from antinomy.norms import extract
from antinomy.store.rows import FindingRow
from antinomy.vocabulary import Decision, FindingState, Relation

#: Words of every text, or of every provision, say nothing about the matter of conflicts.
_COMMON_WORDS = frozenset(STOPWORDS_EN_PLUS) | frozenset(
    {
        "across", "along", "already", "also", "although", "always", "among", "another", "around", "become", "becomes",
        "beyond", "cannot", "could", "either", "else", "even", "every", "except", "first", "five", "four", "hence",
        "hundred", "however", "last", "less", "made", "many", "might", "much", "neither", "never", "next", "nine",
        "none", "nothing", "often", "others", "otherwise", "part", "rather", "second", "seven", "several", "since",
        "still", "take", "thereafter", "thereby", "therefore", "therein", "thereof", "thereto", "third", "though",
        "three", "throughout", "thus", "together", "towards", "twelve", "twenty", "upon", "whereas", "whereby",
        "wherein", "whether", "whole", "whose", "within", "without", "would",
        "shall", "should", "must", "later", "earlier", "least", "referred", "article", "paragraph", "point",
        "section", "chapter", "annex", "appendix", "accordance", "pursuant", "regulation", "directive", "institution",
        "institutions", "entity", "entities", "financial", "bank", "banks", "management", "ensure", "including",
        "following", "applicable", "relevant", "appropriate",
    }
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{4,}(?:-[^\W\d_]+)*")
_TOP_TERMS = 24


@dataclass(frozen=True)
class Axis:
    """One side of the heat map.

    Attributes:
        column: the findings' column that it counts by: ``left_chapter``, or ``left_doc`` where findings lie in
            several documents of that side; likewise ``right_…``.
        values: its values, in the order of the text for chapters, by name for documents.
        documents: in which findings lie on this side.
    """

    column: str
    values: tuple[str, ...]
    documents: tuple[str, ...]

    def position_of(self, finding: Mapping[str, Any]) -> str:
        """Return where a finding lies on it."""
        value: str = finding[self.column]
        return value


@dataclass(frozen=True)
class Aggregates:
    """Counts of findings; all but ``by_state`` leave the resolved ones out, and those that a reviewer rejected too.

    Attributes:
        by_state: ``new``, ``carried``, ``resolved`` → findings.
        by_relation: relation → findings.
        by_kind: kind → conflicts.
        by_addressee: whom the left provision of a conflict binds, as a class of ``norms`` → conflicts; ""
            where it does not say.
        by_decision: what reviewers decided → findings, the rejected ones included; without decision under "".
        by_document: doc_id → relation → findings with a side in that document.
        rows, columns: left and right side of the heat map.
        cells: (row, column) → relation → findings.
        topics: ``cluster_id``, ``topic``, ``findings``, ``conflicts``, ``best_rank``; the best-ranked first.
        terms: word → conflicts whose evidence (texts, where a judge quotes none) holds it, if two or more do; most
            frequent first.
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


def aggregate(findings: Sequence[FindingRow], positions: Mapping[str, int]) -> Aggregates:
    """Count findings by the questions of an analyst.

    The page holds every finding, so the whole table is in memory here and needs no cluster to be counted.

    Args:
        findings: all rows of the ``findings`` table.
        positions: section_id → position in its document; it puts chapters into the order of the text.
    """
    still_open = [row for row in findings if row["state"] != FindingState.RESOLVED]
    current = [row for row in still_open if row["decision"] != Decision.REJECT]
    conflicts = [row for row in current if row["relation"] == Relation.CONFLICT]
    rows, columns = _axis("left", current, positions), _axis("right", current, positions)
    documents: dict[str, dict[str, int]] = {}
    cells: dict[tuple[str, str], dict[str, int]] = {}
    for row in current:
        relation = row["relation"]
        for doc in dict.fromkeys((row["left_doc"], row["right_doc"])):
            _add(documents.setdefault(doc, {}), relation)
        _add(cells.setdefault((rows.position_of(row), columns.position_of(row)), {}), relation)
    return Aggregates(
        by_state=_as_counts(row["state"] for row in findings),
        by_relation=_as_counts(row["relation"] for row in current),
        by_kind=_as_counts(row["kind"] or "other" for row in conflicts),
        by_addressee=_as_counts(_addressee(row["left_text"], row["evidence_left"] or "") for row in conflicts),
        by_decision=_as_counts(row["decision"] or "" for row in still_open),
        by_document=documents,
        rows=rows,
        columns=columns,
        cells=cells,
        topics=_topics(current),
        terms=_terms(conflicts),
    )


def _add(counts: dict[str, int], key: str) -> None:
    counts[key] = counts.get(key, 0) + 1


def _as_counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


def _axis(side: str, current: Sequence[Mapping[str, Any]], positions: Mapping[str, int]) -> Axis:
    documents = tuple(sorted({row[f"{side}_doc"] for row in current}))
    if len(documents) > 1:
        return Axis(f"{side}_doc", documents, documents)
    first: dict[str, int] = {}
    for row in current:
        chapter, at = row[f"{side}_chapter"], positions[row[f"{side}_id"]]
        first[chapter] = min(at, first.get(chapter, at))
    return Axis(f"{side}_chapter", tuple(sorted(first, key=lambda chapter: (first[chapter], chapter))), documents)


def _addressee(text: str, evidence: str) -> str:
    """Return whom the clause with the evidence binds, else the first clause that says it."""
    norms = [norm for norm in extract(text) if norm.addressee]
    span = quote_span(evidence, text)
    quoted = [norm for norm in norms if span and norm.start < span[1] and span[0] < norm.end]
    return next((norm.addressee for norm in quoted or norms), "")


def _topics(current: Sequence[FindingRow]) -> list[dict[str, Any]]:
    topics: dict[str, dict[str, Any]] = {}
    for row in sorted(current, key=lambda row: row["rank"] or 0):
        if not row["cluster_id"]:
            continue
        new = {
            "cluster_id": row["cluster_id"], "topic": row["topic"], "findings": 0, "conflicts": 0,
            "best_rank": row["rank"],
        }  # fmt: skip
        topic = topics.setdefault(row["cluster_id"], new)
        topic["findings"] += 1
        topic["conflicts"] += row["relation"] == Relation.CONFLICT
    return list(topics.values())


def _terms(conflicts: Sequence[FindingRow]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for row in conflicts:
        quoted = f"{row['evidence_left'] or ''} {row['evidence_right'] or ''}".strip()
        text = quoted or f"{row['left_text']} {row['right_text']}"
        counted.update(set(_WORD.findall(text.lower())) - _COMMON_WORDS)
    shared = [(word, n) for word, n in counted.items() if n > 1]
    return dict(sorted(shared, key=lambda item: (-item[1], item[0]))[:_TOP_TERMS])
