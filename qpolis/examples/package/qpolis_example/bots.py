"""neighbour: a bot in plain Python that builds beside its own houses."""

import random

from qpolis import Bot, Parameter


class Neighbour(Bot):
    """Builds beside its own houses in Terrace; plays other games at random."""

    PARAMETERS = {"spite": Parameter(0.5, "what it is worth to take a lot beside a house of somebody else", 0, 1)}

    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        self.random = random.Random(seed)

    def observe(self, observation):
        self.lots = observation.get("lots") if self.info.name == "terrace" else None

    def choose(self, legal):
        if self.lots is None:
            return self.random.choice(legal)
        values = {action: self.value(action) for action in legal}
        return self.random.choice([action for action in legal if values[action] == max(values.values())])

    def value(self, lot):
        """What a lot is worth: in Terrace an action is the number of a lot."""
        beside = [self.lots[i] for i in (lot - 1, lot + 1) if 0 <= i < len(self.lots)]
        others = sum(owner not in (None, self.seat) for owner in beside)
        return beside.count(self.seat) + self.parameters["spite"] * others
