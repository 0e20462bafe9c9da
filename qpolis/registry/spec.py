"""Bot specs: the texts that name bots, such as `mcts:sims=800`, `./my_bot.py:Bold` or `./program:depth=3`.

    NAME, or a PATH with a separator in it        what to play
    :CLASS                                        which bot of a Python file, if it has several
    :KEY=VALUE:KEY=VALUE                          parameters
    :model=NAME  :model=FILE  :model=none         what a shipped bot that learns has learned (docs/learning.md)
    :forbid=KIND+KIND  :favor=KIND+KIND           buildings that a shipped bot never builds, or likes to build

The canonical text of a spec is the same for all ways to write it: parameters in the order they are declared,
values in their shortest form, defaults left out, paths from the working directory. So equal texts play equally.
"""

from __future__ import annotations

import importlib
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qpolis.errors import QpolisError
from qpolis.files import is_path
from qpolis.models.finder import AUTO as AUTO_MODEL
from qpolis.parameters import Parameter, checked, value_text
from qpolis.policy import HABITS, ConfiguredPolicy, Habits, Policy
from qpolis.registry import finder
from qpolis.sandbox import inspection
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Program

MODEL = "model"  # the parameter that says what a shipped bot has learned
EXACT = 1 << 53  # whole numbers below it are the same in every language
KINDS = {"shipped": "compiled", "kernel": "compiled", "python": "Python", "program": "program"}


@dataclass(frozen=True)
class Entrant:
    """A bot that can play: a shipped policy (`shipped`), or a program, which may run a compiled policy."""

    spec: str  # canonical
    kind: str  # of KINDS
    origin: str  # where it is, for people
    help: str
    parameters: Mapping[str, Any]  # given, and not the default
    source: str = ""  # the file or module that a bot which is not shipped is in
    shipped: ConfiguredPolicy | None = None
    program: Program | None = None
    local: Any = None  # a `LocalBot`, for debugging


def resolve(text: str, sandbox: str = AUTO) -> Entrant:
    """The bot that a spec names. The file of a bot of others is looked at in a sandbox."""
    reference, attribute, given = split(text)
    candidate = finder.find(reference)
    if candidate.form != finder.PYTHON and attribute is not None:
        raise QpolisError(f"bot {text!r}: {attribute!r} is not of the form KEY=VALUE")
    if candidate.form == finder.PYTHON:
        return _python(candidate, attribute, given, sandbox)
    return (_shipped if candidate.form == finder.SHIPPED else _program)(candidate, given)


def split(text: str) -> tuple[str, str | None, dict[str, str]]:
    """A spec in its parts: name or path, class, parameters."""
    reference, *parts = text.split(":")
    if is_path(text) and not os.path.exists(reference):
        _check_colons(reference, parts)
    attribute = parts.pop(0) if parts and "=" not in parts[0] else None
    if attribute == "":
        raise QpolisError(f"bot {text!r}: nothing between or after its ':'")
    given: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise QpolisError(f"bot {text!r}: {part!r} is not of the form KEY=VALUE")
        if key in given:
            raise QpolisError(f"bot {text!r}: the parameter {key} is given twice")
        given[key] = value
    return reference, attribute, given


def _check_colons(reference: str, parts: list[str]) -> None:
    path = reference
    for part in parts:
        path = f"{path}:{part}"
        if os.path.exists(path):
            raise QpolisError(f"{path}: a path in a bot spec cannot have a ':' in it, which begins a parameter")


def policy_of(candidate: finder.Candidate) -> Policy:
    """The policy of a shipped bot."""
    policy: Policy = getattr(importlib.import_module(candidate.reference), candidate.name)
    return policy


def _shipped(candidate: finder.Candidate, given: Mapping[str, str]) -> Entrant:
    policy = policy_of(candidate)
    habits = Habits.parse({key: given[key] for key in HABITS if key in given})
    model = given.get(MODEL, AUTO_MODEL) if policy.learns else AUTO_MODEL
    apart = (*HABITS, MODEL) if policy.learns else HABITS
    own = {key: given[key] for key in given if key not in apart}
    values = changed_values(candidate.name, policy.parameters, own)
    named = {} if model == AUTO_MODEL else {MODEL: model}
    text = spec_text(candidate.name, {**values, **named, **habits.texts()})
    return Entrant(
        text,
        "shipped",
        candidate.origin,
        policy.help,
        values,
        shipped=ConfiguredPolicy(policy, policy.params(values), habits, model),
    )


def _python(candidate: finder.Candidate, attribute: str | None, given: Mapping[str, str], sandbox: str) -> Entrant:
    if candidate.attribute is not None:
        if attribute is not None:
            raise QpolisError(f"bot {candidate.name!r}: {attribute!r} is not of the form KEY=VALUE")
        bot = inspection.bot_of_package(candidate.label, candidate.reference, candidate.attribute, sandbox)
        name = candidate.name
    else:
        bot = inspection.bot_of_file(candidate.name, candidate.reference, attribute, sandbox, candidate.label)
        alone = len(inspection.inspect(candidate.label, candidate.reference, sandbox=sandbox)) == 1
        name = candidate.name if alone else f"{candidate.name}:{bot.name}"
    values = changed_values(name, bot.parameters, given)
    program = Program((*inspection.HOST, candidate.reference, bot.name), values, bot.kind == "kernel")
    return Entrant(
        spec_text(name, values),
        bot.kind,
        candidate.origin,
        bot.help,
        values,
        candidate.reference,
        program=program,
    )


def _program(candidate: finder.Candidate, given: Mapping[str, str]) -> Entrant:
    values = {key: _value(given[key]) for key in sorted(given)}  # only the program knows which ones there are
    return Entrant(
        spec_text(candidate.name, values),
        "program",
        candidate.origin,
        "",
        values,
        candidate.reference,
        program=Program((candidate.reference,), values),
    )


def changed_values(bot: str, parameters: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values, in the order of the declarations, of the parameters that are not what they are by default."""
    values = checked(f"parameter of {bot}", parameters, given)
    return {
        name: value
        for name, value in values.items()
        if value != parameters[name].value(name, parameters[name].default)
    }


def _value(text: str) -> Any:
    """A value for a program: a number, true or false, or else a text."""
    if text in ("true", "false"):
        return text == "true"
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return text
    number = float(text)
    if number.is_integer() and abs(number) < EXACT:
        return int(number)
    return number if math.isfinite(number) else text


def spec_text(name: str, values: Mapping[str, Any]) -> str:
    return ":".join([name, *(f"{key}={value_text(value)}" for key, value in values.items())])
