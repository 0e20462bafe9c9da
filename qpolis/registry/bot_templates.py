"""New bots to start from, one of each kind, as `qpolis new-bot` writes them."""

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

PYTHON = '''\
"""NAME: a bot in plain Python.

STEPS
"""

import random

from qpolis import Bot, Parameter, load_game


class CLASS(Bot):
    """Tries each move and takes the one after which it is furthest ahead."""

    # What can be set from outside, as in NAME:rivalry=0.5. Leave it out if there is nothing to set.
    PARAMETERS = {"rivalry": Parameter(0.25, "how much a point of the best opponent hurts", 0, 1)}

    def __init__(self, info, seat, seed, parameters):
        """A new bot is made for every game. `info` tells which game it is, `seat` counts from 0."""
        super().__init__(info, seat, seed, parameters)
        self.game = load_game(info.name, **info.options)
        self.random = random.Random(seed)  # draw chance from the seed only: the same game can be played again

    def observe(self, observation):
        """What this seat sees now, as plain data (print it!): called before each choice and at the end."""
        self.observation = observation

    def choose(self, legal):
        """One of the legal actions. They are numbers; `self.info.text(action)` is what a person would write."""
        # A state that fits what we saw. We cannot know the future: it is made up from the seed.
        state = self.game.imagine(self.observation, seed=self.random.getrandbits(32))
        values = {action: self.value_after(state, action) for action in legal}
        best = max(values.values())
        return self.random.choice([action for action in legal if values[action] == best])

    def value_after(self, state, action, steps=2):
        """How good the position after an action is, or after the best next step if it is still our turn."""
        after = state.copy()
        after.apply(action)
        if after.player == self.seat and steps > 1:
            return max(self.value_after(after, following, steps - 1) for following in after.legal())
        scores = after.scores()
        mine = scores.pop(self.seat)
        return mine - self.parameters["rivalry"] * max(scores, default=0)
'''

KERNEL = '''\
"""NAME: a compiled bot, as fast as those that ship.

STEPS

The function below is compiled by numba: it can use numbers, arrays, loops and the verbs of the game, not lists of
Python objects. The first run compiles, which takes some seconds; the result is kept.
"""

import numpy as np

from qpolis import Parameter, verbs
from qpolis.policy import policy
from qpolis.rng import next64


# What can be set from outside, as in NAME:noise=2, arrives in `params` in this order.
@policy(noise=Parameter(0.5, "random points added to each choice", 0, 100))
def NAME(rules, states, rng, params, scratch):
    """Takes the move with the best outlook, and a little chance."""
    # rules[0] is the game, states[0] the position, a copy that may be changed, without what our seat cannot know
    # (verbs.determinize draws that). What a game can do is in qpolis/verbs.py: legal, apply, scores, ... `scratch`
    # is memory for one game, if @policy(scratch=BYTES).
    actions = np.empty(rules[0].actions, verbs.ACTION)
    values = np.empty(rules[0].actions)
    spare = np.empty(2, states.dtype)
    count = verbs.rate(rules[0], states[0], spare, actions, values, rng)
    best = 0
    for i in range(count):
        # Chance comes from `rng` only, so that the same game can be played again.
        values[i] += params[0] * ((next64(rng) >> np.uint64(11)) / 2.0**53)
        if values[i] > values[best]:
            best = i
    return np.int64(actions[best])
'''

PROGRAM = '''\
#!/usr/bin/env python3
"""NAME: a program of its own, which knows nothing of qpolis. Write it in any language you like.

STEPS

Messages are JSON, one a line: qpolis writes to our standard input, we answer on standard output. What we print to
standard error is for people.
"""

import json
import random
import sys


def main():
    dice = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello" and message["game"]["name"] != "GAME":
            answer = {"type": "error", "end": "crash", "message": "plays TITLE only"}
        elif kind == "hello":  # once: the game, our parameters, the limits
            answer = {"type": "hello", "protocol": 1, "name": "NAME"}
        elif kind == "start":  # of a game; take chance from the seed only: the same game can be played again
            dice.seed(message["seed"])
            continue
        elif kind == "choose":  # the observation, the legal actions, and their texts
            answer = {"action": choose(message["observation"], message["legal"], message["texts"], dice)}
        elif kind == "quit":
            return
        else:  # the "end" of a game, and whatever there may be one day: no answer
            continue
        print(json.dumps(answer), flush=True)


def choose(observation, legal, texts, dice):
    """The action whose text we like best, or one of those."""
    values = [value(observation, text) for text in texts]
    best = max(values)
    return dice.choice([action for action, liked in zip(legal, values) if liked == best])


VALUE


main()
'''

# How much a new program likes a move, in a game that says nothing about it.
ANY_VALUE = '''\
def value(seen, text):
    """How much we like a move, by what we see and the text of the move (print them to standard error!)."""
    return 0  # all the same
'''

TEMPLATES = {"python": PYTHON, "kernel": KERNEL, "program": PROGRAM}
TAKEN = ("next64", "np", "policy", "qpolis", "verbs")  # a function of this name would hide what it needs itself


def write_bot(name: str, kind: str, game: str = DEFAULT_GAME) -> Path:
    """Write a new bot for a game into `bots/` of the working directory; the path of its file."""
    text = bot_text(name, kind, game)
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise QpolisError(f"{name!r} is not a name for a bot: use letters, digits and _, as in my_bot")
    for found in finder.everything():
        if found.name == name:
            raise QpolisError(f"there is a bot {name!r} already, in {found.origin}")
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
    words = {"NAME": name, "CLASS": class_name(name), "GAME": played.name, "TITLE": played.title,
             "STEPS": "\n".join(f"  {line}" for line in first_steps(name, game)),
             "VALUE": (played.bot_template or ANY_VALUE).rstrip("\n")}
    return re.sub(rf"\b({'|'.join(words)})\b", lambda found: words[found[0]], TEMPLATES[kind])


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
