"""Games by their moves: `qpolis import` reads what `qpolis export --moves` writes, and what people write."""

from __future__ import annotations

import json
import os
import random
import shutil

import pytest

import qpolis
from helpers.command_line import refusal, run
from helpers.tourneys import TABLES
from qpolis.errors import QpolisError

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
PEOPLE = ["Ada", "Ben, jr", "Chloë"]


def written(path, *records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return str(path)


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def games(count, name="quadrilatere", seed=0, **options):
    """Games of people who choose at random: with their results."""
    game, dice = qpolis.load_game(name, **options), random.Random(5)
    for deal in range(count):
        state, moves = game.new(seed, deal), []
        while not state.over:
            action = dice.choice(state.legal())
            moves.append(game.text(state, action))
            state.apply(action)
        bots = dice.sample(PEOPLE, 2)
        yield {"bots": bots, "moves": moves, "scores": state.scores(), "ranks": state.ranks()}


@pytest.fixture(scope="module")
def table():
    return list(games(8))


def test_a_run_comes_back_from_its_moves(cup, folder):
    run("export", str(cup), "--moves", "--out", "cup.jsonl", "--quiet")
    head, *lines = read(folder / "cup.jsonl")
    assert head["plan"].encode() == (cup / "plan.toml").read_bytes()
    assert len(lines) == 120
    assert lines[7]["number"] == 7
    random.Random(1).shuffle(lines)
    run("import", written(folder / "shuffled.jsonl", head, *lines), "--out", "again", "--quiet")
    for name in (*TABLES, "plan.toml"):
        assert (folder / "again" / name).read_bytes() == (cup / name).read_bytes(), name
    run("verify", "again")


def test_a_part_of_a_run_comes_back_as_a_run_that_goes_on(cup, folder):
    run("export", str(cup), "--moves", "--games", "0-59,80-119", "--out", "part.jsonl", "--quiet")
    assert "100 of 120 games are there: go on with qpolis tourney --resume" in run(
        "import", "part.jsonl", "--out", "part"
    )
    run("tourney", "--resume", "part", "--quiet", "--workers", "1")
    for name in TABLES:
        assert (folder / "part" / name).read_bytes() == (cup / name).read_bytes(), name


def test_games_of_people_are_rated_watched_and_verified(table, folder):
    """A game without chance needs neither seed nor deal; who plays sits where the file says."""
    path = written(folder / "evening.jsonl", {"kind": "games of qpolis", "game": "quadrilatere"}, *table)
    said = run("import", path, "--out", "evening")
    assert "8 games of quadrilatere between 3 players" in said
    rows = (folder / "evening/games.csv").read_text()
    for number, game in enumerate(table):
        for seat, (name, points, rank) in enumerate(zip(game["bots"], game["scores"], game["ranks"])):
            cell = f'"{name}"' if "," in name else name
            assert f"\n{number},{number},{seat},{cell},{points},{rank}," in rows
    assert "8 games played again: scores, ranks and hashes agree" in run("verify", "evening")
    assert table[3]["moves"][0] in run("replay", "evening", "--game", "3")
    run("watch", "evening", "--game", "3")
    run("report", "evening", "--games", "1")
    page = (folder / "evening/report.html").read_text()
    assert "These games were played elsewhere and imported: no command plays them again." in page
    run("export", "evening", "--moves", "--quiet")
    run("import", "evening/moves.jsonl", "--out", "again", "--quiet")
    assert (folder / "again/games.csv").read_text() == rows


def test_a_game_with_chance_is_played_again_from_its_seed(folder):
    lines = [
        {**game, "bots": ["Ada", "Ben"], "deal": deal} for deal, game in enumerate(games(3, "quadropolis", 9))
    ]
    common = {"game": "quadropolis", "options": {"players": 2}}
    path = written(folder / "three.jsonl", *({**common, "seed": 9, **line} for line in reversed(lines)))
    run("import", path, "--out", "three", "--quiet")
    assert 'seatings = "fixed"' in (folder / "three/plan.toml").read_text()
    run("verify", "three")
    path = written(folder / "none.jsonl", *({**common, **line} for line in lines))
    assert "none.jsonl: line 1: there is no seed: quadropolis draws by chance" in refusal("import", path)
    path = written(folder / "two.jsonl", *({**common, "seed": line["deal"] // 2, **line} for line in lines))
    assert "two.jsonl: line 3: seed: 1 is not 0 as before" in refusal("import", path)
    path = written(folder / "wrong.jsonl", *({**common, "seed": 10, **line} for line in lines))
    assert "wrong.jsonl: line 1: move " in refusal("import", path)
    assert sorted(os.listdir(folder)) == ["none.jsonl", "three", "three.jsonl", "two.jsonl", "wrong.jsonl"]


def test_forfeits_come_back(cup, folder):
    """A game that ended before its end, with the reason."""
    run("export", str(cup), "--moves", "--games", "0-1", "--out", "two.jsonl", "--quiet")
    head, *lines = read(folder / "two.jsonl")
    head["plan"] = head["plan"].replace("games = 120", "games = 2")
    for line in lines:
        del line["scores"], line["ranks"], line["decisions"]
        line |= {"moves": line["moves"][:5], "ends": ["stopped", "timeout"], "reasons": {"1": "thought for long"}}
    run("import", written(folder / "two.jsonl", head, *lines), "--out", "two", "--quiet")
    rows = (folder / "two/games.csv").read_text().splitlines()[1:]
    assert [row.split(",")[-1] for row in rows] == ["stopped", "timeout"] * 2
    assert "thought for long" in (folder / "two/forfeits.txt").read_text()
    run("verify", "two")
    run("export", "two", "--moves", "--quiet")
    again = read(folder / "two/moves.jsonl")[1:]
    assert all(line.items() <= other.items() for line, other in zip(lines, again))


def changed(table, number=2, **keys):
    return [
        {"game": "quadrilatere", **game, **(keys if place == number else {})} for place, game in enumerate(table)
    ]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"moves": ["nonsense"]}, "line 3: move 1: 'nonsense' is no action"),
        ({"moves": []}, "line 3: the game is not over after its 0 moves"),
        ({"moves": None}, "line 3: moves: null is not a list of texts of moves"),
        ({"bots": ["Ada"]}, "line 3: bots: 1 for 2 seats"),
        ({"bots": ["Ada", 7]}, 'line 3: bots: ["Ada", 7] is not a list of names, seat by seat'),
        ({"game": "quadropolis"}, "line 3: game: 'quadropolis' is not 'quadrilatere' as before"),
        ({"scores": [99, 99]}, "line 3: scores: [99, 99]: the moves lead to ["),
        ({"ranks": [0, 0]}, "line 3: ranks: [0, 0]: the moves lead to ["),
        ({"ends": ["crash", "crash"]}, "line 3: ends: one seat forfeits"),
        ({"ends": ["lost", "won"]}, 'line 3: ends: ["lost", "won"] is not a list of finished, '),
        ({"reasons": {"0": "slow"}}, "line 3: reasons: only a seat that forfeited has one"),
        ({"winner": "Ada"}, "line 3: unknown key 'winner' (known: bots, "),
    ],
    ids=str,
)
def test_a_bad_game_gets_one_line_that_says_where(table, folder, keys, problem):
    path = written(folder / "bad.jsonl", *changed(table, **keys))
    assert f"bad.jsonl: {problem}" in refusal("import", path, "--out", "new")
    assert os.listdir(folder) == ["bad.jsonl"]


def test_a_move_that_is_not_legal_is_said_with_those_that_are(table, folder):
    moves = list(table[0]["moves"])
    moves[1] = moves[0]
    path = written(folder / "bad.jsonl", *changed(table, 0, moves=moves))
    assert f"line 1: move 2: '{moves[0]}' is not legal here (legal: " in refusal("import", path)
    path = written(folder / "bad.jsonl", *changed(table, 0, moves=[*table[0]["moves"], moves[0]]))
    assert f"line 1: move {len(moves) + 1}: the game is over before it" in refusal("import", path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no game in it"),
        ("\n\n", "there is no game in it"),
        ("{}\n", "line 1: there is no bots: a list of names"),
        ('\n{"bots": [\n', "line 2: not JSON: Expecting value"),
        ("[1]\n", "line 1: not an object such as"),
        ('{"kind": "games"}\n', 'line 1: kind: "games" is not "games of qpolis"'),
        ('{"kind": "games of qpolis", "format": 2}\n', "line 1: format: 2 is not 1, which this qpolis reads"),
        ('{"kind": "games of qpolis", "plan": "bots = 1"}\n', "line 1: plan: plan.toml: bots: 1 is not a list"),
        ('{"bots": ["a", "b"], "moves": []}\n', "line 1: there is no game: the name of a game"),
        ('{"game": "chess", "bots": ["a", "b"], "moves": []}\n', "line 1: unknown game 'chess'"),
        ('{"game": "quadropolis", "options": {"players": 9}, "bots": [], "moves": []}', "line 1: option players"),
        ("[" * 100_000, "line 1: not JSON: "),
        ("\ud800", "line 1: not UTF-8 text"),
    ],
    ids=lambda value: value[:40],
)
def test_a_strange_file_gets_one_line(folder, text, problem):
    (folder / "strange.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert f"strange.jsonl: {problem}" in refusal("import", "strange.jsonl")
    assert os.listdir(folder) == ["strange.jsonl"]


def test_files_that_are_none(folder):
    assert "nowhere: cannot be read" in refusal("import", "nowhere")
    assert "/dev/zero: not a file that can be a file of games" in refusal("import", "/dev/zero")


def test_a_plan_and_its_games_have_to_fit(cup, folder):
    run("export", str(cup), "--moves", "--games", "0-3", "--out", "four.jsonl", "--quiet")
    head, *lines = read(folder / "four.jsonl")
    for change, problem in (
        (lambda: lines.pop(), "line 4: game 3 of the same deal is missing"),
        (lambda: lines.append(lines[0]), "line 6: number: game 0 is there twice"),
        (lambda: lines[1].update(number=120), "line 3: number: the games of this plan are 0 to 119"),
        (lambda: lines[1].update(deal=1), "line 3: deal: game 1 of this plan has the deal 0"),
        (lambda: lines[1]["bots"].reverse(), "line 3: bots: game 1 of this plan is between random, heuristic"),
    ):
        kept = json.loads(json.dumps(lines))
        change()
        assert f"four.jsonl: {problem}" in refusal("import", written(folder / "four.jsonl", head, *lines))
        lines[:] = kept


def test_a_folder_is_not_left_half_written(table, folder, monkeypatch):
    """Nor is one touched that has something in it."""
    path = written(folder / "evening.jsonl", *changed(table))
    (folder / "full").mkdir()
    (folder / "full/mine").touch()
    assert "full: is not empty" in refusal("import", path, "--out", "full")
    assert os.listdir("full") == ["mine"]

    def fail(*_):
        raise QpolisError("games.csv: cannot be written: No space left on device")

    monkeypatch.setattr("qpolis.report.finish.write_games", fail)
    assert "No space left on device" in refusal_after("import", path, "--out", "new")
    assert not (folder / "new").exists()
    shutil.rmtree(folder / "full")


def refusal_after(*words):
    """The last line of a command that fails after it has said something."""
    from click.testing import CliRunner

    from qpolis.cli.main import main

    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    return result.output.splitlines()[-1]
