"""What each part of the networks of the judge ``default`` earns: they are fitted again without it and measured.

    python bench/ablate.py [--behaviour FILE] [--real FILE] [--sections]

Groups of features are left out of the network; with ``--sections`` each section of the lexicon and each group of cues
is emptied in turn, so that all pairs are described again (a minute each). Printed per part: mean and least area under
the ROC curve for conflict over the packaged files, each judged by a network that has not seen it; the same for the
development file, whose pairs were dealt out; F1 of conflicts as the judge claims them; cases of ``--behaviour``
right, and kappa of related against unrelated on ``--real`` (labelled pairs), both by a network fitted on all packaged
pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from sklearn.metrics import cohen_kappa_score, f1_score, roc_auc_score

from antinomy.evaluate.pairs import read_labelled
from antinomy.judge.fitted import prior
from antinomy.judge.fitted.decision import CLASSES, Decision
from antinomy.judge.fitted.features import Idf, describe, inverse_document_frequencies
from antinomy.judge.fitted.judge import relation_of
from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.texts import Text
from antinomy.norms import cues, modality, read, words
from antinomy.norms.definitions import common_term, terms
from antinomy.settings.train import TrainSettings
from antinomy.train import head
from antinomy.train.pairs import Example, folds
from antinomy.train.pairs import read as read_examples
from antinomy.train.run import augmented_pairs, packaged_data

DEVELOPMENT = "conflicts_dev.jsonl"
GROUPS: dict[str, Callable[[str], bool]] = {
    "vectors of the part": lambda n: n.startswith("near_"),
    "vectors of the whole": lambda n: n.startswith("whole_") and n.split("_")[1] in ("cos", "best", "cover", "least"),
    "words of the part": lambda n: n.startswith("word_"),
    "words of the whole": lambda n: n.startswith("whole_") and n.split("_")[1] not in ("cos", "best", "cover", "least"),
    "clauses' forces": lambda n: n.startswith(("cross_force", "paired_force", "cross_turned")),
    "clauses' quantities": lambda n: n.startswith(("cross_measure", "paired_measure")),
    "clauses' parties": lambda n: n.split("_", 1)[1] in ("doer", "authority"),
    "clauses' “only”": lambda n: n in ("cross_only", "paired_only"),
    "whole norms (view)": lambda n: n.startswith("view_"),
    "view: likeness": lambda n: n.removeprefix("view_") in (
        "similarity", "coverage_least", "coverage_most", "order", "swap", "parallel_swap", "best_clause", "one_sided"
    ),
    "view: quantities": lambda n: n.startswith("view_measure") or n in ("view_equal_measures", "view_other_clock"),
    "view: clashes": lambda n: n.startswith(("view_force", "view_pole", "view_actor", "view_only")),
    "view: counts": lambda n: n.removeprefix("view_") in (
        "one_definition", "both_define", "exclusive_differs", "bans_differ", "norms_least"
    ),
}  # fmt: skip
SECTIONS = ("concepts", "actors", "charters", "light", "light_verbs", "clock_events", "antonyms", "qualities")
_CACHED = (read.extract, words.lexicon, words._data, terms)


@contextmanager
def without_section(name: str) -> Iterator[None]:
    """Empty a section of the lexicon."""
    whole = words._data()
    held: Any = {**whole, name: [] if isinstance(whole[name], list) else {key: [] for key in whole[name]}}
    with mock.patch.object(words, "_data", return_value=held):
        _forget()
        yield
    _forget()


@contextmanager
def without_cues(chosen: Callable[[tuple[str, float, bool, Any]], bool]) -> Iterator[None]:
    """Leave out rows of the table of cues."""
    with mock.patch.object(modality, "CUES", tuple(row for row in cues.CUES if not chosen(row))):
        _forget()
        yield
    _forget()


@contextmanager
def without_imperatives() -> Iterator[None]:
    """Read no sentence as an imperative."""
    with mock.patch.object(read, "_imperative", return_value=None):
        _forget()
        yield
    _forget()


def _forget() -> None:
    for function in _CACHED:
        getattr(function, "cache_clear", lambda: None)()


class Bench:
    """The packaged pairs and the texts of all that is measured on."""

    def __init__(self, behaviour: str, real: str) -> None:
        self.settings = TrainSettings(out="-")
        self.written = [e for path in packaged_data() for e in read_examples(path)]
        self.fold = folds(self.written, self.settings.folds, self.settings.dealt)
        texts = head.encode_texts(self.written)
        self.drawn = augmented_pairs(self.written, texts, self.settings)
        self.behaviour = read_labelled(behaviour) if behaviour else []
        self.real = read_labelled(real) if real else []
        rows = [Example(r["left"], r["right"], "", "", "", "") for r in (*self.behaviour, *self.real)]
        self.texts = texts | head.encode_texts([*self.drawn, *rows], texts)
        self.rarity = inverse_document_frequencies(
            self.texts[t] for t in sorted({t for e in self.written for t in (e.left, e.right)})
        )

    def fresh(self) -> None:
        """Forget what was read of the texts."""
        self.texts = {t: Text(x.text, x.vector, x.clause_spans, x.clause_vectors) for t, x in self.texts.items()}

    def _reading(self, left: str, right: str) -> ProvisionPair:
        return ProvisionPair(self.texts[left], self.texts[right])

    def described(self) -> list[tuple[Example, head.Features, int, bool]]:
        """Return the pairs that the network decides: description, fold, and whether they were written."""
        place = {e.group: f for e, f in zip(self.written, self.fold, strict=True)}
        chosen = []
        for e in (*self.written, *self.drawn):
            told = self._reading(e.left, e.right).difference or common_term(e.left, e.right)
            if e.label in CLASSES and not told:
                chosen.append(e)
        values = head.describe_pairs(chosen, self.texts, self.rarity)
        dealt = {id(e): f for e, f in zip(self.written, self.fold, strict=True)}
        return [(e, v, dealt.get(id(e), place[e.group]), id(e) in dealt) for e, v in zip(chosen, values, strict=True)]

    def measured(self, rows: Sequence[tuple[Example, head.Features, int, bool]], names: Sequence[str]) -> list[str]:
        """Return the figures of networks over these features."""
        settings = self.settings
        shown = [head.DescribedPair(e, v, f) for e, v, f, _ in rows]
        written = [row for row, (_, _, _, own) in zip(shown, rows, strict=True) if own]
        chances = head.relations_out_of_fold(shown, names, settings.network, settings.seed)
        actual = np.array([p.example.label == "conflict" for p in written])
        source = np.array([p.example.source for p in written])
        areas = {s: roc_auc_score(actual[source == s], chances[source == s, 0]) for s in sorted(set(source))}
        development = areas.pop(DEVELOPMENT)
        others = list(areas.values())
        f1 = f1_score(actual, chances[:, 0] >= 0.5)
        cells = [f"{np.mean(others):.3f}", f"{min(others):.3f}", f"{development:.3f}", f"{f1:.3f}"]
        if self.behaviour or self.real:
            relation = head.fit_relation(shown, names, settings.network, settings.seed)
            related = head.fit_related([p for p in shown if p.example.origin != "written"])
            shares = head.class_shares([p.example for p in shown])
            cells += self._used(Decision(relation, related, relation, relation, shares, Idf(), {}))
        return cells

    def _used(self, decision: Decision) -> list[str]:
        cells = []
        if self.behaviour:
            said = self._judged(self.behaviour, decision)
            right = [a == (r["relation"], r.get("governs")) for a, r in zip(said, self.behaviour, strict=True)]
            cells.append(f"{sum(right)}/{len(right)}")
        if self.real:
            said = self._judged(self.real, decision)
            actual = [r["relation"] != "none" for r in self.real]
            cells.append(f"{cohen_kappa_score(actual, [a[0] != 'none' for a in said]):.2f}")
        return cells

    def _judged(self, rows: Sequence[dict[str, Any]], decision: Decision) -> list[tuple[str, str | None]]:
        pairs = [self._reading(r["left"], r["right"]) for r in rows]
        read_ = [reading.difference for reading in pairs]
        open_ = [i for i, found in enumerate(read_) if found is None]
        chances = [decision.probabilities(describe(pairs[i], self.rarity)) for i in open_]
        expected = prior.estimate_shares(chances, decision.shares).expected
        said = {
            i: relation_of(prior.adjust_to_shares(c, decision.shares, expected))
            for i, c in zip(open_, chances, strict=True)
        }
        return [said[i] if (found := read_[i]) is None else (found.relation, found.governs) for i in range(len(rows))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--behaviour", default="")
    parser.add_argument("--real", default="")
    parser.add_argument("--sections", action="store_true")
    chosen = parser.parse_args()
    bench = Bench(chosen.behaviour, chosen.real)
    heads = ["without", "files", "least", "development", "F1"]
    heads += ["behaviour"] * bool(chosen.behaviour) + ["real"] * bool(chosen.real)
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)

    def show(name: str, cells: Sequence[str]) -> None:
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    rows = bench.described()
    names = sorted(set(rows[0][1]) - {"long"})
    show("(nothing)", bench.measured(rows, names))
    for group, inside in GROUPS.items():
        show(group, bench.measured(rows, [n for n in names if not inside(n)]))
    if not chosen.sections:
        return
    parts: dict[str, Any] = {f"lexicon: {name}": lambda name=name: without_section(name) for name in SECTIONS}
    for force in ("must", "must_not", "may", "need_not"):
        parts[f"cues: {force}, but its first row"] = lambda force=force: without_cues(_further(force))
    parts["imperatives"] = without_imperatives
    for name, left_out in parts.items():
        with left_out():
            bench.fresh()
            show(name, bench.measured(bench.described(), names))


def _further(force: str) -> Callable[[tuple[str, float, bool, Any]], bool]:
    first = next(row for row in cues.CUES if row[0] == force)
    return lambda row: row[0] == force and row is not first


if __name__ == "__main__":
    main()
