"""Weights and labellings of very many decision tuples, by an interior-point method of their own.

Which labelling leaves the least surplus C[i,t] - x D[i,t] as large as it can be, and which weights y
prove that it cannot be larger? As a linear program this has a row for each tuple. But tuples meet one
another only in the N * R surpluses: given the weights, each lays its items on the labels by itself. So
a step of Newton's method asks for one system of N * R unknowns, and for a few passes over the tuples.

The pair of programs, with v[u,t] the shares of a tuple, c[u] its share of the items, A the surpluses::

    max s             A(v) - s = w >= 0,   v >= 0, sum_t v[u,t] = 1
    min sum c m       m[u] - z[u,t](y) = r >= 0,   y >= 0, sum y = 1

with z[u,t](y) = sum_i y[i,t] (1[u_i = t] - x d_i(u)). Along the central path c v r and w y are all one
number; steps follow it by prediction and correction (Mehrotra) while that number falls to zero. All
is in floats and proves nothing: weights and labellings are rounded and checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.logic.orders.tuple_sums import Floats, TupleSums
from algeval.logic.orders.walk import room, until_settled
from algeval.logic.policy import (
    INTERIOR_GAP,
    INTERIOR_START,
    INTERIOR_STEP,
    INTERIOR_STEPS,
)
from algeval.logic.proof.clock import Clock

__all__ = ["Central", "at_levels", "at_threshold"]


@dataclass(frozen=True, slots=True, eq=False)
class Central:
    """Weights (N, R), real shares (U, R) of the tuples, and the levels (N, R) they belong to.

    `most` is what the least surplus cannot exceed, by the weights, as a share of all items.
    """

    weights: Floats
    shares: Floats
    levels: Floats
    most: float


def at_threshold(sums: TupleSums, clock: Clock) -> Central:
    """Return weights and shares at the highest level that all judges can share, nearly.

    After each step the level falls to where the weights refute whatever is above.
    """
    path = _Path(sums, np.full(sums.shape, 1.0), np.ones(sums.shape, bool), clock)
    best = path.weights
    for _ in range(INTERIOR_STEPS):
        x = _root(sums, path.weights, path.levels[0, 0])
        moved = path.levels[0, 0] - x
        if moved > 0:
            best = path.weights
            path.lower(x)
        if (moved < INTERIOR_GAP and path.gap < INTERIOR_GAP) or clock.over or not path.advance():
            break
    return Central(best, path.shares, path.levels, path.most)


def at_levels(sums: TupleSums, levels: Floats, asked: Any, clock: Clock) -> Central:
    """Return weights and shares that settle whether judges can reach levels (N, R) where asked.

    The walk ends as soon as the sign of the greatest least surplus is beyond doubt.
    """
    path = _Path(sums, levels, asked, clock)
    until_settled(path, clock)
    return Central(path.weights, path.shares, levels, path.most)


def _root(sums: TupleSums, weights: Floats, start: float) -> float:
    """Return where g(weights, .) crosses zero if that is below `start`, else `start`."""
    gain, loss = sums.scores(weights, 0 * weights), -sums.scores(0 * weights, weights)
    rows, x = np.arange(len(gain)), start
    for _ in range(INTERIOR_STEPS):
        best = (gain - x * loss).argmax(1)
        slope = float(sums.share @ loss[rows, best])
        following = float(sums.share @ gain[rows, best]) / slope if slope > 0 else start
        if abs(following - x) < INTERIOR_GAP / 1000:
            break
        x = following
    return min(x, start)


class _Path:
    """The iterates. Tables of judges are kept as vectors of what is asked, label by label."""

    def __init__(self, sums: TupleSums, levels: Floats, asked: Any, clock: Clock) -> None:
        self.sums, self.levels, self.asked, self.clock = sums, levels, asked, clock
        n_tuples, n_labels = len(sums.codes), sums.n_labels
        k = int(asked.sum())
        self.y = np.full(k, 1 / k)
        self.shares = np.full((n_tuples, n_labels), 1 / n_labels)
        z = self._scores(self.y)
        self.m = z.max(1) + INTERIOR_START * n_labels
        self.r = self.m[:, None] - z
        self.w = np.full(k, INTERIOR_START * k * sums.share.min())
        self.s = float((self._surplus(self.shares) - self.w).mean())

    # between tables of judges and vectors of what is asked

    def _table(self, vector: Floats) -> Floats:
        table = np.zeros(self.asked.T.shape)
        table[self.asked.T] = vector
        return table.T

    def _vector(self, table: Floats) -> Floats:
        vector: Floats = table.T[self.asked.T]
        return vector

    def _scores(self, y: Floats) -> Floats:
        table = self._table(y)
        return self.sums.scores(table, table * self.levels)

    def _surplus(self, shares: Floats) -> Floats:
        right, held = self.sums.right_and_held(shares)
        return self._vector(right - self.levels * held)

    # where the path stands

    @property
    def weights(self) -> Floats:
        """(N, R) the weights, none below 0, of sum 1."""
        return self._table(self.y / self.y.sum())

    @property
    def gap(self) -> float:
        """How far the two programs are apart."""
        inner = self.sums.share @ (self.shares * self.r).sum(1)
        return float(inner + self.w @ self.y)

    @property
    def most(self) -> float:
        """What the least surplus cannot exceed, by the weights."""
        return float(self.sums.share @ (self.m[:, None] - self.r).max(1)) / float(self.y.sum())

    @property
    def least(self) -> float:
        """The least surplus of the shares."""
        return float(self._surplus(self.shares).min())

    def lower(self, x: float) -> None:
        """Go on at a lower level for all; what a tuple can gain rises by what it is held to."""
        rise = self.sums.scores(0 * self.levels, self._table(self.y) * (x - self.levels))
        most = rise.max(1)
        self.levels = np.full(self.levels.shape, x)
        self.m += most
        self.r += most[:, None] - rise

    # one step

    def advance(self) -> bool:
        """Take one step; False where floats carry no further, or time ends."""
        share, give = self.sums.share[:, None], self.shares / self.r
        miss = self._surplus(self.shares) - self.s - self.w
        solve = self._system(give)
        if solve is None:
            return False
        mean = self.gap / (self.r.size + len(self.y))
        direction = self._direction(give, miss, solve)
        guess = direction(0.0, 0.0)
        centring = (self._gap_after(guess, *self._lengths(guess)) / self.gap) ** 3 * mean
        bend = np.clip(share * guess.shares * guess.r, -mean, mean)
        turn = np.clip(guess.w * guess.y, -mean, mean)
        step = direction((centring - bend) / share, centring - turn)
        primal, dual = (min(1.0, INTERIOR_STEP * length) for length in self._lengths(step))
        if not np.isfinite([primal, dual]).all() or max(primal, dual) < INTERIOR_GAP:
            return False
        self._take(step, primal, dual)
        return True

    def _system(self, give: Floats) -> Callable[[Floats], Floats] | None:
        """Return what solves (H + diag(w / y)) x = b."""
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        flat = self.asked.T.ravel()
        whole = self.sums.curvature(give, self.levels, self.clock)
        if whole is None:
            return None
        matrix = whole[np.ix_(flat, flat)]
        matrix[np.diag_indices_from(matrix)] += self.w / self.y
        try:
            factor = cho_factor(matrix)
        except (LinAlgError, ValueError):
            return None
        return lambda b: np.asarray(cho_solve(factor, b), float)

    def _direction(
        self, give: Floats, miss: Floats, solve: Callable[[Floats], Floats]
    ) -> Callable[[Any, Any], _Step]:
        total = give.sum(1)
        ones = solve(np.ones(len(self.y)))

        def direction(inner: Any, outer: Any) -> _Step:
            """Aim at v r = inner (U, R) and w y = outer (K,)."""
            own = inner / self.r - self.shares
            moved = self._surplus(own - give * (own.sum(1) / total)[:, None])
            plain = solve(outer / self.y - self.w - miss - moved)
            s = (1 - self.y.sum() - plain.sum()) / ones.sum()
            y = plain + s * ones
            z = self._scores(y)
            m = (own.sum(1) + (give * z).sum(1)) / total
            r = m[:, None] - z
            w = (outer - self.w * y) / self.y - self.w
            return _Step(own - give * r, w, float(s), y, m, r)

        return direction

    def _lengths(self, step: _Step) -> tuple[float, float]:
        primal = min(room(self.shares, step.shares), room(self.w, step.w))
        return primal, min(room(self.r, step.r), room(self.y, step.y))

    def _gap_after(self, step: _Step, primal: float, dual: float) -> float:
        shares, r = self.shares + primal * step.shares, self.r + dual * step.r
        outer = (self.w + primal * step.w) @ (self.y + dual * step.y)
        return float(self.sums.share @ (shares * r).sum(1) + outer)

    def _take(self, step: _Step, primal: float, dual: float) -> None:
        self.shares = self.shares + primal * step.shares
        self.w = self.w + primal * step.w
        self.s += primal * step.s
        self.y = self.y + dual * step.y
        self.m = self.m + dual * step.m
        self.r = self.r + dual * step.r


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """Changes of all that moves."""

    shares: Floats
    w: Floats
    s: float
    y: Floats
    m: Floats
    r: Floats
