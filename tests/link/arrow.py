"""Tables in memory, as the link stage reads those of a warehouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from antinomy.store import schemas

if TYPE_CHECKING:
    from antinomy.link.build import Batches


def table(frame: pd.DataFrame, name: str) -> pa.Table:
    """Return rows with the columns of a table."""
    return pa.Table.from_pandas(frame, to_arrow_schema(schemas.schema(name)), preserve_index=False)


def batches(frame: pd.DataFrame, rows: int = 7) -> Batches:
    """Return how vectors are read, so many at a time."""
    whole = table(frame, "embeddings")

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from whole.select(list(columns)).to_batches(max_chunksize=rows)

    return read
