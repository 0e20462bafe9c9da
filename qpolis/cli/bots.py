"""The commands about bots: watch them play, list them, check one, write a new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli.options import (
    GameCommand,
    bots_option,
    chosen_bots,
    chosen_limits,
    game_name,
    game_options,
    limit_options,
    seed_option,
)
from qpolis.cli.view import new_page, open_option, write_game
from qpolis.errors import QpolisError

if TYPE_CHECKING:
    from qpolis.conformance.steps import Step
    from qpolis.game import Game, State
    from qpolis.registry.spec import Entrant
    from qpolis.sandbox.program import Limits


@click.command(cls=GameCommand, short_help="Show one game between bots, move by move.")
@bots_option
@game_options
@seed_option
@limit_options
@click.option(
    "--html",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Write the game as a page for the browser instead.  [default: results/play-TIME.html]",
)
@open_option
def play(
    specs: str | None,
    seed: int,
    time_limit: float,
    memory_limit: int,
    start_limit: float,
    ponder: bool,
    sandbox: str,
    html: str | None,
    opened: bool,
    game: str,
    options: Mapping[str, Any],
) -> None:
    """Show one game between bots, move by move.

    With --bots there is one bot for each seat: qpolis play --bots random,./my_bot.py
    """
    from qpolis.games import load_game
    from qpolis.report.content.bot_output import Output
    from qpolis.report.content.transcript import end_lines, move_lines, start_lines
    from qpolis.tourney.match import play_stepwise

    played = load_game(game, **options)
    limits = chosen_limits(time_limit, memory_limit, start_limit, ponder, sandbox)
    entrants = chosen_bots(specs or ",".join(["random"] * played.players), sandbox)
    if len(entrants) != played.players:
        change = " (--players changes their number)" if "players" in played.options else ""
        raise QpolisError(f"--bots: {len(entrants)} for {played.players} seats{change}")
    for seated in filter(None, (entrant.shipped for entrant in entrants)):
        seated.check(played)
    if html is not None or opened:
        return play_page(played, entrants, seed, limits, Path(html) if html else new_page("play"), opened)
    position = played.new(seed)
    show(start_lines(played, f"seed {seed}", [entrant.spec for entrant in entrants] if specs else []))

    def watch(deal: int, state: State, seat: int, action: int, seconds: float) -> None:
        nonlocal position
        show(move_lines(state, action))
        position = state
        position.apply(action)  # it is a copy, with the chance of the game

    said = Output([entrant.spec for entrant in entrants])
    batch = play_stepwise(played, entrants, seed, 0, 1, limits, watch, on_output=said)
    reasons = {seat: reason for (_, seat), reason in batch.reasons.items()}
    show(end_lines(position, batch.points[0].tolist(), batch.ranks[0].tolist(), batch.ends[0].tolist(), reasons))


def show(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def play_page(
    game: Game, entrants: Sequence[Entrant], seed: int, limits: Limits, path: Path, opened: bool
) -> None:
    """Play a game, and write it as a page."""
    from qpolis.report.content.bot_output import Output
    from qpolis.tourney.match import play_record

    played = play_record(game, entrants, seed, limits, Output([entrant.spec for entrant in entrants]))
    write_game(game, played, f"seed {seed}", path, thinking=True, opened=opened)


@click.command()
def bots() -> None:
    """List the bots that have names, with their parameters.

    Those of qpolis also take forbid=KIND+KIND and favor=KIND+KIND, as in greedy:forbid=harbor: categories, such as
    kinds of buildings, that they shun or seek, in games that have them.
    """
    from qpolis.registry.catalogue import catalogue_lines

    for line in catalogue_lines():
        click.echo(line)


@click.command(name="new-bot", short_help="Write a new bot to start from.")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(["python", "kernel", "program"]),
    default="python",
    show_default=True,
    help="A class in plain Python, a compiled function, or a program of its own.",
)
@game_name
def new_bot(name: str, kind: str, game: str) -> None:
    """Write a new bot called NAME into bots/, ready to play and to be changed."""
    from qpolis.registry.bot_templates import first_steps, write_bot

    path = write_bot(name, kind, game)
    click.echo("\n".join([f"wrote {path}, a bot that plays. What next:", *first_steps(name, game)]))


@click.command(short_help="Check that a bot keeps to the rules of bots.")
@click.argument("spec")
@game_name
@click.option(
    "--games",
    "count",
    type=click.IntRange(2, 10_000),
    default=2,
    show_default=True,
    help="How many games to play in each variant of the game.",
)
@seed_option
@limit_options
@click.pass_context
def check(context: click.Context, spec: str, game: str, count: int, seed: int, **limits: Any) -> None:
    """Check that a bot keeps to the rules of bots, step by step.

    SPEC is its name (see `qpolis bots`) or its path, such as ./my_bot.py. The exit code is 0 if all steps pass and
    1 if one fails.
    """
    from qpolis.conformance.bots import check_bot
    from qpolis.game import check_seed
    from qpolis.games import game_class
    from qpolis.registry.spec import resolve
    from qpolis.report.content.bot_output import Output

    game_class(game)
    check_seed(seed)
    entrant = resolve(spec, limits["sandbox"])
    click.echo(f"{entrant.spec}, from {entrant.origin}, plays {game}")
    said = Output([entrant.spec])
    steps = list(shown(check_bot(entrant, game, count, seed, chosen_limits(**limits), said)))
    context.exit(int(any(step.passed is False for step in steps)))


def shown(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of a check, printed as they are done."""
    for step in steps:
        click.echo(str(step))
        yield step
