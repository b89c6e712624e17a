"""Does the link stage find what experts pair? Recall and hits against a crosswalk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed import encoder, units
from antinomy.embed.clauses import clauses
from antinomy.errors import AntinomyError
from antinomy.evaluate import records, stats
from antinomy.link import neighbours
from antinomy.link.build import Owned, assemble
from antinomy.link.index import Index
from antinomy.link.knn import Range
from antinomy.link.settings import LinkSettings
from antinomy.settings import EmbedSettings

if TYPE_CHECKING:
    pass

#: Ranks at which recall and hits are counted unless asked otherwise.
KS = (1, 5, 10, 20, 50)


def retrieval(
    left: str,
    right: str,
    gold: str,
    ks: Sequence[int] = KS,
    link: LinkSettings | None = None,
    embed: EmbedSettings | None = None,
) -> dict[str, Any]:
    """Measure what the link stage finds, with its own encoder, channels and fusion.

    Args:
        left: JSON lines {id, text, context (optional)}; for each of those with gold the right ones are
            ranked.
        right: as left.
        gold: JSON lines {left_id, right_id}.
        ks: ranks to measure at.
        link: channels, fusion and depth are used.
        embed: the model, its window and the tokens of it that context may take.

    Returns:
        ``recall`` and ``hit`` by k: the mean over left texts of |top k ∩ gold| / |gold|, and the share with
        any gold among the top k, with 95 % bootstrap intervals over left texts; ``alone`` the same of each channel by
        itself; ``n`` of the texts, and what was measured.

    Raises:
        AntinomyError: for a file that is not as described, or gold that names a text that is not there.
    """
    if not ks or min(ks) < 1:
        raise AntinomyError(f"-k {' '.join(map(str, ks))}: give ranks of 1 or more")
    embed = embed or EmbedSettings()
    # Ranks beyond k and weak neighbours are wanted here: it is the ranking that is measured.
    every = {"k": max(ks), "k_right": 0, "min_score": -1.0, "groups": "regimes", "left": (), "pairs": (),
             "parties": ("firm",)}  # fmt: skip
    chosen = (link or LinkSettings()).model_copy(update=every)
    lefts, rights = _texts(left), _texts(right)
    wanted = _gold(gold, lefts, rights)
    started = time.monotonic()
    index = _index(lefts, rights, chosen, embed)
    found = _rank(index, list(lefts), list(rights), chosen)
    seconds = time.monotonic() - started
    alone = {
        channel: _measured(_rank(index, list(lefts), list(rights), only), wanted, ks)
        for channel in chosen.channels
        if len(chosen.channels) > 1 and (only := chosen.model_copy(update={"channels": (channel,)}))
    }
    return {
        **_measured(found, wanted, ks),
        "alone": alone,
        "n": len(wanted),
        "left": len(lefts),
        "right": len(rights),
        "gold": sum(len(names) for names in wanted.values()),
        "model": f"{embed.model} ({encoder.model_revision(embed.model, embed.revision)})",
        "channels": list(chosen.channels),
        "fusion": chosen.fusion,
        "seconds": round(seconds, 1),
    }


def _measured(found: dict[str, list[str]], wanted: dict[str, set[str]], ks: Sequence[int]) -> dict[str, Any]:
    """Return recall and hits by k, see ``retrieval``."""
    hits = {k: [(len(wanted[name] & set(found[name][:k])), len(wanted[name])) for name in sorted(wanted)] for k in ks}
    return {
        "recall": {str(k): stats.mean([n / of for n, of in hits[k]]) for k in sorted(ks)},
        "hit": {str(k): stats.mean([float(n > 0) for n, _ in hits[k]]) for k in sorted(ks)},
    }


def _texts(uri: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for record in records.read(uri, ("id", "text")):
        if record["id"] in found:
            raise AntinomyError(f"{uri}: id {record['id']} stands twice")
        found[record["id"]] = record
    return found


def _gold(uri: str, lefts: dict[str, Any], rights: dict[str, Any]) -> dict[str, set[str]]:
    wanted: dict[str, set[str]] = {}
    for record in records.read(uri, ("left_id", "right_id")):
        for name, texts in ((record["left_id"], lefts), (record["right_id"], rights)):
            if name not in texts:
                raise AntinomyError(f"{uri}: no text has the id {name}")
        wanted.setdefault(record["left_id"], set()).add(record["right_id"])
    return wanted


def _rank(index: Index, lefts: Sequence[str], rights: Sequence[str], link: LinkSettings) -> dict[str, list[str]]:
    """Rank the right ids for each left id."""
    queries = Range(0, len(lefts))
    result = neighbours.rank(index, neighbours.propose(index, queries, index.groups.partners(0), link), link)
    found: dict[str, list[str]] = {name: [] for name in lefts}
    for query, base in zip(result.query, result.base, strict=True):
        found[lefts[query]].append(rights[base - len(lefts)])
    return found


def _index(
    lefts: dict[str, dict[str, Any]], rights: dict[str, dict[str, Any]], link: LinkSettings, embed: EmbedSettings
) -> Index:
    """Make the index that the link stage would make of these texts."""
    import pandas as pd

    rows = [
        {**row, "group": group, "regime": side}
        for group, (side, texts) in enumerate((("left", lefts), ("right", rights)))
        for number, record in enumerate(texts.values())
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
    return assemble(frame, ["left", "right"], used, link)


def _pieces(section_id: str, record: dict[str, Any], embed: EmbedSettings) -> list[dict[str, Any]]:
    """Split a text as the embed stage splits a unit that is over the model's window."""
    count = encoder.token_counter(embed.model)
    provision = units.Provision("", "", "", [units.Part("", line, 0) for line in record["text"].splitlines()])
    given = str(record.get("context") or "").splitlines()
    context = units.context(provision, given, ("cited",), embed.context_tokens, count)
    return [
        {
            "section_id": section_id,
            "unit_id": f"{section_id}~{piece}",
            "heading_path": "",
            "unit_text": text,
            "context": context,
        }
        for piece, text in enumerate(units.split(provision, embed.max_tokens - encoder.SPECIAL_TOKENS, count))
    ]
