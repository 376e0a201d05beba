"""Labels drawn with unequal, known chances: each residual counts one over its item's chance.

This is the regression estimate of survey sampling (augmented inverse propensity weights) in its ratio form:
weights are divided by their sum, so that adding a constant to the judges' numbers changes nothing.
"""

from __future__ import annotations

import numpy as np

from algeval.rates.intervals.estimate import Estimate, Floats, too_few, within_items
from algeval.rates.intervals.regression import binary_variance, from_variance, slope, variance_of
from algeval.rates.intervals.wilson import wilson
from algeval.rates.policy import ONE_MISS

__all__ = ["weighted"]


def weighted(
    y: Floats,
    f: Floats,
    every: Floats,
    inclusion: Floats,
    *,
    target: str = "items",
    level: float = 0.95,
) -> Estimate:
    """Return the rate and its interval from labels drawn with the chances `inclusion`.

    Parameters
    ----------
    y, f, every : as for `ppi`
    inclusion : (n,) float array
        The chance, above 0 and at most 1, with which each labelled item was drawn.
    target : "items" or "population"
    level : float

    Examples
    --------
    >>> y, f = np.tile([1.0, 1.0, 0.0, 1.0, 0.0], 6), np.tile([1.0, 1.0, 0.0, 0.0, 0.0], 6)
    >>> found = weighted(y, f, np.tile(f, 4), np.where(f == 0, 0.5, 0.125))
    >>> found.low < found.rate < found.high
    True
    """
    n_items, weights = len(every), 1 / inclusion
    share = weights / weights.sum()
    alike = 1 / float((share**2).sum())
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every), weights)
    rate = float(share @ y - steep * (share @ f - every.mean()))
    if too_few(y) or alike <= 3:
        found = Estimate(*_plain(rate, alike, level), n_effective=alike)
    else:
        variance = _variance(y - steep * f, inclusion, alike)
        if target == "population":
            variance += binary_variance(rate) / n_items
        found = Estimate(rate, rate, rate)
        if variance > 0:
            most = np.inf if target == "items" else n_items
            found = from_variance(rate, variance, freedom=alike - 2, most=most, level=level)
    if target == "items":
        found = within_items(found, float(y.sum()), len(y), n_items)
    return found._replace(slope=steep)


def _plain(rate: float, n: float, level: float) -> tuple[float, float, float]:
    low, high = wilson(rate * n, n, level)
    return low, rate, high


def _variance(residuals: Floats, inclusion: Floats, alike: float) -> float:
    """Return the variance of the weighted mean of residuals, at least one miss among items left to chance.

    Items labelled for certain stand for themselves alone: however many, they say nothing of the others.
    """
    weights = 1 / inclusion
    total = weights.sum()
    centred = residuals - weights @ residuals / total
    squares = weights**2 * (1 - inclusion)
    by_chance = squares[squares > 0]
    least = ONE_MISS * float(by_chance.mean()) if len(by_chance) else 0.0
    misses = max(float(squares @ centred**2), least)
    return misses / float(total) ** 2 * alike / (alike - 2)
