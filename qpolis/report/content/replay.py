"""A game as the viewer shows it: positions one after the other, what was decided in each, and what bots thought.

A replay is plain data. Its frames are

    position   what `to_dict` says, or what a seat sees; without the stream of chance
    player     the seat to decide, null at the end
    scores     points by seat, if the game ended here
    chapter    what the reader can jump to, such as a round
    details    what the game's viewer shows besides
    drawing    the position as text, if the game has no viewer
    move       what was decided here: seat, action, text; null at the end
    thoughts   of the bot that decided: rows of text, visits, value and prior; whether it chose the same again
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qpolis.engine.results import ENDS
from qpolis.game import Game, Plain, State, settings_text
from qpolis.policy import Thought
from qpolis.report.content.viewer_files import viewer_file
from qpolis.tourney.analysis import Analysis, analyse_game, shipped_policy
from qpolis.tourney.records import GameRecord

MOST_THOUGHTS = 12  # that are shown of a decision
SECRET = ("chance", "game", "seat", "mix")


def frame(state: State, seat: int | None = None, drawn: bool = False) -> Plain:
    """A position, as everybody or only one seat sees it; drawn as text if the game has no viewer."""
    position = state.to_dict() if seat is None else state.observe(seat)
    game = state.game
    known = state if seat is None or state.over else state.concealed(seat)
    made: Plain = {
        "position": {key: value for key, value in position.items() if key not in SECRET},
        "player": state.player,
        "scores": known.scores(),
        "chapter": game.chapter(state),
        "details": game.details(state),
        "move": None,
    }
    if drawn:
        made["drawing"] = str(known)
    return made


def move(state: State, action: int) -> Plain:
    return {"seat": state.player, "action": action, "text": state.game.text(state, action)}


def thought_table(game: Game, thoughts: Sequence[Thought], same: bool = True) -> Plain:
    """What a bot thought, the most visited actions first."""
    rows = [
        {
            "action": one.action,
            "text": game.action_text(one.action),
            "visits": one.visits,
            "value": round(one.value, 4),
            "prior": round(one.prior, 4),
        }
        for one in thoughts[:MOST_THOUGHTS]
    ]
    return {"rows": rows, "visits": sum(one.visits for one in thoughts), "choices": len(thoughts), "same": same}


def make_replay(game: Game, played: GameRecord, heading: str, thoughts: Iterable[Analysis | None] = ()) -> Plain:
    """The replay of a game that was played, with what its bots thought as far as that is known."""
    state = played.begin(game)
    drawn = viewer_file(game) is None
    known = iter(thoughts)
    frames = []
    for action in played.actions:
        state.check(action)
        shown = frame(state, None, drawn)
        shown["move"] = move(state, action)
        if thought := next(known, None):
            shown["thoughts"] = thought_table(game, thought.thoughts, thought.same)
        frames.append(shown)
        state.apply(action)
    frames.append(frame(state, None, drawn))
    return {**game_facts(game, played.bots, heading), "frames": frames, "result": game_result(played)}


def game_facts(game: Game, bots: Sequence[str], heading: str) -> Plain:
    """What stays the same during a game."""
    return {
        "game": game.name,
        "title": game.title,
        "settings": settings_text(game.settings),
        "heading": heading,
        "bots": list(bots),
        "legend": game.legend if viewer_file(game) is None else "",
        "facts": game.facts(),
    }


def heading_of(played: GameRecord, number: int, run: str) -> str:
    """What a game of a run is called."""
    return f"game {number} of {run}, seed {played.seed}, deal {played.deal}"


def game_result(played: GameRecord) -> Plain:
    """How a game ended, seat by seat."""
    return {
        "points": played.points,
        "ranks": played.ranks,
        "ends": [ENDS[end] for end in played.ends],
        "reasons": [played.reasons.get(seat, "") for seat in range(len(played.bots))],
    }


def thoughts_of(
    game: Game, played: GameRecord, on_decision: Callable[[], Any] = lambda: None
) -> list[Analysis | None]:
    """What the bots of a game thought, as far as they can be asked; `on_decision` is called before each
    decision is thought through."""
    seats = [shipped_policy(spec) for spec in played.bots]
    if not any(who and who.policy.thoughts for who in seats):
        return []
    thinking = analyse_game(game, seats, played.seed, played.deal, played.actions)
    found = []
    for _ in played.actions:
        on_decision()
        found.append(next(thinking))
    return found
