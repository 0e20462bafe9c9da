"""Libraries that qpolis can do without: tests of what works with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

REQUIRED = "QPOLIS_EXTRAS_TESTS"  # set it to "required", and a missing library is a failure


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import inside it what comes with an extra: without that, the tests of the file are skipped, or fail where
    such tests are required."""
    try:
        yield
    except ModuleNotFoundError as error:
        if os.environ.get(REQUIRED) == "required":
            raise
        pytest.skip(f"{error.name} is not installed: pip install 'qpolis[{extra}]'", allow_module_level=True)
