"""Many games at once for programs that learn: `vector(game, n)` steps them in compiled code, without Python in
between. The kernels are in `vector_loop.py`."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import psutil
from numba import types

from qpolis import verbs
from qpolis.engine.policy_loop import read_only
from qpolis.environments import vector_loop
from qpolis.environments.rewards import REWARD
from qpolis.environments.vector_loop import NOBODY, ROTATING, ROW, Opponents, Step, Work
from qpolis.errors import IllegalAction, QpolisError, unknown
from qpolis.game import Game, State, check_seed
from qpolis.games import load_game
from qpolis.kernel import JIT
from qpolis.policy import ConfiguredPolicy, compile_policy, policy_type
from qpolis.registry.spec import resolve
from qpolis.rng import SMALL, WORDS, chance_stream, keys, stream
from qpolis.space import OBSERVATION, Plane

MOST = vector_loop.EPISODE  # games
FEWEST = 32  # games that are worth a thread
REWARDS = PLACES, POINTS = ("places", "points")
OTHERS = verbs.MAX_SEATS - 1  # seats besides the agent's, at a full table

Opponent = str | ConfiguredPolicy


def vector(
    game: Game | str,
    n: int,
    *,
    seed: int | None = None,
    threads: int | None = None,
    opponents: Opponent | Sequence[Opponent] | None = None,
    seat: int | None = None,
    rewards: str = PLACES,
    **options: Any,
) -> VectorEnv:
    """`n` games at once, as arrays.

    `game` is a game or the name of one, with its options as keywords. The same `seed` gives the same games, with
    any number of `threads`; without one it is drawn. There is a thread for each core unless `threads` is given.

    Without `opponents` every decision is asked for, whichever seat it is of. With `opponents`, specs of bots that
    ship, only those of one seat are: the bots decide for the others inside the compiled code. Give one bot for all
    of them, or a list with one for each, in turn order after the agent. The agent's `seat` is another one in each
    game unless given: that of row i in its game number e is (i + e) % players.

    `rewards` are "places", paid when a game ends: 1 for the best, -1 for the last, equal steps between; or
    "points": those that a seat would have if the game ended now, and did not have before the step.

    >>> env = qpolis.vector("quadropolis", 1024, players=2, seed=1)
    >>> now = env.reset()
    >>> for _ in range(100):
    ...     now = env.step(env.sample())
    """
    chosen = load_game(game, **options) if isinstance(game, str) else game
    if options and chosen is game:
        raise QpolisError(f"options ({', '.join(options)}) go with the name of a game, and this one has its own")
    return VectorEnv(chosen, n, seed=seed, threads=threads, opponents=opponents, seat=seat, rewards=rewards)


class VectorEnv:
    """`n` games at once: what `qpolis.vector` gives.

    `reset` and `step` write into arrays of the environment, the same ones each time, and return them: copy what
    you keep. Or they write into arrays of yours (`buffers`).
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seed: int | None = None,
        threads: int | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        seat: int | None = None,
        rewards: str = PLACES,
    ) -> None:
        game.check_encodes()
        if rewards not in REWARDS:
            raise unknown("kind of rewards", rewards, REWARDS)
        self.rewards = rewards
        self.game = game
        self.n = _whole("games", n, MOST)
        self.threads = _threads(threads)
        self._start(secrets.randbelow(SMALL) if seed is None else check_seed(seed))
        self._out = self.buffers()
        self._kernel = _plain_step(game) if opponents is None else _step_against(self, opponents, seat)
        if opponents is None and seat is not None:
            raise QpolisError(f"seat {seat!r} goes with opponents: without them all seats are asked")
        self._choosers: dict[str, Callable[..., None]] = {}  # by the specs of bots
        parts = max(1, min(self.threads, self.n // FEWEST)) if JIT else 1
        bounds = [self.n * part // parts for part in range(parts + 1)]
        self._spans = list(itertools.pairwise(bounds))
        self._pool = ThreadPoolExecutor(parts - 1) if parts > 1 else None

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game!r}>"

    @property
    def players(self) -> int:
        """How many seats a game has."""
        return self.game.players

    @property
    def action_count(self) -> int:
        """Action ids are below it: the length of a mask."""
        return self.game.action_count

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.game.observation_size

    @property
    def planes(self) -> tuple[Plane, ...]:
        """What the numbers of an observation are: `qpolis.space.split` takes them apart."""
        return self.game.planes

    def buffers(self) -> Step:
        """New arrays that `reset` and `step` can write into."""
        table = (self.n, self.players)
        return Step(
            observations=np.zeros((self.n, self.observation_size), OBSERVATION),
            masks=np.zeros((self.n, self.action_count), np.bool_),
            rewards=np.zeros(table, REWARD),
            seats=np.zeros(self.n, np.int64),
            done=np.zeros(self.n, np.bool_),
            movers=np.full(self.n, NOBODY, np.int64),
            scores=np.zeros(table, np.int64),
            ranks=np.zeros(table, np.int64),
            lengths=np.zeros(self.n, np.int64),
        )

    def reset(self, seed: int | None = None, *, out: Step | None = None) -> Step:
        """Begin a game in every row: its first one, or its next one when called again; with `seed` the first one
        of that seed."""
        if seed is not None:
            self._start(check_seed(seed))
        return self._advance(np.zeros(0, np.int64), out)

    def step(self, actions: Any, *, out: Step | None = None) -> Step:
        """Carry out an action in each game. Where a game ends the next one begins at once: `Step` says which of
        its arrays are then about which game. An illegal action raises IllegalAction, and no game has changed."""
        self._check_begun()
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise QpolisError(
                f"actions are {self.n} whole numbers in an array of shape ({self.n},), "
                f"not an array of {chosen.dtype} of shape {chosen.shape}"
            )
        chosen = np.ascontiguousarray(chosen, np.int64)
        row = vector_loop.find_illegal(self._work.rows, self._work.legal, chosen)
        if row != NOBODY:
            seat = self._work.rows[row]["seat"]
            raise IllegalAction(f"row {row}: action {chosen[row]} of seat {seat} is not legal there")
        return self._advance(chosen, out)

    def sample(self) -> np.ndarray:
        """Legal actions, one for each game, all equally likely: int64 (n,)."""
        self._check_begun()
        actions = np.empty(self.n, np.int64)
        vector_loop.sample_rows(self._work.rows, self._work.legal, self._samples, actions)
        return actions

    def choices(self, bot: Opponent) -> np.ndarray:
        """What a bot that ships would do in each game, if it were asked there for the first time: int64 (n,)."""
        self._check_begun()
        actions = np.empty(self.n, np.int64)
        name = bot if isinstance(bot, str) else ""
        if not name or name not in self._choosers:
            self._choosers[name] = _chooser(self, _policy(bot))
        self._choosers[name](self._work, self._samples, actions)
        return actions

    def state(self, row: int) -> State:
        """A copy of the position in a row, to look at."""
        if row not in range(self.n):
            raise QpolisError(f"no row {row!r}: the rows are 0 to {self.n - 1}")
        return State(self.game, self._work.states[row : row + 1], self._work.chance[row]).copy()

    def _check_begun(self) -> None:
        if not self._begun:
            raise QpolisError("call `reset` first: no games have begun")

    def _start(self, seed: int) -> None:
        """Make all rows such that the next games are the first ones of a seed."""
        self.seed = seed
        self._samples = stream(seed, 0, verbs.MAX_SEATS + 1)  # those before are of the chance and of the seats
        self._begun = False
        self._work = Work(
            states=np.zeros(self.n, self.game.state_dtype),
            chance=np.zeros((self.n, len(chance_stream(keys(seed)))), np.uint64),
            streams=np.zeros((self.n, verbs.MAX_SEATS, WORDS), np.uint64),
            rows=np.zeros(self.n, ROW),
            legal=np.zeros((self.n, int(self.game.rules[0].actions)), verbs.ACTION),
            points=np.zeros((self.n if self.rewards == POINTS else 0, self.players), np.int64),
            key=keys(seed),
        )
        self._work.rows["episode"] = -1

    def _advance(self, actions: np.ndarray, out: Step | None) -> Step:
        """Call the kernel on all rows, a part of them in each thread."""
        into = self._out if out is None else self._checked(out)
        self._begun = False  # until all went well
        arguments = (self._work, actions, into)
        waiting = [self._pool.submit(self._kernel, *arguments, *span) for span in self._spans[1:] if self._pool]
        bad = [self._kernel(*arguments, *self._spans[0]), *(part.result() for part in waiting)]
        for row in bad:
            if row != NOBODY:
                action, length = self._work.rows[row]["illegal"], self._work.rows[row]["length"]
                raise QpolisError(f"row {row}: an opponent chose {action} after {length} decisions: not legal")
        self._begun = True
        return into

    def _checked(self, out: Step) -> Step:
        """Arrays that kernels can write into."""
        for name, mine, given in zip(Step._fields, self._out, out, strict=True):
            if given.shape != mine.shape or given.dtype != mine.dtype:
                raise QpolisError(
                    f"out.{name} is of {given.dtype} and shape {given.shape}, not {mine.dtype} and {mine.shape}"
                )
            if not (given.flags.c_contiguous and given.flags.writeable):
                raise QpolisError(f"out.{name} is read-only, or its numbers do not lie one after the other")
        return Step(*out)


def _whole(what: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise QpolisError(f"{value!r} {what}: give a whole number from 1 to {most}")
    return int(value)


def _threads(given: int | None) -> int:
    return len(os.sched_getaffinity(0)) if given is None else _whole("threads", given, 1024)


Kernel = Callable[..., int]  # of (work, actions, out, first, end)


def _plain_step(game: Game) -> Kernel:
    """The kernel for all seats."""
    return lambda *arguments: vector_loop.step_rows(game.rules, *arguments)  # type: ignore[no-any-return]


def _step_against(env: VectorEnv, given: Opponent | Sequence[Opponent], seat: int | None) -> Kernel:
    """The kernel for an agent at one seat, against policies at the others."""
    game = env.game
    if seat is not None and seat not in range(game.players):
        raise QpolisError(f"no seat {seat!r}: the seats are 0 to {game.players - 1}")
    several = [given] if isinstance(given, str | ConfiguredPolicy) else list(given)
    if len(several) not in (1, game.players - 1):
        raise QpolisError(f"{len(several)} opponents for {game.players - 1} seats: give one each, or one for all")
    bots = [_policy(each) for each in several]
    seated = (bots * OTHERS)[: game.players - 1]
    opponents = _opponents(env, seated, ROTATING if seat is None else int(seat))
    policies = tuple(compile_policy(each.policy, game) for each in (seated * OTHERS)[:OTHERS])
    rules = read_only(game.rules)
    if JIT:
        rest = (opponents, env._work, np.zeros(0, np.int64), env._out, 0, 0)
        everybody = types.UniTuple(policy_type(game), OTHERS)
        _compile(
            vector_loop.step_rows_against,
            types.int64(numba.typeof(rules), everybody, *map(numba.typeof, rest)),
        )
    return lambda *arguments: vector_loop.step_rows_against(  # type: ignore[no-any-return]
        rules, policies, opponents, *arguments
    )


def _policy(given: Opponent) -> ConfiguredPolicy:
    if isinstance(given, ConfiguredPolicy):
        return given
    entrant = resolve(given)
    if entrant.shipped is None:
        raise QpolisError(f"opponent {given!r}: it must be a bot that ships: others do not play in compiled code")
    return entrant.shipped


def _opponents(env: VectorEnv, bots: Sequence[ConfiguredPolicy], agent: int) -> Opponents:
    """What the policies get."""
    game, n = env.game, env.n
    sizes = [bot.policy.scratch(game, bot.params) for bot in bots]
    there = psutil.virtual_memory().available
    if n * sum(sizes) > there:
        raise QpolisError(
            f"the opponents need {n * sum(sizes) >> 20:,} MB to think in {n} games at once, and "
            f"{there >> 20:,} MB are free: take fewer games or fewer simulations"
        )
    empty = [np.zeros((n, 0), np.uint8)] * (OTHERS - len(bots))
    everywhere = (*bots, *[bots[0]] * len(empty))  # the loop is made for a full table
    seen = [np.concatenate([bot.rules(game, seat) for seat in range(game.players)]) for bot in everywhere]
    return Opponents(
        agent=agent,
        rules=tuple(map(read_only, seen)),
        given=tuple(bot.params for bot in everywhere),
        params=tuple(np.tile(bot.params, (n, 1)) for bot in everywhere),
        scratch=(*(np.zeros((n, size), np.uint8) for size in sizes), *empty),
    )


def _chooser(env: VectorEnv, bot: ConfiguredPolicy) -> Callable[..., None]:
    """The kernel that asks a policy in each row."""
    game = env.game
    policies = (compile_policy(bot.policy, game),)
    rules = read_only(np.concatenate([bot.rules(game, seat) for seat in range(game.players)]))
    given = (rules, bot.params, np.zeros(bot.policy.scratch(game, bot.params), np.uint8))
    if JIT:
        rest = (*given, env._work, env._samples, np.zeros(0, np.int64))
        _compile(
            vector_loop.choose_rows, types.void(types.UniTuple(policy_type(game), 1), *map(numba.typeof, rest))
        )
    return lambda *arguments: vector_loop.choose_rows(policies, *given, *arguments)  # type: ignore[no-any-return]


def _compile(kernel: Any, signature: Any) -> None:
    """Compile a kernel once for a game, for all policies."""
    if signature.args not in kernel.overloads:
        kernel.disable_compile(False)
        kernel.compile(signature)
        kernel.disable_compile()  # or numba would make a special version for each of them
