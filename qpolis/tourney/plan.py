"""The plan of a run: every game of it before anything is played, and what it was made with.

Block b is one deal, number b, played in all seatings of lineup `b % len(lineups)`. Games are numbered in that
order, so a game's number says its deal, its bots and its seats, whoever plays it and when.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.errors import QpolisError
from qpolis.game import Game, with_settings
from qpolis.games import load_game
from qpolis.games.finder import files_digest, find
from qpolis.ratings.sprt import Hypotheses
from qpolis.registry.finder import PERSON
from qpolis.registry.spec import Entrant, resolve
from qpolis.sandbox.program import Limits
from qpolis.tourney.definition import (
    ALL,
    DUELS,
    FIXED,
    GAMES,
    KIND,
    LISTED,
    MIRROR,
    SPRT_GAMES,
    Definition,
    define,
    read_definition,
    read_made,
)
from qpolis.tourney.lineups import (
    Lineup,
    choose_groups,
    duels,
    fixed,
    head_to_head,
    listed,
    mirrors,
    permutations,
    rotations,
)
from qpolis.tourney.schema import LONGEST, MADE, file_text, says_the_same
from qpolis.version import ENGINE_BEHAVIOUR, __version__

RULES = "rules"  # their digest in what a plan was made with
NEW_RULES = "its rules, or a file that an option names, have changed since the run began"
QPOLIS = "qpolis"  # the version in what a plan was made with
GAME, FIRST_BEHAVIOUR = "game", 1  # its behaviour version; 0.1.0 wrote none
IMPORTED = "imported"  # there, if the games were played elsewhere

MOST_BOTS = 1000  # tables of who met whom have a cell for each pair


@dataclass(frozen=True)
class Plan:
    """A tournament that can be played. `definition` is in its canonical form: whole specs, all options, and as
    many games as there are."""

    definition: Definition
    lineups: tuple[Lineup, ...]
    blocks: int
    asked: int  # games, before they were rounded up to whole blocks
    made: Mapping[str, Any]  # what it was made with: a run goes on only with the same
    written: str = field(default="", repr=False)  # the file that it was read from, in whatever format

    @property
    def bots(self) -> tuple[str, ...]:
        """Their specs, every bot once; a challenger is the first."""
        return tuple(dict.fromkeys((*filter(None, [self.definition.challenger]), *self.definition.bots)))

    @property
    def games_per_block(self) -> int:
        return len(self.lineups[0])

    @property
    def games(self) -> int:
        return self.blocks * self.games_per_block

    @cached_property
    def seatings(self) -> np.ndarray:
        """The bots by lineup, seating and seat."""
        return np.array(self.lineups, np.int16)

    def who(self, games: np.ndarray) -> np.ndarray:
        """The bots at the seats of some games, by their numbers."""
        blocks, seatings = np.divmod(games, self.games_per_block)
        who: np.ndarray = self.seatings[blocks % len(self.lineups), seatings]
        return who

    @cached_property
    def foreign(self) -> tuple[str, ...]:
        """Those of its bots that qpolis did not ship."""
        sandbox = self.definition.sandbox
        if IMPORTED in self.made:
            return ()  # whoever played is not asked
        return tuple(bot for bot in self.bots if bot != PERSON and not resolve(bot, sandbox).shipped)

    @property
    def hypotheses(self) -> Hypotheses | None:
        return Hypotheses.parse(self.definition.sprt) if self.definition.sprt else None

    @property
    def limits(self) -> Limits:
        asked = self.definition
        return Limits.of(asked.time_limit, asked.memory_limit, asked.start_limit, asked.ponder, asked.sandbox)

    def load_game(self) -> Game:
        """The game, if it is still the one that was planned: what its actions mean may be different otherwise."""
        game = load_game(self.definition.game, **self.definition.options)
        given = with_settings(self.definition.game, self.definition.options)
        if _digest(game.rules_content()) != self.made[RULES]:
            raise QpolisError(f"{given}: {NEW_RULES}")
        then = self.made.get(GAME, FIRST_BEHAVIOUR)
        if then != game.behaviour:
            raise QpolisError(
                f"{given}: its games have changed since the run began (behaviour version {then} then, "
                f"{game.behaviour} now)"
            )
        return game

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the results will rest on, as the game says."""
        return load_game(self.definition.game, **self.definition.options).notes()

    def text(self) -> str:
        """The plan as a file: a definition that can be played again, and what it was made with."""
        return self.written or file_text(KIND, {**self.definition.keys(), MADE: self.made})

    @property
    def digest(self) -> str:
        """Stands for the whole plan: the same digest, the same games."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def make_plan(
    definition: Definition, people: bool = False, find_bot: Callable[[str, str], Entrant] = resolve
) -> Plan:
    """Check a definition and lay out its games. Everything that can be wrong with it is found here. `people`: may
    a person be one of its bots? Then somebody else plays the games. `find_bot` finds what a spec names."""
    game = load_game(definition.game, **definition.options)
    asked = (*filter(None, [definition.challenger]), *definition.bots)
    if len(asked) > MOST_BOTS:
        raise QpolisError(f"{len(asked):,} bots: a tournament has at most {MOST_BOTS:,}")
    found = [None if people and spec == PERSON else find_bot(spec, definition.sandbox) for spec in asked]
    entrants = [entrant for entrant in found if entrant]
    specs = _specs([entrant.spec if entrant else PERSON for entrant in found], definition.seatings == FIXED)
    for seated in filter(None, (entrant.shipped for entrant in entrants)):
        seated.check(game)
    hypotheses = Hypotheses.parse(definition.sprt) if definition.sprt else None
    _check_seats(definition, len(specs), game.players)
    for key, value in game.settings.items():
        _check_text(f"option {key}: {value!r}", str(value))
    challenger = specs[0] if definition.challenger else ""
    canonical = replace(
        _canonical(definition, game, specs),
        bots=tuple(specs[1:] if challenger else specs),
        challenger=challenger,
        games=definition.games or (SPRT_GAMES if hypotheses else GAMES),
        sprt=hypotheses.text() if hypotheses else "",
    )
    return lay_out(canonical, game.players, _made(game, entrants))


def imported_plan(definition: Definition) -> Plan:
    """The plan of games that were played elsewhere: nobody looks for those who played them."""
    game = load_game(definition.game, **definition.options)
    if len(definition.bots) > MOST_BOTS:
        raise QpolisError(f"{len(definition.bots):,} names: a run has at most {MOST_BOTS:,}")
    canonical = _canonical(definition, game, list(definition.bots))
    return lay_out(canonical, game.players, {**_made(game, []), IMPORTED: True})


def _canonical(definition: Definition, game: Game, specs: list[str]) -> Definition:
    """With the whole name of the game, all its options, and a name."""
    return replace(
        definition,
        game=find(definition.game).name,
        options=dict(game.settings),
        name=definition.name or _name(specs),
    )


def lay_out(definition: Definition, seats: int, made: Mapping[str, Any]) -> Plan:
    """The plan of a definition that was checked before."""
    asked = definition.games
    seat = permutations if definition.seatings == ALL else rotations
    lineups: list[Lineup]
    if definition.seatings == MIRROR:
        lineups = mirrors(len(definition.bots), seats)
    elif definition.seatings == FIXED:
        lineups = fixed(definition.bots)
    elif definition.seatings == DUELS:
        lineups = duels(len(definition.bots) + bool(definition.challenger), seats, bool(definition.challenger))
    elif definition.seatings == LISTED:
        lineups = listed(definition.listed, len(definition.bots), seats)
    elif definition.sprt:
        lineups = [tuple(seating for group in head_to_head(seats) for seating in seat(group))]
    else:
        bots = len(definition.bots) + bool(definition.challenger)
        blocks = -(-asked // len(seat(tuple(range(seats)))))
        groups = choose_groups(bots, seats, blocks, bool(definition.challenger), definition.seed)
        lineups = [seat(group) for group in groups]
    blocks = -(-asked // len(lineups[0]))
    return Plan(replace(definition, games=blocks * len(lineups[0])), tuple(lineups), blocks, asked, made)


def read_plan(path: Path) -> Plan:
    """The plan in a file that `Plan.text` wrote, as it was then: its bots need not be there any more."""
    keys = read_definition(path)
    definition = define(keys)
    game = load_game(definition.game, **definition.options)
    plan = lay_out(definition, game.players, read_made(path))
    if not says_the_same(path, plan.definition.keys()):
        raise QpolisError(f"{path}: was changed since the run began")
    definition = replace(plan.definition, options=game.options_in_use(definition.options))
    return replace(plan, definition=definition, written=path.read_text(encoding="utf-8"))


def _specs(specs: list[str], again: bool) -> list[str]:
    """The same, if they can be in a plan. `again`: may one be there several times?"""
    for number, spec in enumerate(specs):
        if not again and spec in specs[:number]:
            raise QpolisError(f"bot {spec!r} is there twice: a bot plays against others, not against itself")
        _check_text(f"bot {spec!r}", spec)
    return specs


def _check_text(what: str, text: str) -> None:
    """Names of files need not be text, but plans are."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QpolisError(f"{what}: a path that is not UTF-8 text cannot be part of a plan") from None


def _check_seats(definition: Definition, bots: int, seats: int) -> None:
    if definition.sprt:
        if bots != 2:
            raise QpolisError(f"a sequential test (sprt) is between two bots, not {bots}")
    elif definition.seatings == DUELS:
        if bots < 2:
            raise QpolisError("1 bot has nobody to duel with: name another")
    elif definition.seatings == FIXED:
        if bots != seats:
            raise QpolisError(
                f"{bots} {'bot' if bots == 1 else 'bots'} for {seats} seats: with seatings {FIXED} "
                "name one for each seat"
            )
    elif bots < seats and definition.seatings not in (MIRROR, LISTED):
        raise QpolisError(
            f"{bots} {'bot' if bots == 1 else 'bots'} for {seats} seats: name more bots, or fewer "
            "players if the game allows that"
        )


def _name(specs: list[str]) -> str:
    """A name for a run of these bots, good for a folder, and short enough for a word before it."""
    words = [os.path.splitext(os.path.basename(spec.split(":")[0]))[0] for spec in specs]
    safe = [
        "".join(char if (char.isalnum() and char.isascii()) or char in "_-" else "_" for char in word)
        for word in words
    ]
    return ("-".join(safe[:4]) + ("-and-more" if len(safe) > 4 else ""))[: LONGEST - 10]


def _made(game: Game, entrants: list[Entrant]) -> dict[str, Any]:
    """Everything outside the definition that the games depend on: versions of the behaviour of what ships, digests
    of the rules, which have all that files named by options say (a mix, a board), and of files that are somebody
    else's."""
    made: dict[str, Any] = {
        QPOLIS: __version__,
        "engine": ENGINE_BEHAVIOUR,
        GAME: game.behaviour,
        RULES: _digest(game.rules_content()),
    }
    if files := files_digest(game.reference):
        made["game source"] = files
    for entrant in entrants:
        if entrant.source:
            made[f"bot {entrant.spec}"] = _file_digest(entrant.source)
        elif entrant.shipped:
            made[f"bot {entrant.shipped.policy.name}"] = entrant.shipped.policy.behaviour
    return made | learned(game, entrants)


def learned(game: Game, entrants: Iterable[Entrant]) -> dict[str, str]:
    """What some bots have learned, by words for it."""
    return {
        f"model of {entrant.spec}": model.digest
        for entrant in entrants
        if entrant.shipped and (model := entrant.shipped.find_model(game))
    }


def changed(made: Mapping[str, Any], today: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What a plan was made with that is not the same today: what, then, now. Another version of qpolis is no
    change if it plays the same."""
    if made.get(QPOLIS) == "0.1.0" and isinstance(made.get("engine"), str):
        # 0.1.0 wrote a digest of its sources. What it played is version 1 of everything that ships.
        made = {**{what: 1 for what, now in today.items() if isinstance(now, int)}, **made, "engine": 1}
    for what in {**made, **today}:
        if what != QPOLIS and made.get(what) != today.get(what):
            yield what, made.get(what), today.get(what)


def _file_digest(source: str) -> str:
    """Of the file of a bot, or of the module it is in."""
    path = Path(source)
    if not path.is_file():
        found = importlib.util.find_spec(source)
        path = Path(found.origin if found and found.origin else source)
    try:
        return _digest(path.read_bytes())
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
