"""Bit sets in plain integers: population count, lowest and highest bit, and the k-th bit, compiled to single
instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from qpolis.kernel import kernel

Integer = int | np.integer  # compiled kernels have no other; interpreted ones meet both


def popcount(bits: Integer) -> int:
    """How many bits are set, of the 64 of a negative number."""
    return (int(bits) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest(bits: Integer) -> int:
    """The index of the lowest set bit; `bits` must not be 0."""
    number = int(bits)
    return (number & -number).bit_length() - 1


def highest(bits: Integer) -> int:
    """The index of the highest set bit; `bits` must be above 0."""
    return int(bits).bit_length() - 1


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@overload(popcount, inline="always")
def _popcount(bits):
    return lambda bits: _ctpop(np.int64(bits))


@overload(lowest, inline="always")
def _lowest(bits):
    return lambda bits: _cttz(np.int64(bits))


@overload(highest, inline="always")
def _highest(bits):
    return lambda bits: 63 - _ctlz(np.int64(bits))


@kernel
def nth(bits: int, k: int) -> int:
    """The index of the k-th set bit, counted from 0; `bits` must have more than k bits."""
    for _ in range(k):
        bits &= bits - 1
    return lowest(bits)
