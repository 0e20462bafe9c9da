"""Everything that can be checked about the folder of a run, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from qpolis.engine.results import Results
from qpolis.files import open_file
from qpolis.ratings import trueskill
from qpolis.ratings.rating import ratings as rate
from qpolis.report.content.outcome import missing_text, read_tally
from qpolis.report.finish import GAMES_PARQUET, games_tables, tables_of
from qpolis.tourney.journal import find_damages
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import collect
from qpolis.tourney.run import JOURNAL, read_chunks, saved_plan
from qpolis.tourney.verify import check_chunk, check_parquet, check_rows

RATED = 1000  # games at most that are rated again by the trueskill package, which is slow


def audit(folder: Path, sample: int | None) -> Iterator[tuple[str, bool]]:
    """Lines for the user, and of each whether it is bad news."""
    plan = saved_plan(folder)
    tally = read_tally(folder, plan)
    for damage in find_damages(folder / JOURNAL):
        yield f"{JOURNAL}: {damage}", True
    if not tally.complete():
        yield missing_text(folder, tally), True
        return
    results = collect(plan, read_chunks(folder, moves=False), tally.counted)
    for name in games_tables(plan):
        yield from listed_games(folder / name, results)
    for name, text in tables_of(rate(results, plan.definition.seed)).items():
        try:
            with open_file(folder / name) as file:
                same = file.read(len(text.encode()) + 1) == text.encode()
        except OSError as error:
            yield f"{name}: cannot be read: {error.strerror}", True
            continue
        yield f"{name}: {'as the games say' if same else 'is not what the games say'}", not same
    rated, problems = trueskill.differences(results, RATED)
    yield from ((f"TrueSkill: {problem}", True) for problem in problems)
    if not problems:
        yield f"TrueSkill: the trueskill package rates the first {rated:,} games the same", False
    if not plan.definition.moves:
        yield "the moves were not recorded: no game can be played again", False
        return
    yield from replays(folder, plan, results.games, sample)


def listed_games(path: Path, results: Results) -> Iterator[tuple[str, bool]]:
    """Compare a file that lists the games with what was recorded."""
    if not path.is_file():
        yield f"{path.name}: is missing", True
        return
    bad = 0
    for difference in check_parquet(path, results) if path.name == GAMES_PARQUET else check_rows(path, results):
        bad += 1
        yield str(difference), True
    if not bad:
        yield f"{path.name}: all {results.games:,} games as recorded", False


def replays(folder: Path, plan: Plan, games: int, sample: int | None) -> Iterator[tuple[str, bool]]:
    """Play recorded games again: all, or so many at random of the first `games`, those that count."""
    game = plan.load_game()
    chosen = np.ones(plan.games, bool)
    if sample is not None and sample < games:
        chosen[:] = False
        chosen[np.random.default_rng().choice(games, sample, replace=False)] = True
    again, bad = 0, 0
    for chunk in read_chunks(folder, moves=True):
        part = chunk.only(chosen[chunk.numbers])
        again += part.games
        for difference in check_chunk(game, plan, part):
            bad += 1
            yield str(difference), True
    if not bad:
        yield f"{again:,} games played again: scores, ranks and hashes agree", False
