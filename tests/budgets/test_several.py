from fractions import Fraction
from itertools import product

import pytest

from algeval.budgets import best_of_three, not_best_between
from algeval.errors import DataError, TooLargeError


def listed(accuracies, q, n):
    """Return the chance that the first wins alone, by every score of every item."""
    law = {(0, 0): Fraction(1)}
    for _ in range(n):
        new = {}
        for (x, y), weight in law.items():
            for rights in product((0, 1), repeat=3):
                share = Fraction(1)
                for right, p in zip(rights, accuracies, strict=True):
                    share *= p if right else 1 - p
                for label in (0, 1):
                    scored = [right == label for right in rights]  # sides with the test label
                    place = x + scored[0] - scored[1], y + scored[0] - scored[2]
                    part = weight * share * (q if label else 1 - q)
                    new[place] = new.get(place, 0) + part
        law = new
    return sum(weight for (x, y), weight in law.items() if x > 0 and y > 0)


@pytest.mark.parametrize("n", range(1, 7))
def test_three_classifiers_by_listing(n):
    accuracies, q = [Fraction(9, 10), Fraction(4, 5), Fraction(3, 5)], Fraction(4, 5)
    assert best_of_three(accuracies, q, n) == pytest.approx(
        float(listed(accuracies, q, n)), rel=1e-12
    )


@pytest.mark.parametrize("n", [1, 20, 101, 700])
def test_the_bounds_hold(n):
    given = [0.85, 0.8, 0.75], 0.8, n
    low, high = not_best_between(*given)
    assert low - 1e-13 <= 1 - best_of_three(*given) <= high + 1e-13


def test_bad_input():
    with pytest.raises(DataError, match="the first the highest"):
        best_of_three([0.8, 0.9, 0.7], 0.8, 10)
    with pytest.raises(DataError, match="accuracies must be three; got 4"):
        best_of_three([0.9, 0.8, 0.7, 0.6], 0.8, 10)
    with pytest.raises(TooLargeError, match="at most 1500"):
        best_of_three([0.9, 0.8, 0.7], 0.8, 10_000)
