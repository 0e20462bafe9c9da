"""`mcts`: Monte Carlo tree search on any game of the framework. What was tried and measured: `docs/mcts.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qpolis.bot import Parameter
from qpolis.kernel import kernel
from qpolis.policy import Thought, policy
from qpolis.search.mcts import Settings, search
from qpolis.search.network import PLAYOUT, carve_network, thinks
from qpolis.search.tree import carve, tree_bytes
from qpolis.verbs import horizon, lookahead

if TYPE_CHECKING:
    from qpolis.game import Game

TIMED = 1 << 16  # nodes for a search by the clock
MOST_NODES = 1 << 20
MOST_EDGES = 1 << 21
AUTO = -1


@kernel
def tree_nodes(sims, ms):
    """Room for the simulations of three steps: a tree is kept while half of it is free. One that is full all the
    same is searched on without growing."""
    return np.int64(TIMED) if ms > 0 else min(3 * np.int64(sims) + 3, MOST_NODES)


PARAMETERS = {
    "sims": Parameter(800, "simulations a decision", 1, 1e7, whole=True),
    "ms": Parameter(0, "milliseconds a decision, instead of simulations", 0, 1e7),
    "explore": Parameter(0.3, "how much to try what was tried little", 0, 1e3),
    "temperature": Parameter(1.5, "points of evaluation that make an action e times as likely", 1e-3, 1e3),
    "width": Parameter(48, "actions considered in a position, the best rated ones", 1, 1e5, whole=True),
    "trust": Parameter(1, "simulations that the evaluation of an action counts for", 1e-3, 1e6),
    "scale": Parameter(3.5, "points of lead that make winning e times as likely", 1e-3, 1e3),
    "margin": Parameter(0.1, "share of the margin in the reward of a finished game", 0, 1),
    "horizon": Parameter(
        AUTO,
        "random events a simulation goes beyond (-1: what suits the game; all without an evaluation)",
        AUTO,
        1e9,
        whole=True,
    ),
    "playout": Parameter(
        AUTO,
        "decisions played out before evaluating (-1: what suits the game; to the end without an evaluation)",
        AUTO,
        1e9,
        whole=True,
    ),
    "guided": Parameter(1, "play out by rules of thumb (1) or at random (0)", 0, 1, whole=True),
    "rivals": Parameter(0.5, "share of `explore` where others decide", 0, 1e3),
}
# Where each setting stands among the parameters. A name that only one of the two has is an error here.
AT: Any = Settings(**{name: place for place, name in enumerate(PARAMETERS)})


def _bytes(game: Game, params: np.ndarray) -> int:
    nodes = int(tree_nodes(params[AT.sims], params[AT.ms]))
    width = min(int(params[AT.width]), int(game.rules[0].actions))
    return tree_bytes(game.state_dtype.itemsize, nodes, min(nodes * width, MOST_EDGES))


def _thoughts(game: Game, params: np.ndarray, scratch: np.ndarray) -> list[Thought]:
    """The actions at the root of the last search, the most visited first."""
    trust = params[AT.trust]
    tree = carve(scratch, np.zeros(1, game.state_dtype), tree_nodes(params[AT.sims], params[AT.ms]))
    root = tree.nodes[tree.head[0]["searched"]]  # by their names, because compiled code hands out plain records
    edges = tree.edges[root["first"] : root["first"] + root["count"]]
    worth = edges["value"][:, root["seat"]] + trust * edges["guess"]
    columns = edges["action"], edges["visits"], worth / (edges["visits"] + trust), edges["prior"]
    found = [Thought(*row) for row in zip(*(column.tolist() for column in columns))]
    return sorted(found, key=lambda thought: (-thought.visits, -thought.prior))


@kernel
def _playout(rules, states, params, network):
    """As said, or what suits the network, or the game."""
    if params[AT.playout] >= 0:
        return params[AT.playout]
    if thinks(network):
        return float(network.sizes[PLAYOUT])
    return float(lookahead(rules[0], states[0]))


@kernel
def settings_of(rules, states, params, network):
    """How to search."""
    return Settings(
        sims=params[AT.sims],
        ms=params[AT.ms],
        explore=params[AT.explore],
        temperature=params[AT.temperature],
        width=params[AT.width],
        trust=params[AT.trust],
        scale=params[AT.scale],
        margin=params[AT.margin],
        horizon=params[AT.horizon] if params[AT.horizon] >= 0 else float(horizon(rules[0], states[0])),
        playout=_playout(rules, states, params, network),
        guided=params[AT.guided],
        rivals=params[AT.rivals],
    )


@policy(learns=True, scratch=_bytes, thoughts=_thoughts, behaviour=1, stoppable=True, **PARAMETERS)
def mcts(rules, states, rng, params, scratch):
    """Monte Carlo tree search: looks ahead in many simulated games."""
    network = carve_network(rules)
    settings = settings_of(rules, states, params, network)
    tree = carve(scratch, states, tree_nodes(settings.sims, settings.ms))
    return search(rules[0], states, tree, network, settings, rng)
