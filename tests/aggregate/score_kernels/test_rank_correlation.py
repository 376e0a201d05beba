"""Rank correlations: against SciPy, and their errors against repeated draws and repeated items."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from algeval.aggregate.scores.simple import ranked, spearman


def pair(n, rng, levels=None, rho=0.6):
    x, y = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n).T
    return (x, y) if levels is None else (x, np.round(y * levels))


def of(x, y, clusters=None):
    clusters = np.arange(len(x)) if clusters is None else clusters
    return spearman(ranked(x), ranked(y), clusters)


@pytest.mark.parametrize("levels", [None, 2, 0.5])
def test_the_value_is_scipys_with_ties_and_without(levels):
    x, y = pair(300, np.random.default_rng(0), levels)
    x[::7], y[::11] = np.nan, np.nan
    told = of(x, y)
    assert told.value == pytest.approx(spearmanr(x, y, nan_policy="omit")[0], abs=1e-12)
    assert told.n_items == int((~np.isnan(x) & ~np.isnan(y)).sum())


@pytest.mark.parametrize("levels", [None, 0.5])
@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9])
def test_the_error_is_how_far_repeated_draws_lie_apart(levels, rho):
    rng = np.random.default_rng(1)
    told = [of(*pair(300, rng, levels, rho)) for _ in range(600)]
    spread = np.std([found.value for found in told])
    assert np.mean([found.error for found in told]) == pytest.approx(spread, rel=0.1)


def test_items_said_four_times_are_no_more_certain():
    x, y = pair(200, np.random.default_rng(2))
    once = of(x, y)
    again = of(np.tile(x, 4), np.tile(y, 4), np.tile(np.arange(200), 4))
    assert again.value == pytest.approx(once.value)
    assert again.error == pytest.approx(once.error, rel=0.01)
    assert of(np.tile(x, 4), np.tile(y, 4)).error == pytest.approx(once.error / 2, rel=0.01)


def test_what_does_not_vary_goes_with_nothing():
    x = np.arange(5.0)
    nothing = np.full(5, np.nan)
    for told in (of(x, np.ones(5)), of(x, nothing), of(x, x, np.zeros(5, int))):
        assert (told.value, told.error) == (0.0, np.inf)
    assert of(x, -x).value == pytest.approx(-1)


def test_mid_ranks_are_those_of_scipy():
    from scipy.stats import rankdata

    from algeval.data.scores import mid_ranks

    rng = np.random.default_rng(0)
    for column in (rng.integers(0, 5, 40).astype(float), rng.random(40), np.zeros(3), np.ones(1)):
        assert np.array_equal(mid_ranks(column), rankdata(column))
