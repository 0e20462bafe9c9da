"""The findings, topic by topic: what is said, the plot, and all measures behind it in a table."""

from __future__ import annotations

from collections.abc import Iterator

from qpolis.balance.experiment import Entry
from qpolis.balance.measure import Measure
from qpolis.balance.question import LEVEL
from qpolis.report.content.balance_summary import FAIR, TOPICS
from qpolis.report.content.balance_tables import MEASURES
from qpolis.report.pages.balance_material import (
    MOST_ROWS,
    Material,
    cut,
    first_words,
    folded,
    interval_text,
    label,
    mixes_left_out,
    number_cell,
    said,
    value_text,
    who,
)
from qpolis.report.pages.balance_summary import qualified, short
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, left, sort_key, table
from qpolis.report.plots.balance_content import mixes_shown

# By topic: the groups of its measures, and the stem of its plot.
GROUPS = {"seats": ("seats",), "points": ("scores",), "buildings": ("kinds",), "effects": ("effects",),
          "tiles": ("tiles", "seat tiles"), "drama": ("drama",), "choices": ("choices",),
          "skill": ("skill", "field", "ladder"), "habits": ("habits",), "strategies": ("matrix",)}
PLOTS = {"seats": "seats", "points": "scores", "buildings": "kinds", "effects": "effects", "tiles": "tiles",
         "drama": "drama", "skill": "ladder", "habits": "habits", "strategies": "matrix"}
# The measures of a tile, and what they are called in the heading of a table.
TILE = {"effect": "effect on winning", "taken": "taken", "place in the round": "place in the round",
        "taken by the first player": "by the first player"}
SEAT_TILES = "first seat's advantage"


def topics(material: Material) -> Iterator[tuple[str, str, Html]]:
    """The parts of the page about topics: anchor, heading, content."""
    for key, (heading, _) in TOPICS.items():
        yield key, short(heading), about(material, key, heading)


def about(material: Material, key: str, heading: str) -> Html:
    """What is said about a topic, shown and measured; nothing if there is nothing."""
    entries = [entry for entry in material.answer.entries if entry.measure.group in GROUPS[key]]
    plots = material.plots(PLOTS[key]) if key in PLOTS else []
    words = list(sentences(material, key))
    if not (entries or plots or words):
        return Html()
    tabled = tile_table(material) if key == "tiles" else measure_table(material, entries, seats=key == "seats")
    rest = qualified(heading)
    return join([tag("p", rest) if rest else None, words, plots, tabled])


def sentences(material: Material, key: str) -> Iterator[Html]:
    """The words about a topic, under the names of their mixes if there are several."""
    for name, topics in zip(material.words.mixes, material.words.topics):
        for topic in topics:
            if topic.key == key:
                yield join([tag("h3", name) if material.several else None, said(topic.lines)])


def measure_table(material: Material, entries: list[Entry], seats: bool) -> Html:
    """Every measure of a topic with its interval; those of seats with the verdict on them."""
    if not entries:
        return Html()
    verdicts = {(item.entry.mix, *item.entry.key): label(first_words(FAIR[item.word]))
                for mix in material.answer.fairness for item in mix} if seats else {}
    heading = [*["mix"] * material.several, left("measure"), left("who plays"), "value", "95% interval", "samples",
               "deals", *[left("seats are")] * seats]
    rows = ([*[material.names[entry.mix]] * material.several, left(entry.measure.name, "td"),
             left(who(entry.part, entry.level), "td"), *estimate(entry.measure),
             *[left(verdicts.get((entry.mix, *entry.key), ""), "td")] * seats] for entry in entries[:MOST_ROWS])
    return folded(f"All measures ({len(entries):,})", table(heading, rows), cut(len(entries), MEASURES))


def estimate(measure: Measure) -> list[Html]:
    """Cells with value, interval, and what they rest on."""
    return [cell(value_text(measure, measure.value), sort_key(measure.value)),
            cell(interval_text(measure), sort_key(measure.interval()[0])),
            cell(f"{measure.samples:,}", measure.samples), cell(f"{measure.units:,}", measure.units)]


def tile_table(material: Material) -> Html:
    """A row for each tile, as the first bot plays against itself."""
    answer = material.answer
    level = answer.question.bots[0]
    rows = []
    for mix in mixes_shown(answer):
        found = {(entry.measure.group, entry.measure.name): entry.measure for entry in answer.entries
                 if (entry.mix, entry.part, entry.level) == (mix, LEVEL, level)}
        stems = [name.removesuffix(": taken") for group, name in found
                 if group == "tiles" and name.endswith(": taken")]
        rows += [tile_row(material, found, mix, stem) for stem in stems]
    if not rows:
        return Html()
    heading = [*["mix"] * material.several, left("tile"), *TILE.values(), SEAT_TILES, "samples"]
    note = (f"{level} against itself; other levels of play are in {MEASURES}. In brackets: 95% intervals. The "
            "last measure is what a tile has to do with the first seat's advantage, in percentage points (pp).")
    return folded(f"All tiles ({len(rows):,})", tag("p", note, class_="note"), mixes_left_out(material, MEASURES),
                  table(heading, rows[:MOST_ROWS], class_="named tight"), cut(len(rows), MEASURES))


def tile_row(material: Material, found: dict[tuple[str, str], Measure], mix: int, stem: str) -> list[object]:
    measures = [found.get(("tiles", f"{stem}: {name}")) for name in TILE] + [found.get(("seat tiles", stem))]
    taken = found["tiles", f"{stem}: taken"]
    return [*[material.names[mix]] * material.several, left(stem, "td"),
            *(number_cell(measure) if measure else cell("", "") for measure in measures),
            cell(f"{taken.samples:,}", taken.samples)]
