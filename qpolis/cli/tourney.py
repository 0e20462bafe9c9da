"""The commands about tournaments: play one, show a game of it, check what it wrote."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli.bots import show
from qpolis.cli.options import GameCommand, asked_game, check_file, run_flags, sandbox_option
from qpolis.cli.view import IMPOSSIBLE
from qpolis.errors import IllegalAction, QpolisError
from qpolis.interrupts import INTERRUPTED
from qpolis.registry.examples import TOURNAMENTS

if TYPE_CHECKING:
    from qpolis.api.session import Session
    from qpolis.report.content.outcome import Outcome
    from qpolis.tourney.plan import Plan
    from qpolis.tourney.run import Run

MOST_DIFFERENCES = 20  # that are shown


class TourneyCommand(GameCommand):
    """The command that has definitions of tournaments."""

    definitions = TOURNAMENTS


@click.command(cls=TourneyCommand, short_help="Play a tournament between bots.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--bots",
    metavar="BOT,BOT,...",
    help="Who plays: names (see `qpolis bots`) or paths such as ./my_bot.py, also with parameters, as "
    "mcts:sims=3200.",
)
@click.option("--challenger", metavar="BOT", help="A gauntlet: this bot plays in every game, against the others.")
@click.option(
    "--games",
    type=int,
    metavar="N",
    help="How many games, rounded up to whole deals.  [default: 1000; with --sprt at most 100000]",
)
@asked_game
@click.option(
    "--seatings",
    type=click.Choice(["rotations", "all", "mirror", "duels", "fixed", "listed"]),
    help="Play every deal in all rotations of its bots over the seats, or in all orders; mirror: every "
    "bot against itself; duels: pairs of bots, whose copies fill the table; fixed: each deal once, "
    "bots at the seats in the order they are named, also one at several; listed: the same with an "
    "order for each deal.  [default: rotations]",
)
@click.option(
    "--listed",
    metavar='"A B,C D,..."',
    help="With --seatings listed: who sits where, deal by deal, by their places in --bots, from 0.",
)
@click.option(
    "--sprt",
    metavar="elo0=A,elo1=B",
    help="Sequential test of two bots: stop when it is decided whether the first is B Elo stronger than "
    "the second, or A. Also alpha=0.05 and beta=0.05, the risks of error.",
)
@click.option(
    "--time-limit", type=float, metavar="SECONDS", help="Processor time for one decision of a bot.  [default: 10]"
)
@click.option(
    "--start-limit", type=float, metavar="SECONDS", help="Processor time for a bot's start.  [default: 60]"
)
@click.option("--ponder", is_flag=True, default=None, help="Let bots compute while others think.")
@sandbox_option(None)
@click.option("--memory-limit", type=int, metavar="MB", help="Memory of a bot's process.  [default: 2048]")
@click.option(
    "--games-table",
    type=click.Choice(["csv", "parquet", "both"]),
    help="List the games in games.csv, or in games.parquet, smaller and quicker to read.  [default: csv]",
)
@click.option("--no-moves", is_flag=True, help="Do not record the moves (no replay, less space).")
@run_flags
def tourney(
    file: Path | None,
    out: Path | None,
    resume: Path | None,
    workers: int | None,
    address: str | None,
    dry_run: bool,
    quiet: bool,
    **flags: Any,
) -> None:
    """Play a tournament: every group of bots in turn, every deal in all seatings.

    \b
      qpolis tourney --bots mcts,greedy --games 10000
      qpolis tourney classic-4 --games 400
      qpolis tourney --bots ./new.py,./old.py --sprt elo0=0,elo1=10
      qpolis tourney --resume results/mcts-greedy-20260101-120000

    FILE is a definition in TOML, or the name of one that ships (see `qpolis examples list`); flags override what
    it says. Games, ratings and plots are written to a folder of
    their own. A run that was stopped, in whatever way, goes on with --resume and ends with the same files.
    """
    from qpolis import kernel
    from qpolis.api.session import Session
    from qpolis.balance.experiment import check_command
    from qpolis.files import new_path
    from qpolis.tourney.run import Run, same_plan

    if quiet:
        kernel.on_compile = lambda message: None
    keys = plan_keys(flags)
    if resume:
        if file or out:
            raise QpolisError(f"--resume goes on in {resume}: it takes no {'FILE' if file else '--out'}")
        check_command(resume, "tourney")
        plan = same_plan(resume, keys)
    else:
        plan = asked_for(file, keys)
    if dry_run:
        return show_plan(plan, workers)
    session = Session(workers, address, Speaker(quiet), quiet)
    with Run(resume, plan) if resume else Run.begin(out or new_path(plan.definition.name), plan) as run:
        play_to_the_end(run, session)


def plan_keys(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that were given, as keys of a definition."""
    from qpolis.tourney.definition import CHECKS
    from qpolis.tourney.schema import all_checked

    keys = {key: flags[key] for key in flags if flags[key] not in (None, {}) and key in CHECKS}
    for key in keys.keys() & {"bots", "listed"}:
        keys[key] = keys[key].split(",")
    if flags["no_moves"]:
        keys["moves"] = False
    return all_checked(keys, CHECKS)


def asked_for(file: Path | None, keys: dict[str, Any]) -> Plan:
    """The plan of the definition in a file, if there is one, with what the flags say instead."""
    from qpolis.api.asked import planned

    check_file(file)
    return planned(file, keys)


def show_plan(plan: Plan, workers: int | None) -> None:
    """Print a plan, and an estimate of its time from a few games of it."""
    from qpolis.report.content.progress import clock
    from qpolis.report.content.terminal_tables import plan_lines
    from qpolis.tourney.estimate import seconds_per_game

    for line in plan_lines(plan):
        click.echo(line)
    pace, tried = seconds_per_game(plan)
    workers = workers or os.cpu_count() or 1
    most = "at most " if plan.definition.sprt else ""
    click.echo(
        f"{most}about {clock(plan.games * pace / workers)} on {workers} "
        f"{'worker' if workers == 1 else 'workers'}, by the pace of {tried:,} games just tried"
    )


class Speaker:
    """Prints lines, unless told to be quiet. That nobody listens any more (`| head`) stops no tournament."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet

    def __call__(self, line: str) -> None:
        if not self.quiet:
            try:
                click.echo(line)
            except BrokenPipeError:
                self.quiet = True
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def told_how_to_go_on(words: Callable[[], str], command: str, folder: Path) -> Iterator[None]:
    """If what happens within this is stopped, say what is kept (`words`), and how to go on."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit | QpolisError | OSError):
            click.echo(
                f"stopped: {words()}; go on with\n  qpolis {command} --resume {shlex.quote(str(folder))}", err=True
            )
        if isinstance(error, KeyboardInterrupt):
            sys.stderr.flush()
            os._exit(INTERRUPTED)  # compiled games may still run in a thread that nothing can stop
        raise


def play_to_the_end(run: Run, session: Session) -> None:
    """Play what is left of a run, write what came out, and say it."""
    from qpolis.report.content import terminal_tables as tables
    from qpolis.report.content.progress import clock, pace_text

    say, before = session.say, run.tally.games
    for line in [*tables.plan_lines(run.plan), *run.losses()]:
        say(line)
    if before:
        say(f"{before:,} games were played before")

    def kept() -> str:
        return f"{run.tally.games:,} of {run.plan.games:,} games are kept"

    with told_how_to_go_on(kept, "tourney", run.folder):
        outcome, seconds = session.play_run(run)
        played = run.tally.games - before
        pace = [f"{played:,} games in {clock(seconds)} ({pace_text(played / seconds)})"] if played else []
        say_outcome(say, run.folder, outcome, pace)


def say_outcome(say: Callable[[str], None], folder: Path, outcome: Outcome, pace: Sequence[str] = ()) -> None:
    """Say what came out of a run, how fast it was, and where it stands."""
    from qpolis.report.content import terminal_tables as tables

    for line in ["", *tables.outcome_lines(outcome), *pace, *tables.path_lines(folder, outcome)]:
        say(line)


@click.command(short_help="Show a game of a tournament, move by move.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--game", "number", type=click.IntRange(0), required=True, help="Number of the game, as in games.csv."
)
def replay(folder: Path, number: int) -> None:
    """Show one game of the run in FOLDER, move by move."""
    from qpolis.report.content.transcript import end_lines, move_lines, start_lines
    from qpolis.tourney.records import find_game
    from qpolis.tourney.run import read_chunks, saved_plan

    plan = saved_plan(folder)
    played = find_game(plan, read_chunks(folder, moves=True), number)
    game = plan.load_game()
    state = played.begin(game)
    show(start_lines(game, f"seed {plan.definition.seed}, deal {played.deal}, game {number}", played.bots))
    for action in played.actions:
        try:
            state.check(action)
        except IllegalAction as error:
            raise QpolisError(f"game {number}: {error}: {IMPOSSIBLE}") from None
        show(move_lines(state, action))
        state.apply(action)
    show(end_lines(state, played.points, played.ranks, played.ends, played.reasons))


@click.command(short_help="Check what a tournament wrote, by playing its games again.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Play only so many games again, at random.")
@click.pass_context
def verify(context: click.Context, folder: Path, sample: int | None) -> None:
    """Check what a tournament wrote, by playing its games again.

    The recorded games of the run in FOLDER are played again, and scores, ranks and hashes compared with its
    tables. The exit code is 0 if everything agrees and 1 if something does not.
    """
    from qpolis.report.audit import audit

    wrong = 0
    for line, bad in audit(folder, sample):
        wrong += bad
        if not bad or wrong <= MOST_DIFFERENCES:
            click.echo(line)
    if wrong > MOST_DIFFERENCES:
        click.echo(f"and {wrong - MOST_DIFFERENCES:,} more")
    context.exit(int(wrong > 0))
