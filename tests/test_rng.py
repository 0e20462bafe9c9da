"""Random streams: exact, uniform, independent of each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from helpers.sizes import sized
from qpolis.bits import lowest, nth, popcount
from qpolis.rng import below, next64, shuffle, stream


def rotate(word, left):
    return ((word << left) | (word >> (64 - left))) & (2**64 - 1)


@pytest.mark.core
def test_the_generator_is_xoroshiro128plusplus():
    """Against the published algorithm, in Python integers."""
    rng = stream(5, 6, 7)
    a, b = (int(word) for word in rng)
    for _ in range(50):
        expected = (rotate((a + b) & (2**64 - 1), 17) + a) & (2**64 - 1)
        b ^= a
        a, b = rotate(a, 49) ^ b ^ ((b << 21) & (2**64 - 1)), rotate(b, 28)
        assert int(next64(rng)) == expected
    assert [int(word) for word in rng] == [a, b]


@pytest.mark.core
def test_streams_are_named_by_all_their_words():
    names = [(s, n, p) for s in range(6) for n in range(6) for p in range(6)]
    names += [(2**64 - 1, 0, 0), (0, 2**64 - 1, 0), (0, 0, 2**64 - 1)]
    assert len({stream(*name).tobytes() for name in names}) == len(names)
    assert (stream(3, 2, 1) == stream(3, 2, 1)).all()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 25, 80, 121])
def test_below_is_uniform(n):
    rng = stream(n)
    counts = np.bincount([below(rng, n) for _ in range(sized(20000, 2000, 500))], minlength=n)
    assert len(counts) == n
    assert n == 1 or stats.chisquare(counts).pvalue > 1e-4


def test_every_order_is_equally_likely():
    rng = stream(1)
    counts: dict[tuple, int] = {}
    for _ in range(24 * 500):
        items = np.arange(4)
        shuffle(rng, items)
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.core
def test_bits():
    for bits in (1, 2, 3, 0b1011000, (1 << 25) - 1, 1 << 24 | 1):
        ones = [i for i in range(30) if bits >> i & 1]
        assert popcount(bits) == len(ones)
        assert lowest(bits) == ones[0]
        assert [nth(bits, k) for k in range(len(ones))] == ones
