"""The rules that people read are those of the engine: tables, numbers and pictures of `docs/rules` are what
`make rules` makes now, and every one of them is in its page."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import making
import qpolis
from making import svg, write
from qpolis.errors import QpolisError

GAMES = write.games()
TOOLS = {"markdown", "observations", "svg", "write"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
SVG = "{http://www.w3.org/2000/svg}"
MOVED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
WIDTH = 0.56  # of a letter, in units of its size: an average, a bit wide
AGAIN = "run `make rules`, and look at what is different"


def page_of(game: str) -> str:
    return write.page_path(game).read_text(encoding="utf-8")


def test_every_game_that_ships_has_a_page():
    folders = (Path(qpolis.__file__).parent / "games").glob("*/RULES.md")
    assert sorted(path.parent.name for path in folders) == GAMES


def test_pages_and_modules_belong_together():
    assert {module.name for module in pkgutil.iter_modules(making.__path__)} == TOOLS | set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_pages_say_what_the_rules_data_says(game):
    assert page_of(game) == write.make_page(game), AGAIN


def test_the_page_of_observations_says_what_games_declare():
    assert write.OBSERVATIONS.read_text(encoding="utf-8") == write.make_observations(), AGAIN


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_what_the_rules_data_shows(game):
    made = write.make_pictures(game)
    assert not write.stale_pictures(game, made), AGAIN
    assert [path.name for path, content in made.items() if path.read_text(encoding="utf-8") != content] == [], (
        AGAIN
    )


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_made_is_in_the_page(game):
    module = write.module_of(game)
    assert {*module.TABLES, *getattr(module, "NUMBERS", {})} == set(write.BEGIN.findall(page_of(game)))
    shown = {Path(target).name for sign, _, target in LINK.findall(page_of(game)) if sign}
    assert shown >= {write.picture_path(game, name).name for name in module.PICTURES}


@pytest.mark.parametrize("game", GAMES)
def test_links_lead_somewhere_and_pictures_are_told_in_words(game):
    page = page_of(game)
    for sign, said, target in LINK.findall(page):
        path, _, heading = target.partition("#")
        if "://" in path:
            continue
        there = write.FOLDER / path if path else write.page_path(game)
        assert there.exists(), target
        if heading:
            assert heading in headings(there.read_text(encoding="utf-8")), target
        assert not sign or len(said) > 20, target


def headings(page: str) -> set[str]:
    """The names under which GitHub links to headings."""
    found = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("path", sorted(write.PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_no_text_of_a_picture_is_cut_off(path):
    root = ElementTree.parse(path).getroot()
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for left, top, right, bottom, said in texts(root, 0, 0):
        assert left >= 0, said
        assert top >= 0, said
        assert right <= width, said
        assert bottom <= height, said


def texts(part, x, y):
    """About where the texts are: left, top, right, bottom, and what they say."""
    if "transform" in part.attrib:
        moved = MOVED.fullmatch(part.attrib["transform"])
        if not moved:
            assert not list(part.iter(f"{SVG}text")), "a text may only be moved"
            return
        x, y = x + float(moved[1]), y + float(moved[2])
    if part.tag == f"{SVG}text":
        size = float(part.attrib["font-size"])
        wide = WIDTH * size * len(part.text)
        left = (
            x + float(part.attrib["x"]) - wide * {"start": 0, "middle": 0.5, "end": 1}[part.attrib["text-anchor"]]
        )
        base = y + float(part.attrib["y"])
        yield left, base - 0.8 * size, left + wide, base + 0.25 * size, part.text
    for inner in part:
        yield from texts(inner, x, y)


def test_what_is_between_markers_is_made_anew():
    page = "A <!-- begin n -->?<!-- end n --> of\n<!-- begin t -->\nold\n<!-- end t -->\n"
    made = write.with_parts(page, {"t": lambda: "| new |"}, {"n": lambda: "4"}, "toy")
    assert made == "A <!-- begin n -->4<!-- end n --> of\n<!-- begin t -->\n\n| new |\n\n<!-- end t -->\n"
    assert write.with_parts(made, {"t": lambda: "| new |"}, {"n": lambda: "4"}, "toy") == made


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("<!-- begin t -->\n", r"what begins \(t\) is not what ends \(\)"),
        ("<!-- end t -->\n", r"what begins \(\) is not what ends \(t\)"),
        ("<!-- begin x -->\n<!-- end x -->\n", "no table is called x"),
        ("A <!-- begin x --><!-- end x -->\n", "no number in a sentence is called x"),
        (
            "<!-- begin n --><!-- end n --> at the start of a line is no Markdown any more\n",
            "n begins a line",
        ),
    ],
)
def test_wrong_markers_are_refused(page, wrong):
    with pytest.raises(QpolisError, match=wrong):
        write.with_parts(page, {"t": lambda: "| new |"}, {"n": lambda: "4"}, "toy")


def test_pictures_escape_what_they_say():
    made = ElementTree.fromstring(svg.picture(100, 50, 'a < b & "c"', svg.text(50, 20, "1 < 2 & 3"), [None, []]))
    assert made.findtext(f"{SVG}title") == 'a < b & "c"'
    assert made.findtext(f"{SVG}text") == "1 < 2 & 3"


def test_texts_are_found_where_they_are():
    made = svg.picture(100, 50, "far", svg.group(60, 10, svg.group(10, 10, svg.text(20, 5, "outside", size=10))))
    ((left, top, right, bottom, _),) = texts(ElementTree.fromstring(made), 0, 0)
    assert (left + right) / 2 == pytest.approx(90)
    assert right > 100
    assert (top, bottom) == (17, 27.5)
