"""A thread that does one thing after the other for the event loop, which never waits itself."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import queue
import threading
from collections.abc import Callable
from typing import Any


class TaskThread:
    """One thread. Programs end with the thread that started them, so the bots of a table have one of their own
    that lives as long as they do. It does not keep the process alive: what is called in it may take its time."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns or raises, called in the thread when all before it is done."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._tasks.put(functools.partial(_do, loop, future, function, *arguments))
        try:
            return await future
        finally:
            del future

    def close_after(self, function: Callable[[], None]) -> None:
        """Call a function after all before it, and end."""
        self._tasks.put(function)
        self._tasks.put(None)

    def join(self, seconds: float) -> None:
        """Wait until it has ended, for so long at most."""
        self._thread.join(seconds)

    def _work(self) -> None:
        while task := self._tasks.get():
            with contextlib.suppress(Exception):
                task()


async def run_in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """The same for one function, which nobody waits for when the process ends (as they do after `to_thread`)."""
    thread = TaskThread()
    try:
        return await thread(function, *arguments)
    finally:
        thread.close_after(lambda: None)


def _do(
    loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], function: Callable[..., Any], *arguments: Any
) -> None:
    """Call a function, and tell the loop what came of it."""
    try:
        result, error = function(*arguments), None
    except Exception as raised:  # told where it is awaited
        result, error = None, raised
    with contextlib.suppress(RuntimeError):  # the loop has been closed
        loop.call_soon_threadsafe(_settle, future, result, error)
    # An exception that its own frames hold, here or by the future, would stay, and all that is there with it.
    del result, error, future


def _settle(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if not future.done():  # nobody waits for it any more
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
