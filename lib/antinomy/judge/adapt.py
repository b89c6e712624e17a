"""What judges learn from a run's candidates: the shares of the relations, and words for the same thing."""

from __future__ import annotations

import logging
from collections import defaultdict
from itertools import permutations
from typing import TYPE_CHECKING, Any

from antinomy import section_ids
from antinomy.judge.candidates import distinct_pairs, with_texts
from antinomy.judge.protocol import Adaptive, Judge, ReadsWordPairs, WordPairs
from antinomy.judge.tasks import sampled_probabilities

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import DataFrame

    from antinomy.run.stage import Context

log = logging.getLogger("antinomy")

#: Number of candidates from which the shares of the relations are estimated; their keys are hashes, so the first ones
#: are a random sample.
SAMPLED = 2000
#: Provisions that have no worse rank among each other's candidates probably correspond: from their texts is learnt
#: which words name the same thing.
_CORRESPONDING_RANK = 2


def adapt(ctx: Context, pairs: DataFrame, judges: Iterable[Judge]) -> dict[str, Any]:
    """Tell judges what is learnt from the candidates.

    Call it before the cache of verdicts is read: a judge's ``prompt_sha256`` changes with what it is told.

    Returns:
        The fields of ``JudgeResult`` that say what was learnt.
    """
    judges = tuple(judges)
    learnt: dict[str, Any] = {"words": _align_words(ctx, pairs, judges)}
    for judge in judges:
        if isinstance(judge, Adaptive) and judge.adapts:
            learnt["shares"] = _estimate_shares(ctx, pairs, judge)
    return learnt


def _align_words(ctx: Context, pairs: DataFrame, judges: Iterable[Judge]) -> dict[str, dict[str, str]]:
    """Find which words of one side name what others of the other side name, and tell the judges that read them.

    Returns:
        "left × right" (regimes, or documents of one regime) → left word → right word; empty if no judge reads them.
    """
    readers = [judge for judge in judges if isinstance(judge, ReadsWordPairs)]
    if not readers:
        return {}
    from pyspark.sql import functions as F

    from antinomy.judge.fitted import word_pairs

    near = F.greatest("rank_left", "rank_right").alias("rank")
    corresponding = distinct_pairs(pairs).where(
        (F.col("rank_left") <= _CORRESPONDING_RANK) & (F.col("rank_right") <= _CORRESPONDING_RANK)
    )
    best = with_texts(ctx, corresponding.orderBy(near, "pair_key").limit(SAMPLED))
    rows = best.select(near, "pair_key", "left_id", "right_id", "left_text", "right_text").collect()
    texts: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    regimes = {document.doc_id: document.regime for document in ctx.settings.documents}

    def sides_of(left: str, right: str) -> tuple[str, str]:
        return (left, right) if regimes[left] == regimes[right] else (regimes[left], regimes[right])

    for row in sorted(rows):  # by rank, then by key: a join keeps no order
        (left, _), (right, _) = map(section_ids.split_section_id, (row.left_id, row.right_id))
        texts[sides_of(left, right)].append((row.left_text, row.right_text))
    found = {sides: word_pairs.align(of_sides) for sides, of_sides in sorted(texts.items())}
    words: WordPairs = {
        documents: found[sides_of(*documents)]
        for documents in permutations(regimes, 2)
        if sides_of(*documents) in found
    }
    for reader in readers:
        reader.use_word_pairs(words)
    listed = {" × ".join(sides): names for sides, names in found.items() if names}
    for sides, names in listed.items():
        log.info("words of %s: %s", sides, ", ".join(f"{a} = {b}" for a, b in names.items()))
    return listed


def _estimate_shares(ctx: Context, pairs: DataFrame, judge: Adaptive) -> dict[str, Any]:
    """Estimate the shares of the relations among the candidates, tell the judge to expect them, and return them."""
    sample = distinct_pairs(pairs).orderBy("pair_key").limit(SAMPLED)
    probabilities = sampled_probabilities(with_texts(ctx, sample, judge), judge)
    found = judge.estimate(probabilities)
    judge.use_shares(found)
    summary = ", ".join(f"{name} {share:.1%}" for name, share in sorted(found.expected.items(), key=lambda s: -s[1]))
    log.info("expected among the candidates, estimated from %d: %s", len(probabilities), summary)
    return found.as_dict()
