"""Groups of sections: which may be paired, which search for neighbours, and which are on the left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import SettingsError
from antinomy.link.knn import Range
from antinomy.settings.link import LinkSettings


@dataclass(frozen=True)
class Groups:
    """Sections by group; those of a group are contiguous.

    Attributes:
        names: of the groups, in the order of their sections.
        ranges: the sections of each group.
        oriented: pairs of group numbers, left and right, whose sections may meet.
        k_left: neighbours searched for each left section.
        k_right: neighbours searched for each right section.
        full_comparison: number of pairs that a full comparison would judge: all that the settings allow, whomever they
            bind.
    """

    names: tuple[str, ...]
    ranges: tuple[Range, ...]
    oriented: frozenset[tuple[int, int]]
    k_left: int
    k_right: int
    full_comparison: int

    def partners(self, group: int) -> list[Range]:
        """Return the sections among which a group's neighbours are searched; [] if none."""
        found = set()
        if self.k_left:
            found |= {right for left, right in self.oriented if left == group}
        if self.k_right:
            found |= {left for left, right in self.oriented if right == group}
        merged: list[Range] = []
        for start, stop in (self.ranges[g] for g in sorted(found)):
            if merged and merged[-1].stop == start:
                merged[-1] = Range(merged[-1].start, stop)
            else:
                merged.append(Range(start, stop))
        return merged

    def group_of(self, sections: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the group numbers of sections."""
        stops = np.array([r.stop for r in self.ranges])
        return np.searchsorted(stops, sections, side="right")

    def query_is_right(self, queries: NDArray[np.int64], base: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs (query, neighbour) have the query on the right.

        Within one document the section that comes first by its number is left.
        """
        count = len(self.names)
        left_first = np.zeros((count, count), dtype=bool)
        for left, right in self.oriented:
            left_first[left, right] = True
        q, b = self.group_of(queries), self.group_of(base)
        result: NDArray[np.bool_] = np.where(q == b, queries > base, ~left_first[q, b])
        return result

    def pairs_by_rank(self, queries: NDArray[np.int64], rank: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the number of pairs that a query's group has when each of its sections has this many neighbours."""
        sizes = np.array([r.stop - r.start for r in self.ranges], dtype=np.float64)
        return sizes[self.group_of(queries)] * rank

    def smaller_sides(self) -> int:
        """Return the number of sections of the smaller side, summed over the pairs of groups that may meet."""
        sizes = [r.stop - r.start for r in self.ranges]
        return sum(min(sizes[left], sizes[right]) for left, right in self.oriented)

    @property
    def two_way(self) -> bool:
        """Whether a pair can be found from either of its sides."""
        return bool(self.k_left and self.k_right) or any(left == right for left, right in self.oriented)

    def partners_wanted(self, queries: NDArray[np.int64], base: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each pair (query, neighbour) the query's number of neighbours k on that side."""
        within = self.group_of(queries) == self.group_of(base)
        return np.where(self.query_is_right(queries, base) & ~within, self.k_right, self.k_left)


def orientation_order(settings: LinkSettings, names: Sequence[str]) -> list[str]:
    """Return group names in the order of orientation: those named as left first, else as listed."""
    unknown = [name for name in settings.left if name not in names]
    if unknown:
        raise SettingsError(
            f"link.left: no units of {', '.join(unknown)}; there are {', '.join(names) or 'none at all'}"
        )
    return [*settings.left, *(name for name in names if name not in settings.left)]


def make_groups(
    settings: LinkSettings, names: Sequence[str], sizes: Sequence[Sequence[int]], left_out: Sequence[int] = ()
) -> Groups:
    """Make the groups: one per name and party, see ``parties``.

    Args:
        settings: groups, left, pairs, k, k_right.
        names: of the groups in the order of their sections.
        sizes: number of sections of each name, by party.
        left_out: sections of each name that bind none of these parties; they meet nobody.

    Raises:
        SettingsError: if a pair names a document that has no units.
    """
    count = len(names)
    k_right = settings.k_right
    if settings.groups == "pairs":
        number = {name: i for i, name in enumerate(names)}
        missing = sorted({name for pair in settings.pairs for name in pair if name not in number})
        if missing:
            raise SettingsError(f"link.pairs: no units of {', '.join(missing)}; there are {', '.join(names)}")
        # A pair listed both ways round is one pair, in the orientation listed first.
        first = {frozenset(pair): pair for pair in reversed(settings.pairs)}
        oriented = {(number[left], number[right]) for left, right in first.values()}
    elif settings.groups == "within":
        oriented = {(g, g) for g in range(count)}
        k_right = 0  # every section asks as a left one: there is no other side
    else:
        lefts = range(len(settings.left)) if settings.left else range(count)
        first_right = len(settings.left)
        oriented = {(a, b) for a in lefts for b in range(max(a + 1, first_right), count)}
    each = len(sizes[0]) if sizes else 1
    flat = [size for row in sizes for size in row]
    stops = np.cumsum(flat).tolist()
    whole = [sum(row) + lost for row, lost in zip(sizes, left_out or [0] * count, strict=True)]
    return Groups(
        names=tuple(name for name in names for _ in range(each)),
        ranges=tuple(Range(stop - size, stop) for stop, size in zip(stops, flat, strict=True)),
        oriented=frozenset((a * each + party, b * each + party) for a, b in oriented for party in range(each)),
        k_left=settings.k,
        k_right=k_right,
        full_comparison=sum(whole[a] * whole[b] if a != b else whole[a] * (whole[a] - 1) // 2 for a, b in oriented),
    )


def relatives(section_ids: Sequence[str]) -> dict[int, NDArray[np.int64]]:
    """Return for each section itself, the sections that it is part of and those that are part of it.

    Within one document these are no candidates: a provision does not conflict with its own paragraph.
    """
    number = {section_id: i for i, section_id in enumerate(section_ids)}
    found: dict[int, list[int]] = {i: [i] for i in range(len(section_ids))}
    for section_id, i in number.items():
        above = section_id
        while "__" in above:
            above = above.rpartition("__")[0]
            if above in number:
                found[i].append(number[above])
                found[number[above]].append(i)
    return {i: np.array(sorted(members)) for i, members in found.items()}
