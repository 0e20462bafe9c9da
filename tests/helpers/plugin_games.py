"""Games outside the package, made of the one that `qpolis new-game` writes."""

from __future__ import annotations

import itertools
from pathlib import Path

from qpolis.registry.game_template import TEMPLATE

SHARED = "_of_all"
_numbers = itertools.count()

# Changes: no options to choose from, for what is done in each variant of a game.
ONE_VARIANT = (
    ('"number of players", (2, 3, 4)', '"number of players", (2,)'),
    ('of the village", (3, 4)', 'of the village", (3,)'),
)


def village(path, *changes, name=None):
    """Write the small game to a path, with texts (old, new) exchanged. Its state has a field of its own, or one of
    this `name`, because games of one process are told apart by their fields."""
    text = TEMPLATE.read_text(encoding="utf-8").replace("houses", f"houses{name or next(_numbers)}")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    Path(path).write_text(text, encoding="utf-8")
    return str(path)
