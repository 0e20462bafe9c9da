"""The standings of a run as a table, and how bots are marked in it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from qpolis.report.content.outcome import Outcome
from qpolis.report.content.progress import short
from qpolis.report.pages.markup import Html, tag
from qpolis.report.pages.page import cell, sort_key, table
from qpolis.report.plots.figure_layout import COLOURS, bot_style
from qpolis.report.plots.text import between, number

LONGEST = 40  # characters of a name
HEADING = (
    "rank",
    ("bot", "words"),
    "games",
    "wins",
    "mean place",
    "points",
    "Elo",
    "95% interval",
    "TrueSkill",
    "at least",
    "abnormal ends",
)
TIPS = {
    "wins": "share of first places; a shared one counts in parts",
    "mean place": "1 is best; equals share the mean of their places",
    "points": "mean points of the game",
    "Elo": "above the mean of the field (Plackett-Luce)",
    "95% interval": "from a block bootstrap over deals",
    "TrueSkill": "mu ± sigma",
    "at least": "mu less 3 sigma: what the bot surely reaches",
    "abnormal ends": "games this bot forfeited",
}


def bot_mark(bot: int) -> Html:
    """The mark a bot has in the plots: its colour and its shape."""
    shape = bot_style(bot).mark
    how = {"fill": f"var(--c{bot % len(COLOURS)})"}
    drawn = {
        "o": lambda: tag("circle", cx=6, cy=6, r=4.5, **how),
        "s": lambda: tag("rect", x=2, y=2, width=8, height=8, **how),
        "D": lambda: tag("path", d="M6 .5 11.5 6 6 11.5 .5 6Z", **how),
        "^": lambda: tag("path", d="M6 1 11.5 11H.5Z", **how),
    }[shape]()
    return tag("svg", drawn, class_="mark", viewBox="0 0 12 12", width=12, height=12, aria_hidden="true")


def bot_cell(bot: int, name: str) -> Html:
    """A cell with the mark and the name of a bot; the whole name is its tip, if it is long."""
    said = short(name, LONGEST)
    return cell([bot_mark(bot), " ", said], name, class_="words", data_tip=name if said != name else None)


def value_cell(value: float, digits: int, sign: str = "-") -> Html:
    """A cell with a number; empty if nothing is known, and sorted last."""
    return cell(number(value, digits, sign) if np.isfinite(value) else "", sort_key(value))


def standings_table(outcome: Outcome) -> Html:
    """The bots from the strongest to the weakest."""
    ratings = outcome.ratings
    forfeits = Counter(item.bot for item in outcome.forfeits)
    heading = [
        tag("th", name, scope="col", data_tip=TIPS.get(name), class_="words" if words else None)
        for name, words in (head if isinstance(head, tuple) else (head, "") for head in HEADING)
    ]
    rows = []
    for place, bot in enumerate(ratings.order.tolist(), start=1):
        name, elo, played = ratings.bots[bot], ratings.elo, int(ratings.games[bot])
        share = ratings.wins[bot] / played if played else np.nan
        ended = forfeits[name]
        rows.append(
            [
                place,
                bot_cell(bot, name),
                cell(f"{played:,}", played),
                cell(f"{share:.1%}" if played else "", sort_key(share)),
                value_cell(ratings.place[bot], 2),
                value_cell(ratings.points[bot], 1),
                value_cell(elo.value[bot], 0, "+"),
                cell(between(elo.low[bot], elo.high[bot], 0, "+"), sort_key(elo.low[bot])),
                cell(f"{number(ratings.mu[bot], 2)} ± {ratings.sigma[bot]:.2f}", sort_key(ratings.mu[bot])),
                value_cell(ratings.conservative[bot], 2),
                cell(tag("a", f"{ended:,}", href="#abnormal") if ended else "0", ended),
            ]
        )
    return table(heading, rows, class_="standings")
