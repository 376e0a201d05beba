"""Weight certificates: nonnegative weights that bound what any answer key can give.

For weights y >= 0 on (judge, label), whatever the key, the weighted surplus
``sum_it y[i,t] (C[i,t] - x D[i,t])`` is at most
``g(y, x) = sum_u n(u) max_t sum_i y[i,t] (1[u_i = t] - x d_i(u))``.
When g < 0 no key lets every judge reach x. Solvers propose y; g is evaluated in whole numbers.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from algeval.logic.orders.full_program import FullProgram, Ints, Levels, pairs_asked, uniform
from algeval.logic.orders.full_relax import condition_rows, relax
from algeval.logic.proof.farey import farey_floor, next_fraction

__all__ = [
    "WeightBound",
    "best_bound",
    "root",
    "surplus",
    "weights_evidence",
    "whole_weights",
]

_SAFE = 1 << 62
_SCALES = (1, 2, 3, 4, 6, 12, 60, 1000, 10**6)


@dataclass(frozen=True, slots=True, eq=False)
class WeightBound:
    """A level no key exceeds, whole-number weights (N, R), and the labelling they came with.

    The weights may have been made simpler than those that gave `value`: they refute every
    attainable fraction above it, not every real number.
    """

    value: Fraction
    weights: Ints
    cells: Ints


def whole_weights(proposed: Ints, scale: int) -> Ints:
    """Round proposed multipliers to whole numbers of at most `scale`, in lowest terms."""
    most = float(proposed.max(initial=0.0))
    if most <= 0:
        return np.zeros(proposed.shape, np.int64)
    whole: Ints = np.rint(proposed / most * scale).astype(np.int64)
    return whole // (gcd(*whole.ravel().tolist()) or 1)


def _scores(program: FullProgram, hit: Ints, held: Ints) -> tuple[Ints, Ints]:
    """(U, R) sums over judges of `hit` where they answer t, and of `held` where held, exactly."""
    most = program.n_judges * max((abs(int(v)) for w in (hit, held) for v in w.ravel()), default=0)
    kind = np.int64 if most * max(1, program.n_items) < _SAFE else object
    hit, held = hit.astype(kind), held.astype(kind)
    right = np.stack(
        [(program.codes == t).astype(kind) @ hit[:, t] for t in range(program.n_labels)], 1
    )
    return right, program.held.astype(kind) @ held


def _total(counts: Ints, values: Ints) -> int:
    """Exact sum of counts times values."""
    most = max((abs(int(values.max())), abs(int(values.min())))) if len(values) else 0
    if most * max(1, int(counts.sum())) < _SAFE:
        return int(counts @ values.astype(np.int64))
    return sum(n * int(v) for n, v in zip(counts.tolist(), values.tolist(), strict=True))


def surplus(
    program: FullProgram,
    hit: Ints,
    held: Ints,
    labels: Ints | None = None,
    cells: dict[tuple[int, int], int] | None = None,
) -> int:
    """Return sum_u n(u) max_t [sum_i hit[i,t] 1[u_i=t] - held[i,t] d_i(u) + labels[t] + cells].

    Everything is a whole number of any size; this is the exact step behind every refutation.
    """
    right, asked = _scores(program, hit, held)
    score = right - asked
    if labels is not None or cells:
        score = score.astype(object) + (0 if labels is None else labels[None, :])
        for (u, t), value in (cells or {}).items():
            score[u, t] += value
    return _total(program.counts, score.max(1))


def root(program: FullProgram, weights: Ints, start: Fraction) -> Fraction | None:
    """Return where g(weights, .) crosses zero, exactly; None when it never falls below.

    Newton's method on a convex piecewise linear function: the first step lands left of the root,
    every other climbs, and the last is exact.
    """
    right, asked = _scores(program, weights, weights)
    rows = np.arange(len(right))
    z, first = start, True
    while True:
        p, q = z.numerator, z.denominator
        if max(p, q) * max(int(right.max(initial=0)), int(asked.max(initial=0))) >= _SAFE:
            right, asked = right.astype(object), asked.astype(object)
        score = q * right - p * asked
        best = score.argmax(1)
        slope = _total(program.counts, asked[rows, best])
        if slope <= 0:
            return None
        following = Fraction(_total(program.counts, right[rows, best]), slope)
        if not first and following <= z:
            return z if _falls_after(program, score, asked) else None
        z, first = following, False


def _falls_after(program: FullProgram, score: Ints, asked: Ints) -> bool:
    """Whether g falls to the right of a point, given the scores (U, R) there."""
    slopes = np.where(score == score.max(1)[:, None], asked, asked.max(1)[:, None])
    return _total(program.counts, slopes.min(1)) > 0


def _matrix(program: FullProgram, levels: Levels, values: Ints) -> Ints:
    matrix = np.zeros((program.n_judges, program.n_labels))
    for (i, t), value in zip(pairs_asked(levels), values, strict=True):
        matrix[i, t] = value
    return matrix


def best_bound(
    program: FullProgram, mask: Ints, start: Fraction, *, until: float | None = None
) -> WeightBound | None:
    """Return the best bound on the level that the pairs in `mask` can share, from above.

    Dinkelbach's steps: weights that are best at x, the exact root of their g, again from there.
    None when the relaxation already holds at `start`. `until` is a time of `time.monotonic`.
    """
    x, bound = start, None
    for _ in range(60):
        levels = uniform(x, mask)
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0 and bound is not None:
            break
        relaxed = relax(program, condition_rows(levels), levels, time_limit=left)
        if relaxed is None or relaxed.violation <= 1e-10:
            break
        y = _matrix(program, levels, relaxed.multipliers)
        found = _sharpest(program, y, x)
        if found is None:
            break
        bound = WeightBound(found[0], found[1], relaxed.cells)
        step, x = x - found[0], found[0]
        if step < Fraction(1, 10**10):
            break
    if bound is None:
        return None
    return _simplest(program, mask, bound)


def _sharpest(program: FullProgram, y: Ints, x: Fraction) -> tuple[Fraction, Ints] | None:
    """Return the lowest root below x among two roundings of the proposed weights."""
    best = None
    for scale in (60, 10**6):
        weights = whole_weights(y, scale)
        value = root(program, weights, x)
        if value is not None and value < (x if best is None else best[0]):
            best = value, weights
    return best


def _simplest(program: FullProgram, mask: Ints, bound: WeightBound) -> WeightBound:
    """Return the same bound with the smallest weights that refute the same attainable fractions.

    Weights that are best at the next attainable fraction are tried as well: where the bound itself
    is approached and not attained, they are far smaller.
    """
    items = program.n_items
    target = farey_floor(bound.value, items)
    proposals = [bound.weights.astype(float)]
    levels = uniform(next_fraction(target, items), mask)
    relaxed = relax(program, condition_rows(levels), levels)
    if relaxed is not None:
        proposals.append(_matrix(program, levels, relaxed.multipliers))
    for scale in _SCALES:
        for proposed in proposals:
            weights = whole_weights(proposed, scale)
            value = root(program, weights, bound.value)
            if value is not None and farey_floor(value, items) <= target:
                return replace(bound, weights=weights)
    return bound


def weights_evidence(weights: Any) -> dict[str, Any]:
    """Return evidence of kind `weights`."""
    return {"kind": "weights", "weights": [[str(y) for y in row] for row in weights]}
