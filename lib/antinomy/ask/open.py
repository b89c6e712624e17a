"""From settings to something that answers: what is loaded, and when."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.ask.answer import Asker
from antinomy.ask.corpus import Corpus
from antinomy.embed.encoder import token_counter, worker_encoder

if TYPE_CHECKING:
    from antinomy.settings import EmbedSettings, Settings


def asker(settings: Settings, as_of: date | None = None, mode: str = "hybrid") -> Asker:
    """Return what answers questions about a finished run.

    Raises:
        AntinomyError: if the run lacks tables.
    """
    aliases = {document.doc_id: document.aliases for document in settings.documents}
    corpus = Corpus(settings.warehouse, settings.run_id, as_of or settings.as_of, aliases)
    embed = settings.embed

    def encode(text: str) -> NDArray[np.float32]:
        return _vector(text, embed)

    return Asker(corpus, encode, token_counter(embed.model), mode, settings.ask.budget_tokens)


def _vector(text: str, embed: EmbedSettings) -> NDArray[np.float32]:
    return _vectors(text, embed.model, embed.revision, embed.max_tokens)


@cache
def _vectors(text: str, model: str, revision: str, max_tokens: int) -> NDArray[np.float32]:
    # The CPU: one question is one short text, and loading onto a GPU would take longer than that.
    found: NDArray[np.float32] = worker_encoder(model, revision, "cpu", max_tokens).encode([text])[0]
    return found
