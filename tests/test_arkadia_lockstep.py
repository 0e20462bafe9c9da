"""The engine and the naive twin play the same games of Arkadia: same choices, same states, same results."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain

import pytest

import qpolis
from helpers.sizes import LENGTH, lengthened, sized
from naive.arkadia import NaiveArkadia
from naive.arkadia_board import PUBLISHED, read_board
from naive.arkadia_pieces import CAMPS, around, read, sorted_cards, split_card

STYLES = ["random", "eager", "idle"]
EVENTS = {
    "a building laid and complete at once",
    "several buildings completed at once",
    "seals for another seat",
    "a level full in the middle of a turn",
    "a block on level 2",
    "a block on level 3",
    "own and neutral workers together",
    "a worker on a camp",
    "workers beside the lot",
    "two neutral workers at once",
    "a building turned over",
    "a known card played",
    "an unknown card played",
    "the pile is empty",
    "nothing to draw",
    "a smaller hand",
    "a card that fits nowhere",
    "some seals kept",
    "no banner left",
    "passed",
    "a banner after passing",
    "end by blocks",
    "end by passes",
}


# --- players that build something ---


def choose(twin, texts, choices, style):
    """Eager players surround buildings and lay theirs close, so the castle grows fast. Idle ones lay theirs apart
    and show no banners before they pass, so that cards and workers run out. Random ones do both now and then."""
    if style == "random" or choices.random() < 0.1:
        return choices.choice(texts)
    if twin.stage == "lay":
        some = choices.sample(texts, min(len(texts), 15))
        return (max if style == "eager" else min)(some, key=lambda text: closeness(twin, text))
    if style == "idle":
        return choices.choice([text for text in texts if text != "banner" or twin.passes])
    if twin.stage == "act":
        return choices.choice(
            [text for text in texts if can_surround(twin, text)]
            or [text for text in texts if not text.startswith("workers")]
            or texts
        )
    return choices.choice([text for text in texts if text not in ("done", "keep")])


def can_surround(twin, text):
    """Whether the player has enough workers to complete a building."""
    first = text.startswith("workers@") and read(text.removeprefix("workers@"))
    if not first or first in twin.lot:
        return False
    free = twin.places_for_workers(twin.by_first_square()[first])
    return len(free) <= twin.own[twin.player] + twin.helpers[twin.player]


def closeness(twin, text):
    """How many buildings would be complete if one is laid here, and how few squares beside it would be free."""
    there = frozenset(map(read, text.split("+")))
    filled = twin.filled() | there
    squares = [there, *(building["squares"] for building in twin.buildings)]
    return sum(around(one) <= filled for one in squares), -len(around(there) - filled)


# --- what happens in a game ---


def events(before, twin, text):
    """What is worth seeing in a decision, by name; `before` is the plain data of the state before it."""
    seat, stage, after = before["player"], before["stage"], twin.to_dict()
    yield from {
        "act": act_events,
        "lay": lay_events,
        "workers": worker_events,
        "castle": castle_events,
        "draw": draw_events,
    }.get(stage, lambda *_: ())(before, after, text)
    if stage == "banner" and text == "banner" and before["passes"]:
        yield "a banner after passing"
    if stage == "sell" and after["seals"][seat][before["selling"]] and not twin.over:
        yield "some seals kept"
    if stage in ("workers", "lay", "draw"):
        if stage != "workers" and after["buildings"][-1]["complete"]:
            yield "a building laid and complete at once"
        if after["blocks"] > 1:
            yield "several buildings completed at once"
        if any(after["seals"][other] != before["seals"][other] for other in range(twin.players) if other != seat):
            yield "seals for another seat"


def act_events(before, after, text):
    seat = before["player"]
    if before["banners"][seat] == 0:
        yield "no banner left"
    if len(before["hands"][seat]) < 4:
        yield "a smaller hand"
    if text == "pass":
        yield "passed"
    elif text.startswith("workers"):
        if text.removeprefix("workers@") in before["lot"]:
            yield "workers beside the lot"
    else:
        yield "a known card played" if before["known"] != after["known"] else "an unknown card played"


def lay_events(before, after, text):
    if frozenset(map(read, text.split("+"))) not in PUBLISHED.everywhere[split_card(before["held"])[0], False]:
        yield "a building turned over"
    if before["camp"] - after["camp"] == 2:
        yield "two neutral workers at once"
    if after["stage"] != "draw":
        yield "nothing to draw"


def worker_events(before, after, text):
    whose, _, square = text.partition("@")
    if square and read(square) in CAMPS:
        yield "a worker on a camp"
    if whose == "own" and before["last"] in before["neutral"]:
        yield "own and neutral workers together"


def castle_events(before, after, text):
    level = max(square["level"] for square in after["castle"])
    if level > 1:
        yield f"a block on level {level}"
    if after["blocks"] and {square["level"] for square in after["castle"]} == {level}:
        yield "a level full in the middle of a turn"


def draw_events(before, after, text):
    if not before["pile"]:
        yield "the pile is empty"


# --- the games ---


def play_in_lockstep(players, setup, seed, board=None):
    """A game on the published board, or on that of a file."""
    flip = seed % 4 == 3
    game = qpolis.load_game("arkadia", players=players, setup=setup, flip=flip, board=str(board or "base"))
    state = game.new(seed)
    pieces = read_board(board.read_text()) if board else PUBLISHED
    twin = NaiveArkadia.from_dict(state.to_dict(), pieces)
    assert frozenset(twin.lot) in ([pieces.intro_lot] if setup == "intro" else pieces.lots)
    assert start_of(twin) == start_of(NaiveArkadia.start(players, setup, flip, random.Random(seed), pieces))
    assert (twin.players, twin.setup, twin.flip) == (players, setup, flip)
    choices = random.Random(seed)
    seen = Counter()
    while not state.over:
        compare(state, twin)
        texts = {game.text(state, action) for action in state.legal()}
        assert texts == twin.legal()
        text = choose(twin, sorted(texts), choices, STYLES[seed % 3])
        if twin.stage == "act" and set(twin.hands[twin.player]) - texts:
            seen["a card that fits nowhere"] += 1
        before = twin.to_dict()
        state.apply(game.parse(state, text))
        twin.apply(text, given(before["pile"], state.to_dict()["pile"]))
        seen.update(events(before, twin, text))
    assert twin.over
    compare(state, twin)
    assert twin.legal() == set()
    seen["end by blocks" if twin.turns_left == 0 else "end by passes"] += 1
    return seen


def start_of(twin):
    """What is the same in every game at its start: but for the lot, and where the cards are."""
    cards = [*chain(*twin.hands), *twin.display, *twin.pile]
    different = dict.fromkeys(("lot", "hands", "display", "pile"), sorted_cards(cards))
    return {**twin.to_dict(), **different}


def given(before, after):
    """The card that the pile has given, if any."""
    cards = Counter(before) - Counter(after)
    assert cards.total() <= 1
    return next(iter(cards), None)


def plain(data):
    return {key: value for key, value in data.items() if key not in ("game", "board", "chance")}


def compare(state, twin):
    assert plain(state.to_dict()) == twin.to_dict()
    assert state.player == twin.player
    assert state.scores() == twin.scores()
    assert state.ranks() == twin.ranks()
    for seat in range(twin.players):
        assert plain(state.observe(seat)) == {"seat": seat, **twin.observe(seat)}


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_in_lockstep(players):
    games = sized(lengthened(3), 2, 1)
    seen = Counter()
    for setup in ("standard", "intro"):
        for seed in range(players, players + games):  # so the few games have different styles
            seen += play_in_lockstep(players, setup, seed)
    if LENGTH > 1:
        assert not EVENTS - set(seen), "no game shows this any more: other seeds or styles are needed"
