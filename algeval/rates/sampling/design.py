"""Draws of so many items with chances that are known: fixed size, systematic, in a random order.

Source: Madow (1949). Chances add up to the number drawn; an item is drawn where their running sum passes
one of equally spaced marks with a random start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.rates.policy import SPREAD_BANDS

__all__ = ["bands", "chances_for", "spread_order", "systematic"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def chances_for(weights: Floats, n: int) -> Floats:
    """Return chances of inclusion in proportion to positive weights, at most 1 each, that add up to n.

    What is capped at 1 is redistributed over the others.

    Examples
    --------
    >>> chances_for(np.array([6.0, 1.0, 1.0, 2.0]), 2).tolist()
    [1.0, 0.25, 0.25, 0.5]
    """
    chances: Floats = np.minimum(n * weights / weights.sum(), 1.0)
    while (free := chances < 1).any() and n - chances.sum() > 1e-9:
        left = n - (len(chances) - free.sum())
        chances[free] = np.minimum(left * weights[free] / weights[free].sum(), 1.0)
    return chances


def systematic(chances: Floats, order: Places, rng: np.random.Generator) -> Places:
    """Return the places drawn, increasing; each is drawn with its chance, and all chances add up to n.

    Parameters
    ----------
    chances : (n_items,) float array
    order : (n_items,) int array
        Neighbours in it are seldom drawn together.
    rng : numpy Generator

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> systematic(np.full(9, 1 / 3), np.arange(9), rng).tolist()
    [1, 4, 7]
    """
    n = round(float(chances.sum()))
    edges = np.concatenate([[0.0], np.cumsum(chances[order])])
    edges *= n / edges[-1]  # so that rounding neither adds nor drops an item
    marks = np.arange(n) + rng.random()
    drawn = np.searchsorted(edges, marks, side="right") - 1
    return np.sort(order[np.minimum(drawn, len(order) - 1)])


def bands(values: Floats) -> Places:
    """Return the band of each value, a few of about as many items each; those without a value apart.

    Examples
    --------
    >>> bands(np.array([0.0, 0.0, 0.0, 1.0, np.nan])).tolist()
    [0, 0, 0, 1, 2]
    """
    known = ~np.isnan(values)
    found = np.zeros(len(values), np.int64)
    if known.any():
        edges = np.unique(np.quantile(values[known], np.arange(1, SPREAD_BANDS) / SPREAD_BANDS))
        found[known] = np.searchsorted(edges, values[known], side="left")
    found[~known] = found.max() + 1
    return np.unique(found, return_inverse=True)[1]


def spread_order(strata: Places, clusters: Places | None, rng: np.random.Generator) -> Places:
    """Return an order by strata, random inside; items of a cluster stand together in its mean stratum.

    Systematic draws along it give each stratum its share of the labels, and clusters no second label
    before nearly all have one.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> spread_order(np.array([1, 0, 1, 0]), None, rng).tolist()
    [1, 3, 2, 0]
    """
    shuffle = rng.permutation(len(strata))
    if clusters is None:
        return np.lexsort((shuffle, strata))
    sizes = np.maximum(np.bincount(clusters), 1)
    middle = np.bincount(clusters, strata) / sizes
    place = rng.permutation(len(sizes))
    return np.lexsort((shuffle, place[clusters], middle[clusters]))
