"""The measures of mixes as CSV: every number with its interval and what it rests on."""

from __future__ import annotations

import math

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import Entry
from qpolis.balance.measure import Measure
from qpolis.files import csv_text

MEASURES, SEATS, COMPARISONS, HISTOGRAMS = "measures.csv", "seats.csv", "comparisons.csv", "histograms.csv"
WHERE = ("mix", "part", "level", "group", "measure", "unit")


def tables(answer: Answer) -> dict[str, str]:
    """All tables by the names of their files."""
    made = {MEASURES: measures_csv(answer), SEATS: seats_csv(answer), HISTOGRAMS: histograms_csv(answer)}
    if len(answer.question.mixes) > 1:
        made[COMPARISONS] = comparisons_csv(answer)
    return made


def measures_csv(answer: Answer) -> str:
    rows = (
        [*where(answer, entry), *estimate(entry.measure), entry.measure.samples, entry.measure.units]
        for entry in answer.entries
    )
    return csv_text([*WHERE, "value", "low", "high", "samples", "deals"], rows)


def seats_csv(answer: Answer) -> str:
    """Whether seats are equal: their advantage, tested against none and against one that matters."""
    rows = (
        [
            *where(answer, item.entry)[:3],
            item.entry.measure.name.removesuffix(" wins"),
            *estimate(item.entry.measure),
            *estimate(item.advantage)[:1],
            cell(item.bound),
            cell(item.verdict.different),
            cell(item.verdict.equivalent),
            item.verdict.word,
        ]
        for mix in answer.fairness
        for item in mix
    )
    return csv_text(
        [
            *WHERE[:3],
            "seat",
            "wins",
            "low",
            "high",
            "advantage",
            "bound",
            "p_different",
            "p_equivalent",
            "verdict",
        ],
        rows,
    )


def comparisons_csv(answer: Answer) -> str:
    """Other mixes against the first. p-values are corrected for the number of measures."""
    rows = (
        [
            *where(answer, item.new),
            cell(item.old.measure.value),
            cell(item.new.measure.value),
            *estimate(item.change),
            cell(item.bound),
            cell(item.verdict.different),
            cell(item.verdict.equivalent),
            item.verdict.word,
            cell(item.gain),
            item.change.units,
        ]
        for mix in answer.comparisons
        for item in mix
    )
    return csv_text(
        [
            *WHERE,
            "before",
            "after",
            "change",
            "low",
            "high",
            "bound",
            "p_different",
            "p_equivalent",
            "verdict",
            "gain",
            "deals",
        ],
        rows,
    )


def histograms_csv(answer: Answer) -> str:
    rows = (
        [answer.question.mixes[run.cell.mix], run.cell.part, run.cell.level, what, at, int(count)]
        for run in answer.runs
        for what, counts in run.histograms.items()
        for at, count in enumerate(counts)
    )
    return csv_text([*WHERE[:3], "what", "at", "count"], rows)


def where(answer: Answer, entry: Entry) -> list[str]:
    """Which number it is, cell by cell."""
    measure = entry.measure
    return [answer.question.mixes[entry.mix], entry.part, entry.level, measure.group, measure.name, measure.unit]


def estimate(measure: Measure) -> list[str]:
    """Value and interval."""
    return [cell(number) for number in (measure.value, *measure.interval())]


def cell(number: float) -> str:
    """A number with six digits, so that rounding in the last place of sums does not show; nothing if unknown."""
    return "" if math.isnan(number) else f"{number:.6g}"
