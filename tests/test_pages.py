"""Pages for the browser: one file, nothing from outside, and no text that becomes markup."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import qpolis
from helpers.command_line import refusal, run
from helpers.hostile_games import HOSTILE, played_out
from helpers.toys import Counting
from qpolis.report.content.replay import frame, make_replay
from qpolis.report.content.viewer_files import viewer_file
from qpolis.report.pages.markup import Html, tag, text
from qpolis.report.pages.page import STATIC, json_block, packed, page, table
from qpolis.report.pages.watch import game_page

PACKAGE = Path(qpolis.__file__).parent


class Reader(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._inside = ""
        self.feed(content.decode())

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        (self.scripts if self._inside == "script" else self.texts).append(data)


def outside(content: bytes) -> list[str]:
    """Addresses that a page would ask the network for."""
    return [
        value
        for _, attributes in Reader(content).tags
        for key, value in attributes.items()
        if key in ("src", "href", "xlink:href", "action", "data", "poster", "srcset")
        and value
        and not value.startswith(("#", "data:"))
    ]


def test_text_is_text():
    assert text("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#x27;"
    assert tag("p", "<i>", tag("b", "x"), None, [1, Html("&amp;")], title='"><script>', hidden=True, id=None) == (
        '<p title="&quot;&gt;&lt;script&gt;" hidden>&lt;i&gt;<b>x</b>1&amp;</p>'
    )
    assert tag("td", "x", class_="a b", data_value=3) == '<td class="a b" data-value="3">x</td>'
    assert tag("br") == "<br>"
    assert text("a\u202eb\ud800c\nd") == "a\\u202eb\\ud800c\nd"


def test_a_page_lets_nothing_in():
    content = page(HOSTILE, tag("p", HOSTILE), data={"name": HOSTILE, "list": [HOSTILE]})
    reader = Reader(content)
    assert outside(content) == []
    policy = next(
        attributes["content"]
        for name, attributes in reader.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "unsafe" not in policy.split("script-src")[1].split(";")[0]
    assert [name for name, _ in reader.tags].count("img") == 0
    digests = re.findall(r"'sha256-([^']+)'", policy)
    codes = re.findall(r"<script>(.*?)</script>", content.decode(), re.DOTALL)
    assert digests == [base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in codes]
    blocks = [json.loads(code) for code in reader.scripts if "strict" not in code[:13]]
    assert blocks == [HOSTILE, [HOSTILE]]


def test_data_travels_whole():
    value = {"a": [1, None, HOSTILE], "b": 0.5}
    assert json.loads(gzip.decompress(base64.b64decode(packed(value)))) == value
    said = json_block("x", value).split(">", 1)[1].rsplit("</script>", 1)[0]
    assert json.loads(said) == value
    assert not set(said) & set("<>&\u2028")
    with pytest.raises(ValueError, match="JSON"):
        packed(float("nan"))


def test_cells_of_tables():
    made = table(["a", "b"], [["<", tag("td", "x", data_value=2)]])
    assert '<td>&lt;</td><td data-value="2">x</td>' in made
    assert made.count("<th ") == 2


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.js")), ids=lambda path: path.name)
def test_scripts_make_no_markup_of_texts(path):
    code = path.read_text(encoding="utf-8")
    assert '"use strict"' in code
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "DOMParser",
        "createContextualFragment",
        "setHTML",
        "javascript:",
        "localStorage",
        "://",
    ):
        assert way not in code.replace("http://www.w3.org/2000/svg", ""), way
    assert max(map(len, code.splitlines())) <= 120
    assert len(code.splitlines()) < 400


def test_every_static_file_is_used_or_there_is_a_reason():
    said = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert [path.name for path in STATIC.iterdir() if f'"{path.name}"' not in said] == []


def test_a_game_without_a_viewer_shows_its_drawing():
    game = Counting()
    assert viewer_file(game) is None
    shown = make_replay(game, played_out(game), "counting")
    assert shown["frames"][0]["drawing"] == str(game.new(1))
    assert shown["frames"][-1]["move"] is None
    content = game_page(shown)
    assert outside(content) == []
    assert content.count(b"<script>") == 3


def test_a_frame_holds_no_future_and_no_stream_of_chance():
    for name in qpolis.games.names():
        state = qpolis.load_game(name).new(5)
        shown = frame(state)
        assert not {"chance", "seed"} & set(shown["position"])
        seen = frame(state, seat=1)
        assert seen["position"].items() <= state.observe(1).items()
        json.dumps(shown, allow_nan=False)


def test_watch_writes_a_page(cup, folder):
    said = run("watch", str(cup), "--game", "3", "--out", "page.html")
    assert said == "written to page.html\n"
    content = Path("page.html").read_bytes()
    assert outside(content) == []
    assert b"game 3 of" not in content  # packed
    reader = Reader(content)
    shown = json.loads(gzip.decompress(base64.b64decode(json.loads(reader.scripts[0]))))
    assert shown["heading"].startswith("game 3 of heuristic-random-greedy, seed 5, deal 1")
    assert run("watch", str(cup), "--game", "3") == f"written to {cup / 'game-3.html'}\n"
    assert (cup / "game-3.html").read_bytes() == content
    (cup / "game-3.html").unlink()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("watch", "{cup}", "--game", "120"), "no game 120: the games of this run are 0 to 119"),
        (("watch", "nowhere", "--game", "0"), "nowhere: no such folder: give the folder of a run"),
        (("watch", "{cup}"), "Missing option '--game'"),
        (
            ("watch", "{cup}", "--game", "0", "--out", "no/where.html"),
            "no/where.html: cannot be written: there is no folder no",
        ),
        (("play", "--bots", "random", "--html"), "--bots: 1 for 2 seats (--players changes their number)"),
    ],
)
def test_a_mistake_is_one_line(cup, folder, arguments, message):
    assert message in refusal(*(argument.format(cup=cup) for argument in arguments))
    assert list(folder.iterdir()) == []


def test_play_writes_a_page(folder):
    assert run("play", "--bots", "random,heuristic", "--html", "one.html") == "written to one.html\n"
    said = run("play", "--bots", "random,heuristic", "--html")
    assert re.fullmatch(r"written to results/play-\d{8}-\d{6}\.html\n", said)
    assert Path(said.split()[-1]).read_bytes() == Path("one.html").read_bytes()
