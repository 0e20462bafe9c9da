"""What is asked of a tournament or a question: the keys of a file, if one is named, with what is given instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from qpolis.balance.question import Question, ask, read_question
from qpolis.balance.search import Search, read_search, seek
from qpolis.errors import QpolisError
from qpolis.registry.examples import QUESTIONS, TOURNAMENTS, definition
from qpolis.tourney.definition import define, read_definition
from qpolis.tourney.plan import Plan, make_plan
from qpolis.tourney.schema import overridden

Made = TypeVar("Made")
Keys = Mapping[str, Any]


def planned(file: Path | None, keys: Keys) -> Plan:
    """The plan of a tournament that is defined in a file, or by keys alone."""
    given = read_definition(definition(file, TOURNAMENTS)) if file else {}
    return made_of(file, lambda asked: make_plan(define(asked)), given, keys)


def asked_question(file: Path | None, keys: Keys) -> Question:
    """The same for a question about balance."""
    return made_of(file, ask, read_question(definition(file, QUESTIONS)) if file else {}, keys)


def asked_search(file: Path | None, keys: Keys) -> Search:
    """The same for a search for a mix."""
    return made_of(file, seek, read_search(definition(file, QUESTIONS)) if file else {}, keys)


def made_of(file: Path | None, make: Callable[[Keys], Made], given: Keys, keys: Keys) -> Made:
    """What is made of the keys of a file and of others, which override them. What is wrong with the file alone is
    told with its name."""
    try:
        return make(overridden(given, keys))
    except QpolisError as error:
        if file is not None and str(error) == _error_of(make, given):
            raise QpolisError(f"{file}: {error}") from None
        raise


def _error_of(make: Callable[[Keys], Any], given: Keys) -> str:
    try:
        make(given)
    except QpolisError as error:
        return str(error)
    return ""
