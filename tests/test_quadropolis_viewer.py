"""Quadropolis in the browser: what is drawn is what is there, every legal action can be clicked, and the points
are those of the engine."""

from __future__ import annotations

import random
import re

import pytest

from helpers.browser import watched
from qpolis.game import State
from qpolis.games import load_game
from qpolis.games.quadropolis import rules
from qpolis.games.quadropolis.layout import DISCARD, PLACE, POINTED, POSITIONS
from qpolis.report.content.replay import frame, game_facts
from qpolis.report.pages.markup import tag
from qpolis.report.pages.page import page

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")

NASTY = "<img src=x onerror=alert(1)> is a bot with quite a long name"
SHOW = """(shown) => {
  window.chosen = [];
  const scene = { bots: [shown.name, "b", "c", "d"], seat: null, player: shown.frame.player, move: null,
    last: null, details: shown.frame.details, hints: null, choose: (action) => chosen.push(action),
    ...shown.scene };
  document.getElementById("stage").replaceChildren(qpolis.viewers.quadropolis.draw(shown.frame.position, scene));
}"""
COUNT = """(frames) => frames.map((frame, number) => {
  const last = number ? frames[number - 1].move : null;
  const drawn = qpolis.viewers.quadropolis.draw(frame.position, { bots: ["a", "b", "c", "d"], seat: null, last,
    player: frame.player, move: frame.move, legal: null, choose: null, details: frame.details, hints: null });
  const all = (selector) => [...drawn.querySelectorAll(selector)];
  return {
    site: all("[data-site]").map((square) => { const tile = square.querySelector("[data-tile]");
      return tile && tile.dataset.tile; }),
    cities: all("[data-city]").map((city) => [...city.querySelectorAll("[data-square]")].map((square) => {
      const built = square.querySelector("[data-building]");
      return built && [built.dataset.building, square.querySelectorAll("[data-floor]").length]; })),
    pawns: all("[data-post] > g").length, blocked: all("[data-blocked]").length, held: all("[data-held]").length,
    picks: all("[data-action], [data-step], [tabindex]").length, inactive: all("[data-inactive]").length,
    inhabitants: all("[data-token=inhabitants]").length, energy: all("[data-token=energy]").length,
    totals: all("[data-total]").map((total) => Number(total.textContent)),
  };
})"""
REACH = """() => {
  const stage = document.getElementById("stage");
  const found = {};
  const collect = () => { for (const one of stage.querySelectorAll("[data-action]")) {
    found[one.dataset.action] = one.getAttribute("aria-label");
    one.dispatchEvent(new MouseEvent("click"));
    if (String(chosen.pop()) !== one.dataset.action) throw new Error(`not ${one.dataset.action}`);
  } };
  const steps = () => [...stage.querySelectorAll("[data-step]")].map((step) => step.dataset.step);
  const click = (step) => stage.querySelector(`[data-step="${step}"]`).dispatchEvent(new MouseEvent("click"));
  collect();
  for (const step of steps()) {
    click(step);
    collect();
    const further = steps().find((name) => name.startsWith("square"));
    if (!further) continue;
    click(further);
    if (stage.querySelectorAll("[data-post][data-action]").length < 2) throw new Error(`${further} leads nowhere`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def stage(browser, tmp_path_factory):
    """A page on which positions can be drawn."""
    path = tmp_path_factory.mktemp("page") / "stage.html"
    body = tag("div", tag("div", id="stage", class_="board"), class_="viewer")
    path.write_bytes(page("stage", body, styles=["viewer.css"], scripts=["viewer.js"], games=["quadropolis"]))
    with watched(browser) as opened:
        opened.goto(path.as_uri())
        yield opened


def positions(mode: str, players: int, seed: int = 1, mix: str = "base") -> list[tuple[State, int | None]]:
    """A random game in which little is discarded, with what is decided in every position."""
    game = load_game("quadropolis", mode=mode, players=players, mix=mix)
    state, rng, found = game.new(seed), random.Random(seed), []
    while not state.over:
        action = rng.choice([action for action in state.legal() if action != DISCARD] or state.legal())
        found.append((state.copy(), action))
        state.apply(action)
    return [*found, (state, None)]


def shown(state: State, **scene: object) -> dict[str, object]:
    legal = [{"action": action, "text": state.game.action_text(action)} for action in state.legal()]
    return {"frame": frame(state), "name": NASTY, "scene": {"legal": legal, **scene}}


@pytest.mark.parametrize("mode", rules.MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_details_agree_with_the_engine(mode, players):
    chapters = []
    for state, _ in positions(mode, players)[::3]:
        told = state.to_dict()
        chapters.append(state.game.chapter(state))
        seats = state.game.details(state)["seats"]
        for seat, (found, score) in enumerate(zip(seats, state.scores(), strict=True)):
            assert sum(found["points"].values()) + found["penalties"] == found["total"] == score
            assert found["penalties"] == -sum(found["idle"].values())
            assert min(found["idle"].values()) >= 0
            for what in ("inhabitants", "energy"):
                assert sum(found[what].values()) + found["idle"][what] == told[what][seat]
                assert set(map(int, found[what])) <= set(found["active"])
    assert list(dict.fromkeys(chapters)) == [f"round {number}" for number in range(1, 5 + (mode == "expert"))]


def test_details_are_the_mat():
    game = load_game("quadropolis", mode="expert")
    details = game.details(game.new())
    assert details["numbers"][5:8] == [5, 4, 2]
    assert details["districts"][5:8] == [1, 1, 4]
    assert (details["columns"], details["rounds"], len(details["kinds"])) == (5, 5, 8)


def test_details_put_as_much_energy_on_parks_as_they_hold():
    """Playgrounds stay empty, the others are filled before energy is idle."""
    full = set()
    for state, _ in positions("classic", 4, seed=2, mix="base:park=0holds@1:park=2holds@2"):
        details = state.game.details(state)
        assert state.game.facts()["holds"] == [0, 1, 2]
        for city, seat in zip(state.to_dict()["cities"], details["seats"], strict=True):
            for square, built in enumerate(city):
                if built and built["type"] == "park":
                    on_it = seat["energy"].get(str(square), 0)
                    assert on_it <= built["holds"]
                    assert on_it == built["holds"] or not seat["idle"]["energy"]
                    full.add(on_it)
    assert full == {0, 1, 2}


def test_parks_say_what_they_hold_where_they_differ(stage):
    titles = """(frames) => frames.flatMap(({ position, details, player }) => {
      const drawn = qpolis.viewers.quadropolis.draw(position, { bots: ["a", "b", "c", "d"], seat: null, player,
        last: null, move: null, legal: null, choose: null, details, hints: null });
      return [...drawn.querySelectorAll("[data-tile=park] > title, [data-building=park] > title")]
        .map((title) => title.textContent);
    })"""
    said = {
        mix: set(
            stage.evaluate(titles, [frame(state) for state, _ in positions("classic", 4, seed=2, mix=mix)[::8]])
        )
        for mix in ("base", "playgrounds")
    }
    assert said["base"] == {"park"}
    assert {
        "park (holds 1 energy)",
        "park (1 inhabitants, holds 0 energy)",
        "park, holds 0 energy",
        "park, holds 1 energy",
    } == said["playgrounds"]


@pytest.mark.parametrize(("mode", "players"), [("classic", 2), ("expert", 4)])
def test_every_position_is_drawn_whole(stage, mode, players):
    game = positions(mode, players)
    frames = []
    for state, action in game:
        frames.append(frame(state))
        if action is not None:
            frames[-1]["move"] = {"seat": state.player, "action": action, "text": state.game.action_text(action)}
    for (state, _), made, counted in zip(game, frames, stage.evaluate(COUNT, frames), strict=True):
        told = state.to_dict()
        over = told["player"] is None
        assert counted["site"] == ([] if over else [tile and tile["type"] for tile in told["site"]])
        assert counted["cities"] == [
            [
                built and [built["type"], built["floors"] if built["type"] in ("tower", "office") else 0]
                for built in city
            ]
            for city in told["cities"]
        ]
        assert counted["pawns"] == len(told["architects"])
        assert counted["held"] == (told["held"] is not None)
        assert counted["picks"] == 0
        assert counted["totals"] == state.scores()
        seats = made["details"]["seats"]
        built = sum(square is not None for city in told["cities"] for square in city)
        assert counted["inactive"] == (built - sum(len(seat["active"]) for seat in seats) if over else 0)
        for what in ("inhabitants", "energy"):
            assert counted[what] == (sum(sum(seat[what].values()) for seat in seats) if over else 0)
    assert counted["inactive"] > 0
    assert counted["inhabitants"] > 0


@pytest.mark.parametrize(("mode", "players"), [("classic", 3), ("expert", 4)])
def test_every_legal_action_can_be_clicked(stage, mode, players):
    game = [state for state, action in positions(mode, players) if action is not None]
    for state in [game[0], *game[-2:], *random.Random(players).sample(game, 4)]:
        told = state.to_dict()
        stage.evaluate(SHOW, shown(state))
        found = stage.evaluate(REACH)
        assert sorted(map(int, found)) == state.legal()
        for action, label in found.items():
            if int(action) >= PLACE:
                assert label.startswith(("place ", "discard "))
                continue
            number, position = divmod(int(action), POSITIONS)
            tile = told["site"][POINTED[number, position]]
            if " or " not in label:
                assert f"architect {number + 1} at " in label
            assert (tile["type"] if tile else "an empty square") in label


def test_mouse_and_keyboard_choose(stage):
    game = [state for state, action in positions("expert", 3) if action is not None]
    take = next(state for state in game[40:] if state.record.held == -1)
    place = next(state for state in game[40:] if state.record.held != -1)
    hints = [
        {"action": action, "text": take.game.action_text(action), "visits": 9, "value": 0.5}
        for action in take.legal()[:5]
    ]
    stage.evaluate(SHOW, shown(take, hints=hints))
    assert stage.locator("[data-hint]").count() == 3
    first = take.legal()[0]
    stage.locator(f"[data-step=architect-{first // POSITIONS + 1}]").press("Enter")
    stage.locator(f"[data-post][data-action='{first}']").focus()
    assert "the urbanist goes to line" in stage.locator(".told").inner_text()
    stage.locator(f"[data-post][data-action='{first}']").press("Space")
    for action in take.legal()[-3:]:
        stage.locator(f"[data-step=architect-{action // POSITIONS + 1}]").click()
        stage.locator(f"[data-post][data-action='{action}']").click()
    assert stage.evaluate("chosen") == [first, *take.legal()[-3:]]
    stage.evaluate("window.chosen = []")
    squares = stage.locator("[data-site][data-action]")
    wanted = [int(square.get_attribute("data-action")) for square in squares.all()]
    for square in squares.all():
        square.click()
    assert wanted
    assert stage.evaluate("chosen") == wanted
    stage.evaluate(SHOW, shown(place))
    for action in place.legal():
        stage.locator(f"[data-action='{action}']").click()
    assert stage.evaluate("chosen") == place.legal()
    stage.evaluate(SHOW, shown(place, details={}, bots=[NASTY]))  # what is not known is left out
    assert stage.locator("[data-square]").count() == 3 * 20
    assert NASTY in stage.locator("[data-city='0'] title").all_text_contents()
    assert [text for text in stage.locator("[data-city='0'] text").all_text_contents() if text.endswith("…")]


def legend_of(stage, **options: object) -> str:
    """What the legend of a game says, and it is the page that is shown."""
    game = load_game("quadropolis", **options)
    stage.evaluate("(replay) => document.body.append(qpolis.legend(replay))", game_facts(game, [], ""))
    return stage.evaluate("document.body.lastChild.querySelector('.quadropolis').textContent")


def listed(points) -> str:
    return ", ".join(map(str, points))


@pytest.mark.parametrize(("mode", "most", "longest"), [("classic", 4, 4), ("expert", 5, 5)])
def test_the_legend_says_what_the_rules_of_the_mode_say(stage, mode, most, longest):
    said = legend_of(stage, mode=mode)
    for words, points in (
        (f"by floors, at most {most}", rules.TOWER_POINTS[1 : most + 1]),
        (f"at most {most}", rules.SHOP_POINTS[1 : most + 1]),
        ("by districts that have one", rules.SERVICE_POINTS[1 : most + 1]),
        ("beside it", rules.PARK_POINTS[1:]),
        ("by its length from 2 on", rules.LINE_POINTS[2 : longest + 1]),
    ):
        assert re.search(rf"{words}[^:]*: {listed(points)}(?!, \d)", said), words
    assert f"up to {most} floors; architect n may add a floor where it may build, and on any stack when" in said
    assert ("office tower" in said, "monument" in said) == ((True, True) if mode == "expert" else (False, False))
    assert ("district n" in said) == (mode == "expert")


def test_the_legend_of_expert_has_offices_and_monuments_whole(stage):
    said = legend_of(stage, mode="expert")
    assert "4 for each office tower beside it, 3 harbor, 2 shop" in said
    assert sorted(rules.FACTORY_POINTS.values()) == [2, 3, 4]
    minus = "\N{MINUS SIGN}5"
    assert f"5 for each park beside it, 3 shop, 2 public service, {minus} factory, {minus} harbor" in said
    assert rules.MONUMENT_POINTS == {"factory": -5, "harbor": -5, "service": 2, "shop": 3, "park": 5}
    cells = stage.locator("table.offices").last.locator("tbody tr").all()
    table = [[cell.strip() for cell in row.locator("td").all_text_contents()] for row in cells]
    assert table == [[str(points) for points in row[1:]] for row in rules.OFFICE_POINTS[1:]]


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        ("base", "holds 1 unused energy"),
        ("park-homes", "holds no unused energy"),
        ("base:park=3holds", "holds 3 "),
    ],
)
def test_the_legend_says_what_parks_hold(stage, mix, words):
    assert words in legend_of(stage, mix=mix)


def test_the_legend_says_that_parks_differ(stage):
    told = {**load_game("quadropolis").facts(), "holds": [0, 1]}
    said = stage.evaluate("(facts) => qpolis.viewers.quadropolis.legend(facts).textContent", told)
    assert "holds 0 or 1 unused energy, as its tile says" in said
