"""Joins labels of real provisions with their texts, for `antinomy train` and `antinomy evaluate pairs`.

The labels of pairs of real provisions (bench/real_labels.jsonl) and of real provisions beside invented ones, written in
the words of another jurisdiction (bench/real_rewritten.jsonl), name provisions and hashes of their texts; the texts of
regulations are not part of this project. They come from a run of one's own, and from files of texts for what no run has
parsed:

    python bench/real_pairs.py --run out/warehouse/units/run_id=ID --texts csf=csf.jsonl --texts 80053=controls.jsonl \
        --out real.jsonl [--rewritten] [--sample 2000]

The pairs are those that the packaged cross-encoder or the packaged encoder was fitted on, with --sample some of them,
drawn at random; with --unread, those that neither was. A label whose text has another hash, since it was parsed
otherwise, is left out and counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from pathlib import Path

import pyarrow.parquet as pq

from antinomy.embed.units import nearest_heading

FOLDER = Path(__file__).parent


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="folder of a run's table `units`")
    parser.add_argument("--texts", action="append", default=[], metavar="NAME=FILE", help="JSON lines: id, text")
    parser.add_argument("--unread", action="store_true", help="the pairs that are left to measure on")
    parser.add_argument("--rewritten", action="store_true", help="real provisions beside invented ones")
    parser.add_argument("--sample", type=int, help="number of pairs that are drawn; without it all")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    units = pq.read_table(options.run, columns=["unit_id", "unit_text", "heading_path"]).to_pylist()
    texts = {unit["unit_id"]: unit["unit_text"] for unit in units}
    headings = {unit["unit_id"]: nearest_heading(unit["heading_path"]) for unit in units}
    for name, _, path in (given.partition("=") for given in options.texts):
        rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
        texts |= {f"{name}#{row['id']}": row["text"] for row in rows}
    file = FOLDER / ("real_rewritten.jsonl" if options.rewritten else "real_labels.jsonl")
    labels = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    labels = [label for label in labels if label["read"] != options.unread]
    pairs = []
    for label in labels:
        # An invented side stands in the label itself.
        sides = {side: label.get(f"{side}_text") or texts.get(label[side], "") for side in ("left", "right")}
        hashes = {side: label[f"{side}_sha256"] for side in sides if f"{side}_sha256" in label}
        if all(sha256(sides[side]) == digest for side, digest in hashes.items()):
            behind = {f"{side}_heading": headings.get(label.get(side), "") for side in sides}
            pairs.append({key: label.get(key) for key in ("relation", "governs", "grade")} | sides | behind)
    found = len(pairs)
    if options.sample is not None and options.sample < found:
        pairs = random.Random(0).sample(pairs, options.sample)
    Path(options.out).write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs), "utf-8")
    print(f"{found} of {len(labels)} labelled pairs have the texts that were labelled")


def sha256(text: str) -> str:
    """Return the hash by which a label knows its text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
