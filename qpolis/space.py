"""What programs that learn see of a game: observations of a fixed size, made of named planes.

A game that supplies the verb `encode` lists its planes in the order it writes them. All numbers lie in -1 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

OBSERVATION = np.float32  # dtype of encoded observations
LEAST, MOST = -1.0, 1.0  # of their numbers


@dataclass(frozen=True)
class Plane:
    """Some numbers of an observation that belong together: what they are called, how they are arranged, what they
    say."""

    name: str
    shape: tuple[int, ...]
    help: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def size_of(planes: Sequence[Plane]) -> int:
    """How many numbers an observation has."""
    return sum(plane.size for plane in planes)


def places(planes: Sequence[Plane]) -> dict[str, slice]:
    """Where each plane lies in an observation."""
    found, start = {}, 0
    for plane in planes:
        found[plane.name] = slice(start, start + plane.size)
        start += plane.size
    return found


def split(planes: Sequence[Plane], observation: np.ndarray) -> Mapping[str, np.ndarray]:
    """The planes of an observation, or of several in rows, by name and in their shapes; views of it."""
    where = places(planes)
    return {
        plane.name: observation[..., where[plane.name]].reshape(observation.shape[:-1] + plane.shape)
        for plane in planes
    }
