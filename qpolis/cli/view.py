"""The commands that make pages for the browser: a report of a run, and a game to watch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qpolis.errors import IllegalAction, QpolisError

if TYPE_CHECKING:
    from qpolis.game import Game
    from qpolis.tourney.records import GameRecord

IMPOSSIBLE = "it was played by another version of the engine, or its journal is damaged"

open_option = click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")


@click.command(short_help="Make a page of a game of a tournament, to look at move by move.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--game", "number", type=click.IntRange(0), required=True, help="Number of the game, as in games.csv."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The page.  [default: game-N.html in FOLDER]",
)
@click.option("--no-thoughts", is_flag=True, help="Do not show what searching bots thought, which takes time.")
@open_option
def watch(folder: Path, number: int, out: Path | None, no_thoughts: bool, opened: bool) -> None:
    """Make a page of one game of the run in FOLDER, to look at move by move.

    The page is one file that needs no network. Where mcts decided, it shows what the search thought.
    """
    from qpolis.report.content.replay import heading_of
    from qpolis.tourney.records import find_game
    from qpolis.tourney.run import read_chunks, saved_plan

    plan = saved_plan(folder)
    played = find_game(plan, read_chunks(folder, moves=True), number)
    heading = heading_of(played, number, plan.definition.name)
    write_game(plan.load_game(), played, heading, out or folder / f"game-{number}.html", not no_thoughts, opened)


@click.command(short_help="Make the report of a run, a page for the browser.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--game",
    "numbers",
    type=click.IntRange(0),
    multiple=True,
    metavar="N",
    help="A game that must be in the page, by its number in games.csv. Can be given several times.",
)
@click.option(
    "--games",
    "sample",
    type=click.IntRange(0),
    metavar="N",
    help="How many games to choose besides; 0 for none.  [default: 16]",
)
@open_option
def report(folder: Path, numbers: tuple[int, ...], sample: int | None, opened: bool) -> None:
    """Make the report of the run in FOLDER anew: the page report.html in it.

    The page is one file that needs no network. It has the standings, who beats whom, plots, and games to look at
    move by move. A tournament, or a balance analysis, writes it at its end, too.
    """
    from qpolis.balance.experiment import COMMANDS, command_of
    from qpolis.report import rewrite, rewrite_balance
    from qpolis.report.pages.games import SAMPLE

    if command_of(folder) not in COMMANDS.values():
        path = rewrite.rewrite(folder, SAMPLE if sample is None else sample, numbers)
    elif numbers or sample is not None:
        raise QpolisError(f"{folder}: the report of a balance analysis has no games: leave out --game and --games")
    else:
        path = rewrite_balance.rewrite_balance(folder)
    show_path(path, opened)
    click.echo(f"{path.stat().st_size / 1e6:.1f} MB")


def write_game(game: Game, played: GameRecord, heading: str, path: Path, thinking: bool, opened: bool) -> None:
    """Write the page of a game, and say where it is."""
    from tqdm import tqdm

    from qpolis.files import write_file
    from qpolis.report.content.replay import make_replay, thoughts_of
    from qpolis.report.pages.watch import game_page

    if not path.parent.is_dir():
        raise QpolisError(f"{path}: cannot be written: there is no folder {path.parent}")
    found = []
    try:
        if thinking:
            with tqdm(total=len(played.actions), unit=" decisions", leave=False, delay=1, disable=None) as bar:
                found = thoughts_of(game, played, bar.update)
        shown = make_replay(game, played, heading, found)
    except IllegalAction as error:
        raise QpolisError(f"{heading}: {error}: {IMPOSSIBLE}") from None
    show_path(write_file(path, game_page(shown)), opened)


def show_path(path: Path, opened: bool) -> None:
    """Say where a page is, and open it if that is asked."""
    click.echo(f"written to {path}")
    if opened and click.launch(path.resolve().as_uri()):
        raise QpolisError("no browser could be started: open the page yourself")


def new_page(name: str) -> Path:
    """The default path of a page that belongs to no run."""
    from qpolis.files import make_folder, new_path

    path = new_path(name, ".html")
    make_folder(path.parent)
    return path
