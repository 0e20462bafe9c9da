"""The end of a question: its tables, words, plots and page, all made from its runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import measure_run
from qpolis.balance.question import Cell, Question
from qpolis.files import write_file
from qpolis.games import load_game
from qpolis.report.content.balance_csv import tables
from qpolis.report.content.balance_lines import Summary
from qpolis.report.content.balance_search import TRIALS, SearchOutcome, search_lines, trials_csv
from qpolis.report.pages.balance import REPORT, BalanceReport, balance_page
from qpolis.report.plots.balance import drawings, write_balance_plots

SUMMARY, PLOTS = "summary.txt", "plots"


def read_answer(folder: Path, question: Question, cells: Sequence[Cell], threads: int) -> Answer:
    """What runs say that were played to their end."""
    game = load_game(question.game, **question.settings(0))
    return Answer(question, game.categories, game.players, [measure_run(folder, cell, threads) for cell in cells])


def finish_balance(
    folder: Path, answer: Answer, summary: Summary, search_outcome: SearchOutcome | None = None
) -> list[Path]:
    """Write everything about an answer, and about the search that it ends if there was one; returns the files."""
    texts = tables(answer)
    lines = summary.lines()
    if search_outcome:
        texts[TRIALS] = trials_csv(*search_outcome)
        lines = [*search_lines(*search_outcome, answer), "", *lines]
    texts[SUMMARY] = "\n".join(lines) + "\n"
    for name, text in texts.items():
        write_file(folder / name, text.encode())
    report = BalanceReport(folder, answer, summary, drawings(answer), search_outcome)
    plots = write_balance_plots(folder / PLOTS, report.drawings)
    return [*(folder / name for name in texts), write_file(folder / REPORT, balance_page(report)), *plots]
