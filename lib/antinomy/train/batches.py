"""Batches of texts about equally long: the shorter are padded, and what is padded costs as much as words do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from sentence_transformers.base.sampler import DefaultBatchSampler
from transformers.trainer_pt_utils import LengthGroupedSampler


class LengthGroupedBatchSampler(DefaultBatchSampler):
    """Makes batches of a dataset with the columns ``left`` and ``right``."""

    def __iter__(self) -> Iterator[list[int]]:
        lengths = [len(row["left"]) + len(row["right"]) for row in cast(Any, self.sampler)]
        order = list(LengthGroupedSampler(self.batch_size, lengths=lengths, generator=self.generator))
        yield from (order[at : at + self.batch_size] for at in range(0, len(order), self.batch_size))
