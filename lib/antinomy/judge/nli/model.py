"""A model of natural-language inference: its probabilities of contradiction, entailment and neither."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antinomy.errors import EnvironmentFault, JudgeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What the columns of ``Model.probabilities`` are.
LABELS = ("contradiction", "entailment", "neutral")


class Model:
    """A loaded sequence-classification model."""

    def __init__(self, name: str, revision: str, device: str, max_tokens: int) -> None:
        """Load a model.

        Args:
            name: a folder or a name of the model hub.
            revision: of the hub's model, "" for the newest.
            device: of torch.
            max_tokens: of both clauses together; what is longer is cut.

        Raises:
            EnvironmentFault: if it cannot be loaded.
            JudgeError: if its labels are not those of natural-language inference.
        """
        if Path(name).is_dir():
            # Nothing may ask the hub for a model that lies on disk.
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        self._label_columns = label_columns(name, revision)
        from sentence_transformers import CrossEncoder
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # one per worker
        try:
            # Weights are data and never code: no pickles, no modules from the hub.
            self._model: Any = CrossEncoder(
                name, revision=revision or None, device=device, trust_remote_code=False, max_length=max_tokens,
                model_kwargs={"use_safetensors": True},
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise _load_error(name, error) from error

    def probabilities(self, pairs: Sequence[tuple[str, str]], batch_size: int) -> NDArray[np.float32]:
        """Return the probabilities of LABELS for (premise, hypothesis) pairs, of shape (pairs, 3)."""
        found: NDArray[np.float32] = self._model.predict(
            list(pairs), batch_size=batch_size, apply_softmax=True, show_progress_bar=False
        )
        return found[:, self._label_columns]


def label_columns(name: str, revision: str) -> list[int]:
    """Return the columns in which a model has LABELS, by its configuration, which alone is loaded.

    Raises:
        EnvironmentFault: if the configuration cannot be loaded.
        JudgeError: if its labels are others.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(name, revision=revision or None, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise _load_error(name, error) from error
    labels = {str(label).lower(): int(at) for at, label in (config.id2label or {}).items()}
    if set(labels) != set(LABELS):
        raise JudgeError(
            f"judge.nli.model: {name} has the labels {', '.join(sorted(labels)) or 'none'}, not contradiction, "
            "entailment and neutral: name a model of natural-language inference, such as "
            "cross-encoder/nli-deberta-v3-base, or set id2label in its config.json"
        )
    return [labels[label] for label in LABELS]


def _load_error(name: str, error: Exception) -> EnvironmentFault:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return EnvironmentFault(
        f"judge.nli.model: {name} cannot be loaded ({reason}): name a folder that every worker sees, or a model of a "
        "hub that every worker reaches"
    )


@cache
def worker_model(name: str, revision: str, device: str, max_tokens: int) -> Model:
    """Return this process's model for these settings; loading takes seconds, so it is kept."""
    return Model(name, revision, device, max_tokens)
