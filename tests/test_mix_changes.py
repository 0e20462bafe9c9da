"""Changes to a tile mix: what they mean, which slots they keep, and the mixes that come with qpolis."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.sizes import lengthened
from qpolis import load_game
from qpolis.errors import QpolisError
from qpolis.games.quadropolis.change_text import Numbers, parse_change
from qpolis.games.quadropolis.layout import TYPES
from qpolis.games.quadropolis.mix import MIXES, MixRow, Tile, about, load_mix, mix_text, packaged, read_mix

ROUNDS = {"classic": 4, "expert": 5}
BASE = load_mix("base")
HEADING = "deck,round,mark,type,inhabitants,energy,vp,mayor"


def count(mix, kind, **where):
    """The tiles of a type that are not out."""
    return sum(
        row.tile.type == kind
        and row.mark != "out"
        and all(getattr(row, key) == value for key, value in where.items())
        for row in mix.rows
    )


def only(mix, kind, round):
    return [row for row in mix.rows if row.tile.type == kind and row.round == round and row.mark != "out"]


def slots(mix, mode, round):
    """What lies in each slot of a round: None, or a mark and a tile."""
    return [None if row.mark == "out" else (row.mark, row.tile) for row in mix.round_rows(mode, round)]


def all_slots(mix):
    return {
        (mode, round, slot): laid
        for mode, rounds in ROUNDS.items()
        for round in range(1, rounds + 1)
        for slot, laid in enumerate(slots(mix, mode, round))
        if laid
    }


# --- what changes mean --------------------------------------------------------------------------------


def test_numbers_are_for_the_whole_game():
    mix = load_mix("base:harbor+2:park-2")
    assert count(mix, "harbor") == count(BASE, "harbor") + 2
    assert count(mix, "park") == count(BASE, "park") - 2
    assert len(mix.rows) == len(BASE.rows)


def test_places_choose_round_mark_and_deck():
    assert count(load_mix("base:tower-1@3"), "tower", round=3) == count(BASE, "tower", round=3) - 1
    assert count(load_mix("base:tower-2@/4"), "tower", mark="4") == count(BASE, "tower", mark="4") - 2
    mix = load_mix("base:tower-1@//expert")
    assert count(mix, "tower", deck="expert") == count(BASE, "tower", deck="expert") - 1
    assert count(load_mix("base:tower-1@5/3-4/expert"), "tower", round=5, mark="3-4") == 0


@pytest.mark.parametrize(
    ("change", "deck", "round", "mark"),
    [
        ("park-1", "both", 3, "all"),  # round 3 has four, two of them in classic only
        ("park-1@/4", "both", 1, "4"),
        ("park-1@5", "expert", 5, "all"),
        ("tower-1", "both", 1, "all"),
        ("harbor-1", "both", 4, "all"),
        ("monument-1", "expert", 2, "all"),
        ("monument-1@4", "expert", 4, "3-4"),
    ],
)
def test_which_tile_goes(change, deck, round, mark):
    mix = load_mix(f"base:{change}")
    (gone,) = (old for old, new in zip(BASE.rows, mix.rows, strict=True) if old != new)
    assert (gone.deck, gone.round, gone.mark) == (deck, round, mark)


def test_tiles_go_from_one_round_after_the_other():
    mix = load_mix("base:shop-5")
    gone = [old.round for old, new in zip(BASE.rows, mix.rows, strict=True) if old != new]
    assert Counter(gone) == {1: 2, 2: 1, 3: 1, 4: 1}  # each had three shops, two of them for all
    assert all(old.mark == "all" and old.deck == "both" for old, new in zip(BASE.rows, mix.rows) if old != new)


def test_brackets_choose_tiles():
    mix = load_mix("base:tower[1inhabitants,mayor]-1@2:harbor[3vp]-2@5")
    assert not any(tile.mayor for tile in mix.tiles("classic", 2))
    assert not any(tile.vp == 3 for tile in mix.tiles("expert", 5))


def test_brackets_say_what_a_new_tile_shows():
    mix = load_mix("base:park-1@1:tower[1vp,4inhabitants]+1@1")
    assert Tile("tower", 4, 0, 1, False) in mix.tiles("classic", 1)
    mix = load_mix("base:park-1@1:tower[mayor]+1@1")
    assert Tile("tower", 0, 0, 0, True) in mix.tiles("classic", 1)


def test_a_new_tile_is_like_most_of_its_type_in_its_round():
    new = Counter(load_mix("base:park-1@1:tower+1@1").tiles("classic", 1)) - Counter(BASE.tiles("classic", 1))
    assert new == {Tile("tower", 2, 0, 0, False): 1}
    new = Counter(load_mix("base:park-1@1:monument+1@1//expert").tiles("expert", 1)) - Counter(
        BASE.tiles("expert", 1)
    )
    assert new == {Tile("monument", 0, 0, 0, False): 1}


def test_a_new_tile_of_a_type_the_round_has_not_is_like_most_of_the_mix(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEADING}\nboth,1,all,park,0,0,2,0\nboth,2,all,shop,0,0,0,0\n")
    mix = load_mix(f"{path}:park+1@2:harbor+1@2")
    assert mix.tiles("classic", 2)[1:] == [Tile("park", 0, 0, 2, False, 1), Tile("harbor", 0, 0, 0, False)]


def test_a_new_tile_is_for_all_players_and_both_decks_where_that_can_be():
    mix = load_mix("base:tower-2@1:harbor[9inhabitants]+1@1:monument[9vp]+1@1:tower-1@5:harbor[9energy]+1@5")
    new = {row.tile: row for row in mix.rows if 9 in (row.tile.inhabitants, row.tile.vp, row.tile.energy)}
    assert new == {
        tile: MixRow(deck, round, "all", tile)
        for deck, round, tile in (
            ("both", 1, Tile("harbor", 9, 0, 0, False)),
            ("expert", 1, Tile("monument", 0, 0, 9, False)),
            ("expert", 5, Tile("harbor", 0, 9, 0, False)),
        )
    }


def test_a_mix_for_one_mode_stays_for_it(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEADING}\n" + "".join(f"classic,{round},all,tower,1,1,0,0\n" for round in (1, 2, 3, 4)))
    mix = load_mix(f"{path}:harbor+2")
    assert mix.modes == ["classic"]
    assert {row.deck for row in mix.rows} == {"classic"}


def test_tiles_without_a_round_go_where_there_is_most_room():
    mix = load_mix("base:tower-1@2:tower-2@4:harbor+3")
    more = [count(mix, "harbor", round=round) - count(BASE, "harbor", round=round) for round in (1, 2, 3, 4, 5)]
    assert more == [0, 1, 0, 2, 0]


@pytest.mark.parametrize("order", range(6))
def test_the_order_of_changes_does_not_matter(order):
    changes = ["harbor+1", "park-1@3", "tower+1@2", "shop-1", "harbor=+1vp", "tower[2inhabitants]-1@2"]
    random.Random(order).shuffle(changes)
    assert (
        load_mix("base:" + ":".join(changes)).rows
        == load_mix("base:tower[2inhabitants]-1@2:shop-1:tower+1@2:park-1@3:harbor=+1vp:harbor+1").rows
    )


def test_values_change_on_all_tiles_that_fit():
    mix = load_mix("base:tower=+1inhabitants@1:service=3vp@//classic:tower[3inhabitants]=0mayor@1")
    for old, new in zip(BASE.rows, mix.rows, strict=True):
        if old.tile.type == "tower" and old.round == 1:
            assert new.tile.inhabitants == old.tile.inhabitants + 1
        elif old.tile.type == "service" and old.deck == "classic":
            assert new.tile.vp == 3
        else:
            assert new == old


def test_values_change_on_new_tiles_too():
    mix = load_mix("base:factory=-1energy@1:park-1@1:factory[5energy]+1@1")
    assert Tile("factory", 0, 4, 0, False) in mix.tiles("classic", 1)


def test_the_mayor_comes_and_goes():
    assert not any(row.tile.mayor for row in load_mix("base:tower=0mayor").rows)
    assert sum(row.tile.mayor for row in load_mix("base:tower[3inhabitants]=1mayor@1").rows) == 5


def test_named_mixes_and_files_can_be_changed(tmp_path):
    path = tmp_path / "a:mix.csv"
    path.write_text(mix_text(load_mix("park-homes")))
    for start in ("park-homes", str(path)):
        mix = load_mix(f"{start}:park-1@1:harbor+1@1")
        assert mix.source == f"{start}:park-1@1:harbor+1@1"
        assert {row.tile.holds for row in mix.rows if row.tile.type == "park"} == {0}
        assert count(mix, "park") == 14


def test_a_file_whose_name_looks_like_changes_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base:harbor+1").write_text(f"{HEADING}\nboth,1,all,tower,1,0,0,0\n")
    assert len(load_mix("base:harbor+1").rows) == 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("base:park-01@3//", "base:park-1@3"),
        ("base:park-1@/all/both", "base:park-1@/all/both"),
        ("base:tower[1mayor,1inhabitants]-1", "base:tower[1inhabitants,mayor]-1"),
        ("base:tower[0mayor]-1@1", "base:tower[0mayor]-1@1"),
        ("base:tower=01vp", "base:tower=1vp"),
        ("base:park[0holds,0vp]+01:park-1", "base:park[0vp,0holds]+1:park-1"),
        ("base:tower=+1vp@1/3-4", "base:tower=+1vp@1/3-4"),
    ],
)
def test_source_is_the_text_in_one_spelling(text, canonical):
    mix = load_mix(text)
    assert mix.source == canonical
    assert load_mix(mix.source) == mix


# --- slots --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        ("harbor+2:park-2", 1),  # and another in round 3
        ("monument-4", 0),
        ("office-1@1:harbor+1@1//expert", 1),
        ("service-1@1//classic:office-1@1:harbor+1@1", 1),
        ("tower-1@1:tower[5vp]+1@1//classic", 1),
        ("tower=+1vp@2", 0),
    ],
)
def test_unchanged_tiles_lie_on_the_same_squares(variant, changes, first):
    """At most `first` tiles of the first round are others, and those of all seeds lie as without the changes."""
    mode, players = variant
    games = [load_game("quadropolis", mode=mode, players=players, mix=mix) for mix in ("base", f"base:{changes}")]
    for seed in range(20):
        sites = [game.new(seed).to_dict()["site"] for game in games]
        assert sum(old != new for old, new in zip(*sites, strict=True)) <= first


def test_a_tile_taken_out_leaves_its_slot():
    mix = load_mix("base:tower-1@2")
    changes = [(old, new) for old, new in zip(BASE.rows, mix.rows, strict=True) if old != new]
    ((old, new),) = changes
    assert (old.tile, old.round, old.deck, new.mark) == (new.tile, new.round, new.deck, "out")


def test_a_new_tile_takes_the_hole():
    mix = load_mix("base:park-1@3:harbor+1@3")
    changes = [i for i, (old, new) in enumerate(zip(BASE.rows, mix.rows, strict=True)) if old != new]
    assert len(changes) == 1
    assert BASE.rows[changes[0]].tile.type == "park"
    assert mix.rows[changes[0]].tile.type == "harbor"


def test_a_tile_of_one_deck_takes_half_a_hole_of_both():
    mix = load_mix("base:park-1@3:harbor[9vp]+1@3//classic")
    assert len(all_slots(BASE).items() - all_slots(mix).items()) == 2
    assert len(all_slots(mix).items() - all_slots(BASE).items()) == 1
    assert load_mix(mix.source + ":shop+1@3//expert").tiles("expert", 3).count(Tile("shop", 0, 0, 0, False)) == 4
    assert len(mix.round_rows("expert", 3)) == len(mix.round_rows("classic", 3)) == 25


def test_a_tile_of_both_decks_takes_a_hole_of_each():
    mix = load_mix("base:park-1@3//classic:office-1@3:harbor[9vp]+1@3")
    assert [row.deck for row in mix.rows if row.tile.vp == 9] == ["classic", "expert"]
    assert len(all_slots(BASE).items() - all_slots(mix).items()) == 2
    assert len(all_slots(mix).items() - all_slots(BASE).items()) == 2


def test_a_new_tile_goes_behind_its_round_if_there_is_no_hole(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(f"{HEADING}\nboth,2,all,shop,0,0,0,0\nboth,1,all,shop,0,0,0,0\nboth,3,all,shop,0,0,0,0\n")
    mix = load_mix(f"{path}:park+1@2:tower+1@1")
    for round, kind in ((1, "tower"), (2, "park")):
        assert [tile.type for tile in mix.tiles("classic", round)] == ["shop", kind]


def written_and_read(mix):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.csv"
        path.write_text(mix_text(mix))
        return read_mix(path, "again")


def test_written_mixes_read_back_the_same():
    for text in [
        *packaged(),
        "base:harbor+2:park-2",
        "base:monument-4:tower=+1vp@1:park=2holds@3",
        "base:park-15",
    ]:
        assert written_and_read(load_mix(text)).rows == load_mix(text).rows


# --- whatever is typed --------------------------------------------------------------------------------


places = st.builds(
    lambda *parts: "@" + "/".join(parts),
    st.sampled_from(["", "1", "2", "3", "4", "5", "6"]),
    st.sampled_from(["", "all", "3-4", "4", "out"]),
    st.sampled_from(["", "both", "classic", "expert"]),
)
shown = st.sampled_from(
    ["", "", "", "[2inhabitants]", "[1inhabitants,mayor]", "[0vp]", "[1energy,1vp]", "[0holds]", "[1vp,2holds]"]
)
numbers = st.integers(-4, 4).map(lambda number: f"{number:+}")
values = st.builds(
    lambda value, field: f"={value}{field}",
    st.sampled_from(["0", "1", "+1", "-1", "9"]),
    st.sampled_from(["inhabitants", "energy", "vp", "mayor", "holds"]),
)
changes = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(TYPES),
    shown,
    numbers | numbers | values,
    st.just("") | st.just("@3") | places,
)
simple = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(TYPES),
    st.sampled_from(["+1", "-1", "-2"]),
    st.sampled_from(["", "", "@1", "@3", "@3//expert", "@5"]),
)
roomy = ["base:tower-5", "base:tower-4@3:shop-2@1:office-3", "park-homes:park-6:service-1@3//classic"]
expressions = st.builds(
    lambda start, parts: ":".join([start, *parts]),
    st.sampled_from([*packaged(), *roomy * 4]),
    st.lists(simple, max_size=5) | st.lists(changes, max_size=3),
)


def loaded(text):
    """A mix, or None if it is refused, in one line."""
    try:
        return load_mix(text)
    except QpolisError as error:
        message = str(error)
    assert message.splitlines() == [message]
    return None


@pytest.mark.long
@settings(max_examples=lengthened(200))
@given(expressions)
def test_expressions_load_and_keep_slots_or_are_refused_in_one_line(text):
    mix = loaded(text)
    if mix is None:
        return
    assert load_mix(mix.source) == mix
    assert written_and_read(mix).rows == mix.rows
    start, *texts = text.split(":")
    parsed = [parse_change(change) for change in texts]
    old, new = all_slots(load_mix(start)), all_slots(mix)
    for mode, rounds in ROUNDS.items():
        assert all(len(mix.round_rows(mode, round)) <= 25 for round in range(1, rounds + 1))
        removed = -sum(change.number for change in parsed if isinstance(change, Numbers) and change.number < 0)
        if all(isinstance(change, Numbers) for change in parsed):
            gone = [place for place, _ in old.items() - new.items() if place[0] == mode]
            assert len(gone) <= removed, "a tile that nobody took out has another slot"


@settings(max_examples=300)
@given(st.text(alphabet="aekprtowx0123456789+-=@/[],:vph \n\0", max_size=30))
def test_any_text_after_a_name_loads_or_is_refused_in_one_line(text):
    loaded(f"base:{text}")


# --- the mixes that come with qpolis ------------------------------------------------------------------


def test_every_packaged_mix_has_a_line_about_it():
    assert {path.stem for path in MIXES.glob("*.csv")} <= set(packaged())
    for name in packaged():
        assert about(name) == about(name).strip()
        assert len(about(name)) < 80


@pytest.mark.parametrize("name", packaged())
def test_packaged_mixes_can_be_played_by_all(name, variant):
    mode, players = variant
    game = load_game("quadropolis", mode=mode, players=players, mix=name)
    for round in range(1, ROUNDS[mode] + 1):
        assert [len(game.mix.tiles(mode, round, count)) for count in (2, 3, 4)] == [16, 20, 25]
    for seed in range(2):
        state, choices = game.new(seed), random.Random(seed)
        while not state.over:
            state.apply(choices.choice(state.legal()))
        assert len(state.scores()) == players


def test_packaged_mixes_are_what_they_say():
    assert count(load_mix("no-monuments"), "monument") == 0
    assert count(load_mix("harbors-rich"), "harbor") == count(BASE, "harbor") + 10
    energy = [sum(row.tile.energy for row in mix.rows) for mix in (BASE, load_mix("scarce-energy"))]
    assert energy[1] == energy[0] - count(BASE, "factory")
    homes = load_mix("park-homes")
    assert {row.tile.holds for row in homes.rows if row.tile.type == "park"} == {0}
    assert {row.tile.inhabitants for row in homes.rows if row.tile.type == "park"} == {1}
