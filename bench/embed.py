"""Embedding: texts and their clauses through the Spark stage against plain ``model.encode`` on the same texts.

    python bench/embed.py [--texts 3000]

Both have the same number of threads: Spark one per task on ``local[N]``, the plain call N. Spark's start is left out of
both sides, loading the model is in both. The stage's time is from the texts in Parquet to the cache written and read.
Target: at least 0.9 of the plain call's speed.
"""

import argparse
import hashlib
import os
import random
import tempfile
import time

import torch

from antinomy.embed.encoder import Encoder
from antinomy.embed.stage import embed
from antinomy.run.spark import spark_session
from antinomy.run.stage import Context
from antinomy.samples import FOLDER
from antinomy.settings import Settings
from antinomy.store import storage


def made_up(count: int) -> list[str]:
    """Texts of 20 to 180 words, as provisions are long, from the words of the samples."""
    words = (FOLDER / "eu-orr.txt").read_text().split()
    rng = random.Random(0)
    return [" ".join(rng.choices(words, k=rng.randint(20, 180))) for _ in range(count)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts", type=int, default=3000)
    arguments = options.parse_args()
    threads = os.cpu_count() or 1
    texts = made_up(arguments.texts)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate(
            {"run_id": "bench", "warehouse": f"{folder}/w", "out": f"{folder}/o",
             "spark": {"master": f"local[{threads}]"},
             "documents": [{"doc_id": "bench", "path": "bench", "regime": "eu"}]}
        )  # fmt: skip
        torch.set_num_threads(threads)
        begun = time.perf_counter()
        Encoder("packaged", adapted=False).encode(texts, settings.embed.batch_size)
        plain = time.perf_counter() - begun
        print(f"model.encode, {threads} threads: {len(texts):,} texts in {plain:.1f} s ({len(texts) / plain:.1f}/s)")
        spark = spark_session(settings.spark, "antinomy-bench", folder)
        rows = [(hashlib.sha256(text.encode()).hexdigest(), "", text, True) for text in texts]
        uri = storage.join(folder, "texts")
        frame = spark.createDataFrame(rows, "text_sha256 string, heading string, text string, with_clauses boolean")
        frame.write.parquet(uri)
        context = Context(settings, lambda: spark)
        begun = time.perf_counter()
        count = embed(context, spark.read.parquet(uri))[0].count()
        stage = time.perf_counter() - begun
        print(f"embed stage, local[{threads}]: {count:,} texts in {stage:.1f} s ({count / stage:.1f}/s)")
        print(f"ratio of speeds {plain / stage:.2f} (target ≥ 0.90)")
        spark.stop()


if __name__ == "__main__":
    main()
