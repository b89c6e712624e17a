"""Fine-tuning of the cross-encoder, by sentence-transformers' trainer."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from antinomy import storage
from antinomy.embed.encoder import model_path
from antinomy.errors import AntinomyError, EnvironmentFault
from antinomy.judge.local.cross_encoder import MAX_LENGTH, described
from antinomy.judge.local.decision import CLASSES
from antinomy.judge.local.focus import focus
from antinomy.judge.local.vectors import Vectors
from antinomy.train.pairs import Example, read
from antinomy.train.settings import CrossEncoderSettings

log = logging.getLogger("antinomy")

#: One set in so many is held back, to see when to stop.
_HELD_BACK = 12


def fine_tune(examples: Sequence[Example], settings: CrossEncoderSettings, seed: int) -> Any:
    """Train a cross-encoder to tell the relations apart.

    Whole sets are held back; the epoch with the least loss on them is kept, and training stops when an epoch does not
    lower it.

    Args:
        examples: pairs to learn from, besides those of ``settings.also``.
        settings: base model, further pairs, epochs, learning rate, batch size.
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
        import accelerate  # noqa: F401 - the trainer asks for it late, and without this advice
        import torch
        from datasets import Dataset
        from sentence_transformers.cross_encoder import (
            CrossEncoder,
            CrossEncoderTrainer,
            CrossEncoderTrainingArguments,
        )
        from sentence_transformers.cross_encoder.losses import CrossEntropyLoss

        from antinomy.train.batches import LengthGroupedBatchSampler
    except ImportError as error:
        raise EnvironmentFault(
            "training a cross-encoder needs more packages: `pip install 'antinomy[train]'`"
        ) from error
    from transformers import EarlyStoppingCallback, PrinterCallback, set_seed
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    set_seed(seed)
    cuda = torch.cuda.is_available()
    bf16 = not cuda or torch.cuda.is_bf16_supported()
    model = CrossEncoder(base, num_labels=len(CLASSES), max_length=MAX_LENGTH)
    # Of words that the labelled pairs lack the vectors would stay behind the others.
    model.model.get_input_embeddings().requires_grad_(False)

    def rows(chosen: Sequence[Example]) -> Any:
        # In the one order in which the judge has them read.
        ordered = [e if e.left <= e.right else e.mirrored() for e in chosen]
        return Dataset.from_dict(
            {"left": [e.left for e in ordered], "right": [e.right for e in ordered],
             "label": [CLASSES.index(e.label) for e in ordered]}
        )  # fmt: skip

    # The validation set.
    held_back = [e for e in examples if _is_held_back(e.group)]
    learned = [e for e in examples if not _is_held_back(e.group)] + [e for path in settings.also for e in read(path)]
    if not held_back:
        raise AntinomyError(f"too few sets of pairs to hold one in {_HELD_BACK} back: add labelled pairs to `data`")
    with tempfile.TemporaryDirectory() as folder:
        arguments = CrossEncoderTrainingArguments(
            output_dir=folder, num_train_epochs=settings.epochs, learning_rate=settings.learning_rate,
            weight_decay=0.01, warmup_steps=0.1, per_device_train_batch_size=settings.batch_size,
            batch_sampler=LengthGroupedBatchSampler, bf16=bf16, use_cpu=not cuda, eval_strategy="epoch",
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
    """Return what a cross-encoder that has not seen its fold says of each pair; see ``judge.local.cross_encoder``."""
    found: list[dict[str, float]] = [{} for _ in examples]
    for held in sorted(set(fold)):
        began = time.monotonic()
        model = fine_tune([e for e, f in zip(examples, fold, strict=True) if f != held], settings, seed)
        where = [i for i, f in enumerate(fold) if f == held]
        said = described(model, [(examples[i].left, examples[i].right) for i in where])
        for i, values in zip(where, said, strict=True):
            found[i] = values
        log.info("cross-encoder without fold %d after %.0f s", held, time.monotonic() - began)
    return found


def focused(examples: Sequence[Example]) -> list[Example]:
    """Return the pairs with what the judge reads of their texts."""
    store = Vectors()
    found = []
    for e in examples:
        texts = store.encode((e.left, e.right))
        (left, _), (right, _) = focus(e.left, e.right, texts[e.left], texts[e.right])
        found.append(replace(e, left=left, right=right))
    return found


def save(model: Any, folder: str) -> None:
    """Write a cross-encoder in half precision.

    Args:
        model: as ``fine_tune`` gives it.
        folder: path or URI.
    """
    with tempfile.TemporaryDirectory() as local:
        model.half().save_pretrained(local, create_model_card=False)
        for name in storage.find(local):
            storage.write_bytes(storage.join(folder, name), (Path(local) / name).read_bytes())
