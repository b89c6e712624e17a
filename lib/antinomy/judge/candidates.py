"""The candidate pairs of a run on Spark: narrow rows of ids and hashes, to which those to be judged get their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antinomy.embed.encoder import PACKAGED
from antinomy.judge.protocol import LAST_PLACE, NO_RANK, PLACES, Judge, ReadsHeadings, ReadsPlaces, ReadsVectors
from antinomy.judge.served import served_facts
from antinomy.store import tables

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from antinomy.run.stage import Context


def candidates(ctx: Context) -> DataFrame:
    """Return the candidate pairs of a run, one row each.

    Columns: ids, hashes of the units, ranks, ``place`` and ``pair_key`` (see ``protocol.Pair``).
    """
    from pyspark.sql import functions as F

    similar, units = ctx.read("similar"), ctx.read("units")
    ids = "left_id", "right_id", "left_unit_id", "right_unit_id"
    pairs = similar.select(*ids, "rank_left", "rank_right", place_column())
    units = served_facts.with_facts(ctx, units.select("unit_id", F.col("unit_sha256").alias("sha256")))
    key = _hash("left_sha256", "right_sha256")
    if "facts" in units.columns:  # other facts may lead to another verdict
        key = _hash(key, "left_facts", "right_facts")
    return _with_units(pairs, units).withColumn("pair_key", key).drop("left_facts", "right_facts")


def place_column() -> Column:
    """Return ``place`` from the columns of ranks; for rows what ``protocol.place_of`` is for numbers."""
    from pyspark.sql import functions as F

    ranks = [F.coalesce(f"rank_{side}", F.lit(NO_RANK)) for side in ("left", "right")]
    place = F.lit(LAST_PLACE)
    for number, (better, worse) in reversed(list(enumerate(PLACES, start=1))):
        place = F.when((F.least(*ranks) <= better) & (F.greatest(*ranks) <= worse), number).otherwise(place)
    return place.alias("place")


def distinct_pairs(pairs: DataFrame) -> DataFrame:
    """Keep one of the pairs with the same ``pair_key``, the first by its ids, with the best of their places."""
    from pyspark.sql import functions as F

    rest = [name for name in pairs.columns if name not in ("left_id", "right_id", "pair_key", "place")]
    first = F.min(F.struct("left_id", "right_id", *rest)).alias("first")
    best = pairs.groupBy("pair_key").agg(first, F.min("place").alias("place"))
    return best.select("pair_key", "place", "first.*")


def with_texts(ctx: Context, pairs: DataFrame, judge: object = None) -> DataFrame:
    """Add what judges read of both sides: label, text, context and served facts.

    Add also the vectors of clauses, if the judge reads vectors and the embed stage has made them.
    """
    from pyspark.sql import functions as F

    text = F.col("unit_text").alias("text")
    units = ctx.read("units").select("unit_id", "label", text, "context", "text_sha256")
    units = served_facts.with_facts(ctx, units)
    if isinstance(judge, ReadsVectors) and tables.has(ctx.settings.warehouse, "embeddings", ctx.settings.run_id):
        usable = (F.col("model") == PACKAGED) & (F.col("revision") == judge.encoder) & (F.size("clause_vectors") > 0)
        vectors = F.col("clause_vectors").alias("vectors")
        units = units.join(ctx.read("embeddings").where(usable).select("text_sha256", vectors), "text_sha256", "left")
    return _with_units(pairs, units.drop("text_sha256"))


def with_read_key(ctx: Context, pairs: DataFrame, judge: Judge) -> DataFrame:
    """Add to pairs ``read_key``, by which the judge's verdicts are cached, and ``text_key``.

    ``text_key`` is a hash of what the judge reads of both texts. If its verdicts depend on the place, this stands
    behind it in ``read_key``. Of texts that several candidates have the best place counts.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    keyed = _with_text_key(ctx, pairs, judge)
    if not (isinstance(judge, ReadsPlaces) and judge.depends_on_place):
        return keyed.withColumn("read_key", F.col("text_key"))
    best = F.min("place").over(Window.partitionBy("text_key"))
    return keyed.withColumn("read_key", F.concat_ws("-", "text_key", best))


def text_key(read_key: str) -> Column:
    """Return the ``text_key`` in a column of read keys."""
    from pyspark.sql import functions as F

    return F.substring_index(read_key, "-", 1).alias("text_key")


def _with_text_key(ctx: Context, pairs: DataFrame, judge: Judge) -> DataFrame:
    from pyspark.sql import functions as F

    if not isinstance(judge, ReadsHeadings):
        return pairs.withColumn("text_key", F.col("pair_key"))
    headings = F.substring_index("context", "\n", judge.context_lines)
    read = F.concat_ws("\n", F.sha2("unit_text", 256), F.sha2(headings, 256)).alias("read")
    keyed = _with_units(pairs, ctx.read("units").select("unit_id", read))
    return keyed.withColumn("text_key", _hash("left_read", "right_read")).drop("left_read", "right_read")


def _with_units(pairs: DataFrame, units: DataFrame) -> DataFrame:
    """Add columns of units to pairs, as ``left_…`` and ``right_…``."""
    from pyspark.sql import functions as F

    for side in ("left", "right"):
        own = units.select([F.col(name).alias(f"{side}_{name}") for name in units.columns])
        pairs = pairs.join(own, f"{side}_unit_id")
    return pairs


def _hash(*parts: Column | str) -> Column:
    from pyspark.sql import functions as F

    return F.substring(F.sha2(F.concat_ws("\n", *parts), 256), 1, 32)
