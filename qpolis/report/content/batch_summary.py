"""A short summary of a batch of games."""

from __future__ import annotations

import numpy as np

from qpolis.engine.results import Results
from qpolis.game import Game, with_settings


def summary_lines(game: Game, batch: Results, seconds: float) -> list[str]:
    """Scores and shares of wins by seat."""
    games = len(batch.points)
    shared = (batch.ranks == 0) / (batch.ranks == 0).sum(axis=1, keepdims=True)
    lines = [
        f"{games:,} random games of {with_settings(game.title, game.settings)}",
        f"{games / seconds:,.0f} games a second, {batch.decisions.sum() / games:.1f} decisions a game",
        "",
        f"{'seat':<6}{'mean':>8}{'sd':>8}{'lowest':>8}{'5%':>7}{'50%':>7}{'95%':>7}{'highest':>9}{'wins':>8}",
    ]
    for seat in range(game.players):
        points = batch.points[:, seat]
        low, middle, high = np.percentile(points, (5, 50, 95))
        lines.append(
            f"{seat:<6}{points.mean():>8.2f}{points.std():>8.2f}{points.min():>8}{low:>7.0f}{middle:>7.0f}"
            f"{high:>7.0f}{points.max():>9}{shared[:, seat].mean():>8.1%}"
        )
    lines += ["", "a shared first place counts as a part of a win for each"]
    return lines
