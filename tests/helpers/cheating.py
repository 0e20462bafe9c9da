"""What cheats are let loose on: runs with settings as users have them, and a world around to reach for."""

from __future__ import annotations

import contextlib
import ctypes
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from helpers.cheats import CHILDREN, FOLDERS, HONEST, STARVES, Cheat, CompiledCheat
from qpolis.engine.results import Results, join
from qpolis.game import State
from qpolis.games import load_game
from qpolis.kernel import user_cache
from qpolis.registry.spec import resolve
from qpolis.rng import draw_seed
from qpolis.sandbox.program import Limits
from qpolis.tourney.bot_loop import play_bots
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan, read_plan
from qpolis.tourney.run import Run, read_chunks
from qpolis.tourney.schedule import WorkerPool
from qpolis.tourney.verify import check_chunk

FOUND = "cheated: "
SECRET = "the secret of another process"
DECOY = f"""
import ctypes, sys
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1 & 2**64 - 1), 0, 0, 0)  # whoever may, may look into it
secret = ctypes.create_string_buffer({SECRET.encode()!r})
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
"""


@dataclass
class Surroundings:
    """A process with a secret, a server that keeps what it is told, and names for notes."""

    decoy: subprocess.Popen[str]
    place: int  # of the secret in the memory of the decoy
    name: str
    address: tuple[str, int]
    visits: list[str] = field(default_factory=list)  # what the server was told
    cache: str = field(default_factory=lambda: str(user_cache()))

    def filled(self, cheat: Cheat, folder: Path, run: Path) -> str:
        """The text of a cheat that knows them, for a bot in `folder` and its `run`."""
        folders = [place.format(folder=folder, cache=self.cache) for place in FOLDERS]
        return cheat.text.format(
            run=str(run),
            folder=str(folder),
            folders=folders,
            name=self.name,
            key=int(self.name[-7:], 16) + 1,
            address=self.address,
            socket=self.name,
            pid=self.decoy.pid,
            place=self.place,
            secret=SECRET,
            ports=[self.address[1]],
        )

    def clean(self, folder: Path) -> None:
        """Remove what a cheat without a sandbox left."""
        libc = ctypes.CDLL(None)
        libc.shmctl(libc.shmget(int(self.name[-7:], 16) + 1, 1, 0), 0, None)
        libc.mq_unlink(f"/{self.name}".encode())
        for place in FOLDERS:
            path = Path(place.format(folder=folder, cache=self.cache)).expanduser() / self.name
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def surroundings() -> Iterator[Surroundings]:
    name = f"qpolis-cheat-{uuid.uuid4().hex}"
    command = [sys.executable, "-I", "-S", "-c", DECOY]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as decoy,
        socket.create_server(("0.0.0.0", 0)) as tcp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as abstract,
    ):
        assert decoy.stdin
        assert decoy.stdout
        abstract.bind(f"\0{name}")
        abstract.listen()
        around = Surroundings(decoy, int(decoy.stdout.readline()), name, ("127.0.0.1", tcp.getsockname()[1]))
        threads = [threading.Thread(target=keep_notes, args=(one, around.visits)) for one in (tcp, abstract)]
        for thread in threads:
            thread.start()
        try:
            yield around
        finally:
            for one in (tcp, abstract):
                one.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()
            decoy.stdin.close()


def keep_notes(server: socket.socket, visits: list[str]) -> None:
    """Answer each visitor with what the earlier ones said."""
    told = ""
    while True:
        try:
            link, _ = server.accept()
        except OSError:
            return
        with link, contextlib.suppress(OSError):
            said = b"".join(iter(lambda: link.recv(1 << 16), b"")).decode()  # noqa: B023
            visits.append(said)
            link.sendall(told.encode())
            told += said


def play(folder: Path, bots: list[str], **keys: Any) -> Results:
    """A run with the settings that users have unless they say more: its seed is drawn."""
    plan = make_plan(define({"seed": draw_seed(), **keys, "bots": bots}))
    with Run.begin(folder, plan) as run:
        run.play(WorkerPool(1), lambda tally: None)
    return join(list(read_chunks(folder, moves=True)))


def reached(cheat: Cheat, folder: Path, around: Surroundings, **keys: Any) -> set[str]:
    """In which of its ways a cheat succeeded in a run of its own."""
    folder.mkdir()
    bot, run = folder / "cheat.py", folder / "runs" / "run"
    bot.write_text(around.filled(cheat, folder, run))
    run.parent.mkdir()
    (run.parent / "__init__.py").touch()
    (folder / "notes.txt").symlink_to(run / "plan.toml")
    (folder / "cheat").symlink_to(run.parent)
    with contextlib.chdir(folder):
        results = play(run, [str(bot), "random"], **{"game": cheat.game, "games": 2, **keys})
    found: set[str] = set()
    for (_, seat), reason in results.reasons.items():
        if FOUND not in reason:
            raise AssertionError(f"a cheat failed otherwise, at seat {seat}: {reason}")
        found.update(reason.split(FOUND)[1].split(" (")[0].split(", "))
    return found


def harm(cheat: CompiledCheat, folder: Path) -> list[str]:
    """What is wrong after a run of a policy that cheats: its forfeits, and what a replay says otherwise."""
    folder.mkdir()
    bot, run = folder / "cheat.py", folder / "run"
    bot.write_text(cheat.text)
    results = play(run, [str(bot), cheat.opponent], **cheat.keys)
    plan = read_plan(run / "plan.toml")
    return [*results.reasons.values(), *map(str, check_chunk(plan.load_game(), plan, results))]


def starving(
    folder: Path, seen: Callable[[list[psutil.Process]], None], children: int = CHILDREN, **limits: Any
) -> Results:
    """A game of a bot with busy children against one that thinks now and then; `seen` gets
    the processes of the first after each of its decisions."""
    folder.mkdir()
    starver, honest = folder / "starver.py", folder / "honest.py"
    starver.write_text(STARVES.format(children=children))
    honest.write_text(HONEST)
    sandbox = limits.get("sandbox", "auto")
    bots = [resolve(str(path), sandbox).program for path in (starver, honest)]

    def look(deal: int, state: State, seat: int, action: int, seconds: float) -> None:
        if seat == 0:
            seen(family(starver))

    game = load_game("quadropolis")
    return play_bots(game, [bot for bot in bots if bot], 3, 0, 1, Limits(decision=2.0, game=4.0, **limits), look)


def wait_until_stopped(processes: list[psutil.Process]) -> None:
    for process in processes:
        while process.status() not in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
            time.sleep(0.001)


def family(cheat: Path) -> list[psutil.Process]:
    """The processes of a bot, which are all below this one."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if str(cheat) in process.cmdline():
                found.append(process)
    return found
