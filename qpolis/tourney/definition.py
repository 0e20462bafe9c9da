"""What a tournament is asked to be: the keys of a definition file, and the flags that override them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.games import DEFAULT_GAME
from qpolis.tourney.schema import COMMON, MADE, OPTIONS, Check, all_checked, number, read_keys, some, whole

ROTATIONS, ALL, MIRROR, DUELS, FIXED = SEATINGS = ("rotations", "all", "mirror", "duels", "fixed")
GAMES = 1000  # if nothing is said
SPRT_GAMES = 100_000  # at most, in a sequential test


@dataclass(frozen=True)
class Definition:
    """A tournament as it is asked for. Every field is a key of the file."""

    bots: tuple[str, ...] = ()
    name: str = ""
    challenger: str = ""  # plays against the field of the other bots: a gauntlet
    games: int = 0  # 0: the default
    game: str = DEFAULT_GAME
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game
    seed: int = 0
    seatings: str = ROTATIONS  # of a group, in which it plays a deal; or groups of copies: mirror, duels;
    # or one order, that of `bots`, for all deals: fixed
    sprt: str = ""  # hypotheses of a sequential test: elo0=0,elo1=10
    time_limit: float = 10.0  # seconds a decision
    memory_limit: int = 2048  # MB
    moves: bool = True  # are they recorded?

    def keys(self) -> dict[str, Any]:
        """The definition as a table: what is empty is left out."""
        return {key: value for key, value in vars(self).items() if value != ""}


CHECKS: dict[str, Check] = {
    **COMMON,
    "challenger": (some, "a bot such as \"./my_bot.py\""),
    "seatings": (lambda value: value in SEATINGS, " or ".join(SEATINGS)),
    "sprt": (some, "a text such as \"elo0=0,elo1=10\""),
    "time_limit": (number(0.001, 1e6), "a number of seconds from 0.001 to 1000000"),
    "memory_limit": (whole(1, 1 << 20), "a whole number of MB from 1 to 1048576"),
    "moves": (lambda value: type(value) is bool, "true or false"),
}
KEYS = (*CHECKS, *OPTIONS)


def read_definition(path: Path) -> dict[str, Any]:
    """The keys of a definition file."""
    return read_keys(path, CHECKS)


def read_made(path: Path) -> dict[str, Any]:
    """What the plan in a file was made with."""
    made = tomllib.loads(path.read_text(encoding="utf-8")).get(MADE)
    if not isinstance(made, dict):
        raise QpolisError(f"{path}: was changed since the run began: no table [{MADE}]")
    return made


def define(given: Mapping[str, Any]) -> Definition:
    """The definition with these keys; what is not given has its default."""
    definition = Definition(**all_checked(given, CHECKS))
    if not definition.bots:
        raise QpolisError("no bots: say who plays, as in --bots mcts,greedy")
    if definition.sprt and definition.challenger:
        raise QpolisError("a sequential test (sprt) is between two bots: it has no challenger")
    if definition.seatings == MIRROR and (definition.sprt or definition.challenger):
        raise QpolisError(f"seatings {MIRROR}: bots against themselves have no challenger, and no sequential test "
                          "(sprt)")
    if definition.seatings == FIXED and (definition.sprt or definition.challenger):
        raise QpolisError(f"seatings {FIXED}: bots that keep their seats have no challenger, and no sequential "
                          "test (sprt)")
    return replace(definition, time_limit=float(definition.time_limit))
