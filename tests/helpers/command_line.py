"""Commands as a user gives them, inside this process."""

from __future__ import annotations

import re

from click.testing import CliRunner

from qpolis.cli.main import main

RESULT = re.compile(r"seat (\d): (-?\d+) points, place (\d)")


def run(*arguments):
    """What a command that succeeds prints."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*arguments):
    """The one line with which a command fails; nothing else is printed."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2, repr(result.exception)
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("qpolis: ")
    return lines[0]


def results(output):
    """(points, place) of each seat from the end of a shown game."""
    found = [tuple(map(int, seat)) for seat in RESULT.findall(output)]
    assert [seat for seat, _, _ in found] == list(range(len(found)))
    return [(points, place) for _, points, place in found]
