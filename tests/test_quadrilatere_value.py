"""What a turn of Quadrilatère can bring: the fast kernels against trying every house and every slide."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest

import qpolis
from helpers.quadrilateres import STYLES, choose, tight
from helpers.searches import Player, search_in_lockstep
from helpers.sizes import CHECKED, sized
from naive import quadrilatere_value as naive
from naive.quadrilatere import NaiveQuadrilatere, read_house
from qpolis import verbs
from qpolis.bots.greedy import greedy
from qpolis.games.quadrilatere.layout import HOUSES
from qpolis.games.quadrilatere.notation import house_text
from qpolis.games.quadrilatere.threats import Board, find_gains, find_groups, find_place_gains
from qpolis.games.quadrilatere.value import AGAINST
from qpolis.games.quadrilatere.walls import occupied
from qpolis.rng import below, stream

options = pytest.mark.parametrize("slide", [True, False])


@cache
def games_of(slide):
    """All positions of one game of each style, the last one over."""
    game = qpolis.load_game("quadrilatere", slide=slide)
    found = []
    for seed, style in enumerate(STYLES):
        state, choices = game.new(seed), random.Random(seed)
        while not state.over:
            found.append(state.copy())
            twin = twin_of(state)
            state.apply(game.parse(state, choose(twin, sorted(twin.legal()), choices, style)))
        found.append(state)
    return game, found


def twin_of(state):
    return NaiveQuadrilatere.from_dict(state.to_dict())


def positions(slide, stages, count):
    """The game, and so many positions at these stages of its turns, each with its twin."""
    game, found = games_of(slide)
    fitting = [state for state in found if state.to_dict()["stage"] in stages]
    drawn = random.Random(count).sample(fitting, min(count, len(fitting)))
    return game, [(state, twin_of(state)) for state in drawn]


def texts_of(game, state):
    return [game.text(state, action) for action in state.legal()]


def draws(rng):
    return lambda n: int(below(rng, n))


# --- what can be claimed ---


@pytest.mark.core
@options
def test_gains_of_every_house(slide):
    game, found = positions(slide, ["place"], sized(12, 5, 2) if slide else sized(50, 20, 5))
    seen = Counter()
    for state, twin in found:
        alone, most = fast_gains(game, state)
        assert told(game, alone) == without_zeros(naive.place_gains(twin))
        assert told(game, most) == without_zeros(naive.gains(twin))
        seen["by placing"] += alone.any()
        seen["with a slide"] += (most > alone).any()
    assert seen["by placing"]
    assert bool(seen["with a slide"]) == slide


def fast_gains(game, state):
    """What each house closes alone, and with a slide."""
    rules, record = game.rules[0], state.record
    alone, most = np.full((2, HOUSES), 99)
    board, supply = Board(record.slots, record.joints), record.supply[state.player]
    find_place_gains(board, occupied(record), supply, find_groups(record.slots), alone)
    find_gains(rules, board, occupied(record), supply, most)
    return alone, most


def without_zeros(gains):
    return {house: squares for house, squares in gains.items() if squares}


def told(game, gains):
    return {read_house(house_text(int(house))): int(gains[house]) for house in np.flatnonzero(gains)}


def played(*texts):
    """The game and the position after these actions."""
    game = qpolis.load_game("quadrilatere")
    state = game.new()
    for text in texts:
        state.apply(game.parse(state, text))
    return game, state


def rates(game, state, seed=1):
    """The rating of each action by its text, and the stream as it is then."""
    actions, values = np.full(game.rules[0].actions, 7, verbs.ACTION), np.full(game.rules[0].actions, 7.0)
    spare, rng = np.zeros(2, game.state_dtype), stream(seed)
    count = verbs.rate(game.rules[0], state.record, spare, actions, values, rng)
    assert actions[:count].tolist() == state.legal()
    return dict(zip(texts_of(game, state), values[:count].tolist())), rng


@pytest.mark.core
def test_a_house_in_the_way_of_a_slide():
    """The house d6-d7 can slide up and close c3; not if something stands in between."""
    ratings, _ = rates(*played("c3-d3", "c3-c4", "stay", "c4-d4", "stay", "d6-d7", "stay"))
    assert ratings["g7-h7"] == pytest.approx(1, abs=AGAINST)
    assert ratings["d3-d4"] == pytest.approx(1, abs=5 * AGAINST)
    for text in ("c5-e5", "c5-f5", "d5-d6", "d4-d5"):
        assert ratings[text] == pytest.approx(0, abs=5 * AGAINST), text
    for text in ("c5-d5", "d5-e5", "d7-d8"):
        assert ratings[text] == pytest.approx(1, abs=5 * AGAINST), text


@pytest.mark.core
def test_a_wall_that_slides_along_a_place_closes_nothing():
    """The place c3 was left without an owner. Its lower wall may slide, but it is no new place then."""
    ratings, _ = rates(*played("c3-d3", "c3-c4", "stay", "d3-d4", "stay", "c4-e4", "stay", "leave", "g7-h7"))
    assert ratings["c4-e4>b4-d4"] == pytest.approx(0, abs=AGAINST)


# --- the verbs ---


@pytest.mark.core
@options
def test_evaluations(slide):
    stages = ["place", "slide", "claim", None]
    game, found = positions(slide, stages, sized(20, 6, 3) if slide else sized(50, 20, 5))
    for state, twin in found:
        assert evaluation(game, state) == naive.evaluate(twin)


def evaluation(game, state):
    values = np.full(2, 7.0)
    verbs.evaluate(game.rules[0], state.record, values)
    return values.tolist()


@pytest.mark.core
@options
def test_ratings(slide):
    for stages, count in ((["place"], sized(4, 2, 1)), (["slide", "claim"], sized(30, 20, 4))):
        game, found = positions(slide, stages, count)
        for state, twin in found:
            ratings, rng = rates(game, state)
            drawn = stream(1)
            expected = naive.rate(twin, list(ratings), draws(drawn))
            assert list(ratings.values()) == pytest.approx(expected, abs=1e-9)
            assert rng.tolist() == drawn.tolist()


@pytest.mark.core
@options
def test_rules_of_thumb(slide):
    for stages, count in ((["place"], sized(30, 10, 3)), (["slide", "claim"], sized(30, 20, 4))):
        game, found = positions(slide, stages, count)
        for state, twin in found:
            rng, drawn = stream(2), stream(2)
            action = int(verbs.suggest(game.rules[0], state.record, rng))
            assert game.text(state, action) == naive.suggest(twin, texts_of(game, state), draws(drawn))
            assert rng.tolist() == drawn.tolist()


@pytest.mark.core
@options
def test_nothing_but_the_state_matters(slide):
    """Neither what arrays held before, nor the stream but for equals, nor how the position came about; and looking
    changes nothing."""
    game, found = positions(slide, ["place", "slide", "claim"], sized(200, 60, 4))
    for state, _ in found:
        before = state.array.tobytes()
        restored = game.from_dict(state.to_dict())
        values, (ratings, _), (others, _) = evaluation(game, state), rates(game, state), rates(game, state, 2)
        verbs.suggest(game.rules[0], state.record, stream(1))
        assert state.array.tobytes() == before
        assert evaluation(game, restored) == values
        assert rates(game, restored)[0] == ratings
        assert others == pytest.approx(ratings, abs=AGAINST)


@pytest.mark.core
def test_who_has_to_pass_leaves_the_turn_to_the_other():
    """The second player passes; then the first can close c1 with its last small house, by a slide or without."""
    houses, supply = tight()
    game = qpolis.load_game("quadrilatere")
    state = game.from_dict(
        {**game.new().to_dict(), "turn": 41, "player": 1, "houses": sorted(houses.split()), "supply": supply}
    )
    assert texts_of(game, state) == ["pass"]
    twin = twin_of(state)
    assert evaluation(game, state) == naive.evaluate(twin) == [naive.threat(naive.next_turn(twin, ())), 0]
    assert evaluation(game, state)[0] > 0
    assert rates(game, state)[0] == {"pass": 0}
    assert rates(game, state)[1].tolist() == stream(1).tolist()
    assert verbs.suggest(game.rules[0], state.record, stream(1)) == state.legal()[0]
    assert verbs.pick(game.rules[0], state.record, stream(1)) == state.legal()[0]
    assert Player(game, greedy, 3).choose(state) == state.legal()[0]


# --- players ---


@options
def test_greedy_claims_the_most(slide):
    """What it gets in a turn is what some house and some slide can close, at most."""
    game, found = positions(slide, ["place"], 8 if slide else 30)
    claims = 0
    for state, twin in found:
        if twin.monuments[twin.player] == 1:
            continue  # it may be better not to end the game
        player, after = Player(game, greedy, 3), state.copy()
        while not after.over and after.record.turn == state.record.turn:
            after.apply(player.choose(after))
        claimed = after.scores()[twin.player] - state.scores()[twin.player]
        assert claimed >= naive.threat(twin)
        claims += claimed > 0
    assert claims


@pytest.mark.core
@pytest.mark.skipif(CHECKED, reason="the search is compiled with checked indexes for Quadropolis")
@options
@pytest.mark.parametrize(
    "settings",
    [{"sims": 40}, {"sims": 20, "playout": 4, "width": 9}, {"sims": 10, "playout": 30, "guided": 0}],
    ids=str,
)
def test_mcts_in_lockstep_with_its_naive_twin(slide, settings):
    game = qpolis.load_game("quadrilatere", slide=slide)
    search_in_lockstep(game, {**settings, "sims": sized(settings["sims"], 0, 2)}, 1, sized(40, 0, 2))
