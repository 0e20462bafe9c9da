"""The commands about examples: list them, copy them."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(short_help="List and copy examples: bots, definitions, a package.")
def examples() -> None:
    """List and copy examples: bots, definitions, training, a notebook, a package.

    Bots and definitions are also found by their names: qpolis check tidy, qpolis tourney quick.
    """


@examples.command(name="list")
def list_examples() -> None:
    """List the examples, with a line about each."""
    from qpolis.registry.examples import listing

    for line in listing():
        click.echo(line)


@examples.command(short_help="Copy examples, to change them.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The folder to copy into.  [default: the working directory]",
)
def copy(names: tuple[str, ...], to: Path) -> None:
    """Copy examples into the working directory, to change them.

    \b
      qpolis examples copy
      qpolis examples copy bots tournaments/quick.toml
      qpolis examples copy tidy

    NAME is that of a file, a folder, a bot or a definition; without one all are copied. What is there already is
    not overwritten. A bot in bots/ is the one that its name stands for from then on.
    """
    from qpolis.registry import examples

    for path in examples.copy(names, to):
        click.echo(f"wrote {path}")
