"""The sentences of an answer: one source of the words for the text file and for the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from qpolis.report.content.terminal_tables import note_lines


class Line(NamedTuple):
    """A sentence. The verdict, if there is one, begins with a few words that can stand alone; what follows a comma
    or a bracket explains them."""

    text: str
    verdict: str = ""
    rest: str = ""  # what a verdict rests on
    below: bool = False  # belongs to the line before it

    def __str__(self) -> str:
        said = f"{self.text}: {self.verdict}" if self.verdict else self.text
        return "  " * self.below + said + (f"; {self.rest}" if self.rest else "")


def as_lines(sentences: Iterable[Line | str]) -> list[Line]:
    """Sentences as lines; a plain text is one without a verdict."""
    return [one if isinstance(one, Line) else Line(one) for one in sentences]


class Topic(NamedTuple):
    """What is said about a topic."""

    key: str
    heading: str
    lines: list[Line]


@dataclass(frozen=True)
class Summary:
    """An answer in plain words."""

    asked: str
    intervals: str  # what the intervals are
    mixes: tuple[str, ...]
    topics: list[list[Topic]]  # by mix, those that there is something to say about
    changes: list[list[Line]]  # by mix: how it differs from the first; nothing for the first
    notes: list[str]  # what it rests on, as the game says
    warnings: list[str]
    abnormal: str = ""  # how many games do not count

    def lines(self) -> list[str]:
        """All of it as the lines of a text: mix by mix, then how the others differ from the first."""
        lines = [self.asked, self.intervals, *note_lines(self.notes)]
        for name, topics in zip(self.mixes, self.topics):
            lines += ["", *[f"== {name}"] * bool(name)]
            for topic in topics:
                lines += [topic.heading, *(f"  {line}" for line in topic.lines)]
        for name, changes in list(zip(self.mixes, self.changes))[1:]:
            lines += ["", f"== {name} against {self.mixes[0]}", *map(str, changes)]
        if self.warnings:
            lines += ["", *self.warnings]
        return [*lines, self.abnormal] if self.abnormal else lines
