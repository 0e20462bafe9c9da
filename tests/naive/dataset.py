"""Exported decisions as one would write them down: every game played again with `State`, a decision at a time.
Knows nothing of parts, arrays, chunks, or their order."""

from __future__ import annotations

from qpolis.engine.results import ENDS
from qpolis.tourney.records import find_game
from qpolis.tourney.run import read_chunks, saved_plan


def reward(ranks, seat):
    """The mean of what the places pay that equals share."""
    players, equal = len(ranks), ranks.count(ranks[seat])
    pays = [1 - 2 * place / (players - 1) for place in range(players)]
    return sum(pays[ranks[seat] : ranks[seat] + equal]) / equal


def decisions(folder, numbers):
    """A row for each decision of these games."""
    plan = saved_plan(folder)
    game = plan.load_game()
    for number in numbers:
        played = find_game(plan, read_chunks(folder, moves=True), number)
        state = played.begin(game)
        for decision, action in enumerate(played.actions):
            seat = state.player
            row = {
                "game": number,
                "deal": played.deal,
                "seat": seat,
                "bot": played.bots[seat],
                "decision": decision,
                "observation": state.encode(seat).tolist() if game.planes else None,
                "legal": state.legal(),
                "action": action,
                "text": game.text(state, action),
                "score": played.points[seat],
                "rank": played.ranks[seat],
                "reward": reward(played.ranks, seat),
                "end": ENDS[played.ends[seat]],
            }
            yield {name: value for name, value in row.items() if value is not None}
            state.apply(action)
