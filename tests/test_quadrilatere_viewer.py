"""Quadrilatère in the browser: what is drawn is what the position says, and every legal action can be clicked."""

from __future__ import annotations

import random

import pytest
from browser import started, watched

from qpolis.games import load_game
from qpolis.report.film import frame, move
from qpolis.report.html.markup import tag
from qpolis.report.html.page import page as whole_page

LONG = "a name that is much longer than the room there is for it, <b>with markup</b> and \u202e other tricks"
SHOW = """([frame, scene]) => {
  const bots = ["one", "two"];
  window.chosen = [];
  document.body.replaceChildren(qpolis.viewers.quadrilatere.draw(frame.position, { bots, seat: null,
    player: frame.player, move: frame.move, last: null, legal: null, choose: (action) => window.chosen.push(action),
    details: frame.details, hints: null, ...scene }));
}"""
DRAWN = """(frames) => frames.map((frame, number) => {
  const drawn = qpolis.viewers.quadrilatere.draw(frame.position, { bots: ["one", "two"], seat: null,
    player: frame.player, move: frame.move, last: number ? frames[number - 1].move : null, legal: null,
    choose: () => {}, details: frame.details, hints: null });
  document.body.replaceChildren(drawn);
  const all = (name) => [...drawn.querySelectorAll(`[data-${name}]`)].map((one) => one.dataset[name]);
  return { houses: all("house").sort(), owners: all("owner").map(Number), closed: all("closed"),
    squares: all("squares").map(Number), wall: all("edge").length, text: drawn.innerText };
})"""
# Clicks through all there is to choose from, step by step, and returns what was chosen.
REACHED = """() => {
  const found = new Set();
  const click = (one) => one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const here = (name) => [...document.querySelectorAll(`[data-${name}]`)].map((one) => one.dataset[name]);
  const all = () => {
    for (const action of here("action")) {
      window.chosen = [];
      click(document.querySelector(`[data-action="${action}"]`));
      if (window.chosen.length !== 1 || String(window.chosen[0]) !== action) throw new Error(`${action} chose wrongly`);
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
def browser():
    with started() as found:
        yield found


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(whole_page("x", tag("p", "x"), styles=["viewer.css"], scripts=["viewer.js"],
                                games=["quadrilatere"]))
    with watched(browser) as found:
        found.goto(path.as_uri())
        yield found


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


def greedily(state):
    """Claim and slide whenever it is possible; place at random but next to others, so that places are closed."""
    return max(state.legal(), key=lambda action: after(state, action))


def after(state, action):
    seat, then = state.player, state.copy()
    then.apply(action)
    told = then.to_dict()
    return (then.scores()[seat], len(told["closed"]), action * 7919 % 1009)


def film(game, choose):
    frames = []
    for state, action in played(game, choose):
        frames.append({**frame(state), "move": None if action is None else move(state, action)})
    return frames


def test_each_turn_is_a_chapter():
    states = list(played(load_game("quadrilatere"), greedily))
    chapters = [state.game.chapter(state) for state, _ in states]
    assert list(dict.fromkeys(chapters)) == [f"turn {n + 1}" for n in range(states[-1][0].to_dict()["turn"])] + ["end"]


@pytest.mark.parametrize("border", ["groove", "wall"])
@pytest.mark.parametrize("choose", [at_random(1), greedily], ids=["random", "greedy"])
def test_the_drawing_shows_the_position(page, border, choose):
    frames = film(load_game("quadrilatere", border=border), choose)
    for shown, drawn in zip(frames, page.evaluate(DRAWN, frames), strict=True):
        told = shown["position"]
        assert drawn["houses"] == told["houses"]
        assert [drawn["owners"].count(seat) for seat in (0, 1)] == shown["scores"] == drawn["squares"]
        assert drawn["closed"] == told["closed"]
        assert drawn["wall"] == (border == "wall")
        assert ("to move" in drawn["text"]) == (shown["player"] is not None)
