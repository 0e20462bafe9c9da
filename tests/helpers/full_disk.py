"""Disks that are full after so many bytes, or fail at some step."""

from __future__ import annotations

import errno
import io
import os

from qpolis.tourney import journal


class FullDisk:
    """A file on a disk with room for so many more bytes."""

    def __init__(self, file, room):
        self.file = file
        self.room = room

    def write(self, part):
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = min(self.room, len(part), 7)
        self.room -= count
        return self.file.write(part[:count])

    def __getattr__(self, name):
        return getattr(self.file, name)


class FailingDisk:
    """Within this, one call of a kind fails, the one with this number, and all that follow it."""

    def __init__(self, monkeypatch, call, at):
        self.monkeypatch = monkeypatch
        self.call = call
        self.left = at

    def __enter__(self):
        self.context = self.monkeypatch.context()
        patch = self.context.__enter__()
        disk = self

        class File(io.FileIO):
            def write(self, part):
                disk.step("write")
                return super().write(part)

            def truncate(self, size=None):
                disk.step("truncate")
                return super().truncate(size)

        def opened(path, mode="r", buffering=-1, **more):
            return File(path, mode) if mode == "r+b" else open(path, mode, buffering, **more)

        def fsync(number, real=os.fsync):
            disk.step("fsync")
            real(number)

        patch.setattr(journal, "open", opened, raising=False)
        patch.setattr(os, "fsync", fsync)
        return self

    def __exit__(self, *error):
        return self.context.__exit__(*error)

    def step(self, call):
        if call == self.call:
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.EIO, "Input/output error")
