"""The error of a question to the model that ends without an answer."""

from __future__ import annotations

#: Codes of questions that were not asked, because of failures before them.
UNASKED = frozenset({"budget", "endpoint"})


class CallFailed(Exception):
    """No readable answer; it becomes the error of its pair.

    Attributes:
        code: stable word for the reason: ``timeout``, ``connection``, ``rate_limited``, ``http_500``,
            ``truncated``, ….
        passing: the fault may pass, so asking again makes sense.
        endpoint: the fault is the server's and not this question's; many in a row mean that it is gone.
        retry_after: seconds that the server asked to wait, None if it did not.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        passing: bool = False,
        endpoint: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.passing = passing
        self.endpoint = endpoint
        self.retry_after = retry_after
