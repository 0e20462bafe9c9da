"""Bots that cheat, as source text. One that reaches its aim raises what it reached ("cheated: ..."), which ends up
as the reason of a forfeit; one that does not plays the first legal action.

What a cheat may know beforehand, such as where its author's server listens, is filled in by `helpers.cheating`.
"""

from __future__ import annotations

from typing import NamedTuple


class Cheat(NamedTuple):
    """A bot of Python that cheats in one or more ways, and settings of a run under which all of them succeed."""

    title: str
    text: str
    ways: frozenset[str]
    old: dict[str, object]
    game: str = "quadropolis"


HEAD = """
import ctypes, json, os, signal, socket, sys
class Cheat:
    def __init__(self, info, seat, seed, parameters):
        self.info, self.seat, self.seed, self.first = info, seat, seed, True
    def observe(self, observation):
        self.seen = observation
    def choose(self, legal):
        if self.first:
            self.first = False
            reached = [name for name, way in WAYS.items() if worked(way, self)]
            if reached:
                raise RuntimeError("cheated: " + ", ".join(reached))
        return legal[0]
def worked(way, bot):
    try:
        return way(bot)
    except OSError:
        return False
"""

# Tries seeds and deals until one gives the seed it was told; then the public face of the game tells all that is to
# come. It tries its own seed, too, and what it can compute from it.
SEEDS = (
    HEAD
    + """
import qpolis
from qpolis.rng import keys, seat_seed, stream
def by_seed(bot):
    own = [bot.seed, int(stream(bot.seed)[0]), int(stream(bot.seed)[1]), bot.seed << 11]
    game = qpolis.load_game(bot.info.name, **bot.info.options)
    for seed in (*range(20), *own):
        for deal in range(12):
            if int(seat_seed(keys(seed), deal, bot.seat)) == bot.seed:
                state = game.new(seed, deal)
                while not state.over:  # all that is to come
                    state.apply(state.legal()[0])
                return True
WAYS = {{"the deal by its seed": by_seed}}
"""
)

# Looks for the plan of its run. As the user of the run it knows where that is, and has come with links to it, and
# with a file that makes a package of the folder of all runs.
PLAN = (
    HEAD
    + """
FOLDER, RUN = {folder!r}, {run!r}
def tells(path):
    with open(path) as file:
        return "seed = " in file.read()
def processes():
    return [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]
def any_process(way):
    return lambda bot: any(worked(way, name) for name in processes())
def open_files(process):
    folder = f"/proc/{{process}}/fd"
    links = [os.readlink(f"{{folder}}/{{name}}") for name in os.listdir(folder)]
    return any(link.startswith(RUN) and tells(os.path.join(os.path.dirname(link), "plan.toml")) for link in links)
def working_folder(process):
    return tells(f"/proc/{{process}}/cwd/{{os.path.relpath(RUN, FOLDER)}}/plan.toml")
def environment(process):
    with open(f"/proc/{{process}}/environ", "rb") as file:
        return os.getsid(int(process)) != os.getsid(0) and len(file.read()) > 0
WAYS = {{
    "the file": lambda bot: tells(RUN + "/plan.toml"),
    "its root": any_process(lambda process: tells(f"/proc/{{process}}/root{{RUN}}/plan.toml")),
    "open files": any_process(open_files),
    "a working folder": any_process(working_folder),
    "an environment": any_process(environment),
    "a link beside it": lambda bot: tells(FOLDER + "/notes.txt"),
    "a linked folder": lambda bot: tells(FOLDER + "/cheat/run/plan.toml"),
}}
"""
)

# Leaves word of a deal for the process that plays it at another seat, and looks for such words. The layout it sees
# first is the deal but for a tile or two.
NOTES = (
    HEAD
    + """
FOLDERS, NAME, KEY, ADDRESS, SOCKET = {folders!r}, {name!r}, {key!r}, {address!r}, {socket!r}
SIZE = 1 << 16
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
def layout(bot):
    return [json.dumps(tile) for tile in bot.seen["site"]]
def alike(note, here):
    return sum(one == two for one, two in zip(note, here)) >= 22
def found(bot, text):
    here = layout(bot)
    notes = [json.loads(line) for line in text.splitlines()]
    return any(seat != bot.seat and alike(note, here) for seat, note in notes)
def note(bot):
    return json.dumps([bot.seat, layout(bot)]) + "\\n"
def in_folder(folder):
    def way(bot):
        path = os.path.join(os.path.expanduser(folder), NAME)
        with open(path, "a+") as file:
            file.seek(0)
            before = file.read()
            file.write(note(bot))
        return found(bot, before)
    return way
def shared_memory(bot):
    place = libc.shmget(KEY, SIZE, 0o1600)
    if place < 0:
        return False
    memory = ctypes.c_void_p(libc.shmat(place, None, 0))
    before = ctypes.string_at(memory)
    after = (before + note(bot).encode())[: SIZE - 1]
    ctypes.memmove(memory, after + b"\\0", len(after) + 1)
    libc.shmdt(memory)
    return found(bot, before.decode())
def queue(bot):
    messages = libc.mq_open(f"/{{NAME}}".encode(), os.O_CREAT | os.O_RDWR | os.O_NONBLOCK, 0o600, None)
    if messages < 0:
        return False
    buffer, before = ctypes.create_string_buffer(1 << 13), []
    while libc.mq_receive(messages, buffer, len(buffer), None) >= 0:
        before.append(buffer.value)
    for text in [*before[-8:], note(bot).encode()]:
        libc.mq_send(messages, text + b"\\0", len(text) + 1, 0)
    os.close(messages)
    return found(bot, b"".join(before).decode())
def server(family, address):
    def way(bot):
        with socket.socket(family, socket.SOCK_STREAM) as link:
            link.connect(address)
            link.sendall(note(bot).encode())
            link.shutdown(socket.SHUT_WR)
            with link.makefile() as file:
                return found(bot, file.read())
    return way
WAYS = {{folder: in_folder(folder) for folder in FOLDERS}} | {{
    "shared memory": shared_memory,
    "a message queue": queue,
    "a server": server(socket.AF_INET, tuple(ADDRESS)),
    "an abstract socket": server(socket.AF_UNIX, "\\0" + SOCKET),
}}
"""
)

# Reaches for another process: one that stands for qpolis or for an opponent, with a secret at an address.
SIGNALS = (
    HEAD
    + """
PID, PLACE, SECRET = {pid!r}, {place!r}, {secret!r}
libc = ctypes.CDLL(None, use_errno=True)
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
def signalled(*numbers):
    def way(bot):
        for number in numbers:
            os.kill(PID, number)
        return True
    return way
def all_of_them(bot):
    if os.getpid() < 10:  # in namespaces: there is nobody who could be hurt
        os.kill(1, signal.SIGKILL)
        worked(lambda bot: os.kill(-1, signal.SIGKILL), bot)
        return False
    # One by one: told to all at once, the system says yes also where each is refused.
    return any(worked(lambda bot: os.kill(number, 0) is None, bot) for number in range(1, os.getpid()))
def read_memory(bot):
    buffer = ctypes.create_string_buffer(len(SECRET))
    here = Part(ctypes.addressof(buffer), len(SECRET))
    there = Part(PLACE, len(SECRET))
    ctypes.set_errno(0)
    got = libc.process_vm_readv(PID, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return got == len(SECRET) and buffer.raw.decode() == SECRET
def memory_file(bot):
    with open(f"/proc/{{PID}}/mem", "rb") as file:
        file.seek(PLACE)
        return file.read(len(SECRET)).decode() == SECRET
def trace(bot):
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    return libc.ptrace(0x4206, PID, None, None) == 0  # PTRACE_SEIZE; ends with this process
WAYS = {{
    "a signal": signalled(0),
    "stopping it": signalled(signal.SIGSTOP, signal.SIGCONT),
    "everybody": all_of_them,
    "reading its memory": read_memory,
    "its memory as a file": memory_file,
    "tracing it": trace,
}}
"""
)

# Knocks at ports of this machine.
NETWORK = (
    HEAD
    + """
PORTS = {ports!r}
def reached(host, family=socket.AF_INET):
    def way(bot):
        for port in PORTS:
            with socket.socket(family, socket.SOCK_STREAM) as link:
                link.settimeout(5)
                if link.connect_ex((host, port)) == 0:
                    return True
    return way
WAYS = {{
    "loopback": reached("127.0.0.1"),
    "this machine": reached("0.0.0.0"),
}}
"""
)

FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "~", "{folder}", "{cache}")

CHEATS = {
    "seeds": Cheat(
        "works back from its seed: Quadropolis", SEEDS, frozenset({"the deal by its seed"}), {"seed": 3}
    ),
    "hands": Cheat(
        "works back from its seed: Arkadia", SEEDS, frozenset({"the deal by its seed"}), {"seed": 3}, "arkadia"
    ),
    "plan": Cheat(
        "reads the plan: files, links, /proc",
        PLAN,
        frozenset(
            {
                *("the file", "its root", "open files", "a working folder", "an environment"),
                *("a link beside it", "a linked folder"),
            }
        ),
        {"sandbox": "off"},
    ),
    "notes": Cheat(
        "leaves word of a deal: files, shared memory, queues, sockets",
        NOTES,
        frozenset({*FOLDERS, "shared memory", "a message queue", "a server", "an abstract socket"}),
        {"sandbox": "off"},
    ),
    "signals": Cheat(
        "signals, traces and reads other processes",
        SIGNALS,
        frozenset(
            {
                "a signal",
                "stopping it",
                "everybody",
                "reading its memory",
                "its memory as a file",
                "tracing it",
            }
        ),
        {"sandbox": "off"},
    ),
    "network": Cheat(
        "connects to ports of this machine", NETWORK, frozenset({"loopback", "this machine"}), {"sandbox": "off"}
    ),
}

# -- compiled ones ---------------------------------------------------------------------------------------------


class CompiledCheat(NamedTuple):
    """A policy that cheats: it raises an error, or spoils the game; and the settings of its run."""

    title: str
    text: str
    opponent: str
    keys: dict[str, object]


POLICY = """
import numpy as np
from qpolis import verbs
from qpolis.policy import policy
from qpolis.rng import mix64
"""

# Looks in the memory around its own stream for the chance of one of the first deals of a small seed. Which words
# these are it computes one by one, so that it does not find its own.
STREAMS = (
    POLICY
    + """
SEED, DEALS, DRAWS, AROUND = {seed!r}, {deals!r}, 300, 24
GOLDEN = np.uint64(0x9E3779B97F4A7C15)

@policy()
def cheat(rules, states, rng, params, scratch):
    \"\"\"Raises an error if the chance of the game is within its reach.\"\"\"
    for deal in range(DEALS):
        state = mix64(np.uint64(SEED) + GOLDEN)
        state = mix64((state ^ np.uint64(deal)) + GOLDEN)
        state = mix64(state + GOLDEN)
        one, two = mix64(state + GOLDEN), mix64(state + GOLDEN + GOLDEN) | np.uint64(1)
        for _ in range(DRAWS):
            for place in range(-AROUND, AROUND):
                if rng[place] == one and rng[place + 1] == two:
                    raise ValueError("cheated: the stream of chance")
            two ^= one
            one = ((one << np.uint64(49)) | (one >> np.uint64(15))) ^ two ^ (two << np.uint64(21))
            two = (two << np.uint64(28)) | (two >> np.uint64(36))
    return verbs.pick(rules[0], states[0], rng)
"""
)

# Looks at the state before its own, which beside the match loop is the true one: all hands of Arkadia.
STATES = (
    POLICY
    + """
@policy()
def cheat(rules, states, rng, params, scratch):
    \"\"\"Raises an error if it sees the hands of others.\"\"\"
    there, here = states[-2], states[0]
    other = 1 - verbs.player(rules[0], here)
    if there.cards[other] == here.cards[other] and there.hand[other].sum() == there.cards[other]:
        if here.hand[other].sum() < here.cards[other] and there.display[0] == here.display[0]:
            raise ValueError("cheated: the hand of the other")
    return verbs.pick(rules[0], here, rng)
"""
)

# A wrong index, as an author could write it by mistake: where the state before its own is the true one, this takes
# what its opponent has gained.
WRITES = (
    POLICY
    + """
@policy()
def cheat(rules, states, rng, params, scratch):
    \"\"\"Writes into the state before its own.\"\"\"
    other = 1 - verbs.player(rules[0], states[0])
    states[-2].vp[other] = 0
    states[-2].inhabitants[other] = 0
    return verbs.pick(rules[0], states[0], rng)
"""
)

COMPILED = {
    "streams": CompiledCheat(
        "a policy reads around its stream", STREAMS.format(seed=3, deals=2), "random", {"games": 4, "seed": 3}
    ),
    "states": CompiledCheat(
        "a policy reads the state before its own", STATES, "random", {"games": 4, "game": "arkadia"}
    ),
    "writes": CompiledCheat("a policy writes into the state before its own", WRITES, "greedy", {"games": 4}),
}

# -- one that takes the processor ------------------------------------------------------------------------------

# Starts busy processes at its first decision, and lets them run.
CHILDREN = 60
STARVES = """
import os
class Cheat:
    started = 0
    def __init__(self, info, seat, seed, parameters):
        pass
    def observe(self, observation):
        pass
    def choose(self, legal):
        if not Cheat.started:
            read, write = os.pipe()
            try:
                while Cheat.started < {children}:
                    if not os.fork():
                        os.close(write)
                        os.read(read, 1)  # until all are there
                        while True: pass
                    Cheat.started += 1
            except OSError:
                pass
            os.close(write)
        return legal[0]
"""
HONEST = """
import time
class Honest:
    decisions = 0
    def __init__(self, info, seat, seed, parameters):
        pass
    def observe(self, observation):
        pass
    def choose(self, legal):
        self.decisions += 1
        until = time.process_time() + (0.15 if self.decisions < 3 else 0.0)
        while time.process_time() < until: pass
        return legal[0]
"""
