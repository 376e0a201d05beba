from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.budgets import majority_accuracy, majority_gain
from algeval.errors import DataError


def listed(q, m):
    """Return the chance of a right majority by every vector of labels, half of it where they tie."""
    total = Fraction(0)
    for votes in product((0, 1), repeat=m):
        right = sum(votes)
        share = Fraction(1, 2) if 2 * right == m else Fraction(2 * right > m)
        total += share * q**right * (1 - q) ** (m - right)
    return total


@pytest.mark.parametrize("m", range(1, 9))
def test_a_majority_is_that_of_all_vectors(m):
    q = Fraction(7, 10)
    assert majority_accuracy(q, m) == listed(q, m)
    assert majority_accuracy(0.7, m) == pytest.approx(float(listed(q, m)), rel=1e-14)


def test_more_labels_are_better_and_an_even_one_adds_nothing():
    """Condorcet: above one half the majority grows to 1, below it falls to 0."""
    q = np.linspace(0.51, 0.99, 25)
    rising = [majority_accuracy(q, m) for m in range(1, 200, 2)]
    assert (np.diff(rising, axis=0) >= -1e-15).all()
    assert (np.diff([majority_accuracy(1 - q, m) for m in range(1, 200, 2)], axis=0) <= 1e-15).all()
    assert majority_accuracy(0.6, 10_001) == pytest.approx(1, abs=1e-15)
    assert majority_accuracy(0.6, 6) == majority_accuracy(0.6, 5)


@pytest.mark.parametrize("m", [1, 3, 5, 11])
def test_the_gain_falls_with_accuracy(m):
    q = np.linspace(0.5, 1, 101)
    assert (np.diff(majority_gain(q, m)) <= 0).all()
    assert majority_gain(1, m) == 1


@pytest.mark.parametrize(("q", "m"), [(1.1, 3), (-0.1, 3), (0.5, 0), (0.5, 1.5), (float("nan"), 1)])
def test_bad_input(q, m):
    with pytest.raises(DataError):
        majority_accuracy(q, m)
