"""Balance must not say more than the games do: few deals, bounds, half-time, budgets, several players."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from helpers.balances import answer_to
from qpolis import verbs
from qpolis.balance.compare import UNEVEN, fairness
from qpolis.balance.experiment import CELLS, Entry
from qpolis.balance.inference import DIFFERENT, EQUIVALENT, OPEN, judge
from qpolis.balance.measure import COUNT, POINTS, SHARE, Measure, difference, ratio
from qpolis.balance.question import ask
from qpolis.balance.search import confirmation, search_mixes, seek
from qpolis.cli.balance import balance
from qpolis.errors import QpolisError
from qpolis.kernel import JIT
from qpolis.report.content.balance_summary import summary
from qpolis.tourney.run import read_chunks, saved_plan

many = pytest.mark.skipif(not JIT, reason="many games")
pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")


@pytest.mark.parametrize("unit", [POINTS, COUNT])
def test_two_deals_that_agree_by_chance_prove_nothing(unit):
    old, new = (ratio("", "", unit, np.array(values, float), np.ones(2)) for values in ([59, 61], [62, 64]))
    verdicts = judge([difference(old, new), difference(old, old)], [1.0, 1.0])
    assert [verdict.word for verdict in verdicts] == [OPEN, OPEN]
    many_ = ratio("", "", unit, np.full(100, 32.0), np.ones(100))
    assert judge([difference(many_, many_)] * 100, [1.0] * 100)[0].word == EQUIVALENT


@pytest.mark.parametrize(("share", "word"), [(0.517, UNEVEN), (0.56, DIFFERENT)])
def test_a_seat_is_called_unfair_only_if_its_advantage_is_larger_than_what_does_not_matter(share, word):
    won = np.arange(10_000) < 10_000 * share
    first, second = (
        ratio("seats", f"seat {seat} wins", SHARE, won == (seat == 0), np.ones(10_000)) for seat in (0, 1)
    )
    found = fairness([Entry(0, "level", "greedy", measure) for measure in (first, second)], 0, 2)
    assert [item.verdict.word for item in found] == [DIFFERENT] * 2
    assert [item.word for item in found] == [word] * 2


def test_a_search_keeps_to_its_budget():
    for budget in (60_000,):
        search = seek({"targets": ["seats=0"], "budget": budget})
        rng = np.random.default_rng(0)
        played = []

        def measures(_, rng=rng):
            value = rng.uniform(0.4, 0.6)
            return [
                Measure("seats", f"seat {seat} wins", SHARE, share, np.full(50, 0.1), 50)
                for seat, share in enumerate((value, 1 - value))
            ]

        search_mixes(
            search, lambda runs, _, played=played: played.extend(run.definition.games for run in runs), measures
        )
        left = budget - sum(played)
        assert 0 <= left - 2 * confirmation(search, "base:park=+1vp").games < 0.01 * budget


@many
def test_half_time_is_after_as_many_turns_of_each_seat(tmp_path):
    answer = answer_to(tmp_path / "run", bots=["heuristic"], games=40)
    folder = tmp_path / "run" / CELLS / "0-level-heuristic"
    game, trailed = saved_plan(folder).load_game(), []
    for chunk in read_chunks(folder, moves=True):
        for row, number in enumerate(chunk.numbers.tolist()):
            state = game.new(3, number)
            winners = np.flatnonzero(chunk.ranks[row] == 0)
            for action in chunk.actions_of(row).tolist():
                state.apply(action)
                if verbs.stage(game.rules[0], state.record) == 2:  # two rounds of four are over
                    break
            points = np.zeros(verbs.MAX_SEATS)
            verbs.evaluate(game.rules[0], state.record, points)
            if len(winners) == 1:
                trailed.append(points[1 - winners[0]] - points[winners[0]] >= 1)
    found = answer.find(0, "level", "heuristic", "drama", "winner trailed at half-time")
    assert found.measure.value == pytest.approx(np.mean(trailed))


@many
def test_few_games_lead_to_no_claims(tmp_path):
    answer = answer_to(
        tmp_path / "run",
        games=4,
        forbid=["harbor", "park"],
        player="heuristic",
        habit_games=6,
        mixes=["base", "base:tower+1:park-1"],
    )
    words = "\n".join(summary(answer))
    assert "no kind of building is seen to stand out, more games would tell" in words
    assert "none of 3 strategies is seen to beat another, more games would tell" in words
    assert "0 differ, 0 differ by less than matters, 0 are equivalent (tested)" in words
    assert "nan" not in words
    assert "unknown to" not in words


@many
def test_with_several_players_who_is_behind_does_not_lose_the_game(tmp_path):
    answer = answer_to(
        tmp_path / "run",
        players=3,
        bots=["heuristic"],
        games=6,
        forbid=["harbor"],
        habit_games=6,
        player="heuristic",
    )
    words = "\n".join(summary(answer))
    assert "a player who never builds harbors is behind the free one in" in words
    assert "at every level" not in words  # there is one only


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            {"bots": ["greedy", "heuristic:forbid=boat"]},
            "unknown kind of building to forbid in quadropolis 'boat'",
        ),
        ({"player": "greedy:forbid=boat"}, "unknown kind of building to forbid"),
        ({"forbid": ["harbor", "harbor"]}, "player with habits 'greedy:forbid=harbor' is there twice"),
        ({"forbid": ["harbor+park", "park+harbor"]}, "is there twice"),
    ],
)
def test_wrong_habits_are_refused_before_anything_is_played(keys, said):
    with pytest.raises(QpolisError, match=said):
        ask(keys)


def test_digits_that_are_no_numbers_are_refused(tmp_path):
    result = CliRunner().invoke(balance, ["--ladder", "²,3"])
    assert isinstance(result.exception, QpolisError)
    assert str(result.exception).startswith('ladder: ["²", 3] is not a list')


def test_a_folder_of_another_run_is_not_something_to_go_on_with(tmp_path):
    (tmp_path / "plan.toml").write_text("bots = []\n")
    result = CliRunner().invoke(balance, ["--games", "2", "--out", str(tmp_path)])
    assert "there is a run in it" in str(result.exception)
    assert "stopped" not in result.output
