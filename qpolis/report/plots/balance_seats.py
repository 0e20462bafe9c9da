"""Whether it matters where one sits."""

from __future__ import annotations

from qpolis.balance.answer import Answer
from qpolis.balance.compare import UNEVEN, Fairness
from qpolis.balance.inference import DIFFERENT, EQUIVALENT, OPEN, SMALL
from qpolis.report.plots.balance_data import (
    estimates,
    known,
    left_out,
    level_names,
    mix_names,
    mixes_shown,
    note,
    title,
)
from qpolis.report.plots.balance_forest import BAND, UNITED, Group, dots, forest, row_height, series, window
from qpolis.report.plots.figure_layout import COLOURS, Column, set_x_axis
from qpolis.report.plots.style import GREY, INK, Figure, styled
from qpolis.report.plots.text import between, decimals, number

MOST = 48  # rows; if there are more, only the first level of play is shown
WORDS = {DIFFERENT: "unfair", UNEVEN: "uneven", SMALL: "fair (tiny)", EQUIVALENT: "fair", OPEN: "open"}
INKS = {DIFFERENT: COLOURS[1], UNEVEN: COLOURS[1], SMALL: COLOURS[0], EQUIVALENT: COLOURS[0], OPEN: GREY}


@styled()
def draw_seats(answer: Answer) -> Figure | None:
    """The share of wins of every seat, by mix and level of play."""
    found, levels = _found(answer)
    shares = estimates(fairness.entry.measure for fairness in found)
    if not known(shares):
        return None
    seats, within = answer.seats, answer.question.within
    equal = 100 / seats
    digits = [decimals(*ends) for ends in zip(shares.low, shares.high)]
    values = [number(value, places) + "%" for value, places in zip(shares.value, digits)]
    ranges = [between(*ends) for ends in zip(shares.low, shares.high, digits)]
    words = [fairness.word for fairness in found]
    remark = (
        f"Dashed: all seats equal ({number(equal, int(seats == 3))}%). Shaded: less than {within:g} points "
        "from it, which does not matter. Verdicts are corrected for many tests."
    )
    figure, axes, y = forest(
        title(answer),
        "Who wins by seat",
        _groups(answer, found),
        [
            Column("wins", values, INK),
            Column("95% interval", ranges),
            Column("seats are", [WORDS[word] for word in words], [INKS[word] for word in words]),
        ],
        row_height(len(found)),
        xlabel="share of wins (a shared win counts in parts)",
        note=note(remark, _games(answer, found), left_out(answer, levels)),
    )
    set_x_axis(axes, *window([shares], (equal - within, equal + within), ends=(-1, 101)), unit="%", most=6)
    axes.axvspan(equal - within, equal + within, color=BAND, zorder=0, linewidth=0)
    axes.axvline(equal, color=GREY, linewidth=1.2, linestyle=UNITED, zorder=1)
    looks = series(seats)
    dots(axes, y, shares, [looks[_seat(fairness)] for fairness in found])
    return figure


def _found(answer: Answer) -> tuple[list[Fairness], int]:
    """What is known of the seats, of mixes and levels that are shown, and how many levels these are."""
    bots = answer.question.bots
    found = [fairness for mix in mixes_shown(answer) for fairness in answer.fairness[mix]]
    if len(found) <= MOST:
        return found, len(bots)
    return [fairness for fairness in found if fairness.entry.level == bots[0]], 1


def _games(answer: Answer, found: list[Fairness]) -> int:
    shown = {(fairness.entry.mix, fairness.entry.part, fairness.entry.level) for fairness in found}
    return sum(run.games for run in answer.runs if (run.cell.mix, run.cell.part, run.cell.level) in shown)


def _seat(fairness: Fairness) -> int:
    return int(fairness.entry.measure.name.split()[1])


def _groups(answer: Answer, found: list[Fairness]) -> list[Group]:
    """A group for each mix. The level of play stands before its first seat."""
    levels, mixes = level_names(answer), mix_names(answer, 4.4)
    groups = []
    for mix in mixes_shown(answer):
        labels, before = [], None
        for fairness in found:
            entry, seat = fairness.entry, f"seat {_seat(fairness)}"
            if entry.mix == mix:
                new = (entry.part, entry.level) != before
                before = entry.part, entry.level
                labels.append(f"{levels[before]}:  {seat}" if new else seat)
        groups.append(Group(mixes[mix] if len(mixes) > 1 else "", labels))
    return groups
