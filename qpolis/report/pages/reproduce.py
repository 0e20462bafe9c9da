"""How to play a run again: its command, its plan, and what it was made with."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from qpolis.game import option_text
from qpolis.registry.finder import PERSON
from qpolis.report.pages.markup import Html, tag
from qpolis.report.pages.page import table, text_cell
from qpolis.tourney.definition import Definition
from qpolis.tourney.plan import IMPORTED, Plan
from qpolis.tourney.run import PLAN
from qpolis.version import __version__

# Keys of a definition and their flags, in the order of the command's help.
FLAGS = {
    "challenger": "--challenger",
    "games": "--games",
    "game": "--game",
    "seed": "--seed",
    "seatings": "--seatings",
    "listed": "--listed",
    "sprt": "--sprt",
    "time_limit": "--time-limit",
    "start_limit": "--start-limit",
    "memory_limit": "--memory-limit",
    "games_table": "--games-table",
    "sandbox": "--sandbox",
    "name": "--name",
}
MOST_LISTED = 100  # deals whose seats a command says, one by one
ALWAYS = ("game", "games", "seed")  # said even where they are the default, which may be another one some day


def shown_folder(folder: Path) -> str:
    """A folder as one may type it in a shell; of a machine's own paths only the last part is told."""
    return shlex.quote(folder.name if folder.is_absolute() else str(folder))


def option_words(options: Mapping[str, Any]) -> list[str]:
    """The flags for options of a game."""
    return [word for key, value in options.items() for word in ("--option", f"{key}={option_text(value)}")]


def writer() -> str:
    """What a page is written by."""
    return (
        f"qpolis {__version__}, Python {platform.python_version()}, numba {version('numba')}, numpy "
        f"{version('numpy')} on {platform.system()} {platform.machine()}"
    )


def command(plan: Plan) -> str:
    """The command that makes the same plan; empty if flags cannot say it."""
    definition, usual = plan.definition, Definition()
    if any("," in bot for bot in definition.bots):  # which parts bots in the flag
        return ""
    if len(definition.listed) > MOST_LISTED:
        return ""
    words = ["--bots", ",".join(definition.bots)]
    for key, flag in FLAGS.items():
        value = getattr(definition, key)
        if key in ALWAYS or value != getattr(usual, key):
            words += [flag, ",".join(value) if isinstance(value, tuple) else str(value)]
    words += option_words(definition.options)
    if not definition.moves:
        words.append("--no-moves")
    if definition.ponder:
        words.append("--ponder")
    return " ".join(["qpolis", "tourney", *map(shlex.quote, words)])


def reproduce(plan: Plan, folder: Path) -> list[Html]:
    """The section about it."""
    where = shown_folder(folder)
    made = [(what, tag("code", str(value))) for what, value in plan.made.items()]
    return [
        *again(plan, where),
        tag("p", "This plays the recorded games again and compares everything with the tables:"),
        tag("pre", tag("code", f"qpolis verify {where}"), class_="commands"),
        tag("h3", "Made with"),
        table(
            [text_cell("what"), text_cell("version or digest")],
            [[tag("td", what), text_cell(value, "td")] for what, value in made],
            sortable=False,
        ),
        tag("p", f"This report was written by {writer()}.", class_="note"),
        tag("details", tag("summary", "The plan, ", tag("code", PLAN)), tag("pre", plan.text())),
    ]


def again(plan: Plan, where: str) -> list[Html]:
    """The commands that play the same."""
    if PERSON in plan.bots:
        return [tag("p", "A person played here, whom no command brings back.")]
    if IMPORTED in plan.made:
        return [tag("p", "These games were played elsewhere and imported: no command plays them again.")]
    lines = [*filter(None, [command(plan)]), f"qpolis tourney {where}/{PLAN}"]
    return [
        tag("p", "Any of these plays the same games, with the same versions and the same files of bots:"),
        tag("pre", tag("code", "\n".join(lines)), class_="commands"),
    ]
