"""Checks that any bot must pass, in numbered steps: `qpolis check` prints them, tests run them for shipped bots.

The bot plays real games against random players, in every variant of a game. What it answered is kept, and compared
with what it answers when the same games are played again.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from qpolis.conformance import bench
from qpolis.conformance.steps import Fails, Step
from qpolis.engine.results import ENDS, FINISHED
from qpolis.errors import QpolisError
from qpolis.game import Game, State
from qpolis.registry.spec import Entrant, resolve
from qpolis.rng import below, keys, next_seed, seat_seed, stream
from qpolis.sandbox.program import Forfeit, Limits, ProcessBot
from qpolis.tourney.bot_loop import OnOutput
from qpolis.tourney.match import play_stepwise

NEEDS = {3: 2, 4: 3, 8: 2}  # steps that mean something only if another one passed
SEVERAL = 3  # games
TITLES = (
    "loads",
    "plays whole games in every variant",
    "same seed, same choices",
    "keeps nothing between games",
    "answers in time",
    "survives the end of a game",
    "plays at every seat, also against itself",
)


@dataclass
class Played:
    """What the bot did in some deals of a variant: a list of texts a deal, and the seconds it took."""

    choices: list[list[str]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def check_bot(
    entrant: Entrant,
    name: str,
    games: int = 2,
    seed: int = 0,
    limits: Limits = Limits(),
    on_output: OnOutput | None = None,
) -> Iterator[Step]:
    """Take a bot through all steps in the game `name`, `games` deals in each variant. `on_output` is called with
    what it prints."""
    if games < 2:
        raise QpolisError(f"{games} games are too few: what a bot keeps from one to the next shows in 2 or more")
    checks = Checks(entrant, bench.variants(name), games, seed, limits, on_output)
    missed: set[int] = set()  # steps that failed, or were not done because of one
    for number, (title, check) in enumerate(zip(TITLES, checks.steps(), strict=True), 1):
        if NEEDS.get(number) in missed:
            missed.add(number)
            yield Step(number, title, None, f"not done, because it needs step {NEEDS[number]}")
            continue
        try:
            yield Step(number, title, *check())
        except Fails as reason:
            missed.add(number)
            yield Step(number, title, False, str(reason))
        if 1 in missed:
            return  # there is nothing to look at


class Checks:
    """The steps for one bot, which build upon each other."""

    def __init__(
        self,
        entrant: Entrant,
        variants: list[Game],
        games: int,
        seed: int,
        limits: Limits,
        on_output: OnOutput | None,
    ) -> None:
        self.entrant = entrant
        self.on_output = on_output
        self.variants = variants
        self.games = games
        self.seed = seed
        self.limits = limits
        self.opponent = resolve("random")
        self.played: list[Played] = []  # in each variant

    def steps(self) -> list[Callable[[], tuple[bool | None, str]]]:
        return [
            self.loads,
            self.plays,
            self.repeats,
            self.forgets,
            self.in_time,
            self.survives,
            self.every_seat,
        ]

    def loads(self) -> tuple[bool | None, str]:
        program = self.entrant.program
        if program is None:
            return True, "ships with qpolis"
        self.variants[0].warm()  # here, and kept on disk: not in the bot's own time
        begun = time.perf_counter()
        try:
            with ProcessBot(program, self.variants[0], self.limits, hear=self.hear) as bot:
                bot.start(0, 0)
        except Forfeit as forfeit:
            raise Fails(forfeit.reason) from None
        return True, f"{time.perf_counter() - begun:.1f} s"

    def plays(self) -> tuple[bool | None, str]:
        for number in range(len(self.variants)):
            self.played.append(Played())
            self.play(number, 0, self.games, self.played[-1])
        decisions = sum(len(played.seconds) for played in self.played)
        return True, f"{self.games * len(self.variants)} games, {decisions} decisions, all legal"

    def repeats(self) -> tuple[bool | None, str]:
        for number, before in enumerate(self.played):
            again = self.play(number, 0, self.games, Played())
            self.compare(number, 0, before.choices, again.choices, "then", "take chance from the bot's seed only")
        return True, ""

    def forgets(self) -> tuple[bool | None, str]:
        last = self.games - 1
        for number, before in enumerate(self.played):
            alone = self.play(number, last, 1, Played())
            self.compare(
                number,
                last,
                before.choices[last:],
                alone.choices,
                "in a new process",
                "keep nothing from one game to the next",
            )
        return True, ""

    def in_time(self) -> tuple[bool | None, str]:
        seconds = [taken for played in self.played for taken in played.seconds]
        if not seconds:
            return None, "no decision to look at"
        median, worst = statistics.median(seconds) * 1e3, max(seconds) * 1e3
        detail = f"median {median:.2f} ms, worst {worst:.1f} ms a decision (limit {self.limits.decision:g} s)"
        if worst > self.limits.decision * 1e3:
            raise Fails(detail)  # only a shipped bot gets here: the others forfeit at the limit
        return True, detail

    def survives(self) -> tuple[bool | None, str]:
        """Several games in one process, which is not replaced when it dies at the end of one."""
        game = self.variants[0]
        if self.entrant.program is None:
            return None, "runs inside qpolis"
        with ProcessBot(self.entrant.program, game, self.limits, hear=self.hear) as bot:
            for number in range(SEVERAL):
                try:
                    self.whole_game(bot, game.new(next_seed(self.seed, number)))
                except Forfeit as forfeit:
                    when = "in its first game" if not number else f"after game {number}"
                    raise Fails(f"{when}: {ENDS[forfeit.end]}: {forfeit.reason}") from None
        return True, f"{SEVERAL} games in one process"

    def every_seat(self) -> tuple[bool | None, str]:
        game = max(self.variants, key=lambda game: game.players)
        entrants = [self.entrant] * game.players
        batch = play_stepwise(game, entrants, self.seed, 0, 1, self.limits, on_output=self.on_output)
        for (_, where), reason in batch.reasons.items():
            raise Fails(f"seat {where} in {bench.label(game)}: {ENDS[batch.ends[0, where]]}: {reason}")
        return True, f"points {' '.join(map(str, batch.points[0]))}"

    def hear(self, line: str) -> None:
        """A line that a process of the bot printed, which sits at the first seat."""
        if self.on_output:
            self.on_output(0, 0, line)

    # -- what the steps are made of ------------------------------------------------------------------------

    def play(self, number: int, first: int, games: int, played: Played) -> Played:
        """Deals of a variant against random players; the bot's seat changes from variant to variant."""
        game = self.variants[number]
        mine = number % game.players
        played.choices = [[] for _ in range(games)]

        def watch(deal: int, state: State, seat: int, action: int, seconds: float) -> None:
            if seat == mine:
                played.choices[deal - first].append(game.action_text(action))
                played.seconds.append(seconds)

        entrants = [self.entrant if seat == mine else self.opponent for seat in range(game.players)]
        batch = play_stepwise(game, entrants, self.seed, first, games, self.limits, watch, 1, self.on_output)
        for (row, _), reason in batch.reasons.items():
            raise Fails(f"{bench.label(game)}, deal {first + row}: {ENDS[batch.ends[row, mine]]}: {reason}")
        return played

    def compare(
        self, number: int, first: int, before: list[list[str]], after: list[list[str]], when: str, advice: str
    ) -> None:
        """Fail at the first choice that differs."""
        for deal, (old, new) in enumerate(zip(before, after, strict=True), first):
            for decision, (one, two) in enumerate(zip(old, new, strict=False), 1):
                if one != two:
                    where = f"{bench.label(self.variants[number])}, deal {deal}, decision {decision}"
                    raise Fails(f"{where}: chose {one}, {when} {two}; {advice}")

    @staticmethod
    def answer(bot: ProcessBot, state: State, legal: list[int]) -> int:
        """What the bot at seat 0 chooses."""
        if bot.is_policy:
            return bot.choose_by_state(state.concealed(0).array, legal)
        texts = [state.game.action_text(action) for action in legal]
        return bot.choose(state.observe_text(0), legal, texts)

    def whole_game(self, bot: ProcessBot, state: State) -> None:
        """A game with this very process at seat 0 against random players."""
        chance = stream(self.seed)
        bot.start(0, int(seat_seed(keys(self.seed), 0, 0)))
        while not state.over:
            legal = state.legal()
            if state.player == 0:
                state.apply(self.answer(bot, state, legal))
            else:
                state.apply(legal[below(chance, len(legal))])
        bot.end(state.observe_text(0), state.scores(), state.ranks(), FINISHED)
