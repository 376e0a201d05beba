"""Weight certificates: nonnegative weights that bound what any answer key can give.

For weights y >= 0 on (judge, label), whatever the key, the weighted surplus
``sum_it y[i,t] (C[i,t] - x D[i,t])`` is at most
``g(y, x) = sum_u n(u) max_t sum_i y[i,t] (1[u_i = t] - x d_i(u))``.
When g < 0 no key lets every judge reach x. Solvers propose y; g is evaluated in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from algeval.logic.orders.labelling import Labelling, Levels
from algeval.logic.policy import (
    SAFE,
    SHARPEST_ROUNDINGS,
    WEIGHT_ROUNDINGS,
    WEIGHT_STEP,
    WEIGHT_STEPS,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import farey_floor, next_fraction
from algeval.logic.proof.outcome import Evidence
from algeval.logic.proof.shares import Ints, RowId, Writer

__all__ = [
    "WeightBound",
    "best_bound",
    "refuting",
    "root",
    "sharpest",
    "simplest",
    "weights_evidence",
    "weights_writer",
    "whole_weights",
]


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


def _scores(labelling: Labelling, hit: Ints, held: Ints) -> tuple[Ints, Ints]:
    """(U, R) sums over judges of `hit` where they answer t, and of `held` where held, exactly."""
    most = labelling.n_judges * max(
        (abs(int(v)) for w in (hit, held) for v in w.ravel()), default=0
    )
    kind = np.int64 if most * max(1, labelling.n_items) < SAFE else object
    hit, held = hit.astype(kind), held.astype(kind)
    if labelling.given is not None and kind is np.int64:
        hits, given = labelling.given
        return np.stack([part @ hit[:, t] for t, part in enumerate(hits)], 1), given @ held
    right = np.stack(
        [(labelling.codes == t).astype(kind) @ hit[:, t] for t in range(labelling.n_labels)], 1
    )
    return right, labelling.held.astype(kind) @ held


def _total(counts: Ints, values: Ints) -> int:
    """Exact sum of counts times values."""
    most = max((abs(int(values.max())), abs(int(values.min())))) if len(values) else 0
    if most * max(1, int(counts.sum())) < SAFE:
        return int(counts @ values.astype(np.int64))
    return sum(n * int(v) for n, v in zip(counts.tolist(), values.tolist(), strict=True))


def root(labelling: Labelling, weights: Ints, start: Fraction) -> Fraction | None:
    """Return where g(weights, .) crosses zero, exactly; None when it never falls below.

    Newton's method on a convex piecewise linear function: the first step lands left of the root,
    every other climbs, and the last is exact.
    """
    right, asked = _scores(labelling, weights, weights)
    rows = np.arange(len(right))
    z, first = start, True
    while True:
        p, q = z.numerator, z.denominator
        if max(p, q) * max(int(right.max(initial=0)), int(asked.max(initial=0))) >= SAFE:
            right, asked = right.astype(object), asked.astype(object)
        score = q * right - p * asked
        best = score.argmax(1)
        slope = _total(labelling.counts, asked[rows, best])
        if slope <= 0:
            return None
        following = Fraction(_total(labelling.counts, right[rows, best]), slope)
        if not first and following <= z:
            return z if _falls_after(labelling, score, asked) else None
        z, first = following, False


def _falls_after(labelling: Labelling, score: Ints, asked: Ints) -> bool:
    """Whether g falls to the right of a point, given the scores (U, R) there."""
    slopes = np.where(score == score.max(1)[:, None], asked, asked.max(1)[:, None])
    return _total(labelling.counts, slopes.min(1)) > 0


Solve = Callable[[Fraction, Clock], tuple[Ints, Ints] | None]
"""Proposes weights (N, R) at a level, and real cells (U, R); None where they refute nothing."""


def best_bound(
    labelling: Labelling, solve: Solve, start: Fraction, clock: Clock
) -> WeightBound | None:
    """Return the best bound on the level that all judges can share, from above.

    Dinkelbach's steps: weights that are best at x, the exact root of their g, again from there.
    None when the relaxation already holds at `start`.
    """
    x, bound = start, None
    for _ in range(WEIGHT_STEPS):
        proposed = None if clock.over and bound is not None else solve(x, clock)
        found = None if proposed is None else sharpest(labelling, proposed[0], x)
        if found is None or proposed is None:
            break
        bound = WeightBound(found[0], found[1], proposed[1])
        step, x = x - found[0], found[0]
        if step < WEIGHT_STEP:
            break
    if bound is None:
        return None
    target = farey_floor(bound.value, labelling.n_items)
    beyond = next_fraction(target, labelling.n_items)
    nearby = None if clock.over else solve(beyond, clock)
    proposals = [bound.weights.astype(float), *(() if nearby is None else nearby[:1])]
    simple = simplest(labelling, proposals, (bound.value, bound.weights), clock)
    return replace(bound, weights=simple)


def refuting(labelling: Labelling, y: Ints, levels: Levels) -> Ints | None:
    """Return the smallest whole weights found, by rounding y, that refute levels (N, R), exactly."""
    for scale in WEIGHT_ROUNDINGS:
        weights = whole_weights(y, scale)
        if _refutes(labelling, weights, levels):
            return weights
    return None


def _refutes(labelling: Labelling, weights: Ints, levels: Levels) -> bool:
    asked = [[Fraction(0) if x is None else x for x in row] for row in levels]
    common = lcm(*(x.denominator for row in asked for x in row))
    losses = [[x.numerator * (common // x.denominator) for x in row] for row in asked]
    whole = weights.astype(object)
    gain, loss = _scores(labelling, whole * common, whole * np.array(losses, object))
    return _total(labelling.counts, (gain - loss).max(1)) < 0


def sharpest(labelling: Labelling, y: Ints, x: Fraction) -> tuple[Fraction, Ints] | None:
    """Return the lowest root below x among two roundings of the proposed weights."""
    best = None
    for scale in SHARPEST_ROUNDINGS:
        weights = whole_weights(y, scale)
        value = root(labelling, weights, x)
        if value is not None and value < (x if best is None else best[0]):
            best = value, weights
    return best


def simplest(
    labelling: Labelling, proposals: Sequence[Ints], known: tuple[Fraction, Ints], clock: Clock
) -> Ints:
    """Return the smallest weights that refute the same attainable fractions as a bound.

    Weights that are best at the next attainable fraction may be among those proposed: where the
    bound itself is approached and not attained, they are far smaller.
    """
    items, bound = labelling.n_items, known[0]
    target = farey_floor(bound, items)
    for scale in WEIGHT_ROUNDINGS:
        for proposed in () if clock.over else proposals:
            weights = whole_weights(proposed, scale)
            value = root(labelling, weights, bound)
            if value is not None and farey_floor(value, items) <= target:
                return weights
    return known[1]


def weights_evidence(weights: Any) -> Evidence:
    """Return evidence of kind `weights`."""
    return {"kind": "weights", "weights": [[str(y) for y in row] for row in weights]}


def weights_writer(n_judges: int, n_labels: int) -> Writer:
    """Return what writes a refutation as weights, where it rests on accuracies and the key alone."""

    def write(named: Sequence[tuple[RowId, int]], key: Sequence[int]) -> Evidence | None:
        tables = {kind: np.zeros((n_judges, n_labels), object) for kind in ("condition", "rounded")}
        for (kind, *places), y in named:
            if kind not in tables:
                return None
            _, i, t = places
            tables[kind][i, t] += y
        shared = gcd(*key, *(y for table in tables.values() for y in table.ravel())) or 1
        result = weights_evidence(tables["condition"] // shared)
        if tables["rounded"].any():
            result["correct"] = weights_evidence(tables["rounded"] // shared)["weights"]
        for name, sign in (("key_low", -1), ("key_high", 1)):
            values = [max(0, sign * z) // shared for z in key]
            if any(values):
                result[name] = [str(z) for z in values]
        return result

    return write
