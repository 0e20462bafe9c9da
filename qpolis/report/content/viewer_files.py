"""The scripts in a game's folder that draw its positions in the browser."""

from __future__ import annotations

from pathlib import Path

from qpolis.game import Game
from qpolis.games import broken, game_class

VIEWER, PARTS = "viewer.js", "viewer_*.js"  # draws its positions, with these before it


def viewer_file(game: type[Game] | Game) -> Path | None:
    """The file that draws the positions of a game, if it has one."""
    path = game.folder / VIEWER if game.folder else None
    return path if path and path.is_file() else None


def viewer_code(name: str) -> str:
    """The script that draws the positions of a game, behind the parts of it that are files of their own; empty if
    it has none."""
    path = None if broken(name) else viewer_file(game_class(name))
    files = [*sorted(path.parent.glob(PARTS)), path] if path else []
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
