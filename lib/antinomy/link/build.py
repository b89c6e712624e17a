"""From the tables to the index: runs on the driver, vectors pass through it in chunks into a mapped file."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import StorageError
from antinomy.link import focus, groups, index, knn, lexical
from antinomy.link.index import Index
from antinomy.link.settings import LinkSettings

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

log = logging.getLogger("antinomy")

#: Bytes of vectors that the driver takes from Spark at a time; spark.driver.maxResultSize is 1 GiB by
#: default.
_CHUNK_BYTES = 256 << 20


def build(
    units: DataFrame,
    embeddings: DataFrame,
    settings: LinkSettings,
    folder: Path,
    order: Sequence[str],
    encode: focus.Encode | None,
) -> tuple[Index, focus.Narrowed | None]:
    """Make the index of a run's units; arguments as ``plan.link``, ``folder`` gets ``vectors.npy``.

    Returns:
        The index, and what the focus left out of it, None without one.
    """
    texts = ["heading_path", "unit_text"] if "lexical" in settings.channels or settings.focus else []
    frame = units.select("unit_id", "section_id", "doc_id", "regime", "unit_sha256", "piece", *texts).toPandas()
    group = "regime" if settings.groups == "regimes" else "doc_id"
    present = set(frame[group])
    listed = [name for name in dict.fromkeys(order) if name in present]
    names = groups.left_first(settings, [*listed, *sorted(present - set(listed))])
    frame["group"] = frame[group].map({name: i for i, name in enumerate(names)})
    frame = frame.sort_values(["group", "section_id", "piece", "unit_id"], ignore_index=True)
    vectors, vector_unit = _vectors(embeddings, frame["unit_sha256"], folder)
    narrowed = None
    if settings.focus:
        assert encode is not None
        groups_before = groups.arrange(settings, names, _sizes(frame.drop_duplicates("section_id"), names))
        narrowed = focus.narrow(
            frame, vectors, vector_unit, groups_before, settings.focus, settings.focus_sections, encode
        )
        rows = np.flatnonzero(narrowed.units[vector_unit])
        _compact(vectors, rows, folder / "vectors.npy")
        vectors = np.load(folder / "vectors.npy", mmap_mode="r")
        vector_unit = (np.cumsum(narrowed.units) - 1)[vector_unit[rows]]
        frame = frame[narrowed.units].reset_index(drop=True)
    return assemble(frame, names, vectors, vector_unit, settings), narrowed


def _sizes(sections: pd.DataFrame, names: Sequence[str]) -> list[int]:
    return [int((sections["group"] == number).sum()) for number in range(len(names))]


def assemble(
    frame: pd.DataFrame,
    names: Sequence[str],
    vectors: knn.Vectors,
    vector_unit: NDArray[np.int64],
    settings: LinkSettings,
) -> Index:
    """Make the index of units in memory.

    Args:
        frame: unit_id, section_id, regime, group (number in ``names``), and for the lexical channel
            heading_path and unit_text; sorted by group, then section.
        names: of the groups.
        vectors: shape (vectors, dim), usable ones only.
        vector_unit: row in ``frame`` of each vector, increasing.
        settings: of the stage.
    """
    import pyarrow as pa

    section = (frame["section_id"] != frame["section_id"].shift()).cumsum().to_numpy(dtype=np.int64) - 1
    sections = frame.iloc[np.flatnonzero(np.diff(section, prepend=-1))]
    lexicon = None
    if "lexical" in settings.channels:
        # The whole section: its pieces were cut for the model's window, which words do not have.
        texts = (frame["heading_path"] + " " + frame["unit_text"]).groupby(section).agg(" ".join)
        lexicon = lexical.build(lexical.tokens(texts.tolist()), sections["regime"].tolist())
    return Index(
        section_ids=pa.array(sections["section_id"], type=pa.string()),
        unit_ids=pa.array(frame["unit_id"], type=pa.string()),
        unit_start=index.starts(section, len(sections)),
        vectors=vectors,
        vector_unit=vector_unit,
        vector_start=index.starts(section[vector_unit], len(sections)),
        lexicon=lexicon,
        groups=groups.arrange(settings, names, _sizes(sections, names)),
        excluded=groups.relatives(sections["section_id"].tolist()) if settings.groups == "within" else None,
    )


def _vectors(embeddings: DataFrame, wanted: pd.Series[str], folder: Path) -> tuple[knn.Vectors, NDArray[np.int64]]:
    """Bring the vectors of units, in their order, into a mapped file.

    Units whose vector is missing, zero or not finite are left out and logged.

    Returns:
        The vectors and the unit of each.
    """
    import pandas as pd
    from pyspark.sql import functions as F

    head = embeddings.select("dim").head()
    dim = int(head["dim"]) if head else 1
    path = folder / "vectors.npy"
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(len(wanted), dim))
    found = np.zeros(len(wanted), dtype=bool)
    chunks = max(1, math.ceil(wanted.nunique() * dim * 4 / _CHUNK_BYTES))
    for number in range(chunks):
        part = F.pmod(F.xxhash64("unit_sha256"), F.lit(chunks)) == number
        chunk = embeddings.where(part).select("unit_sha256", "vector").toPandas().drop_duplicates("unit_sha256")
        place = pd.Index(chunk["unit_sha256"]).get_indexer(wanted)
        units = np.flatnonzero(place >= 0)
        if not len(units):
            continue
        lengths = set(chunk["vector"].map(len))
        if lengths != {dim}:
            raise StorageError(
                f"embeddings hold vectors of length {', '.join(map(str, sorted(lengths | {dim})))}: "
                "they come from different models, run the embed stage again"
            )
        values = np.stack(chunk["vector"].to_list()).astype(np.float32, copy=False)
        table[units] = values[place[units]]
        found[units] = knn.usable(values)[place[units]]
    table.flush()
    rows = np.flatnonzero(found)
    if len(rows) < len(wanted):
        log.warning("link: %d of %d units have no usable vector", len(wanted) - len(rows), len(wanted))
        _compact(table, rows, path)
    return np.load(path, mmap_mode="r"), rows


def _compact(table: knn.Vectors, rows: NDArray[np.int64], path: Path) -> None:
    """Keep only some rows of the file."""
    beside = path.with_suffix(".part")
    kept = np.lib.format.open_memmap(beside, mode="w+", dtype=np.float32, shape=(len(rows), table.shape[1]))
    step = 1 << 16
    for at in range(0, len(rows), step):
        kept[at : at + step] = table[rows[at : at + step]]
    kept.flush()
    beside.rename(path)
