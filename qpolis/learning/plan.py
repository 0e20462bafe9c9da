"""What a training is asked to be: the keys of its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.files import write_file
from qpolis.game import Game
from qpolis.games import load_game
from qpolis.models.finder import AUTO, find_model
from qpolis.models.model_file import LANES, SIZES, Model
from qpolis.parameters import Key
from qpolis.tourney.run import PLAN
from qpolis.tourney.schema import (
    COUNT,
    GAME,
    NAME,
    OPTIONS,
    SEED,
    SOME,
    TEXT,
    all_checked,
    check_names,
    file_text,
    is_sealed,
    key,
    keys_of,
    read_keys,
    sealed,
    with_seed,
)

KIND = "training"
SHIPPED = "shipped"  # instead of the name of a model to begin with: the one that ships for the game
MIX = "mix"  # the option of games that have one


@dataclass(frozen=True)
class TrainingPlan:
    """A training as it is asked for. Every field is a key of its plan."""

    name: str = key(NAME)
    game: str = key(GAME)
    options: Mapping[str, Any] = key(OPTIONS)
    mixes: tuple[str, ...] = key(
        Key((), "that are played besides that of the options, in turn", items=TEXT, words="a list of mixes")
    )
    begin: str = key(replace(SOME, words='a model such as "shipped"'), help="the model to go on from")
    games: int = key(COUNT, 4000, help="games against itself in each generation")
    sims: int = key(Key(100, "simulations of the decisions that are learned from", 8, 1e6, whole=True))
    playout: int = key(Key(0, "decisions played out before the network judges", 0, 1000, whole=True))
    wide: int = key(SIZES["wide"])
    narrow: int = key(SIZES["narrow"])
    remember: int = key(Key(3, "generations whose games are learned from", 1, 100, whole=True))
    epochs: int = key(Key(10, "passes over them", 1, 1000, whole=True))
    gate: int = key(Key(400, "games at most between a generation and the champion", 20, 1e6, whole=True))
    seed: int = key(SEED)

    def table(self) -> dict[str, Any]:
        """The keys, without those that are empty."""
        return sealed({name: value for name, value in vars(self).items() if value not in ("", ())})

    def text(self) -> str:
        return file_text(KIND, self.table())

    def load_game(self, mix: str | None = None) -> Game:
        """The game, or the same with another mix."""
        return load_game(self.game, **{**self.options, **({MIX: mix} if mix else {})})

    def games_in_turn(self) -> list[Game]:
        """All games that are learned from."""
        return [self.load_game(), *map(self.load_game, self.mixes)]

    def first_model(self) -> Model | None:
        """The model that the training goes on from; None from nothing."""
        if not self.begin:
            return None
        game = self.load_game()
        model = find_model(AUTO if self.begin == SHIPPED else self.begin, game)
        if model is None:
            raise QpolisError(f"no model ships for {game!r}: train from nothing, without --from")
        return model


CHECKS = keys_of(TrainingPlan)


def plan_training(given: Mapping[str, Any]) -> TrainingPlan:
    """The plan with these keys, if it can be carried out."""
    check_names(given, CHECKS)
    plan = TrainingPlan(**all_checked(with_seed(given), CHECKS))
    for name in ("wide", "narrow"):
        if getattr(plan, name) % LANES:
            raise QpolisError(f"{name}: {getattr(plan, name)} is not a multiple of {LANES}")
    game = plan.load_game()
    game.check_encodes()
    if plan.mixes and MIX not in game.options:
        raise QpolisError(f"mixes: {game.name} has no option {MIX}")
    for other in plan.games_in_turn():
        if (other.model_inputs, other.model_touches) != (game.model_inputs, game.model_touches):
            raise QpolisError(f"{other!r} is seen in other numbers than {game!r}: they have no common model")
    model = plan.first_model()
    sizes = model.card if model else vars(plan)
    for name in ("wide", "narrow"):
        if model and name in given and given[name] != sizes[name]:
            raise QpolisError(f"{name}: {plan.begin} has {sizes[name]} units: another size begins from nothing")
    return replace(plan, name=plan.name or game.model_name, wide=sizes["wide"], narrow=sizes["narrow"])


def write_plan(folder: Path, plan: TrainingPlan) -> None:
    write_file(folder / PLAN, plan.text().encode())


def read_training(folder: Path) -> TrainingPlan:
    """The plan of the training in a folder."""
    if not (folder / PLAN).is_file():
        raise QpolisError(f"{folder}: there is no training to go on with: no {PLAN} in it")
    keys = read_keys(folder / PLAN, CHECKS, KIND)
    if not is_sealed(folder / PLAN):
        raise QpolisError(f"{folder / PLAN}: was changed since the training began")
    return TrainingPlan(**keys)
