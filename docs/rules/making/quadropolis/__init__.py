"""Tables, numbers and pictures of Quadropolis."""

from __future__ import annotations

from making.quadropolis import boards, scores
from making.quadropolis.tables import NUMBERS, TABLES

PICTURES = {**boards.PICTURES, **scores.PICTURES}

__all__ = ["NUMBERS", "PICTURES", "TABLES"]
