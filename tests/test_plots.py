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

from helpers.made_up_runs import (
    CASES,
    around,
    far_away,
    made_up,
    names,
    nothing,
)
from helpers.sizes import some
from qpolis.ratings.standing import Estimate
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

FILES = {
    f"{name}.{kind}"
    for name in ("ratings", "convergence", "crosstable", "scores", "seats", "times")
    for kind in ("png", "svg")
}


@pytest.mark.long
@pytest.mark.parametrize("case", some(CASES, 3))
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
