"""A game of the engine by texts, so that it can be played like a naive twin."""

from __future__ import annotations

import qpolis


class Engine:
    """A position of the engine: a start, with changes to its plain data."""

    def __init__(self, name, seed=1, changes=None, **options):
        self.game = qpolis.load_game(name, **options)
        self.state = self.game.new(seed)
        if changes:
            self.state = self.game.from_dict({**self.state.to_dict(), **changes})

    def legal(self):
        return {self.game.text(self.state, action) for action in self.state.legal()}

    def apply(self, text):
        self.state.apply(self.game.parse(self.state, text))

    def __getattr__(self, name):
        return getattr(self.state, name)
