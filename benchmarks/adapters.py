"""Decisions a second of Quadropolis through the adapters (docs/adapters.md): python benchmarks/adapters.py"""

from __future__ import annotations

import random
import time

import numpy as np

import qpolis
from qpolis.environments import openspiel_games
from qpolis.environments.gymnasium_env import GameEnv

GAMES = 30
CHOICES = random.Random(1)
GAME = qpolis.load_game("quadropolis")
ENV = qpolis.env(GAME)
SEAT = GameEnv(GAME, opponents="random")
SPIEL = openspiel_games.load(GAME)


def chosen(mask: np.ndarray) -> int:
    return int(CHOICES.choice(np.flatnonzero(mask)))


def pettingzoo() -> int:
    """All decisions of a game, with observations and masks."""
    ENV.reset()
    decisions = 0
    for _ in ENV.agent_iter():
        observation, _, over, _, _ = ENV.last()
        ENV.step(None if over else chosen(observation["action_mask"]))
        decisions += not over
    return decisions


def gymnasium() -> int:
    """The decisions of one seat; those of the random player at the other are not counted."""
    _, info = SEAT.reset()
    decisions, over = 0, False
    while not over:
        _, _, over, _, info = SEAT.step(chosen(info["action_mask"]))
        decisions += 1
    return decisions


def openspiel() -> int:
    """All decisions of a game, without observations; outcomes of chance are not counted."""
    state, decisions = SPIEL.new_initial_state(), 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(CHOICES.choice(state.legal_actions()))
    return decisions


def main() -> None:
    for play in (pettingzoo, gymnasium, openspiel):
        play()  # compiles
        begun = time.process_time()
        decisions = sum(play() for _ in range(GAMES))
        speed = decisions / (time.process_time() - begun)
        print(f"{play.__name__:10} {speed:8,.0f} decisions a second of processor time")


if __name__ == "__main__":
    main()
