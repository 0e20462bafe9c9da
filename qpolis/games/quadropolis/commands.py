"""The commands that Quadropolis brings: tile mixes (list, show, compare and write them), and scoring a city.

The command line runs this file by itself: what needs the compiler is imported inside the commands.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from qpolis.errors import QpolisError


@click.group(short_help="Show, compare and write tile mixes.")
def mix() -> None:
    """Show, compare and write the tile mixes of Quadropolis.

    \b
    A mix is
      a name                  base (see `qpolis mix list`)
      the path of a CSV file  ./mine.csv
      changes to another      base:harbor+2:park-2
                              base:harbor+1@3:park-1@3      in round 3
                              base:tower=+1inhabitants@1    every tower of round 1
                              base:office-1@2/4             of 4 players only
                              base:park=0holds@1            parks of round 1 hold no energy

    All about them is in docs/mixes.md.
    """


@mix.command(name="list")
def list_mixes() -> None:
    """List the mixes that come with qpolis."""
    from qpolis.games.quadropolis.mix import about, files, load_mix, packaged
    from qpolis.games.quadropolis.provenance import inferred_texts

    width = max(map(len, packaged()))
    for name in packaged():
        click.echo(f"{name:<{width}}  {about(name)}")
        for text in inferred_texts(load_mix(name)) if name in files() else ():  # others are changes to these
            click.echo(f"{'':<{width}}  ({text})")


@mix.command()
@click.argument("mix")
@click.option(
    "--mode",
    type=click.Choice(["classic", "expert"]),
    help="The mode whose tiles are shown.  [default: all that the mix has tiles for]",
)
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    default=4,
    show_default=True,
    help="Only the tiles in play with so many players.",
)
def show(mix: str, mode: str | None, players: int) -> None:
    """Show the tiles of a mix by type and round.

    \b
      qpolis mix show base --mode expert
      qpolis mix show base:harbor+2:park-2 --players 2
    """
    from qpolis.games.quadropolis.mix import load_mix
    from qpolis.games.quadropolis.mix_report import show_lines

    loaded = load_mix(mix)
    for number, shown in enumerate([mode] if mode else loaded.modes or ["classic"]):
        click.echo("\n" * bool(number) + "\n".join(show_lines(loaded, shown, players)))


@mix.command(short_help="Show what differs between two mixes.")
@click.argument("first")
@click.argument("second")
def diff(first: str, second: str) -> None:
    """Show which tiles the mix SECOND has and the mix FIRST has not, and the other way round.

    \b
      qpolis mix diff base park-homes
      qpolis mix diff base ./mine.csv
    """
    from qpolis.games.quadropolis.mix import load_mix
    from qpolis.games.quadropolis.mix_report import diff_lines

    click.echo("\n".join(diff_lines(load_mix(first), load_mix(second))))


@mix.command(short_help="Write a mix to a CSV file.")
@click.argument("mix")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def write(mix: str, file: Path, force: bool) -> None:
    """Write a mix to a CSV file, to edit or to keep. The file is the same mix, to the last slot.

    \b
      qpolis mix write base:harbor+2:park-2 mine.csv
    """
    from qpolis.files import write_new
    from qpolis.games.quadropolis.mix import load_mix, mix_text

    loaded = load_mix(mix)
    write_new(file, mix_text(loaded).encode(), force)
    click.echo(f"wrote {file}, {len(loaded.rows)} lines")


def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; JSON lets a key stand twice, a city does not."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise QpolisError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return data


@click.command(short_help="Score one Quadropolis city exactly.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--mix",
    metavar="MIX",
    help="Tile mix that the city was built with, as in `qpolis mix`.  [default: that of the file, or base]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def score(file: Path, mix: str | None, as_json: bool) -> None:
    """Score one Quadropolis city with the best assignment of inhabitants and energy.

    FILE is JSON: {"mode", "squares", "inhabitants", "energy"}; squares are listed line by line, each null or
    {"type", "floors", "vp"}. A single - reads standard input.

    What a park holds is what the parks of the mix hold, or the key "holds" of its square says. The key "mix" of
    the file names the mix, too; a --mix that contradicts it is refused.
    """
    from qpolis.games.quadropolis.assignment import best_assignment, read_city
    from qpolis.games.quadropolis.mix import load_mix
    from qpolis.games.quadropolis.report import score_lines

    given = None if mix is None else load_mix(mix)
    try:
        if str(file) == "-":
            raw = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            raw = file.read_bytes()
        city = read_city(json.loads(raw.decode("utf-8-sig"), object_pairs_hook=no_repeats), given)
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


COMMANDS = (mix, score)
