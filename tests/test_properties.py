"""What must hold in any game of Quadropolis."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qpolis
from helpers.sizes import VARIANTS
from qpolis.conformance.games import random_positions

seeds = st.integers(0, 2**128 - 1)
variants = st.sampled_from(VARIANTS)


def load(variant):
    mode, players = variant
    return qpolis.load_game("quadropolis", mode=mode, players=players)


def tiles_in_round(game, round):
    rows = game.mix.round_rows(game.mode, round)
    fewest = {"all": 2, "3-4": 3, "4": 4}
    return Counter(row.tile.type for row in rows if fewest[row.mark] <= game.players)


@settings(max_examples=40)
@given(variants, seeds)
def test_tiles_are_conserved(variant, seed):
    """What lies on the site, what was taken this round and what is held are the tiles of the round."""
    game = load(variant)
    state = game.new(seed)
    choices = random.Random(seed)
    taken = Counter()
    round = 0
    while not state.over:
        told = state.to_dict()
        if told["round"] != round:
            round, taken = told["round"], Counter()
        lying = Counter(tile["type"] for tile in told["site"] if tile)
        assert lying + taken == tiles_in_round(game, round)
        action = choices.choice(state.legal())
        before = told["held"]
        state.apply(action)
        held = state.to_dict()["held"]
        if held and not before:
            taken[held["tile"]["type"]] += 1
        floors = [square["floors"] for city in state.to_dict()["cities"] for square in city if square]
        assert sum(floors) <= 4 * game.players * round


@settings(max_examples=40)
@given(variants, seeds)
def test_architects_stay_out_until_the_round_ends(variant, seed):
    game = load(variant)
    state = game.new(seed)
    choices = random.Random(seed)
    before = state.to_dict()
    while not state.over:
        state.apply(choices.choice(state.legal()))
        told = state.to_dict()
        if told["round"] == before["round"] and not state.over:
            assert set(told["architects"]) >= set(before["architects"])
            pools = zip(
                [told["pool"]] if variant[0] == "expert" else told["pool"],
                [before["pool"]] if variant[0] == "expert" else before["pool"],
            )
            assert all(not Counter(now) - Counter(then) for now, then in pools)
        before = told


@settings(max_examples=40)
@given(variants, seeds)
def test_the_urbanist_blocks_its_line_and_column(variant, seed):
    game = load(variant)
    for state in random_positions(game, seed):
        told = state.to_dict()
        if state.over or told["held"]:
            continue
        ends = {game.text(state, action).split("@")[1] for action in state.legal()}
        assert ends
        assert not ends & set(told["architects"])
        if told["urbanist"]:
            line, column = told["urbanist"]
            assert not ends & {f"N{column}", f"S{column}", f"W{line}", f"E{line}"}


SAME_GAME = """
import json, random, sys, qpolis
game = qpolis.load_game("quadropolis", mode="expert", players=3)
state, choices, told = game.new(11), random.Random(11), []
while not state.over:
    state.apply(choices.choice(state.legal()))
    told.append(state.to_dict())
json.dump([told, state.scores()], sys.stdout)
"""


@pytest.mark.core
def test_the_same_seed_is_the_same_game_in_another_process():
    runs = [
        subprocess.run([sys.executable, "-c", SAME_GAME], capture_output=True, check=True).stdout for _ in range(2)
    ]
    assert runs[0] == runs[1]
    told, scores = json.loads(runs[0])
    assert len(told) > 60
    assert len(scores) == 3
