"""Definitions and plans: who plays whom where, what is wrong with a definition, and what a plan depends on."""

from __future__ import annotations

import collections
import itertools
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qpolis.errors import QpolisError
from qpolis.games import DEFAULT_GAME, game_class
from qpolis.tourney import lineups
from qpolis.tourney.definition import Definition, define, read_definition
from qpolis.tourney.plan import changed, make_plan, read_plan
from qpolis.tourney.schema import file_text
from qpolis.version import ENGINE_BEHAVIOUR

SHIPPED = sorted(Path(__file__).parents[1].joinpath("tournaments").glob("*.toml"))
BOTS = ["random", "heuristic", "greedy", "mcts:sims=50", "mcts:sims=100"]


def plan_of(**keys):
    return make_plan(define(keys))


@pytest.mark.parametrize("seatings", ["rotations", "all"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", [4, 5])
def test_every_bot_sits_equally_often_at_every_seat(bots, players, seatings):
    plan = plan_of(bots=BOTS[:bots], players=players, games=500, seatings=seatings)
    who = plan.who(np.arange(plan.games))
    assert who.shape == (plan.games, players)
    for bot in range(bots):
        by_seat = (who == bot).sum(axis=0)
        assert (by_seat == by_seat[0]).all()
    for game in who:
        assert len(set(game.tolist())) == players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_rounds_are_perfectly_balanced(players):
    count = math.comb(5, players)
    plan = plan_of(bots=BOTS, players=players, games=3 * count * players)
    groups = collections.Counter(tuple(sorted(game)) for game in plan.who(np.arange(plan.games)).tolist())
    assert set(groups) == set(itertools.combinations(range(5), players))
    assert set(groups.values()) == {3 * players}


@given(st.integers(4, 12), st.integers(2, 4), st.integers(1, 60), st.booleans())
def test_a_selection_is_balanced(bots, seats, most, with_first):
    chosen = lineups.choose_groups(bots, seats, most, with_first, 1)
    count = math.comb(bots - with_first, seats - with_first)
    assert len(chosen) == len(set(chosen)) == min(most, count)
    assert all(len(set(group)) == seats and max(group) < bots for group in chosen)
    played = collections.Counter(itertools.chain.from_iterable(chosen))
    often = [played[bot] for bot in range(int(with_first), bots)]
    assert max(often) - min(often) <= 1
    if with_first:
        assert played[0] == len(chosen)


def test_pairs_meet_about_equally_often_in_a_selection():
    chosen = lineups.choose_groups(16, 4, 100, False, 1)
    met = collections.Counter(pair for group in chosen for pair in itertools.combinations(group, 2))
    assert len(met) == math.comb(16, 2)
    assert max(met.values()) - min(met.values()) <= 3


def test_all_pairs_meet_if_there_are_deals_enough():
    chosen = lineups.choose_groups(70, 2, 5000, False, 1)
    assert set(chosen) == set(itertools.combinations(range(70), 2))


def test_a_selection_from_very_many_groups_depends_on_the_seed_only():
    one, two, three = (lineups.choose_groups(60, 4, 50, False, seed) for seed in (1, 1, 2))
    assert one == two != three
    assert len(one) == len(set(one)) == 50


@pytest.mark.parametrize(("players", "games"), [(2, 2), (3, 6), (4, 4)])
def test_a_sequential_test_fills_all_seats_with_its_two_bots(players, games):
    plan = plan_of(bots=["mcts", "greedy"], players=players, sprt="elo0=0,elo1=10", games=1)
    assert plan.games == games
    who = plan.who(np.arange(games))
    assert ((who == 0).sum(axis=0) * 2 == games).all()  # every seat: each bot half of the time


def test_games_are_rounded_up_to_whole_blocks():
    plan = plan_of(bots=["random", "greedy"], games=7)
    assert (plan.asked, plan.games, plan.blocks) == (7, 8, 4)
    assert plan_of(bots=["random", "greedy", "heuristic"], players=3, games=7, seatings="all").games == 12


def test_a_gauntlet_is_about_its_challenger():
    plan = plan_of(challenger="mcts", bots=["random", "greedy", "heuristic"], players=3, games=30)
    who = plan.who(np.arange(plan.games))
    assert plan.bots[0] == "mcts"
    assert ((who == 0).sum(axis=1) == 1).all()
    assert {tuple(sorted(game)) for game in who.tolist()} == {(0, 1, 2), (0, 1, 3), (0, 2, 3)}


@given(st.lists(st.integers(0, 60), min_size=1, max_size=40, unique=True), st.integers(1, 7))
def test_the_number_of_a_game_says_who_plays(numbers, bots):
    plan = make_plan(Definition(bots=tuple(BOTS[:3]), games=200))
    every = [seating for block in range(plan.blocks) for seating in plan.lineups[block % len(plan.lineups)]]
    assert plan.who(np.array(numbers)).tolist() == [list(every[number]) for number in numbers]


# -- files ---------------------------------------------------------------------------------------------------


def test_a_plan_is_a_definition_that_gives_the_same_plan(tmp_path):
    plan = plan_of(
        bots=["greedy", "mcts:sims=800:ms=5", "random"],
        mode="expert",
        players=3,
        games=100,
        seed=2**64 - 1,
        time_limit=1,
        moves=False,
    )
    path = tmp_path / "plan.toml"
    path.write_text(plan.text())
    again = make_plan(define(read_definition(path)))
    assert again.text() == plan.text() == read_plan(path).text()
    assert again.digest == plan.digest
    assert again.lineups == plan.lineups == read_plan(path).lineups
    assert "mcts:ms=5" in plan.bots  # 800 is the default


def test_bots_with_long_names_make_a_plan_that_can_be_read(tmp_path):
    bots = [tmp_path / f"{letter * 70}.py" for letter in "ab"]
    for path in bots:
        path.write_text(
            "from qpolis import Bot\n\n\nclass Some(Bot):\n    def choose(self, legal):\n        return legal[0]\n"
        )
    plan = make_plan(define({"bots": [str(path) for path in bots], "games": 2}))
    (tmp_path / "plan.toml").write_text(plan.text())
    assert read_plan(tmp_path / "plan.toml").text() == plan.text()


def test_a_plan_that_was_changed_is_noticed(tmp_path):
    path = tmp_path / "plan.toml"
    text = plan_of(bots=["greedy", "random"], games=100, seed=0).text()
    for old, new in (("games = 100", "games = 101"), ("seed = 0", 'seed = "x"'), ("[made]", "[mad]")):
        path.write_text(text.replace(old, new))
        with pytest.raises(QpolisError):
            read_plan(path)


@given(
    st.dictionaries(
        st.text(min_size=1),
        st.one_of(
            st.text(),
            st.integers(),
            st.booleans(),
            st.floats(allow_nan=False, allow_infinity=False),
            st.lists(st.text()),
            st.dictionaries(st.text(min_size=1), st.text()),
        ),
    )
)
def test_toml_is_read_back_as_it_was_written(table):
    assert tomllib.loads(file_text("cup", table)) == {"kind": "cup", "format": 2, **table}


def test_flags_and_files_have_the_same_keys(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text("""
        bots = ["mcts", " greedy "]
        games = 50
        mode = "expert"
        players = 2
        seatings = "all"
        time_limit = 3
        [options]
        mix = "base"
    """)
    plan = make_plan(define(read_definition(path)))
    assert plan.definition.name == "cup"
    assert plan.bots == ("mcts", "greedy")
    assert plan.definition.options == {"players": 2, "mode": "expert", "mix": "base"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bots = [", "not TOML: "),
        ("bots = []", "bots: [] is not a list of bots"),
        ('bots = "mcts,greedy"', 'bots: "mcts,greedy" is not a list'),
        ("bots = [1, 2]", "bots: [1, 2] is not a list"),
        ("gmaes = 5", "unknown key 'gmaes', did you mean 'games'?"),
        ("games = 0", "games: 0 is not a whole number from 1"),
        ("games = true", "games: true is not a whole number"),
        ('games = "ten"', 'games: "ten" is not a whole number'),
        ("seed = -1", "seed: -1 is not a whole number from 0"),
        ('seatings = "some"', 'seatings: "some" is not rotations or all'),
        ("time_limit = 0", "time_limit: 0 is not a number of seconds"),
        ("moves = 1", "moves: 1 is not true or false"),
        ("options = 5", "options: 5 is not a table"),
        ('name = "a/b"', 'name: "a/b" is not a name'),
        ("sprt = 5", "sprt: 5 is not a text"),
        ('sprt = ""', 'sprt: "" is not a text'),
        (f"seed = {'9' * 5000}", "not TOML: "),
        (f'name = "{"x" * 300}"', 'name: "x'),
        ('mode = "expert"\n[options]\nmode = "classic"', "mode is given twice"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(tmp_path, text, message):
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(QpolisError) as error:
        read_definition(path)
    assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('mode = "xpert"', "option mode: 'xpert' is not one of classic, expert"),
        ("[options]\nplayers = 9", "option players: 9 is not one of 2, 3, 4"),
        ("[options]\ncolour = 1", "unknown option of quadropolis 'colour'"),
        ('game = "quadrilatere"\nmode = "expert"', "unknown key 'mode'"),
        ('game = "quadrilatere"\nslide = 0', "option slide: 0 is not one of on, off"),
        ('game = "chess"\nslide = true', "unknown game 'chess'"),
        ('kind = "balance search"', "is a balance search, not a tournament"),
        ("format = 3", "its format 3 is newer than this qpolis, which reads formats up to 2"),
        ('format = "x"', "format: 'x' is not a whole number from 1 to 2"),
    ],
)
def test_options_kinds_and_formats_that_do_not_fit_are_said_with_the_name_of_the_file(tmp_path, text, message):
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(QpolisError) as error:
        read_definition(path)
    assert str(error.value).startswith(f"{path}: {message}")


def test_keys_of_any_game_are_its_options(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text('kind = "tournament"\nbots = ["greedy", "random"]\ngame = "quadrilatere"\nslide = false\n')
    plan = make_plan(define(read_definition(path)))
    assert plan.definition.options == {"slide": False}
    path.write_text(plan.text())
    assert plan.text().startswith('kind = "tournament"\nformat = 2\n')
    assert read_plan(path).definition == plan.definition


def test_a_plan_depends_on_versions_of_behaviour_and_not_on_that_of_qpolis(monkeypatch):
    before = plan_of(bots=["mcts:sims=50", "mcts:sims=100", "greedy"]).made
    assert {key for key in before if key.startswith("bot ")} == {"bot mcts", "bot greedy"}
    monkeypatch.setattr("qpolis.tourney.plan.__version__", "9.9.9")
    assert list(changed(before, plan_of(bots=["mcts", "greedy"]).made)) == []
    monkeypatch.setattr(game_class(DEFAULT_GAME), "behaviour", 2)
    assert list(changed(before, plan_of(bots=["mcts", "greedy"]).made)) == [("game", 1, 2)]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"\xff")
    for path, message in (
        (tmp_path / "none.toml", "cannot be read: No such file"),
        (tmp_path, "cannot be read: Is a"),
        (tmp_path / "bad.toml", "not UTF-8 text"),
    ):
        with pytest.raises(QpolisError) as error:
            read_definition(path)
        assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({}, "no bots"),
        ({"bots": ["mcts"]}, "1 bot for 2 seats"),
        ({"bots": ["mcts", "greedy"], "players": 3}, "2 bots for 3 seats"),
        ({"bots": ["mcts", "gredy"]}, "unknown bot 'gredy', did you mean 'greedy'?"),
        ({"bots": ["mcts", "mcts:sims=800"]}, "bot 'mcts' is there twice"),
        ({"bots": ["mcts", "greedy"], "mix": "bsae"}, "unknown mix 'bsae', did you mean 'base'?"),
        ({"bots": ["mcts", "greedy"], "mix": "./none.csv"}, "./none.csv: cannot be read"),
        ({"bots": ["mcts", "greedy"], "mode": "xpert"}, "option mode: 'xpert' is not one of"),
        ({"bots": ["mcts", "greedy"], "players": 5}, "option players: 5 is not one of"),
        ({"bots": ["mcts", "greedy"], "game": "chess"}, "unknown game 'chess'"),
        ({"bots": ["mcts", "greedy"], "options": {"colour": 1}}, "unknown option of quadropolis 'colour'"),
        ({"bots": ["mcts", "greedy", "random"], "sprt": "elo0=0,elo1=5"}, "a sequential test (sprt) is between"),
        ({"bots": ["mcts"], "sprt": "elo0=0,elo1=5"}, "a sequential test (sprt) is between two bots, not 1"),
        ({"bots": ["mcts", "greedy"], "sprt": "elo0=0"}, "sequential test 'elo0=0': elo1 is missing"),
        (
            {"bots": ["mcts"], "challenger": "greedy", "sprt": "elo0=0,elo1=5"},
            "a sequential test (sprt) is between",
        ),
        ({"bots": ["mcts", "greedy"], "challenger": "mcts"}, "bot 'mcts' is there twice"),
        ({"bots": ["mcts", "person"]}, "bot 'person': a person plays with `qpolis serve`"),
        ({"bots": ["mcts"], "seatings": "fixed"}, "1 bot for 2 seats: with seatings fixed name one for each seat"),
        ({"bots": ["mcts", "mcts", "random"], "seatings": "fixed"}, "3 bots for 2 seats: with seatings fixed"),
        (
            {"bots": ["mcts", "random"], "challenger": "greedy", "seatings": "fixed"},
            "seatings fixed: bots that keep",
        ),
        (
            {"bots": ["mcts", "random"], "sprt": "elo0=0,elo1=5", "seatings": "fixed"},
            "seatings fixed: bots that keep",
        ),
        ({"bots": ["mcts", "random"], "seatings": "listed"}, "seatings listed goes with the key listed"),
        ({"bots": ["mcts", "random"], "listed": ["0 1"]}, "seatings listed goes with the key listed"),
        (
            {"bots": ["mcts", "random"], "seatings": "listed", "listed": ["0 1", "1 2"]},
            "listed: '1 2' is not 2 numbers of bots from 0 to 1",
        ),
        (
            {"bots": ["mcts", "random"], "seatings": "listed", "listed": ["0"]},
            "listed: '0' is not 2 numbers of bots from 0 to 1",
        ),
        (
            {"bots": ["mcts"], "challenger": "random", "seatings": "listed", "listed": ["0 1"]},
            "seatings listed: it has no challenger",
        ),
        ({"bots": ["mcts", "random"], "games_table": "xml"}, 'games_table: "xml" is not csv or parquet or both'),
    ],
)
def test_what_cannot_be_played_is_refused(keys, message):
    with pytest.raises(QpolisError) as error:
        plan_of(**keys)
    assert str(error.value).startswith(message)


def test_seats_can_be_listed_deal_by_deal():
    plan = plan_of(bots=["mcts", "random", "greedy"], seatings="listed", listed=["0 1", "2 0", "1 1"], games=5)
    assert plan.games_per_block == 1
    assert plan.who(np.arange(plan.games)).tolist() == [[0, 1], [2, 0], [1, 1], [0, 1], [2, 0]]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_definitions_that_ship_can_be_played(path):
    plan = make_plan(define(read_definition(path)))
    assert plan.games >= plan.asked
    named = path.stem.split("-")[-1] in ("quick", "gauntlet", "sprt", str(plan.seatings.shape[2]))
    assert named if plan.definition.game == DEFAULT_GAME else path.stem.startswith(plan.definition.game)
    assert path.stem in (path.parent / "README.md").read_text()


def test_a_plan_depends_on_the_files_of_its_bots_and_its_mix(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("from qpolis import Bot\nclass Mine(Bot):\n    def choose(self, legal): return legal[0]\n")
    keys = {"bots": [str(bot), "random"], "games": 2}
    before = plan_of(**keys).made
    bot.write_text(bot.read_text().replace("legal[0]", "legal[-1]"))
    after = plan_of(**keys).made
    assert {key for key in before if before[key] != after[key]} == {f"bot {bot}"}
    assert plan_of(bots=["random", "greedy"], mode="expert").made["rules"] != before["rules"]
    assert (before["engine"], before["game"], before["bot random"]) == (ENGINE_BEHAVIOUR, 1, 1)


def test_actions_of_another_version_of_the_game_are_not_read():
    """Their ids may mean something else."""
    plan = plan_of(game="quadrilatere", bots=["random", "greedy"])
    assert plan.load_game().name == "quadrilatere"
    now = plan.made["game"]
    plan.made["game"] = now - 1
    words = rf"quadrilatere .*: its games have changed since the run began \(behaviour version {now - 1} then"
    with pytest.raises(QpolisError, match=words):
        plan.load_game()


@pytest.mark.parametrize("players", [2, 4])
def test_bots_can_play_against_themselves(players):
    plan = plan_of(bots=["greedy", "random"], players=players, games=5, seatings="mirror")
    assert (plan.games, plan.games_per_block, plan.blocks) == (5, 1, 5)
    assert plan.who(np.arange(5)).tolist() == [[bot] * players for bot in (0, 1, 0, 1, 0)]
    assert plan_of(bots=["greedy"], players=players, games=5, seatings="mirror").games == 5


def test_a_mirror_has_no_challenger_and_no_test():
    for keys in ({"challenger": "mcts"}, {"sprt": "elo0=0,elo1=10"}):
        with pytest.raises(QpolisError, match="seatings mirror"):
            plan_of(bots=["greedy", "random"], seatings="mirror", **keys)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_duels_fill_the_table_with_two_bots(players):
    plan = plan_of(bots=["greedy", "random", "heuristic"], players=players, games=60, seatings="duels")
    assert [set(lineup[0]) for lineup in plan.lineups] == [{0, 1}, {0, 2}, {1, 2}]
    for lineup in plan.lineups:
        for bot in set(lineup[0]):  # as often as the other, at every seat
            assert {sum(seating[seat] == bot for seating in lineup) for seat in range(players)} == {
                len(lineup) / 2
            }
    plan = plan_of(challenger="mcts", bots=["greedy", "random"], players=players, games=60, seatings="duels")
    assert [set(lineup[0]) for lineup in plan.lineups] == [{0, 1}, {0, 2}]
    with pytest.raises(QpolisError, match="nobody to duel with"):
        plan_of(bots=["greedy"], players=players, seatings="duels")


def test_bots_with_fixed_seats_keep_them_and_may_have_several(tmp_path):
    plan = plan_of(bots=["greedy", "random", "greedy"], players=3, games=4, seatings="fixed")
    assert plan.bots == ("greedy", "random")
    assert (plan.games, plan.games_per_block, plan.blocks) == (4, 1, 4)
    assert plan.who(np.arange(4)).tolist() == [[0, 1, 0]] * 4
    path = tmp_path / "plan.toml"
    path.write_text(plan.text())
    assert read_plan(path).text() == plan.text() == make_plan(define(read_definition(path))).text()
    assert read_plan(path).lineups == plan.lineups


def test_a_person_can_be_in_a_plan_that_somebody_else_plays(tmp_path):
    plan = make_plan(define({"bots": ["random", "person"], "games": 1, "seatings": "fixed"}), people=True)
    assert (plan.bots, plan.definition.name) == (("random", "person"), "random-person")
    path = tmp_path / "plan.toml"
    path.write_text(plan.text())
    assert read_plan(path).text() == plan.text()
