"""What searching bots thought in recorded games: they decide again, with the random numbers they had."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from qpolis import interrupts
from qpolis.dataset.columns import Lists
from qpolis.dataset.positions import Positions
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.engine.results import Results
from qpolis.policy import ConfiguredPolicy, compile_policy
from qpolis.tourney.analysis import Analysis, analyse_game, shipped_policy


def searchers(run: RecordedRun) -> list[str]:
    """The bots of a run that can be asked what they thought."""
    found = [(bot, shipped_policy(bot)) for bot in run.plan.bots]
    return [bot for bot, policy in found if policy and policy.policy.thoughts]


@dataclass(frozen=True)
class Thinkers:
    """The bots of a run, ready to decide again: None for those that cannot be asked."""

    run: RecordedRun
    policies: list[ConfiguredPolicy | None]

    @classmethod
    def of(cls, run: RecordedRun) -> Thinkers:
        policies = [shipped_policy(bot) for bot in run.plan.bots]
        for policy in policies:
            if policy and policy.policy.thoughts:
                compile_policy(policy.policy, run.game)  # once, and not in all threads
        return cls(run, policies)

    def ask(self, games: Results, positions: Positions) -> tuple[Lists, Lists]:
        """Visits and values of the legal actions, decision by decision. Nothing is known where no search decided,
        nor where it chose otherwise this time, as a search by the clock may."""
        known = np.zeros(len(positions.seats), bool)
        visits, values = np.zeros(len(positions.legal), np.int32), np.zeros(len(positions.legal), np.float32)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            thoughts = pool.map(lambda row: self._game(games, row), range(games.games))
            decisions = (analysis for game in thoughts for analysis in game)
            for number, analysis in enumerate(decisions):
                if analysis and analysis.same:
                    known[number] = True
                    _write(analysis, positions, number, visits, values)
        return tuple(_known_lists(positions, items, known) for items in (visits, values))  # type: ignore[return-value]

    def _game(self, games: Results, row: int) -> list[Analysis | None]:
        """What was thought in a game, decision by decision."""
        interrupts.check()
        plan, number = self.run.plan, games.numbers[row : row + 1]
        seats = [self.policies[bot] for bot in plan.who(number)[0]]
        actions = games.actions_of(row).tolist()
        if not any(who and who.policy.thoughts for who in seats):
            return [None] * len(actions)
        deal = int(number[0]) // plan.games_per_block
        again: Iterator[Analysis | None] = analyse_game(self.run.game, seats, plan.definition.seed, deal, actions)
        return list(again)


def _write(analysis: Analysis, positions: Positions, number: int, visits: np.ndarray, values: np.ndarray) -> None:
    """What was thought of each legal action, at its place."""
    start, end = positions.starts[number : number + 2]
    places = {action: start + place for place, action in enumerate(positions.legal[start:end].tolist())}
    for thought in analysis.thoughts:
        visits[places[thought.action]] = thought.visits
        values[places[thought.action]] = thought.value


def _known_lists(positions: Positions, items: np.ndarray, known: np.ndarray) -> Lists:
    """The lists that are known; the others are empty, and null."""
    lengths = np.diff(positions.starts)
    starts = np.concatenate([np.zeros(1, np.int64), (lengths * known).cumsum()])
    return Lists(starts, items[np.repeat(known, lengths)], known)
