"""Choose the ridge on couplings by the log-likelihood of items that were held out.

Arrays in, arrays out. Of the ridges whose held-out log-likelihood is within one standard error of
the best, the largest is taken: a looser fit that predicts votes hardly better is no better guide
to labels, and on real votes it is a worse one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.kernels.ising import Problem, climb, posteriors
from algeval.models.binary import Floats


def choose_ridge(
    problem: Problem,
    theta: Floats,
    rng: np.random.Generator,
    grid: tuple[float, ...] = policy.RIDGE_GRID,
) -> tuple[float, dict[str, float]]:
    """Return the ridge chosen and {ridge: held-out log-likelihood per item}.

    Climbs start where the full fit ended.
    """
    drawn = rng.multinomial(
        problem.counts.astype(np.int64), np.full(policy.RIDGE_FOLDS, 1 / policy.RIDGE_FOLDS)
    )
    folds = drawn.T.astype(float)
    ridges = sorted(grid)
    found = np.stack([_held_out(problem, theta, folds, ridge) for ridge in ridges])
    n = float(problem.counts.sum())
    heights = (folds * found).sum(axis=(1, 2)) / n
    best = int(np.argmax(heights))
    chosen = best
    for place in range(best + 1, len(ridges)):
        loss = found[best] - found[place]
        mean = (folds * loss).sum() / n
        spread = (folds * (loss - mean) ** 2).sum() / n
        if mean <= np.sqrt(spread / n):
            chosen = place
    table = {f"{ridge:g}": float(height) for ridge, height in zip(ridges, heights, strict=True)}
    return ridges[chosen], table


def _held_out(problem: Problem, theta: Floats, folds: Floats, ridge: float) -> Floats:
    """Return (folds, U): log-probability of each pattern under the fit without that fold."""
    rows = []
    few, loose = policy.RIDGE_CLIMB
    for held_out in folds:
        part = replace(problem, counts=problem.counts - held_out, ridge=ridge)
        rows.append(posteriors(climb(theta, part, max_iter=few, tol=loose).theta, part)[1])
    return np.stack(rows)
