"""The report of a tournament: what is in the page, and what a reader can do with it."""

from __future__ import annotations

import html
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from helpers.browser import watched
from helpers.command_line import refusal, run
from helpers.tourneys import plan_of, silent
from qpolis.cli.main import main
from qpolis.cli.tourney import asked_for, plan_keys, tourney
from qpolis.errors import QpolisError
from qpolis.report.content.outcome import read_outcome
from qpolis.report.finish import finish
from qpolis.report.pages import games
from qpolis.report.pages.games import choose, choose_games
from qpolis.report.pages.markup import join
from qpolis.report.pages.reproduce import command, reproduce, shown_folder
from qpolis.report.rewrite import rewrite
from qpolis.tourney.definition import define
from qpolis.tourney.plan import Plan, make_plan
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool

SECTIONS = ["standings", "crosstable", "convergence", "seats", "scores", "times", "abnormal", "games", "reproduce"]
EVIL = "<img src=x onerror=alert(1)>"
BAD_BOT = (
    "from qpolis import Bot\n\n\nclass Bad(Bot):\n    def choose(self, legal):\n"
    "        raise ValueError('</script><script>alert(1)</script>')\n"
)


def play(folder, **keys):
    """A run in a folder, to its end."""
    with Run.begin(folder, make_plan(define(keys))) as begun:
        begun.play(WorkerPool(1), silent)
        return finish(begun, 1.0, 1)


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """A run in which everything that has a name or a word to say tries to be markup."""
    folder = tmp_path_factory.mktemp("evil")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / f"{EVIL}.py").write_text(BAD_BOT)
        outcome = play(
            folder / "run", bots=[f"./{EVIL}.py", "heuristic"], games=10, name=f"<script>alert(1)<{EVIL}"
        )
        assert len(outcome.forfeits) == 10
    return folder / "run"


def text_of(folder):
    return (folder / "report.html").read_text()


# --- the page -----------------------------------------------------------------------------------------


def test_all_sections_are_there_in_order_and_linked(cup):
    text = text_of(cup)
    assert re.findall(r'<section id="(\w+)">', text) == SECTIONS
    assert re.findall(r'<a href="#(\w+)">', text[: text.index("<section")]) == SECTIONS
    assert "<h1>heuristic-random-greedy</h1>" in text
    assert (
        "Round-robin of Quadropolis (players 2, mode classic, mix base) between 3 bots: 120 games on 60 "
        "deals, each played in 2 seatings (rotations), seed 5."
    ) in text
    assert len(re.findall('<svg [^>]*role="img"', text)) == 5
    assert "Every game was played to its end by all bots." in text


def test_the_page_needs_nothing_from_outside(cup, evil):
    for folder in (cup, evil):
        text = text_of(folder)
        policy = html.unescape(re.search('Content-Security-Policy" content="([^"]*)"', text)[1])
        assert policy.startswith("default-src 'none'; ")
        assert "connect-src 'none'; script-src 'sha256-" in policy
        spaces = text.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
        assert not re.search(r"(https?:)?//[a-z0-9.]+\.[a-z]{2,}/", spaces)
        assert not re.search(r'(src|href)="(?!#|data:,")', text)


def test_names_stay_text(evil):
    text = text_of(evil)
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert "<script>alert" not in text
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text  # what the bot said when it crashed
    assert 'href="#abnormal"' in text


def test_forfeits_are_grouped_and_their_games_linked(evil):
    text = text_of(evil)
    part = text[text.index('<section id="abnormal">') : text.index('<section id="games">')]
    assert "10 games ended abnormally" in part
    assert ">crash</td>" in part
    linked = {int(number) for number in re.findall('href="#game-(\\d+)"', part)}
    assert linked == set(range(10))  # all of this small run are in the page
    assert 'id="replay-0"' in text
    assert "qpolis watch run --game N" in part


def test_no_path_of_this_machine_is_told(cup, tmp_path):
    assert str(cup.parent) not in text_of(cup)
    assert shown_folder(tmp_path / "a run") == "'a run'"


# --- games --------------------------------------------------------------------------------------------


def test_the_sample_is_told_why_and_always_the_same(cup):
    plan, outcome = read_outcome(cup)
    chosen = choose(plan, outcome, 16)
    assert chosen == choose(plan, outcome, 16)
    assert len(chosen) == 16
    results = outcome.results
    margins = np.abs(np.diff(results.points, axis=1))[:, 0]
    for number, why in chosen.items():
        if "closest" in why:
            assert margins[number] == margins.min()
        if "widest margin" in why:
            assert margins[number] == margins.max()
        if "highest score" in why:
            assert results.points[number].max() == results.points.max()
        if "longest" in why:
            assert results.decisions[number].sum() == results.decisions.sum(axis=1).max()
    reasons = " ".join(chosen.values())
    for word in ("closest", "widest", "highest", "longest", "the first of these bots"):
        assert word in reasons
    assert list(choose(plan, outcome, 2)) == list(chosen)[:2]
    assert choose(plan, outcome, 0) == {}
    assert len(choose(plan, outcome, 1000)) == 120


def test_games_are_asked_for(cup, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    said = run("report", str(folder), "--games", "0", "--game", "77", "--game", "3")
    assert re.fullmatch(r"written to .*report\.html\n0\.\d MB\n", said)
    assert re.findall(r'id="replay-(\d+)"', text_of(folder)) == ["77", "3"]
    assert "asked for" in text_of(folder)
    run("report", str(folder), "--games", "0")
    assert 'id="replay-' not in text_of(folder)
    assert "No game is in this page" in text_of(folder)
    assert refusal("report", str(folder), "--game", "120").endswith("the games of this run are 0 to 119")


def test_thinking_again_and_replays_have_their_limits(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    play(folder, bots=["mcts:sims=10", "random"], games=4)
    plan, outcome = read_outcome(folder)
    monkeypatch.setattr(games, "THINKING", 1e9)
    shown = choose_games(plan, folder, outcome)
    assert len(shown.replays) == 4
    assert not shown.without_thoughts
    monkeypatch.setattr(games, "THINKING", -1.0)
    monkeypatch.setattr(games, "MOST_BYTES", 1)
    late = choose_games(plan, folder, outcome, 16, [2])
    assert set(late.replays) == {2}  # what is asked for is there, however large
    assert late.without_thoughts == [2]
    assert late.size < len(shown.replays[2])
    limit = games._TimeLimit(-1.0)
    limit()  # before the first decision, which may take its time
    for _ in range(2):
        with pytest.raises(games._OutOfTime):
            limit()  # also before the first one of another game
    rewrite(folder, 1, ())
    assert "left out for want of time in game " in text_of(folder)


def test_without_moves_there_are_no_games(tmp_path):
    play(tmp_path / "run", bots=["heuristic", "random"], games=4, moves=False)
    text = text_of(tmp_path / "run")
    assert "The moves of this run were not recorded (--no-moves)" in text
    assert 'id="replay-' not in text
    assert "--no-moves" in text[text.index('<section id="reproduce">') :]


def test_changed_rules_leave_the_games_out(cup, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)

    def refuse(self):
        raise QpolisError("its rules have changed")

    monkeypatch.setattr(Plan, "load_game", refuse)
    rewrite(folder, 16, ())
    assert "No game can be shown: its rules have changed." in text_of(folder)
    assert 'id="replay-' not in text_of(folder)


# --- the command --------------------------------------------------------------------------------------


def test_the_report_is_the_same_when_made_again(cup, tmp_path):
    folder = tmp_path / "cup"
    shutil.copytree(cup, folder)
    (folder / "report.html").unlink()
    shutil.rmtree(folder / "plots")
    run("report", str(folder))
    assert text_of(folder) == text_of(cup)


def test_unfinished_and_bad_folders_are_told_in_one_line(tmp_path):
    with Run.begin(tmp_path / "half", plan_of()):
        pass
    assert refusal("report", str(tmp_path / "half")) == (
        f"qpolis: 0 of 120 games are there: go on with qpolis tourney --resume {tmp_path / 'half'}"
    )
    assert not (tmp_path / "half" / "report.html").exists()
    assert "no such folder" in refusal("report", str(tmp_path / "nowhere"))
    assert "not the folder of a run" in refusal("report", str(tmp_path))


def test_a_report_of_balance_has_no_games(tmp_path):
    (tmp_path / "plan.toml").write_text("within = 2.0\n")
    assert "leave out --game" in refusal("report", str(tmp_path), "--game", "1")


@pytest.mark.parametrize(
    "keys",
    [
        {"bots": ["mcts:sims=100", "greedy"]},
        {
            "bots": ["greedy", "heuristic", "random"],
            "players": 3,
            "mode": "expert",
            "seatings": "all",
            "games": 12,
        },
        {"bots": ["greedy", "heuristic"], "challenger": "random", "seed": 2**63, "moves": False},
        {
            "bots": ["greedy", "heuristic"],
            "sprt": "elo0=0,elo1=10,beta=0.1",
            "time_limit": 0.12345678,
            "memory_limit": 99,
        },
        {"bots": ["greedy"], "seatings": "mirror", "name": "it's a $(name) & more", "mix": "base:harbor+2:park-2"},
        {"bots": ["greedy", "heuristic"], "game": "quadrilatere", "options": {"slide": True}},
        {
            "bots": ["greedy", "heuristic", "random"],
            "game": "arkadia",
            "players": 3,
            "seatings": "duels",
            "time_limit": 1e6,
        },
        {"bots": ["greedy", "heuristic", "random"], "seatings": "listed", "listed": ["0 1", "2 0", "1 1"]},
    ],
    ids=lambda keys: "-".join(keys),
)
def test_the_command_makes_the_same_plan(keys):
    plan = make_plan(define(keys))
    words = shlex.split(command(plan))
    assert words[:2] == ["qpolis", "tourney"]
    with tourney.make_context("tourney", words[2:]) as context:
        again = asked_for(None, plan_keys(context.params))
    assert again.text() == plan.text()


def test_no_command_lists_the_seats_of_many_deals():
    keys = {"bots": ["greedy", "random"], "seatings": "listed", "listed": ["0 1", "1 0"] * 60}
    assert command(make_plan(define(keys))) == ""


def test_no_command_brings_a_person_back():
    plan = make_plan(define({"bots": ["greedy", "person"], "seatings": "fixed", "games": 1}), people=True)
    said = join(reproduce(plan, Path("results/person")))
    assert "qpolis tourney" not in said
    assert "qpolis verify results/person" in said


def test_the_verdict_of_a_sequential_test_is_told(tmp_path):
    play(tmp_path / "run", bots=["greedy", "random"], sprt="elo0=0,elo1=50")
    text = text_of(tmp_path / "run")
    assert re.search(r'<p class="verdict">[^<]*H1', text)
    assert "Sequential test of Quadropolis" in text


# --- in a browser -------------------------------------------------------------------------------------


def column(page, table, number):
    return page.locator(f"table.{table} tbody tr > :nth-child({number})").all_inner_texts()


def test_tables_are_sorted_both_ways_and_cells_have_tips(cup, browser):
    with watched(browser) as page:
        page.goto((cup / "report.html").as_uri())
        assert column(page, "standings", 1) == ["1", "2", "3"]
        points = page.locator("table.standings thead button", has_text="points")
        points.click()
        down = [float(text.replace("\u2212", "-")) for text in column(page, "standings", 6)]
        assert down == sorted(down, reverse=True)
        points.click()
        up = [float(text.replace("\u2212", "-")) for text in column(page, "standings", 6)]
        assert up == down[::-1]
        head = page.locator("table.cross thead button", has_text="heuristic")
        head.click()
        assert [text.split()[-1] for text in column(page, "cross", 1)] == ["greedy", "random", "heuristic"]
        head.click()
        assert [text.split()[-1] for text in column(page, "cross", 1)] == ["random", "greedy", "heuristic"]
        page.mouse.move(0, 0)
        page.locator("table.cross tbody tr", has_text="greedy").locator("td[data-said]").first.hover()
        tip = page.locator("#tip").inner_text()
        assert re.fullmatch(
            r"greedy ahead of \w+ in [\d.]+% \([\d.]+ to [\d.]+\) of 40 games, by \+[\d.]+ points", tip
        )
        assert page.locator("table.cross th.lit").count() == 2
        page.locator("table.cross td[tabindex='0']").press("ArrowDown")  # the table is one stop for the keyboard
        assert page.evaluate("document.activeElement.matches('table.cross td[data-said]:focus-visible')")
        assert page.locator("table.cross td[tabindex='0']").count() == 1


def test_games_open_below_their_table(cup, browser):
    numbers = re.findall(r'id="replay-(\d+)"', text_of(cup))
    with watched(browser) as page:
        page.goto((cup / "report.html").as_uri())
        assert page.locator("#game").is_hidden()
        page.locator("table.games tbody a").first.click()
        page.locator("#game .viewer").wait_for()
        assert f"game {numbers[0]} of" in page.locator("#game .lead").inner_text()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("location.hash") == f"#game-{numbers[0]}-move-2"
        page.evaluate(f"location.hash = '#game-{numbers[1]}-move-5'")
        page.locator("#game .said", has_text="5 of").wait_for()
        assert page.locator("#game .viewer").count() == 1
        assert f"game {numbers[1]} of" in page.locator("#game .lead").inner_text()
        page.emulate_media(media="print")
        for hidden in (".theme", "nav.contents", ".viewer .controls", "#game .shut"):
            assert page.locator(hidden).is_hidden()
        assert page.locator("table.standings").is_visible()
        page.emulate_media(media="screen")
        page.locator("#game .shut").click()
        assert page.locator("#game").is_hidden()
        page.evaluate("location.hash = '#game-999'")
        page.locator("#game", has_text="Game 999 is not in this page.").wait_for()


def test_a_link_opens_a_game_at_a_move(cup, browser):
    number = re.findall(r'id="replay-(\d+)"', text_of(cup))[3]
    with watched(browser, color_scheme="dark", viewport={"width": 420, "height": 800}) as page:
        page.goto(f"{(cup / 'report.html').as_uri()}#game-{number}-move-5")
        page.locator("#game .said", has_text="5 of").wait_for()
        assert page.locator("#game").evaluate("element => Math.abs(element.getBoundingClientRect().top)") < 100
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_names_that_would_be_scripts_run_nothing(evil, browser):
    with watched(browser) as page:
        page.on("dialog", lambda dialog: pytest.fail("a script of a name ran"))
        page.goto((evil / "report.html").as_uri())
        assert page.locator("h1").inner_text() == f"<script>alert(1)<{EVIL}"
        page.locator("#abnormal a").first.click()
        page.locator("#game .viewer").wait_for()
        page.keyboard.press("End")
        assert "alert(1)" in page.locator("#game .said").inner_text()
        assert page.locator("img").count() == 0
        page.locator("table.cross td[data-said]").first.hover()
        assert EVIL in page.locator("#tip").inner_text()


def test_help_says_what_a_report_is():
    assert "report.html" in CliRunner().invoke(main, ["report", "--help"]).output
