"""The page of a question about balance, or of a search, made anew from its folder."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import CELLS, COMMANDS, command_of, measure_run, resumed
from qpolis.balance.question import Cell, ask, cells, read_question
from qpolis.balance.search import confirmation, read_search, search_mixes, seek
from qpolis.errors import QpolisError
from qpolis.files import write_file
from qpolis.report.content.balance_search import SearchOutcome
from qpolis.report.content.balance_summary import summarize
from qpolis.report.content.outcome import read_tally
from qpolis.report.finish_balance import read_answer
from qpolis.report.pages.balance import REPORT, BalanceReport, balance_page
from qpolis.report.plots.balance import drawings
from qpolis.tourney.plan import RULES, changed, make_plan
from qpolis.tourney.run import PLAN, saved_plan


def rewrite_balance(folder: Path) -> Path:
    """Make the page of a question, or of a search, from what was played; nothing is played."""
    answer, search = played_answer(folder)
    report = BalanceReport(folder, answer, summarize(answer), drawings(answer), search)
    return write_file(folder / REPORT, balance_page(report))


def played_answer(folder: Path) -> tuple[Answer, SearchOutcome | None]:
    """What a question came to, or a search, and the search."""
    command = command_of(folder)
    if command not in COMMANDS.values():
        raise QpolisError(f"{folder}: not the folder of a question about balance: it has no {PLAN} of one")
    return answer_of_search(folder) if command == "balance search" else (answer_of_question(folder), None)


def answer_of_question(folder: Path) -> Answer:
    """What a question came to."""
    question = resumed(folder, lambda path: ask(read_question(path)))
    runs = cells(question)
    check_played(folder, runs, "balance")
    return read_answer(folder, question, runs, threads())


def answer_of_search(folder: Path) -> tuple[Answer, SearchOutcome]:
    """What a search came to: it goes the way it went, in games that were played."""
    command = "balance search"
    search = resumed(folder, lambda path: seek(read_search(path)), command)
    found = search_mixes(
        search,
        lambda runs, _: check_played(folder, runs, command),
        lambda run: measure_run(folder, run, threads(), of_tiles=False).measures,
    )
    question = confirmation(search, found.mix)
    runs = cells(question, "confirm-")
    check_played(folder, runs, command)
    return read_answer(folder, question, runs, threads()), SearchOutcome(search, found)


def check_played(folder: Path, runs: Sequence[Cell], command: str) -> None:
    """Were these runs played to their end, with the rules of today?"""
    for run in runs:
        place = folder / CELLS / run.folder
        if not (place / PLAN).is_file():
            unfinished(folder, command)
        plan = saved_plan(place)
        for what, then, now in changed(plan.made, make_plan(run.definition).made):
            if what == RULES:
                raise QpolisError(
                    f"{place}: the rules have changed since it was played ({then} then, {now} now): "
                    "its games cannot be measured by them"
                )
        if not read_tally(place, plan).complete():
            unfinished(folder, command)


def unfinished(folder: Path, command: str) -> NoReturn:
    raise QpolisError(
        f"{folder}: was not played to its end: go on with qpolis {command} --resume {shlex.quote(str(folder))}"
    )


def threads() -> int:
    return os.cpu_count() or 1
