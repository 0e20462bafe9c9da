"""Games by the texts of their moves as a run: they are played again, and what comes out has to agree with what the
file says.

A file that `qpolis export --moves` wrote has the plan of its run, and becomes the same run. Other games become a
run of games at fixed seats, or at listed ones: a deal each. If the game has chance, they need the seed and the
deals they were played with.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.clock import BINS
from qpolis.dataset.game_lines import GameLine, read_game_lines
from qpolis.engine.results import ENDS, FINISHED, STOPPED, Results
from qpolis.errors import IllegalAction, InvalidText, QpolisError
from qpolis.game import Game
from qpolis.games import load_game
from qpolis.tourney.chunk import encode
from qpolis.tourney.definition import FIXED, LISTED, define
from qpolis.tourney.plan import Plan, imported_plan, read_plan
from qpolis.tourney.run import PLAN, Run, claim
from qpolis.tourney.verify import NO_FAULT, replay

AT_A_TIME = 2000  # games of a chunk
SEAT_LISTS = ("scores", "ranks", "decisions", "ends")  # keys of a game that have an entry a seat


@dataclass(frozen=True)
class ReadGame:
    """A game of the file, its moves as actions."""

    line: GameLine
    actions: np.ndarray
    number: int = -1  # in the plan


@dataclass(frozen=True)
class ReadGames:
    """The games of a file, and the run they become."""

    plan: Plan
    game: Game
    games: list[ReadGame]  # by their numbers

    @property
    def complete(self) -> bool:
        return len(self.games) == self.plan.games

    def chunks(self) -> Iterator[Results]:
        """The games as a journal has them; an error if one of them cannot have been so."""
        for first in range(0, len(self.games), AT_A_TIME):
            yield _chunk(self, self.games[first : first + AT_A_TIME])


def read_games(path: Path) -> ReadGames:
    """The games in a file, and the plan of the run they become."""
    head, lines = read_game_lines(path)
    plan = _plan_of(head) if "plan" in head.keys else None
    game = plan.load_game() if plan else None
    common = _common_of(plan) if plan else {}
    found: list[ReadGame] = []
    for line in lines:
        given = line.keys if plan else {**common, **head.keys, **line.keys}
        if game is None:
            game = _game_of(line, given)
            common = {key: given[key] for key in ("game", "options") if key in given}
        if not found:
            action_of = cache(game.action_of)
        _check_common(line, given, common, game)
        found.append(ReadGame(line, _actions(action_of, line)))
    if game is None or not found:
        raise QpolisError(f"{path}: there is no game in it")
    if plan:
        return ReadGames(plan, game, _numbered(plan, found))
    numbered = _dealt(game, found)
    return ReadGames(_new_plan(path, game, head, numbered), game, numbered)


# -- the plan ----------------------------------------------------------------------------------------------


def _plan_of(head: GameLine) -> Plan:
    """The plan in the first line."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / PLAN
        try:
            written.write_text(head.keys["plan"], encoding="utf-8", newline="")
            return read_plan(written)
        except (QpolisError, UnicodeEncodeError) as error:
            raise head.error(f"plan: {error}".replace(str(written), PLAN)) from None


def _common_of(plan: Plan) -> dict[str, Any]:
    definition = plan.definition
    return {"game": definition.game, "options": dict(definition.options), "seed": definition.seed}


def _game_of(line: GameLine, given: Mapping[str, Any]) -> Game:
    if "game" not in given:
        raise line.error("there is no game: the name of a game, here or in the first line of the file")
    try:
        return load_game(given["game"], **given.get("options", {}))
    except QpolisError as error:
        raise line.error(str(error)) from None


def _check_common(line: GameLine, given: Mapping[str, Any], common: Mapping[str, Any], game: Game) -> None:
    """Refuse a game of another kind than those before, and lists that do not fit the seats."""
    for key in common:
        if key in given and given[key] != common[key]:
            raise line.error(
                f"{key}: {given[key]!r} is not {common[key]!r} as before: a run has one game, and one seed"
            )
    for key in ("bots", *SEAT_LISTS):
        if len(given.get(key, ())) not in (game.players, 0 if key in SEAT_LISTS else game.players):
            raise line.error(f"{key}: {len(given[key])} for {game.players} seats")


def _actions(action_of: Callable[[str], int], line: GameLine) -> np.ndarray:
    """The moves of a game as action ids."""
    actions = np.zeros(len(line.keys["moves"]), verbs.ACTION)
    for number, text in enumerate(line.keys["moves"]):
        try:
            actions[number] = action_of(text)
        except InvalidText as error:
            raise line.error(f"move {number + 1}: {error}") from None
    return actions


def _numbered(plan: Plan, found: list[ReadGame]) -> list[ReadGame]:
    """The games by their numbers in the plan of their run; whole blocks, because a run goes on with whole ones."""
    numbered: dict[int, ReadGame] = {}
    for one in found:
        keys, line = one.line.keys, one.line
        number = keys.get("number", -1)
        if not 0 <= number < plan.games:
            raise line.error(f"number: the games of this plan are 0 to {plan.games - 1}")
        if number in numbered:
            raise line.error(f"number: game {number} is there twice")
        deal = number // plan.games_per_block
        if keys.get("deal", deal) != deal:
            raise line.error(f"deal: game {number} of this plan has the deal {deal}")
        bots = [plan.bots[bot] for bot in plan.who(np.array([number]))[0]]
        if keys["bots"] != bots:
            raise line.error(f"bots: game {number} of this plan is between {', '.join(bots)}")
        numbered[number] = replace(one, number=number)
    size = plan.games_per_block
    for number, one in numbered.items():
        for other in range(number - number % size, number - number % size + size):
            if other not in numbered:
                raise one.line.error(f"game {other} of the same deal is missing: deals are imported whole")
    return [numbered[number] for number in sorted(numbered)]


def _dealt(game: Game, found: list[ReadGame]) -> list[ReadGame]:
    """Games without a plan: each is a deal."""
    numbered: dict[int, ReadGame] = {}
    for place, one in enumerate(found):
        deal = one.line.keys.get("deal", place) if game.chance else place
        if deal >= len(found):
            raise one.line.error(
                f"deal: {deal}: {len(found)} games without a plan have the deals 0 to {len(found) - 1}"
            )
        if deal in numbered:
            raise one.line.error(f"deal: {deal} is there twice: games without a plan have a deal each")
        numbered[deal] = replace(one, number=deal)
    return [numbered[number] for number in sorted(numbered)]


def _new_plan(path: Path, game: Game, head: GameLine, games: Sequence[ReadGame]) -> Plan:
    """The plan of games that had none."""
    seeds = [one.line.keys.get("seed", head.keys.get("seed")) for one in games] if game.chance else [0]
    for seed, one in zip(seeds, games):
        if seed is None:
            raise one.line.error(
                f"there is no seed: {game.name} draws by chance, so a game can only be played again with the seed "
                "and the deal that it was played with"
            )
        if seed != seeds[0]:
            raise one.line.error(
                f"seed: {seed} is not {seeds[0]} as before: import the games of each on their own"
            )
    names = [tuple(one.line.keys["bots"]) for one in games]
    places = {bot: number for number, bot in enumerate(dict.fromkeys(bot for seats in names for bot in seats))}
    keys: dict[str, Any] = {
        "game": game.reference,
        "options": game.settings,
        "seed": seeds[0],
        "games": len(games),
        "name": path.stem,
    }
    if len(set(names)) == 1:
        keys |= {"bots": names[0], "seatings": FIXED}
    else:
        listed = [" ".join(str(places[bot]) for bot in seats) for seats in names]
        keys |= {"bots": tuple(places), "seatings": LISTED, "listed": tuple(listed)}
    return imported_plan(define(keys))


# -- the games ---------------------------------------------------------------------------------------------


def _chunk(read: ReadGames, games: Sequence[ReadGame]) -> Results:
    """Some games as they are played now; an error if that is not what the file says."""
    plan, seats = read.plan, read.game.players
    zeros = np.zeros((len(games), seats), np.int64)
    given = Results(
        points=zeros,
        ranks=zeros,
        decisions=np.array([one.line.keys.get("decisions") or [0] * seats for one in games], np.int64),
        ends=np.array([_ends(one.line, seats) for one in games], np.int64),
        numbers=np.array([one.number for one in games]),
        lengths=np.array([len(one.actions) for one in games]),
        hashes=np.zeros(len(games), np.uint64),
        actions=np.concatenate([one.actions for one in games]),
        times=np.zeros((len(plan.bots), BINS), np.int64),
        reasons={
            (one.number, int(seat)): reason
            for one in games
            for seat, reason in one.line.keys.get("reasons", {}).items()
        },
    )
    played, faults = replay(read.game, plan, given)
    for row, one in enumerate(games):
        if faults[row] != NO_FAULT:
            raise _explained(read, one)
        for key, column in (("scores", "points"), ("ranks", "ranks"), ("decisions", "decisions")):
            again = getattr(played, column)[row].tolist()
            if one.line.keys.get(key) not in (None, again):
                raise one.line.error(f"{key}: {one.line.keys[key]}: the moves lead to {again}")
    return played


def _ends(line: GameLine, seats: int) -> list[int]:
    """How a game ended: for all seats regularly, or one forfeited and the others were stopped."""
    ends = [ENDS.index(end) for end in line.keys.get("ends", ())] or [FINISHED] * seats
    lost = [seat for seat, end in enumerate(ends) if end > STOPPED]
    if any(ends) and (len(lost) != 1 or ends.count(STOPPED) != seats - 1):
        raise line.error(f"ends: one seat forfeits, such as {ENDS[-1]}, and all others are {ENDS[STOPPED]}")
    if {int(seat) for seat in line.keys.get("reasons", ())} - set(lost):
        raise line.error("reasons: only a seat that forfeited has one")
    return ends


def _explained(read: ReadGames, one: ReadGame) -> QpolisError:
    """Which move of a game cannot be."""
    state = read.game.new(read.plan.definition.seed, one.number // read.plan.games_per_block)
    for number, action in enumerate(one.actions.tolist(), 1):
        if state.over:
            return one.line.error(f"move {number}: the game is over before it")
        try:
            read.game.parse(state, one.line.keys["moves"][number - 1])
            state.apply(action)
        except IllegalAction as error:
            return one.line.error(f"move {number}: {error}")
    return one.line.error(f"the game is not over after its {len(one.actions)} moves")


# -- the run -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def new_run(folder: Path, read: ReadGames) -> Iterator[Run]:
    """A run with these games in a new folder. If anything fails while it is open, the folder is taken away."""
    contents = [encode(chunk) for chunk in read.chunks()]  # before anything is written: they may be wrong
    there = folder.is_dir()
    claim(folder)
    try:
        with Run(folder, read.plan) as run:
            for content in contents:
                run.keep(content)
            yield run
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        if there:
            folder.mkdir(exist_ok=True)
        raise
