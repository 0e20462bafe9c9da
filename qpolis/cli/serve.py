"""The command that lets a person play, in the browser."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Any

import click

from qpolis.cli.options import limit_options
from qpolis.cli.view import open_option
from qpolis.interrupts import INTERRUPTED


@click.command(short_help="Play against bots yourself, in the browser.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port of the page on this machine.  [default: any that is free]",
)
@limit_options
@open_option
@click.pass_context
def serve(context: click.Context, port: int, opened: bool, **limits: Any) -> None:
    """Play against bots yourself, in the browser: take any seat of any game.

    Prints the address of a page that only this machine can reach, and serves it until Ctrl-C. Finished games are
    saved to results/, as tournaments are.
    """
    import asyncio

    context.exit(asyncio.run(run(port, limits, opened)))


async def run(port: int, limits: Mapping[str, Any], opened: bool) -> int:
    """Serve until a signal comes; the exit code."""
    import asyncio

    from qpolis.serve.controller import Controller
    from qpolis.serve.server import Server

    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    for name, code in (("SIGINT", INTERRUPTED), ("SIGTERM", 0), ("SIGHUP", 0)):
        if number := getattr(signal, name, None):
            loop.add_signal_handler(number, end, code)
    async with Server(Controller(**limits), port) as server:
        click.echo(server.url)
        if opened:
            await asyncio.to_thread(open_browser, server.url)
        return await ended


def open_browser(url: str) -> None:
    if click.launch(url):
        click.echo("no browser could be started: open the address yourself", err=True)
