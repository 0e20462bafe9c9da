"""New bots to start from, one of each kind, as `qpolis new-bot` writes them: the files in `templates/`, in which
NAME, CLASS, GAME, TITLE, STEPS and VALUE are filled in."""

from __future__ import annotations

import builtins
import importlib.util
import keyword
import os
import re
from pathlib import Path

from qpolis.errors import QpolisError
from qpolis.games import DEFAULT_GAME, game_class, load_game
from qpolis.registry import finder
from qpolis.registry.new_names import check_name

# How much a new program likes a move, in a game that says nothing about it.
ANY_VALUE = '''\
def value(seen, text):
    """How much we like a move, by what we see and the text of the move (print them to standard error!)."""
    return 0  # all the same
'''

# By kind of bot.
TEMPLATES = {kind: Path(__file__).parent / "templates" / f"{kind}.txt" for kind in ("python", "kernel", "program")}
TAKEN = ("next64", "np", "policy", "qpolis", "verbs")  # a function of this name would hide what it needs itself


def write_bot(name: str, kind: str, game: str = DEFAULT_GAME) -> Path:
    """Write a new bot for a game into `bots/` of the working directory; the path of its file."""
    text = bot_text(name, kind, game)
    check_name(name, "bot")
    for candidate in finder.all_candidates():
        if candidate.name == name and candidate.origin != finder.EXAMPLE:
            raise QpolisError(f"there is a bot {name!r} already, in {candidate.origin}")
    if name in TAKEN or hasattr(builtins, name) or keyword.iskeyword(class_name(name)) or _is_module(name):
        raise QpolisError(f"{name!r} is not a name for a bot: the code of bots uses it for something else")
    path = finder.FOLDER / (name if kind == "program" else f"{name}.py")
    if path.parent.exists() and not path.parent.is_dir():
        raise QpolisError(f"{path.parent}: not a folder, so nothing can be written into it")
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        if kind == "program":
            os.chmod(path, 0o755)
    except FileExistsError:
        raise QpolisError(f"{path}: exists already, and is not overwritten") from None
    except OSError as error:
        raise QpolisError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def bot_text(name: str, kind: str, game: str) -> str:
    """The source of a new bot."""
    played = game_class(game)
    words = {
        "NAME": name,
        "CLASS": class_name(name),
        "GAME": played.name,
        "TITLE": played.title,
        "STEPS": "\n".join(f"  {line}" for line in first_steps(name, game)),
        "VALUE": (played.bot_template or ANY_VALUE).rstrip("\n"),
    }
    template = TEMPLATES[kind].read_text(encoding="utf-8")
    return re.sub(rf"\b({'|'.join(words)})\b", lambda word: words[word[0]], template)


def first_steps(name: str, game: str) -> list[str]:
    """The commands to go on with."""
    flag = "" if game == DEFAULT_GAME else f" --game {game}"
    others = ",random" * (load_game(game).players - 1)
    return [f"  qpolis check {name}{flag}", f"  qpolis play{flag} --bots {name}{others}"]


def _is_module(name: str) -> bool:
    """Would a file of this name hide a module that bots may want to import?"""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def class_name(name: str) -> str:
    """The name of a class in Python's style: my_bot is MyBot."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
