"""The bots that ship: they play what they should, and nothing that is hidden moves them."""

from __future__ import annotations

import pytest

import qpolis
from helpers.searches import BOTS, Player, configured, search_in_lockstep
from helpers.sizes import sized, some, some_variants
from helpers.toys import Counting
from qpolis.bots.greedy import greedy
from qpolis.bots.heuristic import heuristic
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.kernel import JIT
from qpolis.rng import stream


def choices_of_round(game, bots, seed, round, future):
    """The choices of one round if chance goes on with another stream once the round was laid out."""
    state = game.new(seed)
    players = [Player(game, bot, seat) for seat, bot in enumerate(bots)]
    made = []
    changed = False
    while not state.over and state.record.round_no <= round:
        if state.record.round_no == round:
            if not changed:
                state.chance[:] = stream(future, 9)
                changed = True
            made.append(players[state.player].choose(state))
            state.apply(made[-1])
        else:
            state.apply(players[state.player].choose(state))
    return made


@pytest.mark.core
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_nothing_hidden_moves_a_bot(variant, bot):
    """Everything a seat cannot see is the future: other layouts to come, from other seeds, change no choice."""
    if not JIT and variant != ("expert", 3):
        pytest.skip("slow without the compiler: one variant stands for all")
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    for round in range(sized(int(game.rules[0].rounds), 2, 1)):
        made = [choices_of_round(game, [bot] * players, 5, round, future) for future in range(sized(4, 2, 2))]
        assert len(made[0]) >= 4 * players
        assert all(other == made[0] for other in made)


SETTINGS = [
    {"sims": 60},
    {"sims": 60, "playout": 0},
    {"sims": 40, "explore": 2, "width": 5},
    {"sims": 30, "horizon": 2},
    {"sims": 20, "playout": 5},
    {"sims": 12, "playout": 1000, "horizon": 9, "guided": 0},
    {"sims": 25, "trust": 0.1, "temperature": 4, "scale": 8, "margin": 0.5},
]


@pytest.mark.long
@some_variants
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_mcts_in_lockstep_with_its_naive_twin(variant, settings):
    mode, players = variant
    search_in_lockstep(qpolis.load_game("quadropolis", mode=mode, players=players), settings, 1, 30)


@pytest.mark.core
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_mcts_in_lockstep_shortly(settings):
    """The same for a few decisions, which checked indexes and the interpreter manage, too."""
    game = qpolis.load_game("quadropolis", mode="expert", players=3)
    search_in_lockstep(game, {**settings, "sims": sized(30, 30, 5)}, 1, sized(20, 20, 3))


@pytest.mark.long
@pytest.mark.parametrize("bot", some([random, greedy, mcts], 2), ids=lambda bot: bot.name)
@pytest.mark.parametrize("players", [2, 3])
def test_bots_need_nothing_but_the_verbs(bot, players):
    game = Counting(players=players)
    batch = play_policies(game, [configured(bot)] * players, 1, 0, 3)
    assert (batch.ends == 0).all()
    assert (batch.points.sum(axis=1) == 1).all()


@pytest.mark.long(only=True)
def test_mcts_finds_the_winning_count():
    """Who counts to 1, 5, 9, 13 and 17 wins: the first player can, whatever the other does."""
    game = Counting()
    batch = play_policies(game, [mcts.configure(sims=2000, explore=1), random.configure()], 1, 0, 50)
    assert (batch.ranks[:, 0] == 0).all()


def test_bots_are_as_strong_as_they_should_be():
    """Fixed deals with swapped seats: the figures are far from the limits, so this cannot flake."""
    game = qpolis.load_game("quadropolis")

    def wins(strong, weak, deals):
        there = play_policies(game, [strong, weak], 7, 0, deals)
        back = play_policies(game, [weak, strong], 7, 0, deals)
        return ((there.ranks[:, 0] == 0).mean() + (back.ranks[:, 1] == 0).mean()) / 2

    assert wins(heuristic.configure(), random.configure(), 100) == 1
    assert wins(greedy.configure(), heuristic.configure(), 100) > 0.85
    assert wins(mcts.configure(sims=200), greedy.configure(), 50) > 0.7


@pytest.mark.parametrize("ms", [1, 5])
def test_mcts_by_the_clock(ms):
    game = qpolis.load_game("quadropolis")
    batch = play_policies(game, [mcts.configure(ms=ms), random.configure()], 1, 0, 1)
    assert batch.ranks[0, 0] == 0
