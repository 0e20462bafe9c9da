"""Tables, numbers and pictures of Quadrilatère."""

from __future__ import annotations

from making.quadrilatere.boards import PICTURES
from making.quadrilatere.tables import NUMBERS, TABLES

__all__ = ["NUMBERS", "PICTURES", "TABLES"]
