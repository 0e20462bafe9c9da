"""Quadropolis in a terminal."""

from __future__ import annotations

from typing import Any


def draw(state: dict[str, Any]) -> str:
    return str(state)
