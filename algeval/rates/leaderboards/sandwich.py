"""How sure ratings are when battles of one prompt hang together: cluster sandwich, with or without gold.

Every estimate here solves "the weighted sum of scores is zero", where clusters are the units that were
drawn; its covariance is the inverse curvature around the sum of squares of what each cluster adds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from algeval.rates import policy
from algeval.rates.leaderboards.cells import Cells
from algeval.rates.leaderboards.fit import Fit, fit

__all__ = ["Sandwich", "counts_of", "sandwich", "with_gold"]

Floats = NDArray[np.float64]


class Sandwich(NamedTuple):
    """A fit, the covariance (p, p) of its parameters, and how much the judges' votes weigh beside gold."""

    fit: Fit
    covariance: Floats
    lambda_: float | None = None


def counts_of(cluster: NDArray[np.int64], cell: NDArray[np.int64], shape: tuple[int, int]) -> Any:
    """Return (clusters, cells): how often each cluster holds each cell, as a sparse array."""
    return sparse.coo_array((np.ones(len(cell)), (cluster, cell)), shape=shape).tocsr()


def sandwich(cells: Cells, counts: Any, ties: str) -> Sandwich:
    """Return the fit to all battles, and its covariance clustered by the rows of `counts`."""
    found = fit(cells, _column_sums(counts), ties)
    added = counts @ found.scores
    return Sandwich(found, _around(found.inverse, (added.T @ added).toarray(), counts.shape[0]))


def with_gold(cells: Cells, votes: Any, labelled: Any, gold: Any, ties: str) -> Sandwich:
    """Return the prediction-powered fit: votes everywhere, put right by gold where there is any.

    It solves `lambda mean(s of votes) + mean over labelled (s of gold - lambda s of votes) = 0`, s the
    score of a battle, with the lambda that makes the ratings' variances smallest in sum.

    Parameters
    ----------
    cells : Cells
    votes, labelled, gold : (clusters, cells) sparse arrays
        Counts of all votes, of the votes where gold is known, and of gold in their place.
    ties : str
    """
    parts = [part / part.sum() for part in (gold, votes, labelled)]
    sums = [_column_sums(part) for part in parts]
    share = 1.0
    for last in [False] * policy.LAMBDA_ROUNDS + [True]:
        found = fit(cells, sums[0] + share * (sums[1] - sums[2]), ties)
        if not found.converged:
            return Sandwich(found, np.full_like(found.inverse, np.nan), share)
        squares, base, slope = _pieces(parts, sums, found)
        if not last:
            share = _best_share(found, cells.n_systems, squares, base, slope)
    way = base + share * slope
    covariance = _around(found.inverse, way.T @ squares @ way, votes.shape[0])
    return Sandwich(found, covariance, share)


def _pieces(parts: list[Any], sums: list[Floats], found: Fit) -> tuple[Floats, Floats, Floats]:
    """Return the cross products of what clusters hold, and how they add up: base + share * slope.

    What a cluster adds is centred, part by part, by its number of battles, as means and not sums are
    estimated; the columns are the scores of gold, votes and labelled votes, then these numbers.
    """
    added = [part @ found.scores for part in parts]
    sizes = [sparse.csr_array(part.sum(axis=1)[:, None]) for part in parts]
    held = sparse.hstack([*added, *sizes]).tocsr()
    means = [total @ found.scores for total in sums]
    p = len(found.parameters)
    one, none = np.eye(p), np.zeros((p, p))
    signs = ((1, 0, 0), (0, 1, -1))
    base, slope = (
        np.vstack(
            [
                *(one * s if s else none for s in sign),
                *(-s * m for s, m in zip(sign, means, strict=True)),
            ]
        )
        for sign in signs
    )
    return (held.T @ held).toarray(), base, slope


def _best_share(fit: Fit, n_systems: int, squares: Floats, base: Floats, slope: Floats) -> float:
    rows = fit.inverse[:n_systems]
    against = np.trace(rows @ base.T @ squares @ slope @ rows.T)
    own = np.trace(rows @ slope.T @ squares @ slope @ rows.T)
    return float(np.clip(-against / own, 0, 1)) if own > policy.NEWTON_NOISE else 0.0


def _around(inverse: Floats, squares: Floats, n_clusters: int) -> Floats:
    """Return inverse * squares * inverse, a little larger for few clusters."""
    more = n_clusters / (n_clusters - 1) if n_clusters > 1 else np.nan
    return np.asarray(more * inverse @ squares @ inverse)


def _column_sums(counts: Any) -> Floats:
    return np.asarray(counts.sum(axis=0)).ravel()
