"""Chances that follow the judges' doubt, once labels have said what the doubt is worth.

Uncalibrated, the judges' own doubt is the wrong guide: many of their errors lie where they agree, and labels
there would be rare and weigh much.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logit

from algeval.rates.policy import UNCERTAIN_MIX, UNCERTAIN_RIDGE
from algeval.rates.sampling.design import chances_for

__all__ = ["calibrated", "doubt_chances", "gain_of"]

Floats = NDArray[np.float64]


def calibrated(
    shares: Floats, answered: NDArray[np.int64], rows: NDArray[np.int64], y: Floats
) -> Floats:
    """Return each item's chance to have the label: a logistic curve of the logit of the share.

    Parameters
    ----------
    shares : (n_items,) float array
        NaN where nobody judged, which counts as one half.
    answered : (n_items,) int array
        How many judges each share is of; half a vote is added on both sides.
    rows, y : (n,) arrays
        Labelled items and their labels, 0 or 1.

    Examples
    --------
    >>> shares = np.array([0.0, 0.0, 1.0, 1.0] * 25)
    >>> found = calibrated(shares, np.full(100, 3), np.arange(80), np.array([0.0, 1, 1, 1] * 20))
    >>> found[:3].round(2).tolist()
    [0.48, 0.48, 0.97]
    """
    passes = np.nan_to_num(shares * answered, nan=0.0)
    x = logit((passes + 0.5) / (answered + 1))
    sign = 2 * y - 1

    def loss(c: Floats) -> tuple[float, Floats]:
        z = sign * (c[0] + c[1] * x[rows])
        pull = -sign * expit(-z)
        value = -log_expit(z).sum() + UNCERTAIN_RIDGE / 2 * float(c @ c)
        return value, np.array([pull.sum(), pull @ x[rows]]) + UNCERTAIN_RIDGE * c

    found = minimize(loss, np.zeros(2), jac=True, method="BFGS").x
    return np.asarray(expit(found[0] + found[1] * x))


def doubt_chances(p: Floats, n: int) -> Floats:
    """Return chances half even, half in proportion to sqrt(p (1 - p)), that add up to n."""
    doubt = np.sqrt(p * (1 - p))
    return chances_for(UNCERTAIN_MIX / len(p) + (1 - UNCERTAIN_MIX) * doubt / doubt.sum(), n)


def gain_of(p: Floats, chances: Floats) -> float:
    """Return by how much the chances lower the variance that even ones would have, from 0 to 1.

    Examples
    --------
    >>> p = np.array([0.5] * 10 + [0.01] * 90)
    >>> round(gain_of(p, doubt_chances(p, 20)), 2)
    0.46
    """
    variance = p * (1 - p)
    even = float(variance.sum()) * (len(p) / chances.sum() - 1)
    if even <= 0:
        return 0.0
    return float(1 - (variance * (1 / chances - 1)).sum() / even)
