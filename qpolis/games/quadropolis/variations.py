"""The neighbours of a mix: what a designer might try next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from qpolis.errors import QpolisError
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.tiles import VALUES


def variations(mix: str, kinds: Sequence[str]) -> list[str]:
    """Mixes one change away: a tile of one kind exchanged for one of another, or all tiles of a kind showing one
    inhabitant, energy or point more or less. What cannot be, such as less than nothing, is left out."""
    changes = [f"{more}+1:{less}-1" for more, less in permutations(kinds, 2)]
    changes += [f"{kind}={sign}1{field}" for kind, field, sign in product(kinds, VALUES, "+-")]
    return [f"{mix}:{change}" for change in changes if _possible(f"{mix}:{change}")]


def _possible(mix: str) -> bool:
    try:
        load_mix(mix)
    except QpolisError:
        return False
    return True
