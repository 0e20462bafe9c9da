"""Sections of a report about single games: abnormal ends, and the games that can be opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from qpolis.engine.results import ENDS, FINISHED, STOPPED
from qpolis.report.content.outcome import Forfeit, Outcome, first_forfeits
from qpolis.report.pages.games import ReportGames
from qpolis.report.pages.markup import Html, tag
from qpolis.report.pages.page import cell, table, text_cell
from qpolis.report.plots.text import count

MOST = 200  # abnormal ends that are listed
OPEN = 12  # up to so many, the list is open


def game_link(number: int, shown: ReportGames) -> Html:
    """The number of a game; a link, if it is in the page."""
    return tag("a", number, href=f"#game-{number}") if number in shown.replays else tag("span", number)


def abnormal(forfeits: Sequence[Forfeit], shown: ReportGames, where: str, moves: bool) -> list[Html]:
    """Games that were not played to their end: by bot and kind, and one by one."""
    if not forfeits:
        return [tag("p", "Every game was played to its end by all bots.")]
    counts = Counter((item.bot, item.end) for item in forfeits)
    first = first_forfeits(forfeits)
    groups = [
        [
            cell(bot, bot, class_="words"),
            cell(end, end, class_="words"),
            cell(f"{number:,}", number),
            cell(game_link(first[bot, end].game, shown), first[bot, end].game),
            text_cell(first[bot, end].reason, "td"),
        ]
        for (bot, end), number in counts.most_common()
    ]
    rows = [
        [
            cell(game_link(item.game, shown), item.game),
            item.seat,
            cell(item.bot, item.bot, class_="words"),
            cell(item.end, item.end, class_="words"),
            text_cell(item.reason, "td"),
        ]
        for item in forfeits[:MOST]
    ]
    few = "" if len(forfeits) <= MOST else f", the first {MOST} of them; all are in forfeits.txt"
    how = (
        tag(
            "p",
            "Numbers that are links open the game in this page. The others: ",
            tag("code", f"qpolis watch {where} --game N"),
            ".",
            class_="note",
        )
        if moves
        else None
    )
    return [
        tag(
            "p",
            f"{count(len(forfeits), 'game')} ended abnormally. The bot that forfeits is last, the others are "
            "ranked as they stood.",
        ),
        table([text_cell("bot"), text_cell("kind"), "games", "first game", text_cell("its reason")], groups),
        tag(
            "details",
            tag("summary", f"One by one{few}"),
            how,
            table(["game", "seat", *map(text_cell, ("bot", "kind", "reason"))], rows),
            open=len(forfeits) <= OPEN,
        ),
    ]


def games_table(outcome: Outcome, shown: ReportGames) -> Html:
    """The games that can be opened."""
    results = outcome.results
    rows = []
    for number, why in shown.why.items():
        played = shown.played[number]
        sides = [
            tag(
                "span",
                tag("span", seat, class_=f"seat seat{seat}"),
                " ",
                bot,
                " ",
                tag("b", f"{played.points[seat]:,}"),
                class_="side",
            )
            for seat, bot in enumerate(played.bots)
        ]
        winners = [bot for bot, rank in zip(played.bots, played.ranks) if rank == 0]
        points = sorted(played.points)
        margin = points[-1] - points[-2] if len(points) > 1 else 0
        bad = [ENDS[end] for end in played.ends if end not in (FINISHED, STOPPED)]
        decisions = int(results.decisions[number].sum())
        rows.append(
            [
                cell(tag("a", f"game {number}", href=f"#game-{number}"), number),
                text_cell(why, "td"),
                cell(sides, " ".join(played.bots), class_="words sides"),
                cell(winners[0] if len(winners) == 1 else "shared", class_="words"),
                cell(f"{margin:,}", margin),
                cell(f"{decisions:,}", decisions),
                cell(", ".join(bad) or ENDS[FINISHED], class_="words"),
            ]
        )
    heading = [
        "game",
        text_cell("why it is here"),
        text_cell("bots by seat, with points"),
        text_cell("winner"),
        "margin",
        "decisions",
        text_cell("end"),
    ]
    return table(heading, rows, class_="games")


def games_section(outcome: Outcome, shown: ReportGames, where: str) -> list[Html]:
    """The table, and the place where a game opens."""
    said = [tag("p", shown.problem, class_="warning")] if shown.problem else []
    if not shown.replays:
        return said or [
            tag(
                "p",
                "No game is in this page. To look at one: ",
                tag("code", f"qpolis watch {where} --game N"),
                ".",
            )
        ]
    size = f"{len(shown.replays):,} of {count(outcome.results.games, 'game')} are in this page"
    room = f" ({max(shown.size // 1000, 1):,} kB of it)" if shown.size else ""
    more = [
        tag(
            "p",
            f"{size}{room}; a click opens one below. Any other: ",
            tag("code", f"qpolis watch {where} --game N"),
            ", or ",
            tag("code", f"qpolis report {where} --game N"),
            " to have it here.",
            class_="note",
        )
    ]
    if shown.without_thoughts:
        more.append(
            tag(
                "p",
                f"What searching bots thought is left out for want of time in {_listed(shown.without_thoughts)}: ",
                tag("code", f"qpolis watch {where} --game {shown.without_thoughts[0]}"),
                " shows it.",
                class_="note",
            )
        )
    return [*said, *more, games_table(outcome, shown), tag("div", id="game", hidden=True)]


def _listed(numbers: Sequence[int]) -> str:
    return f"{'game' if len(numbers) == 1 else 'games'} {', '.join(map(str, numbers))}"
