"""The engine and the naive twin play the same games: same choices, same states, same results."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import qpolis
from helpers.sizes import lengthened, sized
from naive.quadropolis import NaiveQuadropolis, read_tiles
from qpolis.games.quadropolis.mix import load_mix, mix_text

BASE = Path(qpolis.__file__).parent / "games/quadropolis/mixes/base.csv"


def play_in_lockstep(mode, players, seed, mix="base", file=BASE, park_energy=1):
    game = qpolis.load_game("quadropolis", mode=mode, players=players, mix=mix)
    twin = NaiveQuadropolis(mode, players, read_tiles(file), park_energy)
    choices = random.Random(seed)
    state = game.new(seed)
    while not state.over:
        if twin.needs_layout:
            twin.lay(state.to_dict()["site"])
        told = state.to_dict()
        assert {key: told[key] for key in twin.to_dict()} == twin.to_dict()
        texts = {game.text(state, action) for action in state.legal()}
        assert texts == twin.legal()
        # Random players discard too much to build stacks: prefer to build most of the time.
        text = choices.choice(sorted(texts - {"discard"} if choices.random() < 0.9 and len(texts) > 1 else texts))
        state.apply(game.parse(state, text))
        twin.apply(text)
    told = state.to_dict()
    assert twin.over
    assert {key: told[key] for key in twin.to_dict()} == twin.to_dict()
    assert state.scores() == [points for points, _, _ in twin.results()]
    assert state.ranks() == twin.ranks()


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("part", range(2))
def test_games_in_lockstep(variant, part):
    games = sized(lengthened(12), 4, 3)
    for seed in range(part * games, (part + 1) * games):
        play_in_lockstep(*variant, seed)


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize(("mix", "park_energy"), [("park-homes", 0), ("base:park=2holds:tower-3:shop-1@2", 2)])
def test_games_with_other_tiles_in_lockstep(variant, mix, park_energy, tmp_path):
    """The twin reads the tiles from the file that the mix writes; it knows nothing of changes."""
    file = tmp_path / "mix.csv"
    file.write_text(mix_text(load_mix(mix)))
    for seed in range(sized(lengthened(6), 2, 1)):
        play_in_lockstep(*variant, seed, mix, file, park_energy)
