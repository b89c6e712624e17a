"""Two lists of demands compared as a run compares two documents, in this process: link, judge, coverage.

For crosswalks, whose statements come as lists and not as documents. Channels, fusion, judge and coverage are the run's
own; only Spark is not there, so the lists have to fit into memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed import encoder, units
from antinomy.embed.clauses import clauses
from antinomy.judge.adapt import SAMPLED
from antinomy.judge.claims import objection
from antinomy.judge.protocol import Adaptive, Judge, Pair, Provision, place_of
from antinomy.judge.rivals import OVERLAP
from antinomy.judge.stage import pair_key
from antinomy.link import neighbours
from antinomy.link.build import UnitVectors, assemble
from antinomy.link.index import Index
from antinomy.link.knn import Range
from antinomy.link.similar import budget, rows
from antinomy.settings import EmbedSettings
from antinomy.settings.link import LinkSettings
from antinomy.store import schemas

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

LEFT, RIGHT = "left", "right"

#: Every text counts as a duty of a firm.
_DUTY = {"type": "paragraph", "binds": "firm", "demands": "duty"}
#: id → {text, context (optional)}.
Texts = Mapping[str, Mapping[str, Any]]


def build_index(left: Texts, right: Texts, link: LinkSettings, embed: EmbedSettings) -> tuple[Index, pd.DataFrame]:
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
    owned = {"own": UnitVectors(own, np.arange(len(own)))}
    owned["clauses"] = UnitVectors(np.concatenate(by_clause), np.repeat(np.arange(len(own)), counts))
    if "context" in link.channels:
        given = np.flatnonzero(frame["context"] != "")
        vectors = loaded.encode(frame["context"].iloc[given].tolist(), embed.batch_size) if len(given) else own[:0]
        owned["context"] = UnitVectors(vectors, given)
    if "mpnet" in link.channels:
        further = encoder.worker_encoder(encoder.MPNET, "", device, embed.max_tokens)
        vectors, _ = further.encode_clauses(texts, [[] for _ in texts], embed.batch_size)
        owned["mpnet"] = UnitVectors(vectors, np.arange(len(vectors)))
    used: dict[str, UnitVectors] = {channel: owned[channel] for channel in link.channels if channel != "lexical"}
    frame["clause_vectors"] = pd.Series(by_clause, dtype=object)
    return assemble(frame, [LEFT, RIGHT], used, link), frame


def _pieces(section_id: str, record: Mapping[str, Any], embed: EmbedSettings) -> list[dict[str, Any]]:
    """Split a text as the embed stage splits a unit that is over the model's window."""
    count = encoder.token_counter(embed.model, embed.revision)
    provision = units.Provision("", "", "", [units.Part("", line) for line in record["text"].splitlines()])
    given = str(record.get("context") or "").splitlines()
    context = units.context(provision, given, ("cited",), embed.context_tokens, count)
    return [
        {
            "section_id": section_id,
            "unit_id": f"{section_id}~{piece}",
            "text_sha256": f"{section_id}~{piece}",
            "piece": piece,
            "heading_path": "",
            "unit_text": text,
            "context": context,
        }
        for piece, text in enumerate(units.split(provision, embed.max_tokens - encoder.SPECIAL_TOKENS, count), start=1)
    ]


def compare_lists(
    left: Texts, right: Texts, link: LinkSettings, embed: EmbedSettings, judge: Judge
) -> dict[str, pa.Table]:
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
    index, frame = build_index(left, right, chosen, embed)
    names = dict(zip(frame["section_id"], frame["regime"] + "#" + frame["id"], strict=True))
    units = [{**row, "section_id": names[row["section_id"]]} for row in _records(frame)]
    similar = [
        {**row, "left_id": names[row["left_id"]], "right_id": names[row["right_id"]]}
        for row in _candidates(index, len(left), len(right), chosen)
    ]
    sections = dict.fromkeys(row["section_id"] for row in units)
    sides = ((LEFT, left), (RIGHT, right))
    whole = {f"{side}#{name}": record["text"] for side, texts in sides for name, record in texts.items()}
    return {
        "documents": _table([{"doc_id": side, "regime": side, "title": side} for side in (LEFT, RIGHT)], "documents"),
        "sections": _table(
            [
                {"section_id": name, "doc_id": name.partition("#")[0], "heading": "", "label": "", "position": number}
                for number, name in enumerate(sections)
            ],
            "sections",
        ),
        "units": _table([{**row, **_DUTY, "doc_id": row["regime"], "label": row["id"]} for row in units], "units"),
        "similar": _table(similar, "similar"),
        "verdicts": _table(_judged(similar, {row["unit_id"]: row for row in units}, whole, judge), "verdicts"),
        "embeddings": _table(
            [
                {**row, "dim": row["clause_vectors"].shape[1], "clause_vectors": row["clause_vectors"].ravel()}
                for row in units
            ],
            "embeddings",
        ),
    }


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows with what is not known as None."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _table(records: list[dict[str, Any]], name: str) -> pa.Table:
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_schema

    columns = schemas.columns(name)
    plain = [{column: row.get(column) for column in columns} for row in records]
    return pa.Table.from_pylist(plain, schema=to_arrow_schema(schemas.schema(name)))


def _candidates(index: Index, lefts: int, rights: int, link: LinkSettings) -> list[dict[str, Any]]:
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
    merged = merged.sort_values(["turn", "score", "left_id", "right_id"], ascending=[True, False, True, True])
    return _records(merged.head(budget(link, index) or len(merged)).drop(columns="turn"))


def _judged(
    similar: Sequence[Mapping[str, Any]],
    of_unit: Mapping[str, Mapping[str, Any]],
    whole: Mapping[str, str],
    judge: Judge,
) -> list[dict[str, Any]]:
    """Judge the pairs as the judge stage does, but for rival claims.

    Args:
        similar: rows of the table.
        of_unit: units by unit_id.
        whole: texts by section_id.
        judge: asked about the pairs.
    """
    pairs = {}
    for row in similar:
        left, right = (_provision(of_unit[row[f"{side}_unit_id"]]) for side in (LEFT, RIGHT))
        key = pair_key(left.sha256, right.sha256)
        pairs[key] = Pair(key, left, right, place_of(row["rank_left"], row["rank_right"]))
    if isinstance(judge, Adaptive) and judge.adapts:
        sample = [pairs[key] for key in sorted(pairs)[:SAMPLED]]
        judge.use_shares(judge.estimate(list(judge.probabilities(sample))))
    rows = []
    for verdict in judge.judge(pairs.values()):
        left, right = pairs[verdict.pair_key].left, pairs[verdict.pair_key].right
        found: dict[str, Any] = asdict(verdict)
        if why := objection(found, (left.text, right.text), (whole[left.section_id], whole[right.section_id])):
            found |= OVERLAP | {"rationale": why}
        found |= {"left_id": left.section_id, "right_id": right.section_id}
        rows.append(found | {"left_unit_id": left.unit_id, "right_unit_id": right.unit_id})
    return rows


def _provision(unit: Mapping[str, Any]) -> Provision:
    return Provision(
        section_id=unit["section_id"],
        unit_id=unit["unit_id"],
        label=unit["id"],
        text=unit["unit_text"],
        context=unit["context"],
        sha256=unit["unit_id"],
        clause_vectors=unit["clause_vectors"],
    )
