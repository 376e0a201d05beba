"""Votes and walks as polynomials, and the sign of a polynomial on an interval.

theta is `x`: each of k votes is right with that chance. sigma is `s`: a walk steps with that chance, half of
it either way, and stays with the rest; in chances of a win it is how often the classifiers disagree. `u` is
theta (1 - theta).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import sympy as sp

__all__ = ["bernstein", "bernstein_of_two", "error", "gain", "returning", "tie", "vanishes", "wins"]

Expr = Any  # sympy.Expr; SymPy is untyped

x, s, u = sp.symbols("x sigma u")


def vanishes(expression: Expr) -> bool:
    """Whether a polynomial is zero once it is multiplied out.

    Examples
    --------
    >>> vanishes((x + 1) ** 2 - x**2 - 2 * x - 1)
    True
    """
    return bool(sp.expand(expression) == 0)


@cache
def tie(k: int, theta: Expr) -> Expr:
    """Return the chance that half of k votes are right."""
    return sp.Integer(0) if k % 2 else comb(k, k // 2) * (theta * (1 - theta)) ** (k // 2)


@cache
def error(k: int, theta: Expr) -> Expr:
    """Return the chance that fewer than half of k votes are right, and half that of a tie."""
    lost = sum(comb(k, j) * theta**j * (1 - theta) ** (k - j) for j in range((k + 1) // 2))
    return lost + tie(k, theta) / 2


def gain(m: int) -> Expr:
    """Return w, the sum of C(2j, j) u^j up to j = (m - 1)/2.

    Examples
    --------
    >>> gain(5)
    6*u**2 + 2*u + 1
    """
    return sum(comb(2 * j, j) * u**j for j in range((m + 1) // 2))


def wins(theta: Expr, n: int) -> Expr:
    """Return the chance that the sum of n is positive, of which each counts with chance s."""
    ways = (
        comb(n, k) * s**k * (1 - s) ** (n - k) * (1 - error(k, theta) - tie(k, theta) / 2)
        for k in range(n + 1)
    )
    return sum(ways)


def returning(n: int, step: Expr, stay: Expr) -> Expr:
    """Return P(n), the chance that the walk is back at 0 after n steps.

    Examples
    --------
    >>> returning(2, s, 1 - s)
    sigma**2/2 + (1 - sigma)**2
    """
    return sum(
        comb(n, 2 * j) * sp.Rational(comb(2 * j, j), 4**j) * stay ** (n - 2 * j) * step ** (2 * j)
        for j in range(n // 2 + 1)
    )


def bernstein(polynomial: Expr, symbol: Expr, low: Fraction, high: Fraction) -> list[Fraction]:
    """Return the Bernstein coefficients on an interval, between which the polynomial lies there.

    Examples
    --------
    >>> bernstein(s**2, s, Fraction(0), Fraction(1))
    [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)]
    """
    moved = sp.Poly(sp.expand(polynomial.subs(symbol, low + (high - low) * symbol)), symbol)
    powers = [Fraction(int(c.p), int(c.q)) for c in reversed(moved.all_coeffs())]
    degree = len(powers) - 1
    return [
        sum((Fraction(comb(k, i), comb(degree, i)) * powers[i] for i in range(k + 1)), Fraction(0))
        for k in range(degree + 1)
    ]


def bernstein_of_two(polynomial: Expr) -> list[Fraction]:
    """Return those of a polynomial in s and x on [0, 3/4] x [1/2, 1], in one list.

    Examples
    --------
    >>> bernstein_of_two(s * (x - sp.Rational(1, 2)))
    [Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(3, 8)]
    """
    moved = {s: sp.Rational(3, 4) * s, x: (1 + x) / 2}
    table = sp.Poly(sp.expand(polynomial.subs(moved, simultaneous=True)), s, x)
    tall, wide = table.degree(s), table.degree(x)
    terms = {powers: Fraction(int(c.p), int(c.q)) for powers, c in table.terms()}

    def value(k: int, j: int) -> Fraction:
        below = ((p, r, c) for (p, r), c in terms.items() if p <= k and r <= j)
        shares = (
            c * Fraction(comb(k, p) * comb(j, r), comb(tall, p) * comb(wide, r))
            for p, r, c in below
        )
        return sum(shares, Fraction(0))

    return [value(k, j) for k in range(tall + 1) for j in range(wide + 1)]
