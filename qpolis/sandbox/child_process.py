"""One untrusted child process: talked to in lines, watched while it thinks, ended without a trace.

Nothing it does can block us. All pipes are drained together and never waited for without a deadline; what it
prints without being asked is bounded; its memory is looked at while we wait, and bounded by the system meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import select
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qpolis import interrupts
from qpolis.engine.results import CRASH, ILLEGAL, MEMORY
from qpolis.errors import one_line
from qpolis.sandbox import wakener
from qpolis.sandbox.jail import Jail
from qpolis.sandbox.launch import Forfeit, Launch
from qpolis.sandbox.process_tree import MOST_PROCESSES, PATIENCE, TOKEN, ProcessTree, running

LONGEST_LINE = 1 << 16  # bytes
KEPT_ERRORS = 8192  # bytes of standard error that are remembered
MOST_READS = 64  # of standard error at once: a descendant may be writing without end
CHECK_INTERVAL = 0.02  # seconds between looks at the memory and the processor time
LAST_WORDS = 1.0  # seconds a process that closed its pipes has to exit, so that its exit code is known
CHUNK = 1 << 16


class DeadlinePassed(Exception):
    """The deadline passed."""


class ChildProcess:
    """A running program with pipes to its standard streams; `memory` is in bytes, for it and all it starts;
    `cores` are those it runs on, empty: any."""

    def __init__(
        self,
        command: Sequence[str],
        memory: int,
        environment: Mapping[str, str] | None = None,
        files: Sequence[int] = (),
        jail: Jail | None = None,
        cores: tuple[int, ...] = (),
    ) -> None:
        token = secrets.token_hex(16)
        before = running()
        launch = Launch(jail, command, cores, 2 * memory, files)
        with interrupts.defer():  # one that ended us between the next lines would leave the process behind
            process = launch.start({**(environment or {}), TOKEN: token})
            self.tree = ProcessTree(process.pid, token, before)
            self._end = weakref.finalize(self, _end, process, self.tree, os.getpid(), launch)
        self._launch = launch
        self.pid = process.pid
        self.memory = memory
        self._process = process
        _set_limits(process.pid, memory)
        if cores and not jail:
            with contextlib.suppress(OSError):  # it may have gone already
                os.sched_setaffinity(process.pid, cores)
        self._input, self._output, self._errors = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr) if pipe
        )
        self._poll = select.poll()
        for pipe in (self._output, self._errors):
            os.set_blocking(pipe, False)
            self._poll.register(pipe, select.POLLIN)
        os.set_blocking(self._input, False)
        self._unread = b""  # what it printed and nobody has read
        self._output_closed = False
        self._exited = False
        self._stderr_end = b""  # the last of what it wrote to standard error
        self._next_check = 0.0
        self._paused = False
        self.on_check: Callable[[], None] | None = None  # called after each look at the memory
        self.on_errors: Callable[[bytes], None] | None = None  # called with what it writes to standard error
        self.lateness = 0.0  # seconds by which our own waits took longer than they should
        # The system counts our own memory as the child's peak, because it starts as a copy of us: what it says
        # below this means nothing.
        self._peak_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self._peak = 0

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # -- talking -------------------------------------------------------------------------------------------

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line; DeadlinePassed if the child does not read it before the deadline (of time.monotonic)."""
        line = self._write(line)
        if line:  # the pipe is full
            self.resume()
            self._poll.register(self._input, select.POLLOUT)
            try:
                while line := self._write(line):
                    if time.monotonic() >= deadline:
                        raise DeadlinePassed
                    self.wait(deadline)
            finally:
                self._poll.unregister(self._input)

    def _write(self, line: bytes) -> bytes:
        """Write what fits into the pipe; the rest."""
        try:
            return line[os.write(self._input, line) :]
        except BlockingIOError:
            return line
        except BrokenPipeError:
            raise self.death("closed its standard input") from None

    def line(self, deadline: float) -> bytes:
        """The next line it prints, without its end; DeadlinePassed if there is none before the deadline."""
        late = False
        while (end := self._unread.find(b"\n")) < 0:
            if self._output_closed or self._exited:
                raise self.death("closed its standard output")
            if late:
                raise DeadlinePassed
            interrupts.check()
            late = time.monotonic() >= deadline  # and listen once more: it may be us who were away
            self.wait(deadline)
        line, self._unread = self._unread[:end], self._unread[end + 1 :]
        if end > LONGEST_LINE:
            raise Forfeit(ILLEGAL, f"printed a line of more than {LONGEST_LINE} bytes")
        return line

    def has_output(self) -> bool:
        """Is there anything it printed that nobody has read?"""
        self._read_output()
        return bool(self._unread)

    def wait(self, deadline: float) -> None:
        """Wait until something happens, at most until the deadline, and look at its memory now and then."""
        now = time.monotonic()
        if now >= self._next_check:
            self.check()
            if self.on_check:
                self.on_check()
            now = time.monotonic()
            self._next_check = now + CHECK_INTERVAL
        pause = max(min(deadline, self._next_check) - now, 0)
        ready = self._poll.poll(pause * 1000)
        if not ready:
            self.lateness += max(time.monotonic() - now - pause, 0)
        for pipe, _ in ready:
            if pipe == self._output:
                self._read_output()
            elif pipe == self._errors:
                self._read_errors()

    def check(self) -> None:
        """Forfeit if it uses too much memory or has too many processes; note if it ended (its children may still
        hold its pipes)."""
        if self.tree.exceeds(self.memory):
            raise self._too_much()
        if self.tree.too_many:
            raise Forfeit(MEMORY, f"started more than {MOST_PROCESSES} processes")
        if not self._exited and self._exit_code(0.0) is not None:
            self._read_output()  # what it said before
            self._exited = True

    def _too_much(self) -> Forfeit:
        return Forfeit(MEMORY, f"used more than {self.memory >> 20} MB of memory")

    def _read_output(self) -> None:
        if self._output_closed:
            return
        try:
            read = os.read(self._output, CHUNK)
        except BlockingIOError:
            return
        if not read:
            self._output_closed = True
            self._poll.unregister(self._output)
        self._unread += read
        unread = len(self._unread)
        if unread > LONGEST_LINE + CHUNK or (unread > LONGEST_LINE and b"\n" not in self._unread):
            raise Forfeit(ILLEGAL, f"printed more than {LONGEST_LINE} bytes that are no answer")

    def _read_errors(self) -> bool:
        """Take what it wrote to standard error; False if there is nothing more."""
        try:
            read = os.read(self._errors, CHUNK)
        except BlockingIOError:
            return False
        if not read:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._errors)
        self._stderr_end = (self._stderr_end + read)[-KEPT_ERRORS:]
        if read and self.on_errors:
            self.on_errors(read)
        return bool(read)

    def read_errors(self) -> None:
        """Take all that it wrote to standard error by now."""
        for _ in range(MOST_READS):
            if not self._end.alive or not self._read_errors():
                break

    def forget_errors(self) -> None:
        """What it wrote to standard error by now belongs to no reason that is still to come."""
        self.read_errors()
        self._stderr_end = b""

    def last_text(self) -> str:
        """The end of what it wrote to standard error."""
        self.read_errors()
        return self._stderr_end.decode("utf-8", "replace").strip()

    # -- stopping ------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Stop it and all it started: it does not run until it is resumed."""
        if not self._paused and self._end.alive:
            wakener.guard(self.pid)
            self._paused = True
            self.tree.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again if it was paused."""
        if self._paused and self._end.alive:
            self._paused = False
            self.tree.signal(signal.SIGCONT)

    # -- ending --------------------------------------------------------------------------------------------

    def death(self, what: str) -> Forfeit:
        """Why it does not talk any more: how it ended, or else `what` it did; with its last words."""
        self.resume()  # it may be about to exit
        code = self._exit_code(time.monotonic() + LAST_WORDS)
        if why := self._launch.failure():
            return Forfeit(CRASH, why)
        if self._peak > max(self.memory, self._peak_before):
            return self._too_much()
        if code is not None:
            what = f"killed by {_signal_name(-code)}" if code < 0 else f"exited with code {code}"
        return Forfeit(CRASH, what + self.last_words(), self.last_text())

    def last_words(self) -> str:
        """The last line of its standard error, to be added to a reason."""
        lines = self.last_text().splitlines()
        return f": {one_line(lines[-1])}" if lines else ""

    def hang_up(self) -> None:
        """Close its standard input: it is to exit."""
        if self._process.stdin:
            self._process.stdin.close()

    def kill(self) -> None:
        """End its process group at once. Of all methods only this one may be called while another thread waits for
        the child: that one hears of its death."""
        if self._end.alive:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)

    def close(self, grace: float = 0.0) -> None:
        """End it and everything it started, after `grace` seconds in which it may exit by itself."""
        if self._end.alive:
            self.hang_up()
            if grace:
                self.resume()
                self._exit_code(time.monotonic() + grace)
            self.read_errors()
            self._end()

    def _exit_code(self, deadline: float) -> int | None:
        """The exit code (minus the signal that killed it); None if it still runs at the deadline."""
        self._peak = _reap(self._process, deadline) or self._peak
        return self._process.returncode


def _set_limits(pid: int, memory: int) -> None:
    """Limits kept by the system, for each process by itself: what it eats unseen, and no core dumps."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):  # it may have gone already
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            resource.prlimit(pid, resource.RLIMIT_DATA, (2 * memory, 2 * memory))


def _reap(process: subprocess.Popen[bytes], deadline: float) -> int:
    """Wait for the process until the deadline. If it ended in this time: the most memory it used, in bytes."""
    pause = 0.0005
    while process.returncode is None:
        try:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:  # somebody else waited for it
            process.returncode = 0
            break
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_maxrss * 1024
        if time.monotonic() >= deadline:
            break
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return 0


def _end(process: subprocess.Popen[bytes], tree: ProcessTree, owner: int, launch: Launch) -> None:
    """Kill what is left of the process tree and wait for the process; also when the interpreter exits."""
    if os.getpid() != owner:  # a fork of the process that started it
        return
    tree.kill()
    wakener.release(process.pid)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
    _reap(process, time.monotonic() + PATIENCE)
    launch.clean()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
