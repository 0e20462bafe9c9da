"""Node counts for fixed seeds, and the benchmark's signature: they change only when behaviour changes."""

from __future__ import annotations

import pytest

import qpolis
from helpers.sizes import sized
from qpolis.conformance.bench import signature
from qpolis.conformance.perft import perft

# (options, seed, decisions before counting): counts for depth 1, 2, 3, ...
COUNTS = {
    "quadropolis": {
        ("mode=classic players=2", 1, 0): [80, 2320, 66158, 1643650],
        ("mode=classic players=2", 2, 40): [45, 626, 10009, 127018],
        ("mode=classic players=3", 3, 30): [39, 390, 6674, 75749],
        ("mode=classic players=4", 4, 20): [16, 141, 1771, 12327],
        ("mode=expert players=2", 5, 0): [100, 3456, 126352, 4399584],
        ("mode=expert players=2", 6, 60): [52, 1030, 18766, 199297],
        ("mode=expert players=3", 7, 50): [44, 717, 15499, 256988],
        ("mode=expert players=4", 8, 130): [3, 96, 1095, 16746],
    },
    "quadrilatere": {
        ("slide=on", 0, 0): [378, 139300],
        ("slide=on", 0, 60): [60, 11397, 670337],
        ("slide=on", 0, 90): [47, 163, 6382, 162686],
        ("slide=off", 0, 44): [2, 140, 5636, 178156],
        ("slide=off", 0, 46): [63, 1983, 31650, 604857],
    },
    "arkadia": {
        ("players=2", 1, 0): [5, 238, 1002, 2296, 12370, 501014],
        ("players=2", 2, 120): [111, 444, 1488, 66744, 293216],
        ("players=3 flip=on", 3, 60): [2, 11, 299, 984, 4326, 30395],
        ("players=4", 4, 200): [3, 12, 62, 320, 4276, 74019],
        ("players=2 setup=intro", 5, 0): [11, 332, 1382, 3464, 43264, 916470],
        ("players=4 setup=intro", 6, 130): [2, 24, 331, 1393, 3387, 21637],
    },
}
CASES = [(name, *case) for name, cases in COUNTS.items() for case in cases]


def play_some(name, options, seed, decisions):
    """The state after some decisions that are neither random nor all alike."""
    state = qpolis.load_game(name, **dict(option.split("=") for option in options.split())).new(seed)
    for i in range(decisions):
        legal = state.legal()
        state.apply(legal[7 * i % len(legal)])
    return state


@pytest.mark.core
@pytest.mark.parametrize("case", CASES, ids=str)
def test_node_counts(case):
    name, *where = case
    expected = [count for count in COUNTS[name][tuple(where)] if count <= sized(10**7, 150_000, 12_000)]
    state = play_some(*case)
    assert [perft(state, depth + 1) for depth in range(len(expected))] == expected


def test_counts_agree_with_the_public_face():
    state = qpolis.load_game("quadropolis", mode="expert", players=2).new(1)
    nodes = 0
    for first in state.legal():
        child = state.copy()
        child.apply(first)
        nodes += len(child.legal())
    assert perft(state, 2) == nodes


SIGNATURES = {
    "quadropolis": {200: "f934dbdc7fa8", 1: "ade351ebb445"},
    "arkadia": {200: "a74eaa401c96", 1: "1eb2c148a52b"},
    "quadrilatere": {200: "70ee8dc97d99", 1: "80391fe47b2a"},
}


@pytest.mark.core
@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    """If this changes, games of earlier versions cannot be replayed: say so in the changelog."""
    games = sized(200, 1, 1)
    assert signature(name, games) == SIGNATURES[name][games]
