"""Expectation-maximisation for judges that err independently given the true label.

The kernel of Dawid and Skene's method: arrays in, arrays out. It sees the votes only through two
sums (`VoteSums`), so counts of decision tuples and long tables of triples run the same code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algeval.aggregate.prevalence import PrevalenceRule
from algeval.aggregate.results import Floats
from algeval.aggregate.votes import VoteSums

__all__ = ["Fit", "Problem", "log_table", "posterior_of", "run_em"]

_TINY = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What EM maximises.

    Attributes
    ----------
    votes : VoteSums
    counts : (U,) float array
        Items per row.
    pseudo : (N, R, A) array
        Pseudo-counts, alpha - 1 of the Dirichlet priors on the confusion rows.
    prevalence : PrevalenceRule
    """

    votes: VoteSums
    counts: Floats
    pseudo: Floats
    prevalence: PrevalenceRule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where EM ended; `mass` (N, R) is the expected number of items behind each confusion row."""

    prevalence: Floats
    confusion: Floats
    mass: Floats
    posterior: Floats
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool

    @property
    def objective(self) -> float:
        """Penalised log-likelihood at the end, nats."""
        return self.trace[-1]


def run_em(problem: Problem, start: Floats, *, tol: float, max_iter: int) -> Fit:
    """Run EM from a posterior (U, R) until both the objective and the parameters stand still.

    Stops after the first step that gains at most `tol` nats per item and moves no parameter by
    more than `tol`, or after `max_iter` E-steps. Rows that rest on less than one item are weighed
    by what they rest on.
    """
    n_items = problem.counts.sum()
    prevalence, confusion, mass = _m_step(problem, start)
    trace: list[float] = []
    converged = False
    while True:
        scores = problem.votes.scores(log_table(confusion))
        posterior, evidence = posterior_of(scores, prevalence)
        log_likelihood = float((problem.counts * evidence).sum())
        trace.append(log_likelihood + _log_prior(problem, prevalence, confusion))
        moved_to = _m_step(problem, posterior)
        moved = _distance((prevalence, confusion), moved_to)
        still = len(trace) > 1 and trace[-1] - trace[-2] <= tol * n_items
        converged = still and moved <= tol
        if converged or len(trace) >= max_iter:
            break
        prevalence, confusion, mass = moved_to
    return Fit(
        prevalence=prevalence,
        confusion=confusion,
        mass=mass,
        posterior=posterior,
        log_likelihood=log_likelihood,
        trace=tuple(trace),
        converged=converged,
    )


def log_table(confusion: Floats) -> Floats:
    """Return the logs of probabilities, finite at zero so that 0 * log 0 stays 0."""
    return np.log(np.maximum(confusion, _TINY))


def posterior_of(scores: Floats, prevalence: Floats) -> tuple[Floats, Floats]:
    """Return the posterior (U, R) and the log-likelihood (U,) of rows with these scores."""
    # labels first: sums over a short last axis are several times slower
    joint = np.add(scores.T, np.log(np.maximum(prevalence, _TINY))[:, None], order="C")
    top = joint.max(0)
    np.subtract(joint, top, out=joint)
    np.exp(joint, out=joint)
    total = joint.sum(0)
    joint /= total
    return joint.T, top + np.log(total)


def _m_step(problem: Problem, posterior: Floats) -> tuple[Floats, Floats, Floats]:
    """Return prevalence (R,), confusion (N, R, A) and the mass behind its rows (N, R)."""
    weights = posterior * problem.counts[:, None]
    tables = problem.votes.tables(weights)
    mass = tables.sum(2)
    tables = tables + problem.pseudo
    total = tables.sum(2, keepdims=True)
    known = total > 0
    confusion = np.where(known, tables / np.where(known, total, 1.0), 1.0 / tables.shape[2])
    return problem.prevalence.update(weights.sum(0)), confusion, mass


def _log_prior(problem: Problem, prevalence: Floats, confusion: Floats) -> float:
    used = problem.pseudo > 0
    rows = float(problem.pseudo[used] @ np.log(confusion[used])) if used.any() else 0.0
    return rows + problem.prevalence.log_prior(prevalence)


def _distance(old: tuple[Floats, Floats], new: tuple[Floats, Floats, Floats]) -> float:
    weight = np.minimum(new[2], 1.0)[:, :, None]
    rows = float((np.abs(new[1] - old[1]) * weight).max())
    return max(rows, float(np.abs(new[0] - old[0]).max()))
