"""Ising aggregation above 24 judges, where everything about log Z is an estimate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.fitting import Binary, evaluation_of, suspect_warnings
from algeval.aggregate.kernels.ising import (
    Parameters,
    make_problem,
    soft_majority,
    starting_points,
    swap_classes,
)
from algeval.aggregate.kernels.ising_many import ManyFit, fit_many, many_joint
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.errors import DataError
from algeval.models.binary import MOST_ENUMERATED, expit
from algeval.result import Status


def fit_approximate(binary: Binary, method: str, settings: dict[str, Any]) -> Aggregation:
    """Fit more judges than can be enumerated; every start is run to its end, the best is kept."""
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
        log_odds=binary.log_odds,
        prior=binary.prior,
    )
    seed, limit = int(settings["seed"]), min(int(settings["max_iter"]), 200)
    points = starting_points(binary.votes, int(settings["n_starts"]), np.random.default_rng(seed))
    fits = [fit_many(problem, held, seed=seed, max_iter=limit, tol=1e-3) for held in points]
    heights = [float(problem.counts @ fit.total) for fit in fits]
    return _result(binary, method, settings, fits[int(np.argmax(heights))], heights)


def _result(
    binary: Binary, method: str, settings: dict[str, Any], fit: ManyFit, heights: list[float]
) -> Aggregation:
    parameters, share, parts = fit.parameters, fit.share, fit.partitions
    lean = float(binary.counts @ ((share - 0.5) * (soft_majority(binary.votes) - 0.5)))
    if lean < 0 and binary.rule.symmetric:
        parameters, share, parts = swap_classes(parameters), 1 - share, parts[::-1]
    sketch = binary.read.sketch
    posterior = np.stack([1 - share, share], axis=1)
    p = float(expit(parameters.log_odds))
    chance = np.stack([part.mean for part in parts])
    evaluation = evaluation_of(sketch, chance, posterior, np.array([1 - p, p]))
    errors = [part.error for part in parts]
    told = (
        f"With {sketch.n_judges} judges log Z is estimated (standard errors {errors[0]:.2g} and "
        f"{errors[1]:.2g}) and couplings come from a pseudo-likelihood: all numbers are approximate."
    )
    ended = "" if fit.converged else " EM was stopped before it settled."
    return assemble(
        binary.read,
        method=method,
        settings=settings,
        message=f"Ising model of {sketch.n_judges} judges, approximately fitted to "
        f"{sketch.n_items} items.{ended}",
        posterior=posterior,
        evaluation=evaluation,
        status=Status.OK if fit.converged else Status.NOT_CONVERGED,
        log_likelihood=max(heights),
        n_iter=fit.steps,
        converged=fit.converged,
        warnings=(told, *suspect_warnings(evaluation)),
        parameters={
            "fields": parameters.h,
            "couplings": parameters.W,
            "log_odds": parameters.log_odds,
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
    found = result.parameters
    parameters = Parameters(
        np.array(found["fields"], float),
        np.array(found["couplings"], float),
        float(found["log_odds"]),
    )
    joint = many_joint(parameters, np.array(found["log_z"], float), votes.astype(float))
    share = expit(joint[:, 1] - joint[:, 0])
    return np.stack([1 - share, share], axis=1)
