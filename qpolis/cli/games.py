"""The commands about games: list them, check one, write a new one."""

from __future__ import annotations

from pathlib import Path

import click

from qpolis.cli.bots import shown
from qpolis.cli.options import seed_option


@click.command()
def games() -> None:
    """List the games with their options.

    A game that is not part of qpolis is one that an installed package offers, or is given by its path: any command
    takes --game ./my_game.
    """
    from qpolis.game import option_text
    from qpolis.games import broken, finder, game_class

    for found in sorted(finder.everything(), key=lambda found: found.name):
        if reason := broken(found.name):
            click.echo(f"{found.name}: broken: {reason.removeprefix(f'game {found.name}: ')}")
            continue
        game = game_class(found.name)
        traits = [word for word, given in (("chance", game.chance), ("hidden information", game.hidden)) if given]
        origin = "" if found.origin == "qpolis" else f", from {found.origin}"
        click.echo(f"{found.name}: {game.title}" + (f" ({', '.join(traits)})" if traits else "") + origin)
        for key, option in game.options.items():
            choices = " | ".join(option_text(choice) for choice in option.choices)
            default = f"default {option_text(option.default)}"
            click.echo(f"  {key:<9}{option.help}: {choices + ', ' if choices else ''}{default}")


@click.command(name="new-game", short_help="Write a new game to start from.")
@click.argument("name")
def new_game(name: str) -> None:
    """Write a new game into the folder NAME, complete and ready to be changed.

    docs/write-a-game.md walks through it.
    """
    from qpolis.registry.game_template import write_game

    path = write_game(name, Path())
    click.echo(
        "\n".join(
            [
                f"wrote {path / '__init__.py'}, a game that plays. What next:",
                f"  qpolis check-game ./{path}",
                f"  qpolis play --game ./{path}",
                f"  qpolis tourney --game ./{path} --bots mcts,greedy",
            ]
        )
    )


@click.command(name="check-game", short_help="Check that a game keeps to the rules of games.")
@click.argument("game")
@click.option(
    "--games",
    "count",
    type=click.IntRange(2, 10_000),
    default=3,
    show_default=True,
    help="How many games to play in each variant of the game.",
)
@seed_option
@click.pass_context
def check_game(context: click.Context, game: str, count: int, seed: int) -> None:
    """Check that a game keeps to the rules of games, step by step.

    GAME is its name (see `qpolis games`) or its path, such as ./my_game. The exit code is 0 if all steps pass and
    1 if one fails.
    """
    from qpolis.conformance import check_game as conformance
    from qpolis.game import check_seed
    from qpolis.games import finder

    check_seed(seed)
    found = finder.find(game)
    click.echo(f"game {found.name}, from {found.origin}")
    steps = list(shown(conformance.check_game(game, count, seed)))
    failed = [str(step.number) for step in steps if not step.passed]
    click.echo(
        f"{len(failed)} of {len(steps)} checks failed: {', '.join(failed)}"
        if failed
        else f"{len(steps)} checks passed"
    )
    context.exit(int(bool(failed)))
