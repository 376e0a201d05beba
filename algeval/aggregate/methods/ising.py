"""Ising aggregation: couplings between judges, so that shared mistakes are not counted twice.

Balasubramanian et al., equations (1), (3), (5) and Algorithm 1, with the exact likelihood in both steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.checks.identifiability import check_identifiable, worst_standard_error
from algeval.aggregate.climb import Climb
from algeval.aggregate.kernels.ising import (
    Parameters,
    Problem,
    best_climb,
    make_problem,
    posteriors,
    swap_classes,
    unpack,
)
from algeval.aggregate.kernels.two_classes import starting_points
from algeval.aggregate.methods.ising_approximate import fit_approximate, predict_approximate
from algeval.aggregate.methods.ising_ridge import choose_ridge
from algeval.aggregate.results import Aggregation, Floats
from algeval.data.names import Codes
from algeval.data.settings import check_number
from algeval.errors import DataError, NotIdentifiableError
from algeval.models.binary import MOST_ENUMERATED, TwoClass
from algeval.models.ising import BayesRule, Ising, bayes_rule

__all__ = ["fitted_law", "fitted_rule", "ising", "ising_class_dependent", "predict"]


def ising(
    data: fitting.Data,
    *,
    ridge: float | str = 10.0,
    field_ridge: float = 0.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    max_iter: int = 2000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when judges err together, the same way whatever the label.

    Use it with 6 or more judges whose errors are dependent (see `score_test`): agreement of
    judges who always agree is discounted, and posteriors are less overconfident than under
    independence. Two labels, at least 4 judges. A higher likelihood than another
    model's does not mean more accurate labels: the two classes found need not be the labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    ridge : float or "cv"
        Penalty ridge / 2 times the sum of squared couplings. "cv" takes the largest of 3, 10 and
        30 whose held-out log-likelihood is within a standard error of the best; on real votes
        that prefers loose fits whose classes are further from the labels, so it is not the default.
    field_ridge : float
        The same for the fields around the mean votes, to keep them finite.
    prevalence : "free", shares, or ("prior", alpha)
        Estimated, known, or with a Dirichlet prior; see `read_prevalence`. Votes alone tell it
        badly; knowing it is worth some points of accuracy.
    n_starts : int
        Climbs from soft majority vote and perturbed copies of it; the highest is kept.
    seed : int
        Of the perturbations and the folds.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds fields (2, K), couplings (2, K, K), log_odds, and the rule's closed form
        (intercept, linear, quadratic). Status ok, not_converged, or not_identifiable below 4
        judges.

    Raises
    ------
    TooLargeError
        If too many votes are left out to sum over.
    DataError
        If there are not exactly two answers, a setting is out of range, or votes are left out by
        more than 24 judges.

    Notes
    -----
    Log Z and its gradient are exact (0.7 ms at 16 judges, 6 ms at 20). Votes left out are summed
    over. The climb is L-BFGS on the penalised observed log-likelihood, whose stationary points
    are those of Algorithm 1 with exact steps. Above 24 judges patterns cannot be listed: the M-step
    climbs the pseudo-likelihood, and the E-step uses log Z by annealed importance sampling, whose
    standard errors are in `parameters`; EM then stops when no posterior moves by .001, the
    posteriors are approximate, and `fitted_law` is not available.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnn": 40, "yyyy": 30, "yynn": 9, "nnyy": 8, "ynyn": 3, "nyyy": 5})
    >>> ising(s, ridge=3).decisions.tolist()[0]
    0
    """
    return _fit_named(
        data,
        "ising",
        ridge=ridge,
        field_ridge=field_ridge,
        prevalence=prevalence,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )


def ising_class_dependent(
    data: fitting.Data,
    *,
    ridge: float | str = 10.0,
    field_ridge: float = 0.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    max_iter: int = 2000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when judges err together in ways that depend on the label.

    As `ising` with one coupling matrix per label, so that the best rule is quadratic in the votes.
    At least 5 judges (saturated there). It needs very many items: with 6 judges, twenty random
    populations needed 18,000 to 69,000 before every direction of the parameters was known within
    .5. With fewer, the ridge and the start decide part of the answer (the result says so), and on
    real votes it gave nothing reliable over `ising`.

    Parameters, results and errors are those of `ising`.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnn": 40, "yyyy": 30, "yynn": 9})
    >>> ising_class_dependent(s).status.value
    'not_identifiable'
    """
    return _fit_named(
        data,
        "ising-class-dependent",
        ridge=ridge,
        field_ridge=field_ridge,
        prevalence=prevalence,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )


def _fit_named(data: fitting.Data, method: str, **given: Any) -> Aggregation:
    cross_validate = given["ridge"] == "cv"
    run = {name: given[name] for name in ("n_starts", "seed", "tol", "max_iter")}
    settings = {
        "ridge": "cv" if cross_validate else check_number("ridge", given["ridge"], least=0.0),
        "field_ridge": check_number("field_ridge", given["field_ridge"], least=0.0, strict=True),
        **fitting.run_settings(**run),
    }
    binary = fitting.read_binary(data, given["prevalence"])
    settings["prevalence"] = binary.rule.setting
    try:
        caveat = check_identifiable(method, binary.n_heard)
    except NotIdentifiableError as error:
        return fitting.refused(binary.read, method, settings, str(error))
    if binary.votes.shape[1] > MOST_ENUMERATED:
        return fit_approximate(binary, method, settings)
    return _fit(binary, method, settings, caveat)


def _fit(binary: fitting.Binary, method: str, settings: dict[str, Any], caveat: str) -> Aggregation:
    rng = np.random.default_rng(settings["seed"])
    cross_validate = settings["ridge"] == "cv"
    heard = binary.heard
    problem = make_problem(
        binary.votes[heard],
        binary.counts[heard],
        couplings=1 if method == "ising" else 2,
        ridge=policy.RIDGE_START if cross_validate else settings["ridge"],
        field_ridge=settings["field_ridge"],
        **binary.prevalence_settings,
    )
    points = starting_points(binary.votes[heard], settings["n_starts"], rng)
    options = {"max_iter": settings["max_iter"], "tol": settings["tol"]}
    options["screen"] = 0 if problem.k <= policy.SCREEN_ABOVE else policy.SCREEN
    found = best_climb(problem, points, **options)
    table: dict[str, float] = {}
    if cross_validate:
        chosen, table = choose_ridge(problem, found[0].theta, rng)
        if chosen != problem.ridge:
            problem = replace(problem, ridge=chosen)
            found = best_climb(problem, points, **options)
    return _result(binary, method, settings, problem, found, notes=(table, caveat))


def _result(
    binary: fitting.Binary,
    method: str,
    settings: dict[str, Any],
    problem: Problem,
    climbed: tuple[Climb, list[float]],
    *,
    notes: tuple[dict[str, float], str],
) -> Aggregation:
    theta, (table, caveat) = climbed[0].theta, notes
    parameters = unpack(theta, problem)
    heard, total = posteriors(theta, problem)
    share, swapped = binary.oriented(binary.everywhere(heard, parameters.log_odds))
    if swapped:
        parameters = swap_classes(parameters)
    sketch = binary.read.sketch
    law = _law(parameters)
    error = worst_standard_error(
        parameters, problem.couplings, sketch.n_items, prevalence_free=binary.log_odds is None
    )
    kind = "one coupling per pair" if method == "ising" else "one coupling per pair and label"
    return fitting.finish_climb(
        binary,
        method,
        settings,
        climbed,
        law=law,
        message=(
            f"Ising model of {problem.k} judges with {kind} (ridge {problem.ridge:g}), "
            f"fitted to {sketch.n_items} items."
        ),
        share=share,
        log_likelihood=float(problem.counts @ total),
        notes=([caveat] if caveat else []) + fitting.loose_note(error),
        parameters=parameters.to_dict()
        | bayes_rule(law).to_dict()
        | {
            "ridge": problem.ridge,
            "held_out_log_likelihood": table,
            "worst_standard_error": error if np.isfinite(error) else None,
        },
    )


def _law(parameters: Parameters) -> TwoClass:
    return fitting.mixture(
        parameters.log_odds, *(Ising(parameters.h[y], parameters.W[y]) for y in range(2))
    )


def fitted_law(result: Aggregation) -> TwoClass:
    """Return the fitted law of votes: posteriors, risks and samples under the model.

    Raises
    ------
    DataError
        If the result is not of an Ising method or holds no fit.
    """
    if not result.method.startswith("ising") or result.evaluation is None:
        raise DataError(
            f"the result must be a fit of an Ising method; got method {result.method!r}, "
            f"status {result.status.value}"
        )
    return _law(Parameters.from_dict(result.parameters))


def fitted_rule(result: Aggregation) -> BayesRule:
    """Return the decision rule in closed form (Balasubramanian et al., eqs. 2 and 5)."""
    return bayes_rule(fitted_law(result))


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; votes left out are summed over."""
    votes: NDArray[np.int8] = np.asarray(codes).astype(np.int8)
    if "log_z" in result.parameters:
        return predict_approximate(result, votes)
    return fitting.predict(result, codes)
