"""Wilson's interval: the set of shares that a score test does not reject."""

import numpy as np
import pytest
from scipy.stats import binomtest

from algeval.rates.intervals.wilson import normal_quantile, wilson


@pytest.mark.parametrize(
    ("passes", "n"), [(0, 5), (5, 5), (1, 3), (14, 20), (70, 100), (999, 1000)]
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_as_scipy_computes_it(passes, n, level):
    theirs = binomtest(passes, n).proportion_ci(level, method="wilson")
    np.testing.assert_allclose(wilson(passes, n, level), (theirs.low, theirs.high), atol=1e-12)


def test_ends_solve_the_score_equation():
    z = normal_quantile(0.95)
    for end in wilson(3.3, 11.7):
        assert (3.3 / 11.7 - end) ** 2 == pytest.approx(z * z * end * (1 - end) / 11.7)


def test_another_quantile_widens():
    low, high = wilson(14, 20, z=2.1)
    assert low < wilson(14, 20)[0]
    assert high > wilson(14, 20)[1]
