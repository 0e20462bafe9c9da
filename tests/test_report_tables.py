"""The numbers of a report: its tables and sentences say what was played."""

from __future__ import annotations

import csv
import html
import re
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.made_up_runs import CASES
from qpolis.ratings.standing import Estimate
from qpolis.report.content.outcome import Outcome
from qpolis.report.pages.crosstable import crosstable, paints
from qpolis.report.pages.standings import standings_table
from qpolis.report.pages.tourney import seat_sentence
from qpolis.report.plots import RatedRun
from qpolis.report.plots.text import MINUS


@pytest.mark.parametrize("case", CASES)
def test_tables_of_all_sorts_of_runs(case):
    outcome = Outcome(RatedRun("A run", *CASES[case]()), [], [], None)
    bots = len(outcome.ratings.bots)
    table = standings_table(outcome)
    assert table.count("<tr>") == bots + 1
    assert "nan" not in table
    cross = crosstable(outcome.ratings)
    assert "nan" not in cross
    assert cross.count("data-said") <= bots * bots
    assert seat_sentence(outcome)


def rows_of(text, name):
    """The cells of the body of a table, without markup."""
    body = re.search(f'<table class="{name}"[^>]*>.*?<tbody>(.*?)</tbody>', text, re.DOTALL)[1]
    return [
        [html.unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in re.findall("<t[dh].*?</t[dh]>", row)]
        for row in re.findall("<tr>(.*?)</tr>", body, re.DOTALL)
    ]


def test_tables_say_what_the_games_say(cup):
    """Reckoned once more from games.csv, the long way."""
    with open(cup / "games.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    games_of = [(rows[at], rows[at + 1]) for at in range(0, len(rows), 2)]
    text = (cup / "report.html").read_text()
    standings = rows_of(text, "standings")
    for _, bot, played, wins, place, points, *_ in standings:
        pairs = [
            pair if pair[0]["bot"] == bot else pair[::-1]
            for pair in games_of
            if bot in (pair[0]["bot"], pair[1]["bot"])
        ]
        ranks = [(int(own["rank"]), int(other["rank"])) for own, other in pairs]
        won = sum(0.5 if own == other else own == 0 for own, other in ranks)
        assert int(played) == len(pairs)
        assert wins == f"{won / len(pairs):.1%}"
        assert place == f"{2 - won / len(pairs):.2f}"
        assert points == f"{sum(int(own['score']) for own, _ in pairs) / len(pairs):.1f}"
    order = [row[1] for row in standings]
    tips = re.findall('data-said="in ([0-9.]+%) [^"]* of ([0-9]+) games, by ([^"]*) points"', text)
    met = [(one, other) for one in order for other in order if one != other]
    assert len(tips) == len(met)
    for (share, played, margin), (one, other) in zip(tips, met):
        pairs = [
            pair if pair[0]["bot"] == one else pair[::-1]
            for pair in games_of
            if {pair[0]["bot"], pair[1]["bot"]} == {one, other}
        ]
        ahead = sum(0.5 if own["rank"] == rival["rank"] else own["rank"] == "0" for own, rival in pairs)
        by = sum(int(own["score"]) - int(rival["score"]) for own, rival in pairs) / len(pairs)
        assert (share, int(played)) == (f"{ahead / len(pairs):.1%}", len(pairs))
        assert margin.replace(MINUS, "-") == f"{by:+.1f}"
    seat, won = re.search(r"Seat (\d), the furthest from an equal share, won ([0-9.]+%)", text).groups()
    ranks = [(pair[int(seat)]["rank"], pair[1 - int(seat)]["rank"]) for pair in games_of]
    assert won == f"{sum(0.5 if own == other else own == '0' for own, other in ranks) / len(ranks):.1%}"


def test_what_is_said_of_seats_follows_the_interval():
    def said(value, low, high, who=((0, 1), (1, 0))):
        wins = Estimate(*(np.array([one, 1 - one]) for one in (value, low, high)))
        results = SimpleNamespace(seats=2, bots=("a", "b"), who=np.array(who))
        return seat_sentence(SimpleNamespace(results=results, ratings=SimpleNamespace(seat_wins=wins)))

    begin = "Seat 0, the furthest from an equal share, won 55.0% of the games"
    assert said(0.55, 0.51, 0.59) == (
        f"{begin} (95% interval 51.0 to 59.0); equal seats win 50.0%, outside of the interval."
    )
    assert said(0.55, 0.45, 0.65) == (
        f"{begin} (95% interval 45.0 to 65.0); equal seats win 50.0%, inside of the interval: chance may explain "
        "the difference."
    )
    assert said(0.55, np.nan, np.nan) == f"{begin}; equal seats win 50.0%."
    assert said(0.55, 0.51, 0.59, who=((0, 1), (0, 1))) == (
        f"{begin}, but bots did not sit equally often at all seats: it may be the bots, not the seat."
    )


def test_what_stands_on_a_colour_can_be_read():
    fills, inks = paints(np.linspace(0, 1, 41)[np.newaxis])
    for fill, ink in zip(fills[0], inks[0]):
        light, dark = sorted((luminance(fill), luminance(ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
