"""The pictures of Quadrilatère: what is allowed in them, and what is not, is asked of the engine."""

from __future__ import annotations

from making import svg
from making.quadrilatere import art
from making.quadrilatere.art import Panel, View, panels
from making.quadrilatere.positions import apply, legal, next_turn, played, spots
from making.svg import Part
from qpolis.game import State

UNIT = "c3-d3 c4-d4 c3-c4"  # all walls of the square c3 but d3-d4
NINE = "b2-e2 b5-e5 b2-b5 e2-e5 claim@b2"  # nine squares that the second player owns
DOOR = "c3-e3 c5-e5 c3-c4 c4-c5 e3-e4 a4-c4 e4-e5 claim@c3"  # four that the first owns; a groove leads through
TWO = "c3-e3 c4-d4 d4-e4 c3-c4 d3-d4"  # c3 closed, and d3 but for e3-e4

# Two greedy players. The last turn decides the game.
GAME = """
    a2-c2 h3-i3 g2-g4 b3-d3 a8-c8 a6-d6 f4-f7 b5-d5 h4-h7 a4-d4 e7-h7 a4-d4>f4-i4 claim@f4 i1-i4 a2-c2>g2-i2
    claim@g2 e5-e7 b5-d5>d5-f5 claim@e5 e3-e5 b3-d3>e3-g3 claim@e3 d4-d6 a6-d6>b6-e6 claim@d5 b4-e4 claim@d4
    b4-b7 claim@b4 c1-c2 c3-e3 c1-c2>c3-c4 claim@c3 f8-f9 d1-f1 g1-g2 d1-f1>g1-i1 claim@g1 b1-b2 b3-c3
    b1-b2>b3-b4 claim@b3 c1-e1 e1-e3 c1-e1>e1-g1 leave b1-c1 b1-b3 e1-g1>c1-e1 claim@b1
"""


def board() -> str:
    """All names: crossings by their grooves, squares, and three houses."""
    view, houses, square = View(), "c3-e3 g2-g3 d6-g6", "b6"
    x, y = view.point(square)
    names = [
        svg.text(*_beside(view, "c3-e3", 20), "c3-e3", size=13),
        svg.text(*_beside(view, "d6-g6", 20), "d6-g6", size=13),
        svg.text(view.point("g2")[0] + 10, view.middle("g2")[1] + 4, "g2-g3", size=13, anchor="start"),
        svg.circle(x, y, 6, fill=svg.ACCENT),
        svg.text(x + 6, y - 9, f"crossing {square}", size=12, fill=svg.ACCENT),
        svg.text(x + art.CELL / 2, y + art.CELL / 2 + 5, square, size=14, font_weight=700),
    ]
    drawn = art.board(view, next_turn(houses), art.ground(view, [square], svg.ACCENT, 0.12), names)
    title = (
        "The board: grooves a to i and 1 to 9, and three houses named by their ends; "
        f"square {square} has crossing {square} at its upper left"
    )
    return svg.picture(view.width, view.height, title, drawn)


def _beside(view: View, house: str, below: float) -> tuple[float, float]:
    ends = [view.point(end) for end in house.split("-")]
    return (ends[0][0] + ends[1][0]) / 2, ends[0][1] + below


def _houses(view: View, state: State, texts: str) -> Part:
    """Houses that may be placed, and houses that may not, as the engine says."""
    allowed = legal(state)
    return [art.judged(view, text, text in allowed) for text in texts.split()]


def crossings() -> str:
    """What may stand at a house."""
    view = View("a1", 4, 4)
    whole, halves = next_turn("c2-c4"), next_turn("c2-c3 c3-c4")
    return panels(
        "Houses that end at another house, and one that would pass through it",
        Panel(view, art.board(view, whole, _houses(view, whole, "a3-c3 c1-c2 c4-e4")), ("ends meet",)),
        Panel(view, art.board(view, whole, _houses(view, whole, "b3-d3")), ("the crossing c3", "is covered")),
        Panel(
            view, art.board(view, halves, _houses(view, halves, "b3-d3")), ("between two ends", "there is room")
        ),
    )


def inside() -> str:
    """Houses inside an occupied place."""
    view = View("a1", 5, 5)
    empty, one = next_turn(NINE), next_turn(f"{NINE} c2-c4")
    return panels(
        "An occupied place of nine squares, and where houses may stand in it",
        Panel(
            view, art.board(view, empty, _houses(view, empty, "c2-c4 d3-d4")), ("its squares stay", "connected")
        ),
        Panel(view, art.board(view, empty, _houses(view, empty, "b3-e3")), ("this would", "divide it")),
        Panel(
            view,
            art.board(view, one, _houses(view, one, "b4-c4 c4-c5 d3-e3")),
            ("houses inside", "count together"),
        ),
    )


def slides() -> str:
    """How far houses slide."""
    view = View("a2", 8, 6)
    state = played("c3-d3 g3-h3 c6-d6 b5-b7 h8-i8")

    def reach(house: str) -> Part:
        found = sorted([*spots(state, house), house])
        return [
            [art.judged(view, there, True), art.slide(view, house, there)]
            for there in (found[0], found[-1])
            if there != house
        ]

    drawn = art.board(view, state, reach("c3-d3"), reach("c6-d6"))
    title = "A house slides until it meets a house, a covered crossing or the edge"
    words = (
        "c3-d3 meets g3-h3; c6-d6 stops at the crossing b6, which b5-b7 covers.",
        "h8-i8 was placed this turn",
    )
    return panels(title, Panel(view, drawn, words))


def held() -> str:
    """Houses that may not move."""
    view = View("a2", 5, 4)
    walls = "c3-e3 c4-d4 c3-c4 b4-c4 h7-h8 d3-d4"

    def panel(state: State, *words: str) -> Panel:
        here = [text for text in state.to_dict()["houses"] if view.shows(text)]
        movable = [text for text in here if spots(state, text)]
        return Panel(
            view, art.board(view, state, [art.judged(view, text, text in movable) for text in here]), words
        )

    return panels(
        "The walls of an occupied place may not move; those of a place without a monument may",
        panel(played(f"{walls} claim@c3 h8-i8"), "occupied: its walls are held;", "b4-c4 only ends at it"),
        panel(played(f"{walls} leave h8-i8"), "no monument:", "all may move"),
    )


def slide_inside() -> str:
    """A slide that leads into an occupied place, and through it."""
    view = View("a2", 6, 4)
    state = played(f"{DOOR} h8-i8")
    allowed = spots(state, "a4-c4")

    def panel(there: str, *words: str) -> Panel:
        return Panel(
            view,
            art.board(view, state, art.judged(view, there, there in allowed), art.slide(view, "a4-c4", there)),
            words,
        )

    return panels(
        "The house a4-c4 may slide half into an occupied place and through it, but not so that it divides it",
        panel("b4-d4", "into the place"),
        panel("c4-e4", "this would divide it"),
        panel("d4-f4", "through it"),
    )


def _claims(state: State) -> str:
    """What can be claimed, as an action."""
    found = [text for text in legal(state) if text.startswith("claim@")]
    return " or ".join(found) or "nothing to claim"


def closing() -> str:
    """Two ways to close a place, and a monument on it."""
    view = View("b2", 3, 4)
    by_placing, by_sliding = played(f"{UNIT} d3-d4 stay"), played(f"{UNIT} d4-d5 h8-i8 d4-d5>d3-d4")
    claimed = by_placing.copy()
    apply(claimed, "claim@c3")
    return panels(
        "A place is closed by placing a house or by sliding one, and then claimed",
        Panel(view, art.board(view, by_placing), ("d3-d4 was placed:", _claims(by_placing))),
        Panel(
            view,
            art.board(view, by_sliding, art.slide(view, "d4-d5", "d3-d4")),
            ("d4-d5 was slid:", _claims(by_sliding)),
        ),
        Panel(view, art.board(view, claimed), ("a monument of the", "second player")),
    )


def around() -> str:
    """A place around another."""
    view = View("a1", 5, 5)
    state = played(f"{UNIT} d3-d4 claim@c3 h8-i8 b2-e2 b5-e5 b2-b5 e2-e5 claim@b2")
    first, second = state.scores()
    title = "A place of eight squares around a place of one square, with different owners"
    return panels(
        title, Panel(view, art.board(view, state), (f"player 0: {first} squares,", f"player 1: {second} square"))
    )


def dividing() -> str:
    """A place without a monument becomes two."""
    view = View("b2", 4, 3)
    walls = "c3-e3 c4-e4 c3-c4 e3-e4 leave"
    before, after = played(walls), played(f"{walls} d3-d4 stay")
    return panels(
        "A house divides a place that nobody has claimed: both halves are new",
        Panel(view, art.board(view, before), ("not claimed in time:", "without an owner")),
        Panel(view, art.board(view, after), ("d3-d4 was placed:", _claims(after))),
    )


def joining() -> str:
    """Two places become one."""
    view, slide = View("b2", 4, 4), "d3-d4>d4-d5"
    before = played(f"{TWO} leave e3-e4 leave")
    away, closed = played(f"{TWO} leave e3-e4 leave h8-i8 {slide}"), played(f"{TWO} leave e3-e4 {slide}")
    arrow = art.slide(view, *slide.split(">"))
    return panels(
        "The wall between two places slides away: that closes nothing, unless another wall is of this turn",
        Panel(view, art.board(view, before), ("two places", "without an owner")),
        Panel(view, art.board(view, away, arrow), ("their wall slid away:", _claims(away))),
        Panel(view, art.board(view, closed, arrow), ("e3-e4 was placed, too:", _claims(closed))),
    )


def end() -> str:
    """The end of a whole game."""
    view, state = View(), played(GAME)
    assert state.over
    first, second = state.scores()
    before = played(GAME.rpartition("claim")[0]).scores()[1]
    assert (len(state.to_dict()["places"]), second - before) == (11, 6)  # as the page tells
    assert before < first < second
    words = (
        f"player 0: {first} squares, {state.to_dict()['monuments'][0]} monument left",
        f"player 1: {second} squares, {state.to_dict()['monuments'][1]} monuments left",
    )
    return panels("The end of a game: all houses and places", Panel(view, art.board(view, state), words))


PICTURES = {
    "board": board,
    "crossings": crossings,
    "inside": inside,
    "slides": slides,
    "held": held,
    "slide-inside": slide_inside,
    "closing": closing,
    "around": around,
    "dividing": dividing,
    "joining": joining,
    "end": end,
}
