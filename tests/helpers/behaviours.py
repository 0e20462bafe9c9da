"""Signatures of fixed games, and the versions of behaviour they belong to: what `golden/behaviour.toml` has."""

from __future__ import annotations

import hashlib
import importlib
import tomllib
from pathlib import Path

import numpy as np
import tomli_w

from qpolis import games
from qpolis.conformance.bench import SEED, variants
from qpolis.engine.policy_loop import play_policies
from qpolis.registry import finder
from qpolis.registry.spec import policy_of
from qpolis.tourney import lineups
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.version import ENGINE_BEHAVIOUR

GOLDEN = Path(__file__).parents[1] / "golden" / "behaviour.toml"
PLANS = "plans"  # the signature of who plays whom
DEALS = {"mcts": 1}  # of each variant of a game; 10 if nothing is said
SETTINGS = {"mcts": {"sims": 20}}
FIELD = ["random", "heuristic", "greedy", "mcts:sims=50", "mcts:sims=100"]


def bots():
    """The shipped policies by name."""
    return {found.name: policy_of(found) for found in finder.shipped()}


def shipped_games():
    return [name for name in games.names() if importlib.util.find_spec(f"qpolis.games.{name}")]


def versions():
    """All versions of behaviour today."""
    return {
        "engine": ENGINE_BEHAVIOUR,
        "games": {name: games.game_class(name).behaviour for name in shipped_games()},
        "bots": {name: policy.behaviour for name, policy in bots().items()},
    }


def signature(game, bot):
    """A hash of all that happened in some games of a bot against itself, with every variant of a game."""
    policy, digest = bots()[bot], hashlib.sha256()
    for variant in variants(game):
        batch = play_policies(
            variant,
            [policy.configure(**SETTINGS.get(bot, {}))] * variant.players,
            SEED,
            0,
            DEALS.get(bot, 10),
            record=True,
        )
        for array in (batch.points, batch.ranks, batch.lengths, batch.actions):
            digest.update(np.ascontiguousarray(array, "<i8").tobytes())
    return digest.hexdigest()[:12]


def plans_signature():
    """A hash of who sits where in plans of all kinds."""
    asked = [
        {"seatings": seatings, "players": players}
        for seatings in ("rotations", "all", "mirror", "duels")
        for players in (2, 3, 4)
    ]
    asked += [
        {"challenger": "greedy:forbid=park", "players": 3},
        {"bots": FIELD[:3], "seatings": "fixed", "players": 3},
    ]
    asked += [{"bots": FIELD[:2], "sprt": "elo0=0,elo1=10", "players": players} for players in (2, 3, 4)]
    plans = [make_plan(define({"bots": FIELD, "games": 100, "seed": 7, **keys})) for keys in asked]
    sizes = [(12, 3, 30, False), (60, 4, 50, False), (70, 2, 5000, False), (20, 4, 100, True)]
    chosen = [lineups.choose_groups(*size, 7) for size in sizes]
    return hashlib.sha256(repr([[plan.lineups for plan in plans], chosen]).encode()).hexdigest()[:12]


def signatures():
    """All signatures: of a bot in a game as "game bot"."""
    return {
        PLANS: plans_signature(),
        **{f"{game} {bot}": signature(game, bot) for game in shipped_games() for bot in bots()},
    }


def write(path=GOLDEN):
    path.write_text(tomli_w.dumps({**versions(), "signatures": signatures()}), encoding="utf-8")


def written(path=GOLDEN):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def to_raise(changed, names, policies):
    """What to raise if the signatures of these games have changed and no others: in words."""
    pairs = [tuple(name.split(" ")) for name in changed if name != PLANS]
    everywhere = {bot for bot in policies if all((game, bot) in pairs for game in names)}
    whole = {game for game in names if all((game, bot) in pairs for bot in policies)}
    if PLANS in changed or whole == set(names):
        return ["ENGINE_BEHAVIOUR in qpolis/version.py"]
    rest = [(game, bot) for game, bot in pairs if game not in whole and bot not in everywhere]
    return [
        *(f"`behaviour` of the game {game}" for game in sorted(whole)),
        *(f"`behaviour` of the bot {bot}" for bot in sorted(everywhere)),
        *(f"`behaviour` of the game {game} or of the bot {bot}" for game, bot in rest),
    ]


def complaint(golden, now):
    """What is wrong with the versions, in a sentence; empty if nothing is."""
    old, new = golden["signatures"], now["signatures"]
    changed = [name for name in new if name in old and not raised(golden, now, name) and new[name] != old[name]]
    if changed:
        what = "; ".join(to_raise(changed, list(now["games"]), list(now["bots"])))
        return (
            f"games are not what they were ({', '.join(changed)}), so that runs made before must not go on: "
            f"if that is on purpose, raise {what}, then `make golden`"
        )
    if golden != now:
        return "versions of behaviour, games or bots have changed: `make golden` writes their signatures anew"
    return ""


def raised(golden, now, name):
    """Was a version raised that the games of a signature depend on?"""
    if now["engine"] > golden["engine"]:
        return True
    game, _, bot = name.partition(" ")
    return any(now[part].get(key, 1) > golden[part].get(key, 1) for part, key in (("games", game), ("bots", bot)))
