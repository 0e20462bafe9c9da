"""What a tournament is asked to be: the keys of a definition file, and the flags that override them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.parameters import Key
from qpolis.sandbox.levels import AUTO, SETTINGS
from qpolis.tourney.schema import (
    BOTS,
    COUNT,
    GAME,
    MADE,
    NAME,
    OPTIONS,
    SEED,
    SOME,
    all_checked,
    check_names,
    key,
    keys_of,
    read_keys,
    read_table,
    with_seed,
)

KIND = "tournament"
ROTATIONS, ALL, MIRROR, DUELS, FIXED, LISTED = SEATINGS = (
    "rotations",
    "all",
    "mirror",
    "duels",
    "fixed",
    "listed",
)
CSV, PARQUET, BOTH = GAMES_TABLES = ("csv", "parquet", "both")
GAMES = 1000  # if nothing is said
NEW = ("start_limit", "ponder", "sandbox", "listed", "games_table")  # that plans of earlier versions do not have
SPRT_GAMES = 100_000  # at most, in a sequential test


@dataclass(frozen=True)
class Definition:
    """A tournament as it is asked for. Every field is a key of the file."""

    bots: tuple[str, ...] = key(BOTS)
    name: str = key(NAME)
    challenger: str = key(
        replace(SOME, words='a bot such as "./my_bot.py"'),
        help="plays against the field of the other bots: a gauntlet",
    )
    games: int = key(COUNT, help="how many games; 0: the default")
    game: str = key(GAME)
    options: Mapping[str, Any] = key(OPTIONS)
    seed: int = key(SEED)
    seatings: str = key(
        Key(
            ROTATIONS,
            "of a group, in which it plays a deal; or groups of copies: mirror, duels; "
            "or one order, that of `bots`, for all deals: fixed; or an order for each deal: listed",
            choices=SEATINGS,
            words=" or ".join(SEATINGS),
        )
    )
    sprt: str = key(replace(SOME, words='a text such as "elo0=0,elo1=10"'), help="hypotheses of a sequential test")
    time_limit: float = key(Key(10.0, "a decision", 0.001, 1e6, unit="seconds"))
    memory_limit: int = key(Key(2048, "of a bot's process", 1, 1 << 20, whole=True, unit="MB"))
    moves: bool = key(Key(True, "are they recorded?"))
    start_limit: float = key(Key(60.0, "a start of a bot", 0.001, 1e6, unit="seconds"))
    ponder: bool = key(Key(False, "may bots compute while others think?"))
    listed: tuple[str, ...] = key(
        replace(BOTS, words='a list such as ["0 1", "1 0"]'),
        help="with seatings listed: who sits where, deal by deal, by their places in `bots`",
    )
    games_table: str = key(
        Key(CSV, "where the games are listed", choices=GAMES_TABLES, words=" or ".join(GAMES_TABLES))
    )
    sandbox: str = key(Key(AUTO, "for bots of others", choices=SETTINGS, words=" or ".join(SETTINGS)))

    def keys(self) -> dict[str, Any]:
        """The definition as a table: what is empty is left out, and new keys that say nothing new."""
        return {
            name: value
            for name, value in vars(self).items()
            if value != "" and not (name in NEW and value == CHECKS[name].default)
        }


CHECKS = keys_of(Definition)


def read_definition(path: Path) -> dict[str, Any]:
    """The keys of a definition file."""
    return read_keys(path, CHECKS, KIND)


def read_made(path: Path) -> dict[str, Any]:
    """What the plan in a file was made with."""
    made = read_table(path).get(MADE)
    if not isinstance(made, dict):
        raise QpolisError(f"{path}: was changed since the run began: no table [{MADE}]")
    return made


def define(given: Mapping[str, Any]) -> Definition:
    """The definition with these keys; what is not given has its default."""
    check_names(given, CHECKS)
    definition = Definition(**all_checked(with_seed(given), CHECKS))
    if not definition.bots:
        raise QpolisError("no bots: say who plays, as in --bots mcts,greedy")
    if definition.sprt and definition.challenger:
        raise QpolisError("a sequential test (sprt) is between two bots: it has no challenger")
    if definition.seatings == MIRROR and (definition.sprt or definition.challenger):
        raise QpolisError(
            f"seatings {MIRROR}: bots against themselves have no challenger, and no sequential test (sprt)"
        )
    if definition.seatings == FIXED and (definition.sprt or definition.challenger):
        raise QpolisError(
            f"seatings {FIXED}: bots that keep their seats have no challenger, and no sequential test (sprt)"
        )
    if (definition.seatings == LISTED) != bool(definition.listed):
        raise QpolisError(f"seatings {LISTED} goes with the key listed, which says who sits where, deal by deal")
    if definition.listed and (definition.sprt or definition.challenger):
        raise QpolisError(f"seatings {LISTED}: it has no challenger, and no sequential test (sprt)")
    return definition
