"""The forfeits of a run as a text: a line for each, and below the first of each kind what the bot left behind."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from qpolis.report.content.outcome import Forfeit


def forfeits_text(forfeits: Sequence[Forfeit]) -> str:
    return "".join(f"{line}\n" for line in _lines(forfeits))


def _lines(forfeits: Sequence[Forfeit]) -> Iterator[str]:
    first: dict[tuple[str, str], int] = {}  # game of each traceback of a bot
    for item in forfeits:
        yield f"game {item.game}, seat {item.seat}, {item.bot}: {item.end}: {item.reason}"
        if item.trace:
            shown = first.setdefault((item.bot, item.trace), item.game)
            same = f"the same as in game {shown}" if shown != item.game else item.trace
            yield textwrap.indent(same, "    ")
