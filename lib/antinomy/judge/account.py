"""What the judge stage did, for the manifest: verdicts, calls, tokens, errors by reason, and each step's share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from antinomy.run.stage import Context

_SUMMED = ("calls", "input_tokens", "cached_tokens", "output_tokens", "explain_calls", "explain_tokens")


def account(ctx: Context, judged: int, judges: list[str], seconds: dict[str, float]) -> None:
    """Count what the stage did into ``ctx.counts``.

    Args:
        ctx: of the stage, with ``verdicts`` written.
        judged: pairs that the last judge judged now.
        judges: names, in the order in which they were asked.
        seconds: that the steps took: ``first`` where there was a cheap one, ``last``.
    """
    from pyspark.sql import functions as F

    table = ctx.read("verdicts")
    rows = table.groupBy("status", "relation", F.substring_index("error", ":", 1).alias("reason")).count().collect()
    # A verdict on texts that stand in several places was paid for once.
    groups = (
        table.dropDuplicates(["pair_key"])
        .groupBy("judge", "reused", F.col("status") == "error", F.coalesce(F.col("explain_calls") > 0, F.lit(False)))
        .agg(F.count("*").alias("pairs"), *[F.coalesce(F.sum(name), F.lit(0)).alias(name) for name in _SUMMED])
        .toDF("judge", "reused", "failed", "explained", "pairs", *_SUMMED)
        .collect()
    )
    units = ctx.read("units").groupBy("regime").agg(F.countDistinct("section_id").alias("n")).collect()
    now = [row for row in groups if not row.reused]
    spent = {name: _total(now, name) for name in ("calls", "input_tokens", "cached_tokens", "output_tokens")}
    ctx.counts.update(spent)
    ctx.counts["calls_saved_by_cache"] = _total((row for row in groups if row.reused), "calls")
    ctx.counts["judged_now"] = judged
    ctx.counts["units_per_regime"] = {row.regime: row.n for row in units}
    ctx.counts["status"] = _by(rows, lambda row: row.status)
    sound = [row for row in rows if row.status != "error"]
    ctx.counts["relations"] = _by(sound, lambda row: row.relation or "undecided")
    ctx.counts["errors"] = _by((row for row in rows if row.status == "error"), lambda row: row.reason)
    if ctx.settings.judge.backend == "openai":
        price = ctx.settings.judge.openai.price
        cost = price.cost(spent["input_tokens"], spent["cached_tokens"], spent["output_tokens"])
        ctx.counts["cost"] = round(cost, 4)
    ctx.counts["steps"] = _steps(ctx, groups, judges, seconds)
    if ctx.counts["errors"]:
        left = sum(ctx.counts["errors"].values())
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in ctx.counts["errors"].items())
        bounds = _budget(ctx) if "budget" in ctx.counts["errors"] else ""
        ctx.partial = f"{left:,} pairs have no verdict yet ({reasons}{bounds}); the same command judges them again"


def _budget(ctx: Context) -> str:
    """Name the run's bounds that may be spent; every task has a share of them."""
    bounds = ctx.settings.judge.openai.budget.model_dump(exclude_none=True)
    return f": judge.openai.budget is {', '.join(f'{bound:,} {name}' for name, bound in bounds.items())} for the run"


def _steps(ctx: Context, groups: list[Any], judges: list[str], seconds: dict[str, float]) -> list[dict[str, Any]]:
    """Return what each step was asked, settled and passed on, what it cost now and which calls it made needless.

    Steps: the cheap judge where there is one, then the judge; the served judge's two questions are two steps.
    Pairs are pairs of texts. ``calls_avoided`` are those of the next step alone.
    """
    orders = 2 if ctx.settings.judge.openai.both_orders else 1
    last = [row for row in groups if row.judge == judges[-1]]
    asked = _total(last, "pairs")
    found: list[dict[str, Any]] = []
    if len(judges) > 1:
        settled = _total(groups, "pairs") - asked
        found.append(_step(judges[0], settled, asked, settled * orders, seconds["first"]))
    if ctx.settings.judge.backend != "openai":
        return [*found, _step(judges[-1], asked, 0, 0, seconds["last"])]
    explained = [row for row in last if row.explained]
    screened = [row for row in last if not row.explained and not row.failed]
    now = [row for row in last if not row.reused]
    tokens = _total(now, "input_tokens") + _total(now, "output_tokens")
    settled = _total(screened, "pairs")
    screen = _step("screen", settled, _total(explained, "pairs"), settled * orders, seconds["last"])
    screen["errors"] = asked - settled - screen["passed_on"]
    screen["calls"] = _total(now, "calls") - _total(now, "explain_calls")
    screen["tokens"] = tokens - _total(now, "explain_tokens")
    # Both questions are asked side by side, so their time is one.
    explain = _step("explain", _total((row for row in explained if not row.failed), "pairs"), 0, 0, None)
    explain["errors"] = screen["passed_on"] - explain["settled"]
    explain["calls"], explain["tokens"] = _total(now, "explain_calls"), _total(now, "explain_tokens")
    return [*found, screen, explain]


def _step(name: str, settled: int, passed_on: int, calls_avoided: int, seconds: float | None) -> dict[str, Any]:
    return {
        "step": name, "settled": settled, "passed_on": passed_on, "errors": 0, "calls": 0, "tokens": 0,
        "calls_avoided": calls_avoided, "seconds": seconds,
    }  # fmt: skip


def _total(rows: Iterable[Any], name: str) -> int:
    return sum(row[name] for row in rows)


def _by(rows: Iterable[Any], key: Callable[[Any], str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for row in rows:
        found[key(row)] += row["count"]
    return dict(found)
