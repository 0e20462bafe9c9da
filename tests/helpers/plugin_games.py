"""Games outside the package, made of the one that `qpolis new-game` writes."""

from __future__ import annotations

import itertools
from pathlib import Path

from qpolis.registry.game_template import TEMPLATE

_numbers = itertools.count()


def village(path, *changes):
    """Write the small game to a path, with texts (old, new) exchanged. Its state has a field of its own, because
    games of one process are told apart by their fields."""
    text = TEMPLATE.read_text(encoding="utf-8").replace("houses", f"houses{next(_numbers)}")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    Path(path).write_text(text, encoding="utf-8")
    return str(path)
