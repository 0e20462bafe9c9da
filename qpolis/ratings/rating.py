"""All that the games of a run say about its bots, put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qpolis.engine.results import Results
from qpolis.ratings import bootstrap, trueskill
from qpolis.ratings.choices import collect
from qpolis.ratings.crosstable import crosstable, seat_wins, tally
from qpolis.ratings.cycles import find_cycles
from qpolis.ratings.standing import Estimate, Ratings

FEWEST = 400  # replicates, however large the run
WORK = 20_000_000  # sets of players in all replicates, beyond which there are fewer of them


def ratings(results: Results, seed: int, replicates: int | None = None) -> Ratings:
    """Rate the bots of a run. The same results and seed give the same numbers, to the last bit. What is not known,
    such as the strength of a bot that did not play, is NaN."""
    totals = tally(results)
    mu, sigma = trueskill.rate(results)
    elo, seat_elo, difference, better = _strengths(results, totals.games > 0, seed, replicates)
    return Ratings(
        bots=results.bots,
        games=totals.games,
        wins=totals.wins,
        place=totals.place,
        points=totals.points,
        mu=mu,
        sigma=sigma,
        elo=elo,
        seat_elo=seat_elo,
        seat_wins=seat_wins(totals),
        difference=difference,
        better=better,
        cross=crosstable(totals),
        cycles=find_cycles(totals),
    )


def _strengths(
    results: Results, played: np.ndarray, seed: int, replicates: int | None
) -> tuple[Estimate, Estimate, Estimate, np.ndarray]:
    """Elo by bot, by seat and by pair of bots, and who is probably better."""
    everyone = len(results.bots)
    present = np.flatnonzero(played)
    if not len(present):
        nothing = np.full((everyone, everyone), np.nan)
        return _spread_out(None, present, everyone), _unknown(results.seats), _unknown(nothing.shape), nothing
    number = np.cumsum(played) - 1  # without those that did not play
    field = replace(
        results, bots=tuple(results.bots[i] for i in present), who=number[results.who].astype(results.who.dtype)
    )
    bots = len(present)
    choices = collect(field)
    if replicates is None:
        replicates = min(bootstrap.REPLICATES, max(FEWEST, WORK // (1 + len(choices.members))))
    drawn = bootstrap.sample(field, choices, seed, replicates)
    estimate = bootstrap.interval(drawn.fit, drawn.replicates, drawn.units)
    difference, better = bootstrap.compare(drawn, bots)
    probability = np.full((everyone, everyone), np.nan)
    probability[np.ix_(present, present)] = better
    seats = Estimate(estimate.value[bots:], estimate.low[bots:], estimate.high[bots:])
    elo = Estimate(estimate.value[:bots], estimate.low[:bots], estimate.high[:bots])
    return _spread_out(elo, present, everyone), seats, _spread_out(difference, present, everyone), probability


def _unknown(shape: int | tuple[int, ...]) -> Estimate:
    return Estimate(*(np.full(shape, np.nan) for _ in range(3)))


def _spread_out(known: Estimate | None, present: np.ndarray, everyone: int) -> Estimate:
    """An estimate for those that played as one for all bots (or pairs of bots)."""
    if known is None:
        return _unknown(everyone)
    places = np.ix_(*[present] * known.value.ndim)
    whole = _unknown((everyone,) * known.value.ndim)
    for name in ("value", "low", "high"):
        getattr(whole, name)[places] = getattr(known, name)
    return whole
