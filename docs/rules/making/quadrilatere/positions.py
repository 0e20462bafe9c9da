"""Positions for the pictures: each is reached by playing, so all of it is legal."""

from __future__ import annotations

from functools import cache

import qpolis
from qpolis.game import Game, State

DECLINE = {"slide": "stay", "claim": "leave"}


@cache
def game() -> Game:
    return qpolis.load_game("quadrilatere")


def legal(state: State) -> list[str]:
    """The texts of all legal actions."""
    return [state.game.text(state, action) for action in state.legal()]


def played(texts: str) -> State:
    """The position after these actions. Steps that they do not name are done without."""
    state = game().new()
    for text in texts.split():
        while (stage := state.to_dict()["stage"]) in DECLINE and text not in legal(state):
            apply(state, DECLINE[stage])
        apply(state, text)
    return state


def next_turn(texts: str) -> State:
    """The position after these actions, when the next turn begins."""
    state = played(texts)
    while (stage := state.to_dict()["stage"]) in DECLINE:
        apply(state, DECLINE[stage])
    return state


def apply(state: State, text: str) -> None:
    state.apply(game().parse(state, text))


def spots(state: State, house: str) -> list[str]:
    """Where a house may be slid to."""
    return [there for here, _, there in (text.partition(">") for text in legal(state)) if here == house and there]
