"""Factors of 50,000 items by 50 judges: seconds, megabytes, and a ratio to scikit-learn in one run."""

import tracemalloc
from time import perf_counter

import numpy as np
import pytest
from sklearn.decomposition import FactorAnalysis

from algeval.aggregate.scores.factor import fit_factors, posterior, residual_correlations
from algeval.aggregate.scores.simple import judge_scale

pytestmark = pytest.mark.benchmark


def timed(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    loading = rng.uniform(0.2, 0.9, (50, 2)) * [1, 0.5]
    values = rng.normal(size=(50000, 2)) @ loading.T
    return values + rng.normal(size=values.shape) * rng.uniform(0.3, 1, 50)


def fit(values, k):
    return fit_factors(values, k, rng=np.random.default_rng(0))


def all_of_it(values):
    """Normal scores, 0 to 3 factors, the posteriors and residuals of each."""
    normal = judge_scale(values, "normal").transform(values)
    for k in range(4):
        found = fit(normal, k)
        posterior(found.law, normal)
        residual_correlations(found.law, normal)


def test_all_numbers_of_factors_within_five_seconds_and_500_megabytes(scores):
    seconds, _ = timed(lambda: all_of_it(scores))
    tracemalloc.start()
    all_of_it(scores)
    megabytes = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(
        f"\nnormal scores and k = 0 to 3: {seconds:.2f} s, {megabytes:.0f} MB more than the scores"
    )
    assert seconds < 5
    assert megabytes < 500


@pytest.mark.parametrize("k", [1, 2, 3])
def test_against_scikit_learn(scores, k):
    ours, found = timed(lambda: fit(scores, k))
    other = FactorAnalysis(k, svd_method="randomized", tol=1e-2, random_state=0)
    theirs, _ = timed(lambda: other.fit(scores))
    height = other.score(scores) * len(scores)
    print(f"\nk = {k}: {ours:.2f} s, scikit-learn {theirs:.2f} s, x{theirs / ours:.1f}")
    assert found.log_likelihood >= height - 1e-6 * abs(height)
    assert ours < theirs


def test_every_row_with_gaps_of_its_own(scores):
    holed = scores.copy()
    holed[np.random.default_rng(1).random(holed.shape) < 0.05] = np.nan
    for k in (1, 2, 3):
        whole, _ = timed(lambda k=k: fit(scores, k))
        seconds, found = timed(lambda k=k: fit(holed, k))
        print(
            f"\nk = {k}, 5% missing: {seconds:.2f} s, {found.end.n_iter} steps; none {whole:.2f} s"
        )
        assert found.end.converged
        assert seconds < 60
