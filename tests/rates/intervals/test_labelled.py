"""Balance and explained variance against NumPy, and how often their ranges hold."""

import numpy as np
import pytest

from algeval.rates.intervals import explained, explained_range, looks_balance


def test_explained_is_the_squared_correlation():
    rng = np.random.default_rng(0)
    y, f = (rng.random(50) < 0.6) * 1.0, rng.random(50)
    assert explained(y, f) == pytest.approx(np.corrcoef(y, f)[0, 1] ** 2)
    assert explained(np.ones(9), f[:9]) is explained(y[:9], np.ones(9)) is None
    assert explained_range(np.ones(9), f[:9]) is None


def test_the_range_of_the_fixture():
    """0 of 25 and 67 of 75: rho^2 .68 and, over resamples, .51 to .86."""
    y, f = np.repeat([0.0, 1, 0], [25, 67, 8]), np.repeat([0.0, 1.0], [25, 75])
    assert explained(y, f) == pytest.approx(0.68, abs=0.005)
    assert explained_range(y, f) == pytest.approx((0.51, 0.86), abs=0.02)


def test_the_range_holds_the_truth_mostly():
    rng = np.random.default_rng(1)
    held = 0
    for k in range(200):
        y = (rng.random(120) < 0.5) * 1.0
        f = np.where(rng.random(120) < 0.6, y, (rng.random(120) < 0.5) * 1.0)
        low, high = explained_range(y, f, random=k)
        held += low <= 0.36 <= high
    assert 0.9 <= held / 200 <= 0.99


def balance(every, rows):
    return looks_balance(every[:, None], np.asarray(rows))


def test_balance_is_a_standard_normal_where_labels_are_drawn_at_random():
    rng = np.random.default_rng(2)
    every = (rng.random(400) < 0.7) * 1.0
    found = [balance(every, rng.choice(400, 100, replace=False)) for _ in range(2000)]
    assert np.mean(found) == pytest.approx(0, abs=0.08)
    assert np.std(found) == pytest.approx(1, abs=0.06)


def test_balance_sees_the_items_with_the_most_votes():
    every = np.linspace(0, 1, 300)
    assert balance(every, np.arange(240, 300)) > 3
    assert balance(every, np.arange(60)) < -3
    assert balance(every, np.arange(300)) == balance(np.ones(90), np.arange(9)) == 0
