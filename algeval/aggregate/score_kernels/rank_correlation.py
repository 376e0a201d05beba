"""Spearman's rank correlation with a standard error that knows of clusters.

Arrays in, arrays out. The correlation is a smooth function of means over items and pairs of items, so
that each item has an influence on it; the standard error is that of the sum of the influences over
independent clusters (the delta method).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.results import Floats

__all__ = ["RankCorrelation", "mid_ranks", "ranked", "spearman"]

Places = NDArray[np.intp]


class RankCorrelation(NamedTuple):
    """A rank correlation, its standard error, and the items it is over.

    0 and infinity where one of the two does not vary, or where there are fewer than two clusters.
    """

    value: float
    error: float
    n_items: int


def ranked(column: Floats) -> Places:
    """Return the place (n,) of each number among the distinct ones, -1 for NaN."""
    place = np.full(len(column), -1, np.intp)
    known = ~np.isnan(column)
    place[known] = np.unique(column[known], return_inverse=True)[1]
    return place


def mid_ranks(column: Floats) -> Floats:
    """Return the ranks (n,) from 1, tied numbers sharing the middle one.

    As scipy.stats.rankdata, whose module takes most of a second to load.
    """
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    middle: Floats = np.cumsum(counts) - (counts - 1) / 2
    return middle[place]


def spearman(x: Places, y: Places, clusters: Places) -> RankCorrelation:
    """Return the rank correlation of two columns made by `ranked`, over items where both are known.

    clusters : (n,) the number of the cluster of each item, from 0 on.
    """
    known = (x >= 0) & (y >= 0)
    x, y, clusters = x[known], y[known], clusters[known]
    n = len(x)
    of_x, of_y = _Ranks.of(x), _Ranks.of(y)
    size = float(np.sqrt(of_x.variance * of_y.variance))
    sums = np.bincount(clusters, minlength=1) if n else np.zeros(1)
    if size == 0 or (sums > 0).sum() < 2:
        return RankCorrelation(0.0, np.inf, n)
    together = float(of_x.rank @ of_y.rank) / n
    value = together / size
    influence = _influence(of_x, of_y) / size - value / 2 * (
        _influence(of_x, of_x) / of_x.variance + _influence(of_y, of_y) / of_y.variance
    )
    return RankCorrelation(value, _clustered(influence, clusters), n)


class _Ranks(NamedTuple):
    """Places of numbers, and their ranks as shares of the items, about their middle."""

    place: Places
    rank: Floats
    variance: float

    @classmethod
    def of(cls, place: Places) -> _Ranks:
        counts = np.bincount(place, minlength=1)
        rank = ((np.cumsum(counts) - counts / 2) / max(len(place), 1) - 0.5)[place]
        return cls(place, rank, float(rank @ rank) / max(len(place), 1))


def _influence(one: _Ranks, other: _Ranks) -> Floats:
    """Return (n,) the influence of each item on the mean product of two ranks.

    An item counts by its own product, and by moving the ranks of those above it.
    """
    n = len(one.rank)
    product = one.rank * other.rank
    moved = _above(one.place, other.rank) + _above(other.place, one.rank)
    result: Floats = product + moved / n - 3 * product.mean()
    return result


def _above(place: Places, weight: Floats) -> Floats:
    """Return (n,) the sum of the weights of the items above each, half of those level with it."""
    sums = np.bincount(place, weight)
    above: Floats = (sums[::-1].cumsum()[::-1] - sums / 2)[place]
    return above


def _clustered(influence: Floats, clusters: Places) -> float:
    """Return the standard error of the mean influence when clusters are independent."""
    sums = np.bincount(clusters, influence)
    many = int((np.bincount(clusters) > 0).sum())
    return float(np.sqrt((sums**2).sum() * many / (many - 1)) / len(influence))
