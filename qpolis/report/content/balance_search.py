"""What a search found: the words and the table. The claims rest on the confirmation alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qpolis.balance.answer import Answer
from qpolis.balance.question import LEVEL
from qpolis.balance.search import MET, MISSED, OPEN, Claim, Search, SearchResult, claims
from qpolis.files import csv_text
from qpolis.report.content.balance_csv import cell
from qpolis.report.content.balance_lines import Line
from qpolis.report.content.balance_text import with_interval

TRIALS = "search.csv"
WORDS = {MET: "met (tested)", MISSED: "missed", OPEN: "not decided"}


class SearchOutcome(NamedTuple):
    """A search that came to its end."""

    search: Search
    result: SearchResult


def trials_csv(search: Search, result: SearchResult) -> str:
    """Every mix that was tried, rung by rung, the best first. Such numbers are optimistic: the best was chosen."""
    rows = (
        [one.generation, one.rung, one.mix, one.games, cell(one.loss), *map(cell, one.worst)]
        for one in result.trials
    )
    return csv_text(["generation", "rung", "mix", "games", "distance", *(aim.text() for aim in search.aims)], rows)


def search_lines(search: Search, result: SearchResult, answer: Answer) -> list[str]:
    """What the search found, and what the confirmation says about it."""
    lines = [*trial_lines(search, result), "", tested_line(answer)]
    for number, mix in enumerate(answer.question.mixes):
        claimed = claim_lines(search, claims_of(search, answer, number))
        lines += ["", f"{mix}:", *(f"  {line}" for line in claimed)]
    return lines


def trial_lines(search: Search, result: SearchResult) -> list[str]:
    """How much was tried, and what looked best."""
    mixes = len({one.mix for one in result.trials})
    games = sum(one.games for one in result.trials)
    return [
        f"{mixes} mixes tried in {games:,} games",
        f"none of them looked better than {search.start}"
        if result.mix == search.start
        else f"looked best: {result.mix}",
    ]


def tested_line(answer: Answer) -> str:
    return f"tested on {answer.games:,} games with fresh deals"


def claims_of(search: Search, answer: Answer, mix: int) -> list[Claim]:
    levels = {
        run.cell.level: run.measures for run in answer.runs if run.cell.mix == mix and run.cell.part == LEVEL
    }
    return claims(search, levels)


def claim_lines(search: Search, found: Sequence[Claim]) -> Iterator[Line]:
    """A line for each target, with its weakest measure, and whether all of them meet it."""
    for target in search.aims:
        group = [claim for claim in found if claim.target == target]
        if not group:
            yield Line(target.text(), WORDS[OPEN], "the games say nothing about it")
            continue
        words = [claim.word for claim in group]
        word = next(word for word in (MISSED, OPEN, MET) if word in words)
        worst = max(
            (claim for claim in group if claim.word == word),
            key=lambda claim: (claim.target.distance(claim.measure), claim.p_met),
        )
        yield Line(
            target.text(), WORDS[word], f"{worst.measure.name} {with_interval(worst.measure)} with {worst.level}"
        )
