"""Factor models of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize
from scipy.special import ndtr, ndtri

from algeval.aggregate import fitting, policy
from algeval.aggregate.fitting import KeyLaw, key_posterior, scale_of
from algeval.aggregate.results import End, Floats, decide
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    FittedScores,
    ScoreCase,
    anchor_values,
    read_share,
    unrelated_note,
)
from algeval.aggregate.score_results import (
    ScoreAggregation,
    Shift,
    Standing,
    attribute_names,
    cluster_of,
    numeric_attribute,
)
from algeval.aggregate.scores.simple import Affine, JudgeScale, NormalScores, judge_scale
from algeval.data import Scores
from algeval.data.names import check_choice, check_number, check_whole
from algeval.errors import DataError
from algeval.result import percent
from algeval.result.numbers import how_many

# --- A few normal factors behind scores: the law, what it says of each item, what it leaves
# unexplained.
#
# Arrays in, arrays out; axis order item, judge, factor. x = mean + loading f + e with f ~ N(0, I) and
# errors of judge j ~ N(0, noise_j), all independent. A score that is missing (NaN) is left out of its
# item, exactly: given f, judges are independent, so no score need be filled in, and an item costs one
# k x k system. `factor_fit` finds the law.


class FactorLaw(NamedTuple):
    """Means (N,), loadings (N, k) and error variances (N,), in the units of the scores.

    An error variance of 0 marks a judge whose scores never vary, or who gave none: it says nothing
    and is left out of everything.
    """

    mean: Floats
    loading: Floats
    noise: Floats

    @property
    def variance(self) -> Floats:
        """Return the (N,) variances of the judges' scores under the law."""
        result: Floats = (self.loading**2).sum(axis=1) + self.noise
        return result

    @property
    def standard_loading(self) -> Floats:
        """Return the (N, k) loadings as correlations of scores with factors."""
        size = np.sqrt(self.variance)
        result: Floats = self.loading / np.where(size > 0, size, 1.0)[:, None]
        return result


class FactorPosterior(NamedTuple):
    """Factors of each item given its scores: mean (n, k), covariance (n, k, k), log-density (n,).

    The log-density of the scores seen is in nats; of an item without scores it is 0, and its factors
    keep their prior.
    """

    mean: Floats
    covariance: Floats
    log_likelihood: Floats


def blocks(n: int) -> Iterator[slice]:
    """Yield slices of `policy.FACTOR_ROWS` rows, so that temporary arrays stay small."""
    for start in range(0, n, policy.FACTOR_ROWS):
        yield slice(start, min(n, start + policy.FACTOR_ROWS))


def centred(law: FactorLaw, values: Floats) -> tuple[Floats, Floats]:
    """Scores less their mean, 0 where missing, and 1.0 where seen, both (rows, N)."""
    seen = ~np.isnan(values) & (law.noise > 0)
    return np.where(seen, values - law.mean, 0.0), seen.astype(float)


def block_posterior(law: FactorLaw, left: Floats, seen: Floats) -> FactorPosterior:
    """Posterior of rows whose centred scores and marks of presence are given."""
    n_judges, k = law.loading.shape
    noisy = law.noise > 0
    noise = np.where(noisy, law.noise, 1.0)
    precision = noisy / noise
    weight = law.loading * precision[:, None]
    weighted = (weight[:, :, None] * law.loading[:, None, :]).reshape(n_judges, k * k)
    information = np.eye(k) + (seen @ weighted).reshape(len(left), k, k)
    covariance = np.linalg.inv(information).astype(float, copy=False)
    pull = left @ weight
    mean = np.einsum("nij,nj->ni", covariance, pull)
    deviance = (
        seen @ np.log(2 * np.pi * noise)
        + np.linalg.slogdet(information)[1]
        + left**2 @ precision
        - (pull * mean).sum(axis=1)
    )
    height: Floats = -deviance / 2
    return FactorPosterior(mean, covariance, height)


def posterior(law: FactorLaw, values: Floats) -> FactorPosterior:
    """Return what (n, N) scores, NaN where missing, say of each item's factors."""
    n, k = len(values), law.loading.shape[1]
    mean, covariance, height = np.empty((n, k)), np.empty((n, k, k)), np.empty(n)
    for part in blocks(n):
        mean[part], covariance[part], height[part] = block_posterior(
            law, *centred(law, values[part])
        )
    return FactorPosterior(mean, covariance, height)


def item_log_likelihood(law: FactorLaw, values: Floats) -> Floats:
    """Return the (n,) log-densities, in nats, of the scores seen of each item."""
    parts = [
        block_posterior(law, *centred(law, values[part])).log_likelihood
        for part in blocks(len(values))
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def principal(law: FactorLaw) -> FactorLaw:
    """Same law on principal axes: no other turn of its factors has any claim either.

    loading' loading / noise is diagonal, factors stand in the order of the variance they explain (of
    standardised scores), and the correlations of the judges with each add up to at least 0.
    """
    noisy = law.noise > 0
    weight = law.loading[noisy] / law.noise[noisy, None]
    _, axes = np.linalg.eigh(law.loading[noisy].T @ weight)
    turned = law._replace(loading=law.loading @ axes)
    loading = turned.standard_loading
    order = np.argsort(-(loading**2).sum(axis=0), kind="stable")
    sign = np.where(loading.sum(axis=0) < 0, -1.0, 1.0)
    return law._replace(loading=(turned.loading * sign)[:, order])


def residual_correlations(law: FactorLaw, values: Floats) -> Floats:
    """Return (N, N) correlations of what the factors leave: (S - loading loading') by the noises.

    S holds the covariances about the law's means over the items each two judges have in common;
    entry i, j is divided by sqrt(noise_i noise_j) and cut to [-1, 1]. 0 where two judges share no
    item or one of them is silent, 1 on the diagonal.
    """
    n_judges = len(law.mean)
    products, common = np.zeros((n_judges, n_judges)), np.zeros((n_judges, n_judges))
    for part in blocks(len(values)):
        left, seen = centred(law, values[part])
        products += left.T @ left
        common += seen.T @ seen
    rest = products / np.maximum(common, 1) - law.loading @ law.loading.T
    size = np.sqrt(np.outer(law.noise, law.noise))
    defined = (common > 0) & (size > 0)
    result = np.where(defined, np.clip(rest / np.where(defined, size, 1.0), -1, 1), 0.0)
    np.fill_diagonal(result, 1.0)
    return result


def alike_pairs(residual: Floats) -> NDArray[np.intp]:
    """Return (pairs, 2) judges whose residuals correlate above `policy.NEAR_COPIES`, highest first."""
    first, second = np.nonzero(np.triu(residual > policy.NEAR_COPIES, 1))
    order = np.argsort(-residual[first, second], kind="stable")
    return np.stack([first, second], axis=1)[order]


def voices(law: FactorLaw) -> Floats:
    """Return (k,) how many judges each factor's score listens to: (sum w)^2 / sum w^2.

    w = loading^2 / noise is what a judge tells of the factor. Two near copies that made the factor
    their own count 2 in a panel of any size, though neither need be at the floor of its noise and
    their residuals need not correlate.
    """
    noisy = law.noise > 0
    information = law.loading[noisy] ** 2 / law.noise[noisy, None]
    squares = (information**2).sum(axis=0)
    result: Floats = information.sum(axis=0) ** 2 / np.where(squares > 0, squares, 1.0)
    return result


# --- Maximum-likelihood factors, by climbs over error variances, or over all parameters where
# scores miss.
#
# Arrays in, arrays out. With no score missing the items enter through their covariances alone. Given
# the error variances psi the best loadings are known (Lawley and Maxwell: the leading eigenvectors of
# psi^-1/2 S psi^-1/2), so that only the N logs of psi are climbed. With scores missing the climb starts
# there, on the correlations over common items, and goes on over means, loadings and log psi. Its slope is
# that of EM's M-step at the current posteriors; EM itself creeps where a factor too many is fitted.


Bools = NDArray[np.bool_]


class Factors(NamedTuple):
    """A fitted law and how it came about.

    `variance` (N,) is of the scores given; `silent` marks judges without any variance or any score;
    `at_floor` marks those whose noise is at `policy.LEAST_UNIQUE` of their variance: all but equal
    to a factor, as near copies are. `heights` are the log-likelihoods at which the starts ended, the
    best first (where scores are missing, those on the correlations the climb starts from).
    """

    law: FactorLaw
    variance: Floats
    silent: Bools
    at_floor: Bools
    log_likelihood: float
    heights: tuple[float, ...]
    end: End


def freedom(n_judges: int, k: int) -> int:
    """By how many numbers N judges' covariances exceed those of k factors; below 0, too few."""
    return ((n_judges - k) ** 2 - n_judges - k) // 2


def fit_factors(
    values: Floats,
    k: int,
    *,
    rng: np.random.Generator,
    counts: Floats | None = None,
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> Factors:
    """K factors under which (n, N) scores, NaN where missing, are likeliest.

    `counts` (n,) is how many observations each row stands for, 1 by default. There are
    several peaks, of one factor too where near copies compete with the rest: the best of
    `policy.FACTOR_STARTS` or `policy.ONE_FACTOR_STARTS` starts is taken. Converged means that no
    slope per item is above `tol`. No step lowers the likelihood.
    """
    counts = np.ones(len(values)) if counts is None else counts
    scale = fitting.scale_of(values, counts)
    speaks = scale.spread > 0
    seen = (~np.isnan(values[:, speaks])).astype(float)
    scores = scale.standard(values)[:, speaks]
    answered = seen.any(axis=1)
    if not answered.all():
        scores, seen, counts = scores[answered], seen[answered], counts[answered]
    law, heights, end = _fit_standard(_Rows(scores, seen, counts), k, _Run(rng, tol, max_iter))
    jacobian = float(counts @ seen @ np.log(scale.spread[speaks]))
    return Factors(
        law=_in_units(law, scale, speaks),
        variance=scale.spread**2,
        silent=~speaks,
        at_floor=_placed(speaks, law.noise <= policy.LEAST_UNIQUE * (1 + policy.ROUNDING)) > 0,
        log_likelihood=end.trace[-1] - jacobian,
        heights=tuple(height - jacobian for height in heights),
        end=end._replace(trace=tuple(height - jacobian for height in end.trace)),
    )


class _Rows(NamedTuple):
    """Standardised scores and marks of presence (n, N), and how many observations a row is (n,)."""

    scores: Floats
    seen: Floats
    counts: Floats


class _Run(NamedTuple):
    rng: np.random.Generator
    tol: float
    max_iter: int


def _placed(speaks: Bools, part: Floats | Bools) -> Floats:
    """Array over all judges, 0 for the silent ones."""
    result = np.zeros((len(speaks), *part.shape[1:]))
    result[speaks] = part
    return result


def _in_units(law: FactorLaw, scale: fitting.Scale, speaks: Bools) -> FactorLaw:
    """Law of the speaking judges' standardised scores as one of all judges' own scores."""
    law = principal(FactorLaw(*(_placed(speaks, part) for part in law)))
    spread = scale.spread
    return FactorLaw(
        scale.center + spread * law.mean, spread[:, None] * law.loading, spread**2 * law.noise
    )


def _fit_standard(rows: _Rows, k: int, run: _Run) -> tuple[FactorLaw, tuple[float, ...], End]:
    n_judges, n = rows.scores.shape[1], float(rows.counts.sum())
    flat = FactorLaw(np.zeros(n_judges), np.zeros((n_judges, k)), np.ones(n_judges))
    if k == 0 or n_judges == 0:
        height = _plain_height(rows)
        return flat, (height,), End(True, 0, (height,), "The climb")
    matrix = fitting.correlations(*rows)
    ends = sorted(
        (_climb(matrix, n, k, start, run) for start in _starts(matrix, k, run.rng)),
        key=lambda climbed: -climbed.end.trace[-1],
    )
    heights = tuple(climbed.end.trace[-1] for climbed in ends)
    law, end = ends[0]
    if not rows.seen.all():
        law, end = _climb_rows(law, rows, run)
    return law, heights, end


def _plain_height(rows: _Rows) -> float:
    """Log-likelihood of standardised scores whose judges have nothing in common."""
    return -float(rows.counts @ rows.seen.sum(axis=1)) * (float(np.log(2 * np.pi)) + 1) / 2


def _starts(matrix: Floats, k: int, rng: np.random.Generator) -> list[Floats]:
    """Error variances to start from: what the other judges do not explain, then draws."""
    ridge = policy.LEAST_UNIQUE * np.eye(len(matrix))
    alone = 1 / np.diag(np.linalg.inv(matrix + ridge))
    unexplained = np.maximum(1 - k / (2 * len(matrix)), policy.LEAST_UNIQUE) * alone
    starts = policy.FACTOR_STARTS if k > 1 else policy.ONE_FACTOR_STARTS
    return [unexplained, *rng.uniform(policy.LEAST_UNIQUE, 1, (starts - 1, len(matrix)))]


class _Climbed(NamedTuple):
    law: FactorLaw
    end: End


def _climb(matrix: Floats, n: float, k: int, start: Floats, run: _Run) -> _Climbed:
    """Climb the likelihood of a correlation matrix over the logs of the error variances."""

    def downhill(log_noise: Floats) -> tuple[float, Floats]:
        height, loading = _best_loading(matrix, k, np.exp(log_noise))
        excess = (loading**2).sum(axis=1) + np.exp(log_noise) - 1
        return -height, excess / np.exp(log_noise) / 2

    bounds = np.tile([np.log(policy.LEAST_UNIQUE), 0.0], (len(matrix), 1))
    ascent, end = _ascend(downhill, np.log(start), bounds, n, run)
    noise = np.exp(ascent)
    law = FactorLaw(np.zeros(len(matrix)), _best_loading(matrix, k, noise)[1], noise)
    return _Climbed(law, end)


def _ascend(
    downhill: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    bounds: Floats,
    n: float,
    run: _Run,
) -> tuple[Floats, End]:
    """Climb within (parameters, 2) bounds; `downhill` gives minus the height per item and its slope.

    The height is not concave: a climb whose memory leads nowhere starts again where it stopped.
    """
    trace: list[float] = []

    def remember(*, intermediate_result: Any) -> None:
        trace.append(-n * float(intermediate_result.fun))

    point = np.clip(start, *bounds.T)
    trace.append(-n * downhill(point)[0])
    minimize: Any = optimize.minimize
    stands = False
    while not stands and len(trace) <= run.max_iter:
        solved = minimize(
            downhill,
            point,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            callback=remember,
            options={
                "maxiter": run.max_iter + 1 - len(trace),
                "gtol": run.tol,
                "ftol": 0.0,
                "maxcor": policy.MEMORY,
            },
        )
        stands = _stands(solved, bounds, run.tol)
        if solved.nit == 0:
            break
        point = solved.x
    return point, End(stands, len(trace) - 1, tuple(trace), "The climb")


def _stands(ascent: Any, bounds: Floats, tol: float) -> bool:
    """Whether no slope is above `tol` but those that lead out of the bounds."""
    low, high = bounds.T
    stuck = ((ascent.x <= low) & (ascent.jac > 0)) | ((ascent.x >= high) & (ascent.jac < 0))
    return bool((np.abs(ascent.jac[~stuck]) <= tol).all())


def _best_loading(matrix: Floats, k: int, noise: Floats) -> tuple[float, Floats]:
    """Height per item at the best (N, k) loadings for error variances, and these."""
    n_judges, size = len(matrix), np.sqrt(noise)
    inner = matrix / np.outer(size, size)
    most = min(k, n_judges)
    values, vectors = linalg.eigh(inner, subset_by_index=[n_judges - most, n_judges - 1])
    signal = np.maximum(values, 1.0)
    loading = np.zeros((n_judges, k))
    loading[:, :most] = size[:, None] * vectors * np.sqrt(signal - 1)
    unexplained = np.trace(inner) - (values - values / signal).sum()
    constant = n_judges * np.log(2 * np.pi)
    return -(constant + np.log(noise).sum() + np.log(signal).sum() + unexplained) / 2, loading


def _climb_rows(start: FactorLaw, rows: _Rows, run: _Run) -> tuple[FactorLaw, End]:
    """Climb the likelihood of the scores seen, item by item, from a law near its peak."""
    n, (n_judges, k) = float(rows.counts.sum()), start.loading.shape
    sums = _Told(rows.counts @ rows.seen, rows.counts @ rows.scores**2)
    line_unit = np.sqrt(start.noise * n / sums.given)[:, None]
    noise_unit = np.sqrt(2 * n / sums.given)

    def law_at(point: Floats) -> FactorLaw:
        line = line_unit * point[n_judges:].reshape(n_judges, k + 1)
        return FactorLaw(line[:, 0], line[:, 1:], np.exp(noise_unit * point[:n_judges]))

    def downhill(point: Floats) -> tuple[float, Floats]:
        law = law_at(point)
        height, line, log_noise = _height_and_slope(law, rows, sums)
        slope = np.concatenate([noise_unit * log_noise, (line_unit * line).ravel()])
        return -height / n, -slope / n

    line = np.column_stack([start.mean, start.loading]) / line_unit
    first = np.concatenate([np.log(start.noise) / noise_unit, line.ravel()])
    bounds = np.tile([-np.inf, np.inf], (len(first), 1))
    bounds[:n_judges] = np.log([policy.LEAST_UNIQUE, policy.MOST_UNIQUE]) / noise_unit[:, None]
    ascent, end = _ascend(downhill, first, bounds, n, run)
    return law_at(ascent), end


class _Told(NamedTuple):
    """How many scores each judge gave, and the sum of their squares (N,)."""

    given: Floats
    squares: Floats


def _height_and_slope(law: FactorLaw, rows: _Rows, targets: _Told) -> tuple[float, Floats, Floats]:
    """Log-likelihood, its slopes (N, 1 + k) by means and loadings, and by log noise (N,)."""
    sums = _expect(law, rows)
    line = np.column_stack([law.mean, law.loading])
    fitted = np.einsum("jab,jb->ja", sums.factors, line)
    left = targets.squares - 2 * (line * sums.scores).sum(axis=1) + (line * fitted).sum(axis=1)
    by_line = (sums.scores - fitted) / law.noise[:, None]
    return sums.height, by_line, (left / law.noise - targets.given) / 2


class _Sums(NamedTuple):
    """Per judge, over the items it saw: (1, f) by (1, f), and scores by (1, f); and the height."""

    factors: Floats
    scores: Floats
    height: float


def _expect(law: FactorLaw, rows: _Rows) -> _Sums:
    """Sums over items, factors at their posteriors."""
    n_judges, k = law.loading.shape
    wide = k + 1
    factors, products = np.zeros((n_judges, wide * wide)), np.zeros((n_judges, wide))
    height = 0.0
    for part in blocks(len(rows.scores)):
        scores, seen, counts = (array[part] for array in rows)
        at = block_posterior(law, scores - law.mean * seen, seen)
        moments = np.zeros((len(at.mean), wide, wide))
        moments[:, 0, 0] = 1
        moments[:, 0, 1:] = moments[:, 1:, 0] = at.mean
        moments[:, 1:, 1:] = at.covariance + at.mean[:, :, None] * at.mean[:, None, :]
        moments *= counts[:, None, None]
        factors += seen.T @ moments.reshape(len(moments), -1)
        products += scores.T @ moments[:, 0]
        height += float(counts @ at.log_likelihood)
    return _Sums(factors.reshape(n_judges, wide, wide), products, height)


# --- How many factors: held-out likelihood by clusters of items, and information criteria.
#
# Arrays in, arrays out. Both say whether judges share more than one trait. Neither says which trait is
# the quality one is after.


class HeldOut(NamedTuple):
    """Nats per held-out item for each number of factors, and the gain over the reference.

    `gain` and `gain_se` are of paired differences; the standard error is over clusters, whose items
    may say the same twice. `converged` tells whether all fits did.
    """

    ks: tuple[int, ...]
    per_item: Floats
    gain: Floats
    gain_se: Floats
    converged: bool


def fold_of(clusters: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Fold (n,) of each item; a cluster lies in one, and folds have like many clusters."""
    _, number = np.unique(clusters, return_inverse=True)
    many = int(number.max()) + 1
    result: NDArray[np.intp] = (rng.permutation(many) % min(folds, many))[number]
    return result


def held_out(
    values: Floats,
    clusters: NDArray[np.intp],
    *,
    rng: np.random.Generator,
    ks: tuple[int, ...] = (0, 1, 2, 3),
    folds: int = 5,
    reference: int = 1,
    tol: float = 1e-5,
    max_iter: int = 1000,
) -> HeldOut:
    """How likely (n, N) scores are under factors fitted to the other folds.

    Needs at least two clusters. Scores are read as they are: normal scores learnt from all items
    change every number of factors alike.
    """
    fold = fold_of(clusters, folds, rng)
    heights, converged = np.empty((len(ks), len(values))), True
    for which in range(int(fold.max()) + 1):
        test = fold == which
        for row, k in zip(heights, ks, strict=True):
            fit = fit_factors(values[~test], k, rng=rng, tol=tol, max_iter=max_iter)
            converged &= fit.end.converged
            row[test] = item_log_likelihood(fit.law, values[test])
    gains = heights - heights[ks.index(reference)]
    errors = np.array([_clustered_error(gain, clusters) for gain in gains])
    return HeldOut(ks, heights.mean(axis=1), gains.mean(axis=1), errors, converged)


def _clustered_error(gain: Floats, clusters: NDArray[np.intp]) -> float:
    """Standard error of a mean over items whose clusters are independent."""
    _, number = np.unique(clusters, return_inverse=True)
    sums = np.bincount(number, weights=gain - gain.mean())
    many = len(sums)
    return float(np.sqrt((sums**2).sum() * many / (many - 1)) / len(gain))


def n_parameters(n_judges: int, k: int) -> tuple[int, int]:
    """How many numbers are free: loadings up to a turn, and means with error variances."""
    return n_judges * k - k * (k - 1) // 2, 2 * n_judges


def criteria(log_likelihood: float, k: int, n_items: int, n_judges: int) -> tuple[float, float]:
    """BIC and extended BIC in nats x 2, the smaller the better.

    The extended one (Foygel and Drton 2010) adds 4 g log N for every free loading, g =
    `policy.EXTENDED`: of many judges, some pair is correlated by chance. Both take items for
    independent; with clusters believe `held_out`.
    """
    loadings, others = n_parameters(n_judges, k)
    plain = -2 * log_likelihood + (loadings + others) * float(np.log(n_items))
    return plain, plain + 4 * policy.EXTENDED * loadings * float(np.log(n_judges))


# --- Varimax: turn factors until each judge loads on few, and say which factor most judges share.
#
# Arrays in, arrays out. Kaiser (1958). Two factors have a best angle in closed form; more are turned two
# at a time until no pair moves. A turn leaves the likelihood as it is: that the turned factors mean
# something is an assumption of whoever turns them.


class Rotation(NamedTuple):
    """An orthogonal turn (k, k) and the (N, k) loadings after it, the broadest factor first."""

    turn: Floats
    loading: Floats


def varimax(loading: Floats, *, kaiser: bool = False) -> Rotation:
    """Turn of (N, k) standardised loadings with the largest variance of their squares.

    With `kaiser` every judge counts alike; without, judges count by how much the factors explain
    of them, so that judges who are mostly noise hardly matter. The broadest factor comes first, see
    `breadth`; the loadings of each add up to at least 0.
    """
    k = loading.shape[1]
    turn = np.eye(k)
    work = loading / _lengths(loading) if kaiser else loading.copy()
    for _ in range(policy.MOST_TURNS):
        angles = [_turn_pair(work, turn, list(pair)) for pair in combinations(range(k), 2)]
        if max(map(abs, angles), default=0.0) <= policy.LEAST_TURN:
            break
    rotated = loading @ turn
    order = np.argsort(-breadth(rotated), kind="stable")
    sign = np.where(rotated.sum(axis=0) < 0, -1.0, 1.0)
    return Rotation((turn * sign)[:, order], (rotated * sign)[:, order])


def _lengths(loading: Floats) -> Floats:
    length = np.sqrt((loading**2).sum(axis=1, keepdims=True))
    result: Floats = np.where(length > 0, length, 1.0)
    return result


def _turn_pair(work: Floats, turn: Floats, pair: list[int]) -> float:
    """Turn two factors by their best angle, in place; return the angle."""
    x, y = work[:, pair].T
    u, v = x**2 - y**2, 2 * x * y
    top = 2 * (u @ v - u.sum() * v.sum() / len(u))
    bottom = (u @ u - v @ v) - (u.sum() ** 2 - v.sum() ** 2) / len(u)
    angle = float(np.arctan2(top, bottom)) / 4
    c, s = np.cos(angle), np.sin(angle)
    plane = np.array([[c, -s], [s, c]])
    work[:, pair] = work[:, pair] @ plane
    turn[:, pair] = turn[:, pair] @ plane
    return angle


def breadth(loading: Floats) -> Floats:
    """Return (k,) how many judges share each factor: (sum of squares)^2 / (sum of fourth powers).

    N where all load alike, 1 where one judge alone loads, 0 of an empty factor.
    """
    squares = loading**2
    fourth = (squares**2).sum(axis=0)
    result: Floats = squares.sum(axis=0) ** 2 / np.where(fourth > 0, fourth, 1.0)
    return result


def turned(posterior_: FactorPosterior, turn: Floats) -> FactorPosterior:
    """Posterior of factors after a turn."""
    return posterior_._replace(
        mean=posterior_.mean @ turn,
        covariance=np.einsum("ji,njk,kl->nil", turn, posterior_.covariance, turn),
    )


# --- Which direction among several factors is taken for the consensus, and what that asserts.


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What was asked to be taken out, or nothing.

    `ranks` (n_items,): normal scores of the attribute, NaN where it is not known.
    `anchors` (n_items,): known scores, NaN elsewhere.
    """

    rotate: bool
    attribute: str | None
    ranks: Floats | None
    anchors: Floats | None

    @classmethod
    def of(
        cls,
        data: Scores,
        rotate: str | None,
        discount: str | None,
        attributes: Mapping[str, Sequence[Any]] | None,
        anchors: Floats | None,
    ) -> Self:
        """Read the settings, or say what is wrong with them."""
        if rotate is not None and anchors is not None:
            finite = anchors[~np.isnan(anchors)]
            if len(finite) < policy.CHOOSING_ANCHORS or np.ptp(finite) == 0:
                raise DataError(
                    f"anchors must be at least {policy.CHOOSING_ANCHORS} scores, not all alike, to choose a "
                    f"factor; got {finite.tolist()}; give more, or leave out rotate"
                )
        if rotate is not None and discount is not None:
            raise DataError(
                "rotate and discount must not both be given: each takes one direction out; got "
                f"{rotate!r} and {discount!r}; choose one"
            )
        name = None if discount is None else _named(data, discount, attributes)
        if name is None:
            return cls(rotate is not None, None, None, anchors)
        numbers = numeric_attribute(data, name, attributes)[:, None]
        finite = numbers[~np.isnan(numbers)]
        if len(finite) < 3 or np.ptp(finite) == 0:
            raise DataError(
                f"attribute {name!r} must vary over the items to be discounted; it does not; leave it out"
            )
        ranks = NormalScores.of(numbers).transform(numbers)[:, 0]
        return cls(rotate is not None, name, ranks, anchors)


def _named(data: Scores, discount: str, attributes: Mapping[str, Sequence[Any]] | None) -> str:
    names = attribute_names(data, attributes)
    if not isinstance(discount, str):
        raise DataError(
            f"discount must name one attribute of {names}; got {discount!r}; write its name"
        )
    if discount != "attribute" or discount in names:
        return discount
    names_ = list(attributes or names)
    if len(names_) != 1:
        raise DataError(
            f"discount must name one attribute of {names_}; got 'attribute'; write for example "
            f"discount={(names_ or ['length'])[0]!r}"
        )
    return names_[0]


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """The direction taken.

    `turn` (k, k): orthogonal; its first column is the consensus, the others what is left.
    `what`: what it is, for the message.
    `act`, `asserts`: what was asked, and what whoever asks says is true.
    `one_factor`: whether one factor was preferred to all of them.
    """

    turn: Floats
    what: str
    act: str
    asserts: str
    one_factor: bool = False


def directions(
    sought: Sought, posterior_: FactorPosterior, single: Floats, law: FactorLaw
) -> Direction | None:
    """Direction that was sought, or None where nothing was.

    `posterior_`: of the items' factors; `single` (n_items,): the consensus of one factor.
    """
    if sought.ranks is not None:
        turn = without_attribute(posterior_.mean, single, sought.ranks)
        turn[:, 1:] *= np.where((law.standard_loading @ turn[:, 1:]).sum(axis=0) < 0, -1.0, 1.0)
        return Direction(
            turn,
            f"what goes with one factor but not with {sought.attribute}",
            f"discount={sought.attribute!r}",
            f"{sought.attribute} is no part of what you mean, and items that differ in it do not differ "
            "in quality because of it",
        )
    if not sought.rotate:
        return None
    turn = varimax(law.standard_loading).turn
    if sought.anchors is None:
        return Direction(
            turn,
            "the varimax factor that most judges share",
            "rotate='varimax'",
            "what few judges share with one another, beyond what most share, is no part of what you mean",
        )
    return _anchored(sought.anchors, posterior_.mean @ turn, single, turn)


def _anchored(anchors: Floats, means: Floats, single: Floats, turn: Floats) -> Direction:
    """Turned factor, or one factor, that goes with the anchors most."""
    finite = ~np.isnan(anchors)
    candidates = {"one factor": single}
    candidates |= {f"varimax factor {k + 1}": means[:, k] for k in range(means.shape[1])}
    with_anchors = {n: _correlation(c[finite], anchors[finite]) for n, c in candidates.items()}
    best = max(with_anchors, key=lambda name: with_anchors[name])
    n = int(finite.sum())
    words = ", ".join(f"{name} {r:.2f}" for name, r in with_anchors.items())
    index = 0 if best == "one factor" else int(best.split()[-1]) - 1
    order = [index, *(k for k in range(means.shape[1]) if k != index)]
    return Direction(
        turn[:, order],
        f"{best}, which goes with the {how_many(n, 'anchor')} most ({words})",
        f"rotate='varimax' with {how_many(n, 'anchor')}",
        "the anchors are right, and their items are like the others",
        one_factor=best == "one factor",
    )


def without_attribute(means: Floats, ranks_: Floats, ranks: Floats) -> Floats:
    """Return a (k, k) turn whose first axis goes with `one` and is uncorrelated with an attribute.

    Among directions w of the factor means F with cov(F w, attribute) = 0 it is the one whose F w
    correlates most with `one`.

    `means` (n, k), k at least 2.
    `ranks_` (n,).
    `ranks` (n,): the attribute, NaN where it is not known; those items are left out.
    """
    finite = ~np.isnan(ranks)
    centred = means[finite] - means[finite].mean(axis=0)
    size = centred.T @ centred
    aim = np.linalg.solve(size, centred.T @ (ranks_[finite] - ranks_[finite].mean()))
    against = centred.T @ (ranks[finite] - ranks[finite].mean())
    leaning = np.linalg.solve(size, against)
    left = aim - leaning * float(against @ aim) / float(against @ leaning)
    first = left / np.linalg.norm(left)
    basis = np.linalg.qr(np.column_stack([first, np.eye(len(first))]))[0][:, : len(first)]
    basis[:, 0] = first
    return basis


def _correlation(x: Floats, y: Floats) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])


# --- The key as one more judge: how probable the higher class is, given what is known of the trait.
#
# Arrays in, arrays out. What judges share is not the label. So the label is taken for the answer of one
# more judge, drawn from those there are: it goes with the trait as some judge does, not perfectly.


Panel = tuple[Floats, Floats, Floats]
"""(K,) loadings, thresholds and weights of the judges the key may be like."""


def panel_of(loading: Floats, *, quantile: float, counted: float | None, informed: bool) -> Panel:
    """Panel a key is drawn from.

    `loading` (N,): correlations of the judges with the trait; one that goes against it is taken to
      say nothing.
    `quantile`: normal quantile of the share of the lower class.
    `counted`: of a share that was only counted: the standard deviation of the trait's means, at
      whose own quantile they are cut, which is nearer to the middle. None for one that was told.
    `informed`: whether judges weigh by loading^2, or all alike.
    """
    able = np.clip(loading, 0.0, 0.999)
    threshold = np.full(len(able), quantile) if counted is None else able * quantile * counted
    weight = able**2 if informed else np.ones(len(able))
    weight = weight if weight.sum() > 0 else np.ones(len(able))
    return able, threshold, weight / weight.sum()


def drawn_judge(mean: Floats, variance: Floats, panel: Panel) -> Floats:
    """Return (n,) the probability that the drawn judge says the higher class."""
    total = np.zeros(len(mean))
    for loading, threshold, weight in zip(*panel, strict=True):
        total += weight * key_posterior(mean, variance, KeyLaw(loading, threshold))
    return total


def trait_itself(mean: Floats, variance: Floats, share: float) -> Floats:
    """Return (n,) the probability that the trait itself is in its upper `share`.

    It is as sure as if the trait were the label.
    """
    result: Floats = ndtr((mean + ndtri(share)) / np.sqrt(np.maximum(variance, 1e-12)))
    return result


# --- Factors behind scores: one, or several of which one is taken for the consensus.


def factor(
    data: Scores,
    *,
    factors: int | None = None,
    scores: str = "normal",
    rotate: str | None = None,
    discount: str | None = None,
    attributes: Mapping[str, Sequence[Any]] | None = None,
    anchors: Mapping[Any, Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    guard: float | None = None,
    posterior: str = "exchangeable",
    prevalence: Any = None,
    cut: object = None,
    seed: int = 0,
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> ScoreAggregation:
    """Find what judges share as one factor, or take a shared confounder out by an explicit act.

    Use it where scores are missing in any pattern, and where you know more than the scores say: that
    a second, narrower trait of some judges is no quality, or that an attribute such as length is none.
    Scores alone cannot tell quality from a confounder. Taking a factor out helps where it is a bias of
    some judges and throws truth away where it is what the best judges share, so nothing is taken out
    unless you ask, and the result says how far that moves the consensus (`shifts`).

    Parameters
    ----------
    data : Scores
        At least 3 judges; a key is never read.
    factors : 1, 2, 3 or None
        How many; None is 1, and 2 where `rotate` or `discount` needs another.
    scores : "normal", "standardised" or "raw"
        What is read: ranks as normal scores, or the scores themselves. The last two differ in units
        alone.
    rotate : "varimax", optional
        Turn the factors until each judge loads on few, and take the one most judges share.
    discount : str, optional
        Name of an attribute: take the direction among the factors that goes with the consensus as
        far as it can while it does not go with the attribute's ranks. "attribute" is the only one.
    attributes : {name: sequence of n_items}, optional
        Attributes beside those the scores carry.
    anchors : {item: score}, optional
        Known scores of some items. They calibrate `item_scores`; and with `rotate` they choose, among
        one factor and the turned ones, the one that goes with them most.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together; all items of a cluster count as one.
    guard : number, optional
        Keep one factor where the correlation with it falls below this.
    posterior : "exchangeable", "weighted" or "trait"
        The key as one more judge like any of the panel; as one drawn by squared loadings, for panels of
        very uneven quality; or as sure as if the trait were the label.
    prevalence, cut
        As of 'rank-factor'.
    seed, tol, max_iter
        Of the starts; of the climb.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable with fewer than 3 judges whose scores vary, too few
        for so many factors, or judges who share no items with two others. The first column of
        `loadings` is the consensus.

    Raises
    ------
    DataError
        If a setting is out of range, or an attribute is not known.

    Notes
    -----
    x = m + L f + e with independent errors of a variance per judge, fitted by maximum likelihood with
    missing scores left out exactly (Lawley and Maxwell 1971; Rubin and Thayer 1982). Of an item whose
    trait has mean t and variance v, the probability of the higher class is the mean over judges of
    Phi((l t - q) / sqrt(1 - l^2 + l^2 v)), with q the quantile of the prevalence: the key is a judge
    drawn from the panel (a judge that goes against it says nothing).

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 3, 7, 8], "k": [0, 0, 1, 2]})
    >>> factor(s).item_labels
    ['0', '0', '1', '1']
    """
    share = read_share(data, prevalence, cut)
    options = _Options(
        factors=_how_many(factors, rotate, discount),
        scores=check_choice("scores", scores, ("normal", "standardised", "raw")),
        rotate=check_choice("rotate", rotate, (None, "varimax")),
        discount=discount,
        guard=None if guard is None else check_number("guard", guard, least=0.0, most=1.0),
        posterior=check_choice("posterior", posterior, ("exchangeable", "weighted", "trait")),
        cluster=cluster if isinstance(cluster, str | None) else "given",
        **fitting.checked(seed=seed, max_iter=max_iter, tol=tol),
    )
    sought = Sought.of(
        data, options.rotate, options.discount, attributes, anchor_values(data.items, anchors)
    )
    clusters = cluster_of(data, cluster, attributes)
    reason = _unsettled(data, options.factors)
    if reason:
        return options.case(data, share).refused(reason)
    return _Fit.of(data, options, share, clusters).result(sought, fixed=cluster is not None)


def _how_many(factors: object, rotate: object, discount: object) -> int:
    needed = 2 if rotate or discount else 1
    if factors is None:
        return needed
    number = check_whole("factors", factors, 1, 3)
    if number < needed:
        raise DataError(
            f"factors must be at least 2 to take one out; got {factors!r}; leave it out, or leave out "
            "rotate and discount"
        )
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """The settings of the fit."""

    factors: int
    scores: Any
    rotate: str | None
    discount: str | None
    guard: float | None
    posterior: str
    cluster: str | None
    seed: int
    tol: float
    max_iter: int

    def case(self, data: Scores, share: ClassShare) -> ScoreCase:
        """The scores under the method, with all settings as JSON types."""
        settings = share.settings | {name: getattr(self, name) for name in self.__slots__}
        return ScoreCase(data=data, method="factor", settings=settings, share=share)


def _unsettled(data: Scores, factors: int) -> str:
    """Return why these scores settle no such factors, or nothing."""
    seen = ~np.isnan(data.values)
    varied = scale_of(data.values, np.ones(data.n_items)).spread > 0
    n = int(varied.sum())
    if n < 3:
        return (
            f"Factors must have at least 3 judges whose scores vary; got {n}: fewer correlations fit one "
            "trait in endlessly many ways."
        )
    if freedom(n, factors) < 0:
        return (
            f"{how_many(factors, 'factor')} must have more judges than {n} whose scores vary: the "
            "correlations fit them in endlessly many ways; ask for fewer."
        )
    part = seen[:, varied].astype(float)
    met = (part.T @ part > 1).sum(axis=1) - 1
    if met.min() < 2:
        lonely = np.array(data.judges)[varied][int(met.argmin())]
        return (
            f"Every judge must share items with at least two others; {lonely!r} shares some with "
            f"{met.min()}; leave it out with select(judges=...)."
        )
    return ""


class _Position(NamedTuple):
    """Where items stand on a direction, how surely, and how judges load on it."""

    mean: Floats
    variance: Floats
    loading: Floats


class _Law(NamedTuple):
    """A fit, and what it says of the factors of every item."""

    fit: Factors
    held: FactorPosterior

    def along(self, turn: Floats) -> _Position:
        """Positions on a direction of the factors."""
        variance = np.einsum("i,nij,j->n", turn, self.held.covariance, turn)
        loading = self.fit.law.standard_loading @ turn
        return _Position(self.held.mean @ turn, variance, loading)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """One factor, and as many as were asked for, fitted to the judges' scale."""

    data: Scores
    asked: _Options
    share: ClassShare
    scale: JudgeScale
    values: Floats
    one: _Law
    many: _Law
    plain: _Law

    @classmethod
    def of(
        cls, data: Scores, options: _Options, share: ClassShare, clusters: NDArray[np.intp]
    ) -> _Fit:
        scale = judge_scale(data.values, options.scores)
        values = scale.transform(data.values)
        counts = (1 / np.bincount(clusters))[clusters]

        def fitted(k: int, counts: Floats | None) -> _Law:
            rng = np.random.default_rng(options.seed)
            fit = fit_factors(
                values, k, rng=rng, counts=counts, tol=options.tol, max_iter=options.max_iter
            )
            return _Law(fit, posterior(fit.law, values))

        alone = bool((counts == 1).all())
        plain = fitted(1, None)
        single = plain if alone else fitted(1, counts)
        many = (
            single if options.factors == 1 else fitted(options.factors, None if alone else counts)
        )
        return cls(data, options, share, scale, values, single, many, plain)

    def higher(self, at: _Position) -> Floats:
        """Probabilities of the higher class."""
        return _higher(at.mean, at.variance, self.key(at))

    def key(self, at: _Position) -> dict[str, Any]:
        """Law of the key, given how judges load on the consensus."""
        speaks = ~self.one.fit.silent
        counted = float(at.mean.std()) if self.share.counted else None
        loading, threshold, weight = panel_of(
            at.loading[speaks],
            quantile=-float(ndtri(self.share.share)),
            counted=counted,
            informed=self.asked.posterior == "weighted",
        )
        return {
            "posterior": self.asked.posterior,
            "share": self.share.share,
            "key_loading": loading,
            "key_threshold": threshold,
            "key_weight": weight,
        }

    def result(self, sought: Sought, *, fixed: bool) -> ScoreAggregation:
        """Result for the direction sought, beside that of one factor."""
        base = self.one.along(np.ones(1))
        shifts = []
        if fixed:
            shifts.append(self._moved("cluster", _ONCE, self.plain.along(np.ones(1)), base))
        taken, turn = self.many, np.eye(self.asked.factors)
        direction = directions(sought, taken.held, base.mean, taken.fit.law)
        if direction is not None:
            shifts.append(self._shift(direction, base))
            turn = direction.turn
            if direction.one_factor or not shifts[-1].taken:
                taken, turn = self.one, np.ones((1, 1))
        return self._assembled(taken, turn, shifts, direction)

    def _shift(self, direction: Direction, base: _Position) -> Shift:
        """How far a direction moves the consensus; the guard may keep it from being taken."""
        if direction.one_factor:
            return Shift(direction.act, 1.0, 0.0, direction.asserts)
        shift = self._moved(
            direction.act, direction.asserts, base, self.many.along(direction.turn[:, 0])
        )
        guard = self.asked.guard
        return replace(shift, taken=guard is None or shift.correlation >= guard)

    def _moved(self, act: str, asserts: str, base: _Position, at: _Position) -> Shift:
        before, after = (Standing(p.mean, decide(_two(self.higher(p)))) for p in (base, at))
        return Shift.between(act, asserts, before, after)

    def _assembled(
        self, taken: _Law, turn: Floats, shifts: list[Shift], direction: Direction | None
    ) -> ScoreAggregation:
        at, means = taken.along(turn[:, 0]), taken.held.mean @ turn
        law, end = taken.fit.law, taken.fit.end
        size = np.where(law.variance > 0, law.variance, 1.0)
        key = self.key(at)
        ended = "converged" if end.converged else "did not converge"
        what = direction.what if direction is not None else _WHAT[min(turn.shape[1], 2)]
        n, k = self.data.n_items, self.data.n_judges
        read = "ranks as normal scores" if self.asked.scores == "normal" else "scores as given"
        message = (
            f"{how_many(turn.shape[1], 'factor')} behind {k} judges on {how_many(n, 'item')} ({read}); the "
            f"climb {ended}; the consensus is {what}; the true class is treated as one more judge, and the "
            f"share of the higher class for {percent(self.share.share)} ({self.share.why}); {CAVEAT}."
        )
        return self.asked.case(self.data, self.share).finish(
            FittedScores(
                traits=at.mean,
                spread=np.sqrt(at.variance),
                higher=_higher(at.mean, at.variance, key),
                loadings=law.standard_loading @ turn,
                noise=np.where(law.variance > 0, law.noise / size, 1.0),
                end=end,
                parameters=_parameters(law, turn, self.scale) | {"factor_means": means} | key,
            ),
            message=message,
            notes=[*unrelated_note(self.values), *self._alike()],
            shifts=shifts,
        )

    def _alike(self) -> list[str]:
        """Sentence on pairs of judges who share more than the factor."""
        residual = residual_correlations(self.one.fit.law, self.values)
        pairs = alike_pairs(residual)
        if not len(pairs):
            return []
        shown = [
            f"{self.data.judges[i]} and {self.data.judges[j]}"
            for i, j in pairs[: policy.MOST_NAMED]
        ]
        more = f" and {len(pairs) - len(shown)} more pairs" if len(pairs) > len(shown) else ""
        return [
            f"What one factor leaves of {', '.join(shown)}{more} correlates above "
            f"{policy.NEAR_COPIES:g}: they are near copies, or share a second thing with "
            "each other. Copies draw the consensus to themselves: leave one of each pair out. If they are "
            "none, one factor is not enough, or copies of something else have taken it; see confounders."
        ]


_ONCE = "items of a cluster say the same thing once, not as many times as there are items"
_WHAT = {1: "the only factor", 2: "the leading one"}


def _two(higher: Floats) -> Floats:
    return np.stack([1 - higher, higher], axis=1)


def _higher(mean: Floats, variance: Floats, key: Mapping[str, Any]) -> Floats:
    if key["posterior"] == "trait":
        return trait_itself(mean, variance, key["share"])
    parts = (np.asarray(key[f"key_{name}"], float) for name in ("loading", "threshold", "weight"))
    return drawn_judge(mean, variance, tuple(parts))  # type: ignore[arg-type]


def _parameters(law: FactorLaw, turn: Floats, scale: JudgeScale) -> dict[str, Any]:
    kept: dict[str, Any] = {"mean": law.mean, "factor_loading": law.loading, "error": law.noise}
    if isinstance(scale, NormalScores):
        kept |= scale.parameters()
    else:
        kept |= {"center": scale.center, "spread": scale.spread}
    return kept | {"turn": turn}


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    parameters = result.parameters
    scale: JudgeScale
    if "scores_seen" in parameters:
        scale = NormalScores.read(parameters)
    else:
        scale = Affine(np.array(parameters["center"], float), np.array(parameters["spread"], float))
    law = FactorLaw(*(np.array(parameters[n], float) for n in ("mean", "factor_loading", "error")))
    turn = np.array(parameters["turn"], float)[:, 0]
    posterior_ = posterior(law, scale.transform(values))
    variance = np.einsum("i,nij,j->n", turn, posterior_.covariance, turn)
    higher = _higher(posterior_.mean @ turn, variance, parameters)
    return _two(np.where(np.isnan(values).all(axis=1), result.prevalence, higher))
