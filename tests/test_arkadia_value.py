"""What positions and steps of Arkadia are worth: the fast kernels against counting, and against playing each step.

The weights are those that ship, each changed a little: so all of them count, and hardly any two steps are equal.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest

import qpolis
from helpers import arkadias
from helpers.arkadias import play, seals
from helpers.searches import Player
from helpers.sizes import sized
from naive import arkadia_value as naive
from naive.arkadia import NaiveArkadia
from naive.arkadia_pieces import FAMILIES, read
from qpolis import verbs
from qpolis.bots.greedy import greedy
from qpolis.conformance.games import random_positions
from qpolis.games.arkadia import gains
from qpolis.games.arkadia.layout import FAMILY_NAMES, FEATURES, LAY, LOT, STAGES
from qpolis.games.arkadia.notation import CARDS, SYMBOLS, square_of
from qpolis.games.arkadia.tables import WEIGHTS
from qpolis.games.arkadia.value import describe_seat, survey
from qpolis.rng import below, stream

pytestmark = pytest.mark.core

NAMES = (WEIGHTS / "2.csv").read_text().split("\n")[0].split(",")
options = pytest.mark.parametrize(
    ("players", "setup"), [(players, setup) for players in (2, 3, 4) for setup in ("standard", "intro")]
)


@cache
def games_of(players, setup):
    """The rules with other weights, and all positions of some games, from random to sensible ones."""
    game = qpolis.load_game("arkadia", players=players, setup=setup)
    rules = game.rules.copy()
    rules[0].weights[:] *= np.random.default_rng(players).uniform(0.7, 1.3, rules[0].weights.shape)
    rules[0].weights[:] += np.random.default_rng(players).uniform(0.01, 0.1, rules[0].weights.shape)
    rules.flags.writeable = False
    found = []
    for seed in range(sized(4, 3, 1)):
        found += [state.copy() for state in random_positions(game, players + seed, (0.7, 0, 0.9, 0.95)[seed])]
    return game, rules, found


def positions(players, setup, stages, count):
    """The rules, and so many positions at these stages, each with what its twin needs."""
    game, rules, found = games_of(players, setup)
    fitting = [state for state in found if not state.over and STAGES[state.record.stage] in stages]
    drawn = random.Random(count).sample(fitting, min(count, len(fitting)))
    return rules, [Position(game, rules, state) for state in drawn]


class Position:
    """A position with what kernels and the twin look at."""

    def __init__(self, game, rules, state):
        self.game, self.rules, self.state, self.record = game, rules[0], state, state.record
        self.twin = NaiveArkadia.from_dict(state.to_dict())
        self.weights = dict(zip(NAMES, rules[0].weights[naive.phase(self.twin)].tolist(), strict=True))
        self.start = naive.Start(self.twin, self.weights)
        self.texts = [game.text(state, action) for action in state.legal()]

    @property
    def seen(self):
        return survey(self.rules, self.record)

    def block(self):
        return gains.best_block(self.rules, self.record, self.seen)

    def rate(self):
        """The rating of each action by its text."""
        actions, values = np.full(self.rules.actions, 7, verbs.ACTION), np.full(self.rules.actions, 7.0)
        spare = np.zeros(2, self.game.state_dtype)
        count = verbs.rate(self.rules, self.record, spare, actions, values, stream(1))
        assert actions[:count].tolist() == self.state.legal()
        return dict(zip(self.texts, values[:count].tolist(), strict=True))

    def some(self, count):
        """Some legal actions."""
        return random.Random(len(self.texts)).sample(self.texts, min(count, len(self.texts)))


def near(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def evaluation(rules, state):
    values = np.full(state.game.players, 7.0)
    verbs.evaluate(rules, state.record, values)
    return values.tolist()


# --- positions ---


@options
def test_features_and_evaluations(players, setup):
    game, rules, found = games_of(players, setup)
    seen = Counter()
    for state in [*random.Random(1).sample(found, min(len(found), sized(220, 120, 60))), found[-1]]:
        twin = NaiveArkadia.from_dict(state.to_dict())
        phase = naive.phase(twin)
        view = survey(rules[0], state.record) if not twin.over else None
        for seat in range(0 if twin.over else players):
            out = np.full(FEATURES, 7.0)
            describe_seat(rules[0], state.record, view, seat, out)
            assert dict(zip(NAMES, out.tolist(), strict=True)) == naive.features(twin, seat)
        for used in (rules[0], game.rules[0]):
            weights = dict(zip(NAMES, used.weights[phase].tolist(), strict=True))
            assert evaluation(used, state) == near(naive.evaluate(twin, weights))
        seen[phase] += 1
    if sized(1, 0, 0):
        assert set(range(naive.LAST_PHASE + 1)) <= set(seen)


def test_seals_are_earned_when_the_last_square_is_filled():
    """Not only when the step is over: more workers may be placed beside another building before."""
    on_board = {"a1+b1": "house-red", "d1+e1": "house-olive"}
    table = arkadias.Engine(changes=arkadias.position(on_board, workers=["b2", "a2"]))
    before = evaluation(table.game.rules[0], table.state)
    play(table, "workers@d1", "own@c1")
    assert arkadias.told(table, "stage", "seals") == ("workers", [seals(), seals()])
    pending = evaluation(table.game.rules[0], table.state)
    play(table, "done")
    assert arkadias.told(table, "seals") == [seals(red=3), seals(red=1)]
    assert pending == near(evaluation(table.game.rules[0], table.state))
    assert pending[0] > before[0]


@options
def test_all_prices_of_points(players, setup):
    rules, found = positions(players, setup, STAGES, sized(60, 30, 20))
    for position in found:
        claim = np.full(len(FAMILIES), 7.0)
        gains.claims(rules[0], position.record, position.seen, claim)
        assert claim.tolist() == near(naive.families(position.weights, position.twin))


# --- gains of steps ---


@options
def test_blocks(players, setup):
    rules, found = positions(players, setup, STAGES, sized(40, 20, 15))
    _, laying = positions(players, setup, ["castle"], sized(30, 15, 5))
    assert laying
    for position in found + laying:
        assert position.block() == near(position.start.block)
        claim = np.full(len(FAMILIES), 7.0)
        gains.claims(rules[0], position.record, position.seen, claim)
        for text in position.twin.blocks_to_lay():
            family, covered = text.split("/")
            fast = gains.block_gain(claim, FAMILY_NAMES.index(family), SYMBOLS.index(covered))
            assert fast == near(naive.block_gain(position.start, text))


@options
def test_buildings_laid(players, setup):
    """Also by cards that nobody has: they may be drawn."""
    rules, found = positions(players, setup, ["lay"], sized(30, 15, 8))
    seen = Counter()
    for position in found:
        held, block = int(position.record.held), position.block()
        for text in position.some(8):
            placement = position.game.action_of(text) - LAY
            for kind in (held, held // 4 * 4 + 3 - held % 4):
                fast = gains.lay_gain(rules[0], position.record, position.seen, kind, placement, block)
                squares = list(map(read, text.split("+")))
                assert fast == near(naive.lay_gain(position.start, CARDS[kind], squares))
                seen["worth something"] += fast > 1
    assert seen["worth something"]


@options
def test_workers_placed(players, setup):
    """In each position, workers that are placed one after the other. What each of them leaves is what a new survey
    sees."""
    rules, found = positions(players, setup, ["workers"], sized(40, 20, 8))
    seen = Counter()
    for position in found:
        state, start = position.state.copy(), position.start
        view, block = position.seen, position.block()
        choices = random.Random(len(position.texts))
        while STAGES[state.record.stage] == "workers":
            text = choices.choice([text for text in texts_of(state) if text != "done"])
            whose, _, square = text.partition("@")
            for one in ("own", "neutral"):
                if getattr(start.game, {"own": "own", "neutral": "helpers"}[one])[state.player]:
                    after = naive.after_worker(start, start.game.beside, one, read(square))
                    fast = gains.place_worker(
                        rules[0], state.record, gains.copy_survey(view), square_of(square), one == "own", block
                    )
                    assert fast == near(start.gain(after))
                    seen["completed"] += naive.surrounded(after) > start.closed
                    compare_alone(position, start, state.record, view, (one, square), block)
            gains.place_worker(rules[0], state.record, view, square_of(square), whose == "own", block)
            start = start.next(naive.after_worker(start, start.game.beside, whose, read(square)))
            state.apply(state.game.parse(state, text))
            if STAGES[state.record.stage] == "workers":
                assert view.opens.tolist() == survey(rules[0], state.record).opens.tolist()
                assert view.near.tolist() == survey(rules[0], state.record).near.tolist()
    assert seen["completed"]


def texts_of(state):
    return [state.game.text(state, action) for action in state.legal()]


def compare_alone(position, start, record, view, worker, block):
    """Beside one unfinished building only, a worker brings what it brings there, less the worker."""
    whose, square = worker
    beside = [
        number
        for number, building in enumerate(start.game.buildings)
        if view.opens[number] and read(square) in naive.beside(building["squares"])
    ]
    if len(beside) == 1:
        fast = gains.close_in(position.rules, record, view, beside[0], 1, int(whose == "own"), block)
        cost = position.weights["own_left" if whose == "own" else "helpers"]
        after = naive.after_worker(start, start.game.beside, whose, read(square))
        assert fast - cost == near(start.gain(after))


@options
def test_workers_that_complete_a_building(players, setup):
    rules, found = positions(players, setup, ["act"], sized(20, 10, 4))
    seen = Counter()
    for position in found:
        record, twin, mover = position.record, position.twin, position.twin.player
        sites = [*range(int(record.buildings)), LOT]
        for building in random.Random(len(position.texts)).sample(sites, min(len(sites), 6)):
            squares = twin.lot if building == LOT else twin.buildings[building]["squares"]
            left = twin.places_for_workers(squares)
            if not left or not twin.own[mover] + twin.helpers[mover]:
                continue
            fast = gains.workers_gain(rules[0], record, position.seen, building, position.block())
            assert fast == near(naive.workers_gain(position.start, min(squares)))
            if building != LOT:
                fast = gains.fill_gain(
                    rules[0],
                    record,
                    position.seen,
                    building,
                    gains.open_squares(rules[0], record, building),
                    int(record.own[mover]),
                    int(record.helpers[mover]),
                    position.block(),
                )
                assert fast == near(naive.fill_gain(position.start, min(squares), left))
                seen["filled" if fast > -np.inf else "too few"] += 1
    if sized(1, 1, 0):
        assert seen["filled"]
        assert seen["too few"]


@options
def test_banners_and_sales(players, setup):
    _, found = positions(players, setup, ["banner", "sell"], sized(100, 60, 15))
    seen = Counter()
    for position in found:
        fast = gains.banner_gain(position.record, position.seen)
        if position.twin.stage == "banner":
            assert fast == near(naive.banner_gain(position.start))
            continue
        selling = position.twin.selling
        sale = gains.sale_gain(position.seen, FAMILIES.index(selling))
        assert sale == near(naive.sale_gain(position.start, f"{selling}=1"))
        seen["better today"] += sale > 0
        seen["better later"] += sale < 0
    if sized(1, 1, 0):
        assert seen["better later"]


# --- the verbs ---


@options
@pytest.mark.parametrize("stage", STAGES)
def test_ratings(players, setup, stage):
    """The mover's evaluation, and what the action brings. Places to lay are too many to play them all."""
    slow = stage in ("act", "draw")
    _, found = positions(players, setup, [stage], sized(2, 1, 1) if slow else sized(12, 6, 2))
    assert found or stage == "sell"
    for position in found:
        ratings = position.rate()
        worth = position.start.worth[position.twin.player]
        for text in position.some(4 if slow else 10):
            assert ratings[text] == near(worth + naive.gain_of(position.start, text)), text


@options
def test_rules_of_thumb(players, setup):
    """What is suggested is legal, and the best of what the rules of thumb look at."""
    _, found = positions(players, setup, STAGES, sized(50, 20, 6))
    for position in found:
        rng, drawn = stream(2), stream(2)
        action = int(verbs.suggest(position.rules, position.record, rng))
        assert action in position.state.legal()
        expected = naive.suggestions(position.start, position.texts, lambda n, drawn=drawn: int(below(drawn, n)))
        assert position.game.action_text(action) in expected
        assert rng.tolist() == drawn.tolist()


@options
def test_greedy_takes_what_is_rated_best(players, setup):
    rules, found = positions(players, setup, STAGES, sized(60, 30, 4))
    player = Player(found[0].game, greedy, 3)
    for position in found:
        ratings = position.rate()
        given = position.state.array.copy()
        action = int(player.kernel(rules, given, player.rng, player.seat.params, player.scratch))
        assert ratings[position.game.action_text(action)] == max(ratings.values())


@options
def test_looking_changes_nothing(players, setup):
    rules, found = positions(players, setup, STAGES, sized(40, 20, 4))
    for position in found:
        before = position.state.array.tobytes()
        ratings, values = position.rate(), evaluation(rules[0], position.state)
        verbs.suggest(rules[0], position.record, stream(1))
        assert position.state.array.tobytes() == before
        restored = Position(position.game, rules, position.game.from_dict(position.state.to_dict()))
        assert (restored.rate(), evaluation(rules[0], restored.state)) == (ratings, values)
