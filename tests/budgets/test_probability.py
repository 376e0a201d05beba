import re
from fractions import Fraction

import numpy as np
import pytest

from algeval.budgets import error_rate, outcomes, smallest_n, win_probability
from algeval.budgets.kernel import exact_law
from algeval.errors import DataError


def test_arrays_broadcast_and_numbers_stay_numbers():
    found = win_probability([[0.3], [0.5]], 0.2, [1, 2, 3])
    assert found.shape == (2, 3)
    assert found[0, 1] == pytest.approx(
        float(exact_law(Fraction(3, 10), Fraction(1, 5), 2).win), rel=1e-14
    )
    assert type(win_probability(0.3, 0.2, 4)) is float
    assert outcomes(0.3, 0.2, 0) == (0, 1, 0)


def test_swapping_the_signs_swaps_wins_and_losses():
    for n in (1, 2, 3, 10, 500):
        assert outcomes(0.3, 0.2, n) == outcomes(0.2, 0.3, n)[::-1]


@pytest.mark.parametrize(("a", "b"), [(1, 0), (0, 1), (0, 0), (0.5, 0.5), (0.25, 0)])
def test_corners(a, b):
    for n in (1, 2, 3, 4, 51):
        exact = exact_law(Fraction(a), Fraction(b), n)
        assert list(outcomes(a, b, n)) == pytest.approx(list(map(float, exact)), rel=1e-13, abs=0)


@pytest.mark.parametrize("target", [0.55, 0.6, 0.75, 0.9, 0.99])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.25), (0.51, 0.49), (0.3, 0.27), (0.04, 0.01)])
def test_the_smallest_n_is_the_first_that_reaches_the_target(a, b, target):
    found = smallest_n(a, b, target)
    tried = win_probability(a, b, np.arange(1, found + 1))
    assert tried[-1] >= target
    assert (tried[:-1] < target).all()


def test_the_rate_bounds_every_error():
    n = np.arange(1, 200)
    law = outcomes(0.3, 0.2, n)
    assert (law.tie + law.loss <= np.exp(-n * error_rate(0.3, 0.2))).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 0, 3), "a must be chances from 0 to 1; got 1.2"),
        ((0.2, -0.1, 3), "b must be chances from 0 to 1"),
        ((0.7, 0.7, 3), "at most 1 together; got up to 1.4"),
        ((0.2, 0.1, 2.5), "n must be whole numbers"),
        ((0.2, 0.1, -1), "n must be whole numbers"),
        ((0.2, float("nan"), 1), "b must be chances"),
        (("x", 0.1, 1), "a must be chances"),
        (([0.1, 0.2], 0.1, [1, 2, 3]), "shapes that broadcast"),
    ],
)
def test_bad_input_is_told_in_a_sentence(arguments, message):
    with pytest.raises(DataError, match=re.escape(message)):
        win_probability(*arguments)


def test_targets_out_of_reach():
    with pytest.raises(DataError, match="a must be above b"):
        smallest_n(0.2, 0.2, 0.9)
    with pytest.raises(DataError, match="target must be between 0 and 1"):
        smallest_n(0.3, 0.2, 1)
