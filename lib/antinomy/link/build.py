"""Builds the index from the tables. Runs on the driver; vectors pass through it in batches into mapped files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antinomy.embed.units import nearest_heading
from antinomy.errors import StorageError
from antinomy.link import focus, groups, index, knn, lexical
from antinomy.link.index import Index, VectorSet
from antinomy.settings import parties
from antinomy.settings.link import LinkSettings

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    #: Yields columns of a table in batches; every time the same rows in the same order.
    Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]

log = logging.getLogger("antinomy")

#: What of the units is read; their words only where something compares them.
_WORDS = ("heading_path", "unit_text")
UNIT = (
    "unit_id", "section_id", "doc_id", "regime", "piece", "type", "binds", "text_sha256", "context_sha256", *_WORDS,
)  # fmt: skip
#: Channel with vectors → the column of ``units`` that names its text, and the column of its table of vectors.
_COLUMNS = {
    "own": ("text_sha256", "vector"),
    "clauses": ("text_sha256", "clause_vectors"),
    "context": ("context_sha256", "vector"),
    "mpnet": ("text_sha256", "vector"),
}


class UnitVectors(NamedTuple):
    """Vectors, and the unit of each in increasing order."""

    vectors: knn.Vectors
    unit: NDArray[np.int64]


def build(
    units: pa.Table,
    embeddings: Mapping[str, Batches],
    settings: LinkSettings,
    folder: Path,
    order: Sequence[str],
    encode: focus.Encode | None,
) -> tuple[Index, focus.FocusResult | None]:
    """Make the index of a run's units; arguments as ``plan.link``, ``folder`` gets the files of vectors.

    The tables are read without Spark: through its driver, every row would be in Java's memory too.

    Returns:
        The index, and what the focus left out, None without a focus.
    """
    reads_words = "lexical" in settings.channels or settings.focus
    frame = units.select([name for name in UNIT if reads_words or name not in _WORDS]).to_pandas()
    group = "regime" if settings.groups == "regimes" else "doc_id"
    present = set(frame[group])
    listed = [name for name in dict.fromkeys(order) if name in present]
    names = groups.orientation_order(settings, [*listed, *sorted(present - set(listed))])
    frame["name"] = frame[group].map({name: i for i, name in enumerate(names)})
    frame = frame.sort_values(["name", "section_id", "piece", "unit_id"], ignore_index=True)
    party = parties.party_numbers(frame, settings.parties)
    lost = frame[party < 0].drop_duplicates("section_id")
    left_out = [int((lost["name"] == i).sum()) for i in range(len(names))]
    frame["group"] = frame["name"] * len(settings.parties) + party
    frame = frame[party >= 0].sort_values(["group", "section_id", "piece", "unit_id"], ignore_index=True)
    channels: list[str] = [channel for channel in settings.channels if channel != "lexical"]
    owned = {channel: _vectors(embeddings[channel], frame, channel, folder) for channel in channels}
    narrowed = None
    if settings.focus:
        assert encode is not None
        before = groups.make_groups(settings, names, _count_sections(frame, len(names), settings), left_out)
        seen = owned.get("own") or UnitVectors(np.empty((0, 1), np.float32), np.empty(0, np.int64))
        narrowed = focus.select_by_theme(
            frame, seen.vectors, seen.unit, before, settings.focus, settings.focus_sections, encode
        )
        owned = {channel: _select_vectors(own, narrowed.units, channel, folder) for channel, own in owned.items()}
        frame = frame[narrowed.units].reset_index(drop=True)
    return assemble(frame, names, owned, settings, left_out), narrowed


def _count_sections(frame: pd.DataFrame, names: int, settings: LinkSettings) -> list[list[int]]:
    """Count the sections of each name, by party."""
    each = len(settings.parties)
    counted = np.bincount(frame.drop_duplicates("section_id")["group"], minlength=names * each)
    return [[int(n) for n in row] for row in counted.reshape(names, each)]


def assemble(
    frame: pd.DataFrame,
    names: Sequence[str],
    owned: Mapping[str, UnitVectors],
    settings: LinkSettings,
    left_out: Sequence[int] = (),
) -> Index:
    """Make the index of units in memory.

    Args:
        frame: unit_id, section_id, regime, group (number in ``names`` times the number of parties, plus the party's
            number), and for the lexical channel heading_path and unit_text; sorted by group, then section.
        names: of the groups.
        owned: usable vectors by channel; a vector's unit is a row in ``frame``.
        settings: of the stage.
        left_out: sections of each name that are not in the frame, as they bind none of the parties.
    """
    import pyarrow as pa

    section = (frame["section_id"] != frame["section_id"].shift()).cumsum().to_numpy(dtype=np.int64) - 1
    sections = frame.iloc[np.flatnonzero(np.diff(section, prepend=-1))]
    lexicon = None
    if "lexical" in settings.channels:
        # The whole section: it was cut for the model's window, which does not concern words.
        nearest = frame["heading_path"].map(nearest_heading)
        texts = (nearest + " " + frame["unit_text"]).groupby(section).agg(" ".join)
        lexicon = lexical.build(lexical.tokenize(texts.tolist()), sections["regime"].tolist())
    sets = {
        channel: VectorSet(own.vectors, own.unit, index.offsets(section[own.unit], len(sections)))
        for channel, own in owned.items()
    }
    return Index(
        section_ids=pa.array(sections["section_id"], type=pa.string()),
        unit_ids=pa.array(frame["unit_id"], type=pa.string()),
        unit_start=index.offsets(section, len(sections)),
        sets=sets,
        lexicon=lexicon,
        groups=groups.make_groups(settings, names, _count_sections(frame, len(names), settings), left_out),
        excluded=groups.relatives(sections["section_id"].tolist()) if settings.groups == "within" else None,
    )


def _vectors(embeddings: Batches, frame: pd.DataFrame, channel: str, folder: Path) -> UnitVectors:
    """Write a channel's vectors into a mapped file, in the order of the units.

    Vectors that are zero or not finite are left out; the number of units without a vector of their own text is logged.
    """
    import pandas as pd

    key, column = _COLUMNS[channel]
    texts, lengths, dim = _measure(embeddings, column)
    text = texts.get_indexer(pd.Index(frame[key]))
    of_text = lengths // dim
    first = np.cumsum(of_text) - of_text
    count = np.where(text >= 0, of_text[text] if len(texts) else 0, 0)
    start = np.cumsum(count) - count
    path = folder / index.vectors_filename(channel)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(int(count.sum()), dim))
    usable = np.zeros(len(table), dtype=bool)
    by_text = np.argsort(text, kind="stable")
    read = 0
    for batch in embeddings([column]):
        units = by_text[slice(*np.searchsorted(text, (read, read + len(batch)), sorter=by_text))]
        values = batch[column].flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False).reshape(-1, dim)
        to = _consecutive(start[units], count[units])
        of = _consecutive(first[text[units]] - first[read], count[units])
        table[to] = values[of]
        usable[to] = knn.searchable(values)[of]
        read += len(batch)
    table.flush()
    owner = np.repeat(np.arange(len(frame)), count)
    if channel == "own" and (bare := len(frame) - len(np.unique(owner[usable]))):
        log.warning("link: %d of %d units have no usable vector", bare, len(frame))
    rows = np.flatnonzero(usable)
    if len(rows) < len(table):
        _shrink_file(table, rows, path)
    return UnitVectors(np.load(path, mmap_mode="r"), owner[rows])


def _measure(embeddings: Batches, column: str) -> tuple[pd.Index[str], NDArray[np.int64], int]:
    """Return the texts of a table of vectors in its order, the length of each one's list of numbers, and ``dim``.

    Raises:
        StorageError: if vectors have other lengths.
    """
    import pandas as pd
    import pyarrow.compute as pc

    texts, sizes, dims = [], [np.empty(0, np.int64)], set()
    for batch in embeddings(["text_sha256", "dim", column]):
        texts += batch["text_sha256"].to_pylist()
        sizes.append(pc.fill_null(pc.list_value_length(batch[column]), 0).to_numpy(zero_copy_only=False))
        dims |= set(batch["dim"].unique().to_pylist())
    lengths = np.concatenate(sizes).astype(np.int64)
    dim = min(dims, default=1)
    odd = {n for n in np.unique(lengths).tolist() if n % dim or (column == "vector" and n != dim)}
    if odd or len(dims) > 1:
        raise StorageError(
            f"embeddings hold vectors of length {', '.join(map(str, sorted(odd | dims)))}: "
            "they come from different models, run the embed stage again"
        )
    return pd.Index(texts, dtype=object), lengths, dim


def _consecutive(start: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return start, start + 1, … for each run, concatenated."""
    return np.repeat(start - (np.cumsum(count) - count), count) + np.arange(count.sum())


def _select_vectors(own: UnitVectors, units: NDArray[np.bool_], channel: str, folder: Path) -> UnitVectors:
    """Return the vectors of some units; these are numbered anew."""
    rows = np.flatnonzero(units[own.unit])
    path = folder / index.vectors_filename(channel)
    _shrink_file(own.vectors, rows, path)
    return UnitVectors(np.load(path, mmap_mode="r"), (np.cumsum(units) - 1)[own.unit[rows]])


def _shrink_file(table: knn.Vectors, rows: NDArray[np.int64], path: Path) -> None:
    """Keep only some rows of the file."""
    beside = path.with_suffix(".part")
    kept = np.lib.format.open_memmap(beside, mode="w+", dtype=np.float32, shape=(len(rows), table.shape[1]))
    step = 1 << 16
    for at in range(0, len(rows), step):
        kept[at : at + step] = table[rows[at : at + step]]
    kept.flush()
    beside.rename(path)
