"""Games of bots whose names would like to be scripts."""

from __future__ import annotations

from qpolis.tourney.records import GameRecord

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u2028 --> ]]> ${1} \u202e"


def played_out(game, seed=1):
    state = game.new(seed)
    actions = []
    while not state.over:
        actions.append(state.legal()[-1])
        state.apply(actions[-1])
    seats = game.players
    return GameRecord(seed, 0, [HOSTILE] * seats, actions, state.scores(), state.ranks(), [0] * seats, {})
