"""The game of Quadrilatère, played with sets of walls and a plain flood fill as the rules tell it.

Columns and lines count from 1. The square (3, 2), written `c2`, has its upper left corner at the point (3, 2).
A house is the tuple of all points along it, from its left or upper end to the other one: between two neighbours
it fills a slot, and it covers the points that are not its ends.
"""

from functools import cache
from itertools import pairwise

SIZE = 8
LENGTHS = {"large": 3, "medium": 2, "small": 1}
SUPPLY = {"large": 4, "medium": 8, "small": 12}
MONUMENTS = 6
SQUARES = [(column, line) for line in range(1, SIZE + 1) for column in range(1, SIZE + 1)]
BOARD = set(SQUARES)


# --- texts ---


def name(position):
    """`c2` is the square, or the point, in the third column and the second line."""
    column, line = position
    return "abcdefghi"[column - 1] + str(line)


def read(text):
    return "abcdefghi".index(text[0]) + 1, int(text[1:])


def house_text(house):
    return f"{name(house[0])}-{name(house[-1])}"


def read_house(text):
    first, last = text.split("-")
    return straight(read(first), read(last))


def first_square(place):
    """The square that names a place: its first in row-major order."""
    return min(place, key=SQUARES.index)


# --- houses ---


def straight(first, last):
    """All points from one to another in the same groove."""
    columns, lines = range(first[0], last[0] + 1), range(first[1], last[1] + 1)
    return tuple((column, line) for column in columns for line in lines)


def length(house):
    return len(house) - 1


def slots(house):
    return list(pairwise(house))


def covered(house):
    """The crossings of a house; its ends stay free."""
    return house[1:-1]


def squares_beside(slot):
    """The two squares that a wall in this slot separates; only one at the edge of the board."""
    (column, line), (_, other_line) = slot
    lies = line == other_line
    before = (column, line - 1) if lies else (column - 1, line)
    return [square for square in (before, (column, line)) if square in BOARD]


def everywhere():
    """All houses of all lengths that the grooves have room for."""
    houses = []
    for size in LENGTHS.values():
        for groove in range(1, SIZE + 2):
            for start in range(1, SIZE + 2 - size):
                houses.append(straight((start, groove), (start + size, groove)))
                houses.append(straight((groove, start), (groove, start + size)))
    return houses


EVERYWHERE = everywhere()


def elsewhere(house):
    """The same house at all other spots of its groove."""
    (column, line), size = house[0], length(house)
    starts = range(1, SIZE + 2 - size)
    if line == house[-1][1]:
        spots = [straight((start, line), (start + size, line)) for start in starts]
    else:
        spots = [straight((column, start), (column, start + size)) for start in starts]
    return [spot for spot in spots if spot != house]


def that_fit(houses, others):
    """Those houses that share no slot and no crossing with the others."""
    filled = {slot for other in others for slot in slots(other)}
    crossed = {point for other in others for point in covered(other)}
    return [house for house in houses if filled.isdisjoint(slots(house)) and crossed.isdisjoint(covered(house))]


# --- places ---


@cache
def sides(square):
    """The four slots around a square, each with the position behind it, which may be off the board."""
    column, line = square
    upper_left, upper_right = (column, line), (column + 1, line)
    lower_left, lower_right = (column, line + 1), (column + 1, line + 1)
    return [
        ((upper_left, upper_right), (column, line - 1)),
        ((lower_left, lower_right), (column, line + 1)),
        ((upper_left, lower_left), (column - 1, line)),
        ((upper_right, lower_right), (column + 1, line)),
    ]


def walk(start, walls):
    """Everything one reaches from a square without passing a wall; None if the way leads off the board."""
    reached, to_visit = {start}, [start]
    while to_visit:
        for slot, behind in sides(to_visit.pop()):
            if slot in walls or behind in reached:
                continue
            if behind not in BOARD:
                return None
            reached.add(behind)
            to_visit.append(behind)
    return frozenset(reached)


def find_places(houses):
    """The places on the board: sets of squares that are connected and walled in on all sides."""
    walls = {slot for house in houses for slot in slots(house)}
    places = set()
    for square in SQUARES:
        if not any(square in place for place in places):
            places |= {walk(square, walls)} - {None}
    return places


def walls_around(place):
    """The walls of a place: the slots that have it on one side and something else on the other."""
    return {slot for square in place for slot, behind in sides(square) if behind not in place}


class NaiveQuadrilatere:
    """One game; seats are 0-based."""

    def __init__(self, slide):
        self.with_slides = slide
        self.turn = 0  # turns completed, those passed included
        self.player = 0
        self.stage = "place"
        self.houses = set()
        self.supply = [dict(SUPPLY), dict(SUPPLY)]
        self.monuments = [MONUMENTS, MONUMENTS]
        self.owners = {}  # of the occupied places
        self.placed = None  # the house placed this turn
        self.slid = None  # (from, to) of the slide of this turn

    @classmethod
    def from_dict(cls, data):
        """The position that `to_dict` described; it is not checked."""
        game = cls(data["slide"])
        game.turn, game.player, game.stage = data["turn"], data["player"], data["stage"]
        game.houses = {read_house(text) for text in data["houses"]}
        game.supply = [dict(supply) for supply in data["supply"]]
        game.monuments = list(data["monuments"])
        game.owners = {
            frozenset(read(square) for square in place["squares"]): place["owner"] for place in data["places"]
        }
        game.placed = read_house(data["placed"]) if data["placed"] else None
        game.slid = tuple(read_house(text) for text in data["slid"]) if data["slid"] else None
        return game

    @property
    def over(self):
        return self.player is None

    # --- legal actions ---

    def legal(self):
        """The texts of all legal actions; none when the game is over."""
        if self.over:
            return set()
        if self.stage == "place":
            return {house_text(house) for house in self.placements(self.player)} or {"pass"}
        if self.stage == "slide":
            return {f"{house_text(house)}>{house_text(there)}" for house, there in self.slides()} | {"stay"}
        return {f"claim@{name(first_square(place))}" for place in self.closed()} | {"leave"}

    def placements(self, seat):
        """Where a seat may place a house of its supply: on free slots, and no occupied place is divided."""
        sizes = [LENGTHS[kind] for kind, left in self.supply[seat].items() if left > 0]
        own = [house for house in EVERYWHERE if length(house) in sizes]
        return [house for house in that_fit(own, self.houses) if not self.divides_occupied(house)]

    def slides(self):
        """All (from, to) by which a house may slide: any but the one just placed and those at occupied places."""
        return [
            (house, there)
            for house in self.houses
            if house != self.placed and not self.beside_occupied(house)
            for there in self.within_reach(house)
            if not self.divides_occupied(there, house)
        ]

    def divides_occupied(self, house, start=None):
        """Whether the squares of an occupied place would not be connected any more with this house on the board,
        which may have been slid there from its start."""
        if not self.beside_occupied(house):
            return False
        return not set(self.owners) <= find_places(self.houses - {start} | {house})

    def within_reach(self, house):
        """Where a house can be moved to. On its way it sweeps over a stretch of its groove, and gets through if a
        house as long as that stretch would fit. So it passes ends, but no house and no covered crossing."""
        stretches = {
            straight(min(house[0], there[0]), max(house[-1], there[-1])): there for there in elsewhere(house)
        }
        return [stretches[stretch] for stretch in that_fit(stretches, self.houses - {house})]

    def beside_occupied(self, house):
        """Whether a house is a wall of an occupied place, or inside of one."""
        return any(
            square in place for place in self.owners for slot in slots(house) for square in squares_beside(slot)
        )

    def before_slide(self):
        """The houses on the board as they stood when one was placed this turn."""
        if self.slid is None:
            return self.houses
        start, there = self.slid
        return self.houses - {there} | {start}

    def before_turn(self):
        """The houses on the board at the start of the turn."""
        return self.before_slide() - {self.placed}

    def closed(self):
        """The places that were not there at the start of the turn, and of which a wall was placed or slid there in
        this turn."""
        moved = slots(self.placed) + (slots(self.slid[1]) if self.slid else [])
        new = find_places(self.houses) - find_places(self.before_turn())
        return {place for place in new if not walls_around(place).isdisjoint(moved)}

    # --- playing ---

    def apply(self, text):
        """Play a legal action; ValueError, and nothing changed, if it is not legal."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal")
        if text == "pass":
            self.end_turn()
        elif self.stage == "place":
            self.place(read_house(text))
        elif self.stage == "slide":
            self.slide(text)
        else:
            self.claim(text)

    def place(self, house):
        """Step 1. Without a house that may slide, step 2 is left out."""
        for kind, size in LENGTHS.items():
            if size == length(house):
                self.supply[self.player][kind] -= 1
        self.houses.add(house)
        self.placed = house
        if self.with_slides and self.slides():
            self.stage = "slide"
        else:
            self.go_on_to_claim()

    def slide(self, text):
        """Step 2."""
        if text != "stay":
            start, there = (read_house(house) for house in text.split(">"))
            self.houses.remove(start)
            self.houses.add(there)
            self.slid = (start, there)
        self.go_on_to_claim()

    def go_on_to_claim(self):
        """If nothing was closed this turn, step 3 is left out."""
        if self.closed():
            self.stage = "claim"
        else:
            self.end_turn()

    def claim(self, text):
        """Step 3."""
        for place in self.closed():
            if text == f"claim@{name(first_square(place))}":
                self.owners[place] = self.player
                self.monuments[self.player] -= 1
                break
        self.end_turn()

    def end_turn(self):
        """The game is over if the player has no monuments or houses left, or nobody has room for a house."""
        self.turn += 1
        self.stage, self.placed, self.slid = "place", None, None
        finished = self.monuments[self.player] == 0 or sum(self.supply[self.player].values()) == 0
        self.player = 1 - self.player
        if finished or not any(self.placements(seat) for seat in (0, 1)):
            self.player, self.stage = None, None

    # --- looking at it ---

    def to_dict(self):
        """The whole state as plain data, copied."""
        closed = self.closed() if self.stage == "claim" else []
        places = sorted(self.owners, key=lambda place: SQUARES.index(first_square(place)))
        return {
            "slide": self.with_slides,
            "turn": self.turn,
            "player": self.player,
            "stage": self.stage,
            "houses": sorted(house_text(house) for house in self.houses),
            "supply": [dict(supply) for supply in self.supply],
            "monuments": list(self.monuments),
            "places": [
                {"owner": self.owners[place], "squares": [name(square) for square in SQUARES if square in place]}
                for place in places
            ],
            "placed": house_text(self.placed) if self.placed else None,
            "slid": [house_text(house) for house in self.slid] if self.slid else None,
            "closed": [name(square) for square in SQUARES if square in map(first_square, closed)],
        }

    def scores(self):
        """Per seat the squares in the own places."""
        return [sum(len(place) for place, owner in self.owners.items() if owner == seat) for seat in (0, 1)]

    def ranks(self):
        """Per seat how many others are better: 0 is best, and equals share."""
        scores = self.scores()
        return [sum(other > score for other in scores) for score in scores]
