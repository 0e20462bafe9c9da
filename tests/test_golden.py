"""Games of earlier versions replay exactly."""

from __future__ import annotations

import pytest

from write_golden import GAMES, path_of, playthrough


@pytest.mark.core
@pytest.mark.parametrize(("name", "options", "seed"), GAMES, ids=[path_of(*game[:2]).stem for game in GAMES])
def test_replay(name, options, seed):
    written = path_of(name, options).read_text().splitlines()

    def choose(line, state):
        return state.game.parse(state, written[line].split()[-1])

    assert playthrough(name, options, seed, choose) == written
