"""The commands about balance: measure games, compare tile mixes, and search for better ones."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli.options import GameCommand, asked_game, check_file, is_definition, run_flags
from qpolis.cli.tourney import Speaker, told_how_to_go_on
from qpolis.errors import QpolisError
from qpolis.registry.examples import QUESTIONS

if TYPE_CHECKING:
    from qpolis.api.session import Answered, Session
    from qpolis.balance.question import Question
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
    from qpolis.api.asked import asked_question
    from qpolis.api.session import Session
    from qpolis.balance.experiment import begin, resumed
    from qpolis.balance.question import CHECKS, ask, read_question
    from qpolis.files import new_path

    keys = given_keys(flags, CHECKS)
    check_resume(resume, file, out, keys)
    if resume:
        question = resumed(resume, lambda path: ask(read_question(path)))
    else:
        check_file(file)
        question = asked_question(file, keys)
    if dry_run:
        return show_runs(question)
    folder = resume or out or new_path(question.name)
    session = Session(workers, address, Speaker(quiet), quiet)
    if not resume:
        begin(folder, question)
    play_and_tell(session, folder, "balance", lambda: answer(session, folder, question))


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


def show_runs(question: Question) -> None:
    """Print what would be played."""
    from qpolis.balance.experiment import described
    from qpolis.balance.question import NO_MIX, cells
    from qpolis.report.content.terminal_tables import note_lines

    runs = cells(question)
    for run in runs:
        click.echo(f"{run.definition.games:>9,} games  {described(question, run)}")
    same = "" if question.mixes == (NO_MIX,) else ", on the same deals for every mix"
    click.echo(f"{sum(run.definition.games for run in runs):>9,} games in all{same}")
    for line in note_lines(question.notes()):
        click.echo(line)


def play_and_tell(
    session: Session, folder: Path, command: str, play: Callable[[], tuple[list[str], Answered]]
) -> None:
    """Play a question or a search in its folder; say what came out, how long it took and where it is."""
    if session.quiet:
        from qpolis import kernel

        kernel.on_compile = lambda message: None
    with told_how_to_go_on(lambda: "what was played is kept", command, folder), session:
        words, answered = play()
        names = [path.name for path in answered.paths if path.parent == folder]
        for line in [*words, f"written to {folder}: {', '.join(names)}, plots/"]:
            session.say(line)


def answer(session: Session, folder: Path, question: Question) -> tuple[list[str], Answered]:
    """Play a question, and the lines to say then."""
    from qpolis.report.content.progress import clock

    done = session.answer(folder, question)
    times = f"played in {clock(done.playing)}, measured in {clock(done.measuring)}"
    return [*done.summary.lines(), "", times], done


def find(session: Session, folder: Path, wanted: Search) -> tuple[list[str], Answered]:
    """Search for a mix, and the lines to say then."""
    from qpolis.report.content.balance_search import search_lines
    from qpolis.report.content.progress import clock
    from qpolis.report.content.terminal_tables import note_lines

    outcome, done = session.search(folder, wanted)
    words = [*search_lines(*outcome, done.answer), *note_lines(done.answer.question.notes())]
    return [*words, "", f"searched in {clock(done.playing + done.measuring)}"], done


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
    from qpolis.api.asked import asked_search
    from qpolis.api.session import Session
    from qpolis.balance.experiment import begin, resumed
    from qpolis.balance.search import CHECKS, read_search, seek
    from qpolis.files import new_path

    keys = given_keys(flags, CHECKS)
    check_resume(resume, file, out, keys)
    if resume:
        wanted = resumed(resume, lambda path: seek(read_search(path)), "balance search")
    else:
        check_file(file)
        wanted = asked_search(file, keys)
    if dry_run:
        return show_search(wanted)
    folder = resume or out or new_path(wanted.name)
    session = Session(workers, address, Speaker(quiet), quiet)
    if not resume:
        begin(folder, wanted)
    play_and_tell(session, folder, "balance search", lambda: find(session, folder, wanted))


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
