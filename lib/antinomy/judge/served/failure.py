"""The error of a question to a served model that gets no usable answer."""

from __future__ import annotations

#: Codes of questions that were not asked because of earlier failures.
UNASKED = frozenset({"budget", "endpoint"})


class CallFailed(Exception):
    """A question has no usable answer; this becomes the error of its pair.

    Attributes:
        code: stable word for the reason: ``timeout``, ``connection``, ``rate_limited``, ``http_500``,
            ``truncated``, ….
        transient: asking again may help.
        endpoint: the fault lies with the server, not with this question; many in a row mean that it is gone.
        retry_after: seconds that the server asked to wait, None if it did not.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        transient: bool = False,
        endpoint: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.transient = transient
        self.endpoint = endpoint
        self.retry_after = retry_after
