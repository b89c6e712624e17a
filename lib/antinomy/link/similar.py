"""Rows of the table ``similar``: neighbours turned into pairs, each once, within the budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from antinomy.link.index import Index
from antinomy.link.neighbours import Neighbours
from antinomy.settings.link import Channel, LinkSettings
from antinomy.store import schemas

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

#: Columns of intermediate rows: as the table, with a bit per channel in ``channels``.
COLUMNS = (
    ", ".join(
        f"{field.name} int" if field.name == "channels" else f"{field.name} {field.dataType.simpleString()}"
        for field in schemas.schema("similar").fields
    )
    + ", turn double"
)
#: Default number of pairs for each section of the smaller side: twice what the paper keeps.
_PAIRS_PER_SECTION = 20


def rows(index: Index, found: Neighbours, settings: LinkSettings) -> pd.DataFrame:
    """Turn neighbours into oriented rows of ``similar``."""
    import pandas as pd

    query_is_right = index.groups.query_is_right(found.query, found.base)

    def pick(ids: Any, of_query: NDArray[np.int64], of_base: NDArray[np.int64]) -> tuple[Any, Any]:
        left, right = np.where(query_is_right, of_base, of_query), np.where(query_is_right, of_query, of_base)
        return ids.take(left).to_pandas(), ids.take(right).to_pandas()

    left_id, right_id = pick(index.section_ids, found.query, found.base)
    left_unit, right_unit = pick(index.unit_ids, found.query_unit, found.base_unit)
    rank = pd.Series(found.rank, dtype="Int32")
    by_channel: dict[str, Any] = {}
    for name in get_args(Channel):
        if name in settings.channels:
            at = settings.channels.index(name)
            score, place = found.scores[:, at], pd.Series(found.ranks[:, at], dtype="Int32")
            by_channel[name] = pd.Series(score, dtype=object).where(~np.isnan(score), None)
            by_channel[f"{name}_rank"] = place.where(place > 0)
        else:
            by_channel[name] = pd.Series([None] * len(found.rank), dtype=object)
            by_channel[f"{name}_rank"] = pd.Series([pd.NA] * len(found.rank), dtype="Int32")
    near = (found.ranks > 0) & (found.ranks <= index.groups.partners_wanted(found.query, found.base)[:, None])
    columns = {
        "left_id": left_id,
        "right_id": right_id,
        "left_unit_id": left_unit,
        "right_unit_id": right_unit,
        "score": found.score,
        "rank_left": rank.where(~query_is_right),
        "rank_right": rank.where(query_is_right),
        # One bit per channel: Spark can aggregate numbers without copying arrays.
        "channels": near @ (1 << np.arange(len(settings.channels))),
        **by_channel,
    }
    ordered = {name: columns[name] for name in schemas.columns("similar")}
    return pd.DataFrame({**ordered, "turn": index.groups.pairs_by_rank(found.query, found.rank)})


def merge_duplicates(pairs: DataFrame) -> DataFrame:
    """Merge the rows of a pair that was found from both sides."""
    from pyspark.sql import functions as F

    # Both sides name the same units. Only numbers are aggregated, so that Spark hashes instead of sorting.
    pair = ["left_id", "right_id", "left_unit_id", "right_unit_id"]
    least = [name for name in pairs.columns if name.endswith("_rank") or name == "turn"]
    most = [name for name in pairs.columns if name not in {*pair, *least, "channels"}]
    merged = pairs.groupBy(*pair).agg(
        *(F.max(name).alias(name) for name in most),
        *(F.min(name).alias(name) for name in least),
        F.bit_or("channels").alias("channels"),
    )
    return merged.select(*pairs.columns)


def within_budget(pairs: DataFrame, index: Index, settings: LinkSettings) -> DataFrame:
    """Keep as many pairs as the budget allows: by turn, then by score, then by the sections' ids."""
    from pyspark.sql import functions as F

    most = budget(settings, index)
    found = sum(group.stop - group.start for group in index.groups.ranges) * max(settings.k, settings.k_right)
    if most is not None and found > most:  # else nothing has to be sorted
        pairs = pairs.orderBy("turn", F.desc("score"), "left_id", "right_id").limit(most)
    return pairs.drop("turn")


def budget(settings: LinkSettings, index: Index) -> int | None:
    """Return how many pairs are kept, None for all."""
    if settings.budget_pairs is None:
        return _PAIRS_PER_SECTION * index.groups.smaller_sides()
    return settings.budget_pairs or None


def name_channels(pairs: DataFrame, channels: Sequence[str]) -> DataFrame:
    """Turn the bits of ``channels`` into names, in alphabetical order."""
    from pyspark.sql import functions as F

    bits = sorted((name, 1 << number) for number, name in enumerate(channels))
    named = [F.when(F.col("channels").bitwiseAND(bit) != 0, F.lit(name)) for name, bit in bits]
    return pairs.withColumn("channels", F.array_compact(F.array(*named)))
