"""Checks that any game must pass, whatever it is. Each raises AssertionError that says what does not hold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import numpy as np

from qpolis import verbs
from qpolis.conformance.perft import perft
from qpolis.errors import IllegalAction
from qpolis.game import Game, State
from qpolis.rng import stream
from qpolis.space import LEAST, MOST, OBSERVATION

MANY = 4000  # actions, more than are tried one by one
FEW = 60  # actions, few enough to look two steps ahead


def random_positions(game: Game, seed: int, sensible: float = 0) -> Iterator[State]:
    """All positions of one random game, the end included. The caller may not change them. `sensible` is the share
    of actions that follow the game's rules of thumb."""
    choices, thoughts = random.Random(seed), stream(seed)
    state = game.new(seed)
    while not state.over:
        yield state
        if choices.random() < sensible:
            state.apply(verbs.suggest(game.rules[0], state.record, thoughts))
        else:
            state.apply(choices.choice(state.legal()))
    yield state


def check_legal(state: State) -> None:
    legal = state.legal()
    assert legal == sorted(set(legal)), "legal actions are not ascending and distinct"
    assert bool(legal) != state.over, "legal actions exist exactly until the game is over"
    assert state.player is None or 0 <= state.player < state.game.players


def check_codec(state: State) -> None:
    data = state.to_dict()
    assert json.loads(json.dumps(data)) == data, "to_dict is not JSON-ready"
    again = state.game.from_dict(data)
    assert again.to_dict() == data, "from_dict is not the inverse of to_dict"
    assert again.array.tobytes() == state.array.tobytes(), "to_dict leaves something out"
    for seat in range(state.game.players):
        seen = state.observe(seat)
        assert json.loads(json.dumps(seen)) == seen, "observe is not JSON-ready"
        text = state.observe_text(seat)
        assert "\n" not in text, "an observation is more than one line"
        assert json.loads(text) == seen, "observe_text differs from observe"
        assert "chance" not in seen, "an observation shows the future"


def check_text(state: State) -> None:
    game = state.game
    texts = [game.text(state, action) for action in state.legal()]
    assert len(set(texts)) == len(texts), "two legal actions have the same text"
    assert [game.parse(state, text) for text in texts] == state.legal(), "parse is not the inverse of text"


def check_illegal(state: State) -> None:
    before = state.array.tobytes(), state.chance.tobytes()
    legal = state.legal()
    for action in (-1, max(legal, default=0) + 1, 10**12, None, "0", 0.5, True):
        if action in legal and not isinstance(action, bool):
            continue
        try:
            state.apply(action)  # type: ignore[arg-type]
        except IllegalAction:
            pass
        else:
            raise AssertionError(f"the illegal action {action!r} was accepted")
    assert (state.array.tobytes(), state.chance.tobytes()) == before, "an illegal action changed the state"


def check_is_legal(state: State) -> None:
    rules = state.game.rules[0]
    legal = state.legal()
    actions = set(range(-2, max([*legal, int(rules.actions)]) + 3))
    if len(actions) > MANY:  # those that are legal, their neighbours, and some others
        near = {action + step for action in legal for step in (-1, 0, 1)}
        actions = near | set(random.Random(len(legal)).sample(sorted(actions), MANY))
    for action in actions:
        said = bool(verbs.is_legal(rules, state.record, action))
        assert said == (action in legal), f"is_legal is wrong about {action}"
    for action in (-(1 << 60), 1 << 60):
        assert not verbs.is_legal(rules, state.record, action), "is_legal accepts a number far outside"


def check_pick(state: State) -> None:
    """`pick` is the below(rng, count)-th action of `legal`, also in what it uses of the stream."""
    if state.over:
        return
    rules = state.game.rules[0]
    for seed in range(4):
        fast, slow = stream(seed), stream(seed)
        chosen = int(verbs.pick(rules, state.record, fast))
        assert chosen == int(verbs._pick(rules, state.record, slow)), "pick differs from a choice among legal"
        assert (fast == slow).all(), "pick uses the stream differently from a choice among legal"


def concealed(state: State, seat: int) -> bytes:
    """What a policy at a seat is given."""
    return state.concealed(seat).array.tobytes()


def check_determinize(state: State) -> None:
    for seat in range(state.game.players):
        other = state.copy()
        verbs.determinize(state.game.rules[0], other.record, seat, stream(seat))
        assert other.observe(seat) == state.observe(seat), "determinize changed what the seat sees"
        assert concealed(other, seat) == concealed(state, seat), "a policy is given what its seat cannot know"
        if not state.game.hidden:
            for known in (other.array.tobytes(), concealed(state, seat)):
                assert known == state.array.tobytes(), "the game says that nothing is hidden, and hides something"
        if state.player == seat:
            assert other.legal() == state.legal(), "determinize changed the choices of the seat"


def check_imagine(state: State) -> None:
    for seat in range(state.game.players):
        seen = state.observe(seat)
        imagined = state.game.imagine(seen, seed=seat)
        assert imagined.observe(seat) == seen, "imagine changed what the seat sees"
        assert concealed(imagined, seat) == concealed(state, seat), "policies are given what no observation tells"
        if state.game.chance:
            assert imagined.chance.tobytes() != state.chance.tobytes(), "imagine knows the future"
        if state.player == seat:
            assert imagined.legal() == state.legal(), "imagine changed the choices of the seat"


def check_space(state: State) -> None:
    game = state.game
    if not game.action_count:
        return
    for action in state.legal():
        assert 0 <= action < game.action_count, "an action id is not below action_count"
    if game.planes:
        assert np.flatnonzero(state.mask()).tolist() == state.legal(), "the mask differs from the legal actions"


def check_encode(state: State) -> None:
    """Observations as numbers are whole, in their range, and say nothing that a seat cannot know."""
    game = state.game
    if not game.planes:
        return
    for seat in range(game.players):
        out = np.full(game.observation_size, np.nan, OBSERVATION)
        verbs.encode(game.rules[0], state.record, seat, out)
        assert not np.isnan(out).any(), "encode leaves numbers out"
        assert (out >= LEAST).all(), "an encoded number is below -1"
        assert (out <= MOST).all(), "an encoded number is above 1"
        for other in (state.concealed(seat), game.imagine(state.observe(seat), seed=seat), _redrawn(state, seat)):
            assert np.array_equal(other.encode(seat), out), "encode tells what the seat cannot know"


def _redrawn(state: State, seat: int) -> State:
    """A state that looks the same from a seat."""
    other = state.copy()
    verbs.determinize(state.game.rules[0], other.record, seat, stream(seat, 1))
    return other


def check_standing(state: State) -> None:
    scores, ranks = state.scores(), state.ranks()
    assert len(scores) == len(ranks) == state.game.players
    assert min(ranks) == 0
    for a in range(len(ranks)):
        assert ranks[a] == sum(ranks[b] < ranks[a] for b in range(len(ranks))), "ranks do not count the better"
        for b in range(len(ranks)):
            assert scores[a] <= scores[b] or ranks[a] < ranks[b], "more points must rank better"


def check_account(state: State) -> None:
    account = np.empty(len(state.game.categories) + 1, np.int64)
    for seat, score in enumerate(state.scores()):
        verbs.account(state.game.rules[0], state.record, seat, account)
        assert account.sum() == score, "points by category and penalties do not add up to the score"
        assert account[-1] <= 0 or not state.game.categories, "penalties are more than nothing"


def check_items(state: State) -> None:
    rules, items = state.game.rules[0], state.game.items()
    stage = int(verbs.stage(rules, state.record))
    assert stage >= 0, "a stage is below 0"
    for action in state.legal():
        item = int(verbs.takes(rules, state.record, action))
        category = int(verbs.builds(rules, state.record, action))
        assert item == -1 or item in items, f"action {action} takes what is no item"
        assert item == -1 or items[item].stage == stage, f"action {action} takes an item of another stage"
        assert -1 <= category < len(state.game.categories), f"action {action} builds what is no category"


def check_drawing(state: State) -> None:
    """What people are shown is text."""
    game = state.game
    assert isinstance(game.draw(state), str), "draw gives no text"
    assert isinstance(game.chapter(state), str), "chapter gives no text"
    details = game.details(state)
    assert json.loads(json.dumps(details)) == details, "details is not JSON-ready"
    assert json.loads(json.dumps(game.facts())) == game.facts(), "facts is not JSON-ready"


# What must hold in one position, in words and as a check.
POSITION_CHECKS: dict[str, Callable[[State], None]] = {
    "legal actions ascend, until the game is over": check_legal,
    "to_dict, from_dict and observe are exact": check_codec,
    "every legal action has a text of its own": check_text,
    "illegal actions are refused, changing nothing": check_illegal,
    "is_legal agrees with legal": check_is_legal,
    "pick agrees with legal": check_pick,
    "determinize and conceal keep what a seat sees": check_determinize,
    "imagine fits what a seat sees": check_imagine,
    "action ids are in their space": check_space,
    "observations as numbers are whole and tell nothing hidden": check_encode,
    "more points rank better": check_standing,
    "points by category add up to the score": check_account,
    "takes, builds and stage fit the items": check_items,
    "drawings are text": check_drawing,
}


def check_position(state: State) -> None:
    """Everything that must hold in one position."""
    for check in POSITION_CHECKS.values():
        check(state)


def check_copy(state: State, seed: int) -> None:
    """A copy goes on by itself, and in the same way."""
    one, two = state.copy(), state.copy()
    before = state.to_dict()
    choices = random.Random(seed)
    while not one.over:
        action = choices.choice(one.legal())
        one.apply(action)
        two.apply(action)
    assert one.to_dict() == two.to_dict(), "two copies went different ways"
    assert state.to_dict() == before, "a copy shares something with its original"


def check_seeds(game: Game, seeds: range) -> None:
    """The same seed gives the same game; with chance, different seeds give different ones."""
    starts = [json.dumps(game.new(seed).to_dict()) for seed in seeds]
    assert starts == [json.dumps(game.new(seed).to_dict()) for seed in seeds], "a seed gave two games"
    if game.chance:
        assert len(set(starts)) == len(starts), "two seeds gave the same game"


def check_hidden(game: Game, seeds: range) -> None:
    """A game that says so hides something: what could be otherwise differs."""
    if not game.hidden:
        return
    for state in map(game.new, seeds):
        for seat in range(game.players):
            other = state.copy()
            verbs.determinize(game.rules[0], other.record, seat, stream(seat))
            if other.array.tobytes() != state.array.tobytes():
                return
    raise AssertionError("the game says that something is hidden, and nothing is")


def check_chance(game: Game, seeds: range) -> None:
    """A game that says so draws from its stream, and no other one does."""
    moved = False
    for seed in seeds:
        before = game.new(seed)
        *_, after = random_positions(game, seed)
        moved |= before.chance.tobytes() != after.chance.tobytes() or _fresh(seed) != before.chance.tobytes()
    assert moved or not game.chance, "the game says that something is drawn at random, and nothing is"
    assert game.chance or not moved, "the game says that nothing is drawn at random, and something is"


def _fresh(seed: int) -> bytes:
    """The stream of a game before anything is drawn from it."""
    return stream(seed, 0).tobytes()


def check_nodes(game: Game, seeds: range, depth: int = 2) -> None:
    """Compiled kernels that call each other count as many ways to go on as the face does."""

    def ways(state: State, depth: int) -> int:
        if depth == 0 or state.over:
            return 1
        total = 0
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            total += ways(after, depth - 1)
        return total

    for state in map(game.new, seeds):
        reached = depth if len(state.legal()) <= FEW else 1
        assert perft(state, reached) == ways(state, reached), "compiled kernels play other games than single verbs"
