"""The command that looks at the machine."""

from __future__ import annotations

import click


@click.command()
def doctor() -> None:
    """Say what this machine offers: versions, cores, sandbox, cache."""
    from qpolis.sandbox.survey import survey

    for line in survey():
        click.echo(line)
