"""Board files of Arkadia that are refused: one line with the file, the line, the key and what would be right."""

from __future__ import annotations

import os

import pytest

from qpolis import load_game
from qpolis.errors import QpolisError
from qpolis.games.arkadia.board_file import LONGEST, PACKAGED, load_board
from qpolis.games.arkadia.toml_lines import line_of

TEXT = PACKAGED.read_text(encoding="utf-8")
HOUSE = '"e5+f5" = "house-red"'
RED = "red    = { house = 2, farm = 2, tavern = 2, mill = 1, smithy = 1, trade-centre = 1, monastery = 1 }"
FIRST = "...A............\n"
NO_CARDS = RED.replace("= 2", "= 0").replace("= 1", "= 0")


def refusal(path):
    """The line with which a board is refused."""
    with pytest.raises(QpolisError) as caught:
        load_board(str(path))
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def damaged(folder, old, new):
    assert old in TEXT
    path = folder / "mine.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    return path


def line(text, within=TEXT):
    """The number of the first line that begins so."""
    return next(number for number, one in enumerate(within.split("\n"), start=1) if one.startswith(text))


DAMAGES = [
    # The board.
    (FIRST, "", line("board"), "board: it has 11 rows, not 12"),
    (FIRST, FIRST * 2, line("board"), "board: it has 13 rows, not 12"),
    (FIRST, FIRST[1:], line("...A"), "board: row 1 has 15 squares, not 16"),
    ("..A....A........", "..A....A.........", line("..A....A"), "board: row 4 has 17 squares, not 16"),
    ("..A....A........", "..A....a........", line("..A....A"), "board: 'a' is no mark: draw with A and ."),
    (FIRST, FIRST.replace(".", " "), line("...A"), "board: ' ' is no mark: draw with A and ."),
    ('board = """', 'board = 3\nplan = """', line("board") + 1, "plan: unknown key 'plan' (known: blocks, board"),
    ('board = """', 'bord = """', line("board"), "bord: unknown key 'bord', did you mean 'board'? (known: "),
    ("blocks =", "# blocks =", None, "blocks is missing"),
    ("blocks =", "extra = 1\nblocks =", line("blocks"), "extra: unknown key 'extra' (known: blocks, "),
    (
        "[introduction]",
        "[introduction",
        line("[introduction]"),
        "not TOML: Expected ']' at the end of a tab",
    ),
    ("blocks = [", "blocks = [3]\nblocks = [", line("blocks") + 1, "not TOML: Cannot overwrite a value"),
    ('"monastery-black"', '"monastery-black', line('"e6+f6'), "not TOML: Illegal character '\\n'"),
    ('"monastery-black"', "'''monastery-black", line('"e6+f6'), "not TOML: Expected \"'''\""),
    ("blocks = [", f"blocks = {'[' * 5000}", None, "not TOML: maximum recursion depth exceeded"),
    ("blocks = [3", f"blocks = [{'3' * 5000}", None, "not TOML: Exceeds the limit"),
    # Lots.
    ('lots = "all"', 'lots = ["i5-l7"]', line("lots"), "lots: i5-l7 covers the camp on k7"),
    ('lots = "all"', 'lots = ["m1-p4"]', line("lots"), "lots: m1-p4 is not 3 by 4 squares, or 4 by 3, from the"),
    ('lots = "all"', 'lots = ["l6-i4"]', line("lots"), "lots: l6-i4 is not 3 by 4 squares"),
    ('lots = "all"', 'lots = ["o1-r3"]', line("lots"), "lots: 'r3' is no square: they are a1 to p12"),
    ('lots = "all"', 'lots = ["i4"]', line("lots"), "lots: 'i4' is no place: write its first and its last square"),
    ('lots = "all"', "lots = [4]", line("lots"), "lots: 4 is no text"),
    ('lots = "all"', "lots = []", line("lots"), 'lots: [] is neither "all" nor a list of places such as "i4-l6"'),
    ('lots = "all"', 'lots = "some"', line("lots"), "lots: 'some' is neither \"all\" nor a list"),
    ('lots = "all"', 'lots = ["i4-l6", "g5-j7", "i4-l6"]', line("lots"), "lots: i4-l6 is there twice"),
    (
        TEXT[TEXT.index(FIRST) : TEXT.index('"""\n\n# Where')],
        "..A..A..A..A..A.\n" * 12,
        line("board"),
        "board: the camps leave no place for the castle lot, 3 by 4 squares",
    ),
    # The castle.
    ('castle = ["red", ', "castle = [", line("castle"), "castle: give 10 squares, each one of red, olive"),
    ("castle = [", 'castle = ["red", ', line("castle"), "castle: give 10 squares"),
    ('castle = ["red"', 'castle = ["blue"', line("castle"), "castle: 'blue' is none of red, olive"),
    ('castle = ["red"', "castle = [1", line("castle"), "castle: 1 is none of red, olive"),
    ('castle = ["red"', 'castle = [["red"]', line("castle"), "castle: ['red'] is none of red, olive"),
    ("castle = [", "castle = 1 # [", line("castle"), "castle: give 10 squares"),
    ("[3, 3, 1]", "[3, 2, 1]", line("blocks"), "blocks: a level below the last needs 10 blocks, so 3 of each fam"),
    ("[3, 3, 1]", "[3, 3]", line("blocks"), "blocks: give 3 numbers, one for each level"),
    ("[3, 3, 1]", '[3, "3", 1]', line("blocks"), "blocks: '3' is not a whole number from 0 to 9"),
    ("[3, 3, 1]", "[3, 3, -1]", line("blocks"), "blocks: -1 is not a whole number from 0 to 9"),
    ("[3, 3, 1]", "[3, 3, true]", line("blocks"), "blocks: True is not a whole number"),
    ("[3, 3, 1]", "3", line("blocks"), "blocks: give 3 numbers"),
    # Forms.
    ("[forms]", "forms = 3\n[shapes]", line("[forms]") + 1, "shapes: unknown key 'shapes' (known: "),
    ("[forms]", "[form]", line("[forms]"), "form: unknown key 'form', did you mean 'forms'?"),
    ("house = ", "hut = ", line("house"), "forms.hut: unknown key 'hut' (known: farm, house"),
    ('mill = """\n####\n"""\n', "", line("[forms]"), "forms: mill is missing"),
    ('house = """\n##\n"""', "house = 2", line("house"), "forms.house: 2 is no drawing"),
    ('\n##\n"', '\n#\n"', line("house"), "forms.house: give it 2 to 5 squares, not 1"),
    ('\n##\n"', '\n"', line("house"), "forms.house: give it 2 to 5 squares, not 0"),
    ("####", "######", line("mill"), "forms.mill: give it 2 to 5 squares, not 6"),
    ("####", "##.##", line("mill"), "forms.mill: its squares do not hang together by their sides"),
    ("####", "##.\n..#", line("mill"), "forms.mill: its squares do not hang together by their sides"),
    ("####", "##\nXX", line("mill") + 2, "forms.mill: 'X' is no mark: draw with # and ."),
    ('mill = """\n####', 'mill = """####\nX', line("mill") + 1, "forms.mill: 'X' is no mark"),
    ('mill = """\n####', 'mill = """\n\n\n####\nX', line("mill") + 4, "forms.mill: 'X' is no mark"),
    ('mill = """\n####\n"""', 'mill = "####X"', line("mill"), "forms.mill: 'X' is no mark"),
    ("###\n.#.", "#\n#\n#\n#", line("smithy"), "forms.smithy: it is the form of mill, turned or turned over"),
    (".##\n##.", "##\n#.\n#.", line("monastery"), "forms.monastery: it is the form of trade-centre, turned or"),
    # Cards.
    (RED, "red = 10", line("red"), "cards.red: 10 is no table"),
    (RED, RED.replace("house = 2, ", ""), line("red"), "cards.red: house is missing"),
    (RED, RED.replace("mill", "mil"), line("red"), "cards.red.mil: unknown key 'mil', did you mean 'mill'?"),
    (RED, "blue" + RED[3:], line("red"), "cards.blue: unknown key 'blue' (known: black, olive, red, silver)"),
    (RED, RED.replace("house = 2", 'house = "2"'), line("red"), "cards.red.house: '2' is not a whole number from"),
    (RED, RED.replace("house = 2", "house = 2.5"), line("red"), "cards.red.house: 2.5 is not a whole number"),
    (RED, RED.replace("house = 2", "house = -1"), line("red"), "cards.red.house: -1 is not a whole number"),
    (RED, RED.replace("house = 2", "house = 3"), line("[cards]"), "cards: there are 41, not 19 (four hands and"),
    (RED, RED.replace("house = 2", "house = 12"), line("red"), "cards.red: it has 20 cards, more than 19"),
    # The introduction.
    ("[introduction]", "[intro]", line("[introduction]"), "intro: unknown key 'intro'"),
    ('lot = "g5-j7"', "", line("[introduction]"), "introduction: lot is missing"),
    ('lot = "g5-j7"', 'lot = "g6-j8"', line("lot ="), "introduction.lot: g6-j8 covers the camp on i8"),
    ('lots = "all"', 'lots = ["i4-l6"]', line("lot ="), "introduction.lot: g5-j7 is none of the lots, i4-l6"),
    ("helpers = { 2 = 3, ", "helpers = { ", line("helpers"), "introduction.helpers: 2 is missing"),
    ("helpers = { ", "helpers = { 5 = 1, ", line("helpers"), "introduction.helpers.5: unknown key '5' (known: 2"),
    ("helpers = { 2 = 3", "helpers = { 2 = 7", line("helpers"), "introduction.helpers.2: 7 is not a whole number"),
    ("helpers = {", "helpers = 3 # {", line("helpers"), "introduction.helpers: 3 is no table"),
    (
        "[introduction.buildings]",
        "[introduction.building]",
        line("[introduction.b"),
        "introduction.building: un",
    ),
    (HOUSE, '"e5+f5" = "hut-red"', line('"e5'), "introduction.buildings.e5+f5: 'hut-red' is no card: they are a"),
    (HOUSE, '"e5+f5" = "house-blue"', line('"e5'), "introduction.buildings.e5+f5: 'house-blue' is no card"),
    (HOUSE, '"e5+f5" = 3', line('"e5'), "introduction.buildings.e5+f5: 3 is no card"),
    (HOUSE, '"e5+f5" = ["house-red"]', line('"e5'), "introduction.buildings.e5+f5: ['house-red'] is no card"),
    (HOUSE, HOUSE.replace("f5", "f6"), line('"e5'), "introduction.buildings.e5+f6: that is not the form of a hou"),
    (HOUSE, HOUSE.replace("f5", "e5"), line('"e5'), "introduction.buildings.e5+e5: that is not the form"),
    (HOUSE, HOUSE.replace("e5+f5", "p5+a6"), line('"e5'), "introduction.buildings.p5+a6: that is not the form"),
    (HOUSE, HOUSE.replace("+f5", ""), line('"e5'), "introduction.buildings.e5: that is not the form"),
    (HOUSE, HOUSE.replace("f5", "f13"), line('"e5'), "introduction.buildings.e5+f13: 'f13' is no square"),
    (HOUSE, HOUSE.replace("e5+f5", "f5+g5"), line('"e5'), "introduction.buildings.f5+g5: g5 has the lot already"),
    (
        HOUSE,
        HOUSE.replace("f5", "e6"),
        line('"e6+f6'),
        "introduction.buildings.e6+f6+d7+e7: e6 has house-red already",
    ),
    (
        HOUSE,
        '"a1+b1+c1" = "farm-olive"\n"a2+b2+c2" = "farm-olive"',
        line('"k6') + 1,
        "introduction.buildings.k6+k7+k8: cards has only 2 farm-olive",
    ),
    (
        HOUSE,
        '"a1+a2" = "house-olive"\n"b1+b2" = "house-black"\n"a3+b3" = "house-silver"',
        line('"e5'),
        "introduction.buildings.a1+a2: no square beside it is free: it would be complete before the game",
    ),
]


@pytest.mark.parametrize(("old", "new", "at", "reason"), DAMAGES, ids=[damage[3] for damage in DAMAGES])
def test_a_damaged_board_is_refused(tmp_path, old, new, at, reason):
    path = damaged(tmp_path, old, new)
    assert refusal(path).startswith(f"{path}: {f'line {at}: ' if at else ''}{reason}")


def test_lines_that_end_as_in_windows_count_the_same(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(TEXT.replace("...A..A.\n", "...A..B.\n").replace("\n", "\r\n").encode())
    assert refusal(path).startswith(f"{path}: line {line('...........A')}: board: 'B' is no mark")


def test_cards_for_everybody(tmp_path):
    """Four hands and the face-up cards are 19; the introduction takes seven away."""
    few = tmp_path / "few.toml"
    few.write_text(TEXT.replace("house = 2, farm = 2, tavern = 2,", "house = 0, farm = 0, tavern = 0,"))
    assert refusal(few).startswith(f"{few}: line {line('[cards]')}: cards: there are 16, not 19 (four hands")
    fewer = tmp_path / "fewer.toml"
    fewer.write_text(TEXT.replace("house = 2, farm = 2, tavern = 2,", "house = 1, farm = 1, tavern = 1,", 4))
    assert load_board(str(fewer)).cards == (1,) * 28
    again = TEXT.replace("house = 2, farm = 2, tavern = 2,", "house = 1, farm = 1, tavern = 1,")
    again = again.replace(RED.replace("= 2", "= 1"), NO_CARDS).replace('"house-red"', '"house-silver"')
    again = again.replace('"smithy-red"', '"smithy-silver"')
    fewer.write_text(again)
    assert refusal(fewer) == (
        f"{fewer}: line {line('[introduction.b')}: introduction.buildings: it leaves 14 cards, too few for "
        "four hands and the face-up cards, 19"
    )


# --- files that are none ---


def test_what_is_no_file(tmp_path):
    missing = tmp_path / "none.toml"
    assert refusal(missing) == f"{missing}: cannot be read: No such file or directory"
    assert refusal(tmp_path) == f"{tmp_path}: cannot be read: Is a directory"
    os.mkfifo(pipe := tmp_path / "pipe.toml")
    assert refusal(pipe) == f"{pipe}: not a file that can be a board"
    assert refusal("/dev/zero") == "/dev/zero: not a file that can be a board"
    locked = tmp_path / "loop.toml"
    locked.symlink_to(locked)
    assert refusal(locked).startswith(f"{locked}: cannot be read: Too many levels of symbolic links")


def test_what_is_no_text(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"# a board\n\xff\xfe")
    assert refusal(path) == f"{path}: line 2: not UTF-8 text"
    path.write_bytes(b"# a board\n\0")
    assert refusal(path).startswith(f"{path}: line 2: not TOML: ")
    path.write_text("")
    assert refusal(path) == f"{path}: board is missing"
    path.write_text("#" * LONGEST)
    assert refusal(path) == f"{path}: board is missing"
    path.write_text("#" * (LONGEST + 1))
    assert refusal(path) == f"{path}: more than {LONGEST:,} bytes: not a board"
    assert refusal("./\0.toml") == "'./\\x00.toml': cannot be read: embedded null byte"


def test_an_unknown_name():
    assert refusal("bass") == (
        "unknown board 'bass', did you mean 'base'? (known: base); a board can also be the path of a .toml file"
    )
    with pytest.raises(QpolisError, match="unknown board 'published'"):
        load_game("arkadia", board="published")


# --- lines ---


def test_the_line_of_a_key():
    text = 'a = 1\n\n# b = 2\nb = """\nc = 3\n"""\n[t.u]\n"x y" = [\n1,\n2]\nz = {p = 1, q = 2}\n[t.v]\nd.e = 3'
    lines = {
        ("a",): 1,
        ("b",): 4,
        ("t",): 7,
        ("t", "u"): 7,
        ("t", "u", "x y"): 8,
        ("t", "u", "z", "q"): 11,
        ("t", "v"): 12,
        ("t", "v", "d", "e"): 13,
        ("c",): None,
        ("a", "b"): None,
    }
    assert {keys: line_of(text, keys) for keys in lines} == lines
