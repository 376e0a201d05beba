"""Residues: fractions come back, values agree with fractions, and null spaces are those of linear algebra."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from algeval.algebra.polynomial_relations import (
    PRIME,
    dependences,
    fraction_of,
    monomials,
    value_at,
)

SMALL = st.fractions(min_value=-30_000, max_value=30_000, max_denominator=30_000)


def residue(number):
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME


@given(SMALL)
def test_a_small_fraction_comes_back_from_its_residue(number):
    assert fraction_of(residue(number)) == number


def test_a_residue_of_no_small_fraction_is_left_alone():
    told = [fraction_of(residue(F(10**17 + k, 10**16 + 7 * k))) for k in range(1, 40)]
    assert all(one is None or one != F(10**17 + k, 10**16 + 7 * k) for k, one in enumerate(told, 1))


@given(st.lists(SMALL, min_size=3, max_size=3))
def test_an_expression_has_the_value_that_fractions_give(numbers):
    x, y, z = symbols = sympy.symbols("x y z")
    expression = (x**3 - y / 7) * z**2 / (x**2 + 1) + sympy.Rational(2, 3) * (x - y) ** 5
    found = value_at(expression, lambda s: np.array([residue(numbers[symbols.index(s)])], object))
    a, b, c = numbers
    assert found[0] == residue((a**3 - b / 7) * c**2 / (a**2 + 1) + F(2, 3) * (a - b) ** 5)


def test_a_zero_denominator_is_an_error():
    x = sympy.Symbol("x")
    with pytest.raises(ZeroDivisionError):
        value_at(1 / x, lambda _: np.array([3, 0], object))


@pytest.mark.parametrize(("n", "degree"), [(1, 4), (2, 3), (3, 2), (4, 1)])
def test_monomials_are_all_up_to_the_degree_and_in_order(n, degree):
    found = monomials(n, degree)
    assert sorted(found) == sorted(
        p for p in product(range(degree + 1), repeat=n) if sum(p) <= degree
    )
    assert [sum(m) for m in found] == sorted(sum(m) for m in found)


def test_dependences_span_the_null_space():
    """Of points on x y = z and x + y = 2: as many as the rank leaves, and each vanishes."""
    x = np.array([residue(F(k, 3)) for k in range(2, 40)], object)
    y = (2 - x) % PRIME
    points = np.stack([x, y, x * y % PRIME], axis=1)
    names = monomials(3, 2)
    found = dependences(points, names)
    numbers = [[F(k, 3), 2 - F(k, 3), F(k, 3) * (2 - F(k, 3))] for k in range(2, 40)]
    table = sympy.Matrix(
        [
            [
                sympy.Rational(str(np.prod([v**p for v, p in zip(row, m, strict=True)])))
                for m in names
            ]
            for row in numbers
        ]
    )
    assert len(found.leaders) == len(names) - table.rank()
    for row in range(len(found.leaders)):
        polynomial = {m: fraction_of(c) for m, c in found.polynomial(row).items()}
        for values in numbers:
            terms = (
                c * np.prod([v**p for v, p in zip(values, m, strict=True)])
                for m, c in polynomial.items()
            )
            assert sum(terms) == 0


def test_what_multiples_span_is_not_new():
    x = np.array([residue(F(k, 5)) for k in range(1, 30)], object)
    points = np.stack([x, x], axis=1)
    linear = dependences(points, monomials(2, 1))
    assert len(linear.leaders) == 1
    line = linear.polynomial(0)
    times = [{(a + i, b + j): c for (a, b), c in line.items()} for i, j in ((0, 0), (1, 0), (0, 1))]
    quadratic = dependences(points, monomials(2, 2))
    assert len(quadratic.leaders) == 3
    assert quadratic.beyond(times) == []
    assert len(quadratic.beyond(times[:2])) == 1
    assert len(quadratic.beyond([])) == 3
