"""A run of the invented findings in a warehouse, as the stages would have left it; no Spark is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antinomy.store import tables
from report import invented

RUN_ID = invented.RUN["run_id"]


def write(warehouse: Path, rows: list[dict[str, Any]] | None = None) -> str:
    """Write the tables that reviewing and exploring read; returns the warehouse."""
    findings = invented.findings() if rows is None else rows
    sections: dict[str, dict[str, Any]] = {}
    for row in findings:
        for side in ("left", "right"):
            sections[row[f"{side}_id"]] = {
                "section_id": row[f"{side}_id"], "doc_id": row[f"{side}_doc"], "type": "paragraph",
                "label": row[f"{side}_label"], "heading": "", "position": row[f"{side}_page"],
            }  # fmt: skip
    similar = [
        {"left_id": row["left_id"], "right_id": row["right_id"], "cosine": 0.5 + n / 20, "rank_left": n + 1}
        for n, row in enumerate(findings)
    ]
    citations = [
        {"src_section_id": a, "target_section_id": b, "resolution": "exact" if b else "external"}
        for a, b in ((invented.FILER_EU.id, invented.NOTICE_EU.id), (invented.NOTICE_EU.id, None))
    ]
    of_table: dict[str, list[dict[str, Any]]] = {
        "findings": findings, "documents": invented.DOCUMENTS, "sections": list(sections.values()),
        "similar": similar, "verdicts": findings, "citations": citations, "runs": [invented.RUN],
        "coverage": [], "counterparts": [],
    }  # fmt: skip
    for table, made in of_table.items():
        tables.write_rows(made, str(warehouse), table, RUN_ID)
    return str(warehouse)
