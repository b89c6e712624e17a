"""Parsing: the Spark stage against plain pypdf text extraction of the same pages in one process.

    python bench/parse.py --config conf/dora_ffiec.yaml --set data_root=FOLDER

Prints both times and their ratio (target: at most 1.3 on two cores). The stage's time is from the call to the tables
written; Spark's start is given apart.
"""

import argparse
import io
import tempfile
import time

from pypdf import PdfReader

from antinomy import settings
from antinomy.run import pipeline
from antinomy.run.stage import execute
from antinomy.store import storage


def plain(sources: list[str]) -> tuple[int, float]:
    """Extract every page's text; returns pages and seconds."""
    started = time.perf_counter()
    pages = 0
    for uri in sources:
        for page in PdfReader(io.BytesIO(storage.read_bytes(uri))).pages:
            page.extract_text()
            pages += 1
    return pages, time.perf_counter() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--config", required=True)
    options.add_argument("--set", action="append", default=[])
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = settings.load(arguments.config, [*arguments.set, f"warehouse={folder}/w", f"out={folder}/o"])
        pages, baseline = plain([source.uri for source in chosen.sources()])
        print(f"pypdf, one process: {pages} pages in {baseline:.1f} s ({pages / baseline:.0f} pages/s)")
        with pipeline.managed_session(chosen) as session:
            begun = time.perf_counter()
            session()
            print(f"Spark's start: {time.perf_counter() - begun:.1f} s")
            marker = execute(pipeline.load_stage("parse"), chosen, session)
        seconds = marker.seconds
        print(f"parse stage, {chosen.spark.master}: {seconds:.1f} s; ratio {seconds / baseline:.2f} (target ≤ 1.30)")


if __name__ == "__main__":
    main()
