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
from algeval.logic.orders.weights import refuting, sharpest, simplest
from algeval.logic.policy import (
    CLOSE_ENOUGH,
    END_DENOMINATOR,
    MOVED_TUPLES,
    ROUNDED_LEVELS,
    SPOILED_BY,
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
    above = _bounded(labelling, sums, found, clock)
    if above is None:
        return None
    anywhere = np.zeros(sums.n_labels), np.full(sums.n_labels, labelling.n_items)
    return Bound(*above, _highest(_Nearby(labelling, sums, found, anywhere, clock), above[0]))


def _bounded(
    labelling: Labelling, sums: TupleSums, found: Central, clock: Clock
) -> tuple[Fraction, Ints] | None:
    """Return the level that rounded weights bound, and the weights.

    Where no weights attain the best bound they fade as it is neared, and rounding spoils them: then
    those that refute a level a little above do better.
    """
    beyond = next_fraction(Fraction(1), labelling.n_items)
    level, everywhere = float(found.levels[0, 0]), np.ones(sums.shape, bool)
    weights, best = found.weights, None
    for more in SPOILED_BY:
        new = sharpest(labelling, weights, beyond)
        best = new if best is None or (new is not None and new[0] < best[0]) else best
        if clock.over or (best is not None and best[0] <= level + more):
            break
        weights = at_levels(sums, np.full(sums.shape, level + more), everywhere, clock).weights
    return None if best is None else (best[0], simplest(labelling, [best[1]], best, clock))


def settle(
    labelling: Labelling, levels: Levels, key: Key, clock: Clock
) -> tuple[Ints | None, Ints | None]:
    """Return weights that refute levels, or whole cells that reach them within bounds on the key.

    Both are checked exactly; both None where it is too close to call, or time ran out.
    """
    busy = np.any(labelling.held, axis=0).tolist()
    asked = np.array([[bool(x and b) for x in row] for row, b in zip(levels, busy, strict=True)])
    if not asked.any():
        return None, None
    sums = TupleSums.of(labelling)
    found = at_levels(sums, _floats(levels), asked, clock)
    if found.most < 0:
        return refuting(labelling, found.weights, levels), None
    if clock.over:
        return None, None
    for cells in _Nearby(labelling, sums, found, key, clock).wholes(levels):
        if _reaches(labelling, cells, levels, key):
            return None, cells
    return None, None


def _highest(nearby: _Nearby, upper: Fraction) -> Ints:
    """Return the whole cells of the highest level seen, while targets halve the way up from it."""
    n_judges, n_labels = nearby.sums.shape
    target, best, level = min(upper, Fraction(1)), None, Fraction(-1)
    for _ in range(ROUNDED_LEVELS):
        levels = [[target.limit_denominator(END_DENOMINATOR)] * n_labels] * n_judges
        for cells in nearby.wholes(levels, best):
            reached = _lowest(nearby.labelling, cells)
            if reached > level:
                level, best = reached, cells
        if upper - level < CLOSE_ENOUGH or nearby.clock.over:
            break
        target = (level + (upper if level >= target else target)) / 2
    assert best is not None  # rounding alone gives some labelling
    return best


def _lowest(labelling: Labelling, cells: Ints) -> Fraction:
    """Return the lowest accuracy of whole cells; 1 where nobody is held to anything."""
    right, held = labelling.correct(cells), labelling.held_counts(cells)
    pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
    return min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))


def _reaches(labelling: Labelling, cells: Ints, levels: Levels, key: Key) -> bool:
    """Whether whole cells reach all levels, at a key within bounds, exactly."""
    total, (low, high) = cells.sum(0), key
    if (total < low).any() or (total > high).any():
        return False
    right, held = (part(cells).tolist() for part in (labelling.correct, labelling.held_counts))
    return all(
        not x or c * x.denominator >= x.numerator * d
        for row in zip(levels, right, held, strict=True)
        for x, c, d in zip(*row, strict=True)
    )


def _floats(levels: Levels) -> Any:
    return np.array([[float(x or 0) for x in row] for row in levels])


@dataclass(frozen=True, slots=True, eq=False)
class _Nearby:
    """Real shares and the weights that go with them, and what whole cells must keep to."""

    labelling: Labelling
    sums: TupleSums
    found: Central
    key: Key
    clock: Clock

    def wholes(self, levels: Levels, known: Ints | None = None) -> Iterator[Ints]:
        """Yield whole cells for levels: rounded, the same repaired, and the known ones repaired."""
        labelling, asked = (
            self.labelling,
            np.array([[x is not None for x in row] for row in levels]),
        )
        real = self.found.shares * labelling.counts[:, None]
        rounded = round_together(labelling, real, _floats(levels), asked)
        yield rounded
        undecided = self._undecided()
        for start in (rounded,) if known is None else (rounded, known):
            yield repair(labelling, start, levels, self.key, among=undecided, clock=self.clock)

    def _undecided(self) -> Ints:
        """Return the tuples on which the weights prefer the best label least."""
        weights, levels = self.found.weights, self.found.levels
        scores = np.sort(self.sums.scores(weights, weights * levels), axis=1)
        lead: Ints = scores[:, -1] - scores[:, -2]
        return np.argsort(lead, kind="stable")[:MOVED_TUPLES]
