"""The command that makes players that learn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qpolis.cli.options import GameCommand, game_options
from qpolis.errors import QpolisError

if TYPE_CHECKING:
    from qpolis.learning.trainer import Training

MINUTES, GENERATIONS = 20.0, 1000  # if nothing is said, and at most


@click.command(cls=GameCommand, short_help="Train a player by games against itself.")
@game_options
@click.option("--name", help="Name of the model.  [default: that of the game and its players]")
@click.option(
    "--from",
    "begin",
    metavar="MODEL",
    help="Go on from this model: `shipped`, a name, a file.  [default: from nothing]",
)
@click.option(
    "--mixes",
    metavar="MIX,MIX,...",
    help="Other mixes to play in turn, so that the player learns to tell them apart.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0.01, 1e6),
    metavar="M",
    help="Begin no generation after so many minutes of work.  [default: 20]",
)
@click.option("--generations", type=click.IntRange(1, 100_000), metavar="N", help="So many generations at most.")
@click.option("--games", type=int, metavar="N", help="Games of a generation against itself.  [default: 4000]")
@click.option("--sims", type=int, metavar="N", help="Simulations of decisions to learn from.  [default: 100]")
@click.option("--wide", type=int, metavar="N", help="Units of the first layer.  [default: 64]")
@click.option(
    "--playout", type=int, metavar="N", help="Decisions played out before the network judges.  [default: 0]"
)
@click.option("--gate", type=int, metavar="N", help="Games at most against the champion.  [default: 400]")
@click.option("--seed", type=int, help="Number that names all the games.  [default: drawn at random]")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="The folder.  [default: models/NAME]")
@click.option(
    "--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with the training in this folder."
)
@click.option(
    "--workers", type=click.IntRange(1, 100_000), metavar="N", help="Processes that play.  [default: all cores]"
)
@click.option("--address", help="Play on the Ray cluster at this address.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def train(
    name: str | None,
    game: str,
    options: dict[str, Any],
    begin: str | None,
    mixes: str | None,
    minutes: float | None,
    generations: int | None,
    out: Path | None,
    resume: Path | None,
    workers: int | None,
    address: str | None,
    quiet: bool,
    **numbers: int | None,
) -> None:
    """Train a player by games against itself.

    \b
      qpolis train --minutes 20
      qpolis train --players 3 --mode expert --generations 10
      qpolis train --mix base:harbor+2:park-2 --from shipped --minutes 5
      qpolis train --resume models/NAME --minutes 20

    In each generation the search plays games against itself, a network learns from them who wins and what was
    chosen, and plays against the best one so far; the better of the two goes on. The folder has the best one
    (champion.model), how strong each generation is (history.csv), and a page with the curves. Play with it as
    mcts:model=NAME or instinct:model=NAME. It needs jax and optax: pip install 'qpolis[learn]'.
    """
    from qpolis import kernel
    from qpolis.api.session import Session
    from qpolis.cli.tourney import Speaker, told_how_to_go_on
    from qpolis.environments.extras import extra
    from qpolis.learning.plan import plan_training, read_training
    from qpolis.learning.trainer import Training
    from qpolis.models.finder import TRAINED
    from qpolis.report.content.learning import StepLine, generation_line, heading
    from qpolis.report.finish_learning import finish_learning

    with extra("learn"):
        import jax  # noqa: F401
        import optax  # noqa: F401
    if minutes is not None and math.isnan(minutes):  # which is in every range
        raise QpolisError("--minutes: nan is not a number")
    if quiet:
        kernel.on_compile = lambda message: None
    say = Speaker(quiet)
    given = {key: value for key, value in numbers.items() if value is not None}
    if resume:
        if out or name or begin or mixes or given or options:
            raise QpolisError("--resume goes on as the training was planned: it takes --minutes and --generations")
        folder, plan = resume, read_training(resume)
    else:
        asked: dict[str, Any] = {"game": game, "options": options, **given}
        asked |= {key: value for key, value in (("name", name), ("begin", begin)) if value}
        if mixes:
            asked["mixes"] = mixes.split(",")
        plan = plan_training(asked)
        folder = out or TRAINED / plan.name
    line = StepLine(quiet)
    limit = minutes or (MINUTES if generations is None else float("inf"))
    with Session(workers, address, say, quiet) as session:
        make = Training if resume else Training.begin
        training: Training = make(folder, plan, session.pool, line)
        say(heading(plan, folder))

        def kept() -> str:
            return f"{len(training.history)} generations are complete"

        with told_how_to_go_on(kept, "train", folder):
            begun, done = training.minutes, 0
            while done < (generations or GENERATIONS) and (training.minutes - begun < limit):
                found = training.generation()
                done += 1
                line.clear()
                say(generation_line(found))
                page = finish_learning(folder, plan, training.history)[-1]
        line.clear()
        if training.history:
            say(f"mcts:model={folder}  instinct:model={folder}")
            say(str(page))
