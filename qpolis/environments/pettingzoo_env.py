"""Games as PettingZoo knows them: seats in turn (AEC), with masked actions.

`qpolis.env("quadropolis", players=3)` makes one. Where PettingZoo has a registry (from 1.27 on), importing this
module puts all games into it: `pettingzoo.make("aec", "qpolis/quadropolis-v0", players=3)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qpolis import games
from qpolis.environments.extras import extra
from qpolis.environments.rewards import LEAST, rewards_of
from qpolis.game import Game, Plain, State
from qpolis.games import load_game
from qpolis.space import LEAST as LOW
from qpolis.space import MOST as HIGH
from qpolis.space import OBSERVATION

with extra("pettingzoo"):
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo.utils import wrappers

MASK = np.int8  # dtype of action masks, as spaces sample with them


def env(game: str | Game = games.DEFAULT_GAME, /, render_mode: str | None = None, **options: Any) -> Any:
    """A game as a PettingZoo environment (AEC), wrapped as usual: an action that is not legal ends the game, and
    its seat loses; calls in a wrong order are refused. `game` is a name, a path, or a loaded game.

    >>> env = qpolis.env("quadropolis", players=3, mode="expert")
    >>> env.reset(seed=7)                       # the game of load_game(...).new(seed=7)
    >>> observation, reward, over, _, info = env.last()
    """
    made = RawEnv(game, render_mode=render_mode, **options)
    for wrap in (
        lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=LEAST),
        wrappers.AssertOutOfBoundsWrapper,
        wrappers.OrderEnforcingWrapper,
    ):
        made = wrap(made)
    return made


class RawEnv(pettingzoo.AECEnv):
    """The environment without wrappers. Agents are player_0, player_1, ...: the seats.

    An observation is {"observation": what the seat sees, "action_mask": the legal actions}, the mask all zeros for
    who does not decide. Rewards come at the end: `rewards.py`. What an info then has is the score and the place.
    """

    def __init__(self, game: str | Game, /, render_mode: str | None = None, **options: Any) -> None:
        self.game = game if isinstance(game, Game) else load_game(game, **options)
        self.game.check_encodes()
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": ["human", "ansi"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.game.action_count) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.state_space = spaces.Box(LOW, HIGH, (self.game.players * self.game.observation_size,), OBSERVATION)
        self._random = np.random.default_rng()
        self._state: State | None = None

    def _observation_space(self) -> Any:
        return spaces.Dict(
            {
                "observation": spaces.Box(LOW, HIGH, (self.game.observation_size,), OBSERVATION),
                "action_mask": spaces.Box(0, 1, (self.game.action_count,), MASK),
            }
        )

    @property
    def position(self) -> State:
        """The position as qpolis knows it, everything hidden included; without its chance to come."""
        assert self._state is not None, "reset() comes first"
        return self._state.copy()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Plain | None = None) -> None:
        """A new game: that of `seed`, or else one drawn from the seed that was given last."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._state = self.game.new(int(self._random.integers(1 << 63)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Plain] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._choose_agent()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._state is not None
        self._state.apply(action)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._choose_agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _choose_agent(self) -> None:
        """Who decides now, or the end of the game."""
        assert self._state is not None
        seat = self._state.player
        self.agent_selection = self.agents[seat or 0]
        if seat is not None:
            return
        places, scores = self._state.ranks(), self._state.scores()
        self.rewards = dict(zip(self.agents, rewards_of(places)))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {
            agent: {"score": score, "place": place} for agent, score, place in zip(self.agents, scores, places)
        }

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        assert self._state is not None
        decides = agent == self.agent_selection and not self._state.over
        mask = self._state.mask() if decides else np.zeros(self.game.action_count)
        return {"observation": self._state.encode(self._seats[agent]), "action_mask": mask.astype(MASK)}

    def state(self) -> np.ndarray:
        """What all seats see, one after the other: for critics that know everything."""
        assert self._state is not None
        return np.concatenate([self._state.encode(seat) for seat in range(self.game.players)])

    def texts(self) -> dict[int, str]:
        """The legal actions as people write them."""
        assert self._state is not None
        return {action: self.game.action_text(action) for action in self._state.legal()}

    def render(self) -> str | None:
        """The position as text: given back in the mode `ansi`, printed in the mode `human`."""
        if self.render_mode == "human":
            print(self._state)
            return None
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


raw_env = RawEnv  # what the modules of PettingZoo's own games call it


def _register() -> None:
    """Put the games into the registry; older versions of PettingZoo have none."""
    if hasattr(pettingzoo, "register"):
        for name in games.names():
            entry_point = f"{__name__}:_make"
            pettingzoo.register("aec", f"qpolis/{name}-v0", entry_point=entry_point, kwargs={"game": name})


def _make(game: str, **options: Any) -> Any:
    return env(game, **options)


_register()
