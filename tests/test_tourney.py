"""Runs: the same bytes however they are cut, killed and gone on with; bad bots; records that can be checked."""

from __future__ import annotations

import csv
import io
import shutil
import sys

import numpy as np
import pytest

from helpers.full_disk import FullDisk
from helpers.programs import TEMPLATE
from helpers.tourneys import TABLES, plan_of, silent
from qpolis.engine.results import ENDS
from qpolis.errors import QpolisError
from qpolis.files import write_file
from qpolis.ratings.rating import ratings as rate
from qpolis.report.audit import audit
from qpolis.report.finish import finish, tables_of
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode, encode
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.queue import Queue, waves
from qpolis.tourney.records import COLUMNS, collect, games_csv
from qpolis.tourney.run import JOURNAL, Run, read_chunks
from qpolis.tourney.schedule import WorkerPool
from qpolis.tourney.tally import Tally
from qpolis.tourney.worker import ChunkPlayer, chunk_player, work
from qpolis.version import ENGINE_BEHAVIOUR, __version__

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


MINE = "from qpolis import Bot\nclass Mine(Bot):\n    def choose(self, legal): return legal[0]\n"
LOOPS = """
from qpolis.policy import policy

@policy()
def loops(rules, states, rng, params, scratch):
    n = 0
    while rules[0].players:
        n += 1
    return n
"""


def texts(run):
    """The contents of the tables that may not depend on how a run went."""
    results = collect(run.plan, run.chunks(), run.tally.counted)
    ratings = rate(results, run.plan.definition.seed)
    return {"games.csv": b"".join(games_csv(results)).decode(), **tables_of(ratings)}


def copied(cup, to):
    """A run as it is before its tables are written."""
    to.mkdir()
    for name in ("plan.toml", JOURNAL):
        shutil.copy(cup / name, to / name)
    return to


def test_games_csv_has_a_row_for_every_game_and_seat(cup):
    with open(cup / "games.csv", newline="") as file:
        assert file.readline() == ",".join(COLUMNS) + "\n"
    with open(cup / "games.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    plan = plan_of()
    assert [(int(row["game"]), int(row["seat"])) for row in rows] == [(g, s) for g in range(120) for s in (0, 1)]
    for row in rows:
        number = int(row["game"])
        assert int(row["deal"]) == number // 2
        assert row["bot"] == plan.bots[plan.who(np.array([number]))[0, int(row["seat"])]]
        assert row["end"] == "finished"


def test_games_csv_is_what_the_csv_module_would_write(cup):
    results = collect(plan_of(), read_chunks(cup, moves=False), 60)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    awkward = ('a,"b"', "c\td", "é")  # as no bot is called
    results = type(results)(**{**vars(results), "bots": awkward, "points": results.points * -(10**6)})
    for game in range(results.games):
        for seat in range(2):
            rows.writerow(
                [
                    game,
                    results.deals[game],
                    seat,
                    awkward[results.who[game, seat]],
                    results.points[game, seat],
                    results.ranks[game, seat],
                    results.decisions[game, seat],
                    ENDS[results.ends[game, seat]],
                ]
            )
    assert b"".join(games_csv(results)).decode() == text.getvalue()


def test_a_journal_cut_anywhere_is_finished_to_the_same_bytes(cup, tmp_path):
    whole = (cup / JOURNAL).read_bytes()
    wanted = {name: (cup / name).read_text() for name in TABLES}
    ends = [piece.end for piece in journal.pieces(cup / JOURNAL) if isinstance(piece, journal.Record)]
    assert len(ends) > 3
    cuts = np.random.default_rng(1).integers(0, len(whole), 20).tolist()
    for number, cut in enumerate([0, 1, *cuts, *ends, *(end + 3 for end in ends[:-1])]):
        folder = copied(cup, tmp_path / str(number))
        (folder / JOURNAL).write_bytes(whole[:cut])
        with Run.resume(folder, {}) as run:
            run.play(WorkerPool(1), silent)
            games = np.concatenate([chunk.numbers for chunk in run.chunks()])
            assert sorted(games.tolist()) == list(range(120))  # none lost, none doubled
            assert texts(run) == wanted


def test_the_order_of_the_chunks_does_not_matter(cup, tmp_path):
    """As if many workers had played them, each at its own pace."""
    wanted = {name: (cup / name).read_text() for name in TABLES}
    plan = plan_of()
    player = ChunkPlayer.prepare(plan)
    rng = np.random.default_rng(2)
    for number in range(3):
        blocks = rng.permutation(plan.blocks)
        with Run.begin(tmp_path / str(number), plan) as run:
            for part in np.split(blocks, np.sort(rng.integers(1, plan.blocks, 9))):
                if len(part):
                    content = encode(player.play(part))
                    run.journal.append(content)
                    run.tally.add(decode(content))
            assert run.tally.complete()
            assert texts(run) == wanted


def test_workers_are_told_the_plan_and_numbers_only(cup, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    plan = plan_of()
    content = work(str(tmp_path), plan.text(), [3, 7], str(tmp_path / "run"))
    chunk = decode(content)
    assert sorted(chunk.numbers.tolist()) == [6, 7, 14, 15]
    with pytest.raises(QpolisError, match="a worker has another engine"):
        chunk_player(plan.text().replace(f"engine = {ENGINE_BEHAVIOUR}", "engine = 0"))
    with pytest.raises(QpolisError, match="a worker has another bot greedy"):
        chunk_player(plan.text().replace('"bot greedy" = 1', '"bot greedy" = 2'))
    newer = plan.text().replace(f'qpolis = "{__version__}"', 'qpolis = "9.9.9"')
    assert chunk_player(newer).plan.made == plan.made


@pytest.mark.usefixtures("unreported")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_sequential_test_ends_at_the_same_game_in_whatever_order(players, tmp_path):
    plan = make_plan(
        define(
            {
                "bots": ["greedy", "heuristic"],
                "sprt": "elo0=0,elo1=200",
                "games": 600,
                "seed": 3,
                "players": players,
            }
        )
    )
    with Run.begin(tmp_path / "one", plan) as run:
        run.play(WorkerPool(1), silent)
        assert run.tally.test.verdict == "H1"
        counted, wanted = run.tally.counted, texts(run)
        finish(run, 1.0, 1)
    assert 1 < counted < plan.blocks
    assert len(wanted["games.csv"].splitlines()) == 1 + counted * plan.games_per_block * players
    tally = Tally(plan)
    player = ChunkPlayer.prepare(plan)
    for block in np.random.default_rng(1).permutation(counted + 5):
        assert not tally.decided() or block >= 0
        tally.add(player.play(np.array([block])))
    assert tally.decided()
    assert tally.counted == counted
    with Run.resume(tmp_path / "one", {}) as run:
        assert run.tally.complete()
        assert texts(run) == wanted


# -- trouble -------------------------------------------------------------------------------------------------

TROUBLES = {
    "crashes": ("def choose(message): raise ValueError('no idea')", "crash"),
    "exits": ("def choose(message): os._exit(3)", "crash"),
    "hangs": ("def choose(message): time.sleep(1e6)", "timeout"),
    "cheats": ("def choose(message): say(action=-1)", "illegal"),
    "garbage": ("def choose(message): print('{', flush=True)", "illegal"),
    "eats_memory": ("def choose(message):\n    x = []\n    while True: x.append(b'x' * 2**20)", "memory"),
    "no_start": ("raise SystemExit('no licence')", "crash"),
}


def bad_programs(folder):
    """A program for each kind of trouble, each at its first decision."""
    for name, (code, _) in TROUBLES.items():
        path = folder / f"{name}.prog"
        path.write_text(f"#!{sys.executable} -IS\n{TEMPLATE % code}")
        path.chmod(0o755)
    (folder / "raises.py").write_text(MINE.replace("[0]", "[len(legal)]"))
    (folder / "loops.py").write_text(LOOPS)
    return [str(path) for path in sorted(folder.iterdir())]


def test_no_bad_bot_breaks_a_tournament(tmp_path, mark):
    (tmp_path / "bots").mkdir()
    bad = bad_programs(tmp_path / "bots")
    plan = make_plan(
        define({"bots": bad, "challenger": "random", "games": 2 * len(bad), "time_limit": 1, "memory_limit": 400})
    )
    with Run.begin(tmp_path / "run", plan) as run:
        run.play(WorkerPool(1), silent)
        outcome = finish(run, 1.0, 1)
    assert outcome.results.games == plan.games
    found = {}
    for forfeit in outcome.forfeits:
        assert forfeit.bot in bad  # and never random
        found.setdefault(forfeit.bot.split("/")[-1].split(".")[0], set()).add(forfeit.end)
    wanted = {name: {end} for name, (_, end) in TROUBLES.items()} | {"raises": {"crash"}, "loops": {"timeout"}}
    assert found == wanted
    text = (tmp_path / "run" / "forfeits.txt").read_text()
    assert "no licence" in text
    assert len([line for line in text.splitlines() if line[0] != " "]) == len(outcome.forfeits)
    assert all(not wrong for _, wrong in audit(tmp_path / "run", None))


def test_a_run_has_its_folder_to_itself(cup, tmp_path):
    folder = copied(cup, tmp_path / "run")
    with Run.resume(folder, {}), pytest.raises(QpolisError, match="another qpolis is playing this run"):
        Run.resume(folder, {})
    with Run.resume(folder, {}):
        pass


def test_a_folder_with_something_in_it_is_left_alone(cup, tmp_path):
    with pytest.raises(QpolisError, match="there is a run in it: go on with it"):
        Run.begin(cup, plan_of())
    (tmp_path / "diary").write_text("dear diary")
    with pytest.raises(QpolisError, match="is not empty: choose another folder"):
        Run.begin(tmp_path, plan_of())
    with pytest.raises(QpolisError, match="diary: is a file, not a folder: choose another folder"):
        Run.begin(tmp_path / "diary" / "run", plan_of())
    with pytest.raises(QpolisError, match="x: cannot be made: File name too long: choose another folder"):
        Run.begin(tmp_path / ("x" * 300), plan_of())
    assert [path.name for path in tmp_path.iterdir()] == ["diary"]


def test_a_full_disk_stops_a_run_that_then_goes_on(cup, tmp_path):
    wanted = (cup / "games.csv").read_text()
    with Run.begin(tmp_path / "run", plan_of()) as run:
        run.journal._file = FullDisk(run.journal._file, 1500)
        with pytest.raises(QpolisError, match="cannot be written: No space left"):
            run.play(WorkerPool(1), silent)
        kept = run.tally.games
        run.journal._file = run.journal._file.file
    assert 0 < kept < 120
    with Run.resume(tmp_path / "run", {}) as run:
        assert run.tally.games == kept
        run.play(WorkerPool(1), silent)
        assert texts(run)["games.csv"] == wanted


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 500}, "games: the run has 120, not 500"),
        ({"options": {"players": 3}}, "players: the run has 2, not 3"),
        ({"bots": ("mcts", "greedy")}, "bots: the run has"),
    ],
)
def test_a_changed_plan_is_refused(cup, changes, message):
    with pytest.raises(QpolisError, match=message):
        Run.resume(cup, changes)
    Run.resume(cup, {"games": 119, "options": {"players": "2"}}).__exit__()  # it comes to the same


def test_a_changed_file_or_engine_is_refused(cup, tmp_path, monkeypatch):
    folder = copied(cup, tmp_path / "run")
    plan = folder / "plan.toml"
    text = plan.read_text()
    plan.write_text(text.replace("seed = 5", "seed = 6"))
    with pytest.raises(QpolisError, match="belongs to another plan"):
        Run.resume(folder, {})
    plan.write_text(text.replace("games = 120", "games = 119"))
    with pytest.raises(QpolisError, match="was changed since the run began"):
        Run.resume(folder, {})
    plan.write_text(text)
    monkeypatch.setattr("qpolis.tourney.plan.__version__", "9.9.9")
    Run.resume(folder, {}).__exit__()
    monkeypatch.setattr("qpolis.tourney.plan.ENGINE_BEHAVIOUR", ENGINE_BEHAVIOUR + 1)
    with pytest.raises(QpolisError, match="engine has changed since the run began"):
        Run.resume(folder, {})


def test_a_changed_bot_is_refused(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(MINE)
    plan = make_plan(define({"bots": [str(bot), "random"], "games": 2}))
    Run.begin(tmp_path / "run", plan).__exit__()
    bot.write_text(bot.read_text().replace("0", "-1"))
    with pytest.raises(QpolisError, match=r"bot .*bot\.py has changed since the run began"):
        Run.resume(tmp_path / "run", {})
    bot.unlink()
    with pytest.raises(QpolisError, match="no such file"):
        Run.resume(tmp_path / "run", {})


# -- tasks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lineups", [1, 2, 7, 300])
def test_every_block_is_in_one_task(lineups):
    rng = np.random.default_rng(lineups)
    done = rng.random(3000) < 0.3
    queue = Queue(done, lineups, 1.0, 64)
    queue.workers = 3
    seen = []
    while (blocks := queue.task()) is not None:
        if rng.random() < 0.1:
            queue.give_back(blocks)
            continue
        assert len(blocks)
        seen += blocks.tolist()
        queue.learn(len(blocks), rng.random() * 2)
    assert sorted(seen) == np.flatnonzero(~done).tolist()


def test_tasks_grow_to_a_second_and_shrink_at_the_end():
    queue = Queue(np.zeros(100_000, bool), 1, 1.0, 1)
    queue.workers = 2
    sizes = []
    while (blocks := queue.task()) is not None:
        sizes.append(len(blocks))
        queue.learn(len(blocks), len(blocks) / 2000)
    assert sizes[0] == 1
    assert max(sizes) == 2000
    assert sizes[-1] == 1
    assert len(sizes) < 100


def test_the_blocks_of_a_lineup_are_played_together():
    order = np.concatenate(list(waves(np.zeros(10_000, bool), 5, 64)))
    assert sorted(order.tolist()) == list(range(10_000))
    assert (order[:64] == 5 * np.arange(64)).all()
    assert (order[64:128] == 5 * np.arange(64) + 1).all()
    assert (order // 320 == np.arange(10_000) // 320).all()
    assert (np.concatenate(list(waves(np.zeros(10_000, bool), 5, 1))) == np.arange(10_000)).all()


def test_a_file_is_replaced_at_once(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")

    def broken():
        yield b"new, but not all of it"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(path, broken())
    assert path.read_bytes() == b"old"
    assert write_file(path, [b"n", b"ew"]) == path
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(QpolisError, match="cannot be written: No such file"):
        write_file(tmp_path / "nowhere" / "table.csv", b"")


@pytest.mark.parametrize("bots", [["heuristic"], ["heuristic", "random"]])
def test_bots_against_themselves_are_played_and_rated(tmp_path, bots):
    plan = make_plan(define({"bots": bots, "seatings": "mirror", "players": 3, "games": 20, "seed": 5}))
    with Run.begin(tmp_path / "run", plan) as run:
        run.play(WorkerPool(1), silent)
        outcome = finish(run, 1.0, 1)
    assert outcome.results.games == 20
    assert outcome.ratings.elo.value.tolist() == pytest.approx([0] * len(bots), abs=1e-9)
    assert np.isfinite(outcome.ratings.seat_wins.value).all()
    assert not [line for line, bad in audit(tmp_path / "run", None) if bad]


def test_a_single_game_at_fixed_seats_is_rated_and_verified(tmp_path):
    bots = ["greedy", "random", "greedy"]
    plan = make_plan(define({"bots": bots, "players": 3, "games": 1, "seatings": "fixed"}))
    with Run.begin(tmp_path / "run", plan) as run:
        run.play(WorkerPool(1), silent)
        outcome = finish(run, 1.0, 1)
    assert outcome.results.who.tolist() == [[0, 1, 0]]
    assert outcome.ratings.games.tolist() == [1, 1]
    assert not any(bad for _, bad in audit(tmp_path / "run", None))
