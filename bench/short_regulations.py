"""Writes labelled pairs of short invented regulations, for ``cross_encoder.further`` of `antinomy train`.

bench/short_regulations.jsonl has a pair of regulations in each line: the provisions of both sides (``id``, ``heading``,
``text``) and ``pairs``, the key. Whatever is not in the key is unrelated. So the nearest provisions of the other side
that are no counterparts are written as unrelated pairs: such neighbours are what candidates mostly are.

    python bench/short_regulations.py --out short.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from antinomy.embed.encoder import PACKAGED, Encoder, worker_encoder

FILE = Path(__file__).parent / "short_regulations.jsonl"


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neighbours", type=int, default=8, help="unrelated pairs per provision")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    encoder = worker_encoder(PACKAGED, "", "cpu", 256)
    written = 0
    with Path(options.out).open("w", encoding="utf-8") as out:
        for line in FILE.read_text("utf-8").splitlines():
            for pair in labelled(json.loads(line), encoder, options.neighbours):
                out.write(json.dumps(pair, ensure_ascii=False) + "\n")
                written += 1
    print(f"{written} pairs")


def labelled(regulations: dict[str, Any], encoder: Encoder, neighbours: int) -> Iterator[dict[str, Any]]:
    """Yield the pairs of the key, then for each left provision its nearest right ones that are not in the key."""
    left, right = regulations["left"], regulations["right"]
    known = {side: {p["id"]: p for p in regulations[side]} for side in ("left", "right")}
    key = {(pair["left"], pair["right"]): pair for pair in regulations["pairs"]}
    for (a, b), pair in key.items():
        relation = {"relation": pair["relation"], "governs": pair["governs"]}
        yield _row(regulations["name"], known["left"][a], known["right"][b]) | relation
    cosines = encoder.encode([p["text"] for p in left]) @ encoder.encode([p["text"] for p in right]).T
    for i, row in enumerate(np.argsort(-cosines, axis=1)):
        others = [right[j]["id"] for j in row if (left[i]["id"], right[j]["id"]) not in key]
        for b in others[:neighbours]:
            yield _row(regulations["name"], left[i], known["right"][b]) | {"relation": "none", "governs": None}


def _row(name: str, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{name}-{left['id']}-{right['id']}", "set": name, "left": left["text"], "right": right["text"],
        "left_heading": left["heading"], "right_heading": right["heading"],
    }  # fmt: skip


if __name__ == "__main__":
    main()
