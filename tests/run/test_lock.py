"""One process at a time works on a run, whatever became of the one before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from antinomy.cli import app as cli
from antinomy.errors import LockError
from antinomy.run import lock
from antinomy.run.lock import Holder, holder_of, run_lock
from antinomy.store import storage

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = Holder("x", "far-away", "another boot", 7, "1", "2031-01-01T00:00:00+00:00")


@pytest.fixture
def bucket(s3: object) -> str:
    return "s3a://store"


@pytest.fixture(params=["file", "memory", "s3"])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "s3":
        return f"{request.getfixturevalue('bucket')}/{tmp_path.name}"
    return str(tmp_path) if request.param == "file" else f"memory://{tmp_path.name}"


def put(warehouse: str, number: int, holder: Holder) -> None:
    storage.write_json(f"{lock.locks_folder(warehouse, 'r')}/{number:06d}.json", asdict(holder))


def take(warehouse: str, stale_after_s: float = 0.5) -> None:
    with run_lock(warehouse, "r", heartbeat_s=0.05, stale_after_s=stale_after_s):
        pass


def test_the_second_is_told_who_works_on_the_run(warehouse: str) -> None:
    with run_lock(warehouse, "r"):
        with pytest.raises(LockError, match=rf"run r is being worked on by process {os.getpid()} on .*--run-id"):
            take(warehouse)
        with run_lock(warehouse, "other"):
            pass
    take(warehouse)
    assert holder_of(warehouse, "r") is None
    assert len(storage.list_names(lock.locks_folder(warehouse, "r"))) == 1


def test_a_lock_that_another_process_made_is_seen_although_the_folder_was_listed_before(bucket: str) -> None:
    with run_lock(f"{bucket}/w", "r"):
        pass
    code = f"from antinomy.run.lock import run_lock\nwith run_lock('{bucket}/w', 'r'): input()"
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: holder_of(f"{bucket}/w", "r") is not None, seconds=60)
        with pytest.raises(LockError, match=f"process {other.pid} "):
            take(f"{bucket}/w")
    finally:
        other.communicate("\n", timeout=60)
    take(f"{bucket}/w")


def test_of_many_at_once_one_wins(tmp_path: Path) -> None:
    won: list[int] = []
    lost: list[LockError] = []
    start, end = threading.Barrier(8), threading.Event()

    def contend(number: int) -> None:
        start.wait()
        try:
            with run_lock(str(tmp_path), "r"):
                won.append(number)
                end.wait(10)
        except LockError as error:
            lost.append(error)

    threads = [threading.Thread(target=contend, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    while len(won) + len(lost) < 8:
        time.sleep(0.01)
    end.set()
    for thread in threads:
        thread.join()
    assert len(won) == 1


def test_a_killed_process_leaves_a_lock_that_is_taken_over_at_once(tmp_path: Path) -> None:
    code = (
        "import os, signal; from antinomy.run.lock import run_lock\n"
        f"with run_lock({str(tmp_path)!r}, 'r'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    take(str(tmp_path), stale_after_s=60)


def test_a_process_id_that_came_again_is_another_process(warehouse: str) -> None:
    me = lock._this_process()
    put(warehouse, 1, replace(me, start="1"))
    take(warehouse, stale_after_s=60)


def test_a_silent_machine_loses_its_lock_and_a_living_one_keeps_it(warehouse: str) -> None:
    put(warehouse, 3, ELSEWHERE)
    assert holder_of(warehouse, "r") == ELSEWHERE
    take(warehouse)

    put(warehouse, 9, ELSEWHERE)
    stop = threading.Event()

    def beat() -> None:
        number = 0
        while not stop.wait(0.02):
            put(warehouse, 9, replace(ELSEWHERE, beat=(number := number + 1)))

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        with pytest.raises(LockError, match="process 7 on far-away"):
            take(warehouse, stale_after_s=5)
    finally:
        stop.set()
        beating.join()


def test_the_clock_does_not_matter(warehouse: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with run_lock(warehouse, "r"):
        monkeypatch.setattr(time, "time", lambda: 0.0)
        with pytest.raises(LockError):
            take(warehouse)
    put(warehouse, 9, replace(ELSEWHERE, since="2999-01-01T00:00:00+00:00"))
    take(warehouse)


def test_a_lock_that_was_made_but_never_written_is_watched_and_taken_over(warehouse: str) -> None:
    storage.write_bytes(f"{lock.locks_folder(warehouse, 'r')}/000001.json", b"")
    take(warehouse)


def test_who_was_taken_over_may_publish_nothing_more(warehouse: str) -> None:
    with run_lock(warehouse, "r", heartbeat_s=60) as require_lock:
        require_lock()
        put(warehouse, 2, ELSEWHERE)
        with pytest.raises(LockError, match="taken over by another process"):
            require_lock()
    assert json.loads(storage.read_bytes(f"{lock.locks_folder(warehouse, 'r')}/000002.json"))["released"] is False


def test_where_two_created_one_file_the_first_finds_out_before_it_publishes(warehouse: str) -> None:
    # HDFS through Arrow cannot create exclusively: the later one's file replaces the first's.
    with run_lock(warehouse, "r", heartbeat_s=60) as still_mine:
        still_mine()
        put(warehouse, 1, ELSEWHERE)
        with pytest.raises(LockError, match="taken over by another process"):
            still_mine()
    assert holder_of(warehouse, "r") == ELSEWHERE, "the other's file is left alone"


def test_the_holder_gives_signs_of_life(warehouse: str) -> None:
    def seen() -> int:
        holder = holder_of(warehouse, "r")
        assert holder
        return holder.beat

    with run_lock(warehouse, "r", heartbeat_s=0.02):
        wait_for(lambda: seen() > 2)


def wait_for(condition: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_command_line_says_it_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--set", f"warehouse={tmp_path}/w", "--set", f"out={tmp_path}/o"]
    monkeypatch.setattr(sys, "argv", ["antinomy", "run", "--config", "conf/demo.yaml", *options])
    monkeypatch.chdir(ROOT)
    with run_lock(f"{tmp_path}/w", "demo"), pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"antinomy: run demo is being worked on by process {os.getpid()} on ")
    assert not (tmp_path / "w/documents").exists()
