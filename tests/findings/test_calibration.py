"""Calibration on decisions: right where there are enough, refused where there are not."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from antinomy.cli import app as cli
from antinomy.errors import AntinomyError, SettingsError
from antinomy.findings import calibration, decisions
from antinomy.findings.calibration import Method, fit, load, store
from report import invented
from review import reviewed_run

JUDGE = ("norms", "norms-1", "d4" * 32)


def _decided(n: int, overconfident: float = 2.0) -> list[dict[str, Any]]:
    """Decisions of a reviewer for whom p is in truth p to the power of ``overconfident``."""
    rng = np.random.default_rng(5)
    given = rng.uniform(0, 1, n)
    right = rng.uniform(0, 1, n) < given**overconfident
    names = dict(zip(("judge", "model", "prompt_sha256"), JUDGE, strict=True))
    return [
        names
        | {
            "finding_id": f"{k}", "pair_key": f"{k}", "decision_id": f"{k}", "decided_at": f"{k:05}",
            "decision": "confirm" if yes else "reject", "relation": "conflict", "p_conflict": p,
        }
        for k, (p, yes) in enumerate(zip(given.tolist(), right.tolist(), strict=True))
    ]  # fmt: skip


@pytest.mark.parametrize(("method", "n"), [("platt", 300), ("isotonic", 1500)])
def test_probabilities_come_to_mean_what_reviewers_confirm(method: Method, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = fit(_decided(n), *JUDGE, method=method)
    probes = np.array([0.2, 0.4, 0.6, 0.8])
    assert np.abs(fitted(probes) - probes**2).max() < 0.12
    assert fitted.brier_after < fitted.brier_before - 0.01
    assert np.all(np.diff(fitted(np.linspace(0, 1, 50))) >= 0)
    assert np.isnan(fitted([np.nan])).all()
    assert (fitted.decided, fitted.method) == (n, method)


def test_only_what_says_yes_or_no_to_a_conflict_is_used() -> None:
    said = [
        ("confirm", "conflict", True),
        ("reject", "conflict", False),
        # Confirmed as something else, so it is none; a rejected `stricter` may still be one.
        ("confirm", "stricter", False),
        ("reject", "stricter", None),
        ("unsure", "conflict", None),
    ]
    for word, relation, expected in said:
        assert calibration.is_conflict({"decision": word, "relation": relation}) is expected
    rows = _decided(60)
    other_judge = [row | {"judge": "openai"} for row in _decided(90)]
    # A second word on each: it overrules the first, and they count once.
    again = [row | {"decided_at": "9", "decision_id": f"b{row['decision_id']}"} for row in rows]
    assert fit([*rows, *other_judge, *again], *JUDGE).decided == 60


@pytest.mark.parametrize(
    ("rows", "method", "message"),
    [
        ([], "platt", r"too few decisions.*0 confirmed conflicts and 0 findings that are none; platt needs 30"),
        (_decided(29), "platt", "platt needs 30, with at least 8 of each: decide more"),
        (_decided(200), "isotonic", "isotonic needs 300"),
        ([row | {"decision": "confirm"} for row in _decided(100)], "platt", "100 confirmed conflicts and 0 findings"),
        ([row | {"p_conflict": 1 - row["p_conflict"]} for row in _decided(200)], "platt", "do not rise with"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(rows: list[dict[str, Any]], method: Method, message: str) -> None:
    with pytest.raises(AntinomyError, match=message):
        fit(rows, *JUDGE, method=method)


def test_it_is_stored_with_the_hash_of_its_decisions_and_holds_for_one_judge(tmp_path: Path) -> None:
    fitted = fit(_decided(100), *JUDGE)
    store(fitted, str(tmp_path / "c.json"))
    assert load(str(tmp_path / "c.json")) == fitted
    assert fitted.decisions_sha256 == fit(_decided(100)[::-1], *JUDGE).decisions_sha256
    assert fitted.decisions_sha256 != fit(_decided(101), *JUDGE).decisions_sha256
    fitted.require_judge([("openai", "m", "abc"), JUDGE])
    fitted.require_judge([])
    with pytest.raises(SettingsError, match=r"fitted for the judge \(norms, norms-1, d4d4.*from \(openai, m, abc\)"):
        fitted.require_judge([("openai", "m", "abc")])
    (tmp_path / "c.json").write_text('{"method": "magic"}')
    with pytest.raises(SettingsError, match=r"c.json: method: .*judge: missing"):
        load(str(tmp_path / "c.json"))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = reviewed_run.write(tmp_path / "w")
    config = tmp_path / "c.yaml"
    config.write_text(
        f"run_id: {reviewed_run.RUN_ID}\nwarehouse: {warehouse}\nout: {tmp_path}/o\n"
        "documents: [{doc_id: a, path: a, regime: eu}, {doc_id: b, path: b, regime: us}]\n"
    )
    options = ["calibrate", "--config", str(config), "--output", str(tmp_path / "c.json")]
    monkeypatch.setattr(cli.app, "registered_commands", list(cli.app.registered_commands))
    from antinomy.cli.review import calibrate

    cli.app.command()(calibrate)
    refused = CliRunner().invoke(cli.app, options)
    assert isinstance(refused.exception, AntinomyError)
    assert not (tmp_path / "c.json").exists()
    finding = invented.finding(invented.KNOWN[0], 1)
    for n in range(40):
        p = (n + 0.5) / 40
        row = finding | {"finding_id": f"{n}", "pair_key": f"{n}", "p_judge": p}
        decisions.record(warehouse, "r", row, "confirm" if p > 0.5 or n % 7 == 0 else "reject", "A")
    done = CliRunner().invoke(cli.app, options)
    assert "platt on 40 decided findings" in done.stdout
    assert load(str(tmp_path / "c.json")).decided == 40
