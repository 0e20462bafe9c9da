"""What a program in a jail cannot see and do, and what it still can: real processes, at every level there is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import psutil
import pytest

from qpolis.errors import QpolisError
from qpolis.sandbox import host, launch, levels, seccomp
from qpolis.sandbox.child_process import ChildProcess
from qpolis.sandbox.jail import LANDLOCK, LAUNCHER, LEVELS, MOST_NEIGHBOURS, NAMESPACES, Jail, hide, own_files
from qpolis.sandbox.launch import Forfeit
from qpolis.sandbox.process_tree import ENDED, TOKEN

MEMORY = 2 << 30
PATIENCE = 300.0  # seconds: whoever needs more hangs
PYTHON = (sys.executable, "-I", "-S", "-c")
TRY = """
import json, os, signal, socket, sys
def attempt(what, *arguments):
    try:
        what(*arguments)
    except OSError as error:
        return type(error).__name__
    return "done"
def say(answer):
    print(json.dumps(answer), flush=True)
"""
ROUND = 50  # processes started between two looks
MOST_FORKS = 600


@pytest.fixture(params=LEVELS)
def level(request):
    """A level that this machine has."""
    if why := levels.missing(request.param):
        pytest.skip(f"{request.param}: {why}")
    return request.param


def started(code, *arguments, jail=None):
    return ChildProcess([*PYTHON, TRY + code, *map(str, arguments)], MEMORY, jail=jail)


def said(code, *arguments, jail=None):
    """What the code says, in a jail or without."""
    with started(code, *arguments, jail=jail) as child:
        return json.loads(child.line(time.monotonic() + PATIENCE))


def ending(code, jail=None):
    """The reason that is given for the end of a program that says nothing."""
    with started(code, jail=jail) as child, pytest.raises(Forfeit) as caught:
        child.line(time.monotonic() + PATIENCE)
    return caught.value.reason


# -- what it sees ----------------------------------------------------------------------------------------------


def test_objects_of_the_system_carry_nothing_from_one_process_to_the_next(level):
    """Queues, semaphores and shared memory that belong to no process: who comes later must not find them."""
    code = """
import ctypes
libc, key, name = ctypes.CDLL(None, use_errno=True), int(sys.argv[1]), sys.argv[2].encode()
found = [libc.msgget(key, 0), libc.semget(key, 1, 0), libc.shmget(key, 1, 0), libc.mq_open(name, os.O_RDONLY)]
libc.msgget(key, 0o1600), libc.semget(key, 1, 0o1600), libc.shmget(key, 1, 0o1600)
libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)
say([number >= 0 for number in found])
"""
    clean = (
        "import ctypes\nlibc, key = ctypes.CDLL(None), int(sys.argv[1])\n"
        "libc.msgctl(libc.msgget(key, 0), 0, None), libc.semctl(libc.semget(key, 1, 0), 0, 0)\n"
        "libc.shmctl(libc.shmget(key, 1, 0), 0, None), libc.mq_unlink(sys.argv[2].encode())\nsay([])"
    )
    key = uuid.uuid4().int & 0x3FFFFFFF
    names = key, f"/qpolis-{key}"
    try:
        assert said(code, *names) == [False] * 4
        assert said(code, *names) == [True] * 4  # outside of a jail they are found
    finally:
        said(clean, *names)
    for _ in range(2):
        assert said(code, *names, jail=Jail(level, ())) == [False] * 4


LOCKS = """
import fcntl, struct
def lock(file):
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
def word(file):
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 12345)
def read(file):
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
    return 12345 if struct.unpack("hhqqi", fcntl.fcntl(file, fcntl.F_GETLK, asked))[2] == 12345 else 0
file = open(sys.argv[1])
"""


def test_programs_tell_each_other_nothing_by_locks(level, tmp_path):
    """By locks on a file that both can read. That one has a lock of its own it may believe."""
    path = tmp_path / "shared"
    path.write_text("text")
    sets = LOCKS + "say([attempt(lock, file), attempt(word, file)])\nsys.stdin.read()"
    asks = LOCKS + "say([attempt(lock, file), read(file)])"
    for jail, found in ((None, ["BlockingIOError", 12345]), (Jail(level, (str(path),)), ["done", 0])):
        with started(sets, path, jail=jail) as child:
            assert json.loads(child.line(time.monotonic() + PATIENCE)) == ["done", "done"]
            assert said(asks, path, jail=jail) == found


MARKS = """
import fcntl, os, struct
GET_HINT, SET_HINT, GET_FLAGS, SET_FLAGS, GET_VERSION, SET_VERSION = (
    1035, 1036, 0x80086601, 0x40086602, 0x80087601, 0x40087602)
SEEN_BY_NOBODY = 0x40  # the flag "no dump"
file = os.open(sys.argv[1], os.O_RDONLY)
def hint():
    return fcntl.fcntl(file, GET_HINT, bytes(8))[0]
def flags():
    return struct.unpack("Q", fcntl.ioctl(file, GET_FLAGS, bytes(8)))[0] & SEEN_BY_NOBODY
def version():
    return struct.unpack("Q", fcntl.ioctl(file, GET_VERSION, bytes(8)))[0]
def leave():
    fcntl.fcntl(file, SET_HINT, struct.pack("Q", 3))
def flag():
    fcntl.ioctl(file, SET_FLAGS, struct.pack("Q", flags() ^ SEEN_BY_NOBODY))
def number():
    fcntl.ioctl(file, SET_VERSION, struct.pack("Q", version() ^ 5))
def new_call():  # file_setattr, of Linux 6.17
    import ctypes
    libc, about = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(24)
    path, size = os.fsencode(sys.argv[1]), ctypes.c_size_t(24)
    libc.syscall(468, -100, path, about, size, 0)
    about[0] = bytes([about.raw[0] ^ 0x80])
    if libc.syscall(469, -100, path, about, size, 0):
        raise OSError(ctypes.get_errno(), "file_setattr")
def read():
    found = []
    for what in (hint, flags, version):
        try:
            found.append(what())
        except OSError:
            found.append(None)
    return found
"""
LEAVE = MARKS + "say([attempt(leave), attempt(flag), attempt(number), attempt(new_call)])"


def test_programs_leave_no_marks_on_files(level, tmp_path):
    """Marks that need no right to write, and stay when the program has gone."""
    path = tmp_path / "shared"
    path.write_text("text")
    before = said(MARKS + "say(read())", path)
    assert "done" not in said(LEAVE, path, jail=Jail(level, (str(path),)))
    assert said(MARKS + "say(read())", path) == before
    assert "done" in said(LEAVE, path)
    assert said(MARKS + "say(read())", path) != before


def test_programs_tell_each_other_nothing_by_a_pipe_that_came_with_them(level):
    """Wherever they are but below /tmp, where they may write."""
    if levels.missing(LANDLOCK):
        pytest.skip("pipes are out of reach by Landlock only")
    code = """
def write():
    global pipe
    pipe = os.open(sys.argv[1], os.O_RDWR | os.O_NONBLOCK)
    os.write(pipe, b"word")
say(attempt(write))
"""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        assert said(code, pipe) == "done"
        assert said(code, pipe, jail=Jail(level, (folder,))) == "PermissionError"


def test_a_run_below_what_is_shown_is_not_shown(level, tmp_path):
    """Neither by its place nor by links: results may be anywhere, such as below /opt."""
    shown, run = tmp_path / "shown", tmp_path / "shown" / "results" / "run"
    fill(shown, "results/run/plan.toml", "results/other.txt", "program.txt", "package/module.py")
    (shown / "results" / "latest").symlink_to(run)
    (shown / "up").symlink_to(shown)
    hide(run)
    paths = [
        *("results/run/plan.toml", "results/latest/plan.toml", "up/results/run/plan.toml"),
        *("results/other.txt", "program.txt", "package/module.py"),
    ]
    code = "say([attempt(open, path) for path in sys.argv[1:]])"
    paths = [shown / path for path in paths]
    assert said(code, *paths) == ["done"] * 6
    found = said(code, *paths, jail=Jail(level, (str(shown),)))
    assert "done" not in found[:3]
    assert found[3:] == ["done"] * 3


def test_it_is_not_told_what_others_do_with_files(level, tmp_path):
    code = """
import ctypes, fcntl
libc = ctypes.CDLL(None)
folder = os.open(sys.argv[1], os.O_RDONLY)
say([libc.inotify_init() >= 0, libc.inotify_init1(0) >= 0, libc.fanotify_init(0x200, 0) >= 0,
     attempt(fcntl.fcntl, folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)])
"""
    assert said(code, tmp_path)[:2] == [True, True]
    assert said(code, tmp_path, jail=Jail(level, (str(tmp_path),))) == [False, False, False, "PermissionError"]


def test_a_run_that_it_is_not_given_cannot_be_read(level, tmp_path):
    code = "say([attempt(open, sys.argv[1]), attempt(open, sys.argv[2]), attempt(os.listdir, sys.argv[3])])"
    plan, bot = tmp_path / "run" / "plan.toml", tmp_path / "bots" / "mine.py"
    for path in (plan, bot):
        path.parent.mkdir()
        path.write_text("seed = 1\n")
    arguments = (bot, plan, plan.parent)
    assert said(code, *arguments) == ["done"] * 3
    given, *rest = said(code, *arguments, jail=Jail(level, (str(bot),)))
    assert given == "done"
    assert set(rest) <= {"FileNotFoundError", "PermissionError"}


def test_no_other_processes_are_seen(level):
    code = """
try:
    found = os.listdir("/proc")
except OSError:
    found = []
say([os.getpid(), [int(name) for name in found if name.isdigit()]])
"""
    assert os.getpid() in said(code)[1]
    own, seen = said(code, jail=Jail(level, ()))
    assert set(seen) <= {1, own}
    if level == NAMESPACES:
        assert own < 10  # counted anew
    else:
        assert seen == []


def test_a_port_of_the_host_cannot_be_reached(level):
    code = """
def connect():
    socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
say(attempt(connect))
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        assert said(code, port) == "done"
        server.accept()[0].close()
        assert said(code, port, jail=Jail(level, ())) != "done"
        with pytest.raises(BlockingIOError):
            server.accept()


def test_our_environment_is_not_seen(level, monkeypatch):
    monkeypatch.setenv("OURS", "a secret")
    code = "say(dict(os.environ))"
    assert said(code)["OURS"] == "a secret"
    seen = said(code, jail=Jail(level, (), environment={"THEIRS": "given"}))
    assert seen.keys() == {"PATH", "LANG", "HOME", "TMPDIR", "THEIRS", TOKEN}
    assert seen["THEIRS"] == "given"


# -- what it can do --------------------------------------------------------------------------------------------


def test_it_writes_to_tmp_only_and_nothing_of_it_stays(level, tmp_path):
    code = """
name, places = sys.argv[1], sys.argv[2:]
tmp = os.environ["TMPDIR"]
before = os.listdir(tmp)
def write(folder):
    with open(os.path.join(folder, name), "w") as file:
        file.write("text")
say([tmp, before, attempt(write, tmp), {place: attempt(write, place) for place in places}])
"""
    name = uuid.uuid4().hex
    given = tmp_path / "given"
    given.mkdir()
    folders = ("/", "/dev", "/etc", "/usr", "/usr/lib", "/var/tmp", "/proc", "/root", "/home")
    places = [*folders, str(Path.home()), os.getcwd(), sys.prefix, str(given)]
    if level == LANDLOCK:
        places += ["/tmp", "/dev/shm", str(tmp_path)]  # those of the host
    hidden = Jail(level, (str(given),))
    for _ in range(2):
        tmp, before, wrote, refused = said(code, name, *places, jail=hidden)
        assert (name in before, wrote) == (False, "done")
        assert [place for place, result in refused.items() if result == "done"] == []
        assert [place for place in (tmp, "/tmp", *places) if os.path.exists(os.path.join(place, name))] == []
        assert (level == NAMESPACES) == (tmp == "/tmp")
        assert level == NAMESPACES or not os.path.exists(tmp)


def test_files_that_it_is_given_stay_as_they_are(level, tmp_path):
    code = """
path = sys.argv[1]
say([attempt(open, path), attempt(open, path, "a"), attempt(os.truncate, path, 0), attempt(os.remove, path),
     attempt(os.chmod, path, 0o777), attempt(os.utime, path, (1, 1))])
"""
    path = tmp_path / "data.txt"
    path.write_text("text")
    before = path.stat()
    read, *changes = said(code, path, jail=Jail(level, (str(path),)))
    assert read == "done"
    assert "done" not in changes
    after = path.stat()
    assert path.read_text() == "text"
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_a_folder_that_is_writable_keeps_what_is_written(level, tmp_path):
    code = """
with open(os.path.join(sys.argv[1], "kept"), "w") as file:
    file.write("text")
say("written")
"""
    assert said(code, tmp_path, jail=Jail(level, (), writable=(str(tmp_path),))) == "written"
    assert (tmp_path / "kept").read_text() == "text"


@pytest.mark.parametrize("call", ["os.setsid", "os.setpgid, 0, 0"])
def test_the_process_group_cannot_be_left(level, call):
    """By a child, which leads no group, so that only the jail can refuse."""
    code = f"""
read, write = os.pipe()
if not os.fork():
    os.write(write, attempt({call}).encode())
    os._exit(0)
os.wait()
say(os.read(read, 100).decode())
"""
    assert said(code) == "done"
    assert said(code, jail=Jail(level, ())) == "PermissionError"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("os._exit(7)", "exited with code 7: last words"),
        ("sys.exit(0)", "exited with code 0: last words"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV: last words"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL: last words"),
    ],
)
def test_its_end_is_told_as_without_a_jail(level, code, words):
    code = f"print('last words', file=sys.stderr, flush=True)\n{code}"
    assert ending(code) == ending(code, Jail(level, ())) == words


def test_a_machine_that_takes_long_to_build_the_files_starts_it_all_the_same(tmp_path):
    """The process that waits outside stepped back while the one inside took its files away: now and then there was
    no /dev/null."""
    if levels.missing(NAMESPACES):
        pytest.skip(levels.missing(NAMESPACES))
    command = Jail(NAMESPACES, ()).command([*PYTHON, "print('started')"])
    slow = """
import os, sys, time
sys.path.insert(0, sys.argv.pop(1))
import launcher
outer, put, step_back = os.getpid(), launcher.put, launcher.step_back
def slow_put(*arguments):
    launcher.put = put
    time.sleep(1)
    put(*arguments)
def late_step_back(*arguments):
    late = time.monotonic() + 5
    while os.getpid() == outer and os.path.exists("/dev/null") and time.monotonic() < late: pass
    step_back(*arguments)
launcher.put, launcher.step_back = slow_put, late_step_back
launcher.main()
"""
    ended = subprocess.run(
        [*PYTHON, slow, os.path.dirname(LAUNCHER), *command[command.index(LAUNCHER) + 1 :]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "started\n", "")


@pytest.mark.parametrize("why", ["no sandbox: /dev/null: gone", "no sandbox: too many files"])
def test_a_jail_that_fails_is_not_the_fault_of_the_program(level, why, monkeypatch):
    monkeypatch.setattr(
        launch.Jail, "command", lambda *arguments: [*PYTHON, f"import os; os.write({arguments[-1]}, b'{why}')"]
    )
    with (
        started("", jail=Jail(level, ())) as child,
        pytest.raises(QpolisError, match=f"a bot cannot be started: {why}"),
    ):
        child.line(time.monotonic() + PATIENCE)


def test_a_program_cannot_say_that_there_is_no_jail(level):
    code = "for file in range(2, 64): attempt(os.write, file, b'no sandbox: it is broken')\n"
    assert ending(f"{code}sys.exit(125)", jail=Jail(level, ())) == "exited with code 125: no sandbox: it is broken"


def test_a_program_that_does_not_exist_is_named(level):
    with (
        ChildProcess(["/no/such/program"], MEMORY, jail=Jail(level, ())) as child,
        pytest.raises(Forfeit) as caught,
    ):
        child.line(time.monotonic() + PATIENCE)
    assert "cannot be started: /no/such/program: No such file" in caught.value.reason


def ended(process):
    """Is it gone, or dead and waiting to be collected by the system?"""
    try:
        return process.status() in ENDED
    except psutil.NoSuchProcess:
        return True


def test_a_fork_bomb_ends(level):
    """By a fork that fails or by a look at its processes; afterwards none is left."""
    code = f"""
count = 0
for line in sys.stdin:
    for _ in range({ROUND}):
        try:
            if not os.fork():
                signal.pause()
            count += 1
        except OSError:
            say([count, True])
            break
    else:
        say([count, False])
"""
    count, refused = 0, False
    with started(code, jail=Jail(level, ())) as child:
        try:
            while not refused and count <= MOST_FORKS:
                deadline = time.monotonic() + PATIENCE
                child.send(b"more\n", deadline)
                count, refused = json.loads(child.line(deadline))
                child.check()
        except Forfeit:
            refused = True
        processes = psutil.Process(child.pid).children(recursive=True)
    assert refused
    assert 0 < count <= MOST_FORKS
    assert len(processes) >= count
    assert [process for process in processes if not ended(process)] == []


@pytest.mark.parametrize("helper", [False, True], ids=["alone", "with a helper beside it"])
def test_a_python_bot_says_hello_and_plays(level, tmp_path, helper, request):
    if helper and level == LANDLOCK:
        reason = "Landlock hides the bot's folder, which Python lists to find modules"
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    path = tmp_path / "my_bot.py"
    path.write_text(
        f"{'from helper import best' if helper else 'best = max'}\nimport qpolis\n"
        "class Mine(qpolis.Bot):\n  def choose(self, legal):\n    return best(legal)\n"
    )
    (tmp_path / "helper.py").write_text("def best(legal):\n  return legal[-1]\n")
    game = {"name": "quadropolis", "title": "Quadropolis", "players": 2, "options": {}}
    limits = {"decision": 10.0, "game": 300.0}
    hello = {"type": "hello", "protocol": 1, "parameters": {}, "limits": limits, "game": game}
    start = {"type": "start", "seat": 1, "seed": 5}
    choose = {"type": "choose", "observation": {}, "legal": [3, 4], "texts": ["three", "four"]}
    command = [sys.executable, "-u", host.__file__, str(path), "Mine"]
    with ChildProcess(command, MEMORY, jail=Jail(level, own_files(str(path)))) as child:
        deadline = time.monotonic() + PATIENCE
        child.send(json.dumps(hello).encode() + b"\n", deadline)
        assert json.loads(child.line(deadline)) == {"type": "hello", "protocol": 1, "name": "Mine"}
        for message in (start, choose):
            child.send(json.dumps(message).encode() + b"\n", deadline)
        assert json.loads(child.line(deadline)) == {"action": 4}


# -- what a bot may see ----------------------------------------------------------------------------------------


def fill(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def names_of(folder, bot="mine.py"):
    return sorted(os.path.relpath(path, folder) for path in own_files(str(folder / bot)))


def test_own_files_are_those_beside_it_packages_and_the_folder_of_its_name(tmp_path):
    fill(
        tmp_path, "mine.py", "other.py", "weights.csv", "package/__init__.py", "mine/table.bin", "elsewhere/a.txt"
    )
    assert own_files(str(tmp_path / "mine.py"))[0] == str(tmp_path / "mine.py")
    assert names_of(tmp_path) == ["mine", "mine.py", "other.py", "package", "weights.csv"]


def test_own_files_are_no_hidden_ones(tmp_path):
    fill(tmp_path, "mine.py", ".token", ".git/__init__.py")
    assert names_of(tmp_path) == ["mine.py"]


def test_own_files_are_none_of_a_run(tmp_path):
    fill(tmp_path, "mine.py", "journal.bin", "mine/plan.toml", "run/plan.toml", "run/__init__.py", "run/mine.py")
    assert names_of(tmp_path) == ["mine.py"]
    fill(tmp_path / "run", "games.csv", "package/__init__.py")
    assert names_of(tmp_path / "run") == ["mine.py"]


def test_links_among_its_own_files_lead_nowhere_else(tmp_path):
    """Whoever sends a bot could send links to where results will be."""
    fill(tmp_path, "bots/mine.py", "bots/table.bin", "results/run/plan.toml", "results/__init__.py")
    for name, target in (
        ("notes.txt", "../results/run/plan.toml"),
        ("mine", "../results"),
        ("package", "../results"),
        ("table.1", "table.bin"),
    ):
        (tmp_path / "bots" / name).symlink_to(target)
    assert names_of(tmp_path / "bots") == ["mine.py", "table.1", "table.bin"]


def test_in_a_crowded_folder_only_python_files_are_its_own(tmp_path):
    fill(tmp_path, "mine.py", "other.py", *(f"{number}.txt" for number in range(MOST_NEIGHBOURS)))
    assert names_of(tmp_path) == ["mine.py", "other.py"]


# -- which level -----------------------------------------------------------------------------------------------


def test_the_level_that_is_chosen_is_the_best_there_is(monkeypatch):
    for there in ((NAMESPACES, LANDLOCK), (NAMESPACES,), (LANDLOCK,)):
        monkeypatch.setattr(levels, "missing", lambda level, there=there: "" if level in there else "not here")
        assert levels.choose("auto") == levels.choose("on") == levels.best() == there[0]
        assert levels.choose("off") is None


def test_where_there_is_no_level_only_on_is_an_error(monkeypatch):
    monkeypatch.setattr(levels, "missing", lambda level: "not here")
    assert levels.choose("off") is levels.choose("auto") is None
    with pytest.raises(QpolisError, match=r"no sandbox on this machine .namespaces: not here; landlock: not here"):
        levels.choose("on")


def test_an_unknown_setting_is_an_error():
    with pytest.raises(QpolisError, match=r"'maybe'.*auto, on, off"):
        levels.choose("maybe")


@pytest.mark.parametrize("wanted", LEVELS)
def test_without_a_filter_for_this_type_of_machine_there_is_no_level(wanted, monkeypatch):
    monkeypatch.setattr(seccomp.platform, "machine", lambda: "abacus")
    assert seccomp.program(True) == b""
    assert "its system calls are not known here" in levels.missing.__wrapped__(wanted)


def test_a_start_that_fails_leaves_no_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def fail(*arguments, **options):
        assert len(list(tmp_path.iterdir())) == 1
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr(launch.subprocess, "Popen", fail)
    with pytest.raises(Forfeit, match="cannot be started"):
        started("", jail=Jail(LANDLOCK, ()))
    assert list(tmp_path.iterdir()) == []
