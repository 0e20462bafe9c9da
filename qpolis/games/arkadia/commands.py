"""The commands that Arkadia brings: show a board, and write the packaged one to a file.

The command line runs this file by itself: what needs the compiler is imported inside the commands.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.group(short_help="Show and write boards of Arkadia.")
def board() -> None:
    """Show and write boards of Arkadia: camps, places of the castle lot, forms, cards of each family, and the
    introductory set-up.

    \b
      qpolis board write mine.toml                        # the packaged board, to correct
      qpolis board show ./mine.toml                       # what it says, if nothing is wrong with it
      qpolis play --game arkadia -o board=./mine.toml

    All keys of the file are explained in docs/boards.md.
    """


@board.command(short_help="Show a board.")
@click.argument("board", default="base")
def show(board: str) -> None:
    """Show a board: the packaged one, or that of a file.

    \b
      qpolis board show
      qpolis board show ./mine.toml
    """
    from qpolis.games.arkadia.board_file import load_board
    from qpolis.games.arkadia.board_report import show_lines

    click.echo("\n".join(show_lines(load_board(board), board)))


@board.command(short_help="Write the packaged board to a file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def write(file: Path, force: bool) -> None:
    """Write the packaged board to a TOML file, to correct it.

    \b
      qpolis board write mine.toml
    """
    from qpolis.files import write_new
    from qpolis.games.arkadia.board_file import PACKAGED

    write_new(file, PACKAGED.read_bytes(), force)
    click.echo(f"wrote {file}; change it, look at it with qpolis board show, and play with -o board={file}")


COMMANDS = (board,)
