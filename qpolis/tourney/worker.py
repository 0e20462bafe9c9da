"""What a worker does: play some blocks of a plan. Only the plan's text and the numbers of blocks reach it."""

from __future__ import annotations

import functools
import os
import platform
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qpolis import interrupts
from qpolis.clock import BINS
from qpolis.engine.policy_loop import Loop
from qpolis.engine.results import Results, join
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.registry.spec import Entrant, resolve
from qpolis.sandbox.jail import hide
from qpolis.tourney.bot_logs import BotLogs
from qpolis.tourney.chunk import encode, game_hashes
from qpolis.tourney.definition import define
from qpolis.tourney.match import play_deals
from qpolis.tourney.plan import Plan, changed, learned, make_plan
from qpolis.tourney.schema import MADE, PLAN_KEYS, without
from qpolis.tourney.traces import first_traces


@dataclass(frozen=True)
class ChunkPlayer:
    """Plays chunks of a plan: its game and its bots, ready to sit down."""

    plan: Plan
    game: Game
    entrants: tuple[Entrant, ...]

    @classmethod
    def prepare(cls, plan: Plan) -> ChunkPlayer:
        """With everything compiled that is not a user's, and bots that know what they knew when it was planned."""
        player = cls(plan, plan.load_game(), tuple(resolve(spec, plan.definition.sandbox) for spec in plan.bots))
        for what, digest in learned(player.game, player.entrants).items():
            if plan.made.get(what) != digest:
                raise QpolisError(f"{what} has changed since the run began: its games would not be the same")
        for policy in filter(None, (entrant.shipped for entrant in player.entrants)):
            interrupts.check()
            Loop(player.game, [policy] * player.game.players)
        return player

    @property
    def trusted(self) -> bool:
        """Are all bots shipped policies? Then playing is nothing but kernels."""
        return all(entrant.shipped for entrant in self.entrants)

    def play(self, blocks: np.ndarray, logs: BotLogs | None = None) -> Results:
        """Play some blocks: lineup by lineup, seating by seating, all deals of each together. What bots print goes
        into the logs."""
        begun = time.perf_counter()
        plan = self.plan
        chunks = [Results.nothing(len(plan.bots), self.game.players)]
        for lineup in np.unique(blocks % len(plan.lineups)).tolist():
            deals = np.sort(blocks[blocks % len(plan.lineups) == lineup])
            for number in range(plan.games_per_block):
                parts = progressions(deals, len(plan.lineups))
                chunks += [self._play(lineup, number, part, logs) for part in parts]
        played = join(chunks)
        rows = {game: row for row, game in enumerate(played.numbers.tolist())} if played.traces else {}

        def kind(game: int, seat: int) -> tuple[int, int]:
            return int(plan.who(np.array([game]))[0, seat]), int(played.ends[rows[game], seat])

        return replace(played, traces=first_traces(played.traces, kind), seconds=time.perf_counter() - begun)

    def _play(self, lineup: int, number: int, deals: range, logs: BotLogs | None) -> Results:
        """All of some deals in one seating."""
        plan = self.plan
        seating = plan.lineups[lineup][number]

        def log(deal: int, seat: int, line: str) -> None:
            if logs:
                game = deal * plan.games_per_block + number
                logs.write(plan.bots[seating[seat]], f"game {game}, deal {deal}, seat {seat}", line)

        played = play_deals(
            self.game,
            [self.entrants[bot] for bot in seating],
            plan.definition.seed,
            deals.start,
            len(deals),
            plan.limits,
            deals.step,
            record=True,
            on_output=log if logs else None,
        )
        numbers = np.array(deals, np.int64) * plan.games_per_block + number
        times = np.zeros((len(plan.bots), BINS), np.int64)
        np.add.at(times, list(seating), played.times)
        hashes = game_hashes(
            self.game, np.array(deals, np.int64), played.lengths, played.actions, played.points, played.ranks
        )
        reasons = {(int(numbers[row]), seat): text for (row, seat), text in sorted(played.reasons.items())}
        traces = {(int(numbers[row]), seat): text for (row, seat), text in played.traces.items()}
        chunk = replace(played, numbers=numbers, hashes=hashes, times=times, reasons=reasons, traces=traces)
        return chunk if plan.definition.moves else chunk.without_actions()


def progressions(numbers: np.ndarray, step: int) -> Iterator[range]:
    """Ascending numbers as ranges of this step: one, unless some are missing."""
    for part in np.split(numbers, np.flatnonzero(np.diff(numbers) != step) + 1):
        yield range(int(part[0]), int(part[-1]) + 1, step)


def parse_plan(text: str) -> Plan:
    """The plan that a text says, if this machine plays it as the one where it was made."""
    table = tomllib.loads(text)
    plan = make_plan(define(without(table, PLAN_KEYS)))
    for what, then, now in changed(table[MADE], plan.made):
        raise QpolisError(f"a worker has another {what} than the run was planned with ({now}, not {then})")
    return plan


@functools.lru_cache(maxsize=2)
def chunk_player(text: str) -> ChunkPlayer:
    """The player for a plan's text, on this machine."""
    return ChunkPlayer.prepare(parse_plan(text))


def work(folder: str, text: str, blocks: list[int], run: str) -> bytes:
    """A chunk, in a process of a pool. Paths of bots are meant from `folder`; `run` is the folder of the run."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise QpolisError(f"a worker on {platform.node()} has no folder {folder}: {error.strerror}") from None
    hide(run)
    return encode(chunk_player(text).play(np.array(blocks, np.int64), BotLogs(Path(run))))
