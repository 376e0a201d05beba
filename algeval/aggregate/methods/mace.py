"""MACE: a judge either knows the label or answers from a habit (Hovy et al., 2013), by EM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.aggregate.fitting import (
    Data,
    check_number,
    check_whole,
    data_warnings,
    refused,
    table_evaluation,
)
from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.methods.one_coin import label_starts
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.models.binary import log_sum_exp
from algeval.result import Status

__all__ = ["mace"]


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Answers given (A, U, N), counts (U,), labels R, pseudo-counts and the prevalence rule."""

    gave: Floats
    counts: Floats
    n_labels: int
    knowing: tuple[float, float]
    habit: float
    rule: PrevalenceRule


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    theta: Floats
    xi: Floats
    prevalence: Floats
    posterior: Floats
    log_likelihood: float
    objective: float
    converged: bool
    trace: tuple[float, ...]


def mace(
    data: Data,
    *,
    knowing: tuple[float, float] = (1.5, 1.5),
    habit: float = 1.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    tol: float = 1e-8,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels when some judges sometimes answer without looking.

    Use it for crowds with spammers: a judge knows the label with a chance of its own, and answers
    from a habit, the same on every item, when it does not. It assumes independent errors given the
    label, and that nobody is worse than guessing. A vote left out leaves its factor out.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    knowing : (a, b)
        Beta prior of each judge's chance of knowing, each at least 1.
    habit : float
        Dirichlet prior of each judge's habit, at least 1.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`. The original takes equal shares: pass them to have it so.
    n_starts, seed
        EM from the majority's vote shares, then from perturbations of them; the best is kept.
    tol, max_iter
        EM stops when no chance of knowing moves by more than `tol`.

    Returns
    -------
    Aggregation
        `parameters` holds knowing (N,) and habit (N, A). Status ok, not_converged, or
        not_identifiable below 3 judges. `trace` is the penalised log-likelihood.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Maximum a posteriori, where the original has a variational posterior under Beta(1/2, 1/2).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> mace(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    rule = read_prevalence(prevalence, sketch.labels)
    settings = {
        "knowing": [check_number("knowing", value, least=1.0) for value in knowing],
        "habit": check_number("habit", habit, least=1.0),
        "prevalence": rule.setting,
        "n_starts": check_whole("n_starts", n_starts),
        "seed": seed,
        "tol": check_number("tol", tol, least=0.0, strict=True),
        "max_iter": check_whole("max_iter", max_iter),
    }
    if int((sketch.missing < sketch.n_items).sum()) < 3:
        why = "MACE must have at least 3 judges who answered; got fewer; add judges"
        return refused(read, "mace", settings, why)
    problem = _Problem(
        gave=np.stack([(sketch.codes == a).astype(float) for a in range(sketch.n_answers)]),
        counts=sketch.counts.astype(float),
        n_labels=sketch.n_labels,
        knowing=(float(knowing[0]) - 1, float(knowing[1]) - 1),
        habit=float(habit) - 1,
        rule=rule,
    )
    fits = [_em(problem, start, tol, max_iter) for start in label_starts(sketch, n_starts, seed)]
    return _result(read, settings, max(fits, key=lambda fit: fit.objective))


def _tables(theta: Floats, xi: Floats, n_labels: int) -> Floats:
    """Return (N, R, A): chance of each answer, given the label."""
    tables = np.repeat(((1 - theta)[:, None] * xi)[:, None, :], n_labels, axis=1)
    diagonal = np.arange(n_labels)
    tables[:, diagonal, diagonal] += theta[:, None]
    return tables


def _em(problem: _Problem, posterior: Floats, tol: float, max_iter: int) -> _Fit:
    n_answers, _, n_judges = problem.gave.shape
    theta = np.full(n_judges, 0.5)
    xi = np.full((n_judges, n_answers), 1 / n_answers)
    trace: list[float] = []
    converged = False
    for _ in range(max_iter):
        old = theta
        theta, xi = _m_step(problem, posterior, theta, xi)
        prevalence = problem.rule.update(problem.counts @ posterior)
        joint = _log_joint(problem, theta, xi, prevalence)
        each = log_sum_exp(joint)
        posterior = np.exp(joint - each[:, None])
        height = float(problem.counts @ each)
        trace.append(_objective(problem, height, theta, xi, prevalence))
        converged = len(trace) > 1 and float(np.abs(theta - old).max()) <= tol
        if converged:
            break
    return _Fit(theta, xi, prevalence, posterior, height, trace[-1], converged, tuple(trace))


def _m_step(
    problem: _Problem, posterior: Floats, theta: Floats, xi: Floats
) -> tuple[Floats, Floats]:
    weight = posterior * problem.counts[:, None]
    total = np.stack([problem.counts @ gave for gave in problem.gave], axis=1)
    hits = np.zeros_like(total)
    for t in range(problem.n_labels):
        hits[:, t] = weight[:, t] @ problem.gave[t]
    knew_share = theta[:, None] / (theta[:, None] + (1 - theta)[:, None] * xi)
    knew = hits * np.where(theta[:, None] > 0, knew_share, 0.0)
    a, b = problem.knowing
    number = total.sum(axis=1) + a + b
    fresh = np.divide(knew.sum(axis=1) + a, number, where=number > 0, out=np.zeros(len(theta)))
    guessed = total - knew + problem.habit
    row = guessed.sum(axis=1, keepdims=True)
    habit = np.where(row > 0, guessed / np.where(row > 0, row, 1.0), 1 / guessed.shape[1])
    return np.clip(fresh, 1e-12, 1 - 1e-12), np.maximum(habit, 1e-12)


def _log_joint(problem: _Problem, theta: Floats, xi: Floats, prevalence: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        logs = np.log(_tables(theta, xi, problem.n_labels))
        joint = np.tile(np.log(prevalence), (len(problem.counts), 1))
    for a, gave in enumerate(problem.gave):
        joint += gave @ logs[:, :, a]
    return joint


def _objective(
    problem: _Problem, height: float, theta: Floats, xi: Floats, prevalence: Floats
) -> float:
    a, b = problem.knowing
    told = a * np.log(theta).sum() + b * np.log1p(-theta).sum() + problem.habit * np.log(xi).sum()
    return float(height + told + problem.rule.log_prior(prevalence))


def _result(read: Patterns, settings: dict[str, Any], fit: _Fit) -> Aggregation:
    sketch = read.sketch
    tables = _tables(fit.theta, fit.xi, sketch.n_labels)
    tables /= tables.sum(axis=2, keepdims=True)
    evaluation = table_evaluation(sketch, tables, fit.posterior, fit.prevalence)
    told = data_warnings(sketch, "each leaves its factor out of the product, left out at random")
    idle = [j for j, known in zip(sketch.judges, fit.theta, strict=True) if known < 0.05]
    if idle:
        told.append(f"{', '.join(idle)} almost never know the label, by this model.")
    ended = "" if fit.converged else " EM was stopped before it settled."
    return assemble(
        read,
        method="mace",
        settings=settings,
        message=f"MACE model of {sketch.n_judges} judges, fitted to {sketch.n_items} items.{ended}",
        posterior=fit.posterior,
        evaluation=evaluation,
        status=Status.OK if fit.converged else Status.NOT_CONVERGED,
        log_likelihood=fit.log_likelihood,
        n_iter=len(fit.trace),
        converged=fit.converged,
        trace=fit.trace,
        warnings=tuple(told),
        parameters={"knowing": fit.theta, "habit": fit.xi},
    )
