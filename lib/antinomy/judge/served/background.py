"""Runs an event loop in a thread of its own, so that requests continue while the caller works on answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client
from antinomy.judge.served.journal import Journal
from antinomy.settings.served import OpenAISettings

Item = TypeVar("Item")
Result = TypeVar("Result")
Submit = Callable[[Callable[[Client], Coroutine[Any, Any, Result]]], "Future[Result]"]


@contextmanager
def connected(settings: OpenAISettings, budget: Budget, journal: Journal | None = None) -> Iterator[Submit[Any]]:
    """Yield a function that runs a coroutine with a client in the background and returns its future.

    On leaving, unfinished work is cancelled, the connections are closed and the thread ends.
    """
    ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event, Client]] = Future()

    async def serve() -> None:
        stop = asyncio.Event()
        try:
            client = Client(settings, budget, journal)
        except BaseException as error:
            ready.set_exception(error)
            return
        async with client:
            ready.set_result((asyncio.get_running_loop(), stop, client))
            await stop.wait()
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

    thread = Thread(target=lambda: asyncio.run(serve()), name="antinomy-judge", daemon=True)
    thread.start()
    try:
        loop, stop, client = ready.result()
    except BaseException:
        thread.join()
        raise
    try:
        yield lambda work: asyncio.run_coroutine_threadsafe(work(client), loop)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def unordered(
    items: Iterable[Item],
    submit: Submit[Any],
    work: Callable[[Item, Client], Coroutine[Any, Any, Result]],
    window: int,
) -> Generator[Result, None, None]:
    """Yield results in the order in which they are ready; at most ``window`` items are pulled and not yet yielded."""
    done: SimpleQueue[Future[Result]] = SimpleQueue()
    source = iter(items)
    open_items = 0
    while True:
        for item in islice(source, window - open_items):
            future: Future[Result] = submit(partial(work, item))
            future.add_done_callback(done.put)
            open_items += 1
        if not open_items:
            return
        yield done.get().result()
        open_items -= 1
