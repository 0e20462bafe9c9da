"""The answer to a question: measures, verdicts about seats, and comparisons of mixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from qpolis.balance.compare import Comparison, Fairness, compare, fairness
from qpolis.balance.experiment import Entry, RunMeasures
from qpolis.balance.question import Question


@dataclass(frozen=True)
class Answer:
    """All that the games of a question say."""

    question: Question
    categories: tuple[str, ...]  # that points are accounted by
    seats: int
    runs: Sequence[RunMeasures]

    @cached_property
    def entries(self) -> list[Entry]:
        return [entry for run in self.runs for entry in run.entries]

    @property
    def games(self) -> int:
        return sum(run.games for run in self.runs)

    def find(self, mix: int, part: str, level: str, group: str, name: str) -> Entry | None:
        """One measure, if there is such a one."""
        return self._by_key.get((mix, part, level, group, name))

    @cached_property
    def _by_key(self) -> dict[tuple[int, str, str, str, str], Entry]:
        return {(entry.mix, *entry.key): entry for entry in self.entries}

    @cached_property
    def fairness(self) -> list[list[Fairness]]:
        """By mix: whether its seats are equal."""
        return [fairness(self.entries, mix, self.question.within) for mix in range(len(self.question.mixes))]

    @cached_property
    def comparisons(self) -> list[list[Comparison]]:
        """By mix: how it differs from the first one; nothing for the first."""
        others = range(1, len(self.question.mixes))
        return [[], *(compare(self.entries, mix, self.question.within) for mix in others)]
