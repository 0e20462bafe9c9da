"""All checks that a game must pass, in numbered steps: `qpolis check-game` prints them.

Games are played at random and by rules of thumb, in every variant; what must hold in every position, of every game
and between the two ways to play one (compiled, and decision by decision) is checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from qpolis.conformance import bench
from qpolis.conformance import games as checks
from qpolis.conformance.steps import Fails, Step
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.games import game_class
from qpolis.games.finder import error_text
from qpolis.registry.spec import resolve
from qpolis.tourney.match import play_deals, play_stepwise

LONGEST = 100_000  # decisions: a game that has more does not end
SENSIBLE = 0.7  # of the actions in some games follow the rules of thumb: random players do not get everywhere
THOROUGH = 40  # legal actions: where there are more, a check takes long, and fewer positions are looked at
BOTS = ("random", "heuristic", "greedy", "mcts:sims=20")

Check = Callable[[], str]  # gives a detail, or fails


def check_game(name: str, games: int = 3, seed: int = 0) -> Iterator[Step]:
    """Take a game through all steps, so many games in each variant."""
    title = "keeps the contract"
    try:
        variants = bench.variants(name)
        options = ", ".join(game_class(name).options) or "none"
        yield Step(1, title, True, f"{len(variants)} variants (options: {options})")
    except QpolisError as error:
        yield Step(1, title, False, str(error))
        return
    check = Checks(variants, games, seed)
    for number, (title, step) in enumerate(check.steps(), 2):
        try:
            yield Step(number, title, True, step())
        except (Fails, AssertionError, QpolisError) as error:
            yield Step(number, title, False, " ".join(str(error).split()))
            if number == 2:
                return  # the other steps would not end
        except Exception as error:
            yield Step(number, title, False, error_text(error, variants[0].path))


class Checks:
    """The steps for one game."""

    def __init__(self, variants: list[Game], games: int, seed: int) -> None:
        self.variants = variants
        self.seeds = range(seed, seed + games)
        self.wrong: dict[str, str] = {}  # by check: what is wrong, and where first
        self.positions = 0

    def steps(self) -> list[tuple[str, Check]]:
        ways = {
            "seeds name games": checks.check_seeds,
            "chance is as declared": checks.check_chance,
            "hidden information is as declared": checks.check_hidden,
            "compiled kernels count the same ways to go on": checks.check_nodes,
        }
        return [
            ("games end", self.ends),
            *((title, lambda title=title: self.holds(title)) for title in checks.POSITION_CHECKS),
            *((title, lambda check=check: self.in_variants(check)) for title, check in ways.items()),
            ("copies go on by themselves", self.copies),
            ("every bot plays it at every seat", self.bots),
            ("plays the same compiled and step by step", self.alike),
        ]

    def ends(self) -> str:
        lengths = []
        for game, seed in itertools.product(self.variants, self.seeds):
            played = checks.random_positions(game, seed)
            lengths.append(sum(1 for _ in itertools.islice(played, LONGEST)) - 1)
            if lengths[-1] >= LONGEST - 1:
                raise Fails(f"{bench.label(game)}, seed {seed}: not over after {LONGEST:,} random decisions")
            if 0 < game.most_decisions < lengths[-1]:
                raise Fails(
                    f"{bench.label(game)}, seed {seed}: {lengths[-1]} decisions, and `most_decisions` is "
                    f"{game.most_decisions}"
                )
        return f"{len(lengths)} random games of {min(lengths)} to {max(lengths)} decisions"

    def holds(self, title: str) -> str:
        """How a check of positions went; all of them are done together, when the first is asked for."""
        if not self.positions:
            self.look()
        if title in self.wrong:
            raise Fails(self.wrong[title])
        return f"{self.positions} positions"

    def look(self) -> None:
        for game, seed in itertools.product(self.variants, self.seeds):
            step = max(1, int(game.rules[0].actions) // THOROUGH)
            for number, state in enumerate(checks.random_positions(game, seed, SENSIBLE * (seed % 2))):
                if (number + seed) % step and not state.over:
                    continue
                self.positions += 1
                for title, check in checks.POSITION_CHECKS.items():
                    if title not in self.wrong:
                        try:
                            check(state)
                        except Exception as error:
                            known = isinstance(error, AssertionError)
                            what = str(error) if known else error_text(error, game.path)
                            where = f"{bench.label(game)}, seed {seed}, decision {number}"
                            self.wrong[title] = " ".join(f"{where}: {what}".split())

    def in_variants(self, check: Callable[[Game, range], None]) -> str:
        for game in self.variants:
            try:
                check(game, self.seeds)
            except AssertionError as error:
                raise Fails(f"{bench.label(game)}: {error}") from None
        return ""

    def copies(self) -> str:
        for game in self.variants:
            for number, state in enumerate(checks.random_positions(game, self.seeds[0])):
                if number % THOROUGH == 0:
                    checks.check_copy(state, number)
        return ""

    def bots(self) -> str:
        for game, name in itertools.product(self.variants, BOTS):
            for seat in range(game.players):
                bots = [resolve(name if seat == other else "random") for other in range(game.players)]
                batch = play_deals(game, bots, self.seeds[0], 0, len(self.seeds))
                for (row, where), reason in batch.reasons.items():
                    raise Fails(f"{bench.label(game)}, deal {row}, {bots[where].spec} at seat {where}: {reason}")
        return ", ".join(BOTS)

    def alike(self) -> str:
        for game in self.variants:
            bots = [resolve(BOTS[seat % len(BOTS)]) for seat in range(game.players)]
            fast = play_deals(game, bots, self.seeds[0], 0, len(self.seeds))
            slow = play_stepwise(game, bots, self.seeds[0], 0, len(self.seeds))
            for one, two in (
                (fast.points, slow.points),
                (fast.ranks, slow.ranks),
                (fast.decisions, slow.decisions),
            ):
                if not np.array_equal(one, two):
                    raise Fails(
                        f"{bench.label(game)}: other games: keep everything in the state, and take chance "
                        "from the stream only"
                    )
        return ""
