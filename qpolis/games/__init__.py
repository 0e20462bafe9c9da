"""The games, one folder each. A folder that defines `GAME` is a game; nothing else has to know of it.

Games may also live elsewhere: in packages that offer them (entry-point group `qpolis.games`), or at a path such as
./my_game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qpolis.errors import QpolisError
from qpolis.games import finder

if TYPE_CHECKING:
    from qpolis.game import Game

DEFAULT_GAME = "quadropolis"


def names() -> list[str]:
    """The names of all games that have one, sorted; some may be broken."""
    return sorted(found.name for found in finder.everything())


def usable() -> list[str]:
    """The names of the games that can be played."""
    return [name for name in names() if broken(name) is None]


def broken(name: str) -> str | None:
    """What is wrong with a game, if anything is."""
    try:
        game_class(name)
    except QpolisError as error:
        return str(error)
    return None


def game_class(name: str) -> type[Game]:
    """The class of the game called `name`, or at the path `name`."""
    return finder.load(finder.find(name))


def load_game(name: str, /, **options: Any) -> Game:
    """A game with the given options; what is not given has the game's default. A game that is not part of qpolis
    can be given by its path.

    >>> qpolis.load_game("quadropolis", mode="expert")
    load_game('quadropolis', players=2, mode='expert', mix='base')
    >>> qpolis.load_game("quadropolis", players=7)
    Traceback (most recent call last):
        ...
    qpolis.errors.QpolisError: option players: 7 is not one of 2, 3, 4
    """
    return game_class(name)(**options)
