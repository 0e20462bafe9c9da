"""The commands `qpolis mix`: what they print and write, and one line for what is wrong."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from helpers.command_line import refusal, run
from qpolis.cli.main import main
from qpolis.games.quadropolis.commands import mix as group
from qpolis.games.quadropolis.mix import about, load_mix, packaged
from qpolis.games.quadropolis.provenance import inferred_text

CHANGED = "base:harbor+2:park-2"


def rows(output):
    """The numbers of a table by the name of the row; names of tiles follow that of their type."""
    found, kind = {}, ""
    for indent, name, cells in re.findall(r"^( *)(\w.*?)((?: +(?:\d+|\.))+)$", output, re.MULTILINE):
        kind = kind if indent else name
        found[f"{kind} {name}" if indent else kind] = [int(cell.replace(".", "0")) for cell in cells.split()]
    return found


# --- help and list ------------------------------------------------------------------------------------


def test_help_has_an_example_of_every_kind():
    output = run("mix", "--help")
    for text in ("base:harbor+2:park-2", "@3", "tower=+1inhabitants@1", "park=0holds", ".csv", "docs/mixes.md"):
        assert text in output


@pytest.mark.parametrize("name", group.commands)
def test_help_of_a_command(name):
    output = run("mix", name, "--help")
    assert output.startswith(f"Usage: qpolis mix {name}")
    assert group.commands[name].help.splitlines()[0] in " ".join(output.split())


def test_alone_it_shows_its_help():
    result = CliRunner().invoke(main, ["mix"])
    assert result.exit_code == 2
    assert "Commands:" in result.output


def test_list_has_every_mix_with_its_line():
    lines = [line for line in run("mix", "list").splitlines() if not line.startswith(" ")]
    assert [line.split(maxsplit=1) for line in lines] == [[name, about(name)] for name in packaged()]


def test_list_and_show_say_which_marks_are_inferred():
    text = inferred_text(load_mix("base"), "expert")
    lines = run("mix", "list").splitlines()
    assert [(line.split()[0], below.strip()) for line, below in itertools.pairwise(lines) if below[0] == " "] == [
        ("base", f"({text})")
    ]
    assert run("mix", "show", "base", "--mode", "expert").splitlines()[-1] == text
    assert "inferred" not in run("mix", "show", "base", "--mode", "classic")


def test_the_page_about_mixes_shows_what_is_printed():
    page = (Path(__file__).parents[1] / "docs/mixes.md").read_text()
    shown = re.findall(r"^\$ qpolis (mix .*)\n((?:(?!\$ |```).*\n)*)", page, re.MULTILINE)
    assert len(shown) > 5
    for command, text in shown:
        assert CliRunner().invoke(main, command.split()).output == text


# --- show ---------------------------------------------------------------------------------------------


def test_show_counts_tiles_by_type_and_round():
    output = run("mix", "show", "base", "--mode", "expert")
    assert output.startswith("base, expert, 4 players\n")
    table = rows(output)
    assert table["tower"] == [6, 5, 5, 5, 5, 26]
    assert table["tower 1 inhabitant, mayor"] == [1, 1, 1, 1, 0, 4]
    assert table["monument"] == [0, 1, 1, 1, 1, 4]
    assert table["harbor 1 inhabitant, 1 energy"] == [1, 2, 1, 1, 2, 7]
    assert table["tiles"] == [25, 25, 25, 25, 25, 125]
    assert table["inhabitants"][-1] == 65
    assert table["energy"][-1] == 47
    assert max(map(len, output.splitlines())) < 80


@pytest.mark.parametrize(("players", "tiles"), [(2, 16), (3, 20), (4, 25)])
def test_show_counts_the_tiles_in_play(players, tiles):
    output = run("mix", "show", CHANGED, "--mode", "classic", "--players", str(players))
    assert rows(output)["tiles"] == [tiles] * 4 + [4 * tiles]


def test_show_has_all_modes_of_the_mix(tmp_path):
    assert [line for line in run("mix", "show", "base").splitlines() if "players" in line] == [
        "base, classic, 4 players",
        "base, expert, 4 players",
    ]
    path = tmp_path / "mine.csv"
    path.write_text(
        "deck,round,mark,type,inhabitants,energy,vp,mayor\n"
        + "".join(f"classic,{round},all,tower,1,1,0,0\n" for round in (1, 2, 3, 4))
    )
    assert "expert" not in run("mix", "show", str(path))
    assert "no tile for round 1 of the expert mode" in refusal("mix", "show", str(path), "--mode", "expert")


def test_show_says_what_parks_hold():
    assert "a park holds 0 energy, not 1\n" in run("mix", "show", "park-homes")
    assert "holds" not in run("mix", "show", "base")


# --- diff ---------------------------------------------------------------------------------------------


def test_diff_of_a_few_tiles():
    assert run("mix", "diff", "base", CHANGED).splitlines() == [
        "round 1: - park; + harbor 2 inhabitants",
        "round 3: - park; + harbor 2 inhabitants",
        "classic: 2 out, 2 in, inhabitants 60 -> 64",
        "expert: 2 out, 2 in, inhabitants 65 -> 69",
    ]


def test_diff_the_other_way_round():
    assert run("mix", "diff", CHANGED, "base").splitlines()[0] == "round 1: - harbor 2 inhabitants; + park"


def test_diff_tells_marks_decks_and_numbers():
    output = run("mix", "diff", "base", "base:park-3@1:office[1vp]+2@1/3-4:tower=+1inhabitants@4//classic")
    assert output.splitlines() == [
        "round 1: - 2 x park; - park (4); + 2 x office 1 point (3-4, expert)",
        "round 4: - tower 1 inhabitant (classic); - tower 2 inhabitants (3-4, classic); "
        "+ tower 2 inhabitants (classic); + tower 3 inhabitants (3-4, classic)",
        "classic: 5 out, 2 in, inhabitants 60 -> 62",
        "expert: 3 out, 2 in, points 31 -> 33",
    ]


def test_diff_tells_what_parks_hold():
    assert run("mix", "diff", "base", "base:park=2holds").splitlines()[0] == "parks: hold 2 energy, not 1"


def test_diff_of_the_same_tiles(tmp_path):
    assert run("mix", "diff", "base", "base") == "the same tiles\n"
    assert run("mix", "diff", "base", "base:park-1@1:park+1@1") == "the same tiles\n"
    path = tmp_path / "mine.csv"
    run("mix", "write", "base", str(path))
    heading, first, *others = path.read_text().splitlines()
    decks = [first.replace("both", mode) for mode in ("classic", "expert")]
    path.write_text("\n".join([heading, *decks, *others]))
    assert run("mix", "diff", "base", str(path)) == "the same tiles\n"
    path.write_text("\n".join([heading, *others, first]))
    assert run("mix", "diff", "base", str(path)) == "the same tiles, in other slots\n"


# --- write --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["base", "park-homes", CHANGED, "base:monument-4:tower=+1vp@2"])
def test_written_file_is_the_same_mix(tmp_path, text):
    path = tmp_path / "mine.csv"
    assert run("mix", "write", text, str(path)) == f"wrote {path}, {len(load_mix(text).rows)} lines\n"
    mine, other = load_mix(path), load_mix(text)
    assert (mine.rows, mine.park_energy) == (other.rows, other.park_energy)
    assert run("mix", "diff", text, str(path)) == "the same tiles\n"
    assert os.listdir(tmp_path) == ["mine.csv"]


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("mine")
    assert refusal("mix", "write", "base", str(path)) == (
        f"qpolis: {path}: is there already; --force writes over it"
    )
    assert path.read_text() == "mine"
    run("mix", "write", "base", str(path), "--force")
    assert load_mix(path).rows == load_mix("base").rows


def test_a_file_that_cannot_be_written_gives_one_line(tmp_path):
    assert "cannot be written" in refusal("mix", "write", "base", str(tmp_path / "absent" / "mine.csv"))
    assert "cannot be written" in refusal("mix", "write", "base", str(tmp_path), "--force")


# --- what is wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["show"], ["diff", "base"], ["diff"], ["write"]])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bass", "unknown mix 'bass', did you mean 'base'?"),
        ("base:harbor+1@3", "base: change 'harbor+1@3': round 3 would have 26 tiles in the classic mode"),
        ("base:", "base: change '': nothing"),
        ("absent.csv", "absent.csv: cannot be read"),
    ],
)
def test_wrong_mix_gives_one_line(tmp_path, command, text, words):
    rest = {"diff": ["base"], "write": [str(tmp_path / "mine.csv")]}.get(command[-1], [])
    assert words in refusal("mix", *command, text, *rest)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shw"], "No such command 'shw'"),
        (["show"], "Missing argument 'MIX'"),
        (["diff", "base"], "Missing argument 'SECOND'"),
        (["show", "base", "--players", "5"], "5 is not in the range 2<=x<=4"),
        (["show", "base", "--mode", "advanced"], "'advanced' is not one of 'classic', 'expert'"),
    ],
)
def test_wrong_use_gives_one_line(arguments, words):
    assert words in refusal("mix", *arguments)


def test_games_are_played_with_changes():
    output = run("play", "--mix", CHANGED, "--seed", "1")
    assert output.startswith("Quadropolis, players 2, mode classic, mix base:harbor+2:park-2")
