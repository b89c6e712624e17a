"""The features by which the fitted decision judges a pair.

A feature whose name ends in ``_left`` or ``_right`` belongs to one side. All others do not depend on which provision is
on the left. The weights know features by name, so a renamed feature needs new weights.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.texts import Text
from antinomy.judge.rules.clauses import measure_pairs
from antinomy.judge.rules.similarity import coverage, unmatched_words, word_order_similarity
from antinomy.norms import Norm
from antinomy.norms.words import addressee_class, fold

#: A word is new if no word of the other side is at least this similar.
_NEW_WORD_COSINE = 0.5
#: A side of at least this many characters makes more than one statement. A shorter one is compared only with the part
#: of the other side that is most similar to it; the words that it shares with the rest say nothing.
_LONG_CHARS = 200


class Idf(dict[str, float]):
    """Inverse document frequencies of stems; a missing stem counts as the rarest (``inverse_document_frequencies``)."""

    def __missing__(self, stem: str) -> float:
        return self._rarest

    @cached_property
    def _rarest(self) -> float:
        return max(self.values(), default=1.0)


def inverse_document_frequencies(texts: Iterable[Text]) -> Idf:
    """Return the inverse document frequency of stems: minus the logarithm of the share of texts that contain them.

    Stems of a single text are left out: a missing stem counts as that rare.
    """
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        number += 1
        counts.update(set(text.stems))
    return Idf({s: round(math.log(number / n), 2) for s, n in sorted(counts.items()) if n > 1})


def describe(pair: ProvisionPair, idf: Idf) -> dict[str, float]:
    """Return the features of a pair, the same names for every pair.

    ``near_*``, ``word_*``, ``view_*``, ``cross_*`` and ``paired_*`` describe the excerpts of both provisions,
    ``whole_*`` the whole provisions; ``long`` is 1.0 where the excerpts leave something out of two long provisions.
    """
    excerpt = pair.excerpt
    embedding, words = _embedding_features(excerpt), _word_features(excerpt, idf)
    features = {f"near_{name}": value for name, value in embedding.items()}
    features |= {f"word_{name}": value for name, value in words.items()}
    features |= {f"view_{name}": value for name, value in _norm_features(excerpt).items()}
    features |= _clause_pair_features(excerpt)
    whole = embedding | words if excerpt is pair else _embedding_features(pair) | _word_features(pair, idf)
    shortened = excerpt.left is not pair.left or excerpt.right is not pair.right
    features["long"] = float(shortened and min(len(pair.left.text), len(pair.right.text)) >= _LONG_CHARS)
    return features | {f"whole_{name}": value for name, value in whole.items()}


def _embedding_features(pair: ProvisionPair) -> dict[str, float]:
    """Compare the vectors of texts and clauses; coverage is the mean cosine to the nearest clause, by length."""
    left, right, cosines = pair.left, pair.right, pair.clause_cosines
    left_sizes, right_sizes = (
        np.array([end - start for start, end in text.clause_spans], dtype=np.float32) for text in (left, right)
    )
    left_best, right_best = cosines.max(axis=1), cosines.max(axis=0)
    features = {
        "cos": float(left.vector @ right.vector),
        "best": float(left_best.max()),
        "cover_left": float(left_best @ left_sizes / max(1.0, left_sizes.sum())),
        "cover_right": float(right_best @ right_sizes / max(1.0, right_sizes.sum())),
        "least_left": float(left_best.min()),
        "least_right": float(right_best.min()),
    }
    return features | _without_sides(features, len(left.text) - len(right.text))


def _word_features(pair: ProvisionPair, idf: Idf) -> dict[str, float]:
    """Compare each word with the most similar one of the other side, as BERTScore does (Zhang et al. 2020)."""
    features = {}
    left, right = pair.left, pair.right
    left_stems, right_stems = set(left.stems), set(right.stems)
    shared = sum(idf[s] for s in left_stems & right_stems)
    for side, text, stems, cosines in (
        ("left", left, left_stems, pair.word_cosines.max(axis=1)),
        ("right", right, right_stems, pair.word_cosines.max(axis=0)),
    ):
        features[f"held_{side}"] = shared / max(1.0, sum(idf[s] for s in stems))
        weights = np.array([idf[s] for s in text.stems] or [1.0], dtype=np.float32)
        weights = weights / max(1e-6, float(weights.sum()))
        features[f"mean_{side}"] = float(cosines @ weights)
        features[f"new_{side}"] = float((cosines < _NEW_WORD_COSINE) @ weights)
        features[f"low_{side}"] = float(np.quantile(cosines, 0.2))
    features["shared"] = math.log1p(shared)
    features["both"] = math.sqrt(features["held_left"] * features["held_right"])
    return features | _without_sides(features, len(left.words) - len(right.words))


def _norm_features(pair: ProvisionPair) -> dict[str, float]:
    """Compare the norms of two provisions: their words, quantities and modalities."""
    left, right = pair.left.norms, pair.right.norms
    left_bag, right_bag = pair.left.bag, pair.right.bag
    measures = measure_pairs(pair.clause_pairs)
    # Addressees are compared as such: another addressee is not another object.
    addressees = {norm.addressee for norm in (*left, *right)}
    only_left = sum(w for stem, w in unmatched_words(left_bag, right_bag) if addressee_class(stem) not in addressees)
    only_right = sum(w for stem, w in unmatched_words(right_bag, left_bag) if addressee_class(stem) not in addressees)
    replaced = min(only_left, only_right) / max(1.0, min(left_bag.total, right_bag.total))
    order = word_order_similarity([w for n in left for w in n.words], [w for n in right for w in n.words])
    covered = coverage(left_bag, right_bag), coverage(right_bag, left_bag)
    features = {
        "similarity": math.sqrt(covered[0] * covered[1]),
        "coverage_least": min(covered),
        "coverage_most": max(covered),
        "order": order,
        "swap": replaced,
        "parallel_swap": order * min(1.0, replaced * 4),
        "best_clause": max((clauses.similarity for row in pair.clause_pairs for clauses in row), default=0.0),
        "equal_measures": float(sum(m.comparison is not None and m.comparison.relation == "equal" for m in measures)),
        "other_clock": float(any(m.clock_match == 0.0 for m in measures)),
        "one_definition": float(_has_definition(left) != _has_definition(right)),
        "both_define": float(_has_definition(left) and _has_definition(right)),
        "exclusive_differs": float(any(n.exclusive for n in left) != any(n.exclusive for n in right)),
        "bans_differ": float(_prohibitions(left) != _prohibitions(right)),
        "one_sided": abs(covered[0] - covered[1]),
        "norms_least": float(min(len(left), len(right))),
    }
    cues = [("measure", m.comparison, m.similarity) for m in measures if m.comparison] + [
        (cue.source, cue.comparison, cue.similarity)
        for row in pair.clause_pairs
        for clauses in row
        for cue in clauses.relation_cues()
    ]
    for name in _RELATION_CUES:
        wanted = tuple(name.split("_"))
        weights = [
            similarity * comparison.confidence
            for source, comparison, similarity in cues
            if (source, comparison.relation) == wanted
        ]
        features[name] = max(weights, default=0.0)
    return features


#: Cues for a relation of two provisions, as source and relation.
_RELATION_CUES = (
    "measure_conflict", "force_conflict", "pole_conflict", "actor_conflict", "only_conflict",
    "measure_stricter", "force_stricter",
)  # fmt: skip


def _has_definition(norms: Iterable[Norm]) -> bool:
    return any(n.modality == "defines" for n in norms)


def _prohibitions(norms: Iterable[Norm]) -> int:
    return sum(n.modality == "must_not" for n in norms)


#: Relations of two clauses (``ClausePair.relations``), each weighted by the similarity of the clauses.
_CLAUSE_RELATIONS = (
    "force_conflict", "force_left", "force_right", "force_same", "force_bans", "force_excepted", "doer",
    "authority", "only", "measure_conflict", "measure_left", "measure_right", "measure_equal",
)  # fmt: skip


def _clause_pair_features(pair: ProvisionPair) -> dict[str, float]:
    """Return the relations between clauses, weighted by the similarity of the clauses.

    ``cross_*`` is the similarity of the most similar two clauses between which a relation holds. ``paired_*`` is the
    weighted share of aligned clauses between which it holds; a clause is aligned with the most similar one of the other
    side.
    """
    greatest = dict.fromkeys(_CLAUSE_RELATIONS, 0.0)
    share = dict.fromkeys(_CLAUSE_RELATIONS, 0.0)
    similarities = pair.norm_similarities
    aligned: set[tuple[int, int]] = set()
    if similarities.size:
        aligned = {(i, int(j)) for i, j in enumerate(similarities.argmax(axis=1))}
        aligned |= {(int(i), j) for j, i in enumerate(similarities.argmax(axis=0))}
    for i, row in enumerate(pair.clause_pairs):
        for j, clauses in enumerate(row):
            for name in clauses.relations & greatest.keys():
                greatest[name] = max(greatest[name], float(similarities[i, j]))
                if (i, j) in aligned:
                    share[name] += float(similarities[i, j]) / len(aligned)
    features = {f"cross_{name}": value for name, value in greatest.items()}
    features |= {f"paired_{name}": value for name, value in share.items()}
    features["cross_turned"] = greatest["force_conflict"] - greatest["force_same"]
    return features


def _without_sides(features: Mapping[str, float], length_difference: int) -> dict[str, float]:
    """Return features of the two sides as those of the greater and lesser, and of the longer and shorter side.

    Args:
        features: with names that end in ``_left`` and ``_right``.
        length_difference: length of the left side minus that of the right side; of equal lengths the mean is taken.
    """
    result = {}
    for name in [n.removesuffix("_left") for n in features if n.endswith("_left")]:
        left, right = features[f"{name}_left"], features[f"{name}_right"]
        result[f"{name}_more"], result[f"{name}_less"] = max(left, right), min(left, right)
        by_length = (right, left) if length_difference > 0 else (left, right)
        result[f"{name}_short"], result[f"{name}_long"] = by_length if length_difference else ((left + right) / 2,) * 2
    return result


#: Words by which a definition excludes something, and by which it settles what makes no difference.
_EXCLUSION = re.compile(r"\b(?:not|no|never|neither|nor|without|exclud\w+|except\w*|outside|other than)\b")
_CLARIFICATION = re.compile(
    r"\b(?:whatever|irrespective|regardless|whether or not|whoever|however|even (?:if|where|when)|includ\w+|only)\b"
)
#: Greatest count; more of these words say nothing more.
_MAX_COUNT = 2


def describe_definitions(left: Text, right: Text) -> dict[str, float]:
    """Return the features of two definitions of one term; none depends on which one is on the left.

    Similar words do not mean that the definitions mean the same. Exclusions, clarifications and numbers say a little.
    """
    folded = fold(left.text), fold(right.text)
    exclusions = [len(_EXCLUSION.findall(text)) for text in folded]
    numbers = [{m.text for norm in text.norms for m in norm.measures} for text in (left, right)]
    return {
        "out": float(min(_MAX_COUNT, abs(exclusions[0] - exclusions[1]))),
        "settled": float(min(_MAX_COUNT, sum(len(_CLARIFICATION.findall(text)) for text in folded))),
        "numbers": float(numbers[0] != numbers[1]),
    }
