"""Questions about balance from Python: `qpolis.balance` is `qpolis balance`, and gives what came out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qpolis.api.asked import asked_question
from qpolis.api.frames import Columns, columns_of
from qpolis.api.playing import as_path, check_workers, in_order, kept
from qpolis.api.result import Result, given_keys
from qpolis.api.session import Session
from qpolis.balance.answer import Answer
from qpolis.balance.experiment import begin, resumed
from qpolis.balance.question import CHECKS, ask, read_question
from qpolis.errors import QpolisError
from qpolis.files import new_path
from qpolis.report.content.balance_csv import tables
from qpolis.report.content.balance_search import SearchOutcome, search_lines
from qpolis.report.content.balance_summary import summarize
from qpolis.tourney.schema import all_checked, check_names

if TYPE_CHECKING:
    from qpolis.report.plots.style import Figure


class Balance(Result):
    """What came out of a question about balance, or of a search for a mix (`load_run`). A notebook shows it in
    words."""

    folder: Path

    def __init__(self, folder: Path, answer: Answer, search: SearchOutcome | None = None) -> None:
        self.folder = folder
        self._answer = answer
        self._search = search

    def __repr__(self) -> str:
        return f"<balance {self.name}: {self._answer.games:,} games, {self.folder}>"

    @property
    def name(self) -> str:
        """The name of the run."""
        return self._answer.question.name

    @property
    def mixes(self) -> list[str]:
        """The mixes that were measured; of a game without mixes none."""
        return [mix for mix in self._answer.question.mixes if mix]

    @property
    def seed(self) -> int:
        """The number that names all the deals."""
        return self._answer.question.seed

    @property
    def measures(self) -> Any:
        """Every measure with its interval, as a frame: what `measures.csv` says. docs/balance.md explains them."""
        return self.frame("measures")

    @property
    def seats(self) -> Any:
        """Whether the seats are equal, as a frame."""
        return self.frame("seats")

    @property
    def comparisons(self) -> Any:
        """How the other mixes differ from the first, as a frame; a question about one mix has none."""
        return self.frame("comparisons")

    @property
    def summary(self) -> str:
        """What came out, in words: what `summary.txt` says."""
        lines = summarize(self._answer).lines()
        if self._search:
            lines = [*search_lines(*self._search, self._answer), "", *lines]
        return "\n".join(lines)

    @cached_property
    def _csv(self) -> dict[str, str]:
        return {name.removesuffix(".csv"): text for name, text in tables(self._answer).items()}

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables, for `frame`."""
        return tuple(self._csv)

    @property
    def plots(self) -> tuple[str, ...]:
        """The names of its plots, for `plot`: those that there is something to show on."""
        return tuple(self._figures)

    @cached_property
    def _figures(self) -> dict[str, Figure]:
        from qpolis.report.plots.balance import figures

        return dict(figures(self._answer))

    def _columns(self, table: str) -> Columns:
        return columns_of(self._csv[table])

    def _figure(self, plot: str) -> Figure:
        return self._figures[plot]

    def _repr_html_(self) -> str:
        from qpolis.report.pages.embedded import words_html

        return words_html(self.name, self.summary)


def balance(
    mixes: Sequence[str] | str | None = None,
    *,
    bots: Sequence[str] | str | None = None,
    games: int | None = None,
    game: str | None = None,
    seed: int | None = None,
    forbid: Sequence[str] | None = None,
    favor: Sequence[str] | None = None,
    player: str | None = None,
    habit_games: int | None = None,
    ladder: Sequence[int] | None = None,
    ladder_games: int | None = None,
    within: float | None = None,
    name: str | None = None,
    file: str | Path | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    workers: int | None = None,
    address: str | None = None,
    quiet: bool = False,
    **options: Any,
) -> Balance:
    """Measure a game: seats, points, drama, skill; buildings and tiles, where it has them; and compare its mixes
    with the first one.

    It is the command `qpolis balance`: the same arguments give the same bytes in the same files. They are written
    to a folder of their own, `results/NAME-TIME` in the working directory, or `out`. What was interrupted goes on
    with `resume`.

    >>> result = qpolis.balance(["base"], bots=["greedy"], games=200, seed=1)
    >>> result.frame("seats", "rows")[0]["verdict"]
    'different'

    Args:
        mixes: The mixes to measure, of a game that has mixes: names, CSV files, or changes such as
            `base:harbor+2:park-2`. The game's own, if nothing is said.
        bots: Levels of play: each bot plays against itself, and all against each other.
        games: Games for each mix.
        game: The name or the path of a game.
        seed: The number that names all the deals; drawn if there is none.
        forbid: Kinds of buildings that some players never build; `["all"]` for every kind in turn.
        favor: Kinds that others like to build.
        player: The bot that has these habits.
        habit_games: Games of players with habits, for each mix, and as many among them.
        ladder: Budgets of mcts, in simulations, to see how much skill there is.
        ladder_games: Games of this ladder, for each mix.
        within: Percentage points that do not matter.
        name: The name of the run.
        file: A question in TOML, or the name of one that ships; what is given besides overrides it.
        out: The folder of the run; it must be new or empty.
        resume: The folder of a run to go on with as it was asked, instead of a new one.
        workers: Processes that play; 1 plays in this one. All cores, if nothing is said.
        address: Play on the Ray cluster at this address.
        quiet: Show no progress.
        **options: Options of the game, such as `players=3`.
    """
    given = {
        "mixes": words(mixes), "bots": words(bots), "games": games, "game": game, "seed": seed,
        "forbid": words(forbid), "favor": words(favor), "player": player, "habit_games": habit_games,
        "ladder": ladder and list(ladder), "ladder_games": ladder_games, "within": within, "name": name,
    }  # fmt: skip
    keys = {**given_keys(given), **options}
    check_workers(workers)
    with in_order(quiet):
        session = Session(workers, address, quiet=quiet)
        return answered(session, keys, as_path(file), as_path(out), as_path(resume))


def words(given: Sequence[str] | str | None) -> list[str] | None:
    """Names, in a list or with commas."""
    return given.split(",") if isinstance(given, str) else None if given is None else list(given)


def answered(
    session: Session, keys: dict[str, Any], file: Path | None, out: Path | None, resume: Path | None
) -> Balance:
    """Play a question that is new, or go on with one."""
    check_names(keys, CHECKS)
    keys = all_checked(keys, CHECKS)
    if resume:
        if given := [key for key in keys if keys[key] != {}] + ["file"] * bool(file) + ["out"] * bool(out):
            raise QpolisError(f"resume goes on in {resume} as it was asked: it takes no {given[0]}")
        folder = resume
        question = resumed(folder, lambda path: ask(read_question(path)))
    else:
        question = asked_question(file, keys)
        folder = out or new_path(question.name)
        begin(folder, question)
    with kept(lambda: "what was played is kept", "balance", folder, session.quiet), session:
        return Balance(folder, session.answer(folder, question).answer)
