"""The final scoring of Quadropolis, by trying everything.

`score_one_assignment` values one assignment of inhabitants and energy in plain Python.
`score` tries every set of activated buildings and every number of customers. It is written a second time
with numpy columns (one boolean per set of activated buildings), so that full cities can be checked too;
the tests compare the two.

A city is a row-major list of squares: None or {"type", "floors", "vp"}. A park can have "holds": the units of
energy that it holds, which is one by the rulebook.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

TYPES = ("tower", "shop", "service", "park", "factory", "harbor", "office", "monument")
EXPERT_TYPES = ("office", "monument")
STACKING_TYPES = ("tower", "office")

LINES = {"classic": 4, "expert": 4}
COLUMNS = {"classic": 4, "expert": 5}
MOST_FLOORS = {"classic": 4, "expert": 5}
MOST_CUSTOMERS = {"classic": 4, "expert": 5}
DISTRICTS = {
    "classic": [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4],
    "expert": [1, 1, 4, 2, 2, 1, 1, 4, 2, 2, 5, 5, 4, 3, 3, 5, 5, 4, 3, 3],
}

INHABITANT_COST = {
    "tower": 0,
    "shop": 0,
    "service": 1,
    "park": 0,
    "factory": 1,
    "harbor": 1,
    "office": 1,
    "monument": 0,
}
ENERGY_COST = {
    "tower": 1,
    "shop": 1,
    "service": 0,
    "park": 0,
    "factory": 0,
    "harbor": 0,
    "office": 1,
    "monument": 0,
}

# The index is what the rules count; index 0 is "none".
TOWER_POINTS = [0, 1, 3, 6, 10, 15]  # floors
SHOP_POINTS = [0, 1, 2, 4, 7, 11]  # customers
SERVICE_POINTS = [0, 2, 5, 9, 14, 20]  # districts with a service
PARK_POINTS = [0, 2, 4, 7, 11]  # adjacent towers and offices
HARBOR_POINTS = [0, 0, 3, 7, 12, 18]  # length of the line
OFFICE_POINTS = [  # [size of the group][floors]
    [0, 0, 0, 0, 0, 0],
    [0, 0, 1, 3, 6, 10],
    [0, 1, 3, 6, 10, 15],
    [0, 2, 5, 9, 14, 20],
    [0, 3, 7, 12, 18, 25],
    [0, 4, 9, 15, 22, 30],
]
FACTORY_POINTS = {"shop": 2, "harbor": 3, "office": 4}  # per adjacent building
MONUMENT_POINTS = {
    "factory": -5,
    "harbor": -5,
    "tower": 0,
    "office": 0,
    "monument": 0,
    "service": 2,
    "shop": 3,
    "park": 5,
}  # per adjacent building

SUBSETS_AT_ONCE = 2**15  # keeps the columns small enough for the processor's cache


# --- what both scorers stand on -----------------------------------------------------------------------


@cache
def neighbours(mode, square):
    """The squares that share a side with this one."""
    lines, columns = LINES[mode], COLUMNS[mode]
    line, column = divmod(square, columns)
    around = [(line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)]
    return [a * columns + b for a, b in around if 0 <= a < lines and 0 <= b < columns]


def all_lines(mode):
    """The squares of every line, from left to right."""
    lines, columns = LINES[mode], COLUMNS[mode]
    return [[line * columns + column for column in range(columns)] for line in range(lines)]


def all_columns(mode):
    """The squares of every column, from top to bottom."""
    lines, columns = LINES[mode], COLUMNS[mode]
    return [[line * columns + column for line in range(lines)] for column in range(columns)]


def is_costed(building):
    """Whether the building must be activated; the others always stand."""
    return INHABITANT_COST[building["type"]] + ENERGY_COST[building["type"]] > 0


def energy_in_parks(buildings):
    """How many units the parks among the buildings hold."""
    return sum(building.get("holds", 1) for building in buildings if building and building["type"] == "park")


def check_city(mode, squares, inhabitants, energy):
    """Raise ValueError for a city that cannot exist in this mode."""
    if mode not in LINES:
        raise ValueError(f"unknown mode {mode!r}")
    if len(squares) != LINES[mode] * COLUMNS[mode]:
        raise ValueError(f"a {mode} city has {LINES[mode] * COLUMNS[mode]} squares, not {len(squares)}")
    if inhabitants < 0 or energy < 0:
        raise ValueError("inhabitants and energy cannot be negative")
    for building in squares:
        if building is None:
            continue
        kind, floors = building["type"], building["floors"]
        if kind not in TYPES or (mode == "classic" and kind in EXPERT_TYPES):
            raise ValueError(f"no {kind!r} in {mode} mode")
        if not 1 <= floors <= (MOST_FLOORS[mode] if kind in STACKING_TYPES else 1):
            raise ValueError(f"a {kind} cannot have {floors} floors in {mode} mode")


# --- one assignment, in plain Python ------------------------------------------------------------------


def score_one_assignment(mode, squares, active, customers, inhabitants, energy):
    """Value one assignment: `active` squares are activated, `customers` maps shop squares to counts.

    Buildings without a cost stand whether `active` names them or not. ValueError if it is not allowed.
    """
    check_city(mode, squares, inhabitants, energy)
    for square in active:
        if not 0 <= square < len(squares) or squares[square] is None:
            raise ValueError(f"nothing to activate on square {square}")
    # Removed before anything is counted: from here on only `standing` exists.
    standing = {
        square: building
        for square, building in enumerate(squares)
        if building is not None and (square in active or not is_costed(building))
    }
    for square, count in customers.items():
        if square not in standing or standing[square]["type"] != "shop":
            raise ValueError(f"no active shop on square {square}")
        if not 0 <= count <= MOST_CUSTOMERS[mode]:
            raise ValueError(f"a shop cannot have {count} customers")
    on_buildings = sum(INHABITANT_COST[building["type"]] for building in standing.values())
    on_buildings += sum(customers.values())
    idle_inhabitants = inhabitants - on_buildings
    idle_energy = energy - sum(ENERGY_COST[building["type"]] for building in standing.values())
    if idle_inhabitants < 0 or idle_energy < 0:
        raise ValueError("not enough inhabitants or energy")

    points = points_by_type(mode, standing, customers)
    penalties = -idle_inhabitants - max(0, idle_energy - energy_in_parks(standing.values()))
    return {
        "points": points,
        "penalties": penalties,
        "total": sum(points.values()) + penalties,
        "inhabitants_on_buildings": on_buildings,
        "empty_squares": len(squares) - len(standing),
    }


def points_by_type(mode, standing, customers):
    """The points of every type in the city of standing buildings (a dict by square)."""
    points = dict.fromkeys(TYPES, 0)
    for square, building in standing.items():
        kind = building["type"]
        beside = [standing[other]["type"] for other in neighbours(mode, square) if other in standing]
        points[kind] += building["vp"]
        if kind == "tower":
            points[kind] += TOWER_POINTS[building["floors"]]
        elif kind == "shop":
            points[kind] += SHOP_POINTS[customers.get(square, 0)]
        elif kind == "park":
            points[kind] += PARK_POINTS[beside.count("tower") + beside.count("office")]
        elif kind == "factory":
            points[kind] += sum(FACTORY_POINTS.get(other, 0) for other in beside)
        elif kind == "office":
            size = len(office_group(mode, standing, square))
            points[kind] += OFFICE_POINTS[min(size, 5)][building["floors"]]
        elif kind == "monument":
            points[kind] += sum(MONUMENT_POINTS[other] for other in beside)
    services = [square for square, building in standing.items() if building["type"] == "service"]
    points["service"] += SERVICE_POINTS[len({DISTRICTS[mode][square] for square in services})]
    harbors = {square for square, building in standing.items() if building["type"] == "harbor"}
    points["harbor"] += HARBOR_POINTS[longest_run(all_lines(mode), harbors)]
    points["harbor"] += HARBOR_POINTS[longest_run(all_columns(mode), harbors)]
    return points


def office_group(mode, standing, start):
    """The squares of the office towers connected to the one on `start`, itself included."""
    group, to_visit = {start}, [start]
    while to_visit:
        for other in neighbours(mode, to_visit.pop()):
            if other not in group and other in standing and standing[other]["type"] == "office":
                group.add(other)
                to_visit.append(other)
    return group


def longest_run(rows, harbors):
    """The longest unbroken run of harbors in any of the rows (lists of squares)."""
    longest = 0
    for row in rows:
        run = 0
        for square in row:
            run = run + 1 if square in harbors else 0
            longest = max(longest, run)
    return longest


# --- customers: every distribution --------------------------------------------------------------------


@cache
def best_distributions(most, shops):
    """{customers: (points, customers of each shop)}: the best way to spread them, out of all ways.

    All shops pay alike, so the order of the shops does not matter.
    """
    best = {}
    for distribution in combinations_with_replacement(range(most + 1), shops):
        points = sum(SHOP_POINTS[count] for count in distribution)
        customers = sum(distribution)
        if customers not in best or points > best[customers][0]:
            best[customers] = (points, distribution)
    return best


@cache
def best_customers(most, shops, free):
    """How many of the `free` inhabitants (those who activate nothing) should go shopping.

    Most victory points, each idle inhabitant costing one; then most inhabitants on buildings.
    """

    def value(customers):
        return best_distributions(most, shops)[customers][0] - (free - customers), customers

    possible = [customers for customers in best_distributions(most, shops) if customers <= free]
    return max(possible, key=value)


@cache
def customer_tables(most, shops, inhabitants):
    """Arrays [active shops, free inhabitants]: the best number of customers, and the shops' points."""
    customers = np.zeros((shops + 1, inhabitants + 1), int)
    points = np.zeros((shops + 1, inhabitants + 1), int)
    for m in range(shops + 1):
        for free in range(inhabitants + 1):
            customers[m, free] = best_customers(most, m, free)
            points[m, free] = best_distributions(most, m)[customers[m, free]][0]
    return customers, points


# --- every assignment, in numpy columns ---------------------------------------------------------------


def score(mode, squares, inhabitants, energy):
    """The best assignment's points by type, penalties, total, inhabitants on buildings, empty squares."""
    return best_assignment(mode, squares, inhabitants, energy)[0]


def best_assignment(mode, squares, inhabitants, energy):
    """(the dict of `score`, the set of standing squares, the customers by shop square)."""
    check_city(mode, squares, inhabitants, energy)
    number = 2 ** sum(1 for building in squares if building is not None and is_costed(building))
    best = None
    for first in range(0, number, SUBSETS_AT_ONCE):
        subsets = np.arange(first, min(first + SUBSETS_AT_ONCE, number))
        active = affordable(squares, activations(squares, subsets), inhabitants, energy)
        if count_of_subsets(active) == 0:
            continue
        candidate = best_of(mode, squares, active, inhabitants, energy)
        if best is None or preference(candidate[0]) > preference(best[0]):
            best = candidate
    return best


def preference(result):
    """The order of the tie-breaks: the bigger the better."""
    return result["total"], result["inhabitants_on_buildings"], -result["empty_squares"]


def activations(squares, subsets):
    """{square: column}: is the building on this square active in each of the numbered subsets?

    The k-th costed building is active in a subset when the k-th binary digit of its number is 1. Empty
    squares get a column too (never active), so that there is always one to take the length from.
    """
    active = {}
    costed = 0
    for square, building in enumerate(squares):
        if building is None:
            active[square] = np.zeros(len(subsets), bool)
        elif not is_costed(building):
            active[square] = np.ones(len(subsets), bool)
        else:
            active[square] = subsets // 2**costed % 2 == 1
            costed += 1
    return active


def count_of_subsets(active):
    """The length of the columns."""
    return len(active[0])


def of_type(squares, *kinds):
    """The squares with a building of one of these types."""
    return [square for square, building in enumerate(squares) if building and building["type"] in kinds]


def total_cost(squares, active, cost):
    """What the active buildings cost together, per subset."""
    spent = np.zeros(count_of_subsets(active), int)
    for square, building in enumerate(squares):
        if building is not None and cost[building["type"]] > 0:
            spent += cost[building["type"]] * active[square]
    return spent


def affordable(squares, active, inhabitants, energy):
    """Only the subsets whose activation can be paid."""
    allowed = total_cost(squares, active, INHABITANT_COST) <= inhabitants
    allowed &= total_cost(squares, active, ENERGY_COST) <= energy
    return {square: column[allowed] for square, column in active.items()}


def best_of(mode, squares, active, inhabitants, energy):
    """The best of these affordable subsets, as `best_assignment` returns it."""
    activators = total_cost(squares, active, INHABITANT_COST)
    free = inhabitants - activators
    shops = of_type(squares, "shop")
    active_shops = how_many(active, shops)
    customers_of, points_of = customer_tables(MOST_CUSTOMERS[mode], len(shops), inhabitants)
    customers = customers_of[active_shops, free]

    points = column_points(mode, squares, active)
    points["shop"] += points_of[active_shops, free]
    idle_energy = energy - total_cost(squares, active, ENERGY_COST)
    unparked_energy = np.maximum(0, idle_energy - energy_in_parks(squares))
    penalties = -(free - customers) - unparked_energy
    total = sum(points.values()) + penalties
    on_buildings = activators + customers
    empty = len(squares) - how_many(active, range(len(squares)))

    row = best_row(total, on_buildings, empty)
    result = {
        "points": {kind: int(points[kind][row]) for kind in TYPES},
        "penalties": int(penalties[row]),
        "total": int(total[row]),
        "inhabitants_on_buildings": int(on_buildings[row]),
        "empty_squares": int(empty[row]),
    }
    standing = {square for square in range(len(squares)) if active[square][row]}
    open_shops = [square for square in shops if square in standing]
    spread = best_distributions(MOST_CUSTOMERS[mode], len(open_shops))[int(customers[row])][1]
    return result, standing, dict(zip(open_shops, spread, strict=True))


def best_row(total, on_buildings, empty):
    """Most points, then most inhabitants on buildings, then fewest empty squares."""
    rows = np.flatnonzero(total == total.max())
    rows = rows[on_buildings[rows] == on_buildings[rows].max()]
    rows = rows[empty[rows] == empty[rows].min()]
    return int(rows[0])


def how_many(active, where):
    """How many of the squares `where` are active, per subset."""
    count = np.zeros(count_of_subsets(active), int)
    for square in where:
        count += active[square]
    return count


def column_points(mode, squares, active):
    """{type: points per subset}, all but the points for customers."""
    points = {kind: np.zeros(count_of_subsets(active), int) for kind in TYPES}
    for square, building in enumerate(squares):
        if building is not None and building["vp"] != 0:
            points[building["type"]] += building["vp"] * active[square]
    for square in of_type(squares, "tower"):
        points["tower"] += TOWER_POINTS[squares[square]["floors"]] * active[square]
    points["service"] += service_columns(mode, squares, active)
    for square in of_type(squares, "park"):
        homes = [other for other in of_type(squares, "tower", "office") if other in neighbours(mode, square)]
        points["park"] += np.array(PARK_POINTS)[how_many(active, homes)] * active[square]
    points["factory"] += beside_columns(mode, squares, active, "factory", FACTORY_POINTS)
    points["harbor"] += np.array(HARBOR_POINTS)[longest_columns(all_lines(mode), squares, active)]
    points["harbor"] += np.array(HARBOR_POINTS)[longest_columns(all_columns(mode), squares, active)]
    points["office"] += office_columns(mode, squares, active)
    points["monument"] += beside_columns(mode, squares, active, "monument", MONUMENT_POINTS)
    return points


def service_columns(mode, squares, active):
    """The points for the districts with at least one service, per subset."""
    districts = np.zeros(count_of_subsets(active), int)
    for district in sorted(set(DISTRICTS[mode])):
        here = [square for square in of_type(squares, "service") if DISTRICTS[mode][square] == district]
        districts += how_many(active, here) > 0
    return np.array(SERVICE_POINTS)[districts]


def beside_columns(mode, squares, active, kind, worth):
    """The points of all buildings of a type that pays for each adjacent building by its type."""
    points = np.zeros(count_of_subsets(active), int)
    for square in of_type(squares, kind):
        for other in neighbours(mode, square):
            if squares[other] is not None and squares[other]["type"] in worth:
                points += worth[squares[other]["type"]] * (active[square] & active[other])
    return points


def longest_columns(rows, squares, active):
    """The longest unbroken run of active harbors in any of the rows, per subset."""
    harbors = of_type(squares, "harbor")
    longest = np.zeros(count_of_subsets(active), int)
    for row in rows:
        run = np.zeros(count_of_subsets(active), int)
        for square in row:
            if square in harbors:
                run = np.where(active[square], run + 1, 0)
                longest = np.maximum(longest, run)
            else:
                run = np.zeros(count_of_subsets(active), int)
    return longest


def office_columns(mode, squares, active):
    """The points of the office towers, per subset."""
    offices = of_type(squares, "office")
    label = office_labels(mode, offices, active)
    points = np.zeros(count_of_subsets(active), int)
    for square in offices:
        size = np.zeros(count_of_subsets(active), int)
        for other in offices:
            size += active[other] & (label[other] == label[square])
        by_size = np.array(OFFICE_POINTS)[:, squares[square]["floors"]]
        points += by_size[np.minimum(size, 5)] * active[square]
    return points


def office_labels(mode, offices, active):
    """{square: label per subset}: active offices have equal labels when they are in one group.

    Everyone starts with its own square as label and takes the smallest label next to it until nothing
    changes any more. Inactive offices have a label bigger than all, so they pass nothing on.
    """
    nobody = 99
    label = {square: np.where(active[square], square, nobody) for square in offices}
    changed = True
    while changed:
        changed = False
        for square in offices:
            smallest = label[square]
            for other in neighbours(mode, square):
                if other in offices:
                    smallest = np.minimum(smallest, label[other])
            smallest = np.where(active[square], smallest, nobody)
            if (smallest != label[square]).any():
                label[square] = smallest
                changed = True
    return label
