"""Quadropolis, classic and expert, for 2 to 4 players."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from qpolis import verbs
from qpolis.game import Game, Item, Option, Plain, State
from qpolis.games.quadropolis import bot_template, codec, moves, notation, provenance
from qpolis.games.quadropolis.account import account
from qpolis.games.quadropolis.codec_checks import Checker
from qpolis.games.quadropolis.details import details
from qpolis.games.quadropolis.draw import LEGEND, draw
from qpolis.games.quadropolis.encode import encode, planes_of
from qpolis.games.quadropolis.facts import facts
from qpolis.games.quadropolis.heuristic import suggest
from qpolis.games.quadropolis.layout import ACTIONS, KINDS, NONE, STATE, TURNS, TYPES
from qpolis.games.quadropolis.mix import Tile, load_mix
from qpolis.games.quadropolis.rules import MODES, make_rules, mat, rules_content
from qpolis.games.quadropolis.scoring import scores
from qpolis.games.quadropolis.sketch import TOUCHES, sketch, sketch_size, touches
from qpolis.games.quadropolis.tiles import TYPES_OF
from qpolis.games.quadropolis.value import evaluate, lookahead, rate
from qpolis.games.quadropolis.variations import variations
from qpolis.policy import Habits

verbs.register(
    STATE,
    set_up=moves.set_up,
    player=moves.player,
    legal=moves.legal,
    is_legal=moves.is_legal,
    pick=moves.pick,
    apply=moves.apply,
    scores=scores,
    evaluate=evaluate,
    lookahead=lookahead,
    rate=rate,
    suggest=suggest,
    sketch=sketch,
    touches=touches,
    encode=encode,
    account=account,
    takes=moves.takes,
    builds=moves.builds,
    stage=moves.stage,
)


FAVOR = 1  # points that a player imagines for each building of a kind it likes
HARD_CITIES = Path(__file__).parent / "hard_cities.json"  # slow to score; see benchmarks/hard_cities.py


class Quadropolis(Game):
    """Quadropolis as in `RULES.md`."""

    name = "quadropolis"
    title = "Quadropolis"
    options: ClassVar = {
        "players": Option(2, "number of players", (2, 3, 4)),
        "mode": Option("classic", "rules and city mat", MODES),
        "mix": Option("base", "tile mix: a name, the path of a CSV file, or changes such as base:harbor+2:park-2"),
    }
    chance = True
    hidden = False
    state_dtype = STATE
    legend = LEGEND
    category_noun = ("kind of building", "kinds of buildings")
    bot_template = bot_template.VALUE

    tiles: list[Tile]  # what each kind of the rules record shows

    def build(self, **settings: Any) -> None:
        self.mode: str = settings["mode"]
        self.players = settings["players"]
        self.categories = TYPES_OF[self.mode]
        self.mix = load_mix(settings["mix"])
        self.rules, self.tiles = make_rules(self.mode, self.players, self.mix)
        self.planes = planes_of(self.rules[0], self.categories)
        self.action_count = ACTIONS
        self.sketch_size = sketch_size(self.players)
        self.touch_count = TOUCHES
        self.most_decisions = 2 * TURNS * self.players * int(self.rules[0].rounds)  # take and place
        self.writer = codec.Writer(self.rules[0], self.tiles)
        self.mat_text = json.dumps(mat(self.mode), separators=(",", ":"))
        self.kinds = codec.kinds_of(self.tiles)
        self.checker = Checker(self.rules[0], self.tiles)

    @property
    def model_name(self) -> str:
        return f"{self.name}-{self.mode}-{self.players}"

    def action_text(self, action: int) -> str:
        return notation.action_text(action, int(self.rules[0].columns))

    def action_of(self, text: str) -> int:
        return notation.action_of(text, int(self.rules[0].columns))

    def describe(self, record: np.record) -> Plain:
        described: Plain = json.loads(self.writer.text(record))
        return described

    def fill(self, record: np.record, data: Plain) -> None:
        codec.fill(self.rules[0], self.kinds, record, data)
        self.checker.check(record)

    def view(self, record: np.record, seat: int) -> Plain:
        """Everything on the table is open, and what is printed on the mats; a later layout does not exist before
        it is laid."""
        return {**self.describe(record), "mat": mat(self.mode)}

    def view_text(self, record: np.record, seat: int) -> str:
        return f'{self.writer.text(record)[:-1]},"mat":{self.mat_text}}}'

    def complete(self, view: Plain, seat: int, chance: np.ndarray) -> Plain:
        if view["mat"] != mat(self.mode):
            raise ValueError(f"mat is not that of the {self.mode} mode")
        return {key: value for key, value in view.items() if key != "mat"}

    def draw(self, state: State) -> str:
        return draw(state.to_dict())

    def shows(self, state: State) -> bool:
        """Before a take: the place step that follows changes little."""
        return bool(state.record.held == NONE)

    def chapter(self, state: State) -> str:
        return f"round {state.record.round_no + 1}"

    def details(self, state: State) -> Plain:
        return details(self.rules[0], self.categories, self.describe(state.record))

    def facts(self) -> Plain:
        return facts(self.rules[0], self.categories)

    def rules_with_habits(self, seat: int, habits: Habits) -> np.ndarray:
        rules = self.rules.copy()
        rules[0].forbidden[seat] = sum(1 << TYPES.index(kind) for kind in habits.forbid)
        for kind in habits.favor:
            rules[0].favor[seat, TYPES.index(kind)] = FAVOR
        rules[0].fancies = bool(habits.favor)
        rules.flags.writeable = False
        return rules

    def items(self) -> dict[int, Item]:
        rounds = [Counter(row) for row in self.rules[0].tiles.tolist()]
        return {
            round * KINDS + kind: Item(self.tiles[kind].name, self.tiles[kind].type, round, copies)
            for round, count in enumerate(rounds)
            for kind, copies in sorted(count.items())
            if kind != NONE
        }

    def variations(self) -> list[str]:
        return variations(self.settings["mix"], self.categories)

    def rules_content(self) -> bytes:
        return rules_content(self.rules)

    def notes(self) -> tuple[str, ...]:
        return provenance.notes(self.mix, self.mode, self.players)

    def slow_positions(self) -> tuple[Game, np.ndarray] | None:
        game = Quadropolis(mode="expert", players=2)
        cities = json.loads(HARD_CITIES.read_text())
        states = np.zeros(len(cities), STATE)
        state: Any
        for state, city in zip(states, cities, strict=True):
            codec.fill_city(state.built[0], state.tall[0], state.vp[0], state.holds[0], city["squares"])
            state.inhabitants[0] = city["inhabitants"]
            state.energy[0] = city["energy"]
        return game, states


GAME = Quadropolis
