"""Chances of a win against convolution by squaring; ratios, so that slow machines pass too."""

import time

import numpy as np
import pytest

from algeval.budgets import majority_accuracy, win_probability
from algeval.budgets.kernel import by_squaring

pytestmark = pytest.mark.benchmark


def seconds(call, times):
    """Return the least time of the processor, so that what else it does in between is not counted."""
    best = np.inf
    for _ in range(times):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def test_a_value_at_a_thousand_items_against_convolution_by_squaring():
    rng = np.random.default_rng(0)
    a = rng.uniform(0.05, 0.45, 10_000)
    b = a * rng.uniform(0.5, 1, 10_000)
    ours = seconds(lambda: win_probability(a, b, 1001), 300) / a.size
    one = seconds(lambda: win_probability(0.3, 0.28, 1001), 20)
    theirs = seconds(lambda: by_squaring(0.3, 0.28, 1001), 100)
    print(
        f"\nn = 1,001: {1e6 * ours:.1f} us a value vectorised, {1e6 * one:.0f} us alone, convolution "
        f"{1e3 * theirs:.2f} ms; x{theirs / ours:.0f} and x{theirs / one:.0f}"
    )
    assert by_squaring(0.3, 0.28, 1001).win == pytest.approx(
        win_probability(0.3, 0.28, 1001), rel=1e-12
    )
    assert theirs > 300 * ours


def test_a_million_comparisons_take_less_than_a_minute():
    rng = np.random.default_rng(1)
    n_points = 10**6
    better = rng.uniform(0.05, 0.4, n_points)
    worse = better * rng.uniform(0, 1, n_points)
    q, n = rng.uniform(0.51, 1, n_points), rng.integers(1, 1002, n_points)
    voted = majority_accuracy(q, 3)
    start = time.perf_counter()
    one = win_probability(better * q + worse * (1 - q), better * (1 - q) + worse * q, 3 * n)
    several = win_probability(
        better * voted + worse * (1 - voted), better * (1 - voted) + worse * voted, n
    )
    spent = time.perf_counter() - start
    print(f"\n10^6 comparisons: {spent:.1f} s on one core")
    assert (one - several > -1e-12).all()
    assert spent < 60
