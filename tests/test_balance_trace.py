"""Watching recorded games: against games that are played again through the public face, however they are cut."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from helpers.sizes import CHECKED, sized, some
from helpers.toys import Counting, Rolling
from naive import balance_trace as naive
from qpolis.balance.trace import NOBODY, Trace, lead, trace, trace_chunk
from qpolis.engine.results import CRASH, FINISHED, ILLEGAL, STOPPED, Results, join
from qpolis.errors import QpolisError
from qpolis.kernel import JIT
from qpolis.tourney.chunk import decode, encode
from qpolis.tourney.definition import Definition, define
from qpolis.tourney.plan import lay_out, make_plan
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter

BOTS = ["random", "heuristic", "greedy"]
RUNS = {
    "mirror-2": {"seatings": "mirror", "games": 90},
    "mirror-expert-3": {"seatings": "mirror", "games": 36, "options": {"mode": "expert", "players": 3}},
    "mirror-4": {"seatings": "mirror", "games": 36, "options": {"players": 4}},
    "field-expert-2": {"games": 66, "options": {"mode": "expert"}},
    "field-3": {"games": 45, "options": {"players": 3}},
    "duels-3": {"seatings": "duels", "games": 72, "options": {"players": 3}},
    "duels-expert-4": {"seatings": "duels", "games": 40, "options": {"mode": "expert", "players": 4}},
    "mix-2": {"games": 60, "options": {"mix": "base:harbor+2:park-2"}},
}


def play(**keys):
    """A run of some bots: its game, its plan, and all games in one chunk."""
    plan = make_plan(define({"bots": BOTS, "seed": 7, **keys}))
    player = ChunkPlayer.prepare(plan)
    return player.game, plan, player.play(np.arange(plan.blocks))


@pytest.fixture(scope="module", params=some(RUNS, 4))
def run(request):
    return play(**RUNS[request.param])


def check(game, plan, chunk, found):
    """A trace against the twin, column by column."""
    right = naive.watch(game, plan, chunk)
    for item in fields(Trace):
        if item.name != "taken":
            values = getattr(found, item.name)
            assert len(values) == len(right)
            for row, one in enumerate(right):
                np.testing.assert_array_equal(values[row], one[item.name], f"{item.name} of game {row}")
    rows = [(row, *event) for row, one in enumerate(right) for event in one["taken"]]
    assert found.taken.tolist() == [list(event) for event in rows]


def same(one, two):
    for item in fields(Trace):
        np.testing.assert_array_equal(getattr(one, item.name), getattr(two, item.name), item.name)
        assert getattr(one, item.name).dtype == getattr(two, item.name).dtype


# --- against the twin ---------------------------------------------------------------------------------


@pytest.mark.long
def test_traces_are_those_of_the_twin(run):
    game, plan, chunk = run
    found = trace_chunk(game, plan, chunk)
    check(game, plan, chunk, found)
    np.testing.assert_array_equal(found.points.sum(axis=2), chunk.points)
    assert 0 < np.count_nonzero(found.rated) < found.games


@pytest.mark.core
@pytest.mark.skipif(CHECKED, reason="a minute of compiling; interpreted, indexes are checked as well")
@pytest.mark.parametrize("options", [{"players": 3}, {"mode": "expert"}])
def test_short_runs_are_those_of_the_twin(options):
    bots = ["random", "heuristic"]
    games = sized(16, 8, 2)
    game, plan, chunk = play(bots=bots[: sized(2, 2, 1)], seatings="mirror", games=games, options=options)
    check(game, plan, chunk, trace_chunk(game, plan, chunk))


@pytest.mark.core
def test_who_leads():
    """Ties and margins around the least one, with and without somebody who led before."""
    rng = np.random.default_rng(1)
    for number in range(sized(3000, 300, 100)):
        looks = (rng.integers(0, 5, (12, 2 + number % 3)) / 2).tolist()
        leader, leads = NOBODY, []
        for values in looks:
            leader = lead(np.array(values), leader)
            leads.append(None if leader == NOBODY else leader)
        assert leads == naive.leaders(looks)


@pytest.mark.long
def test_half_time_gives_everybody_as_many_turns(run):
    """So nobody looks better for having had one more."""
    game, plan, chunk = run
    turns = trace_chunk(game, plan, chunk).turns
    assert (turns // 2 % game.players == 0).all()


# --- order, cuts, threads -----------------------------------------------------------------------------


def cuts(chunk, rng):
    """The games of a chunk in chunks of any size, in any order; some of them empty."""
    which = rng.integers(0, 6, chunk.games)
    parts = [chunk.only(which == number) for number in (*range(6), 99)]
    return [parts[number] for number in rng.permutation(len(parts))]


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_order_and_the_cuts_of_pieces_do_not_matter(run, threads):
    game, plan, chunk = run
    whole = trace(game, plan, [chunk], 1)
    order = np.argsort(chunk.numbers)
    by_game = trace_chunk(game, plan, chunk)
    for item in fields(Trace):
        if item.name != "taken":
            np.testing.assert_array_equal(getattr(whole, item.name), getattr(by_game, item.name)[order])
    assert (np.diff(whole.taken[:, 0]) >= 0).all()
    for seed in range(3):
        chunks = cuts(chunk, np.random.default_rng(seed))
        same(trace(game, plan, (decode(encode(part)) for part in chunks), threads), whole)


@pytest.mark.long
def test_pieces_as_they_are_played(run):
    game, plan, chunk = run
    player = ChunkPlayer.prepare(plan)
    blocks = np.random.default_rng(3).permutation(plan.blocks)
    chunks = [player.play(part) for part in np.array_split(blocks, 5)]
    same(trace(game, plan, chunks, 2), trace(game, plan, [chunk], 1))


# --- games that bots did not play to the end ----------------------------------------------------------


def cut_short(chunk, rng):
    """Some games end where a bot forfeits: the first seat comes last, the others as they are."""
    lengths = np.where(rng.random(chunk.games) < 0.5, chunk.lengths, rng.integers(0, chunk.lengths))
    lengths[:3] = 0, 1, 2
    actions = np.concatenate([chunk.actions_of(row)[:length] for row, length in enumerate(lengths)])
    ranks, ends = chunk.ranks.copy(), chunk.ends.copy()
    for row in np.flatnonzero(lengths < chunk.lengths):
        ends[row], ends[row, 0] = STOPPED, (ILLEGAL, CRASH)[row % 2]
        ranks[row] = [len(ranks[row]) - 1, *np.argsort(np.argsort(ranks[row, 1:]))]
    return replace(chunk, lengths=lengths, actions=actions, ranks=ranks, ends=ends)


@pytest.mark.long
def test_games_that_were_cut_short(run):
    game, plan, chunk = run
    chunk = cut_short(chunk.only(np.arange(chunk.games) % 3 == 0), np.random.default_rng(4))
    found = trace_chunk(game, plan, chunk)
    check(game, plan, chunk, found)
    assert found.turns[0] == found.decisions[0] == 0
    assert np.isnan(found.decided[0])
    same(trace(game, plan, cuts(chunk, np.random.default_rng(5)), 2), trace(game, plan, [chunk], 1))


BAD = """
from qpolis import Bot
class Bad(Bot):
    def start(self, game, seat, seed):
        self.left = 3 + seed % 9
    def choose(self, legal):
        self.left -= 1
        return legal[0] if self.left else -1
"""


def test_a_bot_that_forfeits(tmp_path, mark):
    (tmp_path / "bad.py").write_text(BAD)
    game, plan, chunk = play(bots=["random", str(tmp_path / "bad.py")], games=12)
    assert (chunk.ends != FINISHED).all()
    assert len(set(chunk.lengths.tolist())) > 1
    check(game, plan, chunk, trace_chunk(game, plan, chunk))


@pytest.mark.long
def test_games_without_a_single_winner(run):
    game, plan, chunk = run
    chunk = chunk.only(np.arange(chunk.games) % 5 == 0)
    chunk = replace(chunk, ranks=np.where(np.arange(chunk.games)[:, None] % 3 == 0, 0, chunk.ranks))
    found = trace_chunk(game, plan, chunk)
    check(game, plan, chunk, found)
    assert np.isnan(found.decided[::3]).all()
    assert np.isnan(found.behind[::3]).all()


# --- any game -----------------------------------------------------------------------------------------


def record(game, blocks, bots=2):
    """Random games of a game that nobody registered."""
    definition = Definition(bots=("a", "b", "c")[:bots], games=blocks, game=game.name, seed=9, seatings="mirror")
    plan, rng = lay_out(definition, game.players, {}), np.random.default_rng(6)
    chunks = []
    for number in range(plan.games):
        state, actions = game.new(9, number), []
        while not state.over:
            actions.append(int(rng.choice(state.legal())))
            state.apply(actions[-1])
        table = np.zeros((1, game.players), np.int64)
        chunks.append(
            replace(
                Results.nothing(bots, game.players),
                numbers=np.array([number]),
                points=table + state.scores(),
                ranks=table + state.ranks(),
                decisions=table,
                ends=table + FINISHED,
                lengths=np.array([len(actions)]),
                hashes=np.zeros(1, np.uint64),
                actions=np.array(actions),
            )
        )
    return plan, join(chunks)


@pytest.mark.long
@pytest.mark.parametrize("toy", some([Counting, Rolling]))
@pytest.mark.parametrize("players", some([3, 2]))
def test_a_game_without_kinds_and_items(toy, players):
    game = toy(players=players)
    plan, chunk = record(game, sized(64, 32, 20))
    found = trace_chunk(game, plan, chunk)
    check(game, plan, chunk, found)
    assert found.points.shape == (chunk.games, players, 1)
    assert found.built.shape == (chunk.games, players, 0)
    assert found.taken.shape == (0, 4)
    assert (found.turns == found.decisions).all()
    if JIT:  # interpreted kernels warn in threads
        chunks = cuts(chunk, np.random.default_rng(8))
        same(trace(game, plan, chunks, 3), trace(game, plan, [chunk], 1))


@pytest.mark.parametrize("action", [-1, 10**9])
def test_a_game_that_cannot_have_been_so_is_refused(action):
    """An action out of a damaged journal would read and write beside the state."""
    game, plan, chunk = play(seatings="mirror", games=6)
    actions = chunk.actions.copy()
    actions[int(chunk.lengths[0]) + 3] = action
    with pytest.raises(QpolisError, match=f"game {chunk.numbers[1]}: an action in it is not legal"):
        trace_chunk(game, plan, replace(chunk, actions=actions))
