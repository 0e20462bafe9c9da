"""What all that plays from Python has in common: Ctrl-C ends it in order, compiling is told of, and what was
played is kept and can be gone on with."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from qpolis import interrupts, kernel
from qpolis.errors import QpolisError
from qpolis.report.content.progress import in_notebook

MOST_WORKERS = 100_000


@contextlib.contextmanager
def in_order(quiet: bool = False) -> Iterator[None]:
    """Within this Ctrl-C, or the button of a notebook, raises KeyboardInterrupt between two steps; whoever waits
    for the compiler is told so."""
    before = kernel.on_compile
    if quiet:
        kernel.on_compile = lambda message: None
    elif in_notebook():
        kernel.on_compile = lambda message: click.echo(message, err=True)
    try:
        with interrupts.listen(command=False):
            yield
    finally:
        kernel.on_compile = before


@contextlib.contextmanager
def kept(words: Callable[[], str], function: str, folder: Path, quiet: bool) -> Iterator[None]:
    """If what happens within this is interrupted, say what is kept, and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        if not quiet:
            click.echo(f"stopped: {words()}; go on with qpolis.{function}(resume={str(folder)!r})", err=True)
        raise


def check_workers(workers: int | None) -> None:
    if workers is not None and (type(workers) is not int or not 1 <= workers <= MOST_WORKERS):
        raise QpolisError(f"workers: {workers!r} is not a whole number from 1 to {MOST_WORKERS:,}")


def as_path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)
