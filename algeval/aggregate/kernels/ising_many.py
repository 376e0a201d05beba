"""Ising aggregation above 24 judges: pseudo-likelihood M-step, estimated log Z in the E-step.

Arrays in, arrays out. The pseudo-likelihood only moves the parameters; posteriors always come from
the normalised law, so that inflated couplings are not rewarded.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.climb import climb_value
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.kernels.ising import Parameters, Problem, unpack
from algeval.aggregate.kernels.ising_partition import Annealed, annealed_log_partition
from algeval.aggregate.kernels.two_classes import penalty
from algeval.aggregate.results import End
from algeval.models.binary import Floats, expit, log_expit


class ManyFit(NamedTuple):
    """Parameters, posteriors (U,), log-probabilities (U,) and the two estimates of log Z."""

    parameters: Parameters
    share: Floats
    total: Floats
    partitions: tuple[Annealed, Annealed]


def many_joint(parameters: Parameters, log_z: tuple[float, float] | Floats, J: Floats) -> Floats:
    """Return (U, 2): log-probability of complete votes with each label."""
    joint = J @ parameters.h.T
    for y in range(2):
        joint[:, y] += 0.5 * ((J @ parameters.W[y]) * J).sum(axis=1) - log_z[y]
        joint[:, y] += log_expit((2 * y - 1) * parameters.log_odds)
    return joint


def fit_many(
    problem: Problem, held: Floats, *, seed: int, max_iter: int, tol: float
) -> tuple[ManyFit, End]:
    """Run EM from some posteriors until they stand still; see `iterate` for `tol`."""

    def step(at: tuple[Floats, Floats]) -> Step:
        theta, share = at
        theta = _m_step(theta, problem, share)
        parameters = unpack(theta, problem)
        first, second = (
            annealed_log_partition(parameters.h[y], parameters.W[y], seed) for y in range(2)
        )
        joint = many_joint(parameters, (first.log_z, second.log_z), problem.J)
        fresh = expit(joint[:, 1] - joint[:, 0])
        total = np.logaddexp(joint[:, 0], joint[:, 1])
        found = ManyFit(parameters, fresh, total, (first, second))
        return Step(found, (theta, fresh), float(np.abs(fresh - share).max()))

    start = (np.zeros(problem.size), held)
    return iterate(step, start, tol=tol, n_items=problem.n_items, max_iter=max_iter)


def _m_step(theta: Floats, problem: Problem, held: Floats) -> Floats:
    weights = np.stack([1 - held, held], axis=1) * problem.counts[:, None]
    few, loose = policy.MANY_M_STEP
    objective = partial(_pseudo_value, problem=problem, weights=weights)
    found = climb_value(theta, objective, problem.n_items, max_iter=few, tol=loose).theta
    if problem.free:
        a, b = problem.prior
        no, yes = weights.sum(axis=0) + np.array([b - 1, a - 1]) + policy.EDGE
        found[-1] = np.log(yes) - np.log(no)
    return found


def _pseudo_value(theta: Floats, problem: Problem, weights: Floats) -> tuple[float, Floats]:
    """Return the penalised weighted pseudo-log-likelihood and its gradient (prevalence apart)."""
    parameters = unpack(theta, problem)
    k, J = problem.k, problem.J
    upper = np.triu_indices(k, 1)
    height = 0.0
    fields, pairs = np.empty((2, k)), np.empty((2, problem.n_pairs))
    for y in range(2):
        odds = parameters.h[y] + J @ parameters.W[y]
        weight = weights[:, y]
        height += float(weight @ log_expit(np.where(J > 0.5, odds, -odds)).sum(axis=1))
        left_over = weight[:, None] * (J - expit(odds))
        fields[y] = left_over.sum(axis=0)
        cross = left_over.T @ J
        shift = np.outer(fields[y], problem.center)
        pairs[y] = (cross + cross.T - shift - shift.T)[upper]
    tested = pairs.sum(axis=0) if problem.couplings == 1 else pairs.ravel()
    gradient = np.zeros(len(theta))
    gradient[: 2 * k] = fields.ravel()
    gradient[2 * k : 2 * k + len(tested)] = tested
    cost, pull = penalty(theta, problem.ridges, None)
    return height - cost, gradient - pull
