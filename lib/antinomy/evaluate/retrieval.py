"""Does the link stage find what experts pair? Recall and hits against a crosswalk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from antinomy.embed import encoder
from antinomy.errors import AntinomyError
from antinomy.evaluate import stats
from antinomy.evaluate.lists import build_index
from antinomy.link import neighbours
from antinomy.link.index import Index
from antinomy.link.knn import Range
from antinomy.settings import EmbedSettings
from antinomy.settings.link import LinkSettings
from antinomy.store import records

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
    lefts, rights = read_texts(left), read_texts(right)
    wanted = read_gold(gold, lefts, rights)
    started = time.monotonic()
    index, _ = build_index(lefts, rights, chosen, embed)
    found = _rank(index, list(lefts), list(rights), chosen)
    seconds = time.monotonic() - started
    alone = {
        channel: _measure(_rank(index, list(lefts), list(rights), only), wanted, ks)
        for channel in chosen.channels
        if len(chosen.channels) > 1 and (only := chosen.model_copy(update={"channels": (channel,)}))
    }
    return {
        **_measure(found, wanted, ks),
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


def _measure(found: dict[str, list[str]], wanted: dict[str, set[str]], ks: Sequence[int]) -> dict[str, Any]:
    """Return recall and hits by k, see ``retrieval``."""
    hits = {k: [(len(wanted[name] & set(found[name][:k])), len(wanted[name])) for name in sorted(wanted)] for k in ks}
    return {
        "recall": {str(k): stats.mean([n / of for n, of in hits[k]]) for k in sorted(ks)},
        "hit": {str(k): stats.mean([float(n > 0) for n, _ in hits[k]]) for k in sorted(ks)},
    }


def read_texts(uri: str) -> dict[str, dict[str, Any]]:
    """Read JSON lines {id, text}; returns id → record."""
    found: dict[str, dict[str, Any]] = {}
    for record in records.read(uri, ("id", "text")):
        if record["id"] in found:
            raise AntinomyError(f"{uri}: id {record['id']} occurs twice")
        found[record["id"]] = record
    return found


def read_gold(uri: str, lefts: dict[str, Any], rights: dict[str, Any]) -> dict[str, set[str]]:
    """Read JSON lines {left_id, right_id}; returns left id → right ids."""
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
