"""SipHash-2-4 in Python integers, for a message of any length, as its authors describe it."""

from __future__ import annotations

MASK = 2**64 - 1


def rotate(word: int, left: int) -> int:
    return ((word << left) | (word >> (64 - left))) & MASK


def sip_round(v: list[int]) -> None:
    v[0] = (v[0] + v[1]) & MASK
    v[1] = rotate(v[1], 13) ^ v[0]
    v[0] = rotate(v[0], 32)
    v[2] = (v[2] + v[3]) & MASK
    v[3] = rotate(v[3], 16) ^ v[2]
    v[0] = (v[0] + v[3]) & MASK
    v[3] = rotate(v[3], 21) ^ v[0]
    v[2] = (v[2] + v[1]) & MASK
    v[1] = rotate(v[1], 17) ^ v[2]
    v[2] = rotate(v[2], 32)


def siphash(key: bytes, message: bytes) -> int:
    low, high = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    text = b"somepseudorandomlygeneratedbytes"
    letters = [int.from_bytes(text[start : start + 8], "big") for start in range(0, 32, 8)]
    v = [word ^ letter for word, letter in zip((low, high, low, high), letters)]
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        for _ in range(2):
            sip_round(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
