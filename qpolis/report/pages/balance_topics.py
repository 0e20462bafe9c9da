"""The findings, topic by topic: what is said, the plot, and all measures behind it in a table."""

from __future__ import annotations

from collections.abc import Iterator

from qpolis.balance.experiment import Entry
from qpolis.balance.measure import Measure
from qpolis.balance.question import LEVEL
from qpolis.report.content.balance_csv import MEASURES
from qpolis.report.content.balance_summary import FAIR, TOPICS
from qpolis.report.pages.balance_parts import (
    MOST_ROWS,
    BalanceReport,
    collapsed,
    cut_note,
    first_words,
    interval_text,
    mixes_left_out,
    number_cell,
    players_text,
    sentence_list,
    value_text,
    verdict_label,
)
from qpolis.report.pages.balance_summary import qualified, short
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, sort_key, table, text_cell
from qpolis.report.plots.balance_data import mixes_shown

# By topic: the groups of its measures, and the stem of its plot.
GROUPS = {
    "seats": ("seats",),
    "points": ("scores",),
    "buildings": ("kinds",),
    "effects": ("effects",),
    "tiles": ("tiles", "seat tiles"),
    "drama": ("drama",),
    "choices": ("choices",),
    "skill": ("skill", "field", "ladder"),
    "habits": ("habits",),
    "strategies": ("matrix",),
}
PLOTS = {
    "seats": "seats",
    "points": "scores",
    "buildings": "kinds",
    "effects": "effects",
    "tiles": "tiles",
    "drama": "drama",
    "skill": "ladder",
    "habits": "habits",
    "strategies": "matrix",
}
# The measures of a tile, and what they are called in the heading of a table.
TILE = {
    "effect": "effect on winning",
    "taken": "taken",
    "place in the round": "place in the round",
    "taken by the first player": "by the first player",
}
SEAT_TILES = "first seat's advantage"


def topics(report: BalanceReport) -> Iterator[tuple[str, str, Html]]:
    """The parts of the page about topics: anchor, heading, content."""
    for key, (heading, _) in TOPICS.items():
        yield key, short(heading), about(report, key, heading)


def about(report: BalanceReport, key: str, heading: str) -> Html:
    """What is said about a topic, shown and measured; nothing if there is nothing."""
    entries = [entry for entry in report.answer.entries if entry.measure.group in GROUPS[key]]
    plots = report.plots(PLOTS[key]) if key in PLOTS else []
    words = list(sentences(report, key))
    if not (entries or plots or words):
        return Html()
    tabled = tile_table(report) if key == "tiles" else measure_table(report, entries, seats=key == "seats")
    rest = qualified(heading)
    return join([tag("p", rest) if rest else None, words, plots, tabled])


def sentences(report: BalanceReport, key: str) -> Iterator[Html]:
    """The words about a topic, under the names of their mixes if there are several."""
    for name, topics in zip(report.summary.mixes, report.summary.topics):
        for topic in topics:
            if topic.key == key:
                yield join([tag("h3", name) if report.several else None, sentence_list(topic.lines)])


def measure_table(report: BalanceReport, entries: list[Entry], seats: bool) -> Html:
    """Every measure of a topic with its interval; those of seats with the verdict on them."""
    if not entries:
        return Html()
    verdicts = (
        {
            (item.entry.mix, *item.entry.key): verdict_label(first_words(FAIR[item.word]))
            for mix in report.answer.fairness
            for item in mix
        }
        if seats
        else {}
    )
    heading = [
        *["mix"] * report.several,
        text_cell("measure"),
        text_cell("who plays"),
        "value",
        "95% interval",
        "samples",
        "deals",
        *[text_cell("seats are")] * seats,
    ]
    rows = (
        [
            *[report.names[entry.mix]] * report.several,
            text_cell(entry.measure.name, "td"),
            text_cell(players_text(entry.part, entry.level), "td"),
            *estimate(entry.measure),
            *[text_cell(verdicts.get((entry.mix, *entry.key), ""), "td")] * seats,
        ]
        for entry in entries[:MOST_ROWS]
    )
    return collapsed(f"All measures ({len(entries):,})", table(heading, rows), cut_note(len(entries), MEASURES))


def estimate(measure: Measure) -> list[Html]:
    """Cells with value, interval, and what they rest on."""
    return [
        cell(value_text(measure, measure.value), sort_key(measure.value)),
        cell(interval_text(measure), sort_key(measure.interval()[0])),
        cell(f"{measure.samples:,}", measure.samples),
        cell(f"{measure.units:,}", measure.units),
    ]


def tile_table(report: BalanceReport) -> Html:
    """A row for each tile, as the first bot plays against itself."""
    answer = report.answer
    level = answer.question.bots[0]
    rows = []
    for mix in mixes_shown(answer):
        found = {
            (entry.measure.group, entry.measure.name): entry.measure
            for entry in answer.entries
            if (entry.mix, entry.part, entry.level) == (mix, LEVEL, level)
        }
        stems = [
            name.removesuffix(": taken") for group, name in found if group == "tiles" and name.endswith(": taken")
        ]
        rows += [tile_row(report, found, mix, stem) for stem in stems]
    if not rows:
        return Html()
    heading = [*["mix"] * report.several, text_cell("tile"), *TILE.values(), SEAT_TILES, "samples"]
    note = (
        f"{level} against itself; other levels of play are in {MEASURES}. In brackets: 95% intervals. The "
        "last measure is what a tile has to do with the first seat's advantage, in percentage points (pp)."
    )
    return collapsed(
        f"All tiles ({len(rows):,})",
        tag("p", note, class_="note"),
        mixes_left_out(report, MEASURES),
        table(heading, rows[:MOST_ROWS], class_="named tight"),
        cut_note(len(rows), MEASURES),
    )


def tile_row(report: BalanceReport, found: dict[tuple[str, str], Measure], mix: int, stem: str) -> list[object]:
    measures = [found.get(("tiles", f"{stem}: {name}")) for name in TILE] + [found.get(("seat tiles", stem))]
    taken = found["tiles", f"{stem}: taken"]
    return [
        *[report.names[mix]] * report.several,
        text_cell(stem, "td"),
        *(number_cell(measure) if measure else cell("", "") for measure in measures),
        cell(f"{taken.samples:,}", taken.samples),
    ]
