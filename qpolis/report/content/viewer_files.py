"""The scripts in a game's folder that draw its positions in the browser."""

from __future__ import annotations

from pathlib import Path

from qpolis.game import Game
from qpolis.games import game_class, names

VIEWER, PARTS = "viewer.js", "viewer_*.js"  # draws its positions, with these before it


def viewer_file(game: type[Game] | Game) -> Path | None:
    """The file that draws the positions of a game, if it has one."""
    if game.name not in names() or game_class(game.name) is not (game if isinstance(game, type) else type(game)):
        return None
    import qpolis.games

    path = Path(qpolis.games.__path__[0]) / game.name / VIEWER
    return path if path.is_file() else None


def viewer_code(name: str) -> str:
    """The script that draws the positions of a game, behind the parts of it that are files of their own; empty if
    it has none."""
    path = viewer_file(game_class(name)) if name in names() else None
    files = [*sorted(path.parent.glob(PARTS)), path] if path else []
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
