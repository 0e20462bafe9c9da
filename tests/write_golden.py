"""Golden playthroughs: games written down move by move. `make golden` writes them anew.

Each line is: seat, number of legal actions, a digest of the state before, the action. A change in the files means
that games of earlier versions cannot be replayed. Signatures of games, and the versions of behaviour they belong
to, go to `golden/behaviour.toml`.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import qpolis
from helpers import behaviours
from qpolis import verbs
from qpolis.rng import stream

# Share of actions by rules of thumb, where random players do not get far.
SENSIBLE = {"arkadia": 0.5, "quadrilatere": 0.7}
FOLDER = Path(__file__).parent / "golden"
GAMES = [
    ("quadropolis", {"mode": mode, "players": players, "mix": "base"}, players)
    for mode in ("classic", "expert")
    for players in (2, 3, 4)
]
GAMES += [("quadrilatere", {"slide": slide}, seed) for seed, slide in enumerate(("on", "off"))]
GAMES += [
    ("arkadia", {"players": players, "setup": setup, "flip": flip}, players)
    for players, setup, flip in (
        (2, "standard", "off"),
        (3, "standard", "on"),
        (4, "standard", "off"),
        (2, "intro", "off"),
        (3, "intro", "off"),
        (4, "intro", "on"),
    )
]


def path_of(name, options):
    return FOLDER / f"{name}-{'-'.join(str(value) for value in options.values())}.txt"


def digest(state):
    return hashlib.sha256(json.dumps(state.to_dict()).encode()).hexdigest()[:8]


def playthrough(name, options, seed, choose):
    """The lines of one game; choose(line number, state) gives the actions."""
    game = qpolis.load_game(name, **options)
    state = game.new(seed)
    lines = [json.dumps({"game": name, **options, "seed": seed})]
    while not state.over:
        action = choose(len(lines), state)
        lines.append(f"{state.player} {len(state.legal())} {digest(state)} {game.text(state, action)}")
        state.apply(action)
    lines += [f"scores {state.scores()} ranks {state.ranks()} {digest(state)}", *str(state).splitlines()]
    return lines


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, options, seed in GAMES:
        choices, thoughts, share = random.Random(seed), stream(seed), SENSIBLE.get(name, 0)

        def choose(_, state, choices=choices, thoughts=thoughts, share=share):
            if share and choices.random() < share:
                return verbs.suggest(state.game.rules[0], state.record, thoughts)
            legal = state.legal()
            return choices.choice(legal[:-1] or legal)  # never the last: in Quadropolis that is to discard

        path_of(name, options).write_text("\n".join(playthrough(name, options, seed, choose)) + "\n")
    behaviours.write()


if __name__ == "__main__":
    main()
