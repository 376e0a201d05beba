"""Ising aggregation: couplings between judges, so that shared mistakes are not counted twice.

Paper 000, equations (1), (3), (5) and Algorithm 1, with the exact likelihood in both steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.checks.identifiability import check_identifiable, worst_standard_error
from algeval.aggregate.fitting import (
    Binary,
    Data,
    check_number,
    check_whole,
    data_warnings,
    evaluation_of,
    read_binary,
    refused,
    suspect_warnings,
)
from algeval.aggregate.kernels.ising import (
    Climb,
    Parameters,
    Problem,
    best_climb,
    make_problem,
    posteriors,
    soft_majority,
    starting_points,
    swap_classes,
    unpack,
)
from algeval.aggregate.methods.ising_approximate import fit_approximate, predict_approximate
from algeval.aggregate.methods.ising_ridge import choose_ridge
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.data.names import Codes
from algeval.errors import DataError, NotIdentifiableError
from algeval.models.binary import MOST_ENUMERATED, TwoClass, expit
from algeval.models.ising import BayesRule, Ising, bayes_rule
from algeval.result import Status

__all__ = ["fitted_law", "fitted_rule", "ising", "ising_class_dependent", "predict"]

_SCREEN = 40
_SMALL = 12
_RIDGE = 10.0


def ising(
    data: Data,
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
    return _fit_named(data, "ising", dict(locals()))


def ising_class_dependent(
    data: Data,
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
    return _fit_named(data, "ising-class-dependent", dict(locals()))


def _fit_named(data: Data, method: str, given: dict[str, Any]) -> Aggregation:
    settings = {name: value for name, value in given.items() if name != "data"}
    _check_settings(settings)
    binary = read_binary(data, settings["prevalence"])
    settings["prevalence"] = binary.rule.setting
    k = binary.votes.shape[1]
    try:
        caveat = check_identifiable(method, binary.n_heard)
    except NotIdentifiableError as error:
        return refused(binary.read, method, settings, str(error))
    if k > MOST_ENUMERATED:
        return fit_approximate(binary, method, settings)
    return _fit(binary, method, settings, caveat)


def _check_settings(settings: dict[str, Any]) -> None:
    if settings["ridge"] != "cv":
        check_number("ridge", settings["ridge"], least=0.0)
    check_number("field_ridge", settings["field_ridge"], least=0.0, strict=True)
    check_number("tol", settings["tol"], least=0.0, strict=True)
    check_whole("n_starts", settings["n_starts"])
    check_whole("max_iter", settings["max_iter"])


def _fit(binary: Binary, method: str, settings: dict[str, Any], caveat: str) -> Aggregation:
    rng = np.random.default_rng(settings["seed"])
    cross_validate = settings["ridge"] == "cv"
    heard = (binary.votes >= 0).any(axis=1)
    problem = make_problem(
        binary.votes[heard],
        binary.counts[heard],
        couplings=1 if method == "ising" else 2,
        ridge=_RIDGE if cross_validate else float(settings["ridge"]),
        field_ridge=float(settings["field_ridge"]),
        log_odds=binary.log_odds,
        prior=binary.prior,
    )
    points = starting_points(binary.votes[heard], int(settings["n_starts"]), rng)
    screen = 0 if problem.k <= _SMALL else _SCREEN
    options: dict[str, Any] = {"max_iter": int(settings["max_iter"]), "tol": float(settings["tol"])}
    best, heights = best_climb(problem, points, screen=screen, **options)
    table: dict[str, float] = {}
    if cross_validate:
        chosen, table = choose_ridge(problem, best.theta, rng)
        if chosen != problem.ridge:
            problem = replace(problem, ridge=chosen)
            best, heights = best_climb(problem, points, screen=screen, **options)
    return _result(binary, method, settings, problem, best, (heights, table, caveat))


def _oriented(theta: Floats, problem: Problem, binary: Binary) -> tuple[Parameters, Floats, float]:
    """Return parameters and posteriors with label 1 what the majority says, and log-likelihood.

    An item nobody answered keeps the prevalence.
    """
    heard = (binary.votes >= 0).any(axis=1)
    parameters = unpack(theta, problem)
    share = np.full(len(binary.votes), float(expit(parameters.log_odds)))
    share[heard], total = posteriors(theta, problem)
    height = float(problem.counts @ total)
    lean = float(binary.counts @ ((share - 0.5) * (soft_majority(binary.votes) - 0.5)))
    if lean < 0 and binary.rule.symmetric:
        return swap_classes(parameters), 1 - share, height
    return parameters, share, height


def _result(
    binary: Binary,
    method: str,
    settings: dict[str, Any],
    problem: Problem,
    best: Climb,
    extra: tuple[list[float], dict[str, float], str],
) -> Aggregation:
    heights, table, caveat = extra
    parameters, share, height = _oriented(best.theta, problem, binary)
    sketch = binary.read.sketch
    law = _law(parameters)
    rule = bayes_rule(law)
    posterior = np.stack([1 - share, share], axis=1)
    chance = np.stack([law.negative.marginals(), law.positive.marginals()])
    prevalence = np.array([1 - law.prevalence, law.prevalence])
    evaluation = evaluation_of(sketch, chance, posterior, prevalence)
    error = worst_standard_error(
        parameters, problem.couplings, sketch.n_items, prevalence_free=binary.log_odds is None
    )
    converged = best.gradient <= float(settings["tol"])
    return assemble(
        binary.read,
        method=method,
        settings=settings,
        message=_message(method, sketch.n_items, problem, converged),
        posterior=posterior,
        evaluation=evaluation,
        status=Status.OK if converged else Status.NOT_CONVERGED,
        log_likelihood=height,
        n_iter=best.iterations,
        converged=converged,
        trace=best.trace,
        warnings=_warnings(binary, evaluation, caveat, error),
        parameters={
            "fields": parameters.h,
            "couplings": parameters.W,
            "log_odds": parameters.log_odds,
            **rule.to_dict(),
            "penalised_log_likelihood": best.objective,
            "start_heights": heights,
            "ridge": problem.ridge,
            "held_out_log_likelihood": table,
            "worst_standard_error": error if np.isfinite(error) else None,
        },
    )


def _message(method: str, n_items: int, problem: Problem, converged: bool) -> str:
    kind = "one coupling per pair" if method == "ising" else "one coupling per pair and label"
    ended = "" if converged else " The climb was stopped before it settled."
    return (
        f"Ising model of {problem.k} judges with {kind} (ridge {problem.ridge:g}), "
        f"fitted to {n_items} items.{ended}"
    )


def _warnings(binary: Binary, evaluation: Any, caveat: str, error: float) -> tuple[str, ...]:
    told = data_warnings(binary.read.sketch, "the model sums over them, left out at random")
    told += suspect_warnings(evaluation)
    if caveat:
        told.append(caveat)
    if error > 1:
        size = f"{error:.3g}" if np.isfinite(error) else "endless"
        told.append(
            f"Some direction of the parameters has a standard error of {size} without the ridge: "
            "there the ridge and the start decide, not the votes."
        )
    return tuple(told)


def _law(parameters: Parameters) -> TwoClass:
    laws = [Ising(parameters.h[y], parameters.W[y]) for y in range(2)]
    share = float(np.clip(expit(parameters.log_odds), 1e-12, 1 - 1e-12))
    return TwoClass(share, laws[0], laws[1])


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
    found = result.parameters
    h, W = np.array(found["fields"], float), np.array(found["couplings"], float)
    return _law(Parameters(h, W, float(found["log_odds"])))


def fitted_rule(result: Aggregation) -> BayesRule:
    """Return the decision rule in closed form (paper 000, eqs. 2 and 5)."""
    return bayes_rule(fitted_law(result))


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; votes left out are summed over."""
    votes: NDArray[np.int8] = np.asarray(codes).astype(np.int8)
    if "log_z" in result.parameters:
        return predict_approximate(result, votes)
    share = fitted_law(result).posterior(votes)
    return np.stack([1 - share, share], axis=1)
