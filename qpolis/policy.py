"""Policies: the compiled form of bots.

A policy is a kernel of one fixed signature, so that one compiled match loop runs any of them:

    policy(rules, states, rng, params, scratch) -> action

`rules` and `states` are arrays of one record; the state is a copy, made anew for every decision, without what the
seat cannot know. `rng` is the bot's own stream, `params` its parameters in the order they were declared, `scratch`
bytes to use freely, all zero when a game starts.

One that may take long can be told to stop, when nobody waits for its answer any more. It says `stoppable=True`,
leaves the first 8 bytes of its scratch alone, asks `stopped(scratch)` between two steps, as often as it can afford
to, and when that is true returns any action at once:

    from qpolis.stop_mark import stopped

    @policy(scratch=1 << 20, stoppable=True)
    def deep(rules, states, rng, params, scratch):
        while better and not stopped(scratch): ...
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.np import numpy_support

from qpolis.errors import QpolisError, unknown
from qpolis.kernel import JIT, kernel
from qpolis.models.finder import AUTO, find_model
from qpolis.models.model_file import Model
from qpolis.parameters import Parameter, checked, declared

if TYPE_CHECKING:
    from qpolis.game import Game

Compiled = Callable[..., int]


@dataclass(frozen=True)
class Habits:
    """How a player differs from one who only wants to win: categories that it shuns, and categories that it seeks.
    Any shipped policy can have them, because it sees rules in which they hold for its own seat."""

    forbid: tuple[str, ...] = ()
    favor: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.forbid or self.favor)

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> Habits:
        """From texts such as harbor+park. Their order does not matter."""
        return cls(**{key: tuple(sorted(set(text.split("+")))) for key, text in given.items()})

    def texts(self) -> dict[str, str]:
        """The inverse of `parse`."""
        return {key: "+".join(names) for key, names in vars(self).items() if names}

    def check(self, game: Game) -> None:
        """Refuse categories that the game has not."""
        for key, names in vars(self).items():
            if names and not game.categories:
                raise QpolisError(f"{key}: {game.name} has no {game.category_noun[1]} to choose from")
            for name in names:
                if name not in game.categories:
                    raise unknown(f"{game.category_noun[0]} to {key} in {game.name}", name, game.categories)


Thoughts = Callable[["Game", np.ndarray, np.ndarray], "list[Thought]"]  # of a game, parameters and scratch
HABITS = tuple(one.name for one in fields(Habits))


@dataclass(frozen=True)
class Thought:
    """What a policy thought of an action when it chose: for people who look over its shoulder."""

    action: int
    visits: int  # simulations that began with it
    value: float  # the share of a win they promise
    prior: float  # how promising it looked before any simulation; all of them add up to 1


@dataclass(frozen=True)
class Policy:
    """A kernel that plays, with its parameters and the bytes of scratch it needs. `thoughts` reads out of that
    scratch what it thought in its last decision, if it can be asked."""

    kernel: Any
    parameters: Mapping[str, Parameter]
    scratch: Callable[[Game, np.ndarray], int]
    thoughts: Thoughts | None = None
    learns: bool = False  # does it play with a model, if there is one?
    stoppable: bool = False  # does it look at the mark in its scratch (`stop_mark.py`)?
    behaviour: int = 1  # raised with every change of its choices: runs from before do not go on with it

    @property
    def name(self) -> str:
        return self.kernel.__name__  # type: ignore[no-any-return]

    @property
    def help(self) -> str:
        return (self.kernel.__doc__ or "").strip().split("\n")[0]

    def params(self, given: Mapping[str, Any]) -> np.ndarray:
        """The parameters as the kernel gets them."""
        return np.array(list(checked(f"parameter of {self.name}", self.parameters, given).values()), np.float64)

    def configure(self, model: str = AUTO, **given: Any) -> ConfiguredPolicy:
        """The policy with these parameters."""
        return ConfiguredPolicy(self, self.params(given), model=model)


@dataclass(frozen=True)
class ConfiguredPolicy:
    """A policy with its parameters, habits and model, ready to play at any seat."""

    policy: Policy
    params: np.ndarray
    habits: Habits = Habits()
    model: str = AUTO  # a name, a file, or one of the words of `models/finder.py`
    _found: dict[Any, Model | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def rules(self, game: Game, seat: int) -> np.ndarray:
        """The rules as the policy sees them at a seat, and behind them what it has learned."""
        self.habits.check(game)
        rules = game.rules_with_habits(seat, self.habits) if self.habits else game.rules
        model = self.find_model(game)
        return with_numbers(rules, model.numbers()) if model else rules

    def check(self, game: Game) -> None:
        """Refuse habits and a model that do not go with a game."""
        self.habits.check(game)
        self.find_model(game)

    def find_model(self, game: Game) -> Model | None:
        """The model it plays this game with: the same one from its first game on, whatever becomes of the file."""
        if not self.policy.learns:
            return None
        played = (game.name, *game.settings.items())
        if played not in self._found:
            self._found[played] = find_model(self.model, game)
        return self._found[played]


def with_numbers(rules: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """An array of rules with numbers behind the record: so many records that they have room."""
    records = -(-numbers.nbytes // rules.itemsize)
    longer = np.zeros(1 + records, rules.dtype)
    longer[:1] = rules
    longer[1:].view(np.uint8)[: numbers.nbytes] = numbers.view(np.uint8)
    longer.flags.writeable = False
    return longer


def policy(
    scratch: int | Callable[[Game, np.ndarray], int] = 0,
    thoughts: Thoughts | None = None,
    behaviour: int = 1,
    stoppable: bool = False,
    learns: bool = False,
    **parameters: Parameter | float,
) -> Any:
    """Make a policy of a function: `@policy(boldness=0.5)`. `scratch` is a number of bytes, or a function of the
    game and the parameters that gives it; `thoughts` reads the last decision out of them; `behaviour` is the
    version of what it chooses; `stoppable` says that it looks whether it is to stop, `learns` that it plays with a
    model."""
    takes = declared(parameters)
    texts = [name for name, parameter in takes.items() if isinstance(parameter.default, str)]
    if texts:
        raise TypeError(f"parameter {texts[0]}: a policy's parameters are numbers")
    size = scratch if callable(scratch) else lambda game, params: scratch

    def make(function: Callable[..., Any]) -> Policy:
        return Policy(kernel(function), takes, size, thoughts, learns, stoppable, behaviour)

    return make


def policy_type(game: Game) -> types.FunctionType:
    """The first-class function type of all policies for a game."""
    return _policy_type(game.rules.dtype, game.state_dtype)


@functools.cache  # a tournament asks for it for every lineup
def _policy_type(rules_dtype: np.dtype, state_dtype: np.dtype) -> types.FunctionType:
    rules = types.Array(numpy_support.from_dtype(rules_dtype), 1, "C", readonly=True)
    states = types.Array(numpy_support.from_dtype(state_dtype), 1, "C")
    return types.FunctionType(types.int64(rules, states, types.uint64[::1], types.float64[::1], types.uint8[::1]))


def compile_policy(policy: Policy, game: Game) -> Compiled:
    """The policy's kernel, compiled for a game's states (or loaded from the cache)."""
    if JIT:
        try:
            policy.kernel.compile(policy_type(game).signature)
        except KeyError as error:  # numba's only word about a field that is not there
            raise QpolisError(f"policy {policy.name}: no record of {game.name} has a field {error}") from None
    return policy.kernel  # type: ignore[no-any-return]
