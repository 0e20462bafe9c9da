"""Positions of Quadrilatère, and players that build something."""

from __future__ import annotations

from naive.quadrilatere import (
    EVERYWHERE,
    LENGTHS,
    SQUARES,
    SUPPLY,
    find_places,
    first_square,
    length,
    name,
    read_house,
    that_fit,
)

LARGE = [house for house in EVERYWHERE if length(house) == 3]


# 41 houses that leave gaps, but none for a large one.
NO_LARGE = " ".join(
    [
        *(f"c{n}-e{n} f{n}-h{n}" for n in range(1, 9)),
        "c9-f9 g9-h9",
        *(f"{column}3-{column}4 {column}6-{column}7" for column in "abcdefghi"),
        "a1-a2 b1-b2 c1-c2 d1-d2 e1-e2",
    ]
)


# All houses of both players: the lines 1 to 7 are full, and small ones stand between them.
ALL_HOUSES = " ".join(
    [
        *(f"a{n}-d{n} d{n}-g{n} g{n}-i{n}" for n in range(1, 5)),
        *(f"a{n}-c{n} c{n}-e{n} e{n}-g{n} g{n}-i{n}" for n in range(5, 8)),
        *(f"{column}{n}-{column}{n + 1}" for column in "aceg" for n in range(1, 7)),
    ]
)


def tight():
    """Houses and supplies with which the second player, who is next, has to pass; the first has a small house."""
    houses = NO_LARGE.replace("a3-a4 a6-a7", "a3-a6 a7-a8")
    return houses, [{"large": 2, "medium": 0, "small": 1}, {"large": 4, "medium": 0, "small": 0}]


def position(houses, occupied):
    """Plain data of a position in which these houses stand and the seats own some places.

    Every house was somebody's turn; the seats are said to have placed them by turns, the large ones first.
    """
    on_board = sorted((read_house(text) for text in houses.split()), key=length, reverse=True)
    supply = [dict(SUPPLY), dict(SUPPLY)]
    kinds = {size: kind for kind, size in LENGTHS.items()}
    for turn, house in enumerate(on_board):
        supply[turn % 2][kinds[length(house)]] -= 1
    rows = [name(square) for square in SQUARES]
    places = [
        {"owner": seat, "squares": sorted(squares.split(), key=rows.index)} for squares, seat in occupied.items()
    ]
    owners = [place["owner"] for place in places]
    return {
        "turn": len(on_board),
        "player": len(on_board) % 2,
        "houses": sorted(houses.split()),
        "supply": supply,
        "monuments": [6 - owners.count(0), 6 - owners.count(1)],
        "places": sorted(places, key=lambda place: rows.index(place["squares"][0])),
    }


STYLES = ("random", "eager", "modest", "inner", "narrow")


def choose(twin, texts, choices, style):
    """Random players close hardly anything. Eager ones build where walls are, and close places if they can.
    Modest ones leave much, and else claim what is small, so that there is more on the board. Inner ones claim what
    is large, and put houses inside of occupied places. Narrow ones use their short houses first, and leave so
    little room for long ones that they have to pass."""
    if twin.stage == "claim":
        return choose_claim(twin, choices, style)
    if style == "random" or choices.random() < (0.05 if style == "narrow" else 0.2):
        return choices.choice(texts)
    if style == "narrow" and twin.stage == "place":
        return choose_narrow(twin, texts, choices)
    houses = [text for text in texts if text not in ("stay", "pass")]
    if style == "inner":
        inner = [text for text in houses if twin.beside_occupied(read_house(text.rpartition(">")[2]))]
        if inner:
            return choices.choice(inner)
    joined = [text for text in houses if is_joined(twin, text)]
    some = choices.sample(joined, min(len(joined), 10))
    closing = [text for text in some if find_places(after(twin, text)) - find_places(twin.houses)]
    return choices.choice(closing or some or texts)


def choose_narrow(twin, texts, choices):
    """Of some of the shortest houses the one that leaves least room for large ones; the second player uses large
    ones first."""
    if texts == ["pass"]:
        return "pass"
    sizes = [length(read_house(text)) for text in texts]
    size = max(sizes) if twin.player else min(sizes)
    right = [text for text, own in zip(texts, sizes) if own == size]
    some = choices.sample(right, min(len(right), 12))
    return min(some, key=lambda text: len(that_fit(LARGE, after(twin, text))))


def choose_claim(twin, choices, style):
    if choices.random() < {"modest": 0.5, "narrow": 0.9}.get(style, 0.1):
        return "leave"
    places = sorted(twin.closed(), key=lambda place: (len(place), first_square(place)))
    place = {"modest": places[0], "inner": places[-1]}.get(style) or choices.choice(places)
    return f"claim@{name(first_square(place))}"


def after(twin, text):
    """The houses on the board after one is placed or slid."""
    start, _, there = text.rpartition(">")
    return twin.houses - {read_house(start) if start else None} | {read_house(there)}


def is_joined(twin, text):
    """Whether both ends of a house would come to stand at other houses."""
    house = read_house(text.rpartition(">")[2])
    points = {point for other in after(twin, text) - {house} for point in other}
    return house[0] in points and house[-1] in points
