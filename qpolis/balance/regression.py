"""What taking an item is worth, other things equal.

A seat's share of the win is regressed on how often the seat took each item, and on controls. Only differences
between the seats of one game count: what all seats of a game have in common says nothing about who wins it. As
seats take about as many items as each other, what is known is how items compare: an effect is that of taking an
item instead of an average one, of all or of its group (tiles of a round: every seat takes as many of them). It is
a difference of shares of wins.

The influence of a block is how much the effects move if the block is left out (the jackknife; for least squares
this needs no second fit). With many blocks it is the usual cluster-robust error; with few blocks, or items that
are rare, it does not forget that the fit was drawn to its own residuals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from qpolis.balance.measure import EFFECT, Measure

_CHUNK = 4_000_000  # numbers of the design that are held at a time
_SINGULAR = 1e-9  # eigenvalues of the scaled normal equations below this are 0
_ALONE = 1e-6  # a direction that a block decides to this part is decided by the block alone
_EQUAL = 1e-6


class Takes(NamedTuple):
    """Who took what: arrays with an entry for every taken item."""

    game: np.ndarray
    seat: np.ndarray
    item: np.ndarray


class Effects(NamedTuple):
    """Effects of items, against the average of those that can be compared."""

    value: np.ndarray  # by item; NaN if the games, or those of all blocks but one, cannot say
    influence: np.ndarray  # items x blocks
    units: np.ndarray  # by item: blocks in which seats differed in it
    takes: np.ndarray  # by item: how often it was taken

    def measures(self, group: str, names: Sequence[str]) -> list[Measure]:
        """A measure for every item."""
        return [
            Measure(group, name, EFFECT, float(value), influence, int(takes), int(units))
            for name, value, influence, units, takes in zip(names, *self)
        ]


class _Design(NamedTuple):
    """What rows are made of, sorted by game."""

    win: np.ndarray  # games x seats
    first: np.ndarray  # by game, and one more: where its takes begin
    cell: np.ndarray  # by take: seat * columns + item
    controls: np.ndarray  # games x seats x controls
    items: int

    @property
    def columns(self) -> int:
        return self.items + self.controls.shape[2]


def adjusted_effects(
    win: np.ndarray,
    takes: Takes,
    items: int,
    controls: np.ndarray | None,
    block: np.ndarray,
    blocks: int,
    groups: np.ndarray | None = None,
) -> Effects:
    """Effects of items on the share of the win (games x seats), given controls (games x seats x any number).

    `block` says by game which of the `blocks` it belongs to; `groups` by item with which others it is compared.
    """
    design = _design(np.asarray(win, float), Takes(*map(np.asarray, takes)), items, controls)
    parts = list(_parts(np.asarray(block), blocks, design))
    gram, moment, varied = _normal_equations(design, parts, blocks)
    inverse, unknown = _invert(gram)
    fit = inverse @ moment
    moves, alone = _leave_out(design, parts, blocks, inverse, fit)
    count = np.bincount(np.asarray(takes[2], np.int64), minlength=items)
    units = np.count_nonzero(varied, axis=1)
    blind = np.concatenate([unknown, alone], axis=1)
    value, influence = np.full(items, np.nan), np.zeros((items, blocks))
    groups = np.zeros(items, np.int64) if groups is None else np.asarray(groups)
    for group in np.unique(groups):
        chosen = np.flatnonzero(_comparable(blind, np.where(groups == group, count, 0)))
        share = count[chosen] / max(count[chosen].sum(), 1)
        value[chosen] = fit[chosen] - share @ fit[chosen]
        shrink = blocks * (1 - 1 / np.maximum(units[chosen], 1))
        influence[chosen] = shrink[:, None] * (moves[chosen] - share @ moves[chosen])
    return Effects(value, influence, units, count)


def _design(win: np.ndarray, takes: Takes, items: int, controls: np.ndarray | None) -> _Design:
    games, seats = win.shape
    if controls is None:
        controls = np.zeros((games, seats, 0))
    columns = items + controls.shape[2]
    order = np.argsort(takes.game, kind="stable")
    first = np.searchsorted(takes.game, np.arange(games + 1), sorter=order)
    cell = takes.seat.astype(np.int64) * columns + takes.item
    return _Design(win, first, cell[order], np.asarray(controls, float), items)


def _parts(block: np.ndarray, blocks: int, design: _Design) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Blocks of equal size (by block, and blocks x games), so many that their rows can be held at once."""
    size = np.bincount(block, minlength=blocks)
    order = np.argsort(block, kind="stable")
    first = np.cumsum(size) - size
    for games in np.unique(size[size > 0]):
        same = np.flatnonzero(size == games)
        step = max(1, _CHUNK // int(games * design.win.shape[1] * max(design.columns, 1)))
        for start in range(0, len(same), step):
            chosen = same[start : start + step]
            yield chosen, order[first[chosen][:, None] + np.arange(games)]


def _rows(design: _Design, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Differences between the seats of games: of columns (blocks x rows x columns) and of wins (blocks x rows).

    A game has seats - 1 rows, which say as much as its seats less their mean.
    """
    seats = design.win.shape[1]
    flat = games.ravel()
    counts = np.diff(design.first)[flat]
    before = np.cumsum(counts) - counts
    takes = np.repeat(design.first[flat] - before, counts) + np.arange(counts.sum())
    cells = design.cell[takes] + np.repeat(np.arange(len(flat)) * seats * design.columns, counts)
    whole = np.bincount(cells, minlength=len(flat) * seats * design.columns).astype(float)
    whole = whole.reshape(len(flat), seats, design.columns)
    whole[:, :, design.items :] = design.controls[flat]
    # Whole numbers first: seats that took the same differ by exactly 0.
    contrast = np.tri(seats - 1, seats) - np.diag(np.arange(1.0, seats), 1)[: seats - 1]
    length = np.sqrt((contrast**2).sum(1))
    rows = contrast @ whole / length[:, None]
    wins = design.win[flat] @ contrast.T / length
    each = games.shape[1] * (seats - 1)
    return rows.reshape(len(games), each, design.columns), wins.reshape(len(games), each)


def _normal_equations(design: _Design, parts, blocks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The products of columns, of columns and wins, and (items x blocks) whether seats differed in an item."""
    gram, moment = np.zeros((design.columns, design.columns)), np.zeros(design.columns)
    varied = np.zeros((design.items, blocks), bool)
    for chosen, games in parts:
        rows, wins = _rows(design, games)
        varied[:, chosen] = (rows[:, :, : design.items] != 0).any(1).T
        rows = rows.reshape(wins.size, design.columns)
        gram += rows.T @ rows
        moment += wins.ravel() @ rows
    return gram, moment, varied


def _invert(gram: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The inverse as far as there is one, and the directions (columns) that the games say nothing about."""
    scale = np.sqrt(np.diag(gram))
    scale = np.where(scale > 0, scale, scale.max(initial=0) or 1)
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    known = values > _SINGULAR * values.max(initial=0)
    vectors = vectors / scale[:, None]
    return vectors[:, known] / values[known] @ vectors[:, known].T, vectors[:, ~known]


def _leave_out(
    design: _Design, parts, blocks: int, inverse: np.ndarray, fit: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How much each block moves the fit (columns x blocks), and the directions that one block alone decides.

    With rows X, residuals e and leverages H = X inverse X' of a block, the fit without it is less by
    inverse X' (1 - H)^-1 e.
    """
    moves, alone = np.zeros((design.columns, blocks)), [np.zeros((design.columns, 0))]
    for chosen, games in parts:
        rows, wins = _rows(design, games)
        pull = rows @ inverse
        values, vectors = np.linalg.eigh(np.eye(rows.shape[1]) - pull @ rows.transpose(0, 2, 1))
        sole = values < _ALONE
        rest = (wins - rows @ fit)[:, None] @ vectors  # residuals along the directions of the block
        rest = np.where(sole, 0, rest[:, 0] / np.where(sole, 1, values))
        moves[:, chosen] = ((vectors @ rest[:, :, None]).transpose(0, 2, 1) @ pull)[:, 0].T
        for k in np.flatnonzero(sole.any(1)):
            alone.append(pull[k].T @ vectors[k][:, sole[k]])
    return moves, np.concatenate(alone, axis=1)


def _comparable(unknown: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """By item: whether it is in the weightiest set of items that can be compared with each other.

    Two items can be compared if they are equal in all directions (columns x directions, items first) that the
    games cannot tell.
    """
    same = np.outer(weight > 0, weight > 0)
    for direction in unknown.T:
        apart = np.abs(np.subtract.outer(direction, direction)[: len(weight), : len(weight)])
        same &= apart <= _EQUAL * np.abs(direction).max()
    if not len(weight):
        return np.zeros(0, bool)
    chosen: np.ndarray = same[np.argmax(same @ weight)]
    return chosen & (chosen.sum() > 1)
