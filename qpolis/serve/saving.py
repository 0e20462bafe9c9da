"""A finished game as the folder of a run, as tournaments have it: to be replayed, watched, verified, reported."""

from __future__ import annotations

from pathlib import Path

from qpolis.engine.results import Results
from qpolis.files import new_path
from qpolis.report.finish import finish
from qpolis.tourney.chunk import encode
from qpolis.tourney.plan import Plan
from qpolis.tourney.run import Run


class GameSaver:
    """Where one game is kept. What failed can be tried again, and goes on in the same folder."""

    def __init__(self, plan: Plan, chunk: Results) -> None:
        self._plan, self._chunk = plan, chunk
        self._folder: Path | None = None  # once it is ours

    def save(self) -> Path:
        """Write the folder; QpolisError or OSError if that cannot be done."""
        folder = self._folder or new_path(self._plan.definition.name)
        with Run(folder, self._plan) if self._folder else Run.begin(folder, self._plan) as run:
            self._folder = folder
            if not run.tally.complete():
                run.keep(encode(self._chunk))
            finish(run, self._chunk.seconds, 1)
        return folder
