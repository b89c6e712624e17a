"""Two lists of demands compared as a run compares two documents, in this process: link, judge, coverage.

For crosswalks, whose statements come as lists and not as documents. Channels, fusion, judge and coverage are the run's
own; only Spark is not there, so the lists have to fit into memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy import schemas
from antinomy.embed import encoder, units
from antinomy.embed.clauses import clauses
from antinomy.judge.protocol import Adaptive, Judge, Pair, Provision
from antinomy.judge.stage import SAMPLED, pair_key
from antinomy.link import neighbours
from antinomy.link.build import Owned, assemble
from antinomy.link.index import Index
from antinomy.link.knn import Range
from antinomy.link.plan import PAIRS_PER_SECTION, rows
from antinomy.link.settings import LinkSettings
from antinomy.settings import EmbedSettings

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

LEFT, RIGHT = "left", "right"

#: id → {text, context (optional)}.
Texts = Mapping[str, Mapping[str, Any]]


def index_of(left: Texts, right: Texts, link: LinkSettings, embed: EmbedSettings) -> tuple[Index, pd.DataFrame]:
    """Make the index that the link stage would make of these texts.

    Returns:
        The index, sections in the order of the texts; and its units: unit_id, section_id, regime, unit_text, context.
    """
    import pandas as pd

    rows = [
        {**row, "group": group, "regime": side, "id": name}
        for group, (side, texts) in enumerate(((LEFT, left), (RIGHT, right)))
        for number, (name, record) in enumerate(texts.items())
        for row in _pieces(f"{group}{number:09d}", record, embed)
    ]
    frame = pd.DataFrame(rows)
    device = encoder.task_device(embed.device)
    loaded = encoder.worker_encoder(embed.model, embed.revision, device, embed.max_tokens)
    texts = frame["unit_text"].tolist()
    own, by_clause = loaded.encode_clauses(texts, [clauses(text) for text in texts], embed.batch_size)
    counts = [len(rows) for rows in by_clause]
    owned = {"own": Owned(own, np.arange(len(own)))}
    owned["clauses"] = Owned(np.concatenate(by_clause), np.repeat(np.arange(len(own)), counts))
    if "context" in link.channels:
        given = np.flatnonzero(frame["context"] != "")
        vectors = loaded.encode(frame["context"].iloc[given].tolist(), embed.batch_size) if len(given) else own[:0]
        owned["context"] = Owned(vectors, given)
    used: dict[str, Owned] = {channel: owned[channel] for channel in link.channels if channel != "lexical"}
    frame["clause_vectors"] = by_clause
    return assemble(frame, [LEFT, RIGHT], used, link), frame


def _pieces(section_id: str, record: Mapping[str, Any], embed: EmbedSettings) -> list[dict[str, Any]]:
    """Split a text as the embed stage splits a unit that is over the model's window."""
    count = encoder.token_counter(embed.model)
    provision = units.Provision("", "", "", [units.Part("", line, 0) for line in record["text"].splitlines()])
    given = str(record.get("context") or "").splitlines()
    context = units.context(provision, given, ("cited",), embed.context_tokens, count)
    return [
        {
            "section_id": section_id,
            "unit_id": f"{section_id}~{piece}",
            "piece": piece,
            "heading_path": "",
            "unit_text": text,
            "context": context,
        }
        for piece, text in enumerate(units.split(provision, embed.max_tokens - encoder.SPECIAL_TOKENS, count), start=1)
    ]


def tables_of(left: Texts, right: Texts, link: LinkSettings, embed: EmbedSettings, judge: Judge) -> dict[str, pa.Table]:
    """Compare the texts as a run would and return its tables.

    All texts count as duties of a firm: they are what experts map.

    Args:
        left, right: the texts; ids may be the same on both sides.
        link: of the stage; ``groups`` and ``parties`` are set here.
        embed: the model and its window.
        judge: asked about the candidates.

    Returns:
        documents, sections, units, similar, verdicts and embeddings, as far as coverage reads them. Sections are
        named ``left#id`` and ``right#id``.
    """
    chosen = link.model_copy(update={"groups": "regimes", "left": (), "pairs": (), "parties": ("firm",)})
    index, frame = index_of(left, right, chosen, embed)
    similar = _candidates(index, len(left), len(right), chosen)
    names = dict(zip(frame["section_id"], frame["regime"] + "#" + frame["id"], strict=True))
    for side in (LEFT, RIGHT):
        similar[f"{side}_id"] = similar[f"{side}_id"].map(names)
    frame["section_id"] = frame["section_id"].map(names)
    verdicts = _judged(similar, frame.set_index("unit_id"), judge)
    return {
        "documents": _table([{"doc_id": side, "regime": side, "title": side} for side in (LEFT, RIGHT)], "documents"),
        "sections": _table(
            [
                {"section_id": name, "doc_id": name.partition("#")[0], "heading": "", "label": "", "position": number}
                for number, name in enumerate(dict.fromkeys(frame["section_id"]))
            ],
            "sections",
        ),
        "units": _table(
            [
                {
                    "unit_id": row.unit_id,
                    "section_id": row.section_id,
                    "doc_id": row.regime,
                    "regime": row.regime,
                    "label": row.id,
                    "heading_path": "",
                    "unit_text": row.unit_text,
                    "context": row.context,
                    "piece": row.piece,
                    "type": "paragraph",
                    "binds": "firm",
                    "demands": "duty",
                    "text_sha256": row.unit_id,
                }
                for row in frame.itertuples()
            ],
            "units",
        ),
        "similar": _table(similar.astype(object).where(similar.notna(), None).to_dict("records"), "similar"),
        "verdicts": _table(verdicts, "verdicts"),
        "embeddings": _table(
            [
                {
                    "text_sha256": row.unit_id,
                    "dim": row.clause_vectors.shape[1],
                    "clause_vectors": row.clause_vectors.ravel(),
                }
                for row in frame.itertuples()
            ],
            "embeddings",
        ),
    }


def _table(records: list[dict[str, Any]], name: str) -> pa.Table:
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_schema

    return pa.Table.from_pylist(records, schema=to_arrow_schema(schemas.schema(name)))


def _candidates(index: Index, lefts: int, rights: int, link: LinkSettings) -> pd.DataFrame:
    """Find the pairs that the link stage would keep."""
    import pandas as pd

    found = []
    for group, queries in enumerate((Range(0, lefts), Range(lefts, lefts + rights))):
        among = index.groups.partners(group)
        if among:
            hits = neighbours.propose(index, queries, among, link)
            found.append(rows(index, neighbours.rank(index, hits, link), link))
    frame = pd.concat(found, ignore_index=True)
    pair = ["left_id", "right_id", "left_unit_id", "right_unit_id"]
    how = {
        name: "min" if name.endswith("_rank") or name == "turn" else "max"
        for name in frame.columns
        if name not in {*pair, "channels"}
    }
    merged = frame.groupby(pair, as_index=False).agg(how)
    budget = link.budget_pairs or PAIRS_PER_SECTION * index.groups.smaller_sides()
    merged = merged.sort_values(["turn", "score", "left_id", "right_id"], ascending=[True, False, True, True])
    return merged.head(budget).drop(columns="turn").reset_index(drop=True)


def _judged(similar: pd.DataFrame, of_unit: pd.DataFrame, judge: Judge) -> list[dict[str, Any]]:
    texts = of_unit.to_dict("index")
    pairs = []
    for row in similar.itertuples():
        left, right = (
            Provision(
                section_id=section,
                unit_id=unit,
                label=texts[unit]["id"],
                text=texts[unit]["unit_text"],
                context=texts[unit]["context"],
                sha256=unit,
                clause_vectors=texts[unit]["clause_vectors"],
            )
            for section, unit in ((row.left_id, row.left_unit_id), (row.right_id, row.right_unit_id))
        )
        pairs.append(Pair(pair_key(left.sha256, right.sha256), left, right))
    if isinstance(judge, Adaptive) and judge.adapts:
        sample = sorted(pairs, key=lambda pair: pair.pair_key)[:SAMPLED]
        judge.expect(judge.estimate(list(judge.chances(sample))).expected)
    places = {pair.pair_key: pair for pair in pairs}
    found = []
    for verdict in judge.judge(pairs):
        pair = places[verdict.pair_key]
        found.append(
            {
                **asdict(verdict),
                "left_id": pair.left.section_id, "right_id": pair.right.section_id,
                "left_unit_id": pair.left.unit_id, "right_unit_id": pair.right.unit_id,
            }
        )  # fmt: skip
    return found
