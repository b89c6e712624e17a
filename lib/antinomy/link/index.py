"""What the search needs of all sections, as arrays that tasks map from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
class Index:
    """Sections in the order of their groups, then of their ids; a section is a number in that order.

    Attributes:
        section_ids: by section.
        unit_ids: by unit; the units (pieces) of a section stand together.
        unit_start: first unit of each section, and the number of units.
        vectors: float32, shape (vectors, dim); units without a usable vector have none.
        vector_unit: unit of each vector, increasing.
        vector_start: first vector of each section, and the number of vectors.
        lexicon: of the sections, None without that channel.
        groups: which sections may meet.
        excluded: for each section those that it never meets, itself included; None where groups see to that.
        ivf: approximate index over all vectors; None for exact search.
        probes: how many of its lists to look into.
        exact_up_to: among so many vectors the search is exact all the same: a few vectors are spread over lists
            that nobody looks into.
    """

    section_ids: pa.Array
    unit_ids: pa.Array
    unit_start: NDArray[np.int64]
    vectors: Vectors
    vector_unit: NDArray[np.int64]
    vector_start: NDArray[np.int64]
    lexicon: Lexicon | None
    groups: Groups
    excluded: dict[int, NDArray[np.int64]] | None = None
    ivf: Any = None
    probes: int = 0
    exact_up_to: int = 0

    def vector_ranges(self, ranges: Sequence[Range]) -> list[Range]:
        """Translate ranges of sections into ranges of vectors."""
        return [Range(int(self.vector_start[r.start]), int(self.vector_start[r.stop])) for r in ranges]

    def nearest(self, ranges: Sequence[Range]) -> knn.Nearest:
        """Return the search for vectors among ranges of sections."""
        rows = [r for r in self.vector_ranges(ranges) if r.stop > r.start]
        if self.ivf is None or sum(r.stop - r.start for r in rows) <= self.exact_up_to:
            return knn.exact_nearest(self.vectors, rows)
        return knn.approximate_nearest(self.ivf, self.vectors, rows, self.probes)

    def vectors_of(self, sections: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the vector rows of sections, one section after the other, and where each section's begin."""
        starts, stops = self.vector_start[sections], self.vector_start[sections + 1]
        counts = stops - starts
        offsets = np.cumsum(counts) - counts
        rows = np.repeat(starts - offsets, counts) + np.arange(counts.sum())
        return rows, offsets


def starts(owner: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return where each owner's entries begin in a sorted array of owners, and the array's length."""
    return np.searchsorted(owner, np.arange(count + 1)).astype(np.int64)


def save(index: Index, folder: Path) -> list[str]:
    """Write an index's arrays; returns the files' names. ``vectors.npy`` is left alone if it is there."""
    arrays: dict[str, NDArray[Any]] = {
        "unit_start": index.unit_start,
        "vector_unit": index.vector_unit,
        "vector_start": index.vector_start,
    }
    if not (folder / "vectors.npy").exists():
        arrays["vectors"] = index.vectors
    if index.lexicon is not None:
        weights, counts = index.lexicon
        arrays |= {
            "indptr": counts.indptr,
            "indices": counts.indices,
            "weights": weights.data,
            "counts": counts.data,
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


def load(locate: Callable[[str], str], groups: Groups, related: bool, probes: int, exact_up_to: int) -> Index:
    """Map an index's files.

    Args:
        locate: gives the path of a file by its name.
        groups: as saved with.
        related: sections never meet those that they are part of, see ``groups.relatives``.
        probes: lists of the approximate index to look into; 0 for exact search.
        exact_up_to: see ``Index``.
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
        )
    section_ids = strings("section_ids")
    return Index(
        section_ids=section_ids,
        unit_ids=strings("unit_ids"),
        unit_start=np.asarray(array("unit_start")),
        vectors=array("vectors"),
        vector_unit=np.asarray(array("vector_unit")),
        vector_start=np.asarray(array("vector_start")),
        lexicon=lexicon,
        groups=groups,
        excluded=relatives(section_ids.to_pylist()) if related else None,
        ivf=knn.open_index(Path(locate("ivf.faiss"))) if probes else None,
        probes=probes,
        exact_up_to=exact_up_to,
    )
