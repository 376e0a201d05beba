"""Ising aggregation above 24 judges: pseudo-likelihood M-step, estimated log Z in the E-step.

Arrays in, arrays out. The pseudo-likelihood only moves the parameters; posteriors always come from
the normalised law, so that inflated couplings are not rewarded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algeval.aggregate.kernels.ising import Parameters, Problem, climb_value, unpack
from algeval.aggregate.kernels.ising_partition import Annealed, annealed_log_partition
from algeval.models.binary import Floats, expit, log_expit


@dataclass(frozen=True, slots=True, eq=False)
class ManyFit:
    """Parameters, posteriors (U,), log-probabilities (U,), the two estimates of log Z, the end."""

    parameters: Parameters
    share: Floats
    total: Floats
    partitions: tuple[Annealed, Annealed]
    converged: bool
    steps: int


def many_joint(parameters: Parameters, log_z: tuple[float, float] | Floats, J: Floats) -> Floats:
    """Return (U, 2): log-probability of complete votes with each label."""
    joint = J @ parameters.h.T
    for y in range(2):
        joint[:, y] += 0.5 * ((J @ parameters.W[y]) * J).sum(axis=1) - log_z[y]
        joint[:, y] += log_expit((2 * y - 1) * parameters.log_odds)
    return joint


def fit_many(problem: Problem, held: Floats, *, seed: int, max_iter: int, tol: float) -> ManyFit:
    """Run EM from some posteriors until no posterior moves by more than `tol`."""
    theta = np.zeros(problem.size)
    converged, steps = False, 0
    while not converged and steps < max_iter:
        steps += 1
        theta = _m_step(theta, problem, held)
        parameters = unpack(theta, problem)
        first, second = (
            annealed_log_partition(parameters.h[y], parameters.W[y], seed) for y in range(2)
        )
        joint = many_joint(parameters, (first.log_z, second.log_z), problem.J)
        fresh = expit(joint[:, 1] - joint[:, 0])
        converged = float(np.abs(fresh - held).max()) <= tol
        held = fresh
    total = np.logaddexp(joint[:, 0], joint[:, 1])
    return ManyFit(parameters, held, total, (first, second), converged, steps)


def _m_step(theta: Floats, problem: Problem, held: Floats) -> Floats:
    n = float(problem.counts.sum())
    weights = np.stack([1 - held, held], axis=1) * problem.counts[:, None]
    found = climb_value(
        theta, lambda point: _pseudo_value(point, problem, weights), n, max_iter=60, tol=1e-5
    ).theta
    if problem.log_odds is None:
        a, b = problem.prior
        found[-1] = np.log(weights[:, 1].sum() + a - 1 + 1e-9) - np.log(
            weights[:, 0].sum() + b - 1 + 1e-9
        )
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
    scale = np.zeros(len(theta))
    scale[: 2 * k] = problem.field_ridge
    scale[2 * k : 2 * k + len(tested)] = problem.ridge
    return height - 0.5 * float((scale * theta**2).sum()), gradient - scale * theta
