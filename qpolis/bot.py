"""The protocol of bots: `observe` and `choose`.

A bot is made once for every game with what it may know of it; before each of its decisions it is shown what its
seat sees, then it chooses. It never gets the state. Bots written in Python run in a process of their own
(`bots/host.py`), as programs in other languages do; kernels (`policy.py`) run inside the match loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from qpolis.parameters import Parameter, value_text

# Nothing heavy is imported here: the process of a plain Python bot starts in a moment.

__all__ = ["Bot", "GameInfo", "Observation", "Parameter", "value_text"]

Observation = dict[str, Any]


@dataclass(frozen=True)
class GameInfo:
    """What a bot is told of the game it plays. `options` are all of the game's options, such as mode and mix."""

    name: str
    title: str
    players: int
    options: Mapping[str, Any]
    texts: dict[int, str] = field(default_factory=dict, repr=False)  # of the actions met so far

    def text(self, action: int) -> str:
        """The notation of a legal action, such as 3@N2."""
        return self.texts[action]


class Bot:
    """A bot in plain Python. Deriving from this class is convenient, not required.

    A bot that takes parameters declares them: `PARAMETERS = {"courage": Parameter(0.5, "how bold it is", 0, 1)}`,
    or just `{"courage": 0.5}`. Its `parameters` then has a checked value for each.
    """

    PARAMETERS: ClassVar[Mapping[str, Parameter | float | bool | str]] = {}

    def __init__(self, info: GameInfo, seat: int, seed: int, parameters: Mapping[str, Any]) -> None:
        self.info = info
        self.seat = seat
        self.seed = seed
        self.parameters = parameters

    def observe(self, observation: Observation) -> None:
        """What this seat sees now: called before every choice, and at the end of the game."""

    def choose(self, legal: list[int]) -> int:
        """One of the legal actions."""
        raise NotImplementedError
