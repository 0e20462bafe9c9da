"""A second process compiles ahead while the first kernels are compiled and games are played here.

It does what the tournament will do, in another order: policies first (from the last to the first), then the match
loop, then a first block of games and its ratings. All that is of use are the kernels that it leaves in the cache.
Whoever needs one that the other compiles at that moment waits for it. If the process fails or is killed, what it
would have compiled is compiled here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from qpolis.engine.policy_loop import is_compiled
from qpolis.kernel import JIT, kernel_folder
from qpolis.policy import compile_policy

if TYPE_CHECKING:
    from qpolis.tourney.plan import Plan


@contextlib.contextmanager
def compiled_ahead(plan: Plan) -> Iterator[None]:
    """While this is open kernels for a plan are compiled by a second process, if there is anything to compile and
    a processor to do it. Only for shipped bots: nobody else's code shall run there."""
    helper = _start(plan) if _worthwhile(plan) else None
    try:
        yield
    finally:
        if helper:
            helper.kill()
            helper.communicate()


def _worthwhile(plan: Plan) -> bool:
    from qpolis.registry.spec import resolve

    if not JIT or _processors() < 2 or kernel_folder() is None:
        return False
    shipped = [resolve(spec).shipped for spec in plan.bots]
    return all(shipped) and not is_compiled(plan.load_game(), [one.policy for one in shipped if one])


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(plan: Plan) -> subprocess.Popen[bytes] | None:
    try:
        helper = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            bufsize=0,
            start_new_session=True,
        )  # Ctrl-C is for us, who end it
    except OSError:
        return None
    assert helper.stdin
    with contextlib.suppress(OSError):  # it has failed already
        helper.stdin.write(plan.text().encode() + b"\0")
    return helper


def main() -> None:
    """The second process: gets the text of a plan, and ends when the first one does."""
    from qpolis import kernel

    kernel.on_compile = lambda message: None
    text = b""
    while not text.endswith(b"\0"):
        if not (more := os.read(0, 1 << 16)):
            return
        text += more

    def end_with_parent() -> None:
        os.read(0, 1)
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
    compile_all(text[:-1].decode())


def compile_all(text: str) -> None:
    """Compile what a plan needs, the last first."""
    from qpolis.ratings.rating import ratings
    from qpolis.ratings.trueskill import history
    from qpolis.registry.spec import resolve
    from qpolis.tourney.records import collect, games_csv
    from qpolis.tourney.worker import ChunkPlayer, parse_plan

    plan = parse_plan(text)
    game = plan.load_game()
    for spec in reversed(plan.bots):
        if configured := resolve(spec).shipped:
            compile_policy(configured.policy, game)
    chunk = ChunkPlayer.prepare(plan).play(np.arange(1))
    results = collect(plan, [chunk], blocks=1)
    ratings(results, plan.definition.seed)
    history(results)
    games_csv(results)
