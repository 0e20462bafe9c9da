"""What is in a Python file, found out in a process of its own: qpolis never runs a user's code in its own."""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from qpolis.errors import QpolisError, one_line, unknown
from qpolis.parameters import Parameter
from qpolis.sandbox import host, levels
from qpolis.sandbox.bot_jail import bot_jail
from qpolis.sandbox.child_process import ChildProcess, DeadlinePassed
from qpolis.sandbox.launch import Forfeit
from qpolis.sandbox.loading import NEEDED, is_path
from qpolis.sandbox.program import COMPILING

HOST = host.COMMAND
PATIENCE = 60.0  # seconds that a file may take to load
MEMORY = 2 << 30
Found = TypeVar("Found")


@dataclass(frozen=True)
class BotDescription:
    """A bot in a Python file: a class ("python") or a policy ("kernel")."""

    name: str
    kind: str
    help: str
    parameters: dict[str, Parameter]


def bot_of_file(
    origin: str, reference: str, attribute: str | None = None, sandbox: str = levels.AUTO, label: str = ""
) -> BotDescription:
    """The bot of this name in a file or module; without a name, the only one. `label`: what to call a file or
    module that cannot be loaded, if not `origin`."""
    return choose_bot(origin, inspect(label or origin, reference, sandbox=sandbox), attribute)


def choose_bot(origin: str, bots: Mapping[str, Found], attribute: str | None) -> Found:
    """The one of this name; without a name, the only one."""
    if not bots:
        raise QpolisError(f"{origin}: no bot in it: {NEEDED}")
    if attribute is None and len(bots) == 1:
        return next(iter(bots.values()))
    if attribute is None:
        listed = ", ".join(f"{origin}:{name}" for name in bots)
        raise QpolisError(f"{origin}: several bots, say which: {listed}")
    if attribute not in bots:
        raise unknown(f"bot of {origin}", attribute, bots)
    return bots[attribute]


def bot_of_package(origin: str, reference: str, attribute: str, sandbox: str = levels.AUTO) -> BotDescription:
    """The bot that an installed package offers, which may have been defined elsewhere."""
    return inspect(origin, reference, attribute, sandbox)[attribute]


def inspect(
    origin: str, reference: str, attribute: str | None = None, sandbox: str = levels.AUTO
) -> dict[str, BotDescription]:
    """The bots of a file or module by their names. `origin` is what to call it in errors."""
    try:
        stamp = _stamp(Path(reference)) if is_path(reference) else ""
    except OSError as error:
        raise QpolisError(f"{origin}: cannot be read: {error.strerror}") from None
    report = _report(reference, attribute, stamp, levels.choose(sandbox))
    if "error" in report:
        raise QpolisError(f"{origin}: {one_line(str(report['error']))}")
    try:
        bots = [
            BotDescription(
                one_line(bot["name"]),
                bot["kind"],
                one_line(bot["help"]),
                {one_line(key): _parameter(value) for key, value in bot["parameters"].items()},
            )
            for bot in report["bots"]
        ]
    except (KeyError, TypeError, AttributeError):  # code in the file spoke in the host's place
        raise QpolisError(f"{origin}: says nonsense about its bots") from None
    return {bot.name: bot for bot in bots}


def _parameter(told: dict[str, Any]) -> Parameter:
    """A parameter as the host describes it, without lines that would break a list."""
    choices = [one_line(choice) if isinstance(choice, str) else choice for choice in told["choices"]]
    return Parameter(**{**told, "help": one_line(told["help"]), "choices": tuple(choices)})


def _stamp(path: Path) -> str:
    """A digest of the file and the Python files beside it, which may be its helpers."""
    digest = hashlib.sha256(path.read_bytes())
    for helper in sorted(path.parent.glob("*.py")):
        if helper.is_file():
            digest.update(helper.read_bytes())
    return digest.hexdigest()


@functools.cache
def _report(reference: str, attribute: str | None, stamp: str, level: str | None) -> dict[str, Any]:
    """What the host says about a file with this content."""
    command = [*HOST, "--inspect", reference, *([attribute] if attribute else [])]
    jail = bot_jail(level, [*HOST, reference]) if level else None
    try:
        with ChildProcess(command, MEMORY, jail=jail) as child:
            report = json.loads(child.line(time.monotonic() + PATIENCE))
            if report == {"type": "compiling"}:
                report = json.loads(child.line(time.monotonic() + COMPILING * PATIENCE))
    except DeadlinePassed:
        return {"error": f"did not load within {PATIENCE:g} s"}
    except Forfeit as forfeit:
        return {"error": f"did not load: {forfeit.reason}"}
    except ValueError:
        report = None
    return report if isinstance(report, dict) else {"error": "says nonsense about its bots"}
