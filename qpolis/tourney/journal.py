"""The journal of a run: an append-only file of finished chunks, each with a checksum.

What is not a whole record (`Damage`) is passed over by whoever reads: records behind it count. Who goes on with
the run takes it out, keeps a copy beside, and its games are played again. All else in the folder of a run is
made from the plan and the journal.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from qpolis.errors import QpolisError
from qpolis.files import open_file, sync_folder, write_file
from qpolis.tourney.chunk import MARK, MARK_AT

MAGIC = b"qpolis journal 1\n"
HEAD = struct.Struct("<II")  # length and CRC-32 of a record
TORN, ZEROED, DAMAGED = "torn", "zeroed", "damaged"
AT_A_TIME = 1 << 20  # bytes that are searched for a record


class Damage(NamedTuple):
    """Bytes of a journal that are no record."""

    start: int
    size: int
    kind: str  # TORN: a last record, not whole; ZEROED: zeros up to the end; DAMAGED: there are records behind it

    def __str__(self) -> str:
        return {
            TORN: f"its last {self.size:,} bytes are a record that was not written to its end",
            ZEROED: f"its last {self.size:,} bytes are nothing but zeros",
            DAMAGED: f"{self.size:,} bytes from {self.start:,} on are damaged",
        }[self.kind]


class Record(NamedTuple):
    """A whole record."""

    start: int
    end: int  # where the next one begins
    content: bytes


class Journal:
    """The file, open for appending. `digest` is that of the plan it belongs to."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        start = heading(digest)
        self.mended: list[tuple[Damage, Path]] = []  # what was taken out, and where it is kept
        if path.is_symlink():
            raise QpolisError(f"{path}: is a link: nothing is written through it")
        try:
            if not path.exists() or check_heading(path, digest):
                path.write_bytes(start)
                sync_folder(path.parent)
            damages = find_damages(path)
            if damages:
                self.mended = [(damage, keep_copy(path, damage)) for damage in damages]
                mend(path, start, damages)
            self._file: IO[bytes] = open(path, "r+b", buffering=0)  # noqa: SIM115 (closed by close)
            self._end = path.stat().st_size
            try:
                self._sync()
            except OSError:
                self._file.close()
                raise
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
            with contextlib.suppress(OSError):  # or it is found torn when the run goes on
                self._file.truncate(self._end)
            raise QpolisError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._end += len(record)

    def close(self) -> None:
        self._file.close()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())


def heading(digest: str) -> bytes:
    return MAGIC + digest.encode() + b"\n"


def check_heading(path: Path, digest: str) -> bool:
    """Refuse a journal of another plan. True if it ends in its heading, or in zeros that a power cut left: the run
    was stopped as it began, and has no record."""
    start = heading(digest)
    with open_to_read(path) as file:
        found = file.read(len(start))
        begun = found.rstrip(b"\0")
        if len(begun) < len(start) and start.startswith(begun) and is_zeros(file, len(found), size_of(file)):
            return True
    if not found.startswith(MAGIC):
        raise QpolisError(f"{path}: not a journal of qpolis")
    if found != start:
        raise QpolisError(f"{path}: belongs to another plan than {path.parent / 'plan.toml'}, which was changed")
    return False


def open_to_read(path: Path) -> IO[bytes]:
    try:
        return open_file(path)
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None


# -- reading -----------------------------------------------------------------------------------------------


def records(path: Path) -> Iterator[bytes]:
    """The contents of all whole records, one by one."""
    for record in whole_records(path):
        yield record.content


def whole_records(path: Path) -> Iterator[Record]:
    """All whole records, one by one."""
    for piece in pieces(path):
        if isinstance(piece, Record):
            yield piece


def read_again(path: Path, start: int) -> bytes:
    """The content of the record that was found there before."""
    with open_to_read(path) as file:
        found = record_at(file, start, size_of(file))
    if found is None:
        raise QpolisError(f"{path}: has changed while it was read")
    return found.content


def find_damages(path: Path) -> list[Damage]:
    return [piece for piece in pieces(path) if isinstance(piece, Damage)]


def pieces(path: Path) -> Iterator[Record | Damage]:
    """All that stands behind the heading."""
    with open_to_read(path) as file:
        file.readline()
        file.readline()
        at, size = file.tell(), size_of(file)
        while at < size:
            found = record_at(file, at, size)
            if found is not None:
                yield found
                at = found.end
            else:
                end = next_record(file, at + 1, size)
                kind = DAMAGED if end < size else ZEROED if is_zeros(file, at, size) else TORN
                yield Damage(at, end - at, kind)
                at = end


def record_at(file: IO[bytes], at: int, size: int) -> Record | None:
    """The whole record that begins there, if one does."""
    file.seek(at)
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    length, crc = HEAD.unpack(head)
    end = at + HEAD.size + length
    if end > size or length < MARK_AT + len(MARK):
        return None
    content = file.read(length)
    return Record(at, end, content) if zlib.crc32(content) == crc and len(content) == length else None


def next_record(file: IO[bytes], at: int, size: int) -> int:
    """Where the next whole record begins, or the end of the file: every chunk has its mark at the same place."""
    ahead = HEAD.size + MARK_AT
    while at < size:
        file.seek(at + ahead)
        part = file.read(AT_A_TIME + len(MARK) - 1)
        place = part.find(MARK)
        while place >= 0:
            if record_at(file, at + place, size) is not None:
                return at + place
            place = part.find(MARK, place + 1)
        at += AT_A_TIME
    return size


def bytes_of(file: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """What stands there, part by part."""
    file.seek(start)
    while start < end and (part := file.read(min(AT_A_TIME, end - start))):
        start += len(part)
        yield part


def is_zeros(file: IO[bytes], start: int, end: int) -> bool:
    return not any(part.strip(b"\0") for part in bytes_of(file, start, end))


def size_of(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


# -- mending -----------------------------------------------------------------------------------------------


def keep_copy(path: Path, damage: Damage) -> Path:
    """What is about to be taken out of a journal, in a file beside it."""
    copy, number = path.with_name(f"journal-cut-{damage.start}.bin"), 1
    while copy.exists() or copy.is_symlink():
        number += 1
        copy = path.with_name(f"journal-cut-{damage.start}-{number}.bin")
    with open_to_read(path) as file:
        return write_file(copy, bytes_of(file, damage.start, damage.start + damage.size))


def mend(path: Path, start: bytes, damages: list[Damage]) -> None:
    """Take out what is no record: cut off at the end, or else by a new file with all records in place of it."""
    if damages[0].kind != DAMAGED:
        os.truncate(path, damages[0].start)
        return

    def whole() -> Iterator[bytes]:
        yield start
        for content in records(path):
            yield HEAD.pack(len(content), zlib.crc32(content)) + content

    write_file(path, whole())
