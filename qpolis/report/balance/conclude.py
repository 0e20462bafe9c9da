"""The end of a question: its tables, words and plots, all made from its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import measured
from qpolis.balance.question import Cell, Question
from qpolis.games import load_game
from qpolis.report.balance.plots import write_balance_plots
from qpolis.report.balance.tables import tables
from qpolis.tourney.files import write_file

SUMMARY, PLOTS = "summary.txt", "plots"


def answered(folder: Path, question: Question, cells: Sequence[Cell], threads: int) -> Answer:
    """What runs say that were played to their end."""
    game = load_game(question.game, **question.settings(0))
    return Answer(question, game.kinds, game.players, [measured(folder, cell, threads) for cell in cells])


def conclude(folder: Path, answer: Answer, words: Sequence[str], more: Mapping[str, str] = MappingProxyType({}),
             ) -> list[Path]:
    """Write everything about an answer, and more tables if there are any; returns the files."""
    texts = {**tables(answer), **more, SUMMARY: "\n".join(words) + "\n"}
    for name, text in texts.items():
        write_file(folder / name, text.encode())
    return [*(folder / name for name in texts), *write_balance_plots(folder / PLOTS, answer)]
