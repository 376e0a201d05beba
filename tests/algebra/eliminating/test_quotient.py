"""Numbers modulo an ideal of two points, on ideals whose points are known beforehand."""

from itertools import product

import pytest
import sympy

import algeval as ae
from algeval.algebra import groebner_basis
from algeval.algebra.eliminating import TwoPoints, has_two_points, whole

CELLS = ["".join(cell) for cell in product("AB", repeat=3)]
X, T = sympy.symbols("x t")


def basis(flat):
    counts = {cell: n for cell, n in zip(CELLS, flat, strict=True) if n}
    sketch = ae.Sketch.from_counts(counts, judges=["i", "j", "k"], labels=["A", "B"])
    return groebner_basis("numeric", sketch=sketch, engine="sympy", time_limit=None)


@pytest.mark.parametrize(
    ("flat", "two"),
    [
        ((1, 1, 1, 1, 1, 1, 1, 9), True),
        ((0, 1, 1, 1, 1, 3, 0, 1), True),
        ((0, 0, 0, 1, 1, 3, 1, 2), False),
        ((0, 0, 0, 0, 0, 1, 1, 6), False),
        ((1, 1, 1, 1, 1, 1, 1, 1), False),
    ],
)
def test_two_points_or_not(flat, two):
    assert has_two_points(basis(flat)) is two


def test_every_polynomial_is_a_line_in_one_unknown():
    """The two points of this exam: (0, 1), (0, 1), (0, 1) or (1/2, 1/2) thrice, prevalence 1/2."""
    found = TwoPoints(basis((1, 1, 1, 1, 1, 1, 1, 9)))
    unknowns = found.basis.unknowns
    points = [[sympy.Rational(1, 2), 1] * 3, [0, sympy.Rational(1, 2)] * 3]
    points = [dict(zip(unknowns, [*point, sympy.Rational(1, 2)], strict=True)) for point in points]
    tried = unknowns[0] ** 3 * unknowns[3] - 7 * unknowns[4] * unknowns[6] ** 2 + 2
    alpha, beta = found.coordinates(tried)
    for point in points:
        assert alpha + beta * point[found.free] == tried.subs(point)


def test_a_rung_is_the_basis_element_of_its_unknown():
    found = TwoPoints(basis((0, 1, 1, 1, 1, 3, 0, 1)))
    first = found.basis.unknowns[0]
    assert found.rung(first) == (-9, 8, 5)
    assert found.quadratic() == (128, -128, 7)
    assert found.alone(first) == 2 * first**2 - 4 * first + 1


def test_factors_without_unknowns_go_and_the_lead_is_positive():
    assert whole(-T * (2 * X**2 - 4 * X * T) / 6, [X]) == X**2 - 2 * T * X
    assert whole(sympy.Rational(1, 2) - X / 3, [X]) == 2 * X - 3
    assert whole((1 - T) * X + (T**2 - 1), [X]) == X - T - 1
