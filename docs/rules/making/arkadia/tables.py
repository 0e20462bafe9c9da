"""The tables and numbers of Arkadia."""

from __future__ import annotations

from collections.abc import Callable

import qpolis
from making.arkadia import example
from making.arkadia.drawing import named
from making.markdown import table
from qpolis.games.arkadia import layout
from qpolis.games.arkadia.board_file import BASE, load_board
from qpolis.games.arkadia.layout import FAMILIES, FAMILY_NAMES, TYPES
from qpolis.games.arkadia.notation import CARDS, SYMBOLS, square_text

BOARD = load_board(BASE)


def cards() -> str:
    """Types with their squares and cards by family."""
    rows = []
    for number, name in enumerate(TYPES):
        counts = BOARD.cards[number * FAMILIES : (number + 1) * FAMILIES]
        rows.append([f"`{name}`", len(BOARD.forms[number]), *counts, sum(counts)])
    sums = [sum(BOARD.cards[family::FAMILIES]) for family in range(FAMILIES)]
    rows.append(["all", "", *sums, sum(sums)])
    return table(["type", "squares", *FAMILY_NAMES, "cards"], rows)


def camps() -> str:
    by_row: dict[int, list[str]] = {}
    for square in BOARD.camps:
        by_row.setdefault(square // layout.COLUMNS + 1, []).append(f"`{square_text(square)}`")
    return table(["row", "camps"], [[row, " ".join(names)] for row, names in sorted(by_row.items())])


def levels() -> str:
    rows = []
    spare = 0
    for level, count in enumerate(BOARD.blocks, start=1):
        all_blocks = count * FAMILIES + (spare if level == layout.LEVELS else 0)
        left = all_blocks - layout.RING if level < layout.LEVELS else 0
        spare += left
        rows.append([level, count, all_blocks, left if level < layout.LEVELS else ""])
    return table(
        ["level", "blocks of each family", "blocks with those left over", "left over when it is full"], rows
    )


def intro_buildings() -> str:
    return table(
        ["card", "squares"], [[f"`{CARDS[kind]}`", f"`{named(squares)}`"] for kind, squares in BOARD.intro]
    )


def intro_workers() -> str:
    return table(["players", "neutral workers of each"], list(zip((2, 3, 4), BOARD.helpers)))


def gains() -> str:
    """Seals in the rulebook's example: for workers, and of the building itself."""
    rows = []
    for name, gained in zip(example.SEATS, example.GAINS):
        cells = []
        for family in ("red", "olive"):
            workers, own = gained.get(family, (0, 0))
            cells.append(f"{workers} + {own}" if own else workers or "")
        rows.append([name, *map(str, cells)])
    return table(["player", "red seals (trade centre)", "olive seals (monastery)"], rows)


ACTIONS = [  # where they begin, an example, when, what they mean
    (layout.BUILD, "act", "a card of your hand", "play it: its building is laid next"),
    (
        layout.WORKERS,
        "act",
        "`workers@` and a square",
        "place workers beside the building (or the lot) whose first square it is",
    ),
    (layout.PASS, "act", "`pass`", "nothing can be done: the only action then"),
    (layout.DONE, "workers", "`done`", "no more workers; after the first one"),
    (layout.OWN, "workers", "`own@` and a square", "place an own worker there"),
    (layout.NEUTRAL, "workers", "`neutral@` and a square", "place a neutral worker there"),
    (
        layout.BLOCK,
        "castle",
        "a family, `/`, what is covered",
        "lay a block of that family on a castle square that shows this; `blank` for none",
    ),
    (layout.DRAW, "draw", "`draw@` and a card", "take this face-up card"),
    (layout.PILE, "draw", "`draw@pile`", "take the top card of the pile"),
    (layout.BANNER, "banner", "`banner`", "give up a banner"),
    (layout.KEEP, "banner", "`keep`", "give up none: the turn ends"),
    (
        layout.SELL,
        "sell",
        "a family, `=`, a number",
        "exchange so many seals of the family that `selling` names; 0 is allowed",
    ),
    (layout.LAY, "lay", "squares, joined by `+`", "lay the building there; squares in order, row by row"),
]


def actions() -> str:
    """All actions with the stage in which they occur, and an example whose text the notation writes."""
    notation, more = (qpolis.load_game("arkadia", flip=flip) for flip in (False, True))
    samples = {
        layout.BUILD: "farm-red",
        layout.WORKERS: "workers@c4",
        layout.OWN: "own@c7",
        layout.NEUTRAL: "neutral@d4",
        layout.BLOCK: "red/blank",
        layout.DRAW: "draw@farm-red",
        layout.SELL: "red=3",
        layout.LAY: "c4+c5+c6",
    }
    ends = [start for start, *_ in ACTIONS[1:]] + [notation.action_count]
    rows = []
    for (start, stage, form, meaning), end in zip(ACTIONS, ends):
        sample = samples.get(start) or notation.action_text(start)
        assert start <= notation.action_of(sample) < end
        ids = f"{start} to {end - 1}" if end - start > 1 else str(start)
        if start == layout.LAY:
            ids += f" (with `flip` to {more.action_count - 1})"
        rows.append([f"`{stage}`", form, f"`{sample}`", ids, meaning])
    return table(["stage", "text", "example", "ids", "what it does"], rows)


KEYS = {
    "game": "`arkadia`",
    "seat": "yours, from 0",
    "players": "how many",
    "setup": "`standard` or `intro`",
    "turn": "turns completed",
    "player": "the seat to decide; null when the game is over",
    "stage": "the step of the turn: see the actions; null when the game is over",
    "lot": "the 12 squares of the castle lot, row by row",
    "buildings": "in the order in which they were laid: `type`, `family`, `squares` (row by row), `complete`",
    "workers": "by seat, the squares of own workers on the board",
    "neutral": "the squares of neutral workers on the board",
    "castle": "the 10 castle squares, around the lot from its first: what a square `shows` (null for nothing), "
    "and the `level` of its top block, 0 for none",
    "stock": "blocks left, by level and family",
    "known": "by seat, cards in hand that were taken face up: everybody knows them",
    "display": "the 3 face-up cards; null where there is none any more",
    "own": "by seat, own workers not yet placed",
    "helpers": "by seat, neutral workers not yet placed",
    "camp": "neutral workers left to get",
    "banners": "by seat",
    "seals": "by seat and family",
    "gold": "by seat",
    "held": "in the stage `lay`, the card that was played; or null",
    "beside": "in the stage `workers`, the first square of the building chosen; or null",
    "last": "in the stage `workers`, where the last worker was placed; or null",
    "blocks": "in the stage `castle`, how many blocks are to be laid",
    "selling": "in the stage `sell`, the family; or null",
    "passes": "how many players have passed in a row",
    "turns_left": "when the end is near, turns that are left with the present one; or null",
    "flip": "may buildings be turned over?",
    "hand": "your cards",
    "cards": "by seat, how many cards are in hand",
    "unseen": "how many cards are in the pile",
}


def observation() -> str:
    seen = qpolis.load_game("arkadia").new().observe(0)
    assert list(seen) == list(KEYS), "the page explains other keys than an observation has"
    return table(["key", "what it is"], [[f"`{key}`", meaning] for key, meaning in KEYS.items()])


def listed(names: tuple[str, ...]) -> Callable[[], str]:
    return lambda: ", ".join(f"`{name}`" for name in names)


TABLES = {
    "camps": camps,
    "cards": cards,
    "levels": levels,
    "intro-buildings": intro_buildings,
    "intro-workers": intro_workers,
    "gains": gains,
    "actions": actions,
    "observation": observation,
}
NUMBERS = {
    "rows": lambda: str(layout.ROWS),
    "columns": lambda: str(layout.COLUMNS),
    "camp-count": lambda: str(len(BOARD.camps)),
    "lot-count": lambda: str(len(BOARD.lots)),
    "lot-list": listed(tuple(map(str, BOARD.lots))),
    "buildings": lambda: str(sum(BOARD.cards)),
    "types": lambda: str(len(TYPES)),
    "families": listed(FAMILY_NAMES),
    "ring": lambda: str(layout.RING),
    "castle-start": listed(tuple(SYMBOLS[symbol] for symbol in BOARD.castle)),
    "blocks": lambda: str(sum(BOARD.blocks) * FAMILIES),
    "blocks-each": lambda: str(sum(BOARD.blocks)),
    "hand": lambda: str(layout.HAND),
    "display": lambda: str(layout.DISPLAY),
    "own-workers": lambda: str(layout.OWN_WORKERS),
    "most-workers": lambda: str(layout.OWN_WORKERS + layout.BANNERS * layout.HIRED),
    "neutral-workers": lambda: str(layout.NEUTRAL_WORKERS),
    "banners": lambda: str(layout.BANNERS),
    "hired": lambda: str(layout.HIRED),
    "level-three": lambda: str(sum(BOARD.blocks) * FAMILIES - (layout.LEVELS - 1) * layout.RING),
}
