"""A rate and its interval, and what is certain of the items whatever is believed of the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates.intervals.wilson import wilson
from algeval.rates.policy import FEWEST_GOLD, FEWEST_OF_A_KIND

__all__ = ["Estimate", "Floats", "gold_only", "too_few", "within_items"]

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A rate between its ends.

    Attributes
    ----------
    low, rate, high : float
    slope : float
        What the judges' numbers are multiplied with; 0 where they are not used.
    n_effective : float or None
        How many plain labels would be as good, where the form has such a number.
    """

    low: float
    rate: float
    high: float
    slope: float = 0.0
    n_effective: float | None = None


def too_few(values: Floats) -> bool:
    """Say whether labels are too few, or too much alike, for the judges to be of help.

    Examples
    --------
    >>> too_few(np.ones(50)), too_few(np.array([0.0, 1.0] * 5))
    (True, False)
    """
    passes = float(values.sum())
    return len(values) < FEWEST_GOLD or min(passes, len(values) - passes) < FEWEST_OF_A_KIND


def gold_only(
    values: Floats, n_items: int, *, target: str = "items", level: float = 0.95
) -> Estimate:
    """Return the labels' own rate and Wilson interval, without the judges.

    Parameters
    ----------
    values : (n,) float array
        1 where a label is the one asked for, 0 where not, 1/2 for a tie.
    n_items : int
        How many items there are, labelled or not.
    target : "items" or "population"
    level : float

    Examples
    --------
    >>> found = gold_only(np.repeat([1.0, 0.0], [14, 6]), 2000)
    >>> round(found.low, 3), found.rate, round(found.high, 3)
    (0.481, 0.7, 0.855)
    """
    passes, n = float(values.sum()), len(values)
    low, high = wilson(passes, n, level)
    found = Estimate(low, passes / n, high, 0.0, float(n))
    return within_items(found, passes, n, n_items) if target == "items" else found


def within_items(found: Estimate, passes: float, n: int, n_items: int) -> Estimate:
    """Return the estimate within what is certain of these items: n labels, and the others any."""
    least, most = passes / n_items, (passes + n_items - n) / n_items
    low, rate, high = (min(max(end, least), most) for end in found[:3])
    return found._replace(low=low, rate=rate, high=high)
