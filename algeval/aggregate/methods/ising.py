"""Judges whose errors are related, pair by pair: Ising models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.checks.identified import (
    check_identifiable,
    worst_direction,
    worst_standard_error,
)
from algeval.aggregate.em import Climb, Step, best_climb_from, best_of, climb_value, iterate
from algeval.aggregate.fitting import (
    Binary,
    TwoClassProblem,
    finish_two,
    penalty,
    soft_majority,
    starting_points,
)
from algeval.aggregate.ising_kernels import (
    LogLinearProblem,
    ManyFit,
    Parameters,
    Problem,
    best_climb,
    climb,
    fit_many,
    log_linear_posteriors,
    log_linear_scores,
    log_linear_value,
    make_log_linear_problem,
    make_problem,
    many_joint,
    plain_coefficients,
    posteriors,
    swap_classes,
    unpack,
)
from algeval.aggregate.results import Aggregation, End, Floats, check_fitted
from algeval.data.names import Codes, check_choice, check_number
from algeval.errors import DataError, NotIdentifiableError, TooLargeError
from algeval.models.binary import MOST_ENUMERATED, TwoClass, expit, log_expit, log_sum_exp
from algeval.models.curie_weiss import CurieWeiss, log_binomials
from algeval.models.ising import BayesRule, Ising, bayes_rule
from algeval.models.log_linear import LogLinear, sets_of_size

# --- Curie-Weiss aggregation: equal judges, coupled by one strength per label (Balasubramanian et
# al., eq. 7).
#
# Only how many judges said 1 matters, so the data are the counts of (judges who answered, ones).


_STARTS = (
    ((0.3, -0.5), (0.3, 0.5)),
    ((0.5, -0.5), (1.5, 0.02)),
    ((0.5, 0.0), (1.5, 0.0)),
    ((0.9, -0.2), (0.9, 0.2)),
    ((1.5, -0.02), (0.5, 0.5)),
)
"""(beta, field) of class 0 and class 1: Balasubramanian et al.'s regimes and plain independence-like ones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem(TwoClassProblem):
    """Cells (answered, ones) with counts; log-ways (C, K + 1) of a cell given the total of ones."""

    ways: Floats
    k: int
    ridge: float

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        return ((self.ridge, 4),)


def curie_weiss(
    data: fitting.Data,
    *,
    statistic: str = "count",
    ridge: float = 0.1,
    prevalence: Any = "free",
    seed: int | None = None,
    max_iter: int = 1000,
    tol: float = 1e-7,
) -> Aggregation:
    """Find labels when equal judges herd, and herd more on one label than on the other.

    Use it to study Balasubramanian et al.'s separation: a majority that is too large may speak for
    the label on which judges follow each other, whichever answer they agree on. All judges are taken to be
    alike. Two labels, at least 5 judges, any number of them; votes left out are summed over.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    statistic : "count" or "size"
        Posterior from how many said 1, or only from how far that is from half of the judges (the
        |M| of the paper), which ignores which side they agree on.
    ridge : float
        Penalty ridge / 2 times the squares of the couplings beta and of K times the fields.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    seed : int, optional
        Has no effect, as the five starts are fixed; deprecated, do not pass it.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds beta (2,), field (2,) and log_odds. Label 1 is the class with the larger
        share of 1 votes; where the shares are within .02, the more coupled class, as in the paper.
        Status ok, not_converged, or not_identifiable below 5 judges.

    Raises
    ------
    DataError
        If there are not exactly two answers, a setting is out of range, or `statistic` is "size"
        and votes are missing.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnnn": 30, "nnnny": 20, "yyyyn": 22, "yyyyy": 28, "nnyyn": 4})
    >>> bool(curie_weiss(s).evaluation.accuracy("1", "y") > 0.5)
    True
    """
    check_choice("statistic", statistic, ("count", "size"))
    binary = fitting.opened_binary(
        "curie-weiss",
        data,
        statistic=statistic,
        ridge=check_number("ridge", ridge, least=0.0, strict=True),
        prevalence=prevalence,
        seed=fitting.without_effect("seed", seed, "its five starts are fixed"),
        max_iter=max_iter,
        tol=tol,
    )
    if statistic == "size" and not binary.read.sketch.complete:
        raise DataError(
            "votes must be complete for statistic='size'; got some left out; use 'count'"
        )
    k, least = binary.n_heard, fitting.fewest("curie-weiss")
    if binary.too_few:
        why = (
            f"the Curie-Weiss model must have at least {least} judges; got {k} who answered, whose "
            f"counts of 1 votes are {k} frequencies for 5 parameters; add judges"
        )
        return binary.refused(why)
    problem = _problem(binary, float(ridge))
    best, _ = best_of([_climb(start, problem, binary.settings) for start in _STARTS])
    return _result(binary, problem, best)


def _problem(binary: fitting.Binary, ridge: float) -> _Problem:
    answered, ones = (binary.votes >= 0).sum(axis=1), (binary.votes == 1).sum(axis=1)
    pairs, cell = np.unique(np.stack([answered, ones], axis=1), axis=0, return_inverse=True)
    k = binary.votes.shape[1]
    log_counts = np.full((len(pairs), k + 1), -np.inf)
    whole = log_binomials(k)
    for row, (size, pair) in enumerate(pairs.tolist()):
        span = slice(pair, pair + k - size + 1)
        log_counts[row, span] = log_binomials(k - size) - whole[span]
    counts = np.bincount(cell.ravel(), weights=binary.counts).astype(float)
    return _Problem(ways=log_counts, counts=counts, k=k, ridge=ridge, **binary.prevalence_settings)


def _laws(theta: Floats, k: int) -> tuple[CurieWeiss, CurieWeiss]:
    """Two laws; the vector holds beta and K times the field of each class."""
    b0, f0, b1, f1 = theta[:4].tolist()
    return CurieWeiss(k, b0, f0 / k), CurieWeiss(k, b1, f1 / k)


def _value(theta: Floats, problem: _Problem) -> tuple[float, Floats]:
    k = problem.k
    log_odds = problem.odds(theta)
    spin = 2.0 * np.arange(k + 1) - k
    features = np.stack([spin**2 / (2 * k), spin / k])
    laws = _laws(theta, k)
    inner = np.stack([problem.ways + law.log_pmf() for law in laws], axis=1)
    by_class = log_sum_exp(inner)
    joint = by_class + log_expit(np.array([-log_odds, log_odds]))
    total = log_sum_exp(joint)
    weights = problem.counts[:, None] * np.exp(joint - total[:, None])
    blocks = []
    for y, law in enumerate(laws):
        share = weights[:, y] @ np.exp(inner[:, y] - by_class[:, y : y + 1])
        blocks.append(features @ (share - weights[:, y].sum() * law.pmf()))
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, float(problem.counts @ total), blocks)


def _climb(
    start: tuple[tuple[float, float], tuple[float, float]],
    problem: _Problem,
    settings: dict[str, Any],
) -> Climb:
    (b0, h0), (b1, h1) = start
    theta = np.array([b0, h0 * problem.k, b1, h1 * problem.k, 0.0])
    return climb_value(
        theta[: problem.size],
        lambda point: _value(point, problem),
        problem.n_items,
        max_iter=settings["max_iter"],
        tol=settings["tol"],
    )


def _mixture_of_curie_weiss(theta: Floats, problem: _Problem, free: bool) -> tuple[TwoClass, bool]:
    """Fitted law with its labels in order, and whether the order is a convention."""
    first, second = _laws(theta, problem.k)
    log_odds = problem.odds(theta)
    gap = float(second.marginals()[0] - first.marginals()[0])
    alike = abs(gap) <= policy.ALIKE_CLASSES
    swap = second.beta < first.beta if alike else gap < 0
    if swap and free:
        return fitting.mixture(-log_odds, second, first), alike
    return fitting.mixture(log_odds, first, second), alike


def _result(binary: fitting.Binary, problem: _Problem, best: Climb) -> Aggregation:
    law, alike = _mixture_of_curie_weiss(best.theta, problem, binary.rule.symmetric)
    sketch = binary.read.sketch
    notes = fitting.missing_note(sketch, fitting.SUMMED_OVER)
    if alike:
        notes.append(
            "Both classes vote 1 about equally often, so the votes cannot say which class is "
            f"{sketch.labels[1]!r}; the more coupled class is called so."
        )
    no, yes = law.negative, law.positive
    return fitting.finish_two(
        binary,
        message=f"Curie-Weiss model of {problem.k} equal judges, fitted to {sketch.n_items} items.",
        share=_share(law, binary.votes, binary.settings["statistic"]),
        chance=fitting.marginals(law),
        prevalence=law.prevalence,
        end=best.end(binary.settings["tol"]),
        log_likelihood=float(sketch.counts @ law.log_probability(binary.votes)),
        suspects=False,
        notes=notes,
        parameters={
            "beta": [no.beta, yes.beta],  # type: ignore[attr-defined]
            "field": [no.field, yes.field],  # type: ignore[attr-defined]
            "log_odds": float(np.log(law.prevalence) - np.log1p(-law.prevalence)),
        },
    )


def _share(law: TwoClass, votes: NDArray[np.int8], statistic: str) -> Floats:
    if statistic == "count":
        return law.posterior(votes)
    ones = (votes == 1).sum(axis=1)
    k = law.n_judges
    both = []
    for side in (law.negative, law.positive):
        log_pmf = side.log_pmf()  # type: ignore[attr-defined]
        folded = np.logaddexp(log_pmf, log_pmf[::-1])
        both.append(folded[np.maximum(ones, k - ones)])
    prior = np.log(law.prevalence) - np.log1p(-law.prevalence)
    return expit(prior + both[1] - both[0])


def fitted_law_curie_weiss(result: Aggregation) -> TwoClass:
    """Fitted law of votes."""
    check_fitted(result, "curie-weiss")
    parameters = result.parameters
    k = len(result.judges)
    laws = [
        CurieWeiss(k, *pair) for pair in zip(parameters["beta"], parameters["field"], strict=True)
    ]
    return TwoClass(float(expit(parameters["log_odds"])), laws[0], laws[1])


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; votes left out are summed over."""
    votes = np.asarray(codes).astype(np.int8)
    statistic = str(result.settings["statistic"])
    if statistic == "size" and (votes < 0).any():
        raise DataError("votes must be complete for statistic='size'; got some left out")
    share = _share(fitted_law_curie_weiss(result), votes, statistic)
    return np.stack([1 - share, share], axis=1)


# --- Choose the ridge on couplings by the log-likelihood of items that were held out.
#
# Arrays in, arrays out. Of the ridges whose held-out log-likelihood is within one standard error of
# the best, the largest is taken: a looser fit that predicts votes hardly better is no better guide
# to labels, and on real votes it is a worse one.


def choose_ridge(
    problem: Problem,
    theta: Floats,
    rng: np.random.Generator,
    grid: tuple[float, ...] = policy.RIDGE_GRID,
) -> tuple[float, dict[str, float]]:
    """Ridge chosen and {ridge: held-out log-likelihood per item}.

    Climbs start where the full fit ended.
    """
    drawn = rng.multinomial(
        problem.counts.astype(np.int64), np.full(policy.RIDGE_FOLDS, 1 / policy.RIDGE_FOLDS)
    )
    folds = drawn.T.astype(float)
    ridges = sorted(grid)
    losses = np.stack([_held_out(problem, theta, folds, ridge) for ridge in ridges])
    n = float(problem.counts.sum())
    heights = (folds * losses).sum(axis=(1, 2)) / n
    best = int(np.argmax(heights))
    chosen = best
    for position in range(best + 1, len(ridges)):
        loss = losses[best] - losses[position]
        mean = (folds * loss).sum() / n
        spread = (folds * (loss - mean) ** 2).sum() / n
        if mean <= np.sqrt(spread / n):
            chosen = position
    table = {f"{ridge:g}": float(height) for ridge, height in zip(ridges, heights, strict=True)}
    return ridges[chosen], table


def _held_out(problem: Problem, theta: Floats, folds: Floats, ridge: float) -> Floats:
    """Return (folds, U): log-probability of each pattern under the fit without that fold."""
    rows = []
    few, loose = policy.RIDGE_CLIMB
    for held_out in folds:
        part = replace(problem, counts=problem.counts - held_out, ridge=ridge)
        rows.append(posteriors(climb(theta, part, max_iter=few, tol=loose).theta, part)[1])
    return np.stack(rows)


# --- Balasubramanian et al.'s pseudo-likelihood EM (Appendix D.1), for study only.
#
# The pseudo-likelihood, the product over judges of the chance of each vote given the others, is not
# a probability of the votes: summed over patterns it is above 1, the more so the stronger the
# couplings. Put in the E-step it rewards inflated couplings and the labels collapse, even from the
# truth. With an exact E-step it is only an approximate M-step.


METHOD = "ising-pseudolikelihood-study"
_WHY = (
    "For study only: a pseudo-likelihood is not normalised, so as an E-step it rewards inflated "
    "couplings; use method 'ising'."
)


def ising_pseudolikelihood_study(
    data: fitting.Data,
    *,
    e_step: str = "surrogate",
    ridge: float = 10.0,
    field_ridge: float = 0.1,
    prevalence: Any = "free",
    max_iter: int = 200,
    tol: float = 1e-5,
) -> Aggregation:
    """Fit a class-dependent Ising model by pseudo-likelihood, to see what that does.

    Use it to reproduce Appendix D.1 of Balasubramanian et al. and its collapse, never to label items. Two
    labels, complete votes, at least 5 judges.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    e_step : "surrogate" or "exact"
        Posteriors from the pseudo-likelihood itself, as the paper suggests, or from the exact law.
    ridge, field_ridge, prevalence
        As in `ising`.
    max_iter, tol
        EM is converged when no posterior moves by more than `tol`; it has no likelihood to gain.

    Returns
    -------
    Aggregation
        Status ok, not_converged, or not_identifiable below 5 judges; a warning always.

    Raises
    ------
    DataError
        If votes are missing, there are not exactly two answers or a setting is out of range.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnnn": 40, "yyyyy": 30, "yynnn": 9, "nnyyn": 8})
    >>> len(ising_pseudolikelihood_study(s).warnings)
    1
    """
    check_choice("e_step", e_step, ("surrogate", "exact"))
    binary = fitting.opened_binary(
        METHOD,
        data,
        e_step=e_step,
        ridge=check_number("ridge", ridge, least=0.0),
        field_ridge=field_ridge,
        prevalence=prevalence,
        max_iter=max_iter,
        tol=tol,
    )
    if not binary.read.sketch.complete:
        raise DataError(
            "votes must be complete for a pseudo-likelihood; got some left out; use method 'ising'"
        )
    k = binary.votes.shape[1]
    if k < fitting.fewest(METHOD):
        why = f"class-dependent couplings must have at least 5 judges; got {k}; add judges"
        return binary.refused(why)
    if k > MOST_ENUMERATED:
        raise TooLargeError(
            f"the study must list all vote patterns, for at most {MOST_ENUMERATED} judges; got {k}"
        )
    return _em(binary)


def pseudo_log_likelihood(h: Floats, W: Floats, J: Floats) -> Floats:
    """Return (U,): sum over judges of the log-chance of the vote given the others."""
    odds = h + J @ W
    result: Floats = log_expit(np.where(J > 0.5, odds, -odds)).sum(axis=1)
    return result


def _m_step(J: Floats, weight: Floats, start: Floats, settings: dict[str, Any]) -> Floats:
    """Vector (fields, upper couplings) that climbs the weighted pseudo-likelihood."""
    k = J.shape[1]
    upper = np.triu_indices(k, 1)
    scale = np.concatenate(
        [np.full(k, settings["field_ridge"]), np.full(len(upper[0]), settings["ridge"])]
    )

    def height_and_slope(theta: Floats) -> tuple[float, Floats]:
        h, W = _unpack(theta, k)
        left_over = weight[:, None] * (J - expit(h + J @ W))
        cross = left_over.T @ J
        slope = np.concatenate([left_over.sum(axis=0), (cross + cross.T)[upper]])
        height = float(weight @ pseudo_log_likelihood(h, W, J))
        cost, pull = penalty(theta, scale, None)
        return height - cost, slope - pull

    total = float(max(weight.sum(), 1.0))
    few, loose = policy.STUDY_M_STEP
    return climb_value(start, height_and_slope, total, max_iter=few, tol=loose).theta


def _unpack(theta: Floats, k: int) -> tuple[Floats, Floats]:
    W = np.zeros((k, k))
    W[np.triu_indices(k, 1)] = theta[k:]
    return theta[:k], W + W.T


def _joint(parameters: Parameters, J: Floats, e_step: str) -> Floats:
    columns = []
    for y in range(2):
        h, W = parameters.h[y], parameters.W[y]
        if e_step == "exact":
            law = Ising(h, W)
            part = law.log_probability(J.astype(np.int8))
        else:
            part = pseudo_log_likelihood(h, W, J)
        columns.append(part + log_expit((2 * y - 1) * parameters.log_odds))
    return np.stack(columns, axis=1)


def _em(binary: fitting.Binary) -> Aggregation:
    settings = binary.settings
    J, counts = binary.votes.astype(float), binary.counts.astype(float)
    k = J.shape[1]

    def step(at: tuple[Floats, Floats]) -> Step:
        theta, held = at
        weights = np.stack([1 - held, held]) * counts
        theta = np.stack([_m_step(J, weights[y], theta[y], settings) for y in range(2)])
        share = binary.rule.update(weights.sum(axis=1))
        fields, couplings = zip(*(_unpack(row, k) for row in theta), strict=True)
        log_odds = float(np.log(share[1]) - np.log(share[0]))
        parameters = Parameters(np.stack(fields), np.stack(couplings), log_odds)
        joint = _joint(parameters, J, settings["e_step"])
        fresh = expit(joint[:, 1] - joint[:, 0])
        return Step((parameters, fresh), (theta, fresh), float(np.abs(fresh - held).max()))

    start = (np.zeros((2, k + k * (k - 1) // 2)), soft_majority(binary.votes))
    fit, end = iterate(step, start, n_items=counts.sum(), **binary.run)
    parameters, share = fit
    exact = _joint(parameters, J, "exact")
    laws = [Ising(parameters.h[y], parameters.W[y]) for y in range(2)]
    return fitting.finish_two(
        binary,
        message=f"Pseudo-likelihood Ising fit of {k} judges ({settings['e_step']} E-step).",
        share=share,
        chance=np.stack([law.marginals() for law in laws]),
        prevalence=float(expit(parameters.log_odds)),
        end=end,
        log_likelihood=float(counts @ np.logaddexp(exact[:, 0], exact[:, 1])),
        suspects=False,
        notes=[_WHY],
        parameters=parameters.to_dict(),
    )


def predict_ising_study(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other complete votes by the same E-step."""
    votes: NDArray[np.int16] = np.asarray(codes)
    if (votes < 0).any():
        raise DataError("votes must be complete for a pseudo-likelihood; got some left out")
    parameters = Parameters.from_dict(result.parameters)
    joint = _joint(parameters, votes.astype(float), str(result.settings["e_step"]))
    share = expit(joint[:, 1] - joint[:, 0])
    return np.stack([1 - share, share], axis=1)


# --- Log-linear aggregation: judges who err together in pairs and in threes.
#
# Balasubramanian et al., Remark 3 and equation (20), with the exact likelihood in both steps.


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
    binary = fitting.opened_binary(
        "log-linear",
        data,
        order=int(order),
        ridge=check_number("ridge", ridge, least=0.0),
        field_ridge=field_ridge,
        prevalence=prevalence,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )
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
        return binary.refused(str(error))
    return _fit(binary, caveat)


def _fit(binary: fitting.Binary, caveat: str) -> Aggregation:
    answered, settings = binary.heard, binary.settings
    problem = make_log_linear_problem(
        binary.votes[answered],
        binary.counts[answered],
        order=settings["order"],
        ridge=settings["ridge"],
        field_ridge=settings["field_ridge"],
        **binary.prevalence_settings,
    )
    rng = np.random.default_rng(settings["seed"])
    points = starting_points(binary.votes[answered], settings["n_starts"], rng)
    thetas = [problem.first_point(held) for held in points]
    value = partial(log_linear_value, problem=problem)
    best = best_climb_from(points, thetas, value, problem.n_items, **binary.run)
    return _result_of_log_linear(binary, problem, best, caveat)


def _parameters(
    coefficients: Floats, log_odds: float, problem: LogLinearProblem, order: int
) -> dict[str, Any]:
    """Coefficients of plain votes as JSON types, with the rule they imply."""
    fields = coefficients[:, problem.singles]
    sets = sets_of_size(problem.k, 2, order)
    parameters: dict[str, Any] = {
        "fields": fields.tolist(),
        "sets": [list(judges) for judges in sets],
        "interactions": coefficients[0, problem.terms].tolist(),
        "log_odds": log_odds,
    }
    no, yes = _laws_of_log_linear(parameters)
    parameters["intercept"] = log_odds + no.log_z - yes.log_z
    parameters["linear"] = (fields[1] - fields[0]).tolist()
    return parameters


def _laws_of_log_linear(parameters: dict[str, Any]) -> tuple[LogLinear, LogLinear]:
    keys = [tuple(judges) for judges in parameters["sets"]]
    shared = dict(zip(keys, parameters["interactions"], strict=True))
    no, yes = (LogLinear(h, shared) for h in parameters["fields"])
    return no, yes


def _mixture(parameters: dict[str, Any]) -> TwoClass:
    return fitting.mixture(parameters["log_odds"], *_laws_of_log_linear(parameters))


def _result_of_log_linear(
    binary: fitting.Binary,
    problem: LogLinearProblem,
    climbed: tuple[Climb, list[float]],
    caveat: str,
) -> Aggregation:
    theta = climbed[0].theta
    coefficients, log_odds = plain_coefficients(theta, problem), problem.odds(theta)
    posterior_, total = log_linear_posteriors(theta, problem)
    share, swapped = binary.oriented(binary.everywhere(posterior_, log_odds))
    if swapped:
        coefficients, log_odds = coefficients[::-1], -log_odds
    order, sketch = binary.settings["order"], binary.sketch
    parameters = _parameters(coefficients, log_odds, problem, order)
    error = _worst_standard_error(coefficients, log_odds, problem, sketch.n_items)
    return fitting.finish_climb(
        binary,
        climbed,
        law=_mixture(parameters),
        message=(
            f"Log-linear model of {problem.k} judges with terms up to order {order} "
            f"(ridge {problem.ridge:g}), fitted to {sketch.n_items} items."
        ),
        share=share,
        log_likelihood=float(problem.counts @ total),
        notes=([caveat] if caveat else []) + fitting.loose_note(error),
        parameters={**parameters, "worst_standard_error": error if np.isfinite(error) else None},
    )


def _worst_standard_error(
    coefficients: Floats, log_odds: float, problem: LogLinearProblem, n_items: int
) -> float:
    """Return that of the worst-known direction of the parameters, as `worst_standard_error`."""
    scores, chance = log_linear_scores(coefficients, problem.terms, log_odds)
    scores = scores[:, : problem.size]
    return worst_direction(scores, chance, n_items)


def fitted_law_log_linear(result: Aggregation) -> TwoClass:
    """Fitted law of votes: posteriors, risks and samples under the model."""
    check_fitted(result, "log-linear")
    return _mixture(dict(result.parameters))


# --- Ising aggregation above 24 judges, where everything about log Z is an estimate.


def fit_approximate(binary: Binary) -> Aggregation:
    """Fit more judges than can be enumerated; every start is run to its end, the best is kept."""
    method, settings = binary.method, binary.settings
    if not binary.read.sketch.complete or settings["ridge"] == "cv":
        raise DataError(
            f"votes of more than {MOST_ENUMERATED} judges must be complete and ridge a number; got "
            "votes left out or 'cv'; choose judges with select(judges=...), or use method 'factor'"
        )
    problem = make_problem(
        binary.votes,
        binary.counts,
        couplings=1 if method == "ising" else 2,
        ridge=float(settings["ridge"]),
        field_ridge=float(settings["field_ridge"]),
        **binary.prevalence_settings,
    )
    seed, limit = settings["seed"], min(settings["max_iter"], policy.MANY_STEPS)
    points = starting_points(binary.votes, settings["n_starts"], np.random.default_rng(seed))
    tol = policy.MANY_TOL
    fits = [fit_many(problem, held, seed=seed, max_iter=limit, tol=tol) for held in points]
    heights = [float(problem.counts @ fit.total) for fit, _ in fits]
    return _result_of_ising_approximate(binary, fits[int(np.argmax(heights))], heights)


def _result_of_ising_approximate(
    binary: Binary, fitted: tuple[ManyFit, End], heights: list[float]
) -> Aggregation:
    (parameters, share, _, parts), end = fitted
    share, swapped = binary.oriented(share)
    if swapped:
        parameters, parts = swap_classes(parameters), parts[::-1]
    sketch = binary.read.sketch
    errors = [part.error for part in parts]
    note = (
        f"With {sketch.n_judges} judges log Z is estimated (standard errors {errors[0]:.2g} and "
        f"{errors[1]:.2g}) and couplings come from a pseudo-likelihood: all numbers are approximate."
    )
    return finish_two(
        binary,
        message=f"Ising model of {sketch.n_judges} judges, approximately fitted to "
        f"{sketch.n_items} items.",
        share=share,
        chance=np.stack([part.mean for part in parts]),
        prevalence=float(expit(parameters.log_odds)),
        end=end,
        log_likelihood=max(heights),
        before=[note],
        parameters=parameters.to_dict()
        | {
            "log_z": [part.log_z for part in parts],
            "log_z_error": errors,
            "start_heights": heights,
        },
    )


def predict_approximate(result: Aggregation, votes: NDArray[np.int8]) -> Floats:
    """Return (rows, 2) posteriors of other complete votes, with the fit's own log Z."""
    if (votes < 0).any():
        raise DataError(
            f"votes must be complete for a fit of more than {MOST_ENUMERATED} judges; got some left "
            "out; fit again without the judges who left them out"
        )
    fit = result.parameters
    parameters = Parameters.from_dict(fit)
    joint = many_joint(parameters, np.array(fit["log_z"], float), votes.astype(float))
    share = expit(joint[:, 1] - joint[:, 0])
    return np.stack([1 - share, share], axis=1)


# --- Ising aggregation: couplings between judges, so that shared mistakes are not counted twice.
#
# Balasubramanian et al., equations (1), (3), (5) and Algorithm 1, with the exact likelihood in both steps.


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


def _fit_named(data: fitting.Data, method: str, **start: Any) -> Aggregation:
    if start["ridge"] != "cv":
        start["ridge"] = check_number("ridge", start["ridge"], least=0.0)
    order = ("ridge", "field_ridge", "n_starts", "seed", "max_iter", "tol", "prevalence")
    binary = fitting.opened_binary(method, data, **{name: start[name] for name in order})
    try:
        caveat = check_identifiable(method, binary.n_heard)
    except NotIdentifiableError as error:
        return binary.refused(str(error))
    if binary.votes.shape[1] > MOST_ENUMERATED:
        return fit_approximate(binary)
    return _fit_of_ising(binary, caveat)


def _fit_of_ising(binary: fitting.Binary, caveat: str) -> Aggregation:
    settings = binary.settings
    rng = np.random.default_rng(settings["seed"])
    cross_validate = settings["ridge"] == "cv"
    answered = binary.heard
    problem = make_problem(
        binary.votes[answered],
        binary.counts[answered],
        couplings=1 if binary.method == "ising" else 2,
        ridge=policy.RIDGE_START if cross_validate else settings["ridge"],
        field_ridge=settings["field_ridge"],
        **binary.prevalence_settings,
    )
    points = starting_points(binary.votes[answered], settings["n_starts"], rng)
    options = {**binary.run, "screen": 0 if problem.k <= policy.SCREEN_ABOVE else policy.SCREEN}
    best = best_climb(problem, points, **options)
    table: dict[str, float] = {}
    if cross_validate:
        chosen, table = choose_ridge(problem, best[0].theta, rng)
        if chosen != problem.ridge:
            problem = replace(problem, ridge=chosen)
            best = best_climb(problem, points, **options)
    return _result_of_ising(binary, problem, best, notes=(table, caveat))


def _result_of_ising(
    binary: fitting.Binary,
    problem: Problem,
    climbed: tuple[Climb, list[float]],
    *,
    notes: tuple[dict[str, float], str],
) -> Aggregation:
    theta, (table, caveat) = climbed[0].theta, notes
    parameters = unpack(theta, problem)
    posterior_, total = posteriors(theta, problem)
    share, swapped = binary.oriented(binary.everywhere(posterior_, parameters.log_odds))
    if swapped:
        parameters = swap_classes(parameters)
    sketch = binary.read.sketch
    law = _law(parameters)
    error = worst_standard_error(
        parameters, problem.couplings, sketch.n_items, prevalence_free=binary.log_odds is None
    )
    kind = (
        "one coupling per pair" if binary.method == "ising" else "one coupling per pair and label"
    )
    return fitting.finish_climb(
        binary,
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
    """Fitted law of votes: posteriors, risks and samples under the model."""
    if not result.method.startswith("ising") or result.evaluation is None:
        raise DataError(
            f"the result must be a fit of an Ising method; got method {result.method!r}, "
            f"status {result.status.value}"
        )
    return _law(Parameters.from_dict(result.parameters))


def fitted_rule(result: Aggregation) -> BayesRule:
    """Decision rule in closed form (Balasubramanian et al., eqs. 2 and 5)."""
    return bayes_rule(fitted_law(result))


def predict_ising(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; votes left out are summed over."""
    votes: NDArray[np.int8] = np.asarray(codes).astype(np.int8)
    if "log_z" in result.parameters:
        return predict_approximate(result, votes)
    return fitting.predict(result, codes)
