"""`qpolis score`: the best assignment of one city, its JSON, and what is said about a file that is no city."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from helpers.cities import FLAVOURS, random_city
from helpers.sizes import MODES
from naive.quadropolis_scoring import TYPES, preference, score_one_assignment
from naive.quadropolis_scoring import score as naive_score
from qpolis.cli.main import main

SIZE = {"classic": 16, "expert": 20}
KEYS = {"points", "penalties", "total", "inhabitants_on_buildings", "empty_squares", "active", "customers"}
CITIES = 200


def building(kind, floors=1, vp=0):
    return {"type": kind, "floors": floors, "vp": vp}


def city(mode, buildings, inhabitants, energy):
    """A city as plain data from buildings by square."""
    squares = [buildings.get(square) for square in range(SIZE[mode])]
    return {"mode": mode, "squares": squares, "inhabitants": inhabitants, "energy": energy}


OFFICES = city("expert", {0: building("office", 2), 1: building("office", 2), 6: building("office", 3)}, 3, 3)


@pytest.fixture
def scored(tmp_path):
    """Score a city from a file and return what is printed, JSON as data."""

    def scored(data, *options):
        path = tmp_path / "city.json"
        path.write_text(json.dumps(data))
        result = CliRunner().invoke(main, ["score", str(path), *options])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout) if "--json" in options else result.stdout

    return scored


# --- results ------------------------------------------------------------------------------------------


def test_worked_example_of_the_rulebook(scored):
    assert scored(OFFICES, "--json") == {
        "points": {**dict.fromkeys(TYPES, 0), "office": 19},
        "penalties": 0,
        "total": 19,
        "inhabitants_on_buildings": 3,
        "empty_squares": 17,
        "active": [0, 1, 6],
        "customers": {},
    }


def test_worked_example_in_words(scored):
    lines = scored(OFFICES).splitlines()
    assert [line.split() for line in lines[:4]] == [["office", "19"], ["penalties", "0"], ["total", "19"], []]
    assert lines[4:] == ["inhabitants on buildings: 3, empty squares: 17", "active: a1 b1 b2"]


def test_apart_the_offices_score_less(scored):
    apart = city("expert", {0: building("office", 2), 2: building("office", 2), 9: building("office", 3)}, 3, 3)
    assert scored(apart, "--json")["points"]["office"] == 1 + 1 + 3


@pytest.mark.parametrize(("mode", "most"), [("classic", 4), ("expert", 5)])
def test_shops_fill_with_customers(scored, mode, most):
    shops = city(mode, {0: building("shop"), 5: building("shop"), 7: building("park")}, most + 2, 3)
    result = scored(shops, "--json")
    assert sorted(result["customers"].values()) == [2, most]
    assert set(result["customers"]) == {"0", "5"}
    assert result["points"]["shop"] == {4: 7, 5: 11}[most] + 2
    assert result["penalties"] == 0, "the park holds the third energy"


@pytest.mark.parametrize("mode", MODES)
def test_empty_city_pays_for_everything_idle(scored, mode):
    result = scored(city(mode, {}, 3, 4), "--json")
    assert (result["total"], result["penalties"]) == (-7, -7)
    assert result["empty_squares"] == SIZE[mode]
    assert (result["active"], result["customers"], result["inhabitants_on_buildings"]) == ([], {}, 0)
    assert "active: nothing" in scored(city(mode, {}, 3, 4))


def test_harbor_beside_a_monument_stays_inactive(scored):
    result = scored(city("expert", {0: building("monument"), 1: building("harbor")}, 1, 0), "--json")
    assert result["active"] == [0]
    assert (result["points"]["monument"], result["penalties"], result["total"]) == (0, -1, -1)
    assert result["empty_squares"] == 19


def test_most_inhabitants_and_energy(scored):
    assert scored(city("classic", {}, 999, 999), "--json")["total"] == -1998


def test_most_printed_points(scored):
    full = city("expert", {square: building("park", vp=100) for square in range(20)}, 0, 0)
    assert scored(full, "--json")["total"] == 2000


@pytest.mark.parametrize("number", range(CITIES))
def test_total_is_the_best_and_the_assignment_reaches_it(scored, number):
    mode = MODES[number % 2]
    flavour = list(FLAVOURS)[number // 2 % len(FLAVOURS)]
    squares, inhabitants, energy = random_city(random.Random(f"score {number}"), mode, flavour, 0, 12)
    result = scored({"mode": mode, "squares": squares, "inhabitants": inhabitants, "energy": energy}, "--json")

    assert set(result) == KEYS
    assert set(result["points"]) == set(TYPES)
    assert sum(result["points"].values()) + result["penalties"] == result["total"]
    assert preference(result) == preference(naive_score(mode, squares, inhabitants, energy))

    active, customers = result["active"], {int(square): count for square, count in result["customers"].items()}
    shown = score_one_assignment(mode, squares, set(active), customers, inhabitants, energy)
    assert shown == {key: result[key] for key in shown}
    assert active == sorted(set(active))
    assert result["empty_squares"] == SIZE[mode] - len(active), "parks and monuments are active too"
    assert set(customers) == {square for square in active if squares[square]["type"] == "shop"}


@pytest.mark.parametrize("number", range(0, CITIES, 20))
def test_words_say_the_same_as_json(scored, number):
    mode = MODES[number // 20 % 2]
    squares, inhabitants, energy = random_city(random.Random(f"words {number}"), mode, "any", 5, 12)
    data = {"mode": mode, "squares": squares, "inhabitants": inhabitants, "energy": energy}
    result, words = scored(data, "--json"), scored(data)
    names = [f"{column}{line}" for line in (1, 2, 3, 4) for column in "abcde"[: SIZE[mode] // 4]]

    table = {name: int(points) for name, points in re.findall(r"^(\w+) +(-?\d+)$", words, re.MULTILINE)}
    assert (table.pop("total"), table.pop("penalties")) == (result["total"], result["penalties"])
    assert {name: points for name, points in table.items() if points} == {
        name: points for name, points in result["points"].items() if points
    }
    assert (
        f"inhabitants on buildings: {result['inhabitants_on_buildings']}, "
        f"empty squares: {result['empty_squares']}\n"
    ) in words
    assert f"active: {' '.join(names[square] for square in result['active']) or 'nothing'}\n" in words
    customers = ", ".join(f"{names[int(square)]} {count}" for square, count in result["customers"].items())
    assert (f"customers: {customers}\n" in words) if customers else "customers" not in words


def test_standard_input_is_read():
    result = CliRunner().invoke(main, ["score", "-", "--json"], input=json.dumps(OFFICES))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["total"] == 19


def test_bom_and_line_ends_are_accepted(tmp_path):
    path = tmp_path / "city.json"
    text = json.dumps(OFFICES, indent=1)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    result = CliRunner().invoke(main, ["score", str(path), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["total"] == 19


def test_program_scores_too(tmp_path):
    path = tmp_path / "city.json"
    path.write_text(json.dumps(OFFICES))
    done = subprocess.run(
        [sys.executable, "-m", "qpolis.cli", "score", str(path), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["total"] == 19
    assert done.stderr in ("", "compiling (first run only) ...\n")


# --- files that are refused ---------------------------------------------------------------------------


def refusal(path, *options):
    """The one line that refuses a file, after its name."""
    result = CliRunner().invoke(main, ["score", str(path), *options])
    assert result.exit_code == 2, repr(result.exception)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    start = f"qpolis: {path}: "
    assert lines[0].startswith(start)
    return lines[0][len(start) :]


def changed(**changes):
    """An empty classic city with something changed."""
    return {**city("classic", {}, 1, 1), **changes}


def without(key):
    return {name: value for name, value in changed().items() if name != key}


def on_c2(kind, mode="classic", **changes):
    """A city with one building, changed, on square c2."""
    square = 6 if mode == "classic" else 7
    return city(mode, {square: {**building(kind), **changes}}, 1, 1)


NO_CITIES = [
    ("list", [], "object"),
    ("null", None, "object"),
    ("number", 7, "object"),
    ("text", "city", "object"),
    ("empty object", {}, "mode is missing"),
    *((f"no {key}", without(key), f"{key} is missing") for key in ("mode", "squares", "inhabitants", "energy")),
    ("unknown mode", changed(mode="hard"), "mode: 'hard' is not one of classic, expert"),
    ("mode in two lines", changed(mode="a\nb"), "mode: 'a\\nb'"),
    ("mode null", changed(mode=None), "mode: None"),
    ("mode list", changed(mode=["classic"]), "mode: ['classic']"),
    ("mode object", changed(mode={}), "mode: {}"),
    ("squares null", changed(squares=None), "squares: "),
    ("squares object", changed(squares={"a1": None}), "squares: "),
    ("squares text", changed(squares="x" * 16), "squares: "),
    ("no squares", changed(squares=[]), "squares: not a list of the 16 squares of the classic city"),
    ("a square too few", changed(squares=[None] * 15), "16 squares of the classic city"),
    ("a square too many", changed(squares=[None] * 17), "16 squares of the classic city"),
    ("squares of the other mode", changed(mode="expert"), "20 squares of the expert city"),
    ("squares in lines", changed(squares=[[None] * 4] * 4), "squares: "),
    ("unknown type", on_c2("castle"), "squares: c2 (number 7 of the list): type 'castle' is not one of tower, "),
    ("type in capitals", on_c2("Tower"), "c2 (number 7 of the list): type 'Tower'"),
    ("type null", on_c2(None), "c2 (number 7 of the list): type None"),
    ("type list", on_c2([]), "c2 (number 7 of the list): type []"),
    ("half a character", on_c2("\ud800"), "c2 (number 7 of the list): type '\\ud800'"),
    ("office in classic", on_c2("office"), "c2 (number 7 of the list): type 'office'"),
    ("monument in classic", on_c2("monument"), "c2 (number 7 of the list): type 'monument'"),
    ("unknown type in expert", on_c2("castle", "expert"), "squares: c2 (number 8 of the list): type 'castle'"),
    ("building without a type", changed(squares=[{"floors": 1, "vp": 0}, *[None] * 15]), "a1 (number 1 of"),
    ("building as text", changed(squares=[*[None] * 15, "park"]), "d4 (number 16 of the list): 'park'"),
    ("building as a list", changed(squares=[*[None] * 15, []]), "d4 (number 16 of the list): []"),
    ("building false", changed(squares=[*[None] * 15, False]), "d4 (number 16 of the list): False"),
    ("building zero", changed(squares=[*[None] * 15, 0]), "d4 (number 16 of the list): 0"),
    ("no floors", changed(squares=[{"type": "park", "vp": 0}, *[None] * 15]), "a1 (number 1 of the list): floors"),
    ("floors 0", on_c2("tower", floors=0), "c2 (number 7 of the list): floors 0"),
    ("floors negative", on_c2("tower", floors=-1), "c2 (number 7 of the list): floors -1"),
    ("floors 5 in classic", on_c2("tower", floors=5), "floors 5 is not a whole number from 1 to 4"),
    ("floors 6 in expert", on_c2("tower", "expert", floors=6), "floors 6 is not a whole number from 1 to 5"),
    ("floors 6 of an office", on_c2("office", "expert", floors=6), "floors 6 is not a whole number from 1 to 5"),
    ("floors 2 of a shop", on_c2("shop", floors=2), "floors 2 is not a whole number from 1 to 1"),
    ("floors true", on_c2("tower", floors=True), "c2 (number 7 of the list): floors True"),
    ("floors 1.0", on_c2("tower", floors=1.0), "c2 (number 7 of the list): floors 1.0"),
    ("floors text", on_c2("tower", floors="1"), "c2 (number 7 of the list): floors '1'"),
    ("floors null", on_c2("tower", floors=None), "c2 (number 7 of the list): floors None"),
    ("no vp", changed(squares=[{"type": "park", "floors": 1}, *[None] * 15]), "a1 (number 1 of the list): vp"),
    ("vp negative", on_c2("service", vp=-1), "c2 (number 7 of the list): vp -1"),
    ("vp huge", on_c2("service", vp=1000), "c2 (number 7 of the list): vp 1000"),
    ("vp true", on_c2("service", vp=True), "c2 (number 7 of the list): vp True"),
    ("vp 0.5", on_c2("service", vp=0.5), "c2 (number 7 of the list): vp 0.5"),
    ("unknown key", changed(enrgy=1), "unknown key 'enrgy', did you mean 'energy'? (known: energy, inhabitants, "),
    (
        "key that is nothing like it",
        changed(name="Zürich"),
        "unknown key 'name' (known: energy, inhabitants, mix, ",
    ),
    (
        "unknown key of a square",
        on_c2("tower", floor=1),
        "c2 (number 7 of the list): unknown key 'floor', did you",
    ),
    ("key of a tile", on_c2("tower", mayor=False), "list): unknown key 'mayor' (known: floors, holds, type, vp)"),
    ("holds 10", on_c2("park", holds=10), "c2 (number 7 of the list): holds 10 is not a whole number from 0 to 9"),
    ("holds null", on_c2("park", holds=None), "holds None is not a whole number from 0 to 9"),
    ("holds true", on_c2("park", holds=True), "holds True is not a whole number from 0 to 9"),
    ("holds of a shop", on_c2("shop", holds=1), "holds 1, where only parks hold energy: 0 or nothing for a shop"),
    *(
        (f"{key} {value!r}"[:40], changed(**{key: value}), f"{key}: {value!r} is not a whole number from 0 to 999")
        for key in ("inhabitants", "energy")
        for value in (-1, 1.5, 2.0, 1000, 2**64, 10**400, True, None, "3", [], float("inf"), float("nan"))
    ),
]


@pytest.mark.parametrize(("data", "words"), [pytest.param(*case, id=name) for name, *case in NO_CITIES])
def test_what_is_no_city_is_refused_with_the_place(tmp_path, data, words):
    path = tmp_path / "city.json"
    path.write_text(json.dumps(data))
    assert words in refusal(path)
    assert words in refusal(path, "--json")


DEEP = 100_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "line 1, column 1: not JSON", id="empty"),
        pytest.param(b"\xef\xbb\xbf", "line 1, column 1: not JSON", id="BOM alone"),
        pytest.param(b"mode: classic", "line 1, column 1: not JSON", id="not JSON"),
        pytest.param(b'{"mode":\n  oops}', "line 2, column 3: not JSON", id="wrong word"),
        pytest.param(b'{"mode": "classic",\n', "line 2, column 1: not JSON", id="torn"),
        pytest.param(b'{"mode": "cla\0ssic"}', "line 1, column 14: not JSON", id="NUL"),
        pytest.param(json.dumps(OFFICES).encode() + b"\n{}", "line 2, column 1: not JSON", id="two cities"),
        pytest.param(b"\x89PNG\r\n\x1a\n", "not UTF-8", id="picture"),
        pytest.param('{"mode": "é"}'.encode("latin-1"), "not UTF-8", id="Latin-1"),
        pytest.param(json.dumps(OFFICES).encode("utf-16"), "not UTF-8", id="UTF-16"),
        pytest.param(b"[" * DEEP, "nested too deeply", id="deep lists, torn"),
        pytest.param(b"[" * DEEP + b"]" * DEEP, "nested too deeply", id="deep lists"),
        pytest.param(b'{"mode":' * DEEP + b"1" + b"}" * DEEP, "nested too deeply", id="deep objects"),
        pytest.param(
            json.dumps(changed()).replace("null", "[" * 900 + "]" * 900, 1).encode(),
            "squares: a1",
            id="rather deep square",
        ),
        pytest.param(
            json.dumps(changed()).replace('"energy": 1', f'"energy": 1{"0" * 5000}').encode(),
            "",
            id="number too long to convert",
        ),
    ],
)
def test_what_is_not_json_is_refused(tmp_path, content, words):
    path = tmp_path / "city.json"
    path.write_bytes(content)
    assert words in refusal(path)


def test_absent_file_is_refused(tmp_path):
    assert refusal(tmp_path / "absent.json") == "cannot be read: No such file or directory"


def test_directory_is_refused(tmp_path):
    assert refusal(tmp_path).startswith("cannot be read: ")


def test_endless_name_is_refused():
    result = CliRunner().invoke(main, ["score", "a" * 5000])
    assert result.exit_code == 2
    assert re.fullmatch(r"qpolis: a+ \.\.\. a+: cannot be read: File name too long\n", result.stderr)


def test_name_of_two_lines_gives_one_line():
    result = CliRunner().invoke(main, ["score", "two\nlines.json"])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_wrong_standard_input_is_refused():
    result = CliRunner().invoke(main, ["score", "-"], input="{}")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == "qpolis: -: mode is missing (a city has mode, squares, inhabitants and energy)\n"


def test_program_refuses_in_one_line(tmp_path):
    path = tmp_path / "city.json"
    path.write_bytes(b"[" * DEEP)
    done = subprocess.run(
        [sys.executable, "-m", "qpolis.cli", "score", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"qpolis: {path}: not a city: nested too deeply\n"
