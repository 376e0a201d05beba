"""The penalised likelihood of a latent-factor model on vote patterns, and its climb.

Arrays in, arrays out. Judge j votes 1 with log-odds b_j + a_j (y - 1/2) + lambda_j . z, the r
entries of z standard normal and unseen (Balasubramanian et al., Proposition 1). The factors are summed over a
trapezoid grid; a vote left out leaves its chance out. The gradient is the M-step's at the current
posteriors of (y, z).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.kernels.two_classes import TwoClassProblem
from algeval.errors import TooLargeError
from algeval.models.binary import Floats, expit, log_expit, log_sum_exp


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FactorProblem(TwoClassProblem):
    """Votes, (Q, r) nodes and penalties."""

    ones: Floats
    zeros: Floats
    nodes: Floats
    log_weights: Floats
    ridge: float
    loading_ridge: float

    @property
    def k(self) -> int:
        """Number of judges."""
        return int(self.ones.shape[1])

    @property
    def rank(self) -> int:
        """Number of factors."""
        return int(self.nodes.shape[1])

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of baselines and effects, and of loadings."""
        return (self.ridge, 2 * self.k), (self.loading_ridge, self.rank * self.k)


@dataclass(frozen=True, slots=True, eq=False)
class FactorParameters:
    """Baselines b and label effects a (K,), loadings lam (K, r), the prevalence's log-odds."""

    b: Floats
    a: Floats
    lam: Floats
    log_odds: float


def make_factor_problem(
    votes: NDArray[np.int8],
    counts: NDArray[np.int64],
    *,
    n_nodes: int,
    rank: int = 1,
    **settings: Any,
) -> FactorProblem:
    """Lay out the votes and the grid of the factors, `n_nodes` along each."""
    cells = 2 * n_nodes**rank * len(votes)
    if cells > policy.MOST_FACTOR_CELLS:
        raise TooLargeError(
            f"the sum over the hidden traits must have at most {policy.MOST_FACTOR_CELLS:,} cells "
            f"(patterns x labels x nodes); got {cells:,}, {8 * cells / 1e9:.1f} GB for each array; lower "
            "n_nodes or rank"
        )
    line = np.linspace(-policy.REACH, policy.REACH, n_nodes)
    nodes = np.stack(np.meshgrid(*([line] * rank), indexing="ij"), axis=-1).reshape(-1, rank)
    log_weights = -0.5 * (nodes**2).sum(axis=1)
    return FactorProblem(
        ones=(votes == 1).astype(float),
        zeros=(votes == 0).astype(float),
        counts=counts.astype(float),
        nodes=nodes,
        log_weights=log_weights - log_sum_exp(log_weights),
        **settings,
    )


def unpack_factor(theta: Floats, problem: FactorProblem) -> FactorParameters:
    """Return the parameters from the vector the climb moves."""
    b, a, *axes = theta[: (2 + problem.rank) * problem.k].reshape(-1, problem.k)
    return FactorParameters(b, a, np.stack(axes, axis=1), problem.odds(theta))


def factor_joint(parameters: FactorParameters, problem: FactorProblem) -> tuple[Floats, Floats]:
    """Return (U, 2, Q) log-probabilities of pattern, label and node, and (K, 2, Q) log-odds."""
    odds = np.stack(
        [
            (parameters.b + side * parameters.a)[:, None] + parameters.lam @ problem.nodes.T
            for side in (-0.5, 0.5)
        ],
        axis=1,
    )
    flat = odds.reshape(problem.k, -1)
    joint = problem.ones @ log_expit(flat) + problem.zeros @ log_expit(-flat)
    prior = log_expit(np.array([-1.0, 1.0]) * parameters.log_odds)
    weights = prior[:, None] + problem.log_weights
    return joint.reshape(len(joint), 2, -1) + weights, odds


def factor_posteriors(theta: Floats, problem: FactorProblem) -> tuple[Floats, Floats]:
    """Return the posterior of label 1 and the log-probability of each pattern."""
    joint, _ = factor_joint(unpack_factor(theta, problem), problem)
    by_label = log_sum_exp(joint)
    total = log_sum_exp(by_label)
    return np.exp(by_label[:, 1] - total), total


def factor_value(
    theta: Floats, problem: FactorProblem, held: Floats | None = None
) -> tuple[float, Floats]:
    """Return the penalised log-likelihood and its gradient; with `held` label posteriors fixed."""
    parameters = unpack_factor(theta, problem)
    joint, odds = factor_joint(parameters, problem)
    by_label = log_sum_exp(joint)
    if held is None:
        label = by_label - log_sum_exp(by_label)[:, None]
        share = problem.counts[:, None] * np.exp(label)
        likelihood = float(problem.counts @ log_sum_exp(by_label))
    else:
        share = problem.counts[:, None] * np.stack([1 - held, held], axis=1)
        likelihood = float((share * by_label).sum())
    weights = (share[:, :, None] * np.exp(joint - by_label[:, :, None])).reshape(len(joint), -1)
    slope = problem.ones.T @ weights
    slope -= (slope + problem.zeros.T @ weights) * expit(odds.reshape(problem.k, -1))
    slope = slope.reshape(odds.shape)
    by_class = slope.sum(axis=2)
    blocks = [
        by_class.sum(axis=1),
        0.5 * (by_class[:, 1] - by_class[:, 0]),
        (slope.sum(axis=1) @ problem.nodes).T.ravel(),
        *problem.odds_slope(theta, share.sum(axis=0)),
    ]
    return problem.penalised(theta, likelihood, blocks)
