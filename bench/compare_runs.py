"""Compares two runs over the same documents, table by table: does a change of code change a result?

    python bench/compare_runs.py WAREHOUSE WAREHOUSE [--run RUN_ID]

Rows are compared by all columns but those that name a run, a moment, a duration or a version of the code. Prints each
table with its rows and how many stand on one side only, with the first of them; ends with 1 if any differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Any

from antinomy.store import schemas, storage, tables

#: What differs between two runs of the same code, or says with which code a row was made.
_OF_THE_RUN = frozenset(
    {"run_id", "call_id", "judged_at", "latency_ms", "prompt_sha256", "model", "finding_id", "pair_key", "seconds"}
)
#: Of floats so many digits count: another order of the same sums may change the last.
_DIGITS = 6


def plain(value: Any) -> Any:
    """Return a value that can be compared and counted."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return json.dumps({key: plain(held) for key, held in value.items()}, sort_keys=True, default=str)
    if isinstance(value, list | tuple):
        return tuple(plain(held) for held in value)
    return value


def rows(warehouse: str, table: str, run_id: str) -> Counter[tuple[tuple[str, Any], ...]]:
    """Return the rows of a run's table, each with how often it stands there."""
    found = tables.read_rows(warehouse, table, run_id)
    return Counter(tuple((name, plain(held)) for name, held in row.items() if name not in _OF_THE_RUN) for row in found)


def main() -> None:
    """Print the comparison; end with 1 if any table differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--run", default="", help="id of the run in both; default: their only one")
    given = parser.parse_args()
    differ = False
    for table in (name for name in schemas.TABLES if name != "runs"):
        sides = []
        for warehouse in (given.one, given.two):
            run = given.run or _only_run(warehouse)
            sides.append(rows(warehouse, table, run) if tables.has(warehouse, table, run) else Counter())
        one, two = sides
        gone, new = one - two, two - one
        print(
            f"{table:14} {one.total():7}, {two.total():7} rows; {gone.total()} only in one, {new.total()} only in two"
        )
        for name, some in (("one", gone), ("two", new)):
            for row in list(some)[:2]:
                print(f"    only in {name}: {dict(row)}"[:600])
        differ = differ or bool(gone or new)
    sys.exit(1 if differ else 0)


def _only_run(warehouse: str) -> str:
    found = [name.removeprefix("run_id=") for name in storage.list_names(storage.join(warehouse, "sections"))]
    runs = [name for name in found if not name.startswith("_")]
    if len(runs) != 1:
        sys.exit(f"{warehouse} holds {len(runs)} runs: name one by --run ({', '.join(runs)})")
    return runs[0]


if __name__ == "__main__":
    main()
