"""The protocol of games: what a game declares and supplies, and the friendly face over its kernels.

A game is a subclass of `Game` named GAME, in a folder of `qpolis/games/`, in an installed package, or in a folder
or file of a user (`games/finder.py`). It registers kernels for the verbs (`verbs.py`) and supplies what only
people need: text, plain data, a drawing. Legality is checked here, once, for all games; that a game is complete,
in `contract.py`.
"""

from __future__ import annotations

import abc
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from qpolis import contract, verbs
from qpolis.errors import IllegalAction, QpolisError
from qpolis.parameters import Option, Retired, checked, in_use, option_text
from qpolis.rng import SECRET_WORDS, SEED_BITS, WORDS, chance_stream, keys, stream
from qpolis.space import OBSERVATION, Plane, size_of

if TYPE_CHECKING:
    from qpolis.policy import Habits

Plain = dict[str, Any]
BAD_DATA = (KeyError, IndexError, TypeError, ValueError, AttributeError)  # what reading it raises


def settings_text(settings: Mapping[str, Any]) -> str:
    """Options and their values in words: players 2, mode expert. Empty for a game without options."""
    return ", ".join(f"{name} {option_text(value)}" for name, value in settings.items())


def with_settings(name: str, settings: Mapping[str, Any]) -> str:
    """A game and its options: Chess (clock on); only its name if it has none."""
    return f"{name} ({settings_text(settings)})" if settings else name


@dataclass(frozen=True)
class Item:
    """Something that can be taken: its name, its category, in which stage and how often it is there."""

    name: str
    category: str
    stage: int
    copies: int


class Game(abc.ABC):
    """One game with its options fixed. `rules` is its constant record, an array of one.

    >>> game = qpolis.load_game("quadropolis")
    >>> game.title, game.players, game.settings["mode"]
    ('Quadropolis', 2, 'classic')
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[Mapping[str, Option]]
    retired: ClassVar[Mapping[str, Retired]] = {}  # options that it had before
    chance: ClassVar[bool]  # is anything drawn at random?
    hidden: ClassVar[bool]  # does a seat know what another does not?
    state_dtype: ClassVar[np.dtype]
    behaviour: ClassVar[int] = 1  # raised with every change of its games: runs from before do not go on with it
    legend: ClassVar[str] = ""  # explains the drawing
    bot_template: ClassVar[str] = ""  # source of value(seen, text): how much a new program likes a move
    categories: tuple[str, ...] = ()  # that points are accounted by
    planes: tuple[Plane, ...] = ()  # of an encoded observation, for a game that has the verb `encode`
    action_count: int = 0  # action ids are below it; 0 where a game does not say
    sketch_size: int = 0  # numbers that the verb `sketch` writes; 0: those of an observation
    touch_count: int = 0  # numbers that the verb `touches` writes are below it; 0: actions stand for themselves
    most_decisions: int = 0  # in one game, of all seats; 0 where a game does not say
    category_noun: ClassVar[tuple[str, str]] = ("category", "categories")  # what the game calls one, and several

    # Where it was found, as `qpolis.games` notes: the absolute path of a game that is found by it, and the folder
    # of a game that is one.
    path: ClassVar[str] = ""
    folder: ClassVar[Path | None] = None

    rules: np.ndarray
    players: int

    def __init__(self, /, **given: Any) -> None:
        contract.check_class(type(self))
        self.settings = checked(f"option of {self.name}", self.options, self.options_in_use(given))
        self.build(**self.settings)
        contract.check_built(self)
        self.rules.flags.writeable = False

    @classmethod
    def options_in_use(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Options, or keys of a state, without those that were taken out; QpolisError if one of them has another
        value than the one that is left."""
        return in_use(f"option of {cls.name}", cls.retired, given)

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.settings.items()]
        return f"load_game({', '.join([repr(self.reference), *given])})"

    @property
    def reference(self) -> str:
        """What `load_game` finds it by, in any process of this machine: its path, or its name."""
        return self.path or self.name

    def new(self, seed: int = 0, deal: int = 0) -> State:
        """A new game. The same options and seed give the same game; `deal` counts the deals of a tournament with
        that seed."""
        state = State(self, np.zeros(1, self.state_dtype), chance_stream(keys(check_seed(seed)), deal))
        verbs.set_up(self.rules[0], state.record, state.chance)
        return state

    def __reduce__(self) -> Any:
        return _load, (self.path or type(self), self.settings)

    @property
    def observation_size(self) -> int:
        """How many numbers `State.encode` gives."""
        self.check_encodes()
        return size_of(self.planes)

    @property
    def model_name(self) -> str:
        """What the model that ships for it is called."""
        return f"{self.name}-{self.players}"

    @property
    def model_inputs(self) -> int:
        """How many numbers a model of it looks at: the sketch, and the evaluation of each seat."""
        return (self.sketch_size or self.observation_size) + self.players

    @property
    def model_touches(self) -> int:
        """How many things the actions of a model of it have to do with."""
        return self.touch_count or self.action_count

    def check_encodes(self) -> None:
        """Refuse a game that programs that learn cannot see."""
        if not self.planes or not self.action_count:
            raise QpolisError(
                f"game {self.name}: it has no observations as numbers: it needs the verb `encode`, and `planes` "
                "and `action_count`, set by `build` (docs/write-a-game.md)"
            )

    def text(self, state: State, action: int) -> str:
        """The notation of a legal action."""
        self._check_own(state)
        return self.action_text(state.check(action))

    def parse(self, state: State, text: str) -> int:
        """The legal action a text stands for: the inverse of `text`."""
        self._check_own(state)
        action = self.action_of(text)
        if action not in state.legal():
            raise IllegalAction(f"{text!r} is not legal here (legal: {self._some_legal(state)})")
        return action

    def _check_own(self, state: State) -> None:
        if state.game is not self and state.game.settings != self.settings:
            raise QpolisError(f"the state belongs to {state.game!r}, not to {self!r}")

    def _some_legal(self, state: State, most: int = 8) -> str:
        legal = state.legal()
        texts = [self.action_text(action) for action in legal[:most]]
        return " ".join(texts) + (f" and {len(legal) - most} more" if len(legal) > most else "")

    def from_dict(self, data: Plain) -> State:
        """The state that `to_dict` described: `from_dict(state.to_dict())` is the same in every respect."""
        state = State(self, np.zeros(1, self.state_dtype), np.zeros(WORDS, np.uint64))
        try:
            text = _text(self.options_in_use(data))
            data = json.loads(text)
            state.chance = _words(data["chance"])
            self.fill(state.record, data)
            again = state.to_dict()
        except (*BAD_DATA, OverflowError, RecursionError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise QpolisError(f"not a state of {self.name}: {reason}") from None
        if _text(again) != text:  # as text, because True == 1 in Python and not in JSON
            keys = [key for key in {**again, **data} if _text(again.get(key, again)) != _text(data.get(key, data))]
            problem = "cannot be in this game" if keys[0] in data else "is missing"
            raise QpolisError(f"not a state of {self!r}: {keys[0]} {problem}")
        if not state.over and not state.legal():
            raise QpolisError(f"not a state of {self!r}: the game is not over and nothing is legal")
        return state

    def imagine(self, observation: Plain, seed: int = 0) -> State:
        """A state that fits what a seat saw: a bot can search from it, and so can you.

        What the seat knows is as it is. What it cannot know, such as later layouts, is drawn from `seed`: other
        seeds give other futures that are just as likely.

        >>> game.imagine(state.observe(state.player), seed=1).legal() == state.legal()
        True
        """
        chance = stream(check_seed(seed))
        try:
            view = {key: value for key, value in observation.items() if key != "seat"}
            data = self.complete(view, observation["seat"], chance)
        except BAD_DATA as error:
            raise QpolisError(f"not an observation of {self.name}: {error!r}") from None
        return self.from_dict({**data, "chance": _hex(chance)})

    def warm(self) -> None:
        """Compile what states call, or load it: a bot that has limits should not have to wait for the compiler."""
        state = self.imagine(self.new().observe(0))
        state.copy().apply(state.legal()[0])
        state.ranks()
        if self.planes:
            state.encode(0)

    # -- what a game supplies ------------------------------------------------------------------------------

    @abc.abstractmethod
    def build(self, **settings: Any) -> None:
        """Set `rules` and `players` from the checked options."""

    @abc.abstractmethod
    def action_text(self, action: int) -> str:
        """The notation of an action id."""

    @abc.abstractmethod
    def action_of(self, text: str) -> int:
        """The action id of a notation; InvalidText if it is none."""

    @abc.abstractmethod
    def describe(self, record: np.record) -> Plain:
        """Everything in a state as plain data, JSON-ready."""

    @abc.abstractmethod
    def fill(self, record: np.record, data: Plain) -> None:
        """The inverse of `describe`; any ValueError, KeyError or the like means bad data."""

    @abc.abstractmethod
    def view(self, record: np.record, seat: int) -> Plain:
        """What a seat may know of a state, as plain data."""

    def view_text(self, record: np.record, seat: int) -> str:
        """`view` as a JSON text, which programs are sent; a game that can write it faster does."""
        return json.dumps(self.view(record, seat))

    @abc.abstractmethod
    def draw(self, state: State) -> str:
        """The position as text for a terminal."""

    def complete(self, view: Plain, seat: int, chance: np.ndarray) -> Plain:
        """A whole state as plain data that fits the `view` of a seat. With hidden information, what the seat does
        not know is drawn from `chance`; without it a view is already whole."""
        return view

    def shows(self, state: State) -> bool:
        """Should a game shown move by move draw this position?"""
        return True

    def chapter(self, state: State) -> str:
        """The part of a game that a position belongs to, such as a round: what a reader may want to jump to."""
        return ""

    def details(self, state: State) -> Plain:
        """What its viewer shows besides the position, as plain data: nothing that a seat may not know."""
        return {}

    def facts(self) -> Plain:
        """What the legend of its viewer says that depends on options, such as tables of points, as plain data."""
        return {}

    def rules_with_habits(self, seat: int, habits: Habits) -> np.ndarray:
        """The rules for a player at a seat who shuns some categories and seeks others; what it does is legal under
        `rules`, too. Only asked for categories that the game has."""
        raise NotImplementedError

    def items(self) -> dict[int, Item]:
        """What can be taken in a game, by the number that the verb `takes` gives."""
        return {}

    def variations(self) -> list[str]:
        """Values of the option `mix` that are one change away from that of this game; none if it has no such
        option."""
        return []

    def rules_content(self) -> bytes:
        """What the rules record says, as bytes: runs are resumed and verified where it is the same. A game that
        lays its record out anew can still give the bytes of before, so that runs from before go on."""
        return self.rules.tobytes()

    def notes(self) -> tuple[str, ...]:
        """What results of this game with these settings rest on, such as data that are not certain: a sentence
        each, on one line, without a full stop. Runs and their reports show them."""
        return ()

    def slow_positions(self) -> tuple[Game, np.ndarray] | None:
        """Positions that are slow to score, with the game they belong to, for the benchmark; None without any."""
        return None


class State:
    """A position of a game, and the stream its chance comes from. A notebook shows it as a picture.

    >>> state = qpolis.load_game("quadropolis").new(seed=7)
    >>> while not state.over:
    ...     state.apply(state.legal()[0])
    >>> state.scores(), state.ranks()
    ([9, 10], [1, 0])
    """

    __slots__ = ("_legal", "array", "chance", "game", "record")

    def __init__(self, game: Game, array: np.ndarray, chance: np.ndarray) -> None:
        self.game = game
        self.array = array
        self.record = array[0]  # a view of the array
        self.chance = chance
        self._legal: list[int] | None = None

    @property
    def player(self) -> int | None:
        """The seat to decide, from 0; None when the game is over."""
        seat = int(verbs.player(self.game.rules[0], self.record))
        return seat if seat >= 0 else None

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.player is None

    def legal(self) -> list[int]:
        """The legal actions, ascending; empty only when the game is over."""
        if self._legal is None:
            rules = self.game.rules[0]
            actions = np.empty(rules.actions, verbs.ACTION)
            count = verbs.legal(rules, self.record, actions)
            self._legal = actions[:count].tolist()
        return list(self._legal)

    def apply(self, action: int) -> None:
        """Carry out a legal action; anything else raises IllegalAction and changes nothing."""
        legal = self.check(action)
        self._legal = None
        verbs.apply(self.game.rules[0], self.record, legal, self.chance)

    def check(self, action: int) -> int:
        """The action as an int; IllegalAction if it is not a legal one."""
        if not _is_whole(action) or action not in self.legal():
            raise IllegalAction(f"action {action!r} is not legal here")
        return int(action)

    def scores(self) -> list[int]:
        """The points of each seat if the game ended now."""
        return [int(points) for points in self._standing()[0]]

    def ranks(self) -> list[int]:
        """The place of each seat, ties broken by the rules: 0 is best, equals share."""
        keys = self._standing()[1]
        places = np.empty(self.game.players, np.int64)
        verbs.ranks(keys, places)
        return [int(place) for place in places]

    def _standing(self) -> tuple[np.ndarray, np.ndarray]:
        points, keys = np.empty((2, self.game.players), np.int64)
        verbs.scores(self.game.rules[0], self.record, points, keys)
        return points, keys

    def observe(self, seat: int) -> Plain:
        """What `seat` may know, as plain data: the game, the seat, and the position without its future."""
        return {"game": self.game.name, "seat": self._seat(seat), **self.game.view(self.record, seat)}

    def _seat(self, seat: int) -> int:
        """A seat as an int; QpolisError if there is none such."""
        if not _is_whole(seat) or seat not in range(self.game.players):
            raise QpolisError(f"no seat {seat!r}: the seats are 0 to {self.game.players - 1}")
        return int(seat)

    def observe_text(self, seat: int) -> str:
        """`observe` as a JSON text on one line."""
        return f'{{"game":"{self.game.name}","seat":{seat},{self.game.view_text(self.record, seat)[1:]}'

    def encode(self, seat: int) -> np.ndarray:
        """What `seat` may know, as numbers from -1 to 1: the game's `planes`, one after the other."""
        out = np.zeros(self.game.observation_size, OBSERVATION)
        verbs.encode(self.game.rules[0], self.record, self._seat(seat), out)
        return out

    def mask(self) -> np.ndarray:
        """Of every action id, whether it is legal."""
        self.game.check_encodes()
        mask = np.zeros(self.game.action_count, np.bool_)
        mask[self.legal()] = True
        return mask

    def to_dict(self) -> Plain:
        """The complete state as plain data, JSON-ready; `Game.from_dict` is its inverse."""
        return {"game": self.game.name, **self.game.describe(self.record), "chance": _hex(self.chance)}

    def concealed(self, seat: int) -> State:
        """A copy without what a seat cannot know: what policies are given."""
        known = self.copy()
        verbs.conceal(self.game.rules[0], known.record, seat)
        return known

    def copy(self) -> State:
        """An independent state that goes on in the same way."""
        return State(self.game, self.array.copy(), self.chance.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> State:
        return self.copy()

    def __reduce__(self) -> Any:
        return State, (self.game, self.array, self.chance)

    def __str__(self) -> str:
        return self.game.draw(self)

    def __repr__(self) -> str:
        return f"<{self.game.title}: {'over' if self.over else f'seat {self.player} to decide'}>"

    # How IPython and notebooks show a state: as text, and as a picture, which is made far above this module.

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        import qpolis

        shown: str = qpolis.state_html(self)
        return shown


def _load(game: str | type[Game], settings: dict[str, Any]) -> Game:
    """The game of this class, or at this path: other processes do not know its class."""
    if isinstance(game, str):
        import qpolis

        return qpolis.load_game(game, **settings)
    return game(**settings)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _words(text: Any) -> np.ndarray:
    """The inverse of `_hex`."""
    digits = [16 * words for words in (WORDS, SECRET_WORDS)]
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]+", text) or len(text) not in digits:
        raise ValueError(f"chance is not a text of {digits[0]} hexadecimal digits, or {digits[1]}")
    if not int(text[: digits[0]], 16):
        raise ValueError("chance is all zeros, which no stream is")
    return np.array([int(text[start : start + 16], 16) for start in range(0, len(text), 16)], np.uint64)


def _hex(chance: np.ndarray) -> str:
    return "".join(f"{int(word):016x}" for word in chance)


_text = json.JSONEncoder(sort_keys=True).encode


def check_seed(seed: Any) -> int:
    """A seed is a whole number that fits into 128 bits."""
    if not _is_whole(seed) or not 0 <= seed < 1 << SEED_BITS:
        raise QpolisError(f"seed {seed!r} is not a whole number from 0 to 2**{SEED_BITS} - 1")
    return int(seed)
