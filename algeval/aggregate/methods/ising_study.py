"""Balasubramanian et al.'s pseudo-likelihood EM (Appendix D.1), for study only.

The pseudo-likelihood, the product over judges of the chance of each vote given the others, is not
a probability of the votes: summed over patterns it is above 1, the more so the stronger the
couplings. Put in the E-step it rewards inflated couplings and the labels collapse, even from the
truth. With an exact E-step it is only an approximate M-step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.climb import climb_value
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.kernels.ising import Parameters
from algeval.aggregate.kernels.two_classes import penalty, soft_majority
from algeval.aggregate.results import Aggregation, Floats
from algeval.data.names import Codes
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError, TooLargeError
from algeval.models.binary import MOST_ENUMERATED, expit, log_expit
from algeval.models.ising import Ising

__all__ = ["ising_pseudolikelihood_study", "predict", "pseudo_log_likelihood"]

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
    binary = fitting.read_binary(data, prevalence)
    if not binary.read.sketch.complete:
        raise DataError(
            "votes must be complete for a pseudo-likelihood; got some left out; use method 'ising'"
        )
    settings = {
        "e_step": e_step,
        "ridge": check_number("ridge", ridge, least=0.0),
        "field_ridge": check_number("field_ridge", field_ridge, least=0.0, strict=True),
        "prevalence": binary.rule.setting,
        **fitting.run_settings(max_iter=max_iter, tol=tol),
    }
    k = binary.votes.shape[1]
    if k < fitting.fewest(METHOD):
        why = f"class-dependent couplings must have at least 5 judges; got {k}; add judges"
        return fitting.refused(binary.read, METHOD, settings, why)
    if k > MOST_ENUMERATED:
        raise TooLargeError(
            f"the study must list all vote patterns, for at most {MOST_ENUMERATED} judges; got {k}"
        )
    return _em(binary, settings)


def pseudo_log_likelihood(h: Floats, W: Floats, J: Floats) -> Floats:
    """Return (U,): sum over judges of the log-chance of the vote given the others."""
    odds = h + J @ W
    result: Floats = log_expit(np.where(J > 0.5, odds, -odds)).sum(axis=1)
    return result


def _m_step(J: Floats, weight: Floats, start: Floats, settings: dict[str, Any]) -> Floats:
    """Return the vector (fields, upper couplings) that climbs the weighted pseudo-likelihood."""
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


def _em(binary: fitting.Binary, settings: dict[str, Any]) -> Aggregation:
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
    found, end = iterate(
        step, start, tol=settings["tol"], n_items=counts.sum(), max_iter=settings["max_iter"]
    )
    parameters, share = found
    exact = _joint(parameters, J, "exact")
    laws = [Ising(parameters.h[y], parameters.W[y]) for y in range(2)]
    return fitting.finish_two(
        binary,
        METHOD,
        settings,
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


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other complete votes by the same E-step."""
    votes: NDArray[np.int16] = np.asarray(codes)
    if (votes < 0).any():
        raise DataError("votes must be complete for a pseudo-likelihood; got some left out")
    parameters = Parameters.from_dict(result.parameters)
    joint = _joint(parameters, votes.astype(float), str(result.settings["e_step"]))
    share = expit(joint[:, 1] - joint[:, 0])
    return np.stack([1 - share, share], axis=1)
