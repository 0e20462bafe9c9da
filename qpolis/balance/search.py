"""A search for a mix that meets targets by few changes, within a budget of games.

Generation by generation the best mixes so far get one change more (the very best first, if there are games for no
more). Of all that this gives, the worse half is dropped again and again while the others play more games
(successive halving), always on fresh deals: luck on old ones does not help a mix twice. What is found is tested on
deals that the search never saw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qpolis.balance.inference import SURE, holm
from qpolis.balance.measure import Measure
from qpolis.balance.question import NO_MIX, WITHIN, Cell, Question, ask, level_cell, mixes_of
from qpolis.balance.targets import Target, loss
from qpolis.errors import QpolisError
from qpolis.games import load_game
from qpolis.parameters import Key
from qpolis.rng import next_seed
from qpolis.tourney.schema import (
    BOTS,
    GAME,
    NAME,
    OPTIONS,
    SEED,
    SOME,
    TEXT,
    all_checked,
    check_names,
    file_text,
    key,
    keys_of,
    read_keys,
    sealed,
    with_seed,
)

KIND = "balance search"
CONFIRMING = 0.3  # part of the budget that the confirmation has
BEAM = 4  # mixes that are changed further
FEWEST = 50  # games of a mix at a level, or its measures mean nothing
MET, MISSED, OPEN = "met", "missed", "open"

Play = Callable[[list[Cell], str], None]  # plays runs; the words say what they are for
Measures = Callable[[Cell], Sequence[Measure]]


@dataclass(frozen=True)
class Search:
    """What is searched for. Every field is a key of the file."""

    start: str = key(replace(SOME, words='a mix such as "base"'), help="the game's own mix, if none is given")
    targets: tuple[str, ...] = key(
        Key(
            (),
            "what the mix should be like",
            items=TEXT,
            words='a list of targets such as ["seats=2", "margin=5"]',
        )
    )
    bots: tuple[str, ...] = key(BOTS, ("greedy", "heuristic"), "levels of play: a mix must be good at all of them")
    budget: int = key(Key(200_000, "with the confirmation", 1, 10**9, whole=True, unit="games"))
    changes: int = key(Key(2, "at most", 1, 10, whole=True))
    name: str = key(NAME)
    game: str = key(GAME)
    options: Mapping[str, Any] = key(OPTIONS)
    seed: int = key(SEED)
    within: float = key(WITHIN)

    def table(self) -> dict[str, Any]:
        """The search as keys."""
        return dict(vars(self))

    def text(self) -> str:
        """The search as a file that can be started again."""
        return file_text(KIND, sealed(self.table()))

    @property
    def aims(self) -> list[Target]:
        return [Target.parse(text) for text in self.targets]

    def question(self, mixes: Sequence[str], games: int, seed: int) -> Question:
        return ask(
            {
                "mixes": list(mixes),
                "bots": list(self.bots),
                "name": self.name,
                "games": games,
                "game": self.game,
                "options": self.options,
                "seed": seed,
                "within": self.within,
            }
        )


CHECKS = keys_of(Search)


def read_search(path: Path) -> dict[str, Any]:
    """The keys of a search in a file."""
    return read_keys(path, CHECKS, KIND)


def seek(given: Mapping[str, Any]) -> Search:
    """The search with these keys, checked."""
    check_names(given, CHECKS)
    search = Search(**all_checked(with_seed(given), CHECKS))
    if not search.targets:
        raise QpolisError("no targets: say what the mix should be like, as in --target seats=2")
    names = [aim.name for aim in search.aims]
    for name in names:
        if names.count(name) > 1:
            raise QpolisError(f"target {name} is there twice")
    start, *_ = mixes_of(search.game, [search.start] * bool(search.start))
    if start == NO_MIX:
        raise QpolisError(f"{search.game} has no tile mixes to search")
    search = replace(search, name=search.name or "search", start=start)
    search = replace(search, options=search.question([search.start], FEWEST, search.seed).options)
    check_budget(search)
    return search


def check_budget(search: Search) -> None:
    """Is there enough for the first look at all neighbours?"""
    mixes = len(neighbours(search, [search.start])) + 1
    if mixes == 1:
        raise QpolisError(f"{search.game} has no mixes one change away from {search.start}")
    needed = math.ceil(mixes * len(search.bots) * FEWEST * rungs(mixes) * search.changes / (1 - CONFIRMING))
    if search.budget < needed:
        raise QpolisError(
            f"budget: {search.budget:,} games are too few to look at {mixes} mixes: {needed:,} at least"
        )


def neighbours(search: Search, mixes: Sequence[str]) -> list[str]:
    """All mixes one change away from some; each once, and none that is there already."""

    def load(mix: str) -> Any:
        return load_game(search.game, **search.options, mix=mix)

    seen = {load(mix).rules.tobytes() for mix in mixes}
    found = []
    for mix in mixes:
        for other in load(mix).variations():
            content = load(other).rules.tobytes()
            if content not in seen:
                seen.add(content)
                found.append(other)
    return found


def rungs(mixes: int) -> int:
    """How often to halve so many mixes."""
    return max(1, math.ceil(math.log2(mixes / BEAM)))


def fewest(mixes: int, bots: int) -> int:
    """The games without which so many mixes cannot be halved to the end."""
    sizes = [max(min(BEAM, mixes), mixes >> rung) for rung in range(rungs(mixes))]
    return sum(sizes) * bots * FEWEST


def affordable(search: Search, mixes: list[str], budget: int) -> list[str]:
    """As many of the first mixes as the games are enough for."""
    return next(
        mixes[:count]
        for count in range(len(mixes), 0, -1)
        if count == 1 or fewest(count, len(search.bots)) <= budget
    )


@dataclass(frozen=True)
class Trial:
    """A mix as it did on one rung of a generation."""

    generation: int  # from 1
    rung: int  # from 1
    mix: str
    games: int
    loss: float  # how far it is from all targets, in steps
    worst: tuple[float, ...]  # by target: the measure that is furthest from it


@dataclass(frozen=True)
class SearchResult:
    """The end of a search: the best mix, and everything that was tried."""

    mix: str
    trials: list[Trial]


def halve(
    search: Search, generation: int, mixes: list[str], budget: int, play: Play, measures: Measures
) -> Iterator[Trial]:
    """Try mixes, drop the worse half, and so on. The last rung's are in order, the best first."""
    steps = rungs(len(mixes))
    for rung in range(1, steps + 1):
        games = max(FEWEST, budget // (steps + 1 - rung) // len(mixes) // len(search.bots))
        budget -= games * len(mixes) * len(search.bots)
        seed = next_seed(search.seed, 1000 * generation + rung)
        question = search.question(mixes, games, seed)
        runs = [
            replace(level_cell(question, number, bot, games), prefix=f"{generation}-{rung}-")
            for number in range(len(mixes))
            for bot in search.bots
        ]
        play(runs, f"generation {generation}, rung {rung} of {steps}: {len(mixes)} mixes")
        levels: dict[int, list[Sequence[Measure]]] = {}
        for run in runs:
            levels.setdefault(run.mix, []).append(measures(run))
        tried = [
            Trial(
                generation,
                rung,
                mix,
                games * len(search.bots),
                loss(search.aims, levels[number]),
                tuple(furthest(aim, levels[number]) for aim in search.aims),
            )
            for number, mix in enumerate(mixes)
        ]
        tried.sort(key=lambda one: (one.loss, one.mix.count(":"), one.mix))
        yield from tried
        mixes = [one.mix for one in tried[: max(BEAM, len(mixes) // 2)]]


def furthest(aim: Target, levels: Sequence[Sequence[Measure]]) -> float:
    """The value that is furthest from a target, of all levels."""
    found = [measure for measures in levels for measure in aim.about(measures)]
    return max(found, key=aim.distance).value if found else math.nan


def search_mixes(search: Search, play: Play, measures: Measures) -> SearchResult:
    """Look for the mix that is nearest to all targets, with as few changes as will do."""
    budget = int(search.budget * (1 - CONFIRMING)) // search.changes
    best = [search.start]
    tried: list[Trial] = []
    for generation in range(1, search.changes + 1):
        mixes = affordable(search, [*best, *neighbours(search, best)], budget)
        tried += halve(search, generation, mixes, budget, play, measures)
        last = [one for one in tried if (one.generation, one.rung) == (generation, tried[-1].rung)]
        best = [one.mix for one in last[:BEAM]]
        if last[0].loss == 0:
            break
    return SearchResult(best[0], tried)


def confirmation(search: Search, mix: str) -> Question:
    """The start and what was found, on deals that the search never saw."""
    mixes = [search.start] if mix == search.start else [search.start, mix]
    games = int(search.budget * CONFIRMING) // len(mixes)
    return search.question(mixes, games, next_seed(search.seed, 10**6))


@dataclass(frozen=True)
class Claim:
    """Whether a measure of the confirmation meets a target."""

    target: Target
    level: str
    measure: Measure
    p_met: float  # corrected for the number of claims
    p_missed: float

    @property
    def word(self) -> str:
        return MET if self.p_met <= SURE else MISSED if self.p_missed <= SURE else OPEN


def claims(search: Search, levels: Mapping[str, Sequence[Measure]]) -> list[Claim]:
    """All targets at all levels, tested together."""
    found = [
        (aim, level, measure)
        for aim in search.aims
        for level, measures in levels.items()
        for measure in aim.about(measures)
    ]
    met = holm([aim.p_met(measure) for aim, _, measure in found])
    missed = holm([aim.p_missed(measure) for aim, _, measure in found])
    return [Claim(*parts, float(p), float(q)) for parts, p, q in zip(found, met, missed)]
