"""What a new program that plays Arkadia likes: `qpolis new-bot --kind program` writes it into the bot."""

VALUE = '''\
def value(seen, text):
    """How much we like a step of our turn: farm-red plays a card and c4+c5+c6 lays it, workers@c4 chooses a
    building and own@c7 or neutral@d4 place workers beside it, red/blank lays a block, red=3 sells seals."""
    seals, own = seen["seals"][seen["seat"]], seen["own"][seen["seat"]]
    if text.startswith("workers@"):  # close a building if we can, or else rather build
        return 20 if len(open_beside(seen, building_at(seen, text[8:]))) <= own else 5
    if text.startswith(("own@", "neutral@")):
        return 2 if text.startswith("own@") else 1
    if "+" in text:
        squares = text.split("+")
        return sum(map(len, map(beside, squares))) - len(open_beside(seen, squares))
    if "/" in text:  # more of what we have, less of what we have not
        family, covered = text.split("/")
        return seals[family] - seals.get(covered, 0)
    if "=" in text:  # while the price is good
        family, count = text.split("=")
        worth = sum(square["shows"] == family for square in seen["castle"])
        return int(count) if worth >= 4 else -int(count)
    if text == "banner":
        return 1 if own == 0 else -1
    return 10 if "-" in text else 0  # a card to build with or to draw; done, keep, draw@pile and pass


def building_at(seen, square):
    """The squares of the building, or of the castle lot, that has this one."""
    found = [building["squares"] for building in seen["buildings"] if square in building["squares"]]
    return found[0] if found else seen["lot"]


def open_beside(seen, squares):
    """The free squares that share a side with some squares."""
    taken = {*squares, *seen["lot"], *seen["neutral"]}.union(*seen["workers"])
    taken.update(*(building["squares"] for building in seen["buildings"]))
    return {other for square in squares for other in beside(square)} - taken


def beside(square):
    """The squares of the board, a1 to p12, that share a side with one."""
    column, row = ord(square[0]), int(square[1:])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [f"{chr(x)}{y}" for x, y in around if "a" <= chr(x) <= "p" and 1 <= y <= 12]
'''
