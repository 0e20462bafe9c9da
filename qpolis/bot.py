"""The protocol of bots: `observe` and `choose`.

A bot is made once for every game with what it may know of it; before each of its decisions it is shown what its
seat sees, then it chooses. It never gets the state. Bots written in Python run in a process of their own
(`bots/host.py`), as programs in other languages do; kernels (`policy.py`) run inside the match loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from qpolis.errors import QpolisError, unknown

# Nothing heavy is imported here: the process of a plain Python bot starts in a moment.

Observation = dict[str, Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a bot: its default, what it may be, and a line of help.

    The default says what it is: a number, true or false, or a text; compiled bots have numbers only.
    """

    default: float | bool | str
    help: str = ""
    low: float = -1e9
    high: float = 1e9
    whole: bool = False

    def value(self, name: str, given: Any) -> Any:
        """The value for what was given, which may be a text from a command line."""
        if isinstance(self.default, bool):
            return self._truth(name, given)
        if isinstance(self.default, str):
            return str(given)
        try:
            number = float(given)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not self.low <= number <= self.high or (self.whole and not number.is_integer()):
            raise QpolisError(f"parameter {name}: {given!r} is not {self.range_text()}")
        return int(number) if self.whole else number

    def _truth(self, name: str, given: Any) -> bool:
        for value in (True, False):
            if given is value or given == value_text(value):
                return value
        raise QpolisError(f"parameter {name}: {given!r} is not {self.range_text()}")

    def range_text(self) -> str:
        """What a value may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return "a text"
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.low:.12g} to {self.high:.12g}"


def value_text(value: Any) -> str:
    """A parameter's value as one types it: the shortest text that means exactly this value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def declared(parameters: Mapping[str, Parameter | float | bool | str]) -> dict[str, Parameter]:
    """Declared parameters, where a plain value stands for its default: 3 is a whole number, 3.0 any number."""
    return {name: given if isinstance(given, Parameter) else Parameter(given, whole=type(given) is int)
            for name, given in parameters.items()}


def checked(bot: str, parameters: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all parameters of a bot: those given, checked, and the defaults of the others."""
    for name in given:
        if name not in parameters:
            raise unknown(f"parameter of {bot}", name, parameters)
    return {name: parameter.value(name, given.get(name, parameter.default))
            for name, parameter in parameters.items()}


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
