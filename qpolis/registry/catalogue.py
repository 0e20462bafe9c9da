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
class CatalogueEntry:
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
        lines += [
            f"  {name}={value_text(parameter.default)}: "
            + "; ".join(filter(None, [parameter.help, parameter.range_text()]))
            for name, parameter in row.parameters.items()
        ]
    return lines


def catalogue() -> Iterator[CatalogueEntry]:
    """All bots in the order in which names are looked up."""
    first: dict[str, str] = {}
    for candidate in finder.all_candidates():
        if candidate.name in first and candidate.origin == finder.EXAMPLE:
            continue  # most likely that one is a copy
        if candidate.name in first:
            elsewhere = f"another {candidate.name} is in {first[candidate.name]}"
            yield CatalogueEntry(candidate.name, "hidden", candidate.origin, elsewhere)
            continue
        first[candidate.name] = candidate.origin
        yield from _entries(candidate)


def _entries(candidate: finder.Candidate) -> Iterator[CatalogueEntry]:
    """What is in one place: usually one bot."""
    if candidate.form == finder.PROGRAM:
        yield CatalogueEntry(candidate.name, KINDS["program"], candidate.origin, "speaks JSON lines")
        return
    if candidate.form == finder.SHIPPED:
        policy = policy_of(candidate)
        yield CatalogueEntry(candidate.name, KINDS["shipped"], candidate.origin, policy.help, policy.parameters)
        return
    try:
        bots = inspection.inspect(candidate.label, candidate.reference, candidate.attribute)
        if not bots:
            raise QpolisError(f"no bot in it: {inspection.NEEDED}")
    except QpolisError as error:
        why = str(error).removeprefix("bot ").removeprefix(f"{candidate.name}: ")
        yield CatalogueEntry(candidate.name, "broken", candidate.origin, why)
        return
    for bot in bots.values():
        name = candidate.name if len(bots) == 1 else f"{candidate.name}:{bot.name}"
        yield CatalogueEntry(name, KINDS[bot.kind], candidate.origin, bot.help, bot.parameters)
