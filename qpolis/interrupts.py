"""Signals that end a command in order: none of them is lost.

Python raises the exception of a signal wherever the main thread is just then. If that is in a `__del__`, or in a
callback of a weak reference or of the import system, it is printed and forgotten, and the command would go on; if
it is where processes are ended or records are written, half of that is left undone. So a signal is noted, and
whatever runs long asks between two steps whether one has come (`check`). While games are played and kept (`hold`)
that is all; else, where nobody may ask for long, such as in a compiler, the exception is raised as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

SIGNALS = tuple(number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)))
INTERRUPTED = 128 + signal.SIGINT  # exit code
_noted = 0  # the signal that ends this command; 0 while none has come
_held = 0  # how many times `hold` is open
_command = True  # is this process a command? Then a second Ctrl-C ends it at once


def check() -> None:
    """Raise what the signal that has come was to raise."""
    if _noted:
        raise _exception(_noted)


def _exception(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


def _handle(number: int, _: Any) -> None:
    global _noted
    if _command and number == signal.SIGINT == _noted:  # a second Ctrl-C
        os._exit(INTERRUPTED)
    _noted = number
    if not _held:
        raise _exception(number)


@contextlib.contextmanager
def listen(command: bool = True) -> Iterator[None]:
    """Within this, signals raise KeyboardInterrupt or SystemExit, at once or else at the next `check`. Those that
    are ignored, as in a process in the background, stay so. If this process is not a `command` but a notebook or
    somebody's program, only Ctrl-C is meant, and no number of them ends the process."""
    global _noted, _command
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _noted, _command = 0, command
    hook = sys.unraisablehook

    def report(lost: Any) -> None:
        if not (_noted and isinstance(lost.exc_value, KeyboardInterrupt | SystemExit)):
            hook(lost)

    before = {number: signal.getsignal(number) for number in (SIGNALS if command else [signal.SIGINT])}
    sys.unraisablehook = report
    for number in before:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, _handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
        _noted, _command = 0, True


@contextlib.contextmanager
def hold() -> Iterator[None]:
    """Within this, signals that `listen` waits for are noted only, and raised by the next `check`; one is at the
    end."""
    global _held
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _held += 1
    try:
        yield
    finally:
        _held -= 1
    check()


@contextlib.contextmanager
def defer() -> Iterator[None]:
    """Within this, signals wait. Handlers that others put in place of ours are undone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def wait(number: int, _: Any) -> None:
        if _command and number == signal.SIGINT and (_noted == number or number in waiting):
            os._exit(INTERRUPTED)  # a second Ctrl-C
        waiting.append(number)

    before = {number: signal.signal(number, wait) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if waiting:
        signal.raise_signal(waiting[0])
