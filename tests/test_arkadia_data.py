"""The board file of Arkadia that ships is what the rules say."""

from __future__ import annotations

import pytest

import qpolis
from naive.arkadia_pieces import (
    BOARD,
    CAMPS,
    CARDS,
    CARDS_PER_FAMILY,
    COLUMNS,
    INTRO,
    INTRO_LOT,
    INTRO_NEUTRALS,
    LOTS,
    PICTURES,
    RING,
    STOCK,
    everywhere,
    form,
    names,
    rectangle,
    to_the_corner,
    variants,
)
from qpolis.games.arkadia.board_file import BASE, load_board
from qpolis.games.arkadia.forms import turned
from qpolis.games.arkadia.layout import (
    BANNERS,
    FAMILY_NAMES,
    HIRED,
    MOST_OF_A_FAMILY,
    MOST_SEALS,
    OWN_WORKERS,
    TYPES,
)
from qpolis.games.arkadia.notation import SYMBOLS, cells_of
from qpolis.games.arkadia.tables import make_rules

PACKAGED = load_board(BASE)


def places(squares):
    return {divmod(square, COLUMNS) for square in squares}


def test_the_camps():
    assert places(PACKAGED.camps) == CAMPS
    assert len(CAMPS) == 24


def test_the_lots_are_all_that_cover_no_camp():
    lots = [frozenset(places(lot.squares)) for lot in PACKAGED.lots]
    assert lots == [rectangle(*lot) for lot in LOTS]
    assert len(set(lots)) == 6
    possible = [rectangle(height, width, corner) for height, width in ((3, 4), (4, 3)) for corner in sorted(BOARD)]
    assert sorted(map(sorted, lots)) == sorted(sorted(lot) for lot in possible if lot <= BOARD and not lot & CAMPS)


def test_the_forms_and_cards():
    assert tuple(PICTURES) == TYPES
    for name, cells in zip(TYPES, PACKAGED.forms, strict=True):
        assert to_the_corner(form(PICTURES[name])) in map(frozenset, turned(cells, flip=False)), name
        for flip in (False, True):
            assert set(map(frozenset, turned(cells, flip))) == variants(PICTURES[name], flip), name
    for family in range(4):
        assert dict(zip(TYPES, PACKAGED.cards[family::4], strict=True)) == CARDS_PER_FAMILY
    assert sum(PACKAGED.cards) == len(CARDS) == 40


def test_the_castle():
    assert [SYMBOLS[shown] for shown in PACKAGED.castle] == [family or "blank" for family in RING]
    assert list(PACKAGED.blocks) == STOCK


def test_the_introduction():
    assert frozenset(places(PACKAGED.intro_lot.squares)) == rectangle(*INTRO_LOT)
    assert dict(zip((2, 3, 4), PACKAGED.helpers, strict=True)) == INTRO_NEUTRALS
    assert [
        (f"{TYPES[kind // 4]}-{FAMILY_NAMES[kind % 4]}", sorted(places(squares)))
        for kind, squares in PACKAGED.intro
    ] == INTRO


@pytest.mark.parametrize("flip", [False, True])
def test_every_place_for_a_building_is_known(flip):
    rules = make_rules(PACKAGED, 2, False, flip)[0]
    game = qpolis.load_game("arkadia", flip=flip)
    for name in TYPES:
        for there in everywhere(PICTURES[name], flip):
            placement = game.notation.placement_of("+".join(names(there)))
            assert places(cells_of(rules, placement)) == there
        form_no = TYPES.index(name)
        known = rules.starts[form_no + 1] - rules.starts[form_no]
        assert known == len(everywhere(PICTURES[name], flip))


def test_nobody_can_have_64_seals_of_a_family():
    """A seal for each building of the family, and for each worker beside it; a worker is beside four at most."""
    workers = OWN_WORKERS + BANNERS * HIRED
    assert workers == 11
    assert max(sum(PACKAGED.cards[family::4]) for family in range(4)) == 10
    assert 4 * workers + 10 < 4 * workers + MOST_OF_A_FAMILY < MOST_SEALS == 64
