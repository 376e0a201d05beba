"""How many times over agreement is counted when judges who err together are taken as independent.

Each judge's vote is evidence, a vector with one entry per label. Where judges err independently,
the variance of the summed evidence of an item, within a class, is the sum of the variances. The
ratio of the two says how far the sum is inflated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algeval.aggregate.em import log_table
from algeval.aggregate.results import Floats
from algeval.aggregate.votes import VoteSums

__all__ = ["Overcounting", "overcounting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcounting:
    """Variance of the summed evidence over the sum of its variances.

    Attributes
    ----------
    within : float
        Around the means of the classes found: 1 under independence. The classes take up part of
        what judges share, so it understates.
    bound : float
        Around the overall means, as if every bit of agreement were shared error. Errors of the
        classes found add to it, so that it is no limit of how far posteriors overcount.
    """

    within: float
    bound: float


def overcounting(
    votes: VoteSums,
    confusion: Floats,
    posterior: Floats,
    counts: Floats,
    judge_weights: Floats | None = None,
) -> Overcounting:
    """Return both ratios of an independent fit.

    Parameters
    ----------
    votes : VoteSums
        Of U decision tuples.
    confusion : (N, R, A) array
        Without NaN; rows of judges who never answered are not read.
    posterior : (U, R) array
    counts : (U,) array
    judge_weights : (N,) array, optional
        What each judge's evidence was multiplied by.
    """
    evidence = log_table(confusion)
    evidence = evidence - evidence.mean(axis=1, keepdims=True)
    if judge_weights is not None:
        evidence = evidence * judge_weights[:, None, None]
    weights = posterior * counts[:, None]
    mass = votes.tables(weights)
    sums = np.zeros(2)
    parts = np.zeros(2)
    for label in range(weights.shape[1]):
        spread = _spread(votes, evidence, mass[:, label], weights[:, label])
        sums[0] += spread[0]
        parts[0] += spread[1]
    sums[1], parts[1] = _spread(votes, evidence, mass.sum(axis=1), counts)
    ratios = np.divide(sums, parts, out=np.ones(2), where=parts > 0)
    return Overcounting(within=float(ratios[0]), bound=float(ratios[1]))


def _spread(
    votes: VoteSums, evidence: Floats, mass: Floats, weights: Floats
) -> tuple[float, float]:
    """Return the weighted squared length of the summed evidence, and the sum of the lengths.

    Evidence (N, R, A) is taken around each judge's mean under its answers' mass (N, A).
    """
    total = mass.sum(axis=1)
    share = mass / np.where(total > 0, total, 1.0)[:, None]
    moved = evidence - np.einsum("jra,ja->jr", evidence, share)[:, :, None]
    summed = votes.scores(moved)
    parts = float(((moved**2).sum(axis=1) * mass).sum())
    return float(weights @ (summed**2).sum(axis=1)), parts
