"""A search tree in arrays that are allocated once: nodes, and the edges of each node side by side.

The arrays lie in a policy's scratch, so they live as long as a game and start out empty.
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import kernel, record
from qpolis.verbs import MAX_SEATS

NODE = record([
    ("first", "i4"),  # its first edge
    ("count", "i4"),  # how many edges it has; 0 while it is not expanded
    ("visits", "i4"),
    ("seat", "i4"),  # who decides
])
EDGE = record([
    ("action", "i4"),
    ("child", "i4"),  # 0 while there is none: the root is nobody's child
    ("visits", "i4"),
    ("prior", "f4"),  # how promising the action looks by itself; the priors of a node add up to 1
    ("guess", "f4"),  # the reward its mover can expect by the evaluation
    ("value", "f4", MAX_SEATS),  # sum of the rewards of all seats
])
HEAD = record([("nodes", "i8"), ("edges", "i8"), ("root", "i8"), ("kept", "i8")])
HEAD_BYTES, NODE_BYTES, EDGE_BYTES = HEAD.itemsize, NODE.itemsize, EDGE.itemsize
ALIGN = 16


def tree_bytes(state_bytes: int, nodes: int, edges: int) -> int:
    """Bytes of scratch for a tree and the position it waits for."""
    sizes = (HEAD_BYTES, state_bytes, nodes * NODE_BYTES, edges * EDGE_BYTES)
    return sum(-(-size // ALIGN) * ALIGN for size in sizes)


@kernel
def _after(start, size):
    """The end of a part of the scratch, rounded up."""
    return -(-(start + size) // ALIGN) * ALIGN


@kernel
def carve(scratch, states, nodes):
    """The parts of the scratch: head, awaited state, nodes and edges, each an array."""
    awaited = _after(0, HEAD_BYTES)
    first_node = _after(awaited, states.itemsize)
    first_edge = _after(first_node, nodes * NODE_BYTES)
    last = (scratch.shape[0] - first_edge) // EDGE_BYTES * EDGE_BYTES
    return (scratch[: HEAD_BYTES].view(HEAD), scratch[awaited : awaited + states.itemsize],
            scratch[first_node : first_node + nodes * NODE_BYTES].view(NODE),
            scratch[first_edge : first_edge + last].view(EDGE))
