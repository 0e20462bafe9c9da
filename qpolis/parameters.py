"""One way to declare a value that people give, and to check it: parameters of bots, options of games, keys of
files.

What is given may be a text from a command line, a value of a TOML file or of JSON, or one from Python. A
declaration says the default, a line of help, and what a value may be; errors say the last in words.
docs/tournaments.md says why this is not a schema library.
"""

# Nothing heavy is imported here: the process of a plain Python bot starts in a moment.

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from qpolis.errors import QpolisError, unknown

UNREADABLE = (TypeError, ValueError, OverflowError)
LOWEST, HIGHEST = -1e9, 1e9  # numbers, if nothing is said


@dataclass(frozen=True)
class Parameter:
    """A parameter of a bot: its default, what it may be, and a line of help.

    The default says what it is: a number, true or false, or a text; compiled bots have numbers only. With
    `choices` it is one of them.
    """

    default: Any
    help: str = ""
    low: float = LOWEST
    high: float = HIGHEST
    whole: bool = False
    choices: tuple[Any, ...] = ()

    label: ClassVar[str] = "parameter "  # what it is called in errors

    def value(self, name: str, given: Any) -> Any:
        """The value for what was given."""
        try:
            return self.read(given)
        except UNREADABLE:
            raise QpolisError(f"{self.label}{name}: {self.shown(given)} is not {self.range_text()}") from None

    def takes(self, given: Any) -> bool:
        """Can this be a value?"""
        try:
            self.read(given)
        except UNREADABLE:
            return False
        return True

    def read(self, given: Any) -> Any:
        """The value, or an exception of UNREADABLE."""
        if self.choices:
            return self._choice(given)
        if isinstance(self.default, bool):
            return self._truth(given)
        if isinstance(self.default, str):
            return self._text(given)
        if isinstance(self.default, int | float):
            return self._number(given)
        return given  # whoever declared it looks at it

    def _choice(self, given: Any) -> Any:
        for choice in self.choices:
            if type(given) is type(choice) and given == choice:  # True is not 1
                return choice
            if isinstance(given, str) and given in (option_text(choice), value_text(choice)):
                return choice
        raise ValueError

    def _truth(self, given: Any) -> bool:
        for truth in (True, False):
            if given is truth or (isinstance(given, str) and given in (value_text(truth), option_text(truth))):
                return truth
        raise ValueError

    def _text(self, given: Any) -> str:
        return str(given)

    def _number(self, given: Any) -> float:
        number = given if type(given) is int else float(given)  # whole numbers of any size stay what they are
        if not self.low <= number <= self.high or (self.whole and int(number) != number):
            raise ValueError
        return int(number) if self.whole else float(number)

    def range_text(self) -> str:
        """What a value may be, in words."""
        if self.choices:
            return f"one of {', '.join(map(option_text, self.choices))}"
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return "a text"
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.low:.12g} to {self.high:.12g}"

    def shown(self, given: Any) -> str:
        """What was given, in errors."""
        return repr(given)


class Option(Parameter):
    """An option of a game. Of a text without choices the game finds out itself whether it can be used; a number
    whose default is whole is whole."""

    label = "option "

    def __init__(
        self,
        default: Any,
        help: str = "",
        choices: tuple[Any, ...] = (),
        low: float = LOWEST,
        high: float = HIGHEST,
    ) -> None:
        super().__init__(default, help, low, high, type(default) is int, tuple(choices))


def anything(value: Any) -> bool:
    return True


@dataclass(frozen=True)
class Key(Parameter):
    """A key of a file. Values there have types already, so that a text is never read as a number. A default that
    is a tuple declares a list, which is not empty; one that is a mapping declares a table."""

    unit: str = ""  # of a number
    words: str = ""  # what a value may be, where the rest does not say it
    items: Key | None = None  # of a list
    allows: Callable[[Any], bool] = anything  # a further condition on the value

    label = ""

    def read(self, given: Any) -> Any:
        if isinstance(self.default, tuple):
            value: Any = self._list(given)
        elif isinstance(self.default, Mapping):
            value = self._table(given)
        else:
            value = super().read(given)
        if not self.allows(value):
            raise ValueError
        return value

    def _list(self, given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list | tuple) or not given:
            raise TypeError
        items = [item.strip() if isinstance(item, str) else item for item in given]
        return tuple(self.items.read(item) if self.items else item for item in items)

    def _table(self, given: Any) -> Mapping[str, Any]:
        if not isinstance(given, Mapping):
            raise TypeError
        return given

    def _truth(self, given: Any) -> bool:
        if type(given) is not bool:
            raise TypeError
        return given

    def _text(self, given: Any) -> str:
        if not isinstance(given, str) or not given.isprintable():
            raise ValueError
        return given

    def _number(self, given: Any) -> float:
        if type(given) is not int and (self.whole or type(given) is not float):
            raise TypeError
        return super()._number(given)

    def range_text(self) -> str:
        text = self.words or super().range_text()
        return text.replace("number", f"number of {self.unit}", 1) if self.unit else text

    def shown(self, given: Any) -> str:
        """As the file has it, or nearly."""
        return json.dumps(given, default=str, ensure_ascii=False)


def value_text(value: Any) -> str:
    """A parameter's value as one types it: the shortest text that means exactly this value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def option_text(value: Any) -> str:
    """An option's value as one types it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Retired:
    """A parameter that was taken out: the value that is left, and why the others are not. With that value it may
    still be named, and means nothing."""

    value: Any
    why: str

    def error(self, what: str, name: str) -> QpolisError:
        return QpolisError(f"{what} {name!r} was taken out, it is always {option_text(self.value)}: {self.why}")


def in_use(what: str, retired: Mapping[str, Retired], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given without parameters that were taken out."""
    for name, old in retired.items():
        if name in given and not Option(old.value, choices=(old.value,)).takes(given[name]):
            raise old.error(what, name)
    return {name: value for name, value in given.items() if name not in retired}


def declared(parameters: Mapping[str, Parameter | float | bool | str]) -> dict[str, Parameter]:
    """Declared parameters, where a plain value stands for its default: 3 is a whole number, 3.0 any number."""
    return {
        name: given if isinstance(given, Parameter) else Parameter(given, whole=type(given) is int)
        for name, given in parameters.items()
    }


def checked(what: str, parameters: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all parameters: those given, checked, and the defaults of the others. `what` they are of, for
    errors: parameter of mcts."""
    for name in given:
        if name not in parameters:
            raise unknown(what, name, parameters)
    return {
        name: parameter.value(name, given.get(name, parameter.default)) for name, parameter in parameters.items()
    }
