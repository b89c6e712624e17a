"""The index of all sections: arrays that tasks map from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from antinomy.link import knn
from antinomy.link.groups import Groups, relatives
from antinomy.link.knn import Range, Vectors
from antinomy.link.lexical import Lexicon

_LEXICON = ("indptr", "indices", "weights", "counts")


@dataclass(frozen=True)
class VectorSet:
    """The vectors of one channel: any number for each section, contiguous.

    Attributes:
        vectors: float32, shape (vectors, dim), usable ones only.
        unit: unit that each belongs to, increasing.
        start: first vector of each section, and the number of vectors.
        ivf: approximate index over all vectors; None for exact search.
        probes: number of its lists to search.
        exact_up_to: up to so many vectors the search is exact all the same: a few would be spread over lists that are
            not searched.
    """

    vectors: Vectors
    unit: NDArray[np.int64]
    start: NDArray[np.int64]
    ivf: Any = None
    probes: int = 0
    exact_up_to: int = 0

    def ranges(self, sections: Sequence[Range]) -> list[Range]:
        """Translate ranges of sections into ranges of vectors."""
        return [Range(int(self.start[r.start]), int(self.start[r.stop])) for r in sections]

    def nearest(self, sections: Sequence[Range]) -> knn.Nearest:
        """Return a search among the vectors of ranges of sections."""
        rows = [r for r in self.ranges(sections) if r.stop > r.start]
        if self.ivf is None or sum(r.stop - r.start for r in rows) <= self.exact_up_to:
            return knn.exact_nearest(self.vectors, rows)
        return knn.approximate_nearest(self.ivf, self.vectors, rows, self.probes)


@dataclass(frozen=True)
class Index:
    """Sections in the order of their groups, then of their ids; a section is a number in that order.

    Attributes:
        section_ids: by section.
        unit_ids: by unit; the units (pieces) of a section stand together.
        unit_start: first unit of each section, and the number of units.
        sets: the vectors of each channel that has some.
        lexicon: of the sections, None without that channel.
        groups: which sections may meet.
        excluded: for each section those that it is never paired with, itself included; None if the groups ensure that.
    """

    section_ids: pa.Array
    unit_ids: pa.Array
    unit_start: NDArray[np.int64]
    sets: Mapping[str, VectorSet]
    lexicon: Lexicon | None
    groups: Groups
    excluded: dict[int, NDArray[np.int64]] | None = None


@dataclass(frozen=True)
class Search:
    """How a channel's vectors are searched: exactly, or approximately in a number of lists.

    Attributes:
        probes: lists to search; 0 for exact search.
        exact_up_to: see ``VectorSet``.
    """

    probes: int = 0
    exact_up_to: int = 0


@dataclass(frozen=True)
class Layout:
    """The parts of an index that are not in its files.

    Attributes:
        groups: as saved with.
        related: sections are never paired with those that they are part of, see ``groups.relatives``.
        searches: by channel with vectors.
    """

    groups: Groups
    related: bool = False
    searches: Mapping[str, Search] = field(default_factory=dict)


def offsets(owner: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return where each owner's entries begin in a sorted array of owners, and the array's length."""
    return np.searchsorted(owner, np.arange(count + 1)).astype(np.int64)


def vectors_filename(channel: str) -> str:
    """Return the name of the file with a channel's vectors."""
    return f"vectors_{channel}.npy"


def ivf_filename(channel: str) -> str:
    """Return the name of the file with a channel's approximate index."""
    return f"ivf_{channel}.faiss"


def save(index: Index, folder: Path) -> list[str]:
    """Write an index's arrays and return the files' names. Vectors already there are left alone."""
    arrays: dict[str, NDArray[Any]] = {"unit_start": index.unit_start}
    for channel, own in index.sets.items():
        arrays |= {f"unit_{channel}": own.unit, f"start_{channel}": own.start}
        if not (folder / vectors_filename(channel)).exists():
            arrays[vectors_filename(channel).removesuffix(".npy")] = own.vectors
    if index.lexicon is not None:
        weights, counts, lengths = index.lexicon
        arrays |= {
            "indptr": counts.indptr,
            "indices": counts.indices,
            "weights": weights.data,
            "counts": counts.data,
            "lengths": lengths,
            "shape": np.array(counts.shape),
        }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    for name, strings in (("section_ids", index.section_ids), ("unit_ids", index.unit_ids)):
        with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as file:
            table = pa.table({"id": strings})
            with pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
    return sorted(path.name for path in folder.iterdir())


def load(locate: Callable[[str], str], layout: Layout) -> Index:
    """Map an index's files.

    Args:
        locate: gives the path of a file by its name.
        layout: the rest.
    """

    def array(name: str) -> NDArray[Any]:
        mapped: NDArray[Any] = np.load(locate(f"{name}.npy"), mmap_mode="r")
        return mapped

    def strings(name: str) -> pa.Array:
        column = pa.ipc.open_file(pa.memory_map(locate(f"{name}.arrow"))).read_all().column("id")
        return column.combine_chunks()

    lexicon = None
    if Path(locate("indptr.npy")).exists():
        indptr, indices, weights, counts = (array(name) for name in _LEXICON)
        shape = tuple(array("shape").tolist())
        lexicon = Lexicon(
            csr_matrix((weights, indices, indptr), shape=shape, copy=False),
            csr_matrix((counts, indices, indptr), shape=shape, copy=False),
            np.asarray(array("lengths")),
        )
    sets = {
        channel: VectorSet(
            vectors=array(vectors_filename(channel).removesuffix(".npy")),
            unit=np.asarray(array(f"unit_{channel}")),
            start=np.asarray(array(f"start_{channel}")),
            ivf=knn.open_index(Path(locate(ivf_filename(channel)))) if search.probes else None,
            probes=search.probes,
            exact_up_to=search.exact_up_to,
        )
        for channel, search in layout.searches.items()
    }
    section_ids = strings("section_ids")
    return Index(
        section_ids=section_ids,
        unit_ids=strings("unit_ids"),
        unit_start=np.asarray(array("unit_start")),
        sets=sets,
        lexicon=lexicon,
        groups=layout.groups,
        excluded=relatives(section_ids.to_pylist()) if layout.related else None,
    )
