"""Cards of Arkadia: dealing, drawing, and what a seat cannot know. Kernels on one state record.

The pile has no order: what comes next is drawn when it is turned up, so a state holds no future.
"""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.layout import DISPLAY, HAND, KINDS, NONE
from qpolis.kernel import kernel
from qpolis.rng import below


@kernel
def draw_from(pile, count, rng):
    """Take one of the `count` cards of a pile, all equally likely; returns its kind."""
    left = below(rng, count)
    for kind in range(KINDS):
        left -= pile[kind]
        if left < 0:
            pile[kind] -= 1
            return kind
    return NONE  # never: the pile has so many cards


@kernel
def turn_up(state, rng):
    """The next card of the pile, which is not empty."""
    count = 0
    for kind in range(KINDS):  # more than are unseen, where other hands are concealed
        count += state.pile[kind]
    state.unseen -= 1
    return draw_from(state.pile, count, rng)


@kernel
def deal(rules, state, rng):
    """Everybody's first hand, and the display."""
    state.unseen = 0
    for kind in range(KINDS):
        state.pile[kind] = rules.deck[kind]
        state.unseen += rules.deck[kind]
    state.hand[:] = 0
    state.known[:] = 0
    state.cards[:] = 0
    for seat in range(rules.players):
        state.cards[seat] = HAND
        for _ in range(HAND):
            state.hand[seat, turn_up(state, rng)] += 1
    for slot in range(DISPLAY):
        state.display[slot] = turn_up(state, rng)


@kernel
def play_card(state, kind):
    """A card leaves the player's hand; one that everybody knows of goes first."""
    seat = state.player
    state.hand[seat, kind] -= 1
    state.cards[seat] -= 1
    if state.known[seat, kind] > 0:
        state.known[seat, kind] -= 1


@kernel
def take_open(state, kind, rng):
    """The player takes a card of the display, and another one is turned up."""
    for slot in range(DISPLAY):
        if state.display[slot] == kind:
            state.display[slot] = turn_up(state, rng) if state.unseen > 0 else NONE
            break
    state.hand[state.player, kind] += 1
    state.known[state.player, kind] += 1
    state.cards[state.player] += 1


@kernel
def take_unseen(state, rng):
    """The player takes the next card of the pile."""
    state.hand[state.player, turn_up(state, rng)] += 1
    state.cards[state.player] += 1


@kernel
def cards_left(state):
    """Is there a card to draw?"""
    found = state.unseen > 0
    for slot in range(DISPLAY):
        found |= state.display[slot] != NONE
    return found


@kernel
def conceal(rules, state, seat):
    """The verb: cards of others that the seat has not seen go back among those that could be anywhere."""
    for other in range(rules.players):
        if other != seat:
            for kind in range(KINDS):
                state.pile[kind] += state.hand[other, kind] - state.known[other, kind]
                state.hand[other, kind] = state.known[other, kind]


@kernel
def determinize(rules, state, seat, rng):
    """The verb: the unseen cards of the others are drawn anew from all that the seat has not seen."""
    conceal(rules, state, seat)
    count = np.int64(0)
    for kind in range(KINDS):
        count += state.pile[kind]
    for other in range(rules.players):
        if other != seat:
            unknown = np.int64(state.cards[other])
            for kind in range(KINDS):
                unknown -= state.hand[other, kind]
            for _ in range(unknown):
                state.hand[other, draw_from(state.pile, count, rng)] += 1
                count -= 1
