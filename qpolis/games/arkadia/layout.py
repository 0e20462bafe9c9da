"""Arkadia as numbers: squares, bit boards, kinds of cards, actions, and the two records.

Squares are numbered row by row from 0. A set of squares is four words of 48 bits, three rows each: no word ever
uses its sign, so that shifts mean the same compiled and interpreted.

The number of a kind of card is type * FAMILIES + family. A *placement* says where a building lies: the form, how
it is turned, and the upper left corner of the rectangle around it. In this order those that are on the board are
numbered, without gaps: how many there are depends on the forms.
"""

from __future__ import annotations

from qpolis.kernel import record

SEATS = 4
ROWS, COLUMNS = 12, 16
SQUARES = ROWS * COLUMNS
WORDS = 4  # of a bit board
BITS = SQUARES // WORDS  # of each word
FULL = (1 << BITS) - 1

TYPES = ("house", "farm", "tavern", "mill", "smithy", "trade-centre", "monastery")
FAMILY_NAMES = ("red", "olive", "black", "silver")
FORMS = len(TYPES)
FAMILIES = len(FAMILY_NAMES)
KINDS = FORMS * FAMILIES
TURNS = 8  # four, and four turned over
LARGEST = 5  # squares of a building; the published ones have 4 at most
PLACEMENTS = FORMS * TURNS * SQUARES  # more than there can be

BUILDINGS = 40
LOT = BUILDINGS  # stands for the castle lot where buildings are numbered
MOST_LOTS = 256  # places of 3 by 4 squares, either way round
RING = 10  # castle squares
LEVELS = 3
BLANK = FAMILIES  # what a castle square shows without a seal
HAND = 4
DISPLAY = 3
DEALT = HAND * SEATS + DISPLAY  # cards at the start, with all players
BANNERS = 4
HIRED = 2  # own workers for a banner
OWN_WORKERS = 3  # at the start
NEUTRAL_WORKERS = 24
MOST_SEALS = 64  # more than a player can have of a family, see MOST_OF_A_FAMILY
# Cards of a family: a seat gets a seal for each of these buildings, and for its 11 workers, each beside 4 at most.
MOST_OF_A_FAMILY = MOST_SEALS - 1 - 4 * (OWN_WORKERS + BANNERS * HIRED)
NONE = -1

# Actions, in the order of their numbers.
BUILD = 0  # + kind
WORKERS = BUILD + KINDS  # + first square of a building
PASS = WORKERS + SQUARES
DONE = PASS + 1
OWN = DONE + 1  # + square
NEUTRAL = OWN + SQUARES  # + square
BLOCK = NEUTRAL + SQUARES  # + family * (FAMILIES + 1) + what is covered
DRAW = BLOCK + FAMILIES * (FAMILIES + 1)  # + kind
PILE = DRAW + KINDS
BANNER = PILE + 1
KEEP = BANNER + 1
SELL = KEEP + 1  # + family * MOST_SEALS + number
LAY = SELL + FAMILIES * MOST_SEALS  # + placement

STAGES = ("act", "lay", "workers", "castle", "draw", "banner", "sell")
ACT_STAGE, LAY_STAGE, WORKERS_STAGE, CASTLE_STAGE, DRAW_STAGE, BANNER_STAGE, SELL_STAGE = range(len(STAGES))

# Features of a seat that the evaluation weighs, in every phase of the game with other weights (`value.py`).
OPENS = 6  # open squares beside a building that are told apart: 1 to 5, and more
ONE, SEALS, SEAL_VALUE, OWN_LEFT, HELPERS, BANNERS_LEFT, BESIDE = range(7)
BESIDE_VALUE = BESIDE + OPENS
FEATURES = BESIDE_VALUE + OPENS
PHASES = 6

RULES = record(
    [
        ("actions", "i8"),  # size of an array that holds all legal actions
        ("players", "i8"),
        ("intro", "i8"),  # the introductory set-up?
        ("helpers", "i8"),  # neutral workers of each player at the start
        ("camps", "i8", WORDS),
        ("lot_count", "i8"),
        ("lot_first", "i8", MOST_LOTS),  # first squares
        ("lot_cells", "i8", (MOST_LOTS, WORDS)),
        ("lot_border", "i8", (MOST_LOTS, WORDS)),  # the squares beside
        ("intro_lot", "i8"),
        ("intro_count", "i8"),  # buildings of the introductory set-up
        ("intro_kind", "i8", BUILDINGS),
        ("intro_place", "i8", BUILDINGS),  # placements
        ("deck", "i8", KINDS),  # cards of each kind
        ("ring", "i8", RING),  # what the castle shows at the start
        ("blocks", "i8", LEVELS),  # of each family in the stock of each level
        ("turns", "i8", FORMS),  # ways to turn a form
        ("squares", "i8", FORMS),  # of a form
        ("reach", "i8", (FORMS, TURNS, LARGEST)),  # from the corner to each square of a form
        ("room", "i8", (FORMS, TURNS, WORDS)),  # corners from which a form is on the board
        ("margin", "i8", (FORMS, TURNS)),  # columns without such corners, at the right
        ("start", "i8", (FORMS, TURNS)),  # placement at the first corner
        ("starts", "i8", FORMS + 1),  # of all turns of a form; the last entry is how many placements there are
        ("first", "i8", PLACEMENTS),  # first square
        ("cells", "i8", (PLACEMENTS, WORDS)),
        ("border", "i8", (PLACEMENTS, WORDS)),  # the squares beside
        ("weights", "f8", (PHASES, FEATURES)),  # of the evaluation
    ]
)

STATE = record(
    [
        ("filled", "i8", WORDS),  # squares with a building, the lot or a worker
        ("men", "i8", (SEATS, WORDS)),  # squares with own workers
        ("neutral", "i8", WORDS),  # squares with neutral workers
        ("complete", "i8"),  # buildings that are complete, as bits
        ("completed", "i8"),  # those completed by this action and not settled yet
        ("owner", "i1", SQUARES),  # the building on each square, LOT or NONE
        ("place", "i2", BUILDINGS),  # where each building lies
        ("kind", "i1", BUILDINGS),
        ("buildings", "i1"),  # how many there are
        ("lot", "i2"),  # which one
        ("shows", "i1", RING),  # a family or BLANK
        ("level", "i1", RING),  # blocks on each castle square
        ("stock", "i1", (LEVELS, FAMILIES)),
        ("hand", "i1", (SEATS, KINDS)),
        ("known", "i1", (SEATS, KINDS)),  # cards of a hand that were taken openly
        ("cards", "i1", SEATS),  # how many are in each hand
        ("display", "i1", DISPLAY),  # kinds, or NONE
        ("pile", "i1", KINDS),
        ("unseen", "i1"),  # how many cards are in the pile
        ("own", "i1", SEATS),  # own workers left to place
        ("helpers", "i1", SEATS),  # neutral workers left to place
        ("camp", "i1"),  # neutral workers left to get
        ("banners", "i1", SEATS),
        ("seals", "i1", (SEATS, FAMILIES)),
        ("gold", "i2", SEATS),
        ("turn", "i2"),  # turns completed
        ("player", "i1"),  # NONE when the game is over
        ("stage", "i1"),  # 0 when the game is over
        ("held", "i1"),  # kind of the building to lay, or NONE
        ("beside", "i2"),  # in the workers stage: the first square of the chosen building; NONE otherwise
        ("last", "i2"),  # in the workers stage: where the last worker was placed; NONE otherwise
        ("blocks", "i1"),  # still to be laid
        ("selling", "i1"),  # in the sell stage: the family; NONE otherwise
        ("passes", "i1"),  # in a row
        ("turns_left", "i1"),  # the present one included; NONE before the end is near
    ]
)
