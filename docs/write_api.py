"""`make reference`: write docs/api.md, the reference of `qpolis.__all__`, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import qpolis
from qpolis.files import write_file

PAGE = Path(__file__).parent / "api.md"
LONGEST = 100  # characters of a signature on one line
INTRODUCTION = """# Python API

What `import qpolis` offers. Everything else is the inside of qpolis, and may change with any version. This page is
made from docstrings by `make reference`; their examples are run by the tests. The notebook
[first_bot.ipynb](../qpolis/examples/notebooks/first_bot.ipynb) goes from the installation to a rated bot of one's
own; `qpolis examples copy notebooks` copies it.

Wrong input raises `QpolisError`, a message of one line. Importing qpolis loads nothing heavy: what a name needs is
loaded when it is used first.
"""
GROUPS = {
    "Games": ("load_game", "Game", "State"),
    "Playing": ("match", "tournament", "balance", "load_run", "bot", "check"),
    "Results": ("PlayedGame", "Tournament", "Balance", "LoadedBot", "Check"),
    "Environments": ("vector", "env"),
    "Bots of one's own": ("Bot", "GameInfo", "Parameter"),
    "Errors": ("QpolisError", "IllegalAction", "InvalidText"),
}
REST = "More"


def page() -> str:
    """The whole page: names that are in no group come at the end."""
    public = [name for name in qpolis.__all__ if not name.startswith("_")]
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, REST: tuple(name for name in public if name not in grouped)}
    lines = [INTRODUCTION, *contents({heading: names for heading, names in groups.items() if names})]
    for heading, names in groups.items():
        if names:
            lines += ["", f"## {heading}"]
            for name in names:
                lines += ["", *entry(name, getattr(qpolis, name))]
    return "\n".join(lines) + "\n"


def contents(groups: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Links to the parts. The second of two headings that differ in nothing but capitals has a number."""
    anchors: list[str] = []
    for heading, names in groups.items():
        links = []
        for name in names:
            again = anchors.count(name.lower())
            anchors.append(name.lower())
            links.append(f"[`{name}`](#qpolis{name.lower()}{f'-{again}' if again else ''})")
        yield f"- {heading}: " + ", ".join(links)


def entry(name: str, thing: Any) -> Iterator[str]:
    """The part about a function or a class."""
    yield f"### qpolis.{name}"
    yield ""
    if not inspect.isclass(thing):
        yield from [*fenced(signature(name, thing)), "", *text_of(thing)]
        return
    yield from text_of(thing)
    for member, value in members(thing):
        yield ""
        if isinstance(value, property):
            yield f"**`.{member}`** " + " ".join(text_of(value)).strip()
        else:
            yield f"**`.{signature(member, value)}`**"
            yield ""
            yield from text_of(value)


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """The public properties and methods of a class that have docstrings, in the order they are written in; those
    of classes above it, too."""
    seen: set[str] = set()
    if issubclass(thing, BaseException):
        return
    declared = {field.name for field in fields(thing)} if is_dataclass(thing) else set()
    for owner in thing.__mro__:
        if not owner.__module__.startswith("qpolis"):
            continue
        for name, value in vars(owner).items():
            plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            described = isinstance(plain, property) or inspect.isfunction(plain) or hasattr(plain, "func")
            if (
                name.startswith("_")
                or name in seen
                or name in declared
                or not described
                or not inspect.getdoc(plain)
            ):
                continue
            seen.add(name)
            yield name, property(plain.func) if hasattr(plain, "func") else plain


def signature(name: str, thing: Any) -> str:
    """How it is called, without `self`; on several lines if it is long."""
    said = inspect.signature(thing)
    parameters = [one for one in said.parameters.values() if one.name not in ("self", "cls")]
    returns = (
        "" if said.return_annotation in (inspect.Parameter.empty, "None") else f" -> {said.return_annotation}"
    )
    short = f"{name}{said.replace(parameters=parameters, return_annotation=inspect.Parameter.empty)}{returns}"
    plain = unquoted(short, parameters)
    if len(plain) <= LONGEST:
        return plain
    lines, star = [], False
    for one in parameters:
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            lines.append("    *,")
            star = True
        lines.append(f"    {unquoted(str(one), [one])},")
    return "\n".join([f"{name}(", *lines, f"){returns}"])


def unquoted(text: str, parameters: list[inspect.Parameter]) -> str:
    """Annotations are texts, which `inspect` puts into quotes."""
    for one in parameters:
        if isinstance(one.annotation, str):
            text = text.replace(f": {one.annotation!r}", f": {one.annotation}")
    return text


def text_of(thing: Any) -> list[str]:
    """Its docstring as Markdown: examples in fences, arguments as a list."""
    lines: list[str] = []
    fence = arguments = False
    for line in (inspect.getdoc(thing) or "").splitlines():
        example = line.startswith((">>>", "...")) or (fence and line.strip() != "")
        if example != fence:
            lines += ["```python"] if example else ["```"]
            fence = example
        if line == "Args:":
            arguments = True
            lines += ["Arguments:", ""]
        elif arguments and (found := re.match(r" {4}(\*{0,2}\w+): (.*)", line)):
            lines.append(f"- `{found[1]}`: {found[2]}")
        elif arguments and line.startswith("        "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
    return [*lines, "```"] if fence else lines


def fenced(code: str) -> list[str]:
    return ["```python", code, "```"]


if __name__ == "__main__":
    write_file(PAGE, page().encode())
    print(PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE)
