"""TrueSkill in the course of the run."""

from __future__ import annotations

import numpy as np

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import BOTTOM, EDGE, TOP, axes_at, bot_style, new_figure, round_ticks
from qpolis.report.plots.style import DPI, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import count, names, number, width

MOST = 200  # points of a line: more cannot be seen
LINE = 0.175  # inches from a label to the next
SIZE = 8.5  # of the labels


@styled()
def draw_convergence(run: RatedRun) -> Figure:
    """A line and a band of two sigma for each bot, with its name at the end."""
    games, mu, sigma = _thinned(run)
    bots = mu.shape[1]
    up = max(3.6, LINE * bots + 0.2)
    height = TOP + up + BOTTOM
    heading = f"TrueSkill of {count(bots, 'bot')} over {count(run.results.games, 'game')}"
    figure = new_figure(run.title, heading, height, "Bands: mu ± 2 sigma. TrueSkill takes the games one by one.")
    labels = [
        f"{name}  {number(last, 1) if np.isfinite(last) else 'unknown'}"
        for name, last in zip(names(run.ratings.bots, 1.9, SIZE), mu[-1])
    ]
    gap = 0.5 if bots <= 12 else 0.75
    left, room = 0.75, WIDTH - EDGE - gap - max(width(label, SIZE) for label in labels)
    axes = axes_at(figure, left, BOTTOM, room - left, up)
    x = _games_axis(axes, games)
    _skill_axis(axes, mu, sigma)
    faint = 0.16 if bots <= 6 else 0.09 if bots <= 12 else 0.05
    for bot in range(bots):
        colour, dash, mark = bot_style(bot)
        known = np.isfinite(mu[:, bot])
        if len(x) == 1:
            axes.errorbar(x, mu[:, bot], 2 * sigma[:, bot], color=colour, marker=mark, markersize=5)
            continue
        axes.fill_between(
            x[known],
            (mu - 2 * sigma)[known, bot],
            (mu + 2 * sigma)[known, bot],
            color=colour,
            alpha=faint,
            linewidth=0,
        )
        axes.plot(x[known], mu[known, bot], color=colour, linestyle=dash, linewidth=1.6)
    _name_ends(axes, x[-1], mu[-1], labels, gap)
    return figure


def _thinned(run: RatedRun) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games, mu and sigma with no more rows than can be seen: evenly spread over games if they stay on a linear
    axis, by their logarithm if not."""
    history, ratings = run.history, run.ratings
    games, mu, sigma = history.games, history.mu, history.sigma
    if not len(games):
        return np.array([run.results.games]), ratings.mu[np.newaxis], ratings.sigma[np.newaxis]
    if _logarithmic(games):
        games, mu, sigma = games[games > 0], mu[games > 0], sigma[games > 0]
        places = np.searchsorted(games, np.geomspace(games[0], games[-1], MOST))
    else:
        places = np.linspace(0, len(games) - 1, MOST).round().astype(int)
    kept = np.unique(np.clip(places, 0, len(games) - 1))
    return games[kept], mu[kept], sigma[kept]


def _logarithmic(games: np.ndarray) -> bool:
    played = games[games > 0]
    return bool(len(played) > 2 and played[-1] >= 20 * played[0])


def _games_axis(axes: Axes, games: np.ndarray) -> np.ndarray:
    """Set up the x axis and return where the rows are on it."""
    axes.set_xlabel("games played (logarithmic)" if _logarithmic(games) else "games played")
    if _logarithmic(games):
        x = np.log10(games)
        tens = 10.0 ** np.arange(np.floor(x[0]), np.ceil(x[-1]) + 1)
        ticks = np.outer(tens, (1, 2, 5) if x[-1] - x[0] < (2.6 if x[-1] < 5 else 1.6) else (1,)).ravel()
        ticks = ticks[(ticks >= games[0] * 0.999) & (ticks <= games[-1] * 1.001)]
        places = np.log10(ticks)
    else:
        x = games.astype(float)
        places = ticks = np.unique(np.round(round_ticks(x[0], x[-1], 8))) if len(x) > 1 else x
    axes.set_xlim(*((x[0], x[-1]) if len(x) > 1 else (x[0] - 0.5, x[0] + 0.5)))
    axes.set_xticks(places, [number(tick) for tick in ticks])
    return x


def _skill_axis(axes: Axes, mu: np.ndarray, sigma: np.ndarray) -> None:
    """Room for all lines and the bands at the end; the wide bands at the start may be cut off."""
    ends = np.concatenate((mu.ravel(), mu[-1] - 2 * sigma[-1], mu[-1] + 2 * sigma[-1]))
    ends = ends[np.isfinite(ends)]
    low, high = (ends.min(), ends.max()) if len(ends) else (0.0, 50.0)
    pad = max(0.15 * (high - low), 0.5)
    axes.set_ylim(low - pad, high + pad)
    ticks = round_ticks(low - pad, high + pad, 7)
    digits = 0 if len(ticks) < 2 or ticks[1] - ticks[0] >= 1 else 1
    axes.set_yticks(ticks, [number(tick, digits) for tick in ticks])
    axes.set_ylabel("TrueSkill mu")
    axes.tick_params(length=3)
    axes.grid(axis="y")


def _name_ends(axes: Axes, end: float, last: np.ndarray, labels: list[str], gap: float) -> None:
    """Write each label beside the end of its line, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    across, up = axes.bbox.width / DPI, axes.bbox.height / DPI
    wanted = (np.where(np.isfinite(last), last, low) - low) / (high - low)
    places = spread(wanted, LINE / up, LINE / 2 / up, 1 - LINE / 2 / up)
    start, key, word = (end - left) / (right - left), 1 + (gap - 0.3) / across, 1 + (gap - 0.06) / across
    for bot, label in enumerate(labels):
        colour, dash, _ = bot_style(bot)
        if np.isfinite(last[bot]):
            axes.plot(
                [start, key],
                [wanted[bot], places[bot]],
                transform=axes.transAxes,
                clip_on=False,
                color=colour,
                linewidth=0.7,
                alpha=0.6,
            )
            axes.plot(
                [key, word],
                [places[bot]] * 2,
                transform=axes.transAxes,
                clip_on=False,
                color=colour,
                linestyle=dash,
                linewidth=1.6,
            )
        axes.text(1 + gap / across, places[bot], label, transform=axes.transAxes, size=SIZE, va="center_baseline")


def spread(wanted: np.ndarray, gap: float, low: float, high: float) -> np.ndarray:
    """Places as near as possible to the wanted ones (by squares), at least a gap apart, between low and high."""
    count = len(wanted)
    gap = min(gap, (high - low) / max(count - 1, 1))
    order = np.argsort(wanted, kind="stable")
    offsets = gap * np.arange(count)
    blocks: list[tuple[float, int]] = []  # mean of the wanted places less offsets, how many: means ascend
    for place in wanted[order] - offsets:
        mean, size = float(place), 1
        while blocks and blocks[-1][0] > mean:
            before, more = blocks.pop()
            mean, size = (before * more + mean * size) / (more + size), size + more
        blocks.append((mean, size))
    means = np.concatenate([np.full(size, mean) for mean, size in blocks])
    places = np.empty(count)
    places[order] = np.clip(means, low, high - offsets[-1]) + offsets
    return places
