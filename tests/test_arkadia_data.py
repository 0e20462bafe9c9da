"""The data files of Arkadia: what ships is what the rules say, and damaged files are refused with a reason."""

from __future__ import annotations

import shutil

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
from qpolis.errors import QpolisError
from qpolis.games.arkadia.layout import FAMILY_NAMES, TYPES
from qpolis.games.arkadia.notation import SYMBOLS, cells_of
from qpolis.games.arkadia.tables import DATA, load_table, shipped_rules, turned

TABLE = load_table()


# --- what ships ---


def places(squares):
    return {divmod(square, COLUMNS) for square in squares}


def test_the_camps():
    assert places(TABLE.camps) == CAMPS
    assert len(CAMPS) == 24


def test_the_lots_are_all_that_cover_no_camp():
    lots = [frozenset(places(lot.squares)) for lot in TABLE.lots]
    assert lots == [rectangle(*lot) for lot in LOTS]
    assert len(set(lots)) == 6
    possible = [rectangle(height, width, corner) for height, width in ((3, 4), (4, 3)) for corner in sorted(BOARD)]
    assert sorted(map(sorted, lots)) == sorted(sorted(lot) for lot in possible if lot <= BOARD and not lot & CAMPS)


def test_the_forms_and_cards():
    assert tuple(PICTURES) == TYPES
    for name, cells in zip(TYPES, TABLE.forms, strict=True):
        assert to_the_corner(form(name)) in map(frozenset, turned(cells, flip=False)), name
        for flip in (False, True):
            assert set(map(frozenset, turned(cells, flip))) == variants(name, flip), name
    assert dict(zip(TYPES, TABLE.cards, strict=True)) == CARDS_PER_FAMILY
    assert 4 * sum(TABLE.cards) == len(CARDS) == 40


def test_the_castle():
    assert [SYMBOLS[shown] for shown in TABLE.castle] == [family or "blank" for family in RING]
    assert list(TABLE.blocks) == STOCK


def test_the_introduction():
    assert frozenset(places(TABLE.lots[TABLE.intro_lot].squares)) == rectangle(*INTRO_LOT)
    assert TABLE.helpers == INTRO_NEUTRALS
    assert [
        (f"{TYPES[kind // 4]}-{FAMILY_NAMES[kind % 4]}", sorted(places(squares))) for kind, squares in TABLE.intro
    ] == INTRO


@pytest.mark.parametrize("flip", [False, True])
def test_every_place_for_a_building_is_known(flip):
    rules = shipped_rules(2, False, flip)[0]
    game = qpolis.load_game("arkadia", flip=flip)
    for name in TYPES:
        for there in everywhere(name, flip):
            placement = game.notation.placement_of("+".join(names(there)))
            assert places(cells_of(rules, placement)) == there
        form_no = TYPES.index(name)
        known = rules.cells.reshape(len(TYPES), -1, 4)[form_no].any(axis=1).sum()
        assert known == len(everywhere(name, flip))


# --- what is refused ---

BOARD_FILE, BUILDINGS_FILE = "board.toml", "buildings.toml"
LOT = '{ corner = "i4", rows = 3, columns = 4 }'
HOUSE = '{ type = "house", family = "red", squares = "e5+f5" }'
INTRO_TEXT = 'lot = { corner = "g5", rows = 3, columns = 4 }\nhelpers'
BOTH_FARMS = '{ type = "farm", family = "olive", squares = "a1+b1+c1" },\n'


def lot(corner='"i4"', rows="3", columns="4", more=""):
    return f"{{ corner = {corner}, rows = {rows}, columns = {columns}{more} }}"


def house(kind='"house"', family='"red"', squares='"e5+f5"', more=""):
    return f"{{ type = {kind}, family = {family}, squares = {squares}{more} }}"


DAMAGES = [
    # The board.
    (BOARD_FILE, 'board = """', 'board = """\n................', "board: it is not 12 lines of 16"),
    (BOARD_FILE, "...A............\n", "", "board: it is not 12 lines of 16"),
    (BOARD_FILE, "...A............", "...A...........", "board: it is not 12 lines of 16"),
    (BOARD_FILE, "...A............", "...T............", "board: draw camps as A"),
    (BOARD_FILE, 'board = """', 'board = 3\nplan = """', "unknown name 'plan' (known: board, lots"),
    (BOARD_FILE, "blocks =", "# blocks =", "blocks is missing"),
    (BOARD_FILE, "blocks =", "extra = 1\nblocks =", "unknown name 'extra'"),
    (BOARD_FILE, "[introduction]", "[introduction", "it is no TOML file"),
    (BOARD_FILE, "blocks = [", "blocks = [3]\nblocks = [", "it is no TOML file"),
    # Lots.
    (BOARD_FILE, LOT, lot('"i5"'), "lots: number 1: at i5 it covers a camp"),
    (BOARD_FILE, LOT, lot('"o1"'), "lots: number 1: at o1 it is not on the board"),
    (BOARD_FILE, LOT, lot('"b11"'), "lots: number 1: at b11 it is not on the board"),
    (BOARD_FILE, LOT, lot('"q1"'), "'q1' is no square: they are a1 to p12"),
    (BOARD_FILE, LOT, lot("4"), "4 is no square"),
    (BOARD_FILE, LOT, lot(rows="4"), "lots: number 1: it is not 3 by 4"),
    (BOARD_FILE, LOT, lot(rows="2"), "lots: number 1: rows: 2 is not a whole number from 3 to 4"),
    (BOARD_FILE, LOT, lot(rows='"3"'), "lots: number 1: rows: '3' is not a whole number"),
    (BOARD_FILE, LOT, lot(columns="4.0"), "lots: number 1: columns: 4.0 is not a whole number"),
    (BOARD_FILE, LOT, lot(more=", depth = 1"), "lots: number 1: unknown name 'depth' (known: corner, rows"),
    (BOARD_FILE, LOT, '{ corner = "i4", rows = 3 }', "lots: number 1: columns is missing"),
    (BOARD_FILE, LOT, '"i4"', "lots: number 1: 'i4' is no table with corner, rows, columns"),
    (BOARD_FILE, LOT, lot('"g5"'), "lots: there are 6, not 1 to 16 different ones"),
    # The castle.
    (BOARD_FILE, 'castle = ["red", ', "castle = [", "castle: it has 9 squares, not 10"),
    (BOARD_FILE, "castle = [", 'castle = ["red", ', "castle: it has 11 squares, not 10"),
    (BOARD_FILE, 'castle = ["red"', 'castle = ["blue"', "castle: 'blue' is none of red, olive"),
    (BOARD_FILE, 'castle = ["red"', "castle = [1", "castle: 1 is none of red, olive"),
    (BOARD_FILE, 'castle = ["red"', 'castle = [["red"]', "castle: ['red'] is none of red, olive"),
    (BOARD_FILE, "castle = [", "castle = 1 # [", "castle: 1 is no list"),
    (BOARD_FILE, "[3, 3, 1]", "[3, 2, 1]", "blocks: give 3 numbers; a level below the last needs 10"),
    (BOARD_FILE, "[3, 3, 1]", "[3, 3]", "blocks: give 3 numbers"),
    (BOARD_FILE, "[3, 3, 1]", "[]", "blocks: give 3 numbers"),
    (BOARD_FILE, "[3, 3, 1]", '[3, "3", 1]', "blocks: '3' is not a whole number from 0 to 9"),
    (BOARD_FILE, "[3, 3, 1]", "[3, 3, -1]", "blocks: -1 is not a whole number"),
    (BOARD_FILE, "[3, 3, 1]", "[3, 3, true]", "blocks: True is not a whole number"),
    (BOARD_FILE, "[3, 3, 1]", "3", "blocks: 3 is no list"),
    # The introduction.
    (BOARD_FILE, "[introduction]", "[intro]", "unknown name 'intro'"),
    (BOARD_FILE, INTRO_TEXT, "helpers", "introduction: lot is missing"),
    (BOARD_FILE, INTRO_TEXT, 'lot = "g5"\nhelpers', "introduction: lot: 'g5' is no table"),
    (BOARD_FILE, INTRO_TEXT, f"""lot = {lot('"g6"')}\nhelpers""", "introduction: lot: at g6 it covers"),
    (BOARD_FILE, '{ corner = "g5", rows = 3, columns = 4 },', "", "introduction: its lot is none of the lots"),
    (BOARD_FILE, "helpers = {", "colour = 1\nhelpers = {", "introduction: unknown name 'colour'"),
    (BOARD_FILE, "helpers = { 2 = 3, ", "helpers = { ", "introduction: helpers: 2 is missing"),
    (BOARD_FILE, "helpers = { ", "helpers = { 5 = 1, ", "introduction: helpers: unknown name '5'"),
    (BOARD_FILE, "helpers = { 2 = 3", 'helpers = { 2 = "3"', "helpers: '3' is not a whole number from 0 to 6"),
    (BOARD_FILE, "helpers = { 2 = 3", "helpers = { 2 = 7", "helpers: 7 is not a whole number from 0 to 6"),
    (BOARD_FILE, "helpers = {", "helpers = 3 # {", "introduction: helpers: 3 is no table with 2, 3, 4"),
    (BOARD_FILE, HOUSE, house('"hut"'), "introduction: building 1: there is no type 'hut'"),
    (BOARD_FILE, HOUSE, house('["house"]'), "introduction: building 1: there is no type ['house']"),
    (BOARD_FILE, HOUSE, house(family='"blue"'), "introduction: building 1: there is no type 'house' or no fam"),
    (BOARD_FILE, HOUSE, house(squares='"e5+f6"'), "introduction: house e5+f6: that is not its form"),
    (BOARD_FILE, HOUSE, house(squares='"e5+e5"'), "introduction: house e5+e5: that is not its form"),
    (BOARD_FILE, HOUSE, house(squares='"p5+a6"'), "introduction: house p5+a6: that is not its form"),
    (BOARD_FILE, HOUSE, house(squares='"e5"'), "introduction: house e5: that is not its form"),
    (BOARD_FILE, HOUSE, house(squares='"f5+g5"'), "introduction: house f5+g5: it lies on something else"),
    (BOARD_FILE, HOUSE, house(squares='"e5+e6"'), "introduction: monastery e6+f6+d7+e7: it lies on"),
    (BOARD_FILE, HOUSE, house(squares='"e5+f13"'), "'f13' is no square"),
    (BOARD_FILE, HOUSE, house(squares="5"), "introduction: house 5: 5 is no text"),
    (BOARD_FILE, HOUSE, house(more=", seal = 1"), "introduction: building 1: unknown name 'seal'"),
    (BOARD_FILE, HOUSE, '{ type = "house", squares = "e5+f5" }', "introduction: building 1: family is missing"),
    (BOARD_FILE, HOUSE, "7", "introduction: building 1: 7 is no table with type, family, squares"),
    (
        BOARD_FILE,
        HOUSE,
        f"{BOTH_FARMS}{BOTH_FARMS.replace('1', '2')}{HOUSE}",
        "introduction: farm k6+k7+k8: there are not so many cards",
    ),
    (
        BOARD_FILE,
        HOUSE,
        ", ".join(
            [
                HOUSE,
                house(family='"olive"', squares='"a1+a2"'),
                house(family='"black"', squares='"b1+b2"'),
                house(family='"silver"', squares='"a3+b3"'),
            ]
        ),
        "introduction: house: nothing is open around it",
    ),
    # Buildings.
    (BUILDINGS_FILE, "[house]", "[hut]", "unknown name 'hut' (known: house, farm"),
    (BUILDINGS_FILE, '[mill]\ncards = 1\nform = """\n####\n"""', "", "mill is missing"),
    (BUILDINGS_FILE, "[house]\n", "[house]\nprice = 1\n", "house: unknown name 'price' (known: cards, form)"),
    (BUILDINGS_FILE, "cards = 2\n", "", "house: cards is missing"),
    (BUILDINGS_FILE, "[house]\n", "house = 2\n[hut]\n", "unknown name 'hut'"),
    (BUILDINGS_FILE, "cards = 2", 'cards = "2"', "cards of house: '2' is not a whole number from 0 to 40"),
    (BUILDINGS_FILE, "cards = 2", "cards = 2.5", "cards of house: 2.5 is not a whole number"),
    (BUILDINGS_FILE, "cards = 2", "cards = -1", "cards of house: -1 is not a whole number"),
    (BUILDINGS_FILE, "cards = 2", "cards = 3", "there are 44 cards, more than 40"),
    (BUILDINGS_FILE, 'form = """\n##\n"""', "form = 2", "form of house: 2 is no text"),
    (BUILDINGS_FILE, '\n##\n"', '\n#\n"', "form of house: it has 1 squares, not 2 to 4"),
    (BUILDINGS_FILE, '\n##\n"', '\n"', "form of house: it has 0 squares, not 2 to 4"),
    (BUILDINGS_FILE, "####", "#####", "form of mill: it has 5 squares, not 2 to 4"),
    (BUILDINGS_FILE, "####", "##.##", "form of mill: its squares do not hang together"),
    (BUILDINGS_FILE, "####", "##.\n..#", "form of mill: its squares do not hang together"),
    (BUILDINGS_FILE, "####", "XXXX", "form of mill: draw it with # and ."),
    (BUILDINGS_FILE, "###\n.#.", "#\n#\n#\n#", "smithy has the form of mill"),
    (BUILDINGS_FILE, ".##\n##.", "##\n#.\n#.", "monastery has the form of trade-centre"),  # turned over
    (BUILDINGS_FILE, "form =", "form form =", "it is no TOML file"),
]


def copied(folder):
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    return folder


def refusal(folder):
    """The line with which the files of a folder are refused."""
    with pytest.raises(QpolisError) as caught:
        load_table(folder)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def test_a_copy_is_as_good(tmp_path):
    assert load_table(copied(tmp_path)) == TABLE


@pytest.mark.parametrize(("file", "old", "new", "reason"), DAMAGES, ids=[damage[3] for damage in DAMAGES])
def test_a_damaged_file_is_refused(tmp_path, file, old, new, reason):
    path = copied(tmp_path) / file
    told = path.read_text(encoding="utf-8")
    assert old in told
    path.write_text(told.replace(old, new, 1), encoding="utf-8")
    assert refusal(tmp_path).startswith(f"{path}: {reason}")


@pytest.mark.parametrize("file", [BOARD_FILE, BUILDINGS_FILE])
def test_files_that_cannot_be_read(tmp_path, file):
    path = copied(tmp_path) / file
    path.write_bytes(b"\xff\xfe")
    assert refusal(tmp_path).startswith(f"{path}: it is no TOML file: 'utf-8'")
    missing = copied(tmp_path / "other") / file
    missing.unlink()
    assert refusal(tmp_path / "other") == f"{missing}: cannot be read: No such file or directory"
    empty = copied(tmp_path / "third") / file
    empty.write_text("")
    assert refusal(tmp_path / "third") == f"{empty}: {'board' if file == BOARD_FILE else 'house'} is missing"


def fewer_cards(folder, cards):
    """The numbers of cards of the seven types, in order."""
    path = copied(folder) / BUILDINGS_FILE
    lines = iter(cards)
    path.write_text(
        "\n".join(
            f"cards = {next(lines)}" if line.startswith("cards") else line for line in path.read_text().split("\n")
        )
    )


def test_cards_for_everybody(tmp_path):
    """Four hands and the display are 19 cards; the introduction takes seven away."""
    fewer_cards(tmp_path / "a", [1, 1, 1, 1, 0, 0, 0])
    assert refusal(tmp_path / "a").startswith(
        f"{tmp_path / 'a' / BUILDINGS_FILE}: 16 cards are too few to deal four hands and the display"
    )
    fewer_cards(tmp_path / "b", [1, 1, 1, 1, 1, 0, 0])
    assert refusal(tmp_path / "b").startswith(
        f"{tmp_path / 'b' / BOARD_FILE}: introduction: trade-centre g2+g3+g4+h4: there are not so many cards"
    )
    path = copied(tmp_path / "c") / BOARD_FILE
    fewer = [
        line for line in path.read_text().split("\n") if '"trade-centre"' not in line and '"monastery"' not in line
    ]
    fewer_cards(tmp_path / "c", [1, 1, 1, 1, 1, 0, 0])
    path.write_text("\n".join(fewer))
    assert refusal(tmp_path / "c") == (
        f"{path}: introduction: the cards it leaves are too few to deal four hands and the display"
    )


def test_corrections_are_accepted(tmp_path):
    """Whoever owns the game can correct what is reconstructed."""
    path = copied(tmp_path) / BOARD_FILE
    path.write_text(
        path.read_text()
        .replace("...A............", "....A...........", 1)
        .replace(HOUSE, house(squares='"f5+e5"', family='"silver"'))
    )
    table = load_table(tmp_path)
    assert table.camps == TABLE.camps - {3} | {4}
    assert table.intro[0] == (3, TABLE.intro[0][1])
