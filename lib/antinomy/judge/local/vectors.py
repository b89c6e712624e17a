"""Clauses and words of two provisions as vectors of the packaged encoder, and how near they are to each other.

The encoder is not trained further: what it knows of English is what makes the small judge hold outside of its training
topics. Nearness of words is measured as in BERTScore (Zhang et al. 2020): each word against its nearest on the other
side.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import PACKAGED, model_path, model_revision
from antinomy.judge.norms import extract

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Word pieces that the encoder reads at once; a longer provision is read in windows, none of it is left out.
_WINDOW = 254
#: Layers whose states of words are compared: of six, the middle one keeps to the words, the last to the meaning.
_LAYERS = {"mid": 3, "top": 6}
#: Texts encoded together; like lengths stand together, since the shorter are padded.
_BATCH = 16
#: Texts whose vectors are kept per process; each stands in several pairs. Some 150 kB each.
_KEPT = 768
#: A word without a counterpart this near is counted as new.
_STRANGE = 0.5


@dataclass(frozen=True, slots=True)
class Text:
    """A provision in vectors.

    Attributes:
        whole: of shape (dim,) and unit length.
        clauses: of shape (clauses, dim), of unit length, in the order of ``extract``.
        sizes: word pieces in each clause.
        words: layer name → states of shape (word pieces, dim), half precision, as the encoder gave them.
        places: offsets of each word piece in the provision, of shape (word pieces, 2).
    """

    whole: NDArray[np.float32]
    clauses: NDArray[np.float32]
    sizes: NDArray[np.float32]
    words: dict[str, NDArray[np.float16]]
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near two provisions are.

    Attributes:
        values: numbers by name; see ``nearness``.
        among: nearness of each clause on the left to each on the right, in the order of ``extract``.
    """

    values: dict[str, float]
    among: NDArray[np.float32]

    @property
    def best(self) -> tuple[int, int]:
        """The nearest pair of clauses, as indices into ``extract`` of each side."""
        i, j = np.unravel_index(int(self.among.argmax()), self.among.shape)
        return int(i), int(j)


def revision() -> str:
    """Return what identifies the encoder's weights."""
    return model_revision(PACKAGED, "")


@cache
def _loaded() -> tuple[Any, Any]:
    """Return the encoder and its tokenizer; loading takes a second, so a process keeps them."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from tokenizers import Tokenizer
    from transformers import BertModel
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # the pooler's weights are not used
    path = model_path(PACKAGED)
    tokenizer = Tokenizer.from_file(str(Path(path) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model: Any = BertModel.from_pretrained(path, add_pooling_layer=False)
    return model.eval(), tokenizer


class Vectors:
    """Encodes texts and keeps the latest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Text] = OrderedDict()

    def encode(self, texts: Iterable[str]) -> dict[str, Text]:
        """Return the vectors of texts; those not kept from before are encoded together."""
        wanted = list(dict.fromkeys(texts))
        fresh = [text for text in wanted if text not in self._kept]
        for text, found in zip(fresh, _encode(fresh), strict=True):
            self._kept[text] = found
        answer = {}
        for text in wanted:
            self._kept.move_to_end(text)
            answer[text] = self._kept[text]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return answer


def _encode(texts: Sequence[str]) -> list[Text]:
    if not texts:
        return []
    import torch

    model, tokenizer = _loaded()
    read = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    windows = [(i, at) for i, r in enumerate(read) for at in range(0, max(1, len(r.ids)), _WINDOW)]
    states: list[dict[str, list[Any]]] = [{name: [] for name in _LAYERS} for _ in texts]
    by_length = sorted(windows, key=lambda w: (len(read[w[0]].ids[w[1] : w[1] + _WINDOW]), w))
    done: dict[tuple[int, int], dict[str, Any]] = {}
    with torch.inference_mode():
        for start in range(0, len(by_length), _BATCH):
            chosen = by_length[start : start + _BATCH]
            rows = [[first, *read[i].ids[at : at + _WINDOW], last] for i, at in chosen]
            longest = max(map(len, rows))
            ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
            mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
            layers = model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            for k, (window, row) in enumerate(zip(chosen, rows, strict=True)):
                done[window] = {name: layers[n][k, 1 : len(row) - 1].numpy() for name, n in _LAYERS.items()}
    for i, at in windows:
        for name in _LAYERS:
            states[i][name].append(done[i, at][name])
    return [
        _text(
            text,
            np.array(r.offsets, dtype=np.int64).reshape(-1, 2),
            {name: np.concatenate(parts).astype(np.float16) for name, parts in found.items()},
        )
        for text, r, found in zip(texts, read, states, strict=True)
    ]


def cut(text: str, found: Text, start: int, end: int) -> Text:
    """Return the vectors of ``text[start:end]``, its words read in the context of the whole."""
    inside = (found.places[:, 0] >= start) & (found.places[:, 1] <= end)
    return _text(
        text[start:end], found.places[inside] - start, {name: states[inside] for name, states in found.words.items()}
    )


def _text(text: str, places: NDArray[np.int64], words: dict[str, NDArray[np.float16]]) -> Text:
    if not len(places):
        # A text without a word has no direction: it is near to nothing.
        words = {name: np.zeros((1, states.shape[1]), dtype=np.float16) for name, states in words.items()}
        places = np.zeros((1, 2), dtype=np.int64)
    top = words["top"].astype(np.float32)
    clauses, sizes = [], []
    for norm in extract(text):
        inside = (places[:, 0] >= norm.start) & (places[:, 1] <= norm.end)
        clauses.append(top[inside].mean(axis=0) if inside.any() else np.zeros(top.shape[1], dtype=np.float32))
        sizes.append(float(inside.sum()))
    if not sum(sizes):
        clauses, sizes = [top.mean(axis=0)], [float(len(top))]
    return Text(
        whole=_unit(top.mean(axis=0)),
        clauses=_unit(np.stack(clauses)),
        sizes=np.array(sizes, dtype=np.float32),
        words=words,
        places=places,
    )


def _unit(vectors: Any) -> Any:
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)).astype(np.float32)


def nearness(left: Text, right: Text) -> Nearness:
    """Measure how near two provisions are.

    ``cos`` compares the whole texts, ``best`` the nearest two clauses; ``cover`` is the mean and ``least`` the lowest
    nearness of one side's clauses to their nearest on the other. ``mid`` and ``top`` do so for words: their mean, the
    tenth percentile (``lo``) and the share that has no counterpart (``un``). ``_left`` and ``_right`` say of which
    side; ``_more`` is the greater and ``_less`` the lesser of the two, ``_short`` that of the shorter side and
    ``_long`` that of the longer: a clause may be covered by a whole section, hardly the other way round.
    """
    among = left.clauses @ right.clauses.T
    values = {
        "cos": float(left.whole @ right.whole),
        "best": float(among.max()),
        "cover_left": float(among.max(axis=1) @ left.sizes / left.sizes.sum()),
        "cover_right": float(among.max(axis=0) @ right.sizes / right.sizes.sum()),
        "least_left": float(among.max(axis=1)[left.sizes > 0].min()),
        "least_right": float(among.max(axis=0)[right.sizes > 0].min()),
    }
    for name in _LAYERS:
        words = _unit(left.words[name].astype(np.float32)) @ _unit(right.words[name].astype(np.float32)).T
        for side, nearest in (("left", words.max(axis=1)), ("right", words.max(axis=0))):
            values[f"{name}_{side}"] = float(nearest.mean())
            values[f"{name}_lo_{side}"] = float(np.quantile(nearest, 0.1))
            values[f"{name}_un_{side}"] = float((nearest < _STRANGE).mean())
    return Nearness(values | _whichever(values, len(left.places) - len(right.places)), among)


def _whichever(values: Mapping[str, float], longer: int) -> dict[str, float]:
    """Return what is said of the two sides by what they are to each other.

    Args:
        values: of both sides, by name.
        longer: word pieces that the left side has more than the right.
    """
    found = {}
    for name in [n.removesuffix("_left") for n in values if n.endswith("_left")]:
        left, right = values[f"{name}_left"], values[f"{name}_right"]
        found[f"{name}_more"], found[f"{name}_less"] = max(left, right), min(left, right)
        # Of two equally long neither is the shorter.
        short, long = (right, left) if longer > 0 else (left, right) if longer < 0 else ((left + right) / 2,) * 2
        found[f"{name}_short"], found[f"{name}_long"] = short, long
    return found
