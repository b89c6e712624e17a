"""A cascade: a cheap judge goes first, and the server is not asked about the pairs that it settles as harmless."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from antinomy.judge.protocol import Judge, Pair, Verdict
from antinomy.vocabulary import Relation, VerdictStatus

if TYPE_CHECKING:
    from pyspark.sql import Column

#: Relations that need no explanation.
HARMLESS = (Relation.NONE, Relation.OVERLAP)


def settles(verdict: Verdict, below: float) -> bool:
    """Tell whether the verdict of the first judge settles a pair.

    It does if the relation is harmless and a conflict is less probable than ``below``. Errors and all that an analyst
    would read go to the next judge.
    """
    conflict_unlikely = verdict.p_conflict is not None and verdict.p_conflict < below
    return verdict.status == VerdictStatus.OK and verdict.relation in HARMLESS and conflict_unlikely


def settled_rows(below: float) -> Column:
    """Return ``settles`` as a condition on rows of verdicts; never null."""
    from pyspark.sql import functions as F

    condition = (F.col("status") == "ok") & F.col("relation").isin(*HARMLESS) & (F.col("p_conflict") < below)
    return F.coalesce(condition, F.lit(False))


class Cascade:
    """Two judges as one (``protocol.Judge``), to be measured; the stage runs them one by one, since it caches both.

    Attributes:
        judges: both, in the order in which they are asked.

    Args:
        first: the cheap judge.
        then: judges the pairs that the first does not settle.
        below: see ``settles``.
    """

    def __init__(self, first: Judge, then: Judge, below: float) -> None:
        self.judges, self._below = (first, then), below
        self.name = f"{first.name}+{then.name}"
        self.model = f"{first.model}+{then.model}"
        self._identify()

    def _identify(self) -> None:
        decides = json.dumps([*(judge.prompt_sha256 for judge in self.judges), self._below])
        self.prompt_sha256 = hashlib.sha256(decides.encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> Cascade:
        """Return a cascade whose judges have their shares."""
        first, then = (judge.for_task(tasks, index) for judge in self.judges)
        return Cascade(first, then, self._below)

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair: the first judge's where it settles the pair, else the second's."""
        # The expected shares of a judge, and so its identity, may have changed.
        self._identify()
        first, then = self.judges
        pulled: dict[str, Pair] = {}
        settled: deque[Verdict] = deque()

        def all_pairs() -> Iterator[Pair]:
            for pair in pairs:
                pulled[pair.pair_key] = pair
                yield pair

        def open_pairs() -> Iterator[Pair]:
            for verdict in first.judge(all_pairs()):
                pair = pulled[verdict.pair_key]
                if settles(verdict, self._below):
                    settled.append(verdict)
                else:
                    yield pair

        for verdict in then.judge(open_pairs()):
            while settled:
                yield settled.popleft()
            yield verdict
        yield from settled
