"""What the kernels of two-class models share: the prevalence, penalty, completed patterns, starts.

Arrays in, arrays out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.models.binary import Floats, completions, expit, log_expit

__all__ = [
    "CompletedProblem",
    "TwoClassProblem",
    "complete",
    "penalty",
    "soft_majority",
    "starting_points",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoClassProblem:
    """Items with each pattern, and what is known of the prevalence.

    `log_odds` fixes the log-odds of the second label. Where it is None they are free: the last entry
    of the vector the climb moves, with `prior` = (a, b), the Beta prior of the label's share.
    """

    counts: Floats
    log_odds: float | None
    prior: tuple[float, float]

    @property
    def free(self) -> bool:
        """Whether the prevalence is free."""
        return self.log_odds is None

    @property
    def n_items(self) -> float:
        """Number of items."""
        return float(self.counts.sum())

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """The ridge and the number of the entries of each kind, in the order of the vector."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of free parameters."""
        return sum(entries for _, entries in self.penalties) + self.free

    @property
    def ridges(self) -> Floats:
        """The penalty of each entry of the vector; none of the prevalence."""
        heights, entries = zip(*self.penalties, (0.0, int(self.free)), strict=True)
        return np.repeat(heights, entries)

    def odds(self, theta: Floats) -> float:
        """Return the log-odds of the prevalence."""
        return float(theta[-1]) if self.log_odds is None else self.log_odds

    def odds_slope(self, theta: Floats, mass: Floats) -> list[Floats]:
        """Return the slope along free log-odds, given the weight (2,) of the labels, as a block."""
        return [mass[1:] - mass.sum() * expit(theta[-1:])] if self.free else []

    def penalised(self, theta: Floats, height: float, blocks: list[Floats]) -> tuple[float, Floats]:
        """Return the penalised height, and its slope from the blocks of the height's."""
        cost, pull = penalty(theta, self.ridges, self.prior if self.free else None)
        return height - cost, np.concatenate(blocks) - pull

    def first_point(self, held: Floats) -> Floats:
        """Return the vector of independence, with the prevalence of `held` posteriors where free."""
        theta = np.zeros(self.size)
        if self.free:
            share = float(np.clip(self.counts @ held / self.n_items, *policy.FIRST_SHARE))
            theta[-1] = np.log(share / (1 - share))
        return theta


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompletedProblem(TwoClassProblem):
    """Patterns with every vote left out filled in, in turn, by both answers.

    `origin` is the observed pattern of each completed one, `starts` where those of each begin;
    `center` is the mean votes (K,) around which fields are penalised.
    """

    origin: NDArray[np.intp]
    starts: NDArray[np.intp]
    center: Floats
    ridge: float
    field_ridge: float

    @property
    def k(self) -> int:
        """Number of judges."""
        return len(self.center)

    def posteriors(self, joint: Floats) -> tuple[Floats, Floats]:
        """Return the posterior of label 1 and the log-probability of each observed pattern.

        `joint` is the log-probability (rows, 2) of each completed pattern with each label.
        """
        total = self._summed(np.logaddexp(joint[:, 0], joint[:, 1]))
        return np.exp(self._summed(joint[:, 1]) - total), total

    def _summed(self, logs: Floats) -> Floats:
        if len(self.starts) == len(logs):
            return logs
        return np.logaddexp.reduceat(logs, self.starts)

    def weigh(self, joint: Floats, held: Floats | None) -> tuple[Floats, float]:
        """Return the weights (rows, 2) of completed patterns by label, and the log-likelihood.

        With `held` posteriors of label 1, those of the M-step and its objective.
        """
        origin, counts = self.origin, self.counts
        if held is None:
            total = self._summed(np.logaddexp(joint[:, 0], joint[:, 1]))
            return np.exp(joint - total[origin, None]) * counts[origin, None], float(counts @ total)
        share = (counts / np.bincount(origin))[origin]
        weights = np.stack([1 - held, held], axis=1)[origin] * share[:, None]
        return weights, float((weights * joint).sum())


def complete(votes: NDArray[np.int8], counts: NDArray[np.int64]) -> tuple[Floats, dict[str, Any]]:
    """Return the completed patterns, and origin, starts, counts and mean votes.

    The mean vote of a judge is the share of 1 among its votes, 0 without any.
    """
    rows, origin = completions(votes)
    weight = counts[:, None] * (votes >= 0)
    return rows.astype(float), {
        "origin": origin,
        "starts": np.flatnonzero(np.diff(origin, prepend=-1)),
        "counts": counts.astype(float),
        "center": (weight * (votes == 1)).sum(axis=0) / np.maximum(weight.sum(axis=0), 1),
    }


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
