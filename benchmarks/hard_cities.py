"""Search for cities that take the exact scoring long, and keep the worst.

    python benchmarks/hard_cities.py --minutes 5 --seed 1

It climbs from random full expert cities by small changes towards more time, restarts often, and merges the
slowest into qpolis/games/quadropolis/hard_cities.json, which `qpolis bench` times and the tests check.
"""

from __future__ import annotations

import json
import random
import time
from typing import Any

import click
import numpy as np

import qpolis
from qpolis.games.quadropolis import HARD_CITIES
from qpolis.games.quadropolis.city import WORK, park_energy
from qpolis.games.quadropolis.codec import fill_city
from qpolis.games.quadropolis.layout import CITY, DIGITS, FLOORS, TYPES
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.scoring import best_key

City = dict[str, Any]
RULES = qpolis.load_game("quadropolis", mode="expert").rules[0]
WORKS = np.empty(1, WORK)
KEPT = 40


def microseconds(city: City, repeats: int = 3) -> float:
    """The least of a few timings of one city."""
    built, tall, vp = np.zeros(8, np.int32), np.zeros(FLOORS, np.int32), np.zeros(CITY, np.int8)
    holds = np.zeros(DIGITS, np.int32)
    fill_city(built, tall, vp, holds, city["squares"])
    held = int(park_energy(holds))
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        best_key(RULES, WORKS, built, tall, vp, city["inhabitants"], city["energy"], held)
        best = min(best, time.perf_counter() - start)
    return best * 1e6


def buildable(city: City) -> bool:
    """Can the published tiles make this city? A full city is 20 tiles, so there are no stacks."""
    have: dict[tuple[str, int], int] = {}
    for row in load_mix("base").rows:
        if row.deck != "classic":
            key = (row.tile.type, row.tile.vp)
            have[key] = have.get(key, 0) + 1
    for square in city["squares"]:
        key = (square["type"], square["vp"])
        have[key] = have.get(key, 0) - 1
        if square["floors"] > 1 or have[key] < 0:
            return False
    return True


def random_building(rng: random.Random, weights: list[float]) -> dict[str, Any]:
    kind = rng.choices(TYPES, weights)[0]
    stacked = kind in ("tower", "office") and rng.random() < 0.5
    floors = rng.randint(1, FLOORS) if stacked else 1
    return {"type": kind, "floors": floors, "vp": rng.choice((0, 0, 0, 1, 2, 3))}


def random_city(rng: random.Random, published: bool) -> tuple[City, list[float]]:
    weights = [rng.random() ** 2 for _ in TYPES]
    if published:
        tiles = [row.tile for row in load_mix("base").rows if row.deck != "classic"]
        order = sorted(tiles, key=lambda tile: rng.random() ** (1 / (weights[TYPES.index(tile.type)] + 1e-9)))
        squares = [{"type": tile.type, "floors": 1, "vp": tile.vp} for tile in order[-CITY:]]
        rng.shuffle(squares)
    else:
        squares = [random_building(rng, weights) for _ in range(CITY)]
    return {"squares": squares, "inhabitants": rng.randint(1, 16), "energy": rng.randint(0, 12)}, weights


def changed(rng: random.Random, city: City, weights: list[float]) -> City:
    """A copy with one or two squares or resources changed."""
    squares = list(city["squares"])
    new = {**city, "squares": squares}
    for _ in range(rng.randint(1, 2)):
        what = rng.random()
        if what < 0.5:
            squares[rng.randrange(CITY)] = random_building(rng, weights)
        elif what < 0.7:
            a, b = rng.sample(range(CITY), 2)
            squares[a], squares[b] = squares[b], squares[a]
        elif what < 0.85:
            new["inhabitants"] = max(0, new["inhabitants"] + rng.choice((-2, -1, 1, 2)))
        else:
            new["energy"] = max(0, new["energy"] + rng.choice((-2, -1, 1, 2)))
    return new


def climb(rng: random.Random, until: float, published: bool, patience: int = 400) -> tuple[float, City]:
    """Change a random city as long as that finds slower ones."""
    starts = (random_city(rng, published) for _ in range(200))
    city, weights = max(starts, key=lambda start: microseconds(start[0], 1))
    slowest = microseconds(city)
    idle = 0
    while idle < patience and time.monotonic() < until:
        candidate = changed(rng, city, weights if rng.random() < 0.7 else [1.0] * len(TYPES))
        idle += 1
        if published and not buildable(candidate):
            continue
        taken = microseconds(candidate, 2)
        if taken > slowest * 1.01:
            city, slowest, idle = candidate, microseconds(candidate), 0
    return slowest, city


@click.command()
@click.option("--minutes", default=5.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--published", is_flag=True, help="Only cities that the published tiles can make.")
def main(minutes: float, seed: int, published: bool) -> None:
    """Search for cities that are slow to score."""
    rng = random.Random(seed)
    until = time.monotonic() + 60 * minutes
    found = json.loads(HARD_CITIES.read_text()) if HARD_CITIES.exists() else []
    found = [(microseconds(city), city) for city in found]
    while time.monotonic() < until:
        slowest, city = climb(rng, until, published)
        found.append((slowest, city))
        click.echo(f"{slowest:8.0f} us")
    found.sort(key=lambda pair: -pair[0])
    lines = ",\n".join(json.dumps({"mode": "expert", **city}) for _, city in found[:KEPT])
    HARD_CITIES.write_text(f"[\n{lines}\n]\n")
    real = max((taken for taken, city in found if buildable(city)), default=0.0)
    click.echo(f"slowest that the published tiles can make: {real:.0f} us")
    click.echo(f"slowest {found[0][0]:.0f} us; {min(len(found), KEPT)} cities in {HARD_CITIES}")


if __name__ == "__main__":
    main()
