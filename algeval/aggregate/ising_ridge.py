"""Choose the ridge on couplings by the log-likelihood of items that were held out.

Arrays in, arrays out.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algeval.aggregate.ising_kernel import Problem, climb, posteriors
from algeval.models.binary import Floats

GRID = (1.0, 3.0, 10.0, 30.0, 100.0)
_FOLDS = 3


def choose_ridge(
    problem: Problem, theta: Floats, rng: np.random.Generator, grid: tuple[float, ...] = GRID
) -> dict[str, float]:
    """Return {ridge: held-out log-likelihood per item}; climbs start where the full fit ended."""
    folds = rng.multinomial(problem.counts.astype(np.int64), np.full(_FOLDS, 1 / _FOLDS)).T
    result = {}
    for ridge in sorted(grid):
        height = 0.0
        for held_out in folds:
            counts = problem.counts - held_out
            scaled = replace(problem, counts=counts, ridge=ridge)
            found = climb(theta, scaled, max_iter=150, tol=1e-5)
            height += float(held_out @ posteriors(found.theta, scaled)[1])
        result[f"{ridge:g}"] = height / float(problem.counts.sum())
    return result
