"""What a new program that plays Quadrilatère likes: `qpolis new-bot --kind program` writes it into the bot."""

VALUE = '''\
def value(seen, text):
    """How much we like a move: c3-e3 is a house, c3-e3>d3-f3 slides one, claim@c3 claims a place."""
    if text.startswith("claim"):
        return 3
    if text == "stay":
        return 2  # no slide: that takes more thought than this
    if text == "leave" or ">" in text:
        return 0
    corners = [corner for house in seen["houses"] for corner in house.split("-")]
    return sum(end in corners for end in text.split("-"))  # go on where other houses end
'''
