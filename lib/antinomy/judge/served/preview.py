"""``antinomy judge --estimate``: calls, tokens and cost of a run's judging, before anything is spent."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from rich.table import Table

from antinomy.judge.adapt import adapt
from antinomy.judge.candidates import candidates, distinct_pairs, with_texts
from antinomy.judge.served import served_facts
from antinomy.judge.served.estimate import ASSUMED_SHARE, Size, size
from antinomy.judge.stage import build_judges, cached, run_first_judge, unjudged
from antinomy.judge.tasks import grouped_by_left, read_pairs
from antinomy.run.stage import Context

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings.served import OpenAISettings, Price

#: Fewest verdicts from which the share of explained pairs is measured.
_ENOUGH = 100


def preview(ctx: Context) -> dict[str, Any]:
    """Estimate what the judge stage of this run would spend; no server is asked.

    The first judge of a cascade runs, which costs nothing and is not repeated later.

    Returns:
        ``judge``; ``pairs`` candidates (of texts), of which ``ruled_out`` by a cheap judge, ``cached`` with a verdict
        already, ``too_long`` for the window and ``to_ask``; ``expected`` and ``at_most`` with calls, tokens and
        cost; ``price``: what the cost is in, or why it is none; ``explained_share`` expected and where it is from;
        ``cacheable_share`` of the prompts' tokens.
    """
    served_facts.require(ctx.settings)
    pairs = distinct_pairs(candidates(ctx)).persist()
    *first, last = build_judges(ctx.settings.judge)
    adapt(ctx, pairs, (*first, last))
    total = pairs.count()
    if first:
        _, pairs, _ = run_first_judge(ctx, pairs, first[0], uuid.uuid4().hex)
    left = pairs.count()
    todo = unjudged(ctx, pairs, last)
    if ctx.settings.judge.backend != "openai":
        open_ = todo.count()
        free = {"calls": 0, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "cost": 0.0}
        return {
            "judge": last.name, "pairs": total, "ruled_out": 0, "cached": total - open_, "too_long": 0,
            "to_ask": open_, "expected": free, "at_most": free, "explained_share": 0.0, "explained_share_is": "none",
            "cacheable_share": 0.0, "price": "nothing is paid: this judge needs no server",
        }  # fmt: skip
    served = ctx.settings.judge.openai
    whole = _size(with_texts(ctx, todo), served)
    before = cached(ctx, last).where("status != 'error'").select("explain_calls")
    known = before.count()
    measured = known >= _ENOUGH
    share = before.where("explain_calls > 0").count() / known if measured else ASSUMED_SHARE
    expected, at_most = whole.at(share, served), whole.at(1.0, served)
    return {
        "judge": f"{last.name} ({last.model})",
        "pairs": total,
        "ruled_out": total - left,
        "cached": left - whole.pairs - whole.too_long,
        "too_long": whole.too_long,
        "to_ask": whole.pairs,
        "expected": asdict(expected),
        "at_most": asdict(at_most),
        "explained_share": round(share, 4),
        "explained_share_is": "measured on cached verdicts" if measured else "assumed",
        "price": _price(served.price),
        "cacheable_share": round(expected.cached_tokens / expected.input_tokens, 4) if expected.input_tokens else 0.0,
    }


def _price(price: Price) -> str:
    """Name the unit of a cost."""
    if not price.given:
        return "no price is set: judge.openai.price"
    return price.currency or "in the currency of judge.openai.price; its name: judge.openai.price.currency"


def _size(todo: DataFrame, settings: OpenAISettings) -> Size:
    tasks = todo.sparkSession.sparkContext.defaultParallelism

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        yield pd.DataFrame([asdict(size(read_pairs(frames), settings))])

    nothing = asdict(Size())
    columns = ", ".join(f"{name} {'long' if isinstance(zero, int) else 'double'}" for name, zero in nothing.items())
    parts = grouped_by_left(todo, tasks).mapInPandas(in_task, columns).collect()
    return reduce(add, (Size(**part.asDict()) for part in parts), Size())


def preview_table(found: dict[str, Any]) -> Table:
    """Lay out a preview for a terminal."""
    result = Table(title=f"Before anything is spent: judge {found['judge']}")
    result.add_column("")
    share = f"{found['explained_share']:.0%} explained, {found['explained_share_is']}"
    result.add_column(f"expected ({share})", justify="right")
    result.add_column("at most", justify="right")
    for label, key in (
        ("candidate pairs", "pairs"),
        ("ruled out by the cheap judge", "ruled_out"),
        ("cached verdicts", "cached"),
        ("too long for the window", "too_long"),
        ("pairs to ask about", "to_ask"),
    ):
        result.add_row(label, f"{found[key]:,}", f"{found[key]:,}")
    for label, key in (
        ("calls", "calls"),
        ("input tokens", "input_tokens"),
        ("of these from a prefix cache", "cached_tokens"),
        ("output tokens", "output_tokens"),
    ):
        result.add_row(label, *(f"{found[side][key]:,}" for side in ("expected", "at_most")))
    result.add_row(f"cost ({found['price']})", *(f"{found[side]['cost']:,.2f}" for side in ("expected", "at_most")))
    return result
