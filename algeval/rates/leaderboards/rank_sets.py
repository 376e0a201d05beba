"""Which ranks a system may have: all pairs of systems compared at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from algeval.rates import policy
from algeval.rates.intervals.ranks import ranks_of

__all__ = ["largest_gap", "quantile", "rank_sets", "spreads"]

Floats = NDArray[np.float64]


def spreads(covariance: Floats) -> Floats:
    """Return (k, k): the standard error of each difference of two ratings."""
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0))


def largest_gap(covariance: Floats, degrees: int, level: float, rng: np.random.Generator) -> float:
    """Return the quantile of the largest standardised difference of two ratings that are equal in truth.

    The multiplier bootstrap with normal multipliers: given what each cluster adds, its draws are normal
    with the sandwich as their covariance, and so are drawn from that. Divided by the root of a chi-square
    with a degree of freedom less than there are clusters, as for one difference Student's t is.
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    k, errors = len(covariance), spreads(covariance)
    errors = np.where(errors > 0, errors, np.inf)
    n = policy.BOOTSTRAP_DRAWS
    draws = rng.standard_normal((n, k)) @ root.T
    draws /= np.sqrt(rng.chisquare(degrees, n) / degrees)[:, None]
    largest = np.zeros(n)
    for one in range(k - 1):
        gaps = np.abs(draws[:, one + 1 :] - draws[:, [one]]) / errors[one, one + 1 :]
        np.maximum(largest, gaps.max(axis=1), out=largest)
    return float(np.quantile(largest, level))


def rank_sets(ratings: Floats, covariance: Floats, gap: float) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each system, all of them right at once.

    A system is behind one whose rating exceeds its own by more than `gap` standard errors of the
    difference.
    """
    return ranks_of(ratings[:, None] - ratings > gap * spreads(covariance))


def quantile(degrees: int, level: float) -> float:
    """Return the quantile of Student's t for an interval of one rating."""
    return float(stdtrit(degrees, (1 + level) / 2))
