"""The instruments that may be cited, read from ``instruments.yaml``: what differs between them is data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any

import yaml


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series of instruments that are told apart by their numbers; see ``series`` for how forms are written."""

    kind: str
    names: tuple[str, ...]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instruments:
    """The rows of ``instruments.yaml``, under the names that they have there."""

    kinds: dict[str, str]
    framework_decision: str
    communities: frozenset[str]
    authors: frozenset[str]
    treaties: dict[str, str]
    series: tuple[SeriesRow, ...]
    shapes: dict[str, dict[str, str | None]]
    codes: dict[str, list[str]]
    reports: dict[str, list[str]]
    statutes: dict[str, str]
    books: frozenset[str]
    numbered: frozenset[str]
    named_by_last_word: frozenset[str]

    @property
    def code_kinds(self) -> frozenset[str]:
        """Return the kinds of citation that codes make."""
        return frozenset(map(str.lower, self.codes))

    @property
    def codes_by_first_word(self) -> dict[str, list[str]]:
        """Return the names of codes and reports by their first words."""
        found: dict[str, list[str]] = {}
        for name in chain.from_iterable((*self.codes.values(), *self.reports.values())):
            found.setdefault(name.split()[0], []).append(name)
        return found


@cache
def instruments() -> Instruments:
    """Read the instruments, once."""
    text = resources.files("antinomy.cite").joinpath("instruments.yaml").read_text(encoding="utf-8")
    rows: dict[str, Any] = yaml.safe_load(text)
    series = tuple(SeriesRow(row["kind"], tuple(row["names"]), tuple(row["forms"])) for row in rows.pop("series"))
    fields = rows.pop("european") | rows
    sets: dict[str, Any] = {name: frozenset(row) if isinstance(row, list) else row for name, row in fields.items()}
    return Instruments(series=series, **sets)
