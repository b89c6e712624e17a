"""Faithfulness and its kin, judged by the configured server through the library ``ragas`` (Es et al. 2023).

The library is an extra (``pip install "antinomy[measures]"``) and is imported here only. Its requests go through the
judge's client: bounded by the budget, retried by reason, with no key in a message.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from antinomy.errors import EnvironmentFault, SettingsError
from antinomy.evaluate import stats
from antinomy.judge.served.background import Submit, connected
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Spent

if TYPE_CHECKING:
    from collections.abc import Callable

    from antinomy.ask.retrieve import Encode
    from antinomy.settings.served import OpenAISettings

_DAY_S = 86_400
#: Figures by the names that the library gives them.
_NAMES = {
    "faithfulness": "faithfulness", "answer_relevancy": "answer_relevance",
    "llm_context_precision_with_reference": "context_precision", "context_recall": "context_recall",
}  # fmt: skip


def faithful(samples: Sequence[dict[str, Any]], settings: OpenAISettings, encode: Encode) -> dict[str, Any]:
    """Measure answers in sentences.

    Args:
        samples: ``question``, ``answer``, ``contexts`` (texts of the passages) and ``reference`` (what answers the
            question, from the key).
        settings: of the server that judges.
        encode: for answer relevance, which compares questions.

    Returns:
        ``n``; ``faithfulness``, ``hallucination`` (1 − faithfulness), ``answer_relevance``, ``context_precision``,
        ``context_recall``: means over the answers for which the server gave one, with intervals; ``judged``: for how
        many it did, by figure; ``input_tokens``, ``output_tokens``.

    Raises:
        SettingsError: if there is nothing to measure.
        EnvironmentFault: if the library is not installed.
    """
    if not samples:
        raise SettingsError("no question with a key was answered in sentences: set judge.backend to openai")
    # Nothing of a firm's questions may leave by the library's own telemetry.
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    try:
        from ragas import EvaluationDataset, SingleTurnSample, evaluate
        from ragas.metrics import Faithfulness, LLMContextPrecisionWithReference, LLMContextRecall, ResponseRelevancy
        from ragas.run_config import RunConfig
    except ImportError as error:
        raise EnvironmentFault(
            f'ragas cannot be imported ({error}): `pip install "antinomy[measures]"`, or leave --ragas out'
        ) from error
    rows = [
        SingleTurnSample(
            user_input=one["question"], response=one["answer"], retrieved_contexts=one["contexts"],
            reference=one["reference"],
        )
        for one in samples
    ]  # fmt: skip
    spent = Spent()
    with connected(settings, Budget(settings.budget, settings.price)) as submit:
        result = evaluate(
            EvaluationDataset(samples=rows),
            metrics=[
                Faithfulness(),
                ResponseRelevancy(strictness=1),
                LLMContextPrecisionWithReference(),
                LLMContextRecall(),
            ],
            llm=_llm(settings, submit, spent),
            embeddings=_embeddings(encode),
            # Each call has the client's own bounds; the library's, three minutes for all calls about an answer, would
            # cut a slow server off and count what is missing as not judged.
            run_config=RunConfig(timeout=_DAY_S, max_retries=1, max_workers=settings.max_in_flight),
            raise_exceptions=False,
            show_progress=False,
        )
    columns = {_NAMES[name]: result[name] for name in _NAMES}
    figures: dict[str, Any] = {"n": len(samples), "judged": {}}
    for name, values in columns.items():
        given = [float(value) for value in values if value is not None and value == value]
        figures[name] = stats.mean(given)
        figures["judged"][name] = len(given)
        if name == "faithfulness":
            figures["hallucination"] = stats.mean([1 - value for value in given])
    return figures | {"input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens}


def _llm(settings: OpenAISettings, submit: Submit[Any], spent: Spent) -> Any:
    """Return the library's model, on the judge's client."""
    from langchain_core.outputs import Generation, LLMResult
    from ragas.llms.base import BaseRagasLLM

    class Served(BaseRagasLLM):  # type: ignore[misc]  # the library is not typed
        def is_finished(self, response: Any) -> bool:
            return True

        def generate_text(self, prompt: Any, n: int = 1, **other: Any) -> Any:
            return asyncio.run(self.agenerate_text(prompt, n, **other))

        async def agenerate_text(self, prompt: Any, n: int = 1, **other: Any) -> Any:
            messages = [{"role": "user", "content": prompt.to_string()}]
            calls = [
                asyncio.wrap_future(submit(lambda client: client.ask(messages, settings.max_tokens, spent)))
                for _ in range(n)
            ]
            answers = await asyncio.gather(*calls)
            return LLMResult(generations=[[Generation(text=answer.content) for answer in answers]])

    return Served()


def _embeddings(encode: Callable[[str], Any]) -> Any:
    """Return the library's embeddings, by the run's own model."""
    from ragas.embeddings import BaseRagasEmbeddings
    from ragas.run_config import RunConfig

    class Own(BaseRagasEmbeddings):  # type: ignore[misc]  # the library is not typed
        def embed_query(self, text: str) -> list[float]:
            return [float(value) for value in encode(text)]

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(text) for text in texts]

        async def aembed_query(self, text: str) -> list[float]:
            return self.embed_query(text)

        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            return self.embed_documents(texts)

    made = Own()
    made.set_run_config(RunConfig())
    return made
