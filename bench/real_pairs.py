"""Joins labels of real provisions with their texts, for `antinomy train` and `antinomy evaluate pairs`.

The labels (bench/real_labels.jsonl) name provisions and hashes of their texts; the texts of regulations are not part of
this project. They come from a run of one's own, and from files of texts for what no run has parsed:

    python bench/real_pairs.py --run out/warehouse/units/run_id=ID --texts csf=csf.jsonl --texts 80053=controls.jsonl \
        --out real.jsonl

The pairs are those that the packaged larger cross-encoder was fitted on; with --unread, those that it was not: other
candidates of the provisions in the labelled development set. A label whose text has another hash, since it was parsed
otherwise, is left out and counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq

LABELS = Path(__file__).with_name("real_labels.jsonl")


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="folder of a run's table `units`")
    parser.add_argument("--texts", action="append", default=[], metavar="NAME=FILE", help="JSON lines: id, text")
    parser.add_argument("--unread", action="store_true", help="the pairs that are left to measure on")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    texts = dict(pq.read_table(options.run, columns=["unit_id", "unit_text"]).to_pandas().itertuples(index=False))
    for name, _, path in (given.partition("=") for given in options.texts):
        rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
        texts |= {f"{name}#{row['id']}": row["text"] for row in rows}
    labels = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]
    labels = [label for label in labels if label["read"] != options.unread]
    pairs = [
        {key: label[key] for key in ("relation", "governs", "grade")} | {s: texts[label[s]] for s in ("left", "right")}
        for label in labels
        if all(sha256(texts.get(label[side], "")) == label[f"{side}_sha256"] for side in ("left", "right"))
    ]
    Path(options.out).write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs), "utf-8")
    print(f"{len(pairs)} of {len(labels)} labelled pairs have the texts that were labelled")


def sha256(text: str) -> str:
    """Return the hash by which a label knows its text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
