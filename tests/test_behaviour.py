"""Runs go on with what plays as it did when they began: versions of behaviour held against signatures of games."""

from __future__ import annotations

import copy

import pytest

from helpers.behaviours import PLANS, bots, complaint, signatures, versions, written
from qpolis.kernel import JIT


@pytest.mark.skipif(not JIT, reason="games of searching bots take too long")
def test_behaviour_has_changed_only_where_a_version_was_raised():
    assert complaint(written(), {**versions(), "signatures": signatures()}) == ""


def after(**changes):
    """The golden file, and the same with some signatures and versions changed."""
    golden = written()
    now = copy.deepcopy(golden)
    for name in changes.get("signatures", ()):
        now["signatures"][name] = "0" * 12
    now["engine"] += changes.get("engine", 0)
    for part in ("games", "bots"):
        for name in changes.get(part, ()):
            now[part][name] += 1
    return golden, now


BOTS, GAMES = sorted(bots()), ("arkadia", "quadrilatere", "quadropolis")


@pytest.mark.parametrize(
    ("names", "advice"),
    [
        ([f"arkadia {bot}" for bot in BOTS], "raise `behaviour` of the game arkadia, then"),
        ([f"{game} mcts" for game in GAMES], "raise `behaviour` of the bot mcts, then"),
        ([f"{game} {bot}" for game in GAMES for bot in BOTS], "raise ENGINE_BEHAVIOUR in qpolis/version.py, then"),
        ([PLANS], "raise ENGINE_BEHAVIOUR in qpolis/version.py, then"),
        (["arkadia greedy"], "raise `behaviour` of the game arkadia or of the bot greedy, then"),
    ],
    ids=["game", "bot", "engine", "plans", "either"],
)
def test_what_is_to_be_raised_is_said(names, advice):
    assert advice in complaint(*after(signatures=names))


def test_raising_asks_for_new_signatures_and_for_nothing_else():
    for changes in ({"engine": 1}, {"games": ["arkadia"]}, {"bots": ["mcts"]}):
        assert "`make golden`" in complaint(*after(**changes))
        assert "raise" not in complaint(*after(**changes))
    assert "raise" not in complaint(*after(signatures=["arkadia greedy"], bots=["greedy"]))
    assert "raise `behaviour` of the" in complaint(*after(signatures=["arkadia greedy"], bots=["mcts"]))
    assert complaint(*after()) == ""
