"""Tests of the naive scorer: cities computed by hand, and brute force in plain Python."""

import random
from itertools import combinations, product

import pytest

from . import quadropolis_scoring
from .pictures import draw
from .quadropolis import SQUARE_NUMBERS
from .quadropolis_scoring import (
    COLUMNS,
    DISTRICTS,
    LINES,
    MOST_CUSTOMERS,
    MOST_FLOORS,
    STACKING_TYPES,
    TYPES,
    best_assignment,
    is_costed,
    neighbours,
    preference,
    score,
    score_one_assignment,
)


def summary(result):
    """(points that are not 0 by type, penalties, total, inhabitants on buildings, empty squares)"""
    points = {kind: value for kind, value in result["points"].items() if value != 0}
    return (
        points,
        result["penalties"],
        result["total"],
        result["inhabitants_on_buildings"],
        result["empty_squares"],
    )


# --- cities computed by hand ----------------------------------------------------------------------------

# fmt: off
HAND_COMPUTED = {
    # The rulebook's example: a group of three; 2, 2 and 3 floors: 5 + 5 + 9 = 19.
    "office example": ("expert", 3, 3, """
        O2 O2 .  .  .
        .  O3 .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({"office": 19}, 0, 19, 3, 17)),
    # Six connected offices of one floor use the row of 5: 6 x 4 = 24. The seventh touches only at a corner
    # and is a group of its own: 0 for one floor.
    "office group over five": ("expert", 7, 7, """
        O1 O1 O1 .  .
        O1 O1 O1 .  .
        .  .  .  O1 .
        .  .  .  .  .""", ({"office": 24}, 0, 24, 7, 13)),
    # Means for two of the three offices only. The middle one with an end: group of 2, floors 2 and 5:
    # 3 + 15 = 18. Both ends without the middle: two groups of 1, floors 5 and 5: 10 + 10 = 20.
    "offices not all activated": ("expert", 2, 2, """
        O5 O2 O5 .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({"office": 20}, 0, 20, 2, 18)),
    # Tower of 4 floors 10. Park beside it 2. Energy 3: one activates, one lies in the park, one too many.
    "tower and park": ("classic", 0, 3, """
        T4 P  .  .
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({"tower": 10, "park": 2}, -1, 11, 0, 14)),
    # A park with 4 towers around: 11; the towers 1 + 1 + 1 + 3 = 6.
    "park surrounded, classic": ("classic", 0, 4, """
        .  T1 .  .
        T1 P  T2 .
        .  T1 .  .
        .  .  .  .""", ({"tower": 6, "park": 11}, 0, 17, 0, 11)),
    # In expert the office counts as well: 11; three towers 3; the office, 2 floors, alone in its group: 1.
    "park surrounded, expert": ("expert", 1, 4, """
        .  T1 .  .  .
        T1 P  T1 .  .
        .  O2 .  .  .
        .  .  .  .  .""", ({"tower": 3, "office": 1, "park": 11}, 0, 15, 1, 15)),
    # Five inhabitants and one shop. Expert: five customers 11, against 4 customers and the service 7 + 2.
    "fifth customer, expert": ("expert", 5, 1, """
        S  .  .  .  V
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({"shop": 11}, 0, 11, 5, 19)),
    # Classic has no fifth customer: 7 + 2.
    "fifth customer, classic": ("classic", 5, 1, """
        S  .  .  V
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({"shop": 7, "service": 2}, 0, 9, 5, 14)),
    # Seven customers on two shops: 4 + 3 makes 7 + 4 = 11 in classic; expert 5 + 2: 11 + 2 = 13.
    "customers, classic": ("classic", 7, 2, """
        S  .  .  S
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({"shop": 11}, 0, 11, 7, 14)),
    "customers, expert": ("expert", 7, 2, """
        S  .  .  S  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({"shop": 13}, 0, 13, 7, 18)),
    # Nine inhabitants, one open shop that holds 4: 7, and 5 are idle. No energy is left for the second shop.
    "full shop": ("classic", 9, 1, """
        S  S  .  .
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({"shop": 7}, -5, 2, 4, 15)),
    # Services in 3 of the 4 quadrants (two share one): 9, printed 2 + 1 = 3: 12.
    "services, classic": ("classic", 4, 0, """
        V+2 .  V  V+1
        .   .  .  .
        .   .  .  V
        .   .  .  .""", ({"service": 12}, 0, 12, 4, 12)),
    # One in each of the five districts: 20. Two more in districts that count already are worth only their
    # inhabitants (0 instead of -1 each).
    "services, expert": ("expert", 7, 0, """
        .  V  V  V  .
        .  .  V  .  .
        V  .  .  .  V
        .  V  .  .  .""", ({"service": 20}, 0, 20, 7, 13)),
    # Longest line 3: 7. Longest column 2: 3 (a2-a3 only; c2 has none below). Printed 3. Together 13.
    "harbors": ("classic", 5, 0, """
        .   .  .  .
        H+3 H  H  .
        H   .  .  .
        .   .  .  H""", ({"harbor": 13}, 0, 13, 5, 11)),
    # A line ends at the edge: e1 and a2 do not touch. Line of 5: 18, column of 4: 12.
    "long harbors": ("expert", 8, 0, """
        H  H  H  H  H
        .  .  .  H  .
        .  .  .  H  .
        .  .  .  H  .""", ({"harbor": 30}, 0, 30, 8, 12)),
    "harbors do not wrap": ("expert", 2, 0, """
        .  .  .  .  H
        H  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({}, 0, 0, 2, 18)),
    # Factory: shop 2 + harbor 3 + office 4 + tower 0 = 9. Shop without customer 0, harbor alone 0, office of
    # 2 floors alone 1, tower 1. Inhabitants: factory, harbor, office. Energy: shop, office, tower.
    "factory": ("expert", 3, 3, """
        .  T1 .  .  .
        S  F  H  .  .
        .  O2 .  .  .
        .  .  .  .  .""", ({"factory": 9, "office": 1, "tower": 1}, 0, 11, 3, 15)),
    # Factory beside one harbor 3; line of two harbors 3.
    "factory and harbors": ("classic", 3, 0, """
        F  H  H  .
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({"factory": 3, "harbor": 3}, 0, 6, 3, 13)),
    # Monument: service 2 + shop 3 + park 5 + tower 0 = 10; service in one district 2; tower of 1 floor 1.
    # The park touches neither tower nor office.
    "monument": ("expert", 1, 2, """
        .  V  .  .  .
        S  M  P  .  .
        .  T1 .  .  .
        .  .  .  .  .""", ({"monument": 10, "service": 2, "tower": 1}, 0, 13, 1, 15)),
    # The shop without customer gives 0 itself, 3 to each of the monuments; monuments give each other 0.
    "shop between monuments": ("expert", 0, 1, """
        M  M  .  .  .
        .  S  M  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({"monument": 6}, 0, 6, 0, 16)),
    # A harbor beside a monument costs 5; left out it costs the idle inhabitant, 1.
    "harbor left out": ("expert", 1, 0, """
        M  H  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({}, -1, -1, 0, 19)),
    # With 4 printed points it is -5 + 4 = -1 against -1: the inhabitant on a building breaks the tie.
    "tie broken by inhabitants": ("expert", 1, 0, """
        M  H+4 .  .  .
        .  .   .  .  .
        .  .   .  .  .
        .  .   .  .  .""", ({"monument": -5, "harbor": 4}, 0, -1, 1, 18)),
    # The energy may lie in the park or open the shop, 0 either way: the shop leaves fewer empty squares.
    "tie broken by empty squares": ("classic", 0, 1, """
        P  .  .  S
        .  .  .  .
        .  .  .  .
        .  .  .  .""", ({}, 0, 0, 0, 14)),
    # An inactive shop is not beside the factory: without energy it gives 0 and the monument nothing.
    "inactive is removed": ("expert", 1, 0, """
        F  S  M  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .""", ({}, 0, 0, 1, 18)),
    # Printed points count for every type that stands: park 1, tower 1 + 2; the service has no inhabitant.
    "printed points": ("classic", 0, 1, """
        P+1 .  T1+2 V+2
        .   .  .    .
        .   .  .    .
        .   .  .    .""", ({"park": 1, "tower": 3}, 0, 4, 0, 14)),
    "empty city": ("classic", 2, 3, ". " * 16, ({}, -5, -5, 0, 16)),
}
# fmt: on


@pytest.mark.parametrize("name", HAND_COMPUTED)
def test_city_computed_by_hand(name):
    mode, inhabitants, energy, picture, expected = HAND_COMPUTED[name]
    squares = draw(picture)
    result, standing, customers = best_assignment(mode, squares, inhabitants, energy)
    assert summary(result) == expected
    again = score_one_assignment(mode, squares, standing, customers, inhabitants, energy)
    assert summary(again) == expected


def test_neighbours():
    assert sorted(neighbours("classic", 0)) == [1, 4]
    assert sorted(neighbours("classic", 7)) == [3, 6, 11]
    assert sorted(neighbours("expert", 4)) == [3, 9]
    assert sorted(neighbours("expert", 5)) == [0, 6, 10]
    assert sorted(neighbours("expert", 12)) == [7, 11, 13, 17]
    # 4 lines x 3 sides + 3 x 4 in classic, 4 x 4 + 3 x 5 in expert, each seen from two squares.
    assert sum(len(neighbours("classic", square)) for square in range(16)) == 2 * 24
    assert sum(len(neighbours("expert", square)) for square in range(20)) == 2 * 31


def test_city_mats():
    """The rules: the four squares of an expert district carry the four numbers other than its own."""
    for district in range(1, 6):
        squares = [square for square in range(20) if DISTRICTS["expert"][square] == district]
        assert sorted([SQUARE_NUMBERS[square] for square in squares] + [district]) == [1, 2, 3, 4, 5]
    for square, district in enumerate(DISTRICTS["classic"]):
        line, column = divmod(square, 4)
        assert district == 1 + 2 * (line >= 2) + (column >= 2)


def points(mode, picture, kind):
    """The points of a type in a city with all the inhabitants and energy it can use."""
    return score(mode, draw(picture), 20, 20)["points"][kind]


def test_tables_of_the_rules():
    rest, floors = " . " * 15, range(1, 6)
    assert [points("expert", f"T{n} . . . ." + rest, "tower") for n in floors] == [1, 3, 6, 10, 15]
    totals = [score("expert", draw("S . . . ." + rest), customers, 1)["total"] for customers in range(7)]
    assert totals == [0, 1, 2, 4, 7, 11, 11 - 1]
    assert [points("expert", f"O{n} . . . ." + rest, "office") for n in floors] == [0, 1, 3, 6, 10]
    # Every office of a group of equal ones scores the row of the group: 2 to 5 times the table.
    for group, row in {
        2: [1, 3, 6, 10, 15],
        3: [2, 5, 9, 14, 20],
        4: [3, 7, 12, 18, 25],
        5: [4, 9, 15, 22, 30],
    }.items():
        line = " . " * (5 - group) + rest
        found = [points("expert", f"O{n} " * group + line, "office") for n in floors]
        assert found == [group * p for p in row]
    assert [points("expert", "H " * n + ". " * (20 - n), "harbor") for n in floors] == [0, 3, 7, 12, 18]
    in_districts = [0, 3, 13, 2, 10]  # one square in each of the five districts
    services = ["V" if square in in_districts else "." for square in range(20)]
    for number, p in zip(floors, [2, 5, 9, 14, 20], strict=True):
        shown = ["." if square in in_districts[number:] else word for square, word in enumerate(services)]
        assert points("expert", " ".join(shown), "service") == p


@pytest.mark.parametrize(
    ("active", "customers"),
    [
        ({1}, {}),  # an empty square
        ({0, 3}, {}),  # energy for one of the two only
        ({0}, {0: 5}),  # classic shops hold four
        ({0}, {0: -1}),
        ({0}, {3: 1}),  # that shop is not active
        ({0}, {4: 1}),  # not a shop
        ({0, 4}, {0: 4}),  # five inhabitants needed
    ],
)
def test_assignments_that_are_not_allowed(active, customers):
    city = draw("S . . S   V . . .   . . . .   . . . .")
    assert score_one_assignment("classic", city, {0, 4}, {0: 3}, 4, 1)["total"] == 4 + 2
    with pytest.raises(ValueError):
        score_one_assignment("classic", city, active, customers, 4, 1)


@pytest.mark.parametrize(
    ("mode", "picture"),
    [
        ("classic", "O1 " + ". " * 15),
        ("classic", "T5 " + ". " * 15),
        ("expert", "T6 " + ". " * 19),
        ("expert", "P2 " + ". " * 19),
        ("expert", ". " * 16),
        ("simple", ". " * 16),
    ],
)
def test_cities_that_cannot_exist(mode, picture):
    with pytest.raises(ValueError):
        score(mode, draw(picture), 1, 1)


# --- brute force in plain Python ------------------------------------------------------------------------


def random_city(rng, mode, buildings):
    """Buildings that huddle together, so that adjacency matters; at most three shops."""
    types = [kind for kind in TYPES if mode == "expert" or kind not in ("office", "monument")]
    favourites = rng.choices(types, k=3) + types
    squares = [None] * (LINES[mode] * COLUMNS[mode])
    square, shops = rng.randrange(len(squares)), 0
    for _ in range(buildings):
        kind = rng.choice(favourites)
        if kind == "shop" and shops == 3:
            kind = "harbor"
        shops += kind == "shop"
        floors = rng.randint(1, MOST_FLOORS[mode]) if kind in STACKING_TYPES else 1
        squares[square] = {"type": kind, "floors": floors, "vp": rng.choice([0, 0, 0, 1, 2, 3])}
        built = [place for place, building in enumerate(squares) if building is not None]
        square = rng.choice([near for place in built for near in neighbours(mode, place) if squares[near] is None])
    return squares


def brute_force(mode, squares, inhabitants, energy):
    """The most preferred result of all allowed assignments, one at a time."""
    costed = [square for square, building in enumerate(squares) if building and is_costed(building)]
    best = None
    for size in range(len(costed) + 1):
        for active in combinations(costed, size):
            shops = [square for square in active if squares[square]["type"] == "shop"]
            for counts in product(range(MOST_CUSTOMERS[mode] + 1), repeat=len(shops)):
                customers = dict(zip(shops, counts, strict=True))
                try:
                    result = score_one_assignment(mode, squares, set(active), customers, inhabitants, energy)
                except ValueError:
                    continue
                if best is None or preference(result) > preference(best):
                    best = result
    return best


@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize("block", range(5))
def test_score_equals_brute_force(mode, block):
    for seed in range(30 * block, 30 * block + 30):
        rng = random.Random(f"{mode} {seed}")
        squares = random_city(rng, mode, rng.randint(3, 9))
        inhabitants, energy = rng.randint(0, 9), rng.randint(0, 6)
        slow = brute_force(mode, squares, inhabitants, energy)
        result, standing, customers = best_assignment(mode, squares, inhabitants, energy)
        assert preference(result) == preference(slow), seed
        # The points by type of one best assignment depend on which: value exactly the one found.
        again = score_one_assignment(mode, squares, standing, customers, inhabitants, energy)
        assert result == again == score(mode, squares, inhabitants, energy), seed


@pytest.mark.parametrize("mode", ["classic", "expert"])
def test_score_of_full_cities(mode):
    """Too big for brute force: the assignment found must be worth what it says."""
    for seed in range(8):
        rng = random.Random(f"full {mode} {seed}")
        squares = random_city(rng, mode, 15)
        inhabitants, energy = rng.randint(0, 20), rng.randint(0, 15)
        result, standing, customers = best_assignment(mode, squares, inhabitants, energy)
        assert result == score_one_assignment(mode, squares, standing, customers, inhabitants, energy), seed


def test_score_in_small_chunks(monkeypatch):
    """The subsets are valued in chunks; where the chunks are cut must not matter."""
    for seed in range(20):
        rng = random.Random(f"chunks {seed}")
        squares = random_city(rng, "expert", 9)
        monkeypatch.setattr(quadropolis_scoring, "SUBSETS_AT_ONCE", 2**15)
        whole = score("expert", squares, 5, 4)
        monkeypatch.setattr(quadropolis_scoring, "SUBSETS_AT_ONCE", 7)
        assert preference(score("expert", squares, 5, 4)) == preference(whole), seed
