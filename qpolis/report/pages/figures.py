"""Plots inside a page: the SVG of a figure in the colours of the page, so that it is light or dark as that is."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from qpolis.report.pages.markup import Html, tag
from qpolis.report.plots.figure_layout import COLOURS, HEADING, TOP
from qpolis.report.plots.style import GREY, INK, PALE

SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
POINTS = 72  # of an inch, the unit of matplotlib's SVG
KEPT_TOP = 0.1  # inches of the heading's room that stay
# The page's name for each colour that means "ink" or "paper", or tells bots apart. What lies on a coloured cell
# keeps its colour, and so does everything that is not listed.
COLOUR_NAMES = {
    "white": "paper",
    "#ffffff": "paper",
    INK: "ink",
    "#000000": "ink",
    GREY: "grey",
    PALE: "line",
    "#eeeeee": "band",
    **{colour: f"c{number}" for number, colour in enumerate(COLOURS)},
}

ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", LINK)


def plot(svg: bytes, name: str, label: str, caption: str = "") -> Html:
    """A figure of the page. `name` is different from those of all other plots in it; `label` says what it shows to
    those who do not see it."""
    return tag("figure", inline(svg, name, label), tag("figcaption", caption) if caption else None)


def inline(svg: bytes, name: str, label: str) -> Html:
    """An SVG file as markup inside a page: without its heading, with its ids made its own."""
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.get("id") == HEADING:
                root[:0] = child.findall(f".//{{{SVG}}}defs")  # letters that others use, too
            if child.get("id") == HEADING or child.tag == f"{{{SVG}}}metadata":
                parent.remove(child)
    _crop(root)
    for element in root.iter():
        if "d" in element.attrib:
            element.set("d", _shorter(element.attrib["d"]))
        for key, value in list(element.attrib.items()):
            element.set(key, _own(_coloured(value) if key in ("style", "fill", "stroke") else value, key, name))
    root.set("role", "img")
    root.set("aria-label", label)
    return Html(ElementTree.tostring(root, encoding="unicode"))


def _shorter(path: str) -> str:
    """A path without what cannot be seen: more than a tenth of a point, and white space."""
    rounded = re.sub(r"\d+\.\d{2,}", lambda found: f"{float(found[0]):.1f}", path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded)


def _crop(root: ElementTree.Element) -> None:
    """Cut off the room of the heading, and let the page say how large the plot is."""
    left, top, wide, high = map(float, root.get("viewBox", "").split())
    cut = (TOP - KEPT_TOP) * POINTS
    root.set("viewBox", f"{left:g} {top + cut:g} {wide:g} {high - cut:g}")
    root.set("width", f"{wide / POINTS * 96:.0f}")
    root.set("height", f"{(high - cut) / POINTS * 96:.0f}")


def _coloured(value: str) -> str:
    def named(found: re.Match[str]) -> str:
        name = COLOUR_NAMES.get(found[0].lower())
        return f"var(--{name})" if name else found[0]

    return re.sub(r"#[0-9a-fA-F]{6}\b|\bwhite\b", named, value)


def _own(value: str, key: str, name: str) -> str:
    """Ids, and references to them, with the plot's name before them."""
    if key == "id":
        return f"{name}-{value}"
    if key in ("href", f"{{{LINK}}}href"):
        return value.replace("#", f"#{name}-", 1)
    return re.sub(r"url\(#", f"url(#{name}-", value)
