"""What the provisions nearest to a provision find counts for its own candidates."""

from __future__ import annotations

import numpy as np
import pandas as pd

from antinomy.link import neighbours
from antinomy.link.build import UnitVectors, assemble
from antinomy.link.index import Index
from antinomy.link.knn import Range
from antinomy.settings.link import LinkSettings

#: What the two provisions on incidents share, what only the second says as the other side does, and another matter.
_VECTORS = {
    "a#incidents_1": (1.0, 0.0, 0.0), "a#incidents_2": (0.9, 0.3, 0.0), "a#staff": (0.0, 0.0, 1.0),
    "b#alarms": (0.5, 0.0, 0.5), "b#incidents": (0.5, 0.5, 0.0), "b#staff": (0.0, 0.0, 1.0),
}  # fmt: skip


def test_of_two_candidates_as_near_that_of_its_peers_comes_first() -> None:
    settings = LinkSettings.model_validate({"channels": ["own", "mpnet"], "min_score": -1, "k_right": 0})
    index = _index(settings)
    assert _ranking(index, settings)["a#incidents_1"] == ["b#incidents", "b#alarms", "b#staff"]


def test_a_channel_alone_is_ranked_by_its_own_scores() -> None:
    settings = LinkSettings.model_validate({"channels": ["mpnet"], "min_score": -1, "k_right": 0})
    assert _ranking(_index(settings), settings)["a#incidents_1"] == ["b#alarms", "b#incidents", "b#staff"]


def _index(settings: LinkSettings) -> Index:
    sections = list(_VECTORS)
    frame = pd.DataFrame({"unit_id": sections, "section_id": sections, "regime": [name[0] for name in sections]})
    frame["group"] = (frame["regime"] == "b").astype(int) * len(settings.parties)
    vectors = np.array(list(_VECTORS.values()), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return assemble(
        frame, ["a", "b"], dict.fromkeys(settings.channels, UnitVectors(vectors, np.arange(len(vectors)))), settings
    )


def _ranking(index: Index, settings: LinkSettings) -> dict[str, list[str]]:
    sections = index.section_ids.to_pylist()
    hits = neighbours.propose(index, Range(0, 3), index.groups.partners(0), settings)
    found: dict[str, list[str]] = {}
    ranked = neighbours.rank(index, hits, settings)
    for query, base in zip(ranked.query, ranked.base, strict=True):
        found.setdefault(sections[query], []).append(sections[base])
    return found
