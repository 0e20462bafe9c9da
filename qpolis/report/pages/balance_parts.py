"""What the page of an answer is made from, and the small things that all its parts use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from qpolis.balance.answer import Answer
from qpolis.balance.measure import EFFECT, Measure
from qpolis.balance.question import FIELD, HABITS, LADDER, LEVEL, MATRIX
from qpolis.report.content.balance_lines import Line, Summary
from qpolis.report.content.balance_search import SearchOutcome
from qpolis.report.content.balance_text import amount
from qpolis.report.pages.figures import plot
from qpolis.report.pages.markup import Html, join, printable, tag
from qpolis.report.pages.page import cell, sort_key
from qpolis.report.plots.balance import Drawing
from qpolis.report.plots.balance_data import left_out, mix_names, mixes_shown

MOST_ROWS = 1500  # of a table: more are in the CSV files
NAME = 2.4  # inches of a mix's name in a table
WHO = {FIELD: "all bots", HABITS: "with habits", MATRIX: "with habits", LADDER: "mcts"}  # by part of a question
# How a verdict looks, by its first words. It is the words that say it.
LOOKS = {
    "fair": "good",
    "met": "good",
    "not fair": "bad",
    "missed": "bad",
    "not equal": "strong",
    "changed": "strong",
    "tiny change": "weak",
    "the same": "weak",
}


@dataclass(frozen=True)
class BalanceReport:
    """An answer with its words and plots; of a search also what was tried."""

    folder: Path
    answer: Answer
    summary: Summary
    drawings: Mapping[str, Drawing]
    search_outcome: SearchOutcome | None = None

    @property
    def several(self) -> bool:
        """Are there mixes to compare?"""
        return len(self.answer.question.mixes) > 1

    @cached_property
    def names(self) -> list[str]:
        """The mixes as tables and plots call them."""
        return mix_names(self.answer, NAME)

    def plots(self, stem: str) -> list[Html]:
        """The plots of a name: one for all mixes, or one for each that is shown."""
        names = [f"{stem}-{mix}" if mix else stem for mix in mixes_shown(self.answer)]
        found = {name: self.drawings[name] for name in names if name in self.drawings}
        places = list(self.drawings)  # short names: they stand at every letter of a plot
        return [
            plot(drawing.files[".svg"], f"p{places.index(name)}", printable(drawing.heading), drawing.heading)
            for name, drawing in found.items()
        ]


def mixes_left_out(report: BalanceReport, file: str) -> Html | None:
    """What is said where only the first mixes are shown."""
    words = left_out(report.answer).strip()
    return tag("p", f"{words} All are in {file}.", class_="note") if words else None


def sentence_list(lines: list[Line]) -> Html:
    """Sentences as a list; those that belong to another are below it."""
    items: list[list[Html]] = []
    for line in lines:
        if line.below and items:
            items[-1].append(sentence(line))
        else:
            items.append([sentence(line)])
    return tag(
        "ul",
        [
            tag("li", first, tag("ul", [tag("li", one) for one in below]) if below else None)
            for first, *below in items
        ],
        class_="said",
    )


def sentence(line: Line) -> Html:
    """A sentence with its verdict as a label."""
    if not line.verdict:
        return join([line.text])
    word = first_words(line.verdict)
    rest = line.verdict[len(word) :].lstrip(", ").strip()
    return join(
        [line.text, " ", verdict_label(word), f" {rest}" if rest else "", f"; {line.rest}" if line.rest else ""]
    )


def first_words(verdict: str) -> str:
    """The words of a verdict that can stand alone."""
    return verdict.split(",")[0].split(" (")[0]


def verdict_label(word: str) -> Html:
    return tag("span", word, class_=f"verdict {LOOKS.get(word, 'open')}")


def players_text(part: str, level: str) -> str:
    """Who played in a run."""
    return level if part == LEVEL else WHO[part]


def value_text(measure: Measure, number: float, change: bool = False) -> str:
    """A number of a measure with its unit. What is explained of a margin is a part of it."""
    if math.isnan(number):
        return "unknown"
    if measure.unit == EFFECT and measure.group == "skill" and not change:
        return f"{100 * number:.1f}%"
    signed = change or measure.unit == EFFECT
    return amount(measure, number, "+" if signed else "") + (" pp" if measure.unit == EFFECT else "")


def interval_text(measure: Measure, change: bool = False) -> str:
    """Its interval, without the unit."""
    low, high = (value_text(measure, end, change) for end in measure.interval())
    return "unknown" if "unknown" in (low, high) else f"{without_unit(low)} to {without_unit(high)}"


def without_unit(text: str) -> str:
    return text.removesuffix("%").removesuffix(" pp")


def number_cell(measure: Measure, change: bool = False) -> Html:
    """A cell with a value and its interval, which sorts by the value."""
    if math.isnan(measure.value):
        return cell("unknown", "")
    value = value_text(measure, measure.value, change)
    return cell(
        [value, " ", tag("span", f"({interval_text(measure, change)})", class_="interval")],
        sort_key(measure.value),
    )


def cut_note(rows: int, file: str) -> Html | None:
    """What is said below a table that is too long for a page."""
    words = f"The first {MOST_ROWS:,} rows; all are in {file}."
    return tag("p", words, class_="note") if rows > MOST_ROWS else None


def whole_sentence(words: str) -> str:
    """Words of a text file as a sentence of a page."""
    return words[:1].upper() + words[1:] + "."


def collapsed(heading: str, *content: object) -> Html:
    return tag("details", tag("summary", heading), content)
