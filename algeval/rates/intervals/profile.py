"""The likelihood interval of a rate over strata: any number of them, a closed form for each multiplier.

Among rates x of the strata with a given sum of p * x (p the strata's shares), the likelihood is largest where
every stratum solves mu p x^2 - (mu p + n) x + k = 0 for one multiplier mu. The rate falls as mu grows, so
each end is one root search in mu.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import xlogy

from algeval.rates.intervals.estimate import Estimate, Floats, within_items
from algeval.rates.intervals.strata import Strata
from algeval.rates.intervals.wilson import normal_quantile

__all__ = ["profile_interval"]

_FARTHEST = 2.0**200
"""A multiplier this large pushes every stratum to its end."""


def profile_interval(strata: Strata, *, target: str = "items", level: float = 0.95) -> Estimate:
    """Return the rate of highest likelihood and the ends where twice its logarithm has fallen by z^2.

    A stratum without labels is left free: from 0 at the lower end to 1 at the upper, 1/2 in the rate.

    Parameters
    ----------
    strata : Strata
    target : "items" or "population"
        For the population, what the strata's own rates differ is added in quadrature.
    level : float

    Examples
    --------
    >>> found = profile_interval(Strata.of([9, 3], [12, 20], [900, 1100]), target="population")
    >>> [round(end, 5) for end in found[:3]]
    [0.27474, 0.42, 0.55996]
    """
    k, n, sizes = (part.astype(float) for part in strata)
    n_items = sizes.sum()
    p = sizes / n_items
    best = np.divide(k, n, out=np.full(len(k), 0.5), where=n > 0)
    rate, z = float(p @ best), normal_quantile(level)
    ends = [_end(k, n, p, best, z * z, side) for side in (1.0, -1.0)]
    if target == "items":
        found = Estimate(ends[0], rate, ends[1])
        return within_items(found, float(k.sum()), int(n.sum()), int(n_items))
    between = z * z * max(float(p @ best**2) - rate**2, 0.0) / n_items
    low = rate - np.sqrt((rate - ends[0]) ** 2 + between)
    high = rate + np.sqrt((ends[1] - rate) ** 2 + between)
    return Estimate(max(float(low), 0.0), rate, min(float(high), 1.0))


def _end(k: Floats, n: Floats, p: Floats, best: Floats, fall: float, side: float) -> float:
    """Return the rate at one end; side 1 is the lower, where multipliers are above 0."""

    def too_far(mu: float) -> float:
        return _deviance(k, n, best, _rates(k, n, p, side * mu)) - fall

    far = _first_beyond(too_far)
    found = far if too_far(far) < 0 else brentq(too_far, 0.0, far, xtol=1e-12, rtol=1e-14)
    return float(p @ _rates(k, n, p, side * found))


def _first_beyond(too_far: Callable[[float], float]) -> float:
    mu = 1.0
    while too_far(mu) < 0 and mu < _FARTHEST:
        mu *= 2
    return mu


def _rates(k: Floats, n: Floats, p: Floats, mu: float) -> Floats:
    """Return the root of each stratum's equation that lies in [0, 1]."""
    b = mu * p + n
    root = np.sqrt(np.maximum(b * b - 4 * mu * p * k, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        x = np.where(b >= 0, 2 * k / (b + root), (b - root) / (2 * mu * p))
    free = np.full(len(k), 1.0 if mu < 0 else 0.0)
    rates: Floats = np.clip(np.where(n > 0, x, free), 0.0, 1.0)
    return rates


def _deviance(k: Floats, n: Floats, best: Floats, x: Floats) -> float:
    fits = xlogy(k, best) + xlogy(n - k, 1 - best)
    return float(2 * (fits - xlogy(k, x) - xlogy(n - k, 1 - x)).sum())
