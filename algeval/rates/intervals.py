"""Intervals of a rate from labels, with the judges' verdicts or without."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, betaincinv, betaln, gammaln, ndtri, stdtrit, xlogy

from algeval.errors import DataError, option
from algeval.models.shares import wilson
from algeval.rates.inputs import (
    PICKED,
    UNKNOWN,
    Floats,
    Gold,
    Ints,
    Pairs,
    Panel,
    Scope,
    Waves,
    touches_few,
)
from algeval.rates.policy import (
    CONVOLVED_BELOW,
    DRAWS,
    FEW_OF_A_KIND,
    FEWEST_CLUSTERS,
    FEWEST_EFFECTIVE,
    FEWEST_GOLD,
    FEWEST_OF_A_KIND,
    LEFT_OUT,
    LEVEL,
    MORE_PAIRS,
    MOST_GROUPS,
    MOST_RESAMPLED,
    NO_PRIOR,
    ONE_MISS,
    PAIR_DRAWS,
    PAIR_PRIOR,
    PRIOR,
    RANDOM_DRAWS,
    RESAMPLES,
    SPREAD_BANDS,
    STANDS_FOR,
    UNBALANCED,
    WHOLE_BELOW,
)
from algeval.rates.streams import Draws, anytime, far_off, stream_ends

# --- Intervals of a share from labels alone: exact ends; Wilson's are in `models.shares`.


def normal_quantile(level: float) -> float:
    """Z of a two-sided interval: 1.96 at the level .95."""
    return float(ndtri((1 + level) / 2))


def exact_ends(
    passes: float, n: float, level: float = 0.95, *, n_items: int | None = None
) -> tuple[float, float]:
    """Shares at which so many passes, or so few, have half of 1 - level for a chance.

    Neither end misses more often than that, whatever the share: Clopper and Pearson's ends of a share that
    n labels are independent draws from, or, of `n_items` of which n were drawn, the hypergeometric ends.
    """
    tail = (1 - level) / 2
    if n_items is None:
        low = float(betaincinv(passes, n - passes + 1, tail)) if passes else 0.0
        high = float(betaincinv(passes + 1, n - passes, 1 - tail)) if passes < n else 1.0
        return low, high
    x, n = int(passes), int(n)
    low, failed = (lowest_correct(k, n, n_items, tail) for k in (x, n - x))
    return low / n_items, (n_items - failed) / n_items


def lowest_correct(right: int, n: int, n_items: int, alpha: float) -> int:
    """Fewest of n_items that can be right, when `right` of n drawn at random were.

    One-sided at level 1 - alpha, by the hypergeometric distribution: fewer would show so many right with a
    chance of at most alpha.
    """
    low, high = right, n_items - (n - right)
    while low < high:
        middle = (low + high) // 2
        if _at_most(n - right, n, n_items - middle, n_items) > alpha:
            high = middle
        else:
            low = middle + 1
    return low


def _at_most(passes: int, n: int, total: int, n_items: int) -> float:
    """Chance of at most so many passes among n of n_items of which `total` pass."""
    k = np.arange(max(0, n - (n_items - total)), passes + 1.0)
    return float(np.exp(log_hypergeometric(k, n, total, n_items)).sum())


def log_hypergeometric(k: Floats, n: int, hits: int, total: int) -> Floats:
    """Log of the chance of k hits among n of `total` items, of which so many are hits."""
    return log_choose(hits, k) + log_choose(total - hits, n - k) - log_choose(total, float(n))


def log_choose(n: float, k: Floats | float) -> Floats:
    """Log of how many ways there are to choose k of n."""
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


# --- The difference of two systems on the same items, from labels on both: worse, the same or better.
#
# Items fall into strata by what the judges say. In each, the shares of the three outcomes have a Dirichlet
# posterior; items of this test that nobody labelled are drawn from it, and a population is not.


Counts = Ints
Codes = Ints


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
    """Posterior mean of the difference and an equal-tailed interval.

    `counts`: (n_strata, 3), labelled items where A is worse, the same, better; `sizes`: (n_strata,), items
    of each stratum, labelled or not; `same`: items besides whose difference is known to be 0, as where both
    outputs are identical; `target`: the difference on these items, of width 0 when all are labelled; or of
    what they are drawn from; `random`: seed of the draws; `draws`: of the posterior.
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
    """Draws of how many more of the unlabelled items are better than worse."""
    drawn = np.zeros(len(shares[0]))
    for share, n in zip(shares, left, strict=True):
        outcome = rng.multinomial(n, share)
        drawn += outcome[:, 2] - outcome[:, 0]
    return drawn


def _of_population(
    rng: np.random.Generator, shares: list[Floats], sizes: Counts, same: int
) -> Floats:
    """Draws of the difference where the strata's own sizes are a sample too."""
    masses = rng.dirichlet([*sizes, same] if same else sizes, len(shares[0]))
    gains = np.stack([share[:, 2] - share[:, 0] for share in shares], axis=1)
    return np.asarray((masses[:, : len(sizes)] * gains).sum(axis=1))


def _ends(drawn: Floats, estimate: float, level: float) -> Difference:
    tail = (1 - level) / 2
    low = np.quantile(drawn, tail, method="inverted_cdf")
    high = np.quantile(drawn, 1 - tail, method="inverted_cdf")
    return Difference(float(low), estimate, float(high))


def exact_chance(more: int, less: int) -> float:
    """Two-sided chance of so uneven a split of pairs that differ, if each way is as likely."""
    if more == less:
        return 1.0
    return min(1.0, 2 * float(bdtr(min(more, less), more + less, 0.5)))


def fewest_discordant(level: float) -> int:
    """Fewest pairs that differ with which the test can reject, all going one way."""
    return ceil(1 - log2(1 - level) - 1e-9)


# --- Ranks that systems may have, given which are surely ahead of which.


def ranks_of(ahead: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Best and the worst rank of each system.

    `ahead`: (k, k), whether the first is surely ahead of the second.
    """
    best = 1 + ahead.sum(axis=0)
    worst = len(ahead) - ahead.sum(axis=1)
    return list(zip(best.tolist(), worst.tolist(), strict=True))


# --- A rate and its interval, and what is certain of the items whatever is believed of the others.


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
    """Whether labels are too few, or too much alike, for the judges to be of help."""
    passes = float(values.sum())
    return len(values) < FEWEST_GOLD or min(passes, len(values) - passes) < FEWEST_OF_A_KIND


def gold_only(
    values: Floats, n_items: int, *, target: str = "items", level: float = 0.95
) -> Estimate:
    """Labels' own rate and Wilson interval, without the judges.

    `values`: (n,), 1 where a label is the one asked for, 0 where not, 1/2 for a tie; `n_items`: how many
    items there are, labelled or not.
    """
    passes, n = float(values.sum()), len(values)
    low, high = wilson(passes, n, level)
    estimate = Estimate(low, passes / n, high, 0.0, float(n))
    return within_items(estimate, passes, n, n_items) if target == "items" else estimate


def exact_only(
    values: Floats, n_items: int, *, target: str = "items", level: float = 0.95
) -> Estimate:
    """Labels' own rate between exact ends, without the judges; labels are 0 or 1."""
    passes, n = int(values.sum()), len(values)
    ends = exact_ends(passes, n, level, n_items=n_items if target == "items" else None)
    return Estimate(ends[0], passes / n, ends[1], 0.0, float(n))


def where_few(
    low: float, high: float, passes: int, n: int, level: float, *, n_items: int | None = None
) -> tuple[float, float]:
    """Ends of which that on the side of a label that is seldom is no closer than the labels' exact one.

    Where few are seen, one more by luck moves an approximate end past the truth.
    """
    exact = exact_ends(passes, n, level, n_items=n_items)
    return (
        min(low, exact[0]) if passes < FEW_OF_A_KIND else low,
        max(high, exact[1]) if n - passes < FEW_OF_A_KIND else high,
    )


def within_items(estimate: Estimate, passes: float, n: int, n_items: int) -> Estimate:
    """Estimate within what is certain of these items: n labels, and the others any."""
    least, most = passes / n_items, (passes + n_items - n) / n_items
    low, rate, high = (min(max(end, least), most) for end in estimate[:3])
    return estimate._replace(low=low, rate=rate, high=high)


# --- Labels from elsewhere: the verdict's error rates are carried over, and the rate is solved for.
#
# Of the share f of verdicts for the label, f = t * se + (1 - t) * (1 - sp) gives the rate t (Rogan and
# Gladen). Dividing by se + sp - 1 has no honest bar when that is near zero; the set of all rates that a test
# does not reject has, and it may be all of [0, 1].


class Elsewhere(NamedTuple):
    """How often the verdict was right elsewhere."""

    passes: float  # labelled items with the label, and those of them whose verdict was the label
    passes_seen: float
    others: float  # labelled items without it, and those of them whose verdict was not the label
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
    """Rates that the verdicts here and the error rates elsewhere do not reject.

    Where they are two pieces, the ends are those of both together. `for_it, n_items`: items here whose
    verdict is the label, of how many. None where every rate is rejected: these verdicts do not come with
    those error rates.
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
    """Ends of where a t^2 + b t + c <= 0 on [0, 1]."""

    def value(t: float) -> float:
        return (a * t + b) * t + c

    roots = np.roots([a, b, c]) if a or b else np.array([])
    real = roots[np.abs(roots.imag) < 1e-12].real if len(roots) else roots
    ends = [0.0, *sorted(float(t) for t in real if 0 < t < 1), 1.0]
    kept = [(low, high) for low, high in pairwise(ends) if value((low + high) / 2) <= 0]
    return (kept[0][0], kept[-1][1]) if kept else None


# --- The default interval: items in strata by the panel's verdict, each with a rate of its own.
#
# In a stratum of N items, n labelled at random and k of these with the label, the rate has the posterior
# Beta(k + 1/2, n - k + 1/2). Of the items themselves, the N - n others are beta-binomial, and the sum over
# strata is a convolution: no draws, no normal approximation, and width zero once every item is labelled.


class Strata(NamedTuple):
    """Labels counted by stratum; strata without an item are left out."""

    passes: Ints  # (n_strata,), labels that are the one asked for, labels, and items
    labelled: Ints
    sizes: Ints

    @classmethod
    def of(cls, passes: ArrayLike, labelled: ArrayLike, sizes: ArrayLike) -> Strata:
        """Counts as arrays, without strata that hold no item."""
        counts = np.array([passes, labelled, sizes], np.int64)
        return cls(*counts[:, counts[2] > 0])


def bands(values: Floats, sizes: Ints | None = None) -> Ints:
    """Band of each value, a few of about as many items each; those without a value apart.

    `sizes`: (n,), how many items have each value, where they are counted.
    """
    finite = ~np.isnan(values)
    band = np.zeros(len(values), np.int64)
    if finite.any():
        steps = np.arange(1, SPREAD_BANDS) / SPREAD_BANDS
        if sizes is None:
            edges = np.quantile(values[finite], steps)
        else:
            edges = _quantiles_of_counts(values[finite], sizes[finite], steps)
        edges = np.unique(edges)
        band[finite] = np.searchsorted(edges, values[finite], side="left")
    band[~finite] = band.max() + 1
    return np.unique(band, return_inverse=True)[1]


def _quantiles_of_counts(values: Floats, sizes: Ints, steps: Floats) -> Floats:
    """Quantiles of values that occur so many times, between neighbours as `np.quantile` has them."""
    order = np.argsort(values, kind="stable")
    ends = np.cumsum(sizes[order])
    at = steps * (ends[-1] - 1)
    low = np.floor(at)
    a, b = (
        values[order][np.searchsorted(ends, np.minimum(rank, ends[-1] - 1), side="right")]
        for rank in (low, low + 1)
    )
    part = at - low
    return np.asarray(np.where(part < 0.5, a + (b - a) * part, b - (b - a) * (1 - part)))


def strata_of(
    values: Floats,
    rows: Ints,
    stratum: NDArray[Any],
    weights: Ints | None = None,
) -> Strata:
    """Counts of labels by stratum.

    `values`: (n,); `rows`: (n,), the labelled items; `stratum`: (n_items,), the stratum of each item, any
    values; `weights`: (n_items,), how many items each row stands for, where rows without a label are
    counted.
    """
    _, code, sizes = np.unique(stratum, return_inverse=True, return_counts=True)
    if weights is not None:
        sizes = np.bincount(code, weights).astype(np.int64)
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
    few: int = FEW_OF_A_KIND,
) -> Estimate:
    """Posterior mean of the rate and its equal-tailed interval.

    Where fewer than `few` labels are of a kind, the end on its side is that of a prior that has seen one
    label of the other kind in each stratum and none of this: in one stratum the exact end. `target`: these
    items, exactly; or those they were drawn from, whose strata then have unknown sizes too: Dirichlet, by
    seeded draws; `random, draws`: seed and number of the draws; used for the population alone.
    """
    tail = (1 - level) / 2

    def under(prior: tuple[float, float]) -> Estimate:
        if target == "items":
            return _strata_of_items(strata, tail, prior)
        return _strata_of_population(strata, tail, prior, np.random.default_rng(random), draws)

    estimate = under((PRIOR, PRIOR))
    passes, n = int(strata.passes.sum()), int(strata.labelled.sum())
    if passes < few:
        estimate = estimate._replace(low=min(estimate.low, under((NO_PRIOR, 1.0)).low))
    if n - passes < few:
        estimate = estimate._replace(high=max(estimate.high, under((1.0, NO_PRIOR)).high))
    return estimate


def _strata_of_items(strata: Strata, tail: float, prior: tuple[float, float]) -> Estimate:
    unknown = strata.sizes - strata.labelled
    alpha, beta = _posterior(strata, prior)
    laws = [
        (0, _all_passes(m, a, b)) if m < WHOLE_BELOW else _likely_passes(m, a, b)
        for m, a, b in zip(unknown, alpha, beta, strict=True)
    ]
    below = np.cumsum(reduce(_convolved, [law for _, law in laws]))
    below /= below[-1]
    n_items, passes = strata.sizes.sum(), strata.passes.sum()
    low, high = np.searchsorted(below, [tail, 1 - tail]) + sum(first for first, _ in laws)
    rate = (passes + (unknown * alpha / (alpha + beta)).sum()) / n_items
    return Estimate(float((passes + low) / n_items), float(rate), float((passes + high) / n_items))


def _posterior(strata: Strata, prior: tuple[float, float]) -> tuple[Floats, Floats]:
    passes, labelled = strata.passes.astype(np.float64), strata.labelled.astype(np.float64)
    return passes + prior[0], labelled - passes + prior[1]


def _likely_passes(m: int, a: float, b: float) -> tuple[int, Floats]:
    """Number of passes, and the chances of so many, one more and so on; at most 2e-16 is left out.

    The logs of each chance over the one before are added: no difference of large logs of gamma.
    """
    least, most = float(betaincinv(a, b, LEFT_OUT)), float(1 - betaincinv(b, a, LEFT_OUT))
    first, last = _binomial_end(m, least, -1), _binomial_end(m, most, 1)
    t = np.arange(first, last, dtype=np.float64)
    ratios = (t + a) * (m - t)
    ratios /= (t + 1) * (m - 1 - t + b)
    del t
    logs = np.concatenate([[0.0], np.log(ratios, out=ratios)])
    del ratios
    np.cumsum(logs, out=logs)
    logs -= logs.max()
    chances: Floats = np.exp(logs, out=logs)
    chances /= chances.sum()
    return first, chances


def _binomial_end(m: int, p: float, side: int) -> int:
    """Count that Binomial(m, p) passes on this side with a chance below 1e-16."""
    away = 9 * np.sqrt(m * p * (1 - p)) + 50
    return int(np.clip(m * p + side * away, 0, m))


def _all_passes(m: int, a: float, b: float) -> Floats:
    t = np.arange(m + 1.0)
    chances: Floats = np.exp(
        betaln(t + a, m - t + b) - betaln(a, b) - betaln(m - t + 1, t + 1) - np.log(m + 1)
    )
    return chances


def _convolved(first: Floats, other: Floats) -> Floats:
    if len(first) * len(other) < CONVOLVED_BELOW:
        return np.convolve(first, other)
    from scipy.fft import irfft, next_fast_len, rfft

    n = len(first) + len(other) - 1
    size = next_fast_len(n, real=True)
    waves = rfft(first, size)
    waves *= rfft(other, size)
    product: Floats = irfft(waves, size, overwrite_x=True)[:n]
    return np.maximum(product, 0, out=product)


def _strata_of_population(
    strata: Strata, tail: float, prior: tuple[float, float], rng: np.random.Generator, draws: int
) -> Estimate:
    alpha, beta = _posterior(strata, prior)
    rates = rng.beta(alpha, beta, (draws, len(alpha)))
    drawn = (rng.dirichlet(strata.sizes, draws) * rates).sum(axis=1)
    low, high = np.quantile(drawn, [tail, 1 - tail])
    rate = (strata.sizes * alpha / (alpha + beta)).sum() / strata.sizes.sum()
    return Estimate(float(low), float(rate), float(high))


# --- The likelihood interval of a rate over strata: any number of them, a closed form for each multiplier.
#
# Among rates x of the strata with a given sum of p * x (p the strata's shares), the likelihood is largest
# where every stratum solves mu p x^2 - (mu p + n) x + k = 0 for one multiplier mu. The rate falls as mu
# grows, so each end is one root search in mu.


_FARTHEST = 2.0**200
"""A multiplier this large pushes every stratum to its end."""


def profile_interval(strata: Strata, *, target: str = "items", level: float = 0.95) -> Estimate:
    """Rate of highest likelihood and the ends where twice its logarithm has fallen by z^2.

    A stratum without labels is left free: from 0 at the lower end to 1 at the upper, 1/2 in the rate.
    `target`: for the population, what the strata's own rates differ is added in quadrature.
    """
    k, n, sizes = (part.astype(float) for part in strata)
    n_items = sizes.sum()
    p = sizes / n_items
    best = np.divide(k, n, out=np.full(len(k), 0.5), where=n > 0)
    rate, z = float(p @ best), normal_quantile(level)
    ends = [_end(k, n, p, best, z * z, side) for side in (1.0, -1.0)]
    if target == "items":
        estimate = Estimate(ends[0], rate, ends[1])
        return within_items(estimate, float(k.sum()), int(n.sum()), int(n_items))
    between = z * z * max(float(p @ best**2) - rate**2, 0.0) / n_items
    low = rate - np.sqrt((rate - ends[0]) ** 2 + between)
    high = rate + np.sqrt((ends[1] - rate) ** 2 + between)
    return Estimate(max(float(low), 0.0), rate, min(float(high), 1.0))


def _end(k: Floats, n: Floats, p: Floats, best: Floats, fall: float, side: float) -> float:
    """Rate at one end; side 1 is the lower, where multipliers are above 0."""
    from scipy.optimize import brentq

    def too_far(mu: float) -> float:
        return _deviance(k, n, best, _rates(k, n, p, side * mu)) - fall

    far = 1.0
    while too_far(far) < 0 and far < _FARTHEST:
        far *= 2
    end = far if too_far(far) < 0 else brentq(too_far, 0.0, far, xtol=1e-12, rtol=1e-14)
    return float(p @ _rates(k, n, p, side * end))


def _rates(k: Floats, n: Floats, p: Floats, mu: float) -> Floats:
    """Root of each stratum's equation that lies in [0, 1]."""
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


# --- What every interval that regresses labels on the judges' numbers shares: its slope and its ends.


def slope(y: Floats, f: Floats, spread: float, weights: Floats | None = None) -> float:
    """Slope that narrows most, and 0 where the labels go against the judges.

    There is no upper limit: numbers on a tenth of the scale need ten times the slope. `y, f`: (n,), labels,
    and the judges' numbers of the same items; `spread`: variance of f over all items.
    """
    if spread <= 0:
        return 0.0
    w = np.ones(len(y)) if weights is None else weights / weights.mean()
    y_mean, f_mean = np.average(y, weights=w), np.average(f, weights=w)
    together = (w * (y - y_mean) * (f - f_mean)).sum() / (len(y) - 1)
    return max(0.0, float(together) / spread)


def variance_of(every: Floats, weights: Ints | None = None) -> float:
    """Variance of the judges' numbers over all items; 0 of one item. `weights`: items of each row."""
    if weights is None:
        return float(every.var(ddof=1)) if len(every) > 1 else 0.0
    n = int(weights.sum())
    centred = every - np.average(every, weights=weights)
    return float(weights @ centred**2) / (n - 1) if n > 1 else 0.0


def of_mean(centred: Floats, clusters: Ints | None = None) -> float:
    """Variance of a mean over all items, whose clusters are what was sampled.

    `centred`: (n_items,), the values less their mean; `clusters`: (n_items,), the cluster of each item,
    from 0; by default each item is its own.
    """
    sums = centred if clusters is None else np.bincount(clusters, centred)
    return float(sums @ sums) / len(centred) ** 2 * len(sums) / max(len(sums) - 1, 1)


def binary_variance(rate: float) -> float:
    """Variance of one label, 0 where the rate has left [0, 1]."""
    return max(rate * (1 - rate), 0.0)


def from_variance(
    rate: float, variance: float, *, freedom: float, most: float = np.inf, level: float = 0.95
) -> Estimate:
    """Wilson's interval with the number of labels that would have this variance.

    Student's quantile stands in for the normal one, and the number is never below `freedom`: near 0 and 1,
    where rate * (1 - rate) vanishes, the interval does not jump. `rate`: may lie outside [0, 1]; it is cut
    back; `variance`: above 0; `freedom`: degrees of freedom, labels less two; `most`: the number of labels
    that no interval may claim.
    """
    rate = min(max(float(rate), 0.0), 1.0)
    n = min(max(rate * (1 - rate) / variance, freedom), most)
    quantile = float(stdtrit(freedom, (1 + level) / 2))
    low, high = wilson(rate * n, n, z=quantile)
    return Estimate(low, rate, high, n_effective=n)


# --- The difference of two systems by regression of labelled differences on those of the judges.
#
# It takes what strata do not: differences that are graded, labels drawn with unequal chances, clusters of
# items. The estimate is mean_L(D) - slope (mean_L(F) - mean_N(F)), means of labelled items weighted by one
# over their chance.


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Labelled differences, and which of the items they are."""

    rows: Ints  # (n,), places among all items
    values: Floats  # (n,), the differences, from -1 to 1
    chances: Floats  # (n,), with what chance each item was drawn
    # (n,), whether some outputs of the item have no label, of items of several outputs; None of others
    partly: NDArray[np.bool_] | None = None

    @property
    def settled(self) -> NDArray[np.bool_]:
        """(n,), which differences no further label can change."""
        return np.ones(len(self.rows), bool) if self.partly is None else ~self.partly

    @property
    def weights(self) -> Floats:
        """How much of the mean each label is, adding up to 1."""
        weights = 1 / self.chances
        return np.asarray(weights / weights.sum())

    @property
    def alike(self) -> float:
        """How many labels of equal weight would be as good."""
        return 1 / float((self.weights**2).sum())


def paired_regression(
    labelled: Labelled,
    judged: Floats,
    *,
    open_items: NDArray[np.bool_] | None = None,
    clusters: Ints | None = None,
    target: str = "items",
    level: float = LEVEL,
) -> Difference:
    """Difference and Student's interval of it.

    `labelled`: labels of open items only; `judged`: (n_items,), what the judges say of each item's
    difference, on any scale; a constant is no help; `open_items`: (n_items,), false where the difference is
    known to be 0; `clusters`: (n_items,), the cluster of each item, from 0. Clusters are the unit then.
    """
    everything = np.ones(len(judged), bool) if open_items is None else open_items
    n_items, n_open = len(judged), int(everything.sum())
    steep, inside = _fit(labelled, judged, everything)
    estimate = inside * n_open / n_items
    limits = _limits(labelled, n_open, n_items, target)
    freedom, variance = _residual_part(labelled, judged, steep, clusters, target)
    variance *= (n_open / n_items) ** 2
    if target == "population":
        shift = np.where(everything, inside + steep * (judged - judged[everything].mean()), 0)
        variance += of_mean(shift - estimate, clusters)
    if freedom < 1:
        return _within(-1.0, estimate, 1.0, limits)
    half = float(stdtrit(freedom, (1 + level) / 2)) * variance**0.5
    return _within(estimate - half, estimate, estimate + half, limits)


def _fit(labelled: Labelled, judged: Floats, everything: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope, and the mean difference of the open items."""
    w, d, f = labelled.weights, labelled.values, judged[labelled.rows]
    every = judged[everything]
    steep = slope(d, f, variance_of(every), w) if len(d) >= FEWEST_GOLD else 0.0
    return steep, float(w @ d - steep * (w @ f - every.mean()))


def _residual_part(
    labelled: Labelled,
    judged: Floats,
    steep: float,
    clusters: Ints | None,
    target: str,
) -> tuple[float, float]:
    """Degrees of freedom and the variance that comes from labelling only some items."""
    w = labelled.weights
    residuals = labelled.values - steep * judged[labelled.rows]
    # of these items, one that was sure to be labelled adds nothing
    thin = w * (np.sqrt(1 - labelled.chances * labelled.settled) if target == "items" else 1.0)
    parts, groups = thin * (residuals - w @ residuals), labelled.alike
    squares = float((parts**2).sum())
    if clusters is not None:
        of_rows = clusters[labelled.rows]
        groups = min(groups, len(np.unique(of_rows)))
        squares = float((np.bincount(of_rows, parts) ** 2).sum())
    squares = max(squares, ONE_MISS * float((thin**2).mean()))
    return groups - 2, squares * groups / max(groups - 2, 1.0)


def _limits(labelled: Labelled, n_open: int, n_items: int, target: str) -> tuple[float, float]:
    """What is certain: of these items, the labels and any difference of the others."""
    if target == "population":
        return -1.0, 1.0
    settled = labelled.settled
    passes, rest = float(labelled.values[settled].sum()), n_open - int(settled.sum())
    return (passes - rest) / n_items, (passes + rest) / n_items


def _within(low: float, estimate: float, high: float, limits: tuple[float, float]) -> Difference:
    return Difference(*(min(max(end, limits[0]), limits[1]) for end in (low, estimate, high)))


# --- Labels drawn with unequal, known chances: each residual counts one over its item's chance.
#
# This is the regression estimate of survey sampling (augmented inverse propensity weights) in its ratio
# form: weights are divided by their sum, so that adding a constant to the judges' numbers changes nothing.


def weighted(
    y: Floats,
    f: Floats,
    every: Floats,
    inclusion: Floats,
    *,
    target: str = "items",
    level: float = 0.95,
    squares: Floats | None = None,
    clusters: tuple[Codes, Codes] | None = None,
) -> Estimate:
    """Rate and its interval from labels drawn with the chances `inclusion`.

    `inclusion`: (n,), the chance, above 0 and at most 1, with which each labelled item was drawn;
    `squares`: (n,), what the squared residual of each label adds to the variance of the total, where labels
    came in waves; by default that of one draw; `clusters`: (n,) and (n_items,), the cluster of each labelled
    item and of each item, where a population is one of clusters.
    """
    n_items, weights = len(every), 1 / inclusion
    share = weights / weights.sum()
    of_groups = clusters is not None and target == "population"
    groups = share if clusters is None or not of_groups else np.bincount(clusters[0], share)
    alike = 1 / float((groups**2).sum())
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every), weights)
    rate = float(share @ y - steep * (share @ f - every.mean()))
    if too_few(y) or alike <= 3:
        estimate = Estimate(*_plain(rate, alike, level), n_effective=alike)
    else:
        if squares is None:
            squares = weights**2 * (1 - inclusion)
        variance = _variance(y - steep * f, weights, squares, alike)
        if target == "population":
            variance += binary_variance(rate) / n_items
        if clusters is not None and of_groups:
            numbers = steep * (every - every.mean()) / n_items
            brought = _brought(share, y - steep * f, numbers, *clusters)
            variance = max(variance, brought * alike / (alike - 2))
        estimate = Estimate(rate, rate, rate)
        if variance > 0:
            most = np.inf if target == "items" else n_items
            estimate = from_variance(rate, variance, freedom=alike - 2, most=most, level=level)
    if estimate.low < estimate.high:
        estimate = _where_few_weigh(estimate, y, level)
    if target == "items":
        estimate = within_items(estimate, float(y.sum()), len(y), n_items)
    return estimate._replace(slope=steep)


def _where_few_weigh(estimate: Estimate, y: Floats, level: float) -> Estimate:
    """Estimate whose end on the side of a label that is seldom is no closer than the exact one of as few.

    Each of few may stand for many items: then a label more or less moves the rate by as much.
    """
    low, rate, high = estimate[:3]
    passes, others, tail = float(y.sum()), float(len(y) - y.sum()), (1 - level) / 2
    if 0 < passes < FEW_OF_A_KIND and rate > 0:
        low = min(low, float(betaincinv(passes, passes / rate - passes + 1, tail)))
    if 0 < others < FEW_OF_A_KIND and rate < 1:
        high = max(high, 1 - float(betaincinv(others, others / (1 - rate) - others + 1, tail)))
    return estimate._replace(low=low, high=high)


def _plain(rate: float, n: float, level: float) -> tuple[float, float, float]:
    low, high = wilson(rate * n, n, level)
    return low, rate, high


def _brought(
    share: Floats, residuals: Floats, numbers: Floats, own: Codes, clusters: Codes
) -> float:
    """Sum of the squares of what each cluster brings: its weighted residuals, and the judges' numbers."""
    n_clusters = int(clusters.max()) + 1
    of_labels = np.bincount(own, share * (residuals - share @ residuals), n_clusters)
    of_judges = np.bincount(clusters, numbers, n_clusters)
    product = max(float(of_labels @ of_judges), 0.0)
    return float(of_labels @ of_labels + of_judges @ of_judges) + 2 * product


def _variance(residuals: Floats, weights: Floats, squares: Floats, alike: float) -> float:
    """Variance of the weighted mean of residuals, at least one miss among items left to chance.

    Items labelled for certain stand for themselves alone: however many, they say nothing of the others.
    """
    total = weights.sum()
    centred = residuals - weights @ residuals / total
    by_chance = squares[squares > 0]
    least = ONE_MISS * float(by_chance.mean()) if len(by_chance) else 0.0
    misses = max(float(squares @ centred**2), least)
    return misses / float(total) ** 2 * alike / (alike - 2)


# --- Regression on the judges' numbers where items come in clusters: responses to one prompt, turns, epochs.
#
# The clusters are what was sampled, so the variance is a sum over them of what each brings: the residuals of
# its labelled items, the judges' numbers of all its items, and, as both rise and fall with the cluster,
# twice their product. Without the product, coverage on real questions was .93 and not .95. Clusters that
# hold most of the labels count for most: as many are counted as clusters of one size would be worth.


def clustered(
    y: Floats,
    f: Floats,
    every: Floats,
    *,
    rows: Ints,
    clusters: Codes,
    weights: Ints | None = None,
    target: str = "population",
    level: float = 0.95,
) -> Estimate:
    """Rate and its interval with clusters as the unit.

    `rows`: (n,), the labelled items; `clusters`: (n_items,), the cluster of each item, from 0; `target`:
    the population is one of clusters; `level`: labels must lie in three clusters at least; `weights`: how
    many items each row stands for, of which the clusters of the labelled ones alone are known: judges then
    help with the rate of these items alone.
    """
    n, n_items = len(y), len(every) if weights is None else int(weights.sum())
    groups = effective_clusters(clusters[rows])
    alone = len(np.unique(clusters[rows])) == n
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every, weights))
    mean = float(every.mean() if weights is None else np.average(every, weights=weights))
    if weights is not None and target == "population":
        steep = 0.0
    if groups <= FEWEST_EFFECTIVE or (steep == 0 and (alone or too_few(y))):
        return _of_groups(y, groups, n_items, target, level)
    rate = y.mean() - steep * (f.mean() - mean)
    residuals = _sums(y - steep * f, clusters[rows], clusters)
    variance = max(float(residuals @ residuals), ONE_MISS) / n**2 * groups / (groups - 2)
    if target == "items":
        variance *= 1 - n / n_items
    else:
        variance += steep**2 * of_mean(every - mean, clusters)
        numbers = steep * _sums(every, clusters, clusters) / n_items
        variance += 2 * max(float(residuals @ numbers) / n, 0.0)
    if variance == 0:
        return within_items(Estimate(0.0, rate, 1.0, steep), float(y.sum()), n, n_items)
    estimate = from_variance(rate, variance, freedom=groups - 2, most=n_items, level=level)
    estimate = estimate._replace(slope=steep)
    return within_items(estimate, float(y.sum()), n, n_items) if target == "items" else estimate


def _of_groups(y: Floats, groups: float, n_items: int, target: str, level: float) -> Estimate:
    """Interval of the labels alone, no more of them than there are clusters."""
    low, high = wilson(y.mean() * groups, groups, level)
    estimate = Estimate(low, float(y.mean()), high, n_effective=groups)
    return (
        within_items(estimate, float(y.sum()), len(y), n_items) if target == "items" else estimate
    )


def effective_clusters(own: Codes) -> float:
    """How many clusters of one size would be worth as much as those in which labels lie."""
    counts = np.bincount(own).astype(np.float64)
    return float(counts.sum() ** 2 / (counts @ counts))


def _sums(values: Floats, own: Codes, clusters: Codes) -> Floats:
    """Sum of centred values in each cluster; own: the cluster of each value."""
    centred = values - values.mean()
    return np.bincount(own, centred, minlength=int(clusters.max()) + 1).astype(np.float64)


def drawn_by_cluster(rows: Ints, clusters: Codes) -> bool:
    """Whether labels lie together in clusters more than items drawn one by one would."""
    n, n_items = len(rows), len(clusters)
    seen, possible = _pairs(np.bincount(clusters[rows])), _pairs(np.bincount(clusters))
    expected = possible * n * (n - 1) / (n_items * (n_items - 1)) if n_items > 1 else 0.0
    more = bool(seen > expected + MORE_PAIRS * np.sqrt(expected) + 1)
    return n < n_items and (more or touches_few(rows, clusters))


def _pairs(sizes: Ints) -> float:
    return float((sizes * (sizes - 1) / 2).sum())


# --- What the labels show about how they were drawn, and what the judges add to them.


NOT_RANDOM = "these labels were not drawn at random"


class Balance(NamedTuple):
    """By how many standard errors labelled items differ from all, and in what."""

    z: float
    what: str = "the judges' votes on them"

    @property
    def refutes(self) -> str:
        """Sentence on labels that a random draw would hardly give; empty where it may."""
        if abs(self.z) <= UNBALANCED:
            return ""
        return (
            f"{NOT_RANDOM}: {self.what} differ from those on all items by {abs(self.z):.1f} standard errors "
            f"({UNBALANCED:.0f} is rare by chance)"
        )


def balance_of_draw(panel: Panel, rows: Ints, clusters: Ints | None = None) -> Balance:
    """By how many standard errors labelled items differ from all in votes, or else in what is beside them."""
    if clusters is not None and panel.weights is not None:
        return Balance(_balance_of_some(panel.share, rows, clusters[rows], panel.weights))
    if clusters is not None and not drawn_by_cluster(rows, clusters):
        clusters = None
    votes = Balance(drawn_balance(panel.share, rows, clusters, panel.weights))
    beside = _balance_beside(panel, rows, clusters)
    return beside if beside.refutes and not votes.refutes else votes


def _balance_beside(
    panel: Panel, rows: Ints, clusters: Ints | None, at: Ints | None = None
) -> Balance:
    """Same in whether there is any verdict, and in the groups of items.

    Verdicts on labelled items alone, and cells that labelled items alone have, come of the labelling. `at`:
    (n_items,), rows of the panel that are the items, by default all.
    """
    at = np.arange(len(panel.share)) if at is None else at
    labelled = np.zeros(len(at), bool)
    labelled[rows] = True
    marks = {"verdicts that are missing": np.where(panel.answered[at] == 0, 0, -1)}
    marks |= {f"shares of {own.name!r}": own.codes[at] for own in panel.groups}
    looks = {}
    for what, codes in marks.items():
        values = np.unique(codes)
        full = codes >= 0 if what != "verdicts that are missing" else codes < 0
        if 1 < len(values) <= MOST_GROUPS and (full & ~labelled).any():
            looks[what] = (codes[:, None] == values).astype(np.float64)
    if not looks:
        return Balance(0.0)
    z = looks_balance(np.column_stack([*looks.values()]), rows, clusters, panel.weights)
    if abs(z) <= UNBALANCED:
        return Balance(z)
    each = {
        what: abs(looks_balance(own, rows, clusters, panel.weights)) for what, own in looks.items()
    }
    return Balance(z, f"{max(each, key=each.__getitem__)} among them")


def drawn_balance(
    share: Floats,
    rows: Ints,
    clusters: Ints | None = None,
    weights: Ints | None = None,
) -> float:
    """By how many standard errors the votes on labelled items differ from those on all.

    The share of votes is looked at, and how far judges agree, since picking what they dispute need not move
    the share; the worse of the two is returned. Beyond 3, where few labels or rare votes make normal errors
    too short, random draws say how rare it is, and the number returned is the normal one as rare. `share`:
    (n_items,), share of the judges who gave the label; NaN for items that nobody judged, which are left
    out; `rows`: (n,), the labelled items; `clusters`: (n_items,), where whole clusters were drawn, the
    cluster of each item, from 0; `weights`: (n_items,), how many items each row stands for, where items
    without a label are only counted.
    """
    return looks_balance(np.column_stack([share, np.abs(share - 0.5)]), rows, clusters, weights)


def _balance_of_some(share: Floats, rows: Ints, clusters: Ints, weights: Ints) -> float:
    """Same as `drawn_balance` where clusters of the labelled rows alone are known, by how these differ."""
    looks = np.column_stack([share, np.abs(share - 0.5)])
    finite = np.isfinite(share)
    mean = np.average(looks[finite], axis=0, weights=weights[finite])
    kept = finite[rows]
    centred, own = looks[rows[kept]] - mean, np.unique(clusters[kept], return_inverse=True)[1]
    sums = np.column_stack([np.bincount(own, column) for column in centred.T])
    errors = np.sqrt((sums**2).sum(axis=0))
    z = np.divide(sums.sum(axis=0), errors, out=np.zeros(2), where=errors > 1e-12)
    return float(z[np.argmax(np.abs(z))])


def looks_balance(
    looks: Floats,
    rows: Ints,
    clusters: Ints | None = None,
    weights: Ints | None = None,
) -> float:
    """Same of several numbers per item, taken together: as rare as the worst of them is.

    `looks`: (n_items, k), items with NaN in any are left out.
    """
    finite = np.asarray(np.isfinite(looks).all(axis=1))
    judged = np.flatnonzero(finite)
    labelled = rows[finite[rows]]
    n = len(labelled)
    sizes = np.ones(len(judged), np.int64) if weights is None else weights[judged]
    n_items = int(sizes.sum())
    if not 0 < n < n_items:
        return 0.0
    mean = sizes @ looks[judged] / n_items
    centred = looks[judged] - mean
    spread = np.sqrt(sizes @ centred**2 / (n_items - 1))
    if not spread.any():
        return 0.0
    scale = np.where(spread > 1e-12, spread, np.inf) * np.sqrt(1 / n - 1 / n_items)
    of_labels = (looks[labelled] - mean).mean(axis=0) / scale
    worst = float(of_labels[np.argmax(np.abs(of_labels))])
    if abs(worst) <= UNBALANCED:
        return worst
    rng = np.random.default_rng(0)
    if clusters is None:
        drawn = _items_drawn(centred / scale, sizes, n, rng)
    else:
        kept = clusters[judged], np.searchsorted(judged, labelled)
        drawn = _clusters_drawn(centred / scale, *kept, rng)
    beyond = int((np.abs(drawn).max(axis=1) >= abs(worst) - 1e-9).sum())
    if not beyond:
        return worst
    rare = float(-ndtri((1 + beyond) / (1 + len(drawn)) / 2))
    return float(np.sign(worst) * min(abs(worst), max(rare, 0.0)))


def picked_labels(
    pairs: Pairs,
    rows: Ints,
    open_items: NDArray[np.bool_],
    clusters: Ints | None,
) -> str:
    """Why labels are no random draw of the items that can differ; empty where nothing shows it.

    The judges' shares for either system are looked at, how far judges agree on it, and the difference of
    the two, all together. A choice that has nothing to do with the judges cannot be seen.
    """
    a, b = pairs.panel_a.share[pairs.rows_a], pairs.panel_b.share[pairs.rows_b]
    every = np.column_stack([a - b, abs(a - b), a, abs(a - 0.5), b, abs(b - 0.5)])
    if clusters is not None:
        clusters = clusters[open_items] if drawn_by_cluster(rows, clusters) else None
    position = np.cumsum(open_items) - 1
    rows = position[rows[open_items[rows]]]
    weights = None if pairs.weights is None else pairs.weights[open_items]
    balances = [Balance(looks_balance(every[open_items], rows, clusters, weights))]
    if not pairs.trials and pairs.weights is None:
        for panel, own in ((pairs.panel_a, pairs.rows_a), (pairs.panel_b, pairs.rows_b)):
            balances.append(_balance_beside(panel, rows, clusters, own[open_items]))
    return max(balances, key=lambda own: abs(own.z)).refutes


_MOST_DRAWN_FROM = 10**9
"""Items from which NumPy draws without replacement; from more, replacement makes no difference."""


def _items_drawn(scaled: Floats, sizes: Ints, n: int, rng: np.random.Generator) -> Floats:
    """Mean numbers of n items, many times drawn at random."""
    cells, cell = np.unique(scaled.round(9), axis=0, return_inverse=True)
    counts = np.bincount(cell.ravel(), sizes).astype(np.int64)
    draws = min(RANDOM_DRAWS, max(MOST_RESAMPLED // len(cells), RANDOM_DRAWS // 10))
    if counts.sum() < _MOST_DRAWN_FROM:
        taken = rng.multivariate_hypergeometric(counts, n, draws, method="marginals")
    else:
        taken = rng.multinomial(n, counts / counts.sum(), draws)
    means: Floats = taken @ cells / n
    return means


def _clusters_drawn(scaled: Floats, clusters: Ints, rows: Ints, rng: np.random.Generator) -> Floats:
    """Same where clusters are drawn, and of each as many items as were labelled of one.

    Which items of a cluster are taken is a normal error.
    """
    own = np.unique(clusters, return_inverse=True)[1]
    sizes = np.bincount(own).astype(np.float64)
    means, spreads = np.zeros((2, len(sizes), scaled.shape[1]))
    for k, values in enumerate(scaled.T):
        means[:, k] = np.bincount(own, values) / sizes
        spreads[:, k] = np.maximum(np.bincount(own, values**2) / sizes - means[:, k] ** 2, 0.0)
    held = np.bincount(own[rows])
    held = held[held > 0]
    drawn = []
    for _ in range(RANDOM_DRAWS // 10):
        taken = rng.choice(len(sizes), len(held), replace=False)
        n = np.minimum(held, sizes[taken])
        within = np.sqrt((n * (1 - n / sizes[taken]))[:, None] * spreads[taken])
        sums = n[:, None] * means[taken] + within * rng.standard_normal(within.shape)
        drawn.append(sums.sum(axis=0) / n.sum())
    return np.array(drawn)


def stands_for(chances: Floats, n_items: int, escaped: float = 0.0) -> float | None:
    """For how many items labels drawn with these chances stand, None if that may be `n_items`.

    The sum of one over the chance estimates how many items could have been drawn, with an error that the
    chances drawn tell. Of lesser chances so many may have `escaped` for odds of 1 on the least likely label.
    """
    total, against = float((1 / chances).sum()), (1 - chances) / chances
    share, errors = STANDS_FOR
    most = max(share * n_items, errors * float((against / chances).sum()) ** 0.5)
    unseen = max(most, escaped * float(against.max()))
    return None if total - most <= n_items <= total + unseen else total


Chances = tuple[Floats, Floats]


def check_represents(chances: Floats, n_items: int, escaped: float = 0.0) -> None:
    """Refuse chances by which the labelled items would stand for more or fewer than there are."""
    total = stands_for(chances, n_items, escaped)
    if total is not None:
        raise DataError(
            f"labelled items must stand for all {n_items}, each for one over its chance of inclusion; got "
            f"chances by which they stand for about {total:.0f}; label every item that was drawn, or "
            "correct the chances"
        )


def chances_of_waves(gold: Gold, waves: Waves, n_items: int, *, always: bool) -> Chances | None:
    """Chance of each label in waves, one over its joint weight, and what its residual adds to the variance.

    None where they are as good as one random draw.
    """
    blocks = waves.blocks()
    if len(blocks) == 1 and blocks[0][1] in ("random", UNKNOWN, PICKED) and not always:
        return None
    left = n_items
    for rows, how in blocks:
        if how not in ("random", UNKNOWN) and gold.inclusion is not None:
            check_represents(gold.inclusion[rows], left)
        left -= len(rows)
    weights, squares = waves.weights(gold.inclusion, n_items)
    return 1 / weights, squares


def effective_size(estimate: Estimate, n: int, n_items: int, target: str, level: float) -> float:
    """How many labels drawn at random, without judges, would give an interval as narrow.

    By the ratio of squared widths, theirs by Wilson's score at the same rate. Of these items no more than
    all can be labelled: there 1/m - 1/N is what shrinks with the squared width.
    """
    low, high = wilson(estimate.rate * n, n, level)
    ratio = ((estimate.high - estimate.low) / (high - low)) ** 2
    if target == "population":
        return n / ratio
    if n >= n_items:
        return float(n_items)
    rest = 1 - n / n_items
    return 1 / (1 / n_items + ratio / rest * (1 / n - 1 / n_items))


def explained(y: Floats, f: Floats) -> float | None:
    """Rho^2, the share of the labels' variance that the judges' numbers explain.

    None where either does not vary.
    """
    if len(y) < 3 or y.min() == y.max() or f.min() == f.max():
        return None
    return float(_squared(np.array([np.ones(len(y))]), y, f)[0])


def explained_range(
    y: Floats, f: Floats, *, level: float = 0.95, random: int = 0
) -> tuple[float, float] | None:
    """Ends of rho^2 over resampled labels, None where it is None."""
    if explained(y, f) is None:
        return None
    pairs, counts = np.unique(np.column_stack([y, f]), axis=0, return_counts=True)
    draws = max(RESAMPLES // 10, min(RESAMPLES, MOST_RESAMPLED // len(pairs)))
    rng = np.random.default_rng(random)
    weights = rng.multinomial(len(y), counts / len(y), draws).astype(float)
    low, high = np.quantile(_squared(weights, *pairs.T), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _squared(weights: Floats, y: Floats, f: Floats) -> Floats:
    """Rho^2 under each row of weights, 0 where a resample has no spread."""
    total = weights.sum(axis=1)
    y_mean, f_mean = weights @ y / total, weights @ f / total
    both = weights @ (y * f) / total - y_mean * f_mean
    spreads = (weights @ (y * y) / total - y_mean**2) * (weights @ (f * f) / total - f_mean**2)
    varied = spreads > 1e-15
    rho2: Floats = np.where(varied, both**2 / np.where(varied, spreads, 1.0), 0.0)
    return np.minimum(rho2, 1.0)


# --- Labels regressed on the judges' numbers (prediction-powered inference with a tuned slope).
#
# The rate is mean_L(y) - slope * (mean_L(f) - mean_N(f)), with L the labelled items and N all of them.


def ppi(
    y: Floats,
    f: Floats,
    every: Floats,
    *,
    weights: Ints | None = None,
    split: float = 0.0,
    target: str = "items",
    level: float = 0.95,
) -> Estimate:
    """Rate and its interval from labels drawn at random.

    The residuals' sum of squares counts as at least one miss: judges who agreed with every label so far are
    not perfect. Where labels are too few or too much alike, or f does not vary, it is the interval of the
    labels alone. `y`: (n,), 1, 0, or 1/2 for a tie; `f`: (n,), the judges' numbers of the same items, on
    any scale; only what varies counts; `every`: (rows,), the judges' numbers of all items, labelled or not;
    `weights`: (rows,), how many items each row stands for, by default one; `split`: squares that count beside
    the residuals', of people who differ on an item: two are as wide as one of them drawn at random.
    """
    n, n_items = len(y), len(every) if weights is None else int(weights.sum())
    mean = float(every.mean() if weights is None else np.average(every, weights=weights))
    steep = 0.0 if too_few(y) else slope(y, f, variance_of(every, weights))
    if steep == 0 or n == n_items:
        return gold_only(y, n_items, target=target, level=level)
    rate = y.mean() - steep * (f.mean() - mean)
    residuals = y - steep * f
    misses = max(float(((residuals - residuals.mean()) ** 2).sum()) + split, ONE_MISS)
    variance = (1 - n / n_items) * misses / (n - 2) / n
    if target == "items":
        estimate = from_variance(rate, variance, freedom=n - 2, level=level)
        estimate = within_items(estimate, float(y.sum()), n, n_items)
    else:
        variance += binary_variance(rate) / n_items
        estimate = from_variance(rate, variance, freedom=n - 2, most=n_items, level=level)
    return estimate._replace(slope=steep)


# --- Labels as they were drawn, the judges' number of each item, and an interval of each form.


@dataclass(frozen=True, slots=True)
class Predictor:
    """The judges' number of each item."""

    name: str
    values: Floats  # (n_items,), an item nobody judged has the mean of the others
    named: bool  # whether it was asked for

    @property
    def graded(self) -> bool:
        """Whether it takes more than two values."""
        return len(np.unique(self.values)) > 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing(Scope):
    """Labels, of a rate or of a difference, and the groups that their items come in."""

    clusters: Ints | None = None  # (n_items,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn(Drawing):
    """Labels, how they were drawn, and what the judges say of the items."""

    gold: Gold
    panel: Panel
    predictor: Predictor
    # (n,), where chances were unequal; of labels in waves, one over their weights
    inclusion: Floats | None = None
    # (n,), then too: what the squared residual of each label adds to the variance
    squares: Floats | None = None
    elsewhere: Elsewhere | None = None  # where the labels are of other items
    # by how many standard errors the labelled items differ from all in the judges' votes; None
    # where chances were unequal
    balance: Balance | None = None
    refused: bool = False  # whether the labels grade the judges higher than the votes allow
    # how often people see a pass as a pass, and a fail as a fail, where that is known
    human_accuracy: tuple[Fraction, Fraction] | None = None

    def of_truth(self, estimate: Estimate | None) -> Estimate | None:
        """Rate of passes, from one of what people say, where it is known how often they see right.

        People say pass of a share sees_pass * rate + (1 - sees_fail) * (1 - rate), solved for the rate.
        """
        if self.human_accuracy is None or estimate is None:
            return estimate
        sees_pass, sees_fail = map(float, self.human_accuracy)
        ends = (np.array(estimate[:3]) - (1 - sees_fail)) / (sees_pass + sees_fail - 1)
        return estimate._replace(
            **dict(zip(Estimate._fields, ends.clip(0, 1).tolist(), strict=False))
        )

    @property
    def picked(self) -> str:
        """What shows that the labels were picked, in words; empty where nothing does."""
        draws = self.in_order
        if draws is not None:  # drawn at random, and looked at more than once
            share = np.where(np.isnan(self.panel.share), 0.5, self.panel.share)
            every = np.ones(len(share), bool)
            excess = float((share[draws.rows] - self.panel.mean(share, every)).sum())
            off = draws.strata is None and far_off(excess, len(draws.rows))
            return f"{NOT_RANDOM}: the judges' votes on them are not those on all" if off else ""
        if self.gold.waves is not None and PICKED in self.gold.waves.strategy:
            return f"{NOT_RANDOM}: they were picked for their doubt"
        if self.balance is not None and self.balance.refutes:
            return self.balance.refutes
        sentence = f"{NOT_RANDOM}: they grade the judges higher than the votes allow"
        return sentence if self.refused else ""

    @property
    def labelled(self) -> Floats:
        """The judges' numbers of the labelled items."""
        return self.predictor.values[self.gold.rows]

    @property
    def stratum(self) -> NDArray[Any]:
        """What items are put in strata by: a predictor of two values that was named, or the verdict."""
        if self.predictor.named and not self.predictor.graded:
            return self.predictor.values
        return self.panel.verdict

    def compared(self, method: str) -> Floats:
        """Numbers of all items that a method compares the labels with."""
        if method not in ("strata", "profile", "transfer"):
            return self.predictor.values
        stratum = np.asarray(self.stratum, np.float64)
        return self.panel.filled(stratum, stratum >= 0)

    @property
    def whole(self) -> bool:
        """Whether every label is one or the other, and none a tie."""
        return bool(np.isin(self.gold.values, (0.0, 1.0)).all())

    @property
    def grading(self) -> Gold | None:
        """The labels where each is as likely as any other, so that grades of judges have a bound.

        Of labels in waves these are the first, as long as no wave looked at what they said.
        """
        gold = None if self.picked or self.human_accuracy is not None else self.random_labels
        return None if gold is None else gold.settled(len(self.panel.labels))

    @property
    def random_labels(self) -> Gold | None:
        """The labels that are said to be a random draw of items."""
        if self.inclusion is not None and self.gold.waves is not None:
            rows, how = self.gold.waves.blocks()[0]
            return self.gold.only(rows) if how == "random" else None
        return None if self.settled_by else self.gold

    @property
    def settled_by(self) -> str:
        """Which setting leaves no choice of the method; empty where there is one."""
        if self.elsewhere is not None:
            return f"{option('drawn', 'elsewhere')}"
        if self.inclusion is not None:
            return f"{option('drawn', 'unequal')}"
        return "cluster" if self.by_cluster else ""

    @property
    def by_cluster(self) -> bool:
        """Whether the clusters are the unit of the interval."""
        if self.clusters is None:
            return False
        if self.panel.weights is not None:  # prompts of labelled outputs, of which no more is known
            return True
        return self.target == "population" or drawn_by_cluster(self.gold.rows, self.clusters)

    def balance_by(self, gold: Gold) -> Balance:
        """By how many standard errors these labelled items differ from all."""
        return balance_of_draw(self.panel, gold.rows, self.clusters)

    @property
    def n_clusters(self) -> int:
        """Clusters with a label."""
        return 0 if self.clusters is None else len(np.unique(self.clusters[self.gold.rows]))

    @property
    def few_clusters(self) -> bool:
        """Whether clusters are the unit, and too few of them have labels."""
        plain = self.inclusion is None and self.elsewhere is None
        return plain and self.by_cluster and self.n_clusters < FEWEST_CLUSTERS

    def wilson(self) -> Estimate:
        """Wilson's interval of the labels alone."""
        return gold_only(self.gold.values, self.panel.n_items, **self.scope)

    def exact(self) -> Estimate:
        """Exact interval of the labels alone."""
        return exact_only(self.gold.values, self.panel.n_items, **self.scope)

    @property
    def _counts(self) -> Strata:
        return strata_of(self.gold.values, self.gold.rows, self.stratum, self.panel.weights)

    def by_strata(self) -> Estimate:
        """Interval of strata of the verdict."""
        return strata_interval(self._counts, **self.scope, random=self.random)

    def by_profile(self) -> Estimate:
        """Likelihood interval of the same strata."""
        return profile_interval(self._counts, **self.scope)

    def by_regression(self) -> Estimate:
        """Interval of labels regressed on the judges' numbers."""
        every, weights, y = self.predictor.values, self.panel.weights, self.gold.values
        split = float((y * (1 - y)).sum()) if self.gold.differ else 0.0
        return ppi(y, self.labelled, every, weights=weights, split=split, **self.scope)

    def by_chances(self) -> Estimate:
        """Interval of labels that count one over the chance of their item."""
        return weighted(
            self.gold.values,
            self.labelled,
            self.predictor.values,
            self.inclusion,  # type: ignore[arg-type]
            squares=self.squares,
            clusters=None
            if self.clusters is None
            else (self.clusters[self.gold.rows], self.clusters),
            **self.scope,
        )

    @property
    def in_order(self) -> Draws | None:
        """The draws, where they are known in their order and an interval can be made of that."""
        draws = None if self.elsewhere is not None or self.by_cluster else self.gold.draws
        if draws is None or (draws.strata is not None and self.target == "population"):
            return None
        return draws

    def by_draws(self, with_judges: bool = True) -> Estimate:
        """Interval that holds whenever one stops."""
        draws = self.in_order
        assert draws is not None  # asked of before
        if self.target == "population":
            return Estimate(*stream_ends(draws.values, None, None, None, self.level))
        f = np.where(np.isnan(self.predictor.values), 0.5, self.predictor.values)
        shares = f if with_judges and f.min() >= 0 and f.max() <= 1 and np.ptp(f) else None
        before = ~np.isin(self.gold.rows, draws.rows)
        certain = self.gold.rows[before], self.gold.values[before]
        weights: Floats = np.ones(len(f))
        if self.panel.weights is not None:
            weights = self.panel.weights.astype(np.float64)
        return Estimate(*anytime(draws, shares, certain, weights, self.level))

    def by_clusters(self) -> Estimate:
        """Interval with clusters as the unit."""
        rows, every = self.gold.rows, self.predictor.values
        of: dict[str, Any] = {"rows": rows, "clusters": self.clusters, **self.scope}
        of["weights"] = self.panel.weights
        return clustered(self.gold.values, every[rows], every, **of)

    def without_judges(self) -> Estimate:
        """Same by draws, chances or clusters where the judges say nothing of any item."""
        nothing = Predictor("nothing", np.zeros(len(self.panel.verdict)), named=False)
        plain = replace(self, predictor=nothing)
        return plain.by_clusters() if self.inclusion is None else plain.by_chances()
