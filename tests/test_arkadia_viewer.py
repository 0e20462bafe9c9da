"""Arkadia in the browser: what is drawn is what is there, nobody's cards are shown to others, and every legal
action can be clicked."""

from __future__ import annotations

import random

import pytest

from helpers.arkadia_boards import uneven
from helpers.browser import watched
from qpolis.games import load_game
from qpolis.games.arkadia.board_file import load_board
from qpolis.games.arkadia.layout import FAMILY_NAMES, STAGES, TYPES
from qpolis.registry.spec import resolve
from qpolis.report.content.replay import frame, move
from qpolis.report.pages.markup import tag
from qpolis.report.pages.page import page
from qpolis.tourney.match import play_deals

SHOWN = 3  # every third position of a game is drawn
CASES = 3  # positions of each stage in which all choices are tried
NASTY = "<img src=x onerror=alert(1)> is a bot with quite a long name"
SHOW = """(shown) => {
  window.chosen = [];
  const scene = { bots: [shown.name || "a", "b", "c", "d"], seat: shown.seat, player: shown.frame.player,
    move: shown.frame.move, last: shown.last, legal: shown.legal || null, hints: shown.hints || null,
    choose: (action) => chosen.push(action), details: shown.frame.details };
  const drawn = qpolis.viewers.arkadia.draw(shown.frame.position, scene);
  document.getElementById("stage").replaceChildren(drawn);
  return drawn;
}"""
COUNT = f"""(all) => all.map((shown) => {{
  const drawn = ({SHOW})(shown);
  const list = (selector, key) => [...drawn.querySelectorAll(selector)].map((one) => one.dataset[key]);
  const within = (seat, selector, key) => list(`[data-seat="${{seat}}"] ${{selector}}`, key);
  const seats = shown.frame.position.gold.map((_, seat) => ({{
    cards: within(seat, "[data-card]", "card"), backs: within(seat, "[data-back]", "back").length,
    workers: [...drawn.querySelectorAll(`[data-worker="${{seat}}"]`)].map((one) => one.dataset.square),
    gold: within(seat, "[data-gold]", "gold"), own: within(seat, "[data-own]", "own"),
    helpers: within(seat, "[data-helpers]", "helpers"), banners: within(seat, "[data-banners]", "banners"),
    seals: ["Red", "Olive", "Black", "Silver"].map((family) =>
      Number(within(seat, `[data-seals-${{family.toLowerCase()}}]`, `seals${{family}}`)[0])),
  }}));
  const every = (selector, told) => [...drawn.querySelectorAll(selector)].map(told);
  return {{ seats, buildings: list("[data-building]", "building"),
    neutral: list("[data-worker=neutral]", "square"),
    complete: list("[data-complete=true]", "building"), pile: list("[data-pile]", "pile"),
    castle: every("[data-castle]", (one) => [one.dataset.shows, Number(one.dataset.level)]),
    worth: every("[data-worth]", (one) => Number(one.textContent)),
    display: list(".display [data-card]:not([data-held])", "card"),
    marks: drawn.querySelectorAll(".to-come, .mark.move").length,
    choices: drawn.querySelectorAll("[data-action], [data-step], [tabindex]").length }};
}})"""
# Clicks everything: each step, and all turns of a building.
REACH = f"""(shown) => {{
  const problems = [];
  const reached = new Set();
  const seen = (one) => one.getBoundingClientRect().width > 0;
  const click = (one) => one.dispatchEvent(new MouseEvent("click", {{ bubbles: true, detail: 1 }}));
  const collect = (drawn) => {{
    for (const one of [...drawn.querySelectorAll("[data-action]")].filter(seen)) {{
      chosen.length = 0;
      click(one);
      if (String(chosen) !== one.dataset.action) problems.push(`${{one.dataset.action}} chose ${{chosen}}`);
      if (!one.getAttribute("aria-label")) problems.push(`${{one.dataset.action}} has no label`);
      reached.add(Number(one.dataset.action));
    }}
    if (![...drawn.querySelectorAll("[data-action], [data-step]")].some(seen)) problems.push("nothing to choose");
  }};
  const label = (one) => one.getAttribute("aria-label");
  const drawn = ({SHOW})(shown);
  collect(drawn);
  for (const name of [...drawn.querySelectorAll("[data-step]")].filter(seen).map(label)) {{
    const step = [...drawn.querySelectorAll("[data-step]")].find((one) => label(one) === name);
    const box = step.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (top && !step.contains(top)) problems.push(`${{name}} lies below something else`);
    click(step);
    collect(drawn);
    for (let turn = 1; turn < Number(name.match(/\\\\d+(?= ways)/) || 1); turn += 1) {{
      click(drawn.querySelector("[data-key=next]"));
      collect(drawn);
    }}
  }}
  return {{ reached: [...reached].sort((a, b) => a - b), problems }};
}}""".replace("\\\\", "\\")


def random_game(seed, **options):
    """All states of a game at random, with the action chosen in each."""
    choices = random.Random(seed)
    state = load_game("arkadia", **options).new(seed)
    while not state.over:
        action = choices.choice(state.legal())
        yield state, action
        state.apply(action)
    yield state, None


def greedy_game(seed, players):
    game = load_game("arkadia", players=players)
    actions = play_deals(game, [resolve("greedy")] * players, seed, 0, 1, record=True).actions
    state = game.new(seed)
    for action in actions.tolist():
        yield state, action
        state.apply(action)
    yield state, None


def shown(state, action, last, seat=None):
    made = {"frame": frame(state, seat), "seat": seat, "last": last}
    if action is not None:
        made["frame"]["move"] = move(state, action)
    return made


@pytest.fixture(scope="module")
def stage(browser, tmp_path_factory):
    """A page on which positions can be drawn."""
    path = tmp_path_factory.mktemp("page") / "stage.html"
    path.write_bytes(
        page("stage", tag("div", id="stage"), styles=["viewer.css"], scripts=["viewer.js"], games=["arkadia"])
    )
    with watched(browser, viewport={"width": 1000, "height": 1400}) as opened:
        opened.goto(path.as_uri())
        yield opened


def drawn_as_told(told, state, seat):
    """Is a drawing what a position is, as far as the seat may know it?"""
    data = state.to_dict()
    assert told["buildings"] == ["+".join(building["squares"]) for building in data["buildings"]]
    assert told["complete"] == ["+".join(one["squares"]) for one in data["buildings"] if one["complete"]]
    assert told["neutral"] == data["neutral"]
    assert told["castle"] == [[square["shows"] or "blank", square["level"]] for square in data["castle"]]
    shows = [square["shows"] for square in data["castle"]]
    assert told["worth"] == [shows.count(family) for family in FAMILY_NAMES]
    assert told["display"] == [card for card in data["display"] if card]
    assert told["pile"] == [str(len(data["pile"]))]
    for other, panel in enumerate(told["seats"]):
        assert panel["workers"] == data["workers"][other]
        for key in ("gold", "own", "helpers", "banners"):
            assert panel[key] == [str(data[key][other])]
        assert panel["seals"] == list(data["seals"][other].values())
        cards = data["hands"][other] if seat in (None, other) else data["known"][other]
        assert panel["cards"] == cards
        assert panel["backs"] == len(data["hands"][other]) - len(cards)


@pytest.mark.parametrize(("played", "players"), [(random_game, 2), (greedy_game, 4)])
def test_positions_are_drawn_and_hide_what_is_hidden(stage, played, players):
    last, asked, states = None, [], []
    for number, (state, action) in enumerate(played(3, players=players)):
        if number % SHOWN == 0 or action is None:
            for seat in (None, 0):
                asked.append(shown(state, action, last, seat))
                states.append((state.copy(), seat))
        last = None if action is None else move(state, action)
    for told, (state, seat) in zip(stage.evaluate(COUNT, asked), states, strict=True):
        drawn_as_told(told, state, seat)
        assert not told["choices"]  # nobody is asked
        if state.record.stage == STAGES.index("lay") and not state.over:
            assert told["marks"] == 1


CARD_FORMS = """() => [...document.querySelectorAll("[data-card]")].map((card) => {
  const box = card.querySelector("path.form").getBBox();
  const parts = card.querySelector("path.form").getAttribute("d").split("M").length - 1;
  const inside = box.x >= 0 && box.y >= 20 && box.x + box.width <= 56 && box.y + box.height <= 50;
  return [card.dataset.card, parts, inside];
})"""


def test_buildings_of_five_squares_are_drawn_on_the_board_and_fit_on_cards(stage, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(uneven())
    squares = {name: len(form) for name, form in zip(TYPES, load_board(str(path)).forms, strict=True)}
    laid, cards = 0, set()
    for number, (state, action) in enumerate(random_game(4, board=str(path), setup="intro")):
        if number % 9 == 0 and action is not None:
            (told,) = stage.evaluate(COUNT, [shown(state, action, None)])
            drawn_as_told(told, state, None)
            laid = max(laid, *(len(squares.split("+")) for squares in told["buildings"]))
            for card, parts, inside in stage.evaluate(CARD_FORMS):
                cards.add(card.rpartition("-")[0])
                assert parts == squares[card.rpartition("-")[0]]
                assert inside, card
    assert laid == 5
    assert cards == set(TYPES)


def test_every_legal_action_can_be_clicked(stage):
    found = {name: [] for name in STAGES}
    last = None
    for number, (state, action) in enumerate(random_game(10, players=3, setup="intro")):
        name = state.to_dict()["stage"]
        if action is not None and number % 7 == 0 and len(found[name]) < CASES:
            legal = [{"action": one, "text": state.game.text(state, one)} for one in state.legal()]
            hints = [{**one, "visits": 1, "value": 0.5} for one in legal[::-1][:4]]
            found[name].append({**shown(state, None, last, state.player), "legal": legal, "hints": hints})
        last = None if action is None else move(state, action)
    assert all(found.values()), {name: len(cases) for name, cases in found.items()}
    for case in (case for cases in found.values() for case in cases):
        told = stage.evaluate(REACH, case)
        assert told["problems"] == []
        assert told["reached"] == [one["action"] for one in case["legal"]]


def in_stage(name, seed=5):
    """A position of a stage, with all that is legal there."""
    for state, action in random_game(seed):
        if action is not None and state.to_dict()["stage"] == name and len(state.legal()) > 2:
            legal = [{"action": one, "text": state.game.text(state, one)} for one in state.legal()]
            return {**shown(state, None, None, state.player), "legal": legal, "name": NASTY}
    raise AssertionError(name)


def test_a_building_is_laid_with_the_mouse_and_with_keys(stage):
    case = in_stage("lay")
    stage.evaluate(SHOW, case)
    square = case["legal"][0]["text"].split("+")[0]
    stage.hover(f'[data-key="{square}"]')
    assert stage.locator("[data-ghost]").count() == 1
    stage.click(f'[data-key="{square}"]')
    stage.click("text=build here")
    [by_mouse] = stage.evaluate("chosen")
    stage.evaluate(SHOW, case)
    stage.focus(f'[data-key="{square}"]')
    stage.keyboard.press("Enter")
    stage.keyboard.press("Enter")
    assert stage.evaluate("chosen") == [by_mouse]
    assert by_mouse in [one["action"] for one in case["legal"] if square in one["text"].split("+")]


def test_arrow_keys_go_from_square_to_square(stage):
    stage.evaluate(SHOW, in_stage("lay"))
    stage.focus("[data-step]")
    before = stage.evaluate("document.activeElement.dataset.key")
    stage.keyboard.press("ArrowDown")
    after = stage.evaluate("document.activeElement.dataset.key")
    assert int(after[1:]) > int(before[1:])


def test_the_best_of_a_search_are_marked(stage):
    case = in_stage("act")
    case["hints"] = [{**one, "visits": 1, "value": 0.5} for one in case["legal"][:5]]
    stage.evaluate(SHOW, case)
    marked = stage.locator(".ark-badge, .badge text").all_inner_texts()
    assert set(marked) == {"1", "2", "3"}


def test_names_are_texts(stage):
    stage.evaluate(SHOW, in_stage("act"))
    assert stage.locator("#stage img").count() == 0
    assert stage.locator('[data-seat="0"] .ark-name').inner_text() == NASTY
    assert stage.locator('[data-seat="0"] .ark-name').get_attribute("title") == NASTY


def test_the_legend_explains(stage):
    text = stage.evaluate("qpolis.viewers.arkadia.legend().textContent")
    for word in (*FAMILY_NAMES, *(name.replace("-", " ") for name in TYPES), "camp", "banner"):
        assert word in text


def test_chapters_are_turns():
    chapters = [(state.game.chapter(state), state.over) for state, _ in random_game(3)]
    names = list(dict.fromkeys(name for name, _ in chapters))
    assert names == [*(f"turn {number + 1}" for number in range(len(names) - 1)), "final count"]
    assert chapters[-1] == ("final count", True)


def test_details_are_what_everybody_knows():
    told = [state.game.details(state) for state, _ in random_game(3)]
    assert all(details == told[0] for details in told)
    assert len(told[0]["camps"]) == 24
    assert {name: len(form) for name, form in told[0]["forms"].items()} == dict(zip(TYPES, (2, 3, 3, 4, 4, 4, 4)))
