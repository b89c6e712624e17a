"""Writes the labelled candidates of invented regulations with a key, for ``cross_encoder.further`` of `antinomy train`.

Each folder of bench/corpora has two regulations and a key of their related pairs. After a run of one of them, its
candidates are labelled by the key: those in the key, its look-alikes among them, and as unrelated some that are drawn
at random from those among the first three of either provision: others the cross-encoder seldom reads. Left out are
definitions, which it does not read, and candidates of provisions next to those of a key pair (above or below them).

    antinomy run --config bench/corpora/tokens/antinomy.yaml --run-id ID --set warehouse=FOLDER
    python bench/corpora_pairs.py --warehouse FOLDER --run-id ID --key bench/corpora/tokens/key.jsonl --out tokens.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from antinomy.embed.units import nearest_heading
from antinomy.vocabulary import Relation

#: Last rank of an unrelated candidate that is drawn.
_LAST_RANK = 3


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warehouse", required=True, help="folder with the tables of the run")
    parser.add_argument("--run-id", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--unrelated", type=int, default=35, help="unrelated candidates that are drawn")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    table = {
        name: ds.dataset(f"{options.warehouse}/{name}/run_id={options.run_id}", partitioning="hive").to_table()
        for name in ("units", "similar")
    }
    units = {unit["unit_id"]: unit for unit in table["units"].to_pylist()}
    written = [json.loads(line) for line in Path(options.key).read_text("utf-8").splitlines()]
    key = [*written, *map(mirrored, written)]  # its sides need not be those of the run
    labelled, others = [], []
    for candidate in table["similar"].to_pylist():
        left, right = units[candidate["left_unit_id"]], units[candidate["right_unit_id"]]
        ids = left["section_id"], right["section_id"]
        texts = _side("left", left) | _side("right", right)
        ranks = [candidate[name] for name in ("rank_left", "rank_right") if candidate[name]]
        pair = next((pair for pair in key if _near(ids[0], pair["left"]) and _near(ids[1], pair["right"])), None)
        if pair is None and min(ranks) <= _LAST_RANK:
            others.append({"relation": Relation.NONE, "governs": None} | texts)
        elif pair and ids == (pair["left"], pair["right"]) and pair["relation"] != Relation.DEFINITION:
            labelled.append({"relation": pair["relation"], "governs": pair["governs"]} | texts)
    rows = labelled + random.Random(0).sample(others, min(len(others), options.unrelated))
    Path(options.out).write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    print(f"{len(labelled)} pairs of the key, {len(rows) - len(labelled)} others")


def mirrored(pair: dict[str, Any]) -> dict[str, Any]:
    """Return a pair of a key with its sides exchanged."""
    governs = {"left": "right", "right": "left", None: None}[pair["governs"]]
    return {"left": pair["right"], "right": pair["left"], "relation": pair["relation"], "governs": governs}


def _near(section: str, other: str) -> bool:
    return section == other or section.startswith(f"{other}__") or other.startswith(f"{section}__")


def _side(name: str, unit: dict[str, Any]) -> dict[str, str]:
    return {name: unit["unit_text"], f"{name}_heading": nearest_heading(unit["heading_path"])}


if __name__ == "__main__":
    main()
