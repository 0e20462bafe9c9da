"""What a kernel's code can depend on: the sources of its module and of all that it imports.

Found by reading, not by running: imports of the package anywhere in a file, also inside functions, but not under
`if TYPE_CHECKING`. A file counts by its syntax tree without docstrings and positions, so that comments and texts
change nothing. Of a file outside of the package all Python files beside it count, too: a user's helpers.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
MOST_KNOWN = 4096  # versions of files whose reading is remembered

Reading = tuple[str, list[str]]  # the digest of a file's meaning, and the names that it imports


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The level (0: absolute) and the dotted name of everything that is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((0, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = f"{node.module}." if node.module else ""
            yield from ((node.level, f"{stem}{name.name}") for name in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from _imports(ast.Module([other], []))
        else:
            yield from _imports(node)


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                del node.body[0]
    return tree


def read(source: bytes) -> Reading:
    """The meaning of a source: what its code depends on, besides what it imports, and these imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # some file beside a user's bot
        return hashlib.sha256(source).hexdigest(), []
    names = sorted({"." * level + name for level, name in _imports(tree)})
    return hashlib.sha256(ast.dump(_without_docstrings(tree)).encode()).hexdigest(), names


class Readings:
    """Readings by the digest of a file's bytes. They are kept in a file, because reading all takes a third of a
    second; one that is damaged or cannot be written only costs that time."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._new = False
        try:
            self._known: dict[str, Reading] = json.loads(path.read_text()) if path else {}
            assert all(len(reading) == 2 for reading in self._known.values())
        except (OSError, ValueError, AssertionError, TypeError, AttributeError):
            self._known = {}

    def __call__(self, path: Path) -> Reading:
        source = path.read_bytes()
        key = hashlib.sha256(source).hexdigest()
        if key not in self._known:
            self._known[key] = read(source)
            self._new = True
        digest, names = self._known[key]
        return digest, names

    def save(self) -> None:
        if self._new and self._path:
            kept = dict(list(self._known.items())[-MOST_KNOWN:])
            temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            try:
                temporary.write_text(json.dumps(kept))
                temporary.replace(self._path)
            except OSError:
                with contextlib.suppress(OSError):  # where nothing can be written, nothing can be removed
                    temporary.unlink(missing_ok=True)
            self._new = False


def _file_of(parts: list[str]) -> Path | None:
    """The file of the package that an imported name stands for; its last part may be a name in that file."""
    if not parts or parts[0] != PACKAGE.name:
        return None
    for end in (len(parts), len(parts) - 1):
        stem = PACKAGE.joinpath(*parts[1:end])
        for path in (stem.with_suffix(".py") if end > 1 else None, stem / "__init__.py"):
            if path and path.is_file():
                return path
    return None


def _absolute(path: Path, name: str) -> list[str]:
    """The parts of an imported name, seen from a file."""
    level = len(name) - len(name.lstrip("."))
    if level and PACKAGE in path.parents:
        folders = path.parent.relative_to(PACKAGE).parts[: 1 - level or None]
        return [PACKAGE.name, *folders, *name[level:].split(".")]
    return name.split(".")


def closure(paths: Iterable[Path], readings: Readings) -> dict[Path, str]:
    """These files and all that they import, with their digests."""
    found: dict[Path, str] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path], names = readings(path)
            files = (_file_of(_absolute(path, name)) for name in names)
            waiting += filter(None, files)
    return found


def beside(path: Path) -> list[Path]:
    """A file and, outside of the package, the Python files beside it."""
    return [path] if PACKAGE in path.parents else sorted(path.parent.glob("*.py"))


class Sources:
    """Digests of what functions depend on."""

    def __init__(self, memory: Path | None) -> None:
        self._readings = Readings(memory)
        self.digest = functools.cache(self._digest)

    def _digest(self, files: frozenset[str]) -> str:
        """One digest of some files and everything that they import. Files of the package count by their place in
        it: a copy of the package has the same kernels."""
        starts = {path for name in files for path in beside(Path(name).resolve())}
        found = closure(starts, self._readings)
        self._readings.save()
        named = sorted(
            (str(path.relative_to(PACKAGE) if PACKAGE in path.parents else path), digest)
            for path, digest in found.items()
        )
        return hashlib.sha256(repr((named, sys.version)).encode()).hexdigest()
