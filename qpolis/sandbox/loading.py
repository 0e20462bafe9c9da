"""Finds the bots in a Python file or an installed module, inside the process that will run them.

Only such a process imports this: qpolis itself never loads a user's file, unless somebody debugs it
(`registry/local.py`).
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import fields
from types import ModuleType
from typing import Any

from qpolis.bot import Bot
from qpolis.errors import QpolisError, unknown
from qpolis.parameters import Parameter, declared

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 300  # characters of an error message
MOST_TRACE = 8000  # characters of a traceback
COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # as numba writes them
NEEDED = "a bot is a class with the methods observe and choose, or a function made a @policy"


def load(reference: str, attribute: str) -> Any:
    """The class or policy called `attribute` in a .py file or an installed module."""
    module = load_module(reference)
    if not hasattr(module, attribute):
        raise unknown(f"bot of {reference}", attribute, [name for name, _ in bots_in(module)])
    found = getattr(module, attribute)
    if not is_bot(found):
        raise QpolisError(f"{attribute} of {reference} is not a bot: {NEEDED}")
    return found


def load_module(reference: str) -> ModuleType:
    """Import a .py file by its path, or a module by its name."""
    if not is_path(reference):
        return importlib.import_module(reference)
    path = os.path.abspath(reference)
    sys.dont_write_bytecode = True  # leave no files in people's folders
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(_after_standard_library(), folder)  # for helpers beside the bot
    # Not the bare name of the file: a bot may be called random.py.
    name = "qpolis_bot_" + re.sub(r"\W", "_", os.path.basename(path).removesuffix(".py"))
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def is_path(reference: str) -> bool:
    return os.sep in reference or reference.endswith(".py")


def _after_standard_library() -> int:
    """The place on the search path where helpers hide installed packages, but nothing of Python's own."""
    own = [i for i, path in enumerate(sys.path) if is_standard(path)]
    return max(own, default=len(sys.path) - 1) + 1


def is_standard(path: str) -> bool:
    """Does this path belong to Python itself?"""
    return path.startswith(os.path.dirname(os.__file__)) and "-packages" not in path


def is_bot(thing: Any) -> bool:
    """Is this a class of bots, or a policy?"""
    if isinstance(thing, type):
        methods = [getattr(thing, name, None) for name in ("observe", "choose")]
        return all(callable(method) for method in methods) and methods[1] is not Bot.choose
    return is_policy(thing)


def is_policy(thing: Any) -> bool:
    module = sys.modules.get("qpolis.policy")  # not loaded: there can be no policy
    return module is not None and isinstance(thing, module.Policy)


def bots_in(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The bots that a module defines, with their names. What it imports, and names like _Base, are not meant."""
    for name, thing in vars(module).items():
        if not name.startswith("_") and is_bot(thing):
            made = thing if isinstance(thing, type) else thing.kernel
            if made.__module__ == module.__name__ and made.__name__ == name:
                yield name, thing


# -- describing them ---------------------------------------------------------------------------------------


def describe(name: str, bot: Any) -> dict[str, Any]:
    """What there is to know of a bot before it plays."""
    if isinstance(bot, type):
        kind, parameters = "python", declared(getattr(bot, "PARAMETERS", {}))
        help = "" if bot.__doc__ == Bot.__doc__ else bot.__doc__ or ""
    else:
        kind, parameters, help = "kernel", bot.parameters, bot.help
    for key, parameter in parameters.items():
        if not isinstance(parameter.default, int | float | str):
            raise QpolisError(f"parameter {key} of {name}: the default is not a number, true, false or a text")
        if not isinstance(parameter.help, str):
            raise QpolisError(f"parameter {key} of {name}: its help is not a text")
        if not all(isinstance(end, int | float) for end in (parameter.low, parameter.high)):
            raise QpolisError(f"parameter {key} of {name}: its range is not two numbers")
        if not all(isinstance(choice, int | float | str) for choice in parameter.choices):
            raise QpolisError(f"parameter {key} of {name}: its choices are not numbers, true, false or texts")
        parameter.value(key, parameter.default)
    return {
        "name": name,
        "kind": kind,
        "help": help.strip().split("\n")[0],
        "parameters": {
            key: {part.name: getattr(parameter, part.name) for part in fields(Parameter)}
            for key, parameter in parameters.items()
        },
    }


def inspect(reference: str, attribute: str | None = None) -> dict[str, Any]:
    """The bots of a file or module, or why there are none."""
    try:
        if attribute is not None:
            return {"bots": [describe(attribute, load(reference, attribute))]}
        bots = dict(bots_in(load_module(reference)))
        return {"bots": [describe(name, bot) for name, bot in bots.items()]}
    except ModuleNotFoundError as error:
        if error.name and f"{reference}.".startswith(f"{error.name}."):
            return {"error": f"there is no module {error.name}"}
        return {"error": error_text(error, reference)}
    except BaseException as error:
        return {"error": error_text(error, reference)}


def trace_text(error: BaseException) -> str:
    """The whole traceback of an exception in a bot, from the bot's own code on; empty for an error that qpolis
    raised on purpose. In the middle of a very long one something is missing."""
    if isinstance(error, QpolisError):
        return ""
    try:
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename.startswith(HERE):
            trace = trace.tb_next
        text = COLOURS.sub("", "".join(traceback.format_exception(type(error), error, trace))).strip()
    except Exception:  # a memory that is full
        return ""
    half = MOST_TRACE // 2
    return text if len(text) <= MOST_TRACE else f"{text[:half]}\n[...]\n{text[-half:]}"


def error_text(error: BaseException, reference: str) -> str:
    """An exception in one line: what, and where in the bot's own files."""
    if isinstance(error, QpolisError):
        return str(error)
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be made)"
    place = _place(error, text, reference)
    if isinstance(error, SyntaxError):
        text = error.msg
    # numba's messages are pages: what is wrong comes after a line that says in which of its steps it was found.
    lines = [line.strip() for line in COLOURS.sub("", text).split("\n")]
    lines = [line for line in lines if line and not line.startswith("Failed in ")]
    if len(lines) > 1 and lines[0].endswith(":"):
        lines[0] += " " + lines[1]
    line = ": ".join([type(error).__name__, *lines[:1]])
    return "".join(char if char.isprintable() else " " for char in line[:LONGEST]) + place


def _place(error: BaseException, text: str, reference: str) -> str:
    """Where it happened, such as ' (my_bot.py, line 12)': the innermost line of the bot's own folder."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({os.path.basename(error.filename)}, line {error.lineno})"
    try:
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    except Exception:  # a memory that is full
        return ""
    frames += [(name, int(line)) for name, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    folder = os.path.dirname(os.path.abspath(reference)) if is_path(reference) else None
    own = [
        frame
        for frame in frames
        if not frame[0].startswith("<")
        and not is_standard(frame[0])
        and (os.path.dirname(os.path.abspath(frame[0])) == folder if folder else not frame[0].startswith(PACKAGE))
    ]
    return f" ({os.path.basename(own[-1][0])}, line {own[-1][1]})" if own else ""
