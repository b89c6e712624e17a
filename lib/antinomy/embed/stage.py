"""The embed stage: sections and citations → units in context → vectors."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from antinomy import eid as ids
from antinomy import schemas, tables
from antinomy.embed import context, encoder, units
from antinomy.embed.bound import bound
from antinomy.errors import DocumentError
from antinomy.stage import Context, Stage, groups

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import EmbedSettings

log = logging.getLogger("antinomy")

_PROVISIONS = """
    section_id string, doc_id string, label string, heading_path string, parts array<string>,
    part_eids array<string>, definitions array<string>, binds string, demands string
"""
_UNITS = """
    unit_id string, section_id string, doc_id string, label string, heading_path string, unit_text string,
    context string, n_tokens int, piece int, unit_sha256 string, binds string, demands string
"""
#: Loading a model takes a CPU about as long as embedding so many texts.
_TEXTS_WORTH_A_MODEL = 256


def run(ctx: Context) -> None:
    """Write ``units`` and ``embeddings``."""
    documents, sections, citations = in_force(ctx)
    made = build_units(documents, sections, citations, ctx.settings.embed)
    ctx.write(made, "units")
    whole = ctx.read("units").where("piece = 1").groupBy("regime", "binds").count().collect()
    ctx.counts["provisions_that_bind"] = {
        regime: {row.binds: row["count"] for row in sorted(whole, key=lambda r: -r["count"]) if row.regime == regime}
        for regime in sorted({row.regime for row in whole})
    }
    embedded = embed(ctx, ctx.read("units").select("unit_sha256", "context", "unit_text").distinct())
    ctx.write(embedded, "embeddings")


def in_force(ctx: Context) -> tuple[DataFrame, DataFrame, DataFrame]:
    """Return the documents in force on ``as_of`` (all without it), their sections and the citations between them.

    What came later is left out before anything is made of it, so it is in no context either. A document without
    dates stays and is named in a warning.

    Raises:
        DocumentError: if nothing of a regime was in force then.
    """
    documents, sections, citations = ctx.read("documents"), ctx.read("sections"), ctx.read("citations")
    if ctx.settings.as_of is None:
        return documents, sections, citations
    day = ctx.settings.as_of.isoformat()
    rows = documents.where("status = 'parsed'").collect()
    kept = [row for row in rows if row.in_force_from <= day and (not row.in_force_to or day <= row.in_force_to)]
    lost = sorted({row.regime for row in rows} - {row.regime for row in kept})
    if lost:
        spans = "; ".join(
            f"{row.doc_id}: {row.in_force_from} to {row.in_force_to or 'now'}" for row in rows if row.regime in lost
        )
        raise DocumentError(f"nothing of regime {', '.join(lost)} was in force on {day} ({spans}): change as_of")
    undated = sorted(row.doc_id for row in kept if not row.in_force_from)
    if undated:
        log.warning("as_of: %s say no date and are taken as in force; set in_force_from", ", ".join(undated))
    ctx.counts["not_in_force"] = sorted({row.doc_id for row in rows} - {row.doc_id for row in kept})
    ctx.counts["undated"] = undated
    names = [row.doc_id for row in kept]
    sections = sections.where(sections["doc_id"].isin(names))
    targets = sections.selectExpr("section_id as target_section_id")
    return (
        documents.where(documents["doc_id"].isin(names)),
        sections,
        # Motifs would drop an edge without an end too; here it is said.
        citations.join(targets, "target_section_id", "left_semi"),
    )


def build_units(documents: DataFrame, sections: DataFrame, citations: DataFrame, settings: EmbedSettings) -> DataFrame:
    """Make the units of a corpus: rows of the ``units`` table."""
    from pyspark.sql import functions as F

    gathered = sections.groupBy("doc_id").applyInPandas(_provisions_of_document, _PROVISIONS).persist()
    members = gathered.select(
        F.col("section_id").alias("owner_id"),
        F.explode("part_eids").alias("part_eid"),
        "doc_id",
    ).select("owner_id", F.concat_ws("#", "doc_id", "part_eid").alias("member_id"))
    cited = context.cited_openings(members, sections, citations)
    model, max_tokens = settings.model, settings.max_tokens
    kinds, budget = settings.context, settings.context_tokens

    def compose(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        count = encoder.token_counter(model)
        for frame in frames:
            rows = [row for record in frame.itertuples() for row in _units_of(record, kinds, budget, max_tokens, count)]
            yield pd.DataFrame(rows, columns=[part.split()[0] for part in _UNITS.split(",")])

    composed = gathered.join(cited, "section_id", "left").mapInPandas(compose, _UNITS)
    return composed.join(F.broadcast(documents.select("doc_id", "regime")), "doc_id")


def _provisions_of_document(frame: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    doc_id = str(frame["doc_id"].iloc[0])
    nodes: list[Any] = []
    for row in frame.sort_values("position").itertuples():
        _, parent = ids.split_section_id(row.parent_id or "")  # type: ignore[arg-type]
        nodes.append(
            SimpleNamespace(
                eid=row.eid, type=row.type, number=row.number, heading=row.heading, label=row.label,
                text=row.text, parent_eid=parent, term=row.term,
            )
        )  # fmt: skip
    types = {node.eid: node.type for node in nodes}
    found = [
        (
            provision,
            bound("\n".join(part.text for part in provision.parts), provision.heading_path, types[provision.eid]),
        )
        for provision in units.provisions(nodes)
    ]
    rows = [
        {
            "section_id": ids.section_id(doc_id, provision.eid),
            "doc_id": doc_id,
            "label": provision.label,
            "heading_path": provision.heading_path,
            "parts": [part.text for part in provision.parts],
            "part_eids": [part.eid for part in provision.parts],
            "definitions": provision.definitions,
            "binds": who.binds,
            "demands": who.demands,
        }
        for provision, who in found
    ]
    return pd.DataFrame(rows, columns=[part.split()[0] for part in _PROVISIONS.split(",")])


def _units_of(record: Any, kinds: tuple[str, ...], budget: int, max_tokens: int, count: units.TokenCount) -> list[Any]:
    _, eid = ids.split_section_id(record.section_id)
    provision = units.Provision(
        eid,
        record.label,
        record.heading_path,
        [units.Part(e, t, 0) for e, t in zip(record.part_eids, record.parts, strict=True)],
        list(record.definitions),
    )
    cited = [] if record.cited is None else list(record.cited)
    before = units.context(provision, cited, kinds, budget, count)
    texts = units.split(provision, max_tokens - encoder.SPECIAL_TOKENS - count(before), count)
    rows = []
    for piece, text in enumerate(texts, start=1):
        unit_id = record.section_id if piece == 1 else f"{record.section_id}~{piece}"
        full = embedded_text(before, text)
        rows.append(
            (unit_id, record.section_id, record.doc_id, record.label, record.heading_path, text, before,
             count(full), piece, hashlib.sha256(full.encode()).hexdigest(), record.binds, record.demands)
        )  # fmt: skip
    return rows


def embedded_text(before: str, text: str) -> str:
    """Return what the model reads: the context, then the unit. Its hash is the key of vector and verdict."""
    return f"{before}\n{text}" if before else text


def embed(ctx: Context, texts: DataFrame) -> DataFrame:
    """Give every text its vector: from the cache where it is there, else from the model.

    Args:
        ctx: of the stage; ``counts`` gets how many were made and how many re-used.
        texts: unit_sha256, context, unit_text; one row per text.

    Returns:
        Rows of the ``embeddings`` table, one per text.
    """
    from pyspark.sql import functions as F

    settings = ctx.settings.embed
    model, revision = settings.model, encoder.model_revision(settings.model, settings.revision)
    wanted = (F.col("model") == model) & (F.col("revision") == revision)
    cached = tables.read_cache(ctx.spark, ctx.settings.warehouse, "embeddings").where(wanted)
    missing = texts.join(cached, "unit_sha256", "left_anti")
    device, max_tokens, batch = settings.device, settings.max_tokens, settings.batch_size
    model_settings_revision = settings.revision

    def encode(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for frame in frames:
            if frame.empty:
                continue
            loaded = encoder.worker_encoder(model, model_settings_revision, encoder.task_device(device), max_tokens)
            full = [embedded_text(c, t) for c, t in zip(frame["context"], frame["unit_text"], strict=True)]
            vectors = loaded.encode(full, batch)
            yield pd.DataFrame(
                {
                    "unit_sha256": frame["unit_sha256"],
                    "model": model,
                    "revision": revision,
                    "dim": loaded.dim,
                    "vector": list(vectors),
                }
            )

    # As many tasks as cores, each of which loads the model once; fewer where that would take longer than the texts.
    wanted_tasks = math.ceil(missing.count() / _TEXTS_WORTH_A_MODEL)
    tasks = min(ctx.spark.sparkContext.defaultParallelism, wanted_tasks)
    ctx.counts["embedded"] = 0
    if tasks:
        made = missing.repartition(tasks).mapInPandas(encode, schemas.schema("embeddings"))
        ctx.counts["embedded"] = tables.append_cache(made, ctx.settings.warehouse, "embeddings")
    ctx.counts["model"] = f"{model} ({revision})"
    complete = tables.read_cache(ctx.spark, ctx.settings.warehouse, "embeddings").where(wanted)
    return complete.join(texts.select("unit_sha256"), "unit_sha256", "left_semi").dropDuplicates(["unit_sha256"])


STAGE = Stage("embed", decides=groups("embed", "as_of"), needs=("parse",), run=run)
