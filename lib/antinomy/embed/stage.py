"""The embed stage: sections and citations → units in context → vectors."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from antinomy import section_ids as ids
from antinomy.embed import context, encoder, units
from antinomy.embed.addressee import find_addressees
from antinomy.embed.clauses import clauses
from antinomy.embed.in_force import InForce, in_force
from antinomy.embed.result import EmbedResult
from antinomy.errors import DocumentError
from antinomy.parse.quotes import announces_terms, defines
from antinomy.run.stage import Context, Stage, settings_of
from antinomy.settings import parties, sides
from antinomy.store import schemas, tables

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import EmbedSettings, Settings

log = logging.getLogger("antinomy")

_PROVISIONS = """
    section_id string, doc_id string, label string, heading_path string, parts array<string>,
    part_eids array<string>, definitions array<string>, type string, binds string, demands string
"""
_UNITS = """
    unit_id string, section_id string, doc_id string, label string, heading_path string, unit_text string,
    context string, piece int, unit_sha256 string, text_sha256 string, context_sha256 string,
    type string, binds string, demands string
"""
#: What is embedded: a text with the heading over it, or what a provision refers to, whose clauses nobody compares.
_TEXTS = ("text_sha256", "heading", "text", "with_clauses")
#: A document with at least this many provisions, of which less than this share binds a firm, is worth a warning.
_ENOUGH_PROVISIONS, _FEW_DUTIES = 20, 0.1
#: Number of texts that a core embeds while it could load a model, which also takes half a gigabyte of memory.
_TEXTS_WORTH_A_MODEL = 100


def run(ctx: Context) -> EmbedResult:
    """Write ``units``, ``embeddings`` and, where the link stage compares them, ``mpnet_embeddings``."""
    from pyspark.sql import functions as F

    chosen = ctx.settings.embed
    current = in_force(ctx)
    documents = current.documents
    provisions = current.sections.groupBy("doc_id").applyInPandas(_provisions_of_document, _PROVISIONS).persist()
    n_units = ctx.write(build_units(provisions, current, chosen), "units")
    provisions.unpersist()
    empty = _require_provisions(
        ctx, [row.doc_id for row in documents.where("status = 'parsed'").select("doc_id").collect()]
    )
    bound = _count_bound(ctx)
    link, written = ctx.settings.link, ctx.read("units")
    vectors, embedded = embed(ctx, texts_to_embed(written, "context" in link.channels), chosen.model)
    n_vectors = ctx.write(vectors, "embeddings")
    result = EmbedResult(
        units=n_units,
        embeddings=n_vectors,
        embedded=embedded,
        model=f"{chosen.model} ({encoder.model_revision(chosen.model, chosen.revision)})",
        provisions_that_bind=bound,
        without_provisions=empty,
    )
    if "mpnet" in link.channels:
        # Only what is compared: the larger model takes several times as long for a text.
        compared = texts_to_embed(written.where(parties.are_compared(link.parties)), with_context=False)
        vectors, _ = embed(ctx, compared.withColumn("with_clauses", F.lit(False)), encoder.MPNET)
        result = result.model_copy(update={"mpnet_embeddings": ctx.write(vectors, "mpnet_embeddings")})
    if ctx.settings.as_of is None:
        return result
    return result.model_copy(update={"not_in_force": current.left_out, "undated": current.undated})


def _count_bound(ctx: Context) -> dict[str, dict[str, int]]:
    """Count the provisions of each regime by whom they bind, and warn of a document in which hardly any bind a firm."""
    units = ctx.arrow("units", ("regime", "doc_id", "binds", "piece")).to_pandas()
    whole = units[units["piece"] == 1]
    for doc_id, binds in whole.groupby("doc_id")["binds"]:
        duties = int(binds.isin(parties.FIRM_PARTIES).sum())
        if len(binds) >= _ENOUGH_PROVISIONS and duties < _FEW_DUTIES * len(binds):
            log.warning(
                "%s: only %d of %d provisions are read as binding a firm; what binds others is not compared unless "
                "link.parties names them",
                doc_id, duties, len(binds),
            )  # fmt: skip
    return {
        str(regime): {str(party): int(count) for party, count in binds.value_counts().items()}
        for regime, binds in whole.groupby("regime")["binds"]
    }


def texts_to_embed(table: DataFrame, with_context: bool) -> DataFrame:
    """Return the units' texts to embed, each once: rows as ``_TEXTS``."""
    from pyspark.sql import functions as F

    nearest = F.element_at(F.split("heading_path", units.PATH_SEPARATOR), -1)
    texts = table.select(
        "text_sha256", nearest.alias("heading"), F.col("unit_text").alias("text"), F.lit(True).alias("with_clauses")
    )
    if with_context:
        context_texts = table.where("context_sha256 is not null").select(
            F.col("context_sha256").alias("text_sha256"), F.lit("").alias("heading"),
            F.expr("substring(context, if(heading_path != '' and startswith(context, heading_path), "
                   "length(heading_path) + 2, 1))").alias("text"),
            F.lit(False).alias("with_clauses"),
        )  # fmt: skip
        texts = texts.unionByName(context_texts)
    return texts.dropDuplicates(["text_sha256"]).select(*_TEXTS)


def _require_provisions(ctx: Context, doc_ids: list[str]) -> tuple[str, ...]:
    """Return the documents in which no provision was recognised, and warn of them.

    Raises:
        DocumentError: if nothing can be compared without them.
    """
    present = set(ctx.arrow("units", ("doc_id",))["doc_id"].unique().to_pylist())
    empty = tuple(sorted(set(doc_ids) - present))
    if not empty:
        return empty
    message = f"no provision was recognised in {', '.join(empty)}: see `antinomy parse --report`, set their grammar"
    regimes = {doc.doc_id: doc.regime for doc in ctx.settings.documents if doc.doc_id in present}
    if not sides.comparable(ctx.settings.link, regimes):
        raise DocumentError(f"{message}; without them there is nothing to compare")
    log.warning("%s; nothing of them is compared", message)
    return empty


def build_units(provisions: DataFrame, current: InForce, settings: EmbedSettings) -> DataFrame:
    """Make the units of a corpus.

    Args:
        provisions: rows as ``_PROVISIONS``; read twice.
        current: the documents that are compared.
        settings: of the stage.

    Returns:
        Rows of the ``units`` table.
    """
    from pyspark.sql import functions as F

    members = provisions.select(
        F.col("section_id").alias("owner_id"),
        F.explode("part_eids").alias("part_eid"),
        "doc_id",
    ).select("owner_id", F.concat_ws("#", "doc_id", "part_eid").alias("member_id"))
    cited = context.cited_openings(members, current.sections, current.citations)
    model, revision, max_tokens = settings.model, settings.revision, settings.max_tokens
    kinds, budget = settings.context, settings.context_tokens

    def compose(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        count = encoder.token_counter(model, revision)
        for frame in frames:
            rows = [row for record in frame.itertuples() for row in _units_of(record, kinds, budget, max_tokens, count)]
            yield pd.DataFrame(rows, columns=[part.split()[0] for part in _UNITS.split(",")])

    composed = provisions.join(cited, "section_id", "left").mapInPandas(compose, _UNITS)
    return composed.join(F.broadcast(current.documents.select("doc_id", "regime")), "doc_id")


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
    provisions = units.provisions(nodes)
    rows = [
        {
            "section_id": ids.section_id(doc_id, provision.eid),
            "doc_id": doc_id,
            "label": provision.label,
            "heading_path": provision.heading_path,
            "parts": [part.text for part in provision.parts],
            "part_eids": [part.eid for part in provision.parts],
            "definitions": provision.definitions,
            "type": "definition" if _defines_a_term(provision, who.demands) else types[provision.eid],
            "binds": who.binds,
            "demands": who.demands,
        }
        for provision, who in zip(provisions, find_addressees(provisions, types), strict=True)
    ]
    return pd.DataFrame(rows, columns=[part.split()[0] for part in _PROVISIONS.split(",")])


def _defines_a_term(provision: units.Provision, demands: str) -> bool:
    """Tell whether a provision is to be compared with definitions.

    Elsewhere than in a glossary it must do nothing else. In one, "a log: a record that staff must keep" is no duty.
    """
    in_glossary = announces_terms(units.nearest_heading(provision.heading_path))
    return (in_glossary or demands == "nothing") and defines(provision.parts[0].text, in_glossary)


def _units_of(record: Any, kinds: tuple[str, ...], budget: int, max_tokens: int, count: units.TokenCount) -> list[Any]:
    _, eid = ids.split_section_id(record.section_id)
    provision = units.Provision(
        eid,
        record.label,
        record.heading_path,
        [units.Part(e, t) for e, t in zip(record.part_eids, record.parts, strict=True)],
        list(record.definitions),
    )
    cited = [] if record.cited is None else list(record.cited)
    before = units.context(provision, cited, kinds, budget, count)
    refers = "\n".join(line for line in before.splitlines() if line != record.heading_path)
    heading = units.nearest_heading(record.heading_path)
    room = max_tokens - encoder.SPECIAL_TOKENS
    # A heading that would fill the window is cut off in reading, so that the text still has half of it.
    texts = units.split(provision, max(room - count(embedded_text(heading, "")), room // 2), count)
    rows = []
    for piece, text in enumerate(texts, start=1):
        unit_id = record.section_id if piece == 1 else f"{record.section_id}~{piece}"
        read = _sha256(embedded_text(heading, text))
        hashes = _sha256(embedded_text(before, text)), read, _sha256(refers) if refers else None
        rows.append(
            (unit_id, record.section_id, record.doc_id, record.label, record.heading_path, text, before,
             piece, *hashes, record.type, record.binds, record.demands)
        )  # fmt: skip
    return rows


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def embedded_text(before: str, text: str) -> str:
    """Return a text with what stands over it."""
    return f"{before}\n{text}" if before else text


def embed(ctx: Context, texts: DataFrame, model: str) -> tuple[DataFrame, int]:
    """Return the vectors of every text and its clauses, from the cache or else from the model.

    Args:
        ctx: of the stage.
        texts: rows as ``texts_to_embed``; one per text.
        model: that of the settings, or ``encoder.MPNET``.

    Returns:
        Rows of the ``embeddings`` table, one per text, and how many of them were made now.
    """
    from pyspark.sql import functions as F

    settings = ctx.settings.embed
    revision = encoder.model_revision(model, settings.revision)
    wanted = (F.col("model") == model) & (F.col("revision") == revision)
    cached = tables.read_cache(ctx.spark, ctx.settings.warehouse, "embeddings").where(wanted)
    missing = texts.join(cached, "text_sha256", "left_anti")
    device, max_tokens, batch, pinned = settings.device, settings.max_tokens, settings.batch_size, settings.revision

    def encode(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for frame in frames:
            if frame.empty:
                continue
            loaded = encoder.worker_encoder(model, pinned, encoder.task_device(device), max_tokens)
            read, spans = [], []
            for row in frame.itertuples():
                full = embedded_text(str(row.heading), str(row.text))
                shift = len(full) - len(str(row.text))
                read.append(full)
                spans.append([(a + shift, b + shift) for a, b in clauses(str(row.text))] if row.with_clauses else [])
            vectors, by_clause = loaded.encode_clauses(read, spans, batch)
            yield pd.DataFrame(
                {
                    "text_sha256": frame["text_sha256"],
                    "model": model,
                    "revision": revision,
                    "dim": loaded.dim,
                    "vector": list(vectors),
                    "clause_vectors": [rows.ravel() for rows in by_clause],
                }
            )

    # As many tasks as cores, each of which loads the model once; fewer where that would take longer than the texts.
    wanted_tasks = math.ceil(missing.count() / _TEXTS_WORTH_A_MODEL)
    tasks = min(ctx.spark.sparkContext.defaultParallelism, wanted_tasks)
    embedded = 0
    if tasks:
        # Texts of like length are read together: the shorter ones of a batch are padded.
        alike = missing.repartition(tasks).sortWithinPartitions(F.length("text"))
        made = alike.mapInPandas(encode, schemas.schema("embeddings"))
        embedded = tables.append_cache(made, ctx.settings.warehouse, "embeddings")
    complete = tables.read_cache(ctx.spark, ctx.settings.warehouse, "embeddings").where(wanted)
    rows = complete.join(texts.select("text_sha256"), "text_sha256", "left_semi").dropDuplicates(["text_sha256"])
    return rows, embedded


def _settings_used(settings: Settings) -> dict[str, Any]:
    channels = {"context", "mpnet"} & set(settings.link.channels)
    compared = {"parties": sorted(settings.link.parties)} if "mpnet" in channels else {}
    return {**settings_of("embed", "as_of")(settings), "vectors": sorted(channels), **compared}


def _check(settings: Settings) -> None:
    sides.check(settings)
    # Missing on the driver, the model is missing on the executors, too, whose error comes with Spark's stack trace.
    encoder.token_counter(settings.embed.model, settings.embed.revision)
    if "mpnet" in settings.link.channels:
        encoder.model_path(encoder.MPNET)


STAGE = Stage("embed", settings_used=_settings_used, upstream=("parse",), run=run, check=_check)
