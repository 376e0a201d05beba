"""Normal scores around the means of hidden states: who is in which state, and how probable are scores.

Arrays in, arrays out. All states share the covariance around their means, and judges of different
views are independent given the state; within a view judges may err together (CARE, equation 1).
Scores are NaN where missing and are then left out of the density.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_kernels.presence import by_presence
from algeval.aggregate.score_kernels.views import Views

__all__ = ["Mixture", "mixture_of", "polished", "posterior"]


class Mixture(NamedTuple):
    """Weights (r,), means (N, r), covariance (N, N) within states, 0 across views, and views (N,)."""

    weights: Floats
    means: Floats
    noise: Floats
    views: Views


def mixture_of(values: Floats, weights: Floats, means: Floats, views: Views) -> Mixture:
    """Return the mixture with the covariance that states leave of (n, N) scores.

    It is the covariance of the scores less that of the means. Where a combination of judges of one
    view would keep less than a small share of their variance, or less than none, it keeps that share.
    """
    total, between = _covariance(values), _between(weights, means)
    return Mixture(weights, means, _within_views(total - between, np.diag(total), views), views)


def _covariance(values: Floats) -> Floats:
    """Return the covariance (N, N), each entry over the items that both judges scored."""
    seen = ~np.isnan(values)
    common = np.maximum(seen.T.astype(float) @ seen, 1)
    center = np.where(seen, values, 0.0).sum(axis=0) / np.diag(common)
    apart = np.where(seen, values - center, 0.0)
    result: Floats = apart.T @ apart / common
    return result


def _between(weights: Floats, means: Floats) -> Floats:
    shift = means - (means @ weights)[:, None]
    result: Floats = (shift * weights) @ shift.T
    return result


def _within_views(left: Floats, variance: Floats, views: Views) -> Floats:
    """Return the blocks (N, N) of a covariance, their eigenvalues floored in units of `variance`."""
    size = np.sqrt(np.where(variance > policy.NO_SPREAD**2, variance, 1.0))
    result = np.zeros_like(left)
    for view in range(3):
        block = np.ix_(views == view, views == view)
        unit = np.outer(size, size)[block]
        values, vectors = np.linalg.eigh(left[block] / unit)
        kept = np.maximum(values, policy.LEAST_STATE_NOISE)
        result[block] = (vectors * kept) @ vectors.T * unit
    return result


def posterior(values: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return the posterior (n, r) of the states and the log-likelihood (n,) of (n, N) scores, nats."""
    return _e_step(_groups(values, mixture.views), mixture, len(values))


def polished(values: Floats, start: Mixture, *, tol: float, max_iter: int) -> tuple[Mixture, End]:
    """Return the mixture after steps of EM, each of which makes the scores more probable.

    It is the maximum-likelihood estimate near the start if the mixture is true: more exact than
    moments. If it is not true, EM may leave the states that the moments found.
    """
    groups, n = _groups(values, start.views), len(values)

    def step(at: Mixture) -> Step:
        share, total = _e_step(groups, at, n)
        new = _m_step(groups, share, at)
        return Step(at, new, float(np.abs(new.weights - at.weights).max()), float(total.sum()))

    return iterate(step, start, tol=tol, n_items=n, max_iter=max_iter)


class _Group(NamedTuple):
    """Items whose scores x (rows, seen) the same judges of a view gave; `hidden` are the others."""

    rows: Any
    seen: Any
    hidden: Any
    x: Floats


def _groups(values: Floats, views: Views) -> list[_Group]:
    """Return the groups of (n, N) scores, view by view."""
    found = []
    for view in range(3):
        judges = np.flatnonzero(views == view)
        for held, rows in by_presence(~np.isnan(values[:, judges])):
            seen, hidden = judges[held], judges[~held]
            found.append(_Group(rows, seen, hidden, values[np.ix_(rows, seen)]))
    return found


def _e_step(groups: list[_Group], at: Mixture, n: int) -> tuple[Floats, Floats]:
    joint = np.zeros((n, 1)) + np.log(at.weights)
    center = at.means @ at.weights
    for group in groups:
        root = np.linalg.cholesky(at.noise[np.ix_(group.seen, group.seen)])
        x, means = (
            solve_triangular(root, each, lower=True)
            for each in ((group.x - center[group.seen]).T, (at.means.T - center).T[group.seen])
        )
        distance = (x**2).sum(axis=0)[:, None] - 2 * x.T @ means + (means**2).sum(axis=0)
        size = len(root) * np.log(2 * np.pi) + 2 * np.log(np.diag(root)).sum()
        joint[group.rows] -= 0.5 * (distance + size)
    top = joint.max(axis=1, keepdims=True)
    share = np.exp(joint - top)
    total = share.sum(axis=1, keepdims=True)
    return share / total, (top + np.log(total))[:, 0]


def _m_step(groups: list[_Group], share: Floats, at: Mixture) -> Mixture:
    """Return what posteriors (n, r) make most probable; missing scores are expected from the others.

    Sums are of x - means of the state, times `reach` where judges are hidden.
    """
    items, n = np.maximum(share.sum(axis=0), policy.TINY), len(share)
    center = at.means @ at.weights
    first, second = np.zeros_like(at.means), np.zeros_like(at.noise)
    for group in groups:
        seen, hidden, held = group.seen, group.hidden, share[group.rows]
        slope = np.linalg.solve(at.noise[np.ix_(seen, seen)], at.noise[np.ix_(seen, hidden)])
        reach, judges = np.hstack([np.eye(len(seen)), slope]), np.concatenate([seen, hidden])
        x, means, mass = group.x - center[seen], (at.means.T - center).T[seen], held.sum(axis=0)
        sums = x.T @ held
        cross = sums @ means.T
        squares = x.T @ x - cross - cross.T + (means * mass) @ means.T
        first[judges] += reach.T @ (sums - means * mass)
        second[np.ix_(judges, judges)] += reach.T @ squares @ reach
        spare = at.noise[np.ix_(hidden, hidden)] - at.noise[np.ix_(hidden, seen)] @ slope
        second[np.ix_(hidden, hidden)] += len(x) * spare
    shift, weights = first / items, items / n
    means = at.means + shift
    noise = second / n - (shift * weights) @ shift.T
    variance = np.diag(noise + _between(weights, means))
    return Mixture(weights, means, _within_views(noise, variance, at.views), at.views)
