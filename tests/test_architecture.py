"""What documents say about the code is so: the files they name exist, and ARCHITECTURE.md names every package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ROOT / "qpolis"
PICTURE = ROOT / "ARCHITECTURE.md"
DOCUMENTS = [ROOT / "README.md", PICTURE, *sorted((ROOT / "docs").rglob("*.md"))]
SHIPPED_EXAMPLES = CODE / "examples"  # no part of the code
SOURCES = ("qpolis", "tests", "benchmarks")
EXAMPLES = {
    "my_bot.py",
    "bots/my_bot.py",
    "my_game/__init__.py",
}  # files of readers; so is everything that begins with ./

FILE = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.(?:py|js|css)\b")
FOLDER = re.compile(r"`([\w-]+(?:/[\w-]+)*/)`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def exists(name: str) -> bool:
    """As a path from the top, from the package or from the tests; a name alone may stand for any of its files."""
    if any((place / name).exists() for place in (ROOT, CODE, ROOT / "tests")):
        return True
    return "/" not in name and any(next((ROOT / place).rglob(name), None) for place in SOURCES)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_documents_name_exist(path):
    text = path.read_text(encoding="utf-8")
    assert [name for name in FILE.findall(text) if name not in EXAMPLES and not exists(name)] == []
    assert [link for link in LINK.findall(text) if not (path.parent / link).exists()] == []


def test_the_picture_names_folders_that_exist():
    folders = FOLDER.findall(PICTURE.read_text(encoding="utf-8"))
    assert len(folders) > 10
    assert [name for name in folders if not exists(name)] == []


def test_every_package_and_every_root_module_is_in_the_picture():
    text = PICTURE.read_text(encoding="utf-8")
    found = [path.parent for path in CODE.rglob("__init__.py") if SHIPPED_EXAMPLES not in path.parents]
    packages = [folder.relative_to(CODE) for folder in found]
    wanted = [f"`{folder}/`" for folder in packages if folder.parts and folder.parts[:-1] != ("games",)]
    wanted += [f"`{path.name}`" for path in CODE.glob("*.py") if path.name != "__init__.py"]
    assert len(wanted) > 20
    assert [name for name in wanted if name not in text] == []


def test_packages_are_at_most_three_folders_deep():
    found = [path for path in CODE.rglob("*.py") if SHIPPED_EXAMPLES not in path.parents]
    assert [path for path in found if len(path.relative_to(CODE).parts) > 3] == []
