"""Options that several commands share, and what they choose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.errors import QpolisError

if TYPE_CHECKING:
    from qpolis.bots.process import Limits
    from qpolis.bots.spec import Entrant


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose a game; what is not given has the game's own default."""
    for option in (
        click.option("--option", "-o", "others", multiple=True, metavar="NAME=VALUE",
                     help="Any other option of the game (see `qpolis games`)."),
        click.option("--mix", help="Tile mix: a name, the path of a CSV file, or changes such as "
                                   "base:harbor+2:park-2.  [default: base]"),
        click.option("--mode", help="Rules of the game, such as classic or expert.  [default: the game's]"),
        click.option("--players", type=int, help="Number of players.  [default: the game's]"),
        click.option("--game", "name", default="quadropolis", show_default=True, help="Name of the game."),
    ):
        command = option(command)
    return command


def chosen_game(name: str, others: tuple[str, ...], **options: Any) -> Any:
    from qpolis.games import load_game

    options |= given_options(others)
    return load_game(name, **{key: value for key, value in options.items() if value is not None})


def given_options(others: tuple[str, ...]) -> dict[str, str]:
    """Options of a game given as NAME=VALUE."""
    options = {}
    for other in others:
        key, equals, options[key] = other.partition("=")
        if not equals:
            raise QpolisError(f"--option {other!r} is not of the form NAME=VALUE")
    return options


def decorated(*options: Callable[..., Any]) -> Callable[..., Any]:
    """Several options as one decorator, in this order in the help."""
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


# Of commands that have definition files: what is not given is what the file says.
asked_game = decorated(
    click.option("--game", help="Name of the game.  [default: quadropolis]"),
    click.option("--mode", help="Rules of the game, such as classic or expert.  [default: the game's]"),
    click.option("--players", type=int, help="Number of players.  [default: the game's]"),
    click.option("--option", "-o", "others", multiple=True, metavar="NAME=VALUE",
                 help="Any other option of the game (see `qpolis games`)."),
    click.option("--seed", type=int, help="Number that names all the deals.  [default: 0]"))

run_flags = decorated(
    click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
                 help="The folder for this run.  [default: results/NAME-TIME]"),
    click.option("--resume", type=click.Path(path_type=Path), metavar="DIR",
                 help="Go on with the run in this folder."),
    click.option("--workers", type=click.IntRange(1, 100_000), metavar="N",
                 help="Processes that play; 1 plays in this one.  [default: all cores]"),
    click.option("--address", help="Play on the Ray cluster at this address."),
    click.option("--dry-run", is_flag=True, help="Print what would be played; write nothing."),
    click.option("--quiet", is_flag=True, help="Print nothing but errors."))


seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Number that names the deal.")


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What bots may use; shipped ones are trusted."""
    for option in (
        click.option("--memory-limit", type=click.IntRange(1, 1 << 20), default=2048, show_default=True,
                     metavar="MB", help="Memory that a bot's process may use."),
        click.option("--time-limit", type=click.FloatRange(0.001, 1e6), default=10.0, show_default=True,
                     metavar="SECONDS", help="Time that a bot may take for one decision."),
    ):
        command = option(command)
    return command


def chosen_limits(time_limit: float, memory_limit: int) -> Limits:
    from qpolis.bots.process import Limits

    return Limits.of(time_limit, memory_limit)


bots_option = click.option(
    "--bots", "specs", metavar="BOT,BOT,...",
    help="Who plays, seat by seat: names (see `qpolis bots`) or paths such as ./my_bot.py.  [default: random]")


def chosen_bots(specs: str | None) -> list[Entrant]:
    """The bots of a list on the command line."""
    from qpolis.bots.spec import resolve

    return [resolve(spec.strip()) for spec in (specs or "").split(",")]
