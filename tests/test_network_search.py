"""The search that has learned something, in lockstep with its naive twin, which has learned the same."""

from __future__ import annotations

import pytest

import qpolis
from helpers.networks import random_model
from helpers.searches import search_in_lockstep
from helpers.sizes import lengthened, sized

SETTINGS = [
    {"sims": 40},
    {"sims": 40, "explore": 2, "width": 5, "rivals": 1},
    {"sims": 30, "playout": 3},
    {"sims": 24, "playout": 1000, "horizon": 2, "guided": 0},
    {"sims": 30, "trust": 3, "temperature": 9, "scale": 1, "margin": 0.5},
]
FULL = [  # trees that have no room for all that a search would put into them
    {"sims": 2, "width": 2},
    {"sims": 9, "width": 400},
]
OTHERS = {
    "quadrilatere": {},
    "arkadia-2": {"players": 2},
    "arkadia-3": {"players": 3},
}


@pytest.mark.long
@pytest.mark.parametrize("variant", [("classic", 2), ("classic", 3), ("expert", 2), ("expert", 3)], ids=str)
@pytest.mark.parametrize("settings", [*SETTINGS, *FULL], ids=str)
def test_searches_of_quadropolis_in_lockstep(variant, settings):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    model = random_model(game, players, size=0.5)
    search_in_lockstep(game, settings, lengthened(1), 14, model)


@pytest.mark.core
@pytest.mark.parametrize("settings", [*SETTINGS, *FULL], ids=str)
def test_searches_in_lockstep_shortly(settings):
    """The same for a few decisions, which checked indexes and the interpreter manage, too."""
    game = qpolis.load_game("quadropolis", mode="expert", players=3)
    sims = min(settings["sims"], sized(40, 20, 5))
    search_in_lockstep(game, {**settings, "sims": sims}, 1, sized(6, 6, 2), random_model(game, 7))


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("playout", [0, 2])
def test_searches_of_other_games_in_lockstep(name, playout):
    """How far they play out is said by the model."""
    game = qpolis.load_game(name.split("-")[0], **OTHERS[name])
    search_in_lockstep(game, {"sims": 25}, lengthened(1), 12, random_model(game, 3, playout=playout))
