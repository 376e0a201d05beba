"""Labels regressed on the judges' numbers (prediction-powered inference with a tuned slope).

The rate is mean_L(y) - slope * (mean_L(f) - mean_N(f)), with L the labelled items and N all of them.
"""

from __future__ import annotations

from algeval.rates.intervals.estimate import Estimate, Floats, gold_only, too_few, within_items
from algeval.rates.intervals.regression import binary_variance, from_variance, slope, variance_of
from algeval.rates.policy import ONE_MISS

__all__ = ["ppi"]


def ppi(
    y: Floats, f: Floats, every: Floats, *, target: str = "items", level: float = 0.95
) -> Estimate:
    """Return the rate and its interval from labels drawn at random.

    The residuals' sum of squares counts as at least one miss: judges who agreed with every label so far
    are not perfect. Where labels are too few or too much alike, or f does not vary, it is the interval
    of the labels alone.

    Parameters
    ----------
    y : (n,) float array
        1, 0, or 1/2 for a tie.
    f : (n,) float array
        The judges' numbers of the same items, on any scale; only what varies counts.
    every : (n_items,) float array
        The judges' numbers of all items, labelled or not.
    target : "items" or "population"
    level : float

    Examples
    --------
    >>> import numpy as np
    >>> every = np.tile([0.0, 1.0, 1.0, 1.0, 1.0], 20)
    >>> y, f = np.tile([0.0, 1.0, 0.0, 1.0, 1.0], 4), every[:20]
    >>> found = ppi(y, f, every)
    >>> round(found.low, 3), round(found.rate, 3), round(found.high, 3)
    (0.427, 0.6, 0.751)
    """
    n, n_items = len(y), len(every)
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every))
    if steep == 0 or n == n_items:
        return gold_only(y, n_items, target=target, level=level)
    rate = y.mean() - steep * (f.mean() - every.mean())
    residuals = y - steep * f
    misses = max(float(((residuals - residuals.mean()) ** 2).sum()), ONE_MISS)
    variance = (1 - n / n_items) * misses / (n - 2) / n
    if target == "items":
        found = from_variance(rate, variance, freedom=n - 2, level=level)
        found = within_items(found, float(y.sum()), n, n_items)
    else:
        variance += binary_variance(rate) / n_items
        found = from_variance(rate, variance, freedom=n - 2, most=n_items, level=level)
    return found._replace(slope=steep)
