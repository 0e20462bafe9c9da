"""Steps a second of `qpolis.vector`, and of games of pgx on the same cores: random legal actions, with
observations and masks after each step, and the next game begun at once where one ends.

python benchmarks/environments.py [--seconds 1] [--rounds 7] [--pgx animal_shogi,backgammon,go_9x9]

Without pgx only qpolis is measured (`pip install pgx jax`). Every game has a process of its own that is bound to
one core, or to two, and plays in batches of the size that was fastest at the start. The processes take turns, one
at a time; what is printed are the median of the rounds, the smallest and the largest. qpolis takes a step a call
from Python. pgx runs 20 in one compiled loop, which is faster for it.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

OURS = {
    "quadropolis": {},
    "quadropolis expert": {"players": 4, "mode": "expert"},
    "quadrilatere": {},
    "arkadia": {"players": 4},
}
THEIRS = "connect_four,animal_shogi,backgammon,2048,sparrow_mahjong,go_9x9,hex,gardner_chess"
SIZES = (256, 1024, 4096)
AT_ONCE = 20  # steps in one compiled loop of pgx
Play = Callable[[], int]  # some steps; returns how many


def ours(name: str, size: int, cores: int) -> tuple[Play, str]:
    """Steps of a game of qpolis, and what they are like."""
    import qpolis

    env = qpolis.vector(name.split()[0], size, seed=1, threads=cores, **OURS[name])
    env.reset()

    def play() -> int:
        for _ in range(AT_ONCE):
            env.step(env.sample())
        return AT_ONCE * size

    return play, f"{env.observation_size:,} numbers, {env.action_count:,} actions"


def theirs(name: str, size: int, cores: int) -> tuple[Play, str]:
    """The same for a game of pgx."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, now: tuple) -> tuple:
        state, key = now
        key, choice, chance = jax.random.split(key, 3)
        ranks = jnp.cumsum(state.legal_action_mask.astype(jnp.int32), axis=1)
        wanted = jax.random.uniform(choice, (size, 1)) * ranks[:, -1:]
        actions = jnp.argmax(ranks > wanted, axis=1)
        return step(state, actions, jax.random.split(chance, size)), key

    several = jax.jit(lambda now: jax.lax.fori_loop(0, AT_ONCE, one, now), donate_argnums=0)
    now = several((jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), size)), jax.random.PRNGKey(1)))

    def play() -> int:
        nonlocal now
        now = several(now)
        jax.block_until_ready(now)
        return AT_ONCE * size

    numbers = 1
    for length in env.observation_shape:
        numbers *= length
    return play, f"{numbers:,} numbers, {env.num_actions:,} actions"


def rate(play: Play, seconds: float) -> float:
    """Steps a second."""
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        steps += play()
    return steps / (time.perf_counter() - begun)


def work(name: str, cores: int, seconds: float, pipe: Connection) -> None:
    """What a process does: find the best size of a batch, then measure whenever it is told to."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    make = ours if name in OURS else theirs
    tried = {}
    for size in SIZES:
        play, kind = make(name, size, cores)
        play()
        tried[size] = rate(play, seconds / 2), play
    size = max(tried, key=lambda size: tried[size][0])
    pipe.send((size, kind))
    while pipe.recv():
        pipe.send(rate(tried[size][1], seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="of one measurement")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cores", default="1,2")
    parser.add_argument("--games", default=",".join(OURS), help="of qpolis")
    parser.add_argument("--pgx", default=THEIRS, help="games of pgx; empty: none")
    asked = parser.parse_args()
    names = asked.games.split(",")
    if importlib.util.find_spec("pgx") and importlib.util.find_spec("jax"):
        names += filter(None, asked.pgx.split(","))
    else:
        print("without pgx: pip install pgx jax")
    processes = multiprocessing.get_context("spawn")
    found: dict[tuple[str, int], tuple[Connection, int, str, list[float]]] = {}
    for name in names:
        for cores in map(int, asked.cores.split(",")):
            pipe, end = processes.Pipe()
            processes.Process(target=work, args=(name, cores, asked.seconds, end), daemon=True).start()
            end.close()
            try:
                found[name, cores] = (pipe, *pipe.recv(), [])
            except EOFError:
                print(f"{name}: cannot be measured")
    for _ in range(asked.rounds):
        for pipe, _, _, rates in found.values():
            pipe.send(True)
            rates.append(pipe.recv())
    print(
        "| game | sees, does | cores | games at once | steps a second | least to most |\n|---|---|---|---|---|---|"
    )
    for (name, cores), (pipe, size, kind, rates) in found.items():
        pipe.send(False)
        whose = "" if name in OURS else "pgx: "
        print(
            f"| {whose}{name} | {kind} | {cores} | {size:,} | {statistics.median(rates):,.0f} "
            f"| {min(rates):,.0f} to {max(rates):,.0f} |"
        )


if __name__ == "__main__":
    main()
