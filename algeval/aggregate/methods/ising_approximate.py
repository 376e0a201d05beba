"""Ising aggregation above 24 judges, where everything about log Z is an estimate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.fitting import Binary, finish_two
from algeval.aggregate.kernels.ising import Parameters, make_problem, swap_classes
from algeval.aggregate.kernels.ising_many import ManyFit, fit_many, many_joint
from algeval.aggregate.kernels.two_classes import starting_points
from algeval.aggregate.results import Aggregation, End, Floats
from algeval.errors import DataError
from algeval.models.binary import MOST_ENUMERATED, expit


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
        **binary.prevalence_settings,
    )
    seed, limit = settings["seed"], min(settings["max_iter"], policy.MANY_STEPS)
    points = starting_points(binary.votes, settings["n_starts"], np.random.default_rng(seed))
    tol = policy.MANY_TOL
    fits = [fit_many(problem, held, seed=seed, max_iter=limit, tol=tol) for held in points]
    heights = [float(problem.counts @ fit.total) for fit, _ in fits]
    return _result(binary, method, settings, fits[int(np.argmax(heights))], heights)


def _result(
    binary: Binary,
    method: str,
    settings: dict[str, Any],
    fitted: tuple[ManyFit, End],
    heights: list[float],
) -> Aggregation:
    (parameters, share, _, parts), end = fitted
    share, swapped = binary.oriented(share)
    if swapped:
        parameters, parts = swap_classes(parameters), parts[::-1]
    sketch = binary.read.sketch
    errors = [part.error for part in parts]
    told = (
        f"With {sketch.n_judges} judges log Z is estimated (standard errors {errors[0]:.2g} and "
        f"{errors[1]:.2g}) and couplings come from a pseudo-likelihood: all numbers are approximate."
    )
    return finish_two(
        binary,
        method,
        settings,
        message=f"Ising model of {sketch.n_judges} judges, approximately fitted to "
        f"{sketch.n_items} items.",
        share=share,
        chance=np.stack([part.mean for part in parts]),
        prevalence=float(expit(parameters.log_odds)),
        end=end,
        log_likelihood=max(heights),
        before=[told],
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
    found = result.parameters
    parameters = Parameters.from_dict(found)
    joint = many_joint(parameters, np.array(found["log_z"], float), votes.astype(float))
    share = expit(joint[:, 1] - joint[:, 0])
    return np.stack([1 - share, share], axis=1)
