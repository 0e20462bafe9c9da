"""What can be chosen before a game: games with their options, and bots."""

from __future__ import annotations

import functools

from qpolis.bot import value_text
from qpolis.game import Game, Plain, option_text
from qpolis.games import DEFAULT_GAME, game_class, load_game, usable
from qpolis.registry.catalogue import catalogue
from qpolis.registry.spec import KINDS


@functools.cache  # bots in files are started to learn what they are
def lobby() -> Plain:
    """Everything that the form of a new game shows."""
    first = sorted(usable(), key=lambda name: name != DEFAULT_GAME)
    return {"games": [_game(game_class(name)) for name in first], "bots": _bots()}


def _game(game: type[Game]) -> Plain:
    return {
        "name": game.name,
        "title": game.title,
        "players": load_game(game.name).players,
        "options": [
            {
                "name": name,
                "help": option.help,
                "default": option_text(option.default),
                "choices": [option_text(choice) for choice in option.choices],
            }
            for name, option in game.options.items()
        ],
    }


def _bots() -> list[Plain]:
    """The bots that can play; a file that is broken is not offered."""
    return [
        {
            "spec": line.name,
            "help": line.help,
            "origin": line.origin,
            "parameters": [
                {"name": name, "default": value_text(one.default), "help": one.help, "range": one.range_text()}
                for name, one in line.parameters.items()
            ],
        }
        for line in catalogue()
        if line.kind in KINDS.values()
    ]
