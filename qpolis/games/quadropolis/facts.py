"""What the legend of the viewer says: tables of points and limits, as the mode and the mix in play have them."""

from __future__ import annotations

from typing import Any

from qpolis.games.quadropolis.details import POWERED, STAFFED
from qpolis.games.quadropolis.layout import LINES, TYPES

Plain = dict[str, Any]


def facts(rules: Any, kinds: tuple[str, ...], holds: list[int]) -> Plain:
    """Of the rules record in play. Tables begin with what scores first: one floor, one customer, a line of two.
    `holds`: the amounts of energy that the parks of the mix hold."""
    floors, customers = int(rules.floors), int(rules.customers)
    points = {
        "tower": rules.tower_points[1 : floors + 1].tolist(),
        "shop": rules.shop_points[1 : customers + 1].tolist(),
        "service": rules.service_points[1 : rules.district.max() + 2].tolist(),
        "park": rules.park_points[1:].tolist(),
        "factory": _beside(rules.factory_points, kinds),
        "harbor": rules.line_points[2 : max(LINES, int(rules.columns)) + 1].tolist(),
        "office": rules.office_points[1:, 1 : floors + 1].tolist(),  # by size of the group
        "monument": _beside(rules.monument_points, kinds),
    }
    return {
        "mode": "expert" if rules.expert else "classic",
        "floors": floors,
        "customers": customers,
        "holds": holds,
        "needs": {kind: {"inhabitants": int(kind in STAFFED), "energy": int(kind in POWERED)} for kind in kinds},
        "points": {kind: points[kind] for kind in kinds},
    }


def _beside(points: Any, kinds: tuple[str, ...]) -> dict[str, int]:
    """Points for each building beside it, by its type."""
    return {kind: int(points[TYPES.index(kind)]) for kind in kinds if points[TYPES.index(kind)]}
