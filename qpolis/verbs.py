"""The verbs: what a game can do, as functions that kernels call without knowing the game.

A verb called inside a kernel is bound when the kernel is compiled: numba asks for the implementation that
fits the record type of the state. With the JIT off the same call looks the implementation up by the dtype.
A game gives its kernels to `register`: those of REQUIRED, and what else it does better or faster than the kernels
at the end of this file, which stand in for what it leaves out.

Every verb gets the game's constant `rules` record first and the `state` record second. Seats count from 0. Every
rules record has the fields `players` and `actions`, the most legal actions there can be at once.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.np import numpy_support

from qpolis.errors import QpolisError, unknown
from qpolis.kernel import JIT, depend_on, kernel
from qpolis.kernel_linking import calls_kernel
from qpolis.rng import below

ACTION = np.int32  # dtype of action ids in arrays
MAX_SEATS = 4  # of any game; with 4 an edge of a search tree is one line of the processor's cache (search/tree.py)
FOREVER = 1_000_000_000  # decisions; more than any game has
REQUIRED = ("set_up", "player", "legal", "apply", "scores")  # of every game
REQUIRED_IF_HIDDEN = ("determinize", "conceal")

_kernels: dict[str, dict[np.dtype, Any]] = {}
_arguments: dict[str, tuple[str, ...]] = {}  # of each verb
_fallbacks: dict[str, Any] = {}
_owners: dict[np.dtype, str] = {}  # the module that set up states of a dtype first


def register(state_dtype: np.dtype, **kernels: Any) -> None:
    """Bind a game's kernels to the verbs, for states of this dtype."""
    if "evaluate" in kernels:
        kernels.setdefault("lookahead", _zero)
        kernels.setdefault("horizon", _zero)
    for name, implementation in kernels.items():
        _check_kernel(name, implementation)
    if "set_up" in kernels:
        owner = kernels["set_up"].__module__
        if _owners.setdefault(state_dtype, owner) != owner:
            raise QpolisError(
                f"the module {_owners[state_dtype]} has a game whose states have the same fields "
                f"({', '.join(state_dtype.names or ())}), by which games are told apart: rename one"
            )
    for name, implementation in kernels.items():
        _kernels[name][state_dtype] = implementation
        depend_on(getattr(implementation, "py_func", implementation), state_dtype)


def _check_kernel(name: str, implementation: Any) -> None:
    """Refuse what cannot be the kernel of a verb."""
    if name not in _kernels:
        raise unknown("verb", name, _kernels)
    function = getattr(implementation, "py_func", implementation)
    if not inspect.isfunction(function) or (JIT and function is implementation):
        raise QpolisError(f"the verb `{name}` has no kernel but {implementation!r}: make it a @kernel")
    given = tuple(inspect.signature(function).parameters)
    if len(given) != len(_arguments[name]):
        raise QpolisError(
            f"the kernel for the verb `{name}` takes ({', '.join(given)}), not ({', '.join(_arguments[name])})"
        )


def registered(state_dtype: np.dtype) -> dict[str, Any]:
    """The kernels that were registered for states of this dtype, by verb."""
    return {name: by_dtype[state_dtype] for name, by_dtype in _kernels.items() if state_dtype in by_dtype}


def _find(name: str, dtype: np.dtype | None) -> Any:
    found = _kernels[name].get(dtype) if dtype is not None else None
    return found or _fallbacks.get(name)


def _dtype_of(record: Any) -> np.dtype | None:
    """The registered dtype whose record type this is."""
    for by_dtype in _kernels.values():
        for dtype in by_dtype:
            if isinstance(record, types.Record) and numpy_support.from_dtype(dtype) == record:
                return dtype
    return None


@functools.cache
def _as_kernel(implementation: Any) -> Any:
    """A game may register plain functions, which kernels cannot call as they are."""
    return kernel(implementation) if isinstance(implementation, FunctionType) else implementation


def _verb(declaration: Callable[..., Any]) -> Callable[..., Any]:
    """Make a verb of a declaration: its name, arguments and docstring; the body is never used."""
    name = declaration.__name__
    _kernels[name] = {}
    _arguments[name] = tuple(inspect.signature(declaration).parameters)

    def call(rules: Any, state: Any, *args: Any) -> Any:
        return _find(name, state.dtype)(rules, state, *args)

    call.__name__, call.__doc__ = name, declaration.__doc__

    calls_kernel(call, lambda rules, state, *args: _as_kernel(_find(name, _dtype_of(state))))
    return call


@_verb
def set_up(rules, state, rng):
    """Fill `state` with the start of a game; `rng` is the stream of the game's chance."""


@_verb
def player(rules, state):
    """The seat to decide, -1 when the game is over."""


@_verb
def legal(rules, state, out):
    """Write the legal actions into `out`, ascending, and return how many there are (0 when over)."""


@_verb
def is_legal(rules, state, action):
    """Is this one of the legal actions?"""


@_verb
def pick(rules, state, rng):
    """A legal action, all equally likely: the below(rng, count)-th one of `legal`, exactly."""


@_verb
def apply(rules, state, action, rng):
    """Carry out a legal action; `rng` is the stream from which chance is drawn."""


@_verb
def scores(rules, state, points, keys):
    """Write what each seat scored, and a number that orders the seats by the rules (equal = shared place)."""


@_verb
def determinize(rules, state, seat, rng):
    """Redraw everything `seat` cannot know. What it observes stays the same."""


@_verb
def conceal(rules, state, seat):
    """Blank everything in `state` that `seat` cannot know: what a policy is given."""


@_verb
def evaluate(rules, state, values):
    """Write for each seat the points it can expect to end with, from what is on the table."""


@_verb
def lookahead(rules, state):
    """How many decisions a playout plays before it evaluates. FOREVER without an evaluation: then only the end
    tells more than today's points."""


@_verb
def horizon(rules, state):
    """How many random events a simulation goes beyond: FOREVER where they matter little, or without an evaluation;
    0 where an evaluation stands for all that can come better than the one course a simulation draws."""


@_verb
def rate(rules, state, spare, actions, values, rng):
    """Write the legal actions, ascending, and for each the mover's evaluation after it, or after the best next
    step if the mover goes on. Returns how many there are. `spare` is an array of two states to work in."""


@_verb
def suggest(rules, state, rng):
    """A sensible action by rules of thumb, found fast: what a playout plays."""


@_verb
def encode(rules, state, seat, out):
    """Write what `seat` may know, as it looks from there, into `out`: the numbers of the game's `planes`, one
    plane after the other. Nothing that the seat cannot know may change them, and none is left out."""


@_verb
def sketch(rules, state, seat, values, out):
    """Write what a learned evaluation looks at, from where `seat` sits: the game's `sketch_size` numbers into
    `out`, with nothing among them that the seat cannot know, and into `values` what `evaluate` says."""


@_verb
def touches(rules, state, action, out):
    """Write what a legal action has to do with, such as a square or a kind of tile, as numbers below the game's
    `touch_count`; returns how many there are, 8 at most. What is learned of one holds for all actions with it."""


@_verb
def account(rules, state, seat, out):
    """Write the points of a seat by category, if the game ended now; the last entry are the penalties, so that all
    add up to its score. `out` has an entry more than the game has `categories`."""


@_verb
def takes(rules, state, action):
    """The item that a legal action takes from the supply, or -1."""


@_verb
def builds(rules, state, action):
    """The category, as an index of `categories`, of what a legal action builds, or -1."""


@_verb
def stage(rules, state):
    """The part of the game (round) that is played, from 0; the last one when the game is over."""


# -- what holds for every game -----------------------------------------------------------------------------


@kernel
def _pick(rules, state, rng):
    actions = np.empty(rules.actions, ACTION)
    return np.int64(actions[below(rng, legal(rules, state, actions))])


@kernel
def _is_legal(rules, state, action):
    actions = np.empty(rules.actions, ACTION)
    found = False
    for i in range(legal(rules, state, actions)):
        found |= actions[i] == action
    return found


@kernel
def _determinize(rules, state, seat, rng):
    """A state of a game without hidden information holds nothing to redraw."""


@kernel
def _conceal(rules, state, seat):
    """A state of a game without hidden information holds nothing to blank."""


@kernel
def _zero(rules, state):
    return np.int64(0)


@kernel
def _forever(rules, state):
    return np.int64(FOREVER)


@kernel
def _evaluate(rules, state, values):
    """What everybody has now."""
    points = np.empty(rules.players, np.int64)
    keys = np.empty(rules.players, np.int64)
    scores(rules, state, points, keys)
    for seat in range(rules.players):
        values[seat] = points[seat]


@kernel
def _rate(rules, state, spare, actions, values, rng):
    following = np.empty(rules.actions, ACTION)
    expected = np.empty(rules.players)
    seat = player(rules, state)
    count = legal(rules, state, actions)
    for i in range(count):
        spare[0] = state
        apply(rules, spare[0], np.int64(actions[i]), rng)
        steps = legal(rules, spare[0], following) if player(rules, spare[0]) == seat else 0
        values[i] = -np.inf
        for j in range(max(steps, 1)):
            spare[1] = spare[0]
            if steps:
                apply(rules, spare[1], np.int64(following[j]), rng)
            evaluate(rules, spare[1], expected)
            values[i] = max(values[i], expected[seat])
    return count


@kernel
def _suggest(rules, state, rng):
    return pick(rules, state, rng)


@kernel
def _encode(rules, state, seat, out):
    """A game that programs cannot see shows them nothing; `Game.check_encodes` refuses it."""
    out[:] = 0


@kernel
def _sketch(rules, state, seat, values, out):
    evaluate(rules, state, values)
    encode(rules, state, seat, out)


@kernel
def _touches(rules, state, action, out):
    out[0] = action
    return np.int64(1)


@kernel
def _account(rules, state, seat, out):
    """All points are of one category."""
    points = np.empty(rules.players, np.int64)
    keys = np.empty(rules.players, np.int64)
    scores(rules, state, points, keys)
    out[:] = 0
    out[0] = points[seat]


@kernel
def _nothing(rules, state, action):
    return np.int64(-1)


@kernel
def _stage(rules, state):
    return np.int64(0)


_fallbacks.update(
    is_legal=_is_legal,
    pick=_pick,
    determinize=_determinize,
    conceal=_conceal,
    evaluate=_evaluate,
    lookahead=_forever,
    horizon=_forever,
    rate=_rate,
    suggest=_suggest,
    encode=_encode,
    sketch=_sketch,
    touches=_touches,
    account=_account,
    takes=_nothing,
    builds=_nothing,
    stage=_stage,
)


@kernel
def ranks(keys, out):
    """Places from keys: 0 is best, equal keys share the better place."""
    for seat in range(keys.shape[0]):
        better = 0
        for other in range(keys.shape[0]):
            better += keys[other] > keys[seat]
        out[seat] = better
