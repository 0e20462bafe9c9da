"""`qpolis serve` in a real browser: whole games by clicks, hints, undo, reloading, and what is said on errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.browser import SETTLED, click_through, watched
from helpers.serving import hang_up, serving
from qpolis.games import DEFAULT_GAME, names
from qpolis.serve import saving

COMPILING = 600_000  # milliseconds for what may have to be compiled
DRAWN = "() => document.querySelector('.board').textContent"


@pytest.fixture
def server(folder, monkeypatch):
    """A server whose games are saved without tables and plots, which take a while."""
    monkeypatch.setattr(saving, "finish", lambda *_: None)
    with serving() as server:
        yield server


def begin(page, bot="random", **fields):
    """Fill the form of a new game and start it."""
    page.wait_for_selector("form.lobby")
    page.select_option("[name=bot1]", bot)
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)
    page.click("text=Start the game")
    page.wait_for_selector(SETTLED, timeout=COMPILING)


def moves(page):
    return page.locator(".moves .move").count()


def test_a_whole_game_by_clicks(browser, server):
    with watched(browser) as page:
        page.goto(server.url)
        begin(page, "heuristic", seed="7")
        assert "players 2" in page.inner_text(".play .title")
        assert click_through(page, 6) == 6
        page.click("text=person (you)")
        before = moves(page)
        page.reload()
        page.wait_for_selector(SETTLED)
        assert moves(page) == before
        page.click(".move[data-number='2']")
        assert "Move 3 of" in page.inner_text(".said")
        assert not page.locator("form.choose").count()
        page.click("text=Back to the game")
        made = click_through(page)
        assert 0 < made <= 34
        page.wait_for_selector(".commands")
        saved = re.search(r"qpolis watch (\S+) --game 0", page.inner_text(".commands"))[1]
        assert {"plan.toml", "journal.bin"} <= {path.name for path in Path(saved).iterdir()}
        assert "seed 7" in page.inner_text(".ending")
        assert re.search(r"You (win|are second|share the first place), with -?\d+ p", page.inner_text(".ending"))
        page.click("text=New game")
        page.wait_for_selector("form.lobby")
        assert page.input_value("[name=seed]") == ""  # another page than the one the form was filled in
        assert page.locator("select[name=bot1]").count() == 1


@pytest.mark.parametrize("name", [name for name in names() if name != DEFAULT_GAME])
def test_every_game_can_be_played_by_clicks(browser, server, name):
    with watched(browser) as page:
        page.goto(server.url)
        page.wait_for_selector("form.lobby")
        page.select_option("[name=game]", name)
        begin(page, "heuristic", seed="5")
        before = moves(page)
        assert click_through(page, 8) == 8
        assert moves(page) >= before + 8


def test_hints_and_undo(browser, server):
    with watched(browser) as page:
        page.goto(server.url)
        begin(page, seed="1")
        assert page.locator("button.undo").is_disabled()
        first = page.evaluate(DRAWN)
        page.click("button.hint")
        page.wait_for_selector(".hints .thoughts tbody tr", timeout=COMPILING)
        assert page.locator("button.hint").is_disabled()
        click_through(page, 2)
        assert page.locator(".hints .thoughts").count() == 0
        for _ in range(2):
            before = moves(page)
            page.click("button.undo")
            page.wait_for_selector(f'.play:not([data-moves="{before}"])[data-state=turn]')
        assert moves(page) == 0
        assert page.evaluate(DRAWN) == first
        page.click("text=Leave")
        page.click("text=No")
        page.click("text=Leave")
        page.click("button.sure")
        page.wait_for_selector("form.lobby")
        assert page.input_value("[name=seed]") == "1"


def test_the_list_of_moves_can_be_used_with_the_keyboard(browser, server):
    with watched(browser) as page:
        page.goto(server.url)
        begin(page)
        page.select_option("select.pace", "0")
        text = page.locator("select.choices option").nth(5).inner_text()
        page.fill("form.choose [type=search]", text.lower())
        page.keyboard.press("Enter")
        page.wait_for_selector(".move")
        assert page.locator(".move").first.inner_text().split() == ["0", text]
        page.wait_for_selector(SETTLED)
        assert page.evaluate("() => document.querySelector('form.choose').contains(document.activeElement)")
        page.locator("button.undo").press("Enter")
        page.wait_for_selector(".play[data-moves='0'][data-state=turn]")
        assert page.evaluate("() => document.querySelector('form.choose').contains(document.activeElement)")
        page.locator(".board [tabindex='0']").first.press("Enter")
        assert page.evaluate("() => document.querySelector('.board').contains(document.activeElement)")


def test_the_form_says_what_is_wrong_and_follows_the_game(browser, server):
    with watched(browser) as page:
        page.goto(server.url)
        page.wait_for_selector("form.lobby")
        page.select_option("[name=players]", "4")
        assert page.locator("table.seats tr").count() == 4
        page.check("[name=me][value='3']")
        assert [page.locator(f"[name=bot{seat}]").count() for seat in range(4)] == [1, 1, 1, 0]
        page.select_option("[name=bot0]", "")
        page.fill("[name=more0]", "./<img src=x onerror=alert(1)>.py")
        page.click("text=Start the game")
        page.wait_for_selector("[role=alert] p")
        assert page.inner_text("[role=alert]").strip() == "./<img src=x onerror=alert(1)>.py: no such file"
        page.fill("[name=seed]", "-5")
        page.click("text=Start the game")
        page.wait_for_selector("text=The seed -5 is not a whole number")


def test_a_lost_connection_is_said_and_made_again(browser, server):
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(server.url)
        begin(page)
        context.set_offline(True)
        hang_up(server)
        page.wait_for_selector("text=No connection")
        context.set_offline(False)
        page.wait_for_selector(".lost:empty", state="attached")
        assert click_through(page, 1) == 1
    finally:
        context.close()
