"""The end of a question: its tables, words, plots and page, all made from its runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import measured
from qpolis.balance.question import Cell, Question
from qpolis.files import write_file
from qpolis.games import load_game
from qpolis.report.content.balance_lines import Summary
from qpolis.report.content.balance_search import TRIED, Searched, found_lines, tried_csv
from qpolis.report.content.balance_tables import tables
from qpolis.report.pages.balance import REPORT, Material, balance_page
from qpolis.report.plots.balance import drawings, write_balance_plots

SUMMARY, PLOTS = "summary.txt", "plots"


def answered(folder: Path, question: Question, cells: Sequence[Cell], threads: int) -> Answer:
    """What runs say that were played to their end."""
    game = load_game(question.game, **question.settings(0))
    return Answer(question, game.categories, game.players, [measured(folder, cell, threads) for cell in cells])


def conclude(folder: Path, answer: Answer, words: Summary, searched: Searched | None = None) -> list[Path]:
    """Write everything about an answer, and about the search that it ends if there was one; returns the files."""
    texts = tables(answer)
    lines = words.lines()
    if searched:
        texts[TRIED] = tried_csv(*searched)
        lines = [*found_lines(*searched, answer), "", *lines]
    texts[SUMMARY] = "\n".join(lines) + "\n"
    for name, text in texts.items():
        write_file(folder / name, text.encode())
    material = Material(folder, answer, words, drawings(answer), searched)
    plots = write_balance_plots(folder / PLOTS, material.drawings)
    return [*(folder / name for name in texts), write_file(folder / REPORT, balance_page(material)), *plots]
