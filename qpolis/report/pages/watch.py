"""The page of one game, to be looked at move by move."""

from __future__ import annotations

from qpolis.game import Plain
from qpolis.report.pages.markup import join, tag
from qpolis.report.pages.page import packed, page

STYLES, SCRIPTS = ("viewer.css",), ("viewer.js",)


def game_page(film: Plain) -> bytes:
    """A page that shows a film (`report/film.py`)."""
    body = join([tag("h1", film["title"]), tag("p", film["settings"], class_="note"),
                 tag("div", tag("p", "This page needs JavaScript, and a browser of 2023 or later."), id="viewer")])
    title = f"{film['title']}: {' against '.join(film['bots'])}"
    return page(title, body, styles=STYLES, scripts=SCRIPTS, games=[film["game"]], data={"film": packed(film)})
