"""Numbered steps of a check, as `qpolis check` and `qpolis check-game` print them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step and how it went; passed is None if it could not be done or has no meaning here."""

    number: int
    title: str
    passed: bool | None
    detail: str

    def __str__(self) -> str:
        word = {True: "ok", False: "FAIL", None: "-"}[self.passed]
        return f"{f'{self.number} {self.title}':<48} {word:<4}  {self.detail}".rstrip()


class Fails(Exception):
    """A step fails; the message says why."""
