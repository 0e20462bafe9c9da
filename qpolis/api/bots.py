"""A bot that is asked what it would do: `qpolis.bot("mcts").choose(state)`."""

from __future__ import annotations

import abc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from qpolis.api.debugging import refuse_classes
from qpolis.engine.policy_loop import ILLEGAL_CHOICE
from qpolis.engine.results import ENDS, STOPPED
from qpolis.errors import QpolisError
from qpolis.game import Game, State, check_seed
from qpolis.policy import ConfiguredPolicy, Thought, compile_policy
from qpolis.registry.local import LocalBot, local_entrant
from qpolis.registry.spec import resolve
from qpolis.report.content.bot_output import Output
from qpolis.rng import keys, seat_seed, stream
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Forfeit, Limits, ProcessBot, Program
from qpolis.tourney.local_seat import asked


class LoadedBot(abc.ABC):
    """A bot to be asked, by `qpolis.bot`. Every question is a game of its own to it: it knows the position as its
    seat may see it, and nothing of questions before. `thoughts` is what it thought in the last one, if it can be
    asked (`mcts` can): for each action the simulations that began with it, and the share of a win they promise.
    With the same seed it gives the same answers to the same questions, in the same order.

    >>> game = qpolis.load_game("quadropolis")
    >>> state = game.new(seed=3)
    >>> with qpolis.bot("mcts:sims=100", seed=1) as bot:
    ...     action = bot.choose(state)
    ...     best = max(bot.thoughts, key=lambda one: one.visits)
    >>> action in state.legal(), best.action == action
    (True, True)
    """

    def __init__(self, spec: str, seed: int) -> None:
        self.spec = spec
        self.thoughts: list[Thought] = []  # of its last choice, if it can be asked: mcts can
        self._keys = keys(check_seed(seed))
        self._questions = 0

    def __repr__(self) -> str:
        return f"qpolis.bot({self.spec!r})"

    def __enter__(self) -> LoadedBot:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def choose(self, state: State) -> int:
        """The action that the bot chooses for the seat whose turn it is. The state stays as it is."""
        seat = state.player
        if seat is None:
            raise QpolisError("the game is over: there is nothing to choose")
        seed = int(seat_seed(self._keys, self._questions, seat))
        self._questions += 1
        return self._choose(state, seat, seed)

    def close(self) -> None:  # noqa: B027 (most have none)
        """End its process, if it has one. Asked again, it starts another."""

    @abc.abstractmethod
    def _choose(self, state: State, seat: int, seed: int) -> int: ...


class LoadedPolicy(LoadedBot):
    """A bot that ships, in this process."""

    def __init__(self, spec: str, seed: int, configured: ConfiguredPolicy) -> None:
        super().__init__(spec, seed)
        self._configured = configured

    def _choose(self, state: State, seat: int, seed: int) -> int:
        game, policy, params = state.game, self._configured.policy, self._configured.params.copy()
        rules = self._configured.rules(game, seat)
        scratch = np.zeros(policy.scratch(game, params), np.uint8)
        decide = compile_policy(policy, game)
        action = int(decide(rules, state.concealed(seat).array, stream(seed), params, scratch))
        if action not in state.legal():
            raise QpolisError(f"{self.spec}: {ILLEGAL_CHOICE}")
        self.thoughts = policy.thoughts(game, params, scratch) if policy.thoughts else []
        return action


class LoadedProgram(LoadedBot):
    """A bot of others, in its process, which starts with the first question."""

    def __init__(self, spec: str, seed: int, program: Program, limits: Limits) -> None:
        super().__init__(spec, seed)
        self._program = program
        self._limits = limits
        self._game: Game | None = None  # that the process was told of
        self._process: ProcessBot | None = None
        self._ending: Callable[[], Any] = lambda: None

    def close(self) -> None:
        self._ending()
        self._process = None

    def _choose(self, state: State, seat: int, seed: int) -> int:
        try:
            process = self._started(state.game)
            process.start(seat, seed)
            legal = state.legal()
            if process.is_policy:
                return process.choose_by_state(state.concealed(seat).array, legal)
            texts = [state.game.text(state, one) for one in legal]
            action = process.choose(state.observe_text(seat), legal, texts)
            process.end(state.observe_text(seat), state.scores(), state.ranks(), STOPPED)
            return action
        except Forfeit as forfeit:
            self.close()
            raise QpolisError(f"{self.spec}: {ENDS[forfeit.end]}: {forfeit.reason}") from None
        except BaseException:  # an answer may be on its way
            self.close()
            raise

    def _started(self, game: Game) -> ProcessBot:
        """The process, for this game."""
        same = self._game is not None and (self._game is game or repr(self._game) == repr(game))
        if self._process is None or not same:
            self.close()
            game.warm()
            said = Output([self.spec])
            self._process = ProcessBot(self._program, game, self._limits, hear=lambda line: said(0, 0, line))
            self._ending = weakref.finalize(self, self._process.close)
            self._game = game
        return self._process


class LoadedLocal(LoadedBot):
    """A Python bot in this process, to be debugged."""

    def __init__(self, spec: str, seed: int, local: LocalBot) -> None:
        super().__init__(spec, seed)
        self._local = local

    def _choose(self, state: State, seat: int, seed: int) -> int:
        return asked(self._local, state, seat, seed)


def bot(
    spec: str | type,
    *,
    seed: int = 0,
    time_limit: float = 10.0,
    memory_limit: int = 2048,
    start_limit: float = 60.0,
    sandbox: str = AUTO,
    debug: bool = False,
) -> LoadedBot:
    """A bot to ask what it would do in a position.

    Shipped bots answer in this process. Others have a process of their own in the sandbox, as in tournaments; it
    ends with `close`, with a `with`, or when nobody has the bot any more.

    >>> state = qpolis.load_game("arkadia").new(seed=1)
    >>> qpolis.bot("greedy").choose(state) in state.legal()
    True

    Args:
        spec: Its name, or the path of its file, with parameters as in `mcts:sims=200`. With `debug` also a class.
        seed: What its random numbers come from.
        time_limit: Seconds of processor time for one choice of a bot that qpolis does not ship.
        memory_limit: Its megabytes.
        start_limit: Seconds of its start.
        sandbox: `auto`, `on` or `off`.
        debug: Let a Python bot answer in this process, so that a debugger, `print` and tracebacks work.
    """
    if not debug:
        refuse_classes([spec])
    found = local_entrant(spec) if debug else resolve(str(spec), sandbox)
    if found.shipped:
        return LoadedPolicy(found.spec, seed, found.shipped)
    if found.local:
        return LoadedLocal(found.spec, seed, found.local)
    assert found.program is not None  # nothing else is left
    limits = Limits.of(time_limit, memory_limit, start_limit, sandbox=sandbox)
    return LoadedProgram(found.spec, seed, found.program, limits)
