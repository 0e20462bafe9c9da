"""What must hold in a state of Arkadia that somebody describes: nothing is lost, and the step of the turn fits.

Seals and gold may be any: who won and exchanged them, and when, the board does not tell.
"""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.bit_boards import contains, load, shared, some, without
from qpolis.games.arkadia.cards import cards_left
from qpolis.games.arkadia.castle import can_lay, level_now
from qpolis.games.arkadia.layout import (
    ACT_STAGE,
    BANNER_STAGE,
    BANNERS,
    BLANK,
    CASTLE_STAGE,
    DRAW_STAGE,
    FAMILIES,
    HAND,
    HIRED,
    LAY_STAGE,
    LEVELS,
    MOST_SEALS,
    NEUTRAL_WORKERS,
    NONE,
    OWN_WORKERS,
    RING,
    SELL_STAGE,
    WORKERS_STAGE,
)
from qpolis.games.arkadia.legal import border_of, first_of, has_workers, worker_squares


def check(rules: np.record, record: np.record) -> None:
    """Raise ValueError for what cannot be."""
    _check_cards(rules, record)
    _check_workers(rules, record)
    _check_squares(rules, record)
    _check_complete(rules, record)
    _check_castle(rules, record)
    _check_turn(rules, record)
    if record.player == NONE:
        _check_end(rules, record)
    else:
        _check_stage(rules, record)


def _refuse(wrong: bool, reason: str) -> None:
    if wrong:
        raise ValueError(reason)


def _check_cards(rules: np.record, record: np.record) -> None:
    seats = int(rules.players)
    used = record.pile + record.hand[:seats].sum(axis=0)
    for kind in [
        *record.display[record.display != NONE],
        *([record.held] if record.held != NONE else []),
        *record.kind[int(rules.intro_count) : int(record.buildings)],
    ]:
        used[kind] += 1
    _refuse((used != rules.deck).any(), "buildings, hands, display and pile do not make up all cards")
    intro = int(rules.intro_count)
    _refuse(
        (record.kind[:intro] != rules.intro_kind[:intro]).any()
        or (record.place[:intro] != rules.intro_place[:intro]).any(),
        "buildings do not begin with those of the introductory set-up",
    )
    _refuse(bool(rules.intro) and record.lot != rules.intro_lot, "lot is not that of the introductory set-up")
    _refuse((record.known > record.hand).any(), "known has cards that are in no hand")
    for seat in range(seats):
        waiting = seat == record.player and record.stage in (LAY_STAGE, DRAW_STAGE)
        full = HAND - waiting
        _refuse(record.cards[seat] > full, f"hands has more than {full} cards for seat {seat}")
        _refuse(bool(cards_left(record)) and record.cards[seat] < full, f"hands was not refilled for seat {seat}")
    _refuse((record.display == NONE).any() and record.unseen > 0, "display has a gap, and the pile is not empty")


def _check_workers(rules: np.record, record: np.record) -> None:
    for seat in range(int(rules.players)):
        there = record.own[seat] + shared(record.men[seat], record.men[seat])
        hired = OWN_WORKERS + HIRED * (BANNERS - int(record.banners[seat]))
        _refuse(not 0 <= record.banners[seat] <= BANNERS, f"banners are not 0 to {BANNERS}")
        _refuse(there != hired or record.own[seat] < 0, f"own and workers of seat {seat} do not make up {hired}")
        _refuse(not all(0 <= seals < MOST_SEALS for seals in record.seals[seat]), "seals cannot be so many")
        _refuse(record.gold[seat] < 0, "gold cannot be less than nothing")
    there = int(record.camp) + int(record.helpers.sum()) + int(shared(record.neutral, record.neutral))
    _refuse(
        there != NEUTRAL_WORKERS or record.camp < 0 or (record.helpers < 0).any(),
        f"camp, helpers and neutral do not make up {NEUTRAL_WORKERS}",
    )
    covered = sum(
        int(shared(rules.cells[record.place[number]], rules.camps))
        for number in range(int(rules.intro_count), int(record.buildings))
    )
    most = NEUTRAL_WORKERS - int(rules.players * rules.helpers)
    _refuse(most - record.camp != min(covered, most), "camp is not what the camps built upon leave")


def _check_squares(rules: np.record, record: np.record) -> None:
    """Workers are placed beside a building or the lot."""
    beside = rules.lot_border[record.lot].copy()
    for number in range(int(record.buildings)):
        beside |= rules.border[record.place[number]]
    for words in (record.neutral, *record.men):
        _refuse(bool((words & ~beside).any()), "workers: one is beside no building")


def _check_complete(rules: np.record, record: np.record) -> None:
    """Buildings are complete when all beside them is filled. They are settled when the action is over: not while
    workers are placed, nor before a card is drawn after a build."""
    for number in range(int(record.buildings)):
        surrounded = not some(without(border_of(rules, record, number), load(record.filled)))
        complete = bool(int(record.complete) >> number & 1)
        if surrounded and not complete and _can_wait(rules, record, number):
            record.completed |= np.int64(1) << np.int64(number)
        else:
            _refuse(surrounded != complete, f"buildings: number {number + 1} is complete or not, but not so")


def _can_wait(rules: np.record, record: np.record, number: int) -> bool:
    """Can a building with nothing open around it be one that the present action has completed?"""
    if record.stage == DRAW_STAGE:
        last = int(record.buildings) - 1
        return number == last or bool(shared(rules.border[record.place[number]], rules.cells[record.place[last]]))
    return bool(record.stage == WORKERS_STAGE)


def _check_castle(rules: np.record, record: np.record) -> None:
    level = int(level_now(record))
    laid, left = int(record.level.sum()), int(record.stock.sum())
    everything = int(rules.blocks.sum()) * FAMILIES
    _refuse(
        (record.level < 0).any() or (record.level > min(level + 1, LEVELS)).any(),
        "castle: a level is begun before the one below is full",
    )
    _refuse((record.stock < 0).any() or laid + left != everything, f"castle and stock do not make up {everything}")
    for square in range(RING):
        _refuse(
            record.level[square] == 0 and record.shows[square] != rules.ring[square],
            "castle: a square without a block shows what it did not at the start",
        )
    below = LEVELS - 1
    started = [int(rules.blocks[i]) * FAMILIES - (laid - i * RING if i == level else 0) for i in range(below)]
    started = [0 if i < level else count for i, count in enumerate(started)]
    _refuse(record.stock[:below].sum(axis=1).tolist() != started, "stock does not fit the castle")
    _check_families(rules, record, level)
    complete = bin(int(record.complete)).count("1")
    _refuse(
        laid != min(complete - int(record.blocks), everything, RING * LEVELS),
        "castle has not a block for each complete building",
    )


def _check_families(rules: np.record, record: np.record, level: int) -> None:
    """Of each family, the top of the castle and the stock have what there was, but for blocks below others."""
    tops = np.array(
        [
            [sum((record.shows == family) & (record.level == high)) for family in range(FAMILIES)]
            for high in range(LEVELS + 1)
        ]
    )
    _refuse(bool(((record.shows == BLANK) & (record.level > 0)).any()), "castle: a block shows no family")
    kept = record.stock[LEVELS - 1] - rules.blocks[LEVELS - 1]  # of full levels
    if level < LEVELS - 1:
        _refuse(
            (record.stock[level] + tops[level + 1] != rules.blocks[level]).any(),
            "stock and castle have not the blocks of a family that there are",
        )
    elif level == LEVELS - 1:
        kept = kept + tops[LEVELS]
    unseen = rules.blocks[: min(level, LEVELS - 1)].sum() - kept - tops[1 : level + 1].sum(axis=0)
    _refuse(
        (kept < 0).any() or (unseen < 0).any() or (tops[1 : level + 1] > rules.blocks[:level, None]).any(),
        "stock has other blocks of a family than full levels leave",
    )


def _check_turn(rules: np.record, record: np.record) -> None:
    players = int(rules.players)
    _refuse(
        record.player not in (NONE, record.turn % players), f"player cannot be to move after {record.turn} turns"
    )
    acts = int(record.buildings - rules.intro_count) + sum(
        int(shared(words, words)) for words in (record.neutral, *record.men)
    )
    _refuse(not 0 <= record.turn <= (acts + 1) * players, "turn does not fit what is on the board")
    resting = record.player == NONE or record.stage in (BANNER_STAGE, SELL_STAGE)
    acting = record.player != NONE and record.stage == ACT_STAGE
    most = players if resting else players - 1 if acting else 0
    _refuse(not 0 <= record.passes <= min(most, record.turn + resting), "passes cannot be so many")
    near = level_now(record) >= LEVELS - 1
    _refuse(near != (record.turns_left != NONE), "turns_left is a number from the end of the second level on")
    _refuse(near and not 0 <= record.turns_left <= players + 1, "turns_left cannot be so many")


def _check_end(rules: np.record, record: np.record) -> None:
    _refuse(
        record.turns_left != 0 and record.passes != rules.players, "player must be null only when the game is over"
    )
    transient = (record.held, record.beside, record.last, record.selling)
    _refuse(
        bool(record.seals.any()) or set(transient) != {NONE} or record.blocks != 0,
        "something is left of a turn, and the game is over",
    )


def _check_stage(rules: np.record, record: np.record) -> None:
    stage, seat = record.stage, int(record.player)
    _refuse(record.turns_left == 0, "player must be null when the game is over")
    _refuse((record.held != NONE) != (stage == LAY_STAGE), "held does not fit the stage")
    _refuse((record.beside != NONE) != (stage == WORKERS_STAGE), "beside does not fit the stage")
    _refuse(record.last != NONE and stage != WORKERS_STAGE, "last does not fit the stage")
    _refuse(
        (record.blocks > 0) != (stage == CASTLE_STAGE) or (stage == CASTLE_STAGE and not can_lay(record)),
        "blocks does not fit the stage",
    )
    _refuse((record.selling != NONE) != (stage == SELL_STAGE), "selling does not fit the stage")
    _refuse(stage == SELL_STAGE and record.seals[seat, record.selling] == 0, "selling: there are no such seals")
    _refuse(stage == BANNER_STAGE and record.banners[seat] == 0, "stage is banner, and there is none")
    _refuse(
        stage == DRAW_STAGE and not (cards_left(record) and record.cards[seat] < HAND),
        "stage is draw, and there is nothing to draw",
    )
    _refuse(stage == DRAW_STAGE and record.buildings == rules.intro_count, "stage is draw, and nothing was built")
    if stage == WORKERS_STAGE:
        _check_placing(rules, record)


def _check_placing(rules: np.record, record: np.record) -> None:
    building = int(record.owner[record.beside])
    _refuse(
        building == NONE or first_of(rules, record, building) != record.beside,
        "beside is no building's first square",
    )
    border = border_of(rules, record, building)
    placed = [record.men[record.player], record.neutral]
    _refuse(
        record.last != NONE
        and not (
            contains(border, int(record.last)) and any(contains(load(words), int(record.last)) for words in placed)
        ),
        "last is no worker beside the building",
    )
    _refuse(
        not (has_workers(record) and some(worker_squares(rules, record))),
        "stage is workers, and none can be placed",
    )
