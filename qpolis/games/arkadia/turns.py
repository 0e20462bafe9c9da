"""The turns of Arkadia: set-up, and what actions do. Kernels on one state record."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.arkadia.bit_boards import load, put, shared, some, without
from qpolis.games.arkadia.cards import cards_left, deal, play_card, take_open, take_unseen
from qpolis.games.arkadia.castle import can_lay, lay_block, value
from qpolis.games.arkadia.layout import (
    ACT_STAGE,
    BANNER,
    BANNER_STAGE,
    BANNERS,
    BITS,
    BLOCK,
    CASTLE_STAGE,
    COLUMNS,
    DONE,
    DRAW,
    DRAW_STAGE,
    FAMILIES,
    HIRED,
    KEEP,
    LAY,
    LAY_STAGE,
    LEVELS,
    LOT,
    MOST_SEALS,
    NEUTRAL,
    NEUTRAL_WORKERS,
    NONE,
    OWN,
    OWN_WORKERS,
    PASS,
    PILE,
    ROWS,
    SELL,
    SELL_STAGE,
    WORDS,
    WORKERS,
    WORKERS_STAGE,
)
from qpolis.games.arkadia.legal import border_of, has_workers, worker_squares
from qpolis.kernel import kernel
from qpolis.rng import below


@kernel
def set_up(rules, state, rng):
    """The verb."""
    for word in range(WORDS):
        state.filled[word] = 0
        state.neutral[word] = 0
    state.men[:] = 0
    state.complete = 0
    state.completed = 0
    state.owner[:] = NONE
    state.place[:] = 0
    state.kind[:] = 0
    state.buildings = 0
    state.gold[:] = 0
    state.seals[:] = 0
    state.own[:] = 0
    state.helpers[:] = 0
    state.banners[:] = 0
    state.camp = NEUTRAL_WORKERS - rules.players * rules.helpers
    for seat in range(rules.players):
        state.own[seat] = OWN_WORKERS
        state.helpers[seat] = rules.helpers
        state.banners[seat] = BANNERS
    _set_up_castle(rules, state, rng)
    for i in range(rules.intro_count):
        add_building(rules, state, rules.intro_kind[i], rules.intro_place[i])
    deal(rules, state, rng)
    state.turn = 0
    state.player = 0
    state.stage = ACT_STAGE
    state.passes = 0
    state.turns_left = NONE
    state.blocks = 0
    state.held = NONE
    state.beside = NONE
    state.last = NONE
    state.selling = NONE


@kernel
def _set_up_castle(rules, state, rng):
    state.lot = rules.intro_lot if rules.intro else below(rng, rules.lot_count)
    cover(state, rules.lot_cells[state.lot], LOT)
    state.shows[:] = rules.ring
    state.level[:] = 0
    for level in range(LEVELS):
        state.stock[level, :] = rules.blocks[level]


@kernel
def cover(state, cells, building):
    """Put a building, or the lot, on squares."""
    for word in range(WORDS):
        state.filled[word] |= cells[word]
        left = cells[word]
        while left:
            state.owner[word * BITS + lowest(left)] = building
            left &= left - 1


@kernel
def add_building(rules, state, kind, placement):
    building = np.int64(state.buildings)
    state.buildings += 1
    state.place[building] = placement
    state.kind[building] = kind
    cover(state, rules.cells[placement], building)
    return building


@kernel
def player(rules, state):
    """The verb."""
    return np.int64(state.player)


# -- completion --------------------------------------------------------------------------------------------


@kernel
def note_complete(rules, state, building):
    """Note a building if all squares beside it are filled, and they were not before."""
    if building in (NONE, LOT) or ((state.complete | state.completed) >> building) & 1 == 1:
        return
    if not some(without(border_of(rules, state, building), load(state.filled))):
        state.completed |= np.int64(1) << building


@kernel
def note_around(rules, state, square):
    """Look at the buildings beside a square that was filled."""
    column = square % COLUMNS
    if square >= COLUMNS:
        note_complete(rules, state, np.int64(state.owner[square - COLUMNS]))
    if square < (ROWS - 1) * COLUMNS:
        note_complete(rules, state, np.int64(state.owner[square + COLUMNS]))
    if column > 0:
        note_complete(rules, state, np.int64(state.owner[square - 1]))
    if column < COLUMNS - 1:
        note_complete(rules, state, np.int64(state.owner[square + 1]))


@kernel
def _settle(rules, state):
    """The action is over: the seals of all buildings it has completed; the blocks follow one by one."""
    while state.completed:
        building = lowest(state.completed)
        state.completed &= state.completed - 1
        state.complete |= np.int64(1) << building
        family = state.kind[building] % FAMILIES
        border = rules.border[state.place[building]]
        for seat in range(rules.players):
            state.seals[seat, family] += shared(state.men[seat], border)
        state.seals[state.player, family] += 1
        state.blocks += 1
    _after_settling(rules, state)


@kernel
def _after_settling(rules, state):
    """Blocks, then the part of the turn that is left to the player."""
    if state.blocks > 0 and can_lay(state):
        state.stage = CASTLE_STAGE
    else:
        state.blocks = 0
        _offer_banner(rules, state)


# -- what actions do ---------------------------------------------------------------------------------------


@kernel
def apply(rules, state, action, rng):
    """The verb."""
    if action >= LAY:
        _lay(rules, state, action - LAY)
    elif action < PASS:
        state.passes = 0
        if action < WORKERS:
            play_card(state, action)
            state.held = action
            state.stage = LAY_STAGE
        else:
            state.beside = action - WORKERS
            state.stage = WORKERS_STAGE
    elif action < BLOCK:
        if action == PASS:
            state.passes += 1
            _offer_banner(rules, state)
        elif action == DONE:
            _end_workers(rules, state)
        else:
            _place_worker(rules, state, action)
    elif action < DRAW:
        lay_block(rules, state, action - BLOCK)
        state.blocks -= 1
        _after_settling(rules, state)
    elif action <= PILE:
        if action == PILE:
            take_unseen(state, rng)
        else:
            take_open(state, action - DRAW, rng)
        _settle(rules, state)
    elif action == KEEP:
        _end_turn(rules, state)
    elif action == BANNER:
        state.banners[state.player] -= 1
        state.own[state.player] += HIRED
        _offer_sale(rules, state, 0)
    else:
        _sell(rules, state, action - SELL)


@kernel
def _lay(rules, state, placement):
    """Lay a building and note what it completes; refilling the hand comes before that is settled."""
    building = add_building(rules, state, state.held, placement)
    state.held = NONE
    found = min(shared(rules.cells[placement], rules.camps), np.int64(state.camp))
    state.helpers[state.player] += found
    state.camp -= found
    note_complete(rules, state, building)
    for word in range(WORDS):
        left = rules.border[placement, word] & state.filled[word]
        while left:
            note_complete(rules, state, np.int64(state.owner[word * BITS + lowest(left)]))
            left &= left - 1
    if cards_left(state):
        state.stage = DRAW_STAGE
    else:
        _settle(rules, state)


@kernel
def _place_worker(rules, state, action):
    if action >= NEUTRAL:
        square = action - NEUTRAL
        put(state.neutral, square)
        state.helpers[state.player] -= 1
    else:
        square = action - OWN
        put(state.men[state.player], square)
        state.own[state.player] -= 1
    put(state.filled, square)
    note_around(rules, state, square)
    state.last = square
    if not (has_workers(state) and some(worker_squares(rules, state))):
        _end_workers(rules, state)


@kernel
def _end_workers(rules, state):
    state.beside = NONE
    state.last = NONE
    _settle(rules, state)


@kernel
def _offer_banner(rules, state):
    if state.banners[state.player] > 0:
        state.stage = BANNER_STAGE
    else:
        _end_turn(rules, state)


@kernel
def _offer_sale(rules, state, first):
    """The next family, from `first` on, of which the player has seals; the turn ends without any."""
    state.selling = NONE
    for family in range(FAMILIES - 1, first - 1, -1):
        if state.seals[state.player, family] > 0:
            state.selling = family
    if state.selling == NONE:
        _end_turn(rules, state)
    else:
        state.stage = SELL_STAGE


@kernel
def _sell(rules, state, sale):
    family = sale // MOST_SEALS
    count = sale % MOST_SEALS
    state.seals[state.player, family] -= count
    state.gold[state.player] += count * value(state, family)
    _offer_sale(rules, state, family + 1)


@kernel
def _end_turn(rules, state):
    state.turn += 1
    state.stage = ACT_STAGE
    if state.turns_left != NONE:
        state.turns_left -= 1
    if state.turns_left == 0 or state.passes == rules.players:
        _final_count(rules, state)
    else:
        state.player = (state.player + 1) % rules.players


@kernel
def _final_count(rules, state):
    """All seals left are exchanged."""
    for seat in range(rules.players):
        for family in range(FAMILIES):
            state.gold[seat] += state.seals[seat, family] * value(state, family)
            state.seals[seat, family] = 0
    state.player = NONE


@kernel
def scores(rules, state, points, keys):
    """The verb: gold, and seals at today's values."""
    for seat in range(rules.players):
        points[seat] = state.gold[seat]
        for family in range(FAMILIES):
            points[seat] += state.seals[seat, family] * value(state, family)
        keys[seat] = points[seat]
