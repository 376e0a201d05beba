"""Chances of inclusion are what they are said to be, and labels are spread."""

import numpy as np
import pytest

from algeval.rates.intervals import bands
from algeval.rates.sampling import (
    calibrated,
    chances_for,
    doubt_chances,
    gain_of,
    spread_order,
    systematic,
)


@pytest.mark.parametrize("seed", range(20))
def test_chances_add_up_and_none_is_above_one(seed):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=30) ** 3
    n = int(rng.integers(1, 30))
    chances = chances_for(weights, n)
    assert chances.sum() == pytest.approx(n)
    assert chances.min() > 0
    assert chances.max() <= 1
    free = chances < 1 - 1e-9
    assert (
        np.ptp(chances[free] / weights[free]) < 1e-9 * (chances[free] / weights[free]).max() + 1e-12
    )


def test_all_are_drawn_if_as_many_are_asked_for():
    assert chances_for(np.array([1.0, 2, 3]), 3).tolist() == [1, 1, 1]


def test_every_item_is_drawn_as_often_as_said_and_the_size_never_varies():
    rng = np.random.default_rng(1)
    chances = chances_for(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 30]), 4)
    n_draws = 4000
    times = np.zeros(9)
    for _ in range(n_draws):
        drawn = systematic(chances, rng.permutation(9), rng)
        assert len(set(drawn.tolist())) == 4
        times[drawn] += 1
    error = np.sqrt(chances * (1 - chances) / n_draws)
    assert (np.abs(times / n_draws - chances) <= 4 * error + 1e-12).all()


def test_each_stratum_gets_its_part():
    rng = np.random.default_rng(2)
    strata = np.repeat([0, 1, 2], [50, 30, 20])
    for _ in range(50):
        drawn = systematic(np.full(100, 0.2), spread_order(strata, None, rng), rng)
        assert np.abs(np.bincount(strata[drawn]) - [10, 6, 4]).max() <= 1


def test_clusters_get_one_label_before_any_gets_two():
    rng = np.random.default_rng(3)
    clusters = rng.permutation(np.repeat(np.arange(40), 5))
    strata = rng.integers(0, 3, 200)
    for n, most in ((30, 1), (40, 1), (60, 2)):
        for _ in range(20):
            drawn = systematic(np.full(200, n / 200), spread_order(strata, clusters, rng), rng)
            assert len(drawn) == n
            assert np.bincount(clusters[drawn]).max() <= most


def test_within_a_cluster_items_are_drawn_alike():
    rng = np.random.default_rng(4)
    clusters, strata = np.repeat(np.arange(6), 4), np.tile([0, 0, 1, 1], 6)
    times = np.zeros(24)
    for _ in range(3000):
        times[systematic(np.full(24, 0.25), spread_order(strata, clusters, rng), rng)] += 1
    assert np.abs(times / 3000 - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / 3000)


def test_bands_are_of_about_one_size_and_nobody_judged_is_one():
    found = bands(np.concatenate([np.arange(100.0), [np.nan] * 3]))
    assert np.bincount(found).tolist() == [20, 20, 20, 20, 20, 3]
    assert bands(np.full(4, np.nan)).tolist() == [0, 0, 0, 0]
    assert bands(np.array([1.0, 1.0])).tolist() == [0, 0]


def test_calibration_is_ridge_logistic_regression():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(5)
    answered = np.full(300, 5)
    shares = rng.integers(0, 6, 300) / 5
    rows = np.arange(80)
    y = (rng.random(80) < 0.2 + 0.5 * shares[:80]).astype(float)
    x = np.log((5 * shares + 0.5) / (5 - 5 * shares + 0.5))
    table = np.column_stack([np.ones(300), x])
    peer = linear.LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10).fit(table[:80], y)
    expected = peer.predict_proba(table)[:, 1]
    np.testing.assert_allclose(calibrated(shares, answered, rows, y), expected, atol=1e-4)


def test_nobody_judged_counts_as_a_half():
    shares, answered = np.array([np.nan, 0.5] * 30), np.array([0, 3] * 30)
    found = calibrated(shares, answered, np.arange(1, 60, 2), np.tile([1.0, 0, 1], 10))
    assert found[0] == pytest.approx(found[1])


def test_the_gain_is_that_of_the_variance():
    """Simulated with independent draws, whose variance the formula is exact for."""
    rng = np.random.default_rng(6)
    p = rng.beta(0.3, 0.3, 200)
    chances = doubt_chances(p, 40)
    assert chances.sum() == pytest.approx(40)
    assert chances.min() >= 0.5 * 40 / 200 - 1e-12
    residuals = np.where(rng.random((3000, 200)) < p, 1.0, 0.0) - p

    def variance(pi):
        return ((rng.random((3000, 200)) < pi) / pi * residuals - residuals).sum(axis=1).var()

    simulated = 1 - variance(chances) / variance(np.full(200, 0.2))
    assert simulated == pytest.approx(gain_of(p, chances), abs=0.06)
    assert gain_of(p, np.full(200, 0.2)) == pytest.approx(0)
    assert gain_of(p, np.ones(200)) == 0
