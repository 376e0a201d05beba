"""Numbers modulo an ideal of two points: every polynomial is alpha + beta v there.

Modulo the evaluation ideal of a trio nothing is left but 1 and one unknown v. So linear algebra of two
dimensions gives the polynomial of each unknown alone, the two points, and the check of any equation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from algeval.algebra.eliminating.ideals import Basis

__all__ = ["TwoPoints", "has_two_points", "whole"]

Expr = Any  # sympy.Expr; SymPy is untyped


def has_two_points(basis: Basis) -> bool:
    """Whether the ideal leaves two points: one unknown squared leads, all the others lead alone."""
    powers = sorted(_leads(basis), reverse=True)
    n = len(basis.unknowns)
    return len(powers) == n and sorted(map(sum, powers)) == [1] * (n - 1) + [2]


def _leads(basis: Basis) -> list[tuple[int, ...]]:
    n = len(basis.unknowns)
    return [max(tuple(powers[:n]) for powers, _ in terms) for terms in basis.rows]


def whole(expression: Expr, unknowns: Sequence[Expr]) -> Expr:
    """Return the numerator of an expression without any factor free of unknowns, leading sign plus."""
    numerator = sympy.numer(sympy.together(expression))
    polynomial = sympy.Poly(numerator, *unknowns).primitive()[1]
    lead = polynomial.LC()
    symbols = sorted(lead.free_symbols, key=str)
    first = sympy.Poly(lead, *symbols).LC() if symbols else lead
    return (polynomial if first > 0 else -polynomial).as_expr()


@dataclass(frozen=True, eq=False)
class TwoPoints:
    """A basis of an ideal of two points.

    Attributes
    ----------
    basis : Basis
        For which `has_two_points` is true.
    """

    basis: Basis

    @cached_property
    def free(self) -> Expr:
        """The unknown v whose square leads: the prevalence, unless both points share it."""
        (lead,) = (powers for powers in _leads(self.basis) if sum(powers) == 2)
        return self.basis.unknowns[lead.index(2)]

    @cached_property
    def _divisors(self) -> tuple[Expr, ...]:
        return self.basis.polynomials

    @cached_property
    def _field(self) -> Any:
        observables = self.basis.observables
        return sympy.QQ.frac_field(*observables) if observables else sympy.QQ

    def coordinates(self, expression: Expr) -> tuple[Expr, Expr]:
        """Return alpha and beta with expression = alpha + beta v modulo the ideal."""
        unknowns = self.basis.unknowns
        _, rest = sympy.reduced(
            expression, self._divisors, *unknowns, order="lex", domain=self._field
        )
        alpha, beta = (sympy.Poly(rest, self.free).coeff_monomial(m) for m in (1, self.free))
        return sympy.cancel(alpha), sympy.cancel(beta)

    def alone(self, unknown: Expr) -> Expr:
        """Return the generator of the elimination ideal of one unknown, with whole coefficients."""
        alpha, beta = self.coordinates(unknown)
        if beta == 0:
            return whole(unknown - alpha, [unknown])
        gamma, delta = self.coordinates(unknown**2)
        slope = delta / beta
        return whole(unknown**2 - slope * unknown + slope * alpha - gamma, [unknown])

    def rung(self, unknown: Expr) -> tuple[Expr, Expr, Expr]:
        """Return a, b, c of the basis element a + b v + c unknown = 0, where `unknown` leads alone."""
        (found,) = (p for p in self._divisors if p.has(unknown) and unknown != self.free)
        polynomial = sympy.Poly(found, *self.basis.unknowns)
        a, b, c = (polynomial.coeff_monomial(m) for m in (1, self.free, unknown))
        return a, b, c

    def quadratic(self) -> tuple[Expr, Expr, Expr]:
        """Return a, b, c of the quadratic a v^2 + b v + c of the unknown that is left."""
        polynomial = sympy.Poly(self.alone(self.free), self.free)
        a, b, c = (polynomial.coeff_monomial(self.free**k) for k in (2, 1, 0))
        return a, b, c
