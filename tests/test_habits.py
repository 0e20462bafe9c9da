"""Habits: shipped bots that never build some kinds of buildings, or like to build others."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.sizes import MODES, sized
from qpolis import load_game, verbs
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import FINISHED
from qpolis.errors import QpolisError
from qpolis.games.quadropolis import FAVOR
from qpolis.games.quadropolis.layout import TYPES
from qpolis.policy import Habits
from qpolis.registry.spec import resolve
from qpolis.rng import stream
from qpolis.tourney.definition import define
from qpolis.tourney.match import play_deals, play_stepwise
from qpolis.tourney.plan import make_plan

pytestmark = pytest.mark.core


def built(game, specs, deals, kind):
    """How many buildings of a kind each seat has at the end, over some deals."""
    counts = np.zeros(game.players, int)
    for deal in range(deals):
        batch = play_policies(game, [resolve(spec).shipped for spec in specs], 3, deal, 1, record=True)
        assert (batch.ends == FINISHED).all()
        state = game.new(3, deal)
        for action in batch.actions:
            state.apply(int(action))
        for seat, city in enumerate(state.to_dict()["cities"]):
            counts[seat] += sum(square["floors"] for square in city if square and square["type"] == kind)
    return counts


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bot", ["random", "heuristic", "greedy", f"mcts:sims={sized(20, 5, 1)}:playout=0"])
def test_what_is_forbidden_is_never_built(bot, mode):
    game = load_game("quadropolis", mode=mode)
    others = 0
    for kind in game.categories[: sized(8, 2, 1)]:
        may, never = built(game, [bot, f"{bot}:forbid={kind}"], sized(3, 1, 1), kind)
        assert never == 0
        others += may
    assert others > 0


@pytest.mark.parametrize("bot", ["heuristic", "greedy"])
def test_a_favourite_is_built_more_often(bot):
    game = load_game("quadropolis", mode="expert")
    liked, plain = 0, 0
    for kind in game.categories[: sized(8, 1, 1)]:
        counts = built(game, [f"{bot}:favor={kind}", bot], sized(20, 2, 1), kind)
        liked, plain = liked + counts[0], plain + counts[1]
    assert liked > 1.1 * plain or sized(0, 1, 1)


def test_a_habit_is_of_one_seat_only():
    game = load_game("quadropolis")
    rules = game.rules_with_habits(1, Habits(forbid=("park",), favor=("shop",)))
    state = game.new(5)
    for _ in range(12):
        actions = np.empty(game.rules[0].actions, verbs.ACTION)
        count = verbs.legal(rules[0], state.record, actions)
        legal = state.legal()
        held = state.to_dict()["held"]
        if state.player == 1 and held and held["tile"]["type"] == "park":
            assert actions[:count].tolist() == legal[-1:]  # only to discard it
        else:
            assert actions[:count].tolist() == legal
        state.apply(legal[len(legal) // 2])


def test_without_favour_the_evaluation_is_what_it_was():
    game = load_game("quadropolis", mode="expert", players=3)
    rules = game.rules_with_habits(2, Habits(favor=("tower",)))
    rng = np.random.default_rng(1)
    state = game.new(1)
    plain, fancy = np.empty((2, 3))
    while not state.over:
        verbs.evaluate(game.rules[0], state.record, plain)
        verbs.evaluate(rules[0], state.record, fancy)
        cities = state.to_dict()["cities"]
        towers = sum(square["floors"] for square in cities[2] if square and square["type"] == "tower")
        assert fancy[:2].tolist() == plain[:2].tolist()
        assert fancy[2] == pytest.approx(plain[2] + FAVOR * towers)
        state.apply(int(rng.choice(state.legal())))


def test_rules_of_a_habit_cannot_be_written_to_and_leave_the_others_alone():
    game = load_game("quadropolis")
    rules = game.rules_with_habits(0, Habits(forbid=("harbor", "park")))
    assert not rules.flags.writeable
    assert rules[0].forbidden.tolist() == [1 << TYPES.index("harbor") | 1 << TYPES.index("park"), 0, 0, 0]
    assert not game.rules[0].forbidden.any()
    state = game.new(1)
    action = verbs.suggest(rules[0], state.record, stream(1))
    assert action in state.legal()


def test_specs_of_habits_have_one_form():
    assert resolve("greedy:forbid=park+harbor+park").spec == "greedy:forbid=harbor+park"
    assert resolve("mcts:favor=shop:sims=50").spec == "mcts:sims=50:favor=shop"
    assert resolve("greedy").shipped.habits == Habits()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("greedy:forbid=harbour", "unknown kind of building to forbid in quadropolis 'harbour', did you mean"),
        ("greedy:favor=", "unknown kind of building to favor in quadropolis ''"),
        ("greedy:forbid=office", "unknown kind of building to forbid in quadropolis 'office'"),  # classic has none
        ("greedy:forbids=harbor", "unknown parameter of greedy 'forbids'"),
    ],
)
def test_habits_that_cannot_be_are_refused(spec, said):
    with pytest.raises(QpolisError, match=said):
        make_plan(define({"bots": [spec, "random"]}))


def test_both_loops_know_habits():
    game = load_game("quadropolis")
    entrants = [resolve("greedy:forbid=tower"), resolve("heuristic:favor=harbor")]
    fast = play_deals(game, entrants, 1, 0, sized(4, 2, 1))
    slow = play_stepwise(game, entrants, 1, 0, sized(4, 2, 1))
    assert fast.points.tolist() == slow.points.tolist()
