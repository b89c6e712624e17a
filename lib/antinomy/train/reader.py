"""Fine-tuning of the cross-encoder, by sentence-transformers' trainer."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from sentence_transformers.base.sampler import DefaultBatchSampler
from transformers.trainer_pt_utils import LengthGroupedSampler

from antinomy.embed.encoder import model_path
from antinomy.errors import AntinomyError, EnvironmentFault
from antinomy.judge.local.decision import CLASSES
from antinomy.judge.local.focus import focus
from antinomy.judge.local.reader import LONGEST, described
from antinomy.judge.local.vectors import Vectors
from antinomy.train.pairs import Example, read
from antinomy.train.settings import CrossEncoderSettings

log = logging.getLogger("antinomy")

#: One set in so many is held back, to see when to stop.
_HELD_BACK = 12


class LikeLengths(DefaultBatchSampler):
    """Batches of texts about equally long: the shorter are padded, and what is padded costs as much as words do."""

    def __iter__(self) -> Iterator[list[int]]:
        lengths = [len(row["left"]) + len(row["right"]) for row in cast(Any, self.sampler)]
        order = list(LengthGroupedSampler(self.batch_size, lengths=lengths, generator=self.generator))
        yield from (order[at : at + self.batch_size] for at in range(0, len(order), self.batch_size))


def fine_tune(examples: Sequence[Example], settings: CrossEncoderSettings, seed: int) -> Any:
    """Train a cross-encoder to tell the relations apart.

    Whole sets are held back; the epoch with the least loss on them is kept, and training stops when an epoch does not
    lower it.

    Args:
        examples: pairs to learn from, besides those of ``settings.also``.
        settings: base model, further pairs, epochs, rate, batch.
        seed: of the order and of the new layer.

    Returns:
        A ``CrossEncoder`` of sentence-transformers.

    Raises:
        EnvironmentFault: if what training needs is not installed.
        AntinomyError: if there are too few sets to hold any back.
    """
    base = model_path(settings.model)
    if Path(base).is_dir():
        # Nothing may ask the hub for a model that lies on disk.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        import torch
        from datasets import Dataset
        from sentence_transformers.cross_encoder import (
            CrossEncoder,
            CrossEncoderTrainer,
            CrossEncoderTrainingArguments,
        )
        from sentence_transformers.cross_encoder.losses import CrossEntropyLoss
    except ImportError as error:
        raise EnvironmentFault(
            "training a cross-encoder needs more packages: `pip install 'antinomy[train]'`"
        ) from error
    from transformers import EarlyStoppingCallback, PrinterCallback, set_seed
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    set_seed(seed)
    model = CrossEncoder(base, num_labels=len(CLASSES), max_length=LONGEST)
    # Of words that the labelled pairs lack the vectors would stay behind the others.
    model.model.get_input_embeddings().requires_grad_(False)

    def rows(chosen: Sequence[Example]) -> Any:
        # In the one order in which the judge has them read.
        ordered = [e if e.left <= e.right else e.mirrored() for e in chosen]
        return Dataset.from_dict(
            {"left": [e.left for e in ordered], "right": [e.right for e in ordered],
             "label": [CLASSES.index(e.label) for e in ordered]}
        )  # fmt: skip

    held_back = [e for e in examples if _is_held_back(e.group)]
    learned = [e for e in examples if not _is_held_back(e.group)] + [e for path in settings.also for e in read(path)]
    if not held_back:
        raise AntinomyError("too few sets of pairs to hold one in twelve back: add labelled pairs to `data`")
    with tempfile.TemporaryDirectory() as folder:
        arguments = CrossEncoderTrainingArguments(
            output_dir=folder, num_train_epochs=settings.epochs, learning_rate=settings.rate, weight_decay=0.01,
            warmup_steps=0.1, per_device_train_batch_size=settings.batch, per_device_eval_batch_size=settings.batch,
            batch_sampler=LikeLengths, bf16=True, use_cpu=not torch.cuda.is_available(), eval_strategy="epoch",
            save_strategy="epoch", save_total_limit=1, save_only_model=True, load_best_model_at_end=True,
            metric_for_best_model="eval_loss", logging_strategy="epoch", report_to="none", disable_tqdm=True, seed=seed,
        )  # fmt: skip
        trainer = CrossEncoderTrainer(
            model=model, args=arguments, train_dataset=rows(learned), eval_dataset=rows(held_back),
            loss=CrossEntropyLoss(model), callbacks=[EarlyStoppingCallback(early_stopping_patience=1)],
        )  # fmt: skip
        trainer.remove_callback(PrinterCallback)  # what it would print is logged below
        trainer.train()
    best = min(entry["eval_loss"] for entry in trainer.state.log_history if "eval_loss" in entry)
    log.info("cross-encoder: %.1f epochs, loss %.3f on the sets held back", trainer.state.epoch, best)
    return model


def _is_held_back(group: str) -> bool:
    return int(hashlib.sha256(f"held back {group}".encode()).hexdigest(), 16) % _HELD_BACK == 0


def described_out_of_fold(
    examples: Sequence[Example], fold: Sequence[int], settings: CrossEncoderSettings, seed: int
) -> list[dict[str, float]]:
    """Return what a cross-encoder says of each pair that has not seen its fold; names as ``judge.local.reader``."""
    found: list[dict[str, float]] = [{} for _ in examples]
    for held in sorted(set(fold)):
        began = time.monotonic()
        model = fine_tune([e for e, f in zip(examples, fold, strict=True) if f != held], settings, seed)
        where = [i for i, f in enumerate(fold) if f == held]
        for i, values in zip(where, described(model, focused([examples[i] for i in where])), strict=True):
            found[i] = values
        log.info("cross-encoder without fold %d after %.0f s", held, time.monotonic() - began)
    return found


def focused(examples: Sequence[Example]) -> list[tuple[str, str]]:
    """Return of each pair what the judge reads of it."""
    store = Vectors()
    found = []
    for e in examples:
        texts = store.encode((e.left, e.right))
        (left, _), (right, _) = focus(e.left, e.right, texts[e.left], texts[e.right])
        found.append((left, right))
    return found
