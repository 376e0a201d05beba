"""The set of rates that error rates from elsewhere do not reject, against every rate of a grid."""

import numpy as np
import pytest

from algeval.rates.intervals import Elsewhere, transfer


def on_a_grid(for_it, n, e):
    """The rates of a fine grid that the test does not reject, with the sides multiplied out anew."""
    se, sp, seen = e.sensitivity, e.specificity, (for_it + 0.5) / (n + 1)
    t = np.linspace(0, 1, 20001)
    gap = seen - t * se - (1 - t) * (1 - sp)
    spread = seen * (1 - seen) / n + t**2 * se * (1 - se) / e.passes
    spread += (1 - t) ** 2 * sp * (1 - sp) / e.others
    return t[np.abs(gap) <= 1.959963984540054 * np.sqrt(spread)]


@pytest.mark.parametrize(
    ("for_it", "n", "e"),
    [
        (620, 1000, Elsewhere(100, 90, 100, 80)),
        (30, 50, Elsewhere(9, 8, 11, 7)),
        (500, 1000, Elsewhere(400, 150, 400, 150)),
        (950, 1000, Elsewhere(30, 29, 8, 6)),
        (500, 1000, Elsewhere(20, 11, 20, 11)),
    ],
)
def test_ends_are_the_farthest_rates_kept(for_it, n, e):
    kept, found = on_a_grid(for_it, n, e), transfer(for_it, n, e)
    assert (found.low, found.high) == pytest.approx((kept.min(), kept.max()), abs=1e-4)


def test_a_judge_who_guesses_says_nothing():
    found = transfer(500, 1000, Elsewhere(20, 10, 20, 10))
    assert (found.low, found.high) == (0.0, 1.0)


def test_verdicts_that_these_error_rates_do_not_make_leave_no_rate():
    assert transfer(10, 1000, Elsewhere(500, 450, 500, 300)) is None
    assert not len(on_a_grid(10, 1000, Elsewhere(500, 450, 500, 300)))


def test_the_true_rate_is_kept_in_nineteen_of_twenty():
    rng = np.random.default_rng(5)
    kept = 0
    for _ in range(600):
        passes = rng.binomial(60, 0.5)
        e = Elsewhere(
            passes, rng.binomial(passes, 0.85), 60 - passes, rng.binomial(60 - passes, 0.7)
        )
        found = transfer(rng.binomial(800, 0.7 * 0.85 + 0.3 * 0.3), 800, e)
        kept += found is not None and found.low <= 0.7 <= found.high
    assert 0.93 <= kept / 600 <= 0.99
