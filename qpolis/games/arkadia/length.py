"""How long a game of Arkadia can be."""

from __future__ import annotations

from typing import Any

from qpolis.games.arkadia.layout import BANNERS, BUILDINGS, FAMILIES, HIRED, NEUTRAL_WORKERS, OWN_WORKERS


def most_decisions(rules: Any) -> int:
    """A number of decisions that no game has more of; real ones have far fewer."""
    cards, players = int(rules.deck.sum()), int(rules.players)
    workers = players * (OWN_WORKERS + BANNERS * HIRED) + NEUTRAL_WORKERS
    active = cards + workers  # turns that lay a building, or place a worker at least
    turns = active + players * (active + 1)  # with those in which players pass: never all of them, until the end
    begun = 2 * turns  # what to do, and whether a banner is used
    built = 2 * cards  # where it is laid, and the card that is taken
    placed = 2 * workers  # each worker, and that it was the last one
    return begun + built + placed + BUILDINGS + players * BANNERS * FAMILIES  # blocks, and what banners sell
