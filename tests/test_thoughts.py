"""What a searching bot thought: read out of its tree, and found again for games that were played before."""

from __future__ import annotations

import numpy as np
import pytest

import qpolis
from qpolis.bots.mcts import mcts
from qpolis.games import names
from qpolis.policy import ConfiguredPolicy
from qpolis.report.content.replay import make_replay, thoughts_of
from qpolis.tourney.analysis import analyse_game, shipped_policy
from qpolis.tourney.match import play_deals
from qpolis.tourney.records import GameRecord

SIMS = 30


def searched(
    game_name: str, seed: int, **parameters
) -> tuple[qpolis.game.Game, list[ConfiguredPolicy], list[int], GameRecord]:
    """A game between a search and a bot that does not search, as tournaments play it."""
    from qpolis.registry.spec import resolve

    game = qpolis.load_game(game_name)
    specs = [f"mcts:sims={SIMS}", "heuristic"]
    entrants = [resolve(spec) for spec in specs]
    batch = play_deals(game, entrants, seed, 3, 1, record=True)
    played = GameRecord(
        seed,
        3,
        specs,
        batch.actions.tolist(),
        batch.points[0].tolist(),
        batch.ranks[0].tolist(),
        batch.ends[0].tolist(),
        {},
    )
    return game, [entrant.shipped for entrant in entrants], played.actions, played


@pytest.mark.parametrize("name", names())
def test_a_search_of_the_past_is_the_one_that_was_made(name):
    """The same choice everywhere, by the same rule (most visits), with as many simulations as were asked for."""
    game, seats, actions, _ = searched(name, 11)
    state = game.new(11, 3)
    found = list(analyse_game(game, seats, 11, 3, actions))
    assert len(found) == len(actions)
    for action, one in zip(actions, found):
        legal = state.legal()
        if state.player == 0:
            assert one is not None
            assert one.same
            visits = {thought.action: thought.visits for thought in one.thoughts}
            assert set(visits) <= set(legal)
            assert visits[action] == max(visits.values()) == one.thoughts[0].visits
            # A first tree has just as many simulations as were asked for; one that was kept brings what it has.
            assert sum(visits.values()) >= SIMS - 1 or len(legal) == 1
            assert all(0 <= thought.value <= 1 for thought in one.thoughts)
            assert sum(thought.prior for thought in one.thoughts) == pytest.approx(1, abs=0.02) or game.chance
        else:
            assert one is None
        state.apply(action)
    assert state.over


def test_a_replay_shows_what_was_thought():
    game, _, actions, played = searched("quadropolis", 4)
    shown = make_replay(game, played, "a game", thoughts_of(game, played))
    thoughts = [frame.get("thoughts") for frame in shown["frames"]]
    assert thoughts[0]["rows"][0]["text"] == shown["frames"][0]["move"]["text"]
    assert [bool(one) for one in thoughts[:-1]] == [frame["move"]["seat"] == 0 for frame in shown["frames"][:-1]]
    assert thoughts[-1] is None
    assert shown["frames"][-1]["scores"] == shown["result"]["points"] == played.points
    assert len(shown["frames"]) == len(actions) + 1
    assert all(len(one["rows"]) <= 12 and one["choices"] >= len(one["rows"]) for one in thoughts if one)


def test_another_game_than_the_bot_would_play_is_told_apart():
    """As after a search by the clock, or a game in which moves were taken back."""
    game, seats, actions, _ = searched("quadropolis", 4)
    state = game.new(4, 3)
    other = next(action for action in state.legal() if action != actions[0])
    first = next(analyse_game(game, seats, 4, 3, [other]))
    assert first is not None
    assert not first.same


def test_only_shipped_bots_are_asked(tmp_path):
    """A report runs nobody's code."""
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('somebody ran me')")
    assert shipped_policy(str(trap)) is None
    assert shipped_policy("person") is None
    assert shipped_policy("mcts:no=such") is None
    assert shipped_policy("mcts:sims=7").policy is mcts
    assert shipped_policy("random").policy.thoughts is None


def test_thoughts_of_a_policy_that_has_none_are_none():
    game = qpolis.load_game("quadropolis")
    played = GameRecord(1, 0, ["random", "greedy"], [], [0, 0], [0, 0], [0, 0], {})
    assert thoughts_of(game, played) == []
    assert np.array_equal(game.new(1).array, played.begin(game).array)
