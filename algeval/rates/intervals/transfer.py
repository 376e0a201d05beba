"""Labels from elsewhere: the verdict's error rates are carried over, and the rate is solved for.

Of the share f of verdicts for the label, f = t * se + (1 - t) * (1 - sp) gives the rate t (Rogan and
Gladen). Dividing by se + sp - 1 has no honest bar when that is near zero; the set of all rates that a test
does not reject has, and it may be all of [0, 1].
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from algeval.rates.intervals.estimate import Estimate
from algeval.rates.intervals.wilson import normal_quantile

__all__ = ["Elsewhere", "transfer"]


class Elsewhere(NamedTuple):
    """How often the verdict was right elsewhere.

    Attributes
    ----------
    passes, passes_seen : float
        Labelled items with the label, and those of them whose verdict was the label.
    others, others_seen : float
        Labelled items without it, and those of them whose verdict was not the label.
    """

    passes: float
    passes_seen: float
    others: float
    others_seen: float

    @property
    def sensitivity(self) -> float:
        """Share of passes that the verdict sees, with half an item added to either side."""
        return (self.passes_seen + 0.5) / (self.passes + 1)

    @property
    def specificity(self) -> float:
        """Share of the others that it sees, likewise."""
        return (self.others_seen + 0.5) / (self.others + 1)


def transfer(
    for_it: float, n_items: float, elsewhere: Elsewhere, *, level: float = 0.95
) -> Estimate | None:
    """Return the rates that the verdicts here and the error rates elsewhere do not reject.

    Where they are two pieces, the ends are those of both together.

    Parameters
    ----------
    for_it, n_items : float
        Items here whose verdict is the label, of how many.
    elsewhere : Elsewhere
    level : float

    Returns
    -------
    Estimate or None
        None where every rate is rejected: these verdicts do not come with those error rates.

    Examples
    --------
    >>> found = transfer(620, 1000, Elsewhere(100, 90, 100, 80))
    >>> round(found.low, 2), round(found.rate, 2), round(found.high, 2)
    (0.52, 0.6, 0.68)
    >>> guess = transfer(500, 1000, Elsewhere(10, 5, 10, 5))
    >>> guess.low, guess.high
    (0.0, 1.0)
    """
    seen = (for_it + 0.5) / (n_items + 1)
    z2 = normal_quantile(level) ** 2
    se, sp = elsewhere.sensitivity, elsewhere.specificity
    informed, above = se + sp - 1, seen + sp - 1
    v1 = z2 * se * (1 - se) / max(elsewhere.passes, 1)
    v0 = z2 * sp * (1 - sp) / max(elsewhere.others, 1)
    v = z2 * seen * (1 - seen) / n_items
    inside = _nonpositive(informed**2 - v1 - v0, -2 * above * informed + 2 * v0, above**2 - v - v0)
    if inside is None:
        return None
    point = above / informed if informed > 0 else np.nan
    return Estimate(inside[0], float(np.clip(point, *inside)), inside[1])


def _nonpositive(a: float, b: float, c: float) -> tuple[float, float] | None:
    """Return the ends of where a t^2 + b t + c <= 0 on [0, 1]."""

    def value(t: float) -> float:
        return (a * t + b) * t + c

    roots = np.roots([a, b, c]) if a or b else np.array([])
    real = roots[np.abs(roots.imag) < 1e-12].real if len(roots) else roots
    ends = [0.0, *sorted(float(t) for t in real if 0 < t < 1), 1.0]
    kept = [(low, high) for low, high in pairwise(ends) if value((low + high) / 2) <= 0]
    return (kept[0][0], kept[-1][1]) if kept else None
