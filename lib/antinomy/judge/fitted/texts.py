"""Reads one provision before it is compared: its vectors, norms and words."""

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
from antinomy.norms.model import BagOfWords, bag_of_words
from antinomy.norms.values import parse_number
from antinomy.norms.words import fold, lexicon, stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest text that the encoder reads, in tokens; units are cut to it.
_ENCODER_TOKENS = 256
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+(?:[.,]\d+)*")
#: Most words of a text that are compared one by one.
_MAX_WORDS = 400

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
#: Words that can be numbers, but mostly are not.
_NOT_NUMBERS = frozenset(("second", "first", "other", "once", "third", "m", "k", "bn"))

#: A word and its offset; numbers are in digits.
Token = tuple[str, int]
#: Offsets of a clause in the left text, and of one in the right text.
Spans = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Text:
    """A provision, or a part of one, with its vectors.

    Attributes:
        text: as written.
        vector: of the text, of shape (dim,) and unit length.
        clause_spans: offsets of the clauses.
        clause_vectors: of shape (clauses, dim), each of unit length.
    """

    text: str
    vector: NDArray[np.float32]
    clause_spans: tuple[tuple[int, int], ...]
    clause_vectors: NDArray[np.float32]

    @cached_property
    def norms(self) -> tuple[Norm, ...]:
        """Its norms in reading order."""
        return extract(self.text)

    @cached_property
    def clause_of_norm(self) -> list[int]:
        """For each norm the index of the clause in which it begins."""
        starts = [start for start, _ in self.clause_spans]
        return [max(0, int(np.searchsorted(starts, norm.start, side="right")) - 1) for norm in self.norms]

    @cached_property
    def bag(self) -> BagOfWords:
        """The content words of its norms, each once."""
        return bag_of_words(w for norm in self.norms for w in norm.words)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All words and numbers, without the labels of list items and the numbers of cited provisions."""
        folded = fold(self.text)
        for pattern in (_LABEL, _REFERENCE):
            folded = pattern.sub(lambda m: " " * len(m.group()), folded)
        return tuple((_as_digits(m.group()), m.start()) for m in _TOKEN.finditer(folded))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of its tokens."""
        return frozenset(word for word, _ in self.tokens)

    @cached_property
    def clause_tokens(self) -> list[tuple[Token, ...]]:
        """The tokens of each clause."""
        return [tuple(t for t in self.tokens if start <= t[1] < end) for start, end in self.clause_spans]

    @cached_property
    def words(self) -> list[tuple[int, str]]:
        """Its content words with their offsets, as written in lower case."""
        stop = lexicon().stop
        found = ((m.start(), m.group()) for m in _WORD.finditer(fold(self.text)))
        return [(at, word) for at, word in found if word not in stop][:_MAX_WORDS]

    @cached_property
    def word_vectors(self) -> NDArray[np.float32]:
        """Static vectors of the words, of shape (words, dim), of unit length."""
        if not self.words:
            return np.zeros((0, word_piece_vectors().shape[1]), dtype=np.float32)
        return np.stack([word_vector(word) for _, word in self.words])

    @cached_property
    def stems(self) -> list[str]:
        """The words' stems."""
        return [stem(word) for _, word in self.words]

    @cached_property
    def words_of_norms(self) -> list[slice]:
        """For each norm the slice of ``words`` that it contains."""
        at = [start for start, _ in self.words]
        return [slice(bisect_left(at, norm.start), bisect_left(at, norm.end)) for norm in self.norms]

    def excerpt(self, first: int, last: int) -> Text:
        """Return the part from one clause to another, both included, by their indices."""
        if (first, last) not in self._excerpts:
            self._excerpts[first, last] = self._cut_excerpt(first, last)
        return self._excerpts[first, last]

    @cached_property
    def _excerpts(self) -> dict[tuple[int, int], Text]:
        return {}

    def _cut_excerpt(self, first: int, last: int) -> Text:
        start, end = self.clause_spans[first][0], self.clause_spans[last][1]
        clause_vectors = self.clause_vectors[first : last + 1]
        sizes = np.array([b - a for a, b in self.clause_spans[first : last + 1]], dtype=np.float32)
        clause_spans = tuple((a - start, b - start) for a, b in self.clause_spans[first : last + 1])
        return Text(self.text[start:end], normalised(sizes @ clause_vectors), clause_spans, clause_vectors)


@lru_cache(maxsize=65536)
def _as_digits(word: str) -> str:
    """Return a number in digits, any other word as it is."""
    value = parse_number(word) if word not in _NOT_NUMBERS else None
    return word if value is None else f"{value:g}"


#: Texts kept per process.
_CACHE_SIZE = 4096


class TextCache:
    """Reads provisions, and keeps the most recently used: each provision occurs in several pairs."""

    def __init__(self) -> None:
        self._cache: OrderedDict[str, Text] = OrderedDict()

    def get(self, provisions: Iterable[Provision]) -> dict[str, Text]:
        """Return the texts of provisions by their wording; those without vectors are encoded in one batch."""
        vectors_of = {str(p.text): p.clause_vectors for p in provisions}
        texts = list(vectors_of)
        to_encode = []
        for text in texts:
            if text in self._cache:
                continue
            spans, clause_vectors = _spans(text), vectors_of[text]
            # Vectors that were cached before a change of the clauses are made again.
            if clause_vectors is None or np.size(clause_vectors) != len(spans) * word_piece_vectors().shape[1]:
                to_encode.append(text)
            else:
                rows = np.asarray(clause_vectors, np.float32).reshape(len(spans), -1)
                self._cache[text] = from_clauses(text, spans, rows)
        # Loading the model takes seconds, so it is not loaded for nothing.
        for found in encode(to_encode) if to_encode else ():
            self._cache[found.text] = found
        result = {}
        for text in texts:
            self._cache.move_to_end(text)
            result[text] = self._cache[text]
        while len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
        return result


def revision() -> str:
    """Return the revision of the packaged encoder, which identifies its weights."""
    return model_revision(PACKAGED, "")


def normalised(vectors: Any) -> Any:
    """Return vectors, of shape (…, dim), at unit length."""
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)).astype(np.float32)


def encode(texts: Sequence[str]) -> list[Text]:
    """Encode texts as the embed stage does."""
    spans = [_spans(text) for text in texts]
    _, clause_vectors = worker_encoder(PACKAGED, "", "cpu", _ENCODER_TOKENS).encode_clauses(list(texts), spans)
    return [from_clauses(*parts) for parts in zip(texts, spans, clause_vectors, strict=True)]


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the clauses; a blank text is one clause."""
    return clauses(text) or [(0, len(text))]


def from_clauses(text: str, clause_spans: Sequence[tuple[int, int]], clause_vectors: NDArray[np.float32]) -> Text:
    """Make a text from the vectors of its clauses; its own vector is their mean, weighted by length."""
    sizes = np.array([b - a for a, b in clause_spans], dtype=np.float32)
    return Text(text, normalised(sizes @ clause_vectors), tuple(clause_spans), clause_vectors)


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(model_path(PACKAGED)) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@cache
def word_piece_vectors() -> NDArray[np.float32]:
    """Return the encoder's embeddings of word pieces, of shape (pieces, dim).

    Their mean is subtracted, since it says nothing about a single word (Mu and Viswanath 2018).
    """
    from safetensors import safe_open

    with safe_open(str(Path(model_path(PACKAGED)) / "model.safetensors"), framework="np") as file:
        name = next(key for key in file.keys() if key.endswith("word_embeddings.weight"))  # noqa: SIM118
        table = file.get_tensor(name).astype(np.float32)
    centred: NDArray[np.float32] = table - table.mean(axis=0)
    return centred


@cache
def word_vector(word: str) -> NDArray[np.float32]:
    """Return the mean vector of a word's pieces, of shape (dim,) and unit length."""
    ids = _tokenizer().encode(word[:60], add_special_tokens=False).ids
    vector: NDArray[np.float32] = normalised(word_piece_vectors()[ids].mean(axis=0))
    return vector
