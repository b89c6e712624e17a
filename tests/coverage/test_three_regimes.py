"""Three regimes in one run, as a user starts it: what each has on each other, in the tables and on the page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pandas as pd
import pytest

from runs import BIN

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(900)]

RULES = """# {name}

## Article 1 Reporting

1. The operator shall notify the harbour authority of a serious incident within {hours} hours of its detection.

## Article 2 Backups

1. The operator shall test the restoration of its backups at least once every {months} months.

2. The operator shall keep the records of these tests for at least {years} years.
"""
CONFIG = """documents:
  - {path: north.md, regime: north}
  - {path: south.md, regime: south}
  - {path: west.md, regime: west}
"""


def test_each_regime_is_seen_against_each_other(tmp_path: Path) -> None:
    for name, hours, months, years in (("north", 24, 12, 5), ("south", 36, 3, 3), ("west", 72, 6, 7)):
        text = RULES.format(name=f"{name.title()} Rules", hours=hours, months=months, years=years)
        (tmp_path / f"{name}.md").write_text(text)
    (tmp_path / "three.yaml").write_text(CONFIG)
    command = [str(BIN / "antinomy"), "run", "--config", "three.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = pd.read_parquet(tmp_path / "out/warehouse/coverage/run_id=three")
    seen = rows[rows.state != "left_out"].groupby(["side", "other"]).size()
    sides = ("north", "south", "west")
    assert seen.to_dict() == {(one, two): 3 for one in sides for two in sides if one != two}
    page = (tmp_path / "out/three/report.html").read_text()
    assert "3 sides were compared, in 3 pairs" in page
    assert page.count('<table class="matrix">') == 1
