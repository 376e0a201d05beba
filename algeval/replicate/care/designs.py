"""Planted laws: judges in three views with hidden states, and panels with near copies."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from algeval.data import Scores

__all__ = ["Design", "grouped", "near_copies", "table_of"]

Floats = np.ndarray


class Design(NamedTuple):
    """Scores (n, 12), the means (12, 4) of the states, the views and the state of each item."""

    values: Any
    means: Any
    views: Any
    state: Any

    def error(self, means: Floats) -> float:
        """Return the Frobenius distance from the true means, states in the best order."""
        orders = permutations(range(self.means.shape[1]))
        return min(float(np.linalg.norm(means[:, list(o)] - self.means)) for o in orders)


def grouped(seed: int, n: int) -> Design:
    """Draw twelve judges, four in each of three views, in four states.

    Means are uniform from 1 to 4, drawn anew until each view's have a smallest singular value of .7; within
    a view pairs have an entry of .4 in the precision with chance .6, its diagonal raised until no eigenvalue
    is below .15.
    """
    rng = np.random.default_rng(seed)
    views = np.repeat(range(3), 4)
    means = np.zeros((12, 4))
    while min(np.linalg.svd(means[views == v], compute_uv=False)[-1] for v in range(3)) < 0.7:
        means = rng.uniform(1, 4, (12, 4))
    precision = np.eye(12)
    for v in range(3):
        for i, j in combinations(np.flatnonzero(views == v), 2):
            if rng.random() < 0.6:
                precision[i, j] = precision[j, i] = 0.4
    precision += max(0.0, 0.15 - np.linalg.eigvalsh(precision)[0]) * np.eye(12)
    state = rng.choice(4, n)
    errors = rng.multivariate_normal(np.zeros(12), np.linalg.inv(precision), n)
    return Design(means.T[state] + errors, means, views, state)


def near_copies(copies: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Draw quality and standardised scores of 16 judges of it and of near copies of something else."""
    rng = np.random.default_rng(seed)
    quality, other = rng.normal(size=(2, 3000))
    judges = 0.7 * quality[:, None] + np.sqrt(0.51) * rng.normal(size=(3000, 16))
    near = np.sqrt(0.9) * other[:, None] + np.sqrt(0.1) * rng.normal(size=(3000, copies))
    scores = np.hstack([judges, near])
    return quality, (scores - scores.mean(axis=0)) / scores.std(axis=0)


def table_of(values: Any) -> Scores:
    """Return scores (n, N) as a table, items and judges named by their numbers."""
    rows, columns = values.shape
    return Scores(tuple(map(str, range(rows))), tuple(map(str, range(columns))), values)
