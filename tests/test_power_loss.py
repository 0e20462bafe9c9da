"""Power loss and failing disks: what was acknowledged stays, and a file is the old or the new one."""

from __future__ import annotations

import errno
import io
import os

import numpy as np
import pytest

from helpers.tourneys import TABLES, plan_of, play_cup, silent
from qpolis import files
from qpolis.errors import QpolisError
from qpolis.files import write_file
from qpolis.report.finish import finish
from qpolis.tourney import journal
from qpolis.tourney.chunk import MARK, MARK_AT
from qpolis.tourney.journal import DAMAGED, TORN, ZEROED, Journal, find_damages, records
from qpolis.tourney.run import JOURNAL, Run
from qpolis.tourney.schedule import WorkerPool

DIGEST = "0123456789abcdef" * 4
SECTOR = 512


def part(number: int, size: int) -> bytes:
    """Content like that of a chunk, of bytes that are not zero."""
    filling = np.random.default_rng(number).integers(1, 256, size, np.uint8).tobytes()
    return b"\0" * MARK_AT + MARK + filling


PARTS = [part(number, size) for number, size in enumerate((40, 700, 1500, 300))]


class Disk:
    """Records what a journal writes and syncs; the call with the number `fails` raises, or writes a part only."""

    def __init__(self, monkeypatch, fails=None, error=errno.EIO, short=False):
        self.calls = 0
        self.fails, self.error, self.short = fails, error, short
        self.moments: list[tuple[bytes, bytes, int]] = []  # on disk for certain, written, records acknowledged
        self.synced = b""
        self.acknowledged = 0
        disk = self

        class File(io.FileIO):
            def write(self, content):
                if disk.call():
                    if not disk.short:
                        raise OSError(disk.error, os.strerror(disk.error))
                    content = content[: max(1, len(content) // 2)]
                count = super().write(content)
                disk.note(self.name)
                return count

        def opened(path, mode="r", buffering=-1, **more):
            return File(path, mode) if mode == "r+b" else open(path, mode, buffering, **more)

        def sync(book, real=Journal._sync):
            if disk.call():
                raise OSError(disk.error, os.strerror(disk.error))
            disk.note(book.path)
            real(book)
            disk.synced = book.path.read_bytes()
            disk.note(book.path)

        monkeypatch.setattr(journal, "open", opened, raising=False)
        monkeypatch.setattr(Journal, "_sync", sync)

    def call(self) -> bool:
        self.calls += 1
        return self.calls - 1 == self.fails

    def note(self, path) -> None:
        with open(path, "rb") as file:
            self.moments.append((self.synced, file.read(), self.acknowledged))


def play(path, disk) -> None:
    book = Journal(path, DIGEST)
    try:
        for content in PARTS:
            book.append(content)
            disk.acknowledged += 1
    finally:
        book.close()


def after_power_loss(synced: bytes, written: bytes, rng) -> bytes:
    """What may be on the disk: a sector that was not synced is there, or zeros, or another one."""
    left = bytearray(written)
    starts = list(range(len(synced) - len(synced) % SECTOR, len(written), SECTOR))
    for start in starts:
        place = slice(max(start, len(synced)), min(start + SECTOR, len(written)))
        kind = rng.integers(3)
        if kind == 1:
            left[place] = bytes(place.stop - place.start)
        elif kind == 2:
            other = int(rng.choice(starts))
            moved = written[max(other, len(synced)) : other + SECTOR]
            left[place] = moved[: place.stop - place.start].ljust(place.stop - place.start, b"\0")
    if rng.random() < 0.3:
        del left[int(rng.integers(len(synced), len(left) + 1)) :]
    return bytes(left)


def test_a_power_loss_at_any_moment_keeps_all_that_was_acknowledged(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        disk = Disk(patch)
        play(tmp_path / "journal.bin", disk)
    assert len(disk.moments) == 2 + 3 * len(PARTS)  # before and after each sync, and after each write
    rng = np.random.default_rng(1)
    for number, (synced, written, acknowledged) in enumerate(disk.moments):
        for _ in range(15):
            path = tmp_path / f"loss-{number}.bin"
            content = after_power_loss(synced, written, rng)
            path.write_bytes(content)
            book = Journal(path, DIGEST)
            book.append(part(9, 10))
            book.close()
            kept = list(records(path))
            assert kept[:acknowledged] == PARTS[:acknowledged]
            assert kept[-1] == part(9, 10)
            assert kept[:-1] in (PARTS[:acknowledged], PARTS[: acknowledged + 1])
            assert find_damages(path) == []
            for damage, copy in book.mended:
                lost = content[damage.start : damage.start + damage.size]
                assert copy.read_bytes() == lost
                assert damage.kind == (TORN if lost.strip(b"\0") else ZEROED)
                copy.unlink()


def test_damage_between_records_is_told_from_what_is_torn_or_zeroed(tmp_path):
    path = tmp_path / "journal.bin"
    book = Journal(path, DIGEST)
    ends = []
    for content in PARTS:
        book.append(content)
        ends.append(path.stat().st_size)
    book.close()
    whole = path.read_bytes()
    for content, kind in (
        (whole[: ends[1]] + bytes(ends[2] - ends[1]) + whole[ends[2] :], DAMAGED),
        (whole[: ends[2]] + bytes(ends[3] - ends[2]), ZEROED),
        (whole[:-1], TORN),
    ):
        path.write_bytes(content)
        assert [damage.kind for damage in find_damages(path)] == [kind]


CALLS = 1 + 2 * len(PARTS)  # a sync when it is opened, then a write and a sync a record


@pytest.mark.parametrize("fails", range(CALLS))
@pytest.mark.parametrize(
    ("error", "short"), [(errno.ENOSPC, False), (errno.EIO, False), (errno.EIO, True)], ids=["full", "io", "short"]
)
def test_a_call_that_fails_costs_no_record_that_was_acknowledged(tmp_path, monkeypatch, fails, error, short):
    path = tmp_path / "journal.bin"
    with monkeypatch.context() as patch:
        disk = Disk(patch, fails, error, short)
        if short and fails % 2 == 1:  # the rest is written by another call
            play(path, disk)
        else:
            with pytest.raises(QpolisError, match=f"cannot be written: {os.strerror(error)}"):
                play(path, disk)
    acknowledged = PARTS[: disk.acknowledged]
    assert list(records(path)) == acknowledged
    assert find_damages(path) == []
    Journal(path, DIGEST).close()
    assert list(records(path)) == acknowledged


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    return play_cup(tmp_path_factory.mktemp("cup") / "run")


@pytest.mark.usefixtures("unreported")
@pytest.mark.parametrize("seed", range(4))
def test_a_run_resumed_after_a_power_loss_ends_with_the_same_bytes(cup, tmp_path, seed):
    rng = np.random.default_rng(seed)
    written = (cup / JOURNAL).read_bytes()
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "plan.toml").write_bytes((cup / "plan.toml").read_bytes())
    synced = len(journal.heading(plan_of().digest))
    (folder / JOURNAL).write_bytes(after_power_loss(written[:synced], written, rng))
    with Run.resume(folder, {}) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 1.0, 1)
    for name in TABLES:
        assert (folder / name).read_bytes() == (cup / name).read_bytes()


# -- files that are there whole or not at all ------------------------------------------------------------------


@pytest.mark.parametrize("step", ["open", "fsync", "replace", "sync_folder"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_is_old_or_new_whichever_step_fails(tmp_path, monkeypatch, step, error, old):
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)

    def fail(*_, **__):
        raise OSError(error, os.strerror(error))

    with monkeypatch.context() as patch:
        patch.setattr(files if step in ("open", "sync_folder") else os, step, fail, raising=False)
        with pytest.raises(QpolisError, match=f"cannot be written: {os.strerror(error)}"):
            write_file(path, [b"new ", b"content"])
    found = path.read_bytes() if path.exists() else None
    assert found == (b"new content" if step == "sync_folder" else old)
    assert [name for name in os.listdir(tmp_path) if name != "file"] == []


def test_content_that_fails_half_way_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def content():
        yield b"new"
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(QpolisError, match="cannot be written"):
        write_file(path, content())
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_is_on_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    steps = []
    for name, real in (("fsync", os.fsync), ("replace", os.replace)):

        def note(*given, name=name, real=real):
            steps.append(name)
            return real(*given)

        monkeypatch.setattr(os, name, note)
    write_file(tmp_path / "file", b"content")
    assert steps == ["fsync", "replace", "fsync"]
