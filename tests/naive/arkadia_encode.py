"""What a program that learns sees of Arkadia, written down from an observation alone, plane by plane."""

from .arkadia_board import PUBLISHED
from .arkadia_pieces import (
    BANNERS,
    DISPLAY,
    FAMILIES,
    HAND,
    NEUTRALS,
    PICTURES,
    SQUARES,
    WORKERS,
    WORKERS_PER_BANNER,
    read,
)

STAGES = ["act", "lay", "workers", "castle", "draw", "banner", "sell"]
KINDS = [f"{kind}-{family}" for kind in PICTURES for family in FAMILIES]
MOST_OWN = WORKERS + BANNERS * WORKERS_PER_BANNER
BUILDINGS, LEVELS, RING = 40, 3, 10
MOST_TURNS = (BUILDINGS + NEUTRALS + 4 * MOST_OWN + 1) * 4
MOST_SEALS, MOST_GOLD, MOST_BLOCKS = 40, 250, 10


def encode(seen, box=PUBLISHED):
    """All numbers of an observation by the names of the planes, each as a flat list. `box` is what the game is
    played with."""
    return {**board(seen, box), **turn(seen), **castle(seen, box), **cards(seen, box), **seats(seen)}


def seats_of(seen):
    """The seats as they follow each other from the one that looks."""
    return [(seen["seat"] + later) % seen["players"] for later in range(seen["players"])]


def one_hot(value, values):
    return [float(value == other) for other in values]


# --- the board ---


def plane(squares):
    """1 at each of these squares."""
    squares = set(squares)
    return [float(square in squares) for square in SQUARES]


def board(seen, box):
    lot = set(map(read, seen["lot"]))
    neutral = set(map(read, seen["neutral"]))
    workers = [set(map(read, squares)) for squares in seen["workers"]]
    buildings = [{**building, "squares": set(map(read, building["squares"]))} for building in seen["buildings"]]
    covered = [building["squares"] for building in buildings]
    free = set(SQUARES) - lot.union(neutral, *workers, *covered)
    chosen = [squares for squares in [lot, *covered] if seen["beside"] and read(seen["beside"]) in squares]
    return {
        "lot": plane(lot),
        "free": plane(free),
        "camps": plane(free & set(box.camps)),
        "neutral": plane(neutral),
        "complete": plane(
            square for building in buildings if building["complete"] for square in building["squares"]
        ),
        "joined": plane((row, column) for one in covered for row, column in one if (row, column + 1) in one)
        + plane((row, column) for one in covered for row, column in one if (row + 1, column) in one),
        "chosen": plane(set().union(*chosen)),
        "last": plane([read(seen["last"])] if seen["last"] else []),
        "buildings": [
            number
            for family in FAMILIES
            for number in plane(
                square for building in buildings if building["family"] == family for square in building["squares"]
            )
        ],
        "workers": [number for seat in seats_of(seen) for number in plane(workers[seat])],
    }


# --- beside the board ---


def turn(seen):
    near = seen["turns_left"] is not None
    return {
        "stage": one_hot(seen["stage"], STAGES),
        "mover": one_hot(seen["player"], seats_of(seen)),
        "turn": [seen["turn"] / MOST_TURNS],
        "end": [1.0, seen["turns_left"] / (seen["players"] + 1)] if near else [0.0, 0.0],
        "passes": [seen["passes"] / seen["players"]],
    }


def castle(seen, box):
    ring = [(square["shows"], square["level"]) for square in seen["castle"]]
    return {
        "castle": [
            ring.count((shown, level)) / RING for shown in [*FAMILIES, None] for level in range(LEVELS + 1)
        ],
        "stock": [stock[family] / sum(box.stock) for stock in seen["stock"] for family in FAMILIES],
        "blocks": [min(seen["blocks"], MOST_BLOCKS) / MOST_BLOCKS],
        "selling": one_hot(seen["selling"], FAMILIES),
    }


def cards(seen, box):
    order = seats_of(seen)
    deck = list(box.cards)
    for card, _ in box.intro if seen["setup"] == "intro" else []:
        deck.remove(card)
    gone = [f"{building['type']}-{building['family']}" for building in seen["buildings"]]
    gone = gone[len(box.intro) if seen["setup"] == "intro" else 0 :]
    gone += [
        *seen["display"],
        seen["held"],
        *seen["hand"],
        *(card for seat in order[1:] for card in seen["known"][seat]),
    ]
    return {
        "held": one_hot(seen["held"], KINDS),
        "hand": shares(seen["hand"], HAND),
        "known": [number for seat in order for number in shares(seen["known"][seat], HAND)],
        "cards": [seen["cards"][seat] / HAND for seat in order],
        "display": shares(seen["display"], DISPLAY),
        "unseen": [
            (deck.count(card) - gone.count(card)) / deck.count(card) if card in deck else 0.0 for card in KINDS
        ],
        "pile": [seen["unseen"] / BUILDINGS],
    }


def shares(cards, unit):
    return [cards.count(card) / unit for card in KINDS]


def seats(seen):
    order = seats_of(seen)
    return {
        "camp": [seen["camp"] / NEUTRALS],
        "own": [seen["own"][seat] / MOST_OWN for seat in order],
        "helpers": [seen["helpers"][seat] / NEUTRALS for seat in order],
        "banners": [seen["banners"][seat] / BANNERS for seat in order],
        "gold": [min(seen["gold"][seat], MOST_GOLD) / MOST_GOLD for seat in order],
        "seals": [
            min(seen["seals"][seat][family], MOST_SEALS) / MOST_SEALS for seat in order for family in FAMILIES
        ],
    }


def without_order(seen):
    """What of an observation has a meaning: not in which order buildings were laid, nor where cards are in the
    display and squares in the castle."""
    return {
        **seen,
        "buildings": sorted(seen["buildings"], key=lambda building: building["squares"]),
        "castle": sorted(seen["castle"], key=str),
        "display": sorted(seen["display"], key=str),
    }
