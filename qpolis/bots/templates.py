"""New bots to start from, one of each kind, as `qpolis new-bot` writes them."""

from __future__ import annotations

import builtins
import importlib.util
import keyword
import os
from pathlib import Path

from qpolis.bots import finder
from qpolis.errors import QpolisError

PYTHON = '''\
"""NAME: a bot in plain Python.

    qpolis check NAME
    qpolis play --bots NAME,random
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

    qpolis check NAME
    qpolis play --bots NAME,random

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
    # rules[0] is the game, states[0] the position, a copy that may be changed. What a game can do is in
    # qpolis/verbs.py: legal, apply, scores, ... `scratch` is memory for one game, if @policy(scratch=BYTES).
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

    qpolis check NAME
    qpolis play --bots NAME,random

Messages are JSON, one a line: qpolis writes to our standard input, we answer on standard output. What we print to
standard error is for people.
"""

import json
import sys

WORTH = {"tower": 4, "service": 4, "park": 2, "shop": 3, "harbor": 3, "factory": 3, "office": 4, "monument": 2}
NEEDS = {"tower": "energy", "shop": "energy", "office": "energy", "service": "inhabitants",
         "factory": "inhabitants", "harbor": "inhabitants", "park": None, "monument": None}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # once: the game, our parameters, the limits
            answer = {"type": "hello", "protocol": 1, "name": "NAME"}
        elif kind == "choose":  # the observation, the legal actions, and their texts
            answer = {"action": choose(message["observation"], message["legal"], message["texts"])}
        elif kind == "quit":
            return
        else:  # "start" and "end" of a game, and whatever there may be one day: no answer
            continue
        print(json.dumps(answer), flush=True)


def choose(observation, legal, texts):
    """The action whose text we like best; of equal ones the first."""
    values = [value(observation, text) for text in texts]
    return legal[values.index(max(values))]


def value(seen, text):
    """How much we like a move of Quadropolis: 3@N2 takes a tile, c2 builds it, discard throws it away."""
    if seen["game"] != "quadropolis" or text == "discard":
        return -1
    if "@" in text:
        tile = seen["site"][square_taken(int(text[0]), text[2], int(text[3:]))]
        return 0 if tile is None else 10 + WORTH[tile["type"]] + tile["vp"] + supply(seen, tile)
    city = seen["cities"][seen["seat"]]
    columns = len(city) // 4
    column, line = ord(text[0]) - ord("a"), int(text[1:]) - 1
    built = city[line * columns + column]
    if built is not None:
        return 10 + built["floors"]  # another floor
    return sum(neighbour is not None for neighbour in beside(city, columns, line, column))


def supply(seen, tile):
    """What the inhabitants and the energy of a tile are worth to us: buildings need them."""
    value = 0
    for store in ("inhabitants", "energy"):
        needed = sum(built is not None and NEEDS[built["type"]] == store for built in seen["cities"][seen["seat"]])
        spare = seen[store][seen["seat"]] - needed
        if spare < 2:
            value += 2 * tile[store]
        if NEEDS[tile["type"]] == store and spare + tile[store] < 1:
            value -= 3
    return value


def square_taken(number, side, index):
    """The square of the site, counted row by row, that architect `number` at an end of a line or column takes."""
    line, column = {"N": (number, index), "S": (6 - number, index),
                    "W": (index, number), "E": (index, 6 - number)}[side]
    return (line - 1) * 5 + column - 1


def beside(city, columns, line, column):
    """What is on the squares that share a side with this one."""
    for y, x in ((line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)):
        if 0 <= y < 4 and 0 <= x < columns:
            yield city[y * columns + x]


main()
'''

TEMPLATES = {"python": PYTHON, "kernel": KERNEL, "program": PROGRAM}
TAKEN = ("next64", "np", "policy", "qpolis", "verbs")  # a function of this name would hide what it needs itself


def write_bot(name: str, kind: str) -> Path:
    """Write a new bot into `bots/` of the working directory; the path of its file."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise QpolisError(f"{name!r} is not a name for a bot: use letters, digits and _, as in my_bot")
    for found in finder.everything():
        if found.name == name:
            raise QpolisError(f"there is a bot {name!r} already, in {found.origin}")
    if name in TAKEN or hasattr(builtins, name) or keyword.iskeyword(class_name(name)) or _is_module(name):
        raise QpolisError(f"{name!r} is not a name for a bot: the code of bots uses it for something else")
    path = finder.FOLDER / (name if kind == "program" else f"{name}.py")
    text = TEMPLATES[kind].replace("CLASS", class_name(name)).replace("NAME", name)
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


def _is_module(name: str) -> bool:
    """Would a file of this name hide a module that bots may want to import?"""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def class_name(name: str) -> str:
    """The name of a class in Python's style: my_bot is MyBot."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
