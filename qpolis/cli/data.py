"""The commands about data: games of a run for others, and games of others as a run."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qpolis.errors import QpolisError

if TYPE_CHECKING:
    from qpolis.dataset.export import Written
    from qpolis.dataset.recorded_run import RecordedRun

RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@click.command(short_help="Write the games of a run as data: positions, actions, results.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--to",
    "form",
    type=click.Choice(["parquet", "jsonl"]),
    help="The format.  [default: by the name of --out, or parquet; with --moves jsonl]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE|DIR",
    help="Where to.  [default: decisions.parquet, decisions.jsonl or moves.jsonl in RUN]",
)
@click.option(
    "--games", "numbers", metavar="N-N,...", help="Only these games, by their numbers, such as 0-99,200."
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only so many games, drawn at random.")
@click.option(
    "--columns", metavar="NAME,...", help="Only these columns (docs/data.md).  [default: all but visits, values]"
)
@click.option(
    "--visits", is_flag=True, help="With what searching bots thought: they think again, as long as they did."
)
@click.option("--moves", is_flag=True, help="Games by the texts of their moves, as `qpolis import` reads them.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def export(
    folder: Path,
    form: str | None,
    out: Path | None,
    numbers: str | None,
    sample: int | None,
    columns: str | None,
    visits: bool,
    moves: bool,
    force: bool,
    quiet: bool,
) -> None:
    """Write the games of RUN as data, for programs that learn.

    \b
      qpolis export results/mcts-greedy-20260101-120000 --to parquet
      qpolis export results/mcts-greedy-20260101-120000 --to jsonl --games 0-99 --visits
      qpolis export results/mcts-greedy-20260101-120000 --moves

    A row for every decision: the observation as numbers, what was legal, what was chosen, how the game ended.
    Games are played again for it, and checked. A run that is not complete is exported as far as it was played.
    docs/data.md has the columns.
    """
    from qpolis.dataset.export import choose_games, export_decisions
    from qpolis.dataset.moves import export_moves
    from qpolis.dataset.recorded_run import RecordedRun
    from qpolis.files import check_free
    from qpolis.report.content.progress import Progress

    if moves and (visits or columns):
        raise QpolisError(f"--moves writes moves only: leave out {'--visits' if visits else '--columns'}")
    form, path = chosen_file(folder, form, out, moves)
    run = RecordedRun.open(folder)
    chosen = choose_games(run, ranges(numbers), sample)
    check_free(path, force)
    if not path.parent.is_dir():
        raise QpolisError(f"{path}: cannot be written: there is no folder {path.parent}")
    if not quiet:
        for line in remarks(run, visits or moves or columns is not None):
            click.echo(line)
    progress = Progress(int(chosen.sum()), 0, quiet)
    begun = time.monotonic()
    try:
        on_games = lambda games: progress(games, "written")  # noqa: E731
        if moves:
            written = export_moves(run, path, chosen, on_games)
        else:
            asked = [name.strip() for name in columns.split(",")] if columns is not None else None
            written = export_decisions(run, path, form, chosen, asked, visits, on_games)
    finally:
        progress.close()
    if not quiet:
        click.echo(summary(written, time.monotonic() - begun))


@click.command(name="import", short_help="Make a run of games that are given by their moves.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of the run.  [default: results/NAME-TIME]",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def import_games(file: Path, out: Path | None, quiet: bool) -> None:
    """Make a run of the games in FILE, which are given by the texts of their moves.

    \b
      qpolis export results/mcts-greedy-20260101-120000 --moves --out games.jsonl
      qpolis import games.jsonl --out again

    FILE has JSON lines, as `export --moves` writes them: who played, and the moves (docs/data.md). The games are
    played again by the rules, so that nothing is believed; then the run is rated and reported as any other.
    """
    from qpolis.cli.tourney import Speaker, say_outcome
    from qpolis.dataset.import_games import new_run, read_games
    from qpolis.files import new_path
    from qpolis.report.content.outcome import missing_text
    from qpolis.report.finish import finish

    say, begun = Speaker(quiet), time.monotonic()
    read = read_games(file)
    with new_run(out or new_path(read.plan.definition.name), read) as run:
        say(f"{len(read.games):,} games of {read.game.name} between {len(read.plan.bots)} players")
        if run.tally.complete():
            say_outcome(say, run.folder, finish(run, time.monotonic() - begun, 1))
        else:
            say(f"written to {run.folder}: {missing_text(run.folder, run.tally)}")


def chosen_file(folder: Path, form: str | None, out: Path | None, moves: bool) -> tuple[str, Path]:
    """The format, and the file."""
    if moves and form == "parquet":
        raise QpolisError("--moves: games by their moves are JSON lines: --to jsonl")
    suffix = out.suffix[1:] if out is not None and not out.is_dir() else ""
    if form is None:
        form = suffix if suffix in ("parquet", "jsonl") else "jsonl" if moves else "parquet"
    if moves and form == "parquet":
        raise QpolisError(f"{out}: games by their moves are JSON lines: name it .jsonl")
    name = f"{'moves' if moves else 'decisions'}.{form}"
    if out is None:
        return form, folder / name
    return form, out / name if out.is_dir() else out


def ranges(text: str | None) -> list[range] | None:
    """Numbers of games such as 0-99,200."""
    if text is None:
        return None
    found = []
    for part in text.split(","):
        match = RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise QpolisError(f"--games: {part.strip()!r} is not a number of a game, or a range such as 0-99")
        found.append(range(first, last + 1))
    return found


def remarks(run: RecordedRun, asked: bool) -> list[str]:
    """What to know of what will be in the file."""
    from qpolis.dataset.thoughts import searchers

    lines = []
    if not run.complete:
        lines.append(
            f"the run is not complete: {run.games:,} of {run.plan.games:,} games are there, and are exported"
        )
    if not asked and not run.game.planes:
        lines.append(f"{run.game.name} has no observations as numbers: the column observation is left out")
    if not asked and (bots := searchers(run)):
        lines.append(
            f"visit counts of {', '.join(bots)} are left out: --visits adds them, for which they think again"
        )
    return lines


def summary(written: Written, seconds: float) -> str:
    from qpolis.report.content.progress import clock

    return (
        f"{written.games:,} games, {written.decisions:,} decisions in {clock(seconds)} "
        f"({written.decisions / max(seconds, 1e-3):,.0f} a second), {written.bytes / 1e6:.1f} MB\n"
        f"written to {written.path}"
    )
