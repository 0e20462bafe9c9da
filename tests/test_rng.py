"""Random streams: exact, uniform, independent of each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from helpers.sizes import sized
from naive.siphash import siphash as naive_siphash
from qpolis.bits import lowest, nth, popcount
from qpolis.rng import (
    SMALL,
    below,
    chance_stream,
    draw_seed,
    keys,
    next64,
    next_seed,
    seat_seed,
    shuffle,
    siphash,
    stream,
)


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


@pytest.mark.core
def test_siphash_is_the_published_one():
    """The vector for 16 bytes of its reference implementation, and its twin in Python integers."""
    word = [int.from_bytes(bytes(range(start, start + 8)), "little") for start in (0, 8)]
    assert int(siphash(*map(np.uint64, (*word, *word)))) == 0x3F2ACC7F57C29BDB
    words = np.random.default_rng(1).integers(0, 2**64, (sized(500, 100, 20), 4), np.uint64)
    for row in words:
        key, message = row[:2].tobytes(), row[2:].tobytes()
        assert int(siphash(*row)) == naive_siphash(key, message)


@pytest.mark.core
def test_secret_streams_are_siphash_of_a_counter():
    key = keys(SMALL + 5)
    rng = chance_stream(key, 7)
    for count in range(1, 20):
        message = (7).to_bytes(8, "little") + count.to_bytes(8, "little")
        assert int(next64(rng)) == naive_siphash(key[:2].tobytes(), message)


def test_secret_draws_are_uniform():
    rng = chance_stream(keys(SMALL + 5))
    counts = np.bincount([below(rng, 25) for _ in range(sized(20000, 2000, 500))], minlength=25)
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.core
def test_small_seeds_give_the_streams_they_always_gave():
    for seed in (0, 7, SMALL - 1):
        assert (chance_stream(keys(seed), 3) == stream(seed, 3)).all()
    assert int(seat_seed(keys(7), 3, 1)) == int(next64(stream(7, 3, 2))) >> 11


def test_deals_and_bots_have_different_keys():
    key = keys(SMALL)
    assert len(key) == 4
    assert key[:2].tolist() != key[2:].tolist()
    seeds = {int(seat_seed(key, deal, seat)) for deal in range(50) for seat in range(4)}
    assert len(seeds) == 200
    assert max(seeds) < 2**53
    draws = {int(next64(chance_stream(key, deal))) >> 11 for deal in range(50)}
    assert not seeds & draws


def test_drawn_seeds_are_large_and_new():
    drawn = {draw_seed() for _ in range(100)}
    assert len(drawn) == 100
    assert min(drawn) >= SMALL
    assert max(drawn) < 2**128


def test_seeds_go_on_within_their_kind():
    assert next_seed(SMALL - 1, 2) == 1
    assert next_seed(2**128 - 1, 2) == SMALL + 1
    assert next_seed(SMALL, 5) == SMALL + 5
