"""The game of Arkadia, played with sets of squares and lists of cards as the rules tell it.

A building is a dict of its type, family, squares (a frozenset) and whether it is complete.
"""

from .arkadia_board import PUBLISHED
from .arkadia_pieces import (
    BANNERS,
    DISPLAY,
    FAMILIES,
    HAND,
    NEUTRALS,
    WORKERS,
    WORKERS_PER_BANNER,
    around,
    name,
    names,
    read,
    sorted_cards,
    split_card,
)

# The parts of a state that are plain data.
AS_THEY_ARE = [
    "players",
    "setup",
    "flip",
    "turn",
    "player",
    "stage",
    "castle",
    "stock",
    "hands",
    "known",
    "display",
    "pile",
    "own",
    "helpers",
    "camp",
    "banners",
    "seals",
    "gold",
    "held",
    "blocks",
    "selling",
    "passes",
    "turns_left",
]


def copied(data):
    """Plain data, with nothing shared."""
    if isinstance(data, dict):
        return {key: copied(value) for key, value in data.items()}
    return [copied(value) for value in data] if isinstance(data, list) else data


def new_building(card, squares):
    kind, family = split_card(card)
    return {"type": kind, "family": family, "squares": frozenset(squares), "complete": False}


class NaiveArkadia:
    """One game; seats are 0-based. Its fields are called as in the plain data of a state."""

    @classmethod
    def start(cls, players, setup, flip, rng, board=PUBLISHED):
        """Lay the lot and deal the cards by the random numbers given."""
        if players not in (2, 3, 4) or setup not in ("standard", "intro"):
            raise ValueError(f"no game for {players!r} players with the set-up {setup!r}")
        game = cls()
        game.board = board
        game.players, game.setup, game.flip = players, setup, flip
        game.turn, game.player, game.stage = 0, 0, "act"
        first = board.intro if setup == "intro" else []
        extra = board.intro_neutrals[players] if setup == "intro" else 0
        game.lot = board.intro_lot if setup == "intro" else rng.choice(board.lots)
        game.buildings = [new_building(card, squares) for card, squares in first]
        game.workers, game.neutral = [set() for _ in range(players)], set()
        game.castle = [{"shows": family, "level": 0} for family in board.ring]
        game.stock = [dict.fromkeys(FAMILIES, number) for number in board.stock]
        game.deal([card for card, _ in first], rng)
        game.own, game.banners = [WORKERS] * players, [BANNERS] * players
        game.helpers, game.camp = [extra] * players, NEUTRALS - extra * players
        game.seals = [dict.fromkeys(FAMILIES, 0) for _ in range(players)]
        game.gold = [0] * players
        game.passes, game.turns_left = 0, None
        game.forget()
        return game

    def deal(self, removed, rng):
        cards = list(self.board.cards)
        for card in removed:
            cards.remove(card)
        rng.shuffle(cards)
        self.hands = [sorted_cards(cards.pop() for _ in range(HAND)) for _ in range(self.players)]
        self.known = [[] for _ in range(self.players)]
        self.display = [cards.pop() for _ in range(DISPLAY)]
        self.pile = sorted_cards(cards)

    def forget(self):
        """Nothing of the steps inside a turn is left."""
        self.held = self.beside = self.last = self.selling = None
        self.blocks = 0

    @classmethod
    def from_dict(cls, data, board=PUBLISHED):
        """The position that `to_dict` described; it is not checked."""
        game = cls()
        game.board = board
        for key in AS_THEY_ARE:
            setattr(game, key, copied(data[key]))
        game.lot = frozenset(map(read, data["lot"]))
        game.buildings = [
            {**building, "squares": frozenset(map(read, building["squares"]))} for building in data["buildings"]
        ]
        game.workers = [set(map(read, squares)) for squares in data["workers"]]
        game.neutral = set(map(read, data["neutral"]))
        game.beside = read(data["beside"]) if data["beside"] else None
        game.last = read(data["last"]) if data["last"] else None
        return game

    @property
    def over(self):
        return self.player is None

    # --- the board and the castle ---

    def filled(self):
        """All squares with a building, the lot or a worker."""
        return self.lot.union(self.neutral, *self.workers, *(building["squares"] for building in self.buildings))

    def places_to_lay(self, kind):
        """Free squares of the right form that are beside a building, the lot or a worker."""
        filled = self.filled()
        beside = around(filled)
        return [
            there
            for there in self.board.everywhere[kind, self.flip]
            if there.isdisjoint(filled) and not there.isdisjoint(beside)
        ]

    def places_for_workers(self, squares):
        return around(squares) - self.filled()

    def by_first_square(self):
        """The lot and the buildings by the square that names them: the first one, row by row."""
        return {
            min(squares): squares for squares in [self.lot, *(building["squares"] for building in self.buildings)]
        }

    def level(self):
        """The castle's level under construction, from 1; level 1 must be full before level 2 starts, and so on."""
        return min(square["level"] for square in self.castle) + 1

    def values(self):
        """Today's value of a seal by family: the castle squares that show it from above."""
        shown = [square["shows"] for square in self.castle]
        return {family: shown.count(family) for family in FAMILIES}

    def blocks_to_lay(self):
        """Texts of all blocks that can be laid, none if the stock is empty or the ring full."""
        level = self.level()
        if level > len(self.stock):
            return set()
        shown = {square["shows"] or "blank" for square in self.castle if square["level"] < level}
        return {f"{family}/{below}" for family, left in self.stock[level - 1].items() if left for below in shown}

    # --- legal actions ---

    def legal(self):
        """The texts of all legal actions; none when the game is over."""
        if self.over:
            return set()
        return {
            "act": self.legal_acts,
            "lay": self.legal_lays,
            "workers": self.legal_workers,
            "castle": self.blocks_to_lay,
            "draw": self.legal_draws,
            "banner": lambda: {"banner", "keep"},
            "sell": self.legal_sales,
        }[self.stage]()

    def legal_acts(self):
        cards = {card for card in self.hands[self.player] if self.places_to_lay(split_card(card)[0])}
        sites = set()
        if self.own[self.player] + self.helpers[self.player]:
            sites = {
                f"workers@{name(first)}"
                for first, squares in self.by_first_square().items()
                if self.places_for_workers(squares)
            }
        return cards | sites or {"pass"}

    def legal_lays(self):
        return {"+".join(names(there)) for there in self.places_to_lay(split_card(self.held)[0])}

    def legal_workers(self):
        """Row by row, so that every choice of squares is made in one way only."""
        squares = self.places_for_workers(self.by_first_square()[self.beside])
        later = [name(square) for square in squares if self.last is None or square > self.last]
        texts = {f"own@{square}" for square in later if self.own[self.player]}
        texts |= {f"neutral@{square}" for square in later if self.helpers[self.player]}
        return texts | {"done"} if self.last else texts

    def legal_draws(self):
        face_up = {f"draw@{card}" for card in self.display if card}
        return face_up | {"draw@pile"} if self.pile else face_up

    def legal_sales(self):
        return {f"{self.selling}={number}" for number in range(self.seals[self.player][self.selling] + 1)}

    # --- playing ---

    def apply(self, text, drawn=None):
        """Play a legal action; ValueError, and nothing changed, if it is not legal.

        `drawn` is the card that the pile gives, to the hand or to the display, if this action takes one from it.
        """
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal")
        if self.stage == "draw" and self.pile:
            if drawn not in self.pile:
                raise ValueError(f"the pile cannot give {drawn!r}")
        elif drawn is not None:
            raise ValueError("the pile gives no card here")
        if self.stage == "draw":
            self.draw(text.removeprefix("draw@"), drawn)
        else:
            {
                "act": self.act,
                "lay": self.lay,
                "workers": self.place_worker,
                "castle": self.lay_block,
                "banner": self.show_banner,
                "sell": self.sell,
            }[self.stage](text)

    def act(self, text):
        """A card that others know of is played before one that they do not."""
        self.passes = self.passes + 1 if text == "pass" else 0
        if text == "pass":
            self.go_on_to_banner()
        elif text.startswith("workers@"):
            self.stage, self.beside = "workers", read(text.removeprefix("workers@"))
        else:
            self.stage, self.held = "lay", text
            self.hands[self.player].remove(text)
            if text in self.known[self.player]:
                self.known[self.player].remove(text)

    def lay(self, text):
        squares = frozenset(map(read, text.split("+")))
        self.buildings.append(new_building(self.held, squares))
        self.held = None
        found = min(len(squares & self.board.camps), self.camp)
        self.camp -= found
        self.helpers[self.player] += found
        if self.pile or any(self.display):
            self.stage = "draw"  # refilling the hand is part of the action
        else:
            self.settle()

    def place_worker(self, text):
        if text != "done":
            whose, square = text.split("@")
            (self.own if whose == "own" else self.helpers)[self.player] -= 1
            (self.workers[self.player] if whose == "own" else self.neutral).add(read(square))
            self.last = read(square)
        if self.legal_workers() == {"done"} or text == "done":
            self.beside = self.last = None
            self.settle()

    def settle(self):
        """After the action: first the seals for all buildings it completed, then a block for each."""
        filled = self.filled()
        completed = [
            building
            for building in self.buildings
            if not building["complete"] and around(building["squares"]) <= filled
        ]
        for building in completed:
            building["complete"] = True
            for seat in range(self.players):
                self.seals[seat][building["family"]] += len(self.workers[seat] & around(building["squares"]))
            self.seals[self.player][building["family"]] += 1
        self.blocks = len(completed)
        self.go_on_to_castle()

    def go_on_to_castle(self):
        if self.blocks and self.blocks_to_lay():
            self.stage = "castle"
            return
        self.blocks = 0
        self.go_on_to_banner()

    def lay_block(self, text):
        """What is left of a full level can be used on level 3. The end is near when level 2 is full."""
        level = self.level()
        family, shown = text.split("/")
        square = next(
            square for square in self.castle if square["level"] < level and (square["shows"] or "blank") == shown
        )
        square["shows"], square["level"] = family, level
        self.stock[level - 1][family] -= 1
        if self.level() > level and level < 3:
            for spare in FAMILIES:
                self.stock[2][spare] += self.stock[level - 1][spare]
                self.stock[level - 1][spare] = 0
            if level == 2:
                self.turns_left = self.players + 1  # this turn, and one more for everybody
        self.blocks -= 1
        self.go_on_to_castle()

    def draw(self, card, drawn):
        if card == "pile":
            self.hands[self.player].append(drawn)
        else:
            self.display[self.display.index(card)] = drawn
            self.hands[self.player].append(card)
            self.known[self.player] = sorted_cards([*self.known[self.player], card])
        self.hands[self.player] = sorted_cards(self.hands[self.player])
        if drawn:
            self.pile.remove(drawn)
        self.settle()

    def go_on_to_banner(self):
        if self.banners[self.player]:
            self.stage = "banner"
        else:
            self.end_turn()

    def show_banner(self, text):
        if text == "keep":
            self.end_turn()
            return
        self.banners[self.player] -= 1
        self.own[self.player] += WORKERS_PER_BANNER
        self.go_on_to_sell(FAMILIES)

    def go_on_to_sell(self, families):
        """The next family of which the player has seals; none is left: the turn is over."""
        owned = [family for family in families if self.seals[self.player][family]]
        if owned:
            self.stage, self.selling = "sell", owned[0]
        else:
            self.end_turn()

    def sell(self, text):
        family, number = text.split("=")
        self.exchange(self.player, family, int(number))
        self.go_on_to_sell(FAMILIES[FAMILIES.index(family) + 1 :])

    def exchange(self, seat, family, number):
        self.seals[seat][family] -= number
        self.gold[seat] += number * self.values()[family]

    def end_turn(self):
        self.turn += 1
        self.forget()
        if self.turns_left is not None:
            self.turns_left -= 1
        if self.turns_left == 0 or self.passes == self.players:
            self.finish()
        else:
            self.stage, self.player = "act", (self.player + 1) % self.players

    def finish(self):
        """The final count: all seals that are left are exchanged."""
        self.stage, self.player = None, None
        for seat in range(self.players):
            for family in FAMILIES:
                self.exchange(seat, family, self.seals[seat][family])

    # --- looking at it ---

    def to_dict(self):
        """The whole state as plain data, copied."""
        return {
            **{key: copied(getattr(self, key)) for key in AS_THEY_ARE},
            "lot": names(self.lot),
            "buildings": [{**building, "squares": names(building["squares"])} for building in self.buildings],
            "workers": [names(squares) for squares in self.workers],
            "neutral": names(self.neutral),
            "beside": name(self.beside) if self.beside else None,
            "last": name(self.last) if self.last else None,
        }

    def observe(self, seat):
        """What a seat may know: of the cards only its own ones and those that were taken face up."""
        seen = self.to_dict()
        hands, pile = seen.pop("hands"), seen.pop("pile")
        return {**seen, "hand": hands[seat], "cards": [len(hand) for hand in hands], "unseen": len(pile)}

    def scores(self):
        """Per seat the gold, and the seals at today's values."""
        values = self.values()
        return [
            gold + sum(values[family] * number for family, number in seals.items())
            for gold, seals in zip(self.gold, self.seals, strict=True)
        ]

    def ranks(self):
        """Per seat how many others are better: 0 is best, and equals share."""
        scores = self.scores()
        return [sum(other > score for other in scores) for score in scores]
