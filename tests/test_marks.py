"""The marks of round 5 are a guess: the mixes with other guesses are what they claim to be, and pages say the
numbers of the data."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from qpolis import load_game
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.provenance import inferred_marks

ROOT = Path(__file__).parents[1]
OTHERS = ("marks-as-before", "marks-even")
VALUES = ("inhabitants", "energy", "vp")


def marked(name, round, mark):
    """The tiles of a mark in a round of the expert mode."""
    return Counter(row.tile.name for row in load_mix(name).round_rows("expert", round) if row.mark == mark)


@pytest.mark.parametrize("name", OTHERS)
def test_only_marks_of_round_five_differ_and_every_tile_is_in_its_slot(name):
    base, other = load_mix("base"), load_mix(name)
    assert [(row.deck, row.round, row.tile) for row in base.rows] == [
        (row.deck, row.round, row.tile) for row in other.rows
    ]
    changed = [row for row, old in zip(other.rows, base.rows) if row.mark != old.mark]
    assert {row.round for row in changed} == {5}
    assert all(row.inferred for row in changed), "another guess is still one"
    assert inferred_marks(other, "expert") == inferred_marks(base, "expert")
    assert Counter(row.mark for row in other.round_rows("expert", 5)) == {"all": 16, "3-4": 4, "4": 5}
    assert marked(name, 5, "4")["monument"] == 1


@pytest.mark.parametrize("name", OTHERS)
def test_the_same_seed_lays_the_same_tiles_on_the_same_squares(name):
    games = [load_game("quadropolis", mode="expert", mix=mix) for mix in ("base", name)]
    sites = []
    for game in games:
        state = game.new(7)
        while state.record.round_no < 4:
            state.apply(state.legal()[-1])
        sites.append(state.to_dict()["site"])
    both = [(one, other) for one, other in zip(*sites) if one and other]
    assert all(one == other for one, other in both)
    assert len(both) == {"marks-as-before": 15, "marks-even": 11}[name]


def test_marks_as_before_has_the_marks_of_earlier_rounds():
    last = {mark: marked("marks-as-before", 5, mark) for mark in ("3-4", "4")}
    for round in (2, 3):
        alike = marked("base", round, "3-4") & last["3-4"]
        assert alike == Counter(["tower 2 inhabitants", "service 1 point", "factory 2 energy"])
        assert any(name.startswith("harbor") for name in marked("base", round, "3-4") - alike)
    assert (last["3-4"] - alike) == Counter(["harbor 1 inhabitant, 1 energy"])
    shop, tower, harbor, office = "shop", "tower 2 inhabitants", "harbor 1 inhabitant, 1 energy", "office"
    for round in (3, 4):
        assert marked("base", round, "4") & last["4"] == Counter([shop, tower, harbor, office])


def test_marks_even_is_nearest_to_the_proportions():
    tiles = [row.tile for row in load_mix("base").round_rows("expert", 5) if row.tile.type != "monument"]
    two = load_mix("marks-even").tiles("expert", 5, players=2)
    three = load_mix("marks-even").tiles("expert", 5, players=3)

    def sums(some):
        types = Counter(tile.type for tile in some)
        return [types[kind] for kind in sorted({tile.type for tile in tiles})] + [
            sum(getattr(tile, field) for tile in some) for field in VALUES
        ]

    whole = sums(tiles)

    def distance(some, share):
        return sum((part - share * all) ** 2 for part, all in zip(sums(some), whole))

    kinds = Counter(tiles)
    chosen = [
        list(itertools.chain(*([kind] * count for kind, count in zip(kinds, counts))))
        for counts in itertools.product(*(range(count + 1) for count in kinds.values()))
        if sum(counts) == 16
    ]
    assert len(chosen) == 17_469
    assert min(distance(some, 16 / 25) for some in chosen) == distance(two, 16 / 25)
    left = Counter(tiles) - Counter(two)
    more = [two + list(some) for some in set(itertools.combinations(left.elements(), 4))]
    assert min(distance(some, 20 / 25) for some in more) == distance(three, 20 / 25)


# --- what pages say -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["docs/mixes.md", "qpolis/games/quadropolis/RULES.md"])
def test_pages_say_how_many_marks_are_inferred(page):
    marks = inferred_marks(load_mix("base"), "expert")
    text = " ".join((ROOT / page).read_text().split())
    assert re.search(rf"marks of {sum(marks)} expert tiles are \**inferred", text)
    assert f"In rounds 1 to 4 ({marks.concluded} tiles)" in text
    assert re.search(rf"In round 5 \({marks.guessed} tiles\).*? a \**guess", text)


def test_the_page_says_how_many_tiles_other_guesses_change():
    page = (ROOT / "docs/mixes.md").read_text()
    base = Counter(load_mix("base").tiles("expert", 5, players=2))
    for name in OTHERS:
        changed = (Counter(load_mix(name).tiles("expert", 5, players=2)) - base).total()
        assert re.search(rf"^\| `{name}` \|.*\| {changed} of {base.total()} \|$", page, re.MULTILINE)
