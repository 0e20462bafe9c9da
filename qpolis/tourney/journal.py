"""The journal of a run: an append-only file of finished chunks, each with a checksum.

A record that was torn, by a crash or a full disk, ends the journal: what follows is cut off when the run goes on,
and played again. Everything else in the folder of a run is made from the plan and the journal.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from qpolis.errors import QpolisError

MAGIC = b"qpolis journal 1\n"
DIGEST = 64  # characters of the digest of a plan
HEAD = struct.Struct("<II")  # length and CRC-32 of a record


class Journal:
    """The file, open for appending. `digest` is that of the plan it belongs to."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        start = heading(digest)
        if path.exists():
            check_heading(path, digest)
        try:
            if not path.exists() or path.stat().st_size < len(start):
                path.write_bytes(start)
            self.torn = torn_bytes(path)  # of what could not be finished
            self._end = path.stat().st_size - self.torn
            self._file: IO[bytes] = open(path, "r+b", buffering=0)  # noqa: SIM115 (closed by close)
            self._file.truncate(self._end)
            self._sync()
        except OSError as error:
            raise QpolisError(f"{path}: cannot be written: {error.strerror}") from None

    def append(self, content: bytes) -> None:
        """Add a record: after this it survives a crash of the machine. If that fails, the journal is as before."""
        record = HEAD.pack(len(content), zlib.crc32(content)) + content
        try:
            self._file.seek(self._end)
            written = 0
            while written < len(record):
                written += self._file.write(record[written:])
            self._sync()
        except OSError as error:
            self._file.truncate(self._end)
            raise QpolisError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._end += len(record)

    def close(self) -> None:
        self._file.close()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())


def torn_bytes(path: Path) -> int:
    """How many bytes at the end of a journal belong to no whole record."""
    end = len(heading("")) + DIGEST
    for end, _ in records(path):  # noqa: B007 (the last one counts)
        pass
    return max(0, path.stat().st_size - end)


def heading(digest: str) -> bytes:
    return MAGIC + digest.encode() + b"\n"


def check_heading(path: Path, digest: str) -> None:
    """Refuse a journal of another plan. One that ends in its heading is of a run that was killed as it began."""
    start = heading(digest)
    with open_to_read(path) as file:
        found = file.read(len(start))
    if not found.startswith(MAGIC) and not MAGIC.startswith(found):
        raise QpolisError(f"{path}: not a journal of qpolis")
    if not start.startswith(found):
        raise QpolisError(f"{path}: belongs to another plan than {path.parent / 'plan.toml'}, which was changed")


def open_to_read(path: Path) -> IO[bytes]:
    try:
        return open(path, "rb")
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None


def records(path: Path) -> Iterator[tuple[int, bytes]]:
    """The whole records one by one, each with the place where it ends; stops at a torn one."""
    with open_to_read(path) as file:
        file.readline()
        file.readline()
        while len(head := file.read(HEAD.size)) == HEAD.size:
            length, crc = HEAD.unpack(head)
            if length > os.fstat(file.fileno()).st_size - file.tell():
                return
            content = file.read(length)
            if zlib.crc32(content) != crc:
                return
            yield file.tell(), content
