"""A real browser for tests: the system's Chromium, without a window. Every page is watched for errors."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REQUIRED = "QPOLIS_BROWSER_TESTS"  # set it to "required", and a missing browser is a failure


def chromium() -> str | None:
    """The program, if there is one."""
    return os.environ.get("QPOLIS_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def need_browser() -> str:
    """The program; without one the test is skipped, or fails where browser tests are required."""
    program = chromium()
    if program is None:
        complain = pytest.fail if os.environ.get(REQUIRED) == "required" else pytest.skip
        complain(
            "no Chromium found: install it (Debian: apt-get install chromium), or say where with "
            "QPOLIS_CHROMIUM=/path/to/chromium"
        )
    return program


@contextlib.contextmanager
def started() -> Iterator[Any]:
    """The browser, as Playwright drives it."""
    from playwright.sync_api import sync_playwright

    program = need_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def watched(browser: Any, **how: Any) -> Iterator[Any]:
    """A page in a context of its own. Whatever it complains about, or asks the network for, is an error."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
    problems: list[str] = []
    page = context.new_page()
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("requestfailed", lambda request: problems.append(f"{request.url} failed"))
    page.set_default_timeout(10_000)
    try:
        yield page
        assert not problems, problems
    finally:
        context.close()


SETTLED = ".play:is([data-state=turn], [data-state=over])"
KINDS = ("data-action", "data-step")
STEPS = 3  # clicks that narrow a choice down, before the list is used


def click_through(page: Any, most: int = 1000, seed: int = 1) -> int:
    """Play a game of `qpolis serve` that has begun to its end, or so many decisions: by clicks on the board that
    choose, or narrow the choice down, or in the list of moves if the board has none. Returns how many."""
    chance = random.Random(seed)
    page.select_option("select.pace", "0")
    made = steps = 0
    while True:
        page.wait_for_selector(SETTLED)
        if made == most or page.query_selector(".play[data-state=over]"):
            return made
        moves = page.get_attribute(".play", "data-moves")
        choosing, narrowing = (page.locator(f".board [{kind}]:visible").all() for kind in KINDS)
        if not choosing and narrowing and steps < STEPS:
            steps += 1
            chance.choice(narrowing).click()
            continue
        if choosing:
            chance.choice(choosing).click()
        else:
            listed = page.locator("select.choices option").count()
            page.select_option("select.choices", index=chance.randrange(listed))
            page.click("form.choose button[type=submit]")
        page.wait_for_selector(f'.play:not([data-moves="{moves}"])')
        made, steps = made + 1, 0
