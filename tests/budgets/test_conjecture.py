from fractions import Fraction

import pytest
import sympy as sp

from algeval.budgets.conjecture import bernstein, lemmas, returning, s


def test_every_statement_is_proved():
    found = list(lemmas())
    assert [lemma.name for lemma in found if not lemma.holds] == []
    assert sum(lemma.complete for lemma in found) == 5


def test_the_bernstein_coefficients_of_p_3_less_p_6():
    found = bernstein(
        returning(3, s, 1 - s) - returning(6, s, 1 - s), s, Fraction(1, 2), Fraction(4, 5)
    )
    told = "89/1024 103/1280 1217/16000 571/8000 79/1250 613/12500 284/15625"
    assert found == [Fraction(part) for part in told.split()]


def test_p_3_and_p_6_cross_beyond_four_fifths_only():
    gap = sp.Poly(returning(3, s, 1 - s) - returning(6, s, 1 - s), s)
    roots = [float(root) for root in gap.nroots() if sp.im(root) == 0 and 0 < root < 1]
    assert roots == [pytest.approx(0.8261, abs=5e-5)]


@pytest.mark.parametrize("n", range(1, 8))
def test_return_probabilities_by_stepping(n):
    law, step = {0: Fraction(1)}, Fraction(3, 5)
    for _ in range(n):
        new = {}
        for place, weight in law.items():
            for move, share in ((0, 1 - step), (1, step / 2), (-1, step / 2)):
                new[place + move] = new.get(place + move, 0) + weight * share
        law = new
    assert Fraction(str(returning(n, sp.Rational(3, 5), sp.Rational(2, 5)))) == law[0]


def test_a_polynomial_that_falls_below_zero_has_a_negative_coefficient():
    assert min(bernstein(s - Fraction(1, 10), s, Fraction(0), Fraction(1))) < 0
