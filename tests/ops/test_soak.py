"""The reliability suite, `make soak`: after every fault the tables of an undisturbed run, or a clear stop.

From a stop the same command goes on to the same tables. Each test prints a row of the table in docs/operations.md.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from ops.conftest import ANTINOMY, ROOT, Place, descendants, wait_for

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

MakePlace = Callable[..., Place]


@pytest.fixture(scope="session")
def undisturbed(place: MakePlace) -> Place:
    made: Place = place()
    made.run("run")
    return made


def goes_on(disturbed: Place, process: subprocess.Popen[str], stage: str, *options: str) -> str:
    """Let a disturbed process end, run its stage again if it did not succeed, and tell what happened."""
    code, said = disturbed.end(process)
    if code == 0:
        return "goes on by itself; same tables"
    disturbed.run(stage, *options)
    return f"stops{f': “{said[10:90]}…”' if said else ''}; the same command completes, same tables"


def busy_workers(process: subprocess.Popen[str]) -> list[int]:
    """Return the Python workers of Spark that have worked for a while, not their daemon."""
    workers = [child for child in descendants(process, "pyspark.daemon") if child.children() == []]
    return [worker.pid for worker in workers if worker.cpu_times().user > 1.0]


def test_python_worker_killed(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("embed", cache="embeddings")
    process = disturbed.start("embed")
    wait_for(lambda: list(disturbed.warehouse.glob("units/run_id=r")) and busy_workers(process), process)
    for pid in busy_workers(process):
        os.kill(pid, signal.SIGKILL)
    outcome = goes_on(disturbed, process, "embed")
    disturbed.require_same(undisturbed, "embed")
    tell("Python worker killed while embedding", outcome)


def test_executor_killed(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("embed", cache="embeddings")
    # Real executors in processes of their own, so that there is another to go on.
    process = disturbed.start("embed", "--set", "spark.master='local-cluster[2,1,1024]'")
    wait_for(lambda: list(disturbed.warehouse.glob("units/run_id=r")), process)
    descendants(process, "CoarseGrainedExecutorBackend")[0].kill()
    code, said = disturbed.end(process)
    assert code == 0, said
    disturbed.require_same(undisturbed, "embed")
    tell("executor killed while embedding", "its tasks go to another; same tables")


def test_driver_killed(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("judge", cache="verdicts")
    process = disturbed.start("judge")
    wait_for(lambda: list(disturbed.warehouse.glob("cache/verdicts/*/*.parquet")), process)
    process.kill()
    outcome = goes_on(disturbed, process, "judge")
    disturbed.require_same(undisturbed, "judge")
    tell("driver killed while judging", outcome)


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system needs root")
def test_disk_full(place: MakePlace, undisturbed: Place, tmp_path: Path, tell: Callable[[str, str], None]) -> None:
    used = sum(file.stat().st_size for file in undisturbed.warehouse.rglob("*") if file.is_file())
    small = tmp_path / "small"
    small.mkdir()
    # Kept in pages of 4 KiB, and a little for the first files that are written.
    pages = sum(1 for _ in undisturbed.warehouse.rglob("*")) * 4096
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + pages}", "tmpfs", small], check=False).returncode:
        pytest.skip("this root may not mount")
    try:
        disturbed = place(undisturbed, warehouse=small / "warehouse").forget("embed", cache="embeddings")
        free = shutil.disk_usage(small).free
        (small / "filler").write_bytes(b"x" * max(0, free - 60_000))
        process = disturbed.start("embed")
        code, said = disturbed.end(process)
        assert code == 2
        assert "No space left on device" in said
        assert not (disturbed.warehouse / "_stages/run_id=r/embed.json").exists()
        (small / "filler").unlink()
        disturbed.run("embed")
        disturbed.require_same(undisturbed, "embed")
        tell(
            "disk full while writing",
            "stops: “No space left on device: free some…”; the same command completes, same tables",
        )
    finally:
        subprocess.run(["umount", "--lazy", small], check=True)


def test_one_run_twice_at_once(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("judge", cache="verdicts")
    ends = [disturbed.end(process) for process in [disturbed.start("judge"), disturbed.start("judge")]]
    assert sorted(code for code, _ in ends) == [0, 2]
    (said,) = [said for code, said in ends if code == 2]
    assert "run r is being worked on by process" in said
    disturbed.require_same(undisturbed, "judge")
    tell("one run_id twice at once", "one wins, the other says so and ends (exit code 2); same tables")


def test_two_runs_on_the_same_caches(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("embed")
    shutil.rmtree(disturbed.warehouse / "cache")
    for name in ("_stages", "documents", "sections", "citations"):
        shutil.copytree(disturbed.warehouse / name / "run_id=r", disturbed.warehouse / name / "run_id=other")
    both = {
        name: disturbed.start("run", "--run-id", name, "--set", f"out={disturbed.folder}/{name}")
        for name in ("r", "other")
    }
    for name, process in both.items():
        assert disturbed.end(process)[0] == 0
        disturbed.require_same(undisturbed, "embed", "link", "judge", run_id=name)
    tell("two runs on the same caches at once", "both complete; same tables")


def test_damaged_cache(place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None]) -> None:
    disturbed = place(undisturbed).forget("embed")
    file = max(disturbed.warehouse.glob("cache/embeddings/*/*.parquet"), key=lambda file: file.stat().st_size)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x10
    file.write_bytes(bytes(data))
    for beside in file.parent.glob(".*.crc"):  # an object store has none
        beside.unlink()
    code, said = disturbed.end(disturbed.start("embed"))
    assert (code, file.name in said) == (2, True)
    done = subprocess.run([ANTINOMY, "verify", "--warehouse", disturbed.warehouse, "--rebuild"], check=False)
    assert done.returncode == 0
    disturbed.run("embed")
    disturbed.require_same(undisturbed, "embed")
    tell(
        "one bit flipped in a cached file",
        "stops and names it; after `antinomy verify --rebuild` the same command completes, same tables",
    )


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler, to build what sets a clock back")
def test_clock_going_backwards(
    place: MakePlace, undisturbed: Place, tmp_path: Path, tell: Callable[[str, str], None]
) -> None:
    library, signal_file = tmp_path / "set_back.so", tmp_path / "now"
    source = Path(__file__).with_name("set_back.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    disturbed = place(undisturbed).forget("judge", cache="verdicts")
    process = disturbed.start("judge", env={"LD_PRELOAD": str(library), "SET_BACK": str(signal_file)})
    # The judge has begun: Spark's processes, the lock and the stage's clock all have read the time before.
    wait_for(lambda: busy_workers(process), process)
    signal_file.touch()
    outcome = goes_on(disturbed, process, "judge")
    disturbed.require_same(undisturbed, "judge")
    marker = json.loads((disturbed.warehouse / "_stages/run_id=r/judge.json").read_text())
    assert marker["finished_at"] < marker["started_at"], "the clock did not go back"
    assert marker["seconds"] >= 0
    tell("clock set back by two days while judging", outcome)


class Server:
    """The stub that speaks the judge's API, as a process that can go and come back."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        script = str(ROOT / "tests/judge/server.py")
        self.process = subprocess.Popen([sys.executable, script, "--port", str(self.port), "--latency", "0.1"])

    def answered(self) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/stats", timeout=5) as page:
                return int(json.load(page)["count"])
        except OSError:
            return 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def test_server_down_for_a_minute(
    place: MakePlace, undisturbed: Place, tell: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server()
    key = "sk-VerySecret0123456789"
    monkeypatch.setenv("JUDGE_KEY", key)
    options = [
        "--set", "judge.backend=openai", "--set", f"judge.openai.base_url=http://127.0.0.1:{server.port}/v1",
        "--set", "judge.openai.model=judge", "--set", "judge.openai.max_in_flight=8",
        "--set", "judge.openai.api_key_env=JUDGE_KEY", "--run-id", "served",
    ]  # fmt: skip
    started = []
    try:
        for _ in range(2):
            new = place(undisturbed).forget("judge", cache="verdicts")
            for name in ("_stages", "units", "similar"):
                (new.warehouse / name / "run_id=r").rename(new.warehouse / name / "run_id=served")
            started.append(new)
        calm, disturbed = started
        calm.run("judge", *options)
        before = server.answered()
        process = disturbed.start("judge", *options)
        wait_for(lambda: server.answered() > before + 100, process)
        server.kill()
        time.sleep(60)
        server.start()
        outcome = goes_on(disturbed, process, "judge", *options)
        if "verdict" in (disturbed.folder / "0.err").read_text():
            outcome = "pairs that it missed become errors with their reason; the same command judges them, same tables"
            disturbed.run("judge", *options)
        mine, theirs = disturbed.table("verdicts", "served"), calm.table("verdicts", "served")
        assert mine.drop(columns="error").equals(theirs.drop(columns="error"))
        tell("model server down for 60 s", outcome)
        written = [file for one in started for file in one.folder.rglob("*") if file.is_file()]
        assert not [file for file in written if key.encode() in file.read_bytes()]
        assert key not in mine.to_csv()
    finally:
        server.kill()
