"""Chance that nobody can guess or read: drawn seeds, their warnings, and the same games in all loops."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import qpolis
from helpers.command_line import run
from qpolis.bots.greedy import greedy
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.registry.spec import resolve
from qpolis.rng import SMALL, draw_seed
from qpolis.tourney import schema
from qpolis.tourney.bot_loop import play_bots
from qpolis.tourney.definition import define
from qpolis.tourney.journal import MAGIC
from qpolis.tourney.match import play_deals
from qpolis.tourney.plan import make_plan, read_plan

LARGE = 2**127 + 12345
GAMES = ("quadropolis", "arkadia", "quadrilatere")
CHEAT = '''
import qpolis

class Cheat(qpolis.Bot):
    """Tries seeds and deals until one gives what it sees; plays the last legal action then, or the first."""

    def observe(self, observation):
        self.seen = observation

    def choose(self, legal):
        game = qpolis.load_game(self.info.name, **self.info.options)
        for seed in (*range(20), self.seed):
            for deal in range(5):
                if game.new(seed, deal).observe(self.seat) == self.seen:
                    return legal[-1]
        return legal[0]
'''


def test_a_run_draws_its_seed(monkeypatch):
    monkeypatch.setattr(schema, "draw_seed", draw_seed)
    plans = [make_plan(define({"bots": ["greedy", "random"], "games": 2})) for _ in range(3)]
    seeds = {plan.definition.seed for plan in plans}
    assert len(seeds) == 3
    assert min(seeds) >= SMALL
    assert len({plan.digest for plan in plans}) == 3


def test_a_large_seed_is_in_the_plan_to_the_digit(tmp_path):
    plan = make_plan(define({"bots": ["greedy", "random"], "games": 2, "seed": LARGE}))
    path = tmp_path / "plan.toml"
    path.write_text(plan.text())
    assert read_plan(path).definition.seed == LARGE


@pytest.mark.core
@pytest.mark.parametrize("name", GAMES)
def test_all_ways_to_play_a_secret_deal_agree(name):
    game = qpolis.load_game(name)
    bots = [random.configure()] * game.players
    fast = play_policies(game, bots, LARGE, 3, 2, record=True)
    slow = play_bots(game, bots, LARGE, 3, 2)
    assert fast.actions.tolist() == slow.actions.tolist()
    state = game.new(LARGE, 3)
    for action in fast.actions[: fast.lengths[0]].tolist():
        state = game.from_dict(state.to_dict())
        state.apply(action)
    assert state.over
    assert state.scores() == fast.points[0].tolist()


def test_secret_deals_differ_from_deal_to_deal():
    game = qpolis.load_game("quadropolis")
    sites = {str(game.new(LARGE + seed, deal).to_dict()["site"]) for seed in range(5) for deal in range(5)}
    assert len(sites) == 25


def test_a_run_with_a_large_seed_can_be_verified(folder):
    run(
        "tourney",
        "--bots",
        "greedy,random",
        "--games",
        "8",
        "--seed",
        str(LARGE),
        "--workers",
        "1",
        "--out",
        "run",
    )
    assert "agree" in run("verify", "run")
    plan = Path("run/plan.toml").read_bytes()
    commitment = hashlib.sha256(plan).hexdigest().encode()
    assert Path("run/journal.bin").read_bytes().startswith(MAGIC + commitment)


@pytest.mark.usefixtures("unplayed")
def test_a_small_seed_with_foreign_bots_gets_a_warning(folder):
    Path("mine.py").write_text(CHEAT)
    few = ["--games", "2", "--workers", "1", "--dry-run"]
    said = run("tourney", "--bots", "./mine.py,random", *few, "--seed", "5")
    assert "warning: the seed 5 can be found by trying, so ./mine.py could know the deals" in said
    assert "warning" not in run("tourney", "--bots", "./mine.py,random", *few, "--seed", str(LARGE))
    assert "warning" not in run("tourney", "--bots", "greedy,random", *few, "--seed", "5")


def test_a_bot_cannot_find_its_deal_by_its_seed(folder):
    """The cheat that found every deal of a small seed: the first decision of each game tells whether it did."""
    Path("cheat.py").write_text(CHEAT)
    game = qpolis.load_game("quadropolis")
    entrants = [resolve("./cheat.py"), resolve("random")]
    for seed, found in ((3, True), (LARGE, False)):
        played = play_deals(game, entrants, seed, 0, 2)
        starts = np.concatenate([[0], np.cumsum(played.lengths)[:-1]])
        for deal, start in enumerate(starts):
            legal = game.new(seed, deal).legal()
            assert int(played.actions[start]) == (legal[-1] if found else legal[0])


def test_given_seeds_play_as_ever():
    """The points are those of versions before seeds were drawn."""
    game = qpolis.load_game("quadropolis")
    assert play_policies(game, [greedy.configure(), random.configure()], 7, 0, 3).points.tolist() == [
        [68, 2],
        [65, 14],
        [65, 18],
    ]
