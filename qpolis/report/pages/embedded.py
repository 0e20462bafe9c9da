"""Boards inside a notebook: a page in a frame, from which its scripts cannot get out."""

from __future__ import annotations

import html

from qpolis.game import Plain, State
from qpolis.report.content.outcome import Outcome
from qpolis.report.content.replay import frame, game_facts
from qpolis.report.content.terminal_tables import cycle_lines, repeat_lines
from qpolis.report.content.viewer_files import viewer_file
from qpolis.report.pages.markup import Html, tag
from qpolis.report.pages.page import packed, page
from qpolis.report.pages.standings import standings_table
from qpolis.report.pages.watch import SCRIPTS, STYLES, game_page
from qpolis.report.plots.figure_layout import COLOURS

STATE_HEIGHT, GAME_HEIGHT = 660, 780  # pixels; a reader can pull at the lower corner


def state_html(state: State) -> str:
    """A position as a picture: who plays, points if the game ended here, the board."""
    game = state.game
    drawn = viewer_file(game) is None
    shown = frame(state, None, drawn)
    facts = game_facts(game, [f"seat {seat}" for seat in range(game.players)], "")
    content = page(
        game.title,
        tag("div", id="position", class_="viewer"),
        styles=(*STYLES, "embedded.css"),
        scripts=(*SCRIPTS, "position.js"),
        games=[] if drawn else [game.name],
        data={"shown": packed({**facts, "frames": [shown]})},
    )
    return embedded(content, STATE_HEIGHT, f"a position of {game.title}")


def game_html(replay: Plain) -> str:
    """A game to step through."""
    return embedded(game_page(replay), GAME_HEIGHT, f"a game of {replay['title']}")


def standings_html(name: str, lead: str, outcome: Outcome) -> Html:
    """The standings of a tournament, with the colours of bots, which a notebook does not have."""
    colours = "".join(f"--c{number}:{colour};" for number, colour in enumerate(COLOURS))
    return tag(
        "div",
        tag("p", tag("b", name), tag("br"), lead),
        standings_table(outcome),
        [tag("p", line) for line in (*cycle_lines(outcome), *repeat_lines(outcome.repeats))],
        style=colours,
    )


def words_html(name: str, words: str) -> Html:
    """What came out of a question, in words; lines as they are."""
    return tag("div", tag("p", tag("b", name)), tag("pre", words, style="white-space:pre-wrap"))


def embedded(content: bytes, height: int, title: str) -> Html:
    """A page in a frame of its own."""
    return Html(
        f'<iframe title="{html.escape(title)}" sandbox="allow-scripts" srcdoc="{html.escape(content.decode())}" '
        f'style="width:100%;height:{height}px;border:0;resize:vertical;overflow:auto"></iframe>'
    )
