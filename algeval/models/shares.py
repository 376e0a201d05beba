"""Shares estimated from labels of some items, with the help of numbers that all items have."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

__all__: tuple[str, ...] = ()  # for the layers above, not for users

Floats = NDArray[np.float64]

FEWEST_OF_EACH = 8  # chosen beforehand: with fewer right or wrong, Wilson's interval alone covers
SHRINK = 10.0  # chosen beforehand: the slope of n labels is multiplied by n / (n + 10)


def wilson(
    passes: float, n: float, level: float = 0.95, *, z: float | None = None
) -> tuple[float, float]:
    """Ends of Wilson's score interval, which never leaves [0, 1] nor has width zero.

    `passes, n`: how many of how many; fractions are accepted, where n is an effective number; `level`:
    coverage, from 0 to 1; `z`: a quantile in place of the normal one, for example Student's.
    """
    z = float(ndtri((1 + level) / 2)) if z is None else z
    share, pull = passes / n, z * z / n
    middle = (share + pull / 2) / (1 + pull)
    half = z * sqrt(max(share * (1 - share), 0.0) / n + pull / (4 * n)) / (1 + pull)
    return max(middle - half, 0.0), min(middle + half, 1.0)


class ShareByLabels(NamedTuple):
    """An estimated share with its interval, and whether other items' numbers had a part in it."""

    value: float
    low: float
    high: float
    by_regression: bool


def share_by_regression(
    right: Floats, expected: Floats, every: Floats, level: float = 0.95
) -> ShareByLabels:
    """Share of right answers on all items, from some that were drawn at random and labelled.

    The labelled share is moved by a slope times what the expected number on all items has beyond that on the
    labelled ones; with fewer than 8 right or 8 wrong it is Wilson's interval of the labelled alone.

    right : (n,) 1 or 0 of the labelled; expected : (n,) their expected number from judges alone; every :
    (n_items,) that of all.
    """
    n, n_items = len(right), len(every)
    hits = float(right.sum())
    if min(hits, n - hits) < FEWEST_OF_EACH:
        return ShareByLabels(hits / n, *wilson(hits, n, level), by_regression=False)
    spread = float(expected.var(ddof=1))
    both = float(np.cov(right, expected)[0, 1])
    slope = float(np.clip(both / spread, 0, 1)) * n / (n + SHRINK) if spread > 0 else 0.0
    value = float(right.mean() + slope * (every.mean() - expected.mean()))
    error = float((right - slope * expected).std(ddof=1)) * sqrt(max(0.0, 1 - n / n_items) / n)
    half = float(stdtrit(n - 2, (1 + level) / 2)) * error
    value = min(max(value, 0.0), 1.0)
    return ShareByLabels(value, max(value - half, 0.0), min(value + half, 1.0), by_regression=True)
