"""The mark by which another thread tells a policy to stop, in the first bytes of the policy's scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

MARK_BYTES = 8


def stop(scratch: np.ndarray) -> None:
    """Set the mark. It stays until the scratch is emptied."""
    scratch[:MARK_BYTES].view(np.int64)[0] = 1


def stopped(scratch: np.ndarray) -> bool:
    """Was the mark set? For kernels, too: of the scratch, or of any array that begins where it does."""
    return bool(scratch.view(np.uint8)[:MARK_BYTES].any())


@intrinsic  # type: ignore[untyped-decorator]
def _load(typing_context: Any, array: Any) -> Any:
    """The first 8 bytes, by an atomic load: the compiler may take a plain one out of a loop that does not write
    there."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.bitcast(data, ir.IntType(64).as_pointer())
        return builder.load_atomic(place, ordering="monotonic", align=MARK_BYTES)

    return types.int64(array), generate


@overload(stopped, inline="always")
def _stopped(scratch):
    return lambda scratch: _load(scratch) != 0
