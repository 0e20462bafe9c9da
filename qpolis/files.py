"""Files that are there whole or not at all, files that people wrote, and paths as they write them."""

from __future__ import annotations

import contextlib
import csv
import difflib
import errno
import io
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from qpolis.errors import QpolisError

RESULTS = Path("results")


def write_file(path: Path, content: bytes | Iterable[bytes]) -> Path:
    """Write a file under another name, and give it its own when it is complete and on disk."""
    with whole_file(path) as file:
        for part in [content] if isinstance(content, bytes) else content:
            file.write(part)
    return path


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into, under another name; it gets its own at the end, when it is on disk. If something fails
    on the way, nothing is left."""
    half = path.with_name(f".{path.name}.part")
    try:
        half.unlink(missing_ok=True)
        with open(half, "xb") as file:  # never through a link: the folder may be somebody else's
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)
        sync_folder(path.parent)
    except OSError as error:
        raise QpolisError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            half.unlink()


def check_free(path: Path, force: bool) -> None:
    """Refuse to write over what is there, unless forced."""
    if os.path.lexists(path) and not force:
        raise QpolisError(f"{path}: is there already; --force writes over it")


def write_new(path: Path, content: bytes, force: bool) -> Path:
    """Write a file that a user asked for; over one that is there only by force."""
    check_free(path, force)
    return write_file(path, content)


def sync_folder(folder: Path) -> None:
    """Put on disk which files a folder has: until then a crash of the machine can undo a new name."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def make_folder(folder: Path) -> Path:
    """A folder that may be there already, but is no link: what is written stays where the user looks for it."""
    try:
        if folder.is_symlink():
            raise QpolisError(f"{folder}: is a link: nothing is written through it")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise QpolisError(no_folder(folder, error)) from None
    return folder


def no_folder(folder: Path, error: OSError) -> str:
    """Why a folder cannot be made: a file may be in its place, or above it."""
    for path in (folder, *folder.parents):
        if os.path.exists(path) and not os.path.isdir(path):  # unlike Path's, they bear any name
            return f"{path}: is a file, not a folder"
    return f"{folder}: cannot be made: {error.strerror}"


def read_text(path: Path, source: str, most: int, what: str) -> str:
    """The text of a file that somebody wrote, of so many bytes at most. Errors call it `source`, and say `what` it
    is not: a tile mix."""
    try:
        with open_file(path) as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise QpolisError(f"{source}: more than {most:,} bytes: not {what}")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise QpolisError(f"{source}: line {line}: not UTF-8 text") from None
    except NoFile:
        raise QpolisError(f"{source}: not a file that can be {what}") from None
    except OSError as error:
        raise QpolisError(f"{source}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the path
        raise QpolisError(f"{source!r}: cannot be read: {error}") from None


class NoFile(OSError):
    """What should be a file is something else, such as a pipe."""


def open_file(path: Path) -> IO[bytes]:
    """Open a file to read; NoFile if it is none: of a pipe, one would wait for somebody who writes into it."""
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 (closed by whoever asked)
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NoFile(errno.EINVAL, "it is not a file")


def file_lines(path: Path, longest: int, what: str) -> Iterator[str]:
    """The lines of a text file that somebody wrote, one by one, of so many bytes at most. Errors say `what` it is
    not."""
    try:
        with open_file(path) as file:
            number = 0
            while line := file.readline(longest + 1):
                number += 1
                if len(line) > longest:
                    raise QpolisError(f"{path}: line {number}: more than {longest:,} bytes: not {what}")
                try:
                    yield line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise QpolisError(f"{path}: line {number}: not UTF-8 text") from None
    except NoFile:
        raise QpolisError(f"{path}: not a file that can be {what}") from None
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def new_path(name: str, suffix: str = "") -> Path:
    """Where something goes that is made now, if nobody says where: NAME-TIME in `results/`."""
    made = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    path, number = RESULTS / f"{made}{suffix}", 1
    while path.exists():
        number += 1
        path = RESULTS / f"{made}-{number}{suffix}"
    return path


def csv_text(heading: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue()


def is_path(name: str) -> bool:
    """Is this the path of a bot or a game, and not its name?"""
    return os.sep in name or name in (".", "..")


def path_text(path: str) -> str:
    """One spelling for each file: from the working directory, or absolute if it is elsewhere."""
    near = os.path.relpath(path)
    return os.path.abspath(path) if near.split(os.sep)[0] == ".." else os.path.join(".", near)


def nearest(path: str) -> str:
    """A hint at a file beside, whose name is like the one that is missing."""
    folder, name = os.path.split(path)
    try:
        near = difflib.get_close_matches(name, os.listdir(folder), n=1)
    except (OSError, ValueError):
        return ""
    return f", did you mean {os.path.join(folder, near[0])!r}?" if near else ""
