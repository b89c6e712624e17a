"""What the page's script draws: findings and provisions as plain data, nothing in it is markup."""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from antinomy.report.marks import marks

#: Key in the page's data → column of the findings table.
_FINDING = {
    "id": "finding_id", "rank": "rank", "state": "state", "changed": "changed", "relation": "relation",
    "kind": "kind", "governs": "governs", "p": "p_conflict", "judged": "p_judge", "score": "score", "weight": "weight",
    "why": "rationale", "verified": "evidence_verified", "order": "order_consistent", "cosine": "cosine",
    "judge": "judge", "model": "model", "prompt": "prompt_sha256", "topic": "cluster_id", "topicName":
    "topic", "decision": "decision", "by": "decided_by", "at": "decided_at", "note": "decided_note",
}  # fmt: skip
#: Where the table may have no value and the page wants a text.
_TEXTS = ("changed", "kind", "governs", "why", "topic", "topicName", "decision", "by", "at", "note")


def island(
    findings: Sequence[Mapping[str, Any]],
    documents: Sequence[Mapping[str, Any]],
    folder: str,
) -> dict[str, Any]:
    """Gather the page's data; a provision that stands in many findings is in it once.

    Args:
        findings: rows of the ``findings`` table.
        documents: rows of the ``documents`` table.
        folder: as in ``html.render``.

    Returns:
        ``findings`` (``l`` and ``r`` are places in ``provisions``, ``lm`` and ``rm`` their marks),
        ``provisions``, ``documents`` (doc_id → title).
    """
    sources = {doc["doc_id"]: doc["source_uri"] or "" for doc in documents}
    places: dict[tuple[str, str], int] = {}
    provisions: list[dict[str, Any]] = []
    rows = []
    for row in findings:
        made = {key: row[column] for key, column in _FINDING.items()}
        made |= {key: made[key] or "" for key in _TEXTS}
        made["relation"] = made["relation"] or "undecided"
        for side in ("left", "right"):
            # A resolved finding may show an earlier text of a provision.
            key = (row[f"{side}_id"], row[f"{side}_sha256"])
            if key not in places:
                places[key] = len(provisions)
                provisions.append(_provision(row, side, sources.get(row[f"{side}_doc"], ""), folder))
            made[side[0]] = places[key]
        made["lm"], made["rm"] = marks(
            row["left_text"], row["right_text"], row["evidence_left"] or "", row["evidence_right"] or ""
        )
        rows.append(made)
    titles = {doc["doc_id"]: doc["title"] or doc["doc_id"] for doc in documents}
    return {"findings": rows, "provisions": provisions, "documents": titles}


def _provision(row: Mapping[str, Any], side: str, source: str, folder: str) -> dict[str, Any]:
    parts = ("id", "doc", "label", "chapter", "path", "text", "context", "page", "sha256")
    made = {part: row[f"{side}_{part}"] for part in parts}
    # The heading path has its own place on the page.
    made["context"] = [line for line in (made["context"] or "").split("\n") if line and line != made["path"]]
    made["page"] = made["page"] or 0
    made["href"] = link(source, made["page"], folder)
    return made


def link(uri: str, page: int = 0, folder: str = "") -> str:
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
