"""Writes the labelled candidates of invented regulations with a key, for ``cross_encoder.further`` of `antinomy train`.

Each folder of bench/corpora has two regulations and a key of their related pairs. After a run of one of them, its
candidates are labelled by the key: those in the key, and others as unrelated. Left out are definitions, which the
cross-encoder does not read, candidates of provisions next to those of a key pair (above or below them), and unrelated
ones that are not among the first three of either provision, which it seldom reads.

    antinomy run --config bench/corpora/tokens/antinomy.yaml --run-id ID --set warehouse=FOLDER
    python bench/corpora_pairs.py --warehouse FOLDER --run-id ID --key bench/corpora/tokens/key.jsonl --out tokens.jsonl
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from antinomy.embed.units import nearest_heading
from antinomy.vocabulary import Relation

#: Last rank of an unrelated candidate that is written.
_LAST_RANK = 3


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warehouse", required=True, help="folder with the tables of the run")
    parser.add_argument("--run-id", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    table = {
        name: ds.dataset(f"{options.warehouse}/{name}/run_id={options.run_id}", partitioning="hive").to_table()
        for name in ("units", "similar")
    }
    units = {unit["unit_id"]: unit for unit in table["units"].to_pylist()}
    key = [json.loads(line) for line in Path(options.key).read_text("utf-8").splitlines()]
    rows = []
    for candidate in table["similar"].to_pylist():
        left, right = units[candidate["left_unit_id"]], units[candidate["right_unit_id"]]
        label = labelled(left["section_id"], right["section_id"], key)
        ranks = [candidate[name] for name in ("rank_left", "rank_right") if candidate[name]]
        if label and (label["relation"] != "none" or label["kind"] or min(ranks) <= _LAST_RANK):
            rows.append(label | _side("left", left) | _side("right", right))
    Path(options.out).write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    print(f"{len(rows)} pairs, {sum(row['relation'] != 'none' for row in rows)} related")


def labelled(left: str, right: str, key: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return ``relation``, ``kind`` and ``governs`` of a candidate, None where the key leaves it open.

    The kind is that of a look-alike of a conflict, so that it is told from other unrelated pairs; others have none.

    Args:
        left, right: ids of the sections.
        key: see bench/corpora/README.md; its sides need not be those of the run.
    """
    other = {"left": "right", "right": "left", None: None}
    for pair in key:
        for swapped, a, b in ((False, pair["left"], pair["right"]), (True, pair["right"], pair["left"])):
            if _near(left, a) and _near(right, b):
                if (left, right) != (a, b) or pair["relation"] == Relation.DEFINITION:
                    return None
                governs = other[pair["governs"]] if swapped else pair["governs"]
                kind = "other" if pair["kind"] == "lookalike" else None
                return {"relation": pair["relation"], "kind": kind, "governs": governs}
    return {"relation": "none", "kind": None, "governs": None}


def _near(section: str, other: str) -> bool:
    return section == other or section.startswith(f"{other}__") or other.startswith(f"{section}__")


def _side(name: str, unit: dict[str, Any]) -> dict[str, str]:
    return {name: unit["unit_text"], f"{name}_heading": nearest_heading(unit["heading_path"])}


if __name__ == "__main__":
    main()
