"""What the page calls documents and provisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antinomy.findings.document_names import full_titles, label_without_title
from antinomy.store.rows import DocumentRow


def page_heading(documents: Sequence[DocumentRow]) -> str:
    """Return the page's heading: a regime of one document by its title, others by their number of documents."""
    regimes, titles = by_regime(documents), full_titles(documents)
    if len(regimes) == 1 and len(documents) == 2:
        return " and ".join(titles.values())
    sides = []
    for regime, of_regime in regimes.items():
        several = f"{len(of_regime)} {regime.upper()} documents"
        sides.append(several if len(of_regime) > 1 else titles[of_regime[0]["doc_id"]])
    return " and ".join(sides) or "No documents"


def count_by_regime(documents: Sequence[DocumentRow]) -> str:
    """Count the documents by regime, in words."""
    if all(doc["regime"] == doc["doc_id"] for doc in documents):
        return f"{len(documents)} documents"
    counted = {regime.upper(): len(of_regime) for regime, of_regime in by_regime(documents).items()}
    return " and ".join(f"{n} {regime} document{'s' if n != 1 else ''}" for regime, n in counted.items())


def short_titles(documents: Sequence[DocumentRow], titles: Mapping[str, str]) -> dict[str, str]:
    """Drop the words that all titles of a regime start with: booklets of one handbook differ at the end."""
    short: dict[str, str] = {}
    for regime in {doc["regime"] for doc in documents}:
        of_regime = [doc["doc_id"] for doc in documents if doc["regime"] == regime]
        split = [titles[doc_id].split(" ") for doc_id in of_regime]
        same = next((n for n, words in enumerate(zip(*split, strict=False)) if len(set(words)) > 1), 0)
        short |= {doc_id: " ".join(words[same:]) for doc_id, words in zip(of_regime, split, strict=True)}
    return short


def by_regime(documents: Sequence[DocumentRow]) -> dict[str, list[DocumentRow]]:
    """Group documents by regime, in their order."""
    grouped: dict[str, list[DocumentRow]] = {}
    for doc in documents:
        grouped.setdefault(doc["regime"], []).append(doc)
    return grouped


def provision_label(row: Mapping[str, Any], side: str, titles: Mapping[str, str]) -> str:
    """Return a finding's label without the document's title, which is shown beside it."""
    return label_without_title(row[f"{side}_label"], titles.get(row[f"{side}_doc"], ""))
