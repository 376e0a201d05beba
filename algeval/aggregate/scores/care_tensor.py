"""CARE-Tensor: quality and confounders by moments of three views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.fitting import scale_of, standardised, too_little_in_common
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import (
    ClassShare,
    FittedScores,
    ScoreCase,
    anchor_values,
    read_share,
)
from algeval.aggregate.score_results import ScoreAggregation, cluster_of
from algeval.aggregate.scores.care_svd import split_sparse_low_rank
from algeval.aggregate.scores.simple import by_presence
from algeval.data import Scores
from algeval.data.names import check_whole
from algeval.errors import DataError
from algeval.progress import steps
from algeval.result import Status, percent
from algeval.result.numbers import how_many

# --- Three groups of judges with as little dependence across groups as can be had.
#
# Arrays in, arrays out. A strength (N, N) says how much two judges have in common beyond the states:
# the sparse part of the split precision, say. Groups ("views") differ in size by at most one, and the
# sum of |strength| across them is made small: exactly for few judges, by swaps of two judges for more.


Views = NDArray[np.intp]
"""The view 0, 1 or 2 of each judge (N,), named in the order of their first judges."""


class Partition(NamedTuple):
    """The view of each judge, and the sum of |strength| across views."""

    views: Views
    cost: float


def best_partitions(strength: Floats, rng: np.random.Generator) -> list[Partition]:
    """Best partition of at least three judges and the next best, the best first.

    The next best are for a refit, where strengths are uncertain.
    """
    few = len(strength) <= policy.MOST_ENUMERATED
    partitions = enumerated(strength) if few else searched(strength, rng)
    return partitions[: policy.VIEW_CANDIDATES]


def cost_across(strength: Floats, views: Views) -> float:
    """Sum of |strength| over pairs of judges in different views."""
    return float(np.abs(strength)[views[:, None] < views].sum())


def enumerated(strength: Floats) -> list[Partition]:
    """Every partition, sorted by cost: 280 of nine judges, 5,775 of twelve."""
    n = len(strength)
    rows: list[tuple[int, ...]] = [(0,)]
    for _ in range(1, n):
        rows = [
            (*row, view)
            for row in rows
            for view in range(min(max(row) + 2, 3))
            if row.count(view) < (n + 2) // 3
        ]
    least = n // 3
    return _sorted(strength, [row for row in rows if min(map(row.count, range(3))) >= least])


def searched(strength: Floats, rng: np.random.Generator) -> list[Partition]:
    """Return where swaps from random starts end, and all one swap beside the best, sorted by cost."""
    n = len(strength)
    size = np.abs(strength) * (1 - np.eye(n))
    dealt = np.arange(n) % 3
    ends = [_descend(size, rng.permutation(dealt)) for _ in range(policy.VIEW_STARTS)]
    return _sorted(strength, [*ends, *single_swap(_sorted(strength, ends)[0].views)])


def single_swap(views: Views) -> list[Views]:
    """Return all partitions in which two judges have changed places."""
    apart = np.argwhere(views[:, None] < views)
    return [_in_order(_swapped(views, i, j)) for i, j in apart.tolist()]


def _descend(size: Floats, views: Views) -> Views:
    """Swap the two judges whose swap saves most, until none saves anything."""
    for _ in range(policy.MOST_SWAPS):
        ties = size @ (views[:, None] == np.arange(3))
        gain = ties[:, views] - ties[np.arange(len(views)), views][:, None]
        saved = gain + gain.T - 2 * size
        saved[views[:, None] == views] = 0
        i, j = np.unravel_index(np.argmax(saved), saved.shape)
        if saved[i, j] <= policy.ROUNDING * size.max():
            break
        views = _swapped(views, int(i), int(j))
    return views


def _swapped(views: Views, i: int, j: int) -> Views:
    other = views.copy()
    other[[i, j]] = views[[j, i]]
    return other


def _sorted(strength: Floats, partitions: list[Any]) -> list[Partition]:
    """Distinct partitions, the least cost first."""
    distinct = np.unique([_in_order(np.asarray(views)) for views in partitions], axis=0)
    costs = [cost_across(strength, row) for row in distinct]
    return [Partition(distinct[k], costs[k]) for k in np.argsort(costs, kind="stable")]


def _in_order(views: Views) -> Views:
    """Same partition, its views named in the order of their first judges."""
    first = [np.argmax(views == view) for view in range(3)]
    names: Views = np.argsort(np.argsort(first))[views]
    return names


# --- Hidden states from the third moment of three views: CP decomposition by alternating least
# squares.
#
# Arrays in, arrays out. If judges of different views are independent given one of r states, the cross-
# moment of the views, each with a constant 1 appended, is the sum over states of weight times
# (means of view 1, 1) x (means of view 2, 1) x (means of view 3, 1): a CP decomposition, whose last
# rows hold weights and scale, and whose components belong together across views without matching.
# (CARE, section 3.2 and appendices C.1 and D.5; the constant is ours.)


Factors = tuple[Floats, Floats, Floats]
Sides = list[Views]


class ViewMoments(NamedTuple):
    """Third moment (p1 + 1, p2 + 1, p3 + 1) of standardised views, and how scores were standardised.

    `center` and `spread` are (N,); a constant judge has spread 1 and is 0 throughout. `variance` is
    that of each entry of the tensor by the drawing of items.
    """

    views: Views
    center: Floats
    spread: Floats
    tensor: Floats
    variance: Floats

    @property
    def chance(self) -> float:
        """How far the moment is from its law's by the drawing of items alone, relative to its norm."""
        return float(np.sqrt(self.variance.sum() / (self.tensor**2).sum()))

    def among(self, views: Views) -> ViewMoments:
        """Moment of other views, of one that holds all judges along each side."""
        sides = (np.append(np.flatnonzero(views == view), len(views)) for view in range(3))
        block = np.ix_(*sides)
        return self._replace(views=views, tensor=self.tensor[block], variance=self.variance[block])


class Decomposition(NamedTuple):
    """Factors (p + 1, r) of each view, columns of A carry the size; ||T - [[A, B, C]]|| / ||T||."""

    factors: Factors
    residual: float
    converged: bool
    n_iter: int


class States(NamedTuple):
    """Weights (r,) and means (N, r) of states, in the judges' units.

    `weights` (r,): they sum to 1. Where `proper` is False some are not positive, and means have no
      meaning.
    `means` (N, r).
    `proper`: whether every weight is positive, as of a mixture.
    `residual`: relative to the moment's norm.
    `chance`: the residual that the drawing of items alone would leave if the moment were fitted by
      its law.
    `total`: what the weights summed to before; 1 but for noise.
    `k_ranks` (3,): of the factors of the views.
    `unique`: whether Kruskal's condition holds: no other decomposition of so few states exists.
    `converged`, `n_iter`: of the best start.
    `views` (N,).
    """

    weights: Floats
    means: Floats
    proper: bool
    residual: float
    chance: float
    total: float
    k_ranks: tuple[int, ...]
    unique: bool
    converged: bool
    n_iter: int
    views: Views


def view_moments(values: Floats, views: Views) -> ViewMoments:
    """Moment of (n, N) scores, NaN where missing.

    Every entry is the mean over the items that its one to three judges scored: scores must be missing
    regardless of what they would have been.
    """
    return _moments(values, views, [np.flatnonzero(views == view) for view in range(3)])


def every_moment(values: Floats) -> ViewMoments:
    """Moment (N + 1, N + 1, N + 1) that holds those of all views; see `among`."""
    judges = np.arange(values.shape[1])
    return _moments(values, np.zeros_like(judges), [judges] * 3)


def _moments(values: Floats, views: Views, sides: Sides) -> ViewMoments:
    seen = ~np.isnan(values)
    plain = np.where(seen, values, 0.0)
    counts = np.maximum(seen.sum(axis=0), 1)
    center = plain.sum(axis=0) / counts
    plain = np.where(seen, plain - center, 0.0)
    spread = np.sqrt((plain**2).sum(axis=0) / counts)
    spread = np.where(spread > policy.NO_SPREAD, spread, 1.0)
    plain /= spread
    common = np.maximum(_summed(seen.astype(float), sides), 1)
    tensor, squares = _summed(plain, sides) / common, _summed(plain**2, sides) / common
    variance = np.maximum(squares - tensor**2, 0) / common
    return ViewMoments(views, center, spread, tensor, variance)


def _summed(values: Floats, sides: Sides) -> Floats:
    """Sum over items of products of three, one of each side or its constant 1."""
    sizes = [len(side) + 1 for side in sides]
    total = np.zeros((sizes[0] * sizes[1], sizes[2]))
    rows = max(1, policy.MOMENT_CELLS // len(total))
    for start in range(0, len(values), rows):
        part = values[start : start + rows]
        column = np.ones((len(part), 1))
        a, b, c = (np.hstack([part[:, side], column]) for side in sides)
        total += (a[:, :, None] * b[:, None, :]).reshape(len(part), -1).T @ c
    return total.reshape(sizes)


def decompose(
    T: Floats,
    r: int,
    rng: np.random.Generator,
    starts: int = policy.CP_STARTS,
    sweeps: int = policy.CP_SWEEPS,
) -> list[Decomposition]:
    """CP decompositions of rank r, one from each start, the least residual first.

    One start is algebraic, and exact for an exact tensor; the others are random.
    """
    every = [[rng.normal(size=(d, r)) for d in T.shape] for _ in range(starts)]
    wide = np.argsort(np.negative(T.shape), kind="stable")
    if r <= T.shape[wide[1]]:
        fit = _algebraic(T.transpose(wide), r, rng)
        every[0] = [fit[mode] for mode in np.argsort(wide)]
    return sorted(
        (_descend_of_moment_tensor(T, start, sweeps) for start in every),
        key=lambda each: each.residual,
    )


def _algebraic(T: Floats, r: int, rng: np.random.Generator) -> list[Floats]:
    """Factors (dA, dB >= r) from two mixtures of slices that one pair of bases makes diagonal."""
    U, V = (
        np.linalg.svd(np.moveaxis(T, mode, 0).reshape(T.shape[mode], -1))[0][:, :r]
        for mode in (0, 1)
    )
    matrix, two = (U.T @ (T @ rng.normal(size=T.shape[2])) @ V for _ in range(2))
    A = U @ np.linalg.eig(matrix @ np.linalg.pinv(two))[1].real
    slices = np.linalg.lstsq(A, T.reshape(len(A), -1), rcond=None)[0].reshape(r, *T.shape[1:])
    u, s, v = np.linalg.svd(slices)
    return [A, u[:, :, 0].T, (s[:, :1] * v[:, 0]).T]


def _descend_of_moment_tensor(T: Floats, start: list[Floats], sweeps: int) -> Decomposition:
    """Fit one factor after the other by least squares until the residual stands still."""
    unfolded = [np.moveaxis(T, mode, 0).reshape(d, -1) for mode, d in enumerate(T.shape)]
    norm = float(np.linalg.norm(T))

    def step(state: tuple[list[Floats], float]) -> Step:
        (A, B, C), last = state
        A = _unit(_solved(unfolded[0], B, C))
        B = _unit(_solved(unfolded[1], A, C))
        C = _solved(unfolded[2], A, B)
        left = float(np.linalg.norm(unfolded[2] - C @ _products(A, B).T)) / norm
        state_ = [A, B, C], left
        return Step(state_, state_, abs(last - left))

    (factors, left), end = iterate(
        step, (start, np.inf), tol=policy.CP_TOL, n_items=1, max_iter=sweeps
    )
    return Decomposition(tuple(factors), left, end.converged, end.n_iter)


def _products(A: Floats, B: Floats) -> Floats:
    """Columnwise Kronecker (Khatri-Rao) product (dA dB, r)."""
    return (A[:, None] * B).reshape(-1, A.shape[1])


def _solved(unfolded: Floats, A: Floats, B: Floats) -> Floats:
    """Factor (d, r) that fits an unfolded tensor best; the shortest where many do."""
    factor_, *_ = np.linalg.lstsq(_products(A, B), unfolded.T, rcond=None)
    return np.asarray(factor_.T, float)


def _unit(A: Floats) -> Floats:
    size = np.linalg.norm(A, axis=0)
    return A / np.where(size > 0, size, 1.0)


def fit_states(moments: ViewMoments, r: int, rng: np.random.Generator) -> States:
    """R states of the best start, of those with positive weights where there are any."""
    every = [_states(moments, fit) for fit in decompose(moments.tensor, r, rng)]
    return next((fit for fit in every if fit.proper), every[0])


def best_states(
    values: Floats, partitions: list[Views], r: int, rng: np.random.Generator
) -> States:
    """States of the partition whose moment they leave least of.

    A dependence across views that the partition should have avoided is no mixture's moment: it
    stays as residual. Where more stays than chance leaves, of few judges, two are swapped as long as
    that lowers it.
    """
    every = [fit_states(view_moments(values, views), r, rng) for views in partitions]
    best = min(every, key=_left)
    if len(partitions) == 1 or len(best.views) > policy.MOST_REFITTED:
        return best
    whole = every_moment(values)
    for _ in range(policy.MOST_SWAPS):
        if best.proper and best.residual <= best.chance:
            break
        tried = [whole.among(views) for views in single_swap(best.views)]
        roughly = [decompose(m.tensor, r, rng, 1, policy.TRIED_SWEEPS)[0].residual for m in tried]
        states = fit_states(tried[int(np.argmin(roughly))], r, rng)
        if _left(states) >= _left(best):
            break
        best = states
    return best


def _left(states: States) -> tuple[bool, float]:
    return not states.proper, states.residual


def _states(moments: ViewMoments, fit: Decomposition) -> States:
    last = np.array([factor[-1] for factor in fit.factors])
    raw = last.prod(axis=0)
    proper = bool((np.abs(last) > policy.NO_STATE).all() and (raw > policy.LEAST_WEIGHT).all())
    divisor = np.where(np.abs(last) > policy.NO_STATE, last, policy.NO_STATE)
    means = np.empty((len(moments.views), len(raw)))
    for view, factor in enumerate(fit.factors):
        means[moments.views == view] = factor[:-1] / divisor[view]
    ranks = tuple(k_rank(factor) for factor in fit.factors)
    return States(
        weights=raw / raw.sum(),
        means=moments.center[:, None] + moments.spread[:, None] * means,
        proper=proper,
        residual=fit.residual,
        chance=moments.chance,
        total=float(raw.sum()),
        k_ranks=ranks,
        unique=unique_by_kruskal(ranks, len(raw)),
        converged=fit.converged,
        n_iter=fit.n_iter,
        views=moments.views,
    )


def k_rank(factor: Floats) -> int:
    """Largest k such that any k columns of (p, r) are independent, columns made unit."""
    columns = _unit(factor)
    r = columns.shape[1]
    for k in range(1, min(columns.shape) + 1):
        every = np.stack([columns[:, chosen] for chosen in combinations(range(r), k)])
        if np.linalg.svd(every, compute_uv=False).min() < policy.K_RANK_TOL:
            return k - 1
    return int(min(columns.shape))


def unique_by_kruskal(k_ranks: tuple[int, ...], r: int) -> bool:
    """Whether three k-ranks add up to 2 r + 2, or one state has no k-rank of 0."""
    return min(k_ranks) > 0 and (r == 1 or sum(k_ranks) >= 2 * r + 2)


def most_states(views: Views) -> int:
    """Largest number of states that views of such sizes can make unique."""
    rows = [int((views == view).sum()) + 1 for view in range(3)]
    return max(
        r for r in range(1, sum(rows)) if unique_by_kruskal(tuple(min(d, r) for d in rows), r)
    )


# --- Normal scores around the means of hidden states: who is in which state, and how probable are
# scores.
#
# Arrays in, arrays out. All states share the covariance around their means, and judges of different
# views are independent given the state; within a view judges may err together (CARE, equation 1).
# Scores are NaN where missing and are then left out of the density.


class Mixture(NamedTuple):
    """Weights (r,), means (N, r), covariance (N, N) within states, 0 across views, and views (N,)."""

    weights: Floats
    means: Floats
    noise: Floats
    views: Views


def mixture_of(values: Floats, weights: Floats, means: Floats, views: Views) -> Mixture:
    """Mixture with the covariance that states leave of (n, N) scores.

    It is the covariance of the scores less that of the means. Where a combination of judges of one
    view would keep less than a small share of their variance, or less than none, it keeps that share.
    """
    total, between = _covariance(values), _between(weights, means)
    return Mixture(weights, means, _within_views(total - between, np.diag(total), views), views)


def _covariance(values: Floats) -> Floats:
    """Covariance (N, N), each entry over the items that both judges scored."""
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
    """Blocks (N, N) of a covariance, their eigenvalues floored in units of `variance`."""
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
    """Posterior (n, r) of the states and the log-likelihood (n,) of (n, N) scores, nats."""
    return _e_step(_groups(values, mixture.views), mixture, len(values))


def polished(values: Floats, start: Mixture, *, tol: float, max_iter: int) -> tuple[Mixture, End]:
    """Mixture after steps of EM, each of which makes the scores more probable.

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
    """Groups of (n, N) scores, view by view."""
    groups = []
    for view in range(3):
        judges = np.flatnonzero(views == view)
        for held, rows in by_presence(~np.isnan(values[:, judges])):
            seen, hidden = judges[held], judges[~held]
            groups.append(_Group(rows, seen, hidden, values[np.ix_(rows, seen)]))
    return groups


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


# --- How many hidden states, and what each is worth.
#
# Arrays in, arrays out. States come without names: which of them are good is not in the scores. A value
# for each comes from anchors, from a judge trusted to know, or from a direction the judges share; the
# value of an item is then the mean over its states.


Clusters = NDArray[np.intp]


class StateCount(NamedTuple):
    """What held-out scores say of 1, 2, ... R states.

    `best`, `fewest`: the number of the highest likelihood, and the least within one standard error
      of it.
    `log_likelihood` (R,): nats per item, of items the states were not fitted to; nan where the
      states of some fold were not those of a mixture.
    `behind` (R,): how far below the best, nats per item.
    `error` (R,): standard error of that; items of one cluster count as one.
    """

    best: int
    fewest: int
    log_likelihood: Floats
    behind: Floats
    error: Floats


def count_states(
    values: Floats, views: Views, most: int, rng: np.random.Generator, clusters: Clusters
) -> StateCount:
    """Compare 1 to `most` states on folds of clusters (n,), 0 to C - 1, of (n, N) scores.

    A few steps of EM follow the moments: without, the covariance that wrong states leave is so
    poor that no number can be told from another.
    """
    chosen = _some(clusters, rng)
    values, clusters = values[chosen], np.unique(clusters[chosen], return_inverse=True)[1]
    fold = rng.permutation(np.arange(clusters.max() + 1) % policy.STATE_FOLDS)[clusters]
    heights = np.full((len(values), most), np.nan)
    for k in steps(range(policy.STATE_FOLDS), "counting states on held-out scores"):
        held = fold == k
        for r, mixture in enumerate(_mixtures(values[~held], views, most, rng)):
            if mixture is not None:
                heights[held, r] = posterior(values[held], mixture)[1]
    return _compared(heights, clusters)


def _some(clusters: Clusters, rng: np.random.Generator) -> Clusters:
    """Rows of clusters drawn until they have enough items."""
    sizes = np.bincount(clusters)
    order = rng.permutation(len(sizes))
    enough = int(np.searchsorted(np.cumsum(sizes[order]), policy.COUNTED_ITEMS)) + 1
    return np.flatnonzero(np.isin(clusters, order[:enough]))


def _mixtures(
    values: Floats, views: Views, most: int, rng: np.random.Generator
) -> list[Mixture | None]:
    """Mixtures of 1 to `most` states, None for those that the moments do not allow."""
    moments = view_moments(values, views)
    tol, steps = policy.COUNTED_EM
    single = moments.center[:, None]
    every: list[Mixture | None] = [mixture_of(values, np.ones(1), single, views)]
    for r in range(2, most + 1):
        states = fit_states(moments, r, rng)
        start = mixture_of(values, states.weights, states.means, views) if states.proper else None
        every.append(start and polished(values, start, tol=tol, max_iter=steps)[0])
    return every


def _compared(heights: Floats, clusters: Clusters) -> StateCount:
    n = len(heights)
    mean = heights.mean(axis=0)
    best = int(np.nanargmax(mean))
    gaps = heights[:, [best]] - heights
    behind = gaps.mean(axis=0)
    sums = np.stack([np.bincount(clusters, weights=gap) for gap in (gaps - behind).T], axis=1)
    error = np.sqrt((sums**2).sum(axis=0)) / n
    return StateCount(best + 1, int(np.argmax(behind <= error)) + 1, mean, behind, error)


def values_by_anchors(posterior: Floats, anchors: Floats) -> Floats:
    """Return (r,) the mean anchor of each state, anchors (m,) weighed by posteriors (m, r).

    nan where the anchors hardly ever are in a state.
    """
    mass = posterior.sum(axis=0)
    enough = mass > policy.LEAST_ANCHORS
    result: Floats = np.where(enough, anchors @ posterior / np.where(enough, mass, 1.0), np.nan)
    return result


def values_along(means: Floats, direction: Floats) -> Floats:
    """Return (r,) where means (N, r) of standardised scores lie along a direction (N,), made positive.

    The leading direction of what judges share is quality only where quality is what they share most
    (CARE, section 3.3): where a confounder moves the scores more, the states are named by it.
    """
    turned = -direction if direction.sum() < 0 else direction
    result: Floats = turned @ means
    return result


def filled_from_the_top(weights: Floats, values: Floats, share: float) -> Floats:
    """Return (r,) the part of each state in the higher class, which holds a `share` of the items.

    States join from the worthiest down; the last to join does so with the part that is left.
    """
    order = np.argsort(-values, kind="stable")
    before = np.cumsum(weights[order]) - weights[order]
    part = np.empty(len(values))
    part[order] = np.clip((share - before) / weights[order], 0, 1)
    return part


# --- Hidden states behind the scores, from the third moments of three groups of judges (CARE-
# Tensor).


def care_tensor(
    data: Scores,
    *,
    n_states: int | None = None,
    views: Sequence[Sequence[str]] | None = None,
    named_by: Any = None,
    anchors: Mapping[Any, Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    polish: int = 0,
    prevalence: Any = None,
    cut: object = None,
    seed: int = 0,
) -> ScoreAggregation:
    """Find the hidden states of the items (good or not, confounded or not), and score items by them.

    Use it where a confounder moves the scores more than quality does, and you can name the states:
    states are found from how three groups of judges vary together, whatever drives them most, but
    which of them are good is not in the scores. It takes the means of a state to differ from those
    of the others by more than a sum of two effects (an interaction), and judges of different groups
    to err independently given the state.

    Parameters
    ----------
    data : Scores
        At least 3 judges whose scores vary; 7 or more for four states. A key is never read.
    n_states : int, optional
        2 or more. None compares numbers on held-out items and takes the fewest within one standard
        error of the best.
    views : three sequences of judges, optional
        Groups to take for independent of each other. None searches those with the least dependence
        across, refits the best few and keeps the one that leaves least of the moment.
    named_by : {"judge": name}, "anchors", "leading" or None
        What a state is worth: the mean of a judge trusted to know, the mean of the anchors in it, or
        where it lies on the direction in which scores vary most, which is the confounder if that is
        stronger. None names by anchors, and without them leaves the states without names.
    anchors : {item: score}, optional
        Known scores, or classes 0 and 1, of some items. They calibrate `item_scores` too.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together when numbers of states are compared.
    polish : int
        Steps of EM after the moments, at most. If the mixture is true they bring the means nearer
        (by 30 to 40% in simulations); if it is not, they may lead away.
    prevalence, cut
        As of 'rank-factor'. The best states are the higher class until their weights reach the
        prevalence, or where their worth reaches the cut. Anchors of 0 and 1 tell the classes
        themselves where neither is given.
    seed : int

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; undetermined where states have no names, or are one; inconsistent
        where no mixture of so many states has these moments; not_identifiable with too few judges;
        too_large where so many judges would take minutes.
        `parameters` holds weights, means (N, r) and `state_posterior` (n_items, r), also of states
        without names.

    Raises
    ------
    DataError
        If a setting is out of range, or a judge or an item is not known.

    Notes
    -----
    Views are standardised, a constant is appended to each, and the third cross-moment is decomposed
    by alternating least squares; last rows hold the weights. Posteriors are those of normal scores with
    one covariance within views (CARE, equation 1). Kruskal's condition is checked on the factors.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, 400)
    >>> s = Scores(range(400), list("abc"), 2.0 * truth[:, None] + rng.normal(size=(400, 3)))
    >>> found = care_tensor(s, n_states=2, named_by={"judge": "a"})
    >>> found.status.value, bool(np.mean(found.decisions == truth) > 0.9)
    ('ok', True)
    """
    share = read_share(data, prevalence, cut)
    anchors_ = anchor_values(data.items, anchors)
    question = _Question(
        data=data,
        n_states=None if n_states is None else check_whole("n_states", n_states, 2),
        views=_read_views(data, views),
        named_by=_read_name(data, named_by, anchors_),
        clusters=cluster_of(data, cluster),
        polish=check_whole("polish", polish, 0),
        seed=check_whole("seed", seed, 0),
        known=anchors_,
        share=share,
        told=prevalence is not None or cut is not None,
        cluster=cluster if isinstance(cluster, str | None) else "given",
    )
    reason = _unsettled(data)
    if reason:
        return question.case(share).refused(reason)
    seconds = _seconds(question)
    if seconds > policy.MOST_TENSOR_SECONDS:
        why = (
            f"{data.n_judges} judges would take about {seconds / 60:.0f} minutes: the moment of three views "
            "has a cell for every three judges; choose judges with select(judges=...), or give n_states "
            "and views."
        )
        return question.case(share).refused(why, status=Status.TOO_LARGE)
    return _states_of_care_tensor(question)


def _seconds(question: _Question) -> float:
    """About how long the decompositions take, from what 20 and 40 judges took."""
    partitions = 1 if question.views is not None else policy.VIEW_CANDIDATES
    counted = policy.STATE_FOLDS * (policy.MOST_STATES - 1) if question.n_states is None else 0
    sweeps = (partitions + counted) * (policy.CP_STARTS + 1) * policy.CP_SWEEPS
    a_sweep, a_cell = policy.TENSOR_SECONDS
    return sweeps * (a_sweep + a_cell * (question.data.n_judges / 3 + 1) ** 3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Question:
    """The scores and the settings, checked; `views` are codes of judges, `known` anchors or NaN."""

    data: Scores
    n_states: int | None
    views: Views | None
    named_by: Any
    clusters: NDArray[np.intp]
    polish: int
    seed: int
    known: Floats | None
    share: ClassShare
    told: bool
    cluster: str | None

    @property
    def settings(self) -> dict[str, Any]:
        """All settings as JSON types."""
        names = ("n_states", "named_by", "cluster", "polish", "seed")
        views = None if self.views is None else _named(self.data, self.views)
        return (
            self.share.settings | {name: getattr(self, name) for name in names} | {"views": views}
        )

    def case(self, share: ClassShare) -> ScoreCase:
        """The scores under the method, with the share of the higher class that its result has."""
        return ScoreCase(data=self.data, method="care-tensor", settings=self.settings, share=share)


def _states_of_care_tensor(question: _Question) -> ScoreAggregation:
    """Choose views and number of states, fit them, and hand on what is found."""
    values, rng = question.data.values, np.random.default_rng(question.seed)
    if question.views is None:
        partitions = [part.views for part in best_partitions(_strengths(values), rng)]
    else:
        partitions = [question.views]
    most, count, r = most_states(partitions[0]), None, question.n_states
    if r is None:
        if question.clusters.max() + 1 < policy.STATE_FOLDS:
            why = f"Numbers of states are compared on {policy.STATE_FOLDS} folds of items; give n_states."
            return question.case(question.share).refused(why, status=Status.NOT_IDENTIFIABLE)
        tried = min(most, policy.MOST_STATES)
        partitions = [best_states(values, partitions, tried, rng).views]
        count = count_states(values, partitions[0], tried, rng, question.clusters)
        r = count.fewest
    if r == 1:
        why = "Held-out scores are as probable if all items are alike: there are no states to name."
        return question.case(question.share).refused(
            why, status=Status.UNDETERMINED, parameters=_counted(count)
        )
    if r > most:
        why = (
            f"{r} states must have larger groups of judges than {_sizes(partitions[0])}: these tell at "
            f"most {most} apart (Kruskal's condition); add judges or ask for fewer."
        )
        return question.case(question.share).refused(why, status=Status.NOT_IDENTIFIABLE)
    states = best_states(values, partitions, r, rng)
    if not states.proper:
        why = (
            f"No mixture of {r} states has these moments: one would have the weight "
            f"{states.weights.min():.2g}; ask for fewer states, or give other views."
        )
        return question.case(question.share).refused(
            why, status=Status.INCONSISTENT, parameters=_counted(count)
        )
    mixture = mixture_of(values, states.weights, states.means, states.views)
    if question.polish:
        steps = question.polish + 1
        mixture, _ = polished(values, mixture, tol=policy.POLISH_TOL, max_iter=steps)
    return _result(question, states, mixture, count)


def _result(
    question: _Question, states: States, mixture: Mixture, count: StateCount | None
) -> ScoreAggregation:
    data = question.data
    held, heights = posterior(data.values, mixture)
    end = End(states.converged, states.n_iter, (float(heights.sum()),), "alternating least squares")
    parameters = _parameters(states, mixture, held) | _counted(count)
    notes = _notes(states, mixture)
    groups = "; ".join(", ".join(group) for group in _named(data, states.views))
    r = len(mixture.weights)
    message = (
        f"{r} states behind {data.n_judges} judges on {how_many(data.n_items, 'item')}, in the views "
        f"{groups}; relative residual {states.residual:.2g}"
    )
    values, why = _state_values(question, mixture, held)
    if why:
        message = f"{message}; {why}"
        return question.case(question.share).refused(
            message, status=Status.UNDETERMINED, parameters=parameters, notes=notes
        )
    higher = _higher(question, mixture.weights, values)
    level = float(mixture.weights @ higher)
    share = ClassShare(
        level, "its states", counted=False, cut=None, settings=question.share.settings
    )
    center = mixture.weights @ values
    unit = (values - center) / np.sqrt(mixture.weights @ (values - center) ** 2)
    traits = held @ unit
    total = mixture.noise.diagonal() + (mixture.means**2) @ mixture.weights
    total = total - (mixture.means @ mixture.weights) ** 2
    who = (
        question.named_by
        if isinstance(question.named_by, str)
        else f"judge {question.named_by['judge']}"
    )
    return question.case(share).finish(
        FittedScores(
            traits=traits,
            spread=np.sqrt(np.maximum(held @ unit**2 - traits**2, 0)),
            higher=held @ higher,
            loadings=((mixture.means * mixture.weights) @ unit / np.sqrt(total))[:, None],
            noise=mixture.noise.diagonal() / total,
            end=end,
            parameters=parameters | {"state_worth": values, "state_higher": higher},
        ),
        message=f"{message}; what a state is worth is told by {who}; {percent(level)} are of the "
        "higher class.",
        notes=notes,
    )


def _state_values(question: _Question, mixture: Mixture, held: Floats) -> tuple[Floats, str]:
    """Return what each state is worth (r,), or why that is open."""
    if question.named_by is None:
        why = (
            "which of them are good is not in the scores; name them with anchors={item: score}, or "
            "with a judge you trust, named_by={'judge': name}."
        )
        return np.zeros(0), why
    if question.named_by == "anchors" and question.known is not None:
        at = ~np.isnan(question.known)
        values = values_by_anchors(held[at], question.known[at])
    elif question.named_by == "leading":
        read = standardised(question.data.values)
        direction = np.linalg.eigh(read.matrix)[1][:, -1]
        values = values_along(read.scale.standard(mixture.means.T).T, direction)
    else:
        values = np.asarray(
            mixture.means[question.data.judges.index(question.named_by["judge"])], float
        )
    if np.isnan(values).any():
        state = int(np.argmax(np.isnan(values)))
        item = question.data.items[int(held[:, state].argmax())]
        return values, f"no anchor is in one of the states; anchor an item such as {item!r}."
    if np.ptp(values) <= policy.NO_SPREAD * max(1.0, np.abs(values).max()):
        return (
            values,
            "what was to name them has the same value in all; name them by something else.",
        )
    return values, ""


def _higher(question: _Question, weights: Floats, values: Floats) -> Floats:
    """Chance (r,) that an item of a state is of the higher class."""
    if question.share.cut is not None:
        return np.where(values >= question.share.cut, 1.0, 0.0)
    if question.named_by == "anchors" and not question.told and _only_labels(question.known):
        return values
    return filled_from_the_top(weights, values, question.share.share)


def _only_labels(anchors: Floats | None) -> bool:
    return anchors is not None and bool(np.isin(anchors[~np.isnan(anchors)], (0, 1)).all())


def _unsettled(data: Scores) -> str:
    """Return why these scores have no third moments of judges that vary, or nothing."""
    varied = scale_of(data.values, np.ones(data.n_items)).spread > 0
    if varied.sum() < 3:
        return (
            f"Three views must have at least 3 judges whose scores vary; got {int(varied.sum())}: states "
            "are found from how three judges vary together."
        )
    return too_little_in_common(data.values[:, varied], np.ones(data.n_items), "moments", _ADVICE)


_ADVICE = "leave judges of few scores out with select(judges=...)"


def _read_views(data: Scores, views: Any) -> Views | None:
    """View of each judge (N,), or say what is wrong with the groups."""
    if views is None:
        return None
    groups = [] if isinstance(views, str) else [list(map(str, group)) for group in views]
    named = [judge for group in groups for judge in group]
    if len(groups) != 3 or not all(groups) or sorted(named) != sorted(data.judges):
        raise DataError(
            f"views must be three groups that hold every judge of {list(data.judges)} once; got "
            f"{views!r}; write [['a', 'b'], ['c'], ['d', 'e']]"
        )
    return np.array([next(v for v in range(3) if judge in groups[v]) for judge in data.judges])


def _read_name(data: Scores, named_by: Any, anchors: Floats | None) -> Any:
    """Return what names the states, or say what is wrong with it."""
    if named_by is None:
        return None if anchors is None else "anchors"
    if isinstance(named_by, Mapping) and set(named_by) == {"judge"}:
        if named_by["judge"] in data.judges:
            return dict(named_by)
        raise DataError(
            f"named_by must name one of the judges {list(data.judges)}; got {named_by['judge']!r}; "
            "write {'judge': name}"
        )
    if named_by == "leading" or (named_by == "anchors" and anchors is not None):
        return named_by
    raise DataError(
        f"named_by must be {{'judge': name}}, 'leading', or 'anchors' with anchors given; got "
        f"{named_by!r}; leave it out to see the states without names"
    )


def _strengths(values: Floats) -> Floats:
    """Return (N, N) how far judges depend on each other, what all share taken out of the precision."""
    sparse, low_rank = policy.VIEW_PENALTIES
    split = split_sparse_low_rank(
        standardised(values).matrix,
        loss="log-det",
        sparse=sparse,
        low_rank=low_rank,
        diagonal=False,
        tol=policy.VIEW_TOL,
        max_iter=policy.VIEW_SWEEPS,
    )
    return split.sparse


def _named(data: Scores, views: Views) -> list[list[str]]:
    return [
        [judge for judge, v in zip(data.judges, views, strict=True) if v == view]
        for view in range(3)
    ]


def _sizes(views: Views) -> str:
    return ", ".join(map(str, np.bincount(views)))


def _parameters(states: States, mixture: Mixture, held: Floats) -> dict[str, Any]:
    return {
        "weights": mixture.weights,
        "means": mixture.means,
        "state_noise": mixture.noise,
        "views": mixture.views.tolist(),
        "state_posterior": held,
        "relative_residual": states.residual,
        "residual_by_chance": states.chance,
        "k_ranks": list(states.k_ranks),
        "unique": states.unique,
    }


def _counted(count: StateCount | None) -> dict[str, Any]:
    """Return what held-out scores said of each number of states, None where it has no mixture."""
    if count is None:
        return {}
    columns = {
        name: [None if np.isnan(x) else float(x) for x in getattr(count, name)]
        for name in ("log_likelihood", "behind", "error")
    }
    return {"held_out_states": columns | {"best": count.best, "fewest": count.fewest}}


def _notes(states: States, mixture: Mixture) -> list[str]:
    """Sentences on how large the states are, and on whether others would do as well."""
    r = len(mixture.weights)
    sizes = ", ".join(f"{percent(weight)}" for weight in mixture.weights)
    notes = [f"The states hold {sizes} of the items; `parameters` has their means for each judge."]
    if states.residual > states.chance:
        notes.append(
            f"These states leave {states.residual:.2g} of the moments where chance would leave at most "
            f"{states.chance:.2g}: judges of different views depend on each other beyond the states, or "
            "there are more of them."
        )
    if not states.unique:
        ranks = " + ".join(map(str, states.k_ranks))
        notes.append(
            f"Other states may fit these scores as well: Kruskal's condition fails (k-ranks {ranks}; "
            f"{r} states need {2 * r + 2}). So it does where states are sums of two effects."
        )
    return notes


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; the prevalence where states have no names."""
    parameters = result.parameters
    if "state_higher" not in parameters:
        return np.tile([1 - result.prevalence, result.prevalence], (len(values), 1))
    weights, means, noise = (
        np.array(parameters[name], float) for name in ("weights", "means", "state_noise")
    )
    mixture = Mixture(weights, means, noise, np.array(parameters["views"]))
    higher = posterior(values, mixture)[0] @ np.array(parameters["state_higher"], float)
    return np.stack([1 - higher, higher], axis=1)
