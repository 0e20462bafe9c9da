"""Checks that any game must pass, whatever it is. Each raises AssertionError that says what does not hold."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import numpy as np

from qpolis import verbs
from qpolis.errors import IllegalAction
from qpolis.game import Game, State
from qpolis.rng import stream

MANY = 4000  # actions, more than are tried one by one


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


def check_position(state: State) -> None:
    """Everything that must hold in one position."""
    _check_legal(state)
    _check_plain(state)
    _check_text(state)
    _check_illegal(state)
    _check_is_legal(state)
    _check_pick(state)
    _check_determinize(state)
    _check_imagine(state)
    _check_standing(state)
    _check_account(state)
    _check_items(state)


def _check_legal(state: State) -> None:
    legal = state.legal()
    assert legal == sorted(set(legal)), "legal actions are not ascending and distinct"
    assert bool(legal) != state.over, "legal actions exist exactly until the game is over"
    assert state.player is None or 0 <= state.player < state.game.players


def _check_plain(state: State) -> None:
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


def _check_text(state: State) -> None:
    game = state.game
    texts = [game.text(state, action) for action in state.legal()]
    assert len(set(texts)) == len(texts), "two legal actions have the same text"
    assert [game.parse(state, text) for text in texts] == state.legal(), "parse is not the inverse of text"


def _check_illegal(state: State) -> None:
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


def _check_is_legal(state: State) -> None:
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


def _check_pick(state: State) -> None:
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
    given = state.copy()
    verbs.conceal(state.game.rules[0], given.record, seat)
    return given.array.tobytes()


def _check_determinize(state: State) -> None:
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


def _check_imagine(state: State) -> None:
    for seat in range(state.game.players):
        seen = state.observe(seat)
        imagined = state.game.imagine(seen, seed=seat)
        assert imagined.observe(seat) == seen, "imagine changed what the seat sees"
        assert concealed(imagined, seat) == concealed(state, seat), "policies are given what no observation tells"
        if state.game.chance:
            assert imagined.chance.tobytes() != state.chance.tobytes(), "imagine knows the future"
        if state.player == seat:
            assert imagined.legal() == state.legal(), "imagine changed the choices of the seat"


def _check_standing(state: State) -> None:
    scores, ranks = state.scores(), state.ranks()
    assert len(scores) == len(ranks) == state.game.players
    assert min(ranks) == 0
    for a in range(len(ranks)):
        assert ranks[a] == sum(ranks[b] < ranks[a] for b in range(len(ranks))), "ranks do not count the better"
        for b in range(len(ranks)):
            assert scores[a] <= scores[b] or ranks[a] < ranks[b], "more points must rank better"


def _check_account(state: State) -> None:
    account = np.empty(len(state.game.categories) + 1, np.int64)
    for seat, score in enumerate(state.scores()):
        verbs.account(state.game.rules[0], state.record, seat, account)
        assert account.sum() == score, "points by category and penalties do not add up to the score"
        assert account[-1] <= 0 or not state.game.categories, "penalties are more than nothing"


def _check_items(state: State) -> None:
    rules, items = state.game.rules[0], state.game.items()
    stage = int(verbs.stage(rules, state.record))
    assert stage >= 0, "a stage is below 0"
    for action in state.legal():
        item = int(verbs.takes(rules, state.record, action))
        category = int(verbs.builds(rules, state.record, action))
        assert item == -1 or item in items, f"action {action} takes what is no item"
        assert item == -1 or items[item].stage == stage, f"action {action} takes an item of another stage"
        assert -1 <= category < len(state.game.categories), f"action {action} builds what is no category"


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
