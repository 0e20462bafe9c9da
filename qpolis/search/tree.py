"""A search tree in arrays that are allocated once: nodes, and the edges of each node side by side.

The arrays lie in a policy's scratch, so they live as long as a game and start out empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.kernel import kernel, record
from qpolis.verbs import MAX_SEATS

HEAD = record(
    [
        ("stop", "i8"),  # the mark that ends a search (`stop_mark.py`)
        ("nodes", "i8"),
        ("edges", "i8"),  # how many are in use
        ("kept", "i8"),  # does the tree wait for the position in `awaited`?
        ("root", "i8"),  # the node of that position
        ("searched", "i8"),  # the root of the last search
    ]
)
NODE = record(
    [
        ("first", "i4"),  # its first edge
        ("count", "i4"),  # how many edges it has; 0 while it is not expanded
        ("visits", "i4"),
        ("seat", "i4"),  # who decides
    ]
)
EDGE = record(
    [
        ("action", "i4"),
        ("child", "i4"),  # 0 while there is none: the first node is nobody's child
        ("visits", "i8"),
        ("prior", "f8"),  # how promising the action looks by itself; the priors of a node add up to 1
        ("guess", "f8"),  # the reward its mover can expect by the evaluation
        ("value", "f8", MAX_SEATS),  # sum of the rewards of all seats
    ]
)
HEAD_BYTES, NODE_BYTES, EDGE_BYTES = HEAD.itemsize, NODE.itemsize, EDGE.itemsize
ALIGN = 64
NOWHERE = -1


class Tree(NamedTuple):
    """The parts of the scratch."""

    head: np.ndarray  # one HEAD
    awaited: np.ndarray  # bytes of the position for which the tree was kept
    nodes: np.ndarray
    edges: np.ndarray


def tree_bytes(state_bytes: int, nodes: int, edges: int) -> int:
    """Bytes of scratch for a tree."""
    sizes = (HEAD_BYTES, state_bytes, nodes * NODE_BYTES, edges * EDGE_BYTES)
    return sum(-(-size // ALIGN) * ALIGN for size in sizes)


@kernel
def _after(start, size):
    """The end of a part of the scratch, rounded up."""
    return -(-(start + size) // ALIGN) * ALIGN


@kernel
def carve(scratch, states, nodes):
    """A tree with room for so many nodes, and edges in the rest of the scratch."""
    awaited = _after(0, HEAD_BYTES)
    first_node = _after(awaited, states.itemsize)
    first_edge = _after(first_node, nodes * NODE_BYTES)
    last = first_edge + (scratch.shape[0] - first_edge) // EDGE_BYTES * EDGE_BYTES
    return Tree(
        scratch[:HEAD_BYTES].view(HEAD),
        scratch[awaited : awaited + states.itemsize],
        scratch[first_node : first_node + nodes * NODE_BYTES].view(NODE),
        scratch[first_edge:last].view(EDGE),
    )


@kernel
def new_node(tree):
    """The index of a new node without edges, or NOWHERE if there is no room."""
    head = tree.head[0]
    at = head.nodes
    if at == tree.nodes.shape[0]:
        return np.int64(NOWHERE)
    head.nodes += 1
    tree.nodes[at].count = 0
    tree.nodes[at].visits = 0
    return at


@kernel
def add_edges(tree, node, count):
    """Room for `count` more edges of a node: the index of the first, or NOWHERE. The edges of a node lie side by
    side, so those that it has move."""
    head = tree.head[0]
    old = np.int64(tree.nodes[node].first)
    before = np.int64(tree.nodes[node].count)
    first = head.edges
    if first + before + count > tree.edges.shape[0]:
        return np.int64(NOWHERE)
    if count > 0:
        for e in range(before):
            tree.edges[first + e] = tree.edges[old + e]
        head.edges += before + count
        tree.nodes[node].first = first
        tree.nodes[node].count = before + count
    return first + before


@kernel
def has_edge(tree, node, action):
    """Does a node have an edge for an action?"""
    first = np.int64(tree.nodes[node].first)
    found = False
    for e in range(first, first + tree.nodes[node].count):
        found |= tree.edges[e].action == action
    return found


@kernel
def set_edge(edge, action, prior, guess):
    edge.action = action
    edge.prior = prior
    edge.guess = guess
    edge.child = 0
    edge.visits = 0
    edge.value[:] = 0


@kernel
def find_root(tree, states):
    """The node of the present position, if the tree was kept for it; otherwise the root of a new tree."""
    head = tree.head[0]
    if head.kept:
        now = states.view(np.uint8)
        same = True
        for i in range(tree.awaited.shape[0]):
            same &= tree.awaited[i] == now[i]
        if same:
            return head.root
    return new_root(tree)


@kernel
def new_root(tree):
    """The root of a new tree."""
    tree.head[0].nodes = 0
    tree.head[0].edges = 0
    return new_node(tree)


@kernel
def note_root(tree, node):
    """Remember where the last search began, for those who want to look at it."""
    tree.head[0].searched = node


@kernel
def has_room(tree):
    """Is there room for another search in a tree that is kept? A turn can have any number of steps."""
    return 2 * tree.head[0].nodes <= tree.nodes.shape[0]


@kernel
def keep(tree, node, states):
    """Keep the tree for the time when `states` holds the position of this node."""
    head = tree.head[0]
    head.kept = 1
    head.root = node
    tree.awaited[:] = states.view(np.uint8)


@kernel
def forget(tree):
    tree.head[0].kept = 0
