"""Libraries that qpolis can do without: tests of what works with them."""

from __future__ import annotations

import importlib
import os

import pytest

REQUIRED = "QPOLIS_EXTRAS_TESTS"  # set it to "required", and a missing library is a failure


def needs(module: str, extra: str) -> None:
    """Skip the tests of this file without a library, or fail where such tests are required."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        if os.environ.get(REQUIRED) == "required":
            raise
        pytest.skip(f"{module} is not installed: pip install 'qpolis[{extra}]'", allow_module_level=True)
