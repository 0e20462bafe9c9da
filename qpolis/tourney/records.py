"""The games of a run as arrays in plan order, and as the rows of `games.csv`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.batch import ENDS, FINISHED
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.game import Game, State
from qpolis.kernel import kernel
from qpolis.tourney.chunk import Piece
from qpolis.tourney.plan import Plan
from qpolis.tourney.repeats import Repeat, find_repeats

COLUMNS = ("game", "deal", "seat", "bot", "score", "rank", "decisions", "end")
CHUNK = 1 << 14  # games that are written at a time
DIGITS = 20  # of a number at most, with its sign
NUMBERS = 6  # columns of a row that are numbers


@dataclass(frozen=True)
class Records:
    """Everything about the games of a run, without their moves."""

    results: Results
    times: np.ndarray  # by bot: how many decisions took how long
    reasons: list[tuple[int, int, str]]  # of forfeits: game, seat, one line
    repeats: list[Repeat]  # groups of bots that played the same games again and again


def collect(plan: Plan, pieces: Iterable[Piece], blocks: int) -> Records:
    """The first blocks of a run in plan order; an error if one is missing."""
    games = blocks * plan.games_per_block
    seats = plan.seatings.shape[2]
    points, decisions = np.zeros((2, games, seats), np.int32)
    ranks, ends = np.zeros((2, games, seats), np.int8)
    hashes = np.zeros(games, np.uint64)
    missing = np.ones(games, bool)
    times = np.zeros((len(plan.bots), BINS), np.int64)
    reasons: list[tuple[int, int, str]] = []
    for piece in pieces:
        kept = piece.games < games
        rows = piece.games[kept]
        for table, part in ((points, piece.points), (decisions, piece.decisions), (ranks, piece.ranks),
                            (ends, piece.ends), (hashes, piece.hashes)):
            table[rows] = part[kept]
        missing[rows] = False
        times += piece.times
        reasons += [reason for reason in piece.reasons if reason[0] < games]
    if missing.any():
        raise QpolisError(f"game {int(missing.argmax())} has not been played yet")
    numbers = np.arange(games)
    deals = numbers // plan.games_per_block
    results = Results(plan.bots, plan.who(numbers), deals, points, ranks, decisions, ends)
    repeats = find_repeats(plan, hashes, (ends == FINISHED).all(axis=1))
    return Records(results, times, sorted(reasons), repeats)


@dataclass(frozen=True)
class Played:
    """One game of a run."""

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


def find_game(plan: Plan, pieces: Iterable[Piece], number: int) -> Played:
    """A game by its number."""
    if number >= plan.games:
        raise QpolisError(f"no game {number}: the games of this run are 0 to {plan.games - 1}")
    for piece in pieces:
        piece.check(plan.games, len(plan.bots), plan.seatings.shape[2])
        for row in np.flatnonzero(piece.games == number).tolist():
            if not plan.definition.moves:
                raise QpolisError("the moves of this run were not recorded (--no-moves)")
            return Played(plan.definition.seed, number // plan.games_per_block,
                          [plan.bots[bot] for bot in plan.who(piece.games[row : row + 1])[0]],
                          piece.moves(row).tolist(), piece.points[row].tolist(), piece.ranks[row].tolist(),
                          piece.ends[row].tolist(),
                          {seat: reason for game, seat, reason in piece.reasons if game == number})
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
def put_text(texts, starts, number, out, at):
    """Write one of several texts; returns where it ends."""
    for place in range(starts[number], starts[number + 1]):
        out[at] = texts[place]
        at += 1
    return at


@kernel
def write_rows(first, deals, who, points, ranks, decisions, ends, bots, bot_starts, words, word_starts, out):
    """The rows of some games as text; returns its length. Commas stand before and after the texts of bots, and the
    end of the line after those of ends."""
    at = 0
    for row in range(who.shape[0]):
        for seat in range(who.shape[1]):
            at = put_number(first + row, out, at)
            out[at] = 44  # comma
            at = put_number(deals[row], out, at + 1)
            out[at] = 44
            at = put_number(seat, out, at + 1)
            at = put_text(bots, bot_starts, who[row, seat], out, at)
            at = put_number(points[row, seat], out, at)
            out[at] = 44
            at = put_number(ranks[row, seat], out, at + 1)
            out[at] = 44
            at = put_number(decisions[row, seat], out, at + 1)
            at = put_text(words, word_starts, ends[row, seat], out, at)
    return at


def games_csv(results: Results) -> Iterator[bytes]:
    """The text of `games.csv`, part by part: a row for each game and seat."""
    yield (",".join(COLUMNS) + "\n").encode()
    bots, bot_starts = _texts([f",{_cell(bot)}," for bot in results.bots])
    words, word_starts = _texts([f",{end}\n" for end in ENDS])
    longest = NUMBERS * DIGITS + int(np.diff(bot_starts).max()) + int(np.diff(word_starts).max())
    out = np.zeros(CHUNK * results.seats * longest, np.uint8)
    for first in range(0, results.games, CHUNK):
        rows = slice(first, first + CHUNK)
        tables = [np.ascontiguousarray(table[rows], np.int64) for table in
                  (results.deals, results.who, results.points, results.ranks, results.decisions, results.ends)]
        length = write_rows(first, *tables, bots, bot_starts, words, word_starts, out)
        yield out[:length].tobytes()


def _texts(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Texts one after the other as bytes, and where each begins."""
    encoded = [text.encode() for text in texts]
    starts = np.cumsum([0, *map(len, encoded)])
    return np.frombuffer(b"".join(encoded), np.uint8), starts


def _cell(text: str) -> str:
    """A text as a cell of a CSV file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([text])
    return line.getvalue()
