"""The engine and the naive twin play the same games of Quadrilatère: same choices, same states, same results."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import qpolis
from helpers.sizes import lengthened, sized
from naive.quadrilatere import SQUARES, NaiveQuadrilatere, find_places, first_square, name, read_house, sides, walk

OPTIONS = [(slide, border) for slide in (True, False) for border in ("groove", "wall")]
EVENTS = {"claim by placing", "two places closed at once", "a place was divided", "end by monuments"}
EVENTS_WITH = {
    True: {"claim by sliding", "places were merged", "a house was held by an occupied place"},
    False: set(),
    "groove": {"end by houses"},
    "wall": {"a place around another", "end by no room"},
}


# --- players that build something ---


def choose(twin, texts, choices, style):
    """Random players close hardly anything. Eager ones build where walls are, and close places if they can.
    Modest ones leave much, and else claim what is small, so that there is more on the board."""
    if twin.stage == "claim":
        return choose_claim(twin, choices, style)
    if style == "random" or choices.random() < 0.2:
        return choices.choice(texts)
    joined = [text for text in texts if text != "stay" and is_joined(twin, text)]
    some = choices.sample(joined, min(len(joined), 10))
    closing = [
        text
        for text in some
        if find_places(after(twin, text), twin.border) - find_places(twin.houses, twin.border)
    ]
    return choices.choice(closing or some or texts)


def choose_claim(twin, choices, style):
    if choices.random() < (0.5 if style == "modest" else 0.1):
        return "leave"
    places = sorted(twin.closed(), key=lambda place: (len(place), first_square(place)))
    return f"claim@{name(first_square(places[0] if style == 'modest' else choices.choice(places)))}"


def after(twin, text):
    """The houses on the board after one is placed or slid."""
    start, _, there = text.rpartition(">")
    return twin.houses - {read_house(start) if start else None} | {read_house(there)}


def is_joined(twin, text):
    """Whether both ends of a house would come to stand at other houses or at walls."""
    house = read_house(text.rpartition(">")[2])
    points = {point for other in after(twin, text) - {house} for point in other}
    return all(
        end in points or (twin.border == "wall" and not {1, 9}.isdisjoint(end)) for end in (house[0], house[-1])
    )


# --- what happens in a game ---


def events(twin, text):
    """What is worth seeing in a decision, by name."""
    if twin.stage == "slide" and any(
        twin.within_reach(house) for house in twin.houses - {twin.placed} if twin.beside_occupied(house)
    ):
        yield "a house was held by an occupied place"
    if twin.stage != "claim":
        return
    closed, before = twin.closed(), find_places(twin.before_turn(), twin.border)
    if len(closed) > 1:
        yield "two places closed at once"
    if any(sum(new < old for new in closed) > 1 for old in before):
        yield "a place was divided"
    if any(sum(old < new for old in before) > 1 for new in closed):
        yield "places were merged"
    if any(surrounds(place) for place in closed):
        yield "a place around another"
    for place in closed:
        if text == f"claim@{name(first_square(place))}":
            by_placing = place in find_places(twin.before_slide(), twin.border)
            yield "claim by placing" if by_placing else "claim by sliding"


def surrounds(place):
    """Whether the walls of a place alone wall in squares that do not belong to it."""
    walls = {slot for square in place for slot, behind in sides(square) if behind not in place}
    return any(walk(square, walls) for square in SQUARES if square not in place)


def end(twin):
    """Why the game ended."""
    if 0 in twin.monuments:
        return "end by monuments"
    return "end by houses" if any(sum(supply.values()) == 0 for supply in twin.supply) else "end by no room"


# --- the games ---


def play_in_lockstep(slide, border, seed):
    game = qpolis.load_game("quadrilatere", slide=slide, border=border)
    twin = NaiveQuadrilatere(slide, border)
    choices = random.Random(seed)
    state = game.new(seed)
    seen = Counter()
    while not state.over:
        compare(state, twin)
        texts = {game.text(state, action) for action in state.legal()}
        assert texts == twin.legal()
        text = choose(twin, sorted(texts), choices, ("random", "eager", "modest")[seed % 3])
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
@pytest.mark.parametrize(("slide", "border"), OPTIONS)
def test_games_in_lockstep(slide, border):
    full = 15 if border == "groove" else 30  # walls at the edge make short games
    games = sized(lengthened(full), full // 5, 3)
    seen = Counter()
    for seed in range(games):
        seen += play_in_lockstep(slide, border, seed)
    if games >= full:
        missing = (EVENTS | EVENTS_WITH[slide] | EVENTS_WITH[border]) - set(seen)
        assert not missing, "no game shows this any more: other seeds or styles are needed"
