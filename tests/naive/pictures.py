"""Cities drawn as text, to write and read them in tests."""

LETTERS = {
    "T": "tower",
    "S": "shop",
    "V": "service",
    "P": "park",
    "F": "factory",
    "H": "harbor",
    "O": "office",
    "M": "monument",
}


def draw(picture):
    """A city from a picture: `.` empty, `T3` a tower of 3 floors, `H+2` a harbor with 2 printed points."""
    squares = []
    for word in picture.split():
        if word == ".":
            squares.append(None)
            continue
        name, _, vp = word.partition("+")
        squares.append({"type": LETTERS[name[0]], "floors": int(name[1:] or 1), "vp": int(vp or 0)})
    return squares
