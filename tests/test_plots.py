"""The plots: made-up runs of all sizes, awkward names, hardly any data."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from qpolis.engine.results import COLUMNS, Results
from qpolis.ratings.standing import Crosstable, Estimate, History, Ratings
from qpolis.report.plots import PLOTS, RatedRun, encode_figure, write_plots
from qpolis.report.plots.convergence import spread
from qpolis.report.plots.crosstable import colours
from qpolis.report.plots.figure_layout import bot_style, round_ticks
from qpolis.report.plots.ratings import window
from qpolis.report.plots.scores import grouped, tally
from qpolis.report.plots.style import matplotlib  # from there: it must be imported quietly
from qpolis.report.plots.text import MINUS, clean, number, shortened, width
from qpolis.report.plots.text import names as shown_names
from qpolis.report.plots.times import time_text
from qpolis.tourney.times import EDGES, quantiles, total

Run = tuple[Results, Ratings, History, np.ndarray]
FILES = {
    f"{name}.{kind}"
    for name in ("ratings", "convergence", "crosstable", "scores", "seats", "times")
    for kind in ("png", "svg")
}
NAMES = (
    "mcts",
    "heuristic",
    "greedy",
    "random",
    "mcts:iterations=400,exploration=0.7",
    "./bots/my_bot.py",
    "./bots/very_long_name.py:Class:alpha=0.5,beta=0.25,gamma=0.125",
    "greedy:depth=2",
    "/home/someone/projects/quadropolis/bots/experimental/neural.py:Network:weights=new,device=cpu",
    "/home/someone/projects/quadropolis/bots/experimental/neural.py:Network:weights=old,device=cpu",
    "heuristic:weights=classic",
    "process:./a.out",
)


def names(count: int) -> tuple[str, ...]:
    """Short and long specs, as many as wanted."""
    return tuple(NAMES[index] if index < len(NAMES) else f"mcts:seed={index}" for index in range(count))


def made_up(bots: tuple[str, ...], seats: int, games: int, seed: int = 1, gap: float = 80) -> Run:
    """A plausible run without playing: what `RatedRun` takes after the title."""
    random = np.random.default_rng(seed)
    many = len(bots)
    elo = np.sort(random.normal(0, gap * np.sqrt(many), many))[::-1]
    elo -= elo.mean()
    who = (
        np.argsort(random.random((games, many)), axis=1)[:, :seats].astype(np.int16)
        if many >= seats
        else (random.integers(0, many, (games, seats)).astype(np.int16))
    )
    points = np.round(random.normal(55 + elo[who] / 30, 9)).astype(np.int32)
    ranks = (points[:, :, np.newaxis] < points[:, np.newaxis, :]).sum(axis=2).astype(np.int8)
    results = Results(
        bots=bots,
        who=who,
        deals=np.arange(games, dtype=np.int64) // seats,
        points=points,
        ranks=ranks,
        decisions=np.full((games, seats), 16, np.int32),
        ends=np.zeros((games, seats), np.int8),
    )
    return results, ratings_of(results, elo), history_of(elo, games, random), times_of(many, games, random)


def around(value: np.ndarray, half: np.ndarray | float) -> Estimate:
    return Estimate(value, value - half, value + half)


def ratings_of(results: Results, elo: np.ndarray) -> Ratings:
    """Shares and margins as Elo would have them, with noise by the number of games."""
    random = np.random.default_rng(2)
    many, seats = len(elo), results.seats
    games = np.bincount(results.who.ravel(), minlength=many)
    met = np.full((many, many), games.min() * (seats - 1) / max(many - 1, 1))
    difference = elo[:, np.newaxis] - elo
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = 1 / np.sqrt(games)
        meeting = 1 / np.sqrt(met)
        share = np.clip(1 / (1 + 10 ** (-difference / 400)) + random.normal(0, 0.3, met.shape) * meeting, 0, 1)
    share = np.where(met > 0, np.triu(share, 1) + np.tril(1 - share.T, -1), np.nan)
    np.fill_diagonal(share, np.nan)
    equal = np.full(seats, 1 / seats)
    half = 1 / np.sqrt(max(results.games, 1))
    tilt = np.linspace(-0.02, 0.02, seats)
    cross = Crosstable(
        met,
        met * np.nan_to_num(share),
        met * 0,
        around(share, meeting),
        around(np.where(np.isnan(share), np.nan, difference / 30), 9 * meeting),
    )
    return Ratings(
        results.bots,
        games,
        games / seats,
        games * 0 + (seats + 1) / 2,
        games * 0.0 + 55,
        25 + elo / 60,
        np.full(many, 0.8),
        around(elo, 350 * noise),
        around(300 * tilt, 300 * half),
        around(equal + tilt, half),
        around(difference, 500 * meeting),
        (difference > 0) * 1.0,
        cross,
        (),
    )


def history_of(elo: np.ndarray, games: int, random: np.random.Generator, times: int = 150) -> History:
    played = np.unique(np.linspace(0, games, times).round().astype(np.int64))
    learnt = (1 - np.exp(-played / (3 * len(elo))))[:, np.newaxis]
    noise = np.cumsum(random.normal(0, 0.12, (len(played), len(elo))), axis=0) * 0.5
    return History(played, 25 + learnt * (elo / 60 + noise), 8.33 * (1 - learnt) + 0.8)


def times_of(many: int, games: int, random: np.random.Generator) -> np.ndarray:
    middle = random.uniform(8, 50, (many, 1))
    shape = np.exp(-0.5 * ((np.arange(64) - middle) / random.uniform(1, 4, (many, 1))) ** 2)
    counts = np.round(shape * games).astype(np.int64)
    counts[many // 2] = 0
    return counts


def broken() -> Run:
    """A bot without games, pairs that never met, intervals without end, nothing timed."""
    results, ratings, history, times = made_up(names(5), 3, 40)
    results = replace(results, who=np.where(results.who == 2, 4, results.who))
    elo = np.array([(120, -np.inf, 200), (100, 40, np.inf), (np.nan,) * 3, (20, -60, 9e6), (-240, -300, -200)]).T
    share = ratings.cross.share.value.copy()
    share[[0, 3], [3, 0]] = share[2] = share[:, 2] = np.nan
    cross = replace(ratings.cross, share=replace(ratings.cross.share, value=share))
    mu = history.mu.copy()
    mu[:, 2] = np.nan
    games = np.bincount(results.who.ravel(), minlength=5)
    ratings = replace(ratings, elo=Estimate(*elo), cross=cross, games=games)
    return results, ratings, replace(history, mu=mu), times * 0


def far_away() -> Run:
    """One bot far below all others, one infinitely above, a few absurd scores."""
    results, ratings, history, times = made_up(names(6), 2, 300)
    results.points[:3, 0] = -(2**31), 2**31 - 1, -100_000
    return results, replace(ratings, elo=around(np.array([np.inf, 30.0, 10, 0, -50, -1500]), 20.0)), history, times


def unplayed() -> Run:
    """Not one game."""
    results, ratings, history, times = made_up(names(3), 3, 1)
    cross = replace(ratings.cross, share=nothing(3, 3), margin=nothing(3, 3))
    ratings = replace(
        ratings,
        games=ratings.games * 0,
        mu=ratings.mu * np.nan,
        elo=nothing(3),
        seat_elo=nothing(3),
        seat_wins=nothing(3),
        cross=cross,
    )
    empty = replace(results, **{name: getattr(results, name)[:0] for name in COLUMNS})
    return empty, ratings, History(history.games[:0], history.mu[:0], history.sigma[:0]), times * 0


def nothing(*shape: int) -> Estimate:
    return Estimate(*np.full((3, *shape), np.nan))


AWKWARD = ("a$b_c$", "<b>&amp;", "日本語", "müller/straße", "a\nb\tc", "--->", r"$\frac{1}{2}$", "", "\udc80")
CASES = {
    "two": lambda: made_up(names(2), 2, 10_000),
    "four": lambda: made_up(names(4), 3, 1000),
    "twelve": lambda: made_up(names(12), 4, 2000),
    "thirty": lambda: made_up(names(30), 3, 3000),
    "one game": lambda: made_up(names(2), 2, 1),
    "broken": broken,
    "far away": far_away,
    "unplayed": unplayed,
    "awkward names": lambda: made_up(AWKWARD, 4, 200),
}


@pytest.mark.parametrize("case", CASES)
def test_all_plots_are_written_and_valid(case: str, tmp_path: Path) -> None:
    written = write_plots(tmp_path / "new", RatedRun("A run of $x$ & <y>", *CASES[case]()))
    assert {path.name for path in written} == FILES == {path.name for path in (tmp_path / "new").iterdir()}
    for path in written:
        if path.suffix == ".png":
            with Image.open(path) as image:
                image.load()
                assert image.width == 900
                assert 200 < image.height < 1500
                assert not image.text
                assert image.convert("L").getextrema() < (128, 256)  # not all white
        else:
            root = ElementTree.parse(path).getroot()
            assert root.tag.endswith("svg")
            assert b"<dc:date>" not in path.read_bytes()


def test_same_bytes_elsewhere_without_a_word(tmp_path: Path) -> None:
    """Another process, in a thread, with another hash seed, warnings as errors, and no folder for matplotlib."""
    (tmp_path / "file").touch()
    run = RatedRun("A run", *CASES["two"]())
    here = {path.name: path.read_bytes() for path in write_plots(tmp_path / "here", run)}
    code = (
        "import pathlib, sys, threading; sys.path.insert(0, sys.argv[1]); import test_plots as made;"
        "run = made.RatedRun('A run', *made.CASES['two']());"
        "go = lambda: made.write_plots(pathlib.Path(sys.argv[2]), run);"
        "thread = threading.Thread(target=go); thread.start(); thread.join()"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(Path(__file__).parent), str(tmp_path / "there")],
        env={**os.environ, "MPLCONFIGDIR": str(tmp_path / "file" / "sub"), "PYTHONHASHSEED": "7", "DISPLAY": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout + done.stderr == ""
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").iterdir()} == here


def test_settings_of_matplotlib_neither_matter_nor_change(tmp_path: Path) -> None:
    run = RatedRun("A run", *CASES["one game"]())
    plain = encode_figure(PLOTS["seats"](run))
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "svg.hashsalt": None, "figure.dpi": 50}):
        before = dict(matplotlib.rcParams)
        assert encode_figure(PLOTS["seats"](run)) == plain
        assert dict(matplotlib.rcParams) == before


def test_threads_do_not_disturb_each_other() -> None:
    run = RatedRun("A run", *CASES["two"]())
    alone = encode_figure(PLOTS["ratings"](run))
    found: list[dict[str, bytes]] = []

    def draw() -> None:
        found.append(encode_figure(PLOTS["ratings"](run)))

    threads = [threading.Thread(target=draw) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3


def test_bots_must_be_the_same() -> None:
    results, ratings, history, times = CASES["one game"]()
    with pytest.raises(ValueError, match="different bots"):
        RatedRun("A run", replace(results, bots=("a", "b")), ratings, history, times)


def test_bots_look_different() -> None:
    assert len({bot_style(bot) for bot in range(36)}) == 36
    assert bot_style(5) == bot_style(5 + 36)


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_spread(seed: int) -> None:
    random = np.random.default_rng(seed)
    wanted = random.normal(2, 0.5, random.integers(1, 20))
    places = spread(wanted, 0.2, 0.0, 4.0)
    order = np.argsort(wanted)
    assert (np.diff(places[order]) > 0.2 - 1e-9).all()
    assert places.min() > -1e-9
    assert places.max() < 4 + 1e-9


def test_labels_with_room_stay() -> None:
    assert spread(np.array([1.0, 3.0, 2.0]), 0.5, 0, 4).tolist() == [1, 3, 2]
    assert np.allclose(spread(np.array([1.0, 1.0]), 0.5, 0, 4), [0.75, 1.25])
    assert np.allclose(spread(np.zeros(9), 1, 0, 4), np.arange(9) / 2)  # no room: closer, but all inside


@pytest.mark.parametrize("many", [1, 7, 200])
def test_scores_are_counted(many: int) -> None:
    results, *_ = made_up(names(4), 3, many)
    fine, low, step = tally(4, results.who.ravel(), results.points.ravel())
    naive = Counter(zip(results.who.ravel().tolist(), results.points.ravel().tolist()))
    assert step == 1
    assert {(bot, low + column): fine[bot, column] for bot, column in zip(*np.nonzero(fine))} == naive
    bars, start, wide = grouped(fine, low, step)
    assert wide == 1
    assert bars.sum() == fine.sum()
    assert (bars[:, : fine.shape[1]] == fine).all()
    assert start == low


def test_wide_scores_get_wide_bars() -> None:
    results, *_ = made_up(names(2), 2, 500)
    fine, low, step = tally(2, results.who.ravel(), results.points.ravel() * 1000)
    bars, start, wide = grouped(fine, low, step)
    assert wide == 500
    assert start % wide == 0
    assert bars.sum() == fine.sum()


def test_absurd_scores_are_left_out() -> None:
    results, *_ = far_away()
    fine, low, step = tally(6, results.who.ravel(), results.points.ravel())
    assert (fine.sum(), step) == (results.points.size - 3, 1)
    assert low > -100


def test_quantiles_of_times() -> None:
    parts, edges = (0.05, 0.25, 0.5, 0.75, 0.95), np.log(EDGES)
    counts = np.zeros(64, np.int64)
    assert np.isnan(quantiles(counts, parts)).all()
    counts[20] = 100
    assert np.allclose((np.log(quantiles(counts, parts)) - edges[20]) / (edges[21] - edges[20]), parts)
    counts[40] = 100
    low, _, middle, _, high = quantiles(counts, parts)
    assert EDGES[20] < low < EDGES[21] <= middle <= EDGES[40] < high < EDGES[41]
    assert abs(total(counts) / (100 * (EDGES[20] + EDGES[40])) - 2**0.25) < 1e-9


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0625e-6, "0.062 µs"),
        (1e-6, "1 µs"),
        (9.96e-6, "10 µs"),
        (123e-6, "120 µs"),
        (0.9999e-3, "1 ms"),
        (0.25, "250 ms"),
        (1.0, "1 s"),
        (268.0, "270 s"),
    ],
)
def test_times_in_words(seconds: float, text: str) -> None:
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    ("value", "decimals", "sign", "text"),
    [
        (-0.2, 0, "+", "0"),
        (12.34, 1, "+", "+12.3"),
        (-1500, 0, "+", MINUS + "1,500"),
        (np.inf, 0, "+", "+∞"),
        (-np.inf, 0, "-", MINUS + "∞"),
        (np.nan, 0, "-", "?"),
        (0.05, 1, "-", "0.1"),
    ],
)
def test_numbers_in_words(value: float, decimals: int, sign: str, text: str) -> None:
    assert number(value, decimals, sign) == text


def test_names_are_shortened_in_the_middle() -> None:
    spec = "./bots/very_long_name.py:Class:alpha=0.5"
    short = shortened(spec, 2)
    head, tail = short.split("…")
    assert spec.startswith(head)
    assert spec.endswith(tail)
    assert abs(len(head) - len(tail)) <= 1
    assert width(short) <= 2 < width(spec)
    assert shortened("mcts", 2) == "mcts"
    assert shortened("mcts", 0) == "…"
    alike = shown_names(("a" * 99 + "b" + "a" * 99, "a" * 99 + "c" + "a" * 99, "d"), 2)
    assert len(set(alike)) == 3
    assert clean("日\n$") == "\ufffd\ufffd$"


def test_axis_of_ratings() -> None:
    near = window(around(np.array([100.0, 0, -100]), 20.0))
    assert near[0] < -120
    assert near[1] > 120
    assert window(around(np.array([30.0, 10, 0, -50, -1500]), 20.0))[0] > -100
    low, high = window(Estimate(np.array([10.0, -10]), np.array([-np.inf, -1e9]), np.array([1e9, np.inf])))
    assert -1000 < low < high < 1000
    assert window(nothing(3)) == (-100, 100)


def test_colours_of_shares() -> None:
    low, level, high, unmet = colours(np.array([0.0, 0.5, 1.0, np.nan]))
    assert low[0] > low[2]  # reddish
    assert high[2] > high[0]  # bluish
    assert np.ptp(level) == 0
    assert (unmet == 1).all()


def test_ticks_are_round() -> None:
    assert round_ticks(0, 10, 5).tolist() == [0, 2, 4, 6, 8, 10]
    assert np.allclose(round_ticks(-0.13, 0.21, 4), [-0.1, 0, 0.1, 0.2])


def test_a_figure_can_be_had_without_a_file() -> None:
    figure = PLOTS["times"](RatedRun("A run", *CASES["two"]()))
    assert Image.open(BytesIO(encode_figure(figure)[".png"])).format == "PNG"
