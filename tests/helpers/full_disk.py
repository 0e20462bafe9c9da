"""A disk that is full after so many bytes."""

from __future__ import annotations

import errno


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
