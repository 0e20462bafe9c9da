"""The features of an unfinished city, counted on plain lists of squares."""

from .quadropolis_scoring import (
    COLUMNS,
    DISTRICTS,
    LINES,
    MONUMENT_POINTS,
    MOST_CUSTOMERS,
    OFFICE_POINTS,
    SHOP_POINTS,
    energy_in_parks,
)


def neighbours(mode, square):
    line, column = divmod(square, COLUMNS[mode])
    near = [(line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)]
    return [a * COLUMNS[mode] + b for a, b in near if 0 <= a < LINES[mode] and 0 <= b < COLUMNS[mode]]


def longest_lines(mode, squares, lying):
    """All harbor lines of the greatest length in one direction, as lists of squares, and the empty squares at
    their ends."""
    harbor = [square is not None and square["type"] == "harbor" for square in squares]
    lines = []
    for line in range(LINES[mode]):
        for column in range(COLUMNS[mode]):
            run = []
            a, b = line, column
            while a < LINES[mode] and b < COLUMNS[mode] and harbor[a * COLUMNS[mode] + b]:
                run.append((a, b))
                a, b = (a, b + 1) if lying else (a + 1, b)
            lines.append(run)
    most = max(map(len, lines))
    ends = set()
    for run in lines:
        if run and len(run) == most:
            (a, b), (c, d) = run[0], run[-1]
            ends |= {(a, b - 1), (c, d + 1)} if lying else {(a - 1, b), (c + 1, d)}
    free = [
        (a, b)
        for a, b in ends
        if 0 <= a < LINES[mode] and 0 <= b < COLUMNS[mode] and squares[a * COLUMNS[mode] + b] is None
    ]
    return most, bool(free)


def office_group(mode, squares, start):
    group, ahead = {start}, [start]
    while ahead:
        for near in neighbours(mode, ahead.pop()):
            if near not in group and squares[near] is not None and squares[near]["type"] == "office":
                group.add(near)
                ahead.append(near)
    return group


def features(mode, squares, inhabitants, energy, turns, mayor):
    """A dict of everything that is not 0."""
    counts = {"one": 1, "mayor": int(mayor)}

    def add(name, many=1):
        counts[name] = counts.get(name, 0) + many

    def kind(square):
        return squares[square] and squares[square]["type"]

    def of(*kinds):
        return [square for square in range(len(squares)) if kind(square) in kinds]

    def beside(square, *kinds):
        return sum(kind(near) in kinds for near in neighbours(mode, square))

    def room(name, *kinds):
        add(name, sum(beside(square, None) for square in of(*kinds)))

    for square in of("tower"):
        add(f"towers {squares[square]['floors']}")
    for square in of("office"):
        add(f"offices {squares[square]['floors']}")
        size = min(len(office_group(mode, squares, square)), 5)
        add("office points", OFFICE_POINTS[size][squares[square]["floors"]])
    for square in of("park"):
        add(f"parks {beside(square, 'tower', 'office') + 1}")
    for name, kinds in (
        ("tower room", ["tower"]),
        ("park room", ["park"]),
        ("factory room", ["factory"]),
        ("partner room", ["shop", "harbor", "office"]),
        ("office room", ["office"]),
        ("monument room", ["monument"]),
    ):
        room(name, *kinds)
    for i in range(min(len(of("shop")), 4)):
        add(f"shops {i + 1}")
    districts = {DISTRICTS[mode][square] for square in of("service")}
    for i in range(len(districts)):
        add(f"districts {i + 1}")
    add("more services", len(of("service")) - len(districts))
    add("points", sum(square["vp"] for square in squares if square))
    add("factories", len(of("factory")))
    for partner in ("shop", "harbor", "office"):
        add(f"factory {partner}s", sum(beside(square, partner) for square in of("factory")))
    add("harbors", len(of("harbor")))
    for name, lying in (("lying", True), ("standing", False)):
        most, free = longest_lines(mode, squares, lying)
        for i in range(1, most):
            add(f"{name} {i}")
        add(f"{name} room", int(free))
    add("monuments", len(of("monument")))
    for square in of("monument"):
        add("monument points", sum(MONUMENT_POINTS.get(kind(near), 0) for near in neighbours(mode, square)))
    balance(mode, add, of, inhabitants, energy, energy_in_parks(squares))
    add("empty", squares.count(None))
    if mode == "classic":
        add("narrow", sum(squares[square] is None for square in (0, 5, 10, 15)))
    add("full", max(0, turns - squares.count(None)))
    return {name: count for name, count in counts.items() if count}


def balance(mode, add, of, inhabitants, energy, in_parks):
    """What is missing or left when everything is activated."""
    people = inhabitants - len(of("service", "factory", "harbor", "office"))
    power = energy - len(of("tower", "shop", "office"))
    for i in range(3):
        add(f"staff short {i + 1}", max(0, -people - 2 * i))
        add(f"power short {i + 1}", max(0, -power - 2 * i))
    if people > 0:
        served = min(people, MOST_CUSTOMERS[mode] * len(of("shop")))
        full, rest = divmod(served, MOST_CUSTOMERS[mode])
        add("people left", people)
        add("people idle", people - served)
        add("customer points", full * SHOP_POINTS[MOST_CUSTOMERS[mode]] + SHOP_POINTS[rest])
    if power > 0:
        idle = max(0, power - in_parks)
        add("power left", power)
        add("power idle 1", idle)
        add("power idle 2", max(0, idle - 3))
