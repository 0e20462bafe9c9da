"""One game between bots, from Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qpolis.api.debugging import refuse_classes
from qpolis.api.played_game import PlayedGame
from qpolis.api.playing import in_order
from qpolis.errors import QpolisError
from qpolis.game import check_seed
from qpolis.games import DEFAULT_GAME, game_class, load_game
from qpolis.registry.local import local_entrant
from qpolis.registry.spec import resolve
from qpolis.report.content.bot_output import Output
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Limits
from qpolis.tourney.match import play_record


def match(
    bots: Sequence[str | type] | str,
    *,
    game: str = DEFAULT_GAME,
    seed: int = 0,
    time_limit: float = 10.0,
    memory_limit: int = 2048,
    start_limit: float = 60.0,
    ponder: bool = False,
    sandbox: str = AUTO,
    quiet: bool = False,
    debug: bool = False,
    **options: Any,
) -> PlayedGame:
    """Play one game, a bot at each seat in this order; the same as `qpolis play` with these arguments.

    There are as many players as bots, unless `players` says otherwise. Nothing is written. To play a deal in all
    seatings, so that luck cancels, play a tournament: `qpolis.tournament(bots, games=1)` is one deal.

    >>> played = qpolis.match(["greedy", "heuristic", "random"], game="arkadia", seed=3)
    >>> len(played.points), played.game.players
    (3, 3)

    Args:
        bots: Names, or paths of files, with parameters as in `mcts:sims=3200`, seat by seat. With `debug` also
            classes.
        game: The name or the path of a game.
        seed: The number that names the deal.
        time_limit: Seconds of processor time for one decision of a bot that qpolis does not ship.
        memory_limit: Megabytes of such a bot.
        start_limit: Seconds of its start.
        ponder: May it compute while others think?
        sandbox: `auto`, `on` or `off`.
        quiet: Do not show what bots print.
        debug: Let Python bots play in this process, so that a debugger, `print` and tracebacks work.
        **options: Options of the game, such as `mode="expert"`.
    """
    names = [bot.strip() for bot in bots.split(",")] if isinstance(bots, str) else list(bots)
    if not debug:
        refuse_classes(names)
    if "players" in game_class(game).options and "players" not in options:
        options["players"] = len(names)
    with in_order(quiet):
        played = load_game(game, **options)
        if len(names) != played.players:
            raise QpolisError(f"{len(names)} bots for {played.players} seats: name one for each seat")
        limits = Limits.of(time_limit, memory_limit, start_limit, ponder, sandbox)
        entrants = [local_entrant(bot) if debug else resolve(str(bot), sandbox) for bot in names]
        said = None if quiet else Output([entrant.spec for entrant in entrants])
        record = play_record(played, entrants, check_seed(seed), limits, said)
    return PlayedGame(played, record, f"seed {seed}")
