"""Ties, losses and wins where few items decide, by a recurrence whose terms are all positive.

The chances Q(k) of the tilted walk of `integral` obey
d (n - k + 1) Q(k - 1) = C k Q(k) + d (n + k + 1) Q(k + 1), so their ratios are a continued fraction, taken
from far out down to Q(1)/Q(0), and every sum over k is a nested product along the way.
"""

from __future__ import annotations

import numpy as np

from algeval.data.score_checks import Floats

__all__ = ["sums_by_recurrence"]


def sums_by_recurrence(
    step: Floats, stay: Floats, weights: list[Floats], n: Floats, start: int = 40
) -> list[Floats]:
    """Return, for each w, the sum of w^k Q(k) / Q(0) over 1 <= k <= start.

    Parameters
    ----------
    step, stay : array of float
        d and C.
    weights : list of array of float
        The values of w.
    n : array of float
        How many steps the walk makes.
    start : int
        Where to begin; 40 is plenty where n d < 1, and n is exact.
    """
    ratio = np.zeros_like(n)
    sums = [np.zeros_like(n) for _ in weights]
    for k in range(start, 0, -1):
        ratio = step * np.maximum(n - k + 1, 0) / (stay * k + step * (n + k + 1) * ratio)
        with np.errstate(over="ignore"):
            sums = [w * ratio * (1 + s) for w, s in zip(weights, sums, strict=True)]
    return sums
