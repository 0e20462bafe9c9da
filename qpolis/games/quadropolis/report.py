"""The result of scoring one city as lines for people."""

from __future__ import annotations

from typing import Any

from qpolis.games.quadropolis.assignment import MIX, City
from qpolis.games.quadropolis.layout import TYPES
from qpolis.games.quadropolis.notation import square_text


def score_lines(city: City, result: dict[str, Any]) -> list[str]:
    """Points by building, penalties, total, tie-breaks, and an assignment that reaches them."""
    columns = int(city.rules.columns)
    lines = [
        f"{name:<12}{points:>5}"
        for name, points in result["points"].items()
        if points or name in _standing(city, result)
    ]
    lines += [f"{'penalties':<12}{result['penalties']:>5}", f"{'total':<12}{result['total']:>5}", ""]
    lines.append(
        f"inhabitants on buildings: {result['inhabitants_on_buildings']}, empty squares: {result['empty_squares']}"
    )
    active = [square_text(square, columns) for square in result["active"]]
    lines.append(f"active: {' '.join(active) or 'nothing'}")
    customers = [f"{square_text(int(square), columns)} {count}" for square, count in result["customers"].items()]
    if customers:
        lines.append(f"customers: {', '.join(customers)}")
    if city.mix != MIX:
        lines.append(f"mix: {city.mix}")
    return lines


def _standing(city: City, result: dict[str, Any]) -> set[str]:
    return {TYPES[city.kind(square)] for square in result["active"]}
