"""What the kernels of two-class models share: starts, penalty, weights of completed patterns.

Arrays in, arrays out.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.models.binary import Floats, completions, expit, log_expit

__all__ = [
    "Completed",
    "complete",
    "first_point",
    "mean_votes",
    "penalty",
    "soft_majority",
    "starting_points",
    "weigh",
]


class Completed(Protocol):
    """Patterns with every vote left out filled in, in turn, by both answers.

    `origin` is the observed pattern of each completed one, `starts` where those of each begin.
    """

    @property
    def origin(self) -> NDArray[np.intp]:
        """Observed pattern of each completed one."""

    @property
    def starts(self) -> NDArray[np.intp]:
        """First completed pattern of each observed one."""

    @property
    def counts(self) -> Floats:
        """Items with each observed pattern."""


def complete(votes: NDArray[np.int8], counts: NDArray[np.int64]) -> tuple[Floats, dict[str, Any]]:
    """Return the completed patterns, and origin, starts, counts and mean votes."""
    rows, origin = completions(votes)
    return rows.astype(float), {
        "origin": origin,
        "starts": np.flatnonzero(np.diff(origin, prepend=-1)),
        "counts": counts.astype(float),
        "center": mean_votes(votes, counts),
    }


def mean_votes(votes: NDArray[np.int8], counts: NDArray[np.int64]) -> Floats:
    """Return (K,): each judge's share of 1 among its votes, 0 without any."""
    weight = counts[:, None] * (votes >= 0)
    result: Floats = (weight * (votes == 1)).sum(axis=0) / np.maximum(weight.sum(axis=0), 1)
    return result


def soft_majority(votes: NDArray[np.int8]) -> Floats:
    """Return (U,): each pattern's share of 1 votes, clipped to [.1, .9]; no votes give .5."""
    answered = (votes >= 0).sum(axis=1)
    share = np.where(answered > 0, (votes == 1).sum(axis=1) / np.maximum(answered, 1), 0.5)
    return np.clip(share, *policy.SOFT_MAJORITY)


def starting_points(votes: NDArray[np.int8], starts: int, rng: np.random.Generator) -> list[Floats]:
    """Return soft-majority posteriors and perturbed copies of them, `starts` in all."""
    first = soft_majority(votes)
    log_odds = np.log(first / (1 - first))
    points = [first]
    for _ in range(starts - 1):
        points.append(expit(log_odds + rng.normal(0.0, policy.NOISE, len(first))))
    return points


def first_point(held: Floats, counts: Floats, size: int, *, free: bool) -> Floats:
    """Return the vector of independence, with the prevalence of `held` posteriors where free."""
    theta = np.zeros(size)
    if free:
        share = float(np.clip(counts @ held / counts.sum(), *policy.FIRST_SHARE))
        theta[-1] = np.log(share / (1 - share))
    return theta


def penalty(
    theta: Floats, scale: Floats, prior: tuple[float, float] | None
) -> tuple[float, Floats]:
    """Return half the scaled squares, less the log of the Beta prior of the prevalence; and slope.

    `prior` is None where the prevalence is fixed; else its log-odds stands last in the vector.
    """
    height, slope = 0.5 * float((scale * theta**2).sum()), scale * theta
    if prior is not None:
        a, b, odds = prior[0] - 1, prior[1] - 1, float(theta[-1])
        height -= a * float(log_expit(odds)) + b * float(log_expit(-odds))
        slope[-1] = (a + b) * expit(odds) - a
    return height, slope


def weigh(joint: Floats, total: Floats, at: Completed, held: Floats | None) -> tuple[Floats, float]:
    """Return the weights (rows, 2) of completed patterns by label, and the log-likelihood.

    With `held` posteriors of label 1, those of the M-step and its objective.
    """
    origin, counts = at.origin, at.counts
    if held is None:
        return np.exp(joint - total[origin, None]) * counts[origin, None], float(counts @ total)
    share = (counts / np.bincount(origin))[origin]
    weights = np.stack([1 - held, held], axis=1)[origin] * share[:, None]
    return weights, float((weights * joint).sum())
