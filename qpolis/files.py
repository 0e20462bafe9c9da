"""Files of a run that are there whole or not at all, and paths as people write them."""

from __future__ import annotations

import contextlib
import csv
import difflib
import io
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from qpolis.errors import QpolisError

RESULTS = Path("results")


def write_file(path: Path, content: bytes | Iterable[bytes]) -> Path:
    """Write a file under another name, and give it its own when it is complete and on disk."""
    half = path.with_name(f".{path.name}.part")
    try:
        half.unlink(missing_ok=True)
        with open(half, "xb") as file:  # never through a link: the folder may be somebody else's
            for part in [content] if isinstance(content, bytes) else content:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)
    except OSError as error:
        raise QpolisError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            half.unlink()
    return path


def new_path(name: str, suffix: str = "") -> Path:
    """Where something goes that is made now, if nobody says where: NAME-TIME in `results/`."""
    made = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    path, number = RESULTS / f"{made}{suffix}", 1
    while path.exists():
        number += 1
        path = RESULTS / f"{made}-{number}{suffix}"
    return path


def csv_text(heading: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue()


def is_path(name: str) -> bool:
    """Is this the path of a bot or a game, and not its name?"""
    return os.sep in name or name in (".", "..")


def path_text(path: str) -> str:
    """One spelling for each file: from the working directory, or absolute if it is elsewhere."""
    near = os.path.relpath(path)
    return os.path.abspath(path) if near.split(os.sep)[0] == ".." else os.path.join(".", near)


def nearest(path: str) -> str:
    """A hint at a file beside, whose name is like the one that is missing."""
    folder, name = os.path.split(path)
    try:
        near = difflib.get_close_matches(name, os.listdir(folder), n=1)
    except (OSError, ValueError):
        return ""
    return f", did you mean {os.path.join(folder, near[0])!r}?" if near else ""
