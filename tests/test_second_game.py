"""Every command with a game that has no chance, no tile mixes, no kinds of buildings and always two players: it
needs not a line outside its own folder, and what it lacks is refused in one line."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from balances import answer_to
from test_cli import refusal, results, run
from tourneys import TABLES, plan_of

import qpolis
from qpolis.bots.spec import resolve
from qpolis.bots.templates import TEMPLATES, write_bot
from qpolis.games import DEFAULT_GAME, game_class, names
from qpolis.report.balance.summary import summary
from qpolis.tourney.match import play_deals
from qpolis.tourney.repeats import Repeat, find_repeats

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
ROOT = Path(__file__).parent.parent
PACKAGE = Path(qpolis.__file__).parent
GAME = ("--game", "quadrilatere")
VARIANT = ("-o", "slide=off", "-o", "border=wall")
KNOWN = "(known: border, slide)"
SHIPPED = sorted((ROOT / "tournaments").glob("quadrilatere*.toml"))
PICKS = '''
from qpolis import Bot
class Picks(Bot):
    """Always the same."""
    def choose(self, legal): return legal[{}]
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working directory of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """The folder of a tournament of the variant, and what was said about it."""
    place = tmp_path_factory.mktemp("second") / "cup"
    said = run("tourney", *GAME, *VARIANT, "--bots", "greedy,heuristic,random", "--games", "60", "--workers", "1",
               "--out", str(place))
    return place, said


@pytest.mark.parametrize("name", [name for name in names() if name != DEFAULT_GAME])
def test_nothing_outside_its_folder_names_a_game(name):
    """It drops into the framework: only the default game is named, as the default."""
    words = re.compile(f"{name}|{game_class(name).title}", re.IGNORECASE)
    own = PACKAGE / "games" / name
    naming = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".toml", ".json", ".csv")
              and words.search(path.read_text(encoding="utf-8"))]
    assert naming, "the game does not even name itself"
    assert [path for path in naming if own not in path.parents] == []


# --- one game -----------------------------------------------------------------------------------------


def test_play_in_its_variants():
    output = run("play", *GAME, *VARIANT, "--bots", "greedy,random")
    assert output.splitlines()[0] == "Quadrilatère, slide off, border wall, seed 0"
    assert len(results(output)) == 2
    assert run("play", *GAME).startswith("Quadrilatère, slide on, border groove, seed 0\n")
    assert "of Quadrilatère (slide off, border groove)" in run("demo", *GAME, "-o", "slide=off", "--games", "50")


@pytest.mark.parametrize(("arguments", "words"), [
    (["play", "--players", "3"], f"unknown option of quadrilatere 'players' {KNOWN}"),
    (["play", "--mix", "base"], f"unknown option of quadrilatere 'mix' {KNOWN}"),
    (["demo", "--mode", "expert"], f"unknown option of quadrilatere 'mode' {KNOWN}"),
    (["play", "-o", "slide=maybe"], "option slide: 'maybe' is not one of on, off"),
    (["play", "-o", "bordr=wall"], f"unknown option of quadrilatere 'bordr', did you mean 'border'? {KNOWN}"),
    (["play", "-o", "slide=on", "-o", "slide=off"], "slide is given twice, as 'on' and as 'off'"),
    (["play", "--bots", "random"], "qpolis: --bots: 1 for 2 seats"),
    (["tourney", "--bots", "greedy,random", "--players", "2"], f"'players' {KNOWN}"),
    (["tourney", "--bots", "greedy,random", "--mix", "base"], f"'mix' {KNOWN}"),
    (["tourney", "--bots", "greedy:forbid=harbor,random"], "forbid: quadrilatere has no kinds of buildings"),
    (["balance", "--mix", "base"], "mix: quadrilatere has no tile mixes (its options: border, slide)"),
    (["balance", "-o", "mix=base"], f"'mix' {KNOWN}"),
    (["balance", "--forbid", "harbor"], "forbid: quadrilatere has no kinds of buildings to choose from"),
    (["balance", "--favor", "all"], "favor: quadrilatere has no kinds of buildings to choose from"),
    (["balance", "--bots", "greedy:favor=park"], "favor: quadrilatere has no kinds of buildings"),
    (["balance", "search", "--target", "seats=3"], "quadrilatere has no tile mixes to search"),
    (["balance", "search", "--target", "seats=3", "--start", "base"], "mix: quadrilatere has no tile mixes"),
], ids=" ".join)
def test_what_it_lacks_is_refused_in_one_line(arguments, words, folder):
    said = refusal(*arguments, *GAME)
    assert words in said
    assert "--players changes" not in said
    assert os.listdir(folder) == []


def test_an_option_given_in_two_ways():
    assert "players is given twice, as '2' and as 3" in refusal("play", "--players", "3", "-o", "players=2")


# --- bots ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TEMPLATES)
def test_new_bots_play_it(kind):
    """Nothing in them is about another game, and they know more than chance does."""
    output = run("new-bot", "my_bot", "--kind", kind, *GAME)
    assert output.splitlines()[1:] == ["  qpolis check my_bot --game quadrilatere",
                                       "  qpolis play --game quadrilatere --bots my_bot,random"]
    (path,) = Path("bots").iterdir()
    assert DEFAULT_GAME not in path.read_text(encoding="utf-8").lower()
    game = qpolis.load_game("quadrilatere", border="wall")
    batch = play_deals(game, [resolve("my_bot"), resolve("random")], seed=1, first=0, games=4)
    assert batch.reasons == {}
    assert (batch.ranks[:, 0] == 0).sum() >= 3


def test_a_game_without_a_sample_gets_a_bot_that_plays(monkeypatch):
    monkeypatch.setattr(game_class("quadrilatere"), "sample", "")
    write_bot("my_bot", "program", "quadrilatere")
    output = run("play", *GAME, "--bots", "my_bot,random")
    assert len(results(output)) == 2
    assert "forfeits" not in output


def test_mistakes_at_new_bot():
    assert "did you mean 'quadrilatere'?" in refusal("new-bot", "x", "--game", "quadrilater")
    assert not Path("bots").exists()


@pytest.mark.parametrize(("name", "reason"), [
    ("tidy.py", "ValueError: plays Quadropolis only, not Quadrilatère"),
    ("hoarder.py", "policy hoarder: no record of quadrilatere has a field 'rounds'"),
    pytest.param("magpie.pl", "plays Quadropolis only, not Quadrilatère",
                 marks=pytest.mark.skipif(not shutil.which("perl"), reason="needs Perl")),
])
def test_bots_of_another_game_forfeit_and_say_why(name, reason):
    output = run("play", *GAME, "--bots", f"{ROOT / 'bots' / name},random")
    assert f"seat 0 forfeits (crash): {reason}" in output


def test_a_new_program_says_which_game_it_plays():
    run("new-bot", "my_bot", "--kind", "program")
    output = run("play", *GAME, "--bots", "my_bot,random")
    assert "seat 0 forfeits (crash): plays Quadropolis only" in output


def test_check_goes_through_all_variants():
    output = run("check", "greedy", *GAME)
    assert "plays whole games in every variant             ok    8 games" in output


# --- tournaments --------------------------------------------------------------------------------------


def test_a_tournament(cup):
    place, said = cup
    assert "of quadrilatere (slide off, border wall), seed 0" in said
    assert "30 deals (all alike, nothing is drawn in this game), each played in 2 seatings" in said
    assert "warning" not in said
    assert sorted(path.name for path in (place / "plots").glob("*.png")) == [
        "convergence.png", "crosstable.png", "ratings.png", "scores.png", "seats.png", "times.png"]
    assert "60 games played again: scores, ranks and hashes agree" in run("verify", str(place))
    assert len(results(run("replay", str(place), "--game", "7"))) == 2


def test_a_resumed_tournament_ends_with_the_same_files(cup, folder):
    place = shutil.copytree(cup[0], folder / "again")
    journal = place / "journal.bin"
    os.truncate(journal, journal.stat().st_size - 1)
    for name in TABLES:
        (place / name).unlink()
    assert "the run has off, not on" in refusal("tourney", "--resume", str(place), "-o", "slide=on")
    run("tourney", "--resume", str(place), "--workers", "1")
    assert [(place / name).read_bytes() for name in TABLES] == [(cup[0] / name).read_bytes() for name in TABLES]


def test_definitions_in_files(folder):
    Path("cup.toml").write_text('game = "quadrilatere"\nbots = ["greedy", "random"]\ngames = 4\n'
                                '[options]\nslide = false\nborder = "wall"\n', encoding="utf-8")
    assert "cup: round-robin of quadrilatere (slide off, border wall)" in run("tourney", "cup.toml", "--dry-run")
    assert "(slide on, border wall)" in run("tourney", "cup.toml", "--dry-run", "-o", "slide=on")
    Path("bad.toml").write_text('game = "quadrilatere"\nbots = ["greedy", "random"]\n[options]\nslide = 0\n',
                                encoding="utf-8")
    assert "option slide: 0 is not one of on, off" in refusal("tourney", "bad.toml")
    assert sorted(os.listdir(folder)) == ["bad.toml", "cup.toml"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_definitions(path):
    output = run("tourney", str(path), "--dry-run", "--bots", "greedy,random")
    assert f"{path.stem}: round-robin of quadrilatere" in output
    assert f"`{path.name}`" in (ROOT / "tournaments" / "README.md").read_text(encoding="utf-8")


def picking_bots():
    for name, number in (("one", 0), ("two", -1)):
        Path(f"{name}.py").write_text(PICKS.format(number), encoding="utf-8")
    return "./one.py,./two.py"


@pytest.mark.parametrize("moves", [[], ["--no-moves"]], ids=" ".join)
def test_games_that_repeat_each_other_are_counted(moves):
    """Bots without chance in a game without chance: whatever the number of games, two differ."""
    said = run("tourney", *GAME, "--bots", f"{picking_bots()},random", "--games", "24", "--workers", "1", *moves)
    assert re.findall("^warning.*$", said, re.MULTILINE) == [
        "warning: ./one.py, ./two.py: only 2 of 8 games differ move by move; "
        "intervals do not know that the others repeat them"]


def test_what_counts_as_a_repeated_game():
    """The same moves in the same seating, played to the end; a few of them are not worth a word."""
    plan = plan_of(game="quadrilatere", bots=["heuristic", "random"], games=40)
    hashes, whole = np.arange(40).astype(np.uint64), np.ones(40, bool)
    assert find_repeats(plan, hashes, whole) == []
    hashes[1::2] = hashes[::2]  # the other seating
    assert find_repeats(plan, hashes, whole) == []
    hashes[:10:2] = 7
    assert find_repeats(plan, hashes, whole) == []
    hashes[10] = 7
    assert find_repeats(plan, hashes, whole) == [Repeat(("heuristic", "random"), 40, 35)]
    whole[[8, 10]] = False
    assert find_repeats(plan, hashes, whole) == []


def test_the_same_bots_on_other_deals_do_not_repeat_games():
    said = run("tourney", "--bots", picking_bots(), "--games", "8", "--workers", "1")
    assert "warning" not in said


def test_a_sequential_test():
    said = run("tourney", *GAME, "--bots", "greedy,random", "--sprt", "elo0=0,elo1=100", "--games", "100",
               "--workers", "1")
    assert "H1 accepted" in said


# --- balance ------------------------------------------------------------------------------------------


def test_balance_says_what_makes_sense(folder):
    said = run("balance", *GAME, *VARIANT, "--bots", "greedy,random", "--games", "90", "--ladder", "2,8",
               "--ladder-games", "8", "--workers", "1", "--out", "b")
    assert "games of quadrilatere (slide off, border wall), seed 0" in said
    headings = re.findall("^[a-z].*$", said.partition("\n\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert headings == ["seats", "points", "drama", "choices", "luck and skill"]
    assert "greedy: the first player wins" in said
    assert not re.search("tile|building|mix|==|the deal ", said)
    assert {path.stem for path in Path("b/plots").glob("*.png")} == {"seats", "scores", "drama", "ladder"}
    groups = {line.split(",")[3] for line in Path("b/measures.csv").read_text(encoding="utf-8").splitlines()[1:]}
    assert groups == {"seats", "scores", "drama", "choices", "skill", "field", "ladder"}
    before = {path.name: path.read_bytes() for path in Path("b").iterdir() if path.is_file()}
    run("balance", "--resume", "b", "--workers", "1")
    assert {path.name: path.read_bytes() for path in Path("b").iterdir() if path.is_file()} == before


def test_a_dry_balance_has_no_mixes_to_name():
    said = run("balance", *GAME, "--games", "30", "--dry-run")
    assert [line.strip() for line in said.splitlines()] == [
        "10 games  greedy against itself", "10 games  heuristic against itself", "10 games  the field",
        "30 games in all"]


def test_balance_says_that_games_repeat_each_other(folder):
    answer = answer_to(folder / "b", game="quadrilatere", bots=["random"], games=4)
    assert not any("warning" in line for line in summary(answer))
    runs = [replace(run, repeats=[Repeat(("random",), 4, 1)]) for run in answer.runs]
    assert summary(replace(answer, runs=runs))[-1].startswith("warning: random: only 1 of 4 games differ")
