"""Full order on many decision tuples: weights above, a whole labelling below, without a large program.

Floats propose both at once (`interior`). The weights are rounded and the bound they give is computed
in whole numbers; the shares are rounded together, then single items are moved among the tuples that
the weights leave undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.interior import Central, at_levels, at_threshold
from algeval.logic.orders.labelling import Labelling, Levels, repair
from algeval.logic.orders.rounding import round_together
from algeval.logic.orders.tuple_sums import TupleSums
from algeval.logic.orders.weights import bound_by, refuting
from algeval.logic.policy import (
    CLOSE_ENOUGH,
    END_DENOMINATOR,
    INTERIOR_GAP,
    MOVED_TUPLES,
    ROUNDED_LEVELS,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import next_fraction
from algeval.logic.proof.shares import Ints

__all__ = ["Bound", "settle", "shared_level"]

Key = tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A level no key exceeds, the whole-number weights (N, R) that say so, and cells (U, R) near it."""

    value: Fraction
    weights: Ints
    cells: Ints


def shared_level(labelling: Labelling, clock: Clock) -> Bound | None:
    """Return the best bound on the level that all judges can share, and a labelling close below.

    None where no weights refute any attainable level.
    """
    sums = TupleSums.of(labelling)
    found = at_threshold(sums, clock)
    beyond = next_fraction(Fraction(1), labelling.n_items)
    above = bound_by(labelling, found.weights, beyond, clock)
    if above is None:
        return None
    return Bound(*above, _highest(labelling, sums, found, above[0], clock))


def _highest(
    labelling: Labelling, sums: TupleSums, found: Central, upper: Fraction, clock: Clock
) -> Ints:
    """Return the whole cells of the highest level seen, while targets halve the way up from it."""
    free = np.zeros(sums.n_labels), np.full(sums.n_labels, labelling.n_items)
    asked = np.ones(sums.shape, bool)
    target, best, level = min(upper, Fraction(1)), None, Fraction(-1)
    for _ in range(ROUNDED_LEVELS):
        levels = [[target.limit_denominator(END_DENOMINATOR)] * sums.n_labels] * len(asked)
        for cells in _whole(labelling, sums, found, levels, free, best, clock):
            reached = _lowest(labelling, cells)
            if reached > level:
                level, best = reached, cells
        if upper - level < CLOSE_ENOUGH or clock.over:
            break
        target = (level + (upper if level >= target else target)) / 2
    assert best is not None  # rounding alone gives some labelling
    return best


def _lowest(labelling: Labelling, cells: Ints) -> Fraction:
    """Return the lowest accuracy of whole cells; 1 where nobody is held to anything."""
    right, held = labelling.correct(cells), labelling.held_counts(cells)
    pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
    return min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))


def settle(
    labelling: Labelling, levels: Levels, key: Key, clock: Clock
) -> tuple[Ints | None, Ints | None]:
    """Return weights that refute levels, or whole cells that reach them within bounds on the key.

    Both are checked exactly; both None where it is too close to call, or time ran out.
    """
    asked = np.array([[bool(x) for x in row] for row in levels])
    asked &= labelling.held.any(0)[:, None]
    if not asked.any():
        return None, None
    sums = TupleSums.of(labelling)
    table = np.array([[float(x or 0) for x in row] for row in levels])
    found = at_levels(sums, table, asked, clock)
    if found.most < 0:
        return refuting(labelling, found.weights, levels), None
    if found.most < INTERIOR_GAP or clock.over:
        return None, None
    for cells in _whole(labelling, sums, found, levels, key, None, clock):
        if _reaches(labelling, cells, levels, key):
            return None, cells
    return None, None


def _reaches(labelling: Labelling, cells: Ints, levels: Levels, key: Key) -> bool:
    """Whether whole cells reach all levels, at a key within bounds, exactly."""
    total, (low, high) = cells.sum(0), key
    right, held = (part(cells).tolist() for part in (labelling.correct, labelling.held_counts))
    return bool((total >= low).all() and (total <= high).all()) and all(
        not x or c * x.denominator >= x.numerator * d
        for row in zip(levels, right, held, strict=True)
        for x, c, d in zip(*row, strict=True)
    )


def _whole(
    labelling: Labelling,
    sums: TupleSums,
    found: Central,
    levels: Levels,
    key: Key,
    known: Ints | None,
    clock: Clock,
) -> Iterator[Ints]:
    """Yield whole cells for levels: rounded, repaired, and the known ones repaired."""
    asked = np.array([[x is not None for x in row] for row in levels])
    table = np.array([[float(x or 0) for x in row] for row in levels])
    rounded = round_together(labelling, found.shares * labelling.counts[:, None], table, asked)
    yield rounded
    scores = np.sort(sums.scores(found.weights, found.weights * found.levels), axis=1)
    undecided = np.argsort(scores[:, -1] - scores[:, -2], kind="stable")[:MOVED_TUPLES]
    for start in (rounded,) if known is None else (rounded, known):
        yield repair(labelling, start, levels, key, among=undecided, clock=clock)
