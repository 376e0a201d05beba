"""Newton's method for ratings: the gauge is a sum of zero, the curvature comes along."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates import policy
from algeval.rates.leaderboards.cells import Cells
from algeval.rates.leaderboards.likelihood import MODELS, Derivatives

__all__ = ["Fit", "fit", "scores_of"]

Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """Where the weighted likelihood of some cells is largest.

    Attributes
    ----------
    parameters : (p,) array
        Ratings with sum 0, then the effect of being shown first and the tie parameter, where fitted.
    inverse : (p, p) array
        The inverse of the curvature where ratings sum to 0.
    scores : (c, p) sparse array
        The gradient of each cell's log likelihood.
    converged : bool
    """

    parameters: Floats
    inverse: Floats
    scores: Any
    converged: bool


def fit(cells: Cells, weights: Floats, ties: str) -> Fit:
    """Return the largest likelihood of cells with these weights, which may be negative in part.

    Parameters
    ----------
    cells : Cells
    weights : (c,) array
    ties : str
        One of `MODELS`; without a tie among the cells its parameter is left out.
    """
    model = MODELS["half"] if not cells.any_tie else MODELS[ties]
    at = np.zeros(cells.design.shape[1] + (model.start is not None))
    if model.start is not None:
        at[-1] = model.start
    gauge = np.zeros(len(at))
    gauge[: cells.n_systems] = cells.n_systems**-0.5

    def there(point: Floats) -> tuple[float, Derivatives]:
        eta = cells.design @ point[: cells.design.shape[1]]
        found = model.of(eta, float(point[-1]), cells.outcome)
        return float(weights @ found.log_likelihood), found

    value, found = there(at)
    converged = False
    for _ in range(policy.NEWTON_STEPS):
        gradient = scores_of(cells, found, len(at)).T @ weights
        curvature = _curvature(cells, found, weights, len(at)) + np.outer(gauge, gauge)
        step = _solved(curvature, gradient)
        if step is None:
            break
        if np.abs(step).max() < policy.NEWTON_STILL:
            converged = True
            break
        size, before = 1.0, value
        value, found = there(at + step)
        while (
            not value >= before - abs(before) * policy.NEWTON_NOISE and size > policy.NEWTON_STILL
        ):
            size /= 2
            value, found = there(at + size * step)
        at = at + size * step
        if np.abs(at).max() > policy.RATING_FAR:
            break
    inverse = np.linalg.pinv(curvature, hermitian=True) - np.outer(gauge, gauge)
    return Fit(at, inverse, scores_of(cells, found, len(at)), converged)


def _solved(curvature: Floats, gradient: Floats) -> Floats | None:
    try:
        return np.asarray(np.linalg.solve(curvature, gradient))
    except np.linalg.LinAlgError:
        return None


def scores_of(cells: Cells, found: Derivatives, size: int) -> Any:
    """Return (c, size): the gradient of each cell in the parameters."""
    from scipy import sparse

    by_x = cells.design.multiply(found.by_x[:, None])
    if size == cells.design.shape[1]:
        return by_x.tocsr()
    return sparse.hstack([by_x, sparse.csr_array(found.by_t[:, None])]).tocsr()


def _curvature(cells: Cells, found: Derivatives, weights: Floats, size: int) -> Floats:
    design, m = cells.design, cells.design.shape[1]
    whole = np.zeros((size, size))
    whole[:m, :m] = (design.T @ design.multiply((weights * found.curved_x)[:, None])).toarray()
    if size > m:
        whole[:m, -1] = whole[-1, :m] = design.T @ (weights * found.curved_xt)
        whole[-1, -1] = weights @ found.curved_t
    return whole
