"""Node counts for fixed seeds, and the benchmark's signature: they change only when behaviour changes."""

from __future__ import annotations

import pytest
from conftest import sized

import qpolis
from qpolis.bench import signature
from qpolis.conformance.perft import perft

# (mode, players, seed, decisions before counting): counts for depth 1, 2, 3, 4
COUNTS = {
    ("classic", 2, 1, 0): [80, 2320, 66158, 1643650],
    ("classic", 2, 2, 40): [45, 626, 10009, 127018],
    ("classic", 3, 3, 30): [39, 390, 6674, 75749],
    ("classic", 4, 4, 20): [16, 141, 1771, 12327],
    ("expert", 2, 5, 0): [100, 3456, 126352, 4399584],
    ("expert", 2, 6, 60): [52, 1030, 18766, 199297],
    ("expert", 3, 7, 50): [44, 717, 15499, 256988],
    ("expert", 4, 8, 130): [3, 96, 1095, 16746],
}


@pytest.mark.core
@pytest.mark.parametrize("case", COUNTS, ids=str)
def test_node_counts(case):
    mode, players, seed, before = case
    state = qpolis.load_game("quadropolis", mode=mode, players=players).new(seed)
    for i in range(before):
        legal = state.legal()
        state.apply(legal[7 * i % len(legal)])
    depths = sized(4, 3, 2)
    assert [perft(state, depth + 1) for depth in range(depths)] == COUNTS[case][:depths]


def test_counts_agree_with_the_public_face():
    state = qpolis.load_game("quadropolis", mode="expert", players=2).new(1)
    nodes = 0
    for first in state.legal():
        child = state.copy()
        child.apply(first)
        nodes += len(child.legal())
    assert perft(state, 2) == nodes


@pytest.mark.core
def test_signature():
    """If this changes, games of earlier versions cannot be replayed: say so in the changelog."""
    games = sized(200, 200, 1)
    assert signature("quadropolis", games) == {200: "f934dbdc7fa8", 1: "ade351ebb445"}[games]
