"""Names for new bots and games: they are names of files, of Python, and in specs."""

from __future__ import annotations

import keyword
import re

from qpolis.errors import QpolisError


def check_name(name: str, what: str) -> None:
    """Refuse what cannot be the name of a new bot, or a new game, and say what could be."""
    if keyword.iskeyword(name):
        raise QpolisError(f"{name!r} is not a name for a {what}: it is a word of Python")
    if not name.isidentifier() or name.startswith("_"):
        raise QpolisError(
            f"{name!r} is not a name for a {what}: it is one of Python, too: letters, digits and _, and a letter "
            f"first, as in {_better(name, what)}"
        )


def _better(name: str, what: str) -> str:
    """A name like the one that cannot be."""
    words = re.sub(r"\W+", "_", name[:40], flags=re.ASCII).strip("_")
    if not words:
        return f"my_{what}"
    return f"{what}_{words}" if words[0].isdigit() or keyword.iskeyword(words) else words
