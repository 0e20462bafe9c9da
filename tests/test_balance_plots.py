"""The plots of balance: made-up answers of all sizes, awkward names, hardly any data."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from helpers.sizes import some
from qpolis.balance.answer import Answer
from qpolis.balance.experiment import RunMeasures
from qpolis.balance.measure import COUNT, EFFECT, POINTS, SHARE, Measure
from qpolis.balance.question import FIELD, HABITS, LADDER, LEVEL, MATRIX, Cell, Question, strategies
from qpolis.errors import QpolisError
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance import MIX_PLOTS, PLOTS, drawings, figures, write_balance_plots
from qpolis.report.plots.balance_changes import MOST, draw_changes
from qpolis.report.plots.balance_data import ahead, budgets, estimates, habit_names, mix_names
from qpolis.report.plots.balance_forest import around_zero, window
from qpolis.report.plots.balance_scores import bar_width
from qpolis.report.plots.style import Figure, FigureCanvasAgg, styled
from qpolis.tourney.definition import Definition

KINDS = ("tower", "shop", "service", "park", "factory", "harbor")
SEVERAL = ("base", "base:harbor+2:park-2", "/home/someone/mixes/many-towers.csv")
AWKWARD = ("a$b_c$" * 9, "<b>&amp;", "日本語", "\udc80\n" * 40, "")


def made_up(
    mixes: tuple[str, ...] = ("base",),
    bots: tuple[str, ...] = ("greedy", "heuristic"),
    seats: int = 2,
    blocks: int = 400,
    noise: float = 1.0,
    seed: int = 1,
    **keys: object,
) -> Answer:
    """A plausible answer without playing."""
    question = Question(
        mixes=mixes, bots=bots, name="balance", options={"players": seats, "mode": "classic"}, **keys
    )  # type: ignore[arg-type]
    random = np.random.default_rng(seed)
    bots_of = {HABITS: strategies(question), LADDER: list(budgets(question))[::-1]}
    bots_of[MATRIX] = [question.player, *bots_of[HABITS]]
    runs = [
        RunMeasures(
            Cell(mix, part, level, Definition(bots=bots)),
            2 * blocks,
            0,
            list(measures_of(part, bots_of, seats, blocks, noise, random)),
            histograms_of(blocks, random) if part in (LEVEL, FIELD) else {},
        )
        for mix in range(len(mixes))
        for part, level in parts_of(question)
    ]
    return Answer(question, KINDS, seats, runs)


def parts_of(question: Question) -> Iterator[tuple[str, str]]:
    yield from ((LEVEL, bot) for bot in question.bots)
    yield FIELD, ""
    if question.forbid + question.favor:
        yield HABITS, question.player
        yield MATRIX, question.player
    if question.ladder:
        yield LADDER, ""


def measures_of(
    part: str, bots: dict[str, list[str]], seats: int, blocks: int, noise: float, random: np.random.Generator
) -> Iterator[Measure]:
    """The measures of a run, by the names that real ones have."""

    def measure(group: str, name: str, unit: str, value: float, spread: float) -> Measure:
        return Measure(group, name, unit, value, random.normal(0, spread * noise, blocks), 2 * blocks)

    if part not in (LEVEL, FIELD):
        rivals = itertools.combinations(bots[part], 2)
        for one, two in itertools.product(["greedy"], bots[part]) if part == HABITS else rivals:
            yield measure(part, f"{one} ahead of {two}", SHARE, random.uniform(0.2, 0.95), 0.3)
        return
    for seat in range(seats):
        yield measure("seats", f"seat {seat} wins", SHARE, 1 / seats + random.normal(0, 0.04), 0.3)
        yield measure("seats", f"seat {seat} points", POINTS, random.normal(58, 1), 4)
    for name in ("points", "spread of points", "winner's points", "winning margin"):
        yield measure("scores", name, POINTS, random.uniform(3, 60), 4)
    for kind in KINDS:
        for who in ("winners'", "others'"):
            yield measure("kinds", f"{kind}: part of {who} points", SHARE, random.uniform(0.05, 0.3), 0.2)
        yield measure("kinds", f"{kind}: built", COUNT, random.uniform(1, 6), 1)
        yield measure("effects", kind, EFFECT, random.normal(0, 0.07), 0.5)
    for name, unit in (
        ("lead changes", COUNT),
        ("decided after part of the game", SHARE),
        ("winner trailed at half-time", SHARE),
    ):
        yield measure("drama", name, unit, random.uniform(0.2, 0.8), 0.3)
    if part == FIELD:
        yield measure("skill", "margin explained by who plays", EFFECT, random.uniform(0.2, 0.9), 0.3)
    for turn, kind in itertools.product(range(1, 5), KINDS):
        name = f"round {turn}: {kind} 2 inhabitants and a mayor"
        yield measure("tiles", f"{name}: taken", SHARE, random.uniform(0.05, 0.95), 0.3)
        yield measure("tiles", f"{name}: place in the round", COUNT, random.uniform(1, 9), 1)
        yield measure("tiles", f"{name}: effect", EFFECT, random.normal(0, 0.3), 1)


def histograms_of(blocks: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    points = random.normal(58, 6, 4 * blocks).round().astype(int)
    return {
        "points": np.bincount(np.maximum(points, 0)),
        "margin": np.bincount(np.abs(random.normal(0, 6, 2 * blocks)).astype(int)),
        "decided": np.histogram(random.beta(3, 2, 2 * blocks), 20, (0, 1))[0],
    }


def every(**keys: object) -> Answer:
    """With all parts of a question."""
    return made_up(**{"forbid": KINDS, "favor": KINDS, "ladder": (50, 200, 800), **keys})  # type: ignore[arg-type]


def changed(answer: Answer, change: Callable[[Measure], Measure]) -> Answer:
    return replace(answer, runs=[replace(run, measures=list(map(change, run.measures))) for run in answer.runs])


def unknown() -> Answer:
    """Measures that say nothing, and histograms of no game."""
    answer = changed(every(mixes=SEVERAL), lambda one: replace(one, value=np.nan))
    empty = {name: np.zeros(20, int) for name in ("points", "margin", "decided")}
    return replace(answer, runs=[replace(run, histograms=empty) for run in answer.runs])


def holes() -> Answer:
    """Every third measure is unknown, some runs are missing."""
    numbers = itertools.count()
    answer = changed(
        every(mixes=SEVERAL), lambda one: replace(one, value=one.value if next(numbers) % 3 else np.nan)
    )
    return replace(answer, runs=[run for number, run in enumerate(answer.runs) if number % 5 != 4])


CASES: dict[str, Callable[[], Answer]] = {
    "one mix": lambda: made_up(),
    "three mixes": lambda: every(mixes=SEVERAL),
    "four seats": lambda: every(mixes=SEVERAL, seats=4, bots=("greedy", "heuristic", "random", "mcts:sims=25")),
    "one bot": lambda: every(bots=("greedy:favor=park+tower:forbid=harbor",), seats=3),
    "one block": lambda: every(mixes=SEVERAL[:2], blocks=1),
    "no doubt": lambda: every(mixes=SEVERAL[:2], noise=0.0),
    "wild": lambda: changed(
        every(mixes=SEVERAL[:2]),
        lambda one: replace(one, value=one.value * 1000) if one.unit in (EFFECT, POINTS) else one,
    ),
    "awkward names": lambda: made_up(mixes=AWKWARD),
    "holes": holes,
}


@pytest.mark.parametrize("case", ["awkward names"])
def test_all_plots_are_written_and_valid(case: str, tmp_path: Path) -> None:
    answer = CASES[case]()
    written = write_balance_plots(tmp_path / "new", drawings(answer))
    assert {path.name for path in written} == {path.name for path in (tmp_path / "new").iterdir()}
    assert {path.stem for path in written} == expected(answer)
    for path in written:
        if path.suffix == ".png":
            with Image.open(path) as image:
                image.load()
                assert image.width == 900
                assert image.convert("L").getextrema() < (128, 256)  # not all white
        else:
            assert ElementTree.parse(path).getroot().tag.endswith("svg")


def expected(answer: Answer) -> set[str]:
    """The plots that there should be, by the runs that there are."""
    parts = {(run.cell.part, run.cell.mix) for run in answer.runs}
    mixes = range(len(answer.question.mixes))
    ladder_habits = {
        name
        for name, part in (("ladder", LADDER), ("habits", HABITS))
        if any((part, mix) in parts for mix in mixes)
    }
    matrices = {f"matrix-{mix}" if mix else "matrix" for mix in mixes if (MATRIX, mix) in parts}
    return (
        {"seats", "kinds", "effects", "tiles", "scores", "drama"}
        | ladder_habits
        | matrices
        | {f"changes-{mix}" for mix in mixes if mix}
    )


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    assert list(figures(unknown())) == [] == write_balance_plots(tmp_path, drawings(unknown()))
    nothing = replace(every(), runs=[])
    assert [draw(nothing) for draw in PLOTS.values()] == [None] * len(PLOTS)
    assert [draw(nothing, 0) for draw in MIX_PLOTS.values()] == [None] * len(MIX_PLOTS)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(QpolisError, match="file: is a file, not a folder"):
        write_balance_plots(tmp_path / "file" / "sub", {})
    with pytest.raises(QpolisError, match="x: cannot be made: File name too long"):
        write_balance_plots(tmp_path / ("x" * 300), {})


def test_same_bytes_elsewhere(tmp_path: Path) -> None:
    """Another process, with another hash seed and warnings as errors."""
    written = write_balance_plots(tmp_path / "here", drawings(CASES["one mix"]()))
    code = (
        "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import test_balance_plots as made;"
        "made.write_balance_plots(pathlib.Path(sys.argv[2]), made.drawings(made.CASES['one mix']()))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(Path(__file__).parent), str(tmp_path / "there")],
        env={**os.environ, "PYTHONHASHSEED": "7", "DISPLAY": ""},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stdout + done.stderr == ""
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").iterdir()} == {
        path.name: path.read_bytes() for path in written
    }


def boxes(figure: Figure) -> list[tuple[str, np.ndarray]]:
    """All texts of a figure and where they are, in pixels: left, bottom, right, top."""
    with styled():
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        found = list(figure.texts)
        for axes in figure.axes:
            found += axes.texts
            if axes.axison:
                found += [axes.xaxis.label, axes.yaxis.label, *axes.get_xticklabels(), *axes.get_yticklabels()]
        return [
            (text.get_text(), text.get_window_extent(canvas.get_renderer()).extents)
            for text in found
            if text.get_text().strip()
        ]


@pytest.mark.long
@pytest.mark.parametrize("case", some(["awkward names", "four seats", "holes"]))
def test_texts_neither_overlap_nor_leave_the_sheet(case: str) -> None:
    answer = CASES[case]()
    drawn = dict(figures(answer))
    assert set(drawn) == expected(answer)
    for name, figure in drawn.items():
        wide, high = figure.get_size_inches() * 100
        assert 150 < high < 1400, name
        texts, ends = zip(*boxes(figure))
        lower, upper = np.array(ends)[:, :2], np.array(ends)[:, 2:]
        out = np.flatnonzero(((lower < 0) | (upper > (wide, high))).any(axis=1))
        assert [texts[place] for place in out] == [], name
        overlap = (np.minimum(upper, upper[:, np.newaxis]) - np.maximum(lower, lower[:, np.newaxis])).min(axis=2)
        pairs = np.argwhere(np.triu(overlap, 1) > 2)
        assert [(texts[one], texts[two]) for one, two in pairs] == [], name


def test_mixes_have_short_names() -> None:
    long = "base:" + ":".join(f"{kind}+{number}" for number, kind in enumerate(KINDS)) * 3
    short = mix_names(made_up(mixes=("base", "/a/b/c.csv", "/a/d/c.csv", long)))
    assert short[:3] == ["base", "#1 c", "#2 c"]
    assert "…" in short[3]


def test_names_of_strategies() -> None:
    words = habit_names(every().question)
    assert (words["greedy:forbid=harbor"], words["greedy:favor=park"]) == ("no harbor", "more park")
    assert len(words) == 2 * len(KINDS)


def test_shares_are_known_both_ways() -> None:
    measure = Measure(HABITS, "greedy ahead of greedy:forbid=park", SHARE, 0.7, np.tile([0.4, -0.4], 50), 100)
    run = RunMeasures(Cell(0, HABITS, "greedy", Definition(bots=("greedy",))), 100, 0, [measure], {})
    shares = ahead(replace(every(), runs=[run]), 0, HABITS)
    value, low, high = shares["greedy:forbid=park", "greedy"]
    assert value == pytest.approx(30)
    assert (100 - high, 100 - low) == pytest.approx(shares["greedy", "greedy:forbid=park"][1:])
    assert low < value < high


def test_estimates_of_what_is_not_there() -> None:
    assert np.isnan(estimates([None, None]).low).all()
    assert estimates([]).value.shape == (0,)


def test_changes_come_first() -> None:
    answer = CASES["no doubt"]()
    figure = draw_changes(answer, 1)
    assert figure is not None
    words = [text for text, _ in boxes(figure) if text in ("changed", "tiny change", "the same", "open")]
    assert len(words) == MOST
    assert words == sorted(words, key=lambda word: word != "changed")
    assert draw_changes(answer, 0) is None


def test_axes() -> None:
    around = Estimate(np.array([10.0, -5]), np.array([-4000.0, -6]), np.array([4000.0, np.nan]))
    assert around_zero([around]) == pytest.approx((-18.72, 18.72))
    low, high = window([around], ends=(-1, 101))
    assert (low, high) == (-1, 101)
    assert window([Estimate(*np.full((3, 2), np.nan))]) == (-2, 2)


def test_bars_are_wider_if_games_are_few() -> None:
    random = np.random.default_rng(1)
    many, few = (np.bincount(random.normal(58, 6, size).astype(int)) for size in (4000, 20))
    assert bar_width([many]) == 1
    assert bar_width([few]) > 1
    assert bar_width([np.ones(5000, int)]) > 10
