"""Tables about a run for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from qpolis.game import with_settings
from qpolis.games import game_class
from qpolis.ratings.sprt import Test
from qpolis.report.content.outcome import Forfeit, Outcome, first_forfeits
from qpolis.report.content.progress import short
from qpolis.rng import SMALL
from qpolis.sandbox.levels import announcement
from qpolis.tourney.definition import FIXED, LISTED, Definition
from qpolis.tourney.plan import Plan
from qpolis.tourney.repeats import Repeat

WIDEST = 40  # characters of a bot's name
MOST_CROSS = 8  # bots in a crosstable on a terminal
MOST_FORFEITS = 8  # lines about them
MOST_REPEATS = 4  # lines about groups that repeat their games


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells in columns: the first to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        ).rstrip()
        for row in rows
    ]


def rating_lines(outcome: Outcome) -> list[str]:
    """The bots from the strongest to the weakest."""
    ratings = outcome.ratings
    rows = [["bot", "games", "wins", "place", "points", "Elo", "95% interval", "TrueSkill", "at least"]]
    for bot in ratings.order:
        games = max(int(ratings.games[bot]), 1)
        rows.append(
            [
                short(ratings.bots[bot], WIDEST),
                f"{ratings.games[bot]:,}",
                f"{ratings.wins[bot] / games:.1%}",
                f"{ratings.place[bot]:.2f}",
                f"{ratings.points[bot]:.1f}",
                f"{ratings.elo.value[bot]:+.0f}",
                f"{ratings.elo.low[bot]:+.0f} to {ratings.elo.high[bot]:+.0f}",
                f"{ratings.mu[bot]:.2f} ± {ratings.sigma[bot]:.2f}",
                f"{ratings.conservative[bot]:.2f}",
            ]
        )
    return columns(rows)


def cross_lines(outcome: Outcome) -> list[str]:
    """The share of each bot (row) against each other (column), with the half width of its interval."""
    ratings = outcome.ratings
    order = [bot for bot in ratings.order if ratings.games[bot]]
    if not 2 < len(order) <= MOST_CROSS:
        return []
    rows = [["ahead of", *(short(ratings.bots[bot], 14) for bot in order)]]
    share = ratings.cross.share
    for row in order:
        cells = [
            f"{share.value[row, bot]:.1%} ± {(share.high[row, bot] - share.low[row, bot]) / 2:.1%}"
            if ratings.cross.games[row, bot]
            else ""
            for bot in order
        ]
        rows.append([short(ratings.bots[row], WIDEST), *cells])
    return columns(rows)


def seat_lines(outcome: Outcome) -> list[str]:
    wins = outcome.ratings.seat_wins
    cells = [
        f"seat {seat} {value:.1%} ± {(high - low) / 2:.1%}"
        for seat, (value, low, high) in enumerate(zip(wins.value, wins.low, wins.high))
    ]
    return [f"wins by seat: {', '.join(cells)}"]


def cycle_lines(outcome: Outcome) -> list[str]:
    bots = outcome.ratings.bots
    return [
        "warning: these beat each other in a circle, so one number for each says too little: "
        + " > ".join(bots[bot] for bot in (*cycle, cycle[0]))
        for cycle in outcome.ratings.cycles
    ]


def repeat_lines(repeats: Sequence[Repeat]) -> list[str]:
    """Groups of bots whose games say less than their number makes believe."""
    lines = [
        f"warning: {', '.join(short(bot, WIDEST) for bot in item.bots)}: only {item.different:,} of "
        f"{item.games:,} games differ move by move; intervals do not know that the others repeat them"
        for item in repeats[:MOST_REPEATS]
    ]
    more = len(repeats) - MOST_REPEATS
    return [*lines, f"and {more:,} more groups repeat games"] if more > 0 else lines


def forfeit_lines(forfeits: Sequence[Forfeit]) -> list[str]:
    """How often each bot forfeited, and a first example of each kind."""
    if not forfeits:
        return []
    counts = Counter((item.bot, item.end) for item in forfeits)
    first = first_forfeits(forfeits)
    lines = [f"{len(forfeits):,} games ended abnormally:"]
    for (bot, end), count in counts.most_common(MOST_FORFEITS):
        item = first[bot, end]
        lines.append(f"  {short(bot, WIDEST)}: {end} in {count:,} games, first in game {item.game}: {item.reason}")
    if len(counts) > MOST_FORFEITS:
        lines.append(f"  and {len(counts) - MOST_FORFEITS} more kinds")
    return lines


def test_lines(test: Test | None) -> list[str]:
    """The verdict of a sequential test."""
    if test is None:
        return []
    elo = test.elo()
    verdict = test.line() if test.verdict else f"LLR {test.llr:.2f}: not decided after {test.games:,} games"
    return [
        verdict,
        f"Elo {elo.value:+.1f} ({elo.low:+.1f} to {elo.high:+.1f}; an early end makes it too extreme)",
    ]


def kind(definition: Definition) -> str:
    """What sort of run it is."""
    if definition.sprt:
        return "sequential test"
    if definition.seatings in (FIXED, LISTED):
        return f"games at {definition.seatings} seats"
    return "gauntlet" if definition.challenger else "round-robin"


def plan_lines(plan: Plan) -> list[str]:
    """What will be played."""
    definition = plan.definition
    alike = "" if game_class(definition.game).chance else " (all alike, nothing is drawn in this game)"
    groups = "" if len(plan.lineups) == 1 else f"{len(plan.lineups):,} groups in turn, "
    most = " at most" if definition.sprt else ""
    deals = "1 deal" if plan.blocks == 1 else f"{plan.blocks:,} deals"
    game = with_settings(definition.game, definition.options)
    lines = [
        f"{definition.name}: {kind(definition)} of {game}, seed {definition.seed}",
        f"{plan.games:,} games{most}: {deals}{alike}, each played in {plan.games_per_block} seatings "
        f"({groups}{definition.seatings})",
    ]
    lines += note_lines(plan.notes)
    if plan.foreign:
        lines.append(announcement(definition.sandbox, plan.foreign))
    if plan.foreign and definition.seed < SMALL and game_class(definition.game).chance:
        lines.append(
            f"warning: the seed {definition.seed} can be found by trying, so {', '.join(plan.foreign)} could know "
            "the deals (without --seed it is drawn)"
        )
    if plan.games != plan.asked:
        lines.append(f"({plan.asked:,} games were asked for: rounded up to whole deals)")
    lines += [f"  {bot}" + (" (challenger)" if bot == definition.challenger else "") for bot in plan.bots]
    return lines


def note_lines(notes: Iterable[str]) -> list[str]:
    """What results rest on, as the game says."""
    return [f"note: {note}" for note in notes]


def outcome_lines(outcome: Outcome) -> list[str]:
    """What came out of a run."""
    return [
        *rating_lines(outcome),
        "",
        *cross_lines(outcome),
        *seat_lines(outcome),
        *test_lines(outcome.test),
        *cycle_lines(outcome),
        *repeat_lines(outcome.repeats),
        *forfeit_lines(outcome.forfeits),
    ]


def path_lines(folder: Path, outcome: Outcome) -> list[str]:
    names = [path.name for path in outcome.paths if path.parent == folder]
    return [f"written to {folder}: {', '.join(names)}, plots/"]
