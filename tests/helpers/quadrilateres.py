"""Players of Quadrilatère that build something."""

from __future__ import annotations

from naive.quadrilatere import find_places, first_square, name, read_house

OPTIONS = [(slide, border) for slide in (True, False) for border in ("groove", "wall")]


def choose(twin, texts, choices, style):
    """Random players close hardly anything. Eager ones build where walls are, and close places if they can.
    Modest ones leave much, and else claim what is small, so that there is more on the board."""
    if twin.stage == "claim":
        return choose_claim(twin, choices, style)
    if style == "random" or choices.random() < 0.2:
        return choices.choice(texts)
    joined = [text for text in texts if text != "stay" and is_joined(twin, text)]
    some = choices.sample(joined, min(len(joined), 10))
    closing = [
        text
        for text in some
        if find_places(after(twin, text), twin.border) - find_places(twin.houses, twin.border)
    ]
    return choices.choice(closing or some or texts)


def choose_claim(twin, choices, style):
    if choices.random() < (0.5 if style == "modest" else 0.1):
        return "leave"
    places = sorted(twin.closed(), key=lambda place: (len(place), first_square(place)))
    return f"claim@{name(first_square(places[0] if style == 'modest' else choices.choice(places)))}"


def after(twin, text):
    """The houses on the board after one is placed or slid."""
    start, _, there = text.rpartition(">")
    return twin.houses - {read_house(start) if start else None} | {read_house(there)}


def is_joined(twin, text):
    """Whether both ends of a house would come to stand at other houses or at walls."""
    house = read_house(text.rpartition(">")[2])
    points = {point for other in after(twin, text) - {house} for point in other}
    return all(
        end in points or (twin.border == "wall" and not {1, 9}.isdisjoint(end)) for end in (house[0], house[-1])
    )
