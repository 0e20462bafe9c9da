"""The engine and the naive twin play the same games: same choices, same states, same results."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

import qpolis
from helpers.sizes import lengthened, sized
from naive.quadropolis import NaiveQuadropolis, read_tiles
from qpolis.games.quadropolis.mix import load_mix, mix_text

BASE = Path(qpolis.__file__).parent / "games/quadropolis/mixes/base.csv"


def play_in_lockstep(mode, players, seed, mix="base", file=BASE):
    game = qpolis.load_game("quadropolis", mode=mode, players=players, mix=mix)
    twin = NaiveQuadropolis(mode, players, read_tiles(file))
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
    games = sized(lengthened(6), 4, 3)
    for seed in range(part * games, (part + 1) * games):
        play_in_lockstep(*variant, seed)


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("mix", ["park-homes", "playgrounds", "base:park=2holds:park=0holds@/4:tower-3:shop-1@2"])
def test_games_with_other_tiles_in_lockstep(variant, mix, tmp_path):
    """The twin reads the tiles from the file that the mix writes; it knows nothing of changes."""
    file = tmp_path / "mix.csv"
    file.write_text(mix_text(load_mix(mix)))
    for seed in range(sized(lengthened(3), 2, 1)):
        play_in_lockstep(*variant, seed, mix, file)


def write_random_parks(file, seed):
    """The base mix with more parks, which hold and bring anything; some do not say what they hold."""
    draw = random.Random(seed)
    with BASE.open(newline="") as base, file.open("w", newline="") as mine:
        rows = list(csv.DictReader(base))
        lines = csv.DictWriter(mine, [*rows[0], "holds"])
        lines.writeheader()
        for row in rows:
            if row["type"] == "park" or (row["type"] in ("service", "tower") and draw.random() < 0.5):
                row |= {"type": "park", "mayor": "0", "inhabitants": draw.randint(0, 2)}
                row["holds"] = draw.choice(["", *range(10)])
            lines.writerow(row)


@pytest.mark.long
@pytest.mark.core
def test_games_with_parks_that_differ_in_lockstep(variant, tmp_path):
    file = tmp_path / "mix.csv"
    for seed in range(sized(lengthened(5), 3, 1)):
        write_random_parks(file, f"{variant} {seed}")
        play_in_lockstep(*variant, seed, str(file), file)
