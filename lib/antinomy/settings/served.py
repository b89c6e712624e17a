"""Settings of the served judge: any server with the OpenAI API, vLLM first."""

from __future__ import annotations

import re
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Price(_Frozen):
    """Money per million tokens, in any one ``currency`` (a name to show: USD); zero for a server of one's own.

    ``cached`` is for prompt tokens that the server had in its prefix cache; None means that they cost the
    same.
    """

    input: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    output: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    currency: str = Field(default="", max_length=10)

    @property
    def given(self) -> bool:
        """Whether tokens cost anything."""
        return bool(self.input or self.output)

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """Return the cost of one or more calls; ``input_tokens`` include ``cached_tokens``."""
        cached = self.input if self.cached is None else self.cached
        fresh = input_tokens - cached_tokens
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / 1e6


class BudgetSettings(_Frozen):
    """Bounds on what may be spent; None is no bound. ``money`` needs a price other than zero."""

    calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0, description="input and output together")
    money: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    def share(self, parts: int, index: int) -> BudgetSettings:
        """Return the part of this budget for task ``index`` of ``parts``; the parts add up to the whole."""

        def portion(whole: int | None) -> int | None:
            return None if whole is None else whole // parts + (index < whole % parts)

        return BudgetSettings(
            calls=portion(self.calls),
            tokens=portion(self.tokens),
            money=None if self.money is None else self.money / parts,
        )

    def rest(self, calls: int, tokens: int, money: float) -> BudgetSettings:
        """Return what is left of this budget when so much is spent."""
        return BudgetSettings(
            calls=None if self.calls is None else max(0, self.calls - calls),
            tokens=None if self.tokens is None else max(0, self.tokens - tokens),
            money=None if self.money is None else max(0.0, self.money - money),
        )


class CascadeSettings(_Frozen):
    """A cheap judge before the server.

    Attributes:
        first: backend that rules pairs out, ``nli`` with the model of ``judge.nli``.
        below: it does where it finds them harmless (none, overlap) and a conflict less probable than this.
    """

    first: Literal["default", "nli"] = "default"
    # On the development pairs `default` so settles 34 of 240, none of the 60 conflicts among them.
    below: float = Field(default=0.05, ge=0, le=1)


class OpenAISettings(_Frozen):
    """A server with the OpenAI API and how it is asked.

    Attributes:
        base_url: up to and including ``/v1``; never holds credentials.
        model: name under which the server serves the model.
        api_key_env: name of the environment variable that holds the key; "" for a server without keys.
        prompt: name of a prompt of this package (``relations``, ``threeway``) or path of a YAML file.
        facts_mode: what the screen reads instead of the raw text and its context: the norms, read by grammar
            (``norms``), or the facts that a served model took (``served``; `antinomy facts` with ``facts.origin:
            served`` makes them first). A provision without any is read as text.
        both_orders: every question is asked with the sides in both orders.
        screen_threshold: pairs are explained when the labels worth it have at least this probability.
        context_tokens: the model's window; longer prompts become errors, nothing is cut.
        max_tokens: bound on the length of an explanation.
        max_in_flight: requests at a time per worker process.
        timeout_s: for one attempt, from sending to the last byte.
        max_retries: attempts after the first for faults that may pass.
        backoff_s: wait before the first retry, doubled each time; a server's Retry-After wins.
        temperature: 0 for verdicts that can be repeated.
        extra_body: further fields of every request, e.g. ``{"chat_template_kwargs": {"enable_thinking":
            false}}``.
        price: per million tokens, for estimates and the budget.
        budget: what may be spent; per worker process where nobody divides it.
        cascade: a cheap judge that is asked first; None asks the server about every pair.
    """

    base_url: str = "http://127.0.0.1:8000/v1"
    model: str = Field(default="Qwen/Qwen3-8B", min_length=1)
    api_key_env: str = ""
    prompt: str = "relations"
    facts_mode: Literal["none", "norms", "served"] = "none"
    both_orders: bool = True
    screen_threshold: float = Field(default=0.2, ge=0, le=1)
    context_tokens: int = Field(default=8192, ge=256)
    max_tokens: int = Field(default=400, ge=16)
    max_in_flight: int = Field(default=64, ge=1, le=4096)
    timeout_s: float = Field(default=120.0, gt=0)
    max_retries: int = Field(default=6, ge=0, le=20)
    backoff_s: float = Field(default=1.0, ge=0)
    temperature: float = Field(default=0.0, ge=0, le=2)
    extra_body: dict[str, Any] = Field(default_factory=dict)
    price: Price = Price()
    budget: BudgetSettings = BudgetSettings()
    cascade: CascadeSettings | None = None

    @model_validator(mode="after")
    def _money_has_a_price(self) -> OpenAISettings:
        if self.budget.money is not None and not self.price.given:
            raise ValueError("budget.money: set price.input and price.output, or it bounds nothing")
        return self

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("base_url: write it as http://host:port/v1")
        if "@" in parts.netloc or parts.query:
            # Settings are written into tables and reports. The value is not repeated here for the same
            # reason.
            raise ValueError("base_url: must not hold credentials or a query; name the key's variable in api_key_env")
        return url.rstrip("/")

    @field_validator("api_key_env")
    @classmethod
    def _name_not_key(cls, name: str) -> str:
        if name and not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
            raise ValueError("api_key_env: the name of an environment variable in capitals, never the key itself")
        return name
