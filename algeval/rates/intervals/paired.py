"""The difference of two systems on the same items, from labels on both: worse, the same or better.

Items fall into strata by what the judges say. In each, the shares of the three outcomes have a Dirichlet
posterior; items of this test that nobody labelled are drawn from it, and a population is not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates.policy import LEVEL, PAIR_DRAWS, PAIR_PRIOR

__all__ = ["Difference", "paired_strata"]

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


class Difference(NamedTuple):
    """A difference between its ends, each from -1 to 1."""

    low: float
    estimate: float
    high: float


def paired_strata(
    counts: Counts,
    sizes: Counts,
    *,
    same: int = 0,
    target: str = "items",
    level: float = LEVEL,
    random: int = 0,
    draws: int = PAIR_DRAWS,
) -> Difference:
    """Return the posterior mean of the difference and an equal-tailed interval.

    Parameters
    ----------
    counts : (n_strata, 3) int array
        Labelled items where A is worse, the same, better.
    sizes : (n_strata,) int array
        Items of each stratum, labelled or not.
    same : int
        Items besides whose difference is known to be 0, as where both outputs are identical.
    target : "items" or "population"
        The difference on these items, of width 0 when all are labelled; or of what they are drawn from.
    level : float
    random : int
        Seed of the draws.
    draws : int
        Of the posterior.

    Examples
    --------
    >>> found = paired_strata(np.array([[2, 10, 9]]), np.array([400]))
    >>> round(found.estimate, 3), found.low > 0
    (0.319, True)
    """
    counts, sizes = counts[sizes > 0], sizes[sizes > 0]
    n_items = int(sizes.sum()) + same
    left = sizes - counts.sum(axis=1)
    gain = counts[:, 2] - counts[:, 0]
    mean = gain / (counts.sum(axis=1) + 3 * PAIR_PRIOR)
    rng = np.random.default_rng(random)
    shares = [rng.dirichlet(row + PAIR_PRIOR, draws) for row in counts]
    if target == "items":
        drawn = _of_items(rng, shares, left) + gain.sum()
        estimate = (gain.sum() + left @ mean) / n_items
        return _ends(drawn / n_items, float(estimate), level)
    drawn = _of_population(rng, shares, sizes, same)
    return _ends(drawn, float(sizes @ mean / n_items), level)


def _of_items(rng: np.random.Generator, shares: list[Floats], left: Counts) -> Floats:
    """Return draws of how many more of the unlabelled items are better than worse."""
    drawn = np.zeros(len(shares[0]))
    for share, n in zip(shares, left, strict=True):
        outcome = rng.multinomial(n, share)
        drawn += outcome[:, 2] - outcome[:, 0]
    return drawn


def _of_population(
    rng: np.random.Generator, shares: list[Floats], sizes: Counts, same: int
) -> Floats:
    """Return draws of the difference where the strata's own sizes are a sample too."""
    masses = rng.dirichlet([*sizes, same] if same else sizes, len(shares[0]))
    gains = np.stack([share[:, 2] - share[:, 0] for share in shares], axis=1)
    return np.asarray((masses[:, : len(sizes)] * gains).sum(axis=1))


def _ends(drawn: Floats, estimate: float, level: float) -> Difference:
    tail = (1 - level) / 2
    low = np.quantile(drawn, tail, method="inverted_cdf")
    high = np.quantile(drawn, 1 - tail, method="inverted_cdf")
    return Difference(float(low), estimate, float(high))
