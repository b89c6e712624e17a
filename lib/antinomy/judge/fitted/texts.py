"""One provision before it is compared: its vectors, norms and words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.clauses import clauses
from antinomy.embed.encoder import PACKAGED, model_path, model_revision, worker_encoder
from antinomy.judge.protocol import Provision
from antinomy.norms import Norm, extract
from antinomy.norms.model import BagOfWords, bag
from antinomy.norms.values import parse_number
from antinomy.norms.words import fold, lexicon, stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Tokens of a text that the encoder reads; units are cut to it.
_TOKENS = 256
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+(?:[.,]\d+)*")
#: So many words of a text are compared one by one at most.
_MOST_WORDS = 400

_REFERENCE = re.compile(
    r"\b(?:articles?|sections?|paragraphs?|sub-?paragraphs?|points?|annex(?:es)?|chapters?|rules?|parts?|§+)\s*"
    r"(?:\d+[a-z]?(?:\.\d+)*|\([a-z0-9]{1,4}\)|[ivx]+\b)(?:\s*\([a-z0-9]{1,4}\)"
    r"|,? (?:and|or|to) (?:\d+|\([a-z0-9]{1,3}\)))*"
)
_LABEL = re.compile(
    r"(?m)^\s*(?:[•▪●◦\uf0b7*-]|§\s*[\d.]+|(?:\(?[a-z0-9]{1,4}\)|\d{1,3}\.(?:\d+\.?)*|[a-z]\.)(?:\([a-z0-9]{1,4}\))*)\s+"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TOKEN = re.compile(rf"(?:{_TENS})-[a-z]+|[a-z]+(?:['’][a-z]+)*|\d+(?:[.,]\d+)*|[%€$£]")
#: Words that may be numbers, and mostly are not.
_NOT_NUMBERS = frozenset(("second", "first", "other", "once", "third", "m", "k", "bn"))

#: A word that is compared, and its offset; numbers are in digits.
Token = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Text:
    """A provision, or a part of one, with its vectors.

    Attributes:
        text: as written.
        whole: vector of the text, of shape (dim,) and unit length.
        spans: offsets of its clauses.
        vectors: of the clauses, of shape (clauses, dim), of unit length.
    """

    text: str
    whole: NDArray[np.float32]
    spans: tuple[tuple[int, int], ...]
    vectors: NDArray[np.float32]

    @cached_property
    def norms(self) -> tuple[Norm, ...]:
        """The norms that it states, in reading order."""
        return extract(self.text)

    @cached_property
    def clause_of_norm(self) -> list[int]:
        """For each norm the clause in which it begins."""
        starts = [start for start, _ in self.spans]
        return [max(0, int(np.searchsorted(starts, norm.start, side="right")) - 1) for norm in self.norms]

    @cached_property
    def bag(self) -> BagOfWords:
        """The content words of its norms, each once."""
        return bag(w for norm in self.norms for w in norm.words)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All words but the labels of list items and the numbers of cited provisions."""
        folded = fold(self.text)
        for pattern in (_LABEL, _REFERENCE):
            folded = pattern.sub(lambda m: " " * len(m.group()), folded)
        return tuple((_in_digits(m.group()), m.start()) for m in _TOKEN.finditer(folded))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its tokens' words."""
        return frozenset(word for word, _ in self.tokens)

    @cached_property
    def clause_tokens(self) -> list[tuple[Token, ...]]:
        """The tokens of each clause."""
        return [tuple(t for t in self.tokens if start <= t[1] < end) for start, end in self.spans]

    @cached_property
    def words(self) -> list[tuple[int, str]]:
        """Its content words with their offsets, as written in lower case."""
        stop = lexicon().stop
        found = ((m.start(), m.group()) for m in _WORD.finditer(fold(self.text)))
        return [(at, word) for at, word in found if word not in stop][:_MOST_WORDS]

    @cached_property
    def word_vectors(self) -> NDArray[np.float32]:
        """Static vectors of the words, of shape (words, dim), of unit length."""
        if not self.words:
            return np.zeros((0, static_vectors().shape[1]), dtype=np.float32)
        return np.stack([static_vector(word) for _, word in self.words])

    @cached_property
    def stems(self) -> list[str]:
        """The words' stems."""
        return [stem(word) for _, word in self.words]

    @cached_property
    def norm_words(self) -> list[slice]:
        """For each norm the places of its own words among ``words``."""
        at = [start for start, _ in self.words]
        return [slice(bisect_left(at, norm.start), bisect_left(at, norm.end)) for norm in self.norms]

    def part(self, first: int, last: int) -> Text:
        """Return the text from one of its clauses to another, both included."""
        if (first, last) not in self._parts:
            self._parts[first, last] = self._cut(first, last)
        return self._parts[first, last]

    @cached_property
    def _parts(self) -> dict[tuple[int, int], Text]:
        return {}

    def _cut(self, first: int, last: int) -> Text:
        start, end = self.spans[first][0], self.spans[last][1]
        vectors = self.vectors[first : last + 1]
        sizes = np.array([b - a for a, b in self.spans[first : last + 1]], dtype=np.float32)
        spans = tuple((a - start, b - start) for a, b in self.spans[first : last + 1])
        return Text(self.text[start:end], unit(sizes @ vectors), spans, vectors)


@lru_cache(maxsize=65536)
def _in_digits(word: str) -> str:
    """Return a number as digits, another word as it is."""
    value = parse_number(word) if word not in _NOT_NUMBERS else None
    return word if value is None else f"{value:g}"


#: Texts kept per process: each stands in several pairs.
_KEPT = 4096


class Texts:
    """Reads provisions, and keeps the latest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Text] = OrderedDict()

    def of(self, provisions: Iterable[Provision]) -> dict[str, Text]:
        """Return each text of these provisions as read; those without vectors are encoded together."""
        given = {str(p.text): p.clause_vectors for p in provisions}
        wanted = list(given)
        fresh = []
        for text in wanted:
            if text in self._kept:
                continue
            if (vectors := given[text]) is None:
                fresh.append(text)
            else:
                spans = _spans(text)
                self._kept[text] = of_clauses(text, spans, np.asarray(vectors, np.float32).reshape(len(spans), -1))
        # Without texts to encode the model is not loaded, which would take seconds.
        for found in encoded(fresh) if fresh else ():
            self._kept[found.text] = found
        answer = {}
        for text in wanted:
            self._kept.move_to_end(text)
            answer[text] = self._kept[text]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return answer


def revision() -> str:
    """Return what identifies the encoder's weights."""
    return model_revision(PACKAGED, "")


def unit(vectors: Any) -> Any:
    """Return vectors at unit length."""
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)).astype(np.float32)


def encoded(texts: Sequence[str]) -> list[Text]:
    """Encode texts as the embed stage does."""
    cut = [_spans(text) for text in texts]
    _, by_clause = worker_encoder(PACKAGED, "", "cpu", _TOKENS).encode_clauses(list(texts), cut)
    return [of_clauses(text, spans, rows) for text, spans, rows in zip(texts, cut, by_clause, strict=True)]


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the clauses; a blank text is one."""
    return clauses(text) or [(0, len(text))]


def of_clauses(text: str, spans: Sequence[tuple[int, int]], vectors: NDArray[np.float32]) -> Text:
    """Make a text of its clauses' vectors; its own vector is their mean, weighed by length."""
    sizes = np.array([b - a for a, b in spans], dtype=np.float32)
    return Text(text, unit(sizes @ vectors), tuple(spans), vectors)


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(model_path(PACKAGED)) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@cache
def static_vectors() -> NDArray[np.float32]:
    """Return the encoder's table of word pieces, of shape (pieces, dim), centred.

    What all rows have in common says nothing about a word (Mu and Viswanath 2018).
    """
    from safetensors import safe_open

    with safe_open(str(Path(model_path(PACKAGED)) / "model.safetensors"), framework="np") as file:
        name = next(key for key in file.keys() if key.endswith("word_embeddings.weight"))  # noqa: SIM118
        table = file.get_tensor(name).astype(np.float32)
    centred: NDArray[np.float32] = table - table.mean(axis=0)
    return centred


@cache
def static_vector(word: str) -> NDArray[np.float32]:
    """Return the mean of a word's pieces at unit length."""
    ids = _tokenizer().encode(word[:60], add_special_tokens=False).ids
    vector: NDArray[np.float32] = unit(static_vectors()[ids].mean(axis=0))
    return vector
