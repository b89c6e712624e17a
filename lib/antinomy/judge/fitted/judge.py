"""The judge ``default``: needs no server and no GPU.

Each pair is read once (``reading``). Between two provisions in nearly the same words, their differences decide
(``edits``). All other pairs are described by numbers (``features``), and a fitted network decides at the shares of the
relations among the candidates (``prior``). Where two provisions may be related, a cross-encoder reads them together,
and a second network decides with its outputs as well. Two definitions of one term have features and a model of their
own.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from antinomy.errors import EnvironmentFault
from antinomy.judge.evidence import quote
from antinomy.judge.fitted import cross_encoder, prior, rationale
from antinomy.judge.fitted.decision import Decision, load
from antinomy.judge.fitted.features import describe, describe_meanings
from antinomy.judge.fitted.reading import PairReading
from antinomy.judge.fitted.texts import Text, Texts, revision
from antinomy.judge.protocol import RELATED, Pair, Shares, Verdict
from antinomy.run import fingerprints
from antinomy.store import storage

log = logging.getLogger("antinomy")

NAME = "default"

#: File of the weights in their folder.
FILE = "default.json"
#: Pairs whose texts are encoded together.
_CHUNK = 64
#: The cross-encoder reads a pair if the numbers alone give any relation this chance: it takes some hundred times as
#: long as they do, and most candidates are unrelated.
WORTH = 0.1
#: Probability that a reading of two nearly equal texts is right, by what it rests on: (right + 1) / (all + 2) over the
#: packaged pairs and the cases of behaviour (quantities 43 of 46 right, negations 123 of 123, forces 4 of 4, equal
#: texts 280 of 280, parties none). It does not depend on the shares among the candidates: that most of them are
#: unrelated says nothing about two texts in the same words.
READ = {"measure": 0.92, "negation": 0.99, "force": 0.83, "equal": 0.99, "further": 0.99, "party": 0.5}
#: What decides a verdict besides the weights: its code, its lexicon.
_CODE = (
    "antinomy.judge.fitted", "antinomy.judge.rules", "antinomy.judge.evidence", "antinomy.norms", "antinomy.text",
    "antinomy.embed.clauses",
)  # fmt: skip
#: Strength of a clause in which no predicate was found, see ``Norm``.
_NO_PREDICATE = 0.3


def weights_folder() -> Path:
    """Return the folder of the packaged weights."""
    return Path(str(resources.files("antinomy.judge.fitted"))) / "weights"


def described_sha256() -> str:
    """Return the hash of the code that describes pairs to the fitted decision: weights are valid for this code only."""
    return fingerprints.of_module("antinomy.judge.fitted.features", *_CODE)


@cache
def _texts() -> Texts:
    """One store of texts per process: a model is loaded once however many judges a worker runs."""
    return Texts()


class LocalJudge:
    """Judges pairs by their wording and a fitted decision.

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
        adapts: as in ``Adaptive``.
        context_lines: as in ``ReadsHeadings``: the headings tell whether a glossary defines a term.
        shares: shares of the relations that it expects among the pairs, by group of places, see ``prior.group``.
    """

    name = NAME
    context_lines = 1

    def __init__(self, folder: str = "", conflicts: float | None = None) -> None:
        """Load the decision.

        Args:
            folder: weights as ``antinomy train`` writes them: a path that every worker sees or a URI; "" for the
                packaged ones.
            conflicts: share of conflicts expected among the pairs; None for the share in the training data.

        Raises:
            EnvironmentFault: if the weights are damaged, of another program, or were fitted on another encoder.
        """
        path = storage.join(folder or str(weights_folder()), FILE)
        self._decision: Decision = load(path)
        encoder = revision()
        if self._decision.made_with["encoder"] != encoder:
            raise EnvironmentFault(
                f"{path} was fitted on {self._decision.made_with['encoder']}, but {encoder} is installed: install the "
                "first, or run `antinomy train`"
            )
        self._folder = folder
        if hashlib.sha256(cross_encoder.content(folder)).hexdigest() != self._decision.made_with["cross_encoder"]:
            raise EnvironmentFault(
                f"{cross_encoder.FILE} beside {path} is not the cross-encoder that it was fitted with: restore both "
                "from one release or one run of `antinomy train`"
            )
        fitted = self._decision.shares
        self.adapts = conflicts is None
        self.shares = prior.everywhere(fitted if conflicts is None else prior.with_conflicts(fitted, conflicts))
        self.encoder = encoder
        self.model = f"{encoder} {self._decision.sha256[:12]}"
        self._identify()

    def _identify(self) -> None:
        code = fingerprints.of_module("antinomy.judge.fitted.judge", *_CODE)
        told = f"{code} {self._decision.sha256} {[sorted(shares.items()) for shares in self.shares]}"
        self.prompt_sha256 = hashlib.sha256(told.encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> LocalJudge:
        """Return itself: there is nothing to divide."""
        return self

    def expect(self, shares: Shares) -> None:
        """Expect these shares of the relations from now on."""
        self.shares = shares.by_place
        self._identify()

    def chances(self, pairs: Iterable[Pair]) -> Iterator[dict[str, float]]:
        """Yield the chances of the relations at the shares of the training data, for ``estimate``.

        Left out are pairs whose differences decide, definitions of one term, and pairs that fail.
        """
        for pair, texts, _ in _with_texts(pairs):
            try:
                read = _reading(pair, texts)
                if not read.difference and not read.term:
                    chances = self._decision.chances(describe(read, self._decision.rarity))
                    yield chances | {"place": float(pair.place or 0)}
            except Exception:  # it fails again when it is judged, and its verdict says so
                log.exception("pair %s cannot be described", pair.pair_key)

    def estimate(self, chances: list[dict[str, float]]) -> prior.Shares:
        """Estimate the shares of the relations from the chances that ``chances`` yields."""
        return prior.estimated(chances, self._decision.shares)

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; what fails in one pair stays in its verdict."""
        for pair, texts, shared in _with_texts(pairs):
            began = time.perf_counter()
            try:
                verdict = self._verdict(pair.pair_key, _reading(pair, texts), prior.group(pair.place))
            except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                log.exception("pair %s cannot be judged", pair.pair_key)
                reason = f"{self.name}_failed: {type(fault).__name__}: {fault}"
                verdict = Verdict(pair.pair_key, "error", error=reason)
            yield replace(verdict, latency_ms=_ms(began) + shared)

    def _verdict(self, pair_key: str, read: PairReading, group: int) -> Verdict:
        found = read.difference
        if found is not None:
            relation, governs, kind, chance = found.relation, found.governs, found.kind or None, READ[found.why]
            conflict = chance if relation == "conflict" else (1 - chance) / 4
            related = chance if relation != "none" else 1 - chance
            spans = found.sides or ((0, 0), (0, 0))
            told = rationale.of_difference(found, chance)
        else:
            values = {} if read.term else describe(read, self._decision.rarity)
            chances = self._chances(read, values, group)
            relation, governs = relation_of(chances)
            chance = chances[f"stricter_{governs}" if governs else relation]
            conflict, related = chances["conflict"], 1 - chances["none"]
            basis = rationale.basis(read, relation, governs)
            kind = "definition" if relation == "definition" else None
            if relation in ("conflict", "stricter"):
                kind = basis.kind or self._decision.likeliest_kind(values)
            spans = basis.left, basis.right
            told = rationale.sentence(relation, governs, chance, related, (read.left.text, read.right.text), basis)
        quotes = quote(read.left.text, spans[0]), quote(read.right.text, spans[1])
        return Verdict(
            pair_key=pair_key,
            status="ok",
            relation=relation,
            kind=kind,
            governs=governs,
            p_conflict=round(conflict, 4),
            p_related=round(related, 4),
            p_relation=round(chance, 4),
            evidence_left=quotes[0],
            evidence_right=quotes[1],
            evidence_verified=bool(quotes[0] and quotes[1]),
            # Both orders give mirrored answers by construction.
            order_consistent=True,
            rationale=told,
        )

    def _chances(self, read: PairReading, values: dict[str, float], group: int) -> dict[str, float]:
        """Return the chance of each relation; ``group`` is that of the pair's place, see ``prior.group``.

        Where the cross-encoder reads the pair, its outputs are added to ``values``.
        """
        if read.term:
            return self._decision.meanings(describe_meanings(read.left, read.right))
        chances = prior.rescaled(self._decision.chances(values), self._decision.shares, self.shares[group])
        if not all(any(n.strength > _NO_PREDICATE for n in text.norms) for text in (read.left, read.right)):
            return _without_clash(chances)
        if 1 - chances["none"] < WORTH:
            return chances
        part = read.excerpt
        values |= cross_encoder.loaded(self._folder).read(part.left.text, part.right.text)
        return prior.rescaled(self._decision.chances(values), self._decision.shares, self.shares[group])


def _with_texts(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, dict[str, Text], float]]:
    """Yield each pair with its texts, which are encoded in batches, and its share of the time."""
    rest = iter(pairs)
    while chunk := list(islice(rest, _CHUNK)):
        began = time.perf_counter()
        texts = _texts().of(p for pair in chunk for p in (pair.left, pair.right))
        shared = _ms(began) / len(chunk)
        yield from ((pair, texts, shared) for pair in chunk)


def _reading(pair: Pair, texts: dict[str, Text]) -> PairReading:
    # Headings open the context.
    headings = pair.left.context.partition("\n")[0], pair.right.context.partition("\n")[0]
    return PairReading(texts[pair.left.text], texts[pair.right.text], headings)


def _without_clash(chances: dict[str, float]) -> dict[str, float]:
    """Return the chances where one side demands nothing, as a heading does: only two demands can clash."""
    rest = {name: c for name, c in chances.items() if name in ("overlap", "none")}
    return dict.fromkeys(chances, 0.0) | {name: c / sum(rest.values()) for name, c in rest.items()}


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


#: A conflict is claimed from this chance on, though "none" may be likelier: who reads two provisions that may clash
#: loses a minute, who never sees them may lose more. The model card has how many of the claims are right.
_LIKELY = 0.35


def relation_of(chances: dict[str, float]) -> tuple[str, str | None]:
    """Return the relation that is claimed and who governs.

    It is a conflict where that is the likeliest relation and likely enough, else ``none`` if likelier than not, else
    the likeliest of the others.
    """
    best, second = sorted((name for name in sorted(chances) if name != "none"), key=lambda name: -chances[name])[:2]
    if best == "conflict":
        if chances[best] >= _LIKELY:
            return best, None
        best = second
    if 1 - chances["none"] < RELATED:
        return "none", None
    relation, _, governs = best.partition("_")
    return relation, governs or None
