from fractions import Fraction
from itertools import product

import pytest

from algeval.budgets.kernel import by_squaring, certified_law, exact_law


def listed(a, b, n):
    """Return the law by listing every outcome."""
    chance = {1: a, 0: 1 - a - b, -1: b}
    found = {1: 0, 0: 0, -1: 0}
    for outcome in product(chance, repeat=n):
        weight = 1
        for sign in outcome:
            weight *= chance[sign]
        found[(sum(outcome) > 0) - (sum(outcome) < 0)] += weight
    return found[1], found[0], found[-1]


@pytest.mark.parametrize("n", range(1, 8))
def test_the_exact_law_is_that_of_all_outcomes(n):
    a, b = Fraction(2, 7), Fraction(1, 5)
    assert exact_law(a, b, n) == listed(a, b, n)


def test_balls_hold_the_exact_law_of_the_floats():
    a, b = 0.3, 0.2
    exact = exact_law(Fraction(a), Fraction(b), 40)
    for ball, true in zip(certified_law(a, b, 40), exact, strict=True):
        assert float(ball.mid()) == pytest.approx(float(true), rel=1e-15)


def test_squaring_agrees_where_nothing_is_small():
    for mine, true in zip(by_squaring(0.3, 0.28, 77), certified_law(0.3, 0.28, 77), strict=True):
        assert mine == pytest.approx(float(true.mid()), rel=1e-12)
