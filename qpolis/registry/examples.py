"""What ships to be copied, changed and played: example bots, definitions of tournaments and of questions about
balance, a package with a bot and a game of its own. Bots and definitions are also found by their names."""

from __future__ import annotations

import ast
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from qpolis.errors import QpolisError, unknown
from qpolis.files import make_folder, nearest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
BOTS = FOLDER / "bots"
TOURNAMENTS, QUESTIONS = "tournaments", "tournaments/balance"  # folders of definitions
SCRIPT = b"#!"  # the first bytes of a program that is one


def definition(given: Path, folder: str) -> Path:
    """The definition at a path, or the one of this name among those that ship in a folder."""
    shipped = definitions(folder)
    name = str(given)
    if given.exists() and not (given.is_dir() and name in shipped):
        return given
    if name in shipped:
        return shipped[name]
    if os.sep in name or given.suffix:
        ships = f": {given.stem} ships, and is found by its name" if given.stem in shipped else nearest(name)
        raise QpolisError(f"{name}: no such file{ships}")
    raise QpolisError(f"{unknown('definition', name, shipped)}; one of your own is named by its file")


def definitions(folder: str) -> dict[str, Path]:
    """The definitions that ship in a folder, by their names."""
    return {path.stem: path for path in sorted((FOLDER / folder).glob("*.toml"))}


def files() -> list[str]:
    """All files of the examples, by their paths from their folder."""
    found = (path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(FOLDER).as_posix() for path in found)


def listing() -> list[str]:
    """A line for each example: where `copy` puts it, and what it says of itself first."""
    lines = [(name, _title(FOLDER / name)) for name in files()]
    width = max(len(name) for name, _ in lines)
    return [f"{name:<{width}}  {title}".rstrip() for name, title in lines]


def copy(names: tuple[str, ...], to: Path) -> list[Path]:
    """Copy the examples of these names (files, folders; none means all) into a folder. Nothing is overwritten: if
    one is there already, none is copied."""
    chosen = list(dict.fromkeys(file for name in names for file in _named(name))) if names else files()
    for file in chosen:
        if os.path.lexists(to / file):
            raise QpolisError(f"{to / file}: is there already, and is not overwritten; nothing was copied")
    for file in chosen:
        target = to / file
        make_folder(target.parent)
        try:
            shutil.copyfile(FOLDER / file, target)
            if _is_script(target):
                target.chmod(target.stat().st_mode | 0o111)
        except OSError as error:
            raise QpolisError(f"{target}: cannot be written: {error.strerror}") from None
    return [to / file for file in chosen]


def _named(name: str) -> Iterator[str]:
    """The files that a name stands for: that of a file, of a folder, of a bot or of a definition."""
    path = name.rstrip("/")
    found = [file for file in files() if path in (file, Path(file).stem) or file.startswith(f"{path}/")]
    if not found:
        stems = {Path(file).stem for file in files()} - {"README", "__init__"}
        raise unknown("example", name, {*stems, *(Path(file).parts[0] for file in files())})
    yield from found


def _title(path: Path) -> str:
    """The first line that a file says of itself."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    if path.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    lines = [line.lstrip("#").strip() for line in text.splitlines() if not line.startswith(SCRIPT.decode())]
    return next(filter(None, lines), "")


def _is_script(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SCRIPT)) == SCRIPT
