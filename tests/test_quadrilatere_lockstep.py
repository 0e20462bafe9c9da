"""The engine and the naive twin play the same games of Quadrilatère: same choices, same states, same results."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import qpolis
from helpers.quadrilateres import OPTIONS, choose
from helpers.sizes import lengthened, sized
from naive.quadrilatere import SQUARES, NaiveQuadrilatere, find_places, first_square, name, sides, walk

EVENTS = {"claim by placing", "two places closed at once", "a place was divided", "end by monuments"}
EVENTS_WITH = {
    True: {"claim by sliding", "places were merged", "a house was held by an occupied place"},
    False: set(),
    "groove": {"end by houses"},
    "wall": {"a place around another", "end by no room"},
}


# --- players that build something ---


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
