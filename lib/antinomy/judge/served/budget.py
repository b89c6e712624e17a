"""A bound on calls, tokens and money that many requests in flight share."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.judge.served.failure import CallFailed
from antinomy.settings.served import BudgetSettings, Price


@dataclass(frozen=True, slots=True)
class Held:
    """The most that a call may spend, as estimated before it is made."""

    tokens: int
    money: float


class Budget:
    """Counts spending: what was spent, and what calls in flight may still spend.

    The estimate of a call is held before it is made, and settled when the server reports its usage. So the bound is
    kept however many calls are in flight, up to the error of the estimates. For one event loop, not for several
    threads.

    Args:
        limits: on what is counted here.
        price: of tokens.
        run: limits on the whole run, where these are one task's share of them; errors name both.

    Attributes:
        calls: made so far, failed ones included.
        tokens: spent or held.
        money: spent or held.
    """

    def __init__(self, limits: BudgetSettings, price: Price, run: BudgetSettings | None = None) -> None:
        self._limits = limits
        self._run = run or limits
        self._price = price
        self.calls = 0
        self.tokens = 0
        self.money = 0.0

    def hold(self, input_tokens: int, output_tokens: int) -> Held:
        """Count a call that is about to be made.

        Raises:
            CallFailed: ``budget`` if it would go over a bound; nothing is counted then.
        """
        held = Held(input_tokens + output_tokens, self._price.cost(input_tokens, 0, output_tokens))
        limits, run = self._limits, self._run
        share = "" if run == limits else "this task's share of the run's budget is spent: "
        if limits.calls is not None and self.calls + 1 > limits.calls:
            whole = f" (of {run.calls} for the run)" if share else ""
            raise CallFailed("budget", f"{share}all {limits.calls} calls{whole} are spent")
        if limits.tokens is not None and self.tokens + held.tokens > limits.tokens:
            whole = f" (of {run.tokens} for the run)" if share else ""
            said = f"{share}{self.tokens} of {limits.tokens} tokens{whole} are spent, the next call needs more"
            raise CallFailed("budget", said)
        if limits.money is not None and self.money + held.money > limits.money:
            whole = f" (of {run.money:.4f} for the run)" if share else ""
            said = f"{share}{self.money:.4f} of {limits.money:.4f}{whole} in money is spent, the next call needs more"
            raise CallFailed("budget", said)
        self.calls += 1
        self.tokens += held.tokens
        self.money += held.money
        return held

    def settle(self, held: Held, input_tokens: int, cached_tokens: int, output_tokens: int) -> None:
        """Replace what was held for a call by what it used.

        Calls that timed out or broke off are never settled: nobody knows what the server spent on them.
        """
        self.tokens += input_tokens + output_tokens - held.tokens
        self.money += self._price.cost(input_tokens, cached_tokens, output_tokens) - held.money
