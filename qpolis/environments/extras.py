"""Libraries that qpolis can work with, and does without: they are imported when they are first used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qpolis.errors import QpolisError


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import inside it what comes with an extra of this name: the error says what to install if it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise QpolisError(f"{error.name} is not installed: pip install 'qpolis[{name}]'") from None
