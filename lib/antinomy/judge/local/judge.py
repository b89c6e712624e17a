"""The two judges that need a fitted decision: ``local`` (nearness of the clauses alone) and ``default`` (norms too)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from antinomy import storage
from antinomy.errors import EnvironmentFault
from antinomy.judge.local import cross_encoder, vectors
from antinomy.judge.local.decision import Decision, load, where_clashes_are_rarer
from antinomy.judge.local.features import describe
from antinomy.judge.local.focus import focus
from antinomy.judge.norms import Norm, compare
from antinomy.judge.norms.candidates import Candidate, candidates
from antinomy.judge.norms.decide import CLOSED, closed_term, logistic, weights
from antinomy.judge.norms.judge import quote, sources_sha256
from antinomy.judge.norms.rationale import sentence, telling_measures
from antinomy.judge.norms.view import View, view
from antinomy.judge.protocol import Pair, Verdict

#: Pairs whose texts are encoded together.
_TOGETHER = 64
#: A piece of evidence at least this likely is what a verdict is explained by.
_TELLING = 0.3
#: Strength of a clause in which no predicate was found, see ``Norm``.
_NO_PREDICATE = 0.3


def weights_folder() -> Path:
    """Return the folder of the packaged weights."""
    return Path(str(resources.files("antinomy.judge.local"))) / "weights"


#: What is judged of both sides of a pair, with its vectors.
_Part = tuple[tuple[str, vectors.Text], tuple[str, vectors.Text]]
#: What a cross-encoder says of two texts, or why it does not.
_Said = dict[tuple[str, str], dict[str, float] | Exception]


@cache
def _vectors() -> vectors.Vectors:
    """One store of vectors per process: a model is loaded once however many judges a worker runs."""
    return vectors.Vectors()


class FittedJudge:
    """Describes each pair by numbers and lets a fitted model decide.

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
    """

    def __init__(self, name: str, folder: str = "", prior: float | None = None) -> None:
        """Load the decision.

        Args:
            name: ``local`` or ``default``.
            folder: with the weights as ``antinomy train`` writes them, a path that every worker sees or a URI; "" for
                the packaged ones.
            prior: share of conflicts expected among the pairs; None for the share among the labelled pairs.

        Raises:
            EnvironmentFault: if it is damaged, foreign, or was fitted on another encoder.
        """
        self.name = name
        folder = folder or str(weights_folder())
        path = storage.join(folder, f"{name}.json")
        self._decision: Decision = load(path)
        encoder = vectors.revision()
        if self._decision.made_with["encoder"] != encoder:
            raise EnvironmentFault(
                f"{path} was fitted on {self._decision.made_with['encoder']}, but {encoder} is installed: install the "
                "first, or run `antinomy train`"
            )
        self._cross_encoder = None
        if any(feature.startswith(cross_encoder.PREFIX) for feature in self._decision.relation.features):
            self._cross_encoder = (
                storage.join(folder, cross_encoder.FOLDER), self._decision.made_with["cross_encoder"]["sha256"]
            )  # fmt: skip
            cross_encoder.require(*self._cross_encoder)
        self._prior = self._decision.conflict_share if prior is None else prior
        self.model = f"{encoder} {self._decision.sha256[:12]}"
        self.prompt_sha256 = hashlib.sha256(
            f"{sources_sha256()} {_own_sources_sha256()} {self._decision.sha256} {self._prior}".encode()
        ).hexdigest()

    def for_task(self, tasks: int, index: int) -> FittedJudge:
        """Return itself: there is nothing to divide."""
        return self

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; what fails in one pair stays in its verdict."""
        rest = iter(pairs)
        while chunk := list(islice(rest, _TOGETHER)):
            began = time.perf_counter()
            texts = _vectors().encode(t for pair in chunk for t in (str(pair.left.text), str(pair.right.text)))
            parts = [_focused(pair, texts) for pair in chunk]
            said = self._read(parts)
            shared = _ms(began) / len(chunk)
            for pair, part in zip(chunk, parts, strict=True):
                began = time.perf_counter()
                try:
                    if isinstance(part, Exception):
                        raise part
                    yield self._verdict(pair, part, said, began, shared)
                except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                    reason = f"{self.name}_failed: {type(fault).__name__}: {fault}"
                    yield Verdict(pair.pair_key, "error", error=reason, latency_ms=_ms(began) + shared)

    def _read(self, parts: Sequence[_Part | Exception]) -> _Said:
        """Return what the cross-encoder says of each two texts; nothing where the weights have none."""
        if self._cross_encoder is None:
            return {}
        texts = list(dict.fromkeys((p[0][0], p[1][0]) for p in parts if not isinstance(p, Exception)))
        try:
            return dict(zip(texts, cross_encoder.read(*self._cross_encoder, texts), strict=True))
        except EnvironmentFault:
            raise
        except Exception:  # one by one: what fails is told in its own verdict
            return {pair: self._read_one(pair) for pair in texts}

    def _read_one(self, pair: tuple[str, str]) -> dict[str, float] | Exception:
        assert self._cross_encoder is not None
        try:
            return cross_encoder.read(*self._cross_encoder, [pair])[0]
        except Exception as fault:
            return fault

    def _verdict(self, pair: Pair, part: _Part, said: _Said, began: float, shared: float) -> Verdict:
        (left, one), (right, two) = part
        read = said.get((left, right), {})
        if isinstance(read, Exception):
            raise read
        seen, found = view(left, right), compare(left, right)
        near = vectors.nearness(one, two)
        values = describe(seen, found, near) | read
        # A term is closed or left open by a whole provision, not by the part that is read of a long one.
        closed = closed_term(pair.left.text, pair.right.text)
        chances = self._decision.relation.either_way(values)
        chances = self._expected(_at_least(weights()["thresholds"]["closed"], chances) if closed else chances)
        relation, governs = relation_of(chances)
        evidence = telling(seen, relation, governs)
        basis = evidence.source if evidence else ""
        sides = (evidence.left, evidence.right) if evidence else _nearest(seen, near)
        if closed and relation == "conflict":
            basis, sides = CLOSED, closed
            left, right = pair.left.text, pair.right.text
        if not all(_demands(side) for side in sides):
            chances = _without_clash(chances)
            relation, governs = relation_of(chances)
        kind = kind_of(relation, evidence, self._decision.kind.either_way(values))
        if basis == CLOSED:
            kind = "definition"
        chance = chances[relation] if relation != "stricter" else chances[f"stricter_{governs}"]
        quotes = quote(left, sides[0]), quote(right, sides[1])
        return Verdict(
            pair_key=pair.pair_key,
            status="ok",
            relation=relation,
            kind=kind,
            governs=governs,
            p_conflict=round(chances["conflict"], 4),
            evidence_left=quotes[0],
            evidence_right=quotes[1],
            evidence_verified=bool(quotes[0] and quotes[1]),
            # Both orders give mirrored answers by construction.
            order_consistent=True,
            rationale=sentence(
                relation, governs, chance, ((left, sides[0]), (right, sides[1])),
                telling_measures(seen, relation, *sides) if basis == "measure" else None,
                basis,
            ),
            latency_ms=_ms(began) + shared,
        )  # fmt: skip

    def _expected(self, chances: dict[str, float]) -> dict[str, float]:
        """Return the chances at the share of conflicts that is expected among the pairs."""
        return where_clashes_are_rarer(chances, self._decision.conflict_share, self._prior)


def _focused(pair: Pair, texts: dict[str, vectors.Text]) -> _Part | Exception:
    """Return what is judged of a pair, or what went wrong, which its verdict tells."""
    left, right = pair.left.text, pair.right.text
    try:
        return focus(left, right, texts[left], texts[right])
    except Exception as fault:
        return fault


@cache
def _own_sources_sha256() -> str:
    digest = hashlib.sha256()
    for item in sorted(Path(str(resources.files("antinomy.judge.local"))).glob("*.py")):
        digest.update(item.name.encode() + b"\0" + item.read_bytes() + b"\0")
    return digest.hexdigest()


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def relation_of(chances: dict[str, float]) -> tuple[str, str | None]:
    """Return the likeliest relation and who governs."""
    best = max(sorted(chances), key=lambda name: chances[name])
    relation, _, governs = best.partition("_")
    return relation, governs or None


def kind_of(relation: str, evidence: Candidate | None, kinds: Mapping[str, float]) -> str | None:
    """Return the kind of a verdict: what the evidence in the norms names, else the likeliest of the fitted ones."""
    if relation == "definition":
        return "definition"
    if relation not in ("conflict", "stricter"):
        return None
    return evidence.typed.kind if evidence else max(sorted(kinds), key=lambda name: kinds[name])


def telling(seen: View, relation: str, governs: str | None) -> Candidate | None:
    """Return the likeliest piece of evidence in the norms for the verdict, None where none tells."""
    models = weights()
    fitting = [
        (logistic(models[c.source], c.values), c)
        for c in candidates(seen)
        if c.typed.relation == relation and (relation != "stricter" or c.typed.governs == governs)
    ]
    # Quantities first: nothing explains itself better.
    likely = [s for s in fitting if s[0] >= _TELLING]
    best = max(
        likely,
        key=lambda s: (s[1].source == "measure", round(s[0], 9), -s[1].left.start - s[1].right.start),
        default=None,
    )
    return best[1] if best else None


def _nearest(seen: View, near: vectors.Nearness) -> tuple[Norm | None, Norm | None]:
    i, j = near.best
    return (
        seen.left[i] if i < len(seen.left) else None,
        seen.right[j] if j < len(seen.right) else None,
    )


def _demands(norm: Norm | None) -> bool:
    """Whether a clause demands or defines anything: a heading or an item torn from its list does not."""
    return norm is not None and norm.strength > _NO_PREDICATE


def _without_clash(chances: dict[str, float]) -> dict[str, float]:
    """Return the chances where neither side can clash with the other: it takes two demands."""
    rest = {name: c for name, c in chances.items() if name in ("overlap", "definition", "none")}
    return dict.fromkeys(chances, 0.0) | {name: c / sum(rest.values()) for name, c in rest.items()}


def _at_least(conflict: float, chances: Mapping[str, float]) -> dict[str, float]:
    """Return the chances with that of a conflict raised, the others in proportion.

    The labelled pairs hold no term that a duty closes, so what the norms say of it has no fitted weight.
    """
    most = max(conflict, chances["conflict"])
    rest = 1.0 - chances["conflict"]
    others = {name: c * (1 - most) / rest for name, c in chances.items()} if rest else dict(chances)
    return others | {"conflict": most}
