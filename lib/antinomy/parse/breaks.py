"""Breaks in a finished tree's numbers: 3 after 1, or 1 twice, is mostly a heading that was misspelt or misread.

Then the provision under it stands in the one before, and whatever is found in it is cited from the wrong place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from antinomy.parse.model import Section
from antinomy.parse.numbering import readings


def breaks(sections: Sequence[Section]) -> list[str]:
    """Return where the numbers of sections that belong together do not follow each other, one sentence each.

    Together belong sections of one type below one parent, or in the whole document where their numbers run through
    it. Numbers with letters may be put between (3a after 3); groups whose numbers are of several kinds are left out.

    >>> breaks([Section(f"art_{n}", "article", n, label=f"Article {n}") for n in ("1", "3")])
    ['Article 3 follows Article 1']
    """
    groups: dict[tuple[str, str], list[Section]] = {}
    for section in sections:
        if section.number:
            groups.setdefault((section.eid.rpartition("__")[0], section.type), []).append(section)
    found = [place for group in groups.values() for place in _of_group(group)]
    return [said for _, said in sorted(found)]


def _of_group(group: Sequence[Section]) -> Iterator[tuple[int, str]]:
    options = [dict(readings(section.number.lower())) for section in group]
    kinds = [kind for kind in options[0] if all(kind in option for option in options) and kind != "dash"]
    if not kinds:
        return
    # (c), (d) may be Roman too: what breaks least is meant.
    yield from min((list(_of_kind(group, [option[kind] for option in options])) for kind in kinds), key=len)


def _of_kind(group: Sequence[Section], values: Sequence[float]) -> Iterator[tuple[int, str]]:
    if values[0] > 1.01 and len(group) > 1:
        yield group[0].position, f"{group[0].label} is the first"
    for (before, last), (section, value) in pairwise(zip(group, values, strict=True)):
        if value == last:
            yield section.position, f"{section.label} stands twice"
        elif not last < value <= int(last) + 1.99 or int(value) > int(last) + 1:
            yield section.position, f"{section.label} follows {before.label}"
