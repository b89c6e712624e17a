"""The chapter of a provision: its outermost heading, numbered as the document numbers it."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from antinomy.findings import topics


def first_labels(sections: pa.Table) -> dict[tuple[str, str], str]:
    """Return the label of the first section that bears a heading, by document and heading.

    Args:
        sections: doc_id, heading, label, position.
    """
    headed = sections.filter(pc.not_equal(sections["heading"], "")).select(["doc_id", "heading", "label", "position"])
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for row in headed.to_pylist():
        key, here = (row["doc_id"], row["heading"]), (row["position"], row["label"] or "")
        first[key] = min(here, first.get(key, here))
    return {key: label for key, (_, label) in first.items()}


def chapter(path: str, doc: str, title: str, labels: Mapping[tuple[str, str], str]) -> str:
    """Name the chapter of a provision: its outermost heading, numbered by the first section that bears it.

    Args:
        path: headings from the outermost down.
        doc: doc_id.
        title: of the document; it stands for the chapter of a provision without headings.
        labels: see ``first_labels``.
    """
    outermost = path.split(topics.PATH_SEPARATOR)[0]
    if not outermost:
        return title or doc
    # A label may name its document first ("Audit, Section II"); the chapter stands beside the document's name.
    number = labels.get((doc, outermost), "").removeprefix(f"{title}, ")
    return number if outermost in number else f"{number} {outermost}".strip()
