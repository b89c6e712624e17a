"""Names by which two regulations call the same thing: "central counterparty" in one, "clearing house" in the other.

A cross-encoder that reads two provisions and nothing else takes another name for another thing. The provisions that are
each other's best candidates are, all together, a parallel text. Their words are aligned as for machine translation (IBM
model 1: Brown et al., "The Mathematics of Statistical Machine Translation", 1993), in both directions. Words that
mostly stand together are one name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from bm25s.stopwords import STOPWORDS_EN_PLUS

from antinomy.norms.quantities import tells_value

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
#: Words are one name if they stand together so often, of the times that the rarer one stands anywhere.
_LEAST_TOGETHER = 0.5
#: Words of a name.
_MOST_WORDS = 3
#: Words that name nothing. What makes a duty stronger or weaker must stay as it is; so must its values.
_STOP_WORDS = frozenset(STOPWORDS_EN_PLUS) | frozenset(
    (
        "shall", "must", "may", "might", "could", "would", "every", "within", "without", "upon", "least", "less",
        "whose", "whether", "unless", "also", "first", "mean", "business", "working", "calendar", "per", "cent",
    )
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z][a-z]{2,}(?:-[a-z]+)*")
#: A word that can be part of a name, or whatever parts two names. What a number follows cites: "margin no. 12".
_TOKEN = re.compile(rf"(?P<word>{_WORD.pattern})\b(?!\s+(?:nos?\.\s*)?\(?\d)|[^\sA-Za-z]|[A-Za-z]+")


def align(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Find the names in the left texts of what has another name in the right ones.

    Args:
        pairs: texts of provisions that probably correspond, left and right.

    Returns:
        Left name → right name, both in small letters and in the singular.
    """
    left, right = (_names([pair[side] for pair in pairs]) for side in (0, 1))
    count_left, count_right = (Counter(name for names in side for name in names) for side in (left, right))
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


def translate(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of the other side, in the same number."""
    if not names:
        return text
    found = list(_WORD.finditer(text))
    parts: list[str] = []
    end = at = 0
    while at < len(found):
        name, last = _name_at(text, found[at : at + _MOST_WORDS], names)
        if name:
            first = found[at]
            plural = _singular(last[0].lower()) != last[0].lower()
            other = _plural(names[name]) if plural else names[name]
            parts += [text[end : first.start()], other[:1].upper() + other[1:] if first[0][0].isupper() else other]
            end = last.end()
        at += name.count(" ") + 1
    return "".join(parts) + text[end:]


def _name_at(text: str, words: Sequence[re.Match[str]], names: Mapping[str, str]) -> tuple[str, re.Match[str]]:
    """Return the longest name with which some words begin, and its last word; "" if they begin with none."""
    for count in range(len(words), 0, -1):
        between = (text[one.end() : two.start()] for one, two in pairwise(words[:count]))
        name = " ".join(_singular(word[0].lower()) for word in words[:count])
        if name in names and not any(map(str.strip, between)):
            return name, words[count - 1]
    return "", words[0]


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


def _names(texts: Sequence[str]) -> list[list[str]]:
    """Return the names in each text, each once; sorted, since floating-point sums depend on the order.

    A name is a word, or words that stand together in most places where the rarer one stands.
    """
    rows = [[_name(token) for token in _TOKEN.finditer(text)] for text in texts]
    for _ in range(_MOST_WORDS - 1):
        single = Counter(name for row in rows for name in row if name)
        double = Counter(pair for row in rows for pair in pairwise(row) if all(pair))
        joined = {
            (a, b)
            for (a, b), n in double.items()
            if n >= max(_LEAST_PAIRS, _LEAST_TOGETHER * min(single[a], single[b]))
            and f"{a} {b}".count(" ") < _MOST_WORDS
        }
        rows = [_joined(row, joined) for row in rows]
    return [sorted(set(filter(None, row))) for row in rows]


def _name(token: re.Match[str]) -> str:
    """Return a word in the singular, "" for what is part of no name."""
    printed = (token["word"] or "").lower()
    word = _singular(printed)
    return "" if word in _STOP_WORDS or tells_value(printed) else word


def _joined(row: Sequence[str], pairs: Collection[tuple[str, str]]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(row):
        both = tuple(row[at : at + 2]) in pairs
        found.append(" ".join(row[at : at + 1 + both]))
        at += 1 + both
    return found


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 4 else word


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
