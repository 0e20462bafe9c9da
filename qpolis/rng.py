"""Random numbers: explicit streams in arrays, never global state.

A stream of two words is xoroshiro128++ (Blackman and Vigna), which is fast. It is named by words, for instance
(run seed, deal number, seat), which are hashed into its state, so streams need no order, no jumps and no
bookkeeping.

A stream of four words is secret: SipHash-2-4 (Aumasson and Bernstein) of a counter, under a key of 128 bits. Who
sees any number of its draws, and knows all but the key, can say nothing about the others. All chance of a run
whose seed was drawn comes from such streams (`keys`).
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

from qpolis.kernel import kernel

U = np.uint64
WORDS = 2  # uint64 words of one stream
SECRET_WORDS = 4  # of a secret one: two of the key, its number, how many were drawn
SEED_BITS = 128  # of the largest seed
SMALL = 1 << 64  # seeds below this could be found by trying
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
def name_chance(rng, key, deal):
    """Put `rng` at the start of the chance of a deal; `key` is one of `keys`, `rng` as long as `chance_stream`
    makes it for that."""
    if rng.shape[0] == WORDS:
        name_stream(rng, key[0], deal, 0)
    else:
        rng[0] = key[0]
        rng[1] = key[1]
        rng[2] = U(deal)
        rng[3] = 0


@kernel
def seat_seed(key, deal, seat):
    """The seed of the bot at a seat of a deal: 53 bits, so that JSON carries it exactly in every language. `key`
    is one of `keys`; of a secret one the half that the deals do not come from."""
    if key.shape[0] > 1:
        return siphash(key[2], key[3], U(deal), U(seat)) >> U(11)
    rng = np.empty(WORDS, np.uint64)
    name_stream(rng, key[0], deal, seat + 1)  # part 0 is the chance of the deal
    return next64(rng) >> U(11)


@kernel
def _rotate(word, left):
    return (word << U(left)) | (word >> U(64 - left))


@kernel
def _sip_round(a, b, c, d):
    a += b
    c += d
    b = _rotate(b, 13) ^ a
    d = _rotate(d, 16) ^ c
    a = _rotate(a, 32)
    c += b
    a += d
    b = _rotate(b, 17) ^ c
    d = _rotate(d, 21) ^ a
    c = _rotate(c, 32)
    return a, b, c, d


@kernel
def siphash(key_low, key_high, first, second):
    """SipHash-2-4 of two words (a message of 16 bytes)."""
    a = key_low ^ U(0x736F6D6570736575)
    b = key_high ^ U(0x646F72616E646F6D)
    c = key_low ^ U(0x6C7967656E657261)
    d = key_high ^ U(0x7465646279746573)
    for word in (first, second, U(16 << 56)):  # the last one is the length of the message
        d ^= word
        a, b, c, d = _sip_round(a, b, c, d)
        a, b, c, d = _sip_round(a, b, c, d)
        a ^= word
    c ^= U(0xFF)
    for _ in range(4):
        a, b, c, d = _sip_round(a, b, c, d)
    return a ^ b ^ c ^ d


@kernel
def next64(rng):
    """The next 64 random bits."""
    if rng.shape[0] != WORDS:
        rng[3] += U(1)
        return siphash(rng[0], rng[1], rng[2], rng[3])
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
    """A new stream named by up to three words, of a larger seed by the lowest: for what need not be secret."""
    rng = np.zeros(WORDS, np.uint64)
    name_stream(rng, U(seed % SMALL), U(number), U(part))
    return rng


# -- the chance of a run -----------------------------------------------------------------------------------


def draw_seed() -> int:
    """A seed that nobody can guess, from the system."""
    return SMALL + secrets.randbelow((1 << SEED_BITS) - SMALL)


def keys(seed: int) -> np.ndarray:
    """What kernels make streams from. A small seed stands for itself, and gives the streams it always gave; a
    large one for two keys that say nothing about each other: of chance, and of what bots are told."""
    if seed < SMALL:
        return np.array([seed], np.uint64)
    content = seed.to_bytes(SEED_BITS // 8, "little")
    halves = [hashlib.blake2b(content, digest_size=16, person=name).digest() for name in (b"chance", b"bots")]
    return np.frombuffer(b"".join(halves), np.uint64).copy()


def chance_stream(key: np.ndarray, deal: int = 0) -> np.ndarray:
    """The stream of the chance of a deal."""
    rng = np.zeros(WORDS if len(key) == 1 else SECRET_WORDS, np.uint64)
    name_chance(rng, key, U(deal))
    return rng


def next_seed(seed: int, steps: int) -> int:
    """Another seed of the same kind, that many further on."""
    low, high = (0, SMALL) if seed < SMALL else (SMALL, 1 << SEED_BITS)
    return low + (seed - low + steps) % (high - low)
