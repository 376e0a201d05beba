"""The steps of the proof that a machine can check, each exactly: ``python -m algeval.budgets.conjecture``.

The theorem of `algeval.budgets.theorem` rests on votes (U_k right ones among k, each right with chance theta)
and on the return probabilities P(N, sigma) of a walk that steps with chance sigma and stays with the rest.
What is a polynomial statement is proved here for the sizes named; the proof for the others is by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, NamedTuple

import sympy as sp

from algeval.budgets.gap import LabelAccuracy, Rivals, gap_chances
from algeval.budgets.kernel.convolution import exact_law

__all__ = ["Lemma", "bernstein", "exact_comparison", "lemmas"]

x, s, z = sp.symbols("x sigma z")
VOTES = 8
"""Pairs of votes up to which the statements on votes are expanded."""


class Lemma(NamedTuple):
    """A statement and whether it was proved.

    Attributes
    ----------
    name, statement : str
    complete : bool
        Whether the proof is whole, and not for the sizes tried only.
    holds : bool
    """

    name: str
    statement: str
    complete: bool
    holds: bool


def lemmas() -> Iterator[Lemma]:
    """Yield every statement with its verdict; some seconds in all.

    Examples
    --------
    >>> first = next(lemmas())
    >>> first.name, first.holds
    ('F1', True)
    """
    for name, statement, complete, check in _STATEMENTS:
        yield Lemma(name, statement, complete, check())


@cache
def _tie(k: int, theta: Any) -> Any:
    return sp.Integer(0) if k % 2 else comb(k, k // 2) * (theta * (1 - theta)) ** (k // 2)


@cache
def _error(k: int, theta: Any) -> Any:
    """Return the chance that fewer than half of k votes are right, and half that of a tie."""
    lost = sum(comb(k, j) * theta**j * (1 - theta) ** (k - j) for j in range((k + 1) // 2))
    return lost + _tie(k, theta) / 2


def _zero(expression: Any) -> bool:
    return bool(sp.expand(expression) == 0)


def _votes_f1() -> bool:
    return all(_zero(_error(2 * j, x) - _error(2 * j - 1, x)) for j in range(1, VOTES + 1))


def _votes_f2() -> bool:
    gain = (2 * x - 1) / 2
    return all(
        _zero(_error(2 * j, x) - _error(2 * j + 1, x) - gain * _tie(2 * j, x))
        for j in range(VOTES + 1)
    )


def _increments() -> bool:
    """Whether g(k) - g(k - 1) is -delta/4 times the tie of the even one of k - 1 and k."""
    quarter = (2 * x - 1) / 4
    g = [_error(k, x) - quarter * _tie(k, x) for k in range(2 * VOTES + 2)]
    steps = [g[k] - g[k - 1] + quarter * _tie(2 * (k // 2), x) for k in range(1, 2 * VOTES + 2)]
    return all(map(_zero, steps))


def _midpoints() -> bool:
    quarter = (2 * x - 1) / 4
    return all(
        _zero(_error(k, x) - quarter * _tie(k, x) - (_error(k - 1, x) + _error(k + 1, x)) / 2)
        for k in range(2, 2 * VOTES, 2)
    )


def _majority_gain() -> bool:
    return all(
        _zero(1 - 2 * _error(m, x) - (2 * x - 1) * sum(_tie(2 * j, x) for j in range((m + 1) // 2)))
        for m in range(1, 20, 2)
    )


def _tilting() -> bool:
    """Whether the constant term of (c + a z + b/z)^N is that of (c + root (z + 1/z))^N, root^2 = ab."""
    a, b, c, root = sp.symbols("a b c root")
    for n in range(1, 7):
        plain = sp.expand(sp.expand((c * z + a * z**2 + b) ** n)).coeff(z, n)
        even = sp.expand(sp.expand((c * z + root * (z**2 + 1)) ** n)).coeff(z, n)
        if not _zero(plain - even.subs(root, sp.sqrt(a * b))):
            return False
    return True


def returning(n: int, step: Any, stay: Any) -> Any:
    """Return P(n), the chance that the walk is back at 0, as a polynomial."""
    return sum(
        comb(n, 2 * j) * sp.Rational(comb(2 * j, j), 4**j) * stay ** (n - 2 * j) * step ** (2 * j)
        for j in range(n // 2 + 1)
    )


def _one_against_three() -> bool:
    found = returning(1, s, 1 - s) - returning(3, s, 1 - s)
    return _zero(found - s * (1 - s) * (4 - 5 * s) / 2)


def _three_against_six() -> bool:
    """Whether P(3) - P(6) is sigma^6/16 times a polynomial in x = (1 - sigma)/sigma, positive from 1/4 on."""
    stay = sp.Symbol("stay")
    found = 48 * x**5 - 48 * x**4 + 88 * x**3 - 18 * x**2 + 24 * x - 5
    squares = 12 * x**3 * (2 * x - 1) ** 2 + x**2 * (76 * x - 18) + (24 * x - 5)
    difference = returning(3, s, stay) * (s + stay) ** 3 - returning(6, s, stay)
    whole = _zero(difference - s**6 * found.subs(x, stay / s) / 16)
    return whole and _zero(found - squares) and 76 * Fraction(1, 4) > 18 and 24 * Fraction(1, 4) > 5


def _three_against_six_again() -> bool:
    found = returning(3, s, 1 - s) - returning(6, s, 1 - s)
    return min(bernstein(found, s, Fraction(1, 2), Fraction(4, 5))) > 0


def _one_against_four() -> bool:
    found = sp.expand((returning(1, s, 1 - s) - returning(4, s, 1 - s)) * 8 / s)
    bracket = 24 - 72 * s + 80 * s**2 - 35 * s**3
    return _zero(found - bracket) and min(bernstein(bracket, s, Fraction(0), Fraction(3, 4))) > 0


def bernstein(polynomial: Any, symbol: Any, low: Fraction, high: Fraction) -> list[Fraction]:
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


def _small_cells() -> bool:
    return all(min(cell(m, n)) >= 0 for m, n in ((3, 1), (5, 1), (3, 2)))


def cell(m: int, n: int) -> list[Fraction]:
    """Return the Bernstein coefficients of (W(theta, mn) - W(M, n))/s on s in [0, 3/4], theta in [1/2, 1]."""
    voted = 1 - _error(m, x)
    gap = sp.Poly(sp.cancel(sp.expand(_wins(x, m * n) - _wins(voted, n)) / s), s)
    moved = gap.as_expr().subs({s: sp.Rational(3, 4) * s, x: (1 + x) / 2}, simultaneous=True)
    table = sp.Poly(sp.expand(moved), s, x)
    return _tensor(table)


def _wins(theta: Any, n: int) -> Any:
    """Return the chance that the sum of n is positive, of which each counts with chance s."""
    ways = (
        comb(n, k) * s**k * (1 - s) ** (n - k) * (1 - _error(k, theta) - _tie(k, theta) / 2)
        for k in range(n + 1)
    )
    return sum(ways)


def _tensor(polynomial: Any) -> list[Fraction]:
    degrees = [polynomial.degree(symbol) for symbol in polynomial.gens]
    terms = {powers: Fraction(int(c.p), int(c.q)) for powers, c in polynomial.terms()}

    def value(k: int, j: int) -> Fraction:
        return sum(
            (
                c
                * Fraction(comb(k, p), comb(degrees[0], p))
                * Fraction(comb(j, r), comb(degrees[1], r))
                for (p, r), c in terms.items()
                if p <= k and r <= j
            ),
            Fraction(0),
        )

    return [value(k, j) for k in range(degrees[0] + 1) for j in range(degrees[1] + 1)]


_STATEMENTS: tuple[tuple[str, str, bool, Callable[[], bool]], ...] = (
    ("F1", "an even number of votes errs as often as one fewer", False, _votes_f1),
    ("F2", "one more vote helps in a tie only", False, _votes_f2),
    ("Lemma 2", "the increments of error - delta/4 tie are -delta/4 tie", False, _increments),
    (
        "Lemma 3",
        "at even numbers of votes it is the mean of its neighbours' errors",
        False,
        _midpoints,
    ),
    ("Lemma 1", "2 M_m - 1 = (2q - 1) times the sum of the ties", False, _majority_gain),
    ("Tilting", "a tie depends on a and b through ab alone", False, _tilting),
    ("Lemma 8, first", "P(1) - P(3) = sigma (1 - sigma)(4 - 5 sigma)/2", True, _one_against_three),
    ("Lemma 8, second", "P(3) > P(6) up to sigma = 4/5, by squares", True, _three_against_six),
    ("Lemma 8, again", "P(3) > P(6) on [1/2, 4/5], by Bernstein", True, _three_against_six_again),
    ("Even m", "P(1) > P(4) up to sigma = 3/4", True, _one_against_four),
    ("Cells", "the theorem for (m, n) = (3, 1), (5, 1), (3, 2), by Bernstein", True, _small_cells),
)


def exact_comparison(
    rivals: Rivals, labels: LabelAccuracy, m: int, n: int
) -> tuple[Fraction, Fraction]:
    """Return the chances of a win with m labels on each of n items and with one on each of mn, exactly.

    Examples
    --------
    >>> rivals = Rivals.correlated(0.5, 1, 0.5)
    >>> exact_comparison(rivals, LabelAccuracy.of(0.6), 2, 1)
    (Fraction(2, 5), Fraction(9, 25))
    """
    several = exact_law(*gap_chances(rivals, labels, m), n).win
    return several, exact_law(*gap_chances(rivals, labels), m * n).win


if __name__ == "__main__":
    for found in lemmas():
        size = "" if found.complete else " (for the sizes tried)"
        verdict = "proved" if found.holds else "FAILS"
        sys.stdout.write(f"{found.name}: {found.statement}: {verdict}{size}\n")
