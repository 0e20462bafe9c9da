"""Random numbers: explicit streams in arrays of two words, never global state.

The generator is xoroshiro128++ (Blackman and Vigna). A stream is named by words, for instance (run seed,
deal number, seat), which are hashed into its state, so streams need no order, no jumps and no bookkeeping.
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import kernel

U = np.uint64
WORDS = 2  # uint64 words of one stream
_GOLDEN = U(0x9E3779B97F4A7C15)
_MIX_A = U(0xBF58476D1CE4E5B9)
_MIX_B = U(0x94D049BB133111EB)
_LOW32 = U(0xFFFFFFFF)
_32 = U(32)


@kernel
def mix64(word):
    """SplitMix64's finaliser: every bit of the input moves every bit of the output."""
    word = (word ^ (word >> U(30))) * _MIX_A
    word = (word ^ (word >> U(27))) * _MIX_B
    return word ^ (word >> U(31))


@kernel
def name_stream(rng, seed, number, part):
    """Put `rng` at the start of the stream named by three words (unused ones are 0)."""
    state = mix64(U(seed) + _GOLDEN)
    state = mix64((state ^ U(number)) + _GOLDEN)
    state = mix64((state ^ U(part)) + _GOLDEN)
    rng[0] = mix64(state + _GOLDEN)
    rng[1] = mix64(state + _GOLDEN + _GOLDEN) | U(1)  # the all-zero state would stay there


@kernel
def seat_seed(seed, deal, seat):
    """The seed of the bot at a seat of a deal: 53 bits, so that JSON carries it exactly in every language."""
    rng = np.empty(WORDS, np.uint64)
    name_stream(rng, seed, deal, seat + 1)  # part 0 is the chance of the deal
    return next64(rng) >> U(11)


@kernel
def _rotate(word, left):
    return (word << U(left)) | (word >> U(64 - left))


@kernel
def next64(rng):
    """The next 64 random bits."""
    a = rng[0]
    b = rng[1]
    result = _rotate(a + b, 17) + a
    b ^= a
    rng[0] = _rotate(a, 49) ^ b ^ (b << U(21))
    rng[1] = _rotate(b, 28)
    return result


@kernel
def below(rng, n):
    """A uniform integer in 0..n-1, exactly uniform (Lemire's multiplication, with rejection); n < 2**32."""
    bound = U(n)
    product = (next64(rng) >> _32) * bound
    if (product & _LOW32) < bound:
        threshold = (U(1 << 32) - bound) % bound
        while (product & _LOW32) < threshold:
            product = (next64(rng) >> _32) * bound
    return np.int64(product >> _32)


@kernel
def shuffle(rng, items):
    """Put `items` into a random order, every order equally likely (Fisher-Yates)."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


def stream(seed: int, number: int = 0, part: int = 0) -> np.ndarray:
    """A new stream named by up to three words."""
    rng = np.zeros(WORDS, np.uint64)
    name_stream(rng, U(seed), U(number), U(part))
    return rng
