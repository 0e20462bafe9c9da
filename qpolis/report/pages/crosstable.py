"""Who beats whom, as a table that can be sorted by every column; every cell says more when it is pointed at."""

from __future__ import annotations

import numpy as np

from qpolis.ratings.standing import Ratings
from qpolis.report.content.progress import short
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, sort_key, table
from qpolis.report.pages.standings import LONGEST, bot_mark
from qpolis.report.plots.crosstable import SCALE, colours
from qpolis.report.plots.text import count, number

NAMED = 8  # up to so many bots, columns have names; more have the ranks of the rows
SIGNED = 12  # up to so many, cells have a percent sign
LEVEL = 0.179  # of luminance, at which dark and light letters are equally easy to read
DARK, LIGHT = "#000000", "#ffffff"  # letters: on any colour, one of them can be read well (WCAG 2, AA)
HEAD = 16  # characters of a name in the heading of a column


def crosstable(ratings: Ratings) -> Html:
    """The shares, the bots in order of strength both ways."""
    order, cross = ratings.order.tolist(), ratings.cross
    met = [bot for bot in order if np.isfinite(cross.share.value[bot]).any()]
    if not met:
        return tag("p", "No two different bots met in this run.")
    few = len(met) <= SIGNED
    fills, inks = paints(cross.share.value)
    places = {bot: place for place, bot in enumerate(order, start=1)}
    heads = [tag("th", "ahead of", scope="col")]
    for bot in met:
        named = short(ratings.bots[bot], HEAD) if len(met) <= NAMED else places[bot]
        heads.append(
            tag(
                "th",
                named,
                scope="col",
                data_name=ratings.bots[bot],
                data_tip=f"{places[bot]}. {ratings.bots[bot]}",
            )
        )
    rows = []
    for bot in met:
        name = tag("span", places[bot], class_="rank")
        row = [
            cell(
                [name, " ", bot_mark(bot), " ", short(ratings.bots[bot], LONGEST)],
                places[bot],
                "th",
                scope="row",
                data_name=ratings.bots[bot],
            )
        ]
        for other in met:
            share = cross.share.value[bot, other]
            if bot == other or np.isnan(share):
                row.append(tag("td", class_="self" if bot == other else None, data_value=""))
                continue
            row.append(
                cell(
                    f"{share:.1%}" if few else f"{100 * share:.0f}",
                    sort_key(share),
                    style=f"background:{fills[bot][other]};color:{inks[bot][other]}",
                    data_said=pair_text(ratings, bot, other),
                )
            )
        rows.append(row)
    size = "cross" if len(met) <= NAMED else "cross many" if len(met) <= 2 * SIGNED else "cross many crowd"
    paper = (
        tag("p", "It is too wide for paper: see crosstable.csv in the folder of the run.", class_="paper")
        if "crowd" in size
        else None
    )
    return join([table(heads, rows, class_=size), paper, scale()])


def pair_text(ratings: Ratings, one: int, other: int) -> str:
    """A cell in words; the names, which would be there a thousand times, are put before them when it is pointed
    at."""
    cross = ratings.cross
    share, margin = cross.share, cross.margin.value[one, other]
    low, high = share.low[one, other], share.high[one, other]
    sure = f" ({100 * low:.1f} to {100 * high:.1f})" if np.isfinite(low) and np.isfinite(high) else ""
    by = f", by {number(margin, 1, '+')} points" if np.isfinite(margin) else ""
    return f"in {share.value[one, other]:.1%}{sure} of {count(int(cross.games[one, other]), 'game')}{by}"


def paints(shares: np.ndarray) -> tuple[list[list[str]], list[list[str]]]:
    """The colours of cells, and of what stands on them: the same on light and dark paper."""
    mixed = colours(shares)
    fills = [[hexed(one) for one in row] for row in mixed]
    inks = [[DARK if light > LEVEL else LIGHT for light in row] for row in luminance(mixed)]
    return fills, inks


def luminance(mixed: np.ndarray) -> np.ndarray:
    """How light colours are, as contrast is reckoned from (WCAG 2)."""
    linear = np.where(mixed <= 0.04045, mixed / 12.92, ((mixed + 0.055) / 1.055) ** 2.4)
    found: np.ndarray = linear @ (0.2126, 0.7152, 0.0722)
    return found


def hexed(parts: np.ndarray) -> str:
    return "#" + "".join(f"{round(255 * float(part)):02x}" for part in parts)


def scale() -> Html:
    """What the colours mean."""
    stops = ", ".join(hexed(one) for one in SCALE)
    bar = tag("span", class_="bar", style=f"background:linear-gradient(to right, {stops})")
    return tag("p", "0% ", bar, " 100% ahead; level counts as half", class_="note scale")
