"""Neighbours among fractions of bounded denominator, against sorted lists of all of them."""

from fractions import Fraction

import pytest

from algeval.logic.proof import farey_floor, next_fraction, previous_fraction

F = Fraction


def test_worked_neighbours():
    assert next_fraction(F(5, 8), 25) == F(12, 19)
    assert previous_fraction(F(12, 19), 25) == F(5, 8)
    assert next_fraction(F(0), 7) == F(1, 7)
    assert next_fraction(F(1), 7) == F(8, 7)
    assert farey_floor(F(16, 25), 10) == F(5, 8)


@pytest.mark.parametrize("largest", range(1, 10))
def test_against_every_fraction(largest):
    every = sorted({F(p, q) for q in range(1, largest + 1) for p in range(-q, 2 * q + 1)})
    asked = {F(p, q) for q in range(1, 14) for p in range(q + 1)}
    for x in asked:
        assert next_fraction(x, largest) == min(y for y in every if y > x)
        assert previous_fraction(x, largest) == max(y for y in every if y < x)
        assert farey_floor(x, largest) == max(y for y in every if y <= x)


def test_large_denominators():
    largest, x = 10**15, F(10**15 - 1, 10**15)
    assert next_fraction(x, largest) == 1
    after = next_fraction(F(1, 3), largest)
    assert after > F(1, 3)
    assert after - F(1, 3) == F(1, 3 * after.denominator)
    assert after.denominator > largest - 3
