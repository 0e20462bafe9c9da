"""States of Arkadia as plain data, and back."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from qpolis.games.arkadia.cards import draw_from
from qpolis.games.arkadia.codec_checks import check
from qpolis.games.arkadia.layout import (
    BITS,
    BLANK,
    FAMILIES,
    FAMILY_NAMES,
    FULL,
    KINDS,
    LOT,
    NONE,
    STAGES,
    TYPES,
)
from qpolis.games.arkadia.notation import CARDS, Notation, card_of, square_of, square_text
from qpolis.games.arkadia.turns import add_building, cover

Plain = dict[str, Any]
PER_SEAT = ("workers", "known", "own", "helpers", "banners", "seals", "gold", "hands")


def fields_of(record: np.record) -> Any:
    """All fields of a record, got at once: one by one takes several times as long."""
    return SimpleNamespace(**dict(zip(record.dtype.names or (), record.item())))


def squares_in(words: np.ndarray) -> list[str]:
    """The squares of a bit board, in order."""
    squares = []
    for i, word in enumerate(words.tolist()):
        word &= FULL
        while word:
            lowest = word & -word
            squares.append(square_text(i * BITS + lowest.bit_length() - 1))
            word ^= lowest
    return squares


def cards_in(counts: np.ndarray) -> list[str]:
    return [card for card, count in zip(CARDS, counts.tolist()) for _ in range(count)]


def by_family(counts: np.ndarray) -> dict[str, int]:
    return dict(zip(FAMILY_NAMES, counts.tolist()))


def _or_none(number: int, name: Any) -> Any:
    return None if number == NONE else name(int(number))


def describe_open(notation: Notation, state: Any) -> Plain:
    """What everybody knows of a state, given by its fields."""
    rules = notation.rules
    seats = range(int(rules.players))
    over = state.player == NONE
    return {
        "players": len(seats),
        "setup": "intro" if rules.intro else "standard",
        "turn": state.turn,
        "player": None if over else state.player,
        "stage": None if over else STAGES[state.stage],
        "lot": squares_in(rules.lot_cells[state.lot]),
        "buildings": _buildings(notation, state),
        "workers": [squares_in(state.men[seat]) for seat in seats],
        "neutral": squares_in(state.neutral),
        "castle": [
            {"shows": None if shown == BLANK else FAMILY_NAMES[shown], "level": level}
            for shown, level in zip(state.shows.tolist(), state.level.tolist())
        ],
        "stock": [by_family(stock) for stock in state.stock],
        "known": [cards_in(state.known[seat]) for seat in seats],
        "display": [_or_none(kind, CARDS.__getitem__) for kind in state.display],
        "own": state.own[seats].tolist(),
        "helpers": state.helpers[seats].tolist(),
        "camp": state.camp,
        "banners": state.banners[seats].tolist(),
        "seals": [by_family(state.seals[seat]) for seat in seats],
        "gold": state.gold[seats].tolist(),
        "held": _or_none(state.held, CARDS.__getitem__),
        "beside": _or_none(state.beside, square_text),
        "last": _or_none(state.last, square_text),
        "blocks": state.blocks,
        "selling": _or_none(state.selling, FAMILY_NAMES.__getitem__),
        "passes": state.passes,
        "turns_left": _or_none(state.turns_left, int),
    }


def _buildings(notation: Notation, state: Any) -> list[Plain]:
    count = state.buildings
    return [
        {
            "type": TYPES[kind // FAMILIES],
            "family": FAMILY_NAMES[kind % FAMILIES],
            "squares": list(notation.squares(place)),
            "complete": bool(state.complete >> number & 1),
        }
        for number, (kind, place) in enumerate(zip(state.kind[:count].tolist(), state.place[:count].tolist()))
    ]


def describe(notation: Notation, record: np.record, fixed: Plain) -> Plain:
    """Everything; `fixed` is what is the same in every state of the game."""
    state = fields_of(record)
    return {
        **describe_open(notation, state),
        **fixed,
        "hands": [cards_in(state.hand[seat]) for seat in range(int(notation.rules.players))],
        "pile": cards_in(state.pile),
    }


def view(notation: Notation, record: np.record, fixed: Plain, seat: int) -> Plain:
    """What a seat may know: its own hand, of the others the cards taken openly, and how many there are."""
    state = fields_of(record)
    return {
        **describe_open(notation, state),
        **fixed,
        "hand": cards_in(state.hand[seat]),
        "cards": state.cards[: int(notation.rules.players)].tolist(),
        "unseen": state.unseen,
    }


def complete(rules: np.record, seen: Plain, seat: int, chance: np.ndarray) -> Plain:
    """A whole state that fits a view: what the seat has not seen is drawn."""
    left = rules.deck.copy()
    for building in seen["buildings"][int(rules.intro_count) :]:
        left[card_of(f"{building['type']}-{building['family']}")] -= 1
    for card in [*seen["display"], seen["held"]]:
        if card is not None:
            left[card_of(card)] -= 1
    hands = [list(seen["hand"] if other == seat else cards) for other, cards in enumerate(seen["known"])]
    for hand in hands:
        for card in hand:
            left[card_of(card)] -= 1
    for hand, count in zip(hands, seen["cards"]):
        for _ in range(count - len(hand)):
            hand.append(CARDS[draw_from(left, left.sum(), chance)])
        hand.sort(key=CARDS.index)
    data = {key: value for key, value in seen.items() if key not in ("hand", "cards", "unseen")}
    return {**data, "hands": hands, "pile": cards_in(left)}


# -- back --------------------------------------------------------------------------------------------------


def fill(notation: Notation, record: np.record, data: Plain) -> None:
    """The inverse of `describe`, on a record of zeros. What does not fit raises, or describes differently."""
    rules = notation.rules
    seats = range(int(rules.players))
    for key in PER_SEAT:
        if not isinstance(data[key], list) or len(data[key]) != len(seats):
            raise ValueError(f"{key} is no list with an entry for each seat")
    record.owner[:] = NONE
    record.lot = _lot(rules, data["lot"])
    cover(record, rules.lot_cells[record.lot], LOT)
    for building in data["buildings"]:
        _build(notation, record, building)
    for words, squares in [*zip(record.men, data["workers"]), (record.neutral, data["neutral"])]:
        _place(record, words, squares)
    record.shows[:] = [
        BLANK if square["shows"] is None else _number("castle", FAMILY_NAMES, square["shows"])
        for square in data["castle"]
    ]
    record.level[:] = [square["level"] for square in data["castle"]]
    record.stock[:] = [[stock[family] for family in FAMILY_NAMES] for stock in data["stock"]]
    for seat in seats:
        record.hand[seat] = _counts(data["hands"][seat])
        record.known[seat] = _counts(data["known"][seat])
        record.cards[seat] = len(data["hands"][seat])
        record.seals[seat] = [data["seals"][seat][family] for family in FAMILY_NAMES]
        for name in ("own", "helpers", "banners", "gold"):
            record[name][seat] = data[name][seat]
    record.display[:] = [NONE if card is None else card_of(card) for card in data["display"]]
    record.pile[:] = _counts(data["pile"])
    record.unseen = len(data["pile"])
    for name in ("camp", "turn", "blocks", "passes"):
        record[name] = data[name]
    record.player = NONE if data["player"] is None else _number("player", seats, data["player"])
    record.stage = 0 if data["stage"] is None else _number("stage", STAGES, data["stage"])
    record.held = NONE if data["held"] is None else card_of(data["held"])
    record.beside = NONE if data["beside"] is None else square_of(data["beside"])
    record.last = NONE if data["last"] is None else square_of(data["last"])
    record.selling = NONE if data["selling"] is None else _number("selling", FAMILY_NAMES, data["selling"])
    record.turns_left = NONE if data["turns_left"] is None else data["turns_left"]
    check(rules, record)


def _number(key: str, names: Sequence[Any], given: Any) -> int:
    if given not in names:
        raise ValueError(f"{key}: {given!r} is none of {', '.join(map(str, names))}")
    return names.index(given)


def _lot(rules: np.record, squares: list[str]) -> int:
    for lot in range(int(rules.lot_count)):
        if squares_in(rules.lot_cells[lot]) == squares:
            return lot
    raise ValueError("lot: the castle cannot lie there")


def _build(notation: Notation, record: np.record, told: Plain) -> None:
    kind = card_of(f"{told['type']}-{told['family']}")
    placement = notation.placement_of("+".join(told["squares"]))
    rules = notation.rules
    cells = rules.cells[placement]
    if rules.first[placement] != square_of(told["squares"][0]) or (cells & record.filled).any():
        raise ValueError(f"buildings: there is no room at {'+'.join(told['squares'])}")
    if notation.form_of(placement) != kind // FAMILIES:
        raise ValueError(f"buildings: {'+'.join(told['squares'])} is not the form of a {told['type']}")
    number = add_building(rules, record, kind, placement)
    if told["complete"]:
        record.complete |= np.int64(1) << np.int64(number)


def _place(record: np.record, words: np.ndarray, squares: list[str]) -> None:
    for square in map(square_of, squares):
        bit = np.int64(1) << np.int64(square % BITS)
        if record.filled[square // BITS] & bit:
            raise ValueError(f"workers: {square_text(square)} is taken")
        words[square // BITS] |= bit
        record.filled[square // BITS] |= bit


def _counts(cards: list[str]) -> list[int]:
    kinds = [card_of(card) for card in cards]
    return [kinds.count(kind) for kind in range(KINDS)]
