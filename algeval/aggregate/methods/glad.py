"""GLAD: judges differ in ability, items in difficulty (Whitehill et al., 2009).

A judge is right with chance sigma(alpha_j * exp(b_u)): ability alpha_j, ease exp(b_u) of the item.
Items with the same votes have the same most probable ease, so one ease per vote pattern gives
exactly the answer of one ease per item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.climb import Climb, climb_value
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, Floats
from algeval.data.names import Codes
from algeval.data.settings import check_number
from algeval.models.binary import expit, log_expit, log_sum_exp
from algeval.result.wording import how_many

__all__ = ["glad", "predict"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem:
    """Hits (R, U, N), answers given (U, N), counts (U,), priors; abilities fixed for predicting.

    The vector climbed is the log-ease of every pattern, then abilities and prevalence logits
    unless they are `known`.
    """

    hits: Floats
    given: Floats
    counts: Floats
    others: int
    spread: float
    rule: PrevalenceRule
    known: tuple[Floats, Floats] | None = None


def glad(
    data: fitting.Data,
    *,
    spread: float = 1.0,
    prevalence: Any = "equal",
    seed: int | None = None,
    max_iter: int = 2000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when some items are harder than others and some judges better than others.

    Use it when each item has many votes. It assumes independent errors given the label and the
    item's ease, the same ability on every label, and wrong answers spread evenly over the others.
    One ease per item is a parameter per item: posteriors are too sure with few votes each.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    spread : float
        Standard deviation of the normal priors: abilities around 1, log-eases around 0.
    prevalence : "equal", "free", shares, or ("prior", alpha)
        See `read_prevalence`. The source takes it as known. Beware of "free": one ability for
        all labels has no other way to say that judges are strict or lenient, so the prevalence
        found says it instead, at a higher likelihood and with worse labels (see Notes).
    seed : int, optional
        Has no effect, as the only start is ability 1 and ease 1; deprecated, do not pass it.
    max_iter, tol
        Iterations of the climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds ability (N,) and, per pattern, ease (U,). The evaluation's accuracies
        are averages over items. Status ok, not_converged, or not_identifiable below 3 judges
        or two answers.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    The model of Whitehill et al. (2009), climbed in all parameters at once instead of by EM.
    Bluebird (108 items, 39 workers, their median accuracy 87% on one label and 52% on the other)
    shows what "free" does: it finds a prevalence of 95%, 28 nats (penalised) above equal shares, and labels
    58.3% right instead of 72.2%. Where judges differ by label, prefer 'dawid-skene' (89.8%).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> glad(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    rule = read_prevalence(prevalence, sketch.labels)
    settings = {
        "spread": check_number("spread", spread, least=0.0, strict=True),
        "prevalence": rule.setting,
        "seed": fitting.without_effect("seed", seed, "the only start is ability 1 and ease 1"),
        **fitting.run_settings(max_iter=max_iter, tol=tol),
    }
    if fitting.n_heard(sketch) < fitting.fewest("glad"):
        why = "GLAD must have at least 3 judges who answered; got fewer; add judges"
        return fitting.refused(read, "glad", settings, why)
    if sketch.n_answers < 2:
        why = fitting.one_answer("GLAD", sketch.answers)
        return fitting.refused(read, "glad", settings, why)
    problem = _problem(sketch.codes, sketch.counts.astype(float), sketch.n_answers, rule, spread)
    start = np.concatenate(
        [np.zeros(len(sketch)), np.ones(sketch.n_judges), np.zeros(sketch.n_labels)]
    )
    found = _climb(start, problem, settings)
    b, alpha, shares = _split(found.theta, problem)
    _, _, posterior, each = _value(found.theta, problem)
    chance = expit(np.exp(b)[:, None] * alpha)
    accuracy = problem.counts @ chance / problem.counts.sum()
    return fitting.finish_tables(
        read,
        "glad",
        settings,
        message=f"GLAD model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fitting.coin_tables(accuracy, sketch.n_labels, sketch.n_answers),
        posterior=posterior,
        prevalence=shares,
        end=found.end(settings["tol"]),
        log_likelihood=float(problem.counts @ each),
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        parameters={"ability": alpha, "ease": np.exp(b), "prevalence": shares},
    )


def _problem(
    codes: Codes,
    counts: Floats,
    n_answers: int,
    rule: PrevalenceRule,
    spread: float,
    known: tuple[Floats, Floats] | None = None,
) -> _Problem:
    return _Problem(
        hits=np.stack([(codes == t).astype(float) for t in range(len(rule.pseudo))]),
        given=(codes >= 0).astype(float),
        counts=counts,
        others=n_answers - 1,
        spread=float(spread),
        rule=rule,
        known=known,
    )


def _climb(theta: Floats, problem: _Problem, settings: dict[str, Any]) -> Climb:
    n = float(problem.counts.sum())
    return climb_value(
        theta,
        lambda point: _value(point, problem)[:2],
        n,
        max_iter=int(settings["max_iter"]),
        tol=float(settings["tol"]),
    )


def _split(theta: Floats, problem: _Problem) -> tuple[Floats, Floats, Floats]:
    """Return log-eases, abilities and prevalence."""
    u, k = problem.given.shape
    if problem.known is not None:
        return theta, *problem.known
    logits = theta[u + k :]
    if problem.rule.fixed is not None:
        return theta[:u], theta[u : u + k], problem.rule.fixed
    return theta[:u], theta[u : u + k], np.exp(logits - log_sum_exp(logits))


def _value(theta: Floats, problem: _Problem) -> tuple[float, Floats, Floats, Floats]:
    """Return the penalised log-likelihood, its gradient, posteriors and log-probabilities."""
    b, alpha, prevalence = _split(theta, problem)
    ease = np.exp(np.clip(b, -policy.MOST_LOG_EASE, policy.MOST_LOG_EASE))
    score = ease[:, None] * alpha
    right = log_expit(score)
    wrong = (log_expit(-score) - np.log(problem.others)) * problem.given
    base = wrong.sum(axis=1)
    gain = (right - log_expit(-score)) + np.log(problem.others)
    joint = np.stack([base + (hit * gain).sum(axis=1) for hit in problem.hits], axis=1)
    with np.errstate(divide="ignore"):
        joint = joint + np.log(prevalence)
    each = log_sum_exp(joint)
    posterior = np.exp(joint - each[:, None])
    right_share = np.einsum("ut,tuj->uj", posterior, problem.hits)
    slope = problem.counts[:, None] * (right_share - problem.given * expit(score))
    height, gradient = _penalised(problem, theta, b, alpha)
    gradient[: len(b)] += (slope * score).sum(axis=1)
    if problem.known is None:
        k = len(alpha)
        gradient[len(b) : len(b) + k] += ease @ slope
        if problem.rule.fixed is None:
            mass = problem.counts @ posterior + problem.rule.pseudo
            gradient[len(b) + k :] += mass - mass.sum() * prevalence
            height += problem.rule.log_prior(prevalence)
    return height + float(problem.counts @ each), gradient, posterior, each


def _penalised(problem: _Problem, theta: Floats, b: Floats, alpha: Floats) -> tuple[float, Floats]:
    """Return the log-prior of eases (one per item) and abilities, and its gradient."""
    variance = problem.spread**2
    gradient = np.zeros(len(theta))
    gradient[: len(b)] = -problem.counts * b / variance
    height = -0.5 * float(problem.counts @ b**2) / variance
    if problem.known is None:
        gradient[len(b) : len(b) + len(alpha)] = -(alpha - 1) / variance
        height -= 0.5 * float(((alpha - 1) ** 2).sum()) / variance
    return height, gradient


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of other votes: their ease is found with abilities fixed."""
    alpha = np.array(result.parameters["ability"], float)
    prevalence = np.array(result.parameters["prevalence"], float)
    rule = read_prevalence(prevalence.tolist(), result.labels)
    problem = _problem(
        codes,
        np.ones(len(codes)),
        len(result.answers),
        rule,
        float(result.settings["spread"]),
        (alpha, prevalence),
    )
    settings = dict(zip(("max_iter", "tol"), policy.GLAD_PREDICT, strict=True))
    return _value(_climb(np.zeros(len(codes)), problem, settings).theta, problem)[2]
