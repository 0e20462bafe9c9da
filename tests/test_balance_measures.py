"""The measures of a mix: against plain loops and blocks left out, and games in which tiles decide as is known."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import fields, replace
from itertools import chain
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.made_up_traces import KINDS, invent, places, some_trace
from helpers.sizes import some
from naive import balance_measures as naive
from qpolis.balance.duels import duels, explained, skill
from qpolis.balance.inference import p_value
from qpolis.balance.measure import EFFECT
from qpolis.balance.measures import (
    TracedRun,
    all_measures,
    choices,
    drama,
    histograms,
    kind_effects,
    kinds,
    scores,
    seats,
    tiles,
)
from qpolis.balance.trace import Trace, trace
from qpolis.engine.results import FINISHED, Results
from qpolis.game import Item
from qpolis.tourney.definition import Definition, define
from qpolis.tourney.plan import lay_out, make_plan
from qpolis.tourney.records import collect
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter

SIGMAS = 4  # by how many standard deviations a simulated number may miss: one seed in 16,000 does


def play(**keys):
    """A run of bots that ship, watched."""
    plan = make_plan(define({"seed": 3, **keys}))
    hall = ChunkPlayer.prepare(plan)
    chunks = [hall.play(np.arange(plan.blocks))]
    results = collect(plan, chunks, plan.blocks)
    return TracedRun(hall.game, plan, results, trace(hall.game, plan, chunks, 1))


def check(measures, statistics, rows, slack):
    """Names, values and errors against those of statistics; that of plain means is exact."""
    found, right = {measure.name: measure for measure in measures}, dict(statistics)
    assert sorted(found) == sorted(right)
    for name, statistic in right.items():
        value, error = naive.jackknifed(statistic, rows)
        assert found[name].value == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), name
        close = 1e-9 if naive.is_plain(statistic, rows) else slack
        assert found[name].error == pytest.approx(error, rel=close, abs=1e-9, nan_ok=True), name


def check_all(games, slack):
    rows = naive.rows_of(games.plan, games.results, games.trace)
    check(seats(games), naive.seats(games.results.seats), rows, slack)
    check(scores(games), naive.scores(), rows, slack)
    check(kinds(games), naive.kinds(games.game.categories), rows, slack)
    check(drama(games), naive.drama(), rows, slack)
    check(choices(games), naive.choices(), rows, slack)
    check(
        [measure for measure in tiles(games) if measure.unit != EFFECT],
        naive.tiles(games.game.items()),
        rows,
        slack,
    )
    check_rivals(games, rows, slack)


def check_rivals(games, rows, slack):
    plan, results = games.plan, games.results
    met = {
        name: statistic
        for name, statistic in naive.duels(results.bots)
        if not math.isnan(naive.jackknifed(statistic, rows)[0])
    }
    check(duels(plan, results, "field"), met, rows, slack)
    both = results.seats == 2 and plan.games_per_block == 2
    check(
        skill(plan, results),
        chain(naive.skill(len(results.bots), rows), naive.all_explained() if both else ()),
        rows,
        slack,
    )


# --- against the twin ---------------------------------------------------------------------------------


REAL = {
    "mirror-2": {"bots": ["greedy"], "seatings": "mirror", "games": 120},
    "field-3": {"bots": ["greedy", "heuristic", "random"], "games": 150, "options": {"players": 3}},
    "field-2": {"bots": ["greedy", "heuristic"], "games": 160},
    "mirror-expert-3": {
        "bots": ["heuristic"],
        "seatings": "mirror",
        "games": 100,
        "options": {"players": 3, "mode": "expert"},
    },
}


@pytest.mark.long
@pytest.mark.parametrize("name", some(REAL, 2))
def test_real_games(name):
    check_all(play(**REAL[name]), 0.1)


@pytest.mark.long
@pytest.mark.parametrize("number", some(range(6), 2))
def test_invented_games(number):
    check_all(invent(number), 0.1)


@pytest.mark.long
@pytest.mark.parametrize("number", some(range(6), 2))
def test_invented_games_of_which_some_were_not_played_to_the_end(number):
    check_all(invent(number, abnormal=0.15), 0.2)  # lineups have few blocks left


def test_many_blocks_make_errors_the_jackknife_s():
    """What is not linear is so nearly: the spread of points, and parts of margins."""
    rng = np.random.default_rng(2)
    plan = lay_out(Definition(bots=("a", "b", "c"), games=200), 2, {})
    who = plan.who(np.arange(200))
    luck = np.repeat(rng.normal(0, 4, (100, 2)), 2, axis=0)
    points = np.rint([42, 40] + 3 * who + luck + rng.normal(0, 4, (200, 2))).astype(np.int32)
    results = Results(
        bots=plan.bots,
        who=who,
        deals=np.arange(200) // 2,
        points=points,
        ranks=places(points, rng),
        decisions=points,
        ends=np.zeros_like(who),
    )
    rows = naive.rows_of(plan, results)
    spread = list(scores(TracedRun(SimpleNamespace(), plan, results, None)))[1]
    check([spread], [("spread of points", naive.deviation)], rows, 0.03)
    check(explained(plan, results), naive.all_explained(), rows, 0.05)
    assert sum(measure.value for measure in explained(plan, results)) == pytest.approx(1)
    alike = explained(plan, results, chance=False)
    assert [measure.name.removeprefix("margin explained by ") for measure in alike] == [
        "who plays",
        "the seats",
        "the rest",
    ]
    assert sum(measure.value for measure in alike) == pytest.approx(1)


# --- what weighs nothing, what adds up ----------------------------------------------------------------


def everything(games):
    return [*all_measures(games), *duels(games.plan, games.results, "field"), *skill(games.plan, games.results)]


def garbled(games, rng):
    """Other content in the games that did not end regularly."""
    odd = (games.results.ends != FINISHED).any(axis=1)
    points = np.where(odd[:, None], rng.integers(0, 99, games.results.points.shape), games.results.points)
    ranks = np.where(odd[:, None], rng.permuted(games.results.ranks, axis=1), games.results.ranks)
    columns = {}
    for item in fields(Trace):
        column = getattr(games.trace, item.name).copy()
        if item.name == "taken":
            column[:, 1] = np.where(odd[column[:, 0]], 0, column[:, 1])
            column[:, 3] += odd[column[:, 0]]
        else:
            column[odd] += 1
        columns[item.name] = column
    return replace(games, results=replace(games.results, points=points, ranks=ranks), trace=Trace(**columns))


@pytest.mark.parametrize("number", range(6))
def test_games_that_did_not_end_weigh_nothing(number):
    games = invent(number, abnormal=0.2)
    other = garbled(games, np.random.default_rng(1))
    assert (other.results.points != games.results.points).any()
    for one, two in zip(everything(games), everything(other), strict=True):
        assert one.name == two.name
        assert (one.samples, one.units) == (two.samples, two.units), one.name
        assert two.value == pytest.approx(one.value, rel=1e-9, abs=1e-9, nan_ok=True), one.name
        np.testing.assert_allclose(two.influence, one.influence, rtol=1e-7, atol=1e-7, err_msg=one.name)
    for name, counts in histograms(games).items():
        assert counts.tolist() == histograms(other)[name].tolist()


@pytest.mark.parametrize("number", range(6))
def test_without_a_regular_game_nothing_is_known(number):
    games = invent(number, abnormal=1.0)
    for measure in everything(games):
        assert math.isnan(measure.value), measure.name
        assert math.isnan(measure.error), measure.name
        assert measure.samples == 0, measure.name
    assert all(counts.sum() == 0 for counts in histograms(games).values())


@pytest.mark.parametrize("abnormal", [0.0, 0.2])
@pytest.mark.parametrize("number", range(6))
def test_histograms_count_games(number, abnormal):
    games = invent(number, abnormal)
    rows = [row for row in naive.rows_of(games.plan, games.results, games.trace) if row.regular]
    told = histograms(games)
    assert told["points"].sum() == len(rows) * games.results.seats
    right = {
        "points": Counter(chain.from_iterable(row.points for row in rows)),
        "winners' points": Counter(max(row.points) for row in rows),
        "margin": Counter(map(naive.margin, rows)),
        "decided": Counter(int(20 * row.trace["decided"]) for row in rows if row.ranks.count(0) == 1),
    }
    for name, counts in right.items():
        assert {value: count for value, count in enumerate(told[name].tolist()) if count} == counts
    assert told["margin"].sum() == told["winners' points"].sum() == len(rows)


def test_points_below_0_are_counted_as_0():
    games = invent(0)
    games = replace(games, results=replace(games.results, points=games.results.points - 20))
    told = histograms(games)
    assert told["points"].sum() == games.results.points.size
    assert told["points"][0] == (games.results.points <= 0).sum()


def test_a_game_without_kinds_has_no_measures_of_them():
    games = invent(0)
    points = games.results.points[:, :, None]
    told = replace(games.trace, points=points, built=points[:, :, :0], taken=np.zeros((0, 4), np.int32))
    games = replace(games, game=SimpleNamespace(categories=(), items=dict), trace=told)
    assert {measure.group for measure in all_measures(games)} == {"seats", "scores", "drama", "choices"}


# --- known truths -------------------------------------------------------------------------------------


def decide(rng, blocks, worth, builds, takes, items):
    """Games of two bots at two seats. By so much as tiles are worth more (games x seats) the chance to win is
    above one half."""
    plan = lay_out(Definition(bots=("a", "b"), games=2 * blocks), 2, {})
    chance = 0.5 + worth[:, 0] - worth[:, 1]
    assert 0 <= chance.min() <= chance.max() <= 1
    lost = (rng.random(len(worth)) > chance).astype(np.int8)
    ranks = np.stack([lost, 1 - lost], axis=1)
    results = Results(
        bots=plan.bots,
        who=plan.who(np.arange(plan.games)),
        deals=np.arange(plan.games) // 2,
        points=10 * (1 - ranks.astype(np.int32)),
        ranks=ranks,
        decisions=ranks,
        ends=np.zeros_like(ranks),
    )
    watched = replace(some_trace(rng, results, {0: None}), built=builds, taken=takes)
    return TracedRun(SimpleNamespace(categories=KINDS, items=lambda: items), plan, results, watched)


def test_the_kind_that_wins_is_named():
    rng, true = np.random.default_rng(5), np.array([0.0, 0.06, 0.0])
    builds = rng.multinomial(5, [0.4, 0.3, 0.3], (4000, 2))
    games = decide(rng, 2000, builds @ true, builds, np.zeros((0, 4), np.int32), {})
    found = {measure.name: measure for measure in kind_effects(games)}
    assert list(found) == list(KINDS)
    share = builds.sum((0, 1)) / builds.sum()
    for name, right in zip(KINDS, true - share @ true):
        assert abs(found[name].value - right) < SIGMAS * found[name].error
    assert p_value(found["barn"]) < 1e-6
    assert found["barn"].value == max(measure.value for measure in found.values())


def test_tiles_are_compared_within_their_round():
    """Tile 3 of the second round wins. All tiles of that round are better than those of the first, and not
    everybody gets as many of them: that is not to be held against the first ones."""
    rng = np.random.default_rng(6)
    items = {number: Item(f"tile {number}", "inn", int(number >= 2), 4) for number in range(5)}
    true = np.array([0.0, 0.0, 0.08, 0.14, 0.08])
    counts = np.concatenate(
        [rng.multinomial(3, [0.5, 0.5], (6000, 2)), rng.multinomial(2, [0.3, 0.2, 0.3, 0.2], (6000, 2))[..., :3]],
        axis=2,
    )
    game, seat, item = (np.repeat(column, counts[counts > 0]) for column in np.nonzero(counts))
    takes = np.stack([game, seat, item, np.zeros_like(game)], axis=1).astype(np.int32)
    games = decide(rng, 3000, counts @ true, np.zeros((6000, 2, 3), int), takes, items)
    found = {measure.name: measure for measure in tiles(games) if measure.unit == EFFECT}
    effects = [found[f"round {item.stage + 1}: {item.name}: effect"] for item in items.values()]
    total = counts.sum((0, 1))
    for group in (slice(0, 2), slice(2, 5)):
        right = true[group] - total[group] @ true[group] / total[group].sum()
        for measure, one in zip(effects[group], right):
            assert abs(measure.value - one) < SIGMAS * measure.error
        assert total[group] @ [measure.value for measure in effects[group]] == pytest.approx(0, abs=1e-6)
    assert p_value(effects[3]) < 1e-4
    assert [measure.samples for measure in effects] == total.tolist()
    assert min(p_value(measure) for measure in effects[:2]) > 0.01
