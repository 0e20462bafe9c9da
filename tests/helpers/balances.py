"""What tests of balance share: a question answered in a folder."""

from __future__ import annotations

from qpolis.balance.experiment import begin, play
from qpolis.balance.question import ask, cells
from qpolis.report.finish_balance import read_answer
from qpolis.tourney.schedule import WorkerPool


def nobody(cell, tally, before):
    """Somebody who does not want to be told."""


def answer_to(folder, told=nobody, **keys):
    """Play a question in a new folder to its end, and measure it."""
    question = ask({"bots": ["heuristic", "random"], "seed": 3, **keys})
    begin(folder, question)
    with WorkerPool(1) as pool:
        play(folder, cells(question), pool, told)
    return read_answer(folder, question, cells(question), 2)
