"""What every interval that regresses labels on the judges' numbers shares: its slope and its ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from algeval.rates.intervals.estimate import Estimate, Floats
from algeval.rates.intervals.wilson import wilson

__all__ = ["binary_variance", "from_variance", "of_mean", "slope", "variance_of"]


def slope(y: Floats, f: Floats, spread: float, weights: Floats | None = None) -> float:
    """Return the slope that narrows most, and 0 where the labels go against the judges.

    There is no upper limit: numbers on a tenth of the scale need ten times the slope.

    Parameters
    ----------
    y, f : (n,) float arrays
        Labels, and the judges' numbers of the same items.
    spread : float
        Variance of f over all items.
    weights : (n,) float array, optional
    """
    if spread <= 0:
        return 0.0
    w = np.ones(len(y)) if weights is None else weights / weights.mean()
    y_mean, f_mean = np.average(y, weights=w), np.average(f, weights=w)
    together = (w * (y - y_mean) * (f - f_mean)).sum() / (len(y) - 1)
    return max(0.0, float(together) / spread)


def variance_of(every: Floats) -> float:
    """Return the variance of the judges' numbers over all items; 0 of one item."""
    return float(every.var(ddof=1)) if len(every) > 1 else 0.0


def of_mean(centred: Floats, clusters: NDArray[np.int64] | None = None) -> float:
    """Return the variance of a mean over all items, whose clusters are what was sampled.

    Parameters
    ----------
    centred : (n_items,) float array
        The values less their mean.
    clusters : (n_items,) int array, optional
        The cluster of each item, from 0; by default each item is its own.

    Examples
    --------
    >>> centred = np.array([-1.0, -1.0, 1.0, 1.0])
    >>> of_mean(centred, np.array([0, 0, 1, 1])), round(of_mean(centred), 3)
    (1.0, 0.333)
    """
    sums = centred if clusters is None else np.bincount(clusters, centred)
    return float(sums @ sums) / len(centred) ** 2 * len(sums) / max(len(sums) - 1, 1)


def binary_variance(rate: float) -> float:
    """Return the variance of one label, 0 where the rate has left [0, 1].

    Examples
    --------
    >>> binary_variance(0.5), binary_variance(1.01)
    (0.25, 0.0)
    """
    return max(rate * (1 - rate), 0.0)


def from_variance(
    rate: float, variance: float, *, freedom: float, most: float = np.inf, level: float = 0.95
) -> Estimate:
    """Return Wilson's interval with the number of labels that would have this variance.

    Student's quantile stands in for the normal one, and the number is never below `freedom`: near 0
    and 1, where rate * (1 - rate) vanishes, the interval does not jump.

    Parameters
    ----------
    rate : float
        May lie outside [0, 1]; it is cut back.
    variance : float
        Above 0.
    freedom : float
        Degrees of freedom, labels less two.
    most : float
        The number of labels that no interval may claim.
    level : float
    """
    rate = min(max(float(rate), 0.0), 1.0)
    n = min(max(rate * (1 - rate) / variance, freedom), most)
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    low, high = wilson(rate * n, n, z=quantile)
    return Estimate(low, rate, high, n_effective=n)
