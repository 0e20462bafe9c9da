"""The batched environment: the same games as single states play, whatever the threads; what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest

import qpolis
from helpers.matches import remembering, sometimes_illegal
from helpers.sizes import sized, some
from helpers.toys import Counting
from naive.vector import NAMES, NaiveVector
from qpolis import games
from qpolis.bots.greedy import greedy
from qpolis.environments import vector as vector_module
from qpolis.environments.vector import Step
from qpolis.errors import IllegalAction, QpolisError
from qpolis.rng import SMALL
from qpolis.space import split


def encodes(name):
    return games.broken(name) is None and bool(qpolis.load_game(name).planes)


VILLAGE = "village"
VARIANTS = [
    (VILLAGE, {"players": 3}),
    *((name, {}) for name in games.names() if encodes(name)),
    *(("quadropolis", {"players": 4, "mode": "expert"}) for name in ("quadropolis",) if encodes(name)),
]


@pytest.fixture(scope="module")
def load(small_game):
    """Loads a game by its name; the village by its file."""
    return lambda name, options: qpolis.load_game(small_game if name == VILLAGE else name, **options)


@pytest.fixture
def small(load):
    return load(VILLAGE, {})


@pytest.fixture
def any_part(monkeypatch):
    """A thread may have a single game."""
    monkeypatch.setattr(vector_module, "FEWEST", 1)


def assert_same(given, twin):
    for name in NAMES:
        assert np.array_equal(getattr(given, name), twin[name]), name


@pytest.mark.core
@pytest.mark.usefixtures("any_part")
@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), some(VARIANTS[:1] + VARIANTS[:0:-1], 2), ids=str)
def test_all_seats_play_the_games_of_single_states(name, options, load):
    game = load(name, options)
    rewards = "points" if options else "places"
    env = qpolis.vector(game, 7, seed=5, threads=3, rewards=rewards)
    twin = NaiveVector(game, 7, 5, (), None, rewards)
    assert_same(env.reset(), twin.reset())
    ended = 0
    for _ in range(sized(300, 60, 12)):
        actions = env.sample()
        now = env.step(actions)
        assert_same(now, twin.step(actions))
        ended += now.done.sum()
        assert np.array_equal(now.reward, now.rewards[range(7), now.movers])
    assert ended or name != VILLAGE


@pytest.mark.long
@pytest.mark.core
@pytest.mark.usefixtures("any_part")
@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize(("name", "options"), some(VARIANTS[:2]), ids=str)
def test_an_agent_meets_the_bots_that_single_states_would_meet(name, options, seat, load):
    game = load(name, options)
    bots = [remembering.configure(), greedy.configure()][: game.players - 1]
    specs = [bots[0], "greedy"][: game.players - 1]
    rewards = "places" if seat is None else "points"
    env = qpolis.vector(game, 5, seed=SMALL + 5, threads=2, opponents=specs, seat=seat, rewards=rewards)
    twin = NaiveVector(game, 5, SMALL + 5, bots, seat, rewards)
    assert_same(env.reset(), twin.reset())
    ended = 0
    for _ in range(sized(200, 40, 6)):
        actions = env.sample()
        now = env.step(actions)
        assert_same(now, twin.step(actions))
        ended += now.done.sum()
    assert ended or name != VILLAGE


def played(env, steps):
    """Everything that comes back, one step after the other, and a random action in each."""
    env.reset()
    shown = []
    for _ in range(steps):
        shown.append([array.copy() for array in env.step(env.sample())])
    return [np.stack(arrays) for arrays in zip(*shown, strict=True)]


@pytest.mark.parametrize("opponents", [None, "random"])
def test_threads_change_nothing(opponents, small):
    alone, *others = [
        played(qpolis.vector(small, 100, seed=3, threads=threads, opponents=opponents), 40)
        for threads in (1, 2, 5)
    ]
    for other in others:
        assert all(np.array_equal(*pair) for pair in zip(alone, other, strict=True))


def test_a_row_does_not_depend_on_how_many_there_are(small):
    few, many = qpolis.vector(small, 2, seed=3), qpolis.vector(small, 40, seed=3)
    few.reset()
    many.reset()
    for _ in range(30):
        actions = many.sample()
        one, other = few.step(actions[:2]), many.step(actions)
        assert np.array_equal(one.observations, other.observations[:2])
        assert np.array_equal(one.scores, other.scores[:2])


@pytest.mark.core
def test_the_end_of_a_game_and_the_start_of_the_next_come_in_one_step(small):
    env = qpolis.vector(small, 4, seed=2)
    now = env.reset()
    assert not now.done.any()
    assert now.movers.tolist() == [-1] * 4
    for _ in range(7):
        now = env.step(env.sample())
        assert not now.done.any()
        assert not now.rewards.any()
    lots = small.new(2, 2**32 + 1).encode(0)
    now = env.step(env.sample())
    assert now.done.all()
    assert now.lengths.tolist() == [8] * 4
    assert now.movers.tolist() == [1] * 4  # the last house is of the second player
    assert now.seats.tolist() == [0] * 4
    assert np.array_equal(now.observations[1], lots)
    assert now.masks.sum(axis=1).tolist() == [8] * 4
    assert (np.sort(now.ranks, axis=1)[:, 0] == 0).all()
    assert not now.rewards.sum(axis=1).any()
    now = env.step(env.sample())
    assert not now.done.any()
    assert not any(array.any() for array in (now.rewards, now.scores, now.ranks, now.lengths))


@pytest.mark.core
def test_seeds_and_resets(small):
    env = qpolis.vector(small, 20, seed=7)
    first = env.reset().observations.copy()
    second = env.reset().observations.copy()
    assert not np.array_equal(first, second)
    assert np.array_equal(env.reset(seed=7).observations, first)
    assert np.array_equal(qpolis.vector(small, 20, seed=7).reset().observations, first)
    assert not np.array_equal(env.reset(seed=8).observations, first)
    assert env.seed == 8
    drawn = [qpolis.vector(small, 1).seed for _ in range(2)]
    assert drawn[0] != drawn[1]
    assert env.state(3).to_dict() == small.new(8, 3).to_dict()


@pytest.mark.core
def test_an_illegal_action_is_named_and_nothing_changes(small):
    env = qpolis.vector(small, 50, seed=1)
    env.reset()
    for _ in range(3):
        now = env.step(env.sample())
    before = [array.copy() for array in now]
    texts = [state.to_dict() for state in map(env.state, range(50))]
    actions = env.sample()
    for bad in (-1, 9, 2**40, int(np.flatnonzero(~now.masks[33])[0])):
        wrong = actions.copy()
        wrong[33] = bad
        wrong[40] = 99
        with pytest.raises(IllegalAction, match=f"^row 33: action {bad} of seat 1 is not legal there$"):
            env.step(wrong)
    now.masks[:] = True  # what is handed out is not what decides
    with pytest.raises(IllegalAction, match="row 33: action 9"):
        env.step(np.where(np.arange(50) == 33, 9, actions))
    now.masks[:] = before[1]
    assert all(np.array_equal(*pair) for pair in zip(before, now, strict=True))
    assert [state.to_dict() for state in map(env.state, range(50))] == texts
    env.step(actions)


def test_buffers_of_the_caller_are_written_into(small):
    env, twin = qpolis.vector(small, 6, seed=1), qpolis.vector(small, 6, seed=1)
    kept = [Step(*(np.full((4, *array.shape), 7, array.dtype) for array in env.buffers()))][0]
    rows = [Step(*(array[time] for array in kept)) for time in range(4)]
    assert env.reset(out=rows[0]) == rows[0]
    expected = [[array.copy() for array in twin.reset()]]
    for time in range(1, 4):
        actions = twin.sample()
        env.step(actions.tolist(), out=rows[time])
        expected.append([array.copy() for array in twin.step(actions)])
    for time in range(4):
        assert all(np.array_equal(*pair) for pair in zip(rows[time], expected[time], strict=True))


def test_samples_are_uniform_and_legal(small):
    env = qpolis.vector(small, 500, seed=1)
    now = env.reset()
    counts = np.zeros(9)
    for _ in range(40):
        actions = env.sample()
        assert now.masks[range(500), actions].all()
        counts += np.bincount(actions, minlength=9)
    share = counts / (40 * 500 / 9 * np.ones(9))
    assert np.abs(share - 1).max() < 0.06  # 500 lakes lie evenly, too


@pytest.mark.core
def test_what_a_bot_would_do_is_said_for_every_row(load):
    game = load(VILLAGE, {"players": 3})
    env = qpolis.vector(game, 6, seed=4)
    env.reset()
    for _ in range(5):
        env.step(env.sample())
    chosen = env.choices(remembering.configure())
    assert chosen.tolist() == [state.legal()[3 % len(state.legal())] for state in map(env.state, range(6))]
    assert np.array_equal(env.choices(remembering.configure()), chosen)
    for _ in range(30):
        env.step(env.choices("heuristic"))
    with pytest.raises(QpolisError, match="'tidy': it must be a bot that ships"):
        env.choices("tidy")


def test_what_helps_to_read_the_arrays(small):
    env = qpolis.vector(small, 3)
    assert (env.players, env.action_count, env.observation_size) == (2, 9, 27)
    planes = split(env.planes, env.reset().observations)
    assert planes["free"].shape == (3, 3, 3)
    assert repr(env).startswith("<3 games of load_game(")
    assert qpolis.vector(small.reference, 3, players=4).players == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n": 0}, "0 games: give a whole number from 1 to"),
        ({"n": 2.5}, "2.5 games"),
        ({"threads": 0}, "0 threads"),
        ({"seed": -1}, "seed -1 is not a whole number"),
        ({"seat": 0}, "seat 0 goes with opponents"),
        ({"opponents": "random", "seat": 2}, "no seat 2: the seats are 0 to 1"),
        ({"opponents": ["random", "random"]}, "2 opponents for 1 seats: give one each, or one for all"),
        ({"opponents": []}, "0 opponents for 1 seats"),
        ({"opponents": "randon"}, "did you mean 'random'?"),
        ({"opponents": "tidy"}, "opponent 'tidy': it must be a bot that ships"),
        ({"opponents": "mcts:sims=1000000", "n": 10**6}, "MB to think in 1000000 games at once"),
        ({"rewards": "point"}, "unknown kind of rewards 'point', did you mean 'points'?"),
        ({"players": 2}, r"options \(players\) go with the name of a game"),
    ],
)
def test_what_makes_no_environment(arguments, words, small):
    with pytest.raises(QpolisError, match=words):
        qpolis.vector(small, **{"n": 4, **arguments})


def test_a_game_without_observations_is_refused():
    with pytest.raises(QpolisError, match="counting: it has no observations as numbers"):
        qpolis.vector(Counting(), 1)


def test_wrong_calls_are_refused(small):
    env = qpolis.vector(small, 4, seed=1)
    for early in (env.sample, lambda: env.step([0, 0, 0, 0])):
        with pytest.raises(QpolisError, match="call `reset` first"):
            early()
    env.reset()
    for bad in ([0, 0], [0.0] * 4, [True] * 4, [[0] * 4]):
        with pytest.raises(QpolisError, match=re.escape("actions are 4 whole numbers in an array of shape (4,)")):
            env.step(bad)
    other = qpolis.vector(small, 5).buffers()
    with pytest.raises(QpolisError, match=r"out.observations is of float32 and shape \(5, 27\)"):
        env.reset(out=other)
    turned = env.buffers()._replace(rewards=np.zeros((2, 4), np.float32).T)
    with pytest.raises(QpolisError, match=r"out\.rewards is read-only, or"):
        env.reset(out=turned)
    with pytest.raises(QpolisError, match="no row 4: the rows are 0 to 3"):
        env.state(4)


def test_an_opponent_that_chooses_wrongly_is_named(load):
    large = load(VILLAGE, {"size": 4})
    env = qpolis.vector(large, 2, seed=1, opponents=sometimes_illegal.configure(), seat=0)
    env.reset()
    for _ in range(4):
        env.step(env.sample())
    with pytest.raises(QpolisError, match="row 0: an opponent chose 1000000000 after 9 decisions: not legal"):
        env.step(env.sample())
    with pytest.raises(QpolisError, match="call `reset` first"):
        env.sample()
    env.reset()
    env.step(env.sample())
