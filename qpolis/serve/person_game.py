"""A game with a person at the table, decision by decision.

Deals, streams and results are those of deal 0 of a tournament: the same seed and choices give the same game.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.bots.mcts import mcts
from qpolis.clock import BINS, time_bin
from qpolis.engine.policy_loop import NOBODY, settle
from qpolis.engine.results import FINISHED, ILLEGAL, STOPPED, Results
from qpolis.errors import QpolisError
from qpolis.game import Game, Plain, State
from qpolis.games import game_class
from qpolis.policy import ConfiguredPolicy
from qpolis.registry.finder import PERSON
from qpolis.registry.spec import Entrant, resolve
from qpolis.report.content import replay
from qpolis.report.content.viewer_files import viewer_file
from qpolis.rng import draw_seed, stream
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Forfeit, Limits, Program
from qpolis.tourney.bot_loop import LiveGame, PolicySeat, ProgramSeat
from qpolis.tourney.chunk import game_hashes
from qpolis.tourney.definition import FIXED, define
from qpolis.tourney.match import seat as seat_of
from qpolis.tourney.plan import Plan, make_plan
from qpolis.tourney.records import GameRecord

DEAL = 0
HINT = mcts.configure(sims=2000)  # who is asked for hints


@dataclass(frozen=True)
class Setup:
    """What a game is before anything is decided. The plan is what it is saved with."""

    plan: Plan
    game: Game
    entrants: tuple[Entrant | None, ...]  # by seat, None for the person
    limits: Limits
    casual: bool

    @classmethod
    def of(
        cls,
        message: Mapping[str, Any],
        time_limit: float,
        memory_limit: int,
        start_limit: float = 60.0,
        ponder: bool = False,
        sandbox: str = AUTO,
    ) -> Setup:
        """From a checked message `new`. Everything else that can be wrong with it is found here."""
        for name, option in game_class(message["game"]).options.items():
            given = message["options"].get(name, option.default)
            if not option.choices and type(given) is not type(option.default):
                raise QpolisError(f"option {name}: {given!r} is not a text such as {option.default!r}")
        seed = draw_seed() if message["seed"] is None else int(message["seed"])
        asked = [PERSON if spec is None else spec.strip() for spec in message["seats"]]
        if asked.count(PERSON) > 1:
            raise QpolisError("one seat is for the person: the others are for bots")
        plan = make_plan(
            define(
                {
                    "bots": asked,
                    "game": message["game"],
                    "options": message["options"],
                    "seed": seed,
                    "games": 1,
                    "seatings": FIXED,
                    "time_limit": time_limit,
                    "memory_limit": memory_limit,
                    "start_limit": start_limit,
                    "ponder": ponder,
                    "sandbox": sandbox,
                }
            ),
            people=True,
        )
        if message["casual"]:
            named = replace(plan.definition, name=f"casual-{plan.definition.name}")
            plan = replace(plan, definition=named)
        entrants = tuple(None if spec == PERSON else resolve(spec, sandbox) for spec in plan.definition.bots)
        return cls(plan, plan.load_game(), entrants, plan.limits, message["casual"])

    @property
    def seed(self) -> int:
        return self.plan.definition.seed

    @property
    def person(self) -> int:
        return self.entrants.index(None)

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return self.plan.definition.bots


@dataclass(frozen=True)
class Decision:
    """What was decided, and the streams of all seats before."""

    seat: int
    action: int
    seconds: float
    streams: np.ndarray


class PersonGame:
    """The table with its bots. `begin` and `ask` take their time and belong into a thread; everything else is
    quick, and for whoever knows that neither of them runs."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.decisions: list[Decision] = []
        self.frames: list[Plain] = []
        self.seat = NOBODY  # that decides
        self.legal: list[int] = []
        self.forfeit: tuple[int, Forfeit] | None = None
        self._asking = False
        self._table = LiveGame(setup.game, setup.seed)
        self._players: dict[int, PolicySeat | ProgramSeat] = {}
        self._drawn = viewer_file(setup.game) is None
        self._given_up = False

    def begin(self, kept: Sequence[Decision] = (), streams: np.ndarray | None = None) -> None:
        """Set the table and seat the bots. After an undo, decisions that are `kept` are carried out again, and the
        random numbers of the bots go on where they were."""
        setup, table = self.setup, self._table
        if any(one and one.program for one in setup.entrants):
            setup.game.warm()  # not in a bot's own time
        table.begin(DEAL)
        try:
            self._seat_bots()
        except Forfeit as forfeit:
            self.forfeit = self.seat, forfeit.with_traceback(None)
        self._asking = self.forfeit is None
        self._go_on(*table.advance())
        for decision in kept:
            self._carry_out(decision)
        if streams is not None:
            table.streams[:] = streams

    def _seat_bots(self) -> None:
        setup, table = self.setup, self._table
        for seat, entrant in enumerate(setup.entrants):
            if entrant is not None:
                who = seat_of(entrant)
                if isinstance(who, ConfiguredPolicy):
                    self._players[seat] = PolicySeat(table, seat, who)
                else:
                    assert isinstance(who, Program)  # nobody debugs a bot here
                    self._players[seat] = ProgramSeat(table, seat, who, setup.limits)
        for player in self._players.values():
            player.launch()
            if self._given_up:
                player.interrupt()
        for seat, player in self._players.items():
            self.seat = seat  # it loses the game if it cannot start
            player.start(table.seat_seed(DEAL, seat))

    @property
    def over(self) -> bool:
        return self.seat == NOBODY or self.forfeit is not None

    @property
    def state(self) -> State:
        """A copy of the position."""
        return self._table.state.copy()

    def ask(self) -> tuple[int, float] | Forfeit:
        """What the bot whose turn it is chooses, and the seconds it took; or why it loses the game."""
        begun = time.perf_counter()
        try:
            action = self._players[self.seat].choose(self.legal)
        except Forfeit as forfeit:
            return forfeit.with_traceback(None)  # whose frames hold all that the bot has
        return action, time.perf_counter() - begun

    def decide(self, action: int, seconds: float) -> None:
        """Carry out a legal action of the seat whose turn it is."""
        self._carry_out(Decision(self.seat, action, seconds, self._table.streams.copy()))

    def lose(self, forfeit: Forfeit) -> None:
        """The seat whose turn it is forfeits."""
        self.forfeit = self.seat, forfeit

    def _carry_out(self, decision: Decision) -> None:
        self.frames[-1]["move"] = replay.move(self.state, decision.action)
        self.decisions.append(decision)
        self._go_on(*self._table.advance(decision.action))

    def _go_on(self, seat: int, legal: list[int]) -> None:
        if self.forfeit is None:
            self.seat, self.legal = seat, legal
        self.frames.append(replay.frame(self.state, self.setup.person, self._drawn))

    def choices(self) -> list[Plain]:
        """The legal actions."""
        texts = self._table.texts(self.legal)
        return [{"action": action, "text": text} for action, text in zip(self.legal, texts)]

    def before_person(self) -> int | None:
        """How many decisions came before the person's last one."""
        own = [number for number, decision in enumerate(self.decisions) if decision.seat == self.setup.person]
        return own[-1] if own else None

    # -- the end ---------------------------------------------------------------------------------------------

    def played(self) -> GameRecord:
        """The game when it is over."""
        setup = self.setup
        points, ranks = np.zeros((2, setup.game.players), np.int64)
        loser = self.forfeit[0] if self.forfeit else NOBODY
        settle(setup.game.rules[0], self._table.states[0], loser, points, ranks)
        ends = [FINISHED] * setup.game.players
        if self.forfeit:
            ends = [STOPPED] * setup.game.players
            ends[loser] = self.forfeit[1].end
        reasons = {loser: self.forfeit[1].reason} if self.forfeit else {}
        return GameRecord(
            setup.seed,
            DEAL,
            list(setup.names),
            [one.action for one in self.decisions],
            points.tolist(),
            ranks.tolist(),
            ends,
            reasons,
        )

    def chunk(self, played: GameRecord) -> Results:
        """The game as tournaments keep it."""
        setup, (seating,) = self.setup, self.setup.plan.lineups[0]
        decisions = np.zeros((1, len(seating)), np.int64)
        times = np.zeros((len(setup.plan.bots), BINS), np.int64)
        for one in self.decisions:
            decisions[0, one.seat] += 1
            times[seating[one.seat], time_bin(1000 * one.seconds)] += 1
        if self.forfeit and self._asking and self.forfeit[1].end == ILLEGAL:
            decisions[0, self.forfeit[0]] += 1
        points, ranks, ends = (np.array([row], np.int64) for row in (played.points, played.ranks, played.ends))
        actions, lengths = np.array(played.actions, verbs.ACTION), np.array([len(played.actions)])
        hashes = game_hashes(setup.game, np.array([DEAL]), lengths, actions, points, ranks)
        return Results(
            points=points,
            ranks=ranks,
            decisions=decisions,
            ends=ends,
            numbers=np.array([0]),
            lengths=lengths,
            hashes=hashes,
            actions=actions,
            times=times,
            reasons={(0, seat): reason for seat, reason in played.reasons.items()},
            seconds=sum(one.seconds for one in self.decisions),
        )

    def interrupt(self) -> None:
        """Nobody waits for the bots any more. From another thread than theirs."""
        self._given_up = True
        for player in list(self._players.values()):
            player.interrupt()

    def close(self, played: GameRecord | None = None) -> None:
        """End the bots; if the game came to its end, tell them how."""
        for seat, player in self._players.items():
            if played:
                player.end(played.points, played.ranks, played.ends[seat])
            player.quit()
        for player in self._players.values():
            player.close()


class Hint:
    """What a search thinks of the choices of a seat. It is given what the seat may know, and random numbers that
    have nothing to do with those of the game."""

    def __init__(self, state: State, seat: int, number: int) -> None:
        self._state, self._seat, self._number = state, seat, number
        self._searcher: PolicySeat | None = None
        self._given_up = False

    def search(self) -> Plain:
        """The choices with what they promise; Forfeit if the search was interrupted."""
        game = self._state.game
        table = LiveGame(game, self._number)
        table.states[0] = self._state.concealed(self._seat).array[0]
        table.streams[self._seat] = stream(self._number)
        searcher = self._searcher = PolicySeat(table, self._seat, HINT)
        searcher.start(0)
        if self._given_up:  # before there was a searcher
            searcher.interrupt()
        searcher.choose(self._state.legal())
        return replay.thought_table(game, searcher.thoughts())

    def interrupt(self) -> None:
        """Nobody waits for it any more. From another thread than that of the search."""
        self._given_up = True
        if self._searcher is not None:
            self._searcher.interrupt()
