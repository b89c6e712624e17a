"""Tables of a small run: two or more invented regulations, their candidate pairs and what a judge says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from antinomy.coverage.build import build
from antinomy.settings.link import LinkSettings
from antinomy.store import schemas

Row = dict[str, Any]

TEXTS = {
    "eu#1": "Backups shall be tested at least once a year. Logs shall be kept for five years.",
    "eu#2": "The firm shall notify the authority of an incident within 24 hours.",
    "eu#3": "The firm shall publish its tariff.",
    "eu#4": "The competent authority shall keep a register.",
    "eu#5": "'incident' means an event.",
    "us#1": "A bank should test its backups every year.",
    "us#2": "A bank must notify its regulator of an incident within 36 hours.",
    "us#3": "A bank should train its tellers.",
}
BOUND = {"eu#4": ("authority", "duty"), "eu#5": ("nobody", "nothing")}


def pair(left: str, right: str, relation: str | None = "none", p: float | None = 0.1, **more: Any) -> Row:
    """Make a candidate pair with its verdict."""
    verdict = {
        "pair_key": f"{left}|{right}", "left_id": left, "right_id": right, "left_unit_id": left,
        "right_unit_id": right, "status": "ok", "relation": relation, "p_related": p, "p_relation": p,
        "p_conflict": 0.05, "evidence_left": TEXTS.get(left, left)[:20], "evidence_right": TEXTS.get(right, right)[:20],
        "rationale": f"{left} and {right} were read.", "score": 7.0, "own": 0.5,
    }  # fmt: skip
    return verdict | more


def tables(
    pairs: Sequence[Row],
    texts: Mapping[str, str] = TEXTS,
    regimes: Mapping[str, str] | None = None,
    vectors: Mapping[str, Sequence[Sequence[float]]] | None = None,
    bound: Mapping[str, tuple[str, str]] = BOUND,
) -> dict[str, pa.Table]:
    """Make the tables that coverage is built from; a section's document is what stands before the ``#``."""
    docs = list(dict.fromkeys(name.partition("#")[0] for name in texts))
    regimes = regimes or {doc: doc for doc in docs}
    units, sections = [], []
    for number, (name, text) in enumerate(texts.items()):
        doc, _, place = name.partition("#")
        binds, demands = bound.get(name, ("firm", "duty"))
        kind = "definition" if text.startswith("'") else "paragraph"
        units.append(
            {"unit_id": name, "section_id": name, "doc_id": doc, "regime": regimes[doc], "label": f"Article {place}",
             "heading_path": "Chapter › Heading", "unit_text": text, "piece": 1, "type": kind, "binds": binds,
             "demands": demands, "text_sha256": name}
        )  # fmt: skip
        sections.append({"section_id": name, "doc_id": doc, "heading": "", "label": "", "position": number,
                         "page_start": 3})  # fmt: skip
    held = [
        {"text_sha256": name, "dim": 2, "clause_vectors": np.array(rows, np.float32).ravel()}
        for name, rows in (vectors or {}).items()
    ]
    return {
        "verdicts": table("verdicts", pairs),
        "units": table("units", units),
        "sections": table("sections", sections),
        "similar": table("similar", pairs),
        "documents": table("documents", [{"doc_id": d, "regime": regimes[d], "title": d.upper()} for d in docs]),
        "embeddings": table("embeddings", held),
    }


def table(name: str, rows: Sequence[Row]) -> pa.Table:
    """Make a table of rows that may lack columns, or have some that it does not."""
    columns = schemas.columns(name)
    plain = [{column: row.get(column) for column in columns} for row in rows]
    return pa.Table.from_pylist(plain, schema=to_arrow_schema(schemas.schema(name)))


def built(
    pairs: Sequence[Row],
    settings: LinkSettings | None = None,
    rejected: Collection[frozenset[str]] = (),
    **more: Any,
) -> tuple[list[Row], list[Row]]:
    """Build coverage and counterparts of such tables."""
    made = tables(pairs, **more)
    return build(*made.values(), settings or LinkSettings(), made["documents"]["doc_id"].to_pylist(), rejected)


def states(pairs: Sequence[Row], **more: Any) -> dict[str, str]:
    """Return section_id → state."""
    return {row["section_id"]: row["state"] for row in built(pairs, **more)[0]}
