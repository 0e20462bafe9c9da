"""Options that several commands share, and what they choose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.errors import QpolisError
from qpolis.games import DEFAULT_GAME

if TYPE_CHECKING:
    from qpolis.registry.spec import Entrant
    from qpolis.sandbox.program import Limits


# Options of games that have flags of their own, and what these say.
GAME_FLAGS = ("mode", "players", "mix")
MODE_HELP = "Rules, such as classic or expert, of a game that has modes.  [default: the game's]"
PLAYERS_HELP = "Number of players, of a game that leaves it open.  [default: the game's]"
MIX_HELP = ("Tile mix, of a game that has mixes: a name, the path of a CSV file, or changes such as "
            "base:harbor+2:park-2.  [default: the game's]")
OTHERS_HELP = "Any option of the game (see `qpolis games`)."

game_name = click.option("--game", default=DEFAULT_GAME, show_default=True, help="Name of the game.")


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose a game; what is not given has the game's own default."""
    for option in (
        click.option("--option", "-o", "others", multiple=True, metavar="NAME=VALUE",
                     help=OTHERS_HELP),
        click.option("--mix", help=MIX_HELP),
        click.option("--mode", help=MODE_HELP),
        click.option("--players", type=int, help=PLAYERS_HELP),
        game_name,
    ):
        command = option(command)
    return command


def chosen_game(game: str, others: tuple[str, ...], **options: Any) -> Any:
    from qpolis.games import load_game
    from qpolis.tourney.schema import with_options

    given = {key: value for key, value in options.items() if value is not None}
    return load_game(game, **with_options({**given, "options": given_options(others)})["options"])


def given_options(others: tuple[str, ...]) -> dict[str, str]:
    """Options of a game given as NAME=VALUE."""
    options: dict[str, str] = {}
    for other in others:
        key, equals, value = other.partition("=")
        if not equals:
            raise QpolisError(f"--option {other!r} is not of the form NAME=VALUE")
        if key in options:
            raise QpolisError(f"{key} is given twice, as {options[key]!r} and as {value!r}")
        options[key] = value
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
    click.option("--game", help=f"Name of the game.  [default: {DEFAULT_GAME}]"),
    click.option("--mode", help=MODE_HELP),
    click.option("--players", type=int, help=PLAYERS_HELP),
    click.option("--option", "-o", "others", multiple=True, metavar="NAME=VALUE", help=OTHERS_HELP),
    click.option("--seed", type=int, help="Number that names all the deals.  [default: 0]"),
    click.option("--name", help="Name of the run.  [default: that of FILE, or what is played]"))

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
    from qpolis.sandbox.program import Limits

    return Limits.of(time_limit, memory_limit)


bots_option = click.option(
    "--bots", "specs", metavar="BOT,BOT,...",
    help="Who plays, seat by seat: names (see `qpolis bots`) or paths such as ./my_bot.py.  [default: random]")


def chosen_bots(specs: str | None) -> list[Entrant]:
    """The bots of a list on the command line."""
    from qpolis.registry.spec import resolve

    return [resolve(spec.strip()) for spec in (specs or "").split(",")]
