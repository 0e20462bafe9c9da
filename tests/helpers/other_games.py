"""Every command with a game that is not the default: what holds for each of them, inherited by their tests."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import ClassVar

import pytest

import qpolis
from helpers.command_line import refusal, results, run
from helpers.sizes import some
from helpers.tourneys import TABLES
from qpolis.game import settings_text
from qpolis.games import DEFAULT_GAME, game_class
from qpolis.registry.bot_templates import write_bot
from qpolis.registry.spec import resolve
from qpolis.tourney.match import play_deals

ROOT = Path(__file__).parent.parent.parent
PLOTS = ["convergence.png", "crosstable.png", "ratings.png", "scores.png", "seats.png", "times.png"]
NO_MIXES = [
    (["play", "--mix", "base"], "unknown option of {name} 'mix' {known}"),
    (["demo", "--mode", "expert"], "unknown option of {name} 'mode' {known}"),
    (["play", "--bots", "random"], "qpolis: --bots: 1 for 2 seats"),
    (["tourney", "--bots", "greedy,random", "--mix", "base"], "'mix' {known}"),
    (["tourney", "--bots", "greedy:forbid=harbor,random"], "forbid: {name} has no categories"),
    (["balance", "--mix", "base"], "mix: {name} has no tile mixes (its options: {options})"),
    (["balance", "-o", "mix=base"], "'mix' {known}"),
    (["balance", "--forbid", "harbor"], "forbid: {name} has no categories to choose from"),
    (["balance", "--favor", "all"], "favor: {name} has no categories to choose from"),
    (["balance", "--bots", "greedy:favor=park"], "favor: {name} has no categories"),
    (["balance", "search", "--target", "seats=3"], "{name} has no tile mixes to search"),
    (["balance", "search", "--target", "seats=3", "--start", "base"], "mix: {name} has no tile mixes"),
]


@pytest.mark.usefixtures("folder")
class OtherGame:
    """A game without tile mixes and kinds of buildings. A class of tests for one says what is different in it."""

    name: ClassVar[str]
    variant: ClassVar[dict[str, str]]  # options, other ones than the defaults, as they are typed
    deals: ClassVar[str]  # what a plan of 60 games for 3 bots says about its deals
    checked: ClassVar[str]  # what `qpolis check` says of the games it played
    contrary: ClassVar[tuple[str, str]]  # a flag that contradicts the variant, and what is said about it
    definitions: ClassVar[list[str]]  # that ship

    @classmethod
    def game(cls):
        return ("--game", cls.name)

    @classmethod
    def chosen(cls):
        """The flags of the variant."""
        return [word for key, value in cls.variant.items() for word in ("-o", f"{key}={value}")]

    @classmethod
    def settings(cls):
        """The options of the variant in words."""
        return settings_text(qpolis.load_game(cls.name, **cls.variant).settings)

    @pytest.fixture(scope="class")
    @classmethod
    def cup(cls, tmp_path_factory):
        """The folder of a tournament of the variant, and what was said about it."""
        place = tmp_path_factory.mktemp(cls.name) / "cup"
        said = run(
            "tourney",
            *cls.game(),
            *cls.chosen(),
            "--bots",
            "greedy,heuristic,random",
            "--games",
            "60",
            "--workers",
            "1",
            "--out",
            str(place),
        )
        return place, said

    # --- one game ---

    def test_play_in_its_variants(self):
        title = game_class(self.name).title
        players = qpolis.load_game(self.name, **self.variant).players
        bots = ",".join(["greedy", *["random"] * (players - 1)])
        output = run("play", *self.game(), *self.chosen(), "--bots", bots)
        assert output.splitlines()[0] == f"{title}, {self.settings()}, seed 0"
        assert len(results(output)) == players
        standard = settings_text(qpolis.load_game(self.name).settings)
        assert run("play", *self.game()).startswith(f"{title}, {standard}, seed 0\n")
        assert f"of {title} ({self.settings()})" in run("demo", *self.game(), *self.chosen(), "--games", "50")

    @pytest.mark.parametrize(("arguments", "words"), NO_MIXES, ids=" ".join)
    def test_what_it_lacks_is_refused_in_one_line(self, arguments, words, folder):
        options = ", ".join(sorted(game_class(self.name).options))
        said = refusal(*arguments, *self.game())
        assert words.format(name=self.name, options=options, known=f"(known: {options})") in said
        assert os.listdir(folder) == []

    # --- bots ---

    @pytest.mark.long
    @pytest.mark.parametrize("kind", some(["program", "python", "kernel"], 2))
    def test_new_bots_play_it(self, kind):
        """Nothing in them is about another game, and they know more than chance does."""
        output = run("new-bot", "my_bot", "--kind", kind, *self.game())
        assert output.splitlines()[1:] == [
            f"  qpolis check my_bot --game {self.name}",
            f"  qpolis play --game {self.name} --bots my_bot,random",
        ]
        (path,) = Path("bots").iterdir()
        assert DEFAULT_GAME not in path.read_text(encoding="utf-8").lower()
        options = {key: value for key, value in self.variant.items() if key != "players"}
        game = qpolis.load_game(self.name, **options)
        batch = play_deals(game, [resolve("my_bot"), resolve("random")], seed=1, first=0, games=4)
        assert batch.reasons == {}
        assert (batch.ranks[:, 0] == 0).sum() >= 3

    def test_a_game_without_a_bot_template_gets_a_bot_that_plays(self, monkeypatch):
        monkeypatch.setattr(game_class(self.name), "bot_template", "")
        write_bot("my_bot", "program", self.name)
        output = run("play", *self.game(), "--bots", "my_bot,random")
        assert len(results(output)) == 2
        assert "forfeits" not in output

    def test_check_goes_through_all_variants(self):
        output = run("check", "greedy", *self.game())
        assert f"plays whole games in every variant             ok    {self.checked}" in output

    # --- tournaments ---

    def test_a_tournament(self, cup):
        place, said = cup
        assert f"of {self.name} ({self.settings()}), seed 0" in said
        assert self.deals in said
        assert "warning" not in said
        assert sorted(path.name for path in (place / "plots").glob("*.png")) == PLOTS
        assert "60 games played again: scores, ranks and hashes agree" in run("verify", str(place))
        shown = run("replay", str(place), "--game", "7")
        assert len(results(shown)) == qpolis.load_game(self.name, **self.variant).players

    def test_a_resumed_tournament_ends_with_the_same_files(self, cup, folder):
        place = shutil.copytree(cup[0], folder / "again")
        journal = place / "journal.bin"
        os.truncate(journal, journal.stat().st_size - 1)
        for name in TABLES:
            (place / name).unlink()
        flag, words = self.contrary
        assert words in refusal("tourney", "--resume", str(place), "-o", flag)
        run("tourney", "--resume", str(place), "--workers", "1")
        for name in TABLES:
            assert (place / name).read_bytes() == (cup[0] / name).read_bytes()

    @pytest.mark.usefixtures("unplayed")
    def test_shipped_definitions(self):
        shipped = list((ROOT / "tournaments").glob(f"{self.name}*.toml"))
        assert sorted(path.stem for path in shipped) == self.definitions
        readme = (ROOT / "tournaments" / "README.md").read_text(encoding="utf-8")
        for path in shipped:
            output = run("tourney", str(path), "--dry-run", "--bots", "mcts:sims=1,greedy,heuristic,random")
            assert f"{path.stem}: round-robin of {self.name}" in output
            assert f"`{path.name}`" in readme

    # --- balance ---

    @pytest.mark.long(only=True)  # what looks its games through takes long to compile
    def test_balance_says_what_makes_sense(self):
        said = run(
            "balance",
            *self.game(),
            *self.chosen(),
            "--bots",
            "greedy,heuristic,random",
            "--games",
            "90",
            "--ladder",
            "2,4,8",
            "--ladder-games",
            "8",
            "--workers",
            "1",
            "--out",
            "b",
        )
        assert f"games of {self.name} ({self.settings()}), seed 0" in said
        headings = re.findall("^[a-z].*$", said.partition("\n\n")[2].partition("\n\n")[0], re.MULTILINE)
        assert headings == ["seats", "points", "drama", "choices", "luck and skill"]
        assert not re.search("tile|building|mix|==", re.sub("^note: .*$", "", said, flags=re.MULTILINE))
        assert {path.stem for path in Path("b/plots").glob("*.png")} == {"seats", "scores", "drama", "ladder"}
        table = Path("b/measures.csv").read_text(encoding="utf-8").splitlines()[1:]
        assert {line.split(",")[3] for line in table} == {
            "seats",
            "scores",
            "drama",
            "choices",
            "skill",
            "field",
            "ladder",
        }
        before = {path.name: path.read_bytes() for path in Path("b").iterdir() if path.is_file()}
        run("balance", "--resume", "b", "--workers", "1")
        assert {path.name: path.read_bytes() for path in Path("b").iterdir() if path.is_file()} == before
        self.check_balance(said)

    def check_balance(self, said):
        """What is special about the balance of this game."""

    def test_a_dry_balance_has_no_mixes_to_name(self):
        said = run("balance", *self.game(), "--games", "30", "--dry-run")
        lines = [line.strip() for line in said.splitlines()]
        assert [line for line in lines if not line.startswith("note: ")] == [
            "10 games  greedy against itself",
            "10 games  heuristic against itself",
            "10 games  the field",
            "30 games in all",
        ]
