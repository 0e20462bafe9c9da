"""What the plots of balance take from an answer: measures as estimates, and names for mixes, bots and habits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import Entry, RunMeasures
from qpolis.balance.measure import Measure
from qpolis.balance.question import FIELD, LEVEL, NO_MIX, Question, strategies
from qpolis.game import option_text
from qpolis.ratings.standing import Estimate
from qpolis.registry.spec import resolve
from qpolis.report.plots.figure_layout import EDGE
from qpolis.report.plots.style import WIDTH
from qpolis.report.plots.text import count, names, number, shortened

MIXES = 6  # more are not shown
NAME = 2.2  # inches that the name of a mix may take
THE_FIELD = "all bots"  # who plays in the field
Ends = tuple[float, float, float]  # a value and its interval
PLAIN = "plain"  # a bot without habits, among those with
NOTHING: Ends = (np.nan, np.nan, np.nan)


def title(answer: Answer) -> str:
    """The question in a line."""
    question = answer.question
    options = "".join(f" {key}={option_text(value)}" for key, value in question.options.items())
    mixes = f", {'mix' if len(question.mixes) == 1 else 'mixes'} {', '.join(mix_names(answer, 2))}"
    return f"{question.name}: {question.game}{options}" + ("" if question.mixes == (NO_MIX,) else mixes)


def note(first: str, games: int, last: str = "") -> str:
    """A footnote of two lines: what is to be said of the plot, then what holds for all."""
    last = f"95% intervals; their units are blocks of games on the same deal. {count(games, 'game')}.{last}"
    return "\n".join(shortened(line, WIDTH - 2 * EDGE, 8) for line in (first, last) if line)


def mixes_shown(answer: Answer) -> range:
    """The numbers of the mixes that are in a plot of several."""
    return range(min(len(answer.question.mixes), MIXES))


def levels_shown(answer: Answer, most: int) -> tuple[str, ...]:
    """The bots that are in a plot of so many marks or lines, at most, for all mixes."""
    return answer.question.bots[: max(1, most // len(mixes_shown(answer)))]


def left_out(answer: Answer, levels: int | None = None) -> str:
    """What a footnote says about mixes that are not shown, and about bots."""
    bots, mixes = len(answer.question.bots), len(answer.question.mixes)
    shown = [f"{MIXES} of {mixes} mixes"] * (mixes > MIXES)
    if levels is not None and levels < bots:
        shown.append(f"{levels} of {bots} bots")
    return f" Shown: {' and '.join(shown)}." if shown else ""


def mix_names(answer: Answer, inches: float = NAME, size: float = 9) -> list[str]:
    """The mixes by short names: a file by its own, without its folders; where there are none, the game."""
    question = answer.question
    plain = [PurePath(mix).name.removesuffix(".csv") or mix or question.game for mix in question.mixes]
    return names(plain, inches, size)


def level_names(answer: Answer, inches: float = NAME) -> dict[tuple[str, str], str]:
    """Who plays, by part and level: every bot against itself, and the field."""
    bots = answer.question.bots
    short = {(LEVEL, bot): name for bot, name in zip(bots, names(bots, inches))}
    return {**short, (FIELD, ""): THE_FIELD}


def run_of(answer: Answer, mix: int, part: str, level: str) -> RunMeasures | None:
    """The run of a mix, if there is such a one."""
    return next(
        (run for run in answer.runs if (run.cell.mix, run.cell.part, run.cell.level) == (mix, part, level)), None
    )


def games_of(answer: Answer, parts: Iterable[str], levels: Sequence[str] | None = None) -> int:
    """Games of some parts of a question."""
    wanted = set(parts)
    return sum(
        run.games
        for run in answer.runs
        if run.cell.part in wanted and (levels is None or run.cell.level in levels)
    )


def measure_of(answer: Answer, mix: int, part: str, level: str, group: str, name: str) -> Measure | None:
    """A measure, if there is such a one."""
    entry: Entry | None = answer.find(mix, part, level, group, name)
    return entry.measure if entry else None


def estimates(measures: Iterable[Measure | None], scale: float = 100.0) -> Estimate:
    """Values and their intervals, NaN where nothing is known. Shares and effects become percent."""
    found = together((measure.value, *measure.interval()) if measure else None for measure in measures)
    return Estimate(scale * found.value, scale * found.low, scale * found.high)


def together(ends: Iterable[Ends | None]) -> Estimate:
    """Values and intervals in one, NaN where there is none."""
    return Estimate(*np.array([one or NOTHING for one in ends], float).reshape(-1, 3).T)


def known(estimate: Estimate) -> bool:
    return bool(np.isfinite(estimate.value).any())


def texts(values: np.ndarray, digits: int = 1, sign: str = "-", unit: str = "") -> list[str]:
    """Numbers for a column."""
    return [number(value, digits, sign) + unit if np.isfinite(value) else "unknown" for value in values]


def habits(question: Question) -> dict[str, tuple[str, str]]:
    """The bots with habits: which habit, and the kind of building."""
    kinds = [(habit, kind) for habit in ("forbid", "favor") for kind in getattr(question, habit)]
    return dict(zip(strategies(question), kinds))


def budgets(question: Question) -> dict[str, int]:
    """The bots of the ladder, and how many simulations they have."""
    return {resolve(f"mcts:sims={sims}").spec: sims for sims in sorted(question.ladder)}


def habit_names(question: Question) -> dict[str, str]:
    """The bots with habits in words, for readers who know which bot has them."""
    words = {"forbid": "no", "favor": "more"}
    return {spec: f"{words[habit]} {kind}" for spec, (habit, kind) in habits(question).items()}


def ahead(answer: Answer, mix: int, part: str) -> dict[tuple[str, str], Ends]:
    """By two bots: the share of games in which the first one is ahead of the second, in percent, both ways."""
    shares = {}
    for entry in answer.entries:
        if (entry.mix, entry.part, entry.measure.group) == (mix, part, part):
            one, _, two = entry.measure.name.partition(" ahead of ")
            low, high = entry.measure.interval()
            shares[one, two] = 100 * entry.measure.value, 100 * low, 100 * high
            shares[two, one] = 100 - 100 * entry.measure.value, 100 - 100 * high, 100 - 100 * low
    return shares
