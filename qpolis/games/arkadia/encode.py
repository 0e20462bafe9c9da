"""What a program that learns sees of Arkadia: planes of 12 x 16 squares, then what is not on the board.

Every part of the kernel writes its planes and returns where the next one begins; `planes_of` names them in the
same order.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.arkadia.layout import (
    BANNERS,
    BITS,
    BLANK,
    BUILDINGS,
    COLUMNS,
    DISPLAY,
    FAMILIES,
    FAMILY_NAMES,
    FULL,
    HAND,
    HIRED,
    KINDS,
    LEVELS,
    LOT,
    NEUTRAL_WORKERS,
    NONE,
    OWN_WORKERS,
    RING,
    ROWS,
    SEATS,
    SQUARES,
    STAGES,
    TYPES,
    WORDS,
)
from qpolis.kernel import kernel
from qpolis.space import Plane

MOST_OWN = OWN_WORKERS + BANNERS * HIRED
# Turns: before each building or worker, and at the end, all but one may pass.
MOST_TURNS = (BUILDINGS + NEUTRAL_WORKERS + SEATS * MOST_OWN + 1) * SEATS
# More of them are cut off. In 360 games of `greedy`, `heuristic` and `random` most were 24, 131 and 4.
SEALS_TOLD, GOLD_TOLD, BLOCKS_TOLD = 40, 250, 10

LOT_PLANE, FREE_PLANE, CAMP_PLANE, NEUTRAL_PLANE, COMPLETE_PLANE = range(5)
RIGHT_PLANE, DOWN_PLANE, CHOSEN_PLANE, LAST_PLANE, FAMILY_PLANE = range(5, 10)
BOARD_PLANES = FAMILY_PLANE + FAMILIES


def planes_of(players: int) -> tuple[Plane, ...]:
    """What `encode` writes in a game of so many."""
    board = (ROWS, COLUMNS)
    types, families, stages = ", ".join(TYPES), ", ".join(FAMILY_NAMES), ", ".join(STAGES)
    return (
        Plane("lot", board, "squares of the castle lot"),
        Plane("free", board, "squares on which nothing is"),
        Plane("camps", board, "free camps"),
        Plane("neutral", board, "neutral workers"),
        Plane("complete", board, "squares of complete buildings"),
        Plane("joined", (2, *board), "squares with the same building to the right, and below"),
        Plane("chosen", board, "squares of the building (or the lot) beside which workers are being placed"),
        Plane("last", board, "where the last of these workers was placed: others come later on the board"),
        Plane("buildings", (FAMILIES, *board), f"squares of buildings by family: {families}"),
        Plane("workers", (players, *board), "own workers of each seat"),
        Plane("stage", (len(STAGES),), f"the step of the turn: {stages}; all 0 when the game is over"),
        Plane("mover", (players,), "who is to decide; all 0 when the game is over"),
        Plane("turn", (1,), f"turns completed, as a share of {MOST_TURNS}, more than there can be"),
        Plane(
            "end", (2,), "1 when the end is near; turns left then, as a share of one more than there are players"
        ),
        Plane("passes", (1,), "players who have passed in a row, as a share of all"),
        Plane(
            "castle",
            (BLANK + 1, LEVELS + 1),
            f"castle squares by what they show ({families}, nothing) and blocks there, as shares of {RING}",
        ),
        Plane("stock", (LEVELS, FAMILIES), "blocks left by level and family, as shares of all of the family"),
        Plane("blocks", (1,), f"blocks to be laid now, divided by {BLOCKS_TOLD}, at most 1"),
        Plane("selling", (FAMILIES,), "the family whose seals can be exchanged now"),
        Plane("held", (KINDS,), f"the card that was played: by type ({types}), then by family"),
        Plane("hand", (KINDS,), f"one's own cards, divided by {HAND}"),
        Plane("known", (players, KINDS), f"cards of each hand that were taken face up, divided by {HAND}"),
        Plane("cards", (players,), f"how many cards are in each hand, divided by {HAND}"),
        Plane("display", (KINDS,), f"face-up cards, divided by {DISPLAY}"),
        Plane(
            "unseen", (KINDS,), "cards in the pile and unknown cards of the others, as shares of those in the game"
        ),
        Plane("pile", (1,), f"how many cards are in the pile, divided by {BUILDINGS}"),
        Plane("camp", (1,), f"neutral workers left to get, divided by {NEUTRAL_WORKERS}"),
        Plane("own", (players,), f"own workers not yet placed, divided by {MOST_OWN}"),
        Plane("helpers", (players,), f"neutral workers not yet placed, divided by {NEUTRAL_WORKERS}"),
        Plane("banners", (players,), f"banners, divided by {BANNERS}"),
        Plane("gold", (players,), f"gold, divided by {GOLD_TOLD}, at most 1"),
        Plane("seals", (players, FAMILIES), f"seals, divided by {SEALS_TOLD}, at most 1"),
    )


@kernel
def encode(rules, state, seat, out):
    """The verb."""
    out[:] = 0
    at = _write_board(rules, state, seat, out)
    at = _write_turn(rules, state, seat, out, at)
    at = _write_castle(rules, state, out, at)
    at = _write_cards(rules, state, seat, out, at)
    _write_seats(rules, state, seat, out, at)


@kernel
def _write_board(rules, state, seat, out):
    chosen = np.int64(NONE) if state.beside == NONE else np.int64(state.owner[state.beside])
    for square in range(SQUARES):
        building = np.int64(state.owner[square])
        if building != NONE:
            if building == LOT:
                out[LOT_PLANE * SQUARES + square] = 1
            else:
                _write_building(state, building, square, out)
            if building == chosen:
                out[CHOSEN_PLANE * SQUARES + square] = 1
    if state.last != NONE:
        out[LAST_PLANE * SQUARES + state.last] = 1
    for word in range(WORDS):
        free = ~state.filled[word] & FULL
        _write_squares(free, word, FREE_PLANE * SQUARES, out)
        _write_squares(free & rules.camps[word], word, CAMP_PLANE * SQUARES, out)
        _write_squares(state.neutral[word], word, NEUTRAL_PLANE * SQUARES, out)
    at = BOARD_PLANES * SQUARES
    for later in range(rules.players):
        other = (seat + later) % rules.players
        for word in range(WORDS):
            _write_squares(state.men[other, word], word, at, out)
        at += SQUARES
    return at


@kernel
def _write_building(state, building, square, out):
    """A square of a building."""
    family = np.int64(state.kind[building]) % FAMILIES
    out[(FAMILY_PLANE + family) * SQUARES + square] = 1
    if (state.complete >> building) & 1 == 1:
        out[COMPLETE_PLANE * SQUARES + square] = 1
    if square % COLUMNS < COLUMNS - 1 and state.owner[square + 1] == building:
        out[RIGHT_PLANE * SQUARES + square] = 1
    if square < SQUARES - COLUMNS and state.owner[square + COLUMNS] == building:
        out[DOWN_PLANE * SQUARES + square] = 1


@kernel
def _write_squares(squares, word, at, out):
    while squares:
        out[at + word * BITS + lowest(squares)] = 1
        squares &= squares - 1


@kernel
def _write_turn(rules, state, seat, out, at):
    if state.player != NONE:
        out[at + np.int64(state.stage)] = 1
        out[at + len(STAGES) + (state.player - seat) % rules.players] = 1
    at += len(STAGES) + rules.players
    out[at] = state.turn / MOST_TURNS
    if state.turns_left != NONE:
        out[at + 1] = 1
        out[at + 2] = state.turns_left / (rules.players + 1)
    out[at + 3] = state.passes / rules.players
    return at + 4


@kernel
def _write_castle(rules, state, out, at):
    """Where a square is in the castle has no meaning, so squares that look the same are counted."""
    for square in range(RING):
        out[at + np.int64(state.shows[square]) * (LEVELS + 1) + state.level[square]] += 1
    for i in range((BLANK + 1) * (LEVELS + 1)):
        out[at + i] /= RING
    at += (BLANK + 1) * (LEVELS + 1)
    blocks = np.int64(0)
    for level in range(LEVELS):
        blocks += rules.blocks[level]
    for level in range(LEVELS):
        for family in range(FAMILIES):
            out[at + level * FAMILIES + family] = state.stock[level, family] / blocks
    at += LEVELS * FAMILIES
    out[at] = min(state.blocks / BLOCKS_TOLD, 1.0)
    if state.selling != NONE:
        out[at + 1 + np.int64(state.selling)] = 1
    return at + 1 + FAMILIES


@kernel
def _write_cards(rules, state, seat, out, at):
    if state.held != NONE:
        out[at + np.int64(state.held)] = 1
    at += KINDS
    known, cards = at + KINDS, at + (rules.players + 1) * KINDS
    display = cards + rules.players
    unseen = display + KINDS
    left = state.pile.astype(np.int64)
    for kind in range(KINDS):
        out[at + kind] = state.hand[seat, kind] / HAND
    for later in range(rules.players):
        other = (seat + later) % rules.players
        out[cards + later] = state.cards[other] / HAND
        for kind in range(KINDS):
            out[known + later * KINDS + kind] = state.known[other, kind] / HAND
            if later:
                left[kind] += state.hand[other, kind] - state.known[other, kind]
    for slot in range(DISPLAY):
        if state.display[slot] != NONE:
            out[display + np.int64(state.display[slot])] += 1
    for kind in range(KINDS):
        out[display + kind] /= DISPLAY
        if left[kind]:
            out[unseen + kind] = left[kind] / rules.deck[kind]
    out[unseen + KINDS] = state.unseen / BUILDINGS
    return unseen + KINDS + 1


@kernel
def _write_seats(rules, state, seat, out, at):
    players = rules.players
    out[at] = state.camp / NEUTRAL_WORKERS
    at += 1
    for later in range(players):
        other = (seat + later) % players
        out[at + later] = state.own[other] / MOST_OWN
        out[at + players + later] = state.helpers[other] / NEUTRAL_WORKERS
        out[at + 2 * players + later] = state.banners[other] / BANNERS
        out[at + 3 * players + later] = min(state.gold[other] / GOLD_TOLD, 1.0)
        for family in range(FAMILIES):
            out[at + 4 * players + later * FAMILIES + family] = min(state.seals[other, family] / SEALS_TOLD, 1.0)
