"""The rules of thumb against plain counting."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qpolis
from helpers.cities import FLAVOURS, TYPES, random_city
from helpers.sizes import lengthened, sized
from naive.quadropolis_heuristic import tile_worth, wish
from qpolis import verbs
from qpolis.games.quadropolis import heuristic
from qpolis.games.quadropolis.codec import fill_city
from qpolis.games.quadropolis.layout import CITY, STATE
from qpolis.rng import stream


@pytest.mark.core
@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize("flavour", FLAVOURS)
def test_wishes(mode, flavour):
    rng = random.Random(f"{flavour} {mode}")
    game = qpolis.load_game("quadropolis", mode=mode)
    worth = np.empty(CITY, np.int64)
    for _ in range(sized(200, 30, 6)):
        squares, _, _ = random_city(rng, mode, flavour, 0, 20)
        state = np.zeros(1, STATE)[0]
        fill_city(state.built[0], state.tall[0], state.vp[0], state.holds[0], squares)
        for kind in range(8 if mode == "expert" else 6):
            heuristic.wish(game.rules[0], state, 0, kind, worth)
            told = worth[: len(squares)].tolist()
            assert told == [wish(mode, squares, TYPES[kind], square) for square in range(len(squares))]


def good_of(data, seat, turns, tile, squares):
    """What a tile does for a seat at the best of these squares."""
    city = data["cities"][seat]
    worth = tile_worth(data["mode"], city, data["inhabitants"][seat], data["energy"][seat], turns, tile)
    return worth + max((wish(data["mode"], city, tile["type"], square) for square in squares), default=-1000)


def squares_for(game, state, action):
    """The squares on which the tile of a take may be placed."""
    after = state.copy()
    after.apply(action)
    return [place - 100 for place in after.legal() if place < 120]


def take_worth(game, state, action, turns):
    """The worth of a take as the rules of thumb say, from what is on the table."""
    data = state.to_dict()
    n, position = divmod(action, 20)
    side, index = divmod(position, 5)
    line, column = [(n, index), (index, 4 - n), (4 - n, index), (index, n)][side]
    tile = data["site"][line * 5 + column]
    if tile is None:
        return 0
    rival = (state.player + 1) % game.players
    everywhere = range(len(data["cities"][rival]))
    mine = good_of(data, state.player, turns[state.player], tile, squares_for(game, state, action))
    worth = tile_worth(
        data["mode"], data["cities"][rival], data["inhabitants"][rival], data["energy"][rival], turns[rival], tile
    )
    theirs = max(0, *(wish(data["mode"], data["cities"][rival], tile["type"], square) for square in everywhere))
    return max(4 * mine, 0) + max(theirs + worth, 0)


@pytest.mark.long
@pytest.mark.core
def test_suggestions_are_the_best_by_the_rules_of_thumb(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    turns = [4 * int(game.rules[0].rounds)] * players
    state = game.new(2)
    rng = stream(1)
    for _ in range(sized(lengthened(60), 30, 3)):
        if state.over:
            break
        seat, legal = state.player, state.legal()
        action = int(verbs.suggest(game.rules[0], state.record, rng))
        if legal[0] < 100:
            worth = {take: take_worth(game, state, take, turns) for take in legal}
            assert worth[action] == max(worth.values())
        else:
            data = state.to_dict()
            held = data["held"]["tile"]
            base = good_of(data, seat, turns[seat], held, []) + 1000
            worth = {
                place: wish(mode, data["cities"][seat], held["type"], place - 100) + base
                for place in legal
                if place < 120
            } | {120: -1}
            assert worth[action] == max(worth.values())
        state.apply(action)
        if state.over or state.player != seat or state.legal()[0] < 100:
            turns[seat] -= 1
