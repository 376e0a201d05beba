"""Arithmetic modulo one large prime: values of expressions, null spaces, and the fractions they stand for.

Relations among statistics are linear dependences among monomials of their values at random points. A
wrong prime or unlucky points can only show a dependence that is none, and those are proved before they
are believed, or hide none: a true dependence holds modulo every prime that divides no denominator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from flint import nmod_mat
from numpy.typing import NDArray

__all__ = ["PRIME", "Dependences", "dependences", "fraction_of", "monomials", "value_at"]

Expr = Any  # sympy.Expr; SymPy is untyped
Residues = NDArray[Any]
"""Python integers modulo `PRIME`."""
Monomial = tuple[int, ...]

PRIME = 2**61 - 1


def value_at(expression: Expr, value: Callable[[Expr], Residues]) -> Residues:
    """Return a rational expression at many points, given the values of its symbols there.

    Raises
    ------
    ZeroDivisionError
        If a denominator is zero at one of the points.
    """
    if expression.is_Symbol:
        return value(expression)
    if expression.is_Rational:
        number = int(expression.p) * pow(int(expression.q), -1, PRIME) % PRIME
        return np.array(number, object)
    if expression.is_Pow:
        return _power(value_at(expression.base, value), int(expression.exp))
    result, *rest = (value_at(part, value) for part in expression.args)
    for part in rest:
        result = (result + part if expression.is_Add else result * part) % PRIME
    return result


def _power(base: Residues, exponent: int) -> Residues:
    if exponent < 0 and not np.all(base):
        raise ZeroDivisionError("a denominator is zero")
    result: Residues = np.frompyfunc(lambda x: pow(x, exponent, PRIME), 1, 1)(base)
    return np.asarray(result, object)


def monomials(n: int, degree: int) -> list[Monomial]:
    """Return the exponents of all monomials in n variables up to a degree, by degree.

    Examples
    --------
    >>> monomials(2, 2)
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    """
    return [
        tuple(chosen.count(k) for k in range(n))
        for size in range(degree + 1)
        for chosen in combinations_with_replacement(range(n), size)
    ]


class Dependences(NamedTuple):
    """Polynomials that vanish at all points, each with one monomial that only it has, its leader.

    Attributes
    ----------
    monomials : list of exponents
        By degree.
    leaders : list of int
        Places of the leaders; every other monomial of a dependence stands before its leader.
    pivots : list of int
        Places of the others.
    table : list of rows
        Per dependence, the coefficients of the pivots; that of the leader is 1.
    """

    monomials: list[Monomial]
    leaders: list[int]
    pivots: list[int]
    table: list[list[int]]

    def polynomial(self, row: int) -> dict[Monomial, int]:
        """Return one dependence, residues by monomial."""
        found = zip(self.pivots, self.table[row], strict=True)
        lower = {self.monomials[place]: value for place, value in found if value}
        return lower | {self.monomials[self.leaders[row]]: 1}

    def beyond(self, known: Sequence[dict[Monomial, int]]) -> list[int]:
        """Return the rows that complete the span of known polynomials to all dependences."""
        place = {self.monomials[k]: column for column, k in enumerate(self.leaders)}
        width = len(self.leaders)
        rows = [[0] * width for _ in known]
        for row, polynomial in zip(rows, known, strict=True):
            for monomial, value in polynomial.items():
                if monomial in place:  # the largest first, so that small ones are left over
                    row[width - 1 - place[monomial]] = value % PRIME
        taken = {width - 1 - column for column in _reduced(rows)[1]} if known and width else set()
        return [row for row in range(width) if row not in taken]


def dependences(values: Residues, found: list[Monomial]) -> Dependences:
    """Return the linear dependences of monomials of (points, n) values."""
    columns: dict[Monomial, Residues] = {}
    for monomial in found:
        k = next((k for k, power in enumerate(monomial) if power), None)
        if k is None:
            columns[monomial] = np.full(len(values), 1, object)
        else:
            lower = (*monomial[:k], monomial[k] - 1, *monomial[k + 1 :])
            columns[monomial] = columns[lower] * values[:, k] % PRIME
    reduced, pivots = _reduced(np.stack([columns[m] for m in found], axis=1).tolist())
    leaders = [place for place in range(len(found)) if place not in set(pivots)]
    table = [[-int(reduced[k, leader]) % PRIME for k in range(len(pivots))] for leader in leaders]
    return Dependences(found, leaders, pivots, table)


def _reduced(rows: list[list[int]]) -> tuple[Any, list[int]]:
    """Return the reduced row echelon form, and the columns of its pivots."""
    matrix, rank = nmod_mat(rows, PRIME).rref()
    pivots: list[int] = []
    width = len(rows[0])
    for k in range(rank):
        start = pivots[-1] + 1 if pivots else 0
        pivots.append(next(j for j in range(start, width) if int(matrix[k, j])))
    return matrix, pivots


def fraction_of(residue: int) -> Fraction | None:
    """Return the fraction of smallest size with this residue; None if all are too large to trust.

    Examples
    --------
    >>> fraction_of(2 * pow(3, -1, PRIME) % PRIME)
    Fraction(2, 3)
    """
    bound = math.isqrt(PRIME // 2)
    before, now = (PRIME, 0), (residue % PRIME, 1)
    while now[0] > bound:
        times = before[0] // now[0]
        before, now = now, (before[0] - times * now[0], before[1] - times * now[1])
    return Fraction(*now) if 0 < abs(now[1]) <= bound else None
