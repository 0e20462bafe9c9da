"""Arkadia on other boards: buildings of five squares, uneven cards, boards with everything random. The engine and
the naive twin play the same games on them, and every state can be written down and read."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qpolis
from helpers.arkadia_boards import any_board, uneven
from helpers.sizes import lengthened, sized, some
from naive import arkadia_encode
from naive.arkadia_board import read_board
from qpolis.conformance.games import check_encode, random_positions
from qpolis.errors import QpolisError
from qpolis.games.arkadia.board_file import PACKAGED, load_board
from qpolis.games.arkadia.layout import FAMILIES, FAMILY_NAMES, TYPES
from test_arkadia_lockstep import play_in_lockstep

GAMES = [(2, "standard"), (3, "intro"), (4, "standard"), (2, "intro"), (3, "standard"), (4, "intro")]


@pytest.fixture
def other(tmp_path):
    """The path of a board with big buildings and uneven cards."""
    path = tmp_path / "mine.toml"
    path.write_text(uneven())
    return path


def play(game, choices, decisions):
    """A state after some random decisions, or at the end."""
    state = game.new(choices.randrange(1000))
    for _ in range(decisions):
        if not state.over:
            state.apply(choices.choice(state.legal()))
    return state


def test_a_board_is_what_its_file_says(other):
    board = load_board(str(other))
    assert [str(lot) for lot in board.lots] == ["g7-j9", "c6-e9"]
    assert len(board.camps) == 8
    assert [len(form) for form in board.forms] == [2, 5, 3, 5, 5, 5, 5]
    counts = {family: board.cards[i::FAMILIES] for i, family in enumerate(FAMILY_NAMES)}
    assert counts["olive"] == (0, 1, 3, 0, 2, 2, 1)
    assert dict(zip(TYPES, counts["black"], strict=True))["monastery"] == 2
    assert board.blocks == (3, 4, 2)
    assert len(board.intro) == 3


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize(("players", "setup"), GAMES[: sized(3, 2, 1)])
def test_another_board_in_lockstep(other, players, setup):
    for seed in range(players, players + sized(lengthened(1), 1, 1)):
        play_in_lockstep(players, setup, seed, other)


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("seed", range(sized(lengthened(6), 3, 1)))
def test_any_board_in_lockstep(tmp_path, seed):
    path = tmp_path / "any.toml"
    path.write_text(any_board(random.Random(seed)))
    play_in_lockstep(*GAMES[seed % len(GAMES)], seed, path)


@pytest.mark.long
@pytest.mark.parametrize("seed", some(range(20), 6))
def test_states_of_any_board_are_written_down_and_read(tmp_path, seed):
    choices = random.Random(seed)
    path = tmp_path / "any.toml"
    path.write_text(any_board(choices))
    players, setup = GAMES[seed % len(GAMES)]
    game = qpolis.load_game("arkadia", board=str(path), players=players, setup=setup, flip=bool(seed & 1))
    for decisions in (0, 7, 40, 150, 10_000):
        state = play(game, choices, decisions)
        again = game.from_dict(state.to_dict())
        assert again.to_dict() == state.to_dict()
        assert again.legal() == state.legal()
        for action in state.legal():
            assert game.parse(state, game.text(state, action)) == action
        if not state.over:
            assert game.imagine(state.observe(state.player), seed).legal() == state.legal()
        assert str(state)


def test_actions_and_observations_of_another_board_are_in_their_spaces(other):
    """Ids have no gaps, and the twin, which reads the file itself, sees the same numbers."""
    game = qpolis.load_game("arkadia", players=3, setup="intro", flip=True, board=str(other))
    assert game.action_count != qpolis.load_game("arkadia", flip=True).action_count
    for action in range(game.action_count):
        assert game.action_of(game.action_text(action)) == action
    box = read_board(other.read_text())
    for number, state in enumerate(random_positions(game, 1)):
        if number % 10 == 0 or state.over:
            check_encode(state)
            expected = arkadia_encode.encode(state.observe(number % 3), box)
            assert state.encode(number % 3).tolist() == np.concatenate([*expected.values()], dtype="f4").tolist()


def test_a_copy_of_the_packaged_board_is_the_packaged_board(tmp_path):
    copy = tmp_path / "copy.toml"
    copy.write_text("# mine\r\n" + PACKAGED.read_text().replace("\n", "\r\n"), newline="")
    base, same = qpolis.load_game("arkadia"), qpolis.load_game("arkadia", board=str(copy))
    assert base.rules.tobytes() == same.rules.tobytes()
    assert base.new(5).to_dict() == same.new(5).to_dict()
    assert "board" not in base.new(5).to_dict()


def test_a_state_belongs_to_its_board(other, tmp_path):
    """Its plain data has a digest of the board, if it is not the packaged one."""
    base, game = qpolis.load_game("arkadia"), qpolis.load_game("arkadia", board=str(other))
    state = game.new(3)
    assert len(state.to_dict()["board"]) == 12
    assert state.observe(1)["board"] == state.to_dict()["board"]
    third = tmp_path / "third.toml"
    third.write_text(uneven().replace("[3, 4, 2]", "[3, 4, 3]"))
    for one, told in [
        (base, state.to_dict()),
        (game, base.new(3).to_dict()),
        (qpolis.load_game("arkadia", board=str(third)), state.to_dict()),
    ]:
        with pytest.raises(QpolisError, match="not a state of"):
            one.from_dict(told)


def test_a_changed_file_is_another_board_at_once(other):
    before = qpolis.load_game("arkadia", board=str(other))
    other.write_text(uneven().replace("[3, 4, 2]", "[3, 4, 3]"))
    after = qpolis.load_game("arkadia", board=str(other))
    assert (before.rules[0].blocks[2], after.rules[0].blocks[2]) == (2, 3)


def test_all_places_of_an_empty_board(tmp_path):
    """The most lots that there can be, and no camp that brings a worker."""
    path = tmp_path / "empty.toml"
    path.write_text(
        "".join(
            line.replace("A", ".") if set(line) <= set("A.\n") else line
            for line in PACKAGED.read_text().splitlines(True)
        )
    )
    game = qpolis.load_game("arkadia", board=str(path))
    assert game.rules[0].lot_count == 256
    lots = {tuple(game.new(seed).to_dict()["lot"]) for seed in range(2000)}
    assert len(lots) > 250
    assert {("a1", "c4"), ("a1", "d3"), ("n9", "p12"), ("m10", "p12")} <= {(lot[0], lot[-1]) for lot in lots}
