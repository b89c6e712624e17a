"""A limit on calls, tokens and money that is shared by many requests in flight."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.judge.served.failure import CallFailed
from antinomy.settings.served import BudgetSettings, Price


@dataclass(frozen=True, slots=True)
class Reservation:
    """The estimated spending of a call, reserved before it is made."""

    tokens: int
    money: float


class Budget:
    """Counts what was spent, and what calls in flight may still spend.

    The estimated spending of a call is reserved before it is made, and settled when the server reports its usage. So
    the limit holds however many calls are in flight, up to the error of the estimates. Not thread-safe: one event loop
    uses it.

    Args:
        limits: on what is counted here.
        price: of tokens.
        run: limits on the whole run, where these are one task's share of them; errors name both.

    Attributes:
        calls: made so far, failed ones included.
        tokens: spent or reserved.
        money: spent or reserved.
    """

    def __init__(self, limits: BudgetSettings, price: Price, run: BudgetSettings | None = None) -> None:
        self._limits = limits
        self._run = run or limits
        self._price = price
        self.calls = 0
        self.tokens = 0
        self.money = 0.0

    def reserve(self, input_tokens: int, output_tokens: int) -> Reservation:
        """Reserve the estimated spending of a call that is about to be made.

        Raises:
            CallFailed: ``budget`` if it would exceed a limit; nothing is reserved then.
        """
        reserved = Reservation(input_tokens + output_tokens, self._price.cost(input_tokens, 0, output_tokens))
        limits, run = self._limits, self._run
        share = "" if run == limits else "this task's share of the run's budget is spent: "
        if limits.calls is not None and self.calls + 1 > limits.calls:
            of_run = f" (of {run.calls} for the run)" if share else ""
            raise CallFailed("budget", f"{share}all {limits.calls} calls{of_run} are spent")
        if limits.tokens is not None and self.tokens + reserved.tokens > limits.tokens:
            of_run = f" (of {run.tokens} for the run)" if share else ""
            message = f"{share}{self.tokens} of {limits.tokens} tokens{of_run} are spent, the next call needs more"
            raise CallFailed("budget", message)
        if limits.money is not None and self.money + reserved.money > limits.money:
            of_run = f" (of {run.money:.4f} for the run)" if share else ""
            message = (
                f"{share}{self.money:.4f} of {limits.money:.4f}{of_run} in money is spent, the next call needs more"
            )
            raise CallFailed("budget", message)
        self.calls += 1
        self.tokens += reserved.tokens
        self.money += reserved.money
        return reserved

    def settle(self, reserved: Reservation, input_tokens: int, cached_tokens: int, output_tokens: int) -> None:
        """Replace the reservation of a call by what it used.

        Calls that timed out or broke off are never settled: nobody knows what the server spent on them.
        """
        self.tokens += input_tokens + output_tokens - reserved.tokens
        self.money += self._price.cost(input_tokens, cached_tokens, output_tokens) - reserved.money
