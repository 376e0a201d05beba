"""The graded response model, and judges whom no fit has seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import Step, VoteSums, iterate, log_table, posterior_of, vote_sums
from algeval.aggregate.results import End, Floats, distinct_rows
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    FittedScores,
    opened_scores,
    unrelated_note,
)
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import Codes, check_choice
from algeval.result import percent
from algeval.result.numbers import how_many

# --- Ordered levels of scores: a judge's distinct scores, or bins of them where there are many.
#
# Arrays in, arrays out. Levels depend on the order of a judge's scores alone: an increasing map of them
# gives the same codes.


class Levels(NamedTuple):
    """For each judge where its levels are cut, (C_j - 1,), and the score of each level, (C_j,).

    A judge with at most `policy.MOST_LEVELS` distinct scores has a level for each. Others are binned
    by their share of lower scores (ties at mid-rank); the score of a bin is the median of those in it.
    """

    cuts: tuple[Floats, ...]
    scores: tuple[Floats, ...]

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Levels of (rows, N) scores, NaN where missing."""
        sets = [_levels_of(column[~np.isnan(column)]) for column in values.T]
        return cls(tuple(cuts for cuts, _ in sets), tuple(scores for _, scores in sets))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """(N,) the number of levels of each judge, 0 where it gave no score."""
        return np.array([len(scores) for scores in self.scores], np.intp)

    def codes(self, values: Floats) -> Codes:
        """Return (rows, N) levels, -1 where missing; other scores get the level they lie in."""
        result = np.full(values.shape, NOT_ANSWERED, np.int16)
        for j, (cuts, scores) in enumerate(zip(self.cuts, self.scores, strict=True)):
            rated = ~np.isnan(values[:, j])
            if len(scores):
                result[rated, j] = np.searchsorted(cuts, values[rated, j])
        return result

    def below(self, cut: float) -> NDArray[np.intp]:
        """Return (N,) how many levels of each judge have a score below the cut."""
        return np.array([np.searchsorted(scores, cut) for scores in self.scores], np.intp)


def _levels_of(values: Floats) -> tuple[Floats, Floats]:
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= policy.MOST_LEVELS:
        return (distinct[:-1] + distinct[1:]) / 2, distinct
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    last = np.flatnonzero(np.diff(np.floor(policy.MOST_LEVELS * middle)))
    cuts = (distinct[last] + distinct[last + 1]) / 2
    level = np.searchsorted(cuts, values)
    scores = np.array([np.median(values[level == c]) for c in range(len(cuts) + 1)])
    return cuts, scores


# --- One normal trait behind ordered levels: the normal-ogive graded response model (Samejima
# 1969).
#
# Arrays in, arrays out. Judge j answers level c or a lower one with probability Phi(t_jc - a_j theta);
# the trait theta is standard normal and given it the judges err independently. A level left out is left
# out of the likelihood. Slopes are drawn around their own mean with `policy.SLOPE_SPREAD`, which keeps
# those of judges with few or perfectly ordered levels finite; any sign is allowed.
#
# EM sums over a grid of traits. Its maximisation is one scoring step per judge on a table of expected
# counts, levels x nodes, whatever the number of items. The trait's mean and variance are free within the
# step and put back to 0 and 1 by rescaling the curves (Liu, Rubin and Wu 1998): the likelihood rises as
# in EM, in a tenth of its steps. Two levels make it the two-parameter probit of item response theory.


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
    """Evenly spaced traits (G,) and their normal weights (G,)."""
    nodes = np.linspace(-policy.REACH, policy.REACH, n_nodes)
    weights = np.exp(-0.5 * nodes**2)
    return nodes, weights / weights.sum()


def grid_posterior(codes: Codes, law: GradedResponse) -> Floats:
    """Return (rows, G) posteriors of the trait on the fitted grid; rows of -1 keep the prior."""
    chances = law.curves.chances(law.nodes)
    votes = vote_sums(codes, chances.shape[2])
    return posterior_of(votes.scores(log_table(chances)), grid(len(law.nodes))[1])[0]


def moments(posterior: Floats, nodes: Floats) -> tuple[Floats, Floats]:
    """Mean and variance (rows,) of (rows, G) posteriors on a grid."""
    mean = posterior @ nodes
    return mean, np.maximum(posterior @ nodes**2 - mean**2, 0.0)


def fit_graded(
    codes: Codes, counts: Floats, sizes: Any, *, tol: float, max_iter: int
) -> GradedResponse:
    """Curves of the highest penalised likelihood for (rows, N) levels.

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
        fit, sharpest = _on_grid(sought, curves, n_nodes, tol=tol, max_iter=max_iter)
        apart = float(fit.nodes[1] - fit.nodes[0])
        if apart <= policy.NODES_APART * sharpest or n_nodes >= policy.MOST_GRADED_NODES:
            return _turned(fit)
        n_nodes, curves = 2 * n_nodes - 1, fit.curves


class _Sought(NamedTuple):
    """What is climbed: sums over the levels, items per row, and which judges (N,) have a slope."""

    votes: VoteSums
    counts: Floats
    sloped: Any

    def center(self, slope: Floats) -> float:
        """Mean of the slopes that are free."""
        return float(slope[self.sloped].mean()) if self.sloped.any() else 0.0

    def distance(self, slope: Floats, center: float) -> Floats:
        """Return (N,) how far free slopes are from a center, in units of their spread."""
        result: Floats = np.where(self.sloped, slope - center, 0.0) / policy.SLOPE_SPREAD
        return result

    def cost(self, slope: Floats) -> float:
        """Penalty of slopes."""
        return 0.5 * float((self.distance(slope, self.center(slope)) ** 2).sum())


def _on_grid(
    sought: _Sought, start: Curves, n_nodes: int, *, tol: float, max_iter: int
) -> tuple[GradedResponse, float]:
    """Fit on one grid, and the deviation of the sharpest posterior."""
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
        state_ = curves, posterior, log_likelihood
        return Step(state_, following, float(moved), log_likelihood - sought.cost(curves.slope))

    n_items = float(sought.counts.sum())
    fit, end = iterate(step, start, tol=tol, n_items=n_items, max_iter=max_iter)
    curves, posterior, log_likelihood = fit
    sharpest = float(np.sqrt(moments(posterior, nodes)[1].min(initial=1.0)))
    return GradedResponse(curves, nodes, log_likelihood, end), sharpest


def _first(codes: Codes, sought: _Sought, sizes: Any) -> Curves:
    """Curves that fit a trait put where the first principal component has it."""
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
    direction = normal @ leading
    spread = np.sqrt(sought.counts @ direction**2 / max(sought.counts.sum(), 1))
    result: Floats = direction / spread if spread > policy.NO_SPREAD else np.zeros(len(direction))
    return result


def _restored(curves: Curves, mass: Floats, nodes: Floats, sought: _Sought) -> Curves:
    """Curves on the scale where the trait, of `mass` items at each node, is standard.

    The variance maximises the expected normal log-density less the penalty of the rescaled slopes.
    """
    total = max(float(mass.sum()), policy.TINY)
    mean = float(mass @ nodes) / total
    variance = float(mass @ (nodes - mean) ** 2) / total
    pull = 8 * sought.cost(curves.slope) * variance / total
    scale = np.sqrt(2 * variance / (1 + np.sqrt(1 + pull)))
    return Curves(curves.slope * scale, curves.threshold - curves.slope[:, None] * mean)


def _scored(tables: Floats, curves: Curves, nodes: Floats, sought: _Sought) -> Curves:
    """Curves after one Fisher scoring step on (N, G, A) expected counts.

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


def _turned(law: GradedResponse) -> GradedResponse:
    """Same fit with the trait's sign turned where the slopes add up to less than 0."""
    slope = law.curves.slope
    if slope.sum() >= 0:
        return law
    return law._replace(curves=law.curves._replace(slope=-slope))


# --- What one more judge of the panel would say of an item, given the posterior of a graded trait.
#
# Arrays in, arrays out. A trait is what judges share, not the label, so the probability that it is
# positive is too sure of itself. One more judge, drawn from the panel, errs as those of the panel do.
# Posteriors are (rows, G) on the nodes (G,) of a grid.


def panel_weights(strength: Floats) -> Floats:
    """Return (N,) chances of drawing each judge: the squares of its strength, none of a negative one.

    Strengths are slopes for a score, where the best judge shall lead, and loadings for a class.
    """
    weight = np.maximum(strength, 0.0) ** 2
    total = weight.sum()
    return weight / total if total > 0 else np.full(len(weight), 1 / len(weight))


def level_shares(posterior: Floats, chances: Floats) -> Floats:
    """Return (rows, N, A) the probability that judge j, asked of the item, answers each level."""
    n_judges, n_nodes, n_levels = chances.shape
    flat = chances.transpose(1, 0, 2).reshape(n_nodes, -1)
    return (posterior @ flat).reshape(-1, n_judges, n_levels)


def median_score(posterior: Floats, chances: Floats, levels: Levels, weight: Floats) -> Floats:
    """Return (rows,) the least score that a judge drawn by `weight` exceeds in at most half the draws.

    `chances` (N, G, A) are those of the levels at the nodes. Judges without a score are never drawn.
    """
    scored = levels.sizes > 0
    values = np.unique(np.concatenate(levels.scores))
    drawn = weight * scored / (weight @ scored)
    shares = np.zeros((chances.shape[1], len(values)))
    for j in np.flatnonzero(scored):
        at = np.searchsorted(values, levels.scores[j])
        shares[:, at] += drawn[j] * chances[j, :, : len(at)]
    reached = shares.cumsum(axis=1)
    result = np.empty(len(posterior))
    for start in range(0, len(posterior), policy.PREDICTED_ROWS):
        rows = slice(start, start + policy.PREDICTED_ROWS)
        half = posterior[rows] @ reached >= 0.5 - policy.TIE
        result[rows] = values[half.argmax(axis=1)]
    return result


def own_thresholds(curves: Curves, levels: Levels, cut: float) -> Floats:
    """Return (N,) the thresholds above which each judge itself scores at least `cut`."""
    ends = np.pad(curves.threshold, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    level = levels.below(cut)
    # a judge without a score says nothing of either class
    return np.where(levels.sizes > 0, ends[np.arange(len(level)), level], 0.0)


def prevalence_thresholds(slope: Floats, prevalence: float) -> Floats:
    """Return (N,) the thresholds with which each judge calls a share `prevalence` of all items higher."""
    result: Floats = -np.sqrt(1 + slope**2) * ndtri(prevalence)
    return result


def higher_share(
    posterior: Floats, nodes: Floats, slope: Floats, threshold: Floats, weight: Floats
) -> Floats:
    """Return (rows,) the probability that a judge drawn by `weight` puts the item above its threshold.

    A judge of negative slope is taken for one who knows nothing.
    """
    ahead = np.maximum(slope, 0.0)[:, None] * nodes - threshold[:, None]
    result: Floats = posterior @ (weight @ ndtr(ahead))
    return result


def trait_share(posterior: Floats, nodes: Floats, prevalence: float) -> Floats:
    """Return (rows,) the probability that the trait is among the highest share `prevalence` of all items.

    A node's mass is spread evenly over its cell of the grid.
    """
    above = (nodes + float(ndtri(prevalence))) / (nodes[1] - nodes[0]) + 0.5
    result: Floats = posterior @ np.clip(above, 0.0, 1.0)
    return result


# --- Graded responses: one trait behind ordered levels, and the key as one more judge of the panel.


NAME = "graded-response"

_MEANING = {
    "exchangeable": "the true level is treated as one more judge of this panel, any of them",
    "weighted": "the true level is treated as one more judge of this panel, the more likely the better",
    "trait": "the true level is treated as the trait itself, which is too sure where judges err alike",
}


def graded_response(
    data: Scores,
    *,
    prevalence: Any = None,
    cut: object = None,
    posterior: str = "exchangeable",
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> ScoreAggregation:
    """Find a consensus score and a class where judges use a few ordered levels, each in its own way.

    Use it for grades (1 to 5, 0 to 10, yes or no): levels need not be equally far apart, nor mean the
    same to all judges, and scores may be missing anywhere. It sees one thing that judges share; errors
    that some share are part of it.

    Parameters
    ----------
    data : Scores
        At least 3 judges. One with more than 15 distinct scores has its scores binned. A key is never
        read.
    prevalence : number between 0 and 1, shares, "equal" or None
        Share of the higher class, which no scores can tell: every judge is taken to call so many
        items higher. None takes both classes for equally frequent and says so.
    cut : number or text, optional
        Where the higher class begins on the judges' scale, instead: the class is what one more judge
        would say, with the judges' own leniency.
    posterior : "exchangeable", "weighted" or "trait"
        One more judge like any of the panel; the same, drawn by squared loadings, for panels
        of very uneven quality; or whether the trait itself is among the highest share of items.
    tol, max_iter
        EM has converged when no chance of a level moves by more than `tol` and the likelihood stands
        still.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable with fewer than 3 judges whose scores vary on items
        that others scored too. `item_scores` are the median score of one more judge, drawn by squared
        slopes. `parameters` has the slopes and thresholds.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or a setting is out of range.

    Notes
    -----
    Judge j gives level c or a lower one with probability Phi(t_jc - a_j theta), theta standard normal
    (Samejima 1969); slopes a are drawn around their mean with variance 1. Marginal likelihood is
    climbed by EM on a grid of theta. The probability of the higher class is the mean over theta
    given the scores, and over judges, of Phi(a_j theta - b_j): b_j is judge j's own threshold at `cut`, or
    -sqrt(1 + a_j^2) Phi^-1(prevalence); a judge of negative slope is taken for one who knows nothing. With
    two levels this is the two-parameter probit.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 1, 2, 2], "k": [0, 1, 2, 2]})
    >>> graded_response(s).item_labels
    ['0', '0', '1', '1']
    """
    how = check_choice("posterior", posterior, tuple(_MEANING))
    run = fitting.checked(max_iter=max_iter, tol=tol)
    case = opened_scores("graded-response", data, prevalence, cut, posterior=how, **run)
    share, reason = case.share, _unsettled(data.values)
    if reason:
        return case.refused(reason)
    levels = Levels.of(data.values)
    rows, row = distinct_rows(levels.codes(data.values), int(levels.sizes.max()))
    counts = np.bincount(row, minlength=len(rows)).astype(float)
    fit = fit_graded(rows, counts, levels.sizes, **run)
    panel = _Panel(levels, fit)
    traits = grid_posterior(rows, fit)
    mean, variance = moments(traits, fit.nodes)
    fitted = FittedScores(
        traits=mean[row],
        spread=np.sqrt(variance)[row],
        higher=panel.higher(traits, how, share.cut, share.share)[row],
        loadings=fit.loading[:, None],
        noise=1 - fit.loading**2,
        own=panel.median(traits)[row],
        end=fit.end,
        parameters=panel.parameters() | {"cut": share.cut},
    )
    message = (
        f"Graded response model on {how_many(data.n_items, 'item')} and {data.n_judges} judges "
        f"{'converged' if fit.end.converged else 'did not converge'}; {_MEANING[how]}, and "
        f"{_class_words(share, how)}; {CAVEAT}."
    )
    notes = [*unrelated_note(data.values), *_binned(data, levels)]
    return case.finish(fitted, message=message, notes=notes)


def _class_words(share: ClassShare, how: str) -> str:
    """Return what the higher class was taken for."""
    if share.cut is None or how == "trait":
        return f"the share of the higher class for {percent(share.share)} ({share.why})"
    return f"the higher class for what it scores {share.cut:.4g} or more"


def _unsettled(values: Floats) -> str:
    """Return why these scores settle no slopes, or nothing."""
    together = values[(~np.isnan(values)).sum(axis=1) >= 2]
    sizes = Levels.of(together).sizes
    varied, least = int((sizes > 1).sum()), fitting.fewest(NAME, "scores")
    if varied >= least:
        return ""
    return (
        f"The graded response must have at least {least} judges whose scores vary on items that another "
        f"judge scored too; got {varied}: fewer fit one trait in endlessly many ways."
    )


def _binned(data: Scores, levels: Levels) -> list[str]:
    """Sentence on the judges whose scores are not their levels."""
    many = [
        judge
        for judge, column, scores in zip(data.judges, data.values.T, levels.scores, strict=True)
        if len(np.unique(column[~np.isnan(column)])) > len(scores)
    ]
    if not many:
        return []
    return [
        f"{', '.join(many[: policy.MOST_NAMED])}{' and others' * (len(many) > policy.MOST_NAMED)} used more "
        f"than {policy.MOST_LEVELS} distinct scores, which are read in bins; rank-factor reads all of them."
    ]


class _Panel(NamedTuple):
    """The judges' levels and curves."""

    levels: Levels
    fit: GradedResponse

    def median(self, traits: Floats) -> Floats:
        """Return (rows,) the median score of one more judge."""
        curves, nodes, _, _ = self.fit
        weights = panel_weights(curves.slope)
        return median_score(traits, curves.chances(nodes), self.levels, weights)

    def higher(self, traits: Floats, how: str, cut: float | None, share: float) -> Floats:
        """Return (rows,) the probability of the higher class for posteriors of the trait."""
        curves, nodes = self.fit.curves, self.fit.nodes
        if how == "trait":
            return trait_share(traits, nodes, share)
        if cut is None:
            thresholds = prevalence_thresholds(curves.slope, share)
        else:
            thresholds = own_thresholds(curves, self.levels, cut)
        strength = self.fit.loading if how == "weighted" else np.ones(len(curves.slope))
        strength = np.where(self.levels.sizes > 0, strength, 0.0)
        weights = panel_weights(strength)
        return higher_share(traits, nodes, curves.slope, thresholds, weights)

    def parameters(self) -> dict[str, Any]:
        """Return what `read` needs, without the thresholds at infinity."""
        rows = self.fit.curves.threshold
        return {
            "slopes": self.fit.curves.slope,
            "thresholds": [row[np.isfinite(row)].tolist() for row in rows],
            "level_cuts": [cuts.tolist() for cuts in self.levels.cuts],
            "level_scores": [scores.tolist() for scores in self.levels.scores],
            "n_nodes": len(self.fit.nodes),
        }

    @classmethod
    def read(cls, parameters: Mapping[str, Any]) -> _Panel:
        """Panel that `parameters` tells of."""
        cuts, scores = (
            tuple(np.array(column, float) for column in parameters[name])
            for name in ("level_cuts", "level_scores")
        )
        threshold = np.full((len(scores), max(1, *map(len, parameters["thresholds"]))), np.inf)
        for row, told_row in zip(threshold, parameters["thresholds"], strict=True):
            row[: len(told_row)] = told_row
        curves = Curves(np.array(parameters["slopes"], float), threshold)
        nodes, _ = grid(parameters["n_nodes"])
        return cls(Levels(cuts, scores), GradedResponse(curves, nodes, np.nan, End()))


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    parameters = result.parameters
    panel = _Panel.read(parameters)
    traits = grid_posterior(panel.levels.codes(values), panel.fit)
    higher = panel.higher(
        traits, result.settings["posterior"], parameters["cut"], result.prevalence
    )
    higher = np.where(np.isnan(values).all(axis=1), result.prevalence, higher)
    return np.stack([1 - higher, higher], axis=1)
