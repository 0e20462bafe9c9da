"""Small programs that speak the protocol, well or badly, and a look at what is left of them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import qpolis
from qpolis.engine.results import Results
from qpolis.sandbox.program import Program

# Plays the first legal action. Its `trouble` starts at the third decision of the second game: the game before is
# played well, and so is the one after, by a new process.
TEMPLATE = """
import json, os, re, signal, subprocess, sys, time

games = asked = 0

def say(**message):
    print(json.dumps(message), flush=True)

def good(message):
    say(action=message["legal"][0])

def hello(message):
    say(type="hello", protocol=1, name="test")

def start(message):
    global games, asked
    games, asked = games + 1, 0

def choose(message):
    global asked
    asked += 1
    if games == 2 and asked == 3:
        trouble(message)
    else:
        good(message)

trouble = good

%s

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in globals():
        globals()[message["type"]](message)
"""


def program(folder: Path, code: str = "", name: str = "bot.py", **parameters: object) -> Program:
    """A program that plays well except for what `code` defines anew."""
    file = folder / name
    file.write_text(TEMPLATE % code)
    return Program((sys.executable, "-I", "-S", str(file)), parameters)


def trouble(folder: Path, code: str, name: str = "bot.py") -> Program:
    """A program whose trouble is this code, which has the `message`."""
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    return program(folder, f"def trouble(message):\n{lines}\n", name)


def left_over(mark: str) -> list[int]:
    """Processes with this text in their environment, and children nobody waited for."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        try:
            if name.isdigit() and mark.encode() in Path("/proc", name, "environ").read_bytes():
                found.append(int(name))
        except OSError:
            pass
    try:
        if os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            found.append(-1)
    except ChildProcessError:
        pass
    return found


def gone(mark: str, patience: float = 20.0) -> bool:
    """Do the processes with this mark go away by themselves?"""
    deadline = time.monotonic() + patience
    while left_over(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not left_over(mark)


def stood(game: qpolis.Game, seed: int, deal: int, decisions: int) -> tuple[list[int], list[int]]:
    """Points and decisions of all seats when seat 0 is asked again after `decisions`; all play the first legal."""
    from helpers.matches import by_hand_state

    state = by_hand_state(game, seed, deal)
    made = [0] * game.players
    while state.player != 0 or made[0] < decisions:
        assert state.player is not None
        made[state.player] += 1
        state.apply(state.legal()[0])
    return state.scores(), made


def same(one: Results, two: Results, rows: slice = slice(None)) -> bool:
    """Are the results of these games the same?"""
    return all(
        (getattr(one, name)[rows] == getattr(two, name)[rows]).all()
        for name in ("points", "ranks", "decisions", "ends")
    )
