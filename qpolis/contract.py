"""The contract of games: what a game must have, checked as soon as it is there, with one line for what is missing.

`check_class` looks at what a game declares and which verbs it has kernels for, `check_built` at what its `build`
has set. `docs/write-a-game.md` tells the same to people.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from qpolis import verbs
from qpolis.errors import QpolisError
from qpolis.space import Plane

if TYPE_CHECKING:
    from qpolis.game import Game

FEWEST_SEATS = 2
TRAITS: dict[str, tuple[type, str]] = {
    "name": (str, 'a text such as "my_game"'),
    "title": (str, 'a text such as "My Game"'),
    "options": (Mapping, "a mapping of names to Option, which may be empty"),
    "chance": (bool, "True if anything is drawn at random, or False"),
    "hidden": (bool, "True if a seat knows what another does not, or False"),
    "state_dtype": (np.dtype, "the dtype of its states, made by qpolis.kernel.record"),
}
RULES_FIELDS = {"players": "the number of seats", "actions": "the most legal actions there can be at once"}


@functools.cache  # a game is made for every variant, and for every bot
def check_class(game: type[Game]) -> None:
    """Refuse a class of games that lacks something it must have."""
    who = name_of(game)
    for trait, (kind, wanted) in TRAITS.items():
        if not isinstance(getattr(game, trait, None), kind):
            problem = f"is {getattr(game, trait)!r}, not" if hasattr(game, trait) else "is missing:"
            raise QpolisError(f"{who}: `{trait}` of class {game.__name__} {problem} {wanted}")
    if not game.name.isidentifier():
        raise QpolisError(f"{who}: {game.name!r} is not a name: use letters, digits and _, as in my_game")
    if methods := sorted(getattr(game, "__abstractmethods__", ())):
        raise QpolisError(f"{who}: class {game.__name__} has no method {', '.join(methods)}")
    _check_options(who, game.options)
    for key in game.retired:
        if key in game.options:
            raise QpolisError(f"{who}: option {key} is said to be taken out (`retired`), and is there")
    if game.state_dtype.names is None or game.state_dtype.type is not np.record:
        raise QpolisError(f"{who}: its state_dtype is no record: make it with qpolis.kernel.record")
    _check_verbs(who, game)
    _check_fields(who, game.state_dtype, "state", game.state_dtype)


def name_of(game: type[Game]) -> str:
    """What to call a game in errors."""
    name = getattr(game, "name", "")
    return f"game {name if isinstance(name, str) and name else game.__name__}"


def _check_options(who: str, options: Mapping[str, Any]) -> None:
    for key, option in options.items():
        if not isinstance(key, str) or not key.isidentifier():
            raise QpolisError(f"{who}: option {key!r}: its name is not one word of letters, digits and _")
        if not all(hasattr(option, part) for part in ("default", "help", "choices", "value")):
            raise QpolisError(f"{who}: option {key}: is {option!r}, not an Option")
        try:
            option.value(key, option.default)
        except QpolisError as error:
            raise QpolisError(f"{who}: the default of {error}") from None


def _check_verbs(who: str, game: type[Game]) -> None:
    wanted = verbs.REQUIRED + (verbs.REQUIRED_IF_HIDDEN if game.hidden else ())
    for verb in wanted:
        if verb not in verbs.registered(game.state_dtype):
            why = ", which a game with hidden information needs" if verb in verbs.REQUIRED_IF_HIDDEN else ""
            raise QpolisError(
                f"{who}: no kernel for the verb `{verb}`{why}: verbs.register(state_dtype, {verb}=...)"
            )


def check_built(game: Game) -> None:
    """Refuse a game whose `build` left something out, or that has more seats than there can be."""
    who = name_of(type(game))
    rules = getattr(game, "rules", None)
    if not isinstance(rules, np.ndarray) or rules.shape != (1,) or rules.dtype.type is not np.record:
        raise QpolisError(
            f"{who}: `build` must set `rules`: an array of one record, np.zeros(1, RULES), with "
            "RULES made by qpolis.kernel.record"
        )
    for field, meaning in RULES_FIELDS.items():
        if field not in (rules.dtype.names or ()) or rules.dtype[field].kind not in "iu":
            raise QpolisError(
                f"{who}: its rules record has no whole number `{field}`, {meaning}: "
                f'record([("{field}", "i8"), ...])'
            )
    seats = getattr(game, "players", None)
    if not isinstance(seats, int | np.integer):
        raise QpolisError(f"{who}: `build` must set `players`, the number of seats")
    if not FEWEST_SEATS <= seats <= verbs.MAX_SEATS:
        raise QpolisError(f"{who}: {seats} seats: games have {FEWEST_SEATS} to {verbs.MAX_SEATS}")
    record = rules[0]
    if record.players != seats:
        raise QpolisError(f"{who}: `players` is {seats}, and the field of its rules record is {record.players}")
    if record.actions < 1:
        raise QpolisError(
            f"{who}: `actions` of its rules record is {record.actions}: it is {RULES_FIELDS['actions']}, 1 or more"
        )
    _check_space(who, game)
    _check_fields(who, game.state_dtype, "rules", rules.dtype)


def _check_space(who: str, game: Game) -> None:
    """A game that can be learned has three things; without any, it can be played all the same."""
    count, planes = game.action_count, game.planes
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 0:
        raise QpolisError(f"{who}: `action_count` is {count!r}, not a number that all action ids are below")
    if not isinstance(planes, tuple) or not all(isinstance(plane, Plane) for plane in planes):
        raise QpolisError(f"{who}: `planes` is no tuple of Plane")
    most = game.most_decisions
    if not isinstance(most, int | np.integer) or isinstance(most, bool) or most < 0:
        raise QpolisError(
            f"{who}: `most_decisions` is {most!r}, not a number that no game has more decisions than"
        )
    names = [plane.name for plane in planes]
    if twice := [name for name in names if names.count(name) > 1]:
        raise QpolisError(f"{who}: two of its planes are called {twice[0]}")
    if planes and not count:
        raise QpolisError(f"{who}: `build` set `planes`, and no `action_count`: all action ids are below it")
    encodes = "encode" in verbs.registered(game.state_dtype)
    if encodes != bool(planes):
        problem = "has the verb `encode`, and no `planes`" if encodes else "has `planes`, and no verb `encode`"
        raise QpolisError(f"{who}: {problem}, which say what it writes (docs/write-a-game.md)")


# -- fields that kernels use -------------------------------------------------------------------------------


@functools.cache
def _check_fields(who: str, state_dtype: np.dtype, argument: str, dtype: np.dtype) -> None:
    """Refuse kernels of verbs that use a field which their record has not: numba would say so late, and with no
    more than the name of the field. Kernels that these call are not looked at."""
    for verb, implementation in verbs.registered(state_dtype).items():
        function = getattr(implementation, "py_func", implementation)
        for field, place in _fields_used(function, ("rules", "state").index(argument)):
            if field not in (dtype.names or ()) and not hasattr(np.record, field):
                raise QpolisError(
                    f"{who}: the kernel for the verb `{verb}` uses {argument}.{field} ({place}), "
                    f"which the {argument} record has not ({', '.join(dtype.names or ())})"
                )


def _fields_used(function: Callable[..., Any], position: int) -> Iterator[tuple[str, str]]:
    """The attributes of an argument that a function uses, and where, as its source says."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return
    argument = list(inspect.signature(function).parameters)[position]
    nodes = list(ast.walk(tree))
    if any(
        isinstance(node, ast.Name) and node.id == argument and not isinstance(node.ctx, ast.Load) for node in nodes
    ):
        return  # it is something else from then on
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == argument:
            name = os.path.basename(function.__code__.co_filename)
            yield node.attr, f"{name}, line {first + node.lineno - 1}"
