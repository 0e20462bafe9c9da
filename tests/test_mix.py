"""Tile mixes: what the packaged mix holds, and what is said about a file that cannot be used."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from pathlib import Path

import pytest

from helpers.sizes import MODES
from qpolis import load_game
from qpolis.errors import QpolisError
from qpolis.games.quadropolis.mix import MIXES, load_mix

HEADING = "deck,round,mark,type,inhabitants,energy,vp,mayor"
GOOD = "both,1,all,tower,1,0,0,0"
CLASSIC = "\n".join([HEADING, *(f"classic,{round},all,tower,1,1,0,0" for round in (1, 2, 3, 4))]) + "\n"
BASE = (MIXES / "base.csv").read_bytes()
DECK = {"classic": ("both", "classic"), "expert": ("both", "expert")}
ROUNDS = {"classic": 4, "expert": 5}


@pytest.fixture
def write(tmp_path):
    """Write a mix file and return its path as one would type it."""

    def write(content, name="mine.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def refusal(mix, **options):
    """The message with which a mix is refused; it is one line."""
    with pytest.raises(QpolisError) as caught:
        load_game("quadropolis", mix=mix, **options)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def course(game, seed, choices=1):
    """All states of a game between random players, as plain data."""
    pick = random.Random(choices)
    state = game.new(seed)
    states = [state.to_dict()]
    while not state.over:
        state.apply(pick.choice(state.legal()))
        states.append(state.to_dict())
    return states


def layouts(states):
    """The tiles on the site at the start of each round, counted."""
    first = {}
    for state in states:
        first.setdefault(state["round"], state["site"])
    return [Counter(tuple(tile.values()) for tile in site if tile) for site in first.values()]


# --- the packaged mix ---------------------------------------------------------------------------------


def test_base_has_the_tiles_of_the_box():
    assert Counter(row.tile.type for row in load_mix("base").rows) == {
        "tower": 32,
        "shop": 15,
        "service": 19,
        "park": 15,
        "factory": 19,
        "harbor": 21,
        "office": 17,
        "monument": 4,
    }


@pytest.mark.parametrize("mode", MODES)
def test_base_has_the_same_marks_in_every_round(mode):
    for round in range(1, ROUNDS[mode] + 1):
        marks = Counter(row.mark for row in load_mix("base").round_rows(mode, round))
        assert marks == {"all": 16, "3-4": 4, "4": 5}


@pytest.mark.parametrize("mode", MODES)
def test_base_has_one_mayor_a_round_except_the_last(mode):
    mayors = [
        sum(row.tile.mayor for row in load_mix("base").round_rows(mode, round))
        for round in range(1, ROUNDS[mode] + 1)
    ]
    assert mayors == [1] * (ROUNDS[mode] - 1) + [0]


def test_base_brings_65_inhabitants_and_47_energy_in_expert():
    tiles = [row.tile for row in load_mix("base").rows if row.deck in DECK["expert"]]
    assert len(tiles) == 125
    assert sum(tile.inhabitants for tile in tiles) == 65
    assert sum(tile.energy for tile in tiles) == 47


def test_base_has_monuments_from_round_two_on():
    monuments = {row.round: row.mark for row in load_mix("base").rows if row.tile.type == "monument"}
    assert monuments == {2: "all", 3: "all", 4: "3-4", 5: "4"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("players", "tiles"), [(4, 25), (3, 20), (2, 16)])
def test_tiles_in_play_each_round(mode, players, tiles):
    game = load_game("quadropolis", mode=mode, players=players)
    laid = layouts(course(game, seed=5))
    assert [site.total() for site in laid] == [tiles] * ROUNDS[mode]
    assert laid == layouts(course(game, seed=6, choices=2)), "every game has the same tiles"
    marks = {2: ("all",), 3: ("all", "3-4"), 4: ("all", "3-4", "4")}[players]
    for round, site in enumerate(laid, start=1):
        rows = game.mix.round_rows(mode, round)
        assert site == Counter(
            (row.tile.type, row.tile.inhabitants, row.tile.energy, row.tile.vp, row.tile.mayor)
            for row in rows
            if row.mark in marks
        )


def test_layout_depends_on_the_seed():
    game = load_game("quadropolis")
    assert game.new(1).to_dict() == game.new(1).to_dict()
    assert game.new(1).to_dict()["site"] != game.new(2).to_dict()["site"]


# --- files that are accepted --------------------------------------------------------------------------


def rewritten(change):
    """The base mix with every row changed."""
    text = io.StringIO()
    csv.writer(text).writerows(change(row) for row in csv.reader(io.StringIO(BASE.decode())))
    return text.getvalue()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(BASE, id="as it is"),
        pytest.param(b"\xef\xbb\xbf" + BASE, id="UTF-8 BOM"),
        pytest.param(BASE.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(BASE.rstrip(), id="no last line end"),
        pytest.param(b"\n  \n" + BASE.replace(b"\n", b"\n\n") + b"\n,,,,,,,,\n\n", id="blank lines"),
        pytest.param(rewritten(lambda row: row[:8]), id="no extra column"),
        pytest.param(rewritten(lambda row: [*row, "x", "y"]), id="more extra columns"),
        pytest.param(rewritten(lambda row: [*row[:8], 'a, «ü»\n"b"']), id="text of two lines in an extra column"),
        pytest.param(rewritten(lambda row: [f" {field} " for field in row]), id="spaces"),
        pytest.param(rewritten(lambda row: row[::-1]), id="columns in another order"),
    ],
)
def test_same_tiles_give_the_same_game(write, mode, content):
    mine = load_game("quadropolis", mode=mode, mix=write(content))
    base = load_game("quadropolis", mode=mode)
    assert [row.tile for row in mine.mix.rows] == [row.tile for row in base.mix.rows]
    for seed in (0, 7):
        assert mine.new(seed).to_dict() == base.new(seed).to_dict()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_copy_of_base_plays_as_base_to_the_end(write, mode, players):
    path = write(BASE, name="base copy")  # needs no .csv in its name when it has a folder
    mine, base = (load_game("quadropolis", mode=mode, players=players, mix=mix) for mix in (path, "base"))
    assert course(mine, seed=3) == course(base, seed=3)


def test_path_object_is_a_mix(write):
    path = write(BASE)
    assert load_mix(Path(path)) == load_mix(path)


def test_file_beside_is_found_without_a_folder(write, tmp_path, monkeypatch):
    write(BASE, name="plain")
    monkeypatch.chdir(tmp_path)
    assert load_mix("plain").rows == load_mix("base").rows


def test_file_called_base_does_not_hide_the_packaged_mix(write, tmp_path, monkeypatch):
    write(CLASSIC, name="base")
    monkeypatch.chdir(tmp_path)
    assert len(load_mix("base").rows) == 142


def test_classic_mix_plays_classic_only(write):
    path = write(CLASSIC)
    states = course(load_game("quadropolis", mode="classic", mix=path), seed=1)
    assert states[-1]["player"] is None
    message = refusal(path, mode="expert")
    assert message.startswith(f"{path}: column round: no tile for round 1 of the expert mode")


def test_expert_mix_plays_expert_only(write):
    path = write(CLASSIC.replace("classic", "expert") + "expert,5,all,monument,0,0,0,0\n")
    states = course(load_game("quadropolis", mode="expert", mix=path), seed=1)
    assert states[-1]["player"] is None
    assert "round 1 of the classic mode" in refusal(path, mode="classic")


def test_round_with_no_tile_for_so_few_players_is_played(write):
    path = write(CLASSIC.replace("3,all", "3,4"))
    assert [site.total() for site in layouts(course(load_game("quadropolis", mix=path), seed=1))] == [1, 1, 0, 1]


# --- names and files that are refused -----------------------------------------------------------------

ROWS = [
    ("unknown type", "both,1,all,castle,1,0,0,0", "type", "'castle' is not one of tower, shop"),
    ("type in capitals", "both,1,all,Tower,1,0,0,0", "type", "'Tower'"),
    ("no type", "both,1,all,,1,0,0,0", "type", "''"),
    ("unknown mark", "both,1,2-3,tower,1,0,0,0", "mark", "'2-3' is not one of all, 3-4, 4"),
    ("unknown deck", "advanced,1,all,tower,1,0,0,0", "deck", "'advanced' is not one of both, classic, expert"),
    ("negative number", "both,1,all,tower,-1,0,0,0", "inhabitants", "'-1'"),
    ("absurd number", "both,1,all,tower,1,999999999999999999999999,0,0", "energy", "'999999999999999999999999'"),
    ("number too long to convert", f"both,1,all,tower,1,{'9' * 5000},0,0", "energy", "whole number"),
    ("too many inhabitants", "both,1,all,tower,10,0,0,0", "inhabitants", "'10' is not a whole number from 0 to 9"),
    ("not a number", "both,1,all,tower,1,0,two,0", "vp", "'two' is not a whole number"),
    ("fraction", "both,1,all,tower,1.5,0,0,0", "inhabitants", "'1.5'"),
    ("plus sign", "both,1,all,tower,+1,0,0,0", "inhabitants", "'+1'"),
    ("digits of another script", "both,1,all,tower,\u0661,0,0,0", "inhabitants", "'\u0661'"),
    ("superscript digit", "both,1,all,tower,²,0,0,0", "inhabitants", "'²'"),
    ("missing number", "both,1,all,tower,,0,0,0", "inhabitants", "''"),
    ("round 0", "both,0,all,tower,1,0,0,0", "round", "'0'"),
    ("round 6", "expert,6,all,tower,1,0,0,0", "round", "'6' is not a whole number from 1 to 5"),
    ("round 5 in both decks", "both,5,all,tower,1,0,0,0", "round", "round 5"),
    ("round 5 in classic", "classic,5,all,tower,1,0,0,0", "round", "round 5"),
    ("office in classic", "classic,1,all,office,0,0,0,0", "deck", "office tiles belong to the expert deck"),
    ("office in both decks", "both,1,all,office,0,0,0,0", "deck", "office tiles belong to the expert deck"),
    ("monument in classic", "classic,1,all,monument,0,0,0,0", "deck", "monument"),
    ("mayor 2", "both,1,all,tower,1,0,0,2", "mayor", "'2' is not a whole number from 0 to 1"),
    ("mayor in words", "both,1,all,tower,1,0,0,yes", "mayor", "'yes'"),
    ("mayor on a park", "both,1,all,park,0,0,0,1", "mayor", "only a tower"),
    ("mayor on an office", "expert,1,all,office,0,0,0,1", "mayor", "only a tower"),
    ("NUL in a type", "both,1,all,to\0wer,1,0,0,0", "type", "wer"),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("row", "column", "words"), [pytest.param(*case, id=name) for name, *case in ROWS])
def test_wrong_value_is_named_with_line_and_column(write, mode, row, column, words):
    path = write("\n".join([HEADING, GOOD, GOOD, row, GOOD]))
    message = refusal(path, mode=mode)
    assert message.startswith(f"{path}: line 4: column {column}: ")
    assert words in message


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_count_in_line_numbers(write, end):
    path = write(end.join([HEADING, "", GOOD, "", "", "both,1,all,castle,1,0,0,0"]))
    assert refusal(path).startswith(f"{path}: line 6: column type: ")


def test_entry_over_several_lines_is_named_by_its_first_line(write):
    path = write(f'{HEADING},note\n{GOOD},"one\ntwo"\nboth,1,all,castle,1,0,0,0,"one\ntwo\nthree"\n')
    assert refusal(path).startswith(f"{path}: line 4: column type: ")


@pytest.mark.parametrize("column", HEADING.split(","))
def test_missing_column_is_named(write, column):
    columns = [name for name in HEADING.split(",") if name != column]
    path = write(",".join(columns) + "\n" + ",".join("1" * len(columns)))
    message = refusal(path)
    assert message.startswith(f"{path}: line 1: column {column} is missing")
    assert HEADING.replace(",", ", ") in message


@pytest.mark.parametrize("column", HEADING.split(","))
def test_double_column_is_named(write, column):
    path = write(f"{HEADING},{column}\n{GOOD},1\n")
    assert refusal(path).startswith(f"{path}: line 1: column {column} is there more than once")


@pytest.mark.parametrize(
    ("row", "fields", "column"),
    [
        ("both,1,all,tower,1,0,0", 7, ""),
        ("both", 1, ""),
        (f"{GOOD},", 9, "column 9"),
        (f"{GOOD},a,b,c", 11, "column 9"),
    ],
)
def test_wrong_number_of_fields_is_named(write, row, fields, column):
    path = write("\n".join([HEADING, GOOD, row]))
    message = refusal(path)
    assert message.startswith(f"{path}: line 3: ")
    assert f"{fields} fields where the heading has 8" in message
    assert column in message


@pytest.mark.parametrize(
    ("decks", "mode"),
    [
        (["both"] * 26, "classic"),
        (["classic"] * 26, "classic"),
        (["expert"] * 26, "expert"),
        (["both"] * 20 + ["classic"] * 6, "classic"),
        (["both", "expert"] * 13, "expert"),
    ],
)
def test_26th_tile_of_a_round_is_named(write, decks, mode):
    path = write("\n".join([HEADING, GOOD, *(f"{deck},2,4,tower,1,0,0,0" for deck in decks)]))
    for played in MODES:
        message = refusal(path, mode=played)
        assert message.startswith(f"{path}: line 28: column round: tile 26 of round 2 in the {mode} mode")
        assert "at most 25" in message


def test_25_tiles_of_each_deck_are_not_too_many(write):
    rows = [
        f"{deck},{round},4,tower,1,0,0,0"
        for deck, rounds in ROUNDS.items()
        for round in range(1, rounds + 1)
        for _ in range(25)
    ]
    path = write("\n".join([HEADING, *rows]))
    for mode in MODES:
        game = load_game("quadropolis", mode=mode, players=4, mix=path)
        assert sum(tile is not None for tile in game.new().to_dict()["site"]) == 25


@pytest.mark.parametrize(("mode", "round"), [(mode, 1 + i) for mode in MODES for i in range(ROUNDS[mode])])
def test_missing_round_of_the_mode_played_is_named(write, mode, round):
    rows = [f"{mode},{other},all,tower,1,0,0,0" for other in range(1, ROUNDS[mode] + 1) if other != round]
    path = write("\n".join([HEADING, *rows]))
    message = refusal(path, mode=mode)
    assert message.startswith(f"{path}: column round: no tile for round {round} of the {mode} mode")


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize(
    "wrong",
    [b"\xff", b"\xe9t\xe9", b"\xc3", b"\xed\xa0\x80"],
    ids=["never a byte of UTF-8", "Latin-1", "half a character", "surrogate"],
)
def test_not_utf8_is_named_with_its_line(write, start, wrong):
    lines = [f"{HEADING},note".encode(), *[f"{GOOD},x".encode()] * 3]
    lines[2] += wrong
    path = write(start + b"\n".join(lines))
    assert refusal(path) == f"{path}: line 3: not UTF-8 text"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_unicode_encodings_are_refused_in_line_1(write, encoding):
    path = write(CLASSIC.encode(encoding))
    assert refusal(path).startswith(f"{path}: line 1: ")


@pytest.mark.parametrize(
    "content", [b"", b"\n\r\n  \n", b"\xef\xbb\xbf", b",,,\n"], ids=["no bytes", "blank lines", "BOM", "commas"]
)
def test_empty_file_is_refused(write, content):
    path = write(content)
    message = refusal(path)
    assert message.startswith(f"{path}: line 1: the file is empty")
    assert HEADING in message


@pytest.mark.parametrize("content", [HEADING, f"{HEADING}\n", f"\n{HEADING}\r\n\r\n,,,\n"])
def test_heading_alone_is_refused(write, content):
    path = write(content)
    assert refusal(path).startswith(f"{path}: no tiles")


def test_file_without_a_heading_is_refused(write):
    path = write(CLASSIC.partition("\n")[2])
    assert refusal(path).startswith(f"{path}: line 1: column deck is missing")


def test_unbalanced_quote_is_refused(write):
    path = write("\n".join([HEADING, GOOD, GOOD, f'"{GOOD}']))
    assert refusal(path).startswith(f"{path}: line 4: not CSV")


def test_unbalanced_quote_is_named_by_the_line_where_it_opens(write):
    path = write("\n".join([HEADING, GOOD, f'"{GOOD}', *[GOOD] * 20]))
    assert refusal(path).startswith(f"{path}: line 3: ")


def test_text_after_a_quote_is_refused(write):
    path = write("\n".join([HEADING, GOOD, '"both"x,1,all,tower,1,0,0,0']))
    assert refusal(path).startswith(f"{path}: line 3: not CSV")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(f"{HEADING}\n\0{GOOD}\n", id="before a value"),
        pytest.param(f"{HEADING}\n\0\0\0\0\n", id="a line of them"),
        pytest.param("\0" * 4096, id="nothing else"),
        pytest.param(rewritten(lambda row: [*row[:8], "a\0b"]), id="in an extra column"),
    ],
)
def test_nul_bytes_are_refused(write, content):
    path = write(content)
    assert refusal(path).startswith(f"{path}: line ")


def test_endless_field_is_refused(write):
    path = write(f"{HEADING}\n{GOOD}\n{'a' * 200_000}\n")
    assert refusal(path).startswith(f"{path}: line 3: ")


def test_directory_is_refused(tmp_path):
    assert refusal(str(tmp_path)).startswith(f"{tmp_path}: cannot be read: ")


@pytest.mark.parametrize("name", ["absent.csv", "absent/mix", "./absent"])
def test_absent_file_is_refused(name):
    assert refusal(name) == f"{name}: cannot be read: No such file or directory"


def test_path_through_a_file_is_refused(write):
    path = write(CLASSIC) + "/mix.csv"
    assert refusal(path).startswith(f"{path}: cannot be read: ")


@pytest.mark.parametrize("name", ["bas", "Base", "", "absent", "base ", "two\nlines"])
def test_unknown_name_lists_the_mixes(name):
    message = refusal(name)
    assert message.startswith(f"unknown mix {name!r}")
    assert "known: base" in message


@pytest.mark.parametrize("name", ["a" * 5000, "a" * 5000 + ".csv"])
def test_endless_name_is_refused(name):
    assert "aaa" in refusal(name)


@pytest.mark.parametrize("name", ["a\0b", "a\0b.csv"])
def test_nul_in_a_name_is_refused(name):
    assert "a\\x00b" in refusal(name)


def test_path_of_two_lines_gives_one_line():
    assert "cannot be read" in refusal("two\nlines.csv")
