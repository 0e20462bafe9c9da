"""Bots that crash, hang, flood, eat memory, breed: each loses its game, for the right reason, and
nothing is left behind."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

from benchmarks.attack.commands import MARK
from benchmarks.attack.outcome import Outcome, Setting, resident
from helpers.bad_bots import HELLOS, TROUBLES
from helpers.programs import gone, program, trouble
from qpolis.engine.results import ENDS, Results
from qpolis.games import load_game
from qpolis.sandbox import bot_jail
from qpolis.sandbox.program import Limits, Program
from qpolis.tourney.bot_loop import ProgramSeat, play_bots

ROUNDS = 10  # of all bad bots
GAMES = 3  # the trouble comes in the second; the one after is played by a new process
GROWTH = 64 << 20  # bytes of memory after the first round


def attack_by_bad_bots(setting: Setting) -> Iterator[Outcome]:
    mark = f"qpolis-attack-{os.getpid()}"
    os.environ[MARK] = mark
    bot_jail.PASSED_ON = (*bot_jail.PASSED_ON, MARK)  # so that those in a sandbox are found, too
    rounds, found, sizes, files = setting.number(ROUNDS), Counter[str](), [], []
    before = temporary()
    for number in setting.tries("bad bots, rounds", rounds):
        for name in TROUBLES:
            found.update(f"{name}: {fault}" for fault in in_a_game(name, setting.folder, number))
        for name in HELLOS:
            found.update(f"{name}: {fault}" for fault in at_the_start(name, setting.folder, number))
        sizes.append(resident())
        files.append(len(os.listdir("/proc/self/fd")))
    if not gone(mark):
        found["processes left"] += 1
    found["temporary files left"] += len(temporary() - before)
    found["open files left"] += max(files[-1] - files[0], 0)
    found["memory grew"] += sizes[-1] - sizes[0] > GROWTH
    os.environ.pop(MARK)
    kinds = len(TROUBLES) + len(HELLOS)
    held = (
        f"each forfeited for the right reason, the games around were played; no process, temporary file or open "
        f"file left; memory {sizes[0] >> 20} MB after the first round, {sizes[-1] >> 20} MB after the last"
    )
    result = ", ".join(f"{what}: {count}" for what, count in (+found).items()) or held
    yield Outcome(
        f"{kinds} bad bots (crash, hang, flood, eat memory, breed, ...)", len(sizes) * kinds, result, not +found
    )


def in_a_game(name: str, folder: Path, number: int) -> Iterator[str]:
    """What is wrong with how a bot fares that makes trouble in the second of its games."""
    code, end, reason, _, limits = TROUBLES[name]
    bots = [trouble(folder, code), program(folder, name="good.py")]
    batch = play_undisturbed(bots, number, limits or Limits())
    wanted = [["finished"] * 2, [end, "stopped"], ["finished"] * 2]
    if [[ENDS[one] for one in row] for row in batch.ends] != wanted:
        yield f"ended otherwise: {dict(batch.reasons)}"
    elif not re.search(reason, batch.reasons[1, 0]):
        yield f"another reason: {batch.reasons[1, 0]}"


def at_the_start(name: str, folder: Path, number: int) -> Iterator[str]:
    """The same for one that does not say hello."""
    code, end, reason = HELLOS[name]
    bots = [program(folder, name="good.py"), program(folder, code)]
    limits = Limits(start=1.0 if end == "timeout" else 60.0)
    batch = play_undisturbed(bots, number, limits)
    if [[ENDS[one] for one in row] for row in batch.ends] != [["stopped", end]] * GAMES:
        yield f"ended otherwise: {dict(batch.reasons)}"
    elif not all(re.search(reason, text) for text in batch.reasons.values()):
        yield f"another reason: {dict(batch.reasons)}"


def play_undisturbed(bots: Sequence[Program], number: int, limits: Limits) -> Results:
    """Games of these bots; all anew if one was begun again because the machine was too busy. The process that
    then plays it has its second game, where the trouble comes, later."""
    while True:
        with mock.patch.object(ProgramSeat, "again", autospec=True, side_effect=ProgramSeat.again) as again:
            batch = play_bots(load_game("quadropolis"), bots, number, 0, GAMES, limits)
        if not again.called:
            return batch
        print("bad bots: the machine was too busy, these games are tried again", file=sys.stderr, flush=True)


def temporary() -> set[str]:
    """Temporary folders of bots."""
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("qpolis-bot-")}
