"""The command line. Commands are thin: they read options, call the library and print."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

import click

from qpolis import interrupts
from qpolis.cli.balance import balance
from qpolis.cli.bots import bots, check, new_bot, play
from qpolis.cli.data import export, import_games
from qpolis.cli.doctor import doctor
from qpolis.cli.examples import examples
from qpolis.cli.games import check_game, games, new_game
from qpolis.cli.options import GameCommand, game_name, game_options, seed_option
from qpolis.cli.serve import serve
from qpolis.cli.tourney import replay, tourney, verify
from qpolis.cli.train import train
from qpolis.cli.view import report, watch
from qpolis.errors import QpolisError
from qpolis.version import __version__

# The library is imported inside the commands: `qpolis --help` answers at once, without loading the compiler.


class Commands(click.Group):
    """Shows every foreseen error as one line on stderr, with exit code 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        with interrupts.listen():  # a signal that ends us ends what we started, too
            return self._main(*args, **kwargs | {"standalone_mode": False, "prog_name": "qpolis"})

    def _main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, io.TextIOWrapper):  # None if it is closed
                    stream.reconfigure(errors="backslashreplace")  # names of files need not be text
            code = super().main(*args, **kwargs)
            if sys.stdout:
                sys.stdout.flush()
            sys.exit(code or 0)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(2)
        except click.UsageError as error:
            where = error.ctx.command_path if error.ctx else "qpolis"
            self._fail(f"{error.format_message().rstrip('.')} (see {where} --help)")
        except (QpolisError, click.ClickException) as error:
            self._fail(str(error))
        except click.Abort:
            sys.exit(interrupts.INTERRUPTED)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
            self._fail(f"{where}{error.strerror or error}")

    def list_commands(self, context: click.Context) -> list[str]:
        """Those of qpolis, and those that games bring."""
        from qpolis.games.finder import commands

        return sorted({*super().list_commands(context), *commands()})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        from qpolis.games.finder import commands

        return super().get_command(context, name) or commands().get(name)

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except BrokenPipeError:  # the reader of our output has gone, as in `qpolis play | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            context.exit(0)

    @staticmethod
    def _fail(message: str) -> NoReturn:
        click.echo(f"qpolis: {QpolisError(message)}", err=True)
        sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="qpolis")
def main() -> None:
    """Tournaments, bots and balance analysis for city-building board games."""
    from qpolis import kernel

    kernel.on_compile = lambda message: click.echo(message, err=True)


for command in (
    balance,
    bots,
    check,
    check_game,
    doctor,
    examples,
    export,
    games,
    import_games,
    new_bot,
    new_game,
    play,
    replay,
    report,
    serve,
    tourney,
    train,
    verify,
    watch,
):
    main.add_command(command)


@main.command(cls=GameCommand)
@game_options
@seed_option
@click.option(
    "--games",
    "count",
    type=click.IntRange(1, 10_000_000),
    default=5000,
    show_default=True,
    help="How many games to play.",
)
def demo(seed: int, count: int, game: str, options: Mapping[str, Any]) -> None:
    """Play many random games and summarise the scores."""
    import time

    from qpolis.bots.random import random
    from qpolis.engine.policy_loop import play_policies
    from qpolis.games import load_game
    from qpolis.report.content.batch_summary import summary_lines

    played = load_game(game, **options)
    seats = [random.configure()] * played.players
    play_policies(played, seats, seed, 0, 1)  # compile outside the timing
    start = time.perf_counter()
    batch = play_policies(played, seats, seed, 0, count)
    click.echo("\n".join(summary_lines(played, batch, time.perf_counter() - start)))


@main.command(short_help="Measure the speed of the engine.")
@game_name
@click.option("--quick", is_flag=True, help="Only the signature, which changes when behaviour changes.")
def bench(game: str, quick: bool) -> None:
    """Measure the speed of the engine on one core, and print its signature."""
    from qpolis.conformance.bench import measures, signature
    from qpolis.games import game_class

    game_class(game)
    if not quick:
        for measure in measures(game):
            click.echo(str(measure))
    click.echo(f"signature {signature(game)}")
