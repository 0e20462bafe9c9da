"""`qpolis bench`: how fast the engine is, and a signature that changes only when behaviour does.

Timings are medians over repeats on one core, with the spread; the signature hashes the outcome of fixed games.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from qpolis import verbs
from qpolis.bots.greedy import greedy
from qpolis.bots.heuristic import heuristic
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.game import Game, settings_text
from qpolis.games import DEFAULT_GAME, game_class, load_game
from qpolis.kernel import kernel
from qpolis.policy import Policy, compile_policy
from qpolis.rng import name_stream, stream
from qpolis.search.playout import play_out

SEED = 2016  # of all benchmark games


@dataclass(frozen=True)
class Measure:
    """One line of the benchmark."""

    name: str
    value: float
    unit: str
    spread: str = ""

    def __str__(self) -> str:
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.3g}"
        return f"{self.name:<72}{value:>14} {self.unit:<12}{self.spread}".rstrip()


@kernel
def _random_games(rules, states, seed, games, rng, chance):
    """Play random games without scoring; states keep the last ones. Returns the decisions."""
    decisions = 0
    for game in range(games):
        state = states[game % states.shape[0]]
        name_stream(chance, seed, game, 0)
        name_stream(rng, seed, game, 1)
        verbs.set_up(rules[0], state, chance)
        decisions += play_out(rules[0], state, rng, chance)
    return decisions


@kernel
def _score_often(rules, states, index, times, points, keys):
    for _ in range(times):
        verbs.scores(rules[0], states[index], points, keys)


@kernel
def _copy_often(states, times):
    for i in range(times):
        states[1 + (i & 1)] = states[0]


def timed(run: Callable[[], float], repeats: int = 7) -> tuple[float, str]:
    """The median rate of `run`, which returns how much it did, and the range over the repeats."""
    run()
    rates = []
    for _ in range(repeats):
        start = time.perf_counter()
        done = run()
        rates.append(done / (time.perf_counter() - start))
    return float(np.median(rates)), f"({_short(min(rates))} to {_short(max(rates))})"


def _short(value: float) -> str:
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value:,.0f}"


def random_states(game: Game, count: int) -> np.ndarray:
    """Final positions of random games."""
    states = np.zeros(count, game.state_dtype)
    _random_games(game.rules, states, np.uint64(SEED), count, stream(0), stream(0))
    return states


def decisions_per_second(game: Game, games: int) -> tuple[float, str]:
    states = np.zeros(1, game.state_dtype)
    return timed(lambda: _random_games(game.rules, states, np.uint64(SEED), games, stream(0), stream(0)))


def games_per_second(game: Game, bot: Policy, games: int) -> tuple[float, str]:
    """Complete games with scoring through the match loop, of a bot against itself."""

    def run() -> float:
        play_policies(game, [bot.configure()] * game.players, SEED, 0, games)
        return games

    return timed(run)


def simulations_per_second(game: Game, sims: int, **settings: float) -> tuple[float, str]:
    """MCTS at the opening, a new tree each time."""
    seat = mcts.configure(sims=sims, **settings)
    choose = compile_policy(mcts, game)
    scratch = np.zeros(mcts.scratch(game, seat.params), np.uint8)
    opening = game.new(SEED)

    def run() -> float:
        scratch[:] = 0
        choose(game.rules, opening.array, stream(SEED), seat.params, scratch)
        return sims

    return timed(run)


def scoring_times(game: Game, states: np.ndarray, times: int) -> np.ndarray:
    """Microseconds to score one seat, on average over the seats of each state: the least of three timings."""
    points, keys = np.empty((2, game.players), np.int64)
    _score_often(game.rules, states, 0, 1, points, keys)
    taken = np.empty(len(states))
    for index in range(len(states)):
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            _score_often(game.rules, states, index, times, points, keys)
            best = min(best, time.perf_counter() - start)
        taken[index] = best * 1e6 / times / game.players
    return taken


def copies_per_second(game: Game) -> tuple[float, str]:
    states = np.zeros(3, game.state_dtype)

    def run() -> float:
        _copy_often(states, 1_000_000)
        return 1_000_000

    return timed(run)


FIRST_GAME = """
import time, sys
import qpolis
from qpolis.engine.policy_loop import play_policies
from qpolis.bots.random import random
game = qpolis.load_game(sys.argv[1])
play_policies(game, [random.configure()] * game.players, 1, 0, 1)
"""


def first_game_seconds(game: Game) -> tuple[float, float]:
    """Seconds from the start of a process to the end of its first game: with an empty and with a warm cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "QPOLIS_CACHE_DIR": folder}

        def run() -> float:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", FIRST_GAME, game.reference], check=True, env=environment)
            return time.perf_counter() - start

        cold = run()
        return cold, min(run() for _ in range(5))


def signature(name: str = DEFAULT_GAME, games: int = 200) -> str:
    """A short hash of the course and outcome of fixed games between bots with every option of a game."""
    digest = hashlib.sha256()
    for game in variants(name):
        bots = [heuristic.configure(), greedy.configure(), *[random.configure()] * (game.players - 2)]
        batch = play_policies(game, bots, SEED, 0, games)
        for array in (batch.points, batch.ranks, batch.decisions.sum(axis=1)):
            digest.update(np.ascontiguousarray(array, "<i8").tobytes())
    return digest.hexdigest()[:12]


def variants(name: str) -> list[Game]:
    """The game with each combination of its options that have choices."""
    options = {key: option.choices for key, option in game_class(name).options.items() if option.choices}
    combinations = itertools.product(*options.values())
    return [load_game(name, **dict(zip(options, values, strict=True))) for values in combinations]


def label(game: Game) -> str:
    """What distinguishes a variant, in words."""
    chosen = {key: value for key, value in game.settings.items() if game.options[key].choices}
    return settings_text(chosen) or "no options"


def measures(name: str, start_up: bool = True) -> Iterator[Measure]:
    """All measures of a game, one after the other."""
    games = variants(name)
    for game in games:
        yield Measure(f"random decisions ({label(game)})", *_unit(decisions_per_second(game, 10_000), "/s"))
    for game in games:
        yield Measure(f"scored random games ({label(game)})", *_unit(games_per_second(game, random, 5_000), "/s"))
    for bot, count in ((heuristic, 2_000), (greedy, 400)):
        rate = games_per_second(games[0], bot, count)
        yield Measure(f"games of {bot.name} ({label(games[0])})", *_unit(rate, "/s"))
    uniform = {"playout": 1e6, "guided": 0, "horizon": 1e6}
    for text, settings in (("as shipped", {}), ("uniform playouts", uniform)):
        rate = simulations_per_second(games[0], 4_000, **settings)
        yield Measure(f"mcts simulations, {text} ({label(games[0])})", *_unit(rate, "/s"))
    for game in games:
        taken = scoring_times(game, random_states(game, 1_000), 10)
        spread = f"(99%: {np.percentile(taken, 99):.2f}, worst {taken.max():.1f})"
        yield Measure(f"scoring per seat, median ({label(game)})", float(np.median(taken)), "us", spread)
    hard = games[0].slow_positions()
    if hard is not None:
        game, states = hard
        taken = scoring_times(game, states, 1) * game.players
        yield Measure("scoring the hardest known seat", float(taken.max()), "us", f"(of {len(taken)})")
    copies, _ = copies_per_second(games[0])
    yield Measure("copy of a state", 1e9 / copies, "ns", f"({games[0].state_dtype.itemsize} bytes)")
    if start_up:
        cold, warm = first_game_seconds(games[0])
        yield Measure("first game of a process, kernels to compile", cold, "s")
        yield Measure("first game of a process, kernels cached", warm, "s")


def _unit(rate: tuple[float, str], unit: str) -> tuple[float, str, str]:
    return rate[0], unit, rate[1]
