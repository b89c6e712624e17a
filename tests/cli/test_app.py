"""The console script answers before anything heavy is loaded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_HEAVY = ("pyspark", "py4j", "numpy", "pandas", "pyarrow", "torch", "sklearn", "scipy", "fsspec")
_SCRIPT = """
import json, sys
from antinomy.cli.app import main
sys.argv[0] = "antinomy"
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["run", "--help"], ["evaluate", "--help"], ["runs", "--help"]], ids=" ".join
)
def test_help_loads_nothing_that_takes_long(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT, *words], capture_output=True, text=True, check=True)
    assert done.stdout.strip()
    assert set(_HEAVY) & set(json.loads(done.stderr.splitlines()[-1])) == set()
