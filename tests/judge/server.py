"""A server that speaks vLLM's OpenAI API on this machine, with latency and faults at will.

It has no model. It finds the two provisions in the prompt and holds an opinion on them that anyone can work
out (``opinion``): provisions that share a word of five letters and name different numbers are in conflict. A
test scripts what else it wants by ``on_request``: a function that sees each request and may return a
``Reply``.

As a program (for benchmarks): ``python tests/judge/server.py --port 8000 --latency 0.5``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

MODEL = "judge"
LETTERS = {"conflict": "A", "stricter": "B", "overlap": "C", "definition": "D", "none": "E"}
_BLOCKS = re.compile(r"\[\[([0-9a-f]{6})\]\]\n(.*?)\n\[\[/\1\]\]", re.S)


@dataclass(frozen=True)
class Request:
    """One request for a completion; ``number`` counts from 1 in order of arrival."""

    number: int
    body: dict[str, Any]

    @property
    def asks_for_json(self) -> bool:
        return "response_format" in self.body

    @property
    def provisions(self) -> list[str]:
        """Texts of the two provisions in the order shown, as the model would read them."""
        blocks = [found[1] for found in _BLOCKS.findall(self.body["messages"][-1]["content"])]
        return [re.split(r"^(?:Text|Norms): ", block, maxsplit=1, flags=re.M)[-1] for block in blocks]


@dataclass(frozen=True)
class Reply:
    """What to answer in the place of the server's own answer."""

    status: int = 200
    body: str | dict[str, Any] = ""
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    close_after: int | None = None  # bytes of the body to send before the connection is cut
    garbage: bool = False  # bytes that are no HTTP


def opinion(first: str, second: str) -> str:
    """Return the relation that the server sees between two texts, in whatever order."""
    words = [set(re.findall(r"[a-z]{5,}", text.lower())) for text in (first, second)]
    numbers = [set(re.findall(r"\d+", text)) for text in (first, second)]
    if not words[0] & words[1]:
        return "none"
    return "conflict" if numbers[0] != numbers[1] else "overlap"


def completion(
    content: str | None,
    *,
    top: dict[str, float] | None = None,
    finish_reason: str = "stop",
    prompt: int = 100,
    cached: int = 0,
    completion_tokens: int = 1,
) -> dict[str, Any]:
    """Return a chat completion; ``top`` maps the first token's alternatives to probabilities."""
    logprobs = None
    if top is not None:
        entries = [{"token": t, "logprob": math.log(p) if p > 0 else p, "bytes": None} for t, p in top.items()]
        logprobs = {"content": [{"token": content, "logprob": -0.1, "bytes": None, "top_logprobs": entries}]}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": MODEL,
        "choices": [
            {
                "index": 0, "finish_reason": finish_reason, "logprobs": logprobs,
                "message": {"role": "assistant", "content": content},
            }
        ],
        "usage": {
            "prompt_tokens": prompt, "completion_tokens": completion_tokens,
            "total_tokens": prompt + completion_tokens, "prompt_tokens_details": {"cached_tokens": cached},
        },
    }  # fmt: skip


def letters(relation: str, share: float = 0.9) -> dict[str, float]:
    """Return label probabilities with most of the mass on one relation."""
    rest = (1 - share) / (len(LETTERS) - 1)
    return {letter: share if name == relation else rest for name, letter in LETTERS.items()}


def explanation(first: str, second: str, **changes: Any) -> dict[str, Any]:
    """Return an explanation whose quotes are the first four words of each text."""
    relation = changes.get("relation", opinion(first, second))
    return {
        "rationale": "Same firms and same duty; the numbers differ.",
        "quote_first": " ".join(first.split()[:4]),
        "quote_second": " ".join(second.split()[:4]),
        "relation": relation,
        "kind": None if relation in {"overlap", "none"} else "deadline",
        "governs": "first" if relation == "stricter" else None,
        **changes,
    }


class JudgeServer:
    """The server, in a thread of its own.

    Attributes:
        latency_s: seconds that each completion takes.
        on_request: may return a Reply instead of the server's own answer.
        api_key: if set, requests without it are refused.
        healthy: what /health says.
        max_model_len: what /v1/models says, None for a server that says nothing.
        requests: all completion requests; only counted if ``keep`` is False.
        headers: of all completion requests, if kept.
        most_in_flight: the largest number of completions that were open at a time.
    """

    def __init__(self, latency_s: float = 0.0, keep: bool = True) -> None:
        self.latency_s = latency_s
        self.keep = keep
        self.on_request: Callable[[Request], Reply | None] = lambda request: None
        self.api_key = ""
        self.healthy = True
        self.max_model_len: int | None = 8192
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.count = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.seen = Counter[str]()
        self.url = ""

    # A thread: tests drive it from blocking code.
    def __enter__(self) -> JudgeServer:
        started = threading.Event()

        async def serve() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            self._runner = await self.start("127.0.0.1", 0)
            started.set()
            await self._stop.wait()
            await self._runner.cleanup()

        self._thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        self._thread.start()
        assert started.wait(10)
        return self

    def __exit__(self, *exception: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def wait_for_clients_to_leave(self) -> None:
        """Return when all connections are closed and what was sent on them is counted."""

        async def gone() -> None:
            assert self._runner.server is not None
            while self._runner.server.connections:
                await asyncio.sleep(0.01)
            # What came with the end of a connection is being read.
            await asyncio.sleep(0.1)

        asyncio.run_coroutine_threadsafe(gone(), self._loop).result(30)

    async def start(self, host: str, port: int) -> web.AppRunner:
        app = web.Application(client_max_size=2**26)
        app.router.add_get("/health", self._health)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/stats", self._stats)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, host, port, backlog=1024)
        await site.start()
        self.url = f"http://{host}:{runner.addresses[0][1]}/v1"
        return runner

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response(status=200 if self.healthy else 503)

    async def _stats(self, request: web.Request) -> web.Response:
        return web.json_response({"count": self.count, "most_in_flight": self.most_in_flight})

    async def _models(self, request: web.Request) -> web.Response:
        if refusal := self._refusal(request):
            return refusal
        entry: dict[str, Any] = {"id": MODEL, "object": "model", "owned_by": "test"}
        if self.max_model_len is not None:
            entry["max_model_len"] = self.max_model_len
        return web.json_response({"object": "list", "data": [entry]})

    def _refusal(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.api_key and given != self.api_key:
            # Some servers repeat the key that they refuse.
            return web.json_response({"error": {"message": f"Incorrect API key provided: {given}"}}, status=401)
        return None

    async def _complete(self, http: web.Request) -> web.StreamResponse:
        if refusal := self._refusal(http):
            return refusal
        body = await http.json()
        self.count += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        request = Request(self.count, body)
        if self.keep:
            self.requests.append(request)
            self.headers.append(dict(http.headers))
        try:
            reply = self.on_request(request) or Reply(body=self._answer(request))
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            return await self._send(http, reply)
        finally:
            self.in_flight -= 1

    async def _send(self, http: web.Request, reply: Reply) -> web.StreamResponse:
        if reply.hang:
            await asyncio.sleep(3600)
        assert http.transport is not None
        if reply.garbage:
            http.transport.write(b"SSH-2.0-OpenSSH_9.9\r\n\r\n")  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
            http.transport.close()
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        data = text.encode()
        if reply.close_after is None:
            return web.Response(status=reply.status, headers=reply.headers, body=data, content_type="application/json")
        response = web.StreamResponse(
            status=reply.status,
            headers={"Content-Length": str(len(data)), "Content-Type": "application/json"},
        )
        await response.prepare(http)
        await response.write(data[: reply.close_after])
        http.transport.close()
        return response

    def _answer(self, request: Request) -> dict[str, Any]:
        size = sum(len(message["content"]) for message in request.body["messages"]) // 4
        first, second = request.provisions
        if request.asks_for_json:
            return completion(
                json.dumps(explanation(first, second)), prompt=size, cached=size // 2, completion_tokens=60
            )
        relation = opinion(first, second)
        return completion(
            LETTERS[relation], top=letters(relation), prompt=size, cached=size // 2, finish_reason="length"
        )


async def _main(host: str, port: int, latency_s: float) -> None:
    server = JudgeServer(latency_s, keep=False)
    await server.start(host, port)
    print(server.url, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main(options.host, options.port, options.latency))
