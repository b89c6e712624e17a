"""The served judge's throughput beside what latency and concurrency allow, and the memory it takes.

``python bench/judge.py`` starts the tests' server in a process of its own and prints one line per
measurement.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from antinomy.judge.protocol import Pair, Provision
from antinomy.judge.served.journal import Journal
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.judge.tasks import CHUNK_PAIRS
from antinomy.settings.served import OpenAISettings

_SERVER = Path(__file__).resolve().parent.parent / "tests" / "judge" / "server.py"
_TEXT = (
    "Where a material outage of a payment service lasts longer than two hours, the institution shall tell "
    "the supervisor in writing and shall say what was affected, what caused it and what was done to mend it. "
)


def pairs(number: int, neighbours: int = 10) -> Iterator[Pair]:
    """Yield pairs of two texts of 80 to 160 words without numbers: only the screen is asked."""
    for i in range(number):
        left, right = i // neighbours, i % neighbours
        yield Pair(f"{i:032x}", _provision("l", left), _provision("r", right))


def _provision(side: str, i: int) -> Provision:
    text = " ".join([_TEXT * (2 + i % 3), f"Branch {chr(97 + i % 26) * 4}."])
    return Provision(f"{side}#{i}", f"{side}#{i}", f"{side} {i}", text, f"Chapter {i} {side}", f"{side}{i}")


def measure(latency_s: float, in_flight: int, number: int, both_orders: bool = True) -> None:
    folder = tempfile.TemporaryDirectory()
    server = subprocess.Popen(
        [sys.executable, str(_SERVER), "--latency", str(latency_s)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        settings = OpenAISettings(base_url=url, model="judge", max_in_flight=in_flight, both_orders=both_orders)
        # With a journal, as in the stage: no answer is used before it is written down.
        journal = Journal(str(Path(folder.name) / "answers.jsonl"), {})
        judge = OpenAIJudge(settings).recording(journal)
        marks, chunk = [], []
        started, cpu = time.monotonic(), time.process_time()
        done = 0
        for verdict in judge.judge(pairs(number)):
            assert verdict.status == "ok", verdict
            done += 1
            chunk.append(verdict.pair_key)
            if len(chunk) == CHUNK_PAIRS:
                journal.forget(chunk)
                chunk.clear()
            if done % max(1, number // 5) == 0:
                marks.append(_resident_mb())
        seconds, cpu_seconds = time.monotonic() - started, time.process_time() - cpu
        assert done == number
        with urllib.request.urlopen(url.removesuffix("/v1") + "/stats") as response:
            stats = json.load(response)
    finally:
        server.kill()
        server.wait()
        folder.cleanup()
    calls = stats["count"]
    rate, ideal = calls / seconds, in_flight / latency_s
    print(
        f"latency {latency_s * 1000:.0f} ms, {in_flight} in flight, {number} pairs, "
        f"{calls} calls: {seconds:.1f} s, {rate:.0f} calls/s, ideal {ideal:.0f}, ratio {rate / ideal:.3f}\n"
        f"  most in flight at the server {stats['most_in_flight']}, "
        f"{cpu_seconds / calls * 1000:.2f} ms CPU a call\n"
        f"  resident MB after each fifth of the pairs {marks}, peak {_peak_mb()}"
    )


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _resident_mb() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 2**20


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2560, help="for the throughput at 500 ms; 0 leaves it out")
    parser.add_argument("--memory-pairs", type=int, default=50_000, help="for the memory; 0 leaves it out")
    options = parser.parse_args()
    if options.pairs:
        measure(0.5, 128, options.pairs)
    if options.memory_pairs:
        measure(0.01, 128, options.memory_pairs, both_orders=False)
