"""The server of the page: on this machine only, for whoever has the address with its token.

Other pages in the same browser must not get in: they do not know the token, a name that was made to point here
(DNS rebinding) is refused by the Host, and a WebSocket from elsewhere by its Origin.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from qpolis.errors import QpolisError
from qpolis.games import usable
from qpolis.report.pages.markup import join, tag
from qpolis.report.pages.page import content_security_policy, page
from qpolis.serve.controller import Controller, encode_message

HOST = "127.0.0.1"
MOST_BYTES = 1 << 20  # of a message that is received at all
MOST_TABS = 64
MOST_WAITING = 1000  # messages to a tab that does not read them; then it is dropped
CLOSING = 1.0  # seconds for tabs to learn of the end
HEARTBEAT = 20.0  # seconds between signs of life
STYLES, SCRIPTS = ("viewer.css", "play.css"), ("viewer.js", "play_lobby.js", "play_table.js", "play.js")
NOT_HERE = "Nothing here: the address is the one that qpolis serve printed, with all of its letters.\n"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def listening_socket(port: int) -> socket.socket:
    """A socket on this machine only; port 0 is any that is free."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError as error:
        made.close()
        raise QpolisError(f"port {port}: cannot be used: {error.strerror}") from None
    return made


class Server:
    """The page and its WebSocket. Use it in an `async with`."""

    def __init__(self, controller: Controller, port: int = 0) -> None:
        self.controller = controller
        self._socket = listening_socket(port)
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.url = f"http://{HOST}:{self.port}/{self.token}/"
        ends = [f":{self.port}", *([""] if self.port == 80 else [])]
        self._hosts = {f"{name}{end}" for name in (HOST, "localhost") for end in ends}
        self._open: set[web.WebSocketResponse] = set()
        app = web.Application(middlewares=[self._check_access])
        app.router.add_get(f"/{self.token}/", self._page)
        app.router.add_get(f"/{self.token}/ws", self._websocket)
        app.on_response_prepare.append(_harden)
        app.on_shutdown.append(self._close_tabs)
        self._runner = web.AppRunner(
            app, access_log=None, logger=_logger(), handle_signals=False, shutdown_timeout=CLOSING
        )

    async def __aenter__(self) -> Server:
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self._runner.cleanup()  # at first, so that nobody can ask for anything more
        finally:
            await self.controller.close()

    @web.middleware
    async def _check_access(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests for another host or without the token."""
        if "Host" not in request.headers:  # aiohttp below 3.14 lets it through, with a name of its own making
            return web.Response(status=400, text="Which address is meant?\n")
        if request.host not in self._hosts:
            return web.Response(status=403, text="This page has another address.\n")
        given = request.path.partition("/")[2].partition("/")[0]  # there are paths without a /, such as *
        if not secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode()):
            return web.Response(status=404, text=NOT_HERE)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=f"{error.reason}\n")

    async def _page(self, request: web.Request) -> web.Response:
        connect = " ".join(f"ws://{host}" for host in sorted(self._hosts))
        needs = tag("p", "This page needs JavaScript, and a browser of 2023 or later.")
        body = join([tag("h1", "qpolis"), tag("main", needs, id="play")])
        content = page("qpolis", body, styles=STYLES, scripts=SCRIPTS, games=usable(), connect=connect)
        rules = content_security_policy(scripts=SCRIPTS, games=usable(), connect=connect)
        return web.Response(
            body=content,
            content_type="text/html",
            charset="utf-8",
            headers={"Content-Security-Policy": f"{rules}; frame-ancestors 'none'"},
        )

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        """A tab, as long as it is open."""
        if request.headers.get("Origin") != f"http://{request.host}":
            return web.Response(status=403, text="Only the page itself may connect.\n")
        if len(self._open) >= MOST_TABS:
            return web.Response(status=503, text="Too many tabs are open.\n")
        tab = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=HEARTBEAT, compress=True)
        if not tab.can_prepare(request).ok:
            return web.Response(status=400, text="This address is for WebSockets.\n")
        await tab.prepare(request)
        self._open.add(tab)
        waiting: asyncio.Queue[str] = asyncio.Queue()
        sender = asyncio.create_task(_send(tab, waiting))

        def send(text: str) -> None:
            if waiting.qsize() < MOST_WAITING:
                waiting.put_nowait(text)
            elif request.transport is not None:
                request.transport.abort()

        try:
            await self.controller.connect(send)
            async for message in tab:
                try:
                    if message.type != WSMsgType.TEXT:
                        raise QpolisError("a message that is not text")
                    await self.controller.receive(message.data)
                except QpolisError as error:
                    send(encode_message("error", reason=str(error)))
        finally:
            self.controller.disconnect(send)
            self._open.discard(tab)
            sender.cancel()
        return tab

    async def _close_tabs(self, app: web.Application | None = None) -> None:
        closing = [tab.close(code=WSCloseCode.GOING_AWAY, message=b"qpolis serve has ended") for tab in self._open]
        with contextlib.suppress(asyncio.TimeoutError):  # of tabs that do not read
            await asyncio.wait_for(asyncio.gather(*closing, return_exceptions=True), CLOSING)


async def _send(tab: web.WebSocketResponse, waiting: asyncio.Queue[str]) -> None:
    with contextlib.suppress(ConnectionError):  # it has gone: who listens to it will notice
        while True:
            await tab.send_str(await waiting.get())


def _logger() -> logging.Logger:
    """Says what goes wrong here, but not what others send that is not HTTP."""
    logger = logging.getLogger(__name__)
    logger.addFilter(_is_ours)
    return logger


def _is_ours(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


async def _harden(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.popall("Server", None)
