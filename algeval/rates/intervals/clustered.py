"""Regression on the judges' numbers where items come in clusters: responses to one prompt, turns, epochs.

The clusters are what was sampled, so the variance is a sum over them of what each brings: the residuals of
its labelled items, the judges' numbers of all its items, and, as both rise and fall with the cluster, twice
their product. Without the product, coverage on real questions was .93 and not .95. Clusters that hold
most of the labels count for most: as many are counted as clusters of one size would be worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.rates.intervals.estimate import Estimate, Floats, too_few, within_items
from algeval.rates.intervals.regression import from_variance, of_mean, slope, variance_of
from algeval.rates.intervals.wilson import wilson
from algeval.rates.policy import FEWEST_EFFECTIVE, MORE_PAIRS, ONE_MISS

__all__ = ["clustered", "drawn_by_cluster"]

Codes = NDArray[np.int64]


def clustered(
    y: Floats,
    f: Floats,
    every: Floats,
    *,
    rows: NDArray[np.int64],
    clusters: Codes,
    target: str = "population",
    level: float = 0.95,
) -> Estimate:
    """Return the rate and its interval with clusters as the unit.

    Parameters
    ----------
    y, f, every : as for `ppi`
    rows : (n,) int array
        The labelled items.
    clusters : (n_items,) int array
        The cluster of each item, from 0.
    target : "items" or "population"
        The population is one of clusters.
    level : float
        Labels must lie in three clusters at least.

    Examples
    --------
    >>> every, clusters = np.tile([0.0, 1.0, 1.0, 1.0, 1.0], 20), np.repeat(np.arange(20), 5)
    >>> rows = np.arange(0, 100, 3)
    >>> y = np.where(rows % 4 == 0, 1 - every[rows], every[rows])
    >>> found = clustered(y, every[rows], every, rows=rows, clusters=clusters)
    >>> found.low < found.rate < found.high
    True
    """
    n, n_items = len(y), len(every)
    groups = effective_clusters(clusters[rows])
    alone = len(np.unique(clusters[rows])) == n
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every))
    if groups <= FEWEST_EFFECTIVE or (steep == 0 and (alone or too_few(y))):
        return _of_groups(y, groups, n_items, target, level)
    rate = y.mean() - steep * (f.mean() - every.mean())
    residuals = _sums(y - steep * f, clusters[rows], clusters)
    variance = max(float(residuals @ residuals), ONE_MISS) / n**2 * groups / (groups - 2)
    if target == "items":
        variance *= 1 - n / n_items
    else:
        variance += steep**2 * of_mean(every - every.mean(), clusters)
        numbers = steep * _sums(every, clusters, clusters) / n_items
        variance += 2 * max(float(residuals @ numbers) / n, 0.0)
    if variance == 0:
        return within_items(Estimate(0.0, rate, 1.0, steep), float(y.sum()), n, n_items)
    found = from_variance(rate, variance, freedom=groups - 2, most=n_items, level=level)
    found = found._replace(slope=steep)
    return within_items(found, float(y.sum()), n, n_items) if target == "items" else found


def _of_groups(y: Floats, groups: float, n_items: int, target: str, level: float) -> Estimate:
    """Return the interval of the labels alone, no more of them than there are clusters."""
    low, high = wilson(y.mean() * groups, groups, level)
    found = Estimate(low, float(y.mean()), high, n_effective=groups)
    return within_items(found, float(y.sum()), len(y), n_items) if target == "items" else found


def effective_clusters(own: Codes) -> float:
    """Return how many clusters of one size would be worth as much as those in which labels lie.

    Examples
    --------
    >>> effective_clusters(np.repeat([0, 1, 2], 5)), round(effective_clusters(np.array([0] * 8 + [1, 2])), 2)
    (3.0, 1.52)
    """
    counts = np.bincount(own).astype(np.float64)
    return float(counts.sum() ** 2 / (counts @ counts))


def _sums(values: Floats, own: Codes, clusters: Codes) -> Floats:
    """Return the sum of centred values in each cluster; own: the cluster of each value."""
    centred = values - values.mean()
    return np.bincount(own, centred, minlength=int(clusters.max()) + 1).astype(np.float64)


def drawn_by_cluster(rows: NDArray[np.int64], clusters: Codes) -> bool:
    """Say whether labels lie together in clusters more than items drawn one by one would.

    Examples
    --------
    >>> clusters = np.repeat(np.arange(20), 5)
    >>> drawn_by_cluster(np.arange(25), clusters), drawn_by_cluster(np.arange(0, 100, 4), clusters)
    (True, False)
    """
    n, n_items = len(rows), len(clusters)
    seen, possible = _pairs(np.bincount(clusters[rows])), _pairs(np.bincount(clusters))
    expected = possible * n * (n - 1) / (n_items * (n_items - 1)) if n_items > 1 else 0.0
    return n < n_items and bool(seen > expected + MORE_PAIRS * np.sqrt(expected) + 1)


def _pairs(sizes: NDArray[np.int64]) -> float:
    return float((sizes * (sizes - 1) / 2).sum())
