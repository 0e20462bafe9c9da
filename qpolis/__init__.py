"""qpolis: tournaments, bots and balance analysis for city-building board games."""

from qpolis.errors import IllegalAction, InvalidText, QpolisError
from qpolis.game import Game, State
from qpolis.games import load_game

__version__ = "0.1.0"
__all__ = ["Game", "IllegalAction", "InvalidText", "QpolisError", "State", "__version__", "load_game"]
