"""What a bot prints, for people: line by line, in printable characters, and no more than somebody can want."""

from __future__ import annotations

from collections.abc import Callable

from qpolis.errors import printable

LONGEST_LINE = 2000  # characters of a line that are shown
Hear = Callable[[str], None]  # called with each line


class OutputLines:
    """Cuts what comes in pieces into lines."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._begun = b""  # a line whose end has not come

    def feed(self, piece: bytes) -> None:
        *lines, rest = piece.split(b"\n")
        for line in lines:
            self._say(self._begun + line)
            self._begun = b""
        self._begun = (self._begun + rest)[: LONGEST_LINE * 4 + 1]  # a character has at most 4 bytes

    def end(self) -> None:
        """There is nothing more to come: the last line may lack its end."""
        if self._begun:
            self._say(self._begun)
            self._begun = b""

    def _say(self, line: bytes) -> None:
        text = printable(line.decode("utf-8", "replace").rstrip("\r"))
        self._hear(text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} ...")
