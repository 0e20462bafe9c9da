"""Quadrilatère in the browser: what is drawn is what the position says, and every legal action can be clicked."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from helpers.browser import watched
from helpers.quadrilateres import tight
from naive.quadrilatere import LENGTHS, SUPPLY, length, read_house
from qpolis.games import load_game
from qpolis.report.content.replay import frame, move
from qpolis.report.pages.markup import tag
from qpolis.report.pages.page import page as whole_page

LONG = "a name that is much longer than the room there is for it, <b>with markup</b> and \u202e other tricks"
SHOW = """([frame, scene]) => {
  const bots = ["one", "two"];
  window.chosen = [];
  document.body.replaceChildren(qpolis.viewers.quadrilatere.draw(frame.position, { bots, seat: null,
    player: frame.player, move: frame.move, last: null, legal: null, details: frame.details, hints: null,
    choose: (action) => window.chosen.push(action), ...scene }));
}"""
DRAWN = """(frames) => frames.map((frame, number) => {
  const drawn = qpolis.viewers.quadrilatere.draw(frame.position, { bots: ["one", "two"], seat: null,
    player: frame.player, move: frame.move, last: number ? frames[number - 1].move : null, legal: null,
    choose: () => {}, details: frame.details, hints: null });
  const all = (name) => [...drawn.querySelectorAll(`[data-${name}]`)].map((one) => one.dataset[name]);
  return { houses: all("house").sort(), owners: all("owner").map(Number), closed: all("closed"),
    squares: all("squares").map(Number), text: drawn.textContent };
})"""
# Clicks through all there is to choose from, step by step, where a pointer would; returns what was chosen.
REACHED = """() => {
  const found = new Set();
  const click = (one) => {
    const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!one.contains(hit)) throw new Error(`${one.outerHTML} is hidden`);
    hit.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  };
  const here = (name) => [...document.querySelectorAll(`[data-${name}]`)].map((one) => one.dataset[name]);
  const all = () => {
    for (const action of here("action")) {
      window.chosen = [];
      click(document.querySelector(`[data-action="${action}"]`));
      if (String(window.chosen) !== action) throw new Error(`${action} chose ${window.chosen}`);
      found.add(window.chosen[0]);
    }
  };
  all();
  for (const step of here("step")) {
    click(document.querySelector(`[data-step="${step}"]`));
    all();
    const back = document.querySelector('[data-step="other"]');
    if (back) click(back);
  }
  return [...found].sort((one, other) => one - other);
}"""


@pytest.fixture(scope="module")
def tab(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_bytes(
        whole_page("x", tag("p", "x"), styles=["viewer.css"], scripts=["viewer.js"], games=["quadrilatere"])
    )
    with watched(browser) as found:
        found.goto(path.as_uri())
        yield found


@pytest.fixture
def page(tab):
    """A page that was not used yet."""
    tab.reload()
    return tab


def played(game, choose):
    """The states of a game, each with what was chosen in it."""
    state = game.new()
    while not state.over:
        action = choose(state)
        yield state.copy(), action
        state.apply(action)
    yield state, None


def at_random(seed):
    source = random.Random(seed)
    return lambda state: source.choice(state.legal())


def greedily(seed):
    """Of some actions the one after which the player owns most squares, or has closed most places."""
    source = random.Random(seed)

    def after(state, action):
        then = state.copy()
        then.apply(action)
        return then.scores()[state.player], len(then.to_dict()["closed"])

    def choose(state):
        legal = state.legal()
        return max(source.sample(legal, min(len(legal), 40)), key=lambda action: after(state, action))

    return choose


CHOICES = {"random": at_random, "greedy": greedily}


@cache
def states(name):
    return list(played(load_game("quadrilatere"), CHOICES[name](1)))


def replay(name):
    return [
        {**frame(state), "move": None if action is None else move(state, action)} for state, action in states(name)
    ]


def at_stage(stage):
    """The state of the greedy game at this stage in which there is most to choose from."""
    found = [state for state, _ in states("greedy") if state.to_dict()["stage"] == stage]
    return max(found, key=lambda state: len(state.legal()))


def asked(state):
    return {"legal": [{"action": action, "text": state.game.action_text(action)} for action in state.legal()]}


def test_each_turn_is_a_chapter():
    replay = states("greedy")
    chapters = dict.fromkeys(state.game.chapter(state) for state, _ in replay)
    assert list(chapters) == [f"turn {n + 1}" for n in range(replay[-1][0].to_dict()["turn"])] + ["end"]


@pytest.mark.parametrize("name", CHOICES)
def test_the_drawing_shows_the_position(page, name):
    frames = replay(name)
    for shown, drawn in zip(frames, page.evaluate(DRAWN, frames), strict=True):
        told = shown["position"]
        assert drawn["houses"] == told["houses"]
        assert [drawn["owners"].count(seat) for seat in (0, 1)] == shown["scores"] == drawn["squares"]
        assert drawn["closed"] == told["closed"]
        assert ("to move" in drawn["text"]) == (shown["player"] is not None)


@pytest.mark.parametrize("stage", ["place", "slide", "claim"])
def test_every_legal_action_can_be_clicked(page, stage):
    state = at_stage(stage)
    page.evaluate(SHOW, [frame(state), asked(state)])
    assert page.evaluate(REACHED) == state.legal()


def test_houses_are_placed_with_the_pointer(page):
    """Candidates with the same middle do not hide each other, and the size stays chosen."""
    state = load_game("quadrilatere").new()
    page.evaluate(SHOW, [frame(state), asked(state)])
    assert page.locator("[data-action]").count() == 0
    wanted = {"small": ["c3-d3", "a1-a2"], "medium": ["c3-e3", "d2-d4"], "large": ["c3-f3", "i6-i9"]}
    for size, houses in wanted.items():
        page.click(f'[data-step="{size}"]')
        for house in houses:
            page.click(f'[data-action="{state.game.action_of(house)}"]')
    page.evaluate("window.before = window.chosen")
    page.evaluate(SHOW, [frame(state), asked(state)])
    page.focus(f'[data-action="{state.game.action_of("a1-d1")}"]')
    page.keyboard.press("Enter")
    found = page.evaluate("[...window.before, ...window.chosen]")
    assert [state.game.action_text(action) for action in found] == [*itertools.chain(*wanted.values()), "a1-d1"]


@pytest.mark.parametrize("stage", ["place", "slide", "claim"])
def test_hints_have_ranks(page, stage):
    state = at_stage(stage)
    best = [{**one, "visits": 5, "value": 0.5} for one in asked(state)["legal"][::-1]]
    page.evaluate(SHOW, [frame(state), {**asked(state), "hints": best}])
    ranks = page.evaluate("[...document.querySelectorAll('[data-hint]')].map((one) => one.dataset.hint)")
    assert sorted(ranks) == ["1", "2", "3"][: len(best)]


def test_the_turn_before_is_marked(page):
    told = replay("random")
    after = next(
        n
        for n, shown in enumerate(told)
        if shown["position"]["stage"] == "place"
        and told[n - 1]["position"]["slid"]
        and told[n - 1]["move"]["text"] == "leave"
    )
    recent = [shown["move"] for shown in told[after - 5 : after]]
    page.evaluate(SHOW, [told[after], {"last": recent[-1], "recent": recent}])
    for mark, text in (("placed", recent[-3]["text"]), ("slid", recent[-2]["text"].partition(">")[0])):
        assert [one.get_attribute(f"data-{mark}") for one in page.locator(f"[data-{mark}]").all()] == [text]


def test_names_are_cut_and_nothing_else(page):
    page.set_viewport_size({"width": 420, "height": 800})
    page.evaluate(SHOW, [frame(at_stage("slide")), {"bots": [LONG, LONG]}])
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    assert page.locator(".ql-name [title]").first.get_attribute("title") == LONG
    assert page.locator(".ql b").count() == 0
    page.evaluate("document.body.replaceChildren(qpolis.viewers.quadrilatere.legend())")
    assert "Who owns more squares wins" in page.locator("body").inner_text()


def position_of(houses, places=(), supply=None):
    """A position: the start, with these houses, and places of the first player."""
    game = load_game("quadrilatere")
    told = game.new().to_dict()
    lengths = sorted((length(read_house(text)) for text in houses.split()), reverse=True)
    left = supply or [
        {kind: SUPPLY[kind] - lengths[seat::2].count(size) for kind, size in LENGTHS.items()} for seat in (0, 1)
    ]
    return game.from_dict(
        {
            **told,
            "turn": len(lengths),
            "player": len(lengths) % 2,
            "houses": sorted(houses.split()),
            "supply": left,
            "monuments": [6 - len(places), 6],
            "places": [{"owner": 0, "squares": place.split()} for place in places],
        }
    )


def test_a_house_inside_an_occupied_place_is_drawn_in_it(page):
    state = position_of("b2-d2 b4-d4 b2-b4 d2-d4 c2-c3 c6-d6", ["b2 c2 b3 c3"])
    page.evaluate(SHOW, [frame(state), asked(state)])
    assert page.locator("[data-owner]").count() == 4
    assert page.locator('[data-house="c2-c3"]').is_visible()
    assert page.evaluate(REACHED) == state.legal()


def test_a_pass_is_clicked_and_shown(page):
    state = position_of(tight()[0], supply=tight()[1])
    assert [state.game.action_text(action) for action in state.legal()] == ["pass"]
    page.evaluate(SHOW, [frame(state), asked(state)])
    assert page.evaluate(REACHED) == state.legal()
    assert "No house fits:" in page.locator(".ql").inner_text()
    chosen = move(state, state.legal()[0])
    page.evaluate(SHOW, [{**frame(state), "move": chosen}, {}])
    assert page.locator(".now").inner_text() == "place: pass"
    state.apply(state.legal()[0])
    placed = {**chosen, "text": "i6-i7"}
    page.evaluate(SHOW, [frame(state), {"last": chosen, "recent": [placed, chosen]}])
    assert page.locator("[data-placed]").count() == 0  # the turn before was passed
