"""What a mix changes."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.compare import TILES, Comparison
from qpolis.balance.experiment import Entry
from qpolis.balance.inference import DIFFERENT, EQUIVALENT, OPEN, SMALL
from qpolis.balance.measure import COUNT, EFFECT, POINTS, SHARE, Measure
from qpolis.balance.question import FIELD, HABITS, LADDER, LEVEL, MATRIX
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance_data import PLAIN, budgets, habit_names, level_names, mix_names, note, title
from qpolis.report.plots.balance_forest import BAND, Group, around_zero, dots, forest, row_height
from qpolis.report.plots.figure_layout import COLOURS, Column, SeriesStyle, set_x_axis
from qpolis.report.plots.style import DPI, GREY, INK, Axes, Figure, styled
from qpolis.report.plots.text import names, number, width

MOST, CHANGED = 24, 16  # rows; those for changes, if there is enough else to show
FIRST = ("seats", "scores", "drama", "skill", "effects", "habits", "ladder", "kinds", "choices")  # by importance
REACH = 12.0  # bounds that are shown at most
LABEL = 3.1  # inches
WORDS = {DIFFERENT: "changed", SMALL: "tiny change", EQUIVALENT: "the same", OPEN: "open"}
LOOKS = {
    DIFFERENT: SeriesStyle(COLOURS[1], "-", "D"),
    SMALL: SeriesStyle(COLOURS[0], "-", "s"),
    EQUIVALENT: SeriesStyle(COLOURS[0], "-", "o"),
    OPEN: SeriesStyle(GREY, "-", "o"),
}
# By unit: a factor, decimals, and what follows the number.
SCALES = {SHARE: (100, 1, "%"), EFFECT: (100, 1, " pp"), POINTS: (1, 1, ""), COUNT: (1, 2, "")}


@styled()
def draw_changes(answer: Answer, mix: int = 1) -> Figure | None:
    """The changes from the first mix to another one, in units of what does not matter."""
    shown = important(answer, mix)
    if not shown:
        return None
    looks = [LOOKS[one.verdict.word] for one in shown]
    ends = np.array([(one.change.value, *one.change.interval()) for one in shown]).T
    change = Estimate(*(ends / [one.bound for one in shown]))
    heads, within = mix_names(answer, 0.9, 8), f"{answer.question.within:g}"
    left, right = around_zero([change], (-1.5, 1.5), REACH)
    remark = (
        f"Shaded: less than {within} percentage points (pp), a point (or a tenth), a twentieth of a count. "
        "Verdicts are corrected for many tests."
    )
    cut = any(((part < left) | (part > right)).any() for part in (change.value, change.low, change.high))
    beyond = " (arrow heads: beyond the axis)" * cut
    figure, axes, y = forest(
        title(answer),
        f"What {mix_names(answer, 3, 12)[mix]} changes",
        [Group("", _labels(answer, shown))],
        [
            Column(heads[0], [_value_text(one.old.measure) for one in shown]),
            Column(heads[mix], [_value_text(one.new.measure) for one in shown]),
            Column("change", [_value_text(one.change, "+") for one in shown], INK),
            Column("verdict", [WORDS[one.verdict.word] for one in shown], [how.colour for how in looks]),
        ],
        row_height(len(shown)),
        xlabel="change, in units of what does not matter" + beyond,
        note=note(remark, _games(answer, mix)),
    )
    set_x_axis(axes, left, right, sign="+", most=6)
    axes.axvspan(-1, 1, color=BAND, zorder=0, linewidth=0)
    axes.axvline(0, color=GREY, linewidth=1.2, zorder=1)
    dots(axes, y, change, looks)
    _zone(axes)
    return figure


def _zone(axes: Axes) -> None:
    """Say above the shaded zone what it is, without leaving the axes."""
    left, right = axes.get_xlim()
    words = "does not matter"
    room = 0.5 * width(words, 8) * DPI / axes.bbox.width  # half of it, as a part of the axes
    place = np.clip(-left / (right - left), min(room, 0.5), max(1 - room, 0.5))
    axes.text(
        place, 1 + 0.04 * DPI / axes.bbox.height, words, transform=axes.transAxes, ha="center", size=8, color=GREY
    )


def _games(answer: Answer, mix: int) -> int:
    return sum(run.games for run in answer.runs if run.cell.mix in (0, mix) and run.cell.part != MATRIX)


def important(answer: Answer, mix: int) -> list[Comparison]:
    """First what changed, the most first; then what matters most of the rest."""
    mirrored = "seat 1 wins" if answer.seats == 2 else ""  # says what seat 0 does
    found = _once(
        [
            one
            for one in answer.comparisons[mix]
            if one.old.measure.group not in TILES
            and one.old.part != MATRIX
            and one.old.measure.name != mirrored
            and np.isfinite(one.change.value)
            and one.bound
        ]
    )
    changed = [one for one in found if one.verdict.word == DIFFERENT]
    changed.sort(key=lambda one: -abs(one.change.value / one.bound))
    others = [one for one in found if one.verdict.word != DIFFERENT and one.old.measure.group in FIRST]
    others.sort(key=lambda one: FIRST.index(one.old.measure.group))
    changed = changed[: max(CHANGED, MOST - len(others))]
    return changed + others[: MOST - len(changed)]


def _once(comparisons: list[Comparison]) -> list[Comparison]:
    """Every measure at one level of play: the first at which it changed, or else the first."""
    best: dict[tuple[str, str, str], Comparison] = {}
    for one in comparisons:
        part = LEVEL if one.old.part == FIELD else one.old.part
        key = part, one.old.measure.group, one.old.measure.name
        if key not in best or one.verdict.word == DIFFERENT != best[key].verdict.word:
            best[key] = one
    return list(best.values())


def _labels(answer: Answer, shown: list[Comparison]) -> list[str]:
    levels, question = level_names(answer, 1.2), answer.question
    bots = {**habit_names(question), **{spec: f"{sims} simulations" for spec, sims in budgets(question).items()}}
    return names([_label(levels, bots, one.old) for one in shown], LABEL)


def _label(levels: dict[tuple[str, str], str], bots: dict[str, str], entry: Entry) -> str:
    """What is measured, and with whom."""
    name = entry.measure.name
    if entry.part in (HABITS, LADDER):
        one, ahead, two = name.partition(" ahead of ")
        return bots.get(one, PLAIN) + ahead + bots.get(two, PLAIN)
    what = f"effect of a {name}" if entry.measure.group == "effects" else name
    return f"{levels[entry.part, entry.level]}: {what}"


def _value_text(measure: Measure, sign: str = "-") -> str:
    """A measure in its own unit. What is explained of the margin is no effect but a part."""
    kind = SHARE if (measure.group, sign) == ("skill", "-") else measure.unit
    scale, digits, unit = SCALES[kind]
    return number(scale * measure.value, digits, "+" if kind == EFFECT else sign) + unit
