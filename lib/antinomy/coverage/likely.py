"""How likely it is that a pair is on one duty, and that a provision has a counterpart at all."""

from __future__ import annotations

from collections.abc import Sequence

from antinomy.coverage.pairs import Match

#: Of a judge that gives no probabilities: what its relations mean.
_SAID, _DENIED = 0.8, 0.1


def of_pair(match: Match) -> float | None:
    """Return the probability that a pair is on the same duty, None where no verdict was given."""
    if match.judged is None:
        return None
    given = match.judged["p_related"]
    if given is not None:
        return float(given)
    return _DENIED if match.relation == "none" else _SAID


def covered(found: Sequence[Match]) -> float | None:
    """Return the probability that a provision has a counterpart among its candidates; None if none was judged."""
    return max((p for match in found if (p := of_pair(match)) is not None), default=None)
