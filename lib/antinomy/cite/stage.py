"""Citations of a whole corpus: every document's sections are scanned against an index of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from antinomy import section_ids as ids
from antinomy.cite import DocumentInfo, cite_document, corpus_index
from antinomy.store import schemas

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings.source import Source


#: Columns of a section that the index needs; texts stay in Spark.
INDEXED = ("doc_id", "eid", "type", "number", "heading", "parent_id", "position", "label")


def cite(
    documents: Sequence[Mapping[str, Any]],
    outline: Iterable[Mapping[str, Any]],
    sections: DataFrame,
    sources: list[Source],
) -> DataFrame:
    """Find the citation edges of a corpus.

    Args:
        documents: rows of the table.
        outline: rows of ``sections``, their columns INDEXED.
        sections: the table.
        sources: the documents as listed, for the names by which they are cited.

    Returns:
        Rows of the ``citations`` table.
    """
    spark = sections.sparkSession
    aliases = {source.doc_id: source.aliases for source in sources}
    parsed = sorted((row for row in documents if row["status"] == "parsed"), key=lambda row: str(row["doc_id"]))
    infos = [
        DocumentInfo(doc_id=row["doc_id"], title=row["title"], aliases=aliases.get(row["doc_id"], ())) for row in parsed
    ]
    ordered = sorted(outline, key=lambda row: (row["doc_id"], row["position"]))
    shared = spark.sparkContext.broadcast(corpus_index(infos, map(_node, ordered)))

    def of_document(frame: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd

        own = list(map(_node, frame.sort_values("position").to_dict("records")))
        rows = cite_document(str(frame["doc_id"].iloc[0]), own, shared.value)
        return pd.DataFrame(rows, columns=schemas.columns("citations"))

    return sections.groupBy("doc_id").applyInPandas(of_document, schemas.schema("citations"))


def _node(row: Mapping[Any, Any]) -> Any:
    """Make a row of ``sections`` what the index and the reader take, with the parent's id in its document."""
    return SimpleNamespace(**row, parent_eid=ids.split_section_id(row["parent_id"] or "")[1])
