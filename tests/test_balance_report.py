"""The page of a question about balance, and of a search: all of it is there, and names are only text."""

from __future__ import annotations

import csv
import html
import re
import shlex
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from helpers.balances import answer_to
from helpers.browser import watched
from helpers.mix_searches import run as run_search
from qpolis.balance.experiment import CELLS, begin
from qpolis.balance.measure import SHARE
from qpolis.balance.question import CHECKS, NO_MIX, ask, cells
from qpolis.balance.search import CHECKS as SEARCH_CHECKS
from qpolis.balance.search import seek
from qpolis.cli.balance import given_keys, measure
from qpolis.cli.balance import search as search_command
from qpolis.errors import QpolisError
from qpolis.games.quadropolis import Quadropolis
from qpolis.games.quadropolis.mix import MIXES
from qpolis.kernel import JIT
from qpolis.report import rewrite_balance as balance
from qpolis.report.content.balance_search import SearchOutcome
from qpolis.report.content.balance_summary import TOPICS, summarize
from qpolis.report.finish_balance import finish_balance
from qpolis.report.pages.balance import REPORT, BalanceReport, balance_page
from qpolis.report.pages.balance_mixes import difference
from qpolis.report.pages.balance_reproduce import flags
from qpolis.report.plots.balance import drawings
from qpolis.report.rewrite_balance import rewrite_balance
from qpolis.tourney.schema import overridden

pytestmark = [
    pytest.mark.skipif(not JIT, reason="many games"),
    pytest.mark.filterwarnings("ignore:First-class function type"),
]
NAME = """<b onclick="alert(1)">&'"""
FILE = "<img src=x onerror=alert(1)>.csv"
KINDS = {"kinds", "effects", "tiles", "seat tiles"}  # groups of measures of games that have kinds of buildings


class Reader(HTMLParser):
    """What a browser would see: elements with their attributes, texts by section, all texts."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.sections: dict[str, str] = {}
        self.text = ""
        self.code = False
        self.feed(page.decode())

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.code = tag in ("script", "style")
        if tag == "section":
            self.sections[dict(attributes)["id"]] = ""

    def handle_endtag(self, tag):
        self.code = False

    def handle_data(self, data):
        if not self.code:
            self.text += data
            if self.sections:
                self.sections[next(reversed(self.sections))] += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A question with everything in it, answered; names that would be markup if they could."""
    place = tmp_path_factory.mktemp("balance")
    shutil.copy(MIXES / "base.csv", place / FILE)
    answer = answer_to(
        place / "run",
        mixes=[str(place / FILE), "base:shop+1:park-1"],
        games=90,
        name=NAME,
        forbid=["tower", "park"],
        player="heuristic",
        habit_games=20,
        ladder=[1, 3],
        ladder_games=4,
    )
    drawn = drawings(answer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qpolis.report.finish_balance.drawings", lambda answer: drawn)
        assert place / "run" / REPORT in finish_balance(place / "run", answer, summarize(answer))
    return place / "run", answer, drawn


@pytest.fixture(scope="module")
def page(folder):
    return (folder[0] / REPORT).read_bytes()


@pytest.fixture(scope="module")
def seen(page):
    return Reader(page)


def test_all_parts_are_there(folder, page, seen):
    assert list(seen.sections) == ["summary", "compared", "mixes", *TOPICS, "games", "reproduce"]
    links = [attributes["href"] for tag, attributes in seen.elements if tag == "a"]
    assert {f"#{anchor}" for anchor in seen.sections} == set(links)
    figures = sum(tag == "figure" for tag, _ in seen.elements)
    assert figures == len(list((folder[0] / "plots").glob("*.svg")))
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert len(page) < 2_000_000


def test_the_words_are_those_of_the_summary(folder, page, seen):
    answer = folder[1]
    words = summarize(answer)
    for topics in words.topics:
        for topic in topics:
            for line in topic.lines:
                assert line.text in seen.sections["summary"]
                assert line.text in seen.sections[topic.key]
    for line in words.changes[1]:
        assert line.text in seen.sections["compared"]
    labels = re.findall(r'class="verdict \w+">([^<]+)<', page.decode())
    assert {"not decided", "open"} <= set(labels)
    assert set(labels) <= {
        "fair",
        "not fair",
        "not equal",
        "not decided",
        "changed",
        "tiny change",
        "the same",
        "open",
    }


def test_every_measure_has_its_interval(folder, page, seen):
    answer = folder[1]
    wins = answer.find(0, "level", "heuristic", "seats", "seat 0 wins").measure
    low, high = wins.interval()
    assert f"{100 * low:.1f} to {100 * high:.1f}" in seen.sections["seats"]
    tables = re.findall(r"All measures \((\d+)\)", page.decode())
    said = {entry.measure.group for entry in answer.entries} - {"tiles", "seat tiles"}
    assert sum(map(int, tables[1:])) == sum(entry.measure.group in said for entry in answer.entries)
    assert "effect of one tower more" in seen.sections["compared"]


def test_what_is_different_in_mixes_is_said(folder, seen):
    where, answer, _ = folder
    assert seen.sections["mixes"].endswith("round 3park32round 3shop23")
    copies = replace(answer, question=replace(answer.question, mixes=(answer.question.mixes[0], "base")))
    assert "What can be taken is the same" in difference(BalanceReport(where, copies, summarize(answer), {}), 1)


def test_names_are_text(seen):
    assert NAME in seen.text
    assert FILE in seen.text
    assert not {tag for tag, _ in seen.elements} & {"img", "b", "iframe", "object"}
    assert sum(tag == "script" for tag, _ in seen.elements) == 2
    assert not [key for _, attributes in seen.elements for key in attributes if key.startswith("on")]


def test_written_again_it_is_the_same(folder, page, monkeypatch):
    """Plots are not drawn again here: that they have the same bytes is tested with them."""
    where, _, drawn = folder
    monkeypatch.setattr(balance, "drawings", lambda answer: drawn)
    (where / REPORT).unlink()
    assert rewrite_balance(where) == where / REPORT
    assert (where / REPORT).read_bytes() == page


def test_a_game_without_kinds_and_mixes(folder):
    where, answer, _ = folder
    runs = [
        replace(run, measures=[one for one in run.measures if one.group not in KINDS])
        for run in answer.runs
        if run.cell.mix == 0 and run.cell.part in ("level", "field")
    ]
    plain = replace(answer, question=replace(answer.question, mixes=(NO_MIX,)), categories=(), runs=runs)
    seen = Reader(balance_page(BalanceReport(where, plain, summarize(plain), {})))
    assert list(seen.sections) == ["summary", "seats", "points", "drama", "choices", "skill", "games", "reproduce"]
    assert " mix " not in seen.text


# --- folders that cannot be shown -----------------------------------------------------------------------


def test_what_is_not_finished_says_how_to_go_on(folder, tmp_path):
    question = ask({"bots": ["heuristic"], "games": 10})
    begin(tmp_path / "new run", question)
    with pytest.raises(QpolisError, match=r"not played to its end: go on with qpolis balance --resume '.*run'"):
        rewrite_balance(tmp_path / "new run")
    shutil.copytree(folder[0], tmp_path / "half")
    journal = tmp_path / "half" / CELLS / "1-field" / "journal.bin"
    journal.write_bytes(journal.read_bytes()[:200])
    with pytest.raises(QpolisError, match="not played to its end") as error:
        rewrite_balance(tmp_path / "half")
    assert len(str(error.value).splitlines()) == 1
    search = seek({"targets": ["seats=3"], "bots": ["heuristic"]})
    begin(tmp_path / "search", search)
    with pytest.raises(QpolisError, match="go on with qpolis balance search --resume"):
        rewrite_balance(tmp_path / "search")
    with pytest.raises(QpolisError, match="not the folder of a question"):
        rewrite_balance(tmp_path)


def test_a_mix_that_was_edited_since_is_found(tmp_path):
    shutil.copy(MIXES / "base.csv", tmp_path / "mine.csv")
    answer_to(tmp_path / "run", mixes=[str(tmp_path / "mine.csv")], bots=["heuristic"], games=10)
    heading, *lines = (tmp_path / "mine.csv").read_text().splitlines()
    (tmp_path / "mine.csv").write_text("\n".join([heading, *reversed(lines)]) + "\n")
    with pytest.raises(QpolisError, match="the rules have changed since it was played"):
        rewrite_balance(tmp_path / "run")


# --- searches -------------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch):
    """Only a few mixes are one change away."""
    whole = Quadropolis.variations
    monkeypatch.setattr(Quadropolis, "variations", lambda game: whole(game)[::9])


def test_a_search_shows_targets_and_what_was_tried(tmp_path, few, monkeypatch):
    monkeypatch.setattr(balance, "drawings", lambda answer: {})
    search = seek({"bots": ["heuristic"], "budget": 1500, "changes": 1, "targets": ["margin=5", "seats=40"]})
    begin(tmp_path / "run", search)
    found, answer = run_search(tmp_path / "run", search)
    outcome = SearchOutcome(search, found)
    page = balance_page(BalanceReport(tmp_path / "run", answer, summarize(answer), {}, outcome))
    seen = Reader(page)
    assert list(seen.sections)[:3] == ["found", "tried", "summary"]
    assert "winners are ahead by so many points at most" in seen.sections["found"]
    assert "tested on" in seen.sections["found"].lower()
    assert "met" in re.findall(r'class="verdict \w+">([^<]+)<', page.decode())
    assert all(one.mix in seen.sections["tried"] for one in found.trials)
    assert rewrite_balance(tmp_path / "run").read_bytes() == page


# --- the command ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"mixes": ["base", "base:harbor+2:park-2"], "bots": ["random", "mcts:sims=7"], "games": 77, "seed": 2**63},
        {"forbid": ["all"], "favor": ["park"], "player": "heuristic", "habit_games": 9, "within": 0.125},
        {"ladder": [9, 3], "ladder_games": 5, "players": 2, "mode": "expert", "within": 3},
        {"game": "quadrilatere", "options": {"slide": False}},
    ],
)
def test_the_command_asks_the_same(keys):
    question = ask(keys)
    assert again(measure, question, CHECKS, ask) == question


def test_the_command_searches_the_same_and_quotes_names(tmp_path, few):
    path = tmp_path / 'it\'s $(a) "mix";.csv'
    shutil.copy(MIXES / "base.csv", path)
    search = seek(
        {
            "start": str(path),
            "targets": ["seats=2.5", "margin=4"],
            "changes": 1,
            "players": 3,
            "name": "-it's v1.0",
        }
    )
    assert again(search_command, search, SEARCH_CHECKS, seek) == search


def again(command, asked, checks, make):
    """What the command of the page asks."""
    words = shlex.split(shlex.join(flags(asked)))
    given = command.make_context(command.name, words).params
    return make(overridden({}, given_keys(given, checks)))


def test_tables_say_what_the_file_of_measures_says(folder, page):
    with open(folder[0] / "measures.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "seats"]
    part = re.search('<section id="seats">(.*?)</section>', page.decode(), re.DOTALL)[1]
    shown = [
        [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td.*?</td>", row)]
        for row in re.findall("<tr>(<td.*?)</tr>", part, re.DOTALL)
    ]
    assert len(shown) == len(rows) > 4
    for row, (_, name, _, value, interval, samples, deals, _) in zip(rows, shown):
        times = 100 if row["unit"] == SHARE else 1
        found, low, high = (f"{times * float(row[key]):.1f}" for key in ("value", "low", "high"))
        assert (name, value.removesuffix("%")) == (row["measure"], found)
        assert interval == f"{low} to {high}"
        assert (samples, deals) == (row["samples"], row["deals"])


def test_the_command_is_on_the_page(folder, seen):
    said = seen.sections["reproduce"]
    assert shlex.join(["qpolis", "balance", *flags(folder[1].question)]) in said
    assert "qpolis balance FOLDER/plan.toml" in said
    assert (folder[0] / "plan.toml").read_text() in said
    assert len(cells(folder[1].question)) == len(folder[1].runs)


# --- in the browser -------------------------------------------------------------------------------------


def test_the_page_in_a_browser(browser, folder, page):
    (folder[0] / REPORT).write_bytes(page)
    with watched(browser) as tab:
        tab.goto((folder[0] / REPORT).as_uri())
        assert tab.title().startswith(NAME)
        heads = tab.locator("#compared table.comparison").first.locator("thead th")
        change = heads.nth(heads.count() - 2)
        column = "rows => rows.map(row => Number(row.cells[row.cells.length - 2].dataset.value))"
        rows = tab.locator("#compared table.comparison").first.locator("tbody tr")
        change.locator("button").click()
        assert change.get_attribute("aria-sort") == "descending"
        values = rows.evaluate_all(column)
        assert values == sorted(values, reverse=True)
        change.locator("button").click()
        assert rows.evaluate_all(column) == sorted(values)
        paper = "getComputedStyle(document.body).backgroundColor"
        light = tab.evaluate(paper)
        tab.emulate_media(color_scheme="dark")
        dark = tab.evaluate(paper)
        assert dark != light
        tab.locator("button.theme").click()
        assert tab.evaluate(paper) == light
        tab.set_viewport_size({"width": 420, "height": 800})
        assert tab.evaluate("document.documentElement.scrollWidth") <= 420
