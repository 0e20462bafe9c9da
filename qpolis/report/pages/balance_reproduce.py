"""The games of an answer, and how to play them again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from qpolis.balance.experiment import CELLS, RunMeasures
from qpolis.balance.question import NO_MIX, Question
from qpolis.balance.search import Search
from qpolis.report.pages.balance_parts import BalanceReport, collapsed, players_text
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, table, text_cell
from qpolis.report.pages.reproduce import option_words, writer
from qpolis.report.plots.text import count
from qpolis.tourney.definition import read_made
from qpolis.tourney.run import PLAN

DEFAULTS = Question()


def games_part(report: BalanceReport) -> Html:
    """The runs: how many games each has, how many do not count, and whether they repeat each other."""
    runs = report.answer.runs
    abnormal, repeats = any(run.abnormal for run in runs), any(run.repeats for run in runs)
    heading = [
        text_cell("run"),
        *[text_cell("mix")] * report.several,
        text_cell("who plays"),
        "games",
        *["ended abnormally"] * abnormal,
        *[text_cell("games that differ")] * repeats,
    ]
    rows = (
        [
            text_cell(tag("code", f"{CELLS}/{run.cell.folder}"), "td"),
            *[text_cell(report.names[run.cell.mix], "td")] * report.several,
            text_cell(players_text(run.cell.part, run.cell.level), "td"),
            cell(f"{run.games:,}", run.games),
            *[cell(f"{run.abnormal:,}", run.abnormal)] * abnormal,
            *[text_cell(repeated(run), "td")] * repeats,
        ]
        for run in runs
    )
    total = f"{report.answer.games:,} games" + (" with fresh deals" if report.search_outcome else "") + " in "
    end = "" if abnormal else "; all were played to their end"
    return join([tag("p", f"{total}{count(len(runs), 'run')}{end}."), table(heading, rows)])


def repeated(run: RunMeasures) -> str:
    """Of groups of bots that repeat games: how many differ move by move."""
    return "; ".join(f"{', '.join(item.bots)}: {item.different:,} of {item.games:,}" for item in run.repeats)


def reproduce_part(report: BalanceReport) -> Html:
    """The command that asks the same again, the plan, and what it was made with."""
    asked = report.search_outcome.search if report.search_outcome else report.answer.question
    command = "qpolis balance" + " search" * isinstance(asked, Search)
    lines = [f"{command} {shlex.join(flags(asked))}", f"{command} FOLDER/{PLAN}"]
    note = (
        "Any of these asks the same; FOLDER is that of this page. The same version gives the same games on "
        "any number of workers. Files of mixes and paths are meant from the folder in which the command was "
        "given."
    )
    return join(
        [
            tag("pre", "\n".join(lines), class_="commands"),
            tag("p", note, class_="note"),
            collapsed(PLAN, tag("pre", asked.text())),
            versions(report),
        ]
    )


def flags(asked: Question | Search) -> list[str]:
    """The flags that make the same question, or the same search."""
    given: list[tuple[str, str]] = []
    if isinstance(asked, Search):
        given += [("--start", asked.start), *(("--target", target) for target in asked.targets)]
        keys: dict[str, Any] = {"bots": asked.bots, "budget": asked.budget, "changes": asked.changes}
    else:
        given += [("--mix", mix) for mix in asked.mixes if mix != NO_MIX]
        keys = {"bots": asked.bots, "games": asked.games, **unusual(asked)}
    for key, value in {**keys, "within": asked.within, "seed": asked.seed, "name": asked.name}.items():
        said = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        given.append((f"--{key.replace('_', '-')}", said))
    return ["--game", asked.game, *option_words(asked.options), *(word for pair in given for word in pair)]


def unusual(question: Question) -> Mapping[str, Any]:
    """The keys that most questions do not have."""
    keys: Sequence[str] = ("forbid", "favor", "player", "habit_games", "ladder", "ladder_games")
    return {key: getattr(question, key) for key in keys if getattr(question, key) != getattr(DEFAULTS, key)}


def versions(report: BalanceReport) -> Html:
    """What the games were made with, run by run as far as it differs, and this page."""
    rows: dict[tuple[str, str], None] = {}
    for run in report.answer.runs:
        path = report.folder / CELLS / run.cell.folder / PLAN
        made = read_made(path) if path.is_file() else {}
        for what, value in made.items():
            mix = f" of {report.names[run.cell.mix]}" if what == "rules" and report.several else ""
            rows[f"{WHAT.get(what, what)}{mix}", str(value)] = None
    made_with = f"This page was written by {writer()}."
    cells = [[text_cell(what, "td"), text_cell(tag("code", value), "td")] for what, value in rows]
    heading = [text_cell("games were made with"), text_cell("")]
    return join([table(heading, cells, sortable=False) if cells else None, tag("p", made_with, class_="note")])


WHAT = {"engine": "behaviour of the engine", "game": "behaviour of the game", "rules": "digest of the rules"}
