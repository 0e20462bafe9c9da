"""Where bots are: in the package, in `bots/` of the working directory, in installed packages, among the examples,
or at a path."""

from __future__ import annotations

import ast
import functools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from qpolis import bots
from qpolis.errors import QpolisError, unknown
from qpolis.files import is_path, nearest, path_text
from qpolis.registry.examples import BOTS

GROUP = "qpolis.bots"  # of entry points
FOLDER = Path("bots")
EXAMPLE = "an example"  # where those are that ship to be read
SHIPPED, PYTHON, PROGRAM = "shipped", "python", "program"
PERSON = "person"  # the name of whoever plays in `qpolis serve`: no bot can have it


@dataclass(frozen=True)
class Candidate:
    """Something that should be a bot, or several; nobody has looked inside yet."""

    name: str  # as a spec spells it
    form: str  # SHIPPED, PYTHON or PROGRAM
    reference: str  # the absolute path of a file, or the name of a module
    origin: str  # where it is, for people
    attribute: str | None = None  # which bot in it, if that is known already
    entry: str = ""  # what an entry point says

    @property
    def label(self) -> str:
        """What to call it in errors."""
        if not self.entry:
            return self.name
        return f"bot {self.name}: the entry point {self.name} = {self.entry} of {self.origin}"


def find(name: str) -> Candidate:
    """What a name or a path in a spec stands for."""
    if not name:
        raise QpolisError("an empty bot spec: give a name (see `qpolis bots`) or a path such as ./my_bot.py")
    if is_path(name):
        return at_path(name)
    if name == PERSON:
        raise QpolisError(
            f"bot {PERSON!r}: a person plays with `qpolis serve`, not here (for a file of this "
            "name, write its path)"
        )
    for candidate in all_candidates():
        if candidate.name == name:
            return candidate
    if os.path.isfile(name):
        raise QpolisError(f"unknown bot {name!r}: for the file of this name, write ./{name}")
    if len(words := re.split(r"[\s;]+", name.strip("; \t\n"))) > 1:
        raise QpolisError(f"unknown bot {name!r}: bots are separated by commas: --bots {','.join(words)}")
    for path in files_in(FOLDER):
        if path.name.partition(".")[0] == name and _is_script(path):
            raise QpolisError(f"unknown bot {name!r}: {path} may not be executed (chmod +x {path})")
    raise unknown("bot", name, {candidate.name for candidate in all_candidates()})


def all_candidates() -> Iterator[Candidate]:
    """All bots that have names. Of several with one name, the first is meant."""
    yield from shipped()
    yield from in_folder()
    yield from installed()
    yield from in_examples()


@functools.cache
def shipped() -> tuple[Candidate, ...]:
    """The bots of the package: a file with a policy of the same name. Read, not imported: the compiler is slow."""
    return tuple(
        Candidate(path.stem, SHIPPED, f"qpolis.bots.{path.stem}", "qpolis", path.stem)
        for path in sorted(Path(bots.__file__).parent.glob("*.py"))
        for item in ast.parse(path.read_bytes()).body
        if isinstance(item, ast.FunctionDef) and item.name == path.stem and item.decorator_list
    )


def in_folder() -> Iterator[Candidate]:
    """The bots in `bots/`: Python files, and programs, which have the right to be executed."""
    for path in files_in(FOLDER):
        if found := _at(path, str(path)):
            yield found


def in_examples() -> Iterator[Candidate]:
    """The bots that ship as examples, and run as those of anybody."""
    for path in files_in(BOTS):
        if found := _at(path, EXAMPLE):
            yield found


def _at(path: Path, origin: str) -> Candidate | None:
    if path.suffix == ".py":
        return Candidate(path.stem, PYTHON, os.path.abspath(path), origin)
    if os.access(path, os.X_OK):
        return Candidate(path.name.partition(".")[0], PROGRAM, os.path.abspath(path), origin)
    return None


def files_in(folder: Path) -> list[Path]:
    """The files that may be bots in a folder, those of Python first."""
    try:
        paths = [path for path in folder.iterdir() if path.is_file() and path.name[0] not in "._"]
    except OSError:
        return []
    return sorted(paths, key=lambda path: (path.suffix != ".py", path.name))


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def installed() -> Iterator[Candidate]:
    """The bots that installed packages offer."""
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name):
        owner = f"package {entry.dist.name}" if entry.dist else "an installed package"
        yield Candidate(entry.name, PYTHON, entry.module, owner, entry.attr or None, entry.value)


def at_path(path: str) -> Candidate:
    """The bot at a path: a Python file or a program."""
    name = path_text(path)
    if os.path.isdir(path):
        raise QpolisError(f"{path}: a folder, not a bot: give the path of a .py file or of a program")
    if not os.path.exists(path):
        raise QpolisError(f"{path}: no such file{nearest(path)}")
    if not os.path.isfile(path):
        raise QpolisError(f"{path}: not a file")
    if path.endswith(".py"):
        return Candidate(name, PYTHON, os.path.abspath(path), name)
    if not os.access(path, os.X_OK):
        raise QpolisError(f"{path}: may not be executed: a bot is a .py file, or a program (chmod +x {path})")
    return Candidate(name, PROGRAM, os.path.abspath(path), name)
