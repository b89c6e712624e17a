"""The pairs that come nearest to a conflict without being a finding."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from antinomy.findings import build as findings

if TYPE_CHECKING:
    from antinomy.findings.calibration import Calibration

#: Most pairs that are shown.
NEAREST = 25
#: The first of these are shown in any case, the others from this probability of a conflict on.
_FIRST, _POSSIBLE = 5, 0.05


def nearest_pairs(
    verdicts: pa.Table,
    units: pa.Table,
    sections: pa.Table,
    documents: pa.Table,
    listed: Collection[str],
    calibration: Calibration | None = None,
) -> list[dict[str, Any]]:
    """Find the pairs with the highest probability of a conflict that are not findings.

    Args:
        verdicts, units, sections, documents: tables of this run.
        listed: ids of the findings.
        calibration: as for the findings.

    Returns:
        At most ``NEAREST`` rows in the columns of ``findings`` (what a pair that is no finding has not, is None), the
        highest probability first; all but the first five have 5 % or more.
    """
    decided = verdicts.filter(pc.and_(pc.is_valid(verdicts["relation"]), pc.is_valid(verdicts["p_conflict"])))
    ranked = findings.calibrated(decided, calibration).sort_by(
        [("p_conflict", "descending"), ("pair_key", "ascending")]
    )
    chosen = []
    for batch in ranked.to_batches(max_chunksize=4 * NEAREST):
        for row in batch.to_pylist():
            name = findings.finding_id(row["left_id"], row["right_id"])
            if name not in listed:
                chosen.append(row | {"finding_id": name})
        if len(chosen) >= NEAREST:
            break
    near = [row for n, row in enumerate(chosen[:NEAREST]) if n < _FIRST or row["p_conflict"] >= _POSSIBLE]
    return findings.with_texts(near, units, sections, documents)
