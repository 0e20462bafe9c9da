"""Pictures as SVG: elements that nest, texts that are escaped, and a paper of their own under everything, so that
they can be read on a light page and on a dark one. The same calls give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

Element = ElementTree.Element
Part = Any  # an Element, None for nothing, or several of them, nested as it comes

# The same in every picture. COLOURS can be told apart by people who do not see all colours (Okabe and Ito).
PAPER, CARD, LINE, GREY, INK, ACCENT = "#fcfbf8", "#f0ede6", "#c9c4b8", "#6b6760", "#26241f", "#c2410c"
COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"


def element(name: str, attributes: dict[str, Any], *parts: Part) -> Element:
    """Any element. Attributes that are None are left out, and so are parts."""
    made = ElementTree.Element(
        name, {key: _value(value) for key, value in attributes.items() if value is not None}
    )
    made.extend(_flat(parts))
    return made


def picture(width: float, height: float, title: str, *parts: Part) -> str:
    """A whole file. `title` says in words what is seen."""
    paper = rect(0.5, 0.5, width - 1, height - 1, rx=8, fill=PAPER, stroke=LINE)
    root = element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_value(width)} {_value(height)}",
            "width": width,
            "height": height,
            "role": "img",
            "font-family": FONT,
        },
        _said("title", title),
        paper,
        parts,
    )
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def group(x: float, y: float, *parts: Part, **style: Any) -> Element:
    """Parts whose 0, 0 is at x, y."""
    return element("g", {"transform": f"translate({_value(x)} {_value(y)})", **_style(style)}, *parts)


def rect(x: float, y: float, width: float, height: float, **style: Any) -> Element:
    return element("rect", {"x": x, "y": y, "width": width, "height": height, **_style(style)})


def circle(x: float, y: float, radius: float, **style: Any) -> Element:
    return element("circle", {"cx": x, "cy": y, "r": radius, **_style(style)})


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = INK, **style: Any) -> Element:
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": stroke, **_style(style)})


def path(d: str, **style: Any) -> Element:
    return element("path", {"d": d, **_style(style)})


def polygon(points: Iterable[tuple[float, float]], **style: Any) -> Element:
    listed = " ".join(f"{_value(x)},{_value(y)}" for x, y in points)
    return element("polygon", {"points": listed, **_style(style)})


def text(x: float, y: float, said: Any, size: float = 14, anchor: str = "middle", **style: Any) -> Element:
    """Words whose baseline is at y; `anchor` is start, middle or end."""
    made = _said("text", said)
    given = {"x": x, "y": y, "font-size": size, "text-anchor": anchor, "fill": INK, **_style(style)}
    made.attrib.update({key: _value(value) for key, value in given.items() if value is not None})
    return made


def arrow(x1: float, y1: float, x2: float, y2: float, colour: str = ACCENT, width: float = 2) -> Element:
    """A line with a head at its end."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along, across = (x2 - x1) / length, (y2 - y1) / length
    back, side = 4 * width, 2 * width
    neck = x2 - back * along, y2 - back * across
    wings = [(neck[0] - turn * side * across, neck[1] + turn * side * along) for turn in (1, -1)]
    return element(
        "g", {}, line(x1, y1, *neck, stroke=colour, stroke_width=width), polygon([(x2, y2), *wings], fill=colour)
    )


def mixed(colour: str, share: float, other: str = PAPER) -> str:
    """A colour, thinned with another one."""
    pairs = zip(_channels(colour), _channels(other))
    return "#" + "".join(f"{round(share * one + (1 - share) * two):02x}" for one, two in pairs)


def _channels(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def _said(name: str, said: Any) -> Element:
    made = ElementTree.Element(name)
    made.text = str(said)
    return made


def _style(style: dict[str, Any]) -> dict[str, Any]:
    """stroke_width as an argument is stroke-width in SVG."""
    return {name.replace("_", "-"): value for name, value in style.items()}


def _flat(parts: Iterable[Part]) -> Iterable[Element]:
    for part in parts:
        if isinstance(part, ElementTree.Element):
            yield part
        elif part is not None:
            yield from _flat(part)


def _value(value: Any) -> str:
    """Numbers with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
