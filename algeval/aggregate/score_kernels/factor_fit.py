"""Maximum-likelihood factors, by climbs over error variances, or over all parameters where scores miss.

Arrays in, arrays out. With no score missing the items enter through their covariances alone. Given
the error variances psi the best loadings are known (Lawley and Maxwell: the leading eigenvectors of
psi^-1/2 S psi^-1/2), so that only the N logs of psi are climbed. With scores missing the climb starts
there, on the correlations over common items, and goes on over means, loadings and log psi. Its slope is
that of EM's M-step at the current posteriors; EM itself creeps where a factor too many is fitted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize

from algeval.aggregate import policy
from algeval.aggregate.kernels import one_factor
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_kernels.factors import (
    FactorLaw,
    block_posterior,
    blocks,
    principal,
)

Bools = NDArray[np.bool_]

__all__ = ["Factors", "fit_factors", "freedom"]


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
    """Return by how many numbers N judges' covariances exceed those of k factors; below 0, too few."""
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
    """Return the k factors under which (n, N) scores, NaN where missing, are likeliest.

    `counts` (n,) is how many observations each row stands for, 1 by default. There are
    several peaks, of one factor too where near copies compete with the rest: the best of
    `policy.FACTOR_STARTS` or `policy.ONE_FACTOR_STARTS` starts is taken. Converged means that no
    slope per item is above `tol`. No step lowers the likelihood.
    """
    counts = np.ones(len(values)) if counts is None else counts
    scale = one_factor.scale_of(values, counts)
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
    """Return an array over all judges, 0 for the silent ones."""
    result = np.zeros((len(speaks), *part.shape[1:]))
    result[speaks] = part
    return result


def _in_units(law: FactorLaw, scale: one_factor.Scale, speaks: Bools) -> FactorLaw:
    """Return a law of the speaking judges' standardised scores as one of all judges' own scores."""
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
    matrix = one_factor.correlations(*rows)
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
    """Return the log-likelihood of standardised scores whose judges have nothing in common."""
    return -float(rows.counts @ rows.seen.sum(axis=1)) * (float(np.log(2 * np.pi)) + 1) / 2


def _starts(matrix: Floats, k: int, rng: np.random.Generator) -> list[Floats]:
    """Return error variances to start from: what the other judges do not explain, then draws."""
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
    found, end = _ascend(downhill, np.log(start), bounds, n, run)
    noise = np.exp(found)
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
        found = minimize(
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
        stands = _stands(found, bounds, run.tol)
        if found.nit == 0:
            break
        point = found.x
    return point, End(stands, len(trace) - 1, tuple(trace), "The climb")


def _stands(found: Any, bounds: Floats, tol: float) -> bool:
    """Tell whether no slope is above `tol` but those that lead out of the bounds."""
    low, high = bounds.T
    stuck = ((found.x <= low) & (found.jac > 0)) | ((found.x >= high) & (found.jac < 0))
    return bool((np.abs(found.jac[~stuck]) <= tol).all())


def _best_loading(matrix: Floats, k: int, noise: Floats) -> tuple[float, Floats]:
    """Return the height per item at the best (N, k) loadings for error variances, and these."""
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
    told = _Told(rows.counts @ rows.seen, rows.counts @ rows.scores**2)
    line_unit = np.sqrt(start.noise * n / told.given)[:, None]
    noise_unit = np.sqrt(2 * n / told.given)

    def law_at(point: Floats) -> FactorLaw:
        line = line_unit * point[n_judges:].reshape(n_judges, k + 1)
        return FactorLaw(line[:, 0], line[:, 1:], np.exp(noise_unit * point[:n_judges]))

    def downhill(point: Floats) -> tuple[float, Floats]:
        law = law_at(point)
        height, line, log_noise = _height_and_slope(law, rows, told)
        slope = np.concatenate([noise_unit * log_noise, (line_unit * line).ravel()])
        return -height / n, -slope / n

    line = np.column_stack([start.mean, start.loading]) / line_unit
    first = np.concatenate([np.log(start.noise) / noise_unit, line.ravel()])
    bounds = np.tile([-np.inf, np.inf], (len(first), 1))
    bounds[:n_judges] = np.log([policy.LEAST_UNIQUE, policy.MOST_UNIQUE]) / noise_unit[:, None]
    found, end = _ascend(downhill, first, bounds, n, run)
    return law_at(found), end


class _Told(NamedTuple):
    """How many scores each judge gave, and the sum of their squares (N,)."""

    given: Floats
    squares: Floats


def _height_and_slope(law: FactorLaw, rows: _Rows, told: _Told) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood, its slopes (N, 1 + k) by means and loadings, and by log noise (N,)."""
    sums = _expect(law, rows)
    line = np.column_stack([law.mean, law.loading])
    fitted = np.einsum("jab,jb->ja", sums.factors, line)
    left = told.squares - 2 * (line * sums.scores).sum(axis=1) + (line * fitted).sum(axis=1)
    by_line = (sums.scores - fitted) / law.noise[:, None]
    return sums.height, by_line, (left / law.noise - told.given) / 2


class _Sums(NamedTuple):
    """Per judge, over the items it saw: (1, f) by (1, f), and scores by (1, f); and the height."""

    factors: Floats
    scores: Floats
    height: float


def _expect(law: FactorLaw, rows: _Rows) -> _Sums:
    """Return the sums over items, factors at their posteriors."""
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
