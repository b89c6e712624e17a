"""What the page's script draws: findings, the crosswalk and provisions as plain data, nothing in it is markup."""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from antinomy.findings.document_names import full_titles, label_without_title, named, names, without_figure
from antinomy.findings.highlights import marks, quote_mark
from antinomy.report.cells import p_claimed
from antinomy.report.words import NO_ANSWER
from antinomy.store.rows import CounterpartRow, CoverageRow, DocumentRow, FindingRow
from antinomy.vocabulary import Kind

Row = Mapping[str, Any]

#: Key in the page's data → column of the findings table.
_FINDING = {
    "id": "finding_id", "rank": "rank", "state": "state", "changed": "changed", "relation": "relation",
    "kind": "kind", "governs": "governs", "p": "p_conflict", "judged": "p_judge", "score": "score", "weight": "weight",
    "why": "rationale", "verified": "evidence_verified", "order": "order_consistent", "cosine": "cosine",
    "judge": "judge", "model": "model", "prompt": "prompt_sha256", "topic": "cluster_id", "topicName":
    "topic", "decision": "decision", "by": "decided_by", "at": "decided_at", "note": "decided_note",
}  # fmt: skip
#: Key in the page's data → column of the coverage table.
_COVERAGE = {
    "id": "coverage_id", "side": "side", "other": "other", "state": "state", "reason": "reason", "p": "p_state",
    "covered": "p_covered", "decision": "decision", "by": "decided_by", "at": "decided_at", "note": "decided_note",
}  # fmt: skip
#: Where a table may have no value and the page wants a text.
_TEXTS = (
    "changed", "kind", "governs", "why", "topic", "topicName", "reason", "decision", "by", "at", "note",
)  # fmt: skip
#: A stricter rule is looked for under tests, or under keeping records, whichever kind of measure differs, if both sides
#: speak of it.
_ABOUT = {
    "testing": re.compile(
        r"\b(?:test(?:s|ed|ing)?|exercis(?:es?|ed|ing)|drills?|rehears(?:e|es|ed|als?))\b", re.IGNORECASE
    ),
    "retention": re.compile(r"\b(?:kept|keep|retain(?:ed)?|retention|preserved?|archived?|erased?)\b", re.IGNORECASE),
}
_OFTEN = re.compile(r"\b(?:every|once|twice|times)\b", re.IGNORECASE)
_SIDES = ("left", "right")


class PageData:
    """The page's data; a provision that stands in many rows is in it once.

    Args:
        documents: rows of the ``documents`` table.
        folder: as in ``html.Content``.
    """

    def __init__(self, documents: Sequence[DocumentRow], folder: str) -> None:
        self._titles = full_titles(documents)
        self._names = names(documents)
        self._sources = {doc["doc_id"]: doc["source_uri"] or "" for doc in documents}
        self._folder = folder
        #: (section id, text) → index in ``_provisions``.
        self._indices: dict[tuple[str, str], int] = {}
        self._provisions: list[dict[str, Any]] = []

    def data(
        self,
        findings: Sequence[FindingRow],
        nearest: Sequence[Row] = (),
        coverage: Sequence[CoverageRow] = (),
        counterparts: Sequence[CounterpartRow] = (),
    ) -> dict[str, Any]:
        """Gather the page's data.

        Args:
            findings: rows of the ``findings`` table.
            nearest: rows of ``nearest_pairs.nearest_pairs``.
            coverage, counterparts: rows of the tables of these names.

        Returns:
            ``findings`` and ``nearest`` (``l`` and ``r`` are indices into ``provisions``, ``lm`` and ``rm`` their
            marks, ``lv`` and ``rv`` their values), ``coverage`` (``here`` is an index into ``provisions``, ``c`` its
            counterparts: index into ``pairs``, whether it is the pair's right side that is looked from, and the
            relationship), ``pairs``, ``provisions``, ``documents`` (doc_id → name).
        """
        values = _values(counterparts)
        drawn = {"findings": [self._finding(row, values) for row in findings]}
        drawn["nearest"] = [self._finding(row, values) for row in nearest]
        drawn["coverage"], drawn["pairs"] = self._crosswalk(coverage, counterparts)
        return drawn | {"provisions": self._provisions, "documents": self._names}

    def _finding(self, row: Row, values: Mapping[tuple[str, str], tuple[str, str]]) -> dict[str, Any]:
        made = _select(row, _FINDING)
        made["pr"] = p_claimed(row)
        left, right = (self._names.get(row[f"{side}_doc"], str(row[f"{side}_doc"])) for side in _SIDES)
        made["why"] = named(without_figure(made["why"]), left, right)
        made["changed"] = named(made["changed"], left, right)
        for side in _SIDES:
            made[side[0]] = self._of_finding(row, side)
        made["lm"], made["rm"] = marks(
            row["left_text"], row["right_text"], row["evidence_left"] or "", row["evidence_right"] or ""
        )
        made["lv"], made["rv"] = of_sides = values.get((row["left_id"], row["right_id"]), ("", ""))
        made["about"] = _subject(row, of_sides)
        return made

    def _of_finding(self, row: Row, side: str) -> int:
        parts = ("id", "doc", "label", "chapter", "path", "text", "page", "sha256")
        return self._index({part: row[f"{side}_{part}"] for part in parts}, row[f"{side}_context"] or "")

    def _crosswalk(
        self, coverage: Sequence[CoverageRow], counterparts: Sequence[CounterpartRow]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        rows, of_row = [], {}
        for row in coverage:
            made = _select(row, _COVERAGE)
            shown = {
                "doc": row["doc_id"], "label": row["label"], "chapter": row["chapter"], "path": row["path"],
                "text": row["text"], "page": row["page"], "sha256": row["text_sha256"], "id": row["section_id"],
            }  # fmt: skip
            made["here"], made["c"] = self._index(shown), []
            of_row[row["section_id"], row["other"]] = made
            rows.append(made)
        pairs: list[dict[str, Any]] = []
        known: dict[tuple[int, int, str | None], int] = {}
        for counterpart in sorted(counterparts, key=lambda row: row["place"]):
            focal = of_row[counterpart["section_id"], counterpart["other"]]
            here, there, pair_key = focal["here"], self._of_counterpart(counterpart), counterpart["pair_key"]
            # A pair stands in the table from both of its sides, and here once.
            if (there, here, pair_key) in known:
                focal["c"].append((known[there, here, pair_key], 1, counterpart["relationship"]))
                continue
            if (here, there, pair_key) not in known:
                known[here, there, pair_key] = len(pairs)
                pairs.append(self._pair(counterpart, here, there))
            focal["c"].append((known[here, there, pair_key], 0, counterpart["relationship"]))
        return rows, pairs

    def _of_counterpart(self, row: CounterpartRow) -> int:
        return self._index(
            {
                "id": row["counterpart_id"], "doc": row["counterpart_doc"], "label": row["counterpart_label"],
                "text": row["counterpart_text"], "page": row["counterpart_page"], "chapter": "", "path": "",
                "sha256": row["counterpart_text_sha256"],
            }
        )  # fmt: skip

    def _pair(self, row: CounterpartRow, here: int, there: int) -> dict[str, Any]:
        left, right = self._provisions[here], self._provisions[there]
        return {
            "l": here, "r": there, "relation": row["relation"] or NO_ANSWER, "kind": row["kind"] or "",
            "governs": {"here": "left", "there": "right"}.get(row["governs"] or "", ""),
            "pr": row["p_relation"], "related": row["p_related"], "p": row["p_conflict"],
            "why": row["rationale"] or "",
            "lm": quote_mark(row["evidence"] or "", left["text"]),
            "rm": quote_mark(row["counterpart_evidence"] or "", right["text"]),
            "lv": row["value"] or "", "rv": row["counterpart_value"] or "",
        }  # fmt: skip

    def _index(self, shown: dict[str, Any], context: str = "") -> int:
        """Return the index of a provision in ``provisions``; it is added if it is new, completed with its link."""
        # By its text too: a resolved finding may show an earlier one.
        key = shown["id"], shown["text"]
        if key in self._indices:
            return self._indices[key]
        title = self._titles.get(shown["doc"], "")
        # Beside its document's name, which what shows it gives.
        shown["label"] = label_without_title(shown["label"] or "", title)
        shown |= {"chapter": shown["chapter"] or "", "path": shown["path"] or "", "page": shown["page"] or 0}
        # The heading path has its own place on the page.
        shown["context"] = [line for line in context.split("\n") if line and line != shown["path"]]
        shown["href"] = source_link(self._sources.get(shown["doc"], ""), shown["page"], self._folder)
        self._indices[key] = len(self._provisions)
        self._provisions.append(shown)
        return self._indices[key]


def _select(row: Row, columns: Mapping[str, str]) -> dict[str, Any]:
    made = {key: row.get(column) for key, column in columns.items()}
    return made | {key: made[key] or "" for key in _TEXTS if key in made}


def _values(counterparts: Sequence[CounterpartRow]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return what each pair of sections demands in figures, by its ids in both orders."""
    values = {}
    for row in counterparts:
        if row["value"] or row["counterpart_value"]:
            here, there = row["section_id"], row["counterpart_id"]
            own_value, other = row["value"] or "", row["counterpart_value"] or ""
            values[here, there], values[there, here] = (own_value, other), (other, own_value)
    return values


def _subject(row: Row, values: tuple[str, str]) -> str:
    """Return what a stricter rule is about: tests, keeping records, how often, or the kind of what differs."""
    if row["kind"] == Kind.MODALITY and not any(values):
        return Kind.MODALITY.value
    quotes = row["evidence_left"] or "", row["evidence_right"] or ""
    about = next((name for name, words in _ABOUT.items() if all(words.search(text) for text in quotes)), "")
    return about or ("frequency" if all(map(_OFTEN.search, values)) else row["kind"] or "other")


def source_link(uri: str, page: int = 0, folder: str = "") -> str:
    """Return the address of a page of a source, "" where a browser should not or cannot open it.

    Allowed are http(s) and files of this machine. All else (``javascript:``, ``data:``, another machine's
    share, an object store) gets no link.

    Args:
        uri: of the source; without a scheme it is a path.
        page: 1-based, 0 where the source has no pages.
        folder: local folder that absolute paths are made relative to; "" leaves them.
    """
    parts = urlsplit(uri)
    if parts.scheme in ("http", "https"):
        address = uri.split("#")[0]
    elif uri and parts.scheme in ("", "file") and not parts.netloc and not uri.startswith("\\"):
        path = unquote(parts.path) if parts.scheme else uri
        address = quote(os.path.relpath(path, folder) if folder and os.path.isabs(path) else path)
    else:
        return ""
    return f"{address}#page={page}" if page else address
