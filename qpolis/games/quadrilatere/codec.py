"""States of Quadrilatère as plain data, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qpolis.games.quadrilatere.layout import (
    BANKS,
    CLAIM_STAGE,
    FIRST,
    GROOVES,
    LENGTHS,
    MONUMENTS,
    NONE,
    PLACE_STAGE,
    SEATS,
    SIDE,
    SLIDE_STAGE,
    SLOTS,
    STAGES,
    SUPPLY,
)
from qpolis.games.quadrilatere.moves import can_place, can_slide, closed_this_turn, is_slide
from qpolis.games.quadrilatere.notation import house_of, house_text, square_of, square_text
from qpolis.games.quadrilatere.rooms import fitting
from qpolis.games.quadrilatere.walls import covered, house_at, lift, openings, place_of, put, spread

Plain = dict[str, Any]
SIZES = ("small", "medium", "large")


def bits_of(mask: int) -> list[int]:
    """The bits of a mask, ascending."""
    return [bit for bit in range(64) if (int(mask) >> bit) & 1]


def houses(record: np.record) -> list[int]:
    """The numbers of all houses on the board."""
    found = []
    for bank in range(BANKS):
        slots, joints = int(record.slots[bank]), int(record.joints[bank])
        for bit in bits_of(slots & ~(joints << 1)):
            length = 1
            while (joints >> (bit + length - 1)) & 1:
                length += 1
            found.append((length - 1) * SLOTS + int(FIRST[bank]) + bit)
    return found


def occupied_places(record: np.record) -> list[tuple[int, list[int]]]:
    """The owner and the squares of each occupied place, by the first square."""
    found = []
    for seat in range(SEATS):
        left = set(bits_of(record.owned[seat]))
        while left:
            place = bits_of(place_of(record.slots, min(left)))
            found.append((seat, place))
            left -= set(place)
    return sorted(found, key=lambda place: place[1])


def describe(rules: np.record, record: np.record) -> Plain:
    over = record.player == NONE
    return {
        "slide": bool(rules.slide),
        "turn": int(record.turn),
        "player": None if over else int(record.player),
        "stage": None if over else STAGES[record.stage],
        "houses": sorted(map(house_text, houses(record))),
        "supply": [
            {size: int(record.supply[seat, SIZES.index(size)]) for size in reversed(SIZES)}
            for seat in range(SEATS)
        ],
        "monuments": record.monuments.tolist(),
        "places": [
            {"owner": seat, "squares": [square_text(square) for square in squares]}
            for seat, squares in occupied_places(record)
        ],
        "placed": None if record.placed == NONE else house_text(int(record.placed)),
        "slid": None
        if record.slid_to == NONE
        else [house_text(int(record.slid_from)), house_text(int(record.slid_to))],
        "closed": [square_text(square) for square in bits_of(record.closed)],
    }


def fill(rules: np.record, record: np.record, data: Plain) -> None:
    """The inverse of `describe`, on a record of zeros. What does not fit raises, or describes differently."""
    for text in data["houses"]:
        _build(record, text)
    for place in data["places"]:
        _occupy(record, place)
    record.turn = data["turn"]
    record.player = NONE if data["player"] is None else _number("player", data["player"], range(SEATS))
    record.stage = PLACE_STAGE if data["stage"] is None else _number("stage", data["stage"], STAGES)
    record.monuments[:] = data["monuments"]
    for seat, supply in enumerate(data["supply"]):
        record.supply[seat] = [supply[size] for size in SIZES]
    placed, slid = data["placed"], data["slid"]
    record.placed = NONE if placed is None else house_of(placed)
    record.slid_from, record.slid_to = (NONE, NONE) if slid is None else map(house_of, slid)
    _check_counts(record)
    if record.monuments.tolist() != [
        MONUMENTS - [place["owner"] for place in data["places"]].count(seat) for seat in range(SEATS)
    ]:
        raise ValueError("monuments and places do not make up all monuments")
    _check_stage(rules, record)
    _check_end(record)


def _number(key: str, value: Any, values: Sequence[Any]) -> int:
    """The number of a value among those that there are."""
    if value not in values:
        raise ValueError(f"{key}: {value!r} is not one of {', '.join(map(str, values))}")
    return values.index(value)


def _build(record: np.record, text: str) -> None:
    bank, bit, length = house_at(house_of(text))
    free = GROOVES[bank] & ~record.slots[bank]
    if not (fitting(free, covered(record.joints, bank), length) >> bit) & 1:
        raise ValueError(f"there is no room for house {text}")
    put(record, bank, bit, length)


def _occupy(record: np.record, place: Plain) -> None:
    squares = sorted(map(square_of, place["squares"]))
    gaps = openings(record.slots)
    mask = int(spread(np.int64(1) << np.int64(squares[0]), gaps))
    if bits_of(mask) != squares or mask & int(gaps.lines | gaps.columns):
        raise ValueError(f"there is no place {' '.join(place['squares'])}")
    record.owned[_number("owner", place["owner"], range(SEATS))] |= mask


def _check_counts(record: np.record) -> None:
    """Houses are on the board or left, and the two players have placed or passed by turns."""
    begun = int(record.turn) + int(record.placed != NONE)
    used = np.array(SUPPLY) - record.supply
    lengths = [number // SLOTS for number in houses(record)]
    if (used < 0).any() or used.sum(axis=0).tolist() != [lengths.count(n) for n in range(LENGTHS)]:
        raise ValueError("supply and houses do not make up all houses")
    by_seat = used.sum(axis=1)
    passed = np.array([(begun + 1) // 2, begun // 2]) - by_seat
    if (passed < 0).any() or (passed > by_seat[::-1]).any():  # a pass follows a house that the other has placed
        raise ValueError(f"supply is not what {begun} turns leave")
    if record.player != NONE and record.player != record.turn % SEATS:
        raise ValueError(f"player cannot be to move after {record.turn} turns")


def _check_stage(rules: np.record, record: np.record) -> None:
    """What this turn has brought fits the stage; the places that can be claimed follow from it."""
    stage, placed = record.stage, int(record.placed)
    if (placed != NONE) != (stage != PLACE_STAGE) or (placed != NONE and placed not in houses(record)):
        raise ValueError("placed does not fit the stage")
    if record.slid_to != NONE:
        _check_slide(rules, record)
    if stage == SLIDE_STAGE and not (rules.slide and can_slide(record)):
        raise ValueError("stage is slide, and nothing can be slid")
    if stage == CLAIM_STAGE:
        record.closed = closed_this_turn(record)
        if not record.closed:
            raise ValueError("stage is claim, and no place was closed")


def _check_slide(rules: np.record, record: np.record) -> None:
    """Before the slide, it was legal."""
    before = record.copy()
    start, end = int(record.slid_from), int(record.slid_to)
    groove = end % SLOTS // SIDE
    if (
        record.stage != CLAIM_STAGE
        or end not in houses(record)
        or end == record.placed
        or start // SLOTS != end // SLOTS
        or start % SLOTS // SIDE != groove
    ):
        raise ValueError("slid does not fit the stage")
    bank, bit, length = house_at(end)
    lift(before, bank, bit, length)
    put(before, bank, bit + start - end, length)
    before.stage = SLIDE_STAGE
    if not is_slide(before, start, end):
        raise ValueError("slid is no legal slide")


def _check_end(record: np.record) -> None:
    """The game is over when it has to be, and not a turn later."""
    next_seat = record.turn % SEATS
    last = 1 - next_seat  # the last who completed a turn
    if record.monuments[next_seat] == 0 or (record.placed == NONE and not record.supply[next_seat].any()):
        raise ValueError("the game was over before")
    ended = record.turn > 0 and (record.monuments[last] == 0 or not record.supply[last].any())
    if not ended and record.stage == PLACE_STAGE:
        ended = not any(can_place(record, seat) for seat in range(SEATS))
    if ended != (record.player == NONE):
        raise ValueError("player must be null when the game is over, and only then")
