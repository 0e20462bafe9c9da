"""A policy in a process of its own plays exactly the games of the compiled loop."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

import qpolis
from helpers.sizes import sized, some_variants
from qpolis.bot import GameInfo
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.registry.spec import resolve
from qpolis.rng import keys, seat_seed
from qpolis.sandbox.policy_bot import PolicyBot
from qpolis.tourney.match import play_deals, play_stepwise

PACKAGE = Path(qpolis.__file__).parent
POLICY = '''
import numpy as np
from qpolis import verbs
from qpolis.policy import policy
from qpolis.rng import below

@policy(scratch=lambda game, params: 8 * game.players, every=3, spoil=1)
def counting(rules, states, rng, params, scratch):
    """Takes the first legal action at every few decisions, and else a random one; spoils the state it is given."""
    scratch[0] += 1
    actions = np.empty(rules[0].actions, verbs.ACTION)
    count = verbs.legal(rules[0], states[0], actions)
    chosen = actions[0] if scratch[0] % params[0] == 0 else actions[below(rng, count)]
    if params[1]:
        verbs.apply(rules[0], states[0], np.int64(chosen), rng)
    return np.int64(chosen)
'''


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("policies") / "counting.py"
    path.write_text(POLICY)
    return str(path)


def same(one, two):
    assert not one.reasons
    assert not two.reasons
    for field in ("points", "ranks", "decisions", "ends"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


@pytest.mark.long
@some_variants
def test_wrapped_random_equals_compiled(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    wrapped = [resolve(f"{PACKAGE}/bots/random.py"), *[resolve("random")] * (players - 1)]
    same(play_stepwise(game, wrapped, 7, 3, 3), play_policies(game, [random.configure()] * players, 7, 3, 3))


@pytest.mark.long
@some_variants
def test_wrapped_equals_compiled_with_scratch_and_parameters(variant, path):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    specs = [f"{path}:every=2", "random", path, f"{path}:every=5:spoil=0"][:players]
    entrants = [resolve(spec) for spec in specs]
    same(play_stepwise(game, entrants, 8, 0, 3), play_deals(game, entrants, 8, 0, 3))


@pytest.mark.core
def test_a_wrapped_policy_by_hand(variant):
    """The same without processes, in all three ways to run kernels."""
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    for deal in range(sized(3, 2, 1)):
        batch = play_policies(game, [random.configure()] * players, 9, deal, 1)
        info = GameInfo(game.name, game.title, players, game.settings)
        bots = [PolicyBot(random, info, int(seat_seed(keys(9), deal, seat)), {}) for seat in range(players)]
        state = deal_of(game, 9, deal)
        while not state.over:
            bot = bots[state.player]
            state.apply(bot.choose_by_state(base64.b64encode(state.array.tobytes()).decode()))
        assert state.scores() == batch.points[0].tolist()
        assert state.ranks() == batch.ranks[0].tolist()


def deal_of(game, seed, deal):
    """A deal of the match loop, set up by hand."""
    return game.new(seed, deal)
