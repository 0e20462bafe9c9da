"""The list of all bots that have names, as `qpolis bots` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from qpolis.errors import QpolisError
from qpolis.parameters import Parameter, value_text
from qpolis.registry import finder
from qpolis.registry.spec import KINDS, policy_of
from qpolis.sandbox import inspection


@dataclass(frozen=True)
class Line:
    """A bot in the list, or what is in its place."""

    name: str
    kind: str
    origin: str
    help: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


def catalogue_lines() -> list[str]:
    """The list as text: a line for each bot and one for each of its parameters."""
    rows = list(catalogue())
    widths = [max(len(cell) for cell in column) for column in zip(*[(r.name, r.kind, r.origin) for r in rows])]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip((row.name, row.kind, row.origin), widths)]
        lines.append("  ".join([*cells, row.help]).rstrip())
        lines += [f"  {name}={value_text(parameter.default)}: "
                  + "; ".join(filter(None, [parameter.help, parameter.range_text()]))
                  for name, parameter in row.parameters.items()]
    return lines


def catalogue() -> Iterator[Line]:
    """All bots in the order in which names are looked up."""
    first: dict[str, str] = {}
    for found in finder.everything():
        if found.name in first:
            yield Line(found.name, "hidden", found.origin, f"another {found.name} is in {first[found.name]}")
            continue
        first[found.name] = found.origin
        yield from _lines(found)


def _lines(found: finder.Found) -> Iterator[Line]:
    """What is in one place: usually one bot."""
    if found.form == finder.PROGRAM:
        yield Line(found.name, KINDS["program"], found.origin, "speaks JSON lines")
        return
    if found.form == finder.SHIPPED:
        policy = policy_of(found)
        yield Line(found.name, KINDS["shipped"], found.origin, policy.help, policy.parameters)
        return
    try:
        bots = inspection.inspect(found.name, found.reference, found.attribute)
        if not bots:
            raise QpolisError(f"no bot in it: {inspection.NEEDED}")
    except QpolisError as error:
        yield Line(found.name, "broken", found.origin, str(error).removeprefix(f"{found.name}: "))
        return
    for bot in bots.values():
        name = found.name if len(bots) == 1 else f"{found.name}:{bot.name}"
        yield Line(name, KINDS[bot.kind], found.origin, bot.help, bot.parameters)
