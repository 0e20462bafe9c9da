"""The games of a run as arrays in plan order, and as the rows of `games.csv`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.results import ENDS, Results
from qpolis.errors import QpolisError
from qpolis.game import Game, State
from qpolis.kernel import kernel
from qpolis.tourney.chunk import check_possible
from qpolis.tourney.plan import Plan
from qpolis.tourney.traces import Traces, first_traces

COLUMNS = ("game", "deal", "seat", "bot", "score", "rank", "decisions", "end")
AT_A_TIME = 1 << 14  # games that are written at a time
DIGITS = 20  # of a number at most, with its sign
NUMBERS = 6  # columns of a row that are numbers


def collect(plan: Plan, chunks: Iterable[Results], blocks: int) -> Results:
    """The first blocks of a run in plan order; an error if one is missing."""
    games = blocks * plan.games_per_block
    seats = plan.seatings.shape[2]
    points, decisions = np.zeros((2, games, seats), np.int32)
    ranks, ends = np.zeros((2, games, seats), np.int8)
    hashes = np.zeros(games, np.uint64)
    missing = np.ones(games, bool)
    times = np.zeros((len(plan.bots), BINS), np.int64)
    reasons: dict[tuple[int, int], str] = {}
    traces: Traces = {}

    def kind(number: int, seat: int) -> tuple[int, int]:
        return int(plan.who(np.array([number]))[0, seat]), int(ends[number, seat])

    for chunk in chunks:
        kept = chunk.numbers < games
        rows = chunk.numbers[kept]
        for table, part in (
            (points, chunk.points),
            (decisions, chunk.decisions),
            (ranks, chunk.ranks),
            (ends, chunk.ends),
            (hashes, chunk.hashes),
        ):
            table[rows] = part[kept]
        missing[rows] = False
        times += chunk.times
        reasons |= {key: reason for key, reason in chunk.reasons.items() if key[0] < games}
        new = {key: trace for key, trace in chunk.traces.items() if key[0] < games}
        traces = first_traces({**traces, **new}, kind) if new else traces
    if missing.any():
        raise QpolisError(f"game {int(missing.argmax())} has not been played yet")
    return with_bots(
        plan,
        Results(
            points=points,
            ranks=ranks,
            decisions=decisions,
            ends=ends,
            hashes=hashes,
            numbers=np.arange(games),
            times=times,
            reasons=dict(sorted(reasons.items())),
            traces=traces,
        ),
    )


def with_bots(plan: Plan, results: Results) -> Results:
    """The same games with who played them, by their numbers in the plan."""
    return replace(
        results, bots=plan.bots, who=plan.who(results.numbers), deals=results.numbers // plan.games_per_block
    )


@dataclass(frozen=True)
class GameRecord:
    """One game of a run, to be shown: plain values instead of the columns of `Results`, because pages, files and
    lines of text are made from it."""

    seed: int
    deal: int
    bots: list[str]  # seat by seat
    actions: list[int]
    points: list[int]
    ranks: list[int]
    ends: list[int]
    reasons: dict[int, str]  # of forfeits, by seat

    def begin(self, game: Game) -> State:
        """Its first position."""
        return game.new(self.seed, self.deal)


def find_game(plan: Plan, chunks: Iterable[Results], number: int) -> GameRecord:
    """A game by its number."""
    if number >= plan.games:
        raise QpolisError(f"no game {number}: the games of this run are 0 to {plan.games - 1}")
    for chunk in chunks:
        check_possible(chunk, plan.games, len(plan.bots), plan.seatings.shape[2])
        for row in np.flatnonzero(chunk.numbers == number).tolist():
            if not plan.definition.moves:
                raise QpolisError("the moves of this run were not recorded (--no-moves)")
            return GameRecord(
                plan.definition.seed,
                number // plan.games_per_block,
                [plan.bots[bot] for bot in plan.who(chunk.numbers[row : row + 1])[0]],
                chunk.actions_of(row).tolist(),
                chunk.points[row].tolist(),
                chunk.ranks[row].tolist(),
                chunk.ends[row].tolist(),
                {seat: reason for (game, seat), reason in chunk.reasons.items() if game == number},
            )
    raise QpolisError(f"game {number} has not been played yet")


@kernel
def put_number(value, out, at):
    """Write a number in digits; returns where it ends."""
    if value < 0:
        out[at] = 45  # minus
        at += 1
        value = -value
    digits = 1
    rest = value // 10
    while rest:
        digits += 1
        rest //= 10
    for place in range(at + digits - 1, at - 1, -1):
        out[place] = 48 + value % 10
        value //= 10
    return at + digits


@kernel
def put_text(texts, number, out, at):
    """Write one of several texts; returns where it ends."""
    for place in range(texts.starts[number], texts.starts[number + 1]):
        out[at] = texts.content[place]
        at += 1
    return at


class Rows(NamedTuple):
    """The columns of some games, of which the first has the number `first`; all int64."""

    first: int
    deals: np.ndarray
    who: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray


class Texts(NamedTuple):
    """Texts one after the other as bytes, and where each begins."""

    content: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        encoded = [text.encode() for text in texts]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([0, *map(len, encoded)]))

    @property
    def longest(self) -> int:
        return int(np.diff(self.starts).max())


@kernel
def write_rows(rows, bots, words, out):
    """The rows of some games as text; returns its length. Commas stand before and after the texts of bots, and the
    end of the line after those of ends."""
    first, deals, who, points, ranks, decisions, ends = rows
    at = 0
    for row in range(who.shape[0]):
        for seat in range(who.shape[1]):
            at = put_number(first + row, out, at)
            out[at] = 44  # comma
            at = put_number(deals[row], out, at + 1)
            out[at] = 44
            at = put_number(seat, out, at + 1)
            at = put_text(bots, who[row, seat], out, at)
            at = put_number(points[row, seat], out, at)
            out[at] = 44
            at = put_number(ranks[row, seat], out, at + 1)
            out[at] = 44
            at = put_number(decisions[row, seat], out, at + 1)
            at = put_text(words, ends[row, seat], out, at)
    return at


def games_csv(results: Results) -> Iterator[bytes]:
    """The text of `games.csv`, part by part: a row for each game and seat."""
    yield (",".join(COLUMNS) + "\n").encode()
    bots = Texts.of([f",{_cell(bot)}," for bot in results.bots])
    words = Texts.of([f",{end}\n" for end in ENDS])
    longest = NUMBERS * DIGITS + bots.longest + words.longest
    out = np.zeros(AT_A_TIME * results.seats * longest, np.uint8)
    for first in range(0, results.games, AT_A_TIME):
        rows = slice(first, first + AT_A_TIME)
        tables = [
            np.ascontiguousarray(table[rows], np.int64)
            for table in (
                results.deals,
                results.who,
                results.points,
                results.ranks,
                results.decisions,
                results.ends,
            )
        ]
        length = write_rows(Rows(first, *tables), bots, words, out)
        yield out[:length].tobytes()


def _cell(text: str) -> str:
    """A text as a cell of a CSV file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([text])
    return line.getvalue()
