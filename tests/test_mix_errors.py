"""Tile mixes that are refused: wrong changes, and files with wrong holds or nothing but holes."""

from __future__ import annotations

import re

import pytest

from qpolis import load_game
from qpolis.errors import QpolisError
from qpolis.games.quadropolis.mix import load_mix

HEADING = "deck,round,mark,type,inhabitants,energy,vp,mayor"


def refusal(text):
    """The message with which a mix is refused; it is one line."""
    with pytest.raises(QpolisError) as caught:
        load_mix(text)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


# --- files with the mark out and the column holds -----------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["both,1,all,park,0,0,0,0,10"], "line 2: column holds: '10' is not a whole number from 0 to 9"),
        (
            ["both,1,all,shop,0,0,0,0,1"],
            "line 2: column holds: only parks hold energy: 0 or nothing for a shop, not",
        ),
        (["both,1,all,shop,0,0,0,0,x"], "line 2: column holds: 'x' is not a whole number"),
        (["both,1,all,park,0,0,0,0,0", "both,1,all,park,0,0,0,0,-1"], "line 3: column holds: '-1' is not a whole"),
        (["both,1,all,park,0,0,0,0,1.0"], "line 2: column holds: '1.0' is not a whole number from 0 to 9"),
        (["both,1,all,park,0,0,0,0"], "line 2: column holds: 8 fields where the heading has 9"),
        (["expert,5,all,monument,0,0,0,0,2"], "line 2: column holds: only parks hold energy"),
    ],
)
def test_wrong_holds_are_named(tmp_path, rows, words):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([f"{HEADING},holds", *rows]))
    assert refusal(str(path)).startswith(f"{path}: {words}")


def test_holds_can_be_empty(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEADING},holds\nboth,1,all,shop,0,0,0,0,\nboth,1,all,park,0,0,0,0,\n")
    assert [row.tile.holds for row in load_mix(str(path)).rows] == [0, 1]


def test_double_holds_are_refused(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEADING},holds,holds\nboth,1,all,park,0,0,0,0,1,2\n")
    assert refusal(str(path)) == f"{path}: line 1: column holds is there more than once"


def test_a_round_of_holes_has_no_tile(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        f"{HEADING}\n"
        + "".join(f"classic,{round},{'out' if round == 2 else 'all'},tower,1,1,0,0\n" for round in (1, 2, 3, 4))
    )
    assert load_mix(str(path)).modes == []
    with pytest.raises(QpolisError, match="no tile for round 2 of the classic mode"):
        load_game("quadropolis", mix=str(path))


# --- changes that are refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("", "nothing between two colons or after the last one; a change is TYPE+N"),
        (":park-1", "nothing between two colons"),
        ("castle+1", "unknown type 'castle' (known: factory, harbor"),
        ("harbour+1", "unknown type 'harbour', did you mean 'harbor'?"),
        ("Park-1", "unknown type 'Park', did you mean 'park'?"),
        ("+1", "unknown type ''"),
        (" park-1", "unknown type ''"),
        ("park", "not understood; a change is TYPE+N, TYPE-N or TYPE=VALUEFIELD"),
        ("park-", "not understood"),
        ("park+-1", "not understood"),
        ("park-1.5", "not understood"),
        ("park-\u0661", "not understood"),
        ("park-1 ", "not understood"),
        ("park=vp", "not understood"),
        ("park[1vp-1", "not understood"),
        ("park-0", "0 is not a whole number from 1 to 225"),
        ("park+226", "226 is not a whole number from 1 to 225"),
        ("park+" + "9" * 5000, "is not a whole number from 1 to 225"),
        ("park=1", "unknown field '' (known: energy"),
        ("park=1vps", "unknown field 'vps', did you mean 'vp'?"),
        ("park=21vp", "21 is not a whole number from 0 to 20"),
        ("park=+0vp", "0 is not a whole number from 1 to 20"),
        ("park=-1vp", "a park of round 1 with 0 vp would have -1, which is not from 0 to 20"),
        ("tower=+7inhabitants@1", "a tower of round 1 with 3 inhabitants would have 10, which is not from 0 to 9"),
        ("tower=+1mayor", "with 1 mayor would have 2, which is not from 0 to 1"),
        ("park=1mayor", "only a tower can show the mayor, not a park"),
        ("park[mayor]-1", "only a tower can show the mayor, not a park"),
        ("tower=1holds", "only a park holds energy, not a tower"),
        ("park=10holds", "10 is not a whole number from 0 to 9"),
        ("park=-2holds@2", "a park of round 2 with 1 holds would have -1, which is not from 0 to 9"),
        ("park[0holds]-1", "1 cannot be taken out, where there are none"),
        ("park[0holds]=1vp", "there is no such tile"),
        ("park[10holds]+1", "10 is not a whole number from 0 to 9"),
        ("tower[1holds]+1", "only a park holds energy, not a tower"),
        ("park[holds]-1", "'holds' in brackets is not a value and a field"),
        ("park[0holds,1holds]-1", "holds stands twice in brackets"),
        ("tower[]-1", "'' in brackets is not a value and a field, as in tower[2inhabitants,1vp]"),
        ("tower[vp]-1", "'vp' in brackets is not a value and a field"),
        ("tower[+1vp]-1", "'+1vp' in brackets is not a value and a field"),
        ("tower[1]-1", "unknown field ''"),
        ("tower[1vp,1vp]-1", "vp stands twice in brackets"),
        ("tower[10inhabitants]+1", "10 is not a whole number from 0 to 9"),
        ("park-1@", "'@' is not a place: @ROUND/MARK/DECK, as in @3, @3/4, @/3-4 or @//expert"),
        ("park-1@//", "'@//' is not a place"),
        ("park-1@1/all/both/2", "'@1/all/both/2' is not a place"),
        ("park-1@6", "round '6' is not one of 1 to 5"),
        ("park-1@0", "round '0' is not one of 1 to 5"),
        ("park-1@1@2", "round '1@2' is not one of 1 to 5"),
        ("park-1@/2", "mark '2' is not one of all, 3-4, 4"),
        ("park-1@/out", "mark 'out' is not one of all, 3-4, 4"),
        ("park-1@//advanced", "deck 'advanced' is not one of both, classic, expert"),
        ("park+1@5//classic", "round 5 exists in the expert deck only, not in 'classic'"),
        ("office+1@//both", "office tiles belong to the expert deck, not to 'both'"),
        ("park-16", "16 cannot be taken out, where there are 15"),
        ("park-2@3/4", "2 cannot be taken out, where there is 1"),
        ("tower[9vp]-1", "1 cannot be taken out, where there are none"),
        ("tower[9vp]=1vp", "there is no such tile"),
        ("two\nlines+1", "unknown type 'two'"),
    ],
)
def test_wrong_change_is_named(change, words):
    message = refusal(f"base:{change}")
    assert message.startswith("base: change ")
    assert words in message


def test_the_wrong_one_of_several_changes_is_named():
    assert refusal("base:harbor+1:park-1:tower=+9inhabitants@2:shop-1").startswith(
        "base: change 'tower=+9inhabitants@2': a tower of round 2"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            "harbor+1@3",
            "round 3 would have 26 tiles in the classic mode, where a round has at most 25; "
            "take out as many, as in tower-1@3",
        ),
        ("harbor+3@3", "round 3 would have 28 tiles in the classic mode"),
        (
            "harbor+1",
            "round 1 would have 26 tiles in the classic mode, where a round has at most 25, and no round has "
            "more room; take out as many, as in tower-1",
        ),
        ("office-1@3:harbor+1@3", "or add to the expert deck only, as in harbor+1@3//expert"),
        ("park-1@3//classic:harbor+1@3", "round 3 would have 26 tiles in the expert mode"),
        ("office-2:harbor+2", "or add to the expert deck only, as in harbor+2@//expert"),
        ("office+2@5", "round 5 would have 27 tiles in the expert mode"),
        ("office+1", "in the expert mode"),
        ("harbor+1@3//expert", "in the expert mode"),
    ],
)
def test_too_many_tiles_of_a_round_are_named_with_what_would_be_right(changes, words):
    """What the message advises works."""
    message = refusal(f"base:{changes}")
    assert words in message
    advised = re.findall(r"as in ([^ ,;]+)", message)
    assert load_mix(f"base:{changes}:{advised[0]}")
    if len(advised) > 1:
        assert load_mix(f"base:{changes.rpartition(':')[0]}:{advised[1]}")


def test_too_many_changes_are_refused():
    assert load_mix("base" + ":tower=1vp" * 100)
    assert "101 changes, where 100 are allowed" in refusal("base" + ":tower=1vp" * 101)
    assert "changes, where 100 are allowed" in refusal(":" * 100_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bas:park-1", "unknown mix 'bas', did you mean 'base'?"),
        (":park-1", "unknown mix ''"),
        ("absent.csv:park-1", "absent.csv: cannot be read: No such file or directory"),
        ("absent/mix:park-1", "absent/mix: cannot be read: No such file or directory"),
        ("C:\\absent.csv", "C:\\absent.csv: cannot be read: No such file or directory"),
        ("C:\\absent.csv:park-1", "C:\\absent.csv: cannot be read: No such file or directory"),
    ],
)
def test_changes_to_nothing_are_refused(text, message):
    assert refusal(text).startswith(message)
