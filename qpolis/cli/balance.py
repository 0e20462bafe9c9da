"""The commands about balance: measure games, compare tile mixes, and search for better ones."""

from __future__ import annotations

import difflib
import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli.options import GameCommand, asked_game, definition_file, is_definition, made_of, run_flags
from qpolis.cli.tourney import Speaker
from qpolis.errors import QpolisError
from qpolis.interrupts import INTERRUPTED
from qpolis.registry.examples import QUESTIONS

if TYPE_CHECKING:
    from qpolis.balance.question import Cell, Question
    from qpolis.balance.search import Search

LISTS = ("mixes", "bots", "forbid", "favor", "ladder")  # keys that are lists: on the command line, with commas


class Balance(click.Group):
    """A group whose first command need not be named."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else "measure"
        meant = difflib.get_close_matches(first, self.commands, n=1)  # a command, perhaps misspelt
        word = bool(meant) and not is_definition(first, QUESTIONS)
        if not args or (first not in ("-h", "--help") and not word):
            args = ["measure", *args]
        return super().parse_args(context, args)


@click.group(cls=Balance, short_help="Find out whether a game is balanced, and search for better tile mixes.")
def balance() -> None:
    """Find out whether a game is balanced, and search for better tile mixes.

    \b
      qpolis balance --mix base --games 20000
      qpolis balance --mix base --mix base:harbor+2:park-2
      qpolis balance --forbid all --favor all
      qpolis balance fair
      qpolis balance --game NAME --ladder 25,100,400
      qpolis balance search --target seats=2 --target margin=5

    `qpolis balance` alone means `qpolis balance measure`: see `qpolis balance measure --help`.
    """


class MixCommand(GameCommand):
    """A command about mixes, which are given in another way than as the one of a game."""

    without = ("mix",)
    definitions = QUESTIONS


within_option = click.option(
    "--within",
    type=float,
    metavar="POINTS",
    help="Percentage points that do not matter: within them mixes and seats are equal.  [default: 2]",
)


@balance.command(cls=MixCommand, short_help="Measure a game, or its mixes, and compare them with the first one.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--mix",
    "mixes",
    multiple=True,
    metavar="MIX",
    help="A mix to measure, of a game that has mixes: a name, a CSV file, or changes such as "
    "base:harbor+2:park-2. Several are compared with the first.  [default: the game's]",
)
@click.option(
    "--bots",
    metavar="BOT,BOT,...",
    help="Levels of play: each bot plays against itself, and all against each other.  [default: greedy,heuristic]",
)
@click.option("--games", type=int, metavar="N", help="Games for each mix.  [default: 10000]")
@click.option(
    "--forbid",
    metavar="KIND,KIND,...",
    help="Let players compete who never build a kind of building (or: all) with one who may, in a game "
    "that has kinds.",
)
@click.option(
    "--favor", metavar="KIND,KIND,...", help="The same with players who like a kind of building (or: all)."
)
@click.option("--player", metavar="BOT", help="The bot that has these habits.  [default: greedy]")
@click.option(
    "--habit-games",
    type=int,
    metavar="N",
    help="Games of players with habits, for each mix, and as many among them.  [default: as --games]",
)
@click.option(
    "--ladder", metavar="SIMS,SIMS,...", help="Let mcts play with these budgets, to see how much skill there is."
)
@click.option(
    "--ladder-games",
    type=int,
    metavar="N",
    help="Games of this ladder, for each mix.  [default: a twentieth of --games]",
)
@within_option
@asked_game
@run_flags
def measure(
    file: Path | None,
    out: Path | None,
    resume: Path | None,
    workers: int | None,
    address: str | None,
    dry_run: bool,
    quiet: bool,
    **flags: Any,
) -> None:
    """Measure a game: seats, points, drama, skill; buildings and tiles, where it has them; and compare its mixes
    with the first one.

    \b
      qpolis balance --mix base --bots greedy,heuristic --games 20000
      qpolis balance --mix base --mix base:harbor+2:park-2 --players 3
      qpolis balance --forbid harbor --ladder 50,200,800

    FILE is a question in TOML, or the name of one that ships (see `qpolis examples list`); flags override what it
    says. All mixes are played on the same deals. Every measure
    is written with its interval, a summary in words, and plots. What was stopped goes on with --resume.
    """
    from qpolis.balance.experiment import begin, resumed
    from qpolis.balance.question import CHECKS, ask, cells, read_question
    from qpolis.files import new_path

    keys = given_keys(flags, CHECKS)
    check_resume(resume, file, out, keys)
    if resume:
        question = resumed(resume, lambda path: ask(read_question(path)))
    else:
        question = made_of(file, ask, read_question(definition_file(file, QUESTIONS)) if file else {}, keys)
    runs = cells(question)
    if dry_run:
        return show_runs(question, runs)
    folder = resume or out or new_path(question.name)
    session = Session(folder, workers, address, Speaker(quiet), "balance")
    if not resume:
        begin(folder, question)
    with session:
        session.answer(question, runs)


def given_keys(flags: Mapping[str, Any], checks: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that were given, as keys."""
    from qpolis.tourney.schema import all_checked

    keys = {key: flags[key] for key in flags if flags[key] not in (None, (), {}) and key in checks}
    for key in LISTS:
        if isinstance(keys.get(key), str):
            keys[key] = [item.strip() for item in keys[key].split(",")]
    if "ladder" in keys:
        keys["ladder"] = [int(item) if item.isdecimal() and len(item) < 10 else item for item in keys["ladder"]]
    return all_checked(keys, checks)


def check_resume(resume: Path | None, file: Path | None, out: Path | None, keys: Mapping[str, Any]) -> None:
    """What goes on, goes on as it was asked."""
    given = {"FILE": file, "--out": out, **{f"--{key.replace('_', '-')}": value for key, value in keys.items()}}
    for name, value in given.items():
        if resume and value not in (None, {}):
            flag = {"--mixes": "--mix", "--targets": "--target", "--options": "--option"}.get(name, name)
            raise QpolisError(f"--resume goes on in {resume} as it was asked: it takes no {flag}")


def show_runs(question: Question, runs: Sequence[Cell]) -> None:
    """Print what would be played."""
    from qpolis.balance.experiment import described
    from qpolis.balance.question import NO_MIX
    from qpolis.report.content.terminal_tables import note_lines

    for run in runs:
        click.echo(f"{run.definition.games:>9,} games  {described(question, run)}")
    same = "" if question.mixes == (NO_MIX,) else ", on the same deals for every mix"
    click.echo(f"{sum(run.definition.games for run in runs):>9,} games in all{same}")
    for line in note_lines(question.notes()):
        click.echo(line)


class Session:
    """Plays runs with one pool and one progress bar, and says how to go on if it is stopped."""

    def __init__(self, folder: Path, workers: int | None, address: str | None, say: Speaker, command: str) -> None:
        from qpolis.tourney.schedule import WorkerPool, check_reachable

        if address is not None:
            check_reachable(address)
        self.folder, self.say, self.command = folder, say, command
        self.pool = WorkerPool(workers, address, say)
        self.threads = workers or os.cpu_count() or 1
        self._progress: Any = None
        if say.quiet:
            from qpolis import kernel

            kernel.on_compile = lambda message: None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: Any) -> None:
        if self._progress is not None:
            self._progress.close()
        self.pool.__exit__()
        if isinstance(error, KeyboardInterrupt | SystemExit | QpolisError | OSError):
            click.echo(
                f"stopped: what was played is kept; go on with\n  qpolis {self.command} --resume "
                f"{shlex.quote(str(self.folder))}",
                err=True,
            )
        if isinstance(error, KeyboardInterrupt):
            sys.stderr.flush()
            os._exit(INTERRUPTED)  # compiled games may still run in a thread that nothing can stop

    def play(self, runs: Sequence[Cell], words: Callable[[Cell], str]) -> None:
        """Play what is left of some runs."""
        from qpolis.balance.experiment import play
        from qpolis.report.content.progress import Progress

        self._progress = Progress(sum(run.definition.games for run in runs), 0, self.say.quiet)
        play(
            self.folder,
            list(runs),
            self.pool,
            lambda cell, tally, before: self._progress(before + tally.games, words(cell)),
        )
        self._progress.close()
        self._progress = None

    def answer(self, question: Question, runs: Sequence[Cell]) -> None:
        """Play a question, and say what came out."""
        from qpolis.balance.experiment import described
        from qpolis.report.content.balance_summary import summarize
        from qpolis.report.content.progress import clock
        from qpolis.report.finish_balance import finish_balance, read_answer

        begun = time.monotonic()
        self.play(runs, lambda cell: described(question, cell))
        played = time.monotonic()
        answer = read_answer(self.folder, question, runs, self.threads)
        words = summarize(answer)
        paths = finish_balance(self.folder, answer, words)
        times = f"played in {clock(played - begun)}, measured in {clock(time.monotonic() - played)}"
        self.end(words.lines(), times, paths)

    def search(self, wanted: Search) -> None:
        """Search, confirm, and say what came out."""
        from qpolis.balance.experiment import measure_run
        from qpolis.balance.question import cells
        from qpolis.balance.search import confirmation, search_mixes
        from qpolis.report.content.balance_search import SearchOutcome, search_lines
        from qpolis.report.content.balance_summary import summarize
        from qpolis.report.content.progress import clock
        from qpolis.report.content.terminal_tables import note_lines
        from qpolis.report.finish_balance import finish_balance, read_answer

        begun = time.monotonic()
        found = search_mixes(
            wanted,
            lambda runs, words: self.play(runs, lambda cell: words),
            lambda run: measure_run(self.folder, run, self.threads, of_tiles=False).measures,
        )
        question = confirmation(wanted, found.mix)
        runs = cells(question, "confirm-")
        self.play(runs, lambda cell: "confirmation on fresh deals")
        answer = read_answer(self.folder, question, runs, self.threads)
        paths = finish_balance(self.folder, answer, summarize(answer), SearchOutcome(wanted, found))
        words = [*search_lines(wanted, found, answer), *note_lines(question.notes())]
        self.end(words, f"searched in {clock(time.monotonic() - begun)}", paths)

    def end(self, words: Sequence[str], times: str, paths: Sequence[Path]) -> None:
        """Say what came out, how long it took and where it is."""
        names = [path.name for path in paths if path.parent == self.folder]
        for line in [*words, "", times, f"written to {self.folder}: {', '.join(names)}, plots/"]:
            self.say(line)


@balance.command(cls=MixCommand, short_help="Search for a mix that meets targets, by few changes.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--start", metavar="MIX", help="The mix to change.  [default: the game's]")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME=NUMBER",
    help="What the mix should be like; several must all be met. Names are below.",
)
@click.option(
    "--bots",
    metavar="BOT,BOT,...",
    help="Levels of play; targets are to be met at each.  [default: greedy,heuristic]",
)
@click.option(
    "--budget", type=int, metavar="N", help="Games in all; the confirmation has 30% of them.  [default: 200000]"
)
@click.option("--changes", type=int, metavar="N", help="Changes from the start, at most.  [default: 2]")
@within_option
@asked_game
@run_flags
def search(
    file: Path | None,
    out: Path | None,
    resume: Path | None,
    workers: int | None,
    address: str | None,
    dry_run: bool,
    quiet: bool,
    **flags: Any,
) -> None:
    """Search for a mix that meets targets, by few changes from a start, within a budget of games, in a game that
    has mixes.

    \b
      qpolis balance search --target seats=3
      qpolis balance search --target kinds=10 --target close=75 --budget 500000 --bots greedy

    \b
    Targets:
      seats=2      no seat's wins are further than 2 percentage points from an equal share
      kinds=5      one building more of any kind changes the chance to win by 5 points at most
      margin=4     winners are ahead by 4 points at most, on average
      close=70     at least 70% of the games are won by 5 points or less
      changes=1.5  the lead changes at least 1.5 times a game
      trailed=25   in at least 25% of the games the winner trailed at half-time

    A change exchanges a tile for one of another kind, or lets all tiles of a kind show one inhabitant, energy or
    point more or less. What is found is confirmed on fresh deals, and only that is claimed.
    """
    from qpolis.balance.experiment import begin, resumed
    from qpolis.balance.search import CHECKS, read_search, seek
    from qpolis.files import new_path

    keys = given_keys(flags, CHECKS)
    check_resume(resume, file, out, keys)
    if resume:
        wanted = resumed(resume, lambda path: seek(read_search(path)), "balance search")
    else:
        wanted = made_of(file, seek, read_search(definition_file(file, QUESTIONS)) if file else {}, keys)
    if dry_run:
        return show_search(wanted)
    folder = resume or out or new_path(wanted.name)
    session = Session(folder, workers, address, Speaker(quiet), "balance search")
    if not resume:
        begin(folder, wanted)
    with session:
        session.search(wanted)


def show_search(wanted: Search) -> None:
    """Print what would be searched."""
    from qpolis.balance.search import confirmation, neighbours

    mixes = neighbours(wanted, [wanted.start])
    click.echo(f"{len(mixes)} mixes are one change away from {wanted.start}:")
    for mix in mixes:
        click.echo(f"  {mix}")
    for target in wanted.aims:
        click.echo(f"target {target.text()}: {target.kind.help}")
    confirming = confirmation(wanted, wanted.start).games
    click.echo(f"at most {wanted.budget:,} games, of which {confirming:,} confirm what was found")
