"""`docs/observations.md`: what programs that learn see of each game that has the verb `encode`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from making.markdown import table
from qpolis.conformance.bench import variants
from qpolis.game import Game
from qpolis.parameters import option_text

PLAYERS = "players"
Options = dict[str, Any]


def sections(names: Iterable[str]) -> str:
    """A section for each game that can be learned."""
    return "\n\n".join(section(games) for games in map(variants, names) if games[0].planes)


def section(games: list[Game]) -> str:
    """The sizes of a game, and its planes: a table for all variants, or some where the planes are others."""
    title, rules = games[0].title, f"rules/{games[0].name}.md"
    parts = [f"## {title}", f"The rules: [{title}]({rules}).", sizes(games)]
    alike: dict[tuple[tuple[str, str, str], ...], list[Game]] = {}
    for group in with_the_same_planes(games):
        alike.setdefault(tuple(rows(group)), []).extend(group)
    for found, group in alike.items():
        if len(alike) > 1:
            parts.append(f"### {title}: {what_is_special(group, games)}")
        parts.append(table(["plane", "shape", "what it says"], found))
    return "\n\n".join(parts)


def options_of(game: Game) -> Options:
    """Those of its options that have choices."""
    return {key: value for key, value in game.settings.items() if game.options[key].choices}


def with_the_same_planes(games: list[Game]) -> list[list[Game]]:
    """Variants together that differ in the number of players only, and in the shapes of their planes perhaps."""
    groups: dict[str, list[Game]] = {}
    for game in games:
        planes = [(plane.name, plane.help, len(plane.shape)) for plane in game.planes]
        groups.setdefault(repr(({**options_of(game), PLAYERS: None}, planes)), []).append(game)
    return list(groups.values())


def rows(games: list[Game]) -> Iterable[tuple[str, str, str]]:
    for planes in zip(*(game.planes for game in games), strict=True):
        sides = zip(*(plane.shape for plane in planes), strict=True)
        shape = " x ".join(side([game.players for game in games], lengths) for lengths in sides)
        yield f"`{planes[0].name}`", shape, planes[0].help


def side(players: list[int], lengths: tuple[int, ...]) -> str:
    """How long one side of a plane is with so many players."""
    fewer = {count - length for count, length in zip(players, lengths, strict=True)}
    if len(set(lengths)) > 1 and fewer <= {0}:
        return PLAYERS
    if len(set(lengths)) > 1 and fewer <= {1}:
        return f"({PLAYERS} - 1)"
    return " or ".join(map(str, sorted(set(lengths))))


def sizes(games: list[Game]) -> str:
    """How many numbers and actions there are, by the options that matter."""
    matter = [key for key in options_of(games[0]) if matters(key, games)]
    lines = {
        (*(option_text(game.settings[key]) for key in matter), game.observation_size, game.action_count)
        for game in games
    }
    return table([*matter, "numbers", "actions"], sorted(lines, key=str))


def matters(key: str, games: list[Game]) -> bool:
    """Do sizes depend on an option?"""
    by_others: dict[str, set[tuple[int, int]]] = {}
    for game in games:
        others = repr({**options_of(game), key: None})
        by_others.setdefault(others, set()).add((game.observation_size, game.action_count))
    return any(len(found) > 1 for found in by_others.values())


def what_is_special(some: list[Game], games: list[Game]) -> str:
    """The options that tell some variants from the others."""
    found = []
    for key in options_of(games[0]):
        here, everywhere = ({option_text(game.settings[key]) for game in group} for group in (some, games))
        if here != everywhere:
            found.append(f"{key} {' or '.join(sorted(here))}")
    return ", ".join(found)
