"""The power of the exact test of discordant pairs, and the pairs it takes."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from algeval.rates import policy
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.planning.labels import connor

__all__ = ["exact_pairs", "exact_power"]


def exact_power(n: int, discordance: float, margin: float, level: float) -> float:
    """Return the chance that an exact two-sided test on n pairs shows the better system better.

    Of the pairs that differ, the test asks whether half go each way; it is never right less often than
    its level says, and so takes some more pairs than the large-sample formula.

    Examples
    --------
    >>> round(exact_power(234, 0.3, 0.1, 0.95), 3)
    0.776
    """
    from scipy.stats import binom  # takes most of a second to load

    m = np.arange(n + 1)
    allowed = np.asarray(binom.isf((1 - level) / 2, m, 0.5))
    shown = binom.sf(allowed, m, (discordance + margin) / (2 * discordance))
    return float(binom.pmf(m, n, discordance) @ shown)


def exact_pairs(discordance: float, margin: float, level: float, power: float) -> int | None:
    """Return the fewest pairs with so much power, None where they are too many to count out.

    Power is not quite monotone in the number of pairs, as whole numbers are tested; the number returned
    is the first found by halving, and one less has less power.
    """
    start = connor(discordance, margin, normal_quantile(level), float(ndtri(power)))
    if start > policy.MOST_EXACT_PAIRS:
        return None
    low, high = 0, 2 * start + 20
    while high - low > 1:
        middle = (low + high) // 2
        if exact_power(middle, discordance, margin, level) >= power:
            high = middle
        else:
            low = middle
    return high
