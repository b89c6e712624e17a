"""The norms judge as the judging protocol wants it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources

from antinomy.judge.norms.decide import Comparison, compare
from antinomy.judge.norms.model import Norm
from antinomy.judge.norms.render import measure_phrase, norm_phrase
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
    quotes = _quote(left, found.left_norm), _quote(right, found.right_norm)
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
        rationale=rationale(found, left, right),
        latency_ms=_ms(began),
    )


def _quote(text: str, norm: Norm | None) -> str:
    """Return the clause as it stands in the text, cut at a word where it is long."""
    if norm is None:
        return ""
    quote = text[norm.start : norm.end]
    if len(quote) > _LONGEST_QUOTE:
        quote = quote[:_LONGEST_QUOTE].rsplit(" ", 1)[0]
    return quote.strip()


def rationale(found: Comparison, left: str, right: str) -> str:
    """Return one sentence that shows the two extracted norms side by side."""
    if found.left_norm is None or found.right_norm is None:
        return f"No norm to compare was found on one side ({found.reason})."
    sides = []
    for side, norm, text in (("left", found.left_norm, left), ("right", found.right_norm, right)):
        measures = "; ".join(measure_phrase(m) for m in norm.measures[:3])
        sides.append(f"{side}: {norm_phrase(norm, text, 140)}" + (f" [{measures}]" if measures else ""))
    verdict = found.relation or "undecided"
    if found.governs:
        verdict += f", {found.governs} governs"
    return f"{verdict} ({found.reason}): " + "; ".join(sides) + "."
