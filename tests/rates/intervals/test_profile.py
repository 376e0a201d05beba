"""The likelihood interval against fixtures worked by hand and a search without its closed form."""

import numpy as np
import pytest
from scipy.special import xlogy

from algeval.rates.intervals import Strata, _rates, profile_interval


def test_the_fixtures():
    both = profile_interval(Strata.of([9, 3], [12, 20], [900, 1100]), target="population")
    assert [round(end, 5) for end in both[:3]] == [0.27474, 0.42, 0.55996]
    edge = profile_interval(Strata.of([12, 0], [12, 20], [900, 1100]), target="population")
    assert [round(end, 5) for end in edge[1:3]] == [0.45, 0.50488]
    z2 = 3.841458820694124
    fall = 0.45 * (1 - np.exp(-z2 / 24))  # the second stratum stays at 0, the first has 12 of 12
    assert edge.low == pytest.approx(0.45 - np.sqrt(fall**2 + z2 * 0.45 * 0.55 / 2000))


def test_a_root_where_the_plain_formula_is_zero_over_zero():
    k, n, p = np.array([0.0]), np.array([20.0]), np.array([0.55])
    found = _rates(k, n, p, -60.0)
    assert found == pytest.approx([1 - 20 / 33])  # mu p x^2 - (mu p + n) x = 0
    assert found == pytest.approx([0.394], abs=1e-3)


@pytest.mark.parametrize(
    ("k", "n", "sizes"),
    [
        ([3, 8, 11], [10, 12, 14], [40, 50, 90]),
        ([0, 12], [20, 12], [100, 100]),
        ([1, 5], [30, 6], [500, 50]),
    ],
)
def test_no_rates_that_fit_as_well_go_beyond_the_ends(k, n, sizes):
    k, n, p = np.array(k, float), np.array(n, float), np.array(sizes) / sum(sizes)
    step = 1 / 120
    grid = np.stack(np.meshgrid(*[np.arange(step / 2, 1, step)] * len(k)), axis=-1)
    fits = (xlogy(k, grid) + xlogy(n - k, 1 - grid)).sum(axis=-1)
    floor = (xlogy(k, k / n) + xlogy(n - k, 1 - k / n)).sum() - 3.841458820694124 / 2
    kept = (grid @ p)[fits >= floor]
    found = profile_interval(Strata.of(k, n, sizes), target="population")
    between = 3.8415 * ((p @ (k / n) ** 2) - (p @ (k / n)) ** 2) / sum(sizes)
    low = found.rate - np.sqrt((found.rate - found.low) ** 2 - between)
    high = found.rate + np.sqrt((found.high - found.rate) ** 2 - between)
    assert low - 1e-6 <= kept.min() <= low + step
    assert high - step <= kept.max() <= high + 1e-6


def test_a_stratum_without_labels_is_left_free():
    found = profile_interval(Strata.of([5, 0], [10, 0], [50, 50]))
    alone = profile_interval(Strata.of([5], [10], [50]), target="population")
    assert found.low < alone.low / 2 + 0.01
    assert found.high > 0.5 + alone.high / 2 - 0.06


def test_all_labelled_has_width_zero():
    found = profile_interval(Strata.of([5, 9], [10, 12], [10, 12]))
    assert found.low == found.high == 14 / 22
