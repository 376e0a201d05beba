"""The default interval: items in strata by the panel's verdict, each with a rate of its own.

In a stratum of N items, n labelled at random and k of these with the label, the rate has the posterior
Beta(k + 1/2, n - k + 1/2). Of the items themselves, the N - n others are beta-binomial, and the sum over
strata is a convolution: no draws, no normal approximation, and width zero once every item is labelled.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import betaln

from algeval.rates.intervals.estimate import Estimate, Floats
from algeval.rates.policy import CONVOLVED_BELOW, DRAWS, PRIOR

__all__ = ["Strata", "strata_interval", "strata_of"]


class Strata(NamedTuple):
    """Labels counted by stratum; strata without an item are left out.

    Attributes
    ----------
    passes, labelled, sizes : (n_strata,) int arrays
        Labels that are the one asked for, labels, and items.
    """

    passes: NDArray[np.int64]
    labelled: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, passes: ArrayLike, labelled: ArrayLike, sizes: ArrayLike) -> Strata:
        """Return the counts as arrays, without strata that hold no item."""
        counts = np.array([passes, labelled, sizes], np.int64)
        return cls(*counts[:, counts[2] > 0])


def strata_of(values: Floats, rows: NDArray[np.int64], stratum: NDArray[Any]) -> Strata:
    """Return the counts of labels by stratum.

    Parameters
    ----------
    values : (n,) float array of 0 and 1
    rows : (n,) int array
        The labelled items.
    stratum : (n_items,) array
        The stratum of each item, any values.

    Examples
    --------
    >>> counts = strata_of(np.array([1.0, 0.0]), np.array([0, 3]), np.array([1, 1, 0, 0]))
    >>> [count.tolist() for count in counts]
    [[0, 1], [1, 1], [2, 2]]
    """
    _, code, sizes = np.unique(stratum, return_inverse=True, return_counts=True)
    labelled = np.bincount(code[rows], minlength=len(sizes))
    passes = np.bincount(code[rows], values, minlength=len(sizes))
    return Strata.of(passes, labelled, sizes)


def strata_interval(
    strata: Strata,
    *,
    target: str = "items",
    level: float = 0.95,
    random: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Return the posterior mean of the rate and its equal-tailed interval.

    Parameters
    ----------
    strata : Strata
    target : "items" or "population"
        These items, exactly; or those they were drawn from, whose strata then have unknown sizes too:
        Dirichlet, by seeded draws.
    level : float
    random, draws : int
        Seed and number of the draws; used for the population alone.

    Examples
    --------
    >>> found = strata_interval(Strata.of([0, 67], [25, 75], [394, 1262]))
    >>> [round(end, 4) for end in found[:3]]
    [0.622, 0.6814, 0.7277]
    """
    tail = (1 - level) / 2
    if target == "items":
        return _of_items(strata, tail)
    return _of_population(strata, tail, np.random.default_rng(random), draws)


def _of_items(strata: Strata, tail: float) -> Estimate:
    unknown = strata.sizes - strata.labelled
    alpha, beta = _posterior(strata)
    laws = [_beta_binomial(m, a, b) for m, a, b in zip(unknown, alpha, beta, strict=True)]
    below = np.cumsum(reduce(_convolved, laws))
    n_items, passes = strata.sizes.sum(), strata.passes.sum()
    low, high = np.searchsorted(below / below[-1], [tail, 1 - tail])
    rate = (passes + (unknown * alpha / (alpha + beta)).sum()) / n_items
    return Estimate(float((passes + low) / n_items), float(rate), float((passes + high) / n_items))


def _posterior(strata: Strata) -> tuple[Floats, Floats]:
    passes, labelled = strata.passes.astype(np.float64), strata.labelled.astype(np.float64)
    return passes + PRIOR, labelled - passes + PRIOR


def _beta_binomial(m: int, a: float, b: float) -> Floats:
    """Return the chances of 0 to m passes."""
    t = np.arange(m + 1.0)
    chances: Floats = np.exp(
        betaln(t + a, m - t + b) - betaln(a, b) - betaln(m - t + 1, t + 1) - np.log(m + 1)
    )
    return chances


def _convolved(one: Floats, other: Floats) -> Floats:
    if len(one) * len(other) < CONVOLVED_BELOW:
        return np.convolve(one, other)
    n = len(one) + len(other) - 1
    size = next_fast_len(n, real=True)
    product: Floats = irfft(rfft(one, size) * rfft(other, size), size)[:n]
    return np.maximum(product, 0)


def _of_population(strata: Strata, tail: float, rng: np.random.Generator, draws: int) -> Estimate:
    alpha, beta = _posterior(strata)
    rates = rng.beta(alpha, beta, (draws, len(alpha)))
    drawn = (rng.dirichlet(strata.sizes, draws) * rates).sum(axis=1)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    rate = (strata.sizes * alpha / (alpha + beta)).sum() / strata.sizes.sum()
    return Estimate(float(low), float(rate), float(high))
