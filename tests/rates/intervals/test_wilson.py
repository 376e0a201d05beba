"""Wilson's interval: the set of shares that a score test does not reject; and exact ends."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest, hypergeom

from algeval.rates.intervals import exact_ends, normal_quantile, wilson


@pytest.mark.parametrize(
    ("passes", "n"), [(0, 5), (5, 5), (1, 3), (14, 20), (70, 100), (999, 1000)]
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_as_scipy_computes_it(passes, n, level):
    theirs = binomtest(passes, n).proportion_ci(level, method="wilson")
    np.testing.assert_allclose(wilson(passes, n, level), (theirs.low, theirs.high), atol=1e-12)


def test_a_share_worked_out_by_others():
    assert wilson(17, 20) == pytest.approx((0.639581, 0.947631), abs=5e-7)


def test_ends_solve_the_score_equation():
    z = normal_quantile(0.95)
    for end in wilson(3.3, 11.7):
        assert (3.3 / 11.7 - end) ** 2 == pytest.approx(z * z * end * (1 - end) / 11.7)


def test_another_quantile_widens():
    low, high = wilson(14, 20, z=2.1)
    assert low < wilson(14, 20)[0]
    assert high > wilson(14, 20)[1]


@pytest.mark.parametrize(("passes", "n"), [(0, 5), (5, 5), (1, 3), (14, 20), (999, 1000)])
def test_exact_ends_of_a_population_are_those_of_scipy(passes, n):
    theirs = binomtest(passes, n).proportion_ci(0.95, method="exact")
    np.testing.assert_allclose(exact_ends(passes, n), (theirs.low, theirs.high), atol=1e-12)


@pytest.mark.parametrize("n_items", [12, 40])
@pytest.mark.parametrize("n", [5, 10, 12])
def test_exact_ends_of_items_by_brute_force(n, n_items):
    for k in range(n + 1):
        possible = np.arange(k, k + n_items - n + 1)
        kept = (hypergeom.cdf(k, n_items, possible, n) > 0.025) & (
            hypergeom.sf(k - 1, n_items, possible, n) > 0.025
        )
        low, high = possible[kept][[0, -1]] / n_items
        assert exact_ends(k, n, n_items=n_items) == pytest.approx((low, high))


RARE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05]


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100, 200])
def test_labels_alone_miss_on_no_side_more_than_meant_at_any_rare_rate(n):
    """By enumeration: what Wilson's ends miss in up to a tenth of draws, exact ones in a fortieth at most."""
    counts = np.arange(n + 1)
    found = np.array([exact_ends(k, n) for k in range(n + 1)])
    of_items = np.array([exact_ends(k, n, n_items=1000) for k in range(n + 1)])
    plain = np.array([wilson(k, n) for k in range(n + 1)])
    worst = 0.0
    for rate in RARE + [1 - rate for rate in RARE]:
        chances = binom.pmf(counts, n, rate)
        drawn = hypergeom.pmf(counts, 1000, round(1000 * rate), n)
        for ends, weights in ((found, chances), (of_items, drawn)):
            assert weights[ends[:, 0] > rate + 1e-9].sum() <= 0.025
            assert weights[ends[:, 1] < rate - 1e-9].sum() <= 0.025
        worst = max(worst, chances[plain[:, 0] > rate].sum())
    assert worst > 0.07
