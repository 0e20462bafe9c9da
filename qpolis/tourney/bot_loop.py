"""The match loop for bots in processes of their own, one decision at a time; policies may sit among them.

Deals, streams and results are those of `policy_loop`: a seat cannot tell by the game which loop it is in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qpolis import interrupts, verbs
from qpolis.clock import time_bin
from qpolis.engine.policy_loop import ILLEGAL_CHOICE, NOBODY, Workspace, begin, check_deals, settle
from qpolis.engine.results import CRASH, ILLEGAL, STOPPED, Results
from qpolis.game import Game, State
from qpolis.kernel import kernel
from qpolis.policy import ConfiguredPolicy, Thought, compile_policy
from qpolis.registry.local import LocalBot
from qpolis.rng import WORDS, chance_stream, keys, seat_seed
from qpolis.sandbox.program import Forfeit, Limits, Overloaded, ProcessBot, Program
from qpolis.stop_mark import stop
from qpolis.tourney.local_seat import LocalSeat

# Called with each decision before it is carried out: the deal, a copy of the position, the seat, the action, and
# the seconds it took.
OnDecision = Callable[[int, State, int, int, float], None]
# Called with each line that a program prints: the deal, the seat, the line.
OnOutput = Callable[[int, int, str], None]
DOUBLINGS = 6  # of the patience with a machine that is too busy for a game
TRIES = 2  # a program that fails to start so many times running is not tried again in this batch


@kernel
def deal_out(rules, states, key, deal, streams, chance):
    """`begin` on arrays, which cost less to hand over than records."""
    begin(rules[0], states[0], key, deal, streams, chance)


@kernel
def advance(rules, states, action, chance, legal):
    """Carry out an action (none if it is negative) and list what is legal then: (seat to decide, how many)."""
    if action >= 0:
        verbs.apply(rules[0], states[0], action, chance)
    return verbs.player(rules[0], states[0]), verbs.legal(rules[0], states[0], legal)


@kernel
def show(rules, states, seat):
    """Copy the state for a policy, without what its seat cannot know."""
    states[1] = states[0]
    verbs.conceal(rules[0], states[1], seat)


class LiveGame:
    """A game of a run in progress. states: the game, and a copy for policies. streams: one a seat."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.deal = 0
        self.key = keys(seed)
        self.states = np.zeros(2, game.state_dtype)
        self.streams = np.zeros((verbs.MAX_SEATS, WORDS), np.uint64)
        self.state = State(game, self.states[:1], chance_stream(self.key))
        self._actions = np.empty(game.rules[0].actions, verbs.ACTION)
        self._texts: dict[int, str] = {}

    def begin(self, deal: int) -> None:
        self.deal = deal
        deal_out(self.game.rules, self.states, self.key, deal, self.streams, self.state.chance)

    def seat_seed(self, deal: int, seat: int) -> int:
        """The seed that the bot at a seat is told."""
        return int(seat_seed(self.key, deal, seat))

    def advance(self, action: int = -1) -> tuple[int, list[int]]:
        """Carry out an action, if one is given: the seat that decides next (-1 at the end), and its choices."""
        seat, count = advance(self.game.rules, self.states, action, self.state.chance, self._actions)
        return int(seat), self._actions[:count].tolist()  # interpreted kernels give numbers of NumPy

    def shown(self, seat: int) -> np.ndarray:
        """The state as a policy at a seat may see it, an array of one; it is made anew each time."""
        show(self.game.rules, self.states, seat)
        return self.states[1:]

    def texts(self, legal: list[int]) -> list[str]:
        try:
            return [self._texts[action] for action in legal]
        except KeyError:
            self._texts |= {action: self.game.action_text(action) for action in legal}
            return self.texts(legal)


class PolicySeat:
    """A seat where a policy plays."""

    def __init__(self, live: LiveGame, seat: int, configured: ConfiguredPolicy) -> None:
        self._live = live
        self._seat = seat
        self._policy = configured.policy
        self._given = configured.params
        self._params = configured.params.copy()
        self._rules = configured.rules(live.game, seat)
        self._kernel = compile_policy(configured.policy, live.game)
        self._scratch = np.zeros(configured.policy.scratch(live.game, configured.params), np.uint8)
        self._interrupted = False

    def launch(self) -> None:
        pass

    def start(self, seed: int) -> None:
        self._scratch[:] = 0
        self._params[:] = self._given
        if self._interrupted:  # while the scratch was emptied
            self.interrupt()

    def choose(self, legal: list[int]) -> int:
        live = self._live
        action = self._kernel(
            self._rules, live.shown(self._seat), live.streams[self._seat], self._params, self._scratch
        )
        if self._interrupted:  # it may be any action
            raise Forfeit(CRASH, "was told to stop")
        if action not in legal:
            raise Forfeit(ILLEGAL, ILLEGAL_CHOICE)
        return int(action)

    @property
    def tells(self) -> bool:
        """Can the policy be asked what it thought?"""
        return self._policy.thoughts is not None

    def thoughts(self) -> list[Thought]:
        """What the policy thought in its last decision."""
        read = self._policy.thoughts
        return read(self._live.game, self._params, self._scratch) if read else []

    def end(self, points: list[int], ranks: list[int], end: int) -> None:
        pass

    def interrupt(self) -> None:
        """Tell the policy to stop while another thread waits for its choice, which forfeits there; it chooses
        nothing any more."""
        self._interrupted = True
        if self._policy.stoppable:
            stop(self._scratch)

    def again(self, patience: float) -> None:
        pass

    def quit(self) -> None:
        pass

    def close(self) -> None:
        pass


class ProgramSeat:
    """A seat where a program plays: its process is started when it is needed, and replaced when it failed."""

    def __init__(
        self, live: LiveGame, seat: int, program: Program, limits: Limits, on_output: OnOutput | None = None
    ) -> None:
        self._live = live
        self._on_output = on_output
        self._deal = 0  # that what it prints belongs to
        self._seat = seat
        self._program = program
        self._limits = limits
        self._bot: ProcessBot | None = None
        self._patience = 1.0
        self._failures: list[Forfeit] = []  # to start, one after the other
        self._seed = 0
        self._stale = False  # has it played a game before, and answered nothing yet in this one?

    def _hear(self, line: str) -> None:
        if self._on_output:
            self._on_output(self._deal, self._seat, line)

    def launch(self) -> None:
        """Start the process if there is none. All seats do so before the first one waits for a hello."""
        if self._bot is not None:
            self._bot.listen()  # to what belongs to the last deal
        self._deal = self._live.deal
        if self._bot is None and len(self._failures) < TRIES:
            try:
                hear = self._hear if self._on_output else None
                self._bot = ProcessBot(self._program, self._live.game, self._limits, hear=hear)
                self._bot.patience = self._patience
            except Forfeit as forfeit:
                self._failures.append(forfeit)

    def start(self, seed: int) -> None:
        self._seed = seed
        self._stale = self._bot is not None and self._bot.greeted
        try:
            self._begin()
        except Forfeit:
            if not self._stale:
                raise
            self._renew()

    def choose(self, legal: list[int]) -> int:
        assert self._bot is not None
        live = self._live
        try:
            if self._program.policy:
                action = self._bot.choose_by_state(live.shown(self._seat), legal)
            else:
                action = self._bot.choose(live.state.observe_text(self._seat), legal, live.texts(legal))
        except Forfeit as forfeit:
            self._drop()
            if not self._stale or forfeit.end not in (CRASH, ILLEGAL):
                raise
            self._renew()
            return self.choose(legal)
        self._stale = False
        return action

    def _begin(self) -> None:
        if self._bot is None:
            raise Forfeit(self._failures[-1].end, self._failures[-1].reason, self._failures[-1].trace)
        try:
            self._bot.start(self._seat, self._seed)
        except Forfeit as forfeit:
            if not self._stale:
                self._failures.append(forfeit)
            self._drop()
            raise
        self._failures.clear()

    def _renew(self) -> None:
        """It failed after its last game, whose result stands. Whether that shows before this game or with its
        first question (a late line taken for the answer) is chance, so it may not cost the game: a new process
        plays it, and fails there if the fault lies in this game."""
        self._stale = False
        self.launch()
        self._begin()

    def end(self, points: list[int], ranks: list[int], end: int) -> None:
        """Tell the program, unless it is the one that failed or was not greeted yet."""
        if self._bot is not None and self._bot.greeted:
            try:
                self._bot.end(self._live.state.observe_text(self._seat), points, ranks, end)
            except Forfeit:
                self._drop()

    def interrupt(self) -> None:
        """End the process while another thread waits for its answer, which forfeits there."""
        bot = self._bot
        if bot is not None:
            bot.interrupt()

    def again(self, patience: float) -> None:
        """The game is played again from its start, by a new process that is waited for more patiently."""
        self._patience = patience
        self._drop()

    def quit(self) -> None:
        if self._bot is not None:
            self._bot.quit()

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()

    def _drop(self) -> None:
        if self._bot is not None:
            self._bot.kill()
            self._bot = None


Seat = PolicySeat | ProgramSeat | LocalSeat
Seatable = ConfiguredPolicy | Program | LocalBot


def play_bots(
    game: Game,
    bots: Sequence[Seatable],
    seed: int,
    first: int,
    games: int,
    limits: Limits = Limits(),
    on_decision: OnDecision | None = None,
    step: int = 1,
    on_output: OnOutput | None = None,
) -> Results:
    """Play the `games` deals `first`, `first + step`, ... with a policy or a program at each seat, or a bot that
    is debugged."""
    check_deals(game, bots, seed, first, games, step)
    live = LiveGame(game, seed)

    def player_of(seat: int, who: Seatable) -> Seat:
        if isinstance(who, ConfiguredPolicy):
            return PolicySeat(live, seat, who)
        if isinstance(who, LocalBot):
            return LocalSeat(live, seat, who)
        return ProgramSeat(live, seat, who, limits, on_output)

    players = [player_of(seat, who) for seat, who in enumerate(bots)]
    work = Workspace.new(game, games)
    points, ranks, decisions, ends = work.points, work.ranks, work.decisions, work.ends
    actions: list[int] = []
    reasons: dict[tuple[int, int], str] = {}
    traces: dict[tuple[int, int], str] = {}
    try:
        for row in range(games):
            deal = first + row * step
            loser = NOBODY
            before = len(actions)
            failure = _play_to_the_end(
                live, players, deal, GameLog(decisions[row], work.times, actions), on_decision
            )
            work.lengths[row] = len(actions) - before
            if failure:
                loser, forfeit = failure
                ends[row] = STOPPED
                ends[row, loser] = forfeit.end
                reasons[row, loser] = forfeit.reason
                if forfeit.trace:
                    traces[row, loser] = forfeit.trace
            settle(game.rules[0], live.states[0], loser, points[row], ranks[row])
            for player, end in zip(players, ends[row]):
                player.end(points[row].tolist(), ranks[row].tolist(), end)
    finally:
        for player in players:
            player.quit()
        for player in players:
            player.close()
    return replace(work.results(np.array(actions, verbs.ACTION), reasons), traces=traces)


@dataclass(frozen=True)
class GameLog:
    """What is noted down of a game: answers by seat (a wrong one at the end included), times, actions."""

    decisions: np.ndarray
    times: np.ndarray
    actions: list[int]


def _play_to_the_end(
    live: LiveGame,
    players: Sequence[Seat],
    deal: int,
    log: GameLog,
    on_decision: OnDecision | None,
) -> tuple[int, Forfeit] | None:
    """Play a deal; again from its start, with new processes and more patience, while the machine is too busy. So
    nothing but its own doing forfeits a seat. What was told of an abandoned game is not told again."""
    before, times, told = len(log.actions), log.times.copy(), 0

    def tell(*decision: Any) -> None:
        if on_decision and len(log.actions) - before > told:
            on_decision(*decision)

    for doubling in range(DOUBLINGS + 1):
        live.begin(deal)
        try:
            return _play(live, players, deal, log, tell if on_decision else None)
        except Overloaded:
            if doubling == DOUBLINGS:
                raise
            told = max(told, len(log.actions) - before)
            del log.actions[before:]
            log.decisions[:] = 0
            log.times[:] = times
            for player in players:
                player.again(2.0 ** (doubling + 1))
    raise AssertionError


def _play(
    live: LiveGame,
    players: Sequence[Seat],
    deal: int,
    log: GameLog,
    on_decision: OnDecision | None,
) -> tuple[int, Forfeit] | None:
    """Play a deal that was set up; the seat that forfeits, if one does."""
    seat = 0
    asking = False
    try:
        for player in players:
            player.launch()
        for seat, player in enumerate(players):
            player.start(live.seat_seed(deal, seat))
        asking = True
        seat, legal = live.advance()
        while seat >= 0:
            interrupts.check()
            begun = time.perf_counter()
            action = players[seat].choose(legal)
            taken = time.perf_counter() - begun
            log.decisions[seat] += 1
            log.times[seat, time_bin(1000 * taken)] += 1
            log.actions.append(action)
            if on_decision:
                on_decision(deal, live.state.copy(), seat, action, taken)
            seat, legal = live.advance(action)
    except Forfeit as forfeit:
        log.decisions[seat] += asking and forfeit.end == ILLEGAL
        return seat, forfeit
    return None
