"""The chapter of a provision: its outermost heading, numbered as the document numbers it.

A heading that holds a whole document, as its title or its only part, is no chapter: the chapters begin below it.
"""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from antinomy.embed.units import PATH_SEPARATOR
from antinomy.findings.document_names import label_without_title

#: Types that stand beside a heading that holds all the rest.
_BESIDE = frozenset({"title", "preamble", "conclusions", "footnote", "annex", "schedule", "appendix"})
_COLUMNS = ["section_id", "doc_id", "type", "heading", "label", "parent_id", "position"]


class Chapters:
    """The chapters of a run's documents."""

    def __init__(self, sections: pa.Table, documents: pa.Table) -> None:
        """Find the headings that name chapters.

        Args:
            sections: section_id, doc_id, type, heading, label, parent_id, position.
            documents: doc_id, title.
        """
        rows = sorted(sections.select(_COLUMNS).to_pylist(), key=lambda row: row["position"])
        self._titles = {row["doc_id"]: row["title"] or "" for row in documents.select(["doc_id", "title"]).to_pylist()}
        self._labels: dict[tuple[str, str], str] = {}
        for row in rows:
            if row["heading"]:
                self._labels.setdefault((row["doc_id"], row["heading"]), row["label"] or "")
        outermost = [row for row in rows if not row["parent_id"] and row["type"] not in _BESIDE]
        in_document = Counter(row["doc_id"] for row in outermost)
        headed = Counter(row["parent_id"] for row in rows if row["heading"])
        self._whole = {
            (row["doc_id"], row["heading"])
            for row in outermost
            if in_document[row["doc_id"]] == 1 and headed[row["section_id"]] > 1
        }

    def name(self, doc: str, path: str) -> str:
        """Name the chapter of a provision, numbered by the first section that bears its heading.

        Args:
            doc: doc_id; the document's title stands for the chapter of a provision without headings.
            path: headings from the outermost down.
        """
        outermost, *below = path.split(PATH_SEPARATOR)
        if below and (doc, outermost) in self._whole:
            outermost = below[0]
        title = self._titles.get(doc, "")
        if not outermost:
            return title or doc
        # The chapter stands beside the document's name.
        number = label_without_title(self._labels.get((doc, outermost), ""), title)
        return number if outermost in number else f"{number} {outermost}".strip()
