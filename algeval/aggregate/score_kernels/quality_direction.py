"""Which direction of a low-rank part is quality: leading, balanced, anchored, or a subtraction.

With one latent variable per eigenvector v of L, its mean given standardised scores z is a multiple of
v.z: weights are v itself, of length 1, and no inverse is taken. Nothing in L says which of its
directions is what the user means; each rule is an assertion. Arrays in, arrays out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.presence import by_presence
from algeval.aggregate.score_kernels.rank_correlation import mid_ranks

__all__ = [
    "Directions",
    "Quality",
    "anchored",
    "balanced",
    "directions",
    "latent",
    "leading",
    "subtraction",
    "with_latents",
]


class Directions(NamedTuple):
    """Eigenvalues (r,), largest first, and eigenvectors (p, r), each with a sum of at least 0."""

    values: Floats
    vectors: Floats

    @property
    def breadth(self) -> Floats:
        """(r,) cosine with equal weights on all judges: 1 if balanced, near 0 if narrow or mixed."""
        result: Floats = self.vectors.sum(axis=0) / np.sqrt(len(self.vectors))
        return result

    def scores(self, standard: Floats) -> Floats:
        """Return (n_items, r) the score of every item along every direction (E.8)."""
        result: Floats = standard @ self.vectors
        return result


class Quality(NamedTuple):
    """The direction taken.

    Attributes
    ----------
    weights : (p,) array
        Of length 1, for standardised scores.
    place : int
        Which eigenvector, 0 the leading one.
    gap : float
        Distance of its eigenvalue to the nearest other one as a share of the larger, 1 where it is
        alone: an eigenvector is known no better than noise / gap.
    """

    weights: Floats
    place: int
    gap: float

    @property
    def tied(self) -> bool:
        """Whether another eigenvalue is so near that the direction is open."""
        return self.gap < policy.NEAR_TIE


def directions(low_rank: Floats) -> Directions:
    """Return the directions of L whose eigenvalues exceed `policy.SPLIT_ZERO`."""
    values, vectors = np.linalg.eigh(low_rank)
    kept = values[::-1] > policy.SPLIT_ZERO
    vectors = vectors[:, ::-1][:, kept]
    return Directions(values[::-1][kept], vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0))


def leading(found: Directions) -> Quality:
    """Return the eigenvector of the largest eigenvalue: quality is what judges share most.

    The least robust rule: a few near copies share more with one another than good judges do.
    """
    return _taken(found, 0)


def balanced(found: Directions) -> Quality:
    """Return the eigenvector of largest breadth: quality is what all judges share alike."""
    return _taken(found, int(found.breadth.argmax()))


def anchored(found: Directions, standard: Floats, anchors: Floats) -> Quality:
    """Return the eigenvector whose scores of (m, p) anchored items agree best with (m,) anchors.

    Agreement is the rank correlation in size; the sign follows it, for anchors tell it better than
    the sum of the weights. Without any agreement the sum decides.
    """
    columns = np.column_stack([found.scores(standard), anchors])
    ranks = np.apply_along_axis(mid_ranks, 0, columns)
    ranks -= ranks.mean(axis=0)
    size = np.linalg.norm(ranks, axis=0)
    size[size == 0] = np.inf
    agreement = (ranks[:, :-1].T @ ranks[:, -1]) / (size[:-1] * size[-1])
    place = int(np.abs(agreement).argmax())
    quality = _taken(found, place)
    return quality._replace(weights=-quality.weights) if agreement[place] < 0 else quality


def subtraction(found: Directions, place: int) -> Floats:
    """Return weights (p,) that subtract the other directions from one (C.4), for replication only.

    Columns of loadings are eigenvectors times roots of eigenvalues, for L is loadings times their
    transpose; the formula itself is lost in the text we read. The result hangs on the signs of
    the eigenvectors, which L does not tell: here all sums are at least 0.
    """
    loadings = found.vectors * np.sqrt(found.values)
    weights: Floats = 2 * loadings[:, place] - loadings.sum(axis=1)
    return weights / float(np.linalg.norm(weights))


def _taken(found: Directions, place: int) -> Quality:
    others = np.append(np.delete(found.values, place), 0.0)
    value = found.values[place]
    gap = float((np.abs(others - value) / np.maximum(others, value)).min())
    return Quality(found.vectors[:, place], place, gap)


def with_latents(loadings: Floats, sigma: Floats) -> Floats:
    """Return (p, r) correlations of judges with latent variables of these (p, r) loadings.

    Judges and latents have the joint precision [[S, -K], [-K', I]], so that L = K K', the latents'
    covariance with the judges is Sigma K, and their variance 1 + k' Sigma k.
    """
    covariance = sigma @ loadings
    result: Floats = covariance / np.sqrt(1 + (loadings * covariance).sum(axis=0))
    return result


def latent(loading: Floats, sigma: Floats, standard: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Return (n_items,) mean and variance of a latent variable given the scores seen, prior (0, 1).

    `standard` holds 0 where `seen` is 0. Given all scores it is k.z with variance 1, over its prior
    variance 1 + k' Sigma k; scores not seen are normal given the others.
    """
    total = 1 + float(loading @ sigma @ loading)
    mean, variance = np.zeros(len(seen)), np.zeros(len(seen))
    for given, here in by_presence(seen.astype(bool)):
        weights, left = _given_seen(loading, sigma, given)
        mean[here], variance[here] = standard[here] @ weights, 1 + left
    return mean / np.sqrt(total), variance / total


def _given_seen(loading: Floats, sigma: Floats, seen: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return weights (p,) of the scores seen for k.z, and the variance the others leave."""
    if seen.all():
        return loading, 0.0
    gone = ~seen
    inverse = np.linalg.pinv(sigma[np.ix_(seen, seen)], rcond=policy.SPLIT_SINGULAR, hermitian=True)
    filled = sigma[np.ix_(gone, seen)] @ inverse
    weights = np.zeros(len(loading))
    weights[seen] = loading[seen] + loading[gone] @ filled
    left = sigma[np.ix_(gone, gone)] - filled @ sigma[np.ix_(seen, gone)]
    return weights, max(float(loading[gone] @ left @ loading[gone]), 0.0)
