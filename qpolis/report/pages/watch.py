"""The page of one game, to be looked at move by move."""

from __future__ import annotations

from qpolis.game import Plain
from qpolis.report.pages.markup import join, tag
from qpolis.report.pages.page import packed, page

STYLES, SCRIPTS = ("viewer.css",), ("viewer.js",)


def game_page(replay: Plain) -> bytes:
    """A page that shows a replay (`report/content/replay.py`)."""
    body = join(
        [
            tag("h1", replay["title"]),
            tag("p", replay["settings"], class_="note"),
            tag("div", tag("p", "This page needs JavaScript, and a browser of 2023 or later."), id="viewer"),
        ]
    )
    title = f"{replay['title']}: {' against '.join(replay['bots'])}"
    return page(
        title, body, styles=STYLES, scripts=SCRIPTS, games=[replay["game"]], data={"replay": packed(replay)}
    )
