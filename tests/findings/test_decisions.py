"""Decisions are kept for good, and hold while the texts are those that they were about."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from antinomy.errors import AntinomyError, StorageError
from antinomy.findings import decisions
from report import invented

NOTICE = invented.finding(invented.KNOWN[0], 1)


def test_a_decision_says_who_when_why_and_on_which_texts(tmp_path: Path) -> None:
    warehouse = str(tmp_path)
    assert decisions.read(warehouse) == []
    made = decisions.record(warehouse, "quarter-2", NOTICE, "confirm", " A. Analyst ", "Legal agrees.")
    assert decisions.read(warehouse) == [made]
    assert (made["reviewer"], made["decision"], made["note"]) == ("A. Analyst", "confirm", "Legal agrees.")
    assert made["left_sha256"] == invented.NOTICE_EU.sha256
    assert made["right_sha256"] == invented.NOTICE_US.sha256
    assert (made["judge"], made["prompt_sha256"], made["p_conflict"]) == ("norms", "d4" * 32, 0.97)
    assert made["decided_at"].endswith("+00:00")


def test_the_last_word_counts_and_no_word_is_lost(tmp_path: Path) -> None:
    warehouse = str(tmp_path)
    before = decisions.fingerprint(warehouse)
    for word in ("confirm", "unsure", "reject"):
        decisions.record(warehouse, "quarter-2", NOTICE, word, "A")
        after = decisions.fingerprint(warehouse)
        assert after != before
        before = after
    said = decisions.read(warehouse)
    assert [row["decision"] for row in said] == ["confirm", "unsure", "reject"]
    last = decisions.latest(said)[NOTICE["finding_id"]]
    assert last["decision"] == "reject"
    assert decisions.still_applies(last, NOTICE)
    # The settings may turn the sides round; the texts may not change.
    assert decisions.still_applies(last, {"left_sha256": NOTICE["right_sha256"], "right_sha256": NOTICE["left_sha256"]})
    assert not decisions.still_applies(last, NOTICE | {"left_sha256": "0" * 64})


@pytest.mark.parametrize(
    ("word", "reviewer", "message"),
    [("yes", "A", "decision 'yes': give one of confirm, reject, unsure"), ("confirm", " ", "needs a reviewer")],
)
def test_half_a_decision_is_refused(tmp_path: Path, word: str, reviewer: str, message: str) -> None:
    with pytest.raises(AntinomyError, match=message):
        decisions.record(str(tmp_path), "r", NOTICE, word, reviewer)
    assert decisions.read(str(tmp_path)) == []


def test_a_decision_that_was_changed_is_found(tmp_path: Path) -> None:
    made = decisions.record(str(tmp_path), "r", NOTICE, "reject", "A", "no")
    (file,) = (tmp_path / "decisions").glob("part-*")
    table = pq.read_table(file)
    place = table.schema.get_field_index("decision")
    pq.write_table(table.set_column(place, table.schema.field(place), [["confirm"]]), file)
    with pytest.raises(StorageError, match=f"changed after they were recorded: {made['decision_id']}"):
        decisions.read(str(tmp_path))
