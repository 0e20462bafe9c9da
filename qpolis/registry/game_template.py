"""A new game to start from, as `qpolis new-game` writes it: `templates/village.py`, under another name."""

from __future__ import annotations

import re
from pathlib import Path

from qpolis.errors import QpolisError
from qpolis.games import names
from qpolis.registry.bot_templates import class_name
from qpolis.registry.new_names import check_name

TEMPLATE = Path(__file__).parent / "templates" / "village.py"


def write_game(name: str, folder: Path) -> Path:
    """Write a new game into a folder of its name; the path of that folder."""
    check_name(name, "game")
    if name in names():
        raise QpolisError(f"there is a game {name!r} already")
    path = folder / name
    try:
        path.mkdir()
        (path / "__init__.py").write_text(game_text(name), encoding="utf-8")
    except FileExistsError:
        raise QpolisError(f"{path}: exists already, and is not overwritten") from None
    except OSError as error:
        raise QpolisError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def game_text(name: str) -> str:
    """The source of a new game."""
    text = TEMPLATE.read_text(encoding="utf-8")
    title = name.replace("_", " ").strip().title() or name
    for where in ('"""{}: a', '"""{} as told', 'title = "{}"'):
        text = text.replace(where.format("Village"), where.format(title))
    return re.sub(r"\bVillage\b", class_name(name), text.replace('name = "village"', f'name = "{name}"'))
