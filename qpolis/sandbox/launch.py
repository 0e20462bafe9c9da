"""The start of one untrusted child process, in a jail or without: its streams, its environment, why it failed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace

from qpolis.engine.results import CRASH
from qpolis.errors import QpolisError, one_line
from qpolis.sandbox.jail import Jail

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)  # the machine's fault, not the program's
NO_JAIL = "no sandbox:"  # how the launcher begins to say that there is none


class Forfeit(Exception):
    """A seat loses its game: `end` is an index of ENDS, `reason` one printable line, `trace` all there is to say
    about it: the traceback of a bot in Python, or what a program wrote to standard error before it ended."""

    def __init__(self, end: int, reason: str, trace: str = "") -> None:
        self.end = end
        self.reason = one_line(reason)
        self.trace = trace
        super().__init__(self.reason)


class Launch:
    """How a program is started, and what has to be removed when it has ended. The launcher of a jail says over a
    pipe of its own why nothing was started: the program cannot speak there."""

    def __init__(
        self, jail: Jail | None, command: Sequence[str], cores: tuple[int, ...], memory: int, files: Sequence[int]
    ) -> None:
        self._jail = replace(jail, cores=cores) if jail else None
        self._command = list(command)
        self._memory = memory
        self._files = tuple(files)
        self._folder: str | None = None
        self._report = -1

    def start(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """The process, in a session of its own, with pipes; `environment` is added to what it has anyway."""
        jail, command, files = self._jail, self._command, self._files
        inherited: Mapping[str, str] = _our_environment()
        report = -1
        try:
            if jail:
                self._folder = jail.folder()
                inherited = jail.variables(self._folder)
                self._report, report = os.pipe()
                os.set_blocking(self._report, False)
                command = jail.command(command, self._folder, self._memory, files, report)
                files = (*files, report)
            return subprocess.Popen(
                command,
                bufsize=0,
                start_new_session=True,
                pass_fds=files,
                env={**inherited, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except BaseException as error:
            self.clean()
            raise self._why(error) from None
        finally:
            if report >= 0:
                os.close(report)

    def _why(self, error: BaseException) -> BaseException:
        """What to raise for an error of the start."""
        if isinstance(error, OSError) and error.errno in EXHAUSTED:
            return QpolisError(f"no more processes can be started: {error.strerror}")
        if isinstance(error, OSError | ValueError):
            why = getattr(error, "strerror", None) or str(error)
            return Forfeit(CRASH, f"cannot be started: {self._command[0]}: {why}")
        return error

    def failure(self) -> str:
        """Why the program was not started in its jail, empty if it was; QpolisError if there is no jail, which is
        not the program's fault."""
        said = b""
        if self._report >= 0:
            with contextlib.suppress(BlockingIOError):
                said = os.read(self._report, 4096)
        why = one_line(said.decode("utf-8", "replace").strip())
        if why.startswith(NO_JAIL):
            raise QpolisError(f"a bot cannot be started: {why}")
        return why

    def clean(self) -> None:
        """Remove what the start made; the program has ended."""
        if self._report >= 0:
            os.close(self._report)
            self._report = -1
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _our_environment() -> dict[str, str]:
    """Our environment without Ray's part of it: its token opens the cluster that plays."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
