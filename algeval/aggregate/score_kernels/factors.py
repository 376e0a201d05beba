"""A few normal factors behind scores: the law, what it says of each item, what it leaves unexplained.

Arrays in, arrays out; axis order item, judge, factor. x = mean + loading f + e with f ~ N(0, I) and
errors of judge j ~ N(0, noise_j), all independent. A score that is missing (NaN) is left out of its
item, exactly: given f, judges are independent, so no score need be filled in, and an item costs one
k x k system. `factor_fit` finds the law.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats

__all__ = [
    "FactorLaw",
    "FactorPosterior",
    "alike_pairs",
    "block_posterior",
    "blocks",
    "centred",
    "item_log_likelihood",
    "posterior",
    "principal",
    "residual_correlations",
    "voices",
]


class FactorLaw(NamedTuple):
    """Means (N,), loadings (N, k) and error variances (N,), in the units of the scores.

    An error variance of 0 marks a judge whose scores never vary, or who gave none: it says nothing
    and is left out of everything.
    """

    mean: Floats
    loading: Floats
    noise: Floats

    @property
    def variance(self) -> Floats:
        """Return the (N,) variances of the judges' scores under the law."""
        result: Floats = (self.loading**2).sum(axis=1) + self.noise
        return result

    @property
    def standard_loading(self) -> Floats:
        """Return the (N, k) loadings as correlations of scores with factors."""
        size = np.sqrt(self.variance)
        result: Floats = self.loading / np.where(size > 0, size, 1.0)[:, None]
        return result


class FactorPosterior(NamedTuple):
    """Factors of each item given its scores: mean (n, k), covariance (n, k, k), log-density (n,).

    The log-density of the scores seen is in nats; of an item without scores it is 0, and its factors
    keep their prior.
    """

    mean: Floats
    covariance: Floats
    log_likelihood: Floats


def blocks(n: int) -> Iterator[slice]:
    """Yield slices of `policy.FACTOR_ROWS` rows, so that temporary arrays stay small."""
    for start in range(0, n, policy.FACTOR_ROWS):
        yield slice(start, min(n, start + policy.FACTOR_ROWS))


def centred(law: FactorLaw, values: Floats) -> tuple[Floats, Floats]:
    """Return scores less their mean, 0 where missing, and 1.0 where seen, both (rows, N)."""
    seen = ~np.isnan(values) & (law.noise > 0)
    return np.where(seen, values - law.mean, 0.0), seen.astype(float)


def block_posterior(law: FactorLaw, left: Floats, seen: Floats) -> FactorPosterior:
    """Return the posterior of rows whose centred scores and marks of presence are given."""
    n_judges, k = law.loading.shape
    heard = law.noise > 0
    noise = np.where(heard, law.noise, 1.0)
    precision = heard / noise
    weight = law.loading * precision[:, None]
    told = (weight[:, :, None] * law.loading[:, None, :]).reshape(n_judges, k * k)
    information = np.eye(k) + (seen @ told).reshape(len(left), k, k)
    covariance = np.linalg.inv(information).astype(float, copy=False)
    pull = left @ weight
    mean = np.einsum("nij,nj->ni", covariance, pull)
    deviance = (
        seen @ np.log(2 * np.pi * noise)
        + np.linalg.slogdet(information)[1]
        + left**2 @ precision
        - (pull * mean).sum(axis=1)
    )
    height: Floats = -deviance / 2
    return FactorPosterior(mean, covariance, height)


def posterior(law: FactorLaw, values: Floats) -> FactorPosterior:
    """Return what (n, N) scores, NaN where missing, say of each item's factors."""
    n, k = len(values), law.loading.shape[1]
    mean, covariance, height = np.empty((n, k)), np.empty((n, k, k)), np.empty(n)
    for part in blocks(n):
        mean[part], covariance[part], height[part] = block_posterior(
            law, *centred(law, values[part])
        )
    return FactorPosterior(mean, covariance, height)


def item_log_likelihood(law: FactorLaw, values: Floats) -> Floats:
    """Return the (n,) log-densities, in nats, of the scores seen of each item."""
    parts = [
        block_posterior(law, *centred(law, values[part])).log_likelihood
        for part in blocks(len(values))
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def principal(law: FactorLaw) -> FactorLaw:
    """Return the same law on principal axes: no other turn of its factors has any claim either.

    loading' loading / noise is diagonal, factors stand in the order of the variance they explain (of
    standardised scores), and the correlations of the judges with each add up to at least 0.
    """
    heard = law.noise > 0
    weight = law.loading[heard] / law.noise[heard, None]
    _, axes = np.linalg.eigh(law.loading[heard].T @ weight)
    turned = law._replace(loading=law.loading @ axes)
    loading = turned.standard_loading
    order = np.argsort(-(loading**2).sum(axis=0), kind="stable")
    sign = np.where(loading.sum(axis=0) < 0, -1.0, 1.0)
    return law._replace(loading=(turned.loading * sign)[:, order])


def residual_correlations(law: FactorLaw, values: Floats) -> Floats:
    """Return (N, N) correlations of what the factors leave: (S - loading loading') by the noises.

    S holds the covariances about the law's means over the items each two judges have in common;
    entry i, j is divided by sqrt(noise_i noise_j) and cut to [-1, 1]. 0 where two judges share no
    item or one of them is silent, 1 on the diagonal.
    """
    n_judges = len(law.mean)
    products, common = np.zeros((n_judges, n_judges)), np.zeros((n_judges, n_judges))
    for part in blocks(len(values)):
        left, seen = centred(law, values[part])
        products += left.T @ left
        common += seen.T @ seen
    rest = products / np.maximum(common, 1) - law.loading @ law.loading.T
    size = np.sqrt(np.outer(law.noise, law.noise))
    known = (common > 0) & (size > 0)
    result = np.where(known, np.clip(rest / np.where(known, size, 1.0), -1, 1), 0.0)
    np.fill_diagonal(result, 1.0)
    return result


def alike_pairs(residual: Floats) -> NDArray[np.intp]:
    """Return (pairs, 2) judges whose residuals correlate above `policy.NEAR_COPIES`, highest first."""
    first, second = np.nonzero(np.triu(residual > policy.NEAR_COPIES, 1))
    order = np.argsort(-residual[first, second], kind="stable")
    return np.stack([first, second], axis=1)[order]


def voices(law: FactorLaw) -> Floats:
    """Return (k,) how many judges each factor's score listens to: (sum w)^2 / sum w^2.

    w = loading^2 / noise is what a judge tells of the factor. Two near copies that made the factor
    their own count 2 in a panel of any size, though neither need be at the floor of its noise and
    their residuals need not correlate.
    """
    heard = law.noise > 0
    told = law.loading[heard] ** 2 / law.noise[heard, None]
    squares = (told**2).sum(axis=0)
    result: Floats = told.sum(axis=0) ** 2 / np.where(squares > 0, squares, 1.0)
    return result
