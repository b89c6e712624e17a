"""The norms judge as the judging protocol wants it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources

from antinomy.judge.norms.decide import compare
from antinomy.judge.norms.model import Norm
from antinomy.judge.norms.rationale import of_comparison
from antinomy.judge.norms.view import view
from antinomy.judge.protocol import Pair, Verdict

#: Version of the rules, for people; what decides re-use of a verdict is the hash of the sources.
VERSION = "norms-1"
#: Longest quote given as evidence, in characters.
_LONGEST_QUOTE = 400


@lru_cache(maxsize=1)
def sources_sha256() -> str:
    """Return the hash of the package's code, lexicon and weights: all that decides a verdict."""
    digest = hashlib.sha256()
    folder = resources.files("antinomy.judge.norms")
    for item in sorted(folder.iterdir(), key=lambda f: f.name):
        if item.name.endswith((".py", ".yaml")):
            digest.update(item.name.encode() + b"\0" + item.read_bytes() + b"\0")
    return digest.hexdigest()


class NormsJudge:
    """Judges pairs by the norms that it reads out of them; no model, no network.

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
    """

    def __init__(self) -> None:
        self.name = "norms"
        self.model = VERSION
        self.prompt_sha256 = sources_sha256()

    def for_task(self, tasks: int, index: int) -> NormsJudge:
        """Return itself: there is nothing to divide."""
        return self

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; what fails in one pair stays in its verdict."""
        for pair in pairs:
            began = time.perf_counter()
            try:
                verdict = _verdict(pair, began)
            except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                reason = f"norms_failed: {type(fault).__name__}: {fault}"
                verdict = Verdict(pair.pair_key, "error", error=reason, latency_ms=_ms(began))
            yield verdict


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _verdict(pair: Pair, began: float) -> Verdict:
    left, right = pair.left.text, pair.right.text
    found = compare(left, right)
    quotes = quote(left, found.left_norm), quote(right, found.right_norm)
    return Verdict(
        pair_key=pair.pair_key,
        status="ok" if found.relation else "undecided",
        relation=found.relation,
        kind=found.kind,
        governs=found.governs,
        p_conflict=round(found.p_conflict, 4),
        evidence_left=quotes[0],
        evidence_right=quotes[1],
        evidence_verified=bool(quotes[0] and quotes[1]),
        # Both orders give mirrored answers by construction.
        order_consistent=True,
        rationale=of_comparison(view(left, right), found, left, right),
        latency_ms=_ms(began),
    )


def quote(text: str, norm: Norm | None) -> str:
    """Return the clause as it stands in the text, cut at a word where it is long."""
    if norm is None:
        return ""
    clause = text[norm.start : norm.end]
    if len(clause) > _LONGEST_QUOTE:
        clause = clause[:_LONGEST_QUOTE].rsplit(" ", 1)[0]
    return clause.strip()
