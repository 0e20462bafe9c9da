"""Many games at once, played one after the other through the public face: the slow twin of `qpolis.vector`."""

from __future__ import annotations

import numpy as np

from qpolis.environments.rewards import rewards_of
from qpolis.rng import keys, seat_seed, stream

NAMES = ("observations", "masks", "rewards", "seats", "done", "movers", "scores", "ranks", "lengths")


class NaiveRow:
    """The games of one row, one after the other. `policies` play at the seats after the agent's."""

    def __init__(self, game, row, seed, policies=(), seat=None, rewards="places"):
        self.game, self.row, self.seed, self.policies, self.given = game, row, seed, policies, seat
        self.rewards = rewards
        self.episode = -1

    def begin(self):
        """Set up the next game in which the agent is asked."""
        self.episode += 1
        deal = self.episode * 2**32 + self.row
        self.state = self.game.new(self.seed, deal)
        self.length = 0
        self.points = np.array(self.state.scores())
        self.agent = (self.row + self.episode) % self.game.players if self.given is None else self.given
        streams = [stream(int(seat_seed(keys(self.seed), deal, seat))) for seat in range(self.game.players)]
        self.bots = {}
        for number, bot in enumerate(self.policies):
            seat = (self.agent + 1 + number) % self.game.players
            scratch = np.zeros(bot.policy.scratch(self.game, bot.params), np.uint8)
            self.bots[seat] = (bot, streams[seat], bot.params.copy(), scratch)
        self.reply()
        if self.state.over:
            self.begin()

    def reply(self):
        """Let the policies play until the agent is asked."""
        while not self.state.over and self.state.player in self.bots:
            seat = self.state.player
            bot, rng, params, scratch = self.bots[seat]
            known = self.state.concealed(seat).array
            self.state.apply(int(bot.policy.kernel(bot.rules(self.game, seat), known, rng, params, scratch)))
            self.length += 1

    def paid(self):
        """What each seat gets for the step that was just carried out."""
        if self.rewards == "points":
            before, self.points = self.points, np.array(self.state.scores())
            return self.points - before
        return rewards_of(self.state.ranks()) if self.state.over else [0] * self.game.players

    def shown(self, mover=-1, rewards=None, over=None):
        seat = self.state.player
        nothing = [0] * self.game.players
        return {
            "observations": self.state.encode(seat),
            "masks": self.state.mask(),
            "rewards": nothing if rewards is None else rewards,
            "seats": seat,
            "done": over is not None,
            "movers": mover,
            "scores": over[0] if over else nothing,
            "ranks": over[1] if over else nothing,
            "lengths": over[2] if over else 0,
        }

    def reset(self):
        self.begin()
        return self.shown()

    def step(self, action):
        mover = self.state.player
        self.state.apply(int(action))
        self.length += 1
        self.reply()
        rewards = self.paid()
        over = None
        if self.state.over:
            over = (self.state.scores(), self.state.ranks(), self.length)
            self.begin()
        return self.shown(mover, rewards, over)


class NaiveVector:
    """`qpolis.vector` as rows that know nothing of each other; what comes back is a dict of lists."""

    def __init__(self, game, n, seed, *given):
        self.rows = [NaiveRow(game, row, seed, *given) for row in range(n)]

    def reset(self):
        return self._together(row.reset() for row in self.rows)

    def step(self, actions):
        return self._together(row.step(action) for row, action in zip(self.rows, actions, strict=True))

    def _together(self, shown):
        rows = list(shown)
        return {name: np.array([row[name] for row in rows]) for name in NAMES}
