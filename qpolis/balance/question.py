"""What is asked about mixes: the keys of a file, and the runs that answer them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.games import game_class, load_game
from qpolis.parameters import Key
from qpolis.registry.spec import resolve
from qpolis.tourney.definition import DUELS, MIRROR, Definition
from qpolis.tourney.lineups import duels
from qpolis.tourney.schema import (
    BOTS,
    COUNT,
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

KIND = "balance question"
GAMES = 10_000  # for a mix, if nothing is said
LADDER_PART = 20  # searches are slow: a ladder has this part of the games
EVERY = "all"  # stands for all kinds of buildings
NO_MIX = ""  # the only mix of a game that has none
# Parts of a question. Each is one run a mix, or one a mix and bot.
LEVEL, FIELD, HABITS, MATRIX, LADDER = "level", "field", "habits", "matrix", "ladder"


LIKED = Key((), items=TEXT, words='a list of kinds of buildings such as ["harbor"], or ["all"]')
LADDERS = Key(
    (),
    items=Key(0, "", 1, 10**7, whole=True),
    allows=lambda budgets: len(budgets) > 1 and len(set(budgets)) == len(budgets),
    words="a list of two or more budgets of simulations such as [50, 200, 800]",
)
WITHIN = Key(2.0, "a smaller difference does not matter", 0.01, 50, unit="percentage points")


@dataclass(frozen=True)
class Question:
    """What is asked. Every field is a key of the file. The first mix is the one that others are compared with."""

    mixes: tuple[str, ...] = key(
        Key(
            (),
            "the game's own, if none are given",
            items=TEXT,
            words='a list of mixes such as ["base", "base:harbor+2:park-2"]',
        )
    )
    bots: tuple[str, ...] = key(BOTS, ("greedy", "heuristic"), "levels of play")
    name: str = key(NAME)
    games: int = key(COUNT, GAMES, "of a mix: against themselves and each other, in equal parts")
    game: str = key(GAME)
    options: Mapping[str, Any] = key(OPTIONS)
    seed: int = key(SEED)
    forbid: tuple[str, ...] = key(LIKED, help="kinds of buildings that some players never build")
    favor: tuple[str, ...] = key(LIKED, help="and that others like to build")
    player: str = key(
        replace(SOME, words='a bot that ships, such as "greedy"'), "greedy", "the bot that has these habits"
    )
    habit_games: int = key(
        COUNT, help="of a mix: with them against the bot without, and as many among them; 0: as `games`"
    )
    ladder: tuple[int, ...] = key(LADDERS, help="budgets of mcts, in simulations")
    ladder_games: int = key(COUNT, help="of a mix; 0: a part of `games`")
    within: float = key(WITHIN)

    def table(self) -> dict[str, Any]:
        """The question as keys: what is empty is left out."""
        empty = ("", (), 0, (NO_MIX,))
        return {name: value for name, value in vars(self).items() if value not in empty or name == "seed"}

    def text(self) -> str:
        """The question as a file that can be asked again."""
        return file_text(KIND, sealed(self.table()))

    def settings(self, mix: int) -> dict[str, Any]:
        """All options of the game, with one of the mixes."""
        return {**self.options, **({} if self.mixes == (NO_MIX,) else {"mix": self.mixes[mix]})}

    def notes(self) -> list[str]:
        """What the answer will rest on, as the game says. What does not hold for all mixes names them."""
        mixes: dict[str, list[str]] = {}
        for number, mix in enumerate(self.mixes):
            for note in load_game(self.game, **self.settings(number)).notes():
                mixes.setdefault(note, []).append(mix)
        return [
            note if len(named) == len(self.mixes) else f"{', '.join(named)}: {note}"
            for note, named in mixes.items()
        ]


CHECKS = keys_of(Question)


def read_question(path: Path) -> dict[str, Any]:
    """The keys of a question in a file."""
    return read_keys(path, CHECKS, KIND)


def ask(given: Mapping[str, Any]) -> Question:
    """The question with these keys, checked."""
    check_names(given, CHECKS)
    question = Question(**all_checked(with_seed(given), CHECKS))
    question = replace(question, mixes=mixes_of(question.game, question.mixes))
    if "mix" in question.options and question.mixes != (NO_MIX,):
        raise QpolisError("mix: a question has a list of mixes: mixes = [...] (on the command line several --mix)")
    _check_different("mix", question.mixes)
    for spec in (*question.bots, question.player):
        if not resolve(spec).shipped:
            raise QpolisError(f"bot {spec!r}: measures are made with bots that ship; {spec!r} is not one")
    games = [load_game(question.game, **question.settings(mix)) for mix in range(len(question.mixes))]
    question = replace(
        question,
        forbid=_kinds(games[0], "forbid", question.forbid),
        favor=_kinds(games[0], "favor", question.favor),
        name=question.name or "balance",
        options={key: value for key, value in games[0].settings.items() if key != "mix"},
    )
    _check_different("bot", [resolve(spec).spec for spec in question.bots])
    _check_different("player with habits", strategies(question))
    for spec in (*question.bots, question.player, *strategies(question)):
        seated = resolve(spec).shipped
        assert seated is not None
        seated.habits.check(games[0])
    return question


def mixes_of(game: str, given: Sequence[str]) -> tuple[str, ...]:
    """The mixes that are asked about: those given, or the game's own."""
    options = game_class(game).options
    if "mix" not in options:
        if given:
            known = ", ".join(sorted(options)) or "none"
            raise QpolisError(f"mix: {game} has no tile mixes (its options: {known})")
        return (NO_MIX,)
    if NO_MIX in given:
        raise QpolisError("mix: an empty text is no mix")
    return tuple(given) or (options["mix"].default,)


def _kinds(game: Game, habit: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of buildings that a habit is about; what is not a kind is found later."""
    if given and not game.categories:
        raise QpolisError(f"{habit}: {game.name} has no {game.category_noun[1]} to choose from")
    return game.categories if given == (EVERY,) else given


def _check_different(what: str, names: Sequence[str]) -> None:
    for number_, name in enumerate(names):
        if name in names[:number_]:
            raise QpolisError(f"{what} {name!r} is there twice")


@dataclass(frozen=True)
class Cell:
    """A run of a question: one mix in one part."""

    mix: int
    part: str
    level: str  # the bot, or what the bots are
    definition: Definition
    prefix: str = ""  # of the name on disk

    @property
    def folder(self) -> str:
        """Its name on disk, which says what it is."""
        word = "".join(char if char.isalnum() or char in "-_" else "-" for char in self.level)
        return f"{self.prefix}{self.mix}-{self.part}" + (f"-{word}" if word else "")


def strategies(question: Question) -> list[str]:
    """The bots with habits."""
    return [
        resolve(f"{question.player}:{habit}={kind}").spec
        for habit in ("forbid", "favor")
        for kind in getattr(question, habit)
    ]


def cells(question: Question, prefix: str = "") -> list[Cell]:
    """All runs of a question, mix by mix."""
    runs = itertools.chain.from_iterable(_cells(question, mix) for mix in range(len(question.mixes)))
    return [replace(run, prefix=prefix) for run in runs]


def level_cell(question: Question, mix: int, bot: str, games: int) -> Cell:
    """The run of a mix in which a bot plays against itself."""
    return _cell(question, mix, LEVEL, bot, [bot], games, seatings=MIRROR)


def _cell(question: Question, mix: int, part: str, level: str, bots: list[str], games: int, **keys: Any) -> Cell:
    definition = Definition(
        bots=tuple(bots),
        name=f"{question.name}-{part}-{mix}",
        games=games,
        game=question.game,
        options=question.settings(mix),
        seed=question.seed,
    )
    return Cell(mix, part, level, replace(definition, **keys))


def _cells(question: Question, mix: int) -> Iterator[Cell]:
    game = load_game(question.game, **question.settings(mix))
    cell = functools.partial(_cell, question, mix)
    seatings, duel = game.players, len(duels(2, game.players, True)[0])  # games of a deal
    field_ = list(question.bots) if len(question.bots) >= game.players else []
    share = -(-question.games // (len(question.bots) + bool(field_)))
    for bot in question.bots:
        yield level_cell(question, mix, bot, share)
    if field_:
        yield cell(FIELD, "", field_, rounded(share, seatings))
    habits = strategies(question)
    plain = resolve(question.player).spec
    games = rounded(question.habit_games or question.games, duel)
    if habits:
        yield cell(HABITS, plain, habits, games, challenger=plain, seatings=DUELS)
    if len(habits) > 1:
        yield cell(MATRIX, plain, [plain, *habits], games, seatings=DUELS)
    if question.ladder:
        bots = [f"mcts:sims={sims}" for sims in sorted(question.ladder, reverse=True)]
        if len(bots) < game.players:
            raise QpolisError(f"ladder: {len(bots)} budgets for {game.players} seats: name more budgets")
        yield cell(LADDER, "", bots, rounded(question.ladder_games or question.games // LADDER_PART, seatings))


def rounded(games: int, size: int) -> int:
    """So many games in whole deals of this size."""
    return -(-max(games, 1) // size) * size
