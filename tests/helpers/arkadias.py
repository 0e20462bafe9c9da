"""Positions of Arkadia for tests, and tables on which the engine or the naive twin plays them by texts."""

from __future__ import annotations

import random

from helpers import engines
from naive.arkadia import NaiveArkadia
from naive.arkadia_pieces import (
    CAMPS,
    CARDS,
    FAMILIES,
    RING,
    around,
    names,
    read,
    rectangle,
    sorted_cards,
    split_card,
)
from qpolis.games.arkadia.layout import KINDS

LOT = names(rectangle(3, 4, (3, 8)))  # i4 to l6


class Engine(engines.Engine):
    """A game of the engine, by texts."""

    def __init__(self, seed=1, changes=None, **options):
        super().__init__("arkadia", seed, changes, **options)


class Twin:
    """A game of the naive twin, whose pile gives random cards."""

    def __init__(self, seed=1, changes=None, players=2, setup="standard", flip=False):
        self.choices = random.Random(seed)
        start = NaiveArkadia.start(players, setup, flip, self.choices)
        self.naive = NaiveArkadia.from_dict({**start.to_dict(), **(changes or {})})

    def apply(self, text):
        self.naive.apply(text, choose_card(self.naive, self.choices))

    def __getattr__(self, name):
        return getattr(self.naive, name)


def choose_card(naive, choices):
    """The card that the pile gives in the next action, if it gives one."""
    return choices.choice(naive.pile) if naive.stage == "draw" and naive.pile else None


def play(game, *texts):
    for text in texts:
        game.apply(text)


def told(game, *keys):
    """Some entries of the plain data of a state."""
    data = game.to_dict()
    return data[keys[0]] if len(keys) == 1 else tuple(data[key] for key in keys)


def seals(**numbers):
    return {**dict.fromkeys(FAMILIES, 0), **numbers}


# --- positions ---


def position(buildings, workers=(), neutral="", fence="", hands=(), hired=(), players=2, player=0, **changes):
    """Plain data of a position at the start of a turn, such as can come about.

    `buildings` are {squares: card}, `workers` the squares of each seat's workers, `hands` some of each seat's
    cards; hands, display and pile get the other cards in order. On the squares of the `fence` stand any workers:
    neutral ones as far as the camps built upon gave them, then the last seat's own, who has all neutral workers
    that are left over. The seats have shown the banners that they needed for their workers, and as many more as
    `hired` says. The castle has a block for each complete building.
    """
    laid = board(buildings, " ".join([neutral, fence, *LOT, *workers]))
    gained = len(CAMPS & {read(square) for building in laid for square in building["squares"]})
    neutral, fence = neutral.split(), fence.split()
    while fence and len(neutral) < gained:
        neutral.append(fence.pop(0))
    workers = [squares.split() for squares in workers] + [[] for _ in range(players - len(workers))]
    workers[-1] += fence
    hired = [*hired, *[0] * (players - len(hired))]
    shown = [max(0, len(squares) - 3 + 1) // 2 + more for squares, more in zip(workers, hired, strict=True)]
    turns = len(laid) + len(neutral) + sum(map(len, workers))
    return {
        "turn": turns + (player - turns) % players,
        "player": player,
        "stage": "act",
        "lot": LOT,
        "buildings": laid,
        "workers": [in_order(squares) for squares in workers],
        "neutral": in_order(neutral),
        "own": [3 + 2 * banners - len(squares) for banners, squares in zip(shown, workers, strict=True)],
        "banners": [4 - banners for banners in shown],
        "helpers": [0] * (players - 1) + [gained - len(neutral)],
        "camp": 24 - gained,
        **cards(buildings.values(), hands, players),
        **castle(sum(building["complete"] for building in laid), players),
        **changes,
    }


def in_order(squares):
    return names(map(read, squares))


def board(buildings, others):
    """The buildings as plain data, complete or not as all that is on the board implies."""
    laid = {squares: frozenset(map(read, squares.split("+"))) for squares in buildings}
    filled = {read(square) for square in others.split()}.union(*laid.values())
    return [
        {
            "type": split_card(card)[0],
            "family": split_card(card)[1],
            "squares": names(laid[squares]),
            "complete": around(laid[squares]) <= filled,
        }
        for squares, card in buildings.items()
    ]


def cards(laid, hands, players):
    """Where all cards are that are not on the board."""
    left = list(CARDS)
    hands = [list(hand.split()) for hand in hands] + [[] for _ in range(players - len(hands))]
    for card in [*laid, *(card for hand in hands for card in hand)]:
        left.remove(card)
    for hand in hands:
        while len(hand) < 4 and left:
            hand.append(left.pop(0))
    display = [left.pop(0) if left else None for _ in range(3)]
    return {"hands": [sorted_cards(hand) for hand in hands], "display": display, "pile": left}


def castle(blocks, players):
    """A castle of this many blocks: level by level, square by square, the families by turns if there are any."""
    stock = [dict.fromkeys(FAMILIES, number) for number in (3, 3, 1)]
    squares = [{"shows": family, "level": 0} for family in RING]
    for block in range(blocks):
        level = block // 10
        family = max(FAMILIES, key=stock[level].get)
        stock[level][family] -= 1
        squares[block % 10] = {"shows": family, "level": level + 1}
        if block in (9, 19):
            for spare in FAMILIES:
                stock[2][spare] += stock[level][spare]
                stock[level][spare] = 0
    return {"castle": squares, "stock": stock, "turns_left": players if blocks >= 20 else None}


def town(complete):
    """The buildings and the fence of a town with 8 to 11 or 16 to 28 complete buildings.

    At the lower edge farms and taverns fill three lines, houses lie above them, and with 24 or more also mills
    above the houses. The houses (mills) have workers above them, from the left, as far as they are complete.
    """
    doubled = [family for family in FAMILIES for _ in range(2)]
    buildings = {f"{x}10+{x}11+{x}12": f"farm-{family}" for x, family in zip("abcdefgh", doubled, strict=True)}
    fence, houses = ["i10", "i11", "i12"], ["ab", "cd", "ef", "gh"]
    if complete >= 16:
        fence, houses = [], [*houses, "ij", "kl", "mn", "op"]
        taverns = [squares for x, y in houses[4:] for squares in (f"{x}10+{y}10+{x}11", f"{y}11+{x}12+{y}12")]
        buildings |= {squares: f"tavern-{family}" for squares, family in zip(taverns, doubled, strict=True)}
    buildings |= {f"{x}9+{y}9": f"house-{family}" for (x, y), family in zip(houses, doubled, strict=False)}
    if complete >= 24:
        mills = ["abcd", "efgh", "ijkl", "mnop"]
        buildings |= {
            "+".join(x + "8" for x in mill): f"mill-{family}" for mill, family in zip(mills, FAMILIES, strict=True)
        }
        fence = [x + "7" for mill in mills[: complete - 24] for x in mill]
    else:
        fence += [x + "8" for house in houses[: complete % 8] for x in house]
    return buildings, " ".join(fence)


def exchanged(state, seat, choices):
    """The same game as far as a seat knows: the unseen cards of the others and of the pile change places."""
    other = state.copy()
    hands, known, pile = other.record.hand, other.record.known, other.record.pile
    rivals = [rival for rival in range(state.game.players) if rival != seat]
    counts = {rival: int((hands[rival] - known[rival]).sum()) for rival in rivals}
    cards = [
        kind
        for kind in range(KINDS)
        for _ in range(int(pile[kind] + sum(hands[rival, kind] - known[rival, kind] for rival in rivals)))
    ]
    choices.shuffle(cards)
    for rival in rivals:
        hands[rival] = known[rival]
        for _ in range(counts[rival]):
            hands[rival, cards.pop()] += 1
    pile[:] = [cards.count(kind) for kind in range(KINDS)]
    return other
