"""`qpolis serve` ends searches that nobody waits for: their threads end, and their memory is given back."""

from __future__ import annotations

import asyncio
import threading
import weakref

import pytest

from helpers.serving import NEW, PATIENCE, in_loop, opened, seated
from qpolis.bots.mcts import mcts
from qpolis.search.tree import HEAD, HEAD_BYTES
from qpolis.serve import person_game
from qpolis.serve import server as server_module
from qpolis.tourney.bot_loop import PolicySeat

ENDLESS = {"ms": 10_000_000}  # hours
LONG = f"mcts:ms={ENDLESS['ms']}"


class Search:
    """A decision of a policy: which thread it runs in, how far it is, whether its memory is there."""

    def __init__(self, seat):
        self.thread = threading.current_thread()
        self.scratch = weakref.ref(seat._scratch)
        self.gone = threading.Event()
        weakref.finalize(seat._scratch, self.gone.set)

    def runs(self):
        scratch = self.scratch()
        return scratch is not None and int(scratch[:HEAD_BYTES].view(HEAD)[0]["nodes"]) > 100

    async def ended(self):
        await asyncio.to_thread(self.thread.join, PATIENCE)
        assert not self.thread.is_alive()
        await asyncio.to_thread(self.gone.wait, PATIENCE)
        assert self.gone.is_set()


@pytest.fixture
def searches(monkeypatch):
    """All decisions of policies from now on."""
    monkeypatch.setattr(server_module, "HEARTBEAT", None)  # who waits for a search does not answer signs of life
    begun = []

    class Watched(PolicySeat):
        def choose(self, legal):
            begun.append(Search(self))
            return super().choose(legal)

    monkeypatch.setattr(person_game, "PolicySeat", Watched)
    monkeypatch.setattr(person_game, "HINT", mcts.configure(**ENDLESS))
    return begun


async def running(searches, number=0):
    """The search of this number, once it is under way."""
    while len(searches) <= number or not searches[number].runs():
        await asyncio.sleep(0.01)
    return searches[number]


def test_leaving_ends_the_search_of_a_bot(folder, searches):
    async def test(server):
        async with opened(server) as tab:
            for number in range(3):
                await tab.say(**{**NEW, "seats": [LONG, None]})
                search = await running(searches, number)
                await tab.say(type="leave")
                await tab.until("lobby")
                await search.ended()

    in_loop(test)


def test_taking_back_ends_the_search_of_a_bot(folder, searches):
    async def test(server):
        async with seated(server, seats=[None, LONG]) as tab:
            while not searches:
                if tab.status["phase"] == "turn":
                    await tab.choose()
                await tab.hear()
            search = await running(searches)
            await tab.say(type="undo")
            await tab.until("turn")
            await search.ended()
            assert tab.status["problem"] is None

    in_loop(test)


@pytest.mark.parametrize("what", ["choose", "undo", "leave"])
def test_a_hint_that_nobody_waits_for_is_not_searched_for(folder, searches, what):
    async def test(server):
        async with seated(server) as tab:
            await tab.play(1)
            before = len(searches)
            await tab.say(type="hint")
            search = await running(searches, before)
            assert await tab.refused(type="hint") == "hint: a search is running already"
            if what == "choose":
                await tab.choose()
            else:
                await tab.say(type=what)
            await search.ended()
            assert (await tab.until("turn", "lobby", hinting=False))["problem"] is None
            if what == "choose":  # and the next one is searched for
                before = len(searches)
                await tab.say(type="hint")
                assert (await running(searches, before)).thread.is_alive()

    in_loop(test)
    assert not any(search.thread.is_alive() for search in joined(searches))


def test_the_last_tab_ends_the_search_for_a_hint_and_not_the_game(folder, searches):
    async def test(server):
        async with seated(server) as tab:
            at = tab.status["at"]
            async with opened(server):
                await tab.say(type="hint")
                search = await running(searches)
                await tab.socket.close()
                assert search.thread.is_alive()
                assert server.controller._status["hinting"]
            await search.ended()
        async with opened(server) as again:
            assert (again.status["phase"], again.status["at"], again.status["hinting"]) == ("turn", at, False)
            assert again.status["problem"] is None

    in_loop(test)


def test_a_bot_thinks_on_while_the_page_is_loaded_anew(folder, searches):
    async def test(server):
        async with opened(server) as tab:
            await tab.say(**{**NEW, "seats": ["mcts:ms=200", None]})
            await running(searches)
        async with opened(server) as again:
            if again.status["phase"] != "turn":
                await again.until("turn")
            assert again.status["at"] > 0

    in_loop(test)


def test_the_end_of_the_server_ends_all_searches(folder, searches):
    async def test(server):
        async with opened(server) as tab:
            await tab.say(**{**NEW, "seats": [LONG, None]})
            await running(searches)

    in_loop(test)
    assert not any(search.thread.is_alive() for search in joined(searches))


def joined(searches):
    """Searches whose threads were given time to end."""
    for search in searches:
        search.thread.join(PATIENCE)
    return searches
