"""A model: the numbers of a network, and a card that says what it is for and how it was made.

The file is a line that says what it is, a line of JSON (the card), and the numbers, two bytes each. Nothing in
it is run or inflated, and all of it is checked before it is used: a file may be anybody's.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qpolis.errors import QpolisError
from qpolis.files import NoFile, open_file, write_file
from qpolis.parameters import Key

if TYPE_CHECKING:
    from qpolis.game import Game

TITLE = b"qpolis model 1\n"
LONGEST_CARD = 1 << 16
LARGEST = 1 << 26  # bytes of a file
STORED = np.dtype("<f2")
LANES = 8  # widths are multiples of it: so many sums are made side by side
HEADER = 8  # numbers before the weights, as kernels get them: those of SIZES, then `playout`
SIZES = {
    "inputs": Key(1, "numbers the network looks at", 1, 1 << 16, whole=True),
    "wide": Key(64, "units of the first layer", LANES, 1 << 12, whole=True),
    "narrow": Key(32, "units of the second layer", LANES, 1 << 10, whole=True),
    "seats": Key(2, "seats of the game", 2, 4, whole=True),
    "touches": Key(1, "what actions can have to do with", 1, 1 << 20, whole=True),
}
OTHERS = {
    "game": Key("", "its name"),
    "playout": Key(0, "decisions played out before a position is judged", 0, 1000, whole=True),
    "digest": Key("", "of the numbers"),
}


@dataclass(frozen=True)
class Model:
    """A network for a game."""

    card: Mapping[str, Any]
    weights: np.ndarray  # as `parts` names them, one after the other

    @property
    def digest(self) -> str:
        return str(self.card["digest"])

    def numbers(self) -> np.ndarray:
        """All that kernels need: sizes, then weights."""
        header = np.zeros(HEADER, np.float32)
        header[: len(SIZES)] = [self.card[name] for name in SIZES]
        header[len(SIZES)] = self.card["playout"]
        return np.concatenate([header, self.weights])

    def unfit(self, game: Game) -> str:
        """Why it is none for a game; empty if it is one."""
        card = self.card
        if card["game"] != game.name:
            return f"it plays {card['game']}, not {game.name}"
        if card.get("fits", game.model_name) != game.model_name:
            return f"it is for {card['fits']}, not {game.model_name}"
        if card["seats"] != game.players:
            return f"it is for {card['seats']} players, not {game.players}"
        if card["inputs"] != game.model_inputs or card["touches"] != game.model_touches:
            return "it was made for other options, or another version, of the game"
        return ""

    def save(self, path: Path) -> None:
        card = json.dumps(dict(self.card), ensure_ascii=False).encode()
        write_file(path, TITLE + card + b"\n" + self.weights.astype(STORED).tobytes())


def parts(card: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The arrays of weights and their shapes, in the order they are stored."""
    inputs, wide, narrow, seats, touches = (int(card[name]) for name in SIZES)
    return {
        "first": (inputs, wide),
        "first_bias": (wide,),
        "second": (wide, narrow),
        "second_bias": (narrow,),
        "top": (narrow, 2 * seats),
        "top_bias": (2 * seats,),
        "scales": (2,),
        "touch": (narrow, touches),
        "touch_bias": (touches,),
    }


def new_model(weights: Mapping[str, np.ndarray], **card: Any) -> Model:
    """A model of these arrays, its numbers rounded to what a file holds."""
    inputs, wide = weights["first"].shape
    narrow, touches = weights["touch"].shape
    seats = len(weights["top_bias"]) // 2
    sizes = dict(zip(SIZES, (inputs, wide, narrow, seats, touches)))
    flat = np.concatenate([np.asarray(weights[name], np.float32).ravel() for name in parts(sizes)])
    stored = np.clip(flat, -60000, 60000).astype(STORED)
    described = {"playout": 0, **card, **sizes, "digest": _digest(stored.tobytes())}
    return Model(described, stored.astype(np.float32))


def arrays(model: Model) -> dict[str, np.ndarray]:
    """The weights by name; the inverse of `new_model`."""
    found, start = {}, 0
    for name, shape in parts(model.card).items():
        size = int(np.prod(shape, dtype=np.int64))
        found[name] = model.weights[start : start + size].reshape(shape).copy()
        start += size
    return found


def load_model(path: Path) -> Model:
    """The model in a file; QpolisError with one line if there is none. No more is read than its card promises."""
    try:
        with open_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > LARGEST:
                raise QpolisError(f"model {path}: larger than {LARGEST >> 20} MB, which no model is")
            content = file.read(len(TITLE) + LONGEST_CARD)
            _read_card(content, size, str(path))
            content += file.read()
    except FileNotFoundError:
        raise QpolisError(f"model {path}: there is no such file") from None
    except NoFile:
        raise QpolisError(f"model {path}: is not a file") from None
    except OSError as error:
        raise QpolisError(f"model {path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the path
        raise QpolisError(f"model {str(path)!r}: cannot be read: {error}") from None
    return model_of(content, str(path))


def model_of(content: bytes, path: str) -> Model:
    """The model that is the content of a file, which errors name."""
    card, start = _read_card(content, len(content), path)
    body = memoryview(content)[start:]
    if _digest(body) != card["digest"]:
        raise QpolisError(f"model {path}: is damaged: its numbers are not those that its card was written for")
    weights = np.frombuffer(body, STORED).astype(np.float32)
    if not np.isfinite(weights).all():
        raise QpolisError(f"model {path}: has numbers that are not finite")
    return Model(card, weights)


def _read_card(content: bytes, size: int, path: str) -> tuple[dict[str, Any], int]:
    """The card at the beginning of a file of this size, and where the numbers begin."""
    if not content.startswith(TITLE):
        raise QpolisError(f"model {path}: is not a model of qpolis, or one of another version")
    end = content.find(b"\n", len(TITLE), len(TITLE) + LONGEST_CARD)
    if end < 0:
        raise QpolisError(f"model {path}: its card does not end")
    card = _card(path, content[len(TITLE) : end])
    found = size - end - 1
    wanted = sum(int(np.prod(shape, dtype=np.int64)) for shape in parts(card).values()) * STORED.itemsize
    if found != wanted:
        raise QpolisError(f"model {path}: is damaged: {found:,} bytes of numbers, not {wanted:,}")
    return card, end + 1


def _card(path: str, text: bytes) -> dict[str, Any]:
    try:
        card = json.loads(text)
        if not isinstance(card, dict):
            raise TypeError
    except (ValueError, TypeError, RecursionError):
        raise QpolisError(f"model {path}: its card cannot be read") from None
    for name, key in (SIZES | OTHERS).items():
        if name not in card:
            raise QpolisError(f"model {path}: its card does not say {name}")
        key.value(f"model {path}: {name}", card[name])
    for name in ("wide", "narrow"):
        if card[name] % LANES:
            raise QpolisError(f"model {path}: {name} is {card[name]}, not a multiple of {LANES}")
    return card


def _digest(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
