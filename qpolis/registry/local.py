"""Bots of others inside this process, for people who debug a bot of their own: a debugger, `print` and tracebacks
work. There is no sandbox, and nothing has a limit. Nothing that is kept is ever played so."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from qpolis.errors import QpolisError
from qpolis.parameters import declared
from qpolis.policy import ConfiguredPolicy
from qpolis.registry import finder
from qpolis.registry.spec import Entrant, changed_values, resolve, spec_text, split
from qpolis.sandbox import loading
from qpolis.sandbox.inspection import choose_bot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

IN_PROCESS = "python, in this process"


@dataclass(frozen=True)
class LocalBot:
    """A class of bots in this process, with the values of its parameters."""

    made: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)


def local_entrant(bot: str | type) -> Entrant:
    """The bot that a spec names, or a class, to play in this process. What its file raises passes through. Shipped
    bots, and programs, are as always."""
    if isinstance(bot, type):
        if not loading.is_bot(bot):
            raise QpolisError(f"{bot.__name__} is not a bot: {loading.NEEDED}")
        return _local(bot.__name__, "this session", bot, {})
    reference, attribute, given = split(bot.strip())
    candidate = finder.find(reference)
    if candidate.form != finder.PYTHON:
        return resolve(bot)
    if candidate.attribute is not None:
        made, name = loading.load(candidate.reference, candidate.attribute), candidate.name
    else:
        bots = dict(loading.bots_in(_module(candidate.reference)))
        made = choose_bot(candidate.name, bots, attribute)
        own = next(name for name in bots if bots[name] is made)
        name = candidate.name if len(bots) == 1 else f"{candidate.name}:{own}"
    return _local(name, candidate.origin, made, given)


def _module(reference: str) -> Any:
    """A file of bots as it is now, loaded as its own process would; nothing else is changed here."""
    writes_bytecode = sys.dont_write_bytecode
    try:
        return loading.load_module(reference)
    finally:
        sys.dont_write_bytecode = writes_bytecode


def _local(name: str, origin: str, made: Any, given: Mapping[str, Any]) -> Entrant:
    if not isinstance(made, type):  # a policy
        values = changed_values(name, made.parameters, given)
        configured = ConfiguredPolicy(made, made.params(values))
        return Entrant(spec_text(name, values), "kernel", origin, made.help, values, shipped=configured)
    values = changed_values(name, takes := declared(getattr(made, "PARAMETERS", {})), given)
    whole = {key: values.get(key, parameter.value(key, parameter.default)) for key, parameter in takes.items()}
    spec = spec_text(name, values)
    return Entrant(spec, IN_PROCESS, origin, made.__doc__ or "", values, local=LocalBot(made, whole))
