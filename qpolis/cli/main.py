"""The command line. Commands are thin: they read options, call the library and print."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from qpolis import interrupts
from qpolis.cli.balance import balance
from qpolis.cli.bots import bots, check, new_bot, play
from qpolis.cli.mix import mix
from qpolis.cli.options import chosen_game, game_name, game_options, seed_option
from qpolis.cli.serve import serve
from qpolis.cli.tourney import replay, tourney, verify
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


for command in (balance, bots, check, mix, new_bot, play, replay, report, serve, tourney, verify, watch):
    main.add_command(command)


@main.command()
def games() -> None:
    """List the games with their options."""
    from qpolis.game import option_text
    from qpolis.games import game_class, names

    for name in names():
        game = game_class(name)
        traits = [word for word, given in (("chance", game.chance), ("hidden information", game.hidden)) if given]
        click.echo(f"{name}: {game.title}" + (f" ({', '.join(traits)})" if traits else ""))
        for key, option in game.options.items():
            choices = " | ".join(option_text(choice) for choice in option.choices)
            default = f"default {option_text(option.default)}"
            click.echo(f"  {key:<9}{option.help}: {choices + ', ' if choices else ''}{default}")


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; JSON lets a key stand twice, a city does not."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise QpolisError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return data


@main.command(short_help="Score one Quadropolis city exactly.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def score(file: Path, as_json: bool) -> None:
    """Score one Quadropolis city with the best assignment of inhabitants and energy.

    FILE is JSON: {"mode", "squares", "inhabitants", "energy"}; squares are listed line by line, each null or
    {"type", "floors", "vp"}. A single - reads standard input.
    """
    from qpolis.games.quadropolis.assignment import best_assignment, read_city
    from qpolis.games.quadropolis.report import score_lines

    try:
        if str(file) == "-":
            raw = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            raw = file.read_bytes()
        city = read_city(json.loads(raw.decode("utf-8-sig"), object_pairs_hook=no_repeats))
    except OSError as error:
        raise QpolisError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise QpolisError(f"{file}: line {line}: not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise QpolisError(f"{file}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise QpolisError(f"{file}: not a city: nested too deeply") from None
    except ValueError:
        raise QpolisError(f"{file}: not a city: a number of thousands of digits") from None
    except QpolisError as error:
        raise QpolisError(f"{file}: {error}") from None
    result = best_assignment(city)
    if as_json:
        click.echo(json.dumps(result, indent=2))
    else:
        click.echo("\n".join(score_lines(city, result)))


@main.command()
@game_options
@seed_option
@click.option("--games", "count", type=click.IntRange(1, 10_000_000), default=5000, show_default=True,
              help="How many games to play.")
def demo(seed: int, count: int, **options: Any) -> None:
    """Play many random games and summarise the scores."""
    import time

    from qpolis.bots.random import random
    from qpolis.engine.policy_loop import play_policies
    from qpolis.report.content.batch_summary import summary_lines

    game = chosen_game(**options)
    seats = [random.configure()] * game.players
    play_policies(game, seats, seed, 0, 1)  # compile outside the timing
    start = time.perf_counter()
    batch = play_policies(game, seats, seed, 0, count)
    click.echo("\n".join(summary_lines(game, batch, time.perf_counter() - start)))


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

