"""The contract of games: a part that is missing gives one line that names it, in every command, and harms no other
game."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

import qpolis
from helpers.command_line import refusal, run
from helpers.plugin_games import village
from helpers.toys import STATE, Counting
from qpolis import verbs
from qpolis.games import finder, usable
from qpolis.kernel import kernel
from qpolis.tourney.lineups import head_to_head

pytestmark = pytest.mark.usefixtures("folder")
REGISTERED = "legal=legal, apply=apply, scores=scores, encode=encode)"
MISSING = {
    "a verb": (
        (REGISTERED, "legal=legal, apply=apply, encode=encode)"),
        "game village: no kernel for the verb `scores`: verbs.register(state_dtype, scores=...)",
    ),
    "a verb nobody knows": (
        (REGISTERED, "legal=legal, apply=apply, score=scores, encode=encode)"),
        "game ./bad.py: unknown verb 'score', did you mean 'scores'?",
    ),
    "an argument": (
        ("def apply(rules, state, action, rng)", "def apply(rules, state, action)"),
        "kernel for the verb `apply` takes (rules, state, action), not (rules, state, action, rng)",
    ),
    "no planes": (
        (", encode=encode)", ")"),
        "game village: has `planes`, and no verb `encode`, which say what it writes",
    ),
    "a count": (
        ("self.action_count = size * size", "self.action_count = None"),
        "game village: `action_count` is None, not a number that all action ids are below",
    ),
    "the compiler": (("@kernel\ndef legal", "def legal"), "the verb `legal` has no kernel but <function legal"),
    "GAME": (("GAME = Village", ""), "game ./bad.py: no GAME in it: write GAME = MyGame"),
    "a class": (("GAME = Village", "GAME = Village.name"), "game ./bad.py: GAME is 'village', not a class"),
    "a title": (('    title = "Village"\n', ""), "game village: `title` of class Village is missing: a text"),
    "a name": (('name = "village"', 'name = "a village"'), "'a village' is not a name"),
    "a declared fact": (("chance = True", "chance = 1"), "`chance` of class Village is 1, not True if anything"),
    "a method": (("def draw(self, state)", "def drawn(self, state)"), "class Village has no method draw"),
    "an option": (
        ('Option(3, "lots along each side of the village", (3, 4))', "3"),
        "game village: option size: is 3, not an Option",
    ),
    "a default": (
        ("Option(2, ", "Option(7, "),
        "game village: the default of option players: 7 is not one of 2, 3, 4",
    ),
    "a retired option": (
        ("    chance = True", '    retired = {"size": None}\n    chance = True'),
        "game village: option size is said to be taken out (`retired`), and is there",
    ),
    "rules": (
        ("        self.rules = np.zeros(1, RULES)\n", "        self.rules = np.zeros(1)\n        return\n"),
        "game village: `build` must set `rules`: an array of one record",
    ),
    "a field of the rules": (
        ("actions", "deeds"),
        "its rules record has no whole number `actions`, the most legal actions",
    ),
    "players": (("        self.players = players\n", ""), "game village: `build` must set `players`"),
    "players of the rules": (
        ("self.rules[0].players = players", "pass"),
        "`players` is 2, and the field of its rules record is 0",
    ),
    "actions": (("self.rules[0].actions = size * size - 1", "pass"), "`actions` of its rules record is 0"),
    "a field of the state": (
        ("    count = 0\n", "    count = state.cuont\n"),
        "kernel for the verb `legal` uses state.cuont (bad.py, line 41), which the state",
    ),
    "a field of the rules in a kernel": (
        ("    count = 0\n", "    count = rules.sides\n"),
        "uses rules.sides (bad.py, line 41), which the rules record has not",
    ),
    "hidden verbs": (
        ("hidden = False", "hidden = True"),
        "no kernel for the verb `determinize`, which a game with hidden information needs",
    ),
    "length": (
        ("self.most_decisions = size * size - 1", "self.most_decisions = -1"),
        "`most_decisions` is -1, not a number that no game has more decisions than",
    ),
    "Python": (
        ("SEATS, LOTS = 4, 16", "SEATS, LOTS = 4, sixteen"),
        "game ./bad.py: cannot be loaded: NameError: name 'sixteen' is not defined (bad.py, line 18)",
    ),
    "syntax": (("SEATS, LOTS = 4, 16", "SEATS, LOTS = 4, ("), "game ./bad.py: cannot be loaded: SyntaxError: "),
    "a game of its own name": (('name = "village"', 'name = "arkadia"'), "there is another game called 'arkadia'"),
}


@pytest.mark.parametrize(("change", "words"), MISSING.values(), ids=list(MISSING))
def test_what_is_missing_is_one_line(change, words):
    village("bad.py", change)
    assert words in refusal("play", "--game", "./bad.py")
    with pytest.raises(qpolis.QpolisError, match=re.escape(words)):
        qpolis.load_game("./bad.py")


@pytest.mark.parametrize(
    "command",
    [
        ["play"],
        ["demo"],
        ["tourney", "--bots", "greedy,random"],
        ["bench", "--quick"],
        ["balance"],
        ["check", "greedy"],
        ["new-bot", "my_bot"],
    ],
    ids=" ".join,
)
def test_more_seats_than_there_can_be_are_one_line_in_every_command(command):
    village("many.py", ('Option(2, "number of players", (2, 3, 4))', 'Option(5, "number of players", (5, 6))'))
    assert "game village: 5 seats: games have 2 to 4" in refusal(*command, "--game", "./many.py")
    assert not Path("bots").exists()


def test_too_many_seats_as_an_option():
    village("many.py", ("(2, 3, 4)", "(2, 3, 4, 5)"))
    assert "game village: 5 seats: games have 2 to 4" in refusal("play", "--game", "./many.py", "--players", "5")
    village("one.py", ("(2, 3, 4)", "(2, 1)"))
    assert "game village: 1 seats: games have 2 to 4" in refusal("play", "--game", "./one.py", "--players", "1")


def test_two_games_with_the_same_state():
    """Their kernels would be taken for each other's."""
    village("one.py")
    Path("two.py").write_text(
        Path("one.py").read_text(encoding="utf-8").replace('"village"', '"hamlet"'), encoding="utf-8"
    )
    qpolis.load_game("./one.py")
    assert "has a game whose states have the same fields (lots, houses" in refusal("play", "--game", "./two.py")


def test_nothing_is_bound_by_a_registration_that_fails():
    @kernel
    def player(rules, state):
        return 0

    before = verbs.registered(STATE)["player"]
    with pytest.raises(qpolis.QpolisError, match="unknown verb"):
        verbs.register(STATE, player=player, nonsense=player)
    assert verbs.registered(STATE)["player"] is before


def test_rules_cannot_be_written():
    assert not Counting().rules.flags.writeable


@pytest.mark.parametrize(("seats", "groups"), [(2, [(0, 1)]), (3, [(0, 0, 1), (0, 1, 1)]), (4, [(0, 0, 1, 1)])])
def test_two_bots_at_any_number_of_seats(seats, groups):
    assert head_to_head(seats) == groups


# --- games that installed packages offer --------------------------------------------------------------


@pytest.fixture
def installed(folder, monkeypatch):
    """A package that offers a game that is well, and some that are not."""
    site = folder / "site"
    for name in ("their_games", "theirs-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    (site / "their_games/__init__.py").write_text("", encoding="utf-8")
    village(site / "their_games/village.py")
    village(
        site / "their_games/lame.py",
        (REGISTERED, "legal=legal, apply=apply, encode=encode)"),
        ('"village"', '"lame"'),
    )
    (site / "their_games/empty.py").write_text("", encoding="utf-8")
    (site / "theirs-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8"
    )
    (site / "theirs-1.0.dist-info/entry_points.txt").write_text(
        "[qpolis.games]\nvillage = their_games.village:GAME\nlame = their_games.lame\nempty = their_games.empty\n"
        "gone = nowhere\nother = their_games.village\narkadia = their_games.village\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=":")
    assert len(metadata.entry_points(group=finder.GROUP)) == 6


@pytest.mark.usefixtures("installed")
def test_broken_games_are_listed_as_broken_and_harm_no_other():
    lines = run("games").splitlines()
    assert "village: Village (chance), from package theirs" in lines
    assert "  size     lots along each side of the village: 3 | 4, default 3" in lines
    assert "lame: broken: no kernel for the verb `scores`: verbs.register(state_dtype, scores=...)" in lines
    empty = "empty: broken: the entry point empty = their_games.empty of package theirs: no GAME in it"
    assert any(line.startswith(empty) for line in lines)
    assert "gone: broken: the entry point gone = nowhere of package theirs: there is no module nowhere" in lines
    assert "other: broken: calls itself 'village': both must be the same" in lines
    assert "arkadia: Arkadia (chance, hidden information)" in lines
    assert usable() == ["arkadia", "quadrilatere", "quadropolis", "village"]
    assert "broken" not in run("play", "--game", "village", "--size", "4")
    assert refusal("play", "--game", "lame").startswith("qpolis: game lame: no kernel for the verb `scores`")


@pytest.mark.usefixtures("unplayed")
def test_a_game_without_options():
    village(
        "bare.py",
        (
            """options = {"players": Option(2, "number of players", (2, 3, 4)),
               "size": Option(3, "lots along each side of the village", (3, 4))}""",
            "options = {}",
        ),
        ("def build(self, players, size):", "def build(self, players=2, size=3):"),
    )
    assert run("play", "--game", "./bare.py").startswith("Village, seed 0\n")
    assert "5 random games of Village\n" in run("demo", "--game", "./bare.py", "--games", "5")
    said = run("tourney", "--game", "./bare.py", "--bots", "greedy,random", "--games", "4", "--dry-run")
    assert "round-robin of ./bare.py, seed 0" in said
