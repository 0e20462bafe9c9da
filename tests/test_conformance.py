"""What must hold in every position of every game, with all its options."""

from __future__ import annotations

import pytest

from helpers.sizes import lengthened, sized
from qpolis.conformance.bench import label, variants
from qpolis.conformance.games import check_copy, check_hidden, check_position, check_seeds, random_positions
from qpolis.games import names

GAMES = [game for name in names() for game in variants(name)]
pytestmark = [
    pytest.mark.core,
    pytest.mark.long,
    pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}: {label(game)}"),
]


@pytest.mark.parametrize(("sensible", "games"), [(0, sized(lengthened(1), 1, 1)), (0.7, 1)])
def test_every_position_conforms(game, sensible, games):
    """Random players do not get everywhere, so others play by rules of thumb most of the time. Where there is much
    to choose, a check takes long, and not every position is looked at."""
    step = max(1, int(game.rules[0].actions) // 40) * sized(1, 2, 8)
    for seed in range(games):
        for i, state in enumerate(random_positions(game, seed, sensible)):
            if (i + seed) % step == 0 or state.over:
                check_position(state)


def test_copies_and_seeds(game):
    check_seeds(game, range(sized(20, 5, 3)))
    check_hidden(game, range(3))
    for i, state in enumerate(random_positions(game, 5)):
        if i % 40 == 0:
            check_copy(state, i)
