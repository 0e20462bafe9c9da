"""The engine and the naive twin play the same games of Quadrilatère: same choices, same states, same results."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import qpolis
from helpers.quadrilateres import STYLES, choose
from helpers.sizes import LENGTH, lengthened, sized
from naive.quadrilatere import (
    EVERYWHERE,
    LENGTHS,
    NaiveQuadrilatere,
    find_places,
    first_square,
    length,
    name,
    read_house,
    slots,
    squares_beside,
    that_fit,
)

EVENTS = {
    "claim by placing",
    "two places closed at once",
    "a place was divided",
    "end by monuments",
    "end by houses",
    "a house inside an occupied place",
    "a second house inside an occupied place",
    "a house would divide an occupied place",
    "a house in and out of an occupied place",
    "a pass",
}
EVENTS_WITH_SLIDES = {
    "claim by sliding",
    "places became one and could be claimed",
    "places became one and could not be claimed",
    "a house was held by an occupied place",
    "a house inside an occupied place was held",
    "a slide into an occupied place",
    "a slide would divide an occupied place",
}


# --- what happens in a game ---


def events(twin, text):
    """What is worth seeing in a decision, by name."""
    if text == "pass":
        yield "a pass"
    elif twin.stage == "place":
        yield from events_of_placing(twin, read_house(text))
    elif twin.stage == "slide":
        yield from events_of_sliding(twin, text)
    else:
        yield from events_of_claiming(twin, text)


def inside(twin, house):
    """How many slots of a house are inside an occupied place."""
    return sum(any(set(squares_beside(slot)) <= place for place in twin.owners) for slot in slots(house))


def events_of_placing(twin, house):
    own = [size for kind, size in LENGTHS.items() if twin.supply[twin.player][kind]]
    fitting = [other for other in that_fit(EVERYWHERE, twin.houses) if length(other) in own]
    if any(twin.divides_occupied(other) for other in fitting):
        yield "a house would divide an occupied place"
    if inside(twin, house):
        yield "a house inside an occupied place"
        if any(inside(twin, other) for other in twin.houses):
            yield "a second house inside an occupied place"
        if inside(twin, house) < length(house):
            yield "a house in and out of an occupied place"


def events_of_sliding(twin, text):
    held = [house for house in twin.houses - {twin.placed} if twin.beside_occupied(house)]
    for house in filter(twin.within_reach, held):
        yield "a house was held by an occupied place"
        if inside(twin, house):
            yield "a house inside an occupied place was held"
    free = [house for house in twin.houses - {twin.placed} if not twin.beside_occupied(house)]
    if any(twin.divides_occupied(there, house) for house in free for there in twin.within_reach(house)):
        yield "a slide would divide an occupied place"
    if text != "stay":
        start, there = (read_house(house) for house in text.split(">"))
        if inside(twin, there):
            yield "a slide into an occupied place"
        merged = find_places(twin.houses - {start} | {there}) - find_places(twin.houses)
        before = find_places(twin.before_turn())
        for place in merged:
            if sum(old < place for old in before) > 1:
                after = NaiveQuadrilatere.from_dict(twin.to_dict())
                after.houses, after.slid = twin.houses - {start} | {there}, (start, there)
                yield f"places became one and could {'' if place in after.closed() else 'not '}be claimed"


def events_of_claiming(twin, text):
    closed, before = twin.closed(), find_places(twin.before_turn())
    if len(closed) > 1:
        yield "two places closed at once"
    if any(sum(new < old for new in closed) > 1 for old in before):
        yield "a place was divided"
    for place in closed:
        if text == f"claim@{name(first_square(place))}":
            by_placing = place in find_places(twin.before_slide())
            yield "claim by placing" if by_placing else "claim by sliding"


def end(twin):
    """Why the game ended."""
    if 0 in twin.monuments:
        return "end by monuments"
    return "end by houses" if any(sum(supply.values()) == 0 for supply in twin.supply) else "end by no room"


# --- the games ---


def play_in_lockstep(slide, seed):
    game = qpolis.load_game("quadrilatere", slide=slide)
    twin = NaiveQuadrilatere(slide)
    choices = random.Random(seed)
    state = game.new(seed)
    seen = Counter()
    while not state.over:
        compare(state, twin)
        texts = {game.text(state, action) for action in state.legal()}
        assert texts == twin.legal()
        text = choose(twin, sorted(texts), choices, STYLES[seed % len(STYLES)])
        seen.update(events(twin, text))
        state.apply(game.parse(state, text))
        twin.apply(text)
    assert twin.over
    compare(state, twin)
    seen[end(twin)] += 1
    return seen


def compare(state, twin):
    told, expected = state.to_dict(), twin.to_dict()
    assert {key: value for key, value in told.items() if key not in ("game", "chance")} == expected
    assert state.player == twin.player
    assert state.scores() == twin.scores()
    assert state.ranks() == twin.ranks()


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("slide", [True, False])
def test_games_in_lockstep(slide):
    games = sized(lengthened(9), 5, 3)
    seen = Counter()
    for seed in range(games):
        seen += play_in_lockstep(slide, seed)
    if LENGTH > 1:
        missing = (EVENTS | EVENTS_WITH_SLIDES if slide else EVENTS) - set(seen)
        assert not missing, "no game shows this any more: other seeds or styles are needed"
