"""`make rules`: put the tables and numbers into the pages of `docs/rules`, and write the pictures; also what all
games say of themselves into `docs/observations.md`."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from making import observations
from qpolis.errors import QpolisError
from qpolis.files import write_file

Maker = Callable[[], str]
FOLDER = Path(__file__).parents[1]
PICTURES = FOLDER / "pictures"
OBSERVATIONS = FOLDER.parent / "observations.md"
BEGIN, END = (re.compile(rf"<!-- {word} ([\w-]+) -->") for word in ("begin", "end"))
PART = re.compile(
    r"(?P<start>^)?<!-- begin (?P<name>[\w-]+) -->.*?<!-- end (?P=name) -->", re.DOTALL | re.MULTILINE
)


def games() -> list[str]:
    """The games that have a page."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def module_of(game: str) -> ModuleType:
    return importlib.import_module(f"making.{game}")


def page_path(game: str) -> Path:
    return FOLDER / f"{game}.md"


def picture_path(game: str, name: str) -> Path:
    return PICTURES / f"{game}-{name}.svg"


def make_page(game: str) -> str:
    """The page of a game as it should be: what is written by hand, with everything between markers made anew."""
    module = module_of(game)
    return with_parts(
        page_path(game).read_text(encoding="utf-8"), module.TABLES, getattr(module, "NUMBERS", {}), game
    )


def with_parts(page: str, tables: dict[str, Maker], numbers: dict[str, Maker], game: str) -> str:
    def made(match: re.Match[str]) -> str:
        name, alone = match["name"], match["start"] is not None
        known = tables if alone else numbers
        if alone and name in numbers:
            raise QpolisError(
                f"{game}.md: {name} begins a line, where Markdown takes it for a block: begin with a word"
            )
        if name not in known:
            kind = "table" if alone else "number in a sentence"
            raise QpolisError(
                f"{game}.md: no {kind} is called {name} (known: {', '.join(sorted(known)) or 'none'})"
            )
        content = known[name]()
        content = f"\n\n{content.strip()}\n\n" if alone else content
        return f"<!-- begin {name} -->{content}<!-- end {name} -->"

    begun, ended, whole = BEGIN.findall(page), END.findall(page), [match["name"] for match in PART.finditer(page)]
    if not begun == ended == whole:
        raise QpolisError(f"{game}.md: what begins ({', '.join(begun)}) is not what ends ({', '.join(ended)})")
    return PART.sub(made, page)


def make_observations() -> str:
    """The page about what programs that learn see, as it should be."""
    page = OBSERVATIONS.read_text(encoding="utf-8")
    return with_parts(page, {"games": lambda: observations.sections(games())}, {}, "observations")


def make_pictures(game: str) -> dict[Path, str]:
    return {picture_path(game, name): draw() for name, draw in module_of(game).PICTURES.items()}


def stale_pictures(game: str, made: Iterable[Path]) -> set[Path]:
    """Pictures that are there and that nothing makes any more."""
    return set(PICTURES.glob(f"{game}-*.svg")) - set(made)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for game in games():
        pictures = make_pictures(game)
        for path, content in {page_path(game): make_page(game), **pictures}.items():
            write_file(path, content.encode())
        for path in stale_pictures(game, pictures):
            path.unlink()
        print(f"{game}: {page_path(game).relative_to(FOLDER.parents[1])}, {len(pictures)} pictures")
    write_file(OBSERVATIONS, make_observations().encode())


if __name__ == "__main__":
    try:
        main()
    except QpolisError as error:
        sys.exit(str(error))
