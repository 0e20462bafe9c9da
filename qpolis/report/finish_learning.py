"""The files of a training: its curves, and the page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qpolis.files import write_file
from qpolis.learning.history import Generation
from qpolis.learning.plan import TrainingPlan
from qpolis.report.content.learning import elo, heading
from qpolis.report.pages.figures import plot
from qpolis.report.pages.markup import tag
from qpolis.report.pages.page import cell, page, section, table
from qpolis.report.plots.learning import draw_learning
from qpolis.report.plots.style import encode_figure, write_images

PAGE, CURVES = "report.html", "curves"


def finish_learning(folder: Path, plan: TrainingPlan, history: Sequence[Generation]) -> list[Path]:
    """Write them, in place of earlier ones; the last is the page."""
    title = f"Training of {plan.name}"
    images = encode_figure(draw_learning(heading(plan, folder), history))
    written = [*write_images(folder, {CURVES: images})]
    rows = [
        [
            cell(str(one.number), one.number),
            cell(f"{one.minutes:.1f}", one.minutes),
            cell(f"{one.games:,}", one.games),
            cell(f"{one.win:.3f}", one.win),
            cell(f"{one.choice:.3f}", one.choice),
            cell(f"{one.points:.1f}", one.points),
            cell(f"{one.calibration:.1%}", one.calibration),
            cell(f"{one.gate:.1%} of {one.gate_games:,}", one.gate),
            cell("yes" if one.promoted else "no"),
            cell(elo(one.elo_search, one.elo_search_low, one.elo_search_high), one.elo_search),
            cell(elo(one.elo_instinct, one.elo_instinct_low, one.elo_instinct_high), one.elo_instinct),
        ]
        for one in history
    ]
    head = (
        "generation",
        "minutes",
        "games",
        "who wins",
        "choices",
        "points off",
        "calibration",
        "against champion",
        "promoted",
        "mcts, Elo",
        "instinct, Elo",
    )
    body = tag(
        "main",
        tag("h1", title),
        tag("p", heading(plan, folder)),
        section("curves", "Strength", plot(images[".svg"], "curves", "Elo over minutes of work")),
        section(
            "generations",
            "Generations",
            table(head, rows),
            note="Losses are of games that were not learned from. Elo of mcts is above mcts:model=none with "
            "as many simulations, that of instinct above greedy.",
        ),
    )
    return [*written, write_file(folder / PAGE, page(title, body, styles=("report.css",)))]
