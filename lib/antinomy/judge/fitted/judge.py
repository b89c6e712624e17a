"""The judge ``default``: needs no server and no GPU.

Two provisions in nearly the same words are decided by what one says otherwise (``edits``), two definitions of one term
by how their meanings compare (``meanings``). All others are described by numbers (``features``), and a fitted network
decides, at the shares that the relations have among the candidates (``prior``).
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from antinomy.errors import EnvironmentFault
from antinomy.judge.fitted import edits, prior, rationale
from antinomy.judge.fitted.decision import Decision, load
from antinomy.judge.fitted.features import describe
from antinomy.judge.fitted.meanings import compare
from antinomy.judge.fitted.texts import Text, Texts, revision
from antinomy.judge.protocol import Pair, Shares, Verdict
from antinomy.judge.rules.typed import compare_forces, compare_measures
from antinomy.norms.definitions import common_term
from antinomy.store import storage

NAME = "default"

#: File of the weights in their folder.
FILE = "default.json"
#: Pairs whose texts are encoded together.
_TOGETHER = 64
#: Probability of what is read off two nearly equal texts, by what it is read off: (right + 1) / (all + 2) over the
#: packaged pairs and the cases of behaviour on which it was tried (quantities 43 of 46 right, negations 123 of 123,
#: forces 4 of 4, equal texts 280 of 280, parties none). It does not depend on how rare a relation is among the
#: candidates: they are mostly unrelated, which says nothing about two texts in the same words.
READ = {"measure": 0.92, "negation": 0.99, "force": 0.83, "equal": 0.99, "further": 0.99, "party": 0.5}
#: Strength of a clause in which no predicate was found, see ``Norm``.
_NO_PREDICATE = 0.3


def weights_folder() -> Path:
    """Return the folder of the packaged weights."""
    return Path(str(resources.files("antinomy.judge.fitted"))) / "weights"


@cache
def _texts() -> Texts:
    """One store of texts per process: a model is loaded once however many judges a worker runs."""
    return Texts()


class LocalJudge:
    """Judges pairs by their wording and a fitted decision.

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
        adapts: as in ``Adaptive``.
        shares: those of the relations that it expects among the pairs, by group of places, see ``prior.group``.
    """

    name = NAME

    def __init__(self, folder: str = "", conflicts: float | None = None) -> None:
        """Load the decision.

        Args:
            folder: with the weights as ``antinomy train`` writes them, a path that every worker sees or a URI; "" for
                the packaged ones.
            conflicts: share of conflicts expected among the pairs; None for the share among those fitted on.

        Raises:
            EnvironmentFault: if the weights are damaged, foreign, or were fitted on another encoder.
        """
        path = storage.join(folder or str(weights_folder()), FILE)
        self._decision: Decision = load(path)
        encoder = revision()
        if self._decision.made_with["encoder"] != encoder:
            raise EnvironmentFault(
                f"{path} was fitted on {self._decision.made_with['encoder']}, but {encoder} is installed: install the "
                "first, or run `antinomy train`"
            )
        fitted = self._decision.shares
        self.adapts = conflicts is None
        self.shares = prior.everywhere(fitted if conflicts is None else prior.with_conflicts(fitted, conflicts))
        self.encoder = encoder
        self.model = f"{encoder} {self._decision.sha256[:12]}"
        self._identify()

    def _identify(self) -> None:
        told = f"{sources_sha256()} {self._decision.sha256} {[sorted(shares.items()) for shares in self.shares]}"
        self.prompt_sha256 = hashlib.sha256(told.encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> LocalJudge:
        """Return itself: there is nothing to divide."""
        return self

    def expect(self, shares: Shares) -> None:
        """Take other shares of the relations among the pairs than those fitted on."""
        self.shares = shares.by_place
        self._identify()

    def chances(self, pairs: Iterable[Pair]) -> Iterator[dict[str, float]]:
        """Yield the chances of the relations as fitted, for ``estimate``.

        Pairs that are read, that define one term, or that fail are left out.
        """
        rest = iter(pairs)
        while chunk := list(islice(rest, _TOGETHER)):
            texts = _texts().of(p for pair in chunk for p in (pair.left, pair.right))
            for pair in chunk:
                try:
                    one, two = texts[pair.left.text], texts[pair.right.text]
                    if not reading(one, two) and not _term(pair):
                        found = self._decision.chances(describe(one, two, self._decision.rarity))
                        yield found | {"place": float(pair.place or 0)}
                except Exception:  # it fails again where it is judged, and its verdict tells
                    continue

    def estimate(self, chances: list[dict[str, float]]) -> prior.Shares:
        """Estimate the shares of the relations among pairs from the chances as fitted."""
        return prior.estimated(chances, self._decision.shares)

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; what fails in one pair stays in its verdict."""
        rest = iter(pairs)
        while chunk := list(islice(rest, _TOGETHER)):
            began = time.perf_counter()
            texts = _texts().of(p for pair in chunk for p in (pair.left, pair.right))
            shared = _ms(began) / len(chunk)
            for pair in chunk:
                began = time.perf_counter()
                try:
                    yield self._verdict(pair, texts[pair.left.text], texts[pair.right.text], began, shared)
                except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                    reason = f"{self.name}_failed: {type(fault).__name__}: {fault}"
                    yield Verdict(pair.pair_key, "error", error=reason, latency_ms=_ms(began) + shared)

    def _verdict(self, pair: Pair, one: Text, two: Text, began: float, shared: float) -> Verdict:
        read = reading(one, two)
        if read is not None:
            relation, governs, kind, chance = read.relation, read.governs, read.kind or None, READ[read.why]
            conflict = chance if relation == "conflict" else (1 - chance) / 4
            related = chance if relation != "none" else 1 - chance
            spans = read.sides or ((0, 0), (0, 0))
            told = rationale.of_reading(read, chance)
        else:
            values = describe(one, two, self._decision.rarity)
            if _term(pair):
                chances = self._decision.meanings(compare(one.text, two.text))
            else:
                expected = self.shares[prior.group(pair.place)]
                chances = prior.at(self._decision.chances(values), self._decision.shares, expected)
                if not all(any(n.strength > _NO_PREDICATE for n in text.norms) for text in (one, two)):
                    chances = _without_clash(chances)
            relation, governs = relation_of(chances)
            chance = chances[f"stricter_{governs}" if governs else relation]
            conflict, related = chances["conflict"], 1 - chances["none"]
            found = rationale.basis(one, two, relation, governs)
            kind = kind_of(relation, found, self._decision.kind.either_way(values))
            spans = found.left, found.right
            told = rationale.sentence(relation, governs, chance, (one.text, two.text), found)
        quotes = rationale.quote(one.text, spans[0]), rationale.quote(two.text, spans[1])
        return Verdict(
            pair_key=pair.pair_key,
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
            latency_ms=_ms(began) + shared,
        )


def reading(one: Text, two: Text) -> edits.Reading | None:
    """Return what the difference of two nearly equal texts says; None where they are not, or it cannot be read."""
    matched = edits.near(one, two)
    read = edits.read(one, two, matched) if matched is not None else None
    if not read or not read.relation:
        return None
    # Where two definitions of one term differ, it is by their meaning and no demand.
    return None if read.relation != "overlap" and common_term(one.text, two.text) else read


@cache
def sources_sha256() -> str:
    """Return the hash of the code and the lexicon that decide a verdict."""
    return _sha256(exclude=())


#: Chance from which on a conflict is claimed.
_LIKELY = 0.5
#: What neither describes a pair nor reads its wording: weights stay good when it changes.
_AFTERWARDS = ("judge.py", "decision.py", "prior.py", "rationale.py", "__init__.py")


def described_sha256() -> str:
    """Return the hash of what describes pairs to the fitted decision: weights are good for it alone."""
    return _sha256(exclude=_AFTERWARDS)


def _sha256(exclude: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for package in ("antinomy.judge.fitted", "antinomy.judge.rules", "antinomy.norms"):
        for item in sorted(Path(str(resources.files(package))).iterdir()):
            if item.suffix in (".py", ".yaml") and item.name not in exclude:
                digest.update(item.name.encode() + b"\0" + item.read_bytes() + b"\0")
    return digest.hexdigest()


#: A definition that only says where the term is defined: what it means is not here to compare.
_ELSEWHERE = re.compile(
    r"\b(?:as defined in|(?:has|have) the (?:same )?meaning (?:as|given|assigned|set out|laid down))\b"
)


def _term(pair: Pair) -> str:
    """Return the term that both sides define, "" if they define none in common; headings open the context."""
    if _ELSEWHERE.search(pair.left.text) or _ELSEWHERE.search(pair.right.text):
        return ""
    headings = pair.left.context.partition("\n")[0], pair.right.context.partition("\n")[0]
    return common_term(pair.left.text, pair.right.text, headings)


def _without_clash(chances: dict[str, float]) -> dict[str, float]:
    """Return the chances where one side demands nothing, as a heading does: it takes two demands to clash."""
    rest = {name: c for name, c in chances.items() if name in ("overlap", "none")}
    return dict.fromkeys(chances, 0.0) | {name: c / sum(rest.values()) for name, c in rest.items()}


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def relation_of(chances: dict[str, float]) -> tuple[str, str | None]:
    """Return the likeliest relation and who governs; a conflict is claimed only where it is likelier than not."""
    named = [name for name in sorted(chances) if name != "conflict" or chances[name] >= _LIKELY]
    best = max(named, key=lambda name: chances[name])
    relation, _, governs = best.partition("_")
    return relation, governs or None


def kind_of(relation: str, found: rationale.Basis, kinds: dict[str, float]) -> str | None:
    """Return the kind of a verdict: what the clauses that it rests on name, else the likeliest of the fitted ones."""
    if relation == "definition":
        return "definition"
    if relation not in ("conflict", "stricter"):
        return None
    if found.norms and found.measures:
        typed = compare_measures(*found.measures, *found.norms)
        if typed:
            return typed.kind
    if found.norms and found.cue == "force":
        typed = compare_forces(found.norms[0].modality, found.norms[1].modality)
        if typed:
            return typed.kind
    return max(sorted(kinds), key=lambda name: kinds[name])
