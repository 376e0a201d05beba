"""How many factors: held-out likelihood by clusters of items, and information criteria.

Arrays in, arrays out. Both say whether judges share more than one trait. Neither says which trait is
the quality one is after.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.factor_fit import fit_factors
from algeval.aggregate.score_kernels.factors import item_log_likelihood

__all__ = ["HeldOut", "criteria", "fold_of", "held_out", "n_parameters"]


class HeldOut(NamedTuple):
    """Nats per held-out item for each number of factors, and the gain over the reference.

    `gain` and `gain_se` are of paired differences; the standard error is over clusters, whose items
    may say the same twice. `converged` tells whether all fits did.
    """

    ks: tuple[int, ...]
    per_item: Floats
    gain: Floats
    gain_se: Floats
    converged: bool


def fold_of(clusters: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the fold (n,) of each item; a cluster lies in one, and folds have like many clusters."""
    _, place = np.unique(clusters, return_inverse=True)
    many = int(place.max()) + 1
    result: NDArray[np.intp] = (rng.permutation(many) % min(folds, many))[place]
    return result


def held_out(
    values: Floats,
    clusters: NDArray[np.intp],
    *,
    rng: np.random.Generator,
    ks: tuple[int, ...] = (0, 1, 2, 3),
    folds: int = 5,
    reference: int = 1,
    tol: float = 1e-5,
    max_iter: int = 1000,
) -> HeldOut:
    """Return how likely (n, N) scores are under factors fitted to the other folds.

    Needs at least two clusters. Scores are read as they are: normal scores learnt from all items
    change every number of factors alike.
    """
    fold = fold_of(clusters, folds, rng)
    heights, converged = np.empty((len(ks), len(values))), True
    for which in range(int(fold.max()) + 1):
        test = fold == which
        for row, k in zip(heights, ks, strict=True):
            found = fit_factors(values[~test], k, rng=rng, tol=tol, max_iter=max_iter)
            converged &= found.end.converged
            row[test] = item_log_likelihood(found.law, values[test])
    gains = heights - heights[ks.index(reference)]
    errors = np.array([_clustered_error(gain, clusters) for gain in gains])
    return HeldOut(ks, heights.mean(axis=1), gains.mean(axis=1), errors, converged)


def _clustered_error(gain: Floats, clusters: NDArray[np.intp]) -> float:
    """Return the standard error of a mean over items whose clusters are independent."""
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place, weights=gain - gain.mean())
    many = len(sums)
    return float(np.sqrt((sums**2).sum() * many / (many - 1)) / len(gain))


def n_parameters(n_judges: int, k: int) -> tuple[int, int]:
    """Return how many numbers are free: loadings up to a turn, and means with error variances."""
    return n_judges * k - k * (k - 1) // 2, 2 * n_judges


def criteria(log_likelihood: float, k: int, n_items: int, n_judges: int) -> tuple[float, float]:
    """Return BIC and extended BIC in nats x 2, the smaller the better.

    The extended one (Foygel and Drton 2010) adds 4 g log N for every free loading, g =
    `policy.EXTENDED`: of many judges, some pair is correlated by chance. Both take items for
    independent; with clusters believe `held_out`.
    """
    loadings, others = n_parameters(n_judges, k)
    plain = -2 * log_likelihood + (loadings + others) * float(np.log(n_items))
    return plain, plain + 4 * policy.EXTENDED * loadings * float(np.log(n_judges))
