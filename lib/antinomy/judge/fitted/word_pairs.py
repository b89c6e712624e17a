"""Words by which two regulations call the same thing: "unitholder" in one, "securityholder" in the other.

A cross-encoder that reads two provisions and nothing else takes another name for another thing. The provisions that are
each other's best candidates are, all together, a parallel text. Their words are aligned as for machine translation (IBM
model 1: Brown et al., "The Mathematics of Statistical Machine Translation", 1993), in both directions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from bm25s.stopwords import STOPWORDS_EN_PLUS

#: Rounds of expectation maximisation.
_ROUNDS = 8
#: Weight of "this word has no counterpart" against the words of the other provision.
_NO_COUNTERPART = 0.05
#: Least probability, in both directions, with which two words are taken as names of the same thing.
_LEAST_PROBABILITY = 0.4
#: Least number of pairs of provisions in which they stand opposite each other.
_LEAST_PAIRS = 4
#: A word that the other side uses more than this share as often is no name of this side alone.
_MOST_SHARED = 0.1
#: Words that name nothing. What makes a duty stronger or weaker must stay as it is.
_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS) | frozenset(
    (
        "shall", "must", "may", "might", "could", "would", "every", "within", "without", "upon", "least", "less",
        "whose", "whether", "unless", "also", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten", "first", "second", "third",
    )
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z][a-z]{2,}(?:-[a-z]+)*")


def align(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Find the words of the left texts that have another name in the right ones.

    Args:
        pairs: texts of provisions that probably correspond, left and right.

    Returns:
        Left word → right word, both in small letters and in the singular.
    """
    left, right = ([_words(pair[side]) for pair in pairs] for side in (0, 1))
    count_left, count_right = (Counter(word for words in side for word in words) for side in (left, right))
    together = Counter((a, b) for one, two in zip(left, right, strict=True) for a in one for b in two)
    there, back = _translations(left, right), _translations(right, left)
    found = sorted(
        (-min(there[a, b], back[b, a]), a, b)
        for (a, b), n in together.items()
        if n >= _LEAST_PAIRS
        and count_right[a] <= _MOST_SHARED * count_left[a]
        and count_left[b] <= _MOST_SHARED * count_right[b]
        and min(there[a, b], back[b, a]) >= _LEAST_PROBABILITY
    )
    chosen: dict[str, str] = {}
    for _, a, b in found:
        if a not in chosen and b not in chosen.values():
            chosen[a] = b
    return chosen


def translate(text: str, words: Mapping[str, str]) -> str:
    """Return a text with the words of the other side, in the same number."""

    def replace(match: re.Match[str]) -> str:
        printed = match[0]
        small = printed.lower()
        single = _singular(small)
        if single not in words:
            return printed
        other = words[single] if small == single else _plural(words[single])
        return other.capitalize() if printed[0].isupper() else other

    return _WORD.sub(replace, text) if words else text


def _translations(source: Sequence[list[str]], target: Sequence[list[str]]) -> defaultdict[tuple[str, str], float]:
    """Return (source word, target word) → probability that the first is translated by the second."""
    probability: defaultdict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    for _ in range(_ROUNDS):
        counts: defaultdict[tuple[str, str], float] = defaultdict(float)
        totals: defaultdict[str, float] = defaultdict(float)
        for words, others in zip(source, target, strict=True):
            for other in others:
                among = sum(probability[word, other] for word in words) + _NO_COUNTERPART
                for word in words:
                    share = probability[word, other] / among
                    counts[word, other] += share
                    totals[word] += share
        probability = defaultdict(float, {pair: n / totals[pair[0]] for pair, n in counts.items()})
    return probability


def _words(text: str) -> list[str]:
    """Return the words of a text, each once; sorted, since floating-point sums depend on the order."""
    return sorted({_singular(word) for word in map(str.lower, _WORD.findall(text)) if word not in _STOP_WORDS})


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 4 else word


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
