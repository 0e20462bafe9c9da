"""Games as OpenSpiel knows them. Importing this module registers those that ship: `qpolis_quadropolis`, ...;
`register` adds any other, such as a game at a path.
Then `pyspiel.load_game("qpolis_quadropolis(players=3,mode=expert)")` gives one.

The options of a game are its parameters. How chance is declared, and why, is in docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from qpolis import games
from qpolis.environments.extras import extra
from qpolis.environments.openspiel_state import SpielState, set_up
from qpolis.environments.rewards import LEAST, MOST
from qpolis.errors import QpolisError
from qpolis.game import Game, Plain, State
from qpolis.games import finder
from qpolis.verbs import registered

with extra("openspiel"):
    import pyspiel

    from qpolis.environments.openspiel_observer import Observer, make_observer

PREFIX = "qpolis_"
CHANCE_PARAMETERS = {"outcomes": 1024, "chance_seed": 0}  # of games with chance: see `SpielState`

_registered: dict[str, type[Game]] = {}


def register(game: str) -> str:
    """Make a game, by its name or path, known to OpenSpiel; the name that it has there."""
    chosen = games.game_class(game)
    name = PREFIX + chosen.name
    if _registered.setdefault(name, chosen) is not chosen:
        raise QpolisError(f"another game called {chosen.name} is known to OpenSpiel already")
    if name not in pyspiel.registered_names():
        # A class for each, because OpenSpiel lets go of what it was given after Python has ended: an object that
        # has only that reference left would be taken apart then, which ends in a crash.
        kind = _game_type(name, chosen)
        parts = {"reference": chosen.path or chosen.name, "kind": kind}
        pyspiel.register_game(kind, type(f"Spiel{chosen.__name__}", (SpielGame,), parts))
    return name


def load(game: Game, **parameters: int) -> SpielGame:
    """A game of qpolis, with its options, as a game of OpenSpiel; parameters are those of its chance."""
    name = register(game.reference)
    return pyspiel.load_game(name, {**game.settings, **parameters})  # type: ignore[no-any-return]


def _game_type(name: str, game: type[Game]) -> Any:
    """What OpenSpiel is told of a game, whatever its options."""
    kinds = pyspiel.GameType
    players = game.options["players"].choices if "players" in game.options else (game().players,)
    information = kinds.Information
    return kinds(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.chance else kinds.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if game.hidden else information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            **{option: declared.default for option, declared in game.options.items()},
            **(CHANCE_PARAMETERS if game.chance else {}),
        },
    )


class SpielGame(pyspiel.Game):
    """A game with its options fixed. `rules` is the game as qpolis knows it."""

    reference: ClassVar[str]  # what qpolis finds it by
    kind: ClassVar[Any]  # its type in OpenSpiel

    def __init__(self, params: Mapping[str, Any]) -> None:
        options = {key: value for key, value in params.items() if key not in CHANCE_PARAMETERS}
        chance = {**CHANCE_PARAMETERS, **params}
        self.rules = games.load_game(self.reference, **options)
        self.rules.check_encodes()
        if not self.rules.most_decisions:
            raise QpolisError(
                f"game {self.rules.name}: `build` did not set `most_decisions`, how long a game can be"
            )
        if self.rules.chance and chance["outcomes"] < 1:
            raise QpolisError(f"outcomes={chance['outcomes']}: a chance node has 1 or more")
        outcomes = chance["outcomes"] if self.rules.chance else 0
        self.chance_seed: int = chance["chance_seed"]
        self.chance_outcomes = [(outcome, 1 / outcomes) for outcome in range(outcomes)]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_count,
            max_chance_outcomes=outcomes,
            num_players=self.rules.players,
            min_utility=LEAST,
            max_utility=MOST,
            utility_sum=0.0,
            max_game_length=self.rules.most_decisions,
        )
        super().__init__(self.kind, info, dict(params))
        self.start = set_up(self.rules)

    def max_chance_nodes_in_history(self) -> int:
        """One after the set-up, and one after every decision, at most."""
        return self.rules.most_decisions + 1 if self.rules.chance else 0

    def new_initial_state(self, position: State | Plain | None = None) -> SpielState:
        """The start of a game, or any position: a state of qpolis, or its `to_dict()`. Its history is empty."""
        state = SpielState(self)
        if position is not None:
            state.stand_at(position if isinstance(position, State) else self.rules.from_dict(position))
        return state

    def __reduce__(self) -> Any:
        return _again, (self.reference, str(self))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        return make_observer(self, iig_obs_type, params)


def _again(reference: str, text: str) -> SpielGame:
    """A game in another process, which may not know it yet."""
    register(reference)
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def state_again(reference: str, text: str) -> SpielState:
    """A state in another process, from what OpenSpiel writes."""
    register(reference)
    return pyspiel.deserialize_game_and_state(text)[1]  # type: ignore[no-any-return]


def _register_shipped() -> None:
    for found in finder.shipped():
        if "encode" in registered(finder.load(found).state_dtype):
            register(found.name)


_register_shipped()
