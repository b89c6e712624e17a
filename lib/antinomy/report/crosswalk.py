"""A crosswalk between the regulations as CSV, in the columns of a relationship mapping.

The focal element is the left one; ``coverage.relationship`` says what makes which relationship.

A pair that has no verdict (undecided, or an error) is not in the crosswalk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from antinomy.coverage.relationship import relationship
from antinomy.report.export import csv_bytes

#: Of a pair that was judged in pieces, the relation that comes first here stands.
_BY_GRAVITY = ("conflict", "definition", "stricter", "overlap", "none")
_JUDGED = (
    "left_id", "right_id", "left_unit_id", "right_unit_id", "relation", "governs", "kind", "status", "rationale",
    "p_conflict", "judge",
)  # fmt: skip


def crosswalk(verdicts: pa.Table, units: pa.Table) -> list[dict[str, Any]]:
    """Gather the pairs of a crosswalk.

    Args:
        verdicts: table ``verdicts``.
        units: table ``units``.

    Returns:
        One row per related pair of sections (the gravest verdict where pieces were judged apart), and one row
        without a right side per section that is related to nothing it was compared with: left_id, left_doc,
        left_label, left_text, the same for ``right``, and relation, governs, kind, status, rationale,
        p_conflict, judge; sorted by ids.
    """
    valid = pc.is_in(verdicts["status"], value_set=pa.array(["ok", "unverified"]))
    judged = verdicts.filter(pc.and_(pc.is_valid(verdicts["relation"]), valid)).select([*_JUDGED, "pair_key"])
    gravity = pc.index_in(judged["relation"], value_set=pa.array(_BY_GRAVITY))
    judged = judged.append_column("_gravity", gravity).sort_by(
        [("_gravity", "ascending"), ("p_conflict", "descending"), ("pair_key", "ascending")]
    )
    # Of a group the first row is kept, so it must be the one that stands first.
    groups = judged.group_by(["left_id", "right_id"], use_threads=False)
    gravest = groups.aggregate([(name, "first") for name in _JUDGED if name not in ("left_id", "right_id")])
    pairs = gravest.rename_columns([name.removesuffix("_first") for name in gravest.column_names]).to_pylist()
    related = [row for row in pairs if row["relation"] != "none"]
    compared = {row["left_id"]: row for row in pairs}
    for left in compared.keys() - {row["left_id"] for row in related}:
        related.append(compared[left] | {"right_unit_id": None, "rationale": ""})
    texts = {row["unit_id"]: row for row in units.select(["unit_id", "doc_id", "label", "unit_text"]).to_pylist()}
    for row in related:
        for side in ("left", "right"):
            unit = texts.get(row[f"{side}_unit_id"], {})
            for part, column in (("doc", "doc_id"), ("label", "label"), ("text", "unit_text")):
                row[f"{side}_{part}"] = unit.get(column)
    return sorted(related, key=lambda row: (row["left_id"], row["right_id"]))


def crosswalk_csv(pairs: Iterable[Mapping[str, Any]]) -> bytes:
    """Write the rows of ``crosswalk`` as CSV, in the columns of a relationship mapping."""
    return csv_bytes([_mapped(pair) for pair in pairs])


def _mapped(pair: Mapping[str, Any]) -> dict[str, Any]:
    related = pair["relation"] != "none"
    comment = f"{pair['relation']}{', ' + pair['kind'] if pair['kind'] else ''}; judge {pair['judge']}"
    if pair["status"] == "unverified":
        comment += "; evidence not verified"
    return {
        "Focal Document": pair["left_doc"],
        "Focal Document Element": pair["left_label"],
        "Focal Document Element Id": pair["left_id"],
        "Focal Document Element Description": pair["left_text"],
        # The pairs are compared by what they mean, not by their words or their results.
        "Rationale": "Semantic" if related else "",
        "Relationship": relationship(
            pair["relation"], pair["governs"] == "left", pair["left_text"], pair["right_text"] or ""
        ),
        "Reference Document": pair["right_doc"] if related else "",
        "Reference Document Element": pair["right_label"] if related else "",
        "Reference Document Element Id": pair["right_id"] if related else "",
        "Reference Document Element Description": pair["right_text"] if related else "",
        "Comments": f"{comment}. {pair['rationale']}".strip() if related else "among the pairs compared",
    }
