"""One normal trait behind ordered levels: the normal-ogive graded response model (Samejima 1969).

Arrays in, arrays out. Judge j answers level c or a lower one with probability Phi(t_jc - a_j theta);
the trait theta is standard normal and given it the judges err independently. A level left out is left
out of the likelihood. Slopes are drawn around their own mean with `policy.SLOPE_SPREAD`, which keeps
those of judges with few or perfectly ordered levels finite; any sign is allowed.

EM sums over a grid of traits. Its maximisation is one scoring step per judge on a table of expected
counts, levels x nodes, whatever the number of items. The trait's mean and variance are free within the
step and put back to 0 and 1 by rescaling the curves (Liu, Rubin and Wu 1998): the likelihood rises as
in EM, in a tenth of its steps. Two levels make it the two-parameter probit of item response theory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate, log_table, posterior_of
from algeval.aggregate.results import End, Floats
from algeval.aggregate.votes import VoteSums, vote_sums
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes

__all__ = ["Curves", "GradedResponse", "fit_graded", "grid", "grid_posterior", "moments"]


class Curves(NamedTuple):
    """Slopes a (N,) and rising thresholds t (N, A - 1), infinite above a judge's last level."""

    slope: Floats
    threshold: Floats

    def edges(self, nodes: Floats) -> Floats:
        """Return (N, G, A + 1) the normal scores that each level lies between at each node."""
        inside = self.threshold[:, None, :] - self.slope[:, None, None] * nodes[:, None]
        return np.pad(inside, ((0, 0), (0, 0), (1, 1)), constant_values=(-np.inf, np.inf))

    def chances(self, nodes: Floats) -> Floats:
        """Return (N, G, A) the probability of each level at each node."""
        edges = self.edges(nodes)
        low, high = edges[:, :, :-1], edges[:, :, 1:]
        # above the mean both are near 1 and their difference has no digits left
        above = low > 0
        result: Floats = ndtr(np.where(above, -low, high)) - ndtr(np.where(above, -high, low))
        return result

    def slopes_of_chances(self, nodes: Floats) -> Floats:
        """Return (N, G, A, A) derivatives of the chances by the thresholds and, last, the slope."""
        inside = self.edges(nodes)[:, :, 1:-1]
        density = np.exp(-0.5 * inside**2) / np.sqrt(2 * np.pi)
        n_levels = inside.shape[2] + 1
        sides = np.eye(n_levels, n_levels - 1) - np.eye(n_levels, n_levels - 1, k=-1)
        by_threshold = density[:, :, None, :] * sides
        by_slope = -nodes[:, None, None] * by_threshold.sum(axis=3, keepdims=True)
        return np.concatenate([by_threshold, by_slope], axis=3)


class GradedResponse(NamedTuple):
    """The curves, their grid of traits, the log-likelihood in nats, and how EM ended.

    The slopes add up to at least 0. The trace is that of the penalised log-likelihood on this grid.
    """

    curves: Curves
    nodes: Floats
    log_likelihood: float
    end: End

    @property
    def loading(self) -> Floats:
        """(N,) the correlation of the normal score behind a judge's levels with the trait."""
        slope = self.curves.slope
        result: Floats = slope / np.sqrt(1 + slope**2)
        return result


def grid(n_nodes: int) -> tuple[Floats, Floats]:
    """Return evenly spaced traits (G,) and their normal weights (G,)."""
    nodes = np.linspace(-policy.REACH, policy.REACH, n_nodes)
    weights = np.exp(-0.5 * nodes**2)
    return nodes, weights / weights.sum()


def grid_posterior(codes: Codes, found: GradedResponse) -> Floats:
    """Return (rows, G) posteriors of the trait on the fitted grid; rows of -1 keep the prior."""
    chances = found.curves.chances(found.nodes)
    votes = vote_sums(codes, chances.shape[2])
    return posterior_of(votes.scores(log_table(chances)), grid(len(found.nodes))[1])[0]


def moments(posterior: Floats, nodes: Floats) -> tuple[Floats, Floats]:
    """Return the mean and variance (rows,) of (rows, G) posteriors on a grid."""
    mean = posterior @ nodes
    return mean, np.maximum(posterior @ nodes**2 - mean**2, 0.0)


def fit_graded(
    codes: Codes, counts: Floats, sizes: Any, *, tol: float, max_iter: int
) -> GradedResponse:
    """Return the curves of the highest penalised likelihood for (rows, N) levels.

    `counts` (rows,) are the items behind each row, `sizes` (N,) the judges' numbers of levels. A judge
    of one level or none has slope 0. The grid is doubled until its nodes lie closer than
    `policy.NODES_APART` deviations of the sharpest posterior; steps are counted on the last grid. See
    `iterate` for `tol`.
    """
    answered = (codes != NOT_ANSWERED).any(axis=1)
    codes, counts = codes[answered], counts[answered]
    if not len(codes):
        nothing = Curves(np.zeros(len(sizes)), np.full((len(sizes), 1), np.inf))
        return GradedResponse(nothing, grid(policy.GRADED_NODES)[0], 0.0, End(what="EM"))
    votes = vote_sums(codes, max(int(sizes.max(initial=0)), 2))
    sought = _Sought(votes, counts, sizes > 1)
    n_nodes, curves = policy.GRADED_NODES, _first(codes, sought, sizes)
    while True:
        found, sharpest = _on_grid(sought, curves, n_nodes, tol=tol, max_iter=max_iter)
        apart = float(found.nodes[1] - found.nodes[0])
        if apart <= policy.NODES_APART * sharpest or n_nodes >= policy.MOST_GRADED_NODES:
            return _turned(found)
        n_nodes, curves = 2 * n_nodes - 1, found.curves


class _Sought(NamedTuple):
    """What is climbed: sums over the levels, items per row, and which judges (N,) have a slope."""

    votes: VoteSums
    counts: Floats
    sloped: Any

    def center(self, slope: Floats) -> float:
        """Return the mean of the slopes that are free."""
        return float(slope[self.sloped].mean()) if self.sloped.any() else 0.0

    def distance(self, slope: Floats, center: float) -> Floats:
        """Return (N,) how far free slopes are from a center, in units of their spread."""
        result: Floats = np.where(self.sloped, slope - center, 0.0) / policy.SLOPE_SPREAD
        return result

    def cost(self, slope: Floats) -> float:
        """Return the penalty of slopes."""
        return 0.5 * float((self.distance(slope, self.center(slope)) ** 2).sum())


def _on_grid(
    sought: _Sought, start: Curves, n_nodes: int, *, tol: float, max_iter: int
) -> tuple[GradedResponse, float]:
    """Return the fit on one grid, and the deviation of the sharpest posterior."""
    nodes, weights = grid(n_nodes)

    def step(curves: Curves) -> Step:
        chances = curves.chances(nodes)
        posterior, evidence = posterior_of(sought.votes.scores(log_table(chances)), weights)
        log_likelihood = float(sought.counts @ evidence)
        weighed = posterior * sought.counts[:, None]
        tables = sought.votes.tables(weighed)
        following = _scored(tables, curves, nodes, sought)
        following = _restored(following, weighed.sum(axis=0), nodes, sought)
        moves = np.abs(following.chances(nodes) - chances)
        moved = (moves * np.minimum(tables.sum(axis=2, keepdims=True), 1.0)).max(initial=0.0)
        found = curves, posterior, log_likelihood
        return Step(found, following, float(moved), log_likelihood - sought.cost(curves.slope))

    n_items = float(sought.counts.sum())
    found, end = iterate(step, start, tol=tol, n_items=n_items, max_iter=max_iter)
    curves, posterior, log_likelihood = found
    sharpest = float(np.sqrt(moments(posterior, nodes)[1].min(initial=1.0)))
    return GradedResponse(curves, nodes, log_likelihood, end), sharpest


def _first(codes: Codes, sought: _Sought, sizes: Any) -> Curves:
    """Return the curves that fit a trait put where the first principal component has it."""
    share = sought.votes.tables(sought.counts[:, None])[:, 0]
    rising = share.cumsum(axis=1) / np.maximum(share.sum(axis=1, keepdims=True), 1)
    inner = np.arange(share.shape[1] - 1) < sizes[:, None] - 1
    curves = Curves(np.zeros(len(sizes)), ndtri(np.where(inner, rising[:, :-1], 1.0)))
    nodes, _ = grid(policy.GRADED_NODES)
    away = (nodes - _component(codes, share, sought)[:, None]) / policy.START_WIDTH
    bumps = np.exp(-0.5 * away**2)
    tables = sought.votes.tables(bumps * (sought.counts / bumps.sum(axis=1))[:, None])
    for _ in range(policy.FIRST_SCORING):
        curves = _scored(tables, curves, nodes, sought)
    return curves


def _component(codes: Codes, share: Floats, sought: _Sought) -> Floats:
    """Return (rows,) the first principal component of the levels' normal scores, of variance 1."""
    total = np.maximum(share.sum(axis=1, keepdims=True), 1)
    middle = (share.cumsum(axis=1) - share / 2) / total
    scores = np.where(share > 0, ndtri(np.clip(middle, policy.EDGE, 1 - policy.EDGE)), 0.0)
    normal = np.where(codes != NOT_ANSWERED, scores[np.arange(len(share)), codes], 0.0)
    normal *= sought.sloped
    leading = np.linalg.eigh(normal.T @ (normal * sought.counts[:, None]))[1][:, -1]
    place = normal @ leading
    spread = np.sqrt(sought.counts @ place**2 / max(sought.counts.sum(), 1))
    result: Floats = place / spread if spread > policy.NO_SPREAD else np.zeros(len(place))
    return result


def _restored(curves: Curves, mass: Floats, nodes: Floats, sought: _Sought) -> Curves:
    """Return the curves on the scale where the trait, of `mass` items at each node, is standard.

    The variance maximises the expected normal log-density less the penalty of the rescaled slopes.
    """
    total = max(float(mass.sum()), policy.TINY)
    mean = float(mass @ nodes) / total
    variance = float(mass @ (nodes - mean) ** 2) / total
    pull = 8 * sought.cost(curves.slope) * variance / total
    scale = np.sqrt(2 * variance / (1 + np.sqrt(1 + pull)))
    return Curves(curves.slope * scale, curves.threshold - curves.slope[:, None] * mean)


def _scored(tables: Floats, curves: Curves, nodes: Floats, sought: _Sought) -> Curves:
    """Return curves after one Fisher scoring step on (N, G, A) expected counts.

    Each judge's step is halved until its expected log-likelihood, less its penalty, does not fall.
    """
    move = _scoring_move(tables, curves, nodes, sought)
    center = sought.center(curves.slope)

    def heights(at: Curves) -> Floats:
        expected = (tables * log_table(at.chances(nodes))).sum(axis=(1, 2))
        far = sought.distance(at.slope, center)
        rises = (at.threshold[:, 1:] > at.threshold[:, :-1]) | np.isinf(at.threshold[:, 1:])
        return np.where(rises.all(axis=1), expected - 0.5 * far**2, -np.inf)

    least, share = heights(curves), np.ones(len(move))
    for _ in range(policy.HALVINGS):
        following = _moved(curves, move, share)
        fell = heights(following) < least
        if not fell.any():
            return following
        share = np.where(fell, share / 2, share)
    return _moved(curves, move, np.where(fell, 0.0, share))


def _scoring_move(tables: Floats, curves: Curves, nodes: Floats, sought: _Sought) -> Floats:
    """Return (N, A) the inverse information times the slope of the height; the slope's own is last."""
    chances = np.maximum(curves.chances(nodes), policy.TINY)
    by_parameter = curves.slopes_of_chances(nodes)
    n_judges, _, _, size = by_parameter.shape
    climb = np.einsum("nga,ngap->np", tables / chances, by_parameter)
    climb[:, -1] -= sought.distance(curves.slope, sought.center(curves.slope)) / policy.SLOPE_SPREAD
    weighed = by_parameter * (tables.sum(axis=2, keepdims=True) / chances)[..., None]
    flat = weighed.reshape(n_judges, -1, size).transpose(0, 2, 1)
    information = flat @ by_parameter.reshape(n_judges, -1, size)
    information[:, -1, -1] += sought.sloped / policy.SLOPE_SPREAD**2
    own = np.arange(size)
    information[:, own, own] *= 1 + policy.STIFFEN
    # thresholds at infinity stay there
    information[:, own, own] += information[:, own, own] == 0
    result: Floats = np.linalg.solve(information, climb[:, :, None])[:, :, 0]
    return result


def _moved(curves: Curves, move: Floats, share: Floats) -> Curves:
    threshold = curves.threshold + share[:, None] * move[:, :-1]
    return Curves(curves.slope + share * move[:, -1], threshold)


def _turned(found: GradedResponse) -> GradedResponse:
    """Return the same fit with the trait's sign turned where the slopes add up to less than 0."""
    slope = found.curves.slope
    if slope.sum() >= 0:
        return found
    return found._replace(curves=found.curves._replace(slope=-slope))
