"""Boards of Arkadia where games are played: commands, runs and what they rest on, bots in their processes."""

from __future__ import annotations

import pickle
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from helpers.arkadia_boards import uneven
from helpers.command_line import refusal, run
from helpers.tourneys import plan_of, silent
from qpolis import load_game
from qpolis.cli.main import main
from qpolis.games.arkadia.board import RECONSTRUCTED
from qpolis.games.arkadia.board_file import PACKAGED
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool

DOCS = Path(__file__).parents[1] / "docs"
ARKADIA = ("--game", "arkadia", "-o", "board=./mine.toml")
NEWS = r"its rules, or a file that an option names, have changed since the run began"
BOT = '''\
"""Plays what load_game with the options of the game says is legal."""
import qpolis


class Reader(qpolis.Bot):
    def __init__(self, info, seat, seed, parameters):
        self.game = qpolis.load_game(info.name, **info.options)

    def observe(self, observation):
        self.seen = observation

    def choose(self, legal):
        assert self.game.board.blocks == (3, 4, 2)
        assert self.game.imagine(self.seen).legal() == list(legal)
        return legal[-1]


BOT = Reader
'''


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A working directory with another board, mine.toml."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(uneven())
    return tmp_path


# --- commands ---


def test_show_tells_what_is_reconstructed():
    output = run("board", "show")
    assert RECONSTRUCTED in " ".join(output.split())
    assert "6 places of the lot: i4-l6, f5-i7, g5-j7, e6-h8, f5-h8, f6-h9" in output
    assert re.search(r"^all +10 +10 +10 +10 +40$", output, re.MULTILINE)
    assert "4  . . ^ . . . c C s . ." in output  # the trade centre of the introduction covers the camp on h4
    assert max(map(len, output.splitlines())) < 90


@pytest.mark.parametrize("page", ["README.md", "docs/boards.md", "qpolis/games/arkadia/RULES.md"])
def test_pages_say_what_is_reconstructed(page):
    said = " ".join(re.sub(r"[`*]", "", (DOCS.parent / page).read_text()).split())
    assert RECONSTRUCTED[1:] in said


def test_runs_say_what_they_rest_on(there):
    assert load_game("arkadia", setup="intro").notes() == (RECONSTRUCTED,)
    assert load_game("arkadia", board="./mine.toml").notes() == ()
    assert RECONSTRUCTED in run("tourney", "--game", "arkadia", "--bots", "random,heuristic", "--dry-run")


def test_show_another_board(there):
    output = run("board", "show", "./mine.toml")
    assert output.startswith("./mine.toml: 8 camps, 34 cards\n")
    assert "reconstructed" not in output
    assert re.search(r"^farm +2 +1 +0 +1 +4$", output, re.MULTILINE)
    assert "#####" in output
    assert (
        refusal("board", "show", "./none.toml") == "qpolis: ./none.toml: cannot be read: No such file or directory"
    )


def test_write_does_not_write_over_a_file_unless_forced(there):
    assert refusal("board", "write", "mine.toml") == "qpolis: mine.toml: is there already; --force writes over it"
    assert Path("mine.toml").read_text() == uneven()
    assert run("board", "write", "mine.toml", "--force").startswith("wrote mine.toml; ")
    assert Path("mine.toml").read_bytes() == PACKAGED.read_bytes()
    run("board", "write", "new.toml")
    assert Path("new.toml").read_bytes() == PACKAGED.read_bytes()


def test_the_page_about_boards_shows_what_is_printed(there):
    page = (DOCS / "boards.md").read_text()
    shown = re.findall(r"^\$ qpolis (board .*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) > 2
    for command, text in shown:
        if command.startswith("board show ./six"):
            Path("six.toml").write_text(PACKAGED.read_text().replace("\n####\n", "\n######\n"))
            assert refusal(*command.split()) + "\n" == text
        else:
            assert run(*command.split()) == text


def test_the_page_about_boards_has_every_key():
    page = (DOCS / "boards.md").read_text()
    table = re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)
    told = tomllib.loads(PACKAGED.read_text())
    tables = ("forms", "cards", "introduction")
    keys = [key for key in told if key not in tables]
    keys += ["forms.TYPE", "cards.FAMILY", *(f"introduction.{key}" for key in told["introduction"])]
    assert table == keys


def test_it_is_an_option_of_every_command(there):
    assert "board    board, forms and cards: base (reconstructed), or the path of a TOML file" in run("games")
    output = run("play", *ARKADIA, "--bots", "random,random", "--seed", "3")
    assert "seat 1:" in output
    assert refusal("play", "--game", "arkadia", "--board", "bse").startswith(
        "qpolis: unknown board 'bse', did you m"
    )
    assert refusal("play", "--board", "./mine.toml").startswith("qpolis: unknown option of quadropolis 'board'")


# --- runs ---


def test_a_run_goes_on_with_its_board_only(there):
    plan = plan_of(game="arkadia", board="./mine.toml", bots=["heuristic", "random"], games=6)
    with Run.begin(there / "run", plan) as begun:
        begun.play(WorkerPool(1), silent)
    assert 'board = "./mine.toml"' in (there / "run" / "plan.toml").read_text()
    Path("mine.toml").write_text("# only a comment\n" + uneven())
    assert "seat 1" in run("replay", "run", "--game", "0")
    Path("mine.toml").write_text(uneven().replace("[3, 4, 2]", "[3, 4, 3]"))
    Path("run", "games.csv").touch()  # as if the run had come to its end
    for command in ("tourney --resume run", "verify run", "replay run --game 0", "watch run --game 0"):
        result = CliRunner().invoke(main, command.split())
        assert result.exit_code == 2, command
        assert re.search(NEWS, result.stderr), command
    Path("mine.toml").unlink()
    assert refusal("verify", "run") == "qpolis: ./mine.toml: cannot be read: No such file or directory"


def test_a_python_bot_in_its_process_finds_the_board(there):
    Path("reader.py").write_text(BOT)
    output = run("play", *ARKADIA, "--bots", "./reader.py,./reader.py", "--seed", "3")
    assert "forfeit" not in output
    assert "seat 1:" in output


@pytest.mark.long(only=True)
def test_a_question_about_balance_on_another_board(there):
    run("balance", *ARKADIA, "--bots", "random", "--games", "20", "--out", "asked")
    assert "mine.toml" in Path("asked", "plan.toml").read_text()


def test_games_are_found_again_in_other_processes(there):
    game = load_game("arkadia", board="./mine.toml")
    state = game.new(2)
    again = pickle.loads(pickle.dumps(state))
    assert again.to_dict() == state.to_dict()
    assert again.game.board == game.board
