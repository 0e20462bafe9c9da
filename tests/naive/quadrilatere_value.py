"""What a turn of Quadrilatère can bring, found by trying every house and every slide on sets of walls.

A place counts if one of its walls is in a slot that is filled this turn. What this leaves out is rare, and the
fast version leaves it out as well: two places that become one, and have a wall that a slid house filled before.
"""

from copy import copy
from functools import lru_cache

from .quadrilatere import (
    SQUARES,
    first_square,
    name,
    read_house,
    slots,
    squares_beside,
    straight,
    that_fit,
    walk,
)

AGAINST = 0.001
DRAWN = 1e-6
LOOKS = 6
NOWHERE = frozenset()


# --- walls ---


def walls_of(twin):
    """All slots that houses fill."""
    return frozenset(slot for house in twin.houses for slot in slots(house))


@lru_cache(maxsize=100)
def points_of(walls):
    return {point for slot in walls for point in slot}


def touching(points, walls):
    """How many of these points have walls."""
    return sum(point in points_of(walls) for point in points)


def closed_by(new, walls):
    """The largest place of which some new slot, not yet one of the walls, is a wall; the first of equals."""
    if touching({point for slot in new for point in slot}, walls) < 2:
        return NOWHERE  # walls around a place come back to where they began
    best = NOWHERE
    walls = walls.union(new)
    for slot in new:
        for square in squares_beside(slot):
            place = walk(square, walls) or NOWHERE
            inside = len(place.intersection(squares_beside(slot))) == 2
            if len(place) > len(best) and not inside:
                best = place
    return best


def slide_walls(walls, start, there):
    """The walls that stay where they are in a slide, and the slots that it fills anew."""
    before, now = slots(start), slots(there)
    return walls.difference(before).union(set(before) & set(now)), [slot for slot in now if slot not in before]


def swept(start, there):
    """The stretch of its groove that a house needs to slide along."""
    return straight(min(start[0], there[0]), max(start[-1], there[-1]))


# --- what can be claimed ---


def place_gains(twin):
    """For each house that may be placed: the squares of the largest place that it closes."""
    walls = walls_of(twin)
    return {house: len(closed_by(slots(house), walls)) for house in twin.placements(twin.player)}


def gains(twin):
    """For each house that may be placed: the most squares to claim this turn, with the best slide. Houses that
    close something by themselves are tried only with slides that do so, too. Slides into occupied places are left
    out."""
    walls, alone = walls_of(twin), place_gains(twin)
    most = dict(alone)
    for start, there in twin.slides() if twin.with_slides else []:
        if twin.beside_occupied(there):
            continue
        staying, new = slide_walls(walls, start, there)
        closes = closed_by(new, staying)
        for house in that_fit(alone, [swept(start, there)]):
            if closes or not alone[house]:
                most[house] = max(most[house], len(closed_by(slots(house) + new, staying)))
    return most


def threat(twin):
    """The most squares that the player can claim this turn."""
    return max(gains(twin).values(), default=0)


def closed_by_slide(twin, text):
    """The squares of the largest place closed by the house placed this turn, or by this slide after it."""
    staying, new = slide_walls(walls_of(twin), *map(read_house, text.split(">")))
    placed = slots(twin.placed)
    return len(closed_by(placed + new, staying.difference(placed)))


def closed_so_far(twin):
    """The largest place that the player can claim as things stand."""
    if twin.stage == "claim":
        places = sorted(twin.closed(), key=lambda place: SQUARES.index(first_square(place)))
        return max(places, key=len)
    placed = slots(twin.placed)
    return closed_by(placed, walls_of(twin).difference(placed))


def next_turn(twin, place):
    """The position after the turn, if the player claims this place and does nothing else."""
    after = copy(twin)
    after.owners = twin.owners | ({place: twin.player} if place else {})
    after.player, after.stage, after.placed, after.slid = 1 - twin.player, "place", None, None
    return after


# --- the verbs ---


def evaluate(twin):
    values = twin.scores()
    if twin.over:
        return values
    if twin.stage == "place":
        if twin.placements(twin.player):
            values[twin.player] += threat(twin)
        else:
            values[1 - twin.player] += threat(next_turn(twin, NOWHERE))
    else:
        place = closed_so_far(twin)
        values[twin.player] += len(place)
        values[1 - twin.player] += threat(next_turn(twin, place))
    return values


def rate(twin, texts, draw):
    """What each action promises, in this order; `draw(n)` gives a number below n."""
    points = twin.scores()[twin.player]
    return [
        points + worth
        for worth in {"place": rate_places, "slide": rate_slides, "claim": rate_claims}[twin.stage](
            twin, texts, draw
        )
    ]


def rate_places(twin, texts, draw):
    if texts == ["pass"]:
        return [0]
    walls, most = walls_of(twin), gains(twin)
    houses = [read_house(text) for text in texts]
    return [most[house] - AGAINST * touching(house, walls) + DRAWN * draw(1000) for house in houses]


def rate_slides(twin, texts, draw):
    return [
        len(closed_so_far(twin)) + AGAINST if text == "stay" else closed_by_slide(twin, text) + DRAWN * draw(1000)
        for text in texts
    ]


def rate_claims(twin, texts, draw):
    places = {f"claim@{name(first_square(place))}": place for place in twin.closed()}
    return [0 if text == "leave" else -1 if in_vain(twin, places[text]) else len(places[text]) for text in texts]


def in_vain(twin, place):
    """Whether claiming a place ends the game without winning it."""
    scores = twin.scores()
    scores[twin.player] += len(place)
    return twin.monuments[twin.player] == 1 and scores[twin.player] <= scores[1 - twin.player]


def suggest(twin, texts, draw):
    """The rules of thumb, with actions in this order."""
    if twin.stage == "place":
        return suggest_house(twin, texts, draw)
    if twin.stage == "slide":
        closes = {text: closed_by_slide(twin, text) for text in texts if text != "stay"}
        best = max(closes, key=closes.get)
        return best if closes[best] > len(closed_so_far(twin)) else "stay"
    place = closed_so_far(twin)
    return "leave" if in_vain(twin, place) else f"claim@{name(first_square(place))}"


def suggest_house(twin, texts, draw):
    if texts == ["pass"]:
        return "pass"
    walls, closes = walls_of(twin), place_gains(twin)
    best = max(texts, key=lambda text: closes[read_house(text)])
    if closes[read_house(best)]:
        return best
    drawn = [texts[draw(len(texts))] for _ in range(LOOKS)]
    return min(drawn, key=lambda text: touching(read_house(text), walls))
