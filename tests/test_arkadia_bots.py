"""Bots in Arkadia: nothing hidden moves them, and the search does what its slow twin does."""

from __future__ import annotations

import random

import pytest

import qpolis
from helpers.arkadias import exchanged
from helpers.searches import BOTS, Player, search_in_lockstep
from helpers.sizes import CHECKED, lengthened, sized, some
from qpolis import verbs
from qpolis.bots.mcts import mcts
from qpolis.games.arkadia.layout import KINDS
from qpolis.kernel import JIT
from qpolis.rng import stream

pytestmark = pytest.mark.core
ELSEWHERE = "the search is compiled with checked indexes for Quadropolis"


@pytest.mark.long
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_exchanging_hidden_cards_changes_no_choice(bot, players):
    """What a policy gets is concealed as in the match loop; choices are compared in every position."""
    if CHECKED and bot is mcts:
        pytest.skip(ELSEWHERE)
    if not JIT and players > 2 and bot is mcts:
        pytest.skip("slow without the compiler: two players stand for all")
    game = qpolis.load_game("arkadia", players=players)
    choices = random.Random(players)
    state = game.new(players)
    changed = 0
    for decision in range(sized(lengthened(50), 60, 25)):
        if state.over:
            break
        seat = state.player
        other = exchanged(state, seat, choices)
        assert other.observe(seat) == state.observe(seat)
        changed += other.array.tobytes() != state.array.tobytes()
        made = []
        for known in (state, other):
            shown = known.copy()
            verbs.conceal(game.rules[0], shown.record, seat)
            made.append(Player(game, bot, decision).choose(shown))
        assert made[0] == made[1]
        state.apply(made[0])
    assert changed > decision // 2


def test_determinize_draws_all_that_is_unseen_evenly():
    """Every unseen card is as likely to be in a rival's hand as any other."""
    game = qpolis.load_game("arkadia", players=2)
    state = game.new(1)
    rng = stream(1)
    drawn = [0] * KINDS
    unseen = (state.record.pile + state.record.hand[1]).astype(int)
    times = sized(5_000, 5_000, 300)
    for _ in range(times):
        other = state.copy()
        verbs.determinize(game.rules[0], other.record, 0, rng)
        assert (other.record.pile + other.record.hand[1] == unseen).all()
        assert other.record.hand[1].sum() == 4
        for kind in range(KINDS):
            drawn[kind] += int(other.record.hand[1, kind])
    for kind in range(KINDS):
        expected = 4 * times * unseen[kind] / unseen.sum()
        assert abs(drawn[kind] - expected) <= 5 * max(expected, 1) ** 0.5


@pytest.mark.skipif(CHECKED, reason=ELSEWHERE)
@pytest.mark.parametrize(
    "settings",
    [
        {"sims": 40},
        {"sims": 30, "playout": 0},
        {"sims": 30, "horizon": 0},
        {"sims": 60, "playout": 2, "width": 4, "explore": 2},
    ],
    ids=str,
)
@pytest.mark.long
@pytest.mark.parametrize("players", some([3, 2]))
def test_mcts_in_lockstep_with_its_naive_twin(players, settings):
    game = qpolis.load_game("arkadia", players=players)
    search_in_lockstep(game, {**settings, "sims": sized(settings["sims"], 20, 4)}, 1, sized(60, 20, 5))
