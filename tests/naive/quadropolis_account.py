"""The points of a Quadropolis city by type of building, by valuing every assignment one at a time; and the names
of tiles."""

from itertools import product

from naive.quadropolis_scoring import (
    ENERGY_COST,
    INHABITANT_COST,
    MOST_CUSTOMERS,
    best_customers,
    best_distributions,
    is_costed,
    preference,
    score_one_assignment,
)


def account(mode, squares, inhabitants, energy):
    """The dict of `score_one_assignment` for the best assignment that leaves the first squares inactive."""
    costed = [square for square, building in enumerate(squares) if building and is_costed(building)]
    best = None
    for choice in product((False, True), repeat=len(costed)):
        active = {square for square, chosen in zip(costed, choice, strict=True) if chosen}
        result = value(mode, squares, active, inhabitants, energy)
        # Of equals the first one counts, and inactive comes before active.
        if result and (best is None or preference(result) > preference(best)):
            best = result
    return best


def value(mode, squares, active, inhabitants, energy):
    """The best that customers can make of these active buildings; None if they cannot be paid."""
    free = inhabitants - sum(INHABITANT_COST[squares[square]["type"]] for square in active)
    if free < 0 or energy < sum(ENERGY_COST[squares[square]["type"]] for square in active):
        return None
    shops = sorted(square for square in active if squares[square]["type"] == "shop")
    most = MOST_CUSTOMERS[mode]
    spread = best_distributions(most, len(shops))[best_customers(most, len(shops), free)][1]
    customers = dict(zip(shops, spread, strict=True))
    return score_one_assignment(mode, squares, active, customers, inhabitants, energy)


def words(tile):
    """The name of a tile as plain data."""
    people = {0: "", 1: "1 inhabitant"}.get(tile["inhabitants"], f"{tile['inhabitants']} inhabitants")
    energy = f"{tile['energy']} energy" if tile["energy"] else ""
    points = {0: "", 1: "1 point"}.get(tile["vp"], f"{tile['vp']} points")
    shown = ", ".join(filter(None, [people, energy, points, "mayor" if tile["mayor"] else ""]))
    return f"{tile['type']} {shown}".strip()
