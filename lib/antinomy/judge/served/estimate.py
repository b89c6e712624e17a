"""Estimates what judging costs, and how many tokens of the prompts a server can read from its prefix cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, fields

from antinomy.judge.protocol import Pair
from antinomy.judge.served.client import estimate_tokens
from antinomy.judge.served.judge import layout
from antinomy.judge.served.prompt import Message
from antinomy.settings.served import OpenAISettings

#: vLLM caches blocks of 16 tokens; a token of legal English has about four characters.
_BLOCK = 64
#: Number of blocks that fit on an H100 beside an 8B model: about 400,000 tokens.
_CACHED_BLOCKS = 25_000
#: Length of an explanation in tokens, somewhat longer than in the prompts' examples.
_EXPLANATION_TOKENS = 130
#: Assumed share of the pairs that need the second question, if there are no verdicts to estimate it from.
ASSUMED_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected spending.

    Attributes:
        calls: requests, without retries.
        input_tokens: of all prompts, at four bytes a token.
        cached_tokens: those of them that can come from the server's prefix cache.
        output_tokens: of all answers.
        cost: in the currency of the price.
    """

    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: float


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the prompts for pairs, before it is known how many need the second question. Sizes can be added.

    Attributes:
        pairs: to be judged, without those too long for the context window.
        too_long: pairs that become errors without a call.
        screen_tokens, screen_cached: tokens of all prompts of the first question, and those that can be cached.
        explain_tokens, explain_cached: the same for the second question, as if every pair needed it.
    """

    pairs: int = 0
    too_long: int = 0
    screen_tokens: float = 0.0
    screen_cached: float = 0.0
    explain_tokens: float = 0.0
    explain_cached: float = 0.0

    def __add__(self, other: Size) -> Size:
        return Size(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(Size)))

    def at(self, explained_share: float, settings: OpenAISettings) -> Estimate:
        """Return the spending if a share of the pairs needs the second question."""
        orders = 2 if settings.both_orders else 1
        input_tokens = round(self.screen_tokens + explained_share * self.explain_tokens)
        cached_tokens = round(self.screen_cached + explained_share * self.explain_cached)
        explained = round(self.pairs * explained_share)
        output_tokens = orders * (self.pairs + explained * _EXPLANATION_TOKENS)
        return Estimate(
            calls=orders * (self.pairs + explained),
            input_tokens=input_tokens,
            cached_tokens=cached_tokens,
            output_tokens=output_tokens,
            cost=round(settings.price.cost(input_tokens, cached_tokens, output_tokens), 4),
        )


def size(pairs: Iterable[Pair], settings: OpenAISettings) -> Size:
    """Return the size of the prompts of pairs; nothing is sent.

    Args:
        pairs: in the order of judging, which decides what can be cached.
        settings: of the server.
    """
    messages_of = layout(settings)
    screens, explanations = PrefixCache(), PrefixCache()
    count = too_long = 0
    screen_tokens = screen_cached = explain_tokens = explain_cached = 0.0
    for pair in pairs:
        sides = [(pair.left, pair.right), (pair.right, pair.left)][: 2 if settings.both_orders else 1]
        first = [messages_of.screen(*side) for side in sides]
        if estimate_tokens(first[0]) + 1 > settings.context_tokens:
            too_long += 1
            continue
        count += 1
        for messages in first:
            tokens = estimate_tokens(messages)
            screen_tokens += tokens
            screen_cached += tokens * screens.share(_flat(messages))
        for messages in (messages_of.explain(*side) for side in sides):
            tokens = estimate_tokens(messages)
            explain_tokens += tokens
            explain_cached += tokens * explanations.share(_flat(messages))
    return Size(count, too_long, screen_tokens, screen_cached, explain_tokens, explain_cached)


class PrefixCache:
    """Simulates vLLM's prefix cache of whole blocks, from which the least recently used are dropped."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[int, None] = OrderedDict()

    def share(self, prompt: str) -> float:
        """Return the share of a prompt that is cached, and cache all of it."""
        chain = 0
        found = 0
        missed = False
        for start in range(0, len(prompt) - _BLOCK + 1, _BLOCK):
            chain = hash((chain, prompt[start : start + _BLOCK]))
            missed = missed or chain not in self._blocks
            found += not missed
            self._blocks[chain] = None
            self._blocks.move_to_end(chain)
        while len(self._blocks) > _CACHED_BLOCKS:
            self._blocks.popitem(last=False)
        return found * _BLOCK / len(prompt) if prompt else 0.0


def _flat(messages: list[Message]) -> str:
    return "".join(f"<{message['role']}>{message['content']}" for message in messages)
