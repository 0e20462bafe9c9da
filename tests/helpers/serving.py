"""What tests of `qpolis serve` share: a server in a thread of its own, and a tab that speaks its protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import aiohttp

from qpolis.serve.controller import Controller
from qpolis.serve.server import Server

PATIENCE = 600.0  # seconds until a test gives up; kernels may have to be compiled
NEW = {"type": "new", "game": "quadropolis", "options": {}, "seats": [None, "random"], "seed": 3, "casual": True}


loops: dict[Server, asyncio.AbstractEventLoop] = {}


def in_loop(test: Callable[[Server], Coroutine[Any, Any, Any]], time_limit: float = 10.0) -> Any:
    """Run a test in an event loop with a server; in another thread, because the browser of other tests has a loop
    in this one."""
    outcome: list[Any] = []

    async def whole() -> Any:
        async with Server(Controller(time_limit, 2048)) as server:
            return await asyncio.wait_for(test(server), PATIENCE)

    def run() -> None:
        try:
            outcome.append((asyncio.run(whole()), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    result, error = outcome[0]
    if error:
        raise error
    return result


@contextlib.contextmanager
def serving(time_limit: float = 10.0) -> Iterator[Server]:
    """A server that runs in a thread."""
    ready, ended = threading.Event(), threading.Event()
    made: list[Server] = []

    async def serve() -> None:
        async with Server(Controller(time_limit, 2048)) as server:
            made.append(server)
            loops[server] = asyncio.get_running_loop()
            ready.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=asyncio.run, args=[serve()])
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield made[0]
    finally:
        ended.set()
        thread.join()


def hang_up(server: Server) -> None:
    """Close the connections of all tabs of a server that runs in a thread."""
    asyncio.run_coroutine_threadsafe(server._close_tabs(), loops[server]).result(PATIENCE)


class Tab:
    """A page that is open, without a browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.status: dict[str, Any] = {}
        self.replay: dict[str, Any] | None = None

    async def say(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(await self.socket.receive_str())
        self.heard.append(message)
        if message["type"] == "status":
            self.status = message
        elif message["type"] == "game":
            self.replay = message["replay"]
        elif message["type"] == "frame":
            assert self.replay is not None
            frames = self.replay["frames"]
            assert message["number"] == len(frames)
            frames[-1]["move"] = message["move"]
            frames.append(message["frame"])
        return message

    async def until(self, *phases: str, **wanted: Any) -> dict[str, Any]:
        """The next status of one of these phases with these values."""
        while True:
            said = await self.hear()
            if said["type"] == "status" and said["phase"] in phases and wanted.items() <= said.items():
                return said

    async def refused(self, text: str | bytes | None = None, **message: Any) -> str:
        """The reason why a message is not accepted."""
        if isinstance(text, bytes):
            await self.socket.send_bytes(text)
        else:
            await self.socket.send_str(json.dumps(message) if text is None else text)
        while (said := await self.hear())["type"] != "error":
            pass
        return str(said["reason"])

    async def choose(self, place: int = 0) -> None:
        """One of the legal actions."""
        await self.say(type="choose", action=self.status["legal"][place]["action"], at=self.status["at"])

    async def play(self, decisions: int = 10**6) -> None:
        """The first legal action again and again, until it is over or the turn after so many decisions."""
        if self.status["phase"] != "turn":
            await self.until("turn", "over")
        for _ in range(decisions):
            if self.status["phase"] == "over":
                return
            at = self.status["at"]
            await self.choose()
            while self.status["phase"] not in ("turn", "over") or self.status["at"] == at:
                await self.hear()


@contextlib.asynccontextmanager
async def opened(server: Server, **more: Any) -> Any:
    """A tab that was told how things stand."""
    async with aiohttp.ClientSession() as session:
        address = f"{server.url}ws"
        async with session.ws_connect(address, origin=f"http://127.0.0.1:{server.port}", **more) as socket:
            tab = Tab(socket)
            while not tab.status:
                await tab.hear()
            yield tab


@contextlib.asynccontextmanager
async def seated(server: Server, **changes: Any) -> Any:
    """A tab with a game that has begun, at the person's turn."""
    async with opened(server) as tab:
        await tab.say(**{**NEW, **changes})
        await tab.until("turn", "over")
        yield tab
