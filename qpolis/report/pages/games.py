"""Games to open in a report: which ones, why, and their replays."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from qpolis.engine.results import FINISHED
from qpolis.errors import IllegalAction, QpolisError
from qpolis.game import Game
from qpolis.report.content.outcome import Outcome, first_forfeits
from qpolis.report.content.replay import heading_of, make_replay, thoughts_of
from qpolis.report.pages.page import packed
from qpolis.report.plots.text import count
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import GameRecord, find_game
from qpolis.tourney.run import JOURNAL

SAMPLE = 16  # games in a report, if nothing is said
MOST_ABNORMAL = 6  # of them that ended abnormally
UPSET = 100  # Elo that make the win of the weaker one worth a look
THINKING = 5.0  # seconds for all that bots think again: nobody waits long for a report
MOST_BYTES = 2_500_000  # of replays that nobody asked for: the page stays quick to open


@dataclass
class ReportGames:
    """The games in a report."""

    why: dict[int, str] = field(default_factory=dict)  # by number, in the order of the table
    replays: dict[int, str] = field(default_factory=dict)  # packed
    played: dict[int, GameRecord] = field(default_factory=dict)
    without_thoughts: list[int] = field(default_factory=list)  # for which there was no time to think again
    problem: str = ""  # why there are none, or not all

    @property
    def size(self) -> int:
        return sum(map(len, self.replays.values()))


def choose(plan: Plan, outcome: Outcome, sample: int) -> dict[int, str]:
    """Games worth a look and why, the most telling first; the same ones each time."""
    found: dict[int, str] = {}
    for number, why in _telling(plan, outcome):
        if number in found:
            found[number] += f"; {why}"
        elif len(found) < sample:
            found[number] = why
    for number, why in _others(plan, outcome):
        if len(found) >= sample:
            break
        found.setdefault(number, why)
    return found


def _telling(plan: Plan, outcome: Outcome) -> Iterator[tuple[int, str]]:
    kinds = first_forfeits(outcome.forfeits)
    firsts = sorted(kinds.values(), key=lambda item: item.game)
    others = [item for item in outcome.forfeits if kinds[item.bot, item.end] is not item]
    for item in [*firsts, *others][:MOST_ABNORMAL]:
        yield item.game, f"abnormal end: {item.end} of {item.bot}"
    results = outcome.results
    whole = np.flatnonzero((results.ends == FINISHED).all(axis=1))
    if len(whole):
        points = results.points[whole]
        ordered = np.sort(points, axis=1)
        margins = ordered[:, -1] - ordered[:, -2] if results.seats > 1 else ordered[:, -1]
        lengths = results.decisions[whole].sum(axis=1)
        for values, best, why in (
            (margins, margins.argmin(), "closest: {} between the first two"),
            (margins, margins.argmax(), "widest margin: {}"),
            (points.max(axis=1), points.max(axis=1).argmax(), "highest score: {}"),
        ):
            yield int(whole[best]), why.format(count(int(values[best]), "point"))
        yield int(whole[lengths.argmax()]), f"longest: {count(int(lengths.max()), 'decision')}"
        yield from _upset(outcome, whole, margins)


def _upset(outcome: Outcome, whole: np.ndarray, margins: np.ndarray) -> Iterator[tuple[int, str]]:
    """The game that the weakest bot won against the strongest, most clearly."""
    results = outcome.results
    elo = outcome.ratings.elo.value[results.who[whole]]
    first = results.ranks[whole] == 0
    alone = first.sum(axis=1) == 1
    gaps = np.where(alone, elo.max(axis=1) - np.where(first, elo, 0).sum(axis=1), -np.inf)
    gaps = np.where(np.isfinite(gaps), gaps, -np.inf)
    best = int(np.lexsort((-margins, -gaps))[0])
    if gaps[best] >= UPSET:
        winner = results.bots[results.who[whole[best], first[best].argmax()]]
        yield int(whole[best]), f"upset: {winner} won, {gaps[best]:,.0f} Elo below the best at the table"


def _others(plan: Plan, outcome: Outcome) -> Iterator[tuple[int, str]]:
    """The first game of every group in every seating, strong groups first, their first seatings before others;
    then all games in turn."""
    place = np.argsort(outcome.ratings.order)
    seatings = plan.games_per_block
    strength = place[plan.seatings].sum(axis=2)
    for seating in range(seatings):
        for lineup in np.argsort(strength[:, seating], kind="stable").tolist():
            number = lineup * seatings + seating
            if number < outcome.results.games:
                yield number, "the first of these bots in these seats"
    for number in range(outcome.results.games):
        yield number, "one of the first"


def read_games(plan: Plan, folder: Path, numbers: Sequence[int]) -> dict[int, GameRecord]:
    """Some games of the run in a folder: moves are read only where they are."""
    wanted = np.array(sorted(numbers))
    found: dict[int, GameRecord] = {}
    for content in journal.records(folder / JOURNAL):
        here = wanted[np.isin(wanted, decode(content, moves=False).numbers)].tolist()
        if here:
            chunk = decode(content)
            found |= {number: find_game(plan, [chunk], number) for number in here}
    return found


def choose_games(
    plan: Plan, folder: Path, outcome: Outcome, sample: int = SAMPLE, asked: Sequence[int] = ()
) -> ReportGames:
    """The games that were asked for, and a sample, with their replays."""
    for number in asked:
        if number >= outcome.results.games:
            raise QpolisError(f"no game {number}: the games of this run are 0 to {outcome.results.games - 1}")
    if not plan.definition.moves:
        return ReportGames(problem="The moves of this run were not recorded (--no-moves): no game can be shown.")
    try:
        game = plan.load_game()
    except QpolisError as error:
        return ReportGames(problem=f"No game can be shown: {error}.")
    chosen = choose(plan, outcome, sample)
    shown = ReportGames(dict.fromkeys(asked, "asked for") | chosen)
    shown.why |= {number: f"asked for; {chosen[number]}" for number in asked if number in chosen}
    shown.played = read_games(plan, folder, list(shown.why))
    _add_replays(shown, game, plan.definition.name, set(asked))
    return shown


def _add_replays(shown: ReportGames, game: Game, name: str, asked: set[int]) -> None:
    """Replays of the games, as far as they have room; with what the bots thought, as far as there is time."""
    limit = _TimeLimit(THINKING)
    for number in list(shown.why):
        if shown.size > MOST_BYTES and number not in asked:
            del shown.why[number]
            continue
        played = shown.played[number]
        try:
            try:
                thoughts = thoughts_of(game, played, limit)
            except _OutOfTime:
                thoughts = []
                shown.without_thoughts.append(number)
            shown.replays[number] = packed(make_replay(game, played, heading_of(played, number, name), thoughts))
        except IllegalAction as error:  # the engine has changed since the run
            shown.problem = f"Game {number} cannot be shown: {error}."
            del shown.why[number]


class _OutOfTime(Exception):
    """No more time to think."""


class _TimeLimit:
    """Told of every decision to come; complains when so many seconds have passed since the first, which may have
    had to compile what it needs."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._decided = -1
        self._end = math.inf

    def __call__(self) -> None:
        now = time.monotonic()
        self._decided += 1
        if self._decided == 1:
            self._end = now + self._seconds
        if now > self._end:
            raise _OutOfTime
