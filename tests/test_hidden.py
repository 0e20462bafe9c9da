"""Nothing hidden reaches a bot, whatever its kind: cards that its seat has not seen change places, and what it is
given stays the same to the byte."""

from __future__ import annotations

import json
import os
import random
import sys
from collections import Counter

import numpy as np
import pytest

import qpolis
from helpers.arkadias import exchanged
from helpers.programs import program, same
from helpers.sizes import sized, some
from helpers.tourneys import plan_of
from qpolis import verbs
from qpolis.balance.trace import CHOICES, CLEAR, EQUAL, Scratch, count_choices
from qpolis.bots.random import random as dice
from qpolis.conformance.games import check_hidden, check_position, random_positions
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import STOPPED
from qpolis.games import game_class
from qpolis.kernel import JIT, kernel, record
from qpolis.registry.spec import resolve
from qpolis.rng import stream
from qpolis.sandbox import program as process
from qpolis.sandbox.process_tree import ProcessTree
from qpolis.sandbox.program import Limits, Program
from qpolis.tourney.bot_logs import LOGS, BotLogs
from qpolis.tourney.bot_loop import LiveGame, PolicySeat, ProgramSeat, play_bots
from qpolis.tourney.match import play_stepwise
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter

# A policy whose play depends on every byte it is given.
SPY = '''
import numpy as np
from qpolis import verbs
from qpolis.policy import policy
from qpolis.rng import mix64

@policy()
def spy(rules, states, rng, params, scratch):
    """Chooses by all that it is given."""
    actions = np.empty(rules[0].actions, verbs.ACTION)
    count = verbs.legal(rules[0], states[0], actions)
    given = states.view(np.uint8)
    value = mix64(rng[0])
    for i in range(given.shape[0]):
        value = mix64(value ^ np.uint64(given[i]))
    return np.int64(actions[np.int64(value >> np.uint64(1)) % count])
'''


class Wire:
    """Stands for the process of a program: keeps what is sent to it, and answers with the first legal action."""

    pid = os.getpid()  # whose processor time can be read
    lateness = 0.0

    def __init__(self, *_, **settings):
        self.sent = []
        self.tree = ProcessTree(self.pid, "", set())

    def pause(self):
        pass

    def resume(self):
        pass

    def send(self, line, deadline):
        self.sent.append(line)

    def line(self, deadline):
        message = json.loads(self.sent[-1])
        answer = {"action": message["legal"][0]} if "legal" in message else {"type": "hello", "protocol": 1}
        return json.dumps(answer).encode()

    def forget_errors(self):
        pass

    def has_output(self):
        return False


def alternatives(players):
    """Positions of a game: each with a seat, and one that is the same as far as the seat knows."""
    game = qpolis.load_game("arkadia", players=players)
    choices = random.Random(players)
    different = total = 0
    for i, state in enumerate(random_positions(game, players, 0.5)):
        for seat in range(players) if i % sized(3, 10, 30) == 0 or state.over else ():
            other = exchanged(state, seat, choices)
            different += other.array.tobytes() != state.array.tobytes()
            total += 1
            yield state, other, seat
    assert different > total / 4  # late in a game little is hidden


@pytest.mark.core
@pytest.mark.parametrize("players", [2, 3, 4])
def test_programs_are_sent_nothing_hidden(players, monkeypatch):
    """Neither with a question nor at the end, wherever that comes: a game stops when a bot forfeits."""
    monkeypatch.setattr(process, "ChildProcess", Wire)
    game = qpolis.load_game("arkadia", players=players)
    table = LiveGame(game, 0)
    seats = [ProgramSeat(table, seat, Program(("none",)), Limits()) for seat in range(players)]
    for waiting in seats:
        waiting.launch()
        waiting.start(1)
    asked = 0
    for state, other, seat in alternatives(players):
        sent = []
        for known in (state, other):
            table.states[:1] = known.array
            seats[seat].end(known.scores(), known.ranks(), STOPPED)
            if known.player == seat:
                seats[seat].choose(table.advance()[1])
                asked += 1
            sent.append(seats[seat]._bot._child.sent[2:])  # after hello and start
            del seats[seat]._bot._child.sent[2:]
        assert sent[0] == sent[1]
    assert asked > 10


@pytest.mark.core
@pytest.mark.parametrize("players", [2, 3, 4])
def test_policies_are_given_nothing_hidden(players):
    """Neither at a table with programs, nor in a program of their own, which is sent the same."""
    game = qpolis.load_game("arkadia", players=players)
    table = LiveGame(game, 0)
    given = []
    concealed = 0

    def spy(rules, states, *_):
        given.append(states.tobytes())
        return 0

    for state, other, seat in alternatives(players):
        at_table = PolicySeat(table, seat, dice.configure())
        at_table._kernel = spy
        given.clear()
        for known in (state, other):
            table.states[:1] = known.array
            at_table.choose([0])
            given.append(table.shown(seat).tobytes())
        assert len(given) == 4
        assert len(set(given)) == 1
        concealed += given[0] != state.array.tobytes()
    assert concealed > 10


@pytest.mark.long
@pytest.mark.skipif(not JIT, reason="about compiled code")
@pytest.mark.parametrize("players", some([2, 3]))
def test_all_loops_give_a_policy_the_same(players, tmp_path, mark):
    """One that looks at every byte plays alike in all loops."""
    from qpolis.sandbox.loading import load

    file = tmp_path / "spy.py"
    file.write_text(SPY)
    game = qpolis.load_game("arkadia", players=players)
    entrants = [resolve(str(file)), *[resolve("heuristic")] * (players - 1)]
    seats = [load(str(file), "spy").configure(), *[entrant.shipped for entrant in entrants[1:]]]
    in_a_program = play_stepwise(game, entrants, 3, 0, 2)
    assert not in_a_program.reasons
    for batch in (play_bots(game, seats, 3, 0, 2), play_policies(game, seats, 3, 0, 2, record=True)):
        assert same(batch, in_a_program)
        assert batch.actions.tolist() == in_a_program.actions.tolist()


def test_no_process_meets_a_deal_twice(tmp_path, mark):
    """A deal comes back with the bots at other seats: who could remember it would know what others hold."""
    bot, run = tmp_path / "bot", tmp_path / "run"
    run.mkdir()
    program(
        tmp_path,
        """
process = os.urandom(8).hex()  # in a jail all have the same number
def start(message):
    print(process, message["seat"], file=sys.stderr)
""",
        "bot",
    )
    bot.write_text(f"#!{sys.executable}\n{bot.read_text()}")
    bot.chmod(0o755)
    plan = plan_of(game="arkadia", bots=[str(bot), "random"], games=8)
    assert not ChunkPlayer.prepare(plan).play(np.arange(plan.blocks), BotLogs(run)).reasons
    (log,) = (run / LOGS).iterdir()
    games = [line.split()[-2:] for line in log.read_text().splitlines()]
    assert Counter(seat for _, seat in games) == {"0": 4, "1": 4}
    assert len({process for process, _ in games}) == len({(process, seat) for process, seat in games}) == 2


# --- a toy: the first of two actions is as good as a secret ---

TOY_RULES, TOY_STATE = record([("actions", "i8"), ("players", "i8")]), record([("secret", "i8")])


@kernel
def toy_player(rules, state):
    return np.int64(0)


@kernel
def toy_conceal(rules, state, seat):
    state.secret = 0


@kernel
def toy_legal(rules, state, out):
    out[0] = 0
    out[1] = 1
    return np.int64(2)


@kernel
def toy_rate(rules, state, spare, actions, values, rng):
    values[0] = state.secret
    values[1] = 0
    return verbs.legal(rules, state, actions)


@pytest.mark.core
def test_actions_are_as_good_as_their_player_can_know():
    verbs.register(TOY_STATE, player=toy_player, legal=toy_legal, conceal=toy_conceal, rate=toy_rate)
    rules, states = np.zeros(1, TOY_RULES), np.zeros(4, TOY_STATE)
    rules["actions"], rules["players"], states["secret"] = 2, 1, 7
    numbers = np.zeros(CLEAR + 1, np.int64)
    scratch = Scratch(stream(0), stream(1), np.empty(2, verbs.ACTION), np.empty(2), np.empty(1), np.empty((1, 2)))
    count_choices(rules[0], states, True, scratch, numbers)
    assert (numbers[CHOICES], numbers[EQUAL], numbers[CLEAR]) == (2, 2, 0)
    assert states["secret"][0] == 7


# --- what any game must keep to itself ---


@pytest.mark.core
def test_games_that_give_something_away_do_not_conform(monkeypatch):
    arkadia = game_class("arkadia")
    state = arkadia().new(1)
    check_position(state)
    with monkeypatch.context() as change:
        change.setattr(arkadia, "view", lambda self, record, seat: self.describe(record))
        with pytest.raises(AssertionError, match="determinize changed what the seat sees"):
            check_position(state)
    with monkeypatch.context() as change:
        change.setitem(verbs._kernels["conceal"], arkadia.state_dtype, verbs._conceal)
        with pytest.raises(AssertionError, match="a policy is given what its seat cannot know"):
            check_position(state)


@pytest.mark.core
def test_what_games_say_about_hidden_information_is_checked(monkeypatch):
    for name, said in (("arkadia", True), ("quadrilatere", False)):
        game = game_class(name)()
        assert game.hidden is said
        check_hidden(game, range(3))
        monkeypatch.setattr(game_class(name), "hidden", not said)
    with pytest.raises(AssertionError, match="says that nothing is hidden, and hides something"):
        check_position(game_class("arkadia")().new(1))
    with pytest.raises(AssertionError, match="says that something is hidden, and nothing is"):
        check_hidden(game_class("quadrilatere")(), range(3))
