"""What the page of Quadropolis says by hand is so: its words for numbers, and what its pictures are said to show.
All other numbers are made (`test_rules_pages.py`)."""

from __future__ import annotations

import functools
import re

import pytest

from making import write
from making.quadropolis import boards, examples
from making.quadropolis.examples import FACTORY, HARBORS, MONUMENT, OFFICES, PARK, SERVICES, WHOLE
from making.quadropolis.tables import distinct
from qpolis.games.quadropolis.layout import HARBOR, LINES, OFFICE, POINTED, SHOP
from qpolis.games.quadropolis.rules import COLUMNS, FACTORY_POINTS, MONUMENT_POINTS, mat
from qpolis.games.quadropolis.tiles import EXPERT_ONLY, TYPES_OF

PAGE = " ".join(write.page_path("quadropolis").read_text(encoding="utf-8").split())


def numbers_of(district: int) -> set[int]:
    """The numbers on the squares of an expert district."""
    return {
        number for number, found in zip(mat("expert")["numbers"], mat("expert")["districts"]) if found == district
    }


def quarter(square: int) -> int:
    line, column = divmod(square, 4)
    return 2 * (line // 2) + column // 2 + 1


def at(example: examples.Example, kind: str, square: str) -> list[str]:
    """What is beside a building of this type, which stands on the square."""
    (found,) = [place for place in range(20) if example.name(place) == square]
    assert example.kind(found) == kind
    return sorted(example.beside(found))


def active(example: examples.Example, square: str) -> bool:
    return square in [example.name(place) for place in example.score["active"]]


def parts(example: examples.Example, kind: str) -> list[str]:
    return [words for words, _ in example.explained(kind)]


def free(kind: str) -> bool:
    return not any(examples.facts("expert")["needs"][kind].values())


points = functools.partial(examples.points_for, "expert")
places = boards.places

# Words of the page, and whether they are so.
SAID = {
    "rounds and six types of buildings": lambda: len(TYPES_OF["classic"]) == 6,
    "two more types and a larger city": lambda: len(EXPERT_ONLY) == 2 and COLUMNS["expert"] > COLUMNS["classic"],
    "each of the eight types": lambda: len(TYPES_OF["expert"]) == 8,
    "a few tower blocks show the mayor": lambda: (
        {tile.type for tile in distinct("expert") if tile.mayor} == {"tower"}
    ),
    "four lines, four columns, and the quarters as districts": lambda: LINES == COLUMNS["classic"] == 4,
    "the districts are the four quarters": lambda: [quarter(i) for i in range(16)] == mat("classic")["districts"],
    "carry every number but its own": lambda: all(numbers_of(d) == {1, 2, 3, 4, 5} - {d} for d in range(1, 6)),
    "Architect 3 at N2 takes the third tile of column 2, counted from the top": lambda: POINTED[2, 1] == 11,
    "architect 2 at E4 the second tile of line 4, counted from the right": lambda: POINTED[1, 8] == 18,
    "in the third line and the second column": lambda: boards.URBANIST == (3, 2),
    "architect 2 may build in line 2 and in column 2, which is column b": lambda: len(places("classic", 2)) == 7,
    "with number 2, and on all squares of district 2": lambda: len(places("expert", 2)) == 8,
    "architect 3 may put a tower block on a stack of two floors": lambda: boards.FLOOR == 3,
    "Stacks of one to five floors": lambda: len(examples.facts("expert")["points"]["tower"]) == 5,
    "and with one to five, and their points": lambda: len(examples.facts("expert")["points"]["shop"]) == 5,
    "Four services in three districts": lambda: parts(SERVICES, "service")[0] == "in 3 districts",
    "two of them have printed points": lambda: sorted(SERVICES.built.values())[2:] == ["service *1", "service *2"],
    "three tower blocks beside it; the shop": lambda: at(PARK, "park", "b2") == ["shop", *["tower"] * 3],
    "with a shop, an office tower and two harbors beside it": lambda: (
        at(FACTORY, "factory", "b2") == ["harbor", "harbor", "office", "shop"]
    ),
    "Office towers are in expert only": lambda: set(FACTORY_POINTS) - {OFFICE} == {SHOP, HARBOR},
    "Four harbors across and three down": lambda: (
        parts(HARBORS, "harbor")[:2] == ["longest line across, 4", "longest line down, 3"]
    ),
    "A line of one harbor scores nothing": lambda: points("harbor", 1) == 0,
    "with two, two and three floors": lambda: list(OFFICES.built.values()) == ["office 2", "office 2", "office 3"],
    "Tower blocks, office towers and other monuments count nothing": lambda: (
        not {"tower", "office", "monument"} & set(MONUMENT_POINTS)
    ),
    "the harbor below it was left inactive": lambda: not active(MONUMENT, "b3"),
    "and one harbor left inactive": lambda: len(WHOLE.score["active"]) == len(WHOLE.built) - 1,
    "The harbor in `b4` could be activated, by a customer of a shop": lambda: (
        not active(WHOLE, "b4") and max(map(WHOLE.customers, WHOLE.of_kind("shop"))) > 0
    ),
    "Parks and monuments cost nothing": lambda: free("park") and free("monument"),
}


@pytest.mark.parametrize("words", SAID)
def test_what_is_said_in_words_is_so(words):
    assert words in PAGE
    assert SAID[words]()


def test_the_worked_example_of_the_rulebook_scores_19():
    assert [points for _, points in OFFICES.explained("office")] == [5, 5, 9]
    assert OFFICES.score["total"] == 19


def test_all_other_numbers_of_the_page_are_made():
    by_hand = PAGE
    for made in (r"<!-- begin ([\w-]+) -->.*?<!-- end \1 -->", r"!\[[^\]]*\]\([^)]*\)", r"`[^`]*`"):
        by_hand = re.sub(made, " ", by_hand)
    assert re.findall(r"\S*\d\S*", by_hand) == []
