"""Latent-factor aggregation: one or two hidden traits of each item move all judges together.

Balasubramanian et al., Proposition 1 with rank 1 or 2 and Algorithm 1, with the factors integrated out.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.climb import Climb, best_climb_from
from algeval.aggregate.kernels.factor import (
    FactorParameters,
    FactorProblem,
    factor_posteriors,
    factor_value,
    make_factor_problem,
    unpack_factor,
)
from algeval.aggregate.kernels.two_classes import starting_points
from algeval.aggregate.results import Aggregation, Floats, check_fitted
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.models.binary import TwoClass
from algeval.models.factor import Factor

__all__ = ["factor", "fitted_law"]

_TRAITS = {1: "", 2: " with two hidden traits"}


def factor(
    data: fitting.Data,
    *,
    rank: int = 1,
    ridge: float = 0.1,
    loading_ridge: float = 5.0,
    prevalence: Any = "free",
    n_starts: int = 3,
    n_nodes: int | None = None,
    seed: int = 0,
    max_iter: int = 1000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when something unseen about an item, besides its label, sways every judge.

    Use it when judges' errors go together because items differ (topic, length, difficulty): far
    fewer parameters than `ising`, any number of judges, and a vote left out is simply left out.
    Two labels, at least 4 judges (5 at rank 2). The label and the traits compete to explain
    agreement: when a trait is the stronger, the classes found are not the labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    rank : 1 or 2
        Number of hidden traits. With 2, groups of judges may be swayed by different traits.
    ridge : float
        Penalty ridge / 2 times the sum of squared baselines and label effects.
    loading_ridge : float
        The same for the loadings on the trait. Weak values let the trait crowd out the label: on
        real votes of 21 LLM judges .5 found classes far from the labels, 5 did not.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    n_starts, seed
        Climbs from soft majority vote and perturbed copies of it; the highest is kept.
    n_nodes : int, optional
        Points on [-6, 6], along each trait, of the grid summed over; 61, or 25 at rank 2.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds baseline b, effect a and loading of each judge (log-odds of the second
        label: b + a (y - 1/2) + loading . z) and log_odds. Loadings are (K,), or (K, 2) turned to
        their principal axes, as traits can be rotated freely. Status ok, not_converged, or
        not_identifiable below 4 judges (5 at rank 2).

    Raises
    ------
    TooLargeError
        If the arrays of the sum over the traits would take gigabytes.
    DataError
        If there are not exactly two answers or a setting is out of range.

    Notes
    -----
    The climb is L-BFGS on the penalised observed log-likelihood; its gradient is the M-step's.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnn": 40, "yyyy": 30, "yynn": 9, "nnyy": 8, "ynyn": 3, "nyyy": 5})
    >>> factor(s).decisions.tolist()[0]
    0
    """
    if rank not in _TRAITS:
        raise DataError(f"rank must be 1 or 2; got {rank!r}; a grid over more traits is too large")
    binary = fitting.read_binary(data, prevalence)
    settings = {
        "rank": int(rank),
        "ridge": check_number("ridge", ridge, least=0.0, strict=True),
        "loading_ridge": check_number("loading_ridge", loading_ridge, least=0.0, strict=True),
        "prevalence": binary.rule.setting,
        "n_nodes": check_whole("n_nodes", policy.NODES[rank] if n_nodes is None else n_nodes, 11),
        **fitting.run_settings(n_starts=n_starts, seed=seed, tol=tol, max_iter=max_iter),
    }
    k, least = binary.n_heard, fitting.fewest("factor") + rank - 1
    if k < least:
        free = (2 + rank) * k + 2 - rank
        at = "" if rank == 1 else f" at rank {rank}"
        why = (
            f"the latent-factor model must have at least {least} judges{at}; got {k} who "
            f"answered, whose votes are {2**k - 1} frequencies for {free} parameters; add judges or "
            "use 'dawid-skene'"
        )
        return fitting.refused(binary.read, "factor", settings, why)
    return _fit(binary, settings)


def _fit(binary: fitting.Binary, settings: dict[str, Any]) -> Aggregation:
    problem = make_factor_problem(
        binary.votes,
        binary.counts,
        rank=settings["rank"],
        n_nodes=settings["n_nodes"],
        ridge=settings["ridge"],
        loading_ridge=settings["loading_ridge"],
        **binary.prevalence_settings,
    )
    rng = np.random.default_rng(settings["seed"])
    points = starting_points(binary.votes, settings["n_starts"], rng)
    thetas = [_first_theta(problem, rng) for _ in points]
    value = partial(factor_value, problem=problem)
    run = {name: settings[name] for name in ("max_iter", "tol")}
    found = best_climb_from(points, thetas, value, problem.n_items, **run)
    return _result(binary, settings, problem, found)


def _first_theta(problem: FactorProblem, rng: np.random.Generator) -> Floats:
    """Return loadings alone: one trait moves all alike; a second at random, as 0 would stay 0."""
    lam = np.full((problem.rank, problem.k), policy.FIRST_LOADING)
    if problem.rank > 1:
        lam[1:] *= rng.choice([-1.0, 1.0], (problem.rank - 1, problem.k))
        lam[1:] += rng.normal(0, policy.TRAIT_NOISE, (problem.rank - 1, problem.k))
    theta = np.zeros(problem.size)
    theta[2 * problem.k : (2 + problem.rank) * problem.k] = lam.ravel()
    return theta


def _turned(lam: Floats) -> Floats:
    """Return the loadings along their principal axes, each axis signed to a sum of at least 0."""
    if lam.shape[1] > 1:
        left, length, _ = np.linalg.svd(lam, full_matrices=False)
        lam = left * length
    return lam * np.where(lam.sum(axis=0) < 0, -1.0, 1.0)


def _result(
    binary: fitting.Binary,
    settings: dict[str, Any],
    problem: FactorProblem,
    climbed: tuple[Climb, list[float]],
) -> Aggregation:
    theta = climbed[0].theta
    parameters = unpack_factor(theta, problem)
    share, total = factor_posteriors(theta, problem)
    share, swapped = binary.oriented(share)
    if swapped:
        parameters = FactorParameters(
            parameters.b, -parameters.a, parameters.lam, -parameters.log_odds
        )
    loading = _turned(parameters.lam)
    return fitting.finish_climb(
        binary,
        "factor",
        settings,
        climbed,
        law=_law(parameters),
        message=(
            f"Latent-factor model of {problem.k} judges{_TRAITS[problem.rank]}, fitted to "
            f"{binary.read.sketch.n_items} items."
        ),
        share=share,
        log_likelihood=float(problem.counts @ total),
        missing=fitting.LEFT_OUT,
        parameters={
            "baseline": parameters.b,
            "effect": parameters.a,
            "loading": loading[:, 0] if problem.rank == 1 else loading,
            "log_odds": parameters.log_odds,
        },
    )


def _law(parameters: FactorParameters) -> TwoClass:
    laws = [Factor(parameters.b + half * parameters.a, parameters.lam) for half in (-0.5, 0.5)]
    return fitting.mixture(parameters.log_odds, *laws)


def fitted_law(result: Aggregation) -> TwoClass:
    """Return the fitted law of votes: posteriors, risks and samples under the model.

    Raises
    ------
    DataError
        If the result is not of method "factor" or holds no fit.
    """
    check_fitted(result, "factor")
    found = result.parameters
    b, a, lam = (np.array(found[name], float) for name in ("baseline", "effect", "loading"))
    return _law(FactorParameters(b, a, lam, float(found["log_odds"])))
