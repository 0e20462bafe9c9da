"""Games as OpenSpiel knows them: what OpenSpiel tests of them, and its algorithms on them."""

from __future__ import annotations

import functools
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import qpolis
from helpers.extras import needs
from helpers.sizes import some
from qpolis.environments.rewards import rewards_of

with needs("openspiel"):
    import pyspiel
    from open_spiel.integration_tests import api_test
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import (
        exploitability,
        external_sampling_mccfr,
        generate_playthrough,
        ismcts,
        mcts,
        minimax,
        outcome_sampling_mccfr,
    )

    from qpolis.environments import openspiel_games

LIAR = "qpolis_liar(outcomes=4,chance_seed=3)"  # half of these coins show a head


@pytest.fixture(scope="module", autouse=True)
def village(small_game):
    """The name of the small game in OpenSpiel."""
    openspiel_games.register(str(Path(__file__).parent / "helpers" / "liar.py"))
    return openspiel_games.register(small_game)


def games():
    shipped = ["qpolis_quadropolis", "qpolis_quadrilatere", "qpolis_arkadia(players=3)"]
    return ["qpolis_village(players=3,size=4,outcomes=20)", LIAR, *shipped]


def decided(game, seed=0):
    """A state after chance was asked."""
    state, choices = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        state.apply_action(choices.choice(state.legal_actions()))
    return state


# --- the tests of OpenSpiel ---------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", some(games(), 3))
def test_random_simulations(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False, mask_test=True)


class TestPartialTree(api_test.EnforceAPIOnPartialTreeBase):
    game_name = "qpolis_village"

    @classmethod
    def setUpClass(cls):
        cls.game = pyspiel.load_game("qpolis_village(outcomes=3)")
        super().setUpClass()


class TestWholeTree(api_test.EnforceAPIOnFullTreeBase):
    game_name = LIAR

    @classmethod
    def setUpClass(cls):
        cls.game = pyspiel.load_game(LIAR)
        api_test.TOTAL_NUM_STATES[LIAR] = (1, 4 + 8, 16)
        api_test.PERFECT_RECALL_NUM_STATES[LIAR] = 2 + 2  # a coin, and what was said of it
        super().setUpClass()


@pytest.mark.parametrize("name", [name for name in games() if "arkadia" not in name])  # long texts
def test_playthroughs_repeat_themselves(name):
    text = generate_playthrough.playthrough(name, None, seed=3)
    actions = json.loads(text[text.rindex("History() = ") :].split("\n")[0].partition(" = ")[2])
    assert generate_playthrough.playthrough(name, actions, seed=3) == text


# --- what is declared ---------------------------------------------------------------------------------


def test_types_are_as_declared():
    kinds = pyspiel.GameType
    found = {
        name: (kind.chance_mode, kind.information, kind.min_num_players, kind.max_num_players)
        for name in ("village", "liar", "quadropolis", "quadrilatere", "arkadia")
        for kind in [pyspiel.load_game(f"qpolis_{name}").get_type()]
    }
    drawn, open_ = kinds.ChanceMode.EXPLICIT_STOCHASTIC, kinds.Information.PERFECT_INFORMATION
    hidden = kinds.Information.IMPERFECT_INFORMATION
    assert found == {
        "village": (drawn, open_, 2, 4),
        "liar": (drawn, hidden, 2, 2),
        "quadropolis": (drawn, open_, 2, 4),
        "quadrilatere": (kinds.ChanceMode.DETERMINISTIC, open_, 2, 2),
        "arkadia": (drawn, hidden, 2, 4),
    }


def test_options_are_parameters():
    game = pyspiel.load_game("qpolis_quadropolis", {"players": 3, "mode": "expert", "mix": "base:harbor+2:park-2"})
    assert game.rules.settings == {"players": 3, "mode": "expert", "mix": "base:harbor+2:park-2"}
    assert (game.num_players(), game.num_distinct_actions()) == (3, game.rules.action_count)
    assert pyspiel.load_game(str(game)).rules.settings == game.rules.settings
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(qpolis.QpolisError, match="option players: 9 is not one of 2, 3, 4"):
        pyspiel.load_game("qpolis_quadropolis(players=9)")
    with pytest.raises(qpolis.QpolisError, match="outcomes=0: a chance node has 1 or more"):
        pyspiel.load_game("qpolis_village(outcomes=0)")


def test_a_game_that_does_not_say_how_long_it_can_be(small_game, monkeypatch):
    silent = property(lambda game: 0, lambda game, most: None)
    monkeypatch.setattr(type(qpolis.load_game(small_game)), "most_decisions", silent)
    with pytest.raises(qpolis.QpolisError, match="`most_decisions`, how long a game can be"):
        pyspiel.load_game("qpolis_village")


# --- it is the same game ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_actions_do_what_they_do_in_qpolis(name):
    """Positions, what is legal and rewards are those of qpolis, where the chance of a node is known."""
    spiel = pyspiel.load_game(name)
    game, choices = spiel.rules, random.Random(2)
    state = spiel.new_initial_state()
    twin = state.position and state.position.copy()
    while not state.is_terminal():
        if state.is_chance_node():
            outcome = choices.choice(state.legal_actions())
            state.apply_action(outcome)
            twin = state.position.copy()  # what was drawn
            continue
        assert state.legal_actions() == twin.legal()
        assert state.observation_string() == twin.observe_text(twin.player)
        assert state.observation_tensor() == twin.encode(twin.player).tolist()
        action = choices.choice(state.legal_actions())
        assert state.string_to_action(game.text(twin, action)) == action
        state.apply_action(action)
        twin.chance[:] = 7
        before = twin.chance.tobytes()
        twin.apply(action)
        assert state.is_chance_node() == (twin.chance.tobytes() != before)  # something was drawn
        assert state.is_chance_node() or state.position.array.tobytes() == twin.array.tobytes()
    assert state.returns() == rewards_of(twin.ranks())


def test_the_outcomes_of_chance_are_as_likely_as_in_qpolis(village):
    """The lake is on each of 9 lots: a chi-squared test with 8 degrees of freedom, at a thousandth."""
    game = pyspiel.load_game(village)
    lakes = np.zeros(9)
    for outcome, likely in game.new_initial_state().chance_outcomes():
        state = game.new_initial_state()
        state.apply_action(outcome)
        lakes[state.position.to_dict()["lots"].index("lake")] += 1
        assert likely == 1 / 1024
    expected = 1024 / 9
    assert ((lakes - expected) ** 2 / expected).sum() < 26.1


def test_nothing_in_a_state_knows_what_will_be_drawn():
    """After the same outcome every state has the same chance: none that is left over from before."""
    game = pyspiel.load_game("qpolis_quadropolis")
    states = [decided(game, seed) for seed in range(4)]
    assert len({str(state) for state in states}) == 4
    assert len({state.position.chance.tobytes() for state in states}) == 1


@pytest.mark.parametrize("name", games())
def test_states_are_pickled_and_made_of_positions(name):
    game = pyspiel.load_game(name)
    state = decided(game)
    state.apply_action(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))
    assert (str(again), again.history()) == (str(state), state.history())
    assert again.information_state_string(1) == state.information_state_string(1)
    assert again.information_state_tensor(1) == state.information_state_tensor(1)
    there = game.new_initial_state(state.position.to_dict())
    assert (str(there), there.history()) == (str(state), [])
    assert there.legal_actions() == state.legal_actions()


# --- hidden information -------------------------------------------------------------------------------


def test_information_states_hide_what_is_hidden():
    game = pyspiel.load_game(LIAR)
    after = {}
    for outcome in range(4):
        state = game.new_initial_state()
        state.apply_action(outcome)
        coin = int(state.position.record.coin)
        state.apply_action(1)
        after[coin] = state
    for what in ("information_state", "observation"):
        for form in ("string", "tensor"):
            head, tail = (getattr(after[coin], f"{what}_{form}") for coin in (0, 1))
            assert head(0) != tail(0)
            assert head(1) == tail(1)


@pytest.mark.parametrize("name", [LIAR, "qpolis_arkadia(players=3)"])
def test_resampled_states_look_the_same(name):
    game, choices = pyspiel.load_game(name), random.Random(0)
    state = decided(game)
    others = set()
    for _ in range(12):
        for seat in range(game.num_players()):
            other = state.resample_from_infostate(seat, choices.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.current_player() == state.current_player()
            others.add(other.position.array.tobytes() != state.position.array.tobytes())
        following = state.child(choices.choice(state.legal_actions()))
        state = state if following.is_terminal() else following
        while state.is_chance_node():
            state.apply_action(choices.choice(state.legal_actions()))
    assert True in others


# --- their algorithms ---------------------------------------------------------------------------------


def play(state, bots, seed=0):
    """A whole game between bots of OpenSpiel."""
    choices = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(choices.choice(state.legal_actions()))
        else:
            state.apply_action(bots[state.current_player()](state))
    return state.returns()


def python_mcts(game, sims, seed=1):
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    return mcts.MCTSBot(game, 2, sims, evaluator, random_state=np.random.RandomState(seed)).step


def compiled_mcts(game, sims, seed=1):
    """Not its `step`, which crashes with games in Python: it calls them without the lock that Python has."""
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2, sims, 10, False, seed, False)
    return lambda state: bot.mcts_search(state).best_child().action


@pytest.mark.parametrize("search", [python_mcts, compiled_mcts])
def test_their_tree_search_plays_whole_games(search):
    game = pyspiel.load_game("qpolis_quadropolis")
    returns = play(game.new_initial_state(), [search(game, 3), search(game, 4)])
    assert sum(returns) == 0


@pytest.mark.parametrize("search", [python_mcts, compiled_mcts])
def test_their_tree_search_beats_random_players(search, village):
    """The last seat of equals wins: seat 0 has to build rows of three."""
    game = pyspiel.load_game(village)
    rng = random.Random(4)
    bots = [search(game, 200), lambda state: rng.choice(state.legal_actions())]
    assert sum(play(game.new_initial_state(), bots, seed)[0] for seed in range(10)) > 0


def test_bots_in_their_arena(village):
    game = pyspiel.load_game(village)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(2)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)) == 0


def value(state):
    """What the first of two seats gets if both play best, by the rules of qpolis alone: the slow twin."""

    @functools.cache
    def best(text):
        here = state.game.from_dict(json.loads(text))
        if here.over:
            return rewards_of(here.ranks())[0]
        after = []
        for action in here.legal():
            there = here.copy()
            there.apply(action)
            after.append(best(json.dumps(there.to_dict())))
        return max(after) if here.player == 0 else min(after)

    return best(json.dumps(state.to_dict()))


def test_their_minimax_finds_the_value_of_a_position(village):
    game = pyspiel.load_game(village)
    state, choices = decided(game, 5), random.Random(1)
    for _ in range(3):
        state.apply_action(choices.choice(state.legal_actions()))
    found = minimax.expectiminimax(state.clone(), 9, None, maximizing_player_id=0)[0]
    assert found == value(state.position)


def test_search_with_hidden_information_plays():
    game = pyspiel.load_game(LIAR)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=evaluator, uct_c=1.4, max_simulations=50, random_state=np.random.RandomState(2)
    )
    assert sum(play(game.new_initial_state(), [bot.step, bot.step])) == 0


def test_regret_minimisation_solves_a_small_game():
    """Seven of eight coins show a tail: who guesses wins so often, whatever is said."""
    game = pyspiel.load_game("qpolis_liar(outcomes=8)")
    uniform = policies.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, uniform) == pytest.approx(7 / 8 - 1 / 8)
    solver = pyspiel.CFRSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    assert pyspiel.nash_conv(game, solved) < 0.05
    assert pyspiel.expected_returns(game.new_initial_state(), solved, -1, True, 0.0)[1] == pytest.approx(
        0.75, abs=0.05
    )


@pytest.mark.parametrize(
    "solver", [outcome_sampling_mccfr.OutcomeSamplingSolver, external_sampling_mccfr.ExternalSamplingSolver]
)
def test_sampled_regret_minimisation_runs(solver, village):
    np.random.seed(1)  # the only source of chance that these solvers have
    game = pyspiel.load_game(LIAR)
    solved = solver(game)
    for _ in range(400):
        solved.iteration()
    assert exploitability.nash_conv(game, solved.average_policy()) < 0.4
    larger = solver(pyspiel.load_game(f"{village}(outcomes=2)"))
    larger.iteration()
    assert larger.average_policy()


# --- processes ----------------------------------------------------------------------------------------


def test_a_process_ends_in_order(small_game):
    """OpenSpiel lets go of the games after Python has ended, and says nothing before."""
    code = (
        "import pyspiel; from qpolis.environments.openspiel_games import register;"
        f"print(pyspiel.load_game(register({small_game!r})).new_initial_state())"
    )
    said = subprocess.run([sys.executable, "-Werror", "-c", code], capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == ("to be set up\n", "")
