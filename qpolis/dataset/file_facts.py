"""What an exported file says of itself: where it comes from, and what its columns and planes are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qpolis.dataset.columns import COLUMNS, FORMAT
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.space import places
from qpolis.version import __version__

KEY = "qpolis"  # of the metadata of a Parquet file
DECISIONS = "decisions of qpolis"  # kind of file


def facts_of(run: RecordedRun, columns: Sequence[str]) -> dict[str, Any]:
    """As plain data, for the metadata of a Parquet file or a file beside JSON lines."""
    plan, game = run.plan, run.game
    facts: dict[str, Any] = {
        "kind": DECISIONS,
        "format": FORMAT,
        "qpolis": __version__,
        "run": plan.definition.name,
        "plan_sha256": plan.digest,
        "plan": plan.text(),
        "game": game.name,
        "options": dict(game.settings),
        "players": game.players,
        "bots": list(plan.bots),
        "games_played": run.games,
        "games_planned": plan.games,
        "columns": {name: {"type": COLUMNS[name].type, "help": COLUMNS[name].help} for name in columns},
    }
    if game.action_count:
        facts["action_count"] = game.action_count
    if "observation" in columns:
        where = places(game.planes)
        facts["planes"] = [
            {
                "name": plane.name,
                "start": where[plane.name].start,
                "shape": list(plane.shape),
                "help": plane.help,
            }
            for plane in game.planes
        ]
    return facts
