"""Expectation-maximisation: the one loop, and the one EM of judges who err independently.

Arrays in, arrays out. EM sees the votes only through two sums (`VoteSums`), so counts of decision
tuples and long tables of triples run the same code. A model says how a judge's table follows from
expected counts of its answers: freely (Dawid and Skene), by one accuracy, or by knowing and habit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.prevalence import PrevalenceRule
from algeval.aggregate.results import End, Floats
from algeval.aggregate.votes import VoteSums
from algeval.progress import steps

__all__ = ["Fit", "Problem", "Step", "best_em", "iterate", "log_table", "posterior_of", "run_em"]


class Step(NamedTuple):
    """One step: what is reported if it is the last, where it leads, how far, and how high it stands.

    `moved` is the largest move of a probability; `height` is in nats, or None where the loop climbs
    nothing: approximate steps have no objective that must rise.
    """

    found: Any
    following: Any
    moved: float
    height: float | None = None


def iterate(
    step: Callable[[Any], Step], start: Any, *, tol: float, n_items: float, max_iter: int
) -> tuple[Any, End]:
    """Repeat a step until it stands still; return what the last one found, and how it ended.

    The one meaning of `tol`: converged is the first step that gains at most `tol` nats per item and
    moves no probability (of an answer, of a label) by more than `tol`. A loop without an objective
    is judged by its moves alone.
    """
    trace: list[float] = []
    state, n_iter = start, 0
    while True:
        found, state, moved, height = step(state)
        n_iter += 1
        still = height is None
        if height is not None:
            trace.append(height)
            still = len(trace) > 1 and trace[-1] - trace[-2] <= tol * n_items
        converged = still and moved <= tol
        if converged or n_iter >= max_iter:
            return found, End(converged, n_iter, tuple(trace), "EM")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What EM maximises; this one has free tables, a model with others overrides its two methods.

    Attributes
    ----------
    tied : bool
        Whether the rows of a judge's table follow from the same few numbers.
    votes : VoteSums
    counts : (U,) float array
        Items per row.
    pseudo : (N, R, A) array
        Pseudo-counts, alpha - 1 of the Dirichlet priors on the confusion rows.
    prevalence : PrevalenceRule
    """

    tied: ClassVar[bool] = False

    votes: VoteSums
    counts: Floats
    pseudo: Floats
    prevalence: PrevalenceRule

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, Any]:
        """Return the (N, R, A) confusion that is best for expected counts, and the model's own.

        `last` is the model's own parameters of the step before, None at first.
        """
        tables = tables + self.pseudo
        total = tables.sum(2, keepdims=True)
        known = total > 0
        return np.where(known, tables / np.where(known, total, 1.0), 1.0 / tables.shape[2]), None

    def log_prior(self, confusion: Floats, own: Any) -> float:
        """Return the log of the prior of the tables, up to a constant."""
        used = self.pseudo > 0
        return float(self.pseudo[used] @ np.log(confusion[used])) if used.any() else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where EM ended; `mass` (N, R) is the expected number of items behind each confusion row.

    `own` holds the parameters of a model whose tables are not free.
    """

    prevalence: Floats
    confusion: Floats
    mass: Floats
    posterior: Floats
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool
    own: Any = None

    @property
    def objective(self) -> float:
        """Penalised log-likelihood at the end, nats."""
        return self.trace[-1]

    @property
    def end(self) -> End:
        """How EM ended."""
        return End(self.converged, len(self.trace), self.trace, "EM")


class _Parameters(NamedTuple):
    prevalence: Floats
    confusion: Floats
    mass: Floats
    own: Any


def run_em(problem: Problem, start: Floats, *, tol: float, max_iter: int) -> Fit:
    """Run EM from a posterior (U, R) until both the objective and the parameters stand still.

    Moves are those of the prevalence and of the tables; a row (where rows are tied, a table) that
    rests on less than one item is weighed by what it rests on. At most `max_iter` E-steps are
    taken. See `iterate` for `tol`.
    """

    def step(at: _Parameters) -> Step:
        scores = problem.votes.scores(log_table(at.confusion))
        posterior, evidence = posterior_of(scores, at.prevalence)
        log_likelihood = float((problem.counts * evidence).sum())
        prior = problem.prevalence.log_prior(at.prevalence)
        height = log_likelihood + (problem.log_prior(at.confusion, at.own) + prior)
        following = _m_step(problem, posterior, at.own)
        moved = _distance(at, following, tied=problem.tied)
        return Step((at, posterior, log_likelihood), following, moved, height)

    n_items = float(problem.counts.sum())
    first = _m_step(problem, start, None)
    found, end = iterate(step, first, tol=tol, n_items=n_items, max_iter=max_iter)
    at, posterior, log_likelihood = found
    return Fit(
        prevalence=at.prevalence,
        confusion=at.confusion,
        mass=at.mass,
        posterior=posterior,
        log_likelihood=log_likelihood,
        trace=end.trace,
        converged=end.converged,
        own=at.own,
    )


def best_em(
    problem: Problem, starts: list[Floats], *, tol: float, max_iter: int
) -> tuple[Fit, list[Fit]]:
    """Run EM from every start; return the fit of the highest objective, and all of them."""
    each = steps(starts, "fitting from several starts")
    fits = [run_em(problem, start, tol=tol, max_iter=max_iter) for start in each]
    return max(fits, key=lambda fit: fit.objective), fits


def log_table(confusion: Floats) -> Floats:
    """Return the logs of probabilities, finite at zero so that 0 * log 0 stays 0."""
    return np.log(np.maximum(confusion, policy.TINY))


def posterior_of(scores: Floats, prevalence: Floats) -> tuple[Floats, Floats]:
    """Return the posterior (U, R) and the log-likelihood (U,) of rows with these scores."""
    # labels first: sums over a short last axis are several times slower
    joint = np.add(scores.T, log_table(prevalence)[:, None], order="C")
    top = joint.max(0)
    np.subtract(joint, top, out=joint)
    np.exp(joint, out=joint)
    total = joint.sum(0)
    joint /= total
    return joint.T, top + np.log(total)


def _m_step(problem: Problem, posterior: Floats, last: Any) -> _Parameters:
    weights = posterior * problem.counts[:, None]
    tables = problem.votes.tables(weights)
    confusion, own = problem.rows(tables, last)
    return _Parameters(problem.prevalence.update(weights.sum(0)), confusion, tables.sum(2), own)


def _distance(old: _Parameters, new: _Parameters, *, tied: bool) -> float:
    mass = new.mass.sum(1, keepdims=True) if tied else new.mass
    weight = np.minimum(mass, 1.0)[:, :, None]
    rows = float((np.abs(new.confusion - old.confusion) * weight).max())
    return max(rows, float(np.abs(new.prevalence - old.prevalence).max()))
