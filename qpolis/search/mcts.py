"""Monte Carlo tree search for any game: select, expand, simulate, back up.

The tree is open-loop: a node stands for a sequence of actions, not for a position; what chance and hidden
information make of it is drawn anew in every simulation, and actions that are legal only then are added to it.
Every seat maximises its own reward (max^n). Rewards are shares of a win, so that winning comes first; expected
points give the share while a game is not over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.clock import now
from qpolis.kernel import kernel
from qpolis.rng import WORDS
from qpolis.search.network import EVALUATION, MOST_TOUCHES, RATING, UNIT, affine, layers, thinks
from qpolis.search.tree import (
    NOWHERE,
    add_edges,
    find_root,
    forget,
    has_edge,
    has_room,
    keep,
    new_node,
    new_root,
    note_root,
    set_edge,
)
from qpolis.stop_mark import stopped
from qpolis.verbs import (
    ACTION,
    MAX_SEATS,
    apply,
    determinize,
    evaluate,
    is_legal,
    pick,
    player,
    ranks,
    rate,
    scores,
    sketch,
    suggest,
    touches,
)

DEEPEST = 256  # edges a simulation can pass
BETWEEN = 16  # simulations between two looks at the clock


class Settings(NamedTuple):
    """How to search; see the parameters of `bots/mcts.py`."""

    sims: float
    ms: float
    explore: float
    temperature: float
    width: float
    trust: float
    scale: float
    margin: float
    horizon: float
    playout: float
    guided: float
    rivals: float


class Buffers(NamedTuple):
    """Working space of a search."""

    states: np.ndarray  # three: the simulated game, and two to rate actions in
    actions: np.ndarray
    ratings: np.ndarray
    logits: np.ndarray  # of choosing each action
    order: np.ndarray  # actions from the most promising down
    expected: np.ndarray  # points by seat
    reward: np.ndarray  # by seat
    path: np.ndarray  # edges of the simulation
    stream: np.ndarray  # to put a stream of random numbers back
    inputs: np.ndarray  # of the network, and its layers
    wide: np.ndarray
    narrow: np.ndarray
    said: np.ndarray  # logits of winning, then points, from the mover on
    touch_logits: np.ndarray
    touched: np.ndarray  # what an action has to do with


@kernel
def make_buffers(rules, states, network):
    actions = rules.actions
    return Buffers(
        np.empty(3, states.dtype),
        np.empty(actions, ACTION),
        np.empty(actions),
        np.empty(actions),
        np.empty(actions, np.int64),
        np.empty(MAX_SEATS),
        np.empty(MAX_SEATS),
        np.empty(DEEPEST, np.int64),
        np.empty(WORDS, np.uint64),
        np.empty(network.first.shape[0], np.float32),
        np.empty(network.first.shape[1], np.float32),
        np.empty(network.second.shape[1], np.float32),
        np.empty(network.top_bias.shape[0], np.float32),
        np.empty(network.touch_bias.shape[0], np.float32),
        np.empty(MOST_TOUCHES, np.int64),
    )


@kernel
def search(rules, states, tree, network, settings, rng):
    """The most visited action after a budget of simulations (those kept from the last step count), or of time. One
    that is told to stop returns any action."""
    buffers = make_buffers(rules, states, network)
    root = find_root(tree, states)
    nodes = tree.nodes
    edges = tree.edges
    while nodes[root].count == 0:
        buffers.states[0] = states[0]
        determinize(rules, buffers.states[0], player(rules, states[0]), rng)
        expand(rules, tree, root, network, buffers, settings, rng)
        if nodes[root].count == 0:  # the tree that was kept is full
            root = new_root(tree)
    note_root(tree, root)
    if nodes[root].count == 1:
        pass  # there is nothing to choose
    elif settings.ms > 0:
        end = now() + settings.ms
        while now() < end and not stopped(tree.head):
            for _ in range(BETWEEN):
                simulate(rules, states, tree, root, network, buffers, settings, rng)
    else:
        while nodes[root].visits < settings.sims and not stopped(tree.head):
            simulate(rules, states, tree, root, network, buffers, settings, rng)
    best = np.int64(nodes[root].first)
    for e in range(nodes[root].first, nodes[root].first + nodes[root].count):
        if edges[e].visits > edges[best].visits:
            best = np.int64(e)
    _keep(rules, states, tree, best, buffers, rng)
    return np.int64(edges[best].action)


@kernel
def _keep(rules, states, tree, best, buffers, rng):
    """Keep the tree for the next step of the same turn, if there is one and nothing is drawn before it."""
    edge = tree.edges[best]
    forget(tree)
    buffers.stream[:] = rng
    buffers.states[0] = states[0]
    apply(rules, buffers.states[0], np.int64(edge.action), rng)
    goes_on = player(rules, buffers.states[0]) == player(rules, states[0]) and rng[0] == buffers.stream[0]
    if edge.child and goes_on and has_room(tree):
        keep(tree, np.int64(edge.child), buffers.states[:1])
    rng[:] = buffers.stream


@kernel(apart=True)
def expand(rules, tree, node, network, buffers, settings, rng):
    """Give a node edges for its most promising actions, those that it does not have yet; buffers.reward becomes
    what the position promises."""
    seat = player(rules, buffers.states[0])
    count = rate_actions(rules, network, buffers, settings.temperature, rng)
    ratings, logits, order = buffers.ratings, buffers.logits, buffers.order
    kept = best_first(logits, count, min(count, np.int64(settings.width)), order)
    best = ratings[0]
    for i in range(1, count):
        best = max(best, ratings[i])
    total = 0.0
    new = 0
    top = logits[order[0]]
    for k in range(kept):
        total += np.exp(logits[order[k]] - top)
        if not has_edge(tree, node, buffers.actions[order[k]]):
            order[new] = order[k]
            new += 1
    first = add_edges(tree, node, new)
    if first != NOWHERE:
        tree.nodes[node].seat = seat
        for k in range(new):
            set_edge(
                tree.edges[first + k],
                buffers.actions[order[k]],
                np.exp(logits[order[k]] - top) / total,
                guess(rules, network, buffers, settings, seat, ratings[order[k]], best),
            )
    if not thinks(network):
        buffers.expected[seat] = best
        promise(rules, buffers, settings)


@kernel
def rate_actions(rules, network, buffers, temperature, rng):
    """Rate the actions of a position, and say how likely each is the one to choose: by the ratings alone, or by
    the network, which then also says what the position promises. Returns how many there are."""
    state = buffers.states[0]
    count = rate(rules, state, buffers.states[1:], buffers.actions, buffers.ratings, rng)
    if thinks(network):
        look(rules, network, buffers)
        prefer(rules, count, network, buffers)
        return count
    evaluate(rules, state, buffers.expected)
    best = buffers.ratings[0]
    for i in range(1, count):
        best = max(best, buffers.ratings[i])
    for i in range(count):
        buffers.logits[i] = (buffers.ratings[i] - best) / temperature
    return count


@kernel
def guess(rules, network, buffers, settings, seat, rating, best):
    """What an action promises its mover, before it is tried: what its rating does, or what the position does,
    in the proportion of the ratings."""
    if not thinks(network):
        buffers.expected[seat] = rating
        promise(rules, buffers, settings)
        return buffers.reward[seat]
    mine = buffers.reward[seat] * np.exp((rating - best) / settings.scale)
    all_told = mine + 1 - buffers.reward[seat]
    return mine / all_told if all_told > 0 else 0.0


@kernel
def judge(rules, network, buffers, settings):
    """What a position promises, without looking at its actions."""
    if thinks(network):
        look(rules, network, buffers)
    else:
        evaluate(rules, buffers.states[0], buffers.expected)
        promise(rules, buffers, settings)


@kernel
def sense(rules, buffers):
    """The inputs of the network: the game's sketch, and its evaluation of all seats from the mover's on.
    `expected` becomes the evaluation."""
    seat = player(rules, buffers.states[0])
    inputs = buffers.inputs
    start = inputs.shape[0] - rules.players
    sketch(rules, buffers.states[0], seat, buffers.expected, inputs[:start])
    for i in range(rules.players):
        inputs[start + i] = buffers.expected[(seat + i) % rules.players] / UNIT


@kernel(apart=True)
def look(rules, network, buffers):
    """Ask the network about a position: `expected` points and `reward` of all seats."""
    _, first, first_bias, second, second_bias, top, top_bias, scales, _, _ = network
    sense(rules, buffers)
    layers(first, first_bias, second, second_bias, buffers.inputs, buffers.wide, buffers.narrow)
    affine(top, top_bias, buffers.narrow, buffers.said)
    seat = player(rules, buffers.states[0])
    players = np.int64(rules.players)
    most = -np.inf
    for i in range(players):
        of = (seat + i) % players
        buffers.reward[of] = scales[EVALUATION] * buffers.expected[of] + buffers.said[i]
        buffers.expected[of] += buffers.said[players + i]
        most = max(most, buffers.reward[of])
    total = 0.0
    for i in range(players):
        buffers.reward[i] = np.exp(buffers.reward[i] - most)
        total += buffers.reward[i]
    for i in range(players):
        buffers.reward[i] /= total


@kernel(apart=True)
def prefer(rules, count, network, buffers):
    """Ask the network about the actions of the position it has just looked at: their `logits`."""
    _, _, _, _, _, _, _, scales, touch, touch_bias = network
    affine(touch, touch_bias, buffers.narrow, buffers.touch_logits)
    for i in range(count):
        logit = scales[RATING] * buffers.ratings[i]
        for k in range(touches(rules, buffers.states[0], np.int64(buffers.actions[i]), buffers.touched)):
            logit += buffers.touch_logits[buffers.touched[k]]
        buffers.logits[i] = logit


@kernel
def look_again(rules, tree, node, network, buffers, settings, rng):
    """Give a node edges for actions that are legal now and were not when it was expanded: other cards, other
    chances. Looked for after 1, 2, 4, 8, ... visits, because rating takes time."""
    visits = tree.nodes[node].visits
    if visits > 0 and visits & (visits - 1) == 0:
        expand(rules, tree, node, network, buffers, settings, rng)


@kernel
def best_first(ratings, count, most, order):
    """The indexes of the best `most` ratings, the best first and equals as they come; returns how many."""
    kept = 0
    for i in range(count):
        if kept == most and ratings[i] <= ratings[order[kept - 1]]:
            continue
        j = min(kept, most - 1)
        while j > 0 and ratings[order[j - 1]] < ratings[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        kept = min(kept + 1, most)
    return kept


@kernel
def promise(rules, buffers, settings):
    """Rewards from expected points: each seat's chance to win. They add up to 1."""
    top = buffers.expected[0]
    for seat in range(1, rules.players):
        top = max(top, buffers.expected[seat])
    total = 0.0
    for seat in range(rules.players):
        buffers.reward[seat] = np.exp((buffers.expected[seat] - top) / settings.scale)
        total += buffers.reward[seat]
    for seat in range(rules.players):
        buffers.reward[seat] /= total


@kernel
def outcome(rules, state, buffers, settings):
    """Rewards at the end of a game: a share of the win, and a little for the margin."""
    points = np.empty(rules.players, np.int64)
    keys = np.empty(rules.players, np.int64)
    places = np.empty(rules.players, np.int64)
    scores(rules, state, points, keys)
    ranks(keys, places)
    winners = 0
    for seat in range(rules.players):
        buffers.expected[seat] = points[seat]
        winners += places[seat] == 0
    promise(rules, buffers, settings)
    for seat in range(rules.players):
        buffers.reward[seat] *= settings.margin
        if places[seat] == 0:
            buffers.reward[seat] += (1 - settings.margin) / winners


@kernel
def select(rules, state, tree, node, settings, mover, checked):
    """The edge to follow: the most promising for the one who decides, with a bonus for what was tried little.
    mover: who searches. checked: edges may be illegal here. NOWHERE if all are."""
    seat = tree.nodes[node].seat
    bonus = settings.explore * np.sqrt(tree.nodes[node].visits + 1.0)
    if seat != mover:
        bonus *= settings.rivals
    best = np.int64(NOWHERE)
    most = -np.inf
    for e in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].count):
        edge = tree.edges[e]
        worth = (edge.value[seat] + settings.trust * edge.guess) / (edge.visits + settings.trust)
        worth += bonus * edge.prior / (1 + edge.visits)
        if worth > most and (not checked or is_legal(rules, state, np.int64(edge.action))):
            most = worth
            best = np.int64(e)
    return best


@kernel(apart=True)
def simulate(rules, states, tree, root, network, buffers, settings, rng):
    """One simulation: select, expand, simulate, back up."""
    buffers.states[0] = states[0]
    node, length, draws = descend(rules, tree, root, network, buffers, settings, rng)
    new = node != NOWHERE and tree.nodes[node].count == 0
    if new and not thinks(network):
        expand(rules, tree, node, network, buffers, settings, rng)
    if not new or thinks(network) or settings.playout > 0:
        play_out(rules, network, buffers, settings, draws, rng)
    back_up(rules, tree, root, buffers, length)


@kernel
def descend(rules, tree, root, network, buffers, settings, rng):
    """Draw what the mover cannot know, and follow the edges to a node that is new, or to the end of what the tree
    can say (NOWHERE): the node, the number of edges, and the random events on the way."""
    state = buffers.states[0]
    word = rng[0]
    mover = player(rules, state)
    determinize(rules, state, mover, rng)
    drawn = rng[0] != word
    draws = 0
    node = root
    patient = thinks(network)
    for length in range(DEEPEST):
        if tree.nodes[node].count == 0:
            if not patient or tree.nodes[node].visits == 0:
                return node, length, draws
            expand(rules, tree, node, network, buffers, settings, rng)
            if tree.nodes[node].count == 0:
                return np.int64(NOWHERE), length, draws
        if draws or (drawn and tree.nodes[node].seat != mover):
            look_again(rules, tree, node, network, buffers, settings, rng)
        edge = select(rules, state, tree, node, settings, mover, drawn)
        if edge == NOWHERE:
            return edge, length, draws
        word = rng[0]
        apply(rules, state, np.int64(tree.edges[edge].action), rng)
        buffers.path[length] = edge
        if rng[0] != word:
            drawn = True
            draws += 1
        if player(rules, state) < 0 or draws > settings.horizon:
            return np.int64(NOWHERE), length + 1, draws
        if tree.edges[edge].child == 0:
            child = new_node(tree)
            if child == NOWHERE:
                return child, length + 1, draws
            tree.edges[edge].child = child
        node = np.int64(tree.edges[edge].child)
    return np.int64(NOWHERE), np.int64(DEEPEST), draws


@kernel
def play_out(rules, network, buffers, settings, draws, rng):
    """Play on for a while, and take the outcome, or what the position promises, as the reward."""
    state = buffers.states[0]
    steps = 0
    while player(rules, state) >= 0 and steps < settings.playout and draws <= settings.horizon:
        action = suggest(rules, state, rng) if settings.guided else pick(rules, state, rng)
        word = rng[0]
        apply(rules, state, action, rng)
        draws += rng[0] != word
        steps += 1
    if player(rules, state) < 0:
        outcome(rules, state, buffers, settings)
    else:
        judge(rules, network, buffers, settings)


@kernel
def back_up(rules, tree, root, buffers, length):
    """Count the simulation and its rewards along the path."""
    tree.nodes[root].visits += 1
    for i in range(length):
        edge = tree.edges[buffers.path[i]]
        edge.visits += 1
        for seat in range(rules.players):
            edge.value[seat] += buffers.reward[seat]
        if edge.child:
            tree.nodes[edge.child].visits += 1
