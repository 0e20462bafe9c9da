"""Which model a bot plays with: the one that ships for its game, a named one, a file, or none."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from qpolis.errors import QpolisError, unknown
from qpolis.files import is_path
from qpolis.models.model_file import Model, load_model

if TYPE_CHECKING:
    from qpolis.game import Game

SHIPPED = Path(__file__).parent / "shipped"
SUFFIX = ".model"
TRAINED = Path("models")  # in the working directory: what `qpolis train` makes, a folder each
CHAMPION = f"champion{SUFFIX}"
AUTO, NONE = "auto", "none"  # instead of a name


def find_model(text: str, game: Game) -> Model | None:
    """The model that a text names, for a game; QpolisError if there is none such, or it does not fit."""
    if text == NONE:
        return None
    if text == AUTO:
        model = _loaded(path) if (path := SHIPPED / f"{game.model_name}{SUFFIX}").is_file() else None
        return model if model and not model.unfit(game) else None
    model = _loaded(path_of(text))
    if why := model.unfit(game):
        raise QpolisError(f"model {text}: {why}")
    return model


def path_of(text: str) -> Path:
    """The file of a model."""
    if is_path(text) or text.endswith(SUFFIX):
        path = Path(text)
        return path / CHAMPION if os.path.isdir(path) else path
    for path in (TRAINED / text / CHAMPION, SHIPPED / f"{text}{SUFFIX}"):
        if os.path.isfile(path):  # false, too, for what can be no name of a file
            return path
    raise unknown("model", text, [AUTO, NONE, *names()])


def names() -> list[str]:
    """The models that have names."""
    trained = [path.parent.name for path in sorted(TRAINED.glob(f"*/{CHAMPION}"))]
    return [*trained, *(path.stem for path in sorted(SHIPPED.glob(f"*{SUFFIX}")))]


def _loaded(path: Path) -> Model:
    try:
        facts = path.stat()
    except (OSError, ValueError):  # a NUL in the path
        return load_model(path)
    return _cached(path, path.absolute(), facts.st_mtime_ns, facts.st_size)


@functools.lru_cache(maxsize=32)
def _cached(path: Path, absolute: Path, changed: int, size: int) -> Model:
    return load_model(path)
