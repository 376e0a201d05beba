"""The penalised likelihood of two Ising classes on vote patterns, and its climb.

Arrays in, arrays out. Rows are completed vote patterns; the completions of one observed pattern
stand together and are summed over, so a vote left out costs 2^(votes left out) rows and nothing
else. The gradient of the observed log-likelihood is that of the M-step at the current posteriors
(Fisher's identity), so L-BFGS on it climbs the function EM climbs and stops at the same points,
after some dozens of evaluations instead of hundreds of steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.climb import Climb, best_climb_from, climb_value
from algeval.aggregate.kernels.two_classes import CompletedProblem, complete
from algeval.models.binary import Floats, expit, log_expit
from algeval.models.ising import log_partition

Moments = tuple[float, Floats, Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem(CompletedProblem):
    """Votes; `couplings` is 0 (none: independence), 1 (shared by the classes) or 2 (one per class)."""

    J: Floats
    couplings: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of judges."""
        return self.k * (self.k - 1) // 2

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of fields and of couplings."""
        return (self.field_ridge, 2 * self.k), (self.ridge, self.couplings * self.n_pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Parameters:
    """Fields (2, K), couplings (2, K, K) and the log-odds of the prevalence."""

    h: Floats
    W: Floats
    log_odds: float

    def to_dict(self) -> dict[str, Any]:
        """Return what the result of a fit holds of them."""
        return {"fields": self.h, "couplings": self.W, "log_odds": self.log_odds}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Parameters:
        """Read them back."""
        h, W = np.array(found["fields"], float), np.array(found["couplings"], float)
        return cls(h, W, float(found["log_odds"]))


def make_problem(votes: NDArray[np.int8], counts: NDArray[np.int64], **settings: Any) -> Problem:
    """Fill in the votes left out and centre the fields at the mean votes."""
    rows, told = complete(votes, counts)
    return Problem(J=rows, **told, **settings)


def unpack(theta: Floats, problem: Problem) -> Parameters:
    """Return the parameters of Balasubramanian et al., eq. (1), from the vector the climb moves.

    The vector holds fields around the mean votes, h + W m, which couplings move much less.
    """
    k, pairs = problem.k, problem.n_pairs
    upper = np.triu_indices(k, 1)
    W = np.zeros((2, k, k))
    for y in range(problem.couplings and 2):
        block = 2 * k + (problem.couplings - 1) * y * pairs
        W[y][upper] = theta[block : block + pairs]
        W[y] += W[y].T
    h = theta[: 2 * k].reshape(2, k) - W @ problem.center
    return Parameters(h, W, problem.odds(theta))


def partition(h: Floats, W: Floats, coupled: bool) -> Moments:
    """Return log Z, the means and the second moments of one class."""
    if coupled:
        return log_partition(h, W)
    mean = expit(h)
    second = np.outer(mean, mean)
    np.fill_diagonal(second, mean)
    return float(-log_expit(-h).sum()), mean, second


def log_joint(parameters: Parameters, problem: Problem, parts: list[Moments]) -> Floats:
    """Return (rows, 2): log-probability of each completed pattern with each label."""
    J = problem.J
    result = J @ parameters.h.T
    for y in range(2):
        if problem.couplings:
            result[:, y] += 0.5 * ((J @ parameters.W[y]) * J).sum(axis=1)
        result[:, y] += log_expit((2 * y - 1) * parameters.log_odds) - parts[y][0]
    return result


def posteriors(theta: Floats, problem: Problem) -> tuple[Floats, Floats]:
    """Return the posterior of label 1 and the log-probability of each observed pattern."""
    parameters = unpack(theta, problem)
    return problem.posteriors(log_joint(parameters, problem, _partitions(parameters, problem)))


def _partitions(parameters: Parameters, problem: Problem) -> list[Moments]:
    coupled = problem.couplings > 0
    return [partition(parameters.h[y], parameters.W[y], coupled) for y in range(2)]


def value(theta: Floats, problem: Problem, held: Floats | None = None) -> tuple[float, Floats]:
    """Return the penalised log-likelihood and its gradient.

    With `held` posteriors of label 1 it is the M-step's objective, else the observed one.
    """
    parameters = unpack(theta, problem)
    parts = _partitions(parameters, problem)
    weights, likelihood = problem.weigh(log_joint(parameters, problem, parts), held)
    blocks = _slopes(weights, parts, problem)
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, likelihood, blocks)


def _slopes(weights: Floats, parts: list[Moments], problem: Problem) -> list[Floats]:
    """Return the slope of the log-likelihood along fields and couplings, in blocks."""
    J, k = problem.J, problem.k
    totals = weights.sum(axis=0)
    upper = np.triu_indices(k, 1)
    fields = np.empty((2, k))
    pairs = np.empty((2, problem.n_pairs))
    for y in range(2):
        fields[y] = weights[:, y] @ J - totals[y] * parts[y][1]
        if problem.couplings:
            second = (J * weights[:, y : y + 1]).T @ J - totals[y] * parts[y][2]
            shift = np.outer(fields[y], problem.center)
            pairs[y] = (second - shift - shift.T)[upper]
    tested = {0: [], 1: [pairs.sum(axis=0)], 2: [pairs.ravel()]}
    return [fields.ravel(), *tested[problem.couplings]]


def climb(
    theta: Floats, problem: Problem, *, max_iter: int, tol: float, held: Floats | None = None
) -> Climb:
    """Climb the observed objective from one point, or the M-step's with `held` posteriors."""
    objective = partial(value, problem=problem, held=held)
    return climb_value(theta, objective, problem.n_items, max_iter=max_iter, tol=tol)


def best_climb(
    problem: Problem, points: list[Floats], *, max_iter: int, tol: float, screen: int = 0
) -> tuple[Climb, list[float]]:
    """Climb from every starting point; keep the highest. `screen` > 0 finishes only the best.

    Returns the best climb and every start's penalised log-likelihood.
    """
    thetas = [problem.first_point(held) for held in points]
    whole, n, limit = partial(value, problem=problem), problem.n_items, screen or max_iter
    best, heights = best_climb_from(points, thetas, whole, n, max_iter=limit, tol=tol)
    if screen and best.gradient > tol:
        best = climb(best.theta, problem, max_iter=max_iter, tol=tol)
    return best, heights


def swap_classes(parameters: Parameters) -> Parameters:
    """Return the same law with the names of the two labels exchanged."""
    return Parameters(parameters.h[::-1].copy(), parameters.W[::-1].copy(), -parameters.log_odds)
