"""Weights of judges from mean squared differences of their scores (Shin et al. 2022).

Arrays in, arrays out. Let judge a's score be the truth plus an error of mean square v_a, errors of
mean product 0. Two judges then differ by v_a + v_b in the mean square, and three judges a, b, c give
v_a = (d_ab + d_ac - d_bc) / 2. Averaged over all pairs b, c (as in the code published with CARE) this
is v_a = (S_a - T / (N - 1)) / (N - 2), S_a the sum of a's differences and T that of all pairs'. A bias
is part of the error. Weights are proportional to 1 / v_a.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import Floats

__all__ = ["TripletWeights", "error_variances", "mean_squared_differences", "triplet_weights"]


class TripletWeights(NamedTuple):
    """What the differences say of each judge.

    `weight` (N,) adds up to 1 and is NaN where some variance is not positive: then no weights exist.
    `impossible` (N,) marks the judges of such variances, `alone` (N,) one above
    `policy.MOST_TRIPLET_SHARE` of the weight.
    """

    variance: Floats
    weight: Floats
    impossible: Any
    alone: Any

    @property
    def usable(self) -> bool:
        """Whether the weights exist and no judge has nearly all of them."""
        return not (self.impossible.any() or self.alone.any())


def mean_squared_differences(values: Floats) -> Floats:
    """Return (N, N) means of squared differences over the items both judges scored, NaN without any."""
    seen = (~np.isnan(values)).astype(float)
    with_any = np.maximum(seen.sum(axis=0), 1)
    # near 0 the sums of squares cancel less
    center = float((np.where(seen > 0, values, 0.0).sum(axis=0) / with_any).mean())
    plain = np.where(seen > 0, values - center, 0.0)
    squares = (plain**2).T @ seen
    sums = squares + squares.T - 2 * (plain.T @ plain)
    common = seen.T @ seen
    found = np.where(common > 0, np.maximum(sums, 0.0) / np.maximum(common, 1), np.nan)
    np.fill_diagonal(found, 0.0)
    return found


def error_variances(differences: Floats) -> Floats:
    """Return (N,) the mean over all pairs of others of a judge's variance by triplets; N is 3 or more."""
    n = len(differences)
    each = differences.sum(axis=1)
    result: Floats = (each - each.sum() / 2 / (n - 1)) / (n - 2)
    return result


def triplet_weights(values: Floats) -> TripletWeights:
    """Return variances, weights and what is wrong with them for (rows, N) scores, NaN where missing.

    Variances within rounding of 0, as those of exact copies, count as not positive; so do those of
    judges who share no item with another.
    """
    differences = mean_squared_differences(values)
    variance = error_variances(differences)
    least = policy.ROUNDING * np.nanmax(differences, initial=0.0)
    impossible = ~(variance > least)
    if impossible.any():
        none = np.full(len(variance), np.nan)
        return TripletWeights(variance, none, impossible, np.zeros(len(variance), bool))
    weight = 1 / variance
    weight /= weight.sum()
    return TripletWeights(variance, weight, impossible, weight > policy.MOST_TRIPLET_SHARE)
