"""Starts a program in a jail: `launcher.py SPEC COMMAND...`, where SPEC is the JSON that jail.py writes.

Level "namespaces": this process stays as the one the parent knows. Its child is process 1 of the new namespaces:
it builds the files that can be seen, starts the program and collects orphans. When the program ends, process 1
hands on how and ends, which ends all that is left; this process then ends in the same way. Level "landlock": this
process gives up its rights and becomes the program.

Run by its path, and without imports from qpolis, because every start of a bot pays for it.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import signal
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

FAILED = 125  # exit code if there is no jail
NOT_STARTED = 127  # exit code if the program cannot be started

CLONE_NEWCGROUP = 0x02000000
NAMESPACES = (
    0x00020000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
)  # mount uts ipc user pid net
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MS_PRIVATE, MNT_DETACH = 1 << 18, 2
READ_ONLY, NO_DEVICES, NO_EXECUTION = MS_RDONLY, MS_NODEV, MS_NOEXEC  # the same bits in mount_setattr
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR, LANDLOCK = 442, 444  # the same numbers everywhere; Landlock has three from its own on
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, SECCOMP_MODE_FILTER = 38, 47, 2
DEVICES = ("null", "zero", "full", "random", "urandom")
FEWEST_PIDS = 301  # the least that the kernel takes for the number of processes of a namespace
OLD = "/.old"

libc = ctypes.CDLL(None, use_errno=True)
report = 2  # the file that is told why there is no jail, or no program; the program does not inherit it


class Attributes(ctypes.Structure):
    """What mount_setattr changes."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "namespace")]


class Filter(ctypes.Structure):
    """A seccomp program."""

    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


class Ruleset(ctypes.Structure):
    """What a Landlock ruleset is about."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scoped")]


class PathRule(ctypes.Structure):
    """What is allowed beneath an open path."""

    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("file", ctypes.c_int32)]


def call(what: str, result: int) -> int:
    """The result of a call of the C library; OSError that says `what` if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def syscall(what: str, *arguments: Any) -> int:
    return call(what, libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)))


def prctl(what: str, *arguments: int) -> None:
    padded = (*arguments, 0, 0, 0, 0)[:5]
    call(what, libc.prctl(*(ctypes.c_ulong(argument) for argument in padded)))


def main() -> None:
    spec, command = json.loads(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        check_machine(spec)
        report_to(spec["report"])
        close_files([*spec["files"], *([report] if report > 2 else [])])
        if spec["cores"]:
            os.sched_setaffinity(0, spec["cores"])
        if spec["level"] == "namespaces":
            in_namespaces(spec, command)
        end_with_parent()
        if os.getppid() != spec["parent"]:
            os._exit(FAILED)
        prctl("no new rights", PR_SET_NO_NEW_PRIVS, 1)
        small = [f"/proc/{name}" for name in ("cpuinfo", "meminfo", "stat")]
        restrict_files(spec["readable"], small, spec["writable"])
        become(spec, command)
    except OSError as error:
        fail(error)


def report_to(file: int) -> None:
    global report
    report = file
    if file > 2:
        os.set_inheritable(file, False)


def fail(error: OSError) -> NoReturn:
    where = f"{error.filename}: " if error.filename else ""
    os.write(report, f"no sandbox: {where}{error.strerror}\n".encode(errors="replace"))
    os._exit(FAILED)


def check_machine(spec: dict[str, Any]) -> None:
    """OSError if the numbers of this machine's system calls are not known: there would be no filter."""
    machine = os.uname().machine
    if machine not in PIVOT_ROOT or not spec["filter"]:
        raise OSError(errno.ENOSYS, "its system calls are not known here", f"machine type {machine}")


def close_files(kept: Iterable[int]) -> None:
    """Close all files but the standard streams and those that are `kept`."""
    low = 3
    for file in sorted(kept):
        os.closerange(low, file)
        low = file + 1
    os.closerange(low, 1 << 20)


def end_with_parent() -> None:
    prctl("death of the parent", PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_capabilities() -> None:
    """Nobody here has any, nor gets any by starting a program."""
    libc.prctl(PR_CAP_AMBIENT, 4, 0, 0, 0)  # clear all; old kernels have none
    for number in range(64):
        if libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0:
            break  # there are no more, or we may not, as ordinary users, who have none
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # the version with 64 bits; this process
    call("capabilities", libc.capset(header, (ctypes.c_uint32 * 6)()))


def become(spec: dict[str, Any], command: list[str]) -> NoReturn:
    """The last steps of the program's own process: limits, no capabilities, the filter; then it is the program."""
    for name, most in spec["limits"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))
    drop_capabilities()
    prctl("no new rights", PR_SET_NO_NEW_PRIVS, 1)
    if spec["level"] == "landlock":
        end_with_parent()  # forgotten if capabilities changed
    else:  # a mount that is read-only lets everybody write into pipes: Landlock, where it is there, does not
        with contextlib.suppress(OSError):
            restrict_files(["/"], [], ["/tmp", "/dev/shm", *spec["writable"]])
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # Python ignores some
    code = bytes.fromhex(spec["filter"])
    buffer = ctypes.create_string_buffer(code, len(code))
    program = Filter(len(code) // 8, ctypes.addressof(buffer))
    prctl("seccomp", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))
    try:
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        os.write(report, f"cannot be started: {command[0]}: {why}\n".encode(errors="replace"))
        os._exit(NOT_STARTED)


# -- namespaces ------------------------------------------------------------------------------------------------


def in_namespaces(spec: dict[str, Any], command: list[str]) -> NoReturn:
    """Run the command in new namespaces; end as it ended."""
    user, group = os.geteuid(), os.getegid()
    with contextlib.suppress(OSError):  # ordinary users keep theirs
        os.setgroups([])
    if libc.unshare(NAMESPACES | CLONE_NEWCGROUP) < 0:
        call("namespaces", libc.unshare(NAMESPACES))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    nothing = os.open("/dev/null", os.O_RDWR)  # now: its child is about to take all files away
    result, ending = os.pipe()
    first = os.fork()
    if not first:
        os.close(result)
        try:
            process_one(spec, command, nothing, ending)
        except OSError as error:
            fail(error)
    os.close(ending)
    step_back(nothing, [result])
    if os.getppid() != spec["parent"]:
        os._exit(FAILED)
    said = os.read(result, 16)
    status = os.waitpid(first, 0)[1]
    end_like(int(said) if said else status)


def step_back(nothing: int, kept: Iterable[int]) -> None:
    """Keep nothing that the program could want to be closed, and no rights; end with the parent. `nothing` is the
    open /dev/null."""
    for stream in range(3):
        os.dup2(nothing, stream)
    close_files(kept)
    drop_capabilities()
    prctl("no new rights", PR_SET_NO_NEW_PRIVS, 1)
    prctl("looks from outside", PR_SET_DUMPABLE, 1)  # else its memory could not be looked at
    end_with_parent()


def end_like(status: int) -> NoReturn:
    """End with the exit code, or by the signal, of this wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


def process_one(spec: dict[str, Any], command: list[str], nothing: int, ending: int) -> NoReturn:
    """The first process of the namespaces, with whose end all others end; it writes how the program did."""
    end_with_parent()
    folder = os.getcwd()
    build_files(spec)
    try:
        os.chdir(folder)  # as far as it can be seen: names of files in the command may be relative
    except OSError:
        os.chdir("/tmp")
    libc.sethostname(b"bot", 3)
    program = os.fork()
    if not program:
        try:
            become(spec, command)
        except OSError as error:
            fail(error)
    step_back(nothing, [ending])
    while True:
        ended, status = os.wait()
        if ended == program:
            os.write(ending, str(status).encode())
            os._exit(0)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    texts = [text.encode() or None for text in (source, target, kind)]
    call(target, libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None))


def show(source: str, target: str, attributes: int) -> None:
    """Show the file or folder, and what is mounted beneath it, with these attributes."""
    mount(source, target, "", MS_BIND | MS_REC)
    changes = Attributes(attributes | MS_NOSUID, 0, 0, 0)
    name = ctypes.c_char_p(os.fsencode(target))
    size = ctypes.sizeof(changes)
    syscall(target, MOUNT_SETATTR, AT_FDCWD, name, AT_RECURSIVE, ctypes.byref(changes), size)


def build_files(spec: dict[str, Any]) -> None:
    """A new root with only what may be seen, and no way back to the old one."""
    shown = dict.fromkeys(spec["readable"], READ_ONLY | NO_DEVICES)
    shown |= dict.fromkeys(spec["writable"], NO_DEVICES)
    places = {path: places_of(path) for path in shown}  # looked up while links lead where they do
    mask = os.umask(0o022)
    mount("", "/", "", MS_REC | MS_PRIVATE)
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    os.mkdir("/tmp" + OLD)
    os.chdir("/tmp")
    call("pivot_root", libc.syscall(ctypes.c_long(PIVOT_ROOT[os.uname().machine]), b".", OLD[1:].encode()))
    os.chdir("/")
    size = f"size={spec['tmp']},nr_inodes=16384,mode=1777"
    for folder in ("/tmp", "/dev/shm"):
        os.makedirs(folder)
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, size)
    for name in DEVICES:
        put(f"{OLD}/dev/{name}", f"/dev/{name}", NO_EXECUTION)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")
    mount_processes()
    for path in sorted(shown, key=lambda path: len(places[path][0])):
        real, links = places[path]
        put(OLD + real, real, shown[path])
        for link, target in links:
            if not os.path.lexists(link):
                os.makedirs(os.path.dirname(link), exist_ok=True)
                os.symlink(target, link)
    call("old root", libc.umount2(OLD.encode(), MNT_DETACH))
    os.rmdir(OLD)
    mount("", "/", "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.umask(mask)


def places_of(path: str) -> tuple[str, list[tuple[str, str]]]:
    """Where a path really is, and the symbolic links on the way: (where, target)."""
    links: list[tuple[str, str]] = []
    here = "/"
    for part in path.split("/"):
        step = os.path.join(here, part) if part else here
        if os.path.islink(step):
            links.append((step, os.readlink(step)))
            if len(links) < 40:
                links += places_of(os.path.normpath(os.path.join(here, links[-1][1])))[1]
        here = os.path.realpath(step)
    return here, links


def put(source: str, target: str, attributes: int) -> None:
    """Show a path at its place in the new root, if it exists."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif os.path.exists(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    else:
        return
    show(source, target, attributes)


def mount_processes() -> None:
    """/proc with the processes of the jail only; read-only, because the system's settings in it heed root, even
    without capabilities."""
    os.mkdir("/proc")
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    try:
        mount("proc", "/proc", "proc", flags)
    except OSError:
        return  # containers often refuse it
    try:  # the limit of processes does not hold for root; this one does, from Linux 6.14 on
        with open("/proc/sys/kernel/pid_max", "w") as file:
            file.write(str(FEWEST_PIDS))
    except OSError:
        pass
    mount("", "/proc", "", MS_REMOUNT | MS_BIND | MS_RDONLY | flags)


# -- Landlock --------------------------------------------------------------------------------------------------

READ, READ_FILE, WRITE_DEVICE = 0b1101, 0b101, 0b110  # execute, (write,) read, list
ON_FILES = 0b111 | 1 << 14 | 1 << 15  # the rights that a file can have
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights on files an ABI knows; later ones 16
NETWORK, SCOPES = 0b11, 0b11  # bind and connect of TCP; abstract sockets and signals


def restrict_files(readable: list[str], files: list[str], writable: list[str]) -> None:
    """Nothing but these paths and the devices can be opened from here on; no TCP, no signals to others."""
    version = syscall("Landlock", LANDLOCK, 0, 0, 1)
    everything = (1 << RIGHTS.get(version, 16)) - 1
    about = Ruleset(everything, NETWORK if version >= 4 else 0, SCOPES if version >= 6 else 0)
    ruleset = syscall("Landlock", LANDLOCK, ctypes.byref(about), ctypes.sizeof(about), 0)
    for path in readable:
        allow(ruleset, path, READ)
    for path in files:
        allow(ruleset, path, READ_FILE)
    for path in writable:
        allow(ruleset, path, everything)
    for name in DEVICES:
        allow(ruleset, f"/dev/{name}", WRITE_DEVICE & everything)
    syscall("Landlock", LANDLOCK + 2, ruleset, 0)
    os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    """Add a rule, if the path exists."""
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    rule = PathRule(rights if os.path.isdir(path) else rights & ON_FILES, file)
    syscall(path, LANDLOCK + 1, ruleset, 1, ctypes.byref(rule), 0)
    os.close(file)


if __name__ == "__main__":
    main()
