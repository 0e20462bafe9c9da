"""Where games are: in this package, in installed packages, or in a folder or file of a user; and how to load them.

Only names and paths cross the borders of processes: whoever gets one finds the same game here.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from qpolis.errors import QpolisError, unknown
from qpolis.files import nearest, path_text

if TYPE_CHECKING:
    from qpolis.game import Game

# The compiler is only imported with a game: listing names and commands does not wait for it.

GROUP = "qpolis.games"  # of entry points
PACKAGE = "qpolis.games"
ATTRIBUTE = "GAME"
NO_RULES = (".css", ".html", ".js", ".md", ".png", ".pyc", ".svg")  # files that cannot change a game
LONGEST = 300  # characters of an error of Python


@dataclass(frozen=True)
class Candidate:
    """Something that should be a game; nobody has looked inside yet."""

    name: str  # as one types it: a name, or a path from the working directory
    module: str  # to import, if it has a name
    path: str = ""  # of a game that is found by it: absolute
    attribute: str = ATTRIBUTE
    origin: str = "qpolis"  # where it is, for people
    entry: str = ""  # what an entry point says

    @property
    def label(self) -> str:
        """What to call it in errors."""
        entry = f": the entry point {self.name} = {self.entry} of {self.origin}" if self.entry else ""
        return f"game {self.name}{entry}"


def find(name: str) -> Candidate:
    """What a name or a path stands for."""
    if not isinstance(name, str):
        raise unknown("game", name, {found.name for found in everything()})
    if os.sep in name or name.endswith(".py"):
        return at_path(name)
    for found in everything():
        if found.name == name:
            return found
    if name in _known:
        return at_path(_known[name])
    if name and (os.path.isfile(os.path.join(name, "__init__.py")) or os.path.isfile(f"{name}.py")):
        return at_path(os.path.join(".", name))  # what `qpolis new-game` wrote
    raise unknown("game", name, {found.name for found in everything()})


def everything() -> Iterator[Candidate]:
    """All games that have names. Of several with one name, the first is meant."""
    yield from shipped()
    yield from installed()


@functools.cache
def shipped() -> tuple[Candidate, ...]:
    """The games of this package: its folders."""
    paths = importlib.import_module(PACKAGE).__path__
    names = sorted(module.name for module in pkgutil.iter_modules(paths) if module.ispkg)
    return tuple(Candidate(name, f"{PACKAGE}.{name}") for name in names)


def installed() -> Iterator[Candidate]:
    """The games that installed packages offer."""
    taken = {found.name for found in shipped()}
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name not in taken:
            taken.add(entry.name)
            owner = f"package {entry.dist.name}" if entry.dist else "an installed package"
            attribute = entry.attr or ATTRIBUTE
            yield Candidate(entry.name, entry.module, "", attribute, owner, entry.value)


def at_path(path: str) -> Candidate:
    """The game at a path: a folder with an __init__.py, or a .py file, whose ending may be left out."""
    if not os.path.exists(path) and os.path.isfile(f"{path}.py"):
        path = f"{path}.py"
    if os.path.isdir(path):
        if not os.path.isfile(os.path.join(path, "__init__.py")):
            raise QpolisError(f"{path}: a folder without an __init__.py, so no game: `qpolis new-game` writes one")
    elif not os.path.isfile(path):
        raise QpolisError(f"{path}: no such file{nearest(path)}")
    elif not path.endswith(".py"):
        raise QpolisError(f"{path}: not a game: give the path of a folder with an __init__.py, or of a .py file")
    return Candidate(path_text(path), "", os.path.abspath(path), origin=path_text(path))


_known: dict[str, str] = {}  # paths of games by their names


def locate(name: str, path: str) -> None:
    """From now on, in this process, a game of this name is found at a path."""
    _known[name] = path


def load(found: Candidate) -> type[Game]:
    """The class of a game, which keeps the contract."""
    game = _load(found.module, found.path, found.attribute)
    if isinstance(game, str):
        raise QpolisError(game if game.startswith("game ") else f"{found.label}: {game}")
    if found.path:
        if game.name in {other.name for other in everything()}:
            raise QpolisError(f"game {found.name}: there is another game called {game.name!r}: rename one")
        locate(game.name, found.path)
    elif game.name != found.name:
        raise QpolisError(f"game {found.name}: calls itself {game.name!r}: both must be the same")
    return game


@functools.cache  # a class of games exists once: kernels are bound to it
def _load(module: str, path: str, attribute: str) -> type[Game] | str:
    """The class of a game, or what is wrong with it."""
    from qpolis import contract
    from qpolis.game import Game

    try:
        loaded = _import_path(path) if path else importlib.import_module(module)
        game = getattr(loaded, attribute, None)
        if game is None:
            return f"no {attribute} in it: write {attribute} = MyGame, a class derived from qpolis.Game"
        if not isinstance(game, type) or not issubclass(game, Game):
            return f"{attribute} is {game!r}, not a class derived from qpolis.Game"
        contract.check_class(game)
        folder = getattr(loaded, "__path__", None)
        game.path, game.folder = path, Path(folder[0]) if folder else None
        if not module.startswith(f"{PACKAGE}."):
            game()  # tests do this for those of this package
    except QpolisError as error:
        return str(error)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            return f"there is no module {error.name}"
        return f"cannot be loaded: {error_text(error, path)}"
    return game


def _import_path(path: str) -> ModuleType:
    """Import a folder or a file under a name of its own, the same in all processes, and leave nothing behind."""
    stem = re.sub(r"\W", "_", Path(path).stem)
    name = f"qpolis_game_{stem}_{hashlib.sha256(os.path.realpath(path).encode()).hexdigest()[:8]}"
    inside = [path] if os.path.isdir(path) else None
    file = os.path.join(path, "__init__.py") if inside else path
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=inside)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.dont_write_bytecode = before
    return module


def error_text(error: BaseException, path: str) -> str:
    """An exception in one line: what, and where in the game's own files."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({os.path.basename(error.filename or '')}, line {error.lineno})"
    lines = str(error).strip().splitlines() or [""]
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if path and os.path.abspath(frame.filename).startswith(path)
    ]
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {lines[0][:LONGEST]}{place}"


# -- the files of a game -----------------------------------------------------------------------------------


def folder_of(found: Candidate) -> Path | None:
    """The folder of a game that is a package, found without importing it."""
    if found.path:
        return Path(found.path) if os.path.isdir(found.path) else None
    top, *inner = found.module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    places = spec.submodule_search_locations if spec else None
    folder = Path(places[0], *inner) if places else None
    return folder if folder and folder.is_dir() else None


def files_digest(name: str) -> str:
    """A digest of all files of a game that is not part of qpolis, by which a run knows that it has changed; empty
    for one that is."""
    found = find(name)
    if not found.path and found.module.startswith(f"{PACKAGE}."):
        return ""
    folder = folder_of(found)
    if folder:
        paths = [
            path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
            and path.suffix not in NO_RULES
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        ]
    else:
        spec = None if found.path else importlib.util.find_spec(found.module)
        paths = [Path(found.path or (spec and spec.origin) or "")]
    digest = hashlib.sha256()
    for path in paths:
        try:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        except OSError as error:
            raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()[:16]


def commands() -> dict[str, Any]:
    """The commands that games bring, by their names: COMMANDS in the file commands.py of a game's folder. The file
    is run by itself, without the game and the compiler; one that fails brings none."""
    brought: dict[str, Any] = {}
    for found in everything():
        folder = folder_of(found)
        if folder and (folder / "commands.py").is_file():
            try:
                module = _run_alone(f"{found.module}.commands", folder / "commands.py")
                for command in module.COMMANDS:
                    brought.setdefault(command.name, command)
            except Exception as error:
                print(f"qpolis: commands of game {found.name}: {error_text(error, str(folder))}", file=sys.stderr)
    return brought


def _run_alone(name: str, path: Path) -> ModuleType:
    """A module, without the package it is in."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
