"""Counts what the judge stage did, for the manifest: verdicts, calls, tokens, errors by reason, and each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from antinomy.judge.result import JudgeResult, Step
from antinomy.run.stage import Context
from antinomy.vocabulary import VerdictStatus

_Row = dict[str, Any]
_SUMMED = ("calls", "input_tokens", "cached_tokens", "output_tokens", "explain_calls", "explain_tokens")


def account(ctx: Context, judged: int, judges: list[str], seconds: dict[str, float]) -> JudgeResult:
    """Count what the stage did; if pairs have no verdict, mark the stage as partial with the reasons.

    Args:
        ctx: of the stage, with ``verdicts`` written.
        judged: number of pairs that the last judge judged in this call.
        judges: names, in the order in which they were asked.
        seconds: duration of the judges: ``first`` in a cascade, and ``last``.

    Returns:
        The result without ``shares`` and ``server``.
    """
    rows, groups = _verdicts_by_outcome(ctx)
    paid_now = [row for row in groups if not row["reused"]]
    judged_rows = [row for row in rows if row["status"] != VerdictStatus.ERROR]
    errors = _count_by((row for row in rows if row["status"] == VerdictStatus.ERROR), lambda row: row["reason"])
    result = JudgeResult(
        verdicts=_total(rows, "pairs"),
        calls=_total(paid_now, "calls"),
        input_tokens=_total(paid_now, "input_tokens"),
        cached_tokens=_total(paid_now, "cached_tokens"),
        output_tokens=_total(paid_now, "output_tokens"),
        calls_saved_by_cache=_total((row for row in groups if row["reused"]), "calls"),
        judged_now=judged,
        status=_count_by(rows, lambda row: row["status"]),
        relations=_count_by(judged_rows, lambda row: row["relation"]),
        errors=errors,
        steps=_steps(ctx, groups, judges, seconds),
    )
    if errors:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in errors.items())
        bounds = _describe_budget(ctx) if "budget" in errors else ""
        left = f"{sum(errors.values()):,} pairs have no verdict yet"
        ctx.partial = f"{left} ({reasons}{bounds}); the same command judges them again"
    if ctx.settings.judge.backend != "openai":
        return result
    cost = ctx.settings.judge.openai.price.cost(result.input_tokens, result.cached_tokens, result.output_tokens)
    return result.model_copy(update={"cost": round(cost, 4)})


def _verdicts_by_outcome(ctx: Context) -> tuple[list[_Row], list[_Row]]:
    """Return how many verdicts there are by status, relation and reason, and what they cost; needs no Spark.

    Returns:
        Rows with status, relation, reason and ``pairs``, their number; and rows with judge, reused, failed, explained,
        ``pairs`` and the sums of _SUMMED, in which a verdict on texts that stand in several places counts once: it was
        paid for once.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    outcome = ("pair_key", "status", "relation", "error", "judge", "reused")
    table = ctx.arrow("verdicts", (*outcome, *_SUMMED))
    reason = pc.replace_substring_regex(table["error"], ":(?s:.*)", "")
    rows = table.append_column("reason", reason).group_by(["status", "relation", "reason"])
    first = np.unique(table["pair_key"].to_numpy(), return_index=True)[1]
    once = table.take(pa.array(first))
    once = once.append_column("failed", pc.equal(once["status"], VerdictStatus.ERROR.value))
    once = once.append_column("explained", pc.fill_null(pc.greater(once["explain_calls"], 0), False))
    costs = once.group_by(["judge", "reused", "failed", "explained"])
    counted: list[tuple[Any, str]] = [([], "count_all")]
    return (
        rows.aggregate(counted).rename_columns(["status", "relation", "reason", "pairs"]).to_pylist(),
        costs.aggregate([*counted, *((name, "sum") for name in _SUMMED)])
        .rename_columns(["judge", "reused", "failed", "explained", "pairs", *_SUMMED])
        .to_pylist(),
    )


def _describe_budget(ctx: Context) -> str:
    """Name the limits on the spending of the run."""
    bounds = ctx.settings.judge.openai.budget.model_dump(exclude_none=True)
    return f": judge.openai.budget is {', '.join(f'{bound:,} {name}' for name, bound in bounds.items())} for the run"


def _steps(ctx: Context, groups: list[_Row], judges: list[str], seconds: dict[str, float]) -> tuple[Step, ...]:
    """Return the steps: the first judge of a cascade, then the last judge; the served judge has a step per question."""
    orders = 2 if ctx.settings.judge.openai.both_orders else 1
    last = [row for row in groups if row["judge"] == judges[-1]]
    asked = _total(last, "pairs")
    steps: tuple[Step, ...] = ()
    if len(judges) > 1:
        settled = _total(groups, "pairs") - asked
        steps = (_local_step(judges[0], settled, asked, settled * orders, seconds["first"]),)
    if ctx.settings.judge.backend != "openai":
        return (*steps, _local_step(judges[-1], asked, 0, 0, seconds["last"]))
    explained = [row for row in last if row["explained"]]
    screened = [row for row in last if not row["explained"] and not row["failed"]]
    paid_now = [row for row in last if not row["reused"]]
    tokens = _total(paid_now, "input_tokens") + _total(paid_now, "output_tokens")
    settled, passed_on = _total(screened, "pairs"), _total(explained, "pairs")
    screen = Step(
        step="screen",
        settled=settled,
        passed_on=passed_on,
        errors=asked - settled - passed_on,
        calls=_total(paid_now, "calls") - _total(paid_now, "explain_calls"),
        tokens=tokens - _total(paid_now, "explain_tokens"),
        calls_avoided=settled * orders,
        seconds=seconds["last"],
    )
    answered = _total((row for row in explained if not row["failed"]), "pairs")
    explain = Step(
        step="explain",
        settled=answered,
        passed_on=0,
        errors=passed_on - answered,
        calls=_total(paid_now, "explain_calls"),
        tokens=_total(paid_now, "explain_tokens"),
        calls_avoided=0,
        # Both questions are asked at the same time, so the time of the screen covers both.
        seconds=None,
    )
    return (*steps, screen, explain)


def _local_step(name: str, settled: int, passed_on: int, calls_avoided: int, seconds: float) -> Step:
    """Return the step of a judge without a server, which gives every pair a verdict."""
    return Step(
        step=name, settled=settled, passed_on=passed_on, errors=0, calls=0, tokens=0, calls_avoided=calls_avoided,
        seconds=seconds,
    )  # fmt: skip


def _total(rows: Iterable[_Row], name: str) -> int:
    return sum(row[name] or 0 for row in rows)


def _count_by(rows: Iterable[_Row], key: Callable[[_Row], str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[key(row)] += row["pairs"]
    return dict(counts)
