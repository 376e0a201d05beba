"""One normal trait behind standardised scores, by EM on a correlation matrix (Rubin and Thayer 1982).

Judge j's standardised score is loading_j * trait + error_j, trait and errors normal and independent.
Everything below reads rows (distinct tuples of votes, or items) with counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.results import End, Floats

__all__ = [
    "Fitted",
    "KeyLaw",
    "OneFactor",
    "Scale",
    "Standardised",
    "chance_unrelated",
    "common_share",
    "correlations",
    "fit_key",
    "fit_one_factor",
    "higher_share",
    "key_law",
    "key_parameters",
    "key_posterior",
    "read_key",
    "scale_of",
    "standardised",
    "trait",
]


class Scale(NamedTuple):
    """Mean and standard deviation (K,) of each judge's scores; a spread of 0 says nothing."""

    center: Floats
    spread: Floats

    def standard(self, values: Floats) -> Floats:
        """Return (rows, K) standardised scores, 0 where missing or without spread."""
        moving = self.spread > 0
        scaled = (values - self.center) / np.where(moving, self.spread, 1.0)
        result: Floats = np.where(moving & ~np.isnan(values), scaled, 0.0)
        return result


def scale_of(values: Floats, counts: Floats) -> Scale:
    """Return the scale of (rows, K) scores, NaN where missing, on rows that stand for `counts`."""
    seen = ~np.isnan(values)
    weight = counts @ seen
    plain = np.where(seen, values, 0.0)
    center = (counts @ plain) / np.maximum(weight, 1)
    spread = np.sqrt((counts @ np.where(seen, (plain - center) ** 2, 0.0)) / np.maximum(weight, 1))
    return Scale(center, np.where(spread > policy.NO_SPREAD, spread, 0.0))


def common_share(seen: Floats, counts: Floats) -> float:
    """Return the least share of items that some pair of judges has in common."""
    common = (seen * counts[:, None]).T @ seen
    return float(common.min() / counts.sum())


def correlations(standard: Floats, seen: Floats, counts: Floats) -> Floats:
    """Return the (K, K) correlations over the items each pair has in common, made positive."""
    common = (seen * counts[:, None]).T @ seen
    products = (standard * counts[:, None]).T @ standard
    found = products / np.maximum(common, 1)
    np.fill_diagonal(found, 1.0)
    values, vectors = np.linalg.eigh(found)
    if values[0] >= 0:
        return found
    found = (vectors * np.maximum(values, 0.0)) @ vectors.T
    size = np.sqrt(np.diag(found))
    result: Floats = found / np.outer(size, size)
    return result


class Standardised(NamedTuple):
    """Standardised scores (rows, K), 0 where missing; marks of presence; correlations; the scale."""

    scores: Floats
    seen: Floats
    matrix: Floats
    scale: Scale


def standardised(values: Floats, counts: Floats | None = None) -> Standardised:
    """Return (rows, K) values, NaN where missing, as standardised scores with their correlations."""
    counts = np.ones(len(values)) if counts is None else counts
    scale = scale_of(values, counts)
    scores, seen = scale.standard(values), (~np.isnan(values)).astype(float)
    return Standardised(scores, seen, correlations(scores, seen, counts), scale)


def chance_unrelated(matrix: Floats, common: Floats) -> float:
    """Return the chance of correlations (K, K) at least so large if no two judges were related.

    Schott's (2005) test, which holds for more judges than items too: the squares of unrelated
    correlations over n + 1 items have mean 1 / n, so that n r^2 - 1 adds up to about nothing.

    Parameters
    ----------
    matrix : (K, K) array
    common : (K, K) array
        How many items each pair has in common; pairs of fewer than 3 say nothing.
    """
    pairs = np.triu(common >= 3, 1)
    if not pairs.any():
        return 1.0
    free = common[pairs] - 1
    excess = float((free * matrix[pairs] ** 2 - 1).sum())
    variance = float((2 * (free - 1) / (free + 2)).sum())
    return float(ndtr(-excess / np.sqrt(variance)))


class OneFactor(NamedTuple):
    """Loadings and error variances (K,) of standardised scores, and how the iteration ended."""

    loading: Floats
    noise: Floats
    end: End


def fit_one_factor(matrix: Floats, n_items: float, *, tol: float, max_iter: int) -> OneFactor:
    """Return the maximum-likelihood factor of a (K, K) correlation matrix.

    Loadings add up to at least 0. Error variances stay above `policy.LEAST_NOISE`, where a copied
    judge would drive them to 0. The height is n_items times the normal log-likelihood, up to a
    constant; no step lowers it.
    """

    def step(at: tuple[Floats, Floats]) -> Step:
        loading, noise = at
        weight = loading / noise
        signal = 1 + float(loading @ weight)
        height = (
            -n_items
            / 2
            * (
                np.log(noise).sum()
                + np.log(signal)
                + (1 / noise).sum()
                - float(weight @ matrix @ weight) / signal
            )
        )
        slope = weight / signal
        with_trait = matrix @ slope
        trait_variance = 1 - float(slope @ loading) + float(slope @ with_trait)
        new = with_trait / trait_variance
        left = 1 - 2 * new * with_trait + new**2 * trait_variance
        following = new, np.maximum(left, policy.LEAST_NOISE)
        return Step(at, following, float(np.abs(new - loading).max()), float(height))

    values, vectors = np.linalg.eigh(matrix)
    first = vectors[:, -1] * np.sqrt(max(values[-1], 0.0))
    start = first, np.maximum(1 - first**2, policy.FIRST_NOISE)
    (loading, noise), end = iterate(step, start, tol=tol, n_items=n_items, max_iter=max_iter)
    turned = -loading if loading.sum() < 0 else loading
    return OneFactor(turned, noise, end)


def trait(standard: Floats, seen: Floats, found: OneFactor) -> tuple[Floats, Floats]:
    """Return the posterior mean and variance (rows,) of the trait given the scores seen."""
    variance = 1 / (1 + seen @ (found.loading**2 / found.noise))
    return (standard @ (found.loading / found.noise)) * variance, variance


class KeyLaw(NamedTuple):
    """The key as one more judge: its loading, and where its own score is cut for the higher class."""

    loading: float
    threshold: float


def key_law(
    found: OneFactor, variance: Floats, counts: Floats, prevalence: float, *, told: bool
) -> KeyLaw:
    """Return the law of a key that loads as judges do in the root mean square.

    Of a prevalence that was told, the threshold is the quantile of the key's score: probabilities
    are of that share on average. One that was only counted among the judges' answers is a hint, for
    judges share a lean too: then the trait's mean is cut at its own quantile, which has less spread
    and so lies nearer the middle. Judges without spread have no loading and are left out of the mean.
    """
    moving = found.loading[found.loading != 0]
    loading = float(np.sqrt((moving**2).mean())) if len(moving) else 0.0
    loading = min(loading, policy.MOST_LOADING)
    quantile = -float(ndtri(prevalence))
    if told:
        return KeyLaw(loading, quantile)
    left = 1 - float(counts @ variance) / float(counts.sum())
    return KeyLaw(loading, loading * quantile * float(np.sqrt(max(left, 0.0))))


def key_posterior(mean: Floats, variance: Floats, key: KeyLaw) -> Floats:
    """Return (rows,) the probability that the key's class is the higher one."""
    left = 1 - key.loading**2 * (1 - variance)
    result: Floats = ndtr((key.loading * mean - key.threshold) / np.sqrt(left))
    return result


class Fitted(NamedTuple):
    """A trait fitted to rows, the key's law, and for each row the trait and the higher class."""

    scale: Scale
    matrix: Floats
    found: OneFactor
    key: KeyLaw
    mean: Floats
    variance: Floats
    share: Floats


def fit_key(
    values: Floats, counts: Floats, prevalence: float, *, told: bool, tol: float, max_iter: int
) -> Fitted:
    """Fit trait and key to (rows, K) values, NaN where missing; see `key_law` for `told`."""
    standard, seen, matrix, scale = standardised(values, counts)
    found = fit_one_factor(matrix, counts.sum(), tol=tol, max_iter=max_iter)
    mean, variance = trait(standard, seen, found)
    key = key_law(found, variance, counts, prevalence, told=told)
    share = _heard_share(seen, mean, variance, key, prevalence)
    return Fitted(scale, matrix, found, key, mean, variance, share)


def key_parameters(fit: Fitted) -> dict[str, Any]:
    """Return what `read_key` reads back."""
    return {
        "key_loading": fit.key.loading,
        "key_threshold": fit.key.threshold,
        "center": fit.scale.center,
        "spread": fit.scale.spread,
    }


def read_key(parameters: Mapping[str, Any]) -> tuple[Scale, KeyLaw]:
    """Return the judges' scale and the key's law that a result holds."""
    scale = Scale(np.array(parameters["center"], float), np.array(parameters["spread"], float))
    return scale, KeyLaw(float(parameters["key_loading"]), float(parameters["key_threshold"]))


def higher_share(
    values: Floats, scale: Scale, found: OneFactor, key: KeyLaw, prevalence: float
) -> Floats:
    """Return (rows,) probabilities of the higher class for other values of the judges fitted."""
    seen = (~np.isnan(values)).astype(float)
    mean, variance = trait(scale.standard(values), seen, found)
    return _heard_share(seen, mean, variance, key, prevalence)


def _heard_share(
    seen: Floats, mean: Floats, variance: Floats, key: KeyLaw, prevalence: float
) -> Floats:
    """Return the key's posteriors, and the prevalence for rows that nobody answered."""
    return np.where(seen.any(axis=1), key_posterior(mean, variance, key), prevalence)
