"""What the labels show about how they were drawn, and what the judges add to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.rates.intervals.estimate import Floats
from algeval.rates.intervals.regression import variance_of
from algeval.rates.policy import MOST_RESAMPLED, RESAMPLES, STANDS_FOR

__all__ = ["balance", "explained", "explained_range", "stands_for"]


def balance(f: Floats, every: Floats) -> float:
    """Return by how many standard errors the labelled items differ from all in the judges' numbers.

    A random draw seldom exceeds 3. What the judges do not see, this does not see either.

    Parameters
    ----------
    f : (n,) float array
        The judges' numbers of the labelled items.
    every : (n_items,) float array
        Those of all items.

    Examples
    --------
    >>> every = np.tile([0.0, 1.0], 50)
    >>> round(balance(every[:20], every), 2), round(balance(np.ones(20), every), 2)
    (0.0, 4.97)
    """
    n, n_items = len(f), len(every)
    spread = variance_of(every)
    if spread == 0 or n == n_items:
        return 0.0
    return float((f.mean() - every.mean()) / np.sqrt(spread * (1 / n - 1 / n_items)))


def stands_for(chances: Floats, n_items: int) -> float | None:
    """Return for how many items labels drawn with these chances stand, None if that may be `n_items`.

    The sum of one over the chance estimates how many items could have been drawn.

    Examples
    --------
    >>> stands_for(np.full(10, 0.1), 103), stands_for(np.ones(10), 103)
    (None, 10.0)
    """
    total = float((1 / chances).sum())
    error = float(((1 - chances) / chances**2).sum()) ** 0.5
    share, errors = STANDS_FOR
    return total if abs(total - n_items) > max(share * n_items, errors * error) else None


def explained(y: Floats, f: Floats) -> float | None:
    """Return rho^2, the share of the labels' variance that the judges' numbers explain.

    None where either does not vary.

    Examples
    --------
    >>> round(explained(np.array([0.0, 0, 1, 1]), np.array([0.0, 1, 1, 1])), 3)
    0.333
    """
    if len(y) < 3 or y.min() == y.max() or f.min() == f.max():
        return None
    return float(_squared(np.array([np.ones(len(y))]), y, f)[0])


def explained_range(
    y: Floats, f: Floats, *, level: float = 0.95, random: int = 0
) -> tuple[float, float] | None:
    """Return the ends of rho^2 over resampled labels, None where it is None.

    Examples
    --------
    >>> y = np.tile([0.0, 1.0, 1.0, 0.0, 1.0], 20)
    >>> low, high = explained_range(y, np.tile([0.0, 1.0, 1.0, 1.0, 1.0], 20))
    >>> 0.1 < low < 0.375 < high < 0.6
    True
    """
    if explained(y, f) is None:
        return None
    pairs, counts = np.unique(np.column_stack([y, f]), axis=0, return_counts=True)
    draws = max(RESAMPLES // 10, min(RESAMPLES, MOST_RESAMPLED // len(pairs)))
    rng = np.random.default_rng(random)
    weights = rng.multinomial(len(y), counts / len(y), draws).astype(float)
    low, high = np.quantile(_squared(weights, *pairs.T), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _squared(weights: NDArray[np.float64], y: Floats, f: Floats) -> Floats:
    """Return rho^2 under each row of weights, 0 where a resample has no spread."""
    total = weights.sum(axis=1)
    y_mean, f_mean = weights @ y / total, weights @ f / total
    both = weights @ (y * f) / total - y_mean * f_mean
    spreads = (weights @ (y * y) / total - y_mean**2) * (weights @ (f * f) / total - f_mean**2)
    varied = spreads > 1e-15
    rho2: Floats = np.where(varied, both**2 / np.where(varied, spreads, 1.0), 0.0)
    return np.minimum(rho2, 1.0)
