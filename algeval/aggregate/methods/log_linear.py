"""Log-linear aggregation: judges who err together in pairs and in threes.

Balasubramanian et al., Remark 3 and equation (20), with the exact likelihood in both steps.
"""

from __future__ import annotations

from functools import partial
from math import comb
from typing import Any

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.checks.identifiability import check_identifiable, worst_direction
from algeval.aggregate.climb import Climb, best_climb_from
from algeval.aggregate.kernels.log_linear import (
    LogLinearProblem,
    log_linear_posteriors,
    log_linear_scores,
    log_linear_value,
    make_log_linear_problem,
    plain_coefficients,
)
from algeval.aggregate.kernels.two_classes import starting_points
from algeval.aggregate.results import Aggregation, Floats, check_fitted
from algeval.data.settings import check_number
from algeval.errors import DataError, NotIdentifiableError, TooLargeError
from algeval.models.binary import TwoClass
from algeval.models.log_linear import LogLinear, sets_of_size

__all__ = ["fitted_law", "log_linear"]


def log_linear(
    data: fitting.Data,
    *,
    order: int = 3,
    ridge: float = 10.0,
    field_ridge: float = 0.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    max_iter: int = 2000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when judges err together in threes, the same way whatever the label.

    Use it to ask whether pairs are enough (`held_out` against `ising`): a hidden trait that is
    skewed leaves third-order terms. Two labels, 5 to 12 judges (4 at order 2); saturated at 5. A
    higher likelihood than another model's does not mean more accurate labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    order : 2 or 3
        Largest set of judges with a term; 2 is the model of `ising`.
    ridge : float
        Penalty ridge / 2 times the sum of squared terms of two and three judges, in centred votes;
        products of three vary less than of two, so it holds threes back more than pairs.
    field_ridge : float
        The same for the fields around the mean votes, to keep them finite.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    n_starts, seed
        Climbs from soft majority vote and perturbed copies of it; the highest is kept.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds fields (2, K), sets (judges with a term, by place) and interactions (one
        number per set), in plain votes as in equation (20); log_odds; and the rule's intercept and
        linear weights (the shared terms cancel, so it is a weighted vote). Status ok,
        not_converged, or not_identifiable below 5 judges.

    Raises
    ------
    TooLargeError
        If there are more than 12 judges, or too many votes are left out to sum over.
    DataError
        If there are not exactly two answers or a setting is out of range.

    Notes
    -----
    The climb is L-BFGS on the penalised observed log-likelihood over all 2^K patterns, whose
    stationary points are those of EM; votes left out are summed over.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnnnn": 40, "yyyyyy": 30, "yyynnn": 9, "nnnyyy": 8})
    >>> log_linear(s, n_starts=1).decisions.tolist()[0]
    0
    """
    if order not in (2, 3):
        raise DataError(f"order must be 2 or 3; got {order!r}; pairs, or pairs and threes")
    binary = fitting.read_binary(data, prevalence)
    settings = {
        "order": int(order),
        "ridge": check_number("ridge", ridge, least=0.0),
        "field_ridge": check_number("field_ridge", field_ridge, least=0.0, strict=True),
        "prevalence": binary.rule.setting,
        **fitting.run_settings(n_starts=n_starts, seed=seed, tol=tol, max_iter=max_iter),
    }
    k = binary.votes.shape[1]
    if k > policy.MOST_LOG_LINEAR:
        terms = sum(comb(k, size) for size in range(2, order + 1))
        raise TooLargeError(
            f"the log-linear model must have at most {policy.MOST_LOG_LINEAR} judges; got {k}, "
            f"which have {terms:,} terms for sets of judges; choose fewer judges, or use 'ising' or 'factor'"
        )
    try:
        caveat = check_identifiable("ising" if order == 2 else "log-linear", binary.n_heard)
    except NotIdentifiableError as error:
        return fitting.refused(binary.read, "log-linear", settings, str(error))
    return _fit(binary, settings, caveat)


def _fit(binary: fitting.Binary, settings: dict[str, Any], caveat: str) -> Aggregation:
    heard = binary.heard
    problem = make_log_linear_problem(
        binary.votes[heard],
        binary.counts[heard],
        order=settings["order"],
        ridge=settings["ridge"],
        field_ridge=settings["field_ridge"],
        **binary.prevalence_settings,
    )
    rng = np.random.default_rng(settings["seed"])
    points = starting_points(binary.votes[heard], settings["n_starts"], rng)
    thetas = [problem.first_point(held) for held in points]
    value = partial(log_linear_value, problem=problem)
    run = {name: settings[name] for name in ("max_iter", "tol")}
    found = best_climb_from(points, thetas, value, problem.n_items, **run)
    return _result(binary, settings, problem, found, caveat)


def _parameters(
    coefficients: Floats, log_odds: float, problem: LogLinearProblem, order: int
) -> dict[str, Any]:
    """Return the coefficients of plain votes as JSON types, with the rule they imply."""
    fields = coefficients[:, problem.singles]
    sets = sets_of_size(problem.k, 2, order)
    found: dict[str, Any] = {
        "fields": fields.tolist(),
        "sets": [list(judges) for judges in sets],
        "interactions": coefficients[0, problem.terms].tolist(),
        "log_odds": log_odds,
    }
    no, yes = _laws(found)
    found["intercept"] = log_odds + no.log_z - yes.log_z
    found["linear"] = (fields[1] - fields[0]).tolist()
    return found


def _laws(found: dict[str, Any]) -> tuple[LogLinear, LogLinear]:
    keys = [tuple(judges) for judges in found["sets"]]
    shared = dict(zip(keys, found["interactions"], strict=True))
    no, yes = (LogLinear(h, shared) for h in found["fields"])
    return no, yes


def _mixture(found: dict[str, Any]) -> TwoClass:
    return fitting.mixture(found["log_odds"], *_laws(found))


def _result(
    binary: fitting.Binary,
    settings: dict[str, Any],
    problem: LogLinearProblem,
    climbed: tuple[Climb, list[float]],
    caveat: str,
) -> Aggregation:
    theta = climbed[0].theta
    coefficients, log_odds = plain_coefficients(theta, problem), problem.odds(theta)
    heard, total = log_linear_posteriors(theta, problem)
    share, swapped = binary.oriented(binary.everywhere(heard, log_odds))
    if swapped:
        coefficients, log_odds = coefficients[::-1], -log_odds
    found = _parameters(coefficients, log_odds, problem, settings["order"])
    sketch = binary.read.sketch
    error = _worst_standard_error(coefficients, log_odds, problem, sketch.n_items)
    return fitting.finish_climb(
        binary,
        "log-linear",
        settings,
        climbed,
        law=_mixture(found),
        message=(
            f"Log-linear model of {problem.k} judges with terms up to order {settings['order']} "
            f"(ridge {problem.ridge:g}), fitted to {sketch.n_items} items."
        ),
        share=share,
        log_likelihood=float(problem.counts @ total),
        notes=([caveat] if caveat else []) + fitting.loose_note(error),
        parameters={**found, "worst_standard_error": error if np.isfinite(error) else None},
    )


def _worst_standard_error(
    coefficients: Floats, log_odds: float, problem: LogLinearProblem, n_items: int
) -> float:
    """Return that of the worst-known direction of the parameters, as `worst_standard_error`."""
    scores, chance = log_linear_scores(coefficients, problem.terms, log_odds)
    scores = scores[:, : problem.size]
    return worst_direction(scores, chance, n_items)


def fitted_law(result: Aggregation) -> TwoClass:
    """Return the fitted law of votes: posteriors, risks and samples under the model.

    Raises
    ------
    DataError
        If the result is not of method "log-linear" or holds no fit.
    """
    check_fitted(result, "log-linear")
    return _mixture(dict(result.parameters))
