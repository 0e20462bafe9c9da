"""What a learned evaluation of Quadropolis looks at, beside a twin that reads plain data."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qpolis
from helpers.sizes import lengthened, sized
from naive.quadropolis import ROUNDS, NaiveQuadropolis, read_tiles
from naive.quadropolis_sketch import THINGS, sketched, touched
from qpolis import verbs
from qpolis.games.quadropolis.mix import load_mix, mix_text
from qpolis.games.quadropolis.sketch import OF_SEAT, REACH
from qpolis.policy import Habits
from qpolis.search.network import MOST_TOUCHES

MIXES = ["base", "playgrounds", "base:park=2holds:park=0holds@/4:harbor+2@1:tower-2@1"]


def sketch(game, state, seat, rules=None):
    """What the verb writes: values, numbers."""
    out = np.full(game.sketch_size, np.nan, np.float32)
    values = np.full(game.players, np.nan)
    verbs.sketch((game.rules if rules is None else rules)[0], state.record, seat, values, out)
    return values, out


def positions(game, seed):
    """Those of a game in which most tiles are built."""
    choices = random.Random(f"{game!r} {seed}")
    state = game.new(seed)
    while not state.over:
        yield state
        legal = state.legal()
        state.apply(choices.choice(legal[:-1] if len(legal) > 1 and choices.random() < 0.9 else legal))
    yield state


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("mix", MIXES)
def test_numbers_are_those_of_the_twin(variant, mix, tmp_path):
    mode, players = variant
    game = qpolis.load_game("quadropolis", players=players, mode=mode, mix=mix)
    file = tmp_path / "mix.csv"
    file.write_text(mix_text(load_mix(mix)))
    twin = NaiveQuadropolis(mode, players, read_tiles(file))
    rounds = [twin.round_tiles(number) for number in range(1, ROUNDS[mode] + 1)]
    out = np.zeros(MOST_TOUCHES, np.int64)
    expected = np.empty(players)
    for seed in range(sized(lengthened(1), 1, 1)):
        for number, state in enumerate(positions(game, seed)):
            if number % sized(1, 4, 25):
                continue
            told = state.to_dict()
            future = [tile for tiles in rounds[told["round"] :] for tile in tiles]
            verbs.evaluate(game.rules[0], state.record, expected)
            for seat in range(players):
                values, numbers = sketch(game, state, seat)
                assert values.tolist() == expected.tolist()
                assert np.array_equal(numbers, sketched(told, future, seat))
            for action in state.legal():
                count = verbs.touches(game.rules[0], state.record, action, out)
                found = sorted(out[:count].tolist())
                assert 0 < count <= MOST_TOUCHES
                assert found == touched(told, game.text(state, action))
                assert len(set(found)) == count


def test_things_that_actions_touch_have_room(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", players=players, mode=mode)
    assert game.touch_count == game.model_touches == len(THINGS)
    assert game.model_inputs == game.sketch_size + players


def test_nothing_counts_but_what_a_seat_sees(variant):
    """A position imagined from an observation looks the same."""
    mode, players = variant
    game = qpolis.load_game("quadropolis", players=players, mode=mode)
    for number, state in enumerate(positions(game, 3)):
        if number % 5 == 0 and not state.over:
            for seat in range(players):
                imagined = game.imagine(state.observe(seat), seed=number)
                for one, other in zip(sketch(game, state, seat), sketch(game, imagined, seat)):
                    assert np.array_equal(one, other)


def rotated(numbers, start, size, players, steps):
    """A part of the numbers with a row a seat, seen from some seats later."""
    return np.roll(numbers[start : start + size * players].reshape(players, size), -steps, axis=0)


def test_another_seat_sees_the_same_in_another_order(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", players=players, mode=mode)
    last = game.sketch_size - players * REACH
    for number, state in enumerate(positions(game, 5)):
        if number % 3:
            continue
        first_values, first = sketch(game, state, 0)
        for seat in range(1, players):
            values, numbers = sketch(game, state, seat)
            assert np.array_equal(values, first_values)
            assert np.array_equal(numbers[players * OF_SEAT : last], first[players * OF_SEAT : last])
            for start, size in ((0, OF_SEAT), (last, REACH)):
                mine = rotated(numbers, start, size, players, 0)
                theirs = rotated(first, start, size, players, seat)
                if mode == "expert" and start == 0:  # the one that looks is told of the common pool
                    assert np.array_equal(mine[0, -6:-1], first[OF_SEAT - 6 : OF_SEAT - 1])
                    mine[:, -6:-1] = theirs[:, -6:-1] = 0
                assert np.array_equal(mine, theirs)


def test_habits_are_seen_in_values_only():
    """A player who shuns or likes buildings evaluates in another way: in the same way here as everywhere."""
    game = qpolis.load_game("quadropolis", players=3, mode="expert")
    rules = game.rules_with_habits(
        1, Habits.parse({"favor": "tower+shop+service+park+harbor", "forbid": "monument"})
    )
    expected = np.empty(3)
    for number, state in enumerate(positions(game, 7)):
        if number % 8 == 0:
            plain = sketch(game, state, 2)
            values, numbers = sketch(game, state, 2, rules)
            verbs.evaluate(rules[0], state.record, expected)
            assert values.tolist() == expected.tolist()
            assert np.array_equal(numbers, plain[1])
    assert expected[1] > plain[0][1]
