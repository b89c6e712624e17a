"""Candidate pairs of invented texts in a warehouse, as the link stage leaves them: the judge stage can start."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from antinomy import settings as settings_module
from antinomy.link.result import LinkResult
from antinomy.run.stage import Stage, execute
from antinomy.settings import Settings
from antinomy.store import tables
from judge.server import MODEL


def texts(lefts: int, neighbours: int) -> list[tuple[str, str]]:
    """Return pairs of texts: the tests' server finds every third in conflict, the others unrelated."""
    made = []
    for i in range(lefts):
        for j in range(neighbours):
            number = i * neighbours + j
            left = f"Reports on outages of branch {i} shall reach the supervisor within 72 hours of discovery."
            right = (
                f"Management must send reports on outages of branch {i} to the supervisor within {number + 100} hours."
                if number % 3 == 0
                else f"Paint may be blue ({number})."
            )
            made.append((left, right))
    return made


def prepare(folder: Path, pairs: Sequence[tuple[str, str]], *overrides: str) -> tuple[str, Settings]:
    """Write the tables that the judge stage reads; return the settings file and the settings."""
    config = folder / "settings.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(
        f"run_id: r\nwarehouse: {folder}/warehouse\nout: {folder}/out\n"
        "documents: [{doc_id: eu, path: eu, regime: eu}, {doc_id: us, path: us, regime: us}]\n"
        "spark: {master: 'local[2,4]', driver_memory: 1g}\n"
    )
    settings = settings_module.load(str(config), list(overrides))
    units = {}
    similar = []
    for left, right in pairs:
        ids = [_unit(units, "eu", left), _unit(units, "us", right)]
        similar.append(
            {"left_id": ids[0], "right_id": ids[1], "left_unit_id": ids[0], "right_unit_id": ids[1], "score": 0.5}
        )
    tables.write_rows(list(units.values()), settings.warehouse, "units", settings.run_id)
    tables.write_rows(similar, settings.warehouse, "similar", settings.run_id)
    linked = Stage("link", settings_used=lambda _: {}, upstream=(), run=lambda _: LinkResult(similar=len(similar)))
    execute(linked, settings, _no_session)
    return str(config), settings


def served(url: str, **more: object) -> list[str]:
    """Return settings for the tests' server, impatient, as overrides."""
    chosen = {"base_url": url, "model": MODEL, "timeout_s": 20, "max_retries": 1, "backoff_s": 0.01, **more}
    return ["judge.backend=openai", *(f"judge.openai.{key}={value}" for key, value in chosen.items())]


def verdicts(settings: Settings) -> pd.DataFrame:
    """Read the stage's table without what differs between equal runs."""
    frame = pd.read_parquet(Path(settings.warehouse) / "verdicts" / f"run_id={settings.run_id}")
    frame = frame.drop(columns=["judged_at", "latency_ms", "reused"])
    return frame.sort_values(["left_id", "right_id"]).reset_index(drop=True)


def _no_session() -> Any:
    raise AssertionError("nothing here needs Spark")


def _unit(units: dict[str, dict[str, object]], doc_id: str, text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    name = f"{doc_id}#{digest[:8]}"
    units[name] = {
        "unit_id": name, "section_id": name, "doc_id": doc_id, "regime": doc_id, "label": name, "heading_path": "",
        "unit_text": text, "context": "", "piece": 0, "unit_sha256": digest,
    }  # fmt: skip
    return name
