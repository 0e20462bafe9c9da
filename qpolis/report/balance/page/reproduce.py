"""The games of an answer, and how to play them again."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numba
import numpy as np

from qpolis.balance.experiment import CELLS, Measured
from qpolis.balance.question import NO_MIX, Question
from qpolis.balance.search import Search
from qpolis.game import option_text
from qpolis.report.balance.page.material import Material, folded, left, who
from qpolis.report.html.markup import Html, join, tag
from qpolis.report.html.page import cell, table
from qpolis.tourney.definition import read_made
from qpolis.tourney.keys import OPTIONS
from qpolis.tourney.run import PLAN
from qpolis.version import __version__

DEFAULTS = Question()


def games_played(material: Material) -> Html:
    """The runs: how many games each has, how many do not count, and whether they repeat each other."""
    runs = material.answer.runs
    abnormal, repeats = any(run.abnormal for run in runs), any(run.repeats for run in runs)
    heading = [left("run"), *[left("mix")] * material.several, left("who plays"), "games",
               *["ended abnormally"] * abnormal, *[left("games that differ")] * repeats]
    rows = ([left(tag("code", f"{CELLS}/{run.cell.folder}"), "td"),
             *[left(material.names[run.cell.mix], "td")] * material.several,
             left(who(run.cell.part, run.cell.level), "td"), cell(f"{run.games:,}", run.games),
             *[cell(f"{run.abnormal:,}", run.abnormal)] * abnormal, *[left(repeated(run), "td")] * repeats]
            for run in runs)
    total = f"{material.answer.games:,} games" + (" with fresh deals" if material.searched else "") + " in "
    end = "" if abnormal else "; all were played to their end"
    return join([tag("p", f"{total}{len(runs)} runs{end}."), table(heading, rows)])


def repeated(run: Measured) -> str:
    """Of groups of bots that repeat games: how many differ move by move."""
    return "; ".join(f"{', '.join(item.bots)}: {item.different:,} of {item.games:,}" for item in run.repeats)


def reproduced(material: Material) -> Html:
    """The command that asks the same again, the plan, and what it was made with."""
    asked = material.searched.search if material.searched else material.answer.question
    search = isinstance(asked, Search)
    command = f"qpolis balance{' search' * search}"
    note = (f"{command} {PLAN} asks the same, too. The same version gives the same games on any number of "
            "workers. Files of mixes and paths are meant from the folder in which the command was given.")
    return join([tag("pre", shlex.join(["qpolis", "balance", *["search"] * search, *flags(asked)])),
                 tag("p", note, class_="note"), folded(PLAN, tag("pre", asked.text())), versions(material)])


def flags(asked: Question | Search) -> list[str]:
    """The flags that make the same question, or the same search."""
    given = [("--game", asked.game)]
    for key, value in asked.options.items():
        given.append((f"--{key}", str(value)) if key in OPTIONS else ("--option", f"{key}={option_text(value)}"))
    if isinstance(asked, Search):
        given += [("--start", asked.start), *(("--target", target) for target in asked.targets)]
        keys: dict[str, Any] = {"bots": asked.bots, "budget": asked.budget, "changes": asked.changes}
    else:
        given += [("--mix", mix) for mix in asked.mixes if mix != NO_MIX]
        keys = {"bots": asked.bots, "games": asked.games, **unusual(asked)}
    for key, value in {**keys, "within": asked.within, "seed": asked.seed}.items():
        said = ",".join(map(str, value)) if isinstance(value, tuple) else str(value).removesuffix(".0")
        given.append((f"--{key.replace('_', '-')}", said))
    return [word for pair in given for word in pair]


def unusual(question: Question) -> Mapping[str, Any]:
    """The keys that most questions do not have."""
    keys: Sequence[str] = ("forbid", "favor", "player", "habit_games", "ladder", "ladder_games")
    return {key: getattr(question, key) for key in keys if getattr(question, key) != getattr(DEFAULTS, key)}


def versions(material: Material) -> Html:
    """What the games were made with, run by run as far as it differs, and this page."""
    rows: dict[tuple[str, str], None] = {}
    for run in material.answer.runs:
        path = material.folder / CELLS / run.cell.folder / PLAN
        made = read_made(path) if path.is_file() else {}
        for what, value in made.items():
            mix = f" of {material.names[run.cell.mix]}" if what == "rules" and material.several else ""
            rows[f"{WHAT.get(what, what)}{mix}", str(value)] = None
    page = {"qpolis": __version__, "Python": platform.python_version(), "numba": numba.__version__,
            "numpy": np.__version__}
    made_with = f"This page was made with {', '.join(f'{name} {value}' for name, value in page.items())}."
    cells = [[left(what, "td"), left(tag("code", value), "td")] for what, value in rows]
    heading = [left("games were made with"), left("")]
    return join([table(heading, cells, sortable=False) if cells else None, tag("p", made_with, class_="note")])


WHAT = {"qpolis": "qpolis", "engine": "digest of the engine", "rules": "digest of the rules"}
