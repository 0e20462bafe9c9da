"""Files of keys: what a run is asked to be, in TOML. Flags override them.

A key is declared once, as a field of a dataclass with `key`. What is no key of the schema is an option of the game
that the file names. A plan is such a file that qpolis wrote: it begins with its kind and the version of its
format. Files that people write need neither.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any

import tomli_w

from qpolis.errors import QpolisError, unknown
from qpolis.games import DEFAULT_GAME, game_class
from qpolis.parameters import Key
from qpolis.rng import SEED_BITS, draw_seed
from qpolis.version import __version__

MOST_GAMES = 100_000_000
LONGEST = 100  # characters of a name
MADE = "made"  # a table that plans have: what they were made with
KIND, FORMAT = "kind", "format"  # the first keys of a plan
SEAL = "keys"  # in what a plan was made with: a digest of its keys
PLAN_KEYS = (KIND, FORMAT, MADE)  # that definitions written by people do not have
FORMAT_NOW = 2  # 1 is that of qpolis 0.1.0, which says neither kind nor format

DECLARED = "declared"  # where a field of a dataclass has its key

TEXT = Key("")
SOME = Key("", allows=bool)  # a text that is not empty

# Keys that several kinds of files have.
BOTS = Key(
    (),
    "who plays: names, paths, parameters as in mcts:sims=3200",
    items=TEXT,
    words='a list of bots such as ["mcts", "greedy"]',
)
NAME = Key(
    "",
    "of the run; default: that of the file",
    words=f"a name of up to {LONGEST} letters, without / and \\, that begins with no dot",
    allows=lambda name: 0 < len(name) <= LONGEST and not set(name) & set("/\\") and name[0] != ".",
)
COUNT = Key(0, "how many games", 1, MOST_GAMES, whole=True)
GAME = Key(DEFAULT_GAME, "the game", words="the name of a game", allows=bool)
OPTIONS = Key({}, "options of the game", words="a table of options of the game")
SEED = Key(
    0,
    "names all the deals; drawn if none is given",
    0,
    2**SEED_BITS - 1,
    whole=True,
    words=f"a whole number from 0 to 2**{SEED_BITS} - 1",
)


def key(declared: Key, default: Any = None, help: str = "") -> Any:
    """A field of a dataclass that is a key of a file. Its default may be one that stands for another, such as 0
    games for the usual number: only what is given is checked."""
    declared = replace(
        declared, default=declared.default if default is None else default, help=help or declared.help
    )
    if isinstance(declared.default, Mapping):
        return field(default_factory=dict, metadata={DECLARED: declared})
    return field(default=declared.default, metadata={DECLARED: declared})


def keys_of(asked: type) -> dict[str, Key]:
    """The keys that a dataclass declares."""
    return {one.name: one.metadata[DECLARED] for one in fields(asked)}


def all_checked(table: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, Any]:
    """The keys of the schema checked, and all others in the table of the game's options, which the game checks."""
    values = {name: keys[name].value(name, value) if name in keys else value for name, value in table.items()}
    return with_options(values, keys)


def with_seed(table: Mapping[str, Any]) -> dict[str, Any]:
    """The same with a seed: one that nobody can guess, if none is given."""
    return {**table, "seed": table["seed"] if "seed" in table else draw_seed()}


def with_options(keys: Mapping[str, Any], known: Collection[str] = ()) -> dict[str, Any]:
    """The same with all that is not a known key in the table of options; what is there twice is an error."""
    options = dict(keys.get("options", {}))
    for name, value in keys.items():
        if name not in known and name != "options":
            if name in options:
                raise QpolisError(f"{name} is given twice, as {options[name]!r} and as {value!r}")
            options[name] = value
    return {**{name: value for name, value in keys.items() if name in known}, "options": options}


def check_names(table: Mapping[str, Any], keys: Mapping[str, Key]) -> None:
    """Refuse what is neither a key nor an option of the game."""
    if others := [name for name in table if name not in keys]:
        game = game_class(GAME.value("game", table.get("game", DEFAULT_GAME)))
        for name in others:
            if name not in game.options and name not in game.retired:
                raise unknown("key", name, (*keys, *game.options))


def read_table(path: Path) -> dict[str, Any]:
    """What is in a file, if this version can read its format."""
    try:
        table = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise QpolisError(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise QpolisError(f"{path}: not TOML: {error}") from None
    found = table.get(FORMAT, 1)
    if type(found) is not int or found < 1:
        raise QpolisError(f"{path}: {FORMAT}: {found!r} is not a whole number from 1 to {FORMAT_NOW}")
    if found > FORMAT_NOW:
        raise QpolisError(
            f"{path}: its format {found} is newer than this qpolis, which reads formats up to "
            f"{FORMAT_NOW}: use the qpolis that wrote it, or a newer one"
        )
    return table


def without(table: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name not in names}


def read_keys(path: Path, keys: Mapping[str, Key], kind: str) -> dict[str, Any]:
    """The keys in a file of some kind, checked one by one; the name of the file is the name of the run."""
    table = read_table(path)
    if (other := table.get(KIND, kind)) != kind:
        raise QpolisError(f"{path}: is a {other}, not a {kind}")
    given = without(table, PLAN_KEYS)
    try:
        check_names(given, keys)
        values = all_checked(given, keys)
        check_options(values)
    except QpolisError as error:
        raise QpolisError(f"{path}: {error}") from None
    return {"name": path.stem, **values}


def check_options(keys: Mapping[str, Any]) -> None:
    """Refuse options that the game of a file has not, or that cannot be what they are. The game will look at them
    again, when flags have had their say: here an error can be told with the name of the file."""
    if keys["options"]:
        game = game_class(keys.get("game", DEFAULT_GAME))
        for name, value in game.options_in_use(keys["options"]).items():
            if name not in game.options:
                raise unknown(f"option of {game.name}", name, game.options)
            game.options[name].value(name, value)


def overridden(keys: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with what others say instead."""
    return {**keys, **other, "options": {**keys.get("options", {}), **other.get("options", {})}}


def file_text(kind: str, table: Mapping[str, Any]) -> str:
    """A file of a kind, as this version writes it: values first, then tables."""
    values = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    tables = {name: dict(value) for name, value in table.items() if isinstance(value, Mapping)}
    return tomli_w.dumps({KIND: kind, FORMAT: FORMAT_NOW, **values, **tables})


def sealed(table: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with a digest of themselves, for a plan that has no journal to hold it: so that a change is noticed."""
    return {**table, MADE: {"qpolis": __version__, SEAL: _seal(tomllib.loads(file_text("", table)))}}


def is_sealed(path: Path) -> bool:
    """Does a file have the digest of its keys? Those of format 1 have none."""
    table = read_table(path)
    made = table.get(MADE)
    return FORMAT not in table or (isinstance(made, dict) and made.get(SEAL) == _seal(table))


def _seal(table: Mapping[str, Any]) -> str:
    text = json.dumps(without(table, PLAN_KEYS), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def says_the_same(path: Path, table: Mapping[str, Any]) -> bool:
    """Does a file, in whatever format, have nothing but these keys?"""
    plain = tomllib.loads(file_text("", table))  # lists for tuples
    return without(plain, PLAN_KEYS) == without(read_table(path), PLAN_KEYS)
