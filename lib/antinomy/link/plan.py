"""The link stage on Spark: units and their vectors → candidate pairs."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import faiss
import numpy as np

from antinomy.link import index as indexing
from antinomy.link import knn, neighbours, similar
from antinomy.link.build import build
from antinomy.link.focus import Encode
from antinomy.link.index import Index, Layout, Search, VectorSet
from antinomy.link.knn import Range
from antinomy.link.neighbours import Hits
from antinomy.link.result import ApproximateSearch, FocusCounts, LinkResult
from antinomy.settings.link import LinkSettings

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from antinomy.link.build import Batches

log = logging.getLogger("antinomy")

_HITS = "block long, channel long, query long, base long, score double"
#: So many queries measure the recall of the approximate index.
_SAMPLE = 1000
#: Blocks per task slot at least.
_BLOCKS_PER_SLOT = 8
#: Tasks per task slot at most.
_TASKS_PER_SLOT = 64
#: Sections per block at least: FAISS uses matrix products from about this many on.
_LEAST_BLOCK = 32
_PRODUCT_ROWS = 4096


@dataclass(frozen=True)
class _Block:
    """Sections to find neighbours for, and sections to search."""

    queries: Range
    among: tuple[Range, ...]


@dataclass(frozen=True)
class _Files:
    """How a task finds the index: in a folder, or among the files that Spark ships (folder is empty)."""

    folder: str
    prefix: str
    layout: Layout

    def locate(self, name: str) -> str:
        if self.folder:
            return os.path.join(self.folder, name)
        from pyspark import SparkFiles

        return SparkFiles.get(self.prefix + name)


#: The index that this process mapped last, and its files.
_opened: list[tuple[_Files, Index]] = []


def _open_index(files: _Files) -> Index:
    """Map the index once per worker process; one FAISS thread per task, Spark runs the tasks side by side."""
    if not _opened or _opened[0][0] != files:
        faiss.omp_set_num_threads(1)
        # Base rows per matrix product; FAISS's 1,024 keep one thread some 7 % below what it can do.
        faiss.cvar.distance_compute_blas_database_bs = _PRODUCT_ROWS
        _opened[:] = [(files, indexing.load(files.locate, files.layout))]
    return _opened[0][1]


def link(
    spark: SparkSession,
    units: pa.Table,
    embeddings: Mapping[str, Batches],
    settings: LinkSettings,
    work_dir: str,
    order: Sequence[str] = (),
    encode: Encode | None = None,
) -> tuple[DataFrame, LinkResult]:
    """Find the candidate pairs.

    Args:
        spark: session in which the pairs are searched.
        units: the table, columns as ``build.UNIT``.
        embeddings: for each channel that has vectors, how its table of them is read; one row per text.
        settings: of the stage.
        work_dir: empty local folder for the index; it must live until the result has been evaluated.
        order: names of the groups (regimes, or doc_ids unless groups is ``regimes``) from left to right;
            those not named follow by name.
        encode: the model that made the vectors of the channel ``own``; needed with a focus.

    Returns:
        Rows of the ``similar`` table, each unordered pair of sections once, whatever the plan and the partitions; and a
        report of the search.

    Raises:
        SettingsError: if the settings name groups that are not there.
        StorageError: if the vectors do not fit together.
    """
    folder = Path(work_dir)
    index, narrowed = build(units, embeddings, settings, folder, order, encode)
    searched = LinkResult(
        sections=len(index.section_ids),
        units=len(index.unit_ids),
        vectors={channel: len(own.vectors) for channel, own in index.sets.items()},
        full_comparison_calls=index.groups.full_comparison,
    )
    if narrowed is not None:
        focus = FocusCounts(selected=narrowed.selected, of=narrowed.left_sections)
        searched = searched.model_copy(update={"full_comparison_calls": narrowed.full_comparison, "focus": focus})
    plan = settings.plan
    if plan == "auto":
        plan = "shards" if _max_vectors(index) > settings.shard_rows else "broadcast"
    searches = {channel: Search() for channel in index.sets}
    approximate: dict[str, ApproximateSearch] = {}
    for channel, own in index.sets.items():
        if _max_searched(index, own) > settings.approximate_above:
            # An inverted file reads few lists per query, so that it is mapped whole and needs no shards.
            plan = "broadcast"
            searches[channel], recall = _build_approximate(own, folder, channel, settings)
            approximate[channel] = ApproximateSearch(lists=searches[channel].probes, recall=round(recall, 4))
    searched = searched.model_copy(update={"plan": plan} | ({"approximate": approximate} if approximate else {}))
    log.info("link: %s", ", ".join(f"{key} {value}" for key, value in searched.as_json().items()))
    layout = Layout(index.groups, index.excluded is not None, searches)
    files = _publish(spark, folder, index, layout)
    blocks = _blocks(index, settings, spark.sparkContext.defaultParallelism)
    if not blocks:
        return similar.name_channels(
            spark.createDataFrame([], similar.COLUMNS).drop("turn"), settings.channels
        ), searched
    if plan == "shards":
        pairs = _link_in_shards(spark, files, blocks, _shards(index, settings.shard_rows), settings)
    else:
        pairs = _link_broadcast(spark, files, blocks, settings)
    pairs = similar.merge_duplicates(pairs) if index.groups.two_way else pairs
    return similar.name_channels(similar.within_budget(pairs, index, settings), settings.channels), searched


def _max_vectors(index: Index) -> int:
    """Return the number of vectors of the channel with the most."""
    return max((len(own.vectors) for own in index.sets.values()), default=0)


def _max_searched(index: Index, own: VectorSet) -> int:
    """Return among how many vectors a section's neighbours are searched at most."""
    among = (own.ranges(index.groups.partners(group)) for group in range(len(index.groups.names)))
    return max((sum(r.stop - r.start for r in ranges) for ranges in among), default=0)


def _build_approximate(own: VectorSet, folder: Path, channel: str, settings: LinkSettings) -> tuple[Search, float]:
    path = folder / indexing.ivf_filename(channel)
    knn.build_index(own.vectors, path)
    sample = np.linspace(0, len(own.vectors) - 1, num=min(_SAMPLE, len(own.vectors)), dtype=np.int64)
    wanted = min(neighbours.candidates_per_channel(settings), len(own.vectors) - 1)
    probes, recall = knn.tune_probes(knn.open_index(path), own.vectors, sample, wanted)
    return Search(probes, settings.approximate_above), recall


def _publish(spark: SparkSession, folder: Path, index: Index, layout: Layout) -> _Files:
    """Write the index and ship it to where the tasks run."""
    names = indexing.save(index, folder)
    files = _Files(str(folder), "", layout)
    if str(spark.sparkContext.master).startswith("local"):
        return files
    # An executor that starts later asks the driver for every file ever added, so they stay until it ends. Spark
    # knows them by their bare names, so the names must be this index's own.
    shipped = Path(tempfile.mkdtemp(prefix="antinomy-index-"))
    atexit.register(shutil.rmtree, shipped)
    prefix = f"{shipped.name}-"
    for name in names:
        # Spark copies it too; what this process has mapped of a file stays mapped when it is moved.
        shutil.move(folder / name, shipped / f"{prefix}{name}")
        spark.sparkContext.addFile(str(shipped / f"{prefix}{name}"))
    return replace(files, folder="", prefix=prefix)


def _blocks(index: Index, settings: LinkSettings, slots: int) -> list[_Block]:
    asking = [(group, tuple(index.groups.partners(number))) for number, group in enumerate(index.groups.ranges)]
    asking = [(group, among) for group, among in asking if among]
    total = sum(group.stop - group.start for group, _ in asking)
    # The same number of blocks for each slot where one group asks, so that the slots finish together.
    rounds = max(_BLOCKS_PER_SLOT, -(-total // (slots * settings.block_rows)))
    size = min(settings.block_rows, max(_LEAST_BLOCK, -(-total // (slots * rounds))))
    return [
        _Block(Range(start, min(start + size, group.stop)), among)
        for group, among in asking
        for start in range(group.start, group.stop, size)
    ]


def _shards(index: Index, rows: int) -> list[Range]:
    """Cut the sections into ranges of about ``rows`` vectors."""
    most = max(index.sets.values(), key=lambda own: len(own.vectors), default=None)
    cuts = (
        np.empty(0, np.int64)
        if most is None
        else np.searchsorted(most.start[:-1], np.arange(0, _max_vectors(index), rows))
    )
    bounds = sorted({0, *cuts.tolist(), len(index.section_ids)})
    return [Range(start, stop) for start, stop in pairwise(bounds)]


def _link_broadcast(spark: SparkSession, files: _Files, blocks: list[_Block], settings: LinkSettings) -> DataFrame:
    """Plan ``broadcast``: each task searches all vectors for one block at a time."""

    def run(frames: Iterable[pd.DataFrame]) -> Iterable[pd.DataFrame]:
        for frame in frames:
            for number in frame["id"]:
                index, block = _open_index(files), blocks[number]
                hits = neighbours.propose(index, block.queries, block.among, settings)
                yield similar.rows(index, neighbours.rank(index, hits, settings), settings)

    return _block_numbers(spark, len(blocks)).mapInPandas(run, similar.COLUMNS)


def _link_in_shards(
    spark: SparkSession, files: _Files, blocks: list[_Block], shards: list[Range], settings: LinkSettings
) -> DataFrame:
    """Plan ``shards``: each task searches one shard for one block; a block's hits are merged."""
    tasks = [
        (number, among)
        for number, block in enumerate(blocks)
        for shard in shards
        if (among := _intersection(block.among, shard))
    ]

    def search(frames: Iterable[pd.DataFrame]) -> Iterable[pd.DataFrame]:
        import pandas as pd

        for frame in frames:
            for task in frame["id"]:
                number, among = tasks[task]
                hits = neighbours.propose(_open_index(files), blocks[number].queries, among, settings)
                yield pd.DataFrame({"block": number, **hits._asdict()})

    def merge(frame: pd.DataFrame) -> pd.DataFrame:
        index = _open_index(files)
        hits = neighbours.merge(index, Hits(*(frame[name].to_numpy() for name in Hits._fields)), settings)
        return similar.rows(index, neighbours.rank(index, hits, settings), settings)

    found = _block_numbers(spark, len(tasks)).mapInPandas(search, _HITS)
    return found.groupBy("block").applyInPandas(merge, similar.COLUMNS)


def _block_numbers(spark: SparkSession, count: int) -> DataFrame:
    """Numbers of blocks, spread over tasks: one per task, unless there are very many."""
    return spark.range(0, count, 1, min(count, spark.sparkContext.defaultParallelism * _TASKS_PER_SLOT))


def _intersection(among: Sequence[Range], shard: Range) -> tuple[Range, ...]:
    cut = (Range(max(r.start, shard.start), min(r.stop, shard.stop)) for r in among)
    return tuple(r for r in cut if r.stop > r.start)
