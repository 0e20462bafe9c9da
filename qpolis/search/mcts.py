"""Monte Carlo tree search for any game: select, expand, simulate, back up.

The tree is open-loop: a node is a sequence of actions, not a position; what chance and hidden information make of
it is drawn anew in every simulation. Every seat maximises its own reward (max^n).
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import kernel
from qpolis.verbs import apply, determinize, evaluate, is_legal, legal, pick, player, ranks, rate, scores, suggest

# Settings, as places in the array of a policy's parameters.
SIMS, EXPLORE, TEMPERATURE, DEPTH, SCALE, WIDTH, TRUST, CHANCE, GUIDED, QUIET, SHARE = range(11)
DEEPEST = 256  # edges a simulation can pass


@kernel
def find_root(tree, states):
    """The node of the present position, if the tree was kept for it; otherwise the root of a new tree."""
    head, awaited, nodes, _ = tree
    if head[0].kept:
        now = states.view(np.uint8)
        same = True
        for i in range(awaited.shape[0]):
            same &= awaited[i] == now[i]
        if same:
            return head[0].root
    head[0].nodes = 0
    head[0].edges = 0
    return new_node(tree)


@kernel
def new_node(tree):
    """The index of a new node without edges; -1 if there is no room."""
    head, _, nodes, _ = tree
    at = head[0].nodes
    if at == nodes.shape[0]:
        return np.int64(-1)
    nodes[at].count = 0
    nodes[at].visits = 0
    head[0].nodes += 1
    return at


@kernel
def keep(rules, states, work, tree, edge, rng):
    """Keep the tree for the next step of the same turn, if the mover goes on and nothing is drawn."""
    head, awaited, nodes, edges = tree
    head[0].kept = 0
    if edges[edge].child == 0:
        return
    work[0] = states[0]
    before = rng.copy()
    apply(rules, work[0], np.int64(edges[edge].action), rng)
    if player(rules, work[0]) == player(rules, states[0]) and rng[0] == before[0]:
        head[0].kept = 1
        head[0].root = edges[edge].child
        awaited[:] = work[:1].view(np.uint8)
    rng[:] = before


@kernel
def expand(rules, work, tree, node, room, params, rng):
    """Give a node its edges, the best rated first, with priors. room.reward: what the position promises."""
    head, _, nodes, edges = tree
    actions, ratings, order, expected, reward, _ = room
    state = work[0]
    seat = player(rules, state)
    count = rate(rules, state, work[1:], actions, ratings, rng)
    evaluate(rules, state, expected)
    keep = min(count, np.int64(params[WIDTH]))
    # The best `keep` actions, in order.
    kept = 0
    for i in range(count):
        if kept == keep and ratings[i] <= ratings[order[kept - 1]]:
            continue
        j = kept if kept < keep else kept - 1
        while j > 0 and ratings[order[j - 1]] < ratings[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        kept = min(kept + 1, keep)
    best = ratings[order[0]]
    if head[0].edges + kept <= edges.shape[0]:
        first = head[0].edges
        head[0].edges += kept
        nodes[node].first = first
        nodes[node].count = kept
        nodes[node].seat = seat
        total = 0.0
        for k in range(kept):
            edge = edges[first + k]
            edge.action = actions[order[k]]
            edge.child = 0
            edge.visits = 0
            edge.value[:] = 0
            edge.prior = np.exp((ratings[order[k]] - best) / params[TEMPERATURE])
            total += edge.prior
            expected[seat] = ratings[order[k]]
            promise(rules, expected, params, reward)
            edge.guess = reward[seat]
        for k in range(kept):
            edges[first + k].prior /= total
    expected[seat] = best
    promise(rules, expected, params, reward)


@kernel
def promise(rules, expected, params, reward):
    """Rewards from expected points: each seat's chance to win, which add up to 1."""
    top = expected[0]
    for seat in range(1, rules.players):
        top = max(top, expected[seat])
    total = 0.0
    for seat in range(rules.players):
        reward[seat] = np.exp((expected[seat] - top) / params[SCALE])
        total += reward[seat]
    for seat in range(rules.players):
        reward[seat] /= total


@kernel
def outcome(rules, state, room, params):
    """Rewards at the end of a game: winning first, the margin second."""
    _, _, _, expected, reward, _ = room
    points = np.empty(rules.players, np.int64)
    keys = np.empty(rules.players, np.int64)
    scores(rules, state, points, keys)
    places = np.empty(rules.players, np.int64)
    ranks(keys, places)
    winners = 0
    for seat in range(rules.players):
        expected[seat] = points[seat]
        winners += places[seat] == 0
    promise(rules, expected, params, reward)
    for seat in range(rules.players):
        reward[seat] *= 1 - params[SHARE]
        if places[seat] == 0:
            reward[seat] += params[SHARE] / winners


@kernel
def select(rules, state, tree, node, params, drawn):
    """The edge to follow: value and exploration of the one who decides. -1 if none is legal."""
    _, _, nodes, edges = tree
    seat = nodes[node].seat
    spread = params[EXPLORE] * np.sqrt(nodes[node].visits + 1.0)
    trust = params[TRUST]
    best = np.int64(-1)
    best_score = -np.inf
    for e in range(nodes[node].first, nodes[node].first + nodes[node].count):
        edge = edges[e]
        score = (edge.value[seat] + trust * edge.guess) / (edge.visits + trust)
        score += spread * edge.prior / (1 + edge.visits)
        if score > best_score and (not drawn or is_legal(rules, state, np.int64(edge.action))):
            best_score = score
            best = np.int64(e)
    return best


@kernel
def simulate(rules, states, work, tree, root, room, params, rng):
    """One simulation."""
    head, _, nodes, edges = tree
    _, _, _, expected, reward, path = room
    work[0] = states[0]
    state = work[0]
    start = rng[0]
    determinize(rules, state, player(rules, state), rng)
    length = 0
    node = root
    # 1. Select: go down to a position that is new.
    while node >= 0 and nodes[node].count and player(rules, state) >= 0 and length < DEEPEST:
        edge = select(rules, state, tree, node, params, rng[0] != start)
        if edge < 0:
            break
        apply(rules, state, np.int64(edges[edge].action), rng)
        path[length] = edge
        length += 1
        if rng[0] != start and params[CHANCE] == 0:
            node = -1
            break
        if edges[edge].child == 0:
            child = new_node(tree)
            if child < 0:
                node = -1
                break
            edges[edge].child = child
        node = np.int64(edges[edge].child)
    # 2. Expand, 3. simulate.
    over = player(rules, state) < 0
    if not over and params[DEPTH] == 0 and node >= 0 and rng[0] == start:
        expand(rules, work, tree, node, room, params, rng)
    else:
        if not over and node >= 0 and nodes[node].count == 0:
            expand(rules, work, tree, node, room, params, rng)
        steps = 0
        while not over and steps < params[DEPTH] and (params[CHANCE] != 0 or rng[0] == start):
            before = rng[0]
            if params[GUIDED]:
                action = suggest(rules, state, rng)
            else:
                action = pick(rules, state, rng)
            if rng[0] != before and start == before:
                start = rng[0]
            apply(rules, state, action, rng)
            steps += 1
            over = player(rules, state) < 0
        if over:
            outcome(rules, state, room, params)
        else:
            evaluate(rules, state, expected)
            promise(rules, expected, params, reward)
    # 4. Back up.
    nodes[root].visits += 1
    for i in range(length):
        edge = edges[path[i]]
        edge.visits += 1
        for seat in range(rules.players):
            edge.value[seat] += reward[seat]
        if edge.child:
            nodes[edge.child].visits += 1
