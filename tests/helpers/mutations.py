"""Plain data of positions, slightly wrong: everything that a careless or a malicious hand could do to it."""

from __future__ import annotations

import copy

GARBAGE = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    7,
    25,
    256,
    10**12,
    -(2**70),
    1.5,
    float("nan"),
    "",
    "x",
    "N1",
    [],
    {},
    [0],
)


def places(data, path=()):
    """The paths to everything inside plain data."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def inside(data, path):
    for key in path:
        data = data[key]
    return data


def mutated(data, other, rng):
    """A copy of `data` with one to three changes; some take what `other`, another position, has in that place."""
    changed = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        path = rng.choice(list(places(changed)))
        parent, key = inside(changed, path[:-1]), path[-1]
        rng.choice((_replace, _nudge, _nudge, _exchange, _exchange, _drop, _double, _borrow, _borrow))(
            parent, key, path, other, rng
        )
    return changed


def _replace(parent, key, path, other, rng):
    parent[key] = copy.deepcopy(rng.choice(GARBAGE))


def _nudge(parent, key, path, other, rng):
    """A little more or less, where there is a number."""
    if type(parent[key]) is int:
        parent[key] += rng.choice((-2, -1, 1, 1, 2, 3, 200))
    elif type(parent[key]) is bool:
        parent[key] = not parent[key]
    else:
        _exchange(parent, key, path, other, rng)


def _exchange(parent, key, path, other, rng):
    """Two neighbours change places."""
    keys = list(range(len(parent))) if isinstance(parent, list) else list(parent)
    with_it = rng.choice(keys)
    parent[key], parent[with_it] = parent[with_it], parent[key]


def _drop(parent, key, path, other, rng):
    del parent[key]


def _double(parent, key, path, other, rng):
    """Once more, or in the place of a neighbour."""
    if isinstance(parent, list):
        parent[rng.randrange(len(parent))] = copy.deepcopy(parent[key])
    else:
        parent[f"{key}2"] = copy.deepcopy(parent[key])


def _borrow(parent, key, path, other, rng):
    """What another position has there."""
    try:
        parent[key] = copy.deepcopy(inside(other, path))
    except (KeyError, IndexError, TypeError):
        parent[key] = None
