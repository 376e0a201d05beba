from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from algeval_papers.conjecture import (
    bernstein,
    bernstein_of_two,
    error,
    returning,
    s,
    tie,
    vanishes,
    wins,
    x,
)


def test_the_bernstein_coefficients_of_p_3_less_p_6():
    found = bernstein(
        returning(3, s, 1 - s) - returning(6, s, 1 - s), s, Fraction(1, 2), Fraction(4, 5)
    )
    told = "89/1024 103/1280 1217/16000 571/8000 79/1250 613/12500 284/15625"
    assert found == [Fraction(part) for part in told.split()]


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
    assert min(bernstein_of_two(s - x)) < 0


@pytest.mark.parametrize("k", range(7))
def test_errors_and_ties_of_votes_by_listing(k):
    theta = sp.Rational(7, 10)
    lost = half = sp.Integer(0)
    for votes in product((0, 1), repeat=k):
        right = sum(votes)
        weight = theta**right * (1 - theta) ** (k - right)
        lost += weight * int(2 * right < k)
        half += weight * int(2 * right == k)
    assert tie(k, theta) == half
    assert error(k, theta) == lost + half / 2


@pytest.mark.parametrize("n", [1, 2, 3])
def test_wins_by_listing_what_each_item_says(n):
    often, theta = sp.Rational(1, 3), sp.Rational(3, 5)
    chances = {1: often * theta, -1: often * (1 - theta), 0: 1 - often}
    expected = sum(
        sp.prod([chances[g] for g in said]) for said in product(chances, repeat=n) if sum(said) > 0
    )
    assert wins(theta, n).subs(s, often) == expected


def test_what_does_not_vanish_is_told():
    assert vanishes((s + x) ** 2 - s**2 - 2 * s * x - x**2)
    assert not vanishes((s + x) ** 2 - s**2 - x**2)
