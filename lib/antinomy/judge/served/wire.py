"""The parts of a chat completion's JSON that are read; everything else is ignored."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from antinomy.judge.served.failure import CallFailed

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answer:
    """The first choice of a completion.

    Attributes:
        content: the text, "" if there was none.
        finish_reason: ``stop``, ``length``, …; "" if missing.
        top: alternatives of the first token with their log-probabilities.
        counts_cached: whether the server says how many prompt tokens were cached.
    """

    content: str
    finish_reason: str
    top: tuple[tuple[str, float], ...]
    counts_cached: bool

    def parse(self, model: type[Model]) -> Model:
        """Read the text as the JSON of a model.

        Raises:
            CallFailed: ``empty_answer``, ``truncated`` or ``schema``.
        """
        if self.finish_reason == "length":
            raise CallFailed("truncated", "the answer hit max_tokens before it was whole")
        if not self.content.strip():
            raise CallFailed("empty_answer", f"no content (finish_reason {self.finish_reason or 'missing'})")
        try:
            return model.model_validate_json(self.content)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg']}" for fault in error.errors()[:3]
            )
            raise CallFailed("schema", faults) from None


class _Alternative(BaseModel):
    token: str
    # NaN comes as NaN or, from servers that follow JSON strictly, as null.
    logprob: float | None


class _Token(BaseModel):
    top_logprobs: list[_Alternative] | None = None


class _Logprobs(BaseModel):
    content: list[_Token] | None = None


class _Text(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Text
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Details(BaseModel):
    cached_tokens: int | None = None


class Usage(BaseModel):
    """Tokens as the server counted them."""

    prompt_tokens: int
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None

    @property
    def cached_tokens(self) -> int | None:
        """Prompt tokens that came from the prefix cache, None if the server does not say."""
        return self.prompt_tokens_details.cached_tokens if self.prompt_tokens_details else None


class Completion(BaseModel):
    """A chat completion."""

    choices: list[_Choice]
    usage: Usage | None = None

    def answer(self) -> Answer:
        """Return the first choice.

        Raises:
            CallFailed: ``empty_answer`` if there is none.
        """
        if not self.choices:
            raise CallFailed("empty_answer", "no choices")
        choice = self.choices[0]
        tokens = choice.logprobs.content if choice.logprobs else None
        top = (tokens[0].top_logprobs if tokens else None) or []
        return Answer(
            content=choice.message.content or "",
            finish_reason=choice.finish_reason or "",
            top=tuple((other.token, math.nan if other.logprob is None else other.logprob) for other in top),
            counts_cached=self.usage is not None and self.usage.cached_tokens is not None,
        )


def read_completion(body: bytes) -> Completion:
    """Read a response's body.

    Raises:
        CallFailed: ``unreadable`` if it is no chat completion.
    """
    try:
        return Completion.model_validate_json(body)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"])) or "body"
        raise CallFailed("unreadable", f"not a chat completion: {place}: {fault['msg']}") from None
