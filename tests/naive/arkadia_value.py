"""What a position of Arkadia is worth, counted plainly, and what steps bring: every step is really played, and the
positions before and after it are compared.

Weights are a dict by the names of the features, those of the phase before the step.
"""

from functools import cached_property, lru_cache

from .arkadia import NaiveArkadia
from .arkadia_pieces import FAMILIES, around, name, names, read, split_card

PACE, LAST_PHASE = 4, 5
MOST_OPEN = 6
PROSPECT = 0.3
LOOKS = 6
beside = lru_cache(maxsize=None)(around)


class Steps(NaiveArkadia):
    """A game of which single steps are played: its turn never ends."""

    def end_turn(self):
        self.forget()


def fork(game):
    """The same position, to play on."""
    other = Steps()
    vars(other).update({key: apart(value) for key, value in vars(game).items()})
    return other


def apart(data):
    """Plain data and sets, with nothing shared that changes."""
    if isinstance(data, dict):
        return {key: apart(value) for key, value in data.items()}
    if isinstance(data, list):
        return [apart(value) for value in data]
    return set(data) if isinstance(data, set) else data


# --- positions ---


def phase(game):
    if game.turns_left is not None:
        return LAST_PHASE
    return min(sum(square["level"] for square in game.castle) // PACE, LAST_PHASE - 1)


def features(game, seat):
    """What counts for a seat, by name. A building with nothing open around it, which is settled when the step is
    over, has earned its seals."""
    values, filled, seals = game.values(), game.filled(), dict(game.seals[seat])
    found = {
        "one": 1,
        "seals": 0,
        "seal_value": 0,
        "own_left": game.own[seat],
        "helpers": game.helpers[seat],
        "banners_left": game.banners[seat],
    }
    found |= {f"{what}_{opens}": 0 for what in ("beside", "beside_value") for opens in range(1, MOST_OPEN + 1)}
    for building in game.buildings:
        if not building["complete"]:
            there, family = beside(building["squares"]), building["family"]
            near, opens = len(there & game.workers[seat]), len(there - filled)
            if opens == 0:
                seals[family] += near + (seat == game.player)
            else:
                found[f"beside_{min(opens, MOST_OPEN)}"] += near
                found[f"beside_value_{min(opens, MOST_OPEN)}"] += near * values[family]
    found["seals"] = sum(seals.values())
    found["seal_value"] = sum(number * values[family] for family, number in seals.items())
    return found


def evaluate(game, weights):
    """What the position is worth to each seat."""
    if game.over:
        return game.gold
    return [
        gold + sum(weights[feature] * number for feature, number in features(game, seat).items())
        for seat, gold in enumerate(game.gold)
    ]


def surrounded(game):
    """How many buildings have nothing open around them."""
    filled = game.filled()
    return sum(beside(building["squares"]) <= filled for building in game.buildings)


# --- gains ---


class Start:
    """A position from which steps are compared; `block` is what a block in the castle brings."""

    def __init__(self, game, weights, block=None):
        self.game, self.weights = game, weights
        self.worth, self.closed = evaluate(game, weights), surrounded(game)
        self.given = block

    @cached_property
    def block(self):
        return best_block(self) if self.given is None else self.given

    def gain(self, after):
        """The change of the mover's evaluation, less that of the others on average, and the blocks to come."""
        changes = [now - then for now, then in zip(evaluate(after, self.weights), self.worth, strict=True)]
        mine = changes.pop(self.game.player)
        blocks = surrounded(after) - self.closed
        return mine - sum(changes) / len(changes) + (self.block * blocks if blocks else 0)

    def next(self, after):
        return Start(after, self.weights, self.block)


def block_gain(start, text):
    after = fork(start.game)
    after.blocks = 1
    after.lay_block(text)
    return start.gain(after)


def best_block(start):
    return max((block_gain(start, text) for text in start.game.blocks_to_lay()), default=0)


def lay_gain(start, card, squares):
    after = fork(start.game)
    after.held = card
    after.lay("+".join(names(squares)))
    return start.gain(after)


def best_lay(start, card):
    places = start.game.places_to_lay(split_card(card)[0])
    return max((lay_gain(start, card, there) for there in places), default=float("-inf"))


def after_worker(start, site, whose, square):
    """The position after a worker more beside the building (or lot) with this first square."""
    after = fork(start.game)
    after.stage, after.beside = "workers", site
    after.place_worker(f"{whose}@{name(square)}")
    return after


def fill_gain(start, site, squares):
    """Workers on all these squares row by row, each time whom it brings more; own ones if it is all the same."""
    game = start.game
    if len(squares) > game.own[game.player] + game.helpers[game.player]:
        return float("-inf")
    total = 0
    for square in sorted(squares):
        own, helpers = start.game.own[game.player], start.game.helpers[game.player]
        tried = [
            after_worker(start, site, whose, square)
            for whose, left in (("own", own), ("neutral", helpers))
            if left
        ]
        after = max(tried, key=start.gain)
        total += start.gain(after)
        start = start.next(after)
    return total


def workers_gain(start, site):
    """The best single worker beside a building or the lot, or all that complete the building."""
    game = start.game
    squares = game.places_for_workers(game.by_first_square()[site])
    singles = [
        start.gain(after_worker(start, site, whose, square))
        for square in squares
        for whose, left in (("own", game.own), ("neutral", game.helpers))
        if left[game.player]
    ]
    return max([*singles, float("-inf") if site in game.lot else fill_gain(start, site, squares)])


def next_worker_gain(start, text):
    """A worker, and all others that complete the building then, if that pays and no square was left out."""
    game = start.game
    whose, _, square = text.partition("@")
    squares = game.places_for_workers(game.by_first_square()[game.beside])
    after = after_worker(start, game.beside, whose, read(square))
    gain = start.gain(after)
    if game.beside not in game.lot and read(square) == min(squares) and len(squares) > 1:
        gain += max(0, fill_gain(start.next(after), game.beside, squares - {read(square)}))
    return gain


def sale_gain(start, text):
    after = fork(start.game)
    after.sell(text)
    return start.gain(after)


def banner_gain(start):
    """A banner, and all or none of the seals of each family, whatever is best."""
    after = fork(start.game)
    after.show_banner("banner")
    return max(map(start.gain, sold(after)))


def sold(game):
    """The positions after each way to exchange all or none of the seals of each family."""
    if game.stage != "sell" or game.selling is None:
        return [game]
    found = []
    for number in (0, game.seals[game.player][game.selling]):
        after = fork(game)
        after.sell(f"{game.selling}={number}")
        found += sold(after)
    return found


# --- the verbs ---


def gain_of(start, text):
    """What an action brings."""
    stage = start.game.stage
    if text in ("pass", "done", "draw@pile", "keep"):
        return 0
    if stage == "act":
        first = text.partition("workers@")[2]
        return workers_gain(start, read(first)) if first else best_lay(start, text)
    if stage == "draw":
        return PROSPECT * max(0, best_lay(start, text.removeprefix("draw@")))
    return {
        "lay": lambda: lay_gain(start, start.game.held, map(read, text.split("+"))),
        "workers": lambda: next_worker_gain(start, text),
        "castle": lambda: block_gain(start, text),
        "banner": lambda: banner_gain(start),
        "sell": lambda: sale_gain(start, text),
    }[stage]()


def completions(start):
    """The actions that send workers to a building to complete it, with what that brings if it pays."""
    game = start.game
    found = {}
    for building in game.buildings:
        squares = game.places_for_workers(building["squares"])
        gain = fill_gain(start, min(building["squares"]), squares) if squares else 0
        if gain > 0:
            found[f"workers@{name(min(building['squares']))}"] = gain
    return found


def suggestions(start, texts, draw):
    """Actions of which the rules of thumb may suggest any: they are equally good. `draw(n)` gives a number below n
    and `texts` are all legal actions in order."""
    stage = start.game.stage
    if stage == "draw":
        return {texts[draw(len(texts))]}
    if stage == "act":
        worth = completions(start)
        if not worth:
            return {texts[draw(len([text for text in texts if "@" not in text]) or len(texts))]}
    elif stage == "lay":
        worth = {text: gain_of(start, text) for text in [texts[draw(len(texts))] for _ in range(LOOKS)]}
    else:
        worth = {text: gain_of(start, text) for text in texts}
    most = max(worth.values())
    return {text for text, gain in worth.items() if gain > most - 1e-9}


def families(weights, game):
    """What a point of value of each family's seals is worth to the mover: the change if one more is shown."""
    found = []
    for family in FAMILIES:
        start, after = Start(game, weights, 0), fork(game)
        after.castle.append({"shows": family, "level": 0})
        found.append(start.gain(after))
    return found
