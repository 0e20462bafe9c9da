"""What a new program that plays Quadropolis likes: `qpolis new-bot --kind program` writes it into the bot."""

VALUE = '''\
WORTH = {"tower": 4, "service": 4, "park": 2, "shop": 3, "harbor": 3, "factory": 3, "office": 4, "monument": 2}
NEEDS = {"tower": "energy", "shop": "energy", "office": "energy", "service": "inhabitants",
         "factory": "inhabitants", "harbor": "inhabitants", "park": None, "monument": None}


def value(seen, text):
    """How much we like a move: 3@N2 takes a tile, c2 builds it, discard throws it away."""
    if text == "discard":
        return -1
    if "@" in text:
        tile = seen["site"][square_taken(int(text[0]), text[2], int(text[3:]))]
        return 0 if tile is None else 10 + WORTH[tile["type"]] + tile["vp"] + supply(seen, tile)
    city = seen["cities"][seen["seat"]]
    columns = len(city) // 4
    column, line = ord(text[0]) - ord("a"), int(text[1:]) - 1
    built = city[line * columns + column]
    if built is not None:
        return 10 + built["floors"]  # another floor
    return sum(neighbour is not None for neighbour in beside(city, columns, line, column))


def supply(seen, tile):
    """What the inhabitants and the energy of a tile are worth to us: buildings need them."""
    value = 0
    for store in ("inhabitants", "energy"):
        needed = sum(built is not None and NEEDS[built["type"]] == store for built in seen["cities"][seen["seat"]])
        spare = seen[store][seen["seat"]] - needed
        if spare < 2:
            value += 2 * tile[store]
        if NEEDS[tile["type"]] == store and spare + tile[store] < 1:
            value -= 3
    return value


def square_taken(number, side, index):
    """The square of the site, counted row by row, that architect `number` at an end of a line or column takes."""
    line, column = {"N": (number, index), "S": (6 - number, index),
                    "W": (index, number), "E": (index, 6 - number)}[side]
    return (line - 1) * 5 + column - 1


def beside(city, columns, line, column):
    """What is on the squares that share a side with this one."""
    for y, x in ((line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)):
        if 0 <= y < 4 and 0 <= x < columns:
            yield city[y * columns + x]
'''
