"""Options that several commands share, and what they choose."""

from __future__ import annotations

import itertools
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.errors import QpolisError, unknown
from qpolis.games import DEFAULT_GAME

if TYPE_CHECKING:
    from qpolis.game import Option
    from qpolis.registry.spec import Entrant
    from qpolis.sandbox.program import Limits


GAME_HELP = "Name of the game (see `qpolis games`), or its path, such as ./my_game."
FLAGS = "qpolis.flags"  # where a command keeps those of its game

game_name = click.option("--game", default=DEFAULT_GAME, show_default=True, help=GAME_HELP)
others_option = click.option(
    "--option",
    "-o",
    "others",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any option of the game, as its flags (see `qpolis games`).",
)


class GameCommand(click.Command):
    """A command that has a flag for each option of the game it is about: that of --game, of a definition or a run
    among the arguments, or the default one. It gets the options that were given as `options`."""

    without: tuple[str, ...] = ()  # options that the command has another flag for
    definitions = ""  # the folder of the examples that has definitions for it

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        from qpolis.games import game_class

        self.check_bots(args)
        game = game_class(asked_game_name(args, self.definition_in(args)))
        context.meta[FLAGS] = {
            key: game_flag(key, option) for key, option in game.options.items() if key not in self.without
        }
        try:
            rest = super().parse_args(context, list(args))  # which are taken out as they are read
        except click.NoSuchOption as error:
            key = error.option_name.lstrip("-").replace("-", "_")
            if key in game.retired:
                raise game.retired[key].error(f"option of {game.name}", key) from None
            if key not in self.without and is_option_of_a_game(key):
                raise unknown(f"option of {game.name}", key, game.options) from None
            raise
        except click.UsageError as error:
            named = [arg for arg in args if arg[:1] != "-" and "," in arg and f"({arg})" in error.message]
            if named and self.takes_bots():
                raise bots_as_argument(named[0]) from None
            raise
        given = {key: context.params.pop(flag.name) for key, flag in context.meta[FLAGS].items()}
        context.params["options"] = merged(given_options(context.params.pop("others")), given)
        return rest

    def definition_in(self, args: Sequence[str]) -> Path | None:
        """The definition that is named among arguments, if one of those that ship is."""
        from qpolis.registry.examples import definitions

        ships = definitions(self.definitions) if self.definitions else {}
        valued = {flag for param in self.params for flag in param.opts if not getattr(param, "is_flag", False)}
        for before, arg in zip(["", *args], args):
            if arg in ships and before not in valued and not os.path.isfile(arg):
                return ships[arg]
        return None

    def takes_bots(self) -> bool:
        return any("--bots" in param.opts for param in self.params)

    def check_bots(self, args: Sequence[str]) -> None:
        """Refuse bots that are separated by spaces, which would be taken for something else."""
        for number, arg in enumerate(args):
            flag, equals, value = arg.partition("=")
            if flag == "--bots" and self.takes_bots():
                rest = args[number + 1 :]
                words = [value] if equals else []
                words += itertools.takewhile(lambda word: not word.startswith("-"), rest)
                if len(words) == 2 and (is_definition(words[1], self.definitions) or not words[0]):
                    continue
                if len(words) > 1:
                    right = ",".join(filter(None, (word.strip(",;") for word in words)))
                    raise QpolisError(f"--bots {' '.join(words)}: bots are separated by commas: --bots {right}")

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        """Those of every game, and behind --game the flags of this one."""
        params = super().get_params(context)
        place = [param.name for param in params].index("game") + 1
        return [*params[:place], *context.meta.get(FLAGS, {}).values(), *params[place:]]


def game_flag(key: str, option: Option) -> click.Option:
    """The flag for an option of a game, which checks the value itself."""
    from qpolis.game import option_text

    choices = "|".join(map(option_text, option.choices))
    help = option.help[:1].upper() + option.help[1:] + ("" if option.help.endswith("?") else ".")
    return click.Option(
        [f"--{key.replace('_', '-')}", f"game_option_{key}"],
        type=int if type(option.default) is int else str,
        metavar=f"[{choices}]" if choices else None,
        help=f"{help}  [default: {option_text(option.default)}]",
    )


def asked_game_name(args: Sequence[str], definition: Path | None = None) -> str:
    """The game that arguments are about, as far as one can tell before they are read."""
    from qpolis.games import game_class

    named = [value for flag, value in itertools.pairwise(args) if flag == "--game"]
    named += [arg.partition("=")[2] for arg in args if arg.startswith("--game=")]
    if named:
        return named[-1]
    paths = [Path(arg.partition("=")[2] if arg.startswith("--resume=") else arg) for arg in args]
    for path in (*paths, *filter(None, [definition])):
        try:
            file = path / "plan.toml" if path.is_dir() else path
            if file.suffix == ".toml" and file.is_file():
                game = tomllib.loads(file.read_text(encoding="utf-8")).get("game", DEFAULT_GAME)
                game_class(game)
                return str(game)
        except (OSError, ValueError, RecursionError, QpolisError):
            continue  # whoever reads it says what is wrong
    return DEFAULT_GAME


def bots_as_argument(word: str) -> QpolisError:
    return QpolisError(f"{word}: bots are named with --bots: --bots {word}")


def is_definition(word: str, folder: str) -> bool:
    """Is this the file of a definition, or meant to be one, or the name of one that ships?"""
    from qpolis.registry.examples import definitions

    return word.endswith(".toml") or os.path.exists(word) or bool(folder and word in definitions(folder))


def is_option_of_a_game(key: str) -> bool:
    from qpolis.games import game_class, usable

    return any(key in game_class(name).options for name in usable())


def merged(others: Mapping[str, str], flags: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a game given as NAME=VALUE and as flags."""
    given = {key: value for key, value in flags.items() if value is not None}
    for key in given:
        if key in others:
            raise QpolisError(f"{key} is given twice, as {others[key]!r} and as {given[key]!r}")
    return {**others, **given}


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose a game, for a GameCommand; what is not given has the game's own default."""
    return game_name(others_option(command))


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


def check_file(given: Path | None) -> None:
    """Refuse bots where the file of a definition is named."""
    if given is not None and "," in str(given) and not given.exists():
        raise bots_as_argument(str(given))


# Of a GameCommand that has definition files: what is not given is what the file says.
asked_game = decorated(
    click.option("--game", help=f"{GAME_HELP}  [default: {DEFAULT_GAME}]"),
    others_option,
    click.option(
        "--seed",
        type=int,
        help="Number that names all the deals.  [default: drawn at random]",
    ),
    click.option("--name", help="Name of the run.  [default: that of FILE, or what is played]"),
)

run_flags = decorated(
    click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The folder for this run.  [default: results/NAME-TIME]",
    ),
    click.option(
        "--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with the run in this folder."
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 100_000),
        metavar="N",
        help="Processes that play; 1 plays in this one.  [default: all cores]",
    ),
    click.option("--address", help="Play on the Ray cluster at this address."),
    click.option("--dry-run", is_flag=True, help="Print what would be played; write nothing."),
    click.option("--quiet", is_flag=True, help="Print nothing but errors."),
)


seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Number that names the deal.")


def sandbox_option(default: str | None) -> Callable[..., Any]:
    """Where bots of others play; no default where a definition may say it."""
    return click.option(
        "--sandbox",
        type=click.Choice(["auto", "on", "off"]),
        default=default,
        help="Where bots of others play: in the best sandbox of this machine, in one or not at all, in none.  "
        "[default: auto]",
    )


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What bots may use; shipped ones are trusted."""
    for option in (
        sandbox_option("auto"),
        click.option("--ponder", is_flag=True, help="Let bots compute while others think."),
        click.option(
            "--start-limit",
            type=click.FloatRange(0.001, 1e6),
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="Processor time that a bot may take to start.",
        ),
        click.option(
            "--memory-limit",
            type=click.IntRange(1, 1 << 20),
            default=2048,
            show_default=True,
            metavar="MB",
            help="Memory that a bot's process may use.",
        ),
        click.option(
            "--time-limit",
            type=click.FloatRange(0.001, 1e6),
            default=10.0,
            show_default=True,
            metavar="SECONDS",
            help="Processor time that a bot may take for one decision.",
        ),
    ):
        command = option(command)
    return command


def chosen_limits(time_limit: float, memory_limit: int, start_limit: float, ponder: bool, sandbox: str) -> Limits:
    from qpolis.sandbox.program import Limits

    return Limits.of(time_limit, memory_limit, start_limit, ponder, sandbox)


bots_option = click.option(
    "--bots",
    "specs",
    metavar="BOT,BOT,...",
    help="Who plays, seat by seat: names (see `qpolis bots`) or paths such as ./my_bot.py.  [default: random]",
)


def chosen_bots(specs: str | None, sandbox: str) -> list[Entrant]:
    """The bots of a list on the command line."""
    from qpolis.registry.spec import resolve

    return [resolve(spec.strip(), sandbox) for spec in (specs or "").split(",")]
