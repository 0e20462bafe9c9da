"""The report of a tournament: one page with all that came out of it, and games to open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from qpolis.game import with_settings
from qpolis.games import game_class
from qpolis.ratings.sprt import Test, Verdict
from qpolis.report.content import terminal_tables as tables
from qpolis.report.content.outcome import Outcome
from qpolis.report.pages.crosstable import crosstable
from qpolis.report.pages.endings import abnormal, games_section
from qpolis.report.pages.figures import plot
from qpolis.report.pages.games import ReportGames, choose_games
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import notice, page, section
from qpolis.report.pages.reproduce import reproduce, shown_folder
from qpolis.report.pages.standings import standings_table
from qpolis.report.plots.text import count
from qpolis.tourney.plan import Plan

REPORT = "report.html"
DRAWN = ("ratings", "convergence", "seats", "scores", "times")  # plots of the page; the crosstable is a table
STYLES, SCRIPTS = ("viewer.css", "report.css"), ("crosstable.js", "viewer.js", "games.js")


def report_page(
    plan: Plan, folder: Path, outcome: Outcome, drawn: Mapping[str, bytes], shown: ReportGames | None = None
) -> bytes:
    """The page. `drawn` are its plots as SVG; `shown` the games in it, by default a sample."""
    shown = choose_games(plan, folder, outcome) if shown is None else shown
    parts = sections(plan, folder, outcome, drawn, shown)
    links = [tag("a", heading, href=f"#{anchor}") for anchor, (heading, _) in parts.items()]
    name = plan.definition.name
    body = join(
        [
            tag("h1", name),
            tag("p", lead(plan, outcome), class_="lead"),
            tag("nav", links, class_="contents", aria_label="contents"),
            *map(notice, plan.notes),
            *notices(outcome),
            *(section(anchor, heading, content) for anchor, (heading, content) in parts.items()),
        ]
    )
    return page(
        f"{name}: tournament of {game_class(plan.definition.game).title}",
        body,
        styles=STYLES,
        scripts=SCRIPTS,
        games=[plan.definition.game] if shown.replays else [],
        data={f"replay-{number}": replay for number, replay in shown.replays.items()},
    )


def sections(
    plan: Plan, folder: Path, outcome: Outcome, drawn: Mapping[str, bytes], shown: ReportGames
) -> dict[str, tuple[str, list[Html]]]:
    """The parts of the page by their anchors: heading and content."""
    where = shown_folder(folder)

    def figure(name: str, label: str, caption: str = "") -> Html:
        return plot(drawn[name], name, label, caption)

    return {
        "standings": (
            "Standings",
            [
                standings_table(outcome),
                figure("ratings", "Elo of every bot with its 95% interval, as in the table above"),
            ],
        ),
        "crosstable": (
            "Who beats whom",
            [
                tag(
                    "p",
                    "How often the row finished ahead of the column.",
                    tag(
                        "span",
                        " Point at a cell for its interval and the margin; a click on a heading sorts the rows.",
                        class_="screen",
                    ),
                    class_="note",
                ),
                crosstable(outcome.ratings),
            ],
        ),
        "convergence": ("Convergence", [figure("convergence", "TrueSkill of every bot in the course of the run")]),
        "seats": (
            "Seats",
            [tag("p", seat_sentence(outcome)), figure("seats", "share of first places by seat, with intervals")],
        ),
        "scores": ("Points", [figure("scores", "how the points of every bot are spread")]),
        "times": ("Time for a decision", [figure("times", "time that every bot takes for a decision")]),
        "abnormal": ("Abnormal ends", abnormal(outcome.forfeits, shown, where, plan.definition.moves)),
        "games": ("Games to open", games_section(outcome, shown, where)),
        "reproduce": ("Play it again", reproduce(plan, folder)),
    }


def lead(plan: Plan, outcome: Outcome) -> str:
    """What was played, in words."""
    definition = plan.definition
    kind = tables.kind(definition).capitalize()
    title = game_class(definition.game).title
    deals = count(outcome.results.games // plan.games_per_block, "deal")
    bots = count(len(plan.bots), "bot")
    challenger = f", {definition.challenger} against the field" if definition.challenger else ""
    return (
        f"{kind} of {with_settings(title, definition.options)} between {bots}{challenger}: "
        f"{count(outcome.results.games, 'game')} on {deals}, each played in "
        f"{count(plan.games_per_block, 'seating')} ({definition.seatings}), seed {definition.seed}."
    )


def notices(outcome: Outcome) -> list[Html]:
    """The verdict of a test, and what a reader must know before believing the numbers."""
    warned = [
        line.removeprefix("warning: ")
        for line in (*tables.cycle_lines(outcome), *tables.repeat_lines(outcome.repeats))
    ]
    said = (
        [
            tag(
                "p",
                "\n".join([verdict_sentence(outcome, outcome.test), *tables.test_lines(outcome.test)]),
                class_="verdict",
            )
        ]
        if outcome.test
        else []
    )
    said += map(notice, warned)
    if outcome.forfeits:
        said.append(
            notice(
                f"{count(len(outcome.forfeits), 'game')} of {outcome.results.games:,} ended ",
                tag("a", "abnormally", href="#abnormal"),
                ".",
            )
        )
    return said


def verdict_sentence(outcome: Outcome, test: Test) -> str:
    """What a sequential test says about its two bots, for those who do not read ratios."""
    new, old, *_ = outcome.results.bots
    low, high = f"{test.hypotheses.elo0:g}", f"{test.hypotheses.elo1:g}"
    if test.verdict is None:
        return f"Not decided whether {new} is {high} Elo stronger than {old}, or {low}."
    passed = test.verdict is Verdict.H1
    likely, other = (high, low) if passed else (low, high)
    return f"{new} {'passed' if passed else 'failed'}: rather {likely} Elo stronger than {old} than {other}."


def seat_sentence(outcome: Outcome) -> str:
    """What the seats say, in words: of the seat that is furthest from equal. It is chosen from several, so no more
    is claimed than where its interval lies."""
    results, wins = outcome.results, outcome.ratings.seat_wins
    equal = 1 / results.seats
    if not np.isfinite(wins.value).all():
        return "Nothing is known about the seats."
    seat = int(np.abs(wins.value - equal).argmax())
    value, low, high = wins.value[seat], wins.low[seat], wins.high[seat]
    begin = f"Seat {seat}, the furthest from an equal share, won {value:.1%} of the games"
    sat = np.array([np.bincount(column, minlength=len(results.bots)) for column in results.who.T])
    if (sat != sat[0]).any():
        return f"{begin}, but bots did not sit equally often at all seats: it may be the bots, not the seat."
    if not (np.isfinite(low) and np.isfinite(high)):
        return f"{begin}; equal seats win {equal:.1%}."
    where = "inside" if low <= equal <= high else "outside"
    why = ": chance may explain the difference" if where == "inside" else ""
    return (
        f"{begin} (95% interval {100 * low:.1f} to {100 * high:.1f}); equal seats win {equal:.1%}, {where} of "
        f"the interval{why}."
    )
