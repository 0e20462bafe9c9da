"""The game of Quadropolis, played with plain lists and dicts as the rules tell it.

Chance is injected: the caller lays the site of every round. The text notation and `to_dict` follow the
design: `3@N2` is architect 3 at the top end of column 2, `c2` is city column c, line 2, and `discard`.
"""

import csv

from .quadropolis_scoring import COLUMNS, DISTRICTS, LINES, MOST_FLOORS, STACKING_TYPES, score

ROUNDS = {"classic": 4, "expert": 5}
TURNS = 4
SITE_SIZE = 5
ARCHITECTS = {"classic": [1, 2, 3, 4], "expert": [1, 2, 3, 4, 5]}
POSITIONS = [side + str(index) for side in "NESW" for index in range(1, SITE_SIZE + 1)]
PLAYERS_NEEDED = {
    "all": 2,
    "3-4": 3,
    "4": 4,  # a tile with this mark is in play from so many players on
    "out": 5,
}  # (never)
# fmt: off
SQUARE_NUMBERS = [2, 3, 1, 1, 3,                # expert city mat
                  5, 4, 2, 5, 4,
                  1, 2, 3, 1, 2,
                  4, 3, 5, 5, 4]
# fmt: on


def read_tiles(path):
    """The rows of a tile list (CSV), numbers as ints. A park holds one unit of energy if nothing is said."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for name in ("round", "inhabitants", "energy", "vp", "mayor"):
            row[name] = int(row[name])
        row["holds"] = int(row.get("holds") or row["type"] == "park")
    return rows


def square_pointed_to(architect, position):
    """(line, column), 1-based, of the n-th square of the site counted from architect n."""
    side, index = position[0], int(position[1])
    from_far_end = SITE_SIZE + 1 - architect
    return {
        "N": (architect, index),
        "S": (from_far_end, index),
        "W": (index, architect),
        "E": (index, from_far_end),
    }[side]


def site_index(line, column):
    """The place of a site square (1-based line and column) in the row-major list."""
    return (line - 1) * SITE_SIZE + (column - 1)


def blocked_by(urbanist, position):
    """Whether the line or column in front of the position contains the urbanist."""
    if urbanist is None:
        return False
    side, index = position[0], int(position[1])
    line, column = urbanist
    return index == column if side in "NS" else index == line


class NaiveQuadropolis:
    """One game; seats are 0-based, everything else counts from 1 as in the rulebook."""

    def __init__(self, mode, players, tiles):
        if mode not in ROUNDS:
            raise ValueError(f"unknown mode {mode!r}")
        if players not in (2, 3, 4):
            raise ValueError(f"2 to 4 players, not {players!r}")
        if any(tile["mayor"] and tile["type"] != "tower" for tile in tiles):
            raise ValueError("only tower blocks carry the mayor symbol")
        self.mode = mode
        self.players = players
        self.tiles = tiles
        in_play = [tile for round in range(1, ROUNDS[mode] + 1) for tile in self.rows_in_play(round)]
        self.parks_differ = any(tile["type"] == "park" and tile["holds"] != 1 for tile in in_play)
        self.round = 1
        self.mayor = 0
        self.cities = [[None] * (LINES[mode] * COLUMNS[mode]) for _ in range(players)]
        self.inhabitants = [0] * players
        self.energy = [0] * players
        self.over = False
        self.start_round()

    # --- the course of the game ---

    def rows_in_play(self, round):
        """The rows of a round that are in play: right deck, and a mark that this many players use."""
        return [
            tile
            for tile in self.tiles
            if tile["round"] == round
            and tile["deck"] in ("both", self.mode)
            and self.players >= PLAYERS_NEEDED[tile["mark"]]
        ]

    def round_tiles(self, round):
        """The tiles in play in a round. Where parks can differ from the rulebook, each says what it holds."""
        tiles = []
        for row in self.rows_in_play(round):
            tile = {name: row[name] for name in ("type", "inhabitants", "energy", "vp")}
            tile["mayor"] = bool(row["mayor"])
            if self.parks_differ and row["type"] == "park":
                tile["holds"] = row["holds"]
            tiles.append(tile)
        return tiles

    def start_round(self):
        """Everything off the site; all architects ready; whoever holds the mayor plays first."""
        self.turn = 1
        self.first_player = self.mayor  # stays, even when the mayor moves during the round
        self.player = self.first_player
        self.clear_site()
        if self.mode == "classic":
            self.pool = [list(ARCHITECTS["classic"]) for _ in range(self.players)]
        else:
            self.pool = sorted(ARCHITECTS["expert"] * self.players)
        self.needs_layout = True

    def clear_site(self):
        """What is left goes back to the box; architects and urbanist leave."""
        self.site = [None] * SITE_SIZE**2
        self.architects = []
        self.urbanist = None
        self.held = None

    def lay(self, site):
        """Lay the tiles of the round: 25 entries row-major, None for an empty square."""
        if not self.needs_layout:
            raise ValueError("the site is laid already, or the game is over")
        if len(site) != SITE_SIZE**2:
            raise ValueError(f"a site has {SITE_SIZE**2} squares, not {len(site)}")
        missing = self.round_tiles(self.round)
        for tile in site:
            if tile is not None and tile not in missing:
                raise ValueError(f"{tile} is not (or not so often) in round {self.round}")
            if tile is not None:
                missing.remove(tile)
        if missing:
            raise ValueError(f"not on the site: {missing}")
        self.site = [None if tile is None else dict(tile) for tile in site]
        self.needs_layout = False

    def next_player(self):
        """Clockwise; after everybody the next turn; after four turns the next round or the end."""
        self.player = (self.player + 1) % self.players
        if self.player != self.first_player:
            return
        if self.turn < TURNS:
            self.turn += 1
        elif self.round < ROUNDS[self.mode]:
            self.round += 1
            self.start_round()
        else:
            self.end_game()

    def end_game(self):
        """Clean up the last round; round and turn keep their last values."""
        self.clear_site()
        self.pool = [[] for _ in range(self.players)] if self.mode == "classic" else []
        self.player = None
        self.over = True

    # --- legal actions ---

    def legal(self):
        """The texts of all legal actions; none while a layout is missing or when the game is over."""
        if self.over or self.needs_layout:
            return set()
        if self.held is None:
            return self.legal_takes()
        return self.legal_places()

    def legal_takes(self):
        """Every architect that is left, at every free position the urbanist does not block."""
        mine = self.pool[self.player] if self.mode == "classic" else self.pool
        return {
            f"{architect}@{position}"
            for architect in mine
            for position in POSITIONS
            if position not in self.architects and not blocked_by(self.urbanist, position)
        }

    def legal_places(self):
        """Every square where the held tile may go, and the discard, which is always allowed."""
        texts = {"discard"}
        for square in range(len(self.cities[self.player])):
            if self.may_place(square):
                texts.add(self.square_text(square))
        return texts

    def may_place(self, square):
        """Whether the player may build the held tile on this square of the city."""
        tile, architect = self.held["tile"], self.held["architect"]
        building = self.cities[self.player][square]
        if building is None:
            return self.eligible(square, architect)
        if tile["type"] not in STACKING_TYPES or building["type"] != tile["type"]:
            return False
        floor = building["floors"] + 1
        if floor > MOST_FLOORS[self.mode]:
            return False
        return self.eligible(square, architect) or floor == architect

    def eligible(self, square, architect):
        """Classic: in line n or column n. Expert: the square or its district has number n."""
        if self.mode == "classic":
            line, column = square // COLUMNS["classic"] + 1, square % COLUMNS["classic"] + 1
            return architect in (line, column)
        return architect in (SQUARE_NUMBERS[square], DISTRICTS["expert"][square])

    def square_text(self, square):
        """`c2` is the square in city column c (the third), line 2."""
        columns = COLUMNS[self.mode]
        return "abcde"[square % columns] + str(square // columns + 1)

    # --- playing ---

    def apply(self, text):
        """Play a legal action; ValueError, and nothing changed, if it is not legal."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal")
        if self.held is None:
            architect, position = text.split("@")
            self.take(int(architect), position)
        else:
            if text != "discard":
                self.place(text)
            self.held = None
            self.next_player()

    def take(self, architect, position):
        """Play the architect, move the urbanist, take the tile if there is one."""
        mine = self.pool[self.player] if self.mode == "classic" else self.pool
        mine.remove(architect)
        self.architects.append(position)
        line, column = square_pointed_to(architect, position)
        self.urbanist = (line, column)
        tile = self.site[site_index(line, column)]
        self.site[site_index(line, column)] = None
        if tile is None:
            self.next_player()
        else:
            self.held = {"tile": tile, "architect": architect}

    def place(self, text):
        """Build the held tile in the player's city and receive what it shows."""
        tile, city = self.held["tile"], self.cities[self.player]
        square = (int(text[1]) - 1) * COLUMNS[self.mode] + "abcde".index(text[0])
        if city[square] is None:
            city[square] = {"type": tile["type"], "floors": 1, "vp": tile["vp"]}
            if "holds" in tile:
                city[square]["holds"] = tile["holds"]
        else:
            city[square]["floors"] += 1
            city[square]["vp"] += tile["vp"]
        self.inhabitants[self.player] += tile["inhabitants"]
        self.energy[self.player] += tile["energy"]
        if tile["mayor"]:
            self.mayor = self.player

    # --- looking at it ---

    def to_dict(self):
        """The whole state as plain data, copied."""
        held = None
        if self.held is not None:
            held = {"tile": dict(self.held["tile"]), "architect": self.held["architect"]}
        if self.mode == "classic":
            pool = [sorted(numbers) for numbers in self.pool]
        else:
            pool = sorted(self.pool)
        return {
            "mode": self.mode,
            "players": self.players,
            "round": self.round,
            "turn": self.turn,
            "player": self.player,
            "mayor": self.mayor,
            "site": [None if tile is None else dict(tile) for tile in self.site],
            "architects": sorted(self.architects, key=POSITIONS.index),
            "urbanist": None if self.urbanist is None else list(self.urbanist),
            "pool": pool,
            "held": held,
            "cities": [
                [None if building is None else dict(building) for building in city] for city in self.cities
            ],
            "inhabitants": list(self.inhabitants),
            "energy": list(self.energy),
        }

    def results(self):
        """Per seat (victory points, inhabitants on buildings, empty squares), when the game is over."""
        if not self.over:
            raise ValueError("the game is not over")
        results = []
        for city, inhabitants, energy in zip(self.cities, self.inhabitants, self.energy, strict=True):
            scored = score(self.mode, city, inhabitants, energy)
            results.append((scored["total"], scored["inhabitants_on_buildings"], scored["empty_squares"]))
        return results

    def ranks(self):
        """Per seat how many others are better: 0 is best, and equals share."""
        values = [(points, people, -empty) for points, people, empty in self.results()]
        return [sum(1 for other in values if other > value) for value in values]
