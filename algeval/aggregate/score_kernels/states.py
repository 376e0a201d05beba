"""How many hidden states, and what each is worth.

Arrays in, arrays out. States come without names: which of them are good is not in the scores. A value
for each comes from anchors, from a judge trusted to know, or from a direction the judges share; the
value of an item is then the mean over its states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.mixture import Mixture, mixture_of, polished, posterior
from algeval.aggregate.score_kernels.moment_tensor import fit_states, view_moments
from algeval.aggregate.score_kernels.views import Views
from algeval.progress import steps

__all__ = [
    "StateCount",
    "count_states",
    "filled_from_the_top",
    "values_along",
    "values_by_anchors",
]

Clusters = NDArray[np.intp]


class StateCount(NamedTuple):
    """What held-out scores say of 1, 2, ... R states.

    Attributes
    ----------
    best, fewest : int
        The number of the highest likelihood, and the least within one standard error of it.
    log_likelihood : (R,) array
        Nats per item, of items the states were not fitted to; nan where the states of some fold were
        not those of a mixture.
    behind : (R,) array
        How far below the best, nats per item.
    error : (R,) array
        Standard error of that; items of one cluster count as one.
    """

    best: int
    fewest: int
    log_likelihood: Floats
    behind: Floats
    error: Floats


def count_states(
    values: Floats, views: Views, most: int, rng: np.random.Generator, clusters: Clusters
) -> StateCount:
    """Compare 1 to `most` states on folds of clusters (n,), 0 to C - 1, of (n, N) scores.

    A few steps of EM follow the moments: without, the covariance that wrong states leave is so
    poor that no number can be told from another.
    """
    chosen = _some(clusters, rng)
    values, clusters = values[chosen], np.unique(clusters[chosen], return_inverse=True)[1]
    fold = rng.permutation(np.arange(clusters.max() + 1) % policy.STATE_FOLDS)[clusters]
    heights = np.full((len(values), most), np.nan)
    for k in steps(range(policy.STATE_FOLDS), "counting states on held-out scores"):
        held = fold == k
        for r, mixture in enumerate(_mixtures(values[~held], views, most, rng)):
            if mixture is not None:
                heights[held, r] = posterior(values[held], mixture)[1]
    return _compared(heights, clusters)


def _some(clusters: Clusters, rng: np.random.Generator) -> Clusters:
    """Return the rows of clusters drawn until they have enough items."""
    sizes = np.bincount(clusters)
    order = rng.permutation(len(sizes))
    enough = int(np.searchsorted(np.cumsum(sizes[order]), policy.COUNTED_ITEMS)) + 1
    return np.flatnonzero(np.isin(clusters, order[:enough]))


def _mixtures(
    values: Floats, views: Views, most: int, rng: np.random.Generator
) -> list[Mixture | None]:
    """Return the mixtures of 1 to `most` states, None for those that the moments do not allow."""
    moments = view_moments(values, views)
    tol, steps = policy.COUNTED_EM
    one = moments.center[:, None]
    every: list[Mixture | None] = [mixture_of(values, np.ones(1), one, views)]
    for r in range(2, most + 1):
        found = fit_states(moments, r, rng)
        start = mixture_of(values, found.weights, found.means, views) if found.proper else None
        every.append(start and polished(values, start, tol=tol, max_iter=steps)[0])
    return every


def _compared(heights: Floats, clusters: Clusters) -> StateCount:
    n = len(heights)
    mean = heights.mean(axis=0)
    best = int(np.nanargmax(mean))
    gaps = heights[:, [best]] - heights
    behind = gaps.mean(axis=0)
    sums = np.stack([np.bincount(clusters, weights=gap) for gap in (gaps - behind).T], axis=1)
    error = np.sqrt((sums**2).sum(axis=0)) / n
    return StateCount(best + 1, int(np.argmax(behind <= error)) + 1, mean, behind, error)


def values_by_anchors(posterior: Floats, anchors: Floats) -> Floats:
    """Return (r,) the mean anchor of each state, anchors (m,) weighed by posteriors (m, r).

    nan where the anchors hardly ever are in a state.
    """
    mass = posterior.sum(axis=0)
    known = mass > policy.LEAST_ANCHORS
    result: Floats = np.where(known, anchors @ posterior / np.where(known, mass, 1.0), np.nan)
    return result


def values_along(means: Floats, direction: Floats) -> Floats:
    """Return (r,) where means (N, r) of standardised scores lie along a direction (N,), made positive.

    The leading direction of what judges share is quality only where quality is what they share most
    (CARE, section 3.3): where a confounder moves the scores more, the states are named by it.
    """
    turned = -direction if direction.sum() < 0 else direction
    result: Floats = turned @ means
    return result


def filled_from_the_top(weights: Floats, worth: Floats, share: float) -> Floats:
    """Return (r,) the part of each state in the higher class, which holds a `share` of the items.

    States join from the worthiest down; the last to join does so with the part that is left.
    """
    order = np.argsort(-worth, kind="stable")
    before = np.cumsum(weights[order]) - weights[order]
    part = np.empty(len(worth))
    part[order] = np.clip((share - before) / weights[order], 0, 1)
    return part
