"""Hidden states from the third moment of three views: CP decomposition by alternating least squares.

Arrays in, arrays out. If judges of different views are independent given one of r states, the cross-
moment of the views, each with a constant 1 appended, is the sum over states of weight times
(means of view 1, 1) x (means of view 2, 1) x (means of view 3, 1): a CP decomposition, whose last
rows hold weights and scale, and whose components belong together across views without matching.
(CARE, section 3.2 and appendices C.1 and D.5; the constant is ours.)
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.views import Views, one_swap

__all__ = [
    "Decomposition",
    "States",
    "ViewMoments",
    "best_states",
    "decompose",
    "every_moment",
    "fit_states",
    "k_rank",
    "most_states",
    "unique_by_kruskal",
    "view_moments",
]

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
        """Return the moment of other views, of one that holds all judges along each side."""
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

    Attributes
    ----------
    weights : (r,) array
        They sum to 1. Where `proper` is False some are not positive, and means have no meaning.
    means : (N, r) array
    proper : bool
        Whether every weight is positive, as of a mixture.
    residual : float
        Relative to the moment's norm.
    chance : float
        The residual that the drawing of items alone would leave if the moment were fitted by its law.
    total : float
        What the weights summed to before; 1 but for noise.
    k_ranks : (3,) ints
        Of the factors of the views.
    unique : bool
        Whether Kruskal's condition holds: no other decomposition of so few states exists.
    converged, n_iter
        Of the best start.
    views : (N,) int array
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
    """Return the moment of (n, N) scores, NaN where missing.

    Every entry is the mean over the items that its one to three judges scored: scores must be missing
    regardless of what they would have been.
    """
    return _moments(values, views, [np.flatnonzero(views == view) for view in range(3)])


def every_moment(values: Floats) -> ViewMoments:
    """Return the moment (N + 1, N + 1, N + 1) that holds those of all views; see `among`."""
    judges = np.arange(values.shape[1])
    return _moments(values, np.zeros_like(judges), [judges] * 3)


def _moments(values: Floats, views: Views, sides: Sides) -> ViewMoments:
    seen = ~np.isnan(values)
    plain = np.where(seen, values, 0.0)
    heard = np.maximum(seen.sum(axis=0), 1)
    center = plain.sum(axis=0) / heard
    plain = np.where(seen, plain - center, 0.0)
    spread = np.sqrt((plain**2).sum(axis=0) / heard)
    spread = np.where(spread > policy.NO_SPREAD, spread, 1.0)
    plain /= spread
    common = np.maximum(_summed(seen.astype(float), sides), 1)
    tensor, squares = _summed(plain, sides) / common, _summed(plain**2, sides) / common
    variance = np.maximum(squares - tensor**2, 0) / common
    return ViewMoments(views, center, spread, tensor, variance)


def _summed(values: Floats, sides: Sides) -> Floats:
    """Return the sum over items of products of three, one of each side or its constant 1."""
    sizes = [len(side) + 1 for side in sides]
    total = np.zeros((sizes[0] * sizes[1], sizes[2]))
    rows = max(1, policy.MOMENT_CELLS // len(total))
    for start in range(0, len(values), rows):
        part = values[start : start + rows]
        one = np.ones((len(part), 1))
        a, b, c = (np.hstack([part[:, side], one]) for side in sides)
        total += (a[:, :, None] * b[:, None, :]).reshape(len(part), -1).T @ c
    return total.reshape(sizes)


def decompose(
    T: Floats,
    r: int,
    rng: np.random.Generator,
    starts: int = policy.CP_STARTS,
    sweeps: int = policy.CP_SWEEPS,
) -> list[Decomposition]:
    """Return CP decompositions of rank r, one from each start, the least residual first.

    One start is algebraic, and exact for an exact tensor; the others are random.
    """
    every = [[rng.normal(size=(d, r)) for d in T.shape] for _ in range(starts)]
    wide = np.argsort(np.negative(T.shape), kind="stable")
    if r <= T.shape[wide[1]]:
        found = _algebraic(T.transpose(wide), r, rng)
        every[0] = [found[mode] for mode in np.argsort(wide)]
    return sorted((_descend(T, start, sweeps) for start in every), key=lambda each: each.residual)


def _algebraic(T: Floats, r: int, rng: np.random.Generator) -> list[Floats]:
    """Return factors (dA, dB >= r) from two mixtures of slices that one pair of bases makes diagonal."""
    U, V = (
        np.linalg.svd(np.moveaxis(T, mode, 0).reshape(T.shape[mode], -1))[0][:, :r]
        for mode in (0, 1)
    )
    one, two = (U.T @ (T @ rng.normal(size=T.shape[2])) @ V for _ in range(2))
    A = U @ np.linalg.eig(one @ np.linalg.pinv(two))[1].real
    slices = np.linalg.lstsq(A, T.reshape(len(A), -1), rcond=None)[0].reshape(r, *T.shape[1:])
    u, s, v = np.linalg.svd(slices)
    return [A, u[:, :, 0].T, (s[:, :1] * v[:, 0]).T]


def _descend(T: Floats, start: list[Floats], sweeps: int) -> Decomposition:
    """Fit one factor after the other by least squares until the residual stands still."""
    unfolded = [np.moveaxis(T, mode, 0).reshape(d, -1) for mode, d in enumerate(T.shape)]
    norm = float(np.linalg.norm(T))

    def step(state: tuple[list[Floats], float]) -> Step:
        (A, B, C), last = state
        A = _unit(_solved(unfolded[0], B, C))
        B = _unit(_solved(unfolded[1], A, C))
        C = _solved(unfolded[2], A, B)
        left = float(np.linalg.norm(unfolded[2] - C @ _products(A, B).T)) / norm
        found = [A, B, C], left
        return Step(found, found, abs(last - left))

    (factors, left), end = iterate(
        step, (start, np.inf), tol=policy.CP_TOL, n_items=1, max_iter=sweeps
    )
    return Decomposition(tuple(factors), left, end.converged, end.n_iter)


def _products(A: Floats, B: Floats) -> Floats:
    """Return the columnwise Kronecker (Khatri-Rao) product (dA dB, r)."""
    return (A[:, None] * B).reshape(-1, A.shape[1])


def _solved(unfolded: Floats, A: Floats, B: Floats) -> Floats:
    """Return the factor (d, r) that fits an unfolded tensor best; the shortest where many do."""
    found, *_ = np.linalg.lstsq(_products(A, B), unfolded.T, rcond=None)
    return np.asarray(found.T, float)


def _unit(A: Floats) -> Floats:
    size = np.linalg.norm(A, axis=0)
    return A / np.where(size > 0, size, 1.0)


def fit_states(moments: ViewMoments, r: int, rng: np.random.Generator) -> States:
    """Return the r states of the best start, of those with positive weights where there are any."""
    every = [_states(moments, found) for found in decompose(moments.tensor, r, rng)]
    return next((found for found in every if found.proper), every[0])


def best_states(
    values: Floats, partitions: list[Views], r: int, rng: np.random.Generator
) -> States:
    """Return the states of the partition whose moment they leave least of.

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
        tried = [whole.among(views) for views in one_swap(best.views)]
        roughly = [decompose(m.tensor, r, rng, 1, policy.TRIED_SWEEPS)[0].residual for m in tried]
        found = fit_states(tried[int(np.argmin(roughly))], r, rng)
        if _left(found) >= _left(best):
            break
        best = found
    return best


def _left(found: States) -> tuple[bool, float]:
    return not found.proper, found.residual


def _states(moments: ViewMoments, found: Decomposition) -> States:
    last = np.array([factor[-1] for factor in found.factors])
    raw = last.prod(axis=0)
    proper = bool((np.abs(last) > policy.NO_STATE).all() and (raw > policy.LEAST_WEIGHT).all())
    divisor = np.where(np.abs(last) > policy.NO_STATE, last, policy.NO_STATE)
    means = np.empty((len(moments.views), len(raw)))
    for view, factor in enumerate(found.factors):
        means[moments.views == view] = factor[:-1] / divisor[view]
    ranks = tuple(k_rank(factor) for factor in found.factors)
    return States(
        weights=raw / raw.sum(),
        means=moments.center[:, None] + moments.spread[:, None] * means,
        proper=proper,
        residual=found.residual,
        chance=moments.chance,
        total=float(raw.sum()),
        k_ranks=ranks,
        unique=unique_by_kruskal(ranks, len(raw)),
        converged=found.converged,
        n_iter=found.n_iter,
        views=moments.views,
    )


def k_rank(factor: Floats) -> int:
    """Return the largest k such that any k columns of (p, r) are independent, columns made unit."""
    columns = _unit(factor)
    r = columns.shape[1]
    for k in range(1, min(columns.shape) + 1):
        every = np.stack([columns[:, chosen] for chosen in combinations(range(r), k)])
        if np.linalg.svd(every, compute_uv=False).min() < policy.K_RANK_TOL:
            return k - 1
    return int(min(columns.shape))


def unique_by_kruskal(k_ranks: tuple[int, ...], r: int) -> bool:
    """Return whether three k-ranks add up to 2 r + 2, or one state has no k-rank of 0."""
    return min(k_ranks) > 0 and (r == 1 or sum(k_ranks) >= 2 * r + 2)


def most_states(views: Views) -> int:
    """Return the largest number of states that views of such sizes can make unique."""
    rows = [int((views == view).sum()) + 1 for view in range(3)]
    return max(
        r for r in range(1, sum(rows)) if unique_by_kruskal(tuple(min(d, r) for d in rows), r)
    )
