"""Tournaments from Python: `qpolis.tournament` is `qpolis tourney`, and gives what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qpolis.api.asked import planned
from qpolis.api.debugging import debugged, refuse_classes
from qpolis.api.frames import Columns, columns_of
from qpolis.api.played_game import PlayedGame
from qpolis.api.playing import as_path, check_workers, in_order, kept
from qpolis.api.result import Result, given_keys
from qpolis.api.session import Session
from qpolis.balance.experiment import check_command
from qpolis.engine.results import ENDS, Results
from qpolis.errors import QpolisError
from qpolis.files import new_path
from qpolis.game import with_settings
from qpolis.ratings.sprt import Test
from qpolis.report.content.outcome import Forfeit, Outcome, read_outcome
from qpolis.report.content.replay import heading_of
from qpolis.report.content.terminal_tables import outcome_lines, plan_lines
from qpolis.tourney.definition import CHECKS
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import COLUMNS, find_game
from qpolis.tourney.run import Run, read_chunks, same_plan
from qpolis.tourney.schema import all_checked, check_names

if TYPE_CHECKING:
    from qpolis.report.plots.style import Figure

GAMES, TIMING = "games", "timing"


class Tournament(Result):
    """What came out of a tournament; `folder` is where it is kept, None after `debug=True`. A notebook shows its
    standings.

    >>> run = qpolis.tournament(["greedy", "random"], games=40, seed=1)
    >>> run.frame("ratings", "rows")[0]["bot"]
    'greedy'
    >>> run.game(17).winners
    [1]
    """

    def __init__(
        self, folder: Path | None, plan: Plan, outcome: Outcome, chunks: Callable[[], Iterable[Results]]
    ) -> None:
        self.folder = folder
        self._plan = plan
        self._outcome = outcome
        self._chunks = chunks  # with the moves

    @classmethod
    def load(cls, folder: Path) -> Tournament:
        """The tournament in a folder, if it was played to its end."""
        plan, outcome = read_outcome(folder)
        return cls(folder, plan, outcome, lambda: read_chunks(folder, moves=True))

    def __repr__(self) -> str:
        where = self.folder or "not kept"
        return f"<tournament {self.name}: {self._outcome.results.games:,} games, {where}>"

    @property
    def name(self) -> str:
        """The name of the run."""
        return self._plan.definition.name

    @property
    def bots(self) -> list[str]:
        """The specs of all bots."""
        return list(self._plan.bots)

    @property
    def seed(self) -> int:
        """The number that names all the deals."""
        return self._plan.definition.seed

    @property
    def settings(self) -> dict[str, Any]:
        """The keys of its definition: played with the same ones, it gives the same games."""
        return self._plan.definition.keys()

    @property
    def ratings(self) -> Any:
        """A row for each bot, from the strongest to the weakest: Elo with its interval, TrueSkill, places, points.
        A frame; `frame("ratings", kind)` gives one of another kind. docs/tournaments.md explains the columns."""
        return self.frame("ratings")

    @property
    def crosstable(self) -> Any:
        """A row for each ordered pair of bots that met, as a frame."""
        return self.frame("crosstable")

    @property
    def seats(self) -> Any:
        """A row for each seat, as a frame."""
        return self.frame("seats")

    @property
    def games(self) -> Any:
        """A row for each game and seat, as a frame: what `games.csv` says."""
        return self.frame(GAMES)

    @property
    def forfeits(self) -> list[Forfeit]:
        """The games that bots did not play to their end, with the reasons."""
        return list(self._outcome.forfeits)

    @property
    def test(self) -> Test | None:
        """The sequential test, if it was one."""
        return self._outcome.test

    def game(self, number: int) -> PlayedGame:
        """A game by its number in `games`, to look at move by move."""
        played = find_game(self._plan, self._chunks(), number)
        return PlayedGame(self._plan.load_game(), played, heading_of(played, number, self.name))

    @property
    def summary(self) -> str:
        """What was played and what came out, as the command prints it."""
        about = plan_lines(self._plan) if self.folder else ["debugged: in one process, without limits; not kept"]
        return "\n".join([*about, "", *outcome_lines(self._outcome)])

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables, for `frame`."""
        timing = (TIMING,) if self.folder and (self.folder / f"{TIMING}.csv").is_file() else ()
        return ("ratings", "crosstable", "seats", GAMES, *timing)

    @property
    def plots(self) -> tuple[str, ...]:
        """The names of its plots, for `plot`."""
        from qpolis.report.plots import PLOTS

        return tuple(PLOTS)

    def _columns(self, table: str) -> Columns:
        from qpolis.report.finish import tables_of

        if table == GAMES:
            return games_columns(self._outcome.results)
        if table == TIMING and self.folder:
            return columns_of((self.folder / f"{TIMING}.csv").read_text(encoding="utf-8"))
        return columns_of(tables_of(self._outcome.ratings)[f"{table}.csv"])

    def _figure(self, plot: str) -> Figure:
        from qpolis.report.plots import PLOTS

        return PLOTS[plot](self._outcome.rated_run)

    def _repr_html_(self) -> str:
        from qpolis.report.pages.embedded import standings_html

        definition = self._plan.definition
        game = with_settings(definition.game, definition.options)
        where = f"in {self.folder}" if self.folder else "debugged, and not kept"
        lead = f"{self._outcome.results.games:,} games of {game}, seed {self.seed}, {where}"
        return standings_html(self.name, lead, self._outcome)


def games_columns(results: Results) -> Columns:
    """A row for each game and seat: the columns of `games.csv`."""
    games, seats = results.points.shape
    columns = (
        np.repeat(results.numbers, seats),
        np.repeat(results.deals, seats),
        np.tile(np.arange(seats), games),
        np.array(results.bots, object)[results.who.ravel()],
        results.points.ravel(),
        results.ranks.ravel(),
        results.decisions.ravel(),
        np.array(ENDS, object)[results.ends.ravel()],
    )
    return dict(zip(COLUMNS, columns, strict=True))


def tournament(
    bots: Sequence[str | type] | str | None = None,
    *,
    games: int | None = None,
    game: str | None = None,
    seed: int | None = None,
    challenger: str | None = None,
    seatings: str | None = None,
    listed: Sequence[str] | None = None,
    sprt: str | None = None,
    name: str | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    start_limit: float | None = None,
    ponder: bool | None = None,
    sandbox: str | None = None,
    moves: bool | None = None,
    games_table: str | None = None,
    file: str | Path | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    workers: int | None = None,
    address: str | None = None,
    quiet: bool = False,
    debug: bool = False,
    **options: Any,
) -> Tournament:
    """Play a tournament: every group of bots in turn, every deal in all seatings.

    It is the command `qpolis tourney`: the same arguments give the same bytes in the same files. They are written
    to a folder of their own, `results/NAME-TIME` in the working directory, or `out`. Ctrl-C (in a notebook: the
    button that interrupts) ends it in order, and `resume` goes on with what is there.

    >>> run = qpolis.tournament(["greedy", "heuristic", "random"], games=120, seed=1)
    >>> list(run.frame("ratings", "pandas").bot)
    ['greedy', 'heuristic', 'random']
    >>> qpolis.tournament(["greedy", "hueristic"], games=20)
    Traceback (most recent call last):
        ...
    qpolis.errors.QpolisError: unknown bot 'hueristic', did you mean 'heuristic'? (known: ...)

    Args:
        bots: Who plays: names (`qpolis bots` lists them), paths of files, parameters as in `mcts:sims=3200`. With
            `debug` also classes.
        games: How many games, rounded up to whole deals; 1000 if nothing is said.
        game: The name or the path of a game.
        seed: The number that names all the deals; drawn if there is none.
        challenger: A gauntlet: this bot plays against each of the others.
        seatings: `rotations`, `all`, `mirror`, `duels`, `fixed` or `listed`.
        listed: With seatings `listed`: who sits where, deal by deal, by places in `bots`, as in `["0 1", "2 0"]`.
        sprt: A sequential test of two bots, such as `elo0=0,elo1=10`.
        name: The name of the run.
        time_limit: Seconds of processor time for one decision of a bot that qpolis does not ship.
        memory_limit: Megabytes of such a bot.
        start_limit: Seconds of its start.
        ponder: May it compute while others think?
        sandbox: `auto`, `on` or `off`.
        moves: Are the moves recorded?
        games_table: `csv`, `parquet` or `both`: in which files the games are listed.
        file: A definition in TOML, or the name of one that ships; what is given besides overrides it.
        out: The folder of the run; it must be new or empty.
        resume: The folder of a run to go on with, instead of a new one.
        workers: Processes that play; 1 plays in this one. All cores, if nothing is said.
        address: Play on the Ray cluster at this address.
        quiet: Show no progress.
        debug: Let Python bots play in this process, without sandbox and limits, so that a debugger, `print` and
            tracebacks work. Nothing is written: such results are not those of a fair tournament.
        **options: Options of the game, such as `players=3`.
    """
    given = {
        "bots": bots.split(",") if isinstance(bots, str) else None if bots is None else list(bots),
        "games": games, "game": game, "seed": seed, "challenger": challenger, "seatings": seatings,
        "listed": None if listed is None else list(listed), "sprt": sprt, "name": name, "time_limit": time_limit,
        "memory_limit": memory_limit, "start_limit": start_limit, "ponder": ponder, "sandbox": sandbox,
        "moves": moves, "games_table": games_table,
    }  # fmt: skip
    keys = {**given_keys(given), **options}
    check_workers(workers)
    with in_order(quiet):
        if debug:
            refuse_with_debug(file=file, out=out, resume=resume, workers=workers, address=address)
            return Tournament(None, *debugged(keys, quiet))
        refuse_classes(keys.get("bots", ()))
        session = Session(workers, address, quiet=quiet)
        return play(session, keys, as_path(file), as_path(out), as_path(resume))


def play(
    session: Session, keys: dict[str, Any], file: Path | None, out: Path | None, resume: Path | None
) -> Tournament:
    """Play a tournament that is new, or go on with one."""
    check_names(keys, CHECKS)
    keys = all_checked(keys, CHECKS)
    if resume:
        if file or out:
            raise QpolisError(f"resume goes on in {resume}: it takes no {'file' if file else 'out'}")
        check_command(resume, "tourney")
        folder, plan = resume, same_plan(resume, keys)
    else:
        plan = planned(file, keys)
        folder = out or new_path(plan.definition.name)
    with Run(folder, plan) if resume else Run.begin(folder, plan) as run:

        def words() -> str:
            return f"{run.tally.games:,} of {plan.games:,} games are kept"

        with kept(words, "tournament", folder, session.quiet):
            outcome, _ = session.play_run(run)
    return Tournament(folder, plan, outcome, lambda: read_chunks(folder, moves=True))


def refuse_with_debug(**given: Any) -> None:
    for name, value in given.items():
        if value is not None and not (name == "workers" and value == 1):
            raise QpolisError(f"debug=True plays in this process and writes nothing: it takes no {name}")
