"""Loads what is needed to answer questions, from the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from antinomy.ask.answer import Asker
from antinomy.ask.corpus import Corpus
from antinomy.ask.question_vector import question_encoder, vector
from antinomy.embed.encoder import token_counter

if TYPE_CHECKING:
    from antinomy.ask.retrieve import Encode
    from antinomy.ask.served import Server
    from antinomy.settings import Settings


def load_asker(
    settings: Settings, mode: str = "hybrid", server: Server | None = None, encode: Encode | None = None
) -> Asker:
    """Return an ``Asker`` for a finished run.

    Args:
        settings: of the run.
        mode: see ``retrieve.MODES``.
        server: a connection to the served model, None without one.
        encode: makes vectors; by the model, in this process, if not given.

    Raises:
        AntinomyError: if the run lacks tables.
    """
    aliases = {document.doc_id: document.aliases for document in settings.documents}
    corpus = Corpus(settings.warehouse, settings.run_id, settings.as_of, aliases)
    embed = settings.embed
    encode = encode or (lambda text: vector(text, embed))
    return Asker(corpus, encode, token_counter(embed.model, embed.revision), mode, settings.ask.budget_tokens, server)


@contextmanager
def open_asker(settings: Settings, tasks: int = 1, index: int = 0, once: bool = False) -> Iterator[Asker]:
    """Yield an ``Asker``, with the configured server (``judge.backend: openai``) if there is one.

    Args:
        settings: of the run.
        tasks, index: this task's share of the server's budget.
        once: for a single question: another process loads the model while this one reads the tables.
    """
    with ExitStack() as stack:
        encode = stack.enter_context(question_encoder(settings.embed)) if once else None
        if settings.judge.backend != "openai":
            yield load_asker(settings, encode=encode)
            return
        from antinomy.ask.served import serving

        server = stack.enter_context(serving(settings.judge.openai, tasks, index))
        yield load_asker(settings, server=server, encode=encode)
