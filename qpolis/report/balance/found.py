"""What a search found: the words and the table. The claims rest on the confirmation alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qpolis.balance.answer import Answer
from qpolis.balance.question import LEVEL
from qpolis.balance.search import MET, MISSED, OPEN, Claim, Found, Search, claims
from qpolis.report.balance.tables import cell
from qpolis.report.balance.words import told
from qpolis.tourney.files import csv_text

TRIED = "search.csv"
WORDS = {MET: "met (tested)", MISSED: "missed", OPEN: "not decided"}


def tried_csv(search: Search, found: Found) -> str:
    """Every mix that was tried, rung by rung, the best first. Such numbers are optimistic: the best was chosen."""
    rows = ([one.generation, one.rung, one.mix, one.games, cell(one.loss), *map(cell, one.worst)]
            for one in found.tried)
    return csv_text(["generation", "rung", "mix", "games", "distance", *(aim.text() for aim in search.aims)], rows)


def found_lines(search: Search, found: Found, answer: Answer) -> list[str]:
    """What the search found, and what the confirmation says about it."""
    mixes = len({one.mix for one in found.tried})
    games = sum(one.games for one in found.tried)
    lines = [f"{mixes} mixes tried in {games:,} games"]
    if found.mix == search.start:
        lines.append(f"none of them looked better than {search.start}")
    else:
        lines.append(f"looked best: {found.mix}")
    lines += ["", f"tested on {answer.games:,} games with fresh deals"]
    for number, mix in enumerate(answer.question.mixes):
        lines += ["", f"{mix}:", *claim_lines(search, claims_of(search, answer, number))]
    return lines


def claims_of(search: Search, answer: Answer, mix: int) -> list[Claim]:
    levels = {run.cell.level: run.measures for run in answer.runs
              if run.cell.mix == mix and run.cell.part == LEVEL}
    return claims(search, levels)


def claim_lines(search: Search, found: Sequence[Claim]) -> Iterator[str]:
    """A line for each target, with its weakest measure, and whether all of them meet it."""
    for target in search.aims:
        group = [claim for claim in found if claim.target == target]
        if not group:
            yield f"  {target.text()}: {WORDS[OPEN]}; the games say nothing about it"
            continue
        words = [claim.word for claim in group]
        word = next(word for word in (MISSED, OPEN, MET) if word in words)
        worst = max((claim for claim in group if claim.word == word),
                    key=lambda claim: (claim.target.distance(claim.measure), claim.p_met))
        yield f"  {target.text()}: {WORDS[word]}; {worst.measure.name} {told(worst.measure)} with {worst.level}"
