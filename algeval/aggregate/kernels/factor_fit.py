"""Maximum-likelihood factors: a climb over the error variances, or EM where scores are missing.

Arrays in, arrays out. With no score missing the items enter through their covariances alone. Given
the error variances psi the best loadings are known (Lawley and Maxwell: the leading eigenvectors of
psi^-1/2 S psi^-1/2), so that only the N logs of psi are climbed. With scores missing EM starts there,
on the correlations over common items. It expands the law by mean and covariance of the factors
(Liu, Rubin and Wu 1998), which no likelihood tells from other means and loadings, and so needs a few
steps where plain EM needs dozens.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.kernels import one_factor
from algeval.aggregate.kernels.factors import (
    FactorLaw,
    block_posterior,
    blocks,
    principal,
)
from algeval.aggregate.results import End, Floats

Bools = NDArray[np.bool_]

__all__ = ["Factors", "fit_factors", "freedom"]


class Factors(NamedTuple):
    """A fitted law and how it came about.

    `variance` (N,) is of the scores given; `silent` marks judges without any variance or any score;
    `at_floor` marks those whose noise is at `policy.LEAST_UNIQUE` of their variance: all but equal
    to a factor, as near copies are. `heights` are the log-likelihoods at which the starts ended, the
    best first (where scores are missing, on the correlations EM starts from).
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
    values: Floats, k: int, *, rng: np.random.Generator, tol: float = 1e-6, max_iter: int = 1000
) -> Factors:
    """Return the k factors under which (n, N) scores, NaN where missing, are likeliest.

    Two and more factors have several peaks: the best of `policy.FACTOR_STARTS` starts is taken.
    Converged means for the climb that no slope per item is above `tol`, for EM what `iterate` says.
    """
    scale = one_factor.scale_of(values, np.ones(len(values)))
    speaks = scale.spread > 0
    seen = (~np.isnan(values[:, speaks])).astype(float)
    scores = scale.standard(values)[:, speaks]
    answered = seen.any(axis=1)
    if not answered.all():
        scores, seen = scores[answered], seen[answered]
    law, heights, end = _fit_standard(scores, seen, k, _Run(rng, tol, max_iter))
    jacobian = float(seen.sum(axis=0) @ np.log(scale.spread[speaks]))
    return Factors(
        law=_in_units(law, scale, speaks),
        variance=scale.spread**2,
        silent=~speaks,
        at_floor=_placed(speaks, law.noise <= policy.LEAST_UNIQUE * (1 + policy.ROUNDING)) > 0,
        log_likelihood=end.trace[-1] - jacobian,
        heights=tuple(height - jacobian for height in heights),
        end=end._replace(trace=tuple(height - jacobian for height in end.trace)),
    )


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


def _fit_standard(
    scores: Floats, seen: Floats, k: int, run: _Run
) -> tuple[FactorLaw, tuple[float, ...], End]:
    n, n_judges = scores.shape
    flat = FactorLaw(np.zeros(n_judges), np.zeros((n_judges, k)), np.ones(n_judges))
    if k == 0 or n_judges == 0:
        height = _plain_height(seen)
        return flat, (height,), End(True, 1, (height,), "The climb")
    matrix = one_factor.correlations(scores, seen, np.ones(n))
    ends = sorted(
        (_climb(matrix, n, k, start, run) for start in _starts(matrix, k, run.rng)),
        key=lambda climbed: -climbed.end.trace[-1],
    )
    heights = tuple(climbed.end.trace[-1] for climbed in ends)
    law, end = ends[0]
    if not seen.all():
        law, end = _em(law, scores, seen, run)
    return law, heights, end


def _plain_height(seen: Floats) -> float:
    """Return the log-likelihood of standardised scores whose judges have nothing in common."""
    return -float(seen.sum()) * (float(np.log(2 * np.pi)) + 1) / 2


def _starts(matrix: Floats, k: int, rng: np.random.Generator) -> list[Floats]:
    """Return error variances to start from: what the other judges do not explain, then draws."""
    ridge = policy.LEAST_UNIQUE * np.eye(len(matrix))
    unexplained = (1 - k / (2 * len(matrix))) / np.diag(np.linalg.inv(matrix + ridge))
    draws = policy.FACTOR_STARTS - 1 if k > 1 else 0
    return [unexplained, *rng.uniform(policy.LEAST_UNIQUE, 1, (draws, len(matrix)))]


class _Climbed(NamedTuple):
    law: FactorLaw
    end: End


def _climb(matrix: Floats, n: int, k: int, start: Floats, run: _Run) -> _Climbed:
    """Climb the likelihood of a correlation matrix over the logs of the error variances."""
    trace: list[float] = []

    def downhill(log_noise: Floats) -> tuple[float, Floats]:
        height, loading = _best_loading(matrix, k, np.exp(log_noise))
        excess = (loading**2).sum(axis=1) + np.exp(log_noise) - 1
        return -height, excess / np.exp(log_noise) / 2

    def remember(*, intermediate_result: Any) -> None:
        trace.append(-n * float(intermediate_result.fun))

    low = np.log(policy.LEAST_UNIQUE)
    minimize: Any = optimize.minimize
    first = np.clip(np.log(start), low, 0)
    trace.append(-n * downhill(first)[0])
    found = minimize(
        downhill,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=[(low, 0.0)] * len(matrix),
        callback=remember,
        options={"maxiter": run.max_iter, "gtol": run.tol, "ftol": 0.0, "maxcor": policy.MEMORY},
    )
    noise = np.exp(found.x)
    law = FactorLaw(np.zeros(len(matrix)), _best_loading(matrix, k, noise)[1], noise)
    return _Climbed(
        law, End(_stands(found, low, run.tol), int(found.nit), tuple(trace), "The climb")
    )


def _stands(found: Any, low: float, tol: float) -> bool:
    """Tell whether no slope is above `tol` but those that point out of the bounds."""
    stuck = ((found.x <= low) & (found.jac > 0)) | ((found.x >= 0) & (found.jac < 0))
    return bool((np.abs(np.where(stuck, 0.0, found.jac)) <= tol).all())


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


def _em(start: FactorLaw, scores: Floats, seen: Floats, run: _Run) -> tuple[FactorLaw, End]:
    """Climb the likelihood of the scores seen, item by item, from a law near its peak."""
    squares = (scores**2).sum(axis=0)

    def step(law: FactorLaw) -> Step:
        sums = _expect(law, scores, seen)
        following = _maximise(sums, squares, len(scores))
        moved = max(float(np.abs(a - b).max()) for a, b in zip(law, following, strict=True))
        return Step(law, following, moved, sums.height)

    found, end = iterate(step, start, tol=run.tol, n_items=len(scores), max_iter=run.max_iter)
    return found, end


class _Sums(NamedTuple):
    """Per judge, over the items it saw: (1, f) by (1, f), scores by (1, f); over all items f, f f'."""

    factors: Floats
    scores: Floats
    mean: Floats
    square: Floats
    height: float


def _expect(law: FactorLaw, scores: Floats, seen: Floats) -> _Sums:
    """Return the sums over items, factors at their posteriors."""
    n_judges, k = law.loading.shape
    wide = k + 1
    factors, products = np.zeros((n_judges, wide * wide)), np.zeros((n_judges, wide))
    total, height = np.zeros(wide * wide), 0.0
    for part in blocks(len(scores)):
        at = block_posterior(law, scores[part] - law.mean * seen[part], seen[part])
        moments = np.zeros((len(at.mean), wide, wide))
        moments[:, 0, 0] = 1
        moments[:, 0, 1:] = moments[:, 1:, 0] = at.mean
        moments[:, 1:, 1:] = at.covariance + at.mean[:, :, None] * at.mean[:, None, :]
        flat = moments.reshape(len(moments), -1)
        factors += seen[part].T @ flat
        products += scores[part].T @ moments[:, 0]
        total += flat.sum(axis=0)
        height += float(at.log_likelihood.sum())
    all_items = total.reshape(wide, wide)
    return _Sums(
        factors.reshape(n_judges, wide, wide), products, all_items[0, 1:], all_items[1:, 1:], height
    )


def _maximise(sums: _Sums, squares: Floats, n: int) -> FactorLaw:
    """Return each judge's regression on the factors, and take the factors' own law into it."""
    line = np.linalg.solve(sums.factors, sums.scores[:, :, None])[:, :, 0]
    left = (squares - (line * sums.scores).sum(axis=1)) / sums.factors[:, 0, 0]
    mean = sums.mean / n
    turn = np.linalg.cholesky(sums.square / n - np.outer(mean, mean))
    loading = line[:, 1:]
    return FactorLaw(
        line[:, 0] + loading @ mean, loading @ turn, np.maximum(left, policy.LEAST_UNIQUE)
    )
