"""The commands about balance: measure and compare tile mixes, and search for better ones."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli_options import given_options
from qpolis.cli_tourney import Speaker, free_folder
from qpolis.errors import QpolisError

if TYPE_CHECKING:
    from qpolis.balance.question import Cell, Question

LISTS = ("mixes", "bots", "forbid", "favor", "ladder")  # keys that are lists: on the command line, with commas


class Balance(click.Group):
    """A group whose first command need not be named."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            args = ["measure", *args]
        return super().parse_args(context, args)


@click.group(cls=Balance, short_help="Find out whether tile mixes are balanced, and search for better ones.")
def balance() -> None:
    """Find out whether a tile mix is balanced, compare mixes, search for better ones.

    \b
      qpolis balance --mix base --games 20000
      qpolis balance --mix base --mix base:harbor+2:park-2
      qpolis balance --forbid all --favor all
      qpolis balance tournaments/balance-classic.toml
      qpolis balance search --target seats=2 --target margin=5

    `qpolis balance` alone means `qpolis balance measure`: see `qpolis balance measure --help`.
    """


def play_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of all commands that play."""
    for option in (
        click.option("--quiet", is_flag=True, help="Print nothing but errors."),
        click.option("--dry-run", is_flag=True, help="Print what would be played; write nothing."),
        click.option("--address", help="Play on the Ray cluster at this address."),
        click.option("--workers", type=click.IntRange(1, 100_000), metavar="N",
                     help="Processes that play; 1 plays in this one.  [default: all cores]"),
        click.option("--resume", type=click.Path(path_type=Path), metavar="DIR",
                     help="Go on with what is in this folder."),
        click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
                     help="The folder for the results.  [default: results/NAME-TIME]"),
        click.option("--seed", type=int, help="Number that names all the deals.  [default: 0]"),
        click.option("--option", "-o", "others", multiple=True, metavar="NAME=VALUE",
                     help="Any other option of the game (see `qpolis games`)."),
        click.option("--players", type=int, help="Number of players.  [default: the game's]"),
        click.option("--mode", help="Rules of the game, such as classic or expert.  [default: the game's]"),
        click.option("--game", help="Name of the game.  [default: quadropolis]"),
        click.option("--within", type=float, metavar="POINTS",
                     help="Percentage points that do not matter: within them mixes and seats are equal.  "
                          "[default: 2]"),
    ):
        command = option(command)
    return command


@balance.command(short_help="Measure mixes, and compare them with the first one.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--mix", "mixes", multiple=True, metavar="MIX",
              help="A mix to measure: a name, a CSV file, or changes such as base:harbor+2:park-2. Several are "
                   "compared with the first.  [default: base]")
@click.option("--bots", metavar="BOT,BOT,...",
              help="Levels of play: each bot plays against itself, and all against each other.  "
                   "[default: greedy,heuristic]")
@click.option("--games", type=int, metavar="N", help="Games for each mix.  [default: 10000]")
@click.option("--forbid", metavar="KIND,KIND,...",
              help="Let players compete who never build a kind of building (or: all) with one who may.")
@click.option("--favor", metavar="KIND,KIND,...",
              help="The same with players who like a kind of building (or: all).")
@click.option("--player", metavar="BOT", help="The bot that has these habits.  [default: greedy]")
@click.option("--habit-games", type=int, metavar="N",
              help="Games of players with habits, for each mix, and as many among them.  [default: as --games]")
@click.option("--ladder", metavar="SIMS,SIMS,...",
              help="Let mcts play with these budgets, to see how much skill there is.")
@click.option("--ladder-games", type=int, metavar="N",
              help="Games of this ladder, for each mix.  [default: a twentieth of --games]")
@play_options
def measure(file: Path | None, out: Path | None, resume: Path | None, workers: int | None, address: str | None,
            dry_run: bool, quiet: bool, **flags: Any) -> None:
    """Measure mixes: seats, points by building, tiles, drama, skill; and compare them with the first one.

    \b
      qpolis balance --mix base --bots greedy,heuristic --games 20000
      qpolis balance --mix base --mix base:harbor+2:park-2 --players 3
      qpolis balance --forbid harbor --ladder 50,200,800

    FILE is a question in TOML; flags override what it says. All mixes are played on the same deals. Every measure
    is written with its interval, a summary in words, and plots. What was stopped goes on with --resume.
    """
    from qpolis.balance.experiment import begin, resumed
    from qpolis.balance.question import ask, cells, read_question
    from qpolis.tourney.keys import overridden

    keys = question_keys(flags)
    check_resume(resume, file, out, keys)
    question = resumed(resume) if resume else ask(overridden(read_question(file) if file else {}, keys))
    runs = cells(question)
    if dry_run:
        return show_runs(question, runs)
    folder = resume or out or free_folder(question.name)
    if not resume:
        begin(folder, question)
    with Session(folder, question.name, workers, address, Speaker(quiet)) as session:
        session.answer(question, runs)


def question_keys(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that were given, as keys of a question."""
    from qpolis.balance.question import CHECKS
    from qpolis.tourney.keys import OPTIONS, all_checked

    keys = {key: flags[key] for key in flags if flags[key] not in (None, ()) and key in (*CHECKS, *OPTIONS)}
    for key in LISTS:
        if isinstance(keys.get(key), str):
            keys[key] = [item.strip() for item in keys[key].split(",")]
    if "ladder" in keys:
        keys["ladder"] = [int(item) if item.isdigit() and len(item) < 10 else item for item in keys["ladder"]]
    if flags["others"]:
        keys["options"] = given_options(flags["others"])
    return all_checked(keys, CHECKS)


def check_resume(resume: Path | None, file: Path | None, out: Path | None, keys: Mapping[str, Any]) -> None:
    """What goes on, goes on as it was asked."""
    given = {"FILE": file, "--out": out, **{f"--{key.replace('_', '-')}": value for key, value in keys.items()}}
    for name, value in given.items():
        if resume and value not in (None, {}):
            raise QpolisError(f"--resume goes on in {resume} as it was asked: it takes no "
                              f"{'--mix' if name == '--mixes' else name}")


def show_runs(question: Question, runs: Sequence[Cell]) -> None:
    """Print what would be played."""
    from qpolis.balance.experiment import described

    for run in runs:
        click.echo(f"{run.definition.games:>9,} games  {described(question, run)}")
    click.echo(f"{sum(run.definition.games for run in runs):>9,} games in all, on the same deals for every mix")


class Session:
    """Plays runs with one team and one progress bar, and says how to go on if it is stopped."""

    def __init__(self, folder: Path, name: str, workers: int | None, address: str | None, say: Speaker) -> None:
        from qpolis.tourney.schedule import Team, check_reachable

        if address:
            check_reachable(address)
        self.folder, self.name, self.say = folder, name, say
        self.team = Team(workers, address)
        self.threads = workers or os.cpu_count() or 1
        self.command = "measure"
        self._progress: Any = None
        if say.quiet:
            from qpolis import kernel

            kernel.on_compile = lambda message: None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: Any) -> None:
        if self._progress is not None:
            self._progress.close()
        if isinstance(error, KeyboardInterrupt | SystemExit | QpolisError | OSError):
            command = "balance" if self.command == "measure" else f"balance {self.command}"
            click.echo(f"stopped: what was played is kept; go on with\n  qpolis {command} --resume "
                       f"{shlex.quote(str(self.folder))}", err=True)
        if isinstance(error, KeyboardInterrupt):
            sys.stderr.flush()
            os._exit(130)  # compiled games may still run in a thread that nothing can stop
        self.team.__exit__()

    def play(self, runs: Sequence[Cell], words: Callable[[Cell], str]) -> None:
        """Play what is left of some runs."""
        from qpolis.balance.experiment import play
        from qpolis.report.progress import Progress

        self._progress = Progress(sum(run.definition.games for run in runs), 0, self.say.quiet)
        play(self.folder, list(runs), self.team,
             lambda cell, tally, before: self._progress(before + tally.games, words(cell)))
        self._progress.close()
        self._progress = None

    def answer(self, question: Question, runs: Sequence[Cell]) -> None:
        """Play a question, and say what came out."""
        from qpolis.balance.experiment import described
        from qpolis.report.balance.conclude import answered, conclude
        from qpolis.report.progress import clock

        begun = time.monotonic()
        self.play(runs, lambda cell: described(question, cell))
        played = time.monotonic() - begun
        words, paths = conclude(self.folder, answered(self.folder, question, runs, self.threads))
        for line in words:
            self.say(line)
        self.say("")
        self.say(f"played in {clock(played)}, measured in {clock(time.monotonic() - begun - played)}")
        names = [path.name for path in paths if path.parent == self.folder]
        self.say(f"written to {self.folder}: {', '.join(names)}, plots/")
