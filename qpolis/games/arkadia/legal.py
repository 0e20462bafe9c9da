"""What is legal in Arkadia. Kernels on one state record."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.arkadia.bit_boards import (
    after,
    ahead,
    beside,
    both,
    contains,
    either,
    load,
    nth_square,
    outside,
    placement_of,
    size,
    some,
    write,
)
from qpolis.games.arkadia.castle import is_block, legal_blocks
from qpolis.games.arkadia.layout import (
    ACT_STAGE,
    BANNER,
    BANNER_STAGE,
    BLOCK,
    BUILD,
    CASTLE_STAGE,
    DISPLAY,
    DONE,
    DRAW,
    DRAW_STAGE,
    FAMILIES,
    FORMS,
    KEEP,
    KINDS,
    LAY,
    LAY_STAGE,
    LOT,
    MOST_SEALS,
    NEUTRAL,
    NONE,
    OWN,
    PASS,
    PILE,
    SELL,
    WORKERS,
    WORKERS_STAGE,
)
from qpolis.kernel import kernel
from qpolis.rng import below


@kernel
def free_squares(state):
    return outside(load(state.filled))


@kernel
def touching_squares(state):
    """Free squares beside something."""
    return both(free_squares(state), beside(load(state.filled)))


@kernel
def corners(rules, free, touching, form, turn):
    """The upper left corners from which a form, turned so, lies on free squares, one of them touching."""
    fits = load(rules.room[form, turn])
    meets = ahead(touching, rules.reach[form, turn, 0])
    for i in range(rules.squares[form]):
        steps = rules.reach[form, turn, i]
        fits = both(fits, ahead(free, steps))
        meets = either(meets, ahead(touching, steps))
    return both(fits, meets)


@kernel
def has_room(rules, free, touching, form):
    """Can a building of this form be laid anywhere?"""
    found = False
    turn = 0
    while turn < rules.turns[form] and not found:
        found = some(corners(rules, free, touching, form, turn))
        turn += 1
    return found


@kernel
def border_of(rules, state, building):
    """The squares beside a building or the lot."""
    if building == LOT:
        return load(rules.lot_border[state.lot])
    return load(rules.border[state.place[building]])


@kernel
def first_of(rules, state, building):
    """The first square of a building or the lot."""
    if building == LOT:
        return rules.lot_first[state.lot]
    return rules.first[state.place[building]]


@kernel
def has_workers(state):
    return state.own[state.player] > 0 or state.helpers[state.player] > 0


@kernel
def worker_squares(rules, state):
    """Where the next worker can be placed, in the workers stage."""
    building = np.int64(state.owner[state.beside])
    return both(both(border_of(rules, state, building), free_squares(state)), after(np.int64(state.last)))


@kernel
def legal(rules, state, out):
    """The verb."""
    if state.player == NONE:
        return 0
    stage = state.stage
    if stage == ACT_STAGE:
        return _legal_acts(rules, state, out)
    if stage == LAY_STAGE:
        return _legal_lays(rules, state, out)
    if stage == WORKERS_STAGE:
        return _legal_workers(rules, state, out)
    if stage == CASTLE_STAGE:
        return legal_blocks(state, out)
    if stage == DRAW_STAGE:
        return _legal_draws(state, out)
    if stage == BANNER_STAGE:
        out[0] = BANNER
        out[1] = KEEP
        return 2
    seals = np.int64(state.seals[state.player, state.selling])
    for count in range(seals + 1):
        out[count] = SELL + np.int64(state.selling) * MOST_SEALS + count
    return seals + 1


@kernel
def _legal_acts(rules, state, out):
    count = 0
    free = free_squares(state)
    touching = both(free, beside(load(state.filled)))
    for form in range(FORMS):
        checked, fits = False, False
        for kind in range(form * FAMILIES, (form + 1) * FAMILIES):
            if state.hand[state.player, kind] > 0:
                if not checked:
                    checked, fits = True, has_room(rules, free, touching, form)
                if fits:
                    out[count] = BUILD + kind
                    count += 1
    if has_workers(state):
        count = _write_buildings(rules, state, free, out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def _write_buildings(rules, state, free, out, count):
    """Append the buildings that have a free square beside them, by their first squares."""
    start = count
    for number in range(-1, state.buildings):
        building = LOT if number < 0 else number
        if some(both(border_of(rules, state, building), free)):
            action = WORKERS + first_of(rules, state, building)
            at = count
            while at > start and out[at - 1] > action:
                out[at] = out[at - 1]
                at -= 1
            out[at] = action
            count += 1
    return count


@kernel
def _legal_lays(rules, state, out):
    count = 0
    form = np.int64(state.held) // FAMILIES
    free, touching = free_squares(state), touching_squares(state)
    for turn in range(rules.turns[form]):
        here = corners(rules, free, touching, form, turn)
        end = write(here, 0, out, count)
        for i in range(count, end):
            out[i] = LAY + placement_of(rules, form, turn, out[i])
        count = end
    return count


@kernel
def _legal_workers(rules, state, out):
    count = 0
    if state.last != NONE:
        out[0] = DONE
        count = 1
    squares = worker_squares(rules, state)
    if state.own[state.player] > 0:
        count = write(squares, OWN, out, count)
    if state.helpers[state.player] > 0:
        count = write(squares, NEUTRAL, out, count)
    return count


@kernel
def _open_cards(state):
    """The kinds of cards in the display, as bits."""
    kinds = np.int64(0)
    for slot in range(DISPLAY):
        if state.display[slot] != NONE:
            kinds |= np.int64(1) << np.int64(state.display[slot])
    return kinds


@kernel
def _legal_draws(state, out):
    count = 0
    kinds = _open_cards(state)
    while kinds:
        out[count] = DRAW + lowest(kinds)
        kinds &= kinds - 1
        count += 1
    if state.unseen > 0:
        out[count] = PILE
        count += 1
    return count


@kernel
def is_legal(rules, state, action):
    """The verb."""
    if state.player == NONE or action < 0:
        return False
    stage = state.stage
    if stage == LAY_STAGE:
        return _is_lay(rules, state, action - LAY)
    if stage == WORKERS_STAGE:
        return _is_worker(rules, state, action)
    if stage == CASTLE_STAGE:
        return BLOCK <= action < DRAW and is_block(state, action - BLOCK)
    if stage == DRAW_STAGE:
        if action == PILE:
            return state.unseen > 0
        return DRAW <= action < PILE and (_open_cards(state) >> (action - DRAW)) & 1 == 1
    if stage == BANNER_STAGE:
        return action in (BANNER, KEEP)
    if stage == ACT_STAGE:
        return _is_act(rules, state, action)
    count = action - SELL - np.int64(state.selling) * MOST_SEALS
    return 0 <= count <= state.seals[state.player, state.selling]


@kernel
def _is_act(rules, state, action):
    if action < WORKERS:
        if state.hand[state.player, action - BUILD] == 0:
            return False
        return has_room(rules, free_squares(state), touching_squares(state), (action - BUILD) // FAMILIES)
    if action < PASS:
        square = action - WORKERS
        building = np.int64(state.owner[square])
        return (
            building != NONE
            and first_of(rules, state, building) == square
            and has_workers(state)
            and some(both(border_of(rules, state, building), free_squares(state)))
        )
    return action == PASS and must_pass(rules, state)


@kernel
def must_pass(rules, state):
    """Can the player neither build nor place workers?"""
    free, touching = free_squares(state), touching_squares(state)
    for kind in range(KINDS):
        if state.hand[state.player, kind] > 0 and has_room(rules, free, touching, kind // FAMILIES):
            return False
    if has_workers(state):
        for number in range(-1, state.buildings):
            if some(both(border_of(rules, state, LOT if number < 0 else number), free)):
                return False
    return True


@kernel
def _is_lay(rules, state, placement):
    form = np.int64(state.held) // FAMILIES
    if placement < rules.starts[form] or placement >= rules.starts[form + 1]:
        return False
    filled = load(state.filled)
    return not some(both(load(rules.cells[placement]), filled)) and some(
        both(load(rules.border[placement]), filled)
    )


@kernel
def _is_worker(rules, state, action):
    if action == DONE:
        return state.last != NONE
    if action < OWN or action >= BLOCK:
        return False
    neutral = action >= NEUTRAL
    square = action - NEUTRAL if neutral else action - OWN
    left = state.helpers[state.player] if neutral else state.own[state.player]
    return left > 0 and contains(worker_squares(rules, state), square)


@kernel
def pick(rules, state, rng):
    """The verb: where a building can go is not written down before one is picked."""
    if state.stage != LAY_STAGE:
        out = np.empty(rules.actions, np.int32)
        return np.int64(out[below(rng, legal(rules, state, out))])
    form = np.int64(state.held) // FAMILIES
    free, touching = free_squares(state), touching_squares(state)
    count = 0
    for turn in range(rules.turns[form]):
        count += size(corners(rules, free, touching, form, turn))
    left = below(rng, count)
    for turn in range(rules.turns[form]):
        here = corners(rules, free, touching, form, turn)
        if left < size(here):
            return LAY + placement_of(rules, form, turn, nth_square(here, left))
        left -= size(here)
    return np.int64(NONE)  # never: a card that cannot be laid cannot be played
