"""Monte Carlo tree search with objects: what `qpolis/search/mcts.py` does on arrays, as one would explain it."""

import math

import numpy as np

from qpolis import verbs
from qpolis.game import State


class Edge:
    def __init__(self, action, prior, guess):
        self.action, self.prior, self.guess = action, prior, guess
        self.child = None
        self.visits = 0
        self.value = [0.0] * 4


class Node:
    def __init__(self):
        self.edges = []
        self.visits = 0
        self.seat = None


class NaiveMcts:
    """Plays one seat of one game. `rng` is the stream the compiled search would be given; `network` judges
    positions and actions (`naive/network.py`), if there is one."""

    def __init__(self, game, settings, rng, network=None):
        self.game, self.settings, self.rng, self.network = game, settings, rng, network
        self.kept = None  # (bytes of the awaited position, its node)
        self.root = None  # of the last search
        self.nodes = self.edges = 0  # in the tree, those that were moved included
        self.most_nodes = 3 * settings["sims"] + 3
        self.most_edges = self.most_nodes * min(settings["width"], game.rules[0].actions)

    def choose(self, state):
        position = state.array.tobytes()
        if self.kept and self.kept[0] == position:
            root = self.kept[1]
        else:
            root = self.new_tree()
        while not root.edges:
            self.expand(root, self.determinize(state, state.player))
            if not root.edges:
                root = self.new_tree()  # the one that was kept is full
        while len(root.edges) > 1 and root.visits < self.settings["sims"]:
            self.simulate(state, root)
        self.root = root
        best = max(root.edges, key=lambda edge: edge.visits)  # the first of equals
        self.keep(state, best)
        return best.action

    def new_tree(self):
        self.nodes, self.edges = 1, 0
        return Node()

    def keep(self, state, best):
        self.kept = None
        before = self.rng.copy()
        after = self.imagine(state)
        after.apply(best.action)
        has_room = 2 * self.nodes <= self.most_nodes
        if best.child and after.player == state.player and self.rng[0] == before[0] and has_room:
            self.kept = (after.array.tobytes(), best.child)
        self.rng[:] = before

    def imagine(self, state):
        """A copy of the position in which chance comes from our stream."""
        return State(self.game, state.array.copy(), self.rng)

    def determinize(self, state, mover):
        """Such a copy in which all that the mover cannot know is drawn."""
        drawn = self.imagine(state)
        verbs.determinize(self.game.rules[0], drawn.record, mover, self.rng)
        return drawn

    def expand(self, node, state):
        """Edges for the best rated actions that have none; the rewards that the position promises."""
        actions = np.empty(self.game.rules[0].actions, verbs.ACTION)
        ratings = np.empty(self.game.rules[0].actions)
        spare = np.zeros(2, self.game.state_dtype)
        count = verbs.rate(self.game.rules[0], state.record, spare, actions, ratings, self.rng)
        best = max(ratings[:count])
        if self.network:
            promised = self.network.look(state)[0]
            logits = self.network.prefer(state, actions[:count], ratings[:count])
        else:
            logits = [(rating - best) / self.settings["temperature"] for rating in ratings[:count]]
        order = sorted(range(count), key=lambda i: -logits[i])[: int(self.settings["width"])]
        expected = self.evaluate(state)
        node.seat = state.player
        weights = [math.exp(logits[i] - logits[order[0]]) for i in order]
        total = 0.0
        for weight in weights:
            total += weight
        there = [edge.action for edge in node.edges]
        new = [(i, weight) for i, weight in zip(order, weights) if actions[i] not in there]
        if new and self.edges + len(there) + len(new) <= self.most_edges:
            self.edges += len(there) + len(new)
            for i, weight in new:
                if self.network:
                    guess = self.guess(promised[node.seat], ratings[i] - best)
                else:
                    expected[node.seat] = ratings[i]
                    guess = self.promise(expected)[node.seat]
                node.edges.append(Edge(int(actions[i]), weight / total, guess))
        expected[node.seat] = best
        return self.promise(expected)

    def guess(self, promised, less):
        """What is promised by an action that is rated so much less than the best: what the network promises the
        mover, with odds that fall as they do without a network."""
        odds = promised * math.exp(less / self.settings["scale"])
        return odds / (odds + 1 - promised)

    def judge(self, state):
        """What a position promises."""
        return self.network.look(state)[0] if self.network else self.promise(self.evaluate(state))

    def look_again(self, node, state):
        """After 1, 2, 4, 8, ... visits: what else is legal now?"""
        if node.visits.bit_count() == 1:
            self.expand(node, state)

    def evaluate(self, state):
        expected = np.empty(self.game.players)
        verbs.evaluate(self.game.rules[0], state.record, expected)
        return list(expected)

    def promise(self, expected):
        odds = [math.exp((points - max(expected)) / self.settings["scale"]) for points in expected]
        return [part / sum(odds) for part in odds]

    def outcome(self, state):
        odds = self.promise(state.scores())
        winners = state.ranks().count(0)
        share = self.settings["margin"]
        return [
            share * part + ((1 - share) / winners if rank == 0 else 0) for part, rank in zip(odds, state.ranks())
        ]

    def select(self, node, state, mover, checked):
        def worth(edge):
            trust = self.settings["trust"]
            value = (edge.value[node.seat] + trust * edge.guess) / (edge.visits + trust)
            spread = self.settings["explore"] * math.sqrt(node.visits + 1)
            if node.seat != mover:
                spread *= self.settings["rivals"]
            return value + spread * edge.prior / (1 + edge.visits)

        edges = [edge for edge in node.edges if not checked or edge.action in state.legal()]
        return max(edges, key=worth) if edges else None

    def simulate(self, root_state, root):
        word = self.rng[0]
        state = self.determinize(root_state, root_state.player)
        path = []
        node = root
        drawn, draws = self.rng[0] != word, 0
        while node:
            if not node.edges and self.network and node.visits:
                self.expand(node, state)  # a network has judged it at the first visit
                if not node.edges:
                    node = None  # the tree is full
            if not node or not node.edges:
                break
            if draws or (drawn and node.seat != root_state.player):
                self.look_again(node, state)
            edge = self.select(node, state, root_state.player, drawn)
            if edge is None:
                node = None
                break
            path.append(edge)
            word = self.rng[0]
            state.apply(edge.action)
            if self.rng[0] != word:
                drawn, draws = True, draws + 1
            if state.over or draws > self.settings["horizon"]:
                node = None
            else:
                if edge.child is None:
                    edge.child = Node()
                    self.nodes += 1
                node = edge.child
        if node and not self.network:
            reward = self.expand(node, state)
        if node is None or self.network or self.settings["playout"]:
            reward = self.play_out(state, draws)
        root.visits += 1
        for edge in path:
            edge.visits += 1
            for seat in range(self.game.players):
                edge.value[seat] += reward[seat]
            if edge.child:
                edge.child.visits += 1

    def play_out(self, state, draws):
        steps = 0
        while not state.over and steps < self.settings["playout"] and draws <= self.settings["horizon"]:
            choose = verbs.suggest if self.settings["guided"] else verbs.pick
            action = int(choose(self.game.rules[0], state.record, self.rng))
            word = self.rng[0]
            state.apply(action)
            draws += self.rng[0] != word
            steps += 1
        return self.outcome(state) if state.over else self.judge(state)
