"""A game in a real browser: stepping, jumping, links to moves, what a search thought, and hostile names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import qpolis
from helpers.browser import watched
from helpers.hostile_games import HOSTILE, played_out
from helpers.toys import Counting
from qpolis.games import names
from qpolis.report.content.replay import make_replay, thoughts_of
from qpolis.report.pages.watch import game_page
from qpolis.tourney.match import play_deals
from qpolis.tourney.records import GameRecord


def written(path: Path, content: bytes) -> str:
    """The address of a page that was written."""
    path.write_bytes(content)
    return path.as_uri()


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """The page of a game of a search, and its replay."""
    from qpolis.registry.spec import resolve

    specs = ["mcts:sims=10", "random"]
    game = qpolis.load_game("quadropolis")
    batch = play_deals(game, [resolve(spec) for spec in specs], 9, 0, 1, record=True)
    played = GameRecord(
        9,
        0,
        specs,
        batch.actions.tolist(),
        batch.points[0].tolist(),
        batch.ranks[0].tolist(),
        batch.ends[0].tolist(),
        {},
    )
    shown = make_replay(game, played, "seed 9", thoughts_of(game, played))
    return written(tmp_path_factory.mktemp("pages") / "game.html", game_page(shown)), shown


def at(page) -> int:
    """The number of the position that is shown."""
    said = page.locator(".said").inner_text()
    return int(said.split(" of ")[0])


def reached(page, number) -> None:
    """Wait for a position: the page hears of a new address a little later."""
    page.locator(".said", has_text=re.compile(rf"^{number} of ")).wait_for()


def test_stepping_through_a_game(browser, searched):
    address, shown = searched
    last = len(shown["frames"]) - 1
    with watched(browser) as page:
        page.goto(address)
        page.wait_for_selector(".viewer")
        assert at(page) == 0
        for key, number in (
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("End", last),
            ("ArrowRight", last),
            ("Home", 0),
            ("ArrowLeft", 0),
        ):
            page.keyboard.press(key)
            assert at(page) == number
        page.get_by_label("forward (→)").click()
        page.get_by_label("end (End)").click()
        page.get_by_label("back (←)").click()
        assert at(page) == last - 1
        page.get_by_label("position").fill("5")
        assert at(page) == 5
        assert page.url.endswith("#move-5")
        text = shown["frames"][5]["move"]["text"]
        assert text in page.locator(".said").inner_text()
        assert page.locator(".moves [aria-current]").inner_text().endswith(text)
        page.locator(".moves a").nth(8).click()
        reached(page, 8)


def test_a_link_leads_to_a_move(browser, searched):
    address, shown = searched
    with watched(browser) as page:
        page.goto(f"{address}#move-7")
        page.wait_for_selector(".viewer")
        assert at(page) == 7
        page.goto(f"{address}#move-999999")
        reached(page, len(shown["frames"]) - 1)


def test_chapters_can_be_jumped_to(browser, searched):
    address, shown = searched
    chapters = [frame["chapter"] for frame in shown["frames"]]
    second = next((number for number, name in enumerate(chapters) if name != chapters[0]), None)
    assert second
    with watched(browser) as page:
        page.goto(address)
        page.wait_for_selector(".viewer")
        page.keyboard.press("PageDown")
        assert at(page) == second
        page.keyboard.press("PageUp")
        assert at(page) == 0
        page.get_by_label("jump to").select_option(chapters[second])
        assert at(page) == second


def test_what_a_search_thought_is_shown(browser, searched):
    address, shown = searched
    with watched(browser) as page:
        page.goto(address)
        page.wait_for_selector(".viewer")
        seen = [page.locator(".thoughts").count()]
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            seen.append(page.locator(".thoughts").count())
        assert seen == [int("thoughts" in frame) for frame in shown["frames"][:7]]
        page.keyboard.press("Home")
        rows = page.locator(".thoughts tbody tr")
        wanted = shown["frames"][0]["thoughts"]["rows"]
        assert [rows.nth(place).locator("td").nth(0).inner_text() for place in range(len(wanted))] == [
            row["text"] for row in wanted
        ]
        assert rows.nth(0).get_attribute("class") == "chosen"


def test_the_light_and_the_dark_page(browser, searched):
    with watched(browser, color_scheme="dark") as page:
        page.goto(searched[0])
        paper = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(paper) == "rgb(22, 24, 28)"
        page.locator("button.theme").click()
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        page.locator("button.theme").click()
        assert page.evaluate(paper) == "rgb(22, 24, 28)"
        page.emulate_media(media="print")
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        assert not page.locator(".controls").is_visible()


@pytest.mark.parametrize("game", [*names(), "counting"])
def test_hostile_names_stay_names(browser, tmp_path, game):
    """Those of bots, in every viewer and in the one that games without any have."""
    played = played_out(Counting() if game == "counting" else qpolis.load_game(game))
    shown = make_replay(Counting() if game == "counting" else qpolis.load_game(game), played, HOSTILE)
    with watched(browser) as page:
        page.on("dialog", lambda dialog: pytest.fail("a name became a script"))
        page.goto(written(tmp_path / "game.html", game_page(shown)))
        page.wait_for_selector(".viewer")
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == game_page(shown).count(b"<script")
        assert "<img src=x onerror=alert(2)>" in page.locator(".players").inner_text()
        assert "<img src=x onerror=alert(2)>" in page.locator(".lead").inner_text()
