"""Does the link stage find what experts pair? Recall and hits against a crosswalk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from antinomy.embed import encoder, units
from antinomy.embed.stage import embedded_text
from antinomy.errors import AntinomyError
from antinomy.evaluate import records, stats
from antinomy.link import neighbours
from antinomy.link.build import assemble
from antinomy.link.knn import Range
from antinomy.link.settings import LinkSettings
from antinomy.settings import EmbedSettings

if TYPE_CHECKING:
    import pandas as pd

#: Ranks at which recall and hits are counted unless asked otherwise.
KS = (1, 5, 10, 20, 50)
#: Beside the text itself, the special tokens that the model adds.
_SPECIAL_TOKENS = 2


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
        link: channels, depth and neighbours are used.
        embed: the model, its window and the tokens of it that context may take.

    Returns:
        ``recall`` and ``hit`` by k: the mean over left texts of |top k ∩ gold| / |gold|, and the share with
        any gold among the top k, with 95 % bootstrap intervals over left texts; ``n`` of these, and what was
        measured.

    Raises:
        AntinomyError: for a file that is not as described, or gold that names a text that is not there.
    """
    if not ks or min(ks) < 1:
        raise AntinomyError(f"-k {' '.join(map(str, ks))}: give ranks of 1 or more")
    embed = embed or EmbedSettings()
    # Ranks beyond k and weak neighbours are wanted here: it is the ranking that is measured.
    chosen = (link or LinkSettings()).model_copy(
        update={
            "k": max(ks),
            "min_score": -1.0,
            "groups": "regimes",
            "left": (),
            "pairs": (),
            "direction": "left",
        }
    )
    lefts, rights = _texts(left), _texts(right)
    wanted = _gold(gold, lefts, rights)
    started = time.monotonic()
    found = _rank(lefts, rights, chosen, embed)
    seconds = time.monotonic() - started
    hits = {k: [(len(wanted[name] & set(found[name][:k])), len(wanted[name])) for name in sorted(wanted)] for k in ks}
    return {
        "recall": {str(k): stats.mean([n / of for n, of in hits[k]]) for k in sorted(ks)},
        "hit": {str(k): stats.mean([float(n > 0) for n, _ in hits[k]]) for k in sorted(ks)},
        "n": len(wanted),
        "left": len(lefts),
        "right": len(rights),
        "gold": sum(len(names) for names in wanted.values()),
        "model": f"{embed.model} ({encoder.model_revision(embed.model, embed.revision)})",
        "channels": list(chosen.channels),
        "neighbours": chosen.neighbours,
        "seconds": round(seconds, 1),
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


def _rank(
    lefts: dict[str, dict[str, Any]],
    rights: dict[str, dict[str, Any]],
    link: LinkSettings,
    embed: EmbedSettings,
) -> dict[str, list[str]]:
    """Rank the right ids for each left id."""
    import pandas as pd

    rows = [
        {**row, "group": group, "regime": side}
        for group, (side, texts) in enumerate((("left", lefts), ("right", rights)))
        for number, record in enumerate(texts.values())
        for row in _pieces(f"{group}{number:09d}", record, embed)
    ]
    frame = pd.DataFrame(rows)
    vectors = _encode(frame, embed)
    index = assemble(frame, ["left", "right"], vectors, np.arange(len(vectors)), link)
    queries = Range(0, len(lefts))
    hits = neighbours.propose(index, queries, index.groups.partners(0), link)
    result = neighbours.rank(index, hits, link)
    left_ids, right_ids = list(lefts), list(rights)
    found: dict[str, list[str]] = {name: [] for name in left_ids}
    for query, base in zip(result.query, result.base, strict=True):
        found[left_ids[query]].append(right_ids[base - len(lefts)])
    return found


def _pieces(section_id: str, record: dict[str, Any], embed: EmbedSettings) -> list[dict[str, Any]]:
    """Split a text as the embed stage splits a unit that is over the model's window."""
    count = encoder.token_counter(embed.model)
    provision = units.Provision("", "", "", [units.Part("", line, 0) for line in record["text"].splitlines()])
    given = str(record.get("context") or "").splitlines()
    context = units.context(provision, given, ("cited",), embed.context_tokens, count)
    room = embed.max_tokens - _SPECIAL_TOKENS - count(context)
    return [
        {
            "section_id": section_id,
            "unit_id": f"{section_id}~{piece}",
            "heading_path": context,
            "unit_text": text,
        }
        for piece, text in enumerate(units.split(provision, room, count))
    ]


def _encode(frame: pd.DataFrame, embed: EmbedSettings) -> NDArray[np.float32]:
    device = encoder.task_device(embed.device)
    loaded = encoder.worker_encoder(embed.model, embed.revision, device, embed.max_tokens)
    texts = [embedded_text(c, t) for c, t in zip(frame["heading_path"], frame["unit_text"], strict=True)]
    return loaded.encode(texts, embed.batch_size)
