"""The seeds of `qpolis serve`: large ones are drawn, and nothing tells them before the end of the game."""

from __future__ import annotations

import json

import aiohttp
import pytest

from helpers.serving import in_loop, seated
from qpolis.game import check_seed
from qpolis.rng import SEED_BITS, SMALL
from qpolis.serve import saving
from qpolis.serve.messages import SEED_DIGITS


@pytest.fixture
def unfinished(monkeypatch):
    """Games are saved without their tables and plots."""
    monkeypatch.setattr(saving, "finish", lambda *_: None)


def spellings(seed):
    """How a seed, or what its deal is made from, could stand in a text."""
    low, high = seed % SMALL, seed // SMALL
    return [spelt for number in (seed, low, high) for spelt in (str(number), f"{number:x}", f"{number:X}")]


def test_nothing_tells_the_seed_before_the_game_is_over(folder, unfinished):
    async def test(server):
        async with seated(server, seed=None) as tab, aiohttp.ClientSession() as session:
            secret = server.controller._person_game.setup.seed
            assert SMALL <= secret < 1 << SEED_BITS
            await tab.play(3)
            await tab.say(type="hint")
            await tab.until("turn", hinting=False)
            await tab.say(type="undo")
            await tab.until("turn")
            async with session.get(server.url) as answer:
                page = await answer.text()
            assert tab.status["seed"] is None
            said = page + json.dumps(tab.heard)
            assert not [text for text in spellings(secret) if text in said]
            await tab.play()
            assert tab.status["seed"] == str(secret)
            return secret, tab.replay["frames"]

    one, first = in_loop(test)
    other, second = in_loop(test)
    assert one != other
    assert first[0] != second[0]


def test_a_drawn_seed_can_be_given_again_as_the_page_sends_it(folder, unfinished):
    async def test(server):
        async with seated(server, seed=None) as tab:
            await tab.play()
            return tab.status["seed"], tab.replay["frames"]

    async def again(server):
        async with seated(server, seed=seed) as tab:
            await tab.play()
            return tab.status["seed"], tab.replay["frames"]

    seed, frames = in_loop(test)
    assert in_loop(again) == (seed, frames)


def test_all_seeds_fit_into_a_message():
    largest = int("9" * SEED_DIGITS)
    assert largest >= (1 << SEED_BITS) - 1
    check_seed((1 << SEED_BITS) - 1)
